/** What statistics of attributions and of commissions have in common: their span, whose records they count, their buckets. */
import { Either } from "effect";
import { bucketStarts, type Granularity } from "../../domain/Calendar.ts";
import type { PartnerId, WorkspaceId } from "../../domain/Ids.ts";
import { type Principal, restrict } from "../../domain/Principal.ts";
import type { Invalid } from "../../domain/Refusal.ts";
import type { Timestamp } from "../../domain/Timestamp.ts";
import type { StatisticsQuery } from "../../ports/Storage.ts";

/** The span of a statistic, and whose records it counts. */
export interface Input {
  /** Inclusive. */
  readonly from: Timestamp;
  /** Exclusive. */
  readonly to: Timestamp;
  readonly granularity: Granularity;
  readonly partnerIds?: ReadonlyArray<PartnerId> | undefined;
  readonly workspaceIds?: ReadonlyArray<WorkspaceId> | undefined;
}

/** The query behind a statistic of what the principal sees. */
export const queryOf = (
  principal: Principal,
  { from, to, granularity, ...filters }: Input,
): Either.Either<StatisticsQuery, Invalid> =>
  Either.map(bucketStarts(granularity, from, to), (starts) => ({
    from,
    to,
    bucketStarts: starts,
    where: restrict(principal, filters),
  }));

/** A summary for each bucket of a query, ascending, of what was found in it; a bucket without any is summed up as well. */
export const buckets = <Found extends { readonly bucket: number }, Summary>(
  { bucketStarts }: StatisticsQuery,
  found: ReadonlyArray<Found>,
  summary: (found: ReadonlyArray<Found>) => Summary,
): ReadonlyArray<Summary & { readonly timestamp: Timestamp }> => {
  const foundIn = bucketStarts.map((): Array<Found> => []);
  for (const one of found) foundIn[one.bucket]?.push(one);
  return bucketStarts.map((timestamp, bucket) => ({ timestamp, ...summary(foundIn[bucket] ?? []) }));
};
