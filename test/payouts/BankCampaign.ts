/**
 * Random operations on payment files and bank statements, some at the same time and over a store that loses answers, compared with
 * a bank that carries out what it is handed. Afterwards the money that moved is compared with the settlements.
 */
import { Effect } from "effect";
import { BankStatements, BillingProfiles, type Ids, PaymentFiles, Settlements, Storage } from "quittance";
import { sepa } from "quittance/payouts";
import { findViolations, LedgerSnapshot, listAll } from "quittance/testing";
import * as Given from "../services/Given.ts";
import { type Random, random } from "../support/Random.ts";
import { DEBTOR } from "./Payers.ts";
import { bytesOf, single, statusReport, type Transaction, withReturns } from "./Statements.ts";

export interface Finding {
  readonly name: string;
  readonly detail: string;
}

/** A movement of money, as the bank books it. */
interface Movement extends Transaction {
  readonly settlementId: string;
}

/** The files that the bank has received, and its bookings. */
interface Bank {
  readonly files: Set<string>;
  readonly movements: Array<Movement>;
  /** The end-to-end ids of the payments that it has rejected, by their file. */
  readonly rejected: Map<string, Array<string>>;
  /** Settlements that a person paid outside. */
  readonly outside: Map<string, number>;
}

const SETTLEMENTS = 5;
const STEPS = 40;

/** A store that sometimes loses the result of a commit, before or after it is stored. */
const unreliable =
  (decide: Random, isOn: () => boolean) =>
  ({ commit }: Storage.StorageService): Partial<Storage.StorageService> => ({
    commit: (customerId, changeSet) =>
      Effect.suspend(() => {
        if (!isOn() || !decide.chance(0.1)) return commit(customerId, changeSet);
        const lost = Effect.fail(
          new Storage.StorageError({ reason: "unknown", cause: new Error("connection lost") }),
        );
        return decide.chance(0.5) ? lost : Effect.zipRight(commit(customerId, changeSet), lost);
      }),
  });

type Scene = Effect.Effect.Success<ReturnType<typeof Given.scene>>;

/** Self-billed settlements that wait for payment. */
const payable = Effect.gen(function* () {
  const scene = yield* Given.scene({ selfBilled: true });
  yield* Given.formula(scene);
  const { write } = yield* BillingProfiles.BillingProfiles;
  const { create } = yield* Settlements.Settlements;
  const { owner, customerId, workspaceId, partnerId } = scene;
  yield* write(owner, {
    legalName: "Havn & Mark GmbH",
    address: Given.SELF_BILLING.address,
    vatNumber: "DE123456789",
    bankAccount: DEBTOR,
  });
  for (let index = 0; index < SETTLEMENTS; index++) yield* Given.sell(scene, 1_000 * (index + 1));
  for (const { id } of yield* Given.commissions(scene)) {
    const asked = { customerId, workspaceId, partnerId, commissionIds: [id] };
    const { id: settlementId } = yield* create(owner, asked);
    yield* Given.approve({ ...scene, settlementId });
  }
  yield* Given.drain;
  return scene;
});

const uuidOf = (digits: string): string =>
  [8, 12, 16, 20, 32]
    .map((end, index, ends) => digits.slice(index === 0 ? 0 : ends[index - 1], end))
    .join("-");

/** The transactions of a file as the bank reads them. */
const transactionsOf = (
  xml: string,
): ReadonlyArray<{ readonly endToEndId: string; readonly amount: number }> =>
  [...xml.matchAll(/<EndToEndId>([0-9a-f]{32})<\/EndToEndId>[\s\S]*?<InstdAmt Ccy="EUR">([0-9.]+)</g)].map(
    ([, endToEndId = "", amount = "0"]) => ({ endToEndId, amount: Math.round(Number(amount) * 100) }),
  );

