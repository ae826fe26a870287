/**
 * Payment files and statements in the style of ten countries' banks: each file is written by the payment provider, read by the
 * bank's side of the test, and answered in its style; the statements are read by the provider and applied by the services.
 * Afterwards every payment is what the bank has made of it, no movement of ours is left over, and reading all messages again
 * changes nothing.
 */
import { Effect } from "effect";
import {
  BankStatements,
  BillingProfiles,
  PaymentFiles,
  type Settlement,
  Settlements,
  type Storage,
} from "quittance";
import { sepaWith } from "quittance/payouts";
import { Build, findViolations, LedgerSnapshot, listAll, Scene } from "quittance/testing";
import * as Given from "../../services/Given.ts";
import { euroBanks } from "./EuroBanks.ts";
import { type Bank, type Fate, orderOf } from "./Order.ts";
import { otherBanks } from "./OtherCurrencies.ts";

/** Every style; some countries have several. */
export const BANKS: ReadonlyArray<Bank> = [...euroBanks, ...otherBanks];

/** What became of a payment, by its place in a file: of ten, one is rejected and one comes back. */
const fateOf = (index: number): Fate =>
  index % 10 === 3 ? "rejected" : index % 10 === 7 ? "returned" : "paid";

/** Payees in all corners of the area, with letters that a bank does not exchange. */
const PAYEES = [
  { beneficiaryName: "Nordlys & Søn ApS", iban: "DK5000400440116243", bic: "NDEADKKK" },
  { beneficiaryName: "Bäckerei Groß", iban: "DE89370400440532013000", bic: "COBADEFF" },
  { beneficiaryName: "L'Étoile d'Or", iban: "FR7630006000011234567890189", bic: "AGRIFRPP" },
  { beneficiaryName: "Żółw Sp. z o.o.", iban: "PL61109010140000071219812874", bic: "WBKPPLPP" },
  { beneficiaryName: "Αθηνά Α.Ε.", iban: "GR1601101250000000012300695", bic: "ETHNGRAA" },
];

/** Amounts from a cent to a million, each different. */
const amountOf = (index: number): number => (index % 7 === 0 ? 1 + index : 1_000 + index * index * 37);

const SETTLEMENTS_PER_COMMIT = 200;

type Draft = Storage.Versioned<Settlement.Settlement>;

/** The events that make a draft payable to an account. */
const approvalOf = (draft: Draft, index: number): ReadonlyArray<Settlement.SettlementEvent> => {
  const bankAccount = PAYEES[index % PAYEES.length] ?? Given.SELF_BILLING.bankAccount;
  return Build.approvalEvents(draft).map((event) =>
    event.type === "approve_settlement"
      ? {
          ...event,
          stored: { ...event.stored, self_billing_data: { ...Given.SELF_BILLING, bankAccount } },
        }
      : event,
  );
};

/** Settlements whose payment is initiated, and a customer that pays from an account of the bank. */
const initiated = (bank: Bank, count: number) =>
  Effect.gen(function* () {
    const scene = yield* Given.scene({ selfBilled: true });
    const formula = yield* Scene.create(scene);
    const earned = yield* Scene.commissions(
      formula,
      Array.from({ length: count }, (_, index) => amountOf(index)),
    );
    for (let start = 0; start < count; start += SETTLEMENTS_PER_COMMIT) {
      const drafts = earned.slice(start, start + SETTLEMENTS_PER_COMMIT).map((commission, index) => {
        const lines = Build.linesOf([commission]);
        const saved = Build.settlement(formula, lines);
        return { saved, lines, approval: approvalOf(saved.row, start + index) };
      });
      yield* Scene.commit(
        scene.customerId,
        drafts.flatMap(({ saved, lines }) => [
          saved,
          { type: "reserve" as const, settlementId: saved.row.id, lines },
        ]),
      );
      yield* Scene.commit(
        scene.customerId,
        drafts.map(({ saved, approval }) => Build.next("settlement", saved.row, approval)),
      );
    }
    yield* (yield* BillingProfiles.BillingProfiles).write(scene.owner, {
      legalName: bank.account.beneficiaryName,
      address: Given.SELF_BILLING.address,
      vatNumber: "DE123456789",
      bankAccount: bank.account,
    });
    const { initiatePayment } = yield* Settlements.Settlements;
    for (const { id } of yield* listAll(scene.customerId, "settlement"))
      yield* initiatePayment(scene.owner, id);
    return scene;
  });

