/** The engine's requests to a payment provider, and the effects of the provider's reports on a settlement. */
import { describe, expect, it } from "@effect/vitest";
import { Effect, Logger, LogLevel, Queue, Stream } from "effect";
import { Ids, Partners, PaymentProvider, Payments, Settlements } from "quittance";
import { sepa } from "quittance/payouts";
import { Build } from "quittance/testing";
import { CREDITOR } from "../payouts/Payers.ts";
import * as Given from "./Given.ts";

const { rule } = Given;

/** A provider that accepts every order, and the orders that it received. */
const bank = (send: PaymentProvider.PaymentProviderService["send"] = () => Effect.void) => {
  const orders: Array<PaymentProvider.PaymentOrder> = [];
  const host: Given.Host = {
    send: (order) =>
      Effect.zipRight(
        Effect.sync(() => orders.push(order)),
        send(order),
      ),
  };
  return { orders, host };
};

/** A settlement of 1,250 with tax whose payment was initiated, and the reference of that payment. */
const initiated = Effect.gen(function* () {
  const scene = yield* Given.approved([10_000], { selfBilled: true });
  yield* (yield* Settlements.Settlements).initiatePayment(scene.owner, scene.settlementId);
  const { paymentReference } = yield* Given.settlement(scene, scene.settlementId);
  if (paymentReference === null) throw new Error("no payment reference");
  return { ...scene, paymentReference };
});

const record = (eventId: string, fact: Payments.PaymentFact) =>
  Effect.flatMap(Payments.Payments, (payments) =>
    payments.recordPaymentEvent({ provider: "bank", eventId, fact }),
  );

const anomalies = (scene: Effect.Effect.Success<typeof initiated>) =>
  Effect.map(
    Given.settlement(scene, scene.settlementId),
    ({ events }) => events.filter(({ event }) => event.type === "payment_anomaly").length,
  );

describe("initiating a payment", () => {
  it.effect("lets a worker send one order of total and tax to the account of the approval", () => {
    const { orders, host } = bank();
    return rule(
      Effect.gen(function* () {
        const scene = yield* initiated;
        yield* Given.drain;
        expect(orders).toMatchObject([
          {
            reference: scene.paymentReference,
            amount: 1_250,
            currency: "EUR",
            account: { type: "iban", details: { iban: "DK5000400440116243" } },
          },
        ]);
      }),
      host,
    );
  });

  it.effect("is refused for a partner that writes its own invoices: it has no bank account", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.approved([10_000]);
        yield* Given.upload(scene, "invoice");
        const { initiatePayment } = yield* Settlements.Settlements;
        expect(yield* Given.refusal(initiatePayment(scene.owner, scene.settlementId))).toMatch(
          /^payout_unavailable: /,
        );
      }),
      bank().host,
    ),
  );
});