const campaignOver = (scene: Scene, decide: Random, bank: Bank) =>
  Effect.gen(function* () {
    const { owner, customerId } = scene;
    const files = yield* PaymentFiles.PaymentFiles;
    const { upload } = yield* BankStatements.BankStatements;
    const settlements = yield* Settlements.Settlements;
    const listed = listAll(customerId, "settlement");
    const filesOf = listAll(customerId, "paymentFile");

    const initiate = Effect.flatMap(listed, (found) => {
      const one = decide.pickAny(found.filter(({ status }) => status.type === "awaiting_payment"));
      return one === null ? Effect.void : settlements.initiatePayment(owner, one.id);
    });

    /** The bank executes a file once, also when it receives it repeatedly. */
    const carryOut = (id: Ids.PaymentFileId) =>
      Effect.gen(function* () {
        if (bank.files.has(id)) return;
        const { bytes } = yield* files.read(owner, id);
        if (bank.files.has(id)) return;
        bank.files.add(id);
        const all = yield* listed;
        for (const one of transactionsOf(new TextDecoder().decode(bytes))) {
          const reference = uuidOf(one.endToEndId);
          if (decide.chance(0.2)) {
            bank.rejected.set(id, [...(bank.rejected.get(id) ?? []), one.endToEndId]);
            continue;
          }
          const settlement = all.find(({ events }) =>
            events.some(
              ({ event }) => event.type === "initiate_payment" && event.payment_reference === reference,
            ),
          );
          bank.movements.push({
            ...one,
            settlementId: settlement?.id ?? "",
            bankReference: `D-${one.endToEndId}`,
          });
        }
      });

    const handOver = Effect.flatMap(filesOf, (found) => {
      const one = decide.pickAny(found.filter(({ handedOverAt }) => handedOverAt === null));
      // A person without a response repeats the request before giving the file to the bank.
      return one === null ? Effect.void : Effect.zipRight(files.handOver(owner, one.id), carryOut(one.id));
    });

    const discard = Effect.flatMap(filesOf, (found) => {
      const one = decide.pickAny(
        found.filter(({ id, handedOverAt }) => handedOverAt === null && !bank.files.has(id)),
      );
      return one === null ? Effect.void : files.discard(owner, one.id, { reason: "refused" });
    });

    /** The bank returns a payment that it has not returned yet. */
    const comeBack = Effect.sync(() => {
      const back = new Set(
        bank.movements.flatMap((movement) => (movement.isCredit === true ? [movement.endToEndId] : [])),
      );
      const one = decide.pickAny(bank.movements.filter(({ endToEndId }) => !back.has(endToEndId)));
      if (one !== null) bank.movements.push({ ...one, isCredit: true, bankReference: `C-${one.endToEndId}` });
    });

    /** A statement of some movements, in the bank's order; a movement may be in several statements. */
    const state = (movements: ReadonlyArray<Movement>) =>
      Effect.gen(function* () {
        if (movements.length === 0) return;
        const bytes = decide.chance(0.5) ? bytesOf(single(movements)) : withReturns(movements);
        yield* upload(owner, { fileName: "camt.xml", bytes });
      });

    /** A report of what the bank has rejected of some files. */
    const report = (chance: number) =>
      Effect.forEach(bank.rejected, ([id, rejected]) =>
        Effect.gen(function* () {
          if (!decide.chance(chance)) return;
          const transactions = rejected.map((endToEndId) => ({ endToEndId, status: "RJCT" }));
          const version = decide.chance(0.5) ? "03" : "10";
          const text = statusReport({ version, fileId: id.replaceAll("-", ""), batch: "PART", transactions });
          yield* upload(owner, { fileName: "pain.xml", bytes: bytesOf(text) });
        }),
      );

    /** A statement of a payment under way with another amount: nothing has left. */
    const mistake = Effect.flatMap(listed, (found) => {
      const one = decide.pickAny(found.filter(({ status }) => status.type === "payment_initiated"));
      if (one === null || one.paymentReference === null) return Effect.void;
      const endToEndId = one.paymentReference.replaceAll("-", "");
      return state([
        { endToEndId, amount: (one.payableAmount ?? 0) + 1, settlementId: one.id, bankReference: "X" },
      ]);
    });

    /** A person pays a settlement whose payment no bank has received. */
    const payOutside = Effect.gen(function* () {
      const handedOver = (yield* filesOf).filter(({ handedOverAt }) => handedOverAt !== null);
      if (!handedOver.every(({ id }) => bank.files.has(id))) return;
      const sent = new Set(bank.movements.map(({ endToEndId }) => uuidOf(endToEndId)));
      const one = decide.pickAny(
        (yield* listed).filter(
          ({ status, paymentReference }) =>
            status.type === "awaiting_payment" ||
            (status.type === "payment_initiated" && !sent.has(paymentReference ?? "")),
        ),
      );
      if (one === null) return;
      yield* Effect.ignore(settlements.markAsPaid(owner, one.id));
      // A person without a response reads the settlement before paying.
      const { status } = yield* Given.settlement(scene, one.id);
      if (status.type === "paid") bank.outside.set(one.id, (bank.outside.get(one.id) ?? 0) + 1);
    });

    /** The bank calls about a payment that it has rejected, and a person fails it. */
    const failByHand = Effect.gen(function* () {
      const one = decide.pickAny([...bank.rejected.values()].flat());
      const all = yield* listed;
      const found = all.find(({ paymentReference }) => paymentReference?.replaceAll("-", "") === one);
      if (found !== undefined) yield* settlements.failPayment(owner, found.id, { reason: "by telephone" });
    });

    /** A person mistakes a payment that no bank has for one that was rejected. */
    const failInError = Effect.flatMap(listed, (found) => {
      const one = decide.pickAny(
        found.filter(({ status, handedOver }) => status.type === "payment_initiated" && handedOver === null),
      );
      return one === null ? Effect.void : settlements.failPayment(owner, one.id, { reason: "a mistake" });
    });

    const operations = [
      initiate,
      initiate,
      initiate,
      files.create(owner),
      files.create(owner),
      handOver,
      handOver,
      discard,
      comeBack,
      Effect.suspend(() => state(bank.movements.filter(() => decide.chance(0.5)))),
      Effect.suspend(() => state(bank.movements)),
      Effect.suspend(() => report(0.5)),
      failByHand,
      failInError,
      mistake,
      payOutside,
    ];
    /** What a person does only when nobody hands a file over meanwhile. */
    const careful: ReadonlyArray<unknown> = [discard, payOutside];
    for (let step = 0; step < STEPS; step++) {
      const chosen = decide.some(operations, decide.chance(0.5) ? 2 : 1);
      yield* Effect.all(
        chosen.map((item) => Effect.ignore(item)),
        {
          concurrency: chosen.some((candidate) => careful.includes(candidate)) ? 1 : "unbounded",
          discard: true,
        },
      );
      yield* Given.wait(1_000);
    }
    return { filesOf, carryOut, state, report, listed };
  });

