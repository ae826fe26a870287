/** Payments: sends orders to the provider, and records what the provider and the bank report. */
import { Effect, LogLevel, Stream } from "effect";
import type { CustomerId, SettlementId } from "../domain/Ids.ts";
import { amountsOf } from "../domain/PaidAmounts.ts";
import { payeeOfApproval } from "../domain/PayoutAccount.ts";
import { missing } from "../domain/Refusal.ts";
import type { Settlement } from "../domain/Settlement.ts";
import type { SettlementCommand } from "../domain/SettlementMachine.ts";
import { Digest } from "../ports/Digest.ts";
import { Directory } from "../ports/Directory.ts";
import {
  confirmation,
  type PaymentEvent,
  PaymentFact,
  type PaymentOrder,
  PaymentProvider,
  type PaymentProviderService,
  PaymentRefused,
  type ReportRejected,
  type SignedReport,
} from "../ports/Payments.ts";
import { type Records, type Settling, Storage } from "../ports/Storage.ts";
import { type Failure, validate } from "./commands/Access.ts";
import { Pipeline, type Replayed } from "./commands/Pipeline.ts";
import { Policies } from "./commands/Policies.ts";
import { logFailure } from "./process/FailureLog.ts";
import { WorkerSettings } from "./process/WorkerSettings.ts";
import { transition } from "./settlements/Transition.ts";

export { type PaymentEvent, PaymentFact } from "../ports/Payments.ts";

/** Why an order is not sent: another provider, which pays one by one or to such accounts, may have carried it out. */
const OTHER_PROVIDER =
  "the payment was initiated under another payout provider; report its outcome under that provider's name";

const orderOf = (settlement: Settlement): PaymentOrder | null => {
  const { paymentReference, payableAmount, approval } = settlement;
  const account = payeeOfApproval(approval);
  return settlement.status.type !== "payment_initiated" || paymentReference === null || account === null
    ? null
    : {
        reference: paymentReference,
        customerId: settlement.customerId,
        settlementId: settlement.id,
        partnerId: settlement.partnerId,
        amount: payableAmount ?? settlement.total,
        currency: settlement.currency,
        account,
      };
};

const make = Effect.gen(function* () {
  const storage: Records & Settling = yield* Storage;
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
        const amounts = amountsOf(fact);
        return {
          type: "confirm_payment",
          paymentReference,
          bankReference,
          amounts,
        } satisfies SettlementCommand;
      }
      if (fact.type === "failed") {
        return { type: "fail_payment", paymentReference, reason: fact.reason } satisfies SettlementCommand;
      }
      const heldByOthers = yield* storage.heldByOtherSettlements(customerId, settlementId);
      return {
        type: "return_payment",
        paymentReference,
        reason: fact.reason,
        heldByOthers,
      } satisfies SettlementCommand;
    });

  const recordPaymentEvent = ({
    provider: name,
    eventId,
    fact,
  }: PaymentEvent): Effect.Effect<Replayed, Failure> =>
    Effect.gen(function* () {
      const checked = yield* validate(PaymentFact)(fact);
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
            return yield* transition(execution, settlement, { command, policy });
          }),
      );
    });

  /** Records what the engine has read from the provider itself; a confirmation without its malformed details. */
  const recordReadEvent = (event: PaymentEvent): Effect.Effect<Replayed, Failure> => {
    const { fact } = event;
    return fact.type === "confirmed"
      ? Effect.flatMap(confirmation(fact.paymentReference, fact), (confirmed) =>
          recordPaymentEvent({ ...event, fact: confirmed }),
        )
      : recordPaymentEvent(event);
  };

  /** Runs a call of the provider for a limited time. A provider that does not return in time has not refused. */
  const inTime = <Result>(
    call: Effect.Effect<Result, PaymentRefused>,
  ): Effect.Effect<Result, PaymentRefused> =>
    call.pipe(
      Effect.disconnect,
      Effect.timeoutFail({
        duration: sendTimeoutMilliseconds,
        onTimeout: () =>
          new PaymentRefused({ final: false, reason: `no response within ${sendTimeoutMilliseconds} ms` }),
      }),
    );

  /** Sends an order; a final refusal ends the attempt. */
  const hand = (
    { send }: PaymentProviderService,
    order: PaymentOrder,
  ): Effect.Effect<void, Failure | PaymentRefused> =>
    Effect.catchIf(
      inTime(send(order)),
      ({ final }) => final,
      ({ reason }) =>
        recordPaymentEvent({
          provider: "engine",
          eventId: `${order.reference}/refused`,
          fact: { type: "failed", paymentReference: order.reference, reason },
        }),
    );

  const send = (
    customerId: CustomerId,
    settlementId: SettlementId,
    reference: string | null,
    isRepeated: boolean,
  ): Effect.Effect<void, Failure | PaymentRefused> =>
    Effect.gen(function* () {
      const [settlement] = yield* storage.find(customerId, "settlement", [settlementId]);
      const order = settlement === undefined ? null : orderOf(settlement);
      if (order === null || order.reference !== reference || provider === null) return;
      // Collected when the payment was initiated: it is paid by a file, also if another provider is configured now.
      const [collected] = yield* storage.find(customerId, "bankPayment", [order.reference]);
      if (collected !== undefined) return;
      if (provider.files !== null || !provider.takes.some(({ type }) => type === order.account.type))
        return yield* new PaymentRefused({ final: false, reason: OTHER_PROVIDER });
      const status = isRepeated
        ? yield* inTime(provider.status(order.reference))
        : { type: "unknown" as const };
      if (status.type === "unknown") return yield* hand(provider, order);
      if (status.type === "ended") {
        const eventId = `${order.reference}/${status.fact.type}`;
        yield* recordReadEvent({ provider: "engine", eventId, fact: status.fact });
      }
    });

  const verifyReport = provider?.verifyReport ?? null;

  const receiveReport = (report: SignedReport): Effect.Effect<Replayed, Failure | ReportRejected> =>
    verifyReport === null
      ? Effect.fail(missing("payment provider"))
      : Effect.flatMap(verifyReport(report), recordPaymentEvent);

  /** Records the events that the provider brings; one that cannot be recorded is logged, and the rest continue. */
  const followProvider: Effect.Effect<void> =
    provider === null
      ? Effect.void
      : Stream.runForEach(provider.events, (event) =>
          recordReadEvent(event).pipe(
            Effect.tapErrorCause((cause) =>
              logFailure(LogLevel.Error, "a payment event was not recorded", cause),
            ),
            Effect.ignore,
          ),
        );

  return {
    /**
     * Records a payment event. A fact that does not fit the settlement's state is recorded as an anomaly and changes
     * nothing else; the same event again returns the first result. Missing when no payment has the reference.
     */
    recordPaymentEvent,
    /**
     * Sends the order of a settlement to the provider while that attempt is in flight; a final refusal ends it. A
     * provider that does not return within the time limit has not refused. Before a repeated send, the provider's
     * status of the order is read.
     */
    send,
    /** The name under which the provider sends signed reports; null when it sends none. */
    reportingProvider: verifyReport === null ? null : (provider?.name ?? null),
    /** Records the event of a report that the provider has signed. */
    receiveReport,
    /** Records what the provider brings by itself; the worker runs it. */
    followProvider,
  };
});

export class Payments extends Effect.Service<Payments>()("quittance/services/Payments", { effect: make }) {}
