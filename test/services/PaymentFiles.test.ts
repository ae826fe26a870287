/** Payment files and bank statements over an engine that pays by SEPA. */
import { describe, expect, it } from "@effect/vitest";
import { Effect, Layer } from "effect";
import {
  BankStatements,
  BillingProfiles,
  type Directory,
  type Documents,
  type Ids,
  Limits,
  Outbox,
  PaymentFiles,
  PaymentProvider,
  Principal,
  Quittance,
  Settlements,
  Storage,
} from "quittance";
import { sepa } from "quittance/payouts";
import { Build } from "quittance/testing";
import { DEBTOR } from "../payouts/Payers.ts";
import {
  batchBooked,
  bytesOf,
  SUM_STYLES,
  single,
  statusReport,
  summed,
  type Transaction,
  withReturns,
} from "../payouts/Statements.ts";
import * as Given from "./Given.ts";

const HOST: Given.Host = { send: sepa.send, provider: sepa };
const rule: typeof Given.rule = (effect, host = HOST) => Given.rule(effect, host);

type Scene = Effect.Effect.Success<ReturnType<typeof Given.approved>>;

const profile = ({ owner }: Pick<Scene, "owner">, bankAccount = DEBTOR) =>
  Effect.flatMap(BillingProfiles.BillingProfiles, ({ write }) =>
    write(owner, {
      legalName: "Havn & Mark GmbH",
      address: Given.SELF_BILLING.address,
      vatNumber: "DE123456789",
      bankAccount,
    }),
  );

/** Initiates the payment of a settlement; returns its reference. */
const initiate = (scene: Scene, settlementId = scene.settlementId) =>
  Effect.gen(function* () {
    yield* (yield* Settlements.Settlements).initiatePayment(scene.owner, settlementId);
    const { paymentReference } = yield* Given.settlement(scene, settlementId);
    if (paymentReference === null) return yield* Effect.dieMessage("no payment reference");
    return paymentReference;
  });

/** A settlement of 1,250 euro cents whose payment was initiated, with an account to pay from. */
const initiated = Effect.gen(function* () {
  const scene = yield* Given.approved([10_000], { selfBilled: true });
  yield* profile(scene);
  return { ...scene, reference: yield* initiate(scene) };
});

/** Another settlement of the same partner, initiated. */
const another = (scene: Scene, orderValue: number) =>
  Effect.gen(function* () {
    yield* Given.sell(scene, orderValue);
    const commissions = yield* Given.commissions(scene);
    const commissionIds = commissions.filter(({ pendingAmount }) => pendingAmount === 0).map(({ id }) => id);
    const { create } = yield* Settlements.Settlements;
    const { customerId, workspaceId, partnerId } = scene;
    const { id } = yield* create(scene.owner, { customerId, workspaceId, partnerId, commissionIds });
    yield* Given.approve({ ...scene, settlementId: id });
    yield* Given.drain;
    return { ...scene, settlementId: id, reference: yield* initiate(scene, id) };
  });

const files = PaymentFiles.PaymentFiles;
const create = ({ owner }: Scene, executionDate?: string) =>
  Effect.flatMap(files, (service) =>
    Effect.map(service.create(owner, executionDate === undefined ? {} : { executionDate }), ({ id }) => id),
  );
const xml = ({ owner }: Scene, id: Ids.PaymentFileId) =>
  Effect.flatMap(files, (service) =>
    Effect.map(service.read(owner, id), ({ bytes }) => new TextDecoder().decode(bytes)),
  );
const listed = ({ owner }: Scene) =>
  Effect.flatMap(files, (service) => Effect.map(service.list(owner), ({ items }) => items));

const statement = ({ owner }: Scene, content: string | Uint8Array) =>
  Effect.flatMap(BankStatements.BankStatements, ({ upload }) =>
    upload(owner, {
      fileName: "camt.xml",
      bytes: typeof content === "string" ? bytesOf(content) : content,
    }),
  );

const digits = (reference: string) => reference.replaceAll("-", "");

const movement = (reference: string, given: Partial<Transaction> = {}): Transaction => ({
  endToEndId: digits(reference),
  amount: 1_250,
  ...given,
});

const stateOf = (scene: Scene) =>
  Effect.map(
    Given.settlement(scene, scene.settlementId),
    ({ status, reconciliationStatus, bankReference }) => ({
      status: status.type,
      reconciliationStatus,
      bankReference,
    }),
  );

const fileStatusOf = (scene: Scene) =>
  Effect.map(Given.settlement(scene, scene.settlementId), ({ paymentFileStatus }) => paymentFileStatus);

const NOTHING = { confirmed: 0, returned: 0, reconciled: 0 };