describe("initiating a payment to an invalid account", () => {
  const initiating = (bankAccount: { readonly iban: string; readonly bic: string }) =>
    Effect.gen(function* () {
      const scene = yield* Given.drafted([10_000], { selfBilled: true });
      yield* (yield* Partners.Partners).update(scene.owner, scene.partnerId, {
        selfBillingData: {
          ...Given.SELF_BILLING,
          bankAccount: { ...Given.SELF_BILLING.bankAccount, ...bankAccount },
        },
      });
      yield* Given.approve(scene);
      yield* Given.drain;
      const { initiatePayment } = yield* Settlements.Settlements;
      return yield* Given.refusal(initiatePayment(scene.owner, scene.settlementId));
    });

  it.effect.each([
    ["DK5000400440116244", "NDEADKKK", "the IBAN is not valid: its form or its check digits are wrong"],
    ["DK5000400440116243", "NDEADK", "the BIC does not have the form of a BIC"],
    ["DK5000400440116243", "NDEASESS", "the BIC belongs to SE, the IBAN to DK"],
  ] as const)("of %s at %s is refused with: %s", ([iban, bic, problem]) =>
    rule(
      Effect.map(initiating({ iban, bic }), (message) =>
        expect(message).toBe(`payout_unavailable: ${problem}`),
      ),
      bank().host,
    ),
  );

  const ABROAD = { ...CREDITOR, iban: "TR330006100519786457841326", bic: "TCZBTR2A" };
  const UNREACHED =
    "SEPA does not reach accounts in TR: pay outside Quittance and mark the settlement as paid";

  it.effect("that SEPA does not reach is refused, and the partner shows why", () =>
    rule(
      Effect.gen(function* () {
        expect(yield* initiating(ABROAD)).toBe(`payout_unavailable: ${UNREACHED}`);
        const scene = yield* Given.scene({ selfBilled: true });
        const { list, update } = yield* Partners.Partners;
        const problems = Effect.map(list(scene.owner), ({ items }) =>
          items.map(({ payoutProblem }) => payoutProblem),
        );
        expect(yield* problems).toEqual([null]);
        yield* update(scene.owner, scene.partnerId, {
          selfBillingData: { ...Given.SELF_BILLING, bankAccount: ABROAD },
        });
        expect(yield* problems).toEqual([UNREACHED]);
      }),
      { send: sepa.send, provider: sepa },
    ),
  );

  it.effect("that the provider cannot pay is refused with the reason", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.approved([10_000], { selfBilled: true });
        const { initiatePayment } = yield* Settlements.Settlements;
        expect(yield* Given.refusal(initiatePayment(scene.owner, scene.settlementId))).toBe(
          "payout_unavailable: 1250 EUR to DK5000400440116243 is not for us",
        );
      }),
      {
        ...bank().host,
        provider: {
          problem: ({ amount, currency, account }) =>
            `${amount} ${currency} to ${account.details.iban} is not for us`,
        },
      },
    ),
  );
});

describe("sending an order again", () => {
  /** Sends an order twice to a provider that does not respond the first time and then returns the given status. */
  const sentTwice = (statusOf: (reference: Ids.PaymentReference) => PaymentProvider.PaymentStatus) => {
    const { orders, host } = bank(() =>
      Effect.suspend(() =>
        orders.length === 1
          ? Effect.fail(new PaymentProvider.PaymentRefused({ final: false, reason: "no answer" }))
          : Effect.void,
      ),
    );
    return rule(
      Effect.gen(function* () {
        const scene = yield* initiated;
        yield* Given.drain;
        yield* Given.wait(10_000);
        yield* Given.drain;
        return { times: orders.length, status: (yield* Given.statusOf(scene)).type };
      }),
      { ...host, provider: { status: (reference) => Effect.succeed(statusOf(reference)) } },
    );
  };

  it.effect("happens if the provider has no record of it", () =>
    Effect.map(
      sentTwice(() => ({ type: "unknown" })),
      (sent) => expect(sent).toEqual({ times: 2, status: "payment_initiated" }),
    ),
  );

  it.effect("does not happen while the provider processes it", () =>
    Effect.map(
      sentTwice(() => ({ type: "pending" })),
      (sent) => expect(sent).toEqual({ times: 1, status: "payment_initiated" }),
    ),
  );

  it.effect("does not happen after its end, which is recorded", () =>
    Effect.map(
      sentTwice((paymentReference) => ({ type: "ended", fact: { type: "confirmed", paymentReference } })),
      (sent) => expect(sent).toEqual({ times: 1, status: "paid" }),
    ),
  );
});

/** A confirmation whose fee no schema accepts, as a provider without types states it. */
const malformed = (paymentReference: Ids.PaymentReference): PaymentProvider.PaymentFact => ({
  type: "confirmed",
  paymentReference,
  bankReference: "AB1",
  fee: { amount: -5, currency: "EUR" as never },
});

/** What the log says of a payment that ended with {@link malformed}. */
const confirmedWithout = (scene: Effect.Effect.Success<typeof initiated>) =>
  Effect.map(Given.settlement(scene, scene.settlementId), ({ status, events }) => ({
    status: status.type,
    stated: events.flatMap(({ event }) =>
      event.type === "confirm_payment" ? [{ bankReference: event.bank_reference, fee: event.fee }] : [],
    ),
  }));

