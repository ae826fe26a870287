/** What the return file of a bank does to payments of ACH files. */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import {
  BankStatements,
  BillingProfiles,
  Currency,
  PaymentFile,
  PaymentFiles,
  PayoutAccounts,
  Settlements,
} from "quittance";
import { files } from "quittance/payouts";
import { type AchEntry, readAch } from "../payouts/AchReader.ts";
import { type Answer, returnFile, type Style } from "../payouts/AchReturns.ts";
import * as Given from "./Given.ts";

const USD = Currency.Currency.make("USD");
const NOTHING = { confirmed: 0, returned: 0, reconciled: 0, failed: 0 };

const rule = <A, E>(effect: Parameters<typeof Given.rule<A, E>>[0]): Effect.Effect<A, E> => {
  const provider = files({ formats: ["nacha"], nacha: { companyId: "1234567890", bank: "021000021" } });
  return Given.rule(effect, { send: provider.send, provider });
};

/** A partner of a scene's customer whose payment of 10 % of a sale was initiated. */
const initiated = (value: number, of: Given.Scene | null = null) =>
  Effect.gen(function* () {
    const scene = yield* Given.scene({
      selfBilled: true,
      ...(of === null ? {} : { customerId: of.customerId }),
    });
    yield* Given.formula(scene, { currency: USD });
    yield* Given.sell(scene, value);
    const { propose } = yield* PayoutAccounts.PayoutAccounts;
    yield* propose(scene.owner, scene.partnerId, {
      ...{ type: "us_ach", currency: USD },
      details: {
        ...{ routing_number: "011000015", account_number: "12345678", account_type: "checking" },
        holder: "Nordlys LLC",
      },
    });
    const given = { ...scene, settlementId: yield* Given.draft(scene) };
    yield* Given.approveAndDrain(given);
    yield* (yield* Settlements.Settlements).initiatePayment(given.owner, given.settlementId);
    return given;
  });

/** Payments of a file that was handed over, with what the bank got. */
const handedOver = (values: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    const first = yield* initiated(values[0] ?? 0);
    const rest = yield* Effect.forEach(values.slice(1), (value) => initiated(value, first));
    yield* (yield* BillingProfiles.BillingProfiles).write(first.owner, {
      ...{ legalName: "Harbour Market", address: Given.SELF_BILLING.address, vatNumber: "DE123456789" },
    });
    const service = yield* PaymentFiles.PaymentFiles;
    const { id } = yield* service.create(first.owner, { executionDate: "2026-01-05" });
    yield* service.handOver(first.owner, id);
    const sent = new TextDecoder().decode((yield* service.read(first.owner, id)).bytes);
    const entries = readAch(sent).batches.flatMap((batch) => batch.entries);
    const scenes = yield* Effect.forEach([first, ...rest], (scene) =>
      Effect.map(Given.settlement(scene, scene.settlementId), ({ paymentReference }) => {
        const end = PaymentFile.endOf(paymentReference ?? "");
        const entry = entries.find((candidate) => candidate.id === end);
        if (entry === undefined) throw new Error("the file has every payment");
        return { ...scene, entry };
      }),
    );
    return { first, sent, scenes };
  });

type Made = Effect.Effect.Success<ReturnType<typeof handedOver>>;

const upload = ({ first, sent }: Made, answers: ReadonlyArray<Answer>, style: Style = {}) =>
  Effect.flatMap(BankStatements.BankStatements, ({ upload }) =>
    upload(first.owner, {
      fileName: "returns.ach",
      bytes: new TextEncoder().encode(returnFile(sent, answers, style)),
    }),
  );

const statuses = ({ scenes }: Made) =>
  Effect.forEach(scenes, (scene) =>
    Effect.map(Given.settlement(scene, scene.settlementId), ({ status }) => status.type),
  );

