/** Receipts: how much of a sale its buyer has paid so far, and how much of a commission waits for the rest. */
import { Either, Schema } from "effect";
import { exactDecimal, MAGNITUDE_MAX } from "../formula/index.ts";
import { key, means, optionalKey } from "./Field.ts";
import { AttributionId } from "./Ids.ts";
import { BATCH_MAX, OCCURRED_AHEAD_MAX } from "./Limits.ts";
import type { Amount } from "./Money.ts";
import { numberProblem } from "./Properties.ts";
import { type Invalid, invalid } from "./Refusal.ts";
import { DateTimeSince1970, format, type Timestamp } from "./Timestamp.ts";

/** When what a formula gives is released: at once, or as far as the buyer has paid. */
export const Release = Schema.Literal("at_once", "on_receipt");
export type Release = typeof Release.Type;

/** The release as events state it: nothing where amounts are released at once. */
export const statedRelease = (release: Release | null | undefined): { readonly release?: "on_receipt" } =>
  release === "on_receipt" ? { release } : {};

/** A number of a receipt, within the limits of a property. */
const numberOf = (problem: (value: number) => string | true) =>
  Schema.Number.pipe(
    Schema.filter((value) => numberProblem(value) ?? problem(value), {
      jsonSchema: { minimum: 0, maximum: MAGNITUDE_MAX },
    }),
  );

const Received = numberOf((value) => value >= 0 || "must not be negative");
const Of = numberOf((value) => value > 0 || "must be greater than 0");

/** What stating a receipt takes: what the buyer has paid so far, of how much. */
export const State = Schema.Struct({
  received: Received.pipe(
    means(
      "What the buyer has paid so far, in any unit; at least 0. It replaces what was stated before: less takes back.",
    ),
  ),
  of: Of.pipe(means("What the buyer has to pay in all, in the same unit; greater than 0.")),
  receivedAt: optionalKey(
    DateTimeSince1970,
    "received_at",
    "When the buyer had paid that much, at most 5 minutes ahead of the clock; by default the time of the request. A statement of an earlier moment than the last one's changes nothing.",
  ),
});
export type State = typeof State.Type;

/** One statement of many, with the origin of its sale. */
export const StateOne = Schema.Struct({
  attributionId: key(
    AttributionId,
    "attribution_id",
    "The attribution of the sale; of several credits the one that the others name as their origin.",
  ),
  ...State.fields,
});
export type StateOne = typeof StateOne.Type;

/** What stating the receipts of many sales takes. */
export const StateBatch = Schema.Struct({
  mode: Schema.optionalWith(
    Schema.Literal("atomic", "independent").pipe(
      means("atomic (the default): one refused statement refuses all. independent: the others are stored."),
    ),
    { default: () => "atomic" as const },
  ),
  receipts: Schema.Array(StateOne).pipe(
    Schema.filter(
      (receipts) =>
        receipts.length < 1 || receipts.length > BATCH_MAX
          ? `must have 1 to ${BATCH_MAX} receipts`
          : new Set(receipts.map(({ attributionId }) => attributionId)).size === receipts.length ||
            "must not name an attribution twice",
      { jsonSchema: { minItems: 1, maxItems: BATCH_MAX } },
    ),
    means("The statements, 1 to 1,000, each of another sale, in the order of their results."),
  ),
});
export type StateBatch = typeof StateBatch.Type;

/** What the buyer of a sale has paid, of how much. */
export interface Paid {
  readonly received: number;
  /** Null before anything was stated. */
  readonly of: number | null;
}

/** What a statement says that the buyer has paid, of how much. */
export interface Stated {
  readonly received: number;
  readonly of: number;
}

/** The last statement of a sale. */
export interface Receipt extends Stated {
  /** What the caller gave; by default the moment of the event. */
  readonly receivedAt: Timestamp;
}

/** The event of a statement. */
export interface ReceiptEvent {
  readonly type: "state_received";
  readonly received: number;
  readonly of: number;
  /** ISO text, as the caller gave it; absent when the caller gave none. */
  readonly received_at?: string;
}

/** What a commission knows before anything was stated of its sale. */
export const NOTHING_STATED: Paid = { received: 0, of: null };

/** The part of the last statement of a sale that its commissions store. */
export const paidOf = (receipt: Receipt | null): Paid =>
  receipt === null ? NOTHING_STATED : { received: receipt.received, of: receipt.of };

/** True if the buyer has paid as much of as much. */
export const isSame = (one: Paid, other: Paid): boolean =>
  one.received === other.received && one.of === other.of;

/**
 * How much of an amount waits for the buyer, who has paid a part of the sale: what is left of the amount's same part, rounded
 * down. Nothing of an amount that is negative, for corrections never wait.
 */
export const waitingOf = (amount: Amount, { received, of }: Paid): Amount => {
  if (amount <= 0 || (of !== null && received >= of)) return 0;
  if (of === null || received === 0) return amount;
  const [paid, whole] = [exactDecimal(received), exactDecimal(of)];
  const numerator = BigInt(amount) * paid.coefficient * 10n ** BigInt(whole.decimals);
  return amount - Number(numerator / (whole.coefficient * 10n ** BigInt(paid.decimals)));
};

/** Accepts a statement of a moment that is not later than the clock allows. */
export const checkDate = (
  { receivedAt = Number.NEGATIVE_INFINITY }: Pick<State, "receivedAt">,
  now: Timestamp,
): Either.Either<void, Invalid> =>
  receivedAt > now + OCCURRED_AHEAD_MAX
    ? Either.left(invalid("received_at", "must not be more than 5 minutes in the future"))
    : Either.void;

/** The event of a statement. */
export const eventOf = ({ received, of, receivedAt }: State): ReceiptEvent => ({
  type: "state_received",
  received,
  of,
  ...(receivedAt === undefined ? {} : { received_at: format(receivedAt) }),
});

/** The event of a statement after the last one; none where it states the same, or an earlier moment. */
export const state = (last: Receipt | null, stated: State): ReadonlyArray<ReceiptEvent> => {
  const { receivedAt = last?.receivedAt } = stated;
  const isKnown = last !== null && isSame(last, stated) && receivedAt === last.receivedAt;
  const isEarlier = last !== null && receivedAt !== undefined && receivedAt < last.receivedAt;
  return isKnown || isEarlier ? [] : [eventOf(stated)];
};

/** The statement that an event makes at its moment. */
export const receiptOf = ({ received, of, received_at }: ReceiptEvent, at: Timestamp): Receipt => ({
  received,
  of,
  receivedAt: received_at === undefined ? at : Date.parse(received_at),
});
