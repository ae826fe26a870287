/** Statistics: counts and sums by the bucket of `occurredAt`, one statement each. Whole days are read from rollups. */
import { Effect } from "effect";
import { type Storage, Timestamp } from "quittance";
import * as Rollup from "../rollups/Rollup.ts";
import { integers, type Parameter, type Runner, rows } from "../Statement.ts";
import { forTenant } from "../TenantScope.ts";
import { filterOf } from "./Conditions.ts";
import { datedIn, undatedIn } from "./Occurrence.ts";

const TABLES: Readonly<Record<Rollup.Kind, string>> = {
  attribution: `select t.occurred_at as moment, t.status, null as currency, 1 as count, 0 as settled, 0 as due
from quittance.attributions t`,
  commission: `select t.occurred_at as moment, t.settlement_status as status, t.currency, 1 as count,
  t.settled_amount as settled, coalesce(t.computed_amount, 0) - t.settled_amount as due
from quittance.commissions t`,
};

interface Counted {
  readonly bucket: number;
  readonly status: string;
  readonly count: number | string;
}

interface Summed extends Counted {
  readonly currency: string;
  /** Exact decimal integers. */
  readonly settled: string;
  readonly due: string;
}

/** The position of a row's bucket, from 0. Buckets of one day are computed by division, other buckets are searched. */
const bucketOf = (
  { bucketStarts, to }: Storage.StatisticsQuery,
  parameter: (value: Parameter) => string,
): string => {
  const [first = 0] = bucketStarts;
  const day = (index: number): number => first + index * Timestamp.DAY;
  const isDaily =
    to <= day(bucketStarts.length) && bucketStarts.every((start, index) => start === day(index));
  return isDaily
    ? `((s.moment - ${parameter(first)}::bigint) / ${Timestamp.DAY})::integer`
    : `width_bucket(s.moment::bigint, ${parameter(integers(bucketStarts))}::bigint[]) - 1`;
};

const statementOf = (kind: Rollup.Kind, tenant: Storage.Tenant, query: Storage.StatisticsQuery) => {
  const { condition, parameters } = filterOf(tenant, kind, query.where);
  const allParameters: Array<Parameter> = [...parameters];
  const parameter = (value: Parameter): string => `$${allParameters.push(value)}`;
  const only = kind === "attribution" ? ` and ${Rollup.isCounted(query.where)}` : "";
  const recordsBetween = (from: number, to: number): string => {
    const span = { from: `${parameter(from)}::bigint`, to: `${parameter(to)}::bigint` };
    return [undatedIn(span), datedIn(span)]
      .map((occurs) => `${TABLES[kind]} where ${condition} and ${occurs}${only}`)
      .join("\nunion all\n");
  };
  const bucket = bucketOf(query, parameter);
  const whole = Rollup.span(query);
  // Records are counted for days that the span cuts; whole days are read from rollups.
  const recordsOfCutDays = (from: number, to: number): ReadonlyArray<string> =>
    from < to ? [recordsBetween(from, to)] : [];
  const parts =
    whole === null
      ? [recordsBetween(query.from, query.to)]
      : [
          ...recordsOfCutDays(query.from, whole.from),
          Rollup.daySums(kind, query.where, condition, {
            from: parameter(whole.from),
            to: parameter(whole.to),
          }),
          ...recordsOfCutDays(whole.to, query.to),
        ];
  const [currency, sums] =
    kind === "commission"
      ? [", s.currency", ", sum(s.settled)::text as settled, sum(s.due)::text as due"]
      : ["", ""];
  const text = `
select ${bucket} as bucket, s.status${currency}, sum(s.count) as count${sums}
from (${parts.join("\nunion all\n")}) s
group by bucket, s.status${currency} having sum(s.count) <> 0`;
  return { statement: forTenant(tenant, text), parameters: allParameters };
};

const statistics = <Row extends Counted>(
  sql: Runner,
  kind: Rollup.Kind,
  tenant: Storage.Tenant,
  query: Storage.StatisticsQuery,
): Effect.Effect<ReadonlyArray<Row>, Storage.StorageError> => {
  const { statement, parameters } = statementOf(kind, tenant, query);
  return rows<Row>(sql, statement, parameters);
};

/** Attributions by bucket and present status. */
export const attributions = (
  sql: Runner,
  tenant: Storage.Tenant,
  query: Storage.StatisticsQuery,
): Effect.Effect<ReadonlyArray<Storage.AttributionStatistic>, Storage.StorageError> =>
  Effect.map(statistics<Counted>(sql, "attribution", tenant, query), (found) =>
    found.map(({ bucket, status, count }) => ({
      bucket,
      status: status as Storage.AttributionStatistic["status"],
      count: Number(count),
    })),
  );

/** Commissions by bucket, status and currency. */
export const commissions = (
  sql: Runner,
  tenant: Storage.Tenant,
  query: Storage.StatisticsQuery,
): Effect.Effect<ReadonlyArray<Storage.CommissionStatistic>, Storage.StorageError> =>
  Effect.map(statistics<Summed>(sql, "commission", tenant, query), (found) =>
    found.map(({ bucket, status, currency, count, settled, due }) => ({
      bucket,
      settlementStatus: status as Storage.CommissionStatistic["settlementStatus"],
      currency,
      count: Number(count),
      settledAmount: BigInt(settled),
      unsettledAmount: BigInt(due),
    })),
  );
