/** A simulated bank, for trials: it pays no money, and each of its texts begins with "simulated". */
import { Effect, Queue, Stream } from "effect";
import { Currency, PaymentProvider, PayoutDetails } from "quittance";

/** The outcomes of a simulated order. */
export const OUTCOMES = {
  /** Accepted, and confirmed soon after. */
  confirmed: "is confirmed",
  /** Confirmed with a fee, and with what arrived in another currency. */
  charged: "is confirmed with its fee and what arrived",
  /** Refused for good when it is sent. */
  refused: "is refused when it is sent",
  /** Accepted, and failed soon after. */
  failed: "fails after it was accepted",
  /** Confirmed, and then sent back by the payee's bank. */
  returned: "is confirmed and then returned",
  /** The first response is lost although the order was carried out. */
  timeout: "is carried out, but its first response is lost",
  /** Every report arrives three times. */
  duplicated: "is confirmed three times",
  /** The return is reported before the confirmation. */
  reordered: "is returned, and the return is reported before the confirmation",
  /** Accepted, and never reported. */
  silent: "is accepted and never reported",
} as const;
export type Outcome = keyof typeof OUTCOMES;

/** The options of the simulation. */
export interface Options {
  /** Chooses the outcome of an order; by default {@link outcomeByName}. It must return the same outcome for the same reference. */
  readonly outcomeOf?: (order: PaymentProvider.PaymentOrder) => Outcome;
  /** How long after an order its reports follow; 200 ms by default. */
  readonly delayMilliseconds?: number;
}

/** The outcome that the holder's name contains in brackets, or any field of an account without one, such as `Nordlys ApS [returned]`; otherwise `confirmed`. */
export const outcomeByName = ({ account }: Pick<PaymentProvider.PaymentOrder, "account">): Outcome => {
  const text = account.details.holder ?? Object.values(account.details).join(" ");
  const name = /\[([a-z]+)\]/.exec(text)?.[1] ?? "";
  return Object.hasOwn(OUTCOMES, name) ? (name as Outcome) : "confirmed";
};

const REASON = "simulated: the account is closed";

type Fact = PaymentProvider.PaymentFact;

const EUR = Currency.Currency.make("EUR");
const USD = Currency.Currency.make("USD");

/** The bank's reports on an order, in the order in which it sends them. */
const reportsOf = (
  outcome: Outcome,
  { reference, amount, currency }: PaymentProvider.PaymentOrder,
): ReadonlyArray<Fact> => {
  const confirmed: Fact = {
    type: "confirmed",
    paymentReference: reference,
    bankReference: `SIMULATED-${reference.slice(0, 8)}`,
  };
  const failureFact = (type: "failed" | "returned"): Fact => ({
    type,
    paymentReference: reference,
    reason: REASON,
  });
  switch (outcome) {
    case "confirmed":
    case "timeout":
      return [confirmed];
    case "charged":
      return [
        {
          ...confirmed,
          fee: { amount: 150, currency },
          received: { amount, currency: currency === USD ? EUR : USD },
        },
      ];
    case "duplicated":
      return [confirmed, confirmed, confirmed];
    case "failed":
      return [failureFact("failed")];
    case "returned":
      return [confirmed, failureFact("returned")];
    case "reordered":
      return [failureFact("returned"), confirmed];
    case "refused":
    case "silent":
      return [];
  }
};

const makeRefusal = (final: boolean, reason: string) =>
  new PaymentProvider.PaymentRefused({ final, reason: `simulated: ${reason}` });

/**
 * A bank in this process that carries out every order once per reference, without money. It stores orders in memory:
 * a restart loses all orders, and reports that were not delivered.
 */
export const simulated = ({
  outcomeOf = outcomeByName,
  delayMilliseconds = 200,
}: Options = {}): PaymentProvider.PaymentProviderService => {
  const orders = new Map<string, ReadonlyArray<Fact>>();
  const reports = Effect.runSync(Queue.unbounded<PaymentProvider.PaymentEvent>());

  const report = (facts: ReadonlyArray<Fact>) =>
    Effect.forEach(
      facts,
      (fact) =>
        Effect.zipRight(
          Effect.sleep(delayMilliseconds),
          reports.offer({
            provider: "simulated",
            eventId: `${fact.paymentReference}/${fact.type}`,
            fact,
          }),
        ),
      { discard: true },
    );

  return PaymentProvider.provider({
    name: "simulated",
    takes: PayoutDetails.PayoutType.literals.map((type) => ({ type, currencies: "*" })),
    send: (order) =>
      Effect.gen(function* () {
        const outcome = outcomeOf(order);
        yield* Effect.logWarning("simulated payment: no money is paid", {
          reference: order.reference,
          outcome,
        });
        if (outcome === "refused") return yield* makeRefusal(true, "the bank refuses the order");
        if (orders.has(order.reference)) return;
        const facts = reportsOf(outcome, order);
        orders.set(order.reference, facts);
        yield* Effect.forkDaemon(report(facts));
        if (outcome === "timeout") return yield* makeRefusal(false, "no response in time");
      }),
    status: (reference) =>
      Effect.sync(() => ({ type: orders.has(reference) ? ("pending" as const) : ("unknown" as const) })),
    events: Stream.fromQueue(reports),
  });
};