const KEPT = { status: "paid", stated: [{ bankReference: "AB1", fee: undefined }] };

/** Runs an effect, and returns its warnings. */
const warningsOf = <A, E, R>(effect: Effect.Effect<A, E, R>) => {
  const warnings: Array<string> = [];
  const logger = Logger.make(({ logLevel, message }) => {
    if (logLevel === LogLevel.Warning) warnings.push(String(message));
  });
  return Effect.map(Effect.provide(effect, Logger.replace(Logger.defaultLogger, logger)), () => warnings);
};

describe("a malformed detail of a confirmed payment", () => {
  const warning = "a confirmed payment has a malformed fee: it is left out";

  it.effect("is left out, with a warning, where the engine reads the status of an order", () => {
    const { host } = bank(() =>
      Effect.fail(new PaymentProvider.PaymentRefused({ final: false, reason: "down" })),
    );
    return rule(
      Effect.gen(function* () {
        const scene = yield* initiated;
        const { send } = yield* Payments.Payments;
        const warnings = yield* warningsOf(
          send(scene.customerId, scene.settlementId, scene.paymentReference, true),
        );
        expect(yield* confirmedWithout(scene)).toEqual(KEPT);
        expect(warnings).toEqual([warning]);
      }),
      {
        ...host,
        provider: { status: (reference) => Effect.succeed({ type: "ended", fact: malformed(reference) }) },
      },
    );
  });

  it.effect("is left out where the provider brings the event itself", () =>
    Effect.gen(function* () {
      const events = yield* Queue.unbounded<PaymentProvider.PaymentEvent>();
      yield* rule(
        Effect.gen(function* () {
          const scene = yield* initiated;
          const fact = malformed(scene.paymentReference);
          yield* events.offer({ provider: "own", eventId: "1", fact });
          const warnings = yield* warningsOf((yield* Payments.Payments).followProvider);
          expect(yield* confirmedWithout(scene)).toEqual(KEPT);
          expect(warnings).toEqual([warning]);
        }),
        { ...bank().host, provider: { events: Stream.fromIterableEffect(events.takeAll) } },
      );
    }),
  );

  it.effect("refuses a report, which can be sent again: nothing changes, and its id stays free", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* initiated;
        const refused = yield* Effect.flip(record("1", malformed(scene.paymentReference)));
        expect(refused).toMatchObject({ _tag: "Invalid", field: "fee.amount" });
        expect((yield* Given.statusOf(scene)).type).toBe("payment_initiated");
        yield* record("1", { type: "confirmed", paymentReference: scene.paymentReference });
        expect((yield* Given.statusOf(scene)).type).toBe("paid");
      }),
      bank().host,
    ),
  );
});

describe("an event from the provider", () => {
  it.effect("is recorded while a worker runs, and ignored if it is about an unknown payment", () =>
    Effect.gen(function* () {
      const events = yield* Queue.unbounded<PaymentProvider.PaymentEvent>();
      yield* rule(
        Effect.gen(function* () {
          const scene = yield* initiated;
          const { paymentReference } = scene;
          const stranger = Ids.PaymentReference.make(Build.freshUuid());
          for (const reference of [stranger, paymentReference])
            yield* events.offer({
              provider: "own",
              eventId: reference,
              fact: { type: "confirmed", paymentReference: reference },
            });
          yield* (yield* Payments.Payments).followProvider;
          expect((yield* Given.statusOf(scene)).type).toBe("paid");
        }),
        { ...bank().host, provider: { events: Stream.fromIterableEffect(events.takeAll) } },
      );
    }),
  );
});

describe("a final refusal by the provider", () => {
  it.effect("ends the attempt: the settlement awaits payment again, under a new reference", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* initiated;
        yield* Given.drain;
        expect((yield* Given.statusOf(scene)).type).toBe("awaiting_payment");
        yield* (yield* Settlements.Settlements).initiatePayment(scene.owner, scene.settlementId);
        const { paymentReference } = yield* Given.settlement(scene, scene.settlementId);
        expect(paymentReference).not.toBe(scene.paymentReference);
      }),
      bank(() => Effect.fail(new PaymentProvider.PaymentRefused({ final: true, reason: "closed account" })))
        .host,
    ),
  );
});

