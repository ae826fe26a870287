/** Payments: sends orders to the provider, and records what the provider and the bank report. */
import { Effect, Schema } from "effect";
import type { CustomerId, SettlementId } from "../domain/Ids.ts";
import { PaymentReference } from "../domain/Ids.ts";
import { BANK_REFERENCE_MAX, REASON_MAX } from "../domain/Limits.ts";
import { missing } from "../domain/Refusal.ts";
import type { Settlement } from "../domain/Settlement.ts";
import type { SettlementCommand } from "../domain/SettlementMachine.ts";
import { Text } from "../domain/Text.ts";
import { Digest } from "../ports/Digest.ts";
import { Directory } from "../ports/Directory.ts";
import { type PaymentOrder, PaymentProvider, PaymentRefused } from "../ports/Payments.ts";
import { Storage } from "../ports/Storage.ts";
import { type Failure, validated } from "./commands/Access.ts";
import { Pipeline, type Replayed } from "./commands/Pipeline.ts";
import { Policies } from "./commands/Policies.ts";
import { transition } from "./settlements/Transition.ts";
import { WorkerSettings } from "./worker/WorkerSettings.ts";

/** What a provider reports about a payment reference. */
export const PaymentFact = Schema.Union(
  Schema.Struct({
    type: Schema.Literal("confirmed"),
    paymentReference: PaymentReference,
    /** What the bank calls the payment. */
    bankReference: Schema.optionalWith(Text(1, BANK_REFERENCE_MAX), { exact: true }),
  }),
  Schema.Struct({
    type: Schema.Literal("failed", "returned"),
    paymentReference: PaymentReference,
    reason: Text(1, REASON_MAX),
  }),
);
export type PaymentFact = typeof PaymentFact.Type;

/** A payment fact, who reports it and under which id: an event that is delivered twice counts once. */
export interface PaymentEvent {
  /** The provider's name. */
  readonly provider: string;
  /** The provider's own id of the event, 1 to 255 visible ASCII characters. */
  readonly eventId: string;
  readonly fact: PaymentFact;
}

const orderOf = (settlement: Settlement): PaymentOrder | null => {
  const { paymentReference, payableAmount, approval } = settlement;
  const bankAccount = approval?.selfBillingData?.bankAccount;
  return settlement.status.type !== "payment_initiated" ||
    paymentReference === null ||
    bankAccount === undefined
    ? null
    : {
        reference: paymentReference,
        customerId: settlement.customerId,
        settlementId: settlement.id,
        partnerId: settlement.partnerId,
        amount: payableAmount ?? settlement.total,
        currency: settlement.currency,
        bankAccount,
      };
};

const make = Effect.gen(function* () {
  const storage = yield* Storage;
  const directory = yield* Directory;
  const digest = yield* Digest;
  const pipeline = yield* Pipeline;
  const policy = yield* Policies;
  const provider = yield* PaymentProvider;
  const { sendTimeoutMilliseconds } = yield* WorkerSettings;

  const commandOf = (customerId: CustomerId, settlementId: SettlementId, fact: PaymentFact) =>
    Effect.gen(function* () {
      const { paymentReference } = fact;
      if (fact.type === "confirmed") {
        const { bankReference = null } = fact;
        return { type: "confirm_payment", paymentReference, bankReference } satisfies SettlementCommand;
      }
      if (fact.type === "failed") {
        return { type: "fail_payment", paymentReference, reason: fact.reason } satisfies SettlementCommand;
      }
      const elsewhere = yield* storage.heldByOtherSettlements(customerId, settlementId);
      return {
        type: "return_payment",
        paymentReference,
        reason: fact.reason,
        elsewhere,
      } satisfies SettlementCommand;
    });

  const recordPaymentEvent = ({
    provider: name,
    eventId,
    fact,
  }: PaymentEvent): Effect.Effect<Replayed, Failure> =>
    Effect.gen(function* () {
      const checked = yield* validated(PaymentFact)(fact);
      const known = yield* directory.paymentReference(checked.paymentReference);
      if (known === null) return yield* missing("payment reference");
      const { customerId, settlementId } = known;
      const idempotency = { key: eventId, requestSha256: yield* digest.sha256Hex(JSON.stringify(checked)) };
      return yield* pipeline.run(
        customerId,
        { principalId: `provider:${name}` },
        { idempotency },
        (execution) =>
          Effect.gen(function* () {
            const [settlement] = yield* storage.find(customerId, "settlement", [settlementId]);
            if (settlement === undefined) return yield* missing("payment reference");
            const command = yield* commandOf(customerId, settlementId, checked);
            return yield* transition(execution, settlement, command, policy);
          }),
      );
    });

  const send = (
    customerId: CustomerId,
    settlementId: SettlementId,
    reference: string | null,
  ): Effect.Effect<void, Failure | PaymentRefused> =>
    Effect.gen(function* () {
      const [settlement] = yield* storage.find(customerId, "settlement", [settlementId]);
      const order = settlement === undefined ? null : orderOf(settlement);
      if (order === null || order.reference !== reference || provider === null) return;
      yield* provider.send(order).pipe(
        Effect.disconnect,
        Effect.timeoutFail({
          duration: sendTimeoutMilliseconds,
          onTimeout: () =>
            new PaymentRefused({ final: false, reason: `no answer within ${sendTimeoutMilliseconds} ms` }),
        }),
        Effect.catchIf(
          ({ final }) => final,
          ({ reason }) =>
            recordPaymentEvent({
              provider: "engine",
              eventId: `${order.reference}/refused`,
              fact: { type: "failed", paymentReference: order.reference, reason },
            }),
        ),
      );
    });

  return {
    /**
     * Records a payment event. A fact that does not fit the settlement's state is recorded as an anomaly and changes
     * nothing else; the same event again returns the first result. Missing when no payment has the reference.
     */
    recordPaymentEvent,
    /**
     * Sends the order of a settlement to the provider while that attempt is in flight; a final refusal ends it. A
     * provider that does not return within the time limit has not refused.
     */
    send,
  };
});

export class Payments extends Effect.Service<Payments>()("quittance/services/Payments", { effect: make }) {}
