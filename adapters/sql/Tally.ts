/** Statistics: counts and sums by the bucket of creation, one statement each. */
import type { SqlClient } from "@effect/sql";
import { Effect } from "effect";
import type { Storage } from "quittance";
import { counted, type Filter } from "./Filter.ts";
import { integers, type Parameter, rows } from "./Statement.ts";

const bucket = ({ parameters }: Filter): string =>
  `width_bucket(t.created_at::bigint, $${parameters.length + 1}::bigint[]) - 1`;

const parametersOf = ({ parameters }: Filter, query: Storage.TallyQuery): ReadonlyArray<Parameter> => [
  ...parameters,
  integers(query.bucketStarts),
];

/** Attributions by bucket and present status. */
export const attributions = (
  sql: SqlClient.SqlClient,
  tenant: Storage.Tenant,
  query: Storage.TallyQuery,
): Effect.Effect<ReadonlyArray<Storage.AttributionTally>, Storage.StorageFailed> => {
  const filter = counted(tenant, "attribution", query);
  const text = `
select ${bucket(filter)} as bucket, t.status, count(*) as count
from quittance.attributions t where ${filter.condition} group by 1, 2`;
  return Effect.map(rows<Storage.AttributionTally>(sql, text, parametersOf(filter, query)), (tallies) =>
    tallies.map(({ bucket, status, count }) => ({ bucket, status, count: Number(count) })),
  );
};

interface Sums extends Omit<Storage.CommissionTally, "settledAmount" | "dueAmount"> {
  /** Exact decimal integers. */
  readonly settled: string;
  readonly due: string;
}

/** Commissions by bucket, status and currency. */
export const commissions = (
  sql: SqlClient.SqlClient,
  tenant: Storage.Tenant,
  query: Storage.TallyQuery,
): Effect.Effect<ReadonlyArray<Storage.CommissionTally>, Storage.StorageFailed> => {
  const filter = counted(tenant, "commission", query);
  const text = `
select ${bucket(filter)} as bucket, t.settlement_status as "settlementStatus", t.currency, count(*) as count,
  sum(t.settled_amount)::text as settled, sum(coalesce(t.computed_amount, 0) - t.settled_amount)::text as due
from quittance.commissions t where ${filter.condition} group by 1, 2, 3`;
  return Effect.map(rows<Sums>(sql, text, parametersOf(filter, query)), (tallies) =>
    tallies.map(({ settled, due, count, ...tally }) => ({
      ...tally,
      count: Number(count),
      settledAmount: BigInt(settled),
      dueAmount: BigInt(due),
    })),
  );
};