type Scenery = Effect.Effect.Success<ReturnType<typeof initiated>>;

/** Puts everything that waits into files, hands them over, and has the bank answer each. */
const carryOut = (bank: Bank, { owner, customerId }: Scenery) =>
  Effect.gen(function* () {
    const files = yield* PaymentFiles.PaymentFiles;
    const fates = new Map<string, Fate>();
    const messages: Array<{ readonly fileName: string; readonly bytes: Uint8Array }> = [];
    while ((yield* Effect.either(files.create(owner)))._tag === "Right") {
      const { id } = (yield* listAll(customerId, "paymentFile")).at(-1) ?? {};
      if (id === undefined) return yield* Effect.dieMessage("a file was created");
      yield* files.handOver(owner, id);
      const order = orderOf((yield* files.read(owner, id)).bytes, bank.format, fateOf);
      for (const { endToEndId, fate } of order.payments) fates.set(endToEndId, fate);
      messages.push(...bank.answer(order));
    }
    return { fates, messages };
  });

/** What a settlement should be after all messages. */
const isAsCarriedOut = (
  { status, reconciliationStatus }: Storage.Listed["settlement"],
  fate: Fate,
): boolean =>
  fate === "paid"
    ? status.type === "paid" && reconciliationStatus === "reconciled"
    : status.type === "awaiting_payment" && reconciliationStatus === "unreconciled";

/** The differences between what the bank has done and what the settlements say. */
const differences = (
  settlements: ReadonlyArray<Storage.Listed["settlement"]>,
  fates: ReadonlyMap<string, Fate>,
): ReadonlyArray<string> =>
  settlements.flatMap((settlement) => {
    const reference = settlement.events.flatMap(({ event }) =>
      event.type === "initiate_payment" ? [event.payment_reference.replaceAll("-", "")] : [],
    )[0];
    const fate = fates.get(reference ?? "");
    if (fate !== undefined && isAsCarriedOut(settlement, fate)) return [];
    return [`${reference} was ${fate}, and its settlement is ${settlement.status.type}`];
  });

/** The reason that the log has of each payment that failed or came back. */
const reasonsIn = (settlements: ReadonlyArray<Storage.Listed["settlement"]>): ReadonlyArray<string> => [
  ...new Set(
    settlements.flatMap(({ events }) =>
      events.flatMap(({ event }) =>
        event.type === "fail_payment" || event.type === "return_payment"
          ? [event.reason.replace(/[0-9a-f-]{20,}|EUR[\d,]+/gi, "…")]
          : [],
      ),
    ),
  ),
];

/** What a bank's statements led to. */
export interface Result {
  readonly bank: string;
  readonly problems: ReadonlyArray<string>;
  /** Why payments failed or came back, in the words of the bank, each once. */
  readonly reasons: ReadonlyArray<string>;
}

/** Pays by the files of one bank, and reads its statements. */
export const payBy = (bank: Bank, payments: number): Effect.Effect<Result> => {
  const provider = sepaWith({ format: bank.format });
  return Given.rule(
    Effect.gen(function* () {
      const scene = yield* initiated(bank, payments);
      const { fates, messages } = yield* carryOut(bank, scene);
      const { upload } = yield* BankStatements.BankStatements;
      const problems: Array<string> = [];
      for (const message of messages) {
        const { unmatched } = yield* upload(scene.owner, message);
        for (const { reason, endToEndId, amount } of unmatched)
          if (reason !== "unknown_reference" || amount !== 395)
            problems.push(`${message.fileName}: ${endToEndId} of ${amount} is left over: ${reason}`);
      }
      const settlements = yield* listAll(scene.customerId, "settlement");
      problems.push(...differences(settlements, fates));
      for (const message of messages) {
        const { unmatched, ...counts } = yield* upload(scene.owner, message);
        if (counts.confirmed + counts.returned + counts.reconciled + counts.failed > 0)
          problems.push(`${message.fileName} has an effect again: ${JSON.stringify(counts)}`);
      }
      for (const { name, detail } of findViolations(yield* LedgerSnapshot.readSnapshot(scene.customerId)))
        problems.push(`${name}: ${detail}`);
      return { bank: bank.name, problems, reasons: reasonsIn(settlements) };
    }),
    { send: provider.send, provider },
  ).pipe(Effect.orDie);
};