describe("a return file", () => {
  it.effect("returns the payments that it names, with the reason, and nothing when it is read again", () =>
    rule(
      Effect.gen(function* () {
        const made = yield* handedOver([10_000, 20_000, 30_000, 40_000, 50_000]);
        const [a, , c] = made.scenes;
        const answers = [a, c].flatMap((one) =>
          one === undefined ? [] : [{ entry: one.entry, code: "R02" }],
        );
        expect(yield* upload(made, answers)).toMatchObject({
          ...{ confirmed: 2, returned: 2, reconciled: 0, failed: 0, unmatched: [] },
        });
        const after = [
          ...["awaiting_payment", "payment_initiated", "awaiting_payment"],
          ...["payment_initiated", "payment_initiated"],
        ];
        expect(yield* statuses(made)).toEqual(after);
        if (a === undefined) throw new Error("there is a first one");
        const { events } = yield* Given.settlement(a, a.settlementId);
        expect(events.at(-1)?.event).toMatchObject({
          ...{ type: "return_payment", reason: "R02 the account is closed" },
        });
        expect(yield* upload(made, answers)).toMatchObject({ ...NOTHING, unmatched: [] });
        expect(yield* statuses(made)).toEqual(after);
      }),
    ),
  );

  it.effect("shows a notification of change and a dispute about a return, and changes nothing by them", () =>
    rule(
      Effect.gen(function* () {
        const made = yield* handedOver([10_000, 20_000]);
        const [a, b] = made.scenes;
        if (a === undefined || b === undefined) throw new Error("there are two");
        const result = yield* upload(made, [
          { entry: a.entry, code: "R73" },
          { entry: b.entry, code: "C01", added: "9876543210" },
        ]);
        const { paymentReference } = yield* Given.settlement(b, b.settlementId);
        expect(result).toMatchObject({
          ...NOTHING,
          unmatched: [
            { reason: "notice", amount: 1_250, explanation: "R73 the return was in time" },
            {
              ...{ reason: "notice", direction: "credit", amount: 0, currency: "USD" },
              endToEndId: PaymentFile.digitsOf(paymentReference ?? ""),
              explanation: "C01 the account number is wrong: …10",
            },
          ],
        });
        expect(yield* statuses(made)).toEqual(["payment_initiated", "payment_initiated"]);
      }),
    ),
  );

  it.effect("finds payments of files that the bank carried out up to 10 days late, and no others", () =>
    rule(
      Effect.gen(function* () {
        const made = yield* handedOver([10_000]);
        const answers = made.scenes.map(({ entry }) => ({ entry, code: "R03" }));
        for (const effectiveDate of ["260104", "260116"])
          expect(yield* upload(made, answers, { effectiveDate })).toMatchObject({
            ...NOTHING,
            unmatched: [{ reason: "unknown_reference", endToEndId: made.scenes[0]?.entry.id }],
          });
        expect(yield* upload(made, answers, { effectiveDate: "260115" })).toMatchObject({ returned: 1 });
      }),
    ),
  );

  it.effect(
    "that names a payment marked as paid by hand is unexpected, and a person records the return",
    () =>
      rule(
        Effect.gen(function* () {
          const made = yield* handedOver([10_000]);
          const service = yield* Settlements.Settlements;
          const [scene] = made.scenes;
          if (scene === undefined) throw new Error("there is one");
          yield* service.markAsPaid(scene.owner, scene.settlementId);
          const answers = [{ entry: scene.entry, code: "R02" }];
          expect(yield* upload(made, answers)).toMatchObject({
            ...NOTHING,
            unmatched: [{ reason: "unexpected", explanation: "R02 the account is closed" }],
          });
          expect(yield* statuses(made)).toEqual(["paid"]);
          yield* service.returnPayment(scene.owner, scene.settlementId, { reason: "R02" });
          expect(yield* statuses(made)).toEqual(["awaiting_payment"]);
          yield* service.initiatePayment(scene.owner, scene.settlementId);
          expect(yield* statuses(made)).toEqual(["payment_initiated"]);
          // Who paid outside has nothing that a bank can return.
          yield* service.markAsPaid(scene.owner, scene.settlementId);
          yield* service.returnPayment(scene.owner, scene.settlementId, { reason: "R02" });
          yield* service.markAsPaid(scene.owner, scene.settlementId);
          expect(
            yield* Given.refusal(service.returnPayment(scene.owner, scene.settlementId, { reason: "R02" })),
          ).toBe("settlement_state: a settlement in paid cannot return its payment");
        }),
      ),
  );

  it.effect(
    "without an effective day finds payments of the last 70 days, and explains what is not ours",
    () =>
      rule(
        Effect.gen(function* () {
          const made = yield* handedOver([10_000, 20_000]);
          const [a, b] = made.scenes;
          if (a === undefined || b === undefined) throw new Error("there are two");
          const foreign = { ...b.entry, id: "0123456789abcde" };
          const answers = [
            { entry: a.entry, code: "R03" },
            { entry: foreign, code: "R04" },
            { entry: { ...b.entry, id: "INVOICE-17".padEnd(15) }, code: "C01", added: "123" },
          ];
          expect(yield* upload(made, answers, { effectiveDate: "      ", created: "260317" })).toMatchObject({
            returned: 0,
            unmatched: [
              { reason: "unknown_reference" },
              { reason: "unknown_reference" },
              { reason: "notice" },
            ],
          });
          expect(yield* upload(made, answers, { effectiveDate: "      ", created: "260316" })).toMatchObject({
            ...{ confirmed: 1, returned: 1 },
            unmatched: [
              { reason: "unknown_reference", explanation: "R04 the account number has a wrong form" },
              {
                reason: "notice",
                endToEndId: "INVOICE-17",
                explanation: "C01 the account number is wrong: …",
              },
            ],
          });
        }),
      ),
  );

  it.effect("leaves over what is another amount, or no payment of ours", () =>
    rule(
      Effect.gen(function* () {
        const made = yield* handedOver([10_000]);
        const answers = made.scenes.map(({ entry }) => ({ entry, code: "R03" }));
        expect(yield* upload(made, answers, { amount: 1_249 })).toMatchObject({
          ...NOTHING,
          unmatched: [
            {
              ...{ reason: "other_amount", amount: 1_249 },
              explanation: "R03 there is no such account, or it is not of this holder",
            },
          ],
        });
        const foreign = answers.map(({ entry, code }) => {
          const other: AchEntry = { ...entry, id: "0123456789abcde" };
          return { entry: other, code };
        });
        expect(yield* upload(made, foreign)).toMatchObject({
          ...NOTHING,
          unmatched: [{ reason: "unknown_reference", endToEndId: "0123456789abcde" }],
        });
        expect(yield* statuses(made)).toEqual(["payment_initiated"]);
      }),
    ),
  );
});