describe("a payment event", () => {
  it.effect("that confirms the payment ends the settlement as paid", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* initiated;
        yield* record("1", { type: "confirmed", paymentReference: scene.paymentReference });
        expect(yield* Given.statusOf(scene)).toEqual({ type: "paid", method: "webhook" });
      }),
      bank().host,
    ),
  );

  it.effect("that is delivered twice counts once", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* initiated;
        const fact = { type: "confirmed", paymentReference: scene.paymentReference } as const;
        const first = yield* record("1", fact);
        const second = yield* record("1", fact);
        expect([first.replayed, second.replayed, yield* anomalies(scene)]).toEqual([false, true, 0]);
      }),
      bank().host,
    ),
  );

  it.effect("that fails the payment returns the settlement to awaiting_payment", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* initiated;
        yield* record("1", { type: "failed", paymentReference: scene.paymentReference, reason: "no funds" });
        expect((yield* Given.statusOf(scene)).type).toBe("awaiting_payment");
      }),
      bank().host,
    ),
  );

  it.effect("that returns a confirmed payment reopens the settlement, and reserves its commissions", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* initiated;
        const { paymentReference } = scene;
        yield* record("1", { type: "confirmed", paymentReference });
        yield* record("2", { type: "returned", paymentReference, reason: "closed account" });
        expect((yield* Given.statusOf(scene)).type).toBe("awaiting_payment");
        expect((yield* Given.commissions(scene))[0]).toMatchObject({
          paidAmount: 0,
          openSettlementId: scene.settlementId,
        });
      }),
      bank().host,
    ),
  );

  it.effect("that does not match the settlement's state is recorded and changes nothing else", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* initiated;
        const { paymentReference } = scene;
        yield* record("1", { type: "failed", paymentReference, reason: "no funds" });
        yield* record("2", { type: "confirmed", paymentReference });
        expect([(yield* Given.statusOf(scene)).type, yield* anomalies(scene)]).toEqual([
          "awaiting_payment",
          1,
        ]);
      }),
      bank().host,
    ),
  );

  it.effect("with an unknown reference is refused as not found", () =>
    rule(
      Effect.gen(function* () {
        const paymentReference = Ids.PaymentReference.make(Build.freshUuid());
        expect(yield* Given.refusal(record("1", { type: "confirmed", paymentReference }))).toBe(
          "payment reference not found",
        );
      }),
    ),
  );
});

describe("returning a payment by hand", () => {
  it.effect("reopens a settlement that a provider has paid", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* initiated;
        yield* record("1", { type: "confirmed", paymentReference: scene.paymentReference });
        const { returnPayment } = yield* Settlements.Settlements;
        yield* returnPayment(scene.owner, scene.settlementId, { reason: "closed account" });
        expect((yield* Given.statusOf(scene)).type).toBe("awaiting_payment");
      }),
      bank().host,
    ),
  );

  it.effect("is refused while another open settlement holds one of its commissions", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* initiated;
        yield* record("1", { type: "confirmed", paymentReference: scene.paymentReference });
        yield* Given.draft(scene);
        const { returnPayment } = yield* Settlements.Settlements;
        expect(
          yield* Given.refusal(returnPayment(scene.owner, scene.settlementId, { reason: "closed account" })),
        ).toMatch(/^settlement_state: /);
      }),
      bank().host,
    ),
  );

  it.effect("is refused for a settlement that was marked as paid outside", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.approved([10_000]);
        yield* Given.payByHand(scene);
        const { returnPayment } = yield* Settlements.Settlements;
        expect(
          yield* Given.refusal(returnPayment(scene.owner, scene.settlementId, { reason: "closed account" })),
        ).toMatch(/^settlement_state: /);
      }),
    ),
  );
});