/** The differences between the settlements and the bank's payments. */
function* misfits(settlements: ReadonlyArray<Storage.Listed["settlement"]>, bank: Bank): Generator<Finding> {
  for (const { id, status, payableAmount, events } of settlements) {
    const own = bank.movements.filter(({ settlementId }) => settlementId === id);
    const back = own.filter(({ isCredit }) => isCredit === true).length;
    const net = own.length - 2 * back + (bank.outside.get(id) ?? 0);
    if (net > 1) yield { name: "money", detail: `settlement ${id} in ${status.type} was paid ${net} times` };
    const isNoted = events.some(({ event }) => event.type === "payment_anomaly");
    if (!isNoted && net !== (status.type === "paid" ? 1 : 0))
      yield { name: "money", detail: `settlement ${id} in ${status.type}: ${net} payments stand` };
    for (const { amount } of own)
      if (amount !== payableAmount) yield { name: "money", detail: `settlement ${id}: ${amount} left` };
  }
  for (const { settlementId } of bank.movements)
    if (settlementId === "") yield { name: "money", detail: "a payment of no settlement left" };
}

/** Runs one campaign; returns its findings. */
export const campaign = (seed: number): Promise<ReadonlyArray<Finding>> => {
  const decide = random(seed);
  const bank: Bank = { files: new Set(), movements: [], rejected: new Map(), outside: new Map() };
  let isUnreliable = false;
  const run = Effect.gen(function* () {
    const scene = yield* payable;
    isUnreliable = true;
    const { filesOf, carryOut, state, report, listed } = yield* campaignOver(scene, decide, bank);
    isUnreliable = false;
    // What was handed over without an answer reaches the bank too, and a last statement has everything.
    for (const { id, handedOverAt } of yield* filesOf)
      if (handedOverAt !== null) yield* Effect.ignore(carryOut(id));
    for (const _ of ["once", "again"]) {
      yield* state(bank.movements);
      yield* report(1);
    }
    const broken = findViolations(yield* LedgerSnapshot.readSnapshot(scene.customerId));
    return [...broken.map(({ name, detail }) => ({ name, detail })), ...misfits(yield* listed, bank)];
  });
  const host: Given.Host = {
    send: sepa.send,
    provider: sepa,
    storage: unreliable(decide.fork(), () => isUnreliable),
  };
  return Effect.runPromise(Given.rule(run, host));
};