describe("a payment file", () => {
  it.effect("has the initiated payments once, and is executed on the next business day", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* initiated;
        const second = yield* another(scene, 4_000);
        const id = yield* create(scene);
        expect(yield* listed(scene)).toMatchObject([
          {
            id,
            executionDate: "2026-01-02",
            count: 2,
            sum: 1_750,
            debtor: { ...DEBTOR, address: Given.SELF_BILLING.address },
            handedOverAt: null,
            discardedAt: null,
            createdBy: scene.owner.principalId,
          },
        ]);
        const text = yield* xml(scene, id);
        for (const reference of [scene.reference, second.reference])
          expect(text).toContain(`<PmtId><EndToEndId>${digits(reference)}</EndToEndId></PmtId>`);
        expect(yield* xml(scene, id)).toBe(text);
        expect(yield* Given.refusal(create(scene))).toBe(
          "payout_unavailable: no initiated payment waits for a file",
        );
      }),
    ),
  );

  it.effect("is awaited, then created, and handed over before a payment counts as on its way", () =>
    rule(
      Effect.gen(function* () {
        const before = yield* Given.approved([10_000], { selfBilled: true });
        yield* profile(before);
        expect(yield* fileStatusOf(before)).toBeNull();
        const scene = { ...before, reference: yield* initiate(before) };
        expect(yield* fileStatusOf(scene)).toBe("awaited");
        const id = yield* create(scene);
        const second = yield* another(scene, 4_000);
        expect([yield* fileStatusOf(scene), yield* fileStatusOf(second)]).toEqual(["created", "awaited"]);
        yield* Effect.flatMap(files, ({ handOver }) => handOver(scene.owner, id));
        expect([yield* fileStatusOf(scene), yield* fileStatusOf(second)]).toEqual(["handed_over", "awaited"]);
        yield* statement(scene, single([movement(scene.reference)]));
        expect((yield* stateOf(scene)).status).toBe("paid");
        expect(yield* fileStatusOf(scene)).toBeNull();
      }),
    ),
  );

  it.effect("names the invoice to the payee", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* initiated;
        const { invoiceNumber } = yield* Given.settlement(scene, scene.settlementId);
        expect(yield* xml(scene, yield* create(scene))).toContain(`<Ustrd>${invoiceNumber}</Ustrd>`);
      }),
    ),
  );

  it.effect("excludes payments whose settlement has ended meanwhile", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* initiated;
        const second = yield* another(scene, 4_000);
        yield* (yield* Settlements.Settlements).writeOff(scene.owner, scene.settlementId);
        const text = yield* xml(scene, yield* create(scene));
        expect([text.includes(digits(scene.reference)), text.includes(digits(second.reference))]).toEqual([
          false,
          true,
        ]);
      }),
    ),
  );

  it.effect("has at most its limit of payments; the rest go into the next file", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* initiated;
        const storage = yield* Storage.Storage;
        const settlement = yield* Given.settlement(scene, scene.settlementId);
        const [payment] = yield* storage.find(scene.customerId, "bankPayment", [scene.reference]);
        if (payment === undefined) return yield* Effect.dieMessage("the payment is stored");
        // Payments of one settlement that are over must not keep the others out.
        const over = Array.from({ length: Limits.FILE_PAYMENTS_MAX + 5 }, (_, index) => ({
          ...Build.bankPayment(settlement),
          row: {
            ...Build.bankPayment(settlement).row,
            id: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}` as typeof payment.id,
          },
        }));
        yield* storage.commit(scene.customerId, {
          command: { id: Build.fresh.command(), actor: "test", at: Given.NOW },
          requires: [],
          changes: over,
          outbox: [],
          idempotencyRecord: null,
        });
        const id = yield* create(scene);
        expect(yield* listed(scene)).toMatchObject([{ id, count: 1 }]);
        expect(yield* storage.bankPayments(scene.customerId, null, 9)).toEqual([]);
      }),
    ),
  );

  it.effect.each([
    ["2025-12-30", "execution_date: must not be in the past"],
    ["2026-01-03", "execution_date: must be a business day of the euro area; the next one is 2026-01-05"],
  ] as const)("for %s is refused: %s", ([date, message]) =>
    rule(
      Effect.gen(function* () {
        const scene = yield* initiated;
        expect(yield* Given.refusal(create(scene, date))).toBe(message);
        expect(yield* listed(scene)).toEqual([]);
      }),
    ),
  );

  it.effect("needs an account to pay from", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.approved([10_000], { selfBilled: true });
        yield* initiate(scene);
        expect(yield* Given.refusal(create(scene))).toBe(
          "payout_unavailable: the billing profile has no bank_account to pay from",
        );
      }),
    ),
  );

  it.effect("needs an account to pay from that SEPA reaches", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* initiated;
        const bankAccount = { ...DEBTOR, iban: "TR330006100519786457841326", bic: "TCZBTR2A" };
        yield* profile(scene, bankAccount);
        expect(yield* Given.refusal(create(scene))).toBe(
          "payout_unavailable: bank_account of the billing profile: SEPA does not reach accounts in TR: pay outside Quittance and mark the settlement as paid",
        );
      }),
    ),
  );

  it.effect("needs a provider that pays by files", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.approved([10_000], { selfBilled: true });
        const message = "payout_unavailable: payment files are off; they need payouts by files for a bank";
        expect(yield* Given.refusal(create(scene))).toBe(message);
        expect(yield* Given.refusal(statement(scene, "<a/>"))).toBe(message);
      }),
      {},
    ),
  );

  it.effect("needs a credential for all workspaces and partners", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* initiated;
        const id = yield* create(scene);
        const service = yield* files;
        const { upload } = yield* BankStatements.BankStatements;
        const limited = [{ workspaceIds: [scene.workspaceId] }, { partnerIds: [scene.partnerId] }];
        for (const limit of limited) {
          const owner = { ...Principal.customer(scene.customerId), ...limit };
          const attempts = [
            Effect.asVoid(service.list(owner)),
            Effect.asVoid(service.create(owner)),
            Effect.asVoid(service.read(owner, id)),
            Effect.asVoid(service.handOver(owner, id)),
            Effect.asVoid(service.discard(owner, id, { reason: "x" })),
            Effect.asVoid(upload(owner, { fileName: "x", bytes: bytesOf("<a/>") })),
          ];
          for (const attempt of attempts)
            expect(yield* Given.refusal(attempt)).toBe(
              "The credential is limited to some workspaces or partners; a payment file needs one for all of them",
            );
        }
      }),
    ),
  );

  it.effect("of another customer is refused as not found", () =>
    rule(
      Effect.gen(function* () {
        const id = yield* create(yield* initiated);
        const stranger = Principal.customer(Build.fresh.customer());
        const service = yield* files;
        for (const attempt of [
          Effect.asVoid(service.read(stranger, id)),
          Effect.asVoid(service.handOver(stranger, id)),
          Effect.asVoid(service.discard(stranger, id, { reason: "x" })),
        ])
          expect(yield* Given.refusal(attempt)).toBe("payment file not found");
      }),
    ),
  );
});

describe("handing a payment file over", () => {
  it.effect("is recorded once", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* initiated;
        const id = yield* create(scene);
        const { handOver } = yield* files;
        yield* handOver(scene.owner, id);
        yield* Given.wait(1_000);
        yield* handOver(scene.owner, id);
        expect(yield* listed(scene)).toMatchObject([
          { handedOverAt: Given.NOW, handedOverBy: scene.owner.principalId },
        ]);
      }),
    ),
  );

  it.effect("is refused, like its download, if a settlement no longer waits for the payment", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* initiated;
        const id = yield* create(scene);
        yield* (yield* Settlements.Settlements).markAsPaid(scene.owner, scene.settlementId);
        const message = `payment_file_stale: settlement ${scene.settlementId} no longer waits for this payment; it is in paid`;
        const { handOver } = yield* files;
        expect(yield* Given.refusal(handOver(scene.owner, id))).toBe(message);
        expect(yield* Given.refusal(xml(scene, id))).toBe(message);
        expect(yield* listed(scene)).toMatchObject([{ handedOverAt: null }]);
      }),
    ),
  );

  it.effect("keeps the file readable, whatever happens to its settlements", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* initiated;
        const id = yield* create(scene);
        yield* (yield* files).handOver(scene.owner, id);
        yield* (yield* Settlements.Settlements).markAsPaid(scene.owner, scene.settlementId);
        expect(yield* xml(scene, id)).toContain(digits(scene.reference));
      }),
    ),
  );
});

describe("a payment that was handed over", () => {
  const overdue = ({ owner }: Scene, paymentOverdue = true) =>
    Effect.flatMap(Settlements.Settlements, ({ list }) =>
      Effect.map(list(owner, { paymentOverdue }), ({ items }) =>
        items.map(({ id, paymentOverdue: isOverdue }) => [id, isOverdue]),
      ),
    );
  const days = (count: number) => Given.wait(count * 86_400_000);

  it.effect("says so in its settlement, with its file and the day on which the bank carries it out", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* initiated;
        const id = yield* create(scene);
        expect((yield* Given.settlement(scene, scene.settlementId)).paymentHandedOverAt).toBeNull();
        yield* (yield* files).handOver(scene.owner, id);
        const { paymentHandedOverAt, handedOver, events } = yield* Given.settlement(
          scene,
          scene.settlementId,
        );
        expect(paymentHandedOverAt).toBe(Given.NOW);
        expect(handedOver).toEqual({ fileId: id, executionDate: "2026-01-02", at: Given.NOW });
        expect(events.at(-1)).toMatchObject({
          event: {
            ...{ type: "hand_over_payment", payment_reference: scene.reference, payment_file_id: id },
            execution_date: "2026-01-02",
          },
          actor: scene.owner.principalId,
        });
        yield* statement(scene, single([movement(scene.reference)]));
        expect((yield* Given.settlement(scene, scene.settlementId)).paymentHandedOverAt).toBe(Given.NOW);
      }),
    ),
  );

  it.effect("is overdue when five business days have passed since its execution, until it is booked", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* initiated;
        const second = yield* another(scene, 4_000);
        const id = yield* create(scene, "2026-01-05");
        yield* days(8);
        // It is Friday, 9 January, and nothing was handed over.
        expect(yield* overdue(scene)).toEqual([]);
        yield* (yield* files).handOver(scene.owner, id);
        const { handedOver } = yield* Given.settlement(scene, scene.settlementId);
        // Handed over late: the bank carries it out today.
        expect(handedOver?.executionDate).toBe("2026-01-09");
        yield* days(7);
        expect(yield* overdue(scene)).toEqual([]);
        yield* days(1);
        // Monday to Friday have passed.
        expect((yield* overdue(scene)).map(([one]) => one)).toEqual([
          scene.settlementId,
          second.settlementId,
        ]);
        yield* statement(scene, single([movement(second.reference, { amount: 500 })]));
        expect(yield* overdue(scene)).toEqual([[scene.settlementId, true]]);
        expect((yield* overdue(scene, false)).map(([one]) => one)).toEqual([second.settlementId]);
        yield* statement(scene, single([movement(scene.reference)]));
        expect(yield* overdue(scene)).toEqual([]);
      }),
    ),
  );

  it.effect("is overdue after as many business days as the policy says", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* initiated;
        const id = yield* create(scene);
        yield* (yield* files).handOver(scene.owner, id);
        // Executed on Friday, 2 January; Monday has to pass.
        yield* days(4);
        expect(yield* overdue(scene)).toEqual([]);
        yield* days(1);
        expect(yield* overdue(scene)).toEqual([[scene.settlementId, true]]);
      }),
      { ...HOST, policy: { paymentOverdueDays: 1 } },
    ),
  );

  it.effect("fails when a person states that the bank rejected it, and only that one", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* initiated;
        const second = yield* another(scene, 4_000);
        const third = yield* another(scene, 8_000);
        const id = yield* create(scene);
        const { failPayment } = yield* Settlements.Settlements;
        const fail = failPayment(scene.owner, scene.settlementId, { reason: "the bank called" });
        expect(yield* Given.refusal(fail)).toBe(
          "settlement_state: the payment was not handed over to a bank in a payment file; discard a file that no bank has, and wait for the report of a provider",
        );
        yield* (yield* files).handOver(scene.owner, id);
        yield* fail;
        const failed = yield* Given.settlement(scene, scene.settlementId);
        expect([failed.status.type, failed.paymentReference, failed.handedOver]).toEqual([
          "awaiting_payment",
          null,
          null,
        ]);
        expect(failed.events.at(-1)).toMatchObject({
          event: { type: "fail_payment", payment_reference: scene.reference, reason: "the bank called" },
          actor: scene.owner.principalId,
        });
        expect(yield* Given.refusal(fail)).toBe(
          "settlement_state: a settlement in awaiting_payment cannot fail its payment",
        );
        expect((yield* stateOf(second)).status).toBe("payment_initiated");
        // The bank's own report of it comes later, and changes nothing.
        const report = statusReport({
          ...{ fileId: digits(id), batch: "PART" },
          transactions: [{ endToEndId: digits(scene.reference), status: "RJCT" }],
        });
        expect(yield* statement(scene, report)).toMatchObject({ ...NOTHING, failed: 0, unmatched: [] });
        // The bank books the file without it.
        const rest = [
          movement(second.reference, { amount: 500 }),
          movement(third.reference, { amount: 1_000 }),
        ];
        const sum = { fileId: digits(id), hasDetails: false };
        const wrong = yield* statement(scene, batchBooked(rest, { ...sum, count: 3 }));
        expect(wrong).toMatchObject({ ...NOTHING, unmatched: [{ reason: "other_amount" }] });
        expect(yield* statement(scene, batchBooked(rest, sum))).toMatchObject({
          ...NOTHING,
          ...{ confirmed: 2, reconciled: 2, unmatched: [] },
        });
      }),
    ),
  );

  it.effect("that goes by no file is failed by its provider alone", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.approved([10_000], { selfBilled: true });
        yield* initiate(scene);
        const { failPayment } = yield* Settlements.Settlements;
        const fail = failPayment(scene.owner, scene.settlementId, { reason: "x" });
        expect(yield* Given.refusal(fail)).toBe(
          "settlement_state: the payment was not handed over to a bank in a payment file; discard a file that no bank has, and wait for the report of a provider",
        );
        expect((yield* Given.settlement(scene, scene.settlementId)).handedOver).toBeNull();
      }),
      { send: () => Effect.void },
    ),
  );
});

describe("discarding a payment file", () => {
  it.effect("ends its attempts, and each payment is initiated again under a new reference", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* initiated;
        const id = yield* create(scene);
        const service = yield* files;
        yield* service.discard(scene.owner, id, { reason: "the bank refused the file" });
        const { status, events } = yield* Given.settlement(scene, scene.settlementId);
        expect([status.type, events.at(-1)?.event]).toEqual([
          "awaiting_payment",
          { type: "fail_payment", payment_reference: scene.reference, reason: "the bank refused the file" },
        ]);
        yield* service.discard(scene.owner, id, { reason: "again" });
        expect(yield* listed(scene)).toMatchObject([{ discardedAt: Given.NOW }]);
        const message = "payment_file_stale: the file was discarded";
        expect(yield* Given.refusal(xml(scene, id))).toBe(message);
        expect(yield* Given.refusal(service.handOver(scene.owner, id))).toBe(message);
        const next = yield* initiate(scene);
        expect(next).not.toBe(scene.reference);
        const text = yield* xml(scene, yield* create(scene));
        expect([text.includes(digits(scene.reference)), text.includes(digits(next))]).toEqual([false, true]);
      }),
    ),
  );

  it.effect("does not change payments that have ended", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* initiated;
        const id = yield* create(scene);
        yield* statement(scene, single([movement(scene.reference)]));
        yield* (yield* files).discard(scene.owner, id, { reason: "too late" });
        expect((yield* stateOf(scene)).status).toBe("paid");
      }),
    ),
  );
});

describe("a bank statement", () => {
  it.effect("confirms and reconciles a payment, and changes nothing when it is read again", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* initiated;
        yield* create(scene);
        const bank = single([movement(scene.reference, { bankReference: "NL1" })]);
        expect(yield* statement(scene, bank)).toMatchObject({
          confirmed: 1,
          returned: 0,
          reconciled: 1,
          unmatched: [],
        });
        const paid = { status: "paid", reconciliationStatus: "reconciled", bankReference: "NL1" };
        expect(yield* stateOf(scene)).toEqual(paid);
        const before = (yield* Given.settlement(scene, scene.settlementId)).version;
        expect(yield* statement(scene, bank)).toMatchObject({ ...NOTHING, unmatched: [] });
        expect((yield* Given.settlement(scene, scene.settlementId)).version).toBe(before);
      }),
    ),
  );

  it.effect("after a notification reconciles the payments that the notification confirmed", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* initiated;
        yield* create(scene);
        expect(yield* statement(scene, withReturns([movement(scene.reference)]))).toMatchObject({
          ...NOTHING,
          confirmed: 1,
        });
        expect(yield* statement(scene, single([movement(scene.reference)]))).toMatchObject({
          ...NOTHING,
          reconciled: 1,
        });
      }),
    ),
  );

  it.effect("returns a payment, also one that it has reconciled; the next attempt is a new one", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* initiated;
        yield* create(scene);
        const paid = single([movement(scene.reference)]);
        yield* statement(scene, paid);
        const back = withReturns([movement(scene.reference, { isCredit: true, reason: "AC04" })]);
        expect(yield* statement(scene, back)).toMatchObject({ ...NOTHING, returned: 1, unmatched: [] });
        const { status, events } = yield* Given.settlement(scene, scene.settlementId);
        expect([status.type, events.at(-1)?.event]).toEqual([
          "awaiting_payment",
          { type: "return_payment", payment_reference: scene.reference, reason: "AC04 Account closed" },
        ]);
        const again = yield* initiate(scene);
        yield* create(scene);
        // The old statements once more, and the one of the day, which repeats the return.
        for (const content of [paid, back, single([movement(scene.reference, { isCredit: true })])])
          expect(yield* statement(scene, content)).toMatchObject({ ...NOTHING, unmatched: [] });
        expect((yield* Given.settlement(scene, scene.settlementId)).paymentReference).toBe(again);
        expect(yield* statement(scene, single([movement(again)]))).toMatchObject({ confirmed: 1 });
      }),
    ),
  );

  it.effect("with a return before its debit confirms the payment first, and ignores the debit", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* initiated;
        yield* create(scene);
        const back = withReturns([movement(scene.reference, { isCredit: true, reason: "AC04" })]);
        expect(yield* statement(scene, back)).toMatchObject({ confirmed: 1, returned: 1, unmatched: [] });
        const { events } = yield* Given.settlement(scene, scene.settlementId);
        expect(events.slice(-2).map(({ event }) => event.type)).toEqual([
          "confirm_payment",
          "return_payment",
        ]);
        const late = single([movement(scene.reference)]);
        expect(yield* statement(scene, late)).toMatchObject({ ...NOTHING, unmatched: [] });
      }),
    ),
  );

  it.effect("that books a file as a sum confirms all of its payments", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* initiated;
        const second = yield* another(scene, 4_000);
        const fileId = digits(yield* create(scene));
        const transactions = [movement(scene.reference), movement(second.reference, { amount: 500 })];
        const sum = { fileId, hasDetails: false };
        for (const count of [1, 3]) {
          const wrong = yield* statement(scene, batchBooked(transactions, { ...sum, count }));
          expect(wrong).toMatchObject({ ...NOTHING, unmatched: [{ reason: "other_amount" }] });
        }
        const short = yield* statement(scene, batchBooked(transactions.slice(1), { ...sum, count: 2 }));
        expect(short).toMatchObject({ ...NOTHING, unmatched: [{ reason: "other_amount" }] });
        const right = yield* statement(scene, batchBooked(transactions, sum));
        expect(right).toMatchObject({ confirmed: 2, reconciled: 2, unmatched: [] });
      }),
    ),
  );

  it.effect.each(Object.keys(SUM_STYLES))("that books a file as a sum may name it by %s", (style) =>
    rule(
      Effect.gen(function* () {
        const scene = yield* initiated;
        const second = yield* another(scene, 4_000);
        const fileId = digits(yield* create(scene));
        const transactions = [movement(scene.reference), movement(second.reference, { amount: 500 })];
        for (const booked of [1_749, 1_751]) {
          const wrong = yield* statement(scene, summed(style, fileId, transactions, { booked }));
          expect(wrong).toMatchObject({ ...NOTHING, unmatched: [{ reason: "other_amount" }] });
        }
        const right = yield* statement(scene, summed(style, fileId, transactions));
        expect(right).toMatchObject({ confirmed: 2, reconciled: 2, unmatched: [] });
      }),
    ),
  );

  it.effect("that takes the booking of a file back leaves it to a person", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* initiated;
        const fileId = digits(yield* create(scene));
        const booked = batchBooked([movement(scene.reference)], { fileId, hasDetails: false });
        expect(yield* statement(scene, booked)).toMatchObject({ confirmed: 1, unmatched: [] });
        const back = booked.replace("DBIT</CdtDbtInd>\n        <Sts>", "CRDT</CdtDbtInd>\n        <Sts>");
        expect(yield* statement(scene, back)).toMatchObject({
          ...NOTHING,
          unmatched: [{ reason: "unexpected", direction: "credit" }],
        });
        expect((yield* stateOf(scene)).status).toBe("paid");
      }),
    ),
  );

  it.effect("that books a payment twice without references lists the second booking", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* initiated;
        yield* create(scene);
        const once = single([movement(scene.reference)]).replace(
          /<ns2:AcctSvcrRef>.*?<\/ns2:AcctSvcrRef>/,
          "",
        );
        const twice = once.replace(/(<ns2:Ntry>[\s\S]*<\/ns2:Ntry>)/, "$1$1");
        const second = { ...NOTHING, unmatched: [{ reason: "booked_before", amount: 1_250 }] };
        expect(yield* statement(scene, twice)).toMatchObject({
          ...second,
          ...{ confirmed: 1, reconciled: 1 },
        });
        expect(yield* statement(scene, twice)).toMatchObject(second);
        expect(yield* statement(scene, once)).toMatchObject({ ...NOTHING, unmatched: [] });
      }),
    ),
  );

  it.effect("lists movements that match no payment, in its order, and does not apply them", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* initiated;
        yield* create(scene);
        const { reference } = scene;
        const stranger = yield* initiated;
        yield* create(stranger);
        const content = single([
          movement("NOTPROVIDED"),
          movement(Build.fresh.payment()),
          movement(stranger.reference),
          movement(reference, { amount: 1_249 }),
          movement(reference, { currency: "SEK" }),
        ]);
        const { unmatched, ...counts } = yield* statement(scene, content);
        expect(counts).toMatchObject(NOTHING);
        expect(unmatched.map(({ reason }) => reason)).toEqual([
          "unknown_reference",
          "unknown_reference",
          "unknown_reference",
          "other_amount",
          "other_currency",
        ]);
        const elsewhere = yield* statement(scene, single([movement(reference)], "DE89370400440532013000"));
        expect(elsewhere.unmatched).toMatchObject([{ reason: "other_account", amount: 1_250 }]);
        expect((yield* stateOf(scene)).status).toBe("payment_initiated");
        expect((yield* stateOf(stranger)).status).toBe("payment_initiated");
      }),
    ),
  );

  it.effect(
    "that books two payments of one settlement applies them in its order, however long the first takes",
    () => {
      let slow: string | null = null;
      const storage: Given.Host["storage"] = ({ find, ...rest }) => ({
        ...rest,
        find: (customer, kind, ids) =>
          kind === "bankPayment" && ids.includes(slow as never)
            ? Effect.zipRight(Effect.repeatN(Effect.yieldNow(), 1_000), find(customer, kind, ids))
            : find(customer, kind, ids),
      });
      return rule(
        Effect.gen(function* () {
          const scene = yield* initiated;
          yield* (yield* files).handOver(scene.owner, yield* create(scene));
          const { failPayment } = yield* Settlements.Settlements;
          yield* failPayment(scene.owner, scene.settlementId, { reason: "the bank called" });
          const again = yield* initiate(scene);
          yield* create(scene);
          slow = scene.reference;
          const bank = single([movement(scene.reference), movement(again)]);
          expect(yield* statement(scene, bank)).toMatchObject({
            confirmed: 1,
            unmatched: [{ reason: "unexpected" }],
          });
          const { events } = yield* Given.settlement(scene, scene.settlementId);
          const kinds = events.map(({ event }) => event.type);
          expect(kinds.indexOf("payment_anomaly")).toBeLessThan(kinds.indexOf("confirm_payment"));
          expect(kinds).toContain("payment_anomaly");
        }),
        { ...HOST, storage },
      );
    },
  );

  it.effect("with an abandoned payment records an anomaly and lists it, once", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* initiated;
        yield* create(scene);
        yield* (yield* Settlements.Settlements).writeOff(scene.owner, scene.settlementId);
        const bank = single([movement(scene.reference)]);
        expect(yield* statement(scene, bank)).toMatchObject({
          ...NOTHING,
          unmatched: [{ reason: "unexpected" }],
        });
        expect(yield* statement(scene, bank)).toMatchObject({ ...NOTHING, unmatched: [] });
        const { events } = yield* Given.settlement(scene, scene.settlementId);
        expect(events.filter(({ event }) => event.type === "payment_anomaly")).toHaveLength(1);
      }),
    ),
  );

  it.effect("reconciles a payment of a file that a person marked as paid", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* initiated;
        const id = yield* create(scene);
        yield* (yield* files).handOver(scene.owner, id);
        yield* (yield* Settlements.Settlements).markAsPaid(scene.owner, scene.settlementId);
        expect(yield* statement(scene, single([movement(scene.reference)]))).toMatchObject({
          ...NOTHING,
          reconciled: 1,
          unmatched: [],
        });
      }),
    ),
  );

  it.effect("that two callers upload at the same time counts once", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* initiated;
        yield* create(scene);
        const bank = single([movement(scene.reference)]);
        const results = yield* Effect.all(
          Array.from({ length: 8 }, () => statement(scene, bank)),
          { concurrency: "unbounded" },
        );
        expect(results.reduce((sum, { confirmed }) => sum + confirmed, 0)).toBe(1);
        const { events } = yield* Given.settlement(scene, scene.settlementId);
        expect(events.filter(({ event }) => event.type === "confirm_payment")).toHaveLength(1);
      }),
    ),
  );

  it.effect.each([
    ["", "file: must not be empty"],
    ["<!DOCTYPE a><a/>", "file: must have no document type (DTD)"],
    ["%PDF-1.7", "file: is not XML"],
    ["x".repeat(101), "file: must have at most 100 bytes"],
  ] as const)("that is %s is refused and changes nothing", ([content, message]) =>
    rule(
      Effect.gen(function* () {
        const scene = yield* initiated;
        yield* create(scene);
        expect(yield* Given.refusal(statement(scene, content))).toBe(message);
        expect((yield* stateOf(scene)).status).toBe("payment_initiated");
      }),
      { ...HOST, policy: { uploadBytesMax: 100 } },
    ),
  );
});

describe("a status report of the bank", () => {
  const FAILED = { confirmed: 0, returned: 0, reconciled: 0, unmatched: [] };

  it.effect("that rejects a file fails its payments once and discards it", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* initiated;
        const second = yield* another(scene, 4_000);
        const id = yield* create(scene);
        yield* (yield* files).handOver(scene.owner, id);
        const report = statusReport({ fileId: digits(id), group: "RJCT" });
        expect(yield* statement(scene, report)).toMatchObject({ ...FAILED, failed: 2 });
        for (const one of [scene, second]) {
          const { status, events } = yield* Given.settlement(one, one.settlementId);
          expect([status.type, events.at(-1)?.event]).toEqual([
            "awaiting_payment",
            { type: "fail_payment", payment_reference: one.reference, reason: "AC04 Account closed" },
          ]);
        }
        expect(yield* listed(scene)).toMatchObject([{ discardedAt: Given.NOW }]);
        const again = yield* initiate(scene);
        expect(yield* statement(scene, report)).toMatchObject({ ...FAILED, failed: 0 });
        expect((yield* Given.settlement(scene, scene.settlementId)).paymentReference).toBe(again);
      }),
    ),
  );

  it.effect("that rejects one payment of a file fails that one, and keeps the file", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* initiated;
        const second = yield* another(scene, 4_000);
        const id = yield* create(scene);
        const report = statusReport({
          ...{ version: "10", fileId: digits(id), batch: "PART" },
          transactions: [
            { endToEndId: digits(scene.reference), status: "RJCT" },
            { endToEndId: digits(second.reference), status: "ACSC" },
            { endToEndId: digits(Build.fresh.payment()), status: "RJCT" },
          ],
        });
        expect(yield* statement(scene, report)).toMatchObject({
          ...{ ...FAILED, failed: 1 },
          unmatched: [{ reason: "unknown_reference", direction: "rejected", amount: 1_250 }],
        });
        expect((yield* stateOf(scene)).status).toBe("awaiting_payment");
        expect((yield* stateOf(second)).status).toBe("payment_initiated");
        expect(yield* listed(scene)).toMatchObject([{ discardedAt: null }]);
        // The bank books the file without what it has rejected.
        const rest = [movement(second.reference, { amount: 500 })];
        const sum = { fileId: digits(id), hasDetails: false };
        expect(yield* statement(scene, batchBooked(rest, sum))).toMatchObject({
          ...{ confirmed: 1, reconciled: 1, unmatched: [] },
        });
      }),
    ),
  );

  it.effect.each(["AM05", "DUPL", "DU01"])(
    "that rejects a second upload of a file by %s fails nothing",
    (reason) =>
      rule(
        Effect.gen(function* () {
          const scene = yield* initiated;
          const second = yield* another(scene, 4_000);
          const id = yield* create(scene);
          yield* (yield* files).handOver(scene.owner, id);
          const whole = statusReport({ fileId: digits(id), group: "RJCT", reason });
          const batch = statusReport({ fileId: digits(id), batch: "RJCT", reason });
          const payments = statusReport({
            ...{ fileId: digits(id), batch: "PART", reason },
            transactions: [{ endToEndId: digits(scene.reference), status: "RJCT" }],
          });
          for (const report of [whole, batch, payments])
            expect(yield* statement(scene, report)).toMatchObject({
              ...{ ...FAILED, failed: 0 },
              unmatched: [{ reason: "duplicate", direction: "rejected" }],
            });
          for (const one of [scene, second]) expect((yield* stateOf(one)).status).toBe("payment_initiated");
          expect(yield* listed(scene)).toMatchObject([{ discardedAt: null }]);
          const booked = [movement(scene.reference), movement(second.reference, { amount: 500 })];
          expect(yield* statement(scene, single(booked))).toMatchObject({ confirmed: 2, unmatched: [] });
        }),
      ),
  );

  it.effect("that rejects what the bank has booked records an anomaly and lists it, once", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* initiated;
        const id = yield* create(scene);
        yield* statement(scene, single([movement(scene.reference)]));
        const report = statusReport({
          ...{ fileId: digits(id), batch: "PART" },
          transactions: [{ endToEndId: digits(scene.reference), status: "RJCT" }],
        });
        expect(yield* statement(scene, report)).toMatchObject({
          ...{ ...FAILED, failed: 0 },
          unmatched: [{ reason: "unexpected" }],
        });
        expect(yield* statement(scene, report)).toMatchObject({ ...FAILED, failed: 0 });
        const { status, events } = yield* Given.settlement(scene, scene.settlementId);
        expect([status.type, events.filter(({ event }) => event.type === "payment_anomaly").length]).toEqual([
          "paid",
          1,
        ]);
      }),
    ),
  );

  it.effect("about a file that a person has discarded changes nothing", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* initiated;
        const id = yield* create(scene);
        yield* (yield* files).discard(scene.owner, id, { reason: "refused" });
        const { version } = yield* Given.settlement(scene, scene.settlementId);
        const report = statusReport({ fileId: digits(id), group: "RJCT" });
        expect(yield* statement(scene, report)).toMatchObject({ ...FAILED, failed: 0 });
        expect((yield* Given.settlement(scene, scene.settlementId)).version).toBe(version);
      }),
    ),
  );
});

describe("a payment that was collected for a file", () => {
  it.effect("is not sent by another provider that is configured later", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* initiated;
        const sent: Array<PaymentProvider.PaymentOrder> = [];
        const later = PaymentProvider.provider({
          send: (order) => Effect.sync(() => void sent.push(order)),
        });
        const ports = yield* Effect.context<
          Storage.Storage | Directory.Directory | Outbox.Outbox | Documents.DocumentStore
        >();
        const engine = Quittance.layer().pipe(
          Layer.provide([Given.RENDERER, Layer.succeed(PaymentProvider.PaymentProvider, later)]),
          Layer.provide(Layer.succeedContext(ports)),
        );
        yield* Effect.provide(Given.drain, engine);
        expect(sent).toEqual([]);
        expect((yield* stateOf(scene)).status).toBe("payment_initiated");
      }),
    ),
  );
});

describe("a payment that was sent by another provider", () => {
  it.effect("is not collected for a file", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.approved([10_000], { selfBilled: true });
        const reference = yield* initiate(scene);
        const ports = yield* Effect.context<
          Storage.Storage | Directory.Directory | Outbox.Outbox | Documents.DocumentStore
        >();
        const engine = Quittance.layer().pipe(
          Layer.provide([Given.RENDERER, Layer.succeed(PaymentProvider.PaymentProvider, sepa)]),
          Layer.provide(Layer.succeedContext(ports)),
        );
        yield* Effect.provide(Given.drain, engine);
        const storage = yield* Storage.Storage;
        expect(yield* storage.find(scene.customerId, "bankPayment", [reference])).toEqual([]);
        const [message] = yield* (yield* Outbox.Outbox).list(null, 10);
        expect(message?.problem).toContain("was initiated under another payout provider");
      }),
      { send: () => Effect.void },
    ),
  );
});
