/** Lists: one statement returns a page of records with their additional fields, and the exact total of the same snapshot. */
import { Effect } from "effect";
import { Storage } from "quittance";
import { lookUpByKey } from "../planning.ts";
import { SHOWN_ENTRY } from "../records/LogEntry.ts";
import { record } from "../records/RowMapping.ts";
import { tableName } from "../records/Tables.ts";
import * as Rollup from "../rollups/Rollup.ts";
import { type Runner, row } from "../Statement.ts";
import { forTenant } from "../TenantScope.ts";
import { customerOf, isStale, rollupFilter } from "./Conditions.ts";
import { type ListFilter, listFilter } from "./Filter.ts";

const eventsField = (customer: string): string => `'events', (
  select coalesce(json_agg(${SHOWN_ENTRY} order by e.sequence), '[]')
  from quittance.events e where e.customer_id = ${customer} and e.record_id = t.id)`;

const recomputingField = (customer: string): string => `'recomputing', exists (
  select from quittance.recomputations r
  where r.customer_id = ${customer} and r.formula_id = t.id and r.pending)`;

const partnerCountField = (customer: string): string => `'partnerCount', (
  select count(distinct f.partner_id) from quittance.formulas f
  where f.customer_id = ${customer} and f.plan_id = t.id
    and (f.assignment->>'startDatetime' is null
      or f.assignment->>'startDatetime' is distinct from f.assignment->>'endDatetime'))`;

const rollingOutField = (customer: string): string => `'rollingOut', (
  select json_build_object('pending', count(*) filter (where is_pending), 'done', count(*) filter (where not is_pending))
  from (
    select f.plan_revision < t.version or exists (
      select from quittance.recomputations r
      where r.customer_id = ${customer} and r.formula_id = f.id and r.pending) as is_pending
    from quittance.formulas f where f.customer_id = ${customer} and f.plan_id = t.id) f)`;

const linesField = (customer: string, limit: string): string => `'lines', (
  select coalesce(
    json_agg(json_build_object('commissionId', l.commission_id, 'amount', l.amount) order by l.position), '[]')
  from (select * from quittance.settlement_lines l
    where l.customer_id = ${customer} and l.settlement_id = t.id${limit} order by l.position) l)`;

/** The additional fields of a record of each kind, as members of a JSON object. */
const ADDITIONAL_FIELDS: {
  readonly [Kind in Storage.ListedKind]: (
    tenant: Storage.Tenant,
    linesLimit: string,
  ) => ReadonlyArray<string>;
} = {
  attribution: (tenant) => [eventsField(customerOf(tenant))],
  formula: (tenant) => [eventsField(customerOf(tenant)), recomputingField(customerOf(tenant))],
  plan: (tenant) => [
    eventsField(customerOf(tenant)),
    partnerCountField(customerOf(tenant)),
    rollingOutField(customerOf(tenant)),
  ],
  commission: (tenant) => [eventsField(customerOf(tenant))],
  settlement: (tenant, linesLimit) => [
    eventsField(customerOf(tenant)),
    linesField(customerOf(tenant), linesLimit),
    `'stale', ${isStale(tenant)}`,
  ],
  schema: () => [],
  partner: () => [],
  apiKey: () => [],
  planAcceptance: () => [],
  partnerLink: () => [],
  paymentFile: () => [],
  webhookEndpoint: () => [],
  webhookDelivery: () => [],
  settlementRun: () => [],
  settlementRunResult: () => [],
  planTrial: () => [],
  planTrialResult: () => [],
  recreditRun: () => [],
  recreditRunResult: () => [],
};

/** The rows `t` of the page. A read across customers joins them: a distributed database cannot limit a lateral subquery. */
const rowsOf = (tenant: Storage.Tenant, kind: Storage.ListedKind): string =>
  tenant === Storage.AllCustomers
    ? `wanted w join ${tableName(kind)} t on t.customer_id = w.customer_id and t.id = w.id`
    : `wanted w cross join lateral ${lookUpByKey({
        table: tableName(kind),
        columns: "t.*",
        customer: customerOf(tenant),
        id: "w.id",
      })} t`;

/** An index finds the rows of the page before they are read, so that a far page stays cheap. */
const pageStatement = (
  tenant: Storage.Tenant,
  kind: Storage.ListedKind,
  { condition, from, moment, parameters }: ListFilter,
  {
    total,
    order,
    hasLinesMax,
  }: { readonly total: string; readonly order: Storage.Query["order"]; readonly hasLinesMax: boolean },
): string => {
  const linesLimit = hasLinesMax ? ` and l.position < $${parameters.length + 3}::integer` : "";
  return `
with wanted as materialized (
  select t.customer_id, t.id from ${from} where ${condition}
  order by ${moment} ${order}, t.id ${order}
  limit $${parameters.length + 1}::bigint offset $${parameters.length + 2}::bigint
)
select
  (${total}) as total,
  (select coalesce(json_agg(
      json_build_object('record', ${record(kind, "t")}, 'beside', json_build_object(${ADDITIONAL_FIELDS[kind](tenant, linesLimit).join(", ")}))
      order by t.created_at ${order}, t.id ${order}), '[]')
    from ${rowsOf(tenant, kind)}) as items`;
};

interface PageRow {
  readonly total: number | string;
  readonly items: ReadonlyArray<{ readonly record: object; readonly beside: object }>;
}

/** The number of matches from rollups; null where these cannot count them. */
const rollupTotal = (tenant: Storage.Tenant, kind: Storage.ListedKind, where: object): string | null => {
  if (!Rollup.hasRollups(kind)) return null;
  const condition = rollupFilter(tenant, kind, where);
  return condition === null ? null : Rollup.totalCount(kind, where, condition);
};

/** One page of a kind. */
export const list = <Kind extends Storage.ListedKind>(
  sql: Runner,
  tenant: Storage.Tenant,
  kind: Kind,
  { where, page, perPage, order, linesMax }: Storage.Query<Storage.Filters[Kind]>,
): Effect.Effect<Storage.Page<Storage.Listed[Kind]>, Storage.StorageError> => {
  const filter = listFilter(tenant, kind, where);
  const { condition, from, parameters } = filter;
  const total = rollupTotal(tenant, kind, where) ?? `select count(*) from ${from} where ${condition}`;
  const limit = kind === "settlement" && linesMax !== undefined ? [linesMax] : [];
  const text = pageStatement(tenant, kind, filter, { total, order, hasLinesMax: limit.length > 0 });
  return Effect.map(
    row<PageRow>(sql, forTenant(tenant, text), [...parameters, perPage, (page - 1) * perPage, ...limit]),
    (found) => ({
      // The statement selects exactly the fields that the port lists for this kind.
      items: (found?.items ?? []).map(
        (item) => Object.assign(item.record, item.beside) as Storage.Listed[Kind],
      ),
      total: Number(found?.total ?? 0),
    }),
  );
};
