/** Sales that were settled before they were recorded here: when, and under which reference. */
import { Either, Schema } from "effect";
import { means, optional } from "./Field.ts";
import { EXTERNAL_REFERENCE_MAX } from "./Limits.ts";
import { type Invalid, invalid } from "./Refusal.ts";
import { Text } from "./Text.ts";
import { DateTimeSince1970, format, type Timestamp } from "./Timestamp.ts";

/** What a creation states of it. */
export const Given = Schema.Struct({
  at: DateTimeSince1970.pipe(
    means("When it was settled: not before occurred_at of the sale, and not later than now."),
  ),
  reference: optional(
    Text(1, EXTERNAL_REFERENCE_MAX),
    "The name of the payment or the document elsewhere, which statements show.",
  ),
});
export type Given = typeof Given.Type;

/** When a sale was settled elsewhere, and under which reference. */
export interface SettledElsewhere {
  readonly at: Timestamp;
  /** Null where none was given. */
  readonly reference: string | null;
}

/** The same in events: the moment as ISO text, and no reference where none was given. */
export interface Stated {
  readonly at: string;
  readonly reference?: string;
}

/** What an event states. */
export const stated = ({ at, reference = null }: Given | SettledElsewhere): Stated => ({
  at: format(at),
  ...(reference === null ? {} : { reference }),
});

/** What an event has stated. */
export const settledOf = ({ at, reference }: Stated): SettledElsewhere => ({
  at: Date.parse(at),
  reference: reference ?? null,
});

/** True if both state the same; null states nothing. */
export const isSame = (one: SettledElsewhere | null, other: Given | SettledElsewhere | null): boolean =>
  one?.at === other?.at && (one?.reference ?? null) === (other?.reference ?? null);

/** Accepts what was settled when or after its sale occurred, and before now. */
export const check = (
  given: Given | undefined,
  occurredAt: Timestamp | undefined,
  now: Timestamp,
): Either.Either<void, Invalid> => {
  if (given === undefined) return Either.void;
  if (occurredAt === undefined)
    return Either.left(invalid("occurred_at", "is required with settled_elsewhere"));
  if (given.at > now) return Either.left(invalid("settled_elsewhere.at", "must not be in the future"));
  return given.at < occurredAt
    ? Either.left(invalid("settled_elsewhere.at", "must not be before occurred_at"))
    : Either.void;
};

/** The refusal of a sale that earns under a formula whose amounts wait for receipts. */
export const WAITS: Invalid = invalid(
  "settled_elsewhere",
  "must be absent for a sale that earns under a formula whose release is on_receipt",
);
