/** Reads of rollups: totals and statistics as SQL over compacted rows and deltas that are not compacted yet. */
import { type Storage, Timestamp } from "quittance";

/** The kinds that have rollups. */
export type Kind = "attribution" | "commission";

/**
 * The kind of the rollups that count an attribution, as an SQL expression: `credit` and `further_credit` are the other credits of
 * a sale that is counted already, the first of each partner and the rest.
 */
export const attributionKind = (originId: string, credit: string): string =>
  `case when ${originId} is null then 'attribution' when ${credit} ? 'further' then 'further_credit' else 'credit' end`;

/** The same of the row `a` of an attribution. */
export const KIND_OF_ROW = attributionKind("a.origin_id", "a.credit");

/** The kinds of the rollups that count every record of a kind. */
const ALL: { readonly [Each in Kind]: string } = {
  attribution: "t.kind in ('attribution', 'credit', 'further_credit')",
  commission: "t.kind = 'commission'",
};

/** The kinds of the rollups that a statistic counts: a sale once, or with a filter on partners once for each of them. */
const counted = (kind: Kind, { partnerIds }: PartnerFilter): string =>
  kind === "attribution"
    ? partnerIds === undefined
      ? "t.kind = 'attribution'"
      : "t.kind in ('attribution', 'credit')"
    : ALL[kind];

/** The condition on the attributions that a statistic counts; see {@link counted}. */
export const isCounted = ({ partnerIds }: PartnerFilter): string =>
  partnerIds === undefined ? "t.origin_id is null" : "not coalesce(t.credit ? 'further', false)";

/** True if a kind has rollups. */
export const hasRollups = (kind: Storage.ListedKind): kind is Kind =>
  kind === "attribution" || kind === "commission";

type PartnerFilter = Pick<Storage.OwnershipFilters, "partnerIds">;

/** Without a filter on partners, reads the rows that sum up all partners, because they are fewer. */
const partnerCondition = (where: PartnerFilter): string =>
  where.partnerIds === undefined ? "t.partner_id is null" : "t.partner_id is not null";

/** Compacted rows and deltas, as rows aliased `t`. */
const compactedAndDeltas = (
  ofKind: string,
  columns: string,
  where: PartnerFilter,
  { compacted, condition }: { readonly compacted: string; readonly condition: string },
): string => `
  select ${columns} from quittance.rollups t
  where ${ofKind} and ${partnerCondition(where)} and ${compacted} and ${condition}
  union all
  select ${columns} from quittance.rollup_deltas t where ${ofKind} and ${condition}`;

/** The number of records that a condition on customer, workspace, partner and status matches. */
export const totalCount = (kind: Kind, where: PartnerFilter, condition: string): string =>
  `select coalesce(sum(s.count), 0) from (${compactedAndDeltas(ALL[kind], "t.count", where, { compacted: "t.day is null", condition })}) s`;

/** The whole days of a statistic, which rollups count. */
interface Span {
  /** The first moment of the first whole day. */
  readonly from: number;
  /** The first moment after the last whole day. */
  readonly to: number;
}

/** The whole days of a statistic whose buckets start at midnight; null where there are none. */
export const span = ({ from, to, bucketStarts }: Storage.StatisticsQuery): Span | null => {
  const first = Math.ceil(from / Timestamp.DAY) * Timestamp.DAY;
  const last = Math.floor(to / Timestamp.DAY) * Timestamp.DAY;
  const midnights = bucketStarts.every((start) => start % Timestamp.DAY === 0);
  return midnights && first < last ? { from: first, to: last } : null;
};

/** Rows of status, currency, count, sums and moment over whole days; `$from` and `$to` name parameters. */
export const daySums = (
  kind: Kind,
  where: Storage.StatisticsQuery["where"],
  condition: string,
  { from, to }: { readonly from: string; readonly to: string },
): string => {
  const within = `t.day >= quittance.day_of(${from}::bigint) and t.day < quittance.day_of(${to}::bigint)`;
  const columns = "t.day, t.status, t.currency, t.count, t.settled, t.due";
  return `
select quittance.start_of(s.day) as moment, s.status, s.currency, s.count, s.settled, s.due
from (${compactedAndDeltas(counted(kind, where), columns, where, { compacted: within, condition: `${within} and ${condition}` })}) s`;
};
