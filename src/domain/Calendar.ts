/** Buckets of statistics: UTC days, ISO weeks (Monday 00:00) and months. */
import { Either, Schema } from "effect";
import { BUCKETS_MAX } from "./Limits.ts";
import { type Invalid, invalid } from "./Refusal.ts";
import { DAY, type Timestamp } from "./Timestamp.ts";

/** The span of one bucket. */
export const Granularity = Schema.Literal("day", "week", "month");
export type Granularity = typeof Granularity.Type;

/** The start of the bucket that a moment is in. */
export const startOf = (granularity: Granularity, moment: Timestamp): Timestamp => {
  const day = Math.floor(moment / DAY) * DAY;
  const date = new Date(day);
  switch (granularity) {
    case "day":
      return day;
    case "week":
      return day - ((date.getUTCDay() + 6) % 7) * DAY;
    case "month":
      return day - (date.getUTCDate() - 1) * DAY;
  }
};

const nextStart = (granularity: Granularity, start: Timestamp): Timestamp => {
  if (granularity === "day") return start + DAY;
  if (granularity === "week") return start + 7 * DAY;
  const date = new Date(start);
  return date.setUTCMonth(date.getUTCMonth() + 1);
};

/**
 * The starts, ascending, of every bucket that `from` (inclusive) to `to` (exclusive) touches; the first may precede `from`.
 * Fails unless `from < to` and on more than 1 000 buckets.
 */
export const bucketStarts = (
  granularity: Granularity,
  from: Timestamp,
  to: Timestamp,
): Either.Either<ReadonlyArray<Timestamp>, Invalid> => {
  if (from >= to) return Either.left(invalid("to", "must be after from"));
  const starts: Array<Timestamp> = [];
  for (let start = startOf(granularity, from); start < to; start = nextStart(granularity, start)) {
    if (starts.length === BUCKETS_MAX) {
      return Either.left(invalid("granularity", `from and to span more than ${BUCKETS_MAX} buckets`));
    }
    starts.push(start);
  }
  return Either.right(starts);
};
