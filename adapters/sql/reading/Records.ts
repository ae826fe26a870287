/** Reads single records, and attributions with their commissions. Each read is one statement and therefore sees one snapshot. */
import { Effect } from "effect";
import {
  type Accumulation,
  type Attribution,
  type Commission,
  type Formula,
  type Ids,
  type Recomputation,
  Storage,
  Text,
  type WebhookDelivery,
} from "quittance";
import { lookUpByKey } from "../planning.ts";
import { entryFrom, type LogRow } from "../records/LogEntry.ts";
import { record } from "../records/RowMapping.ts";
import { tableName } from "../records/Tables.ts";
import {
  firstOr,
  isUuid,
  LAST_ID,
  type Runner,
  records,
  row,
  rows,
  rowsFromJson,
  runnerForRows,
  texts,
  uuids,
} from "../Statement.ts";
import { forCustomer, forTenant } from "../TenantScope.ts";
import { byExternalReference } from "./ExternalReference.ts";
import { DATED, UNDATED } from "./Occurrence.ts";

/** Returns the parameters of a read by ids: the distinct ids, and the customer if one is named. */
const parametersOf = (tenant: Storage.Tenant, ids: Iterable<string>): ReadonlyArray<string> => {
  const distinct = uuids(new Set(ids));
  return tenant === Storage.AllCustomers ? [distinct] : [distinct, tenant];
};

/** An expression for a single id, with which PostgreSQL keeps one generic plan instead of planning each call. */
const ONE = "($1::uuid[])[1]";

/** Returns the statement that reads records of any customer by id. */
const selectAcrossCustomers = (kind: Storage.Kind): string =>
  `select ${record(kind, "t")} as record from ${tableName(kind)} t where t.id = any ($1::uuid[])`;

/** Returns the records that exist among the ids, in no particular order. */
export const find = <Kind extends Storage.Kind>(
  sql: Runner,
  tenant: Storage.Tenant,
  kind: Kind,
  ids: ReadonlyArray<string>,
) => {
  const table = tableName(kind);
  const recordById = (id: string): string =>
    lookUpByKey({ table, columns: `${record(kind, "t")} as record`, customer: "$2", id });
  const text =
    tenant === Storage.AllCustomers
      ? selectAcrossCustomers(kind)
      : ids.length === 1
        ? `select r.record from ${recordById(ONE)} r`
        : `select r.record from unnest($1::uuid[]) as w(id) cross join lateral ${recordById("w.id")} r`;
  return records<Storage.Versioned<Storage.Rows[Kind]>>(
    sql,
    forTenant(tenant, text, 2),
    parametersOf(tenant, ids),
  );
};

const FORMULA_SET = forCustomer(`
select
  coalesce((select p.version from quittance.formula_sets p
    where p.customer_id = $1 and p.partner_id = $2 and p.schema_id = $3), 0) as version,
  (select coalesce(json_agg(${record("formula", "t")} order by t.created_at, t.id), '[]')
    from quittance.formulas t where t.customer_id = $1 and t.partner_id = $2 and t.schema_id = $3) as formulas`);

/** Returns the formula set of a partner and schema, with its version. */
export const formulaSet = (
  sql: Runner,
  customerId: Ids.CustomerId,
  partnerId: Ids.PartnerId,
  schemaId: Ids.SchemaId,
) =>
  Effect.map(
    row<Storage.FormulaSet>(sql, FORMULA_SET, [customerId, partnerId, schemaId]),
    (found) => found ?? { version: 0, formulas: [] },
  );

const FORMULA_SETS = forCustomer(`
select json_build_object(
  'partnerId', w.id,
  'version', coalesce((select p.version from quittance.formula_sets p
    where p.customer_id = $1 and p.partner_id = w.id and p.schema_id = $2), 0),
  'formulas', (select coalesce(json_agg(${record("formula", "t")} order by t.created_at, t.id), '[]')
    from quittance.formulas t where t.customer_id = $1 and t.partner_id = w.id and t.schema_id = $2)) as record
from unnest($3::uuid[]) as w(id)`);

/** Returns the formula sets of several partners for one schema, with their versions. */
export const formulaSets = (
  sql: Runner,
  customerId: Ids.CustomerId,
  schemaId: Ids.SchemaId,
  partnerIds: ReadonlyArray<Ids.PartnerId>,
) =>
  records<Storage.PartnerFormulaSet>(runnerForRows(sql, partnerIds.length), FORMULA_SETS, [
    customerId,
    schemaId,
    uuids(new Set(partnerIds)),
  ]);

const BEHIND_PLAN = forCustomer(`select ${record("formula", "t")} as record from quittance.formulas t
where t.customer_id = $1 and t.plan_id = $2 and t.plan_revision < $3::bigint order by t.id limit $4::bigint`);

/** Returns the formulas of a plan that have applied fewer of the plan's events than the given number, by id. */
export const formulasBehindPlan = (
  sql: Runner,
  ...parameters: Parameters<Storage.StorageService["formulasBehindPlan"]>
) => records<Storage.Versioned<Formula.Formula>>(sql, BEHIND_PLAN, parameters);

/**
 * Returns the next attributions of a walk that satisfy a condition, read by the index of the moment that they count for. `others` is
 * inside `coalesce`, for which the planner assumes that half of the rows pass. Without it the planner multiplies its estimates for each
 * column, expects few rows, and sorts all matching rows instead of using the index.
 */
const walk = (condition: string, others: string, moment: "created_at" | "occurred_at"): string => `
      select t.* from quittance.attributions t
      where t.customer_id = $1 and t.partner_id = $2 and ${condition}
        and coalesce(t.schema_id = $3 and t.workspace_id = $4${others}, false)
        and (t.${moment}, t.id) > ($6::bigint, $7::uuid) and t.${moment} < $8::bigint
      order by t.${moment}, t.id limit $9::bigint`;

/**
 * Undated rows after the last dated row of a full page are on a later page. Without this bound each page of a customer that
 * dates every attribution would search all of them for undated ones.
 */
const NOT_AFTER_DATED = `t.created_at <= (
        select case when count(*) < $9::bigint then $8::bigint else max(d.occurred_at) end from dated d)`;

/** The subquery that reads the commission of the attribution `a` under the formula. */
const COMMISSION = lookUpByKey({
  table: "quittance.commissions",
  columns: `${record("commission", "t")}::text`,
  customer: "$1",
  key: "attribution_id",
  id: "a.id",
  condition: "t.formula_id = $5",
});

const ATTRIBUTIONS_FOR_FORMULA = forCustomer(`
with dated as materialized (${walk(DATED, "", "occurred_at")})
select ${record("attribution", "a")}::text as attribution,
  ${COMMISSION} as commission
from (
  select t.* from (
    (${walk(NOT_AFTER_DATED, ` and ${UNDATED}`, "created_at")})
    union all
    select t.* from dated t
  ) t
  order by t.occurred_at, t.id limit $9::bigint
) a
order by a.occurred_at, a.id`);

/** A moment after every stored one. */
const NEVER = Number.MAX_SAFE_INTEGER;

/** Returns the attributions of a formula after a position, each with its commission under the formula. */
export const attributionsForFormula = (
  sql: Runner,
  { customerId, partnerId, schemaId, workspaceId, id }: Formula.Formula,
  { from, to, after, limit }: Parameters<Storage.StorageService["attributionsForFormula"]>[1],
) => {
  // Without a position, or with one before the span, the page begins with the first attribution of the span.
  const position = after !== null && after.occurredAt >= from ? after : { occurredAt: from - 1, id: LAST_ID };
  return rowsFromJson<Storage.AttributionForFormula>(runnerForRows(sql, limit), ATTRIBUTIONS_FOR_FORMULA, [
    customerId,
    partnerId,
    schemaId,
    workspaceId,
    id,
    position.occurredAt,
    position.id,
    to ?? NEVER,
    limit,
  ]);
};

/** Returns the sales after a position, read by an index of the moment that they count for. With partners, the sales of all their
 * attributions. */
const nextSales = (condition: string, moment: "created_at" | "occurred_at", ofSome: boolean): string => `
    (select ${ofSome ? "distinct " : ""}t.${moment} as occurred_at, ${ofSome ? "coalesce(t.origin_id, t.id)" : "t.id"} as id
     from quittance.attributions t
     where t.customer_id = $1 and t.workspace_id = $2 and ${condition}
       and ${ofSome ? "t.partner_id = any ($7::uuid[])" : "t.origin_id is null"}
       and t.${moment} >= $3::bigint and t.${moment} < $5::bigint
       and (t.${moment}, ${ofSome ? "coalesce(t.origin_id, t.id)" : "t.id"}) > ($3::bigint, $4::uuid)
     order by 1, 2 limit $6::bigint)`;

/** Some attributions of a sale may have a date and others none, because credits can be added later. Each sale is returned once. */
const salesAfter = (ofSome: boolean) =>
  forCustomer(`select json_build_object('occurredAt', w.occurred_at, 'id', w.id)::text as record
from (${nextSales(UNDATED, "created_at", ofSome)}
    union${nextSales(DATED, "occurred_at", ofSome)}) w
order by w.occurred_at, w.id limit $6::bigint`);

const SALES = salesAfter(false);
const SALES_OF_PARTNERS = salesAfter(true);

/** Returns the first attributions of the sales in a span, after a position. */
export const salesOf = (
  sql: Runner,
  customerId: Ids.CustomerId,
  { workspaceId, partnerIds, from, to, after, limit }: Parameters<Storage.StorageService["salesOf"]>[1],
): Effect.Effect<ReadonlyArray<Recomputation.Position>, Storage.StorageError> => {
  const position = after !== null && after.occurredAt >= from ? after : { occurredAt: from - 1, id: LAST_ID };
  return recordsOf(runnerForRows(sql, limit), partnerIds === null ? SALES : SALES_OF_PARTNERS, [
    ...[customerId, workspaceId, position.occurredAt, position.id, to, limit],
    ...(partnerIds === null ? [] : [uuids(partnerIds)]),
  ]);
};

const ARRIVALS_FOR_FORMULA = forCustomer(`
select ${record("attribution", "a")}::text as attribution,
  ${COMMISSION} as commission
from quittance.attributions a
where a.customer_id = $1 and a.partner_id = $2 and a.schema_id = $3 and a.workspace_id = $4
  and (a.created_at, a.id) > ($6::bigint, $7::uuid) and a.occurred_at >= $8::bigint and a.occurred_at < $9::bigint
order by a.created_at, a.id limit $10::bigint`);

/** A moment before every stored one. */
const BEGINNING = Number.MIN_SAFE_INTEGER;

/** Returns the attributions of a formula in order of arrival, each with its commission under the formula. */
export const arrivalsForFormula = (
  sql: Runner,
  { customerId, partnerId, schemaId, workspaceId, id }: Formula.Formula,
  { from, to, after, limit }: Parameters<Storage.StorageService["arrivalsForFormula"]>[1],
) => {
  const start = from ?? BEGINNING;
  // No attribution occurs after it arrives, so that none of the span arrived before the span begins.
  const position = after !== null && after.createdAt >= start ? after : { createdAt: start - 1, id: LAST_ID };
  return rowsFromJson<Storage.AttributionForFormula>(runnerForRows(sql, limit), ARRIVALS_FOR_FORMULA, [
    customerId,
    partnerId,
    schemaId,
    workspaceId,
    id,
    position.createdAt,
    position.id,
    start,
    to ?? NEVER,
    limit,
  ]);
};

const LAST_ARRIVAL = forCustomer(`select json_build_object('createdAt', t.created_at, 'id', t.id) as record
from quittance.attributions t
where t.customer_id = $1 and t.partner_id = $2 and t.schema_id = $3
order by t.created_at desc, t.id desc limit 1`);

/** Returns the attribution of a partner and schema that arrived last; null without one. */
export const lastArrival = (
  sql: Runner,
  ...parameters: Parameters<Storage.StorageService["lastArrival"]>
): Effect.Effect<Accumulation.Arrival | null, Storage.StorageError> =>
  firstOr(records<Accumulation.Arrival>(sql, LAST_ARRIVAL, parameters), null);

const WITH_ATTRIBUTION = `select ${record("commission", "c")}::text as commission, ${record("attribution", "a")}::text as attribution`;

const COMMISSIONS_WITH_ATTRIBUTIONS = `${WITH_ATTRIBUTION}
from unnest($1::uuid[]) as w(id)
cross join lateral ${lookUpByKey({ table: "quittance.commissions", columns: "t.*", customer: "$2", id: "w.id" })} c
cross join lateral ${lookUpByKey({
  table: "quittance.attributions",
  columns: "t.*",
  customer: "$2",
  id: "c.attribution_id",
})} a`;

const OF_EVERY_CUSTOMER_WITH_ATTRIBUTIONS = `${WITH_ATTRIBUTION}
from quittance.commissions c
join quittance.attributions a on a.customer_id = c.customer_id and a.id = c.attribution_id
where c.id = any ($1::uuid[])`;

/** Returns commissions with their attributions, in no particular order. */
export const commissionsWithAttributions = (
  sql: Runner,
  tenant: Storage.Tenant,
  commissionIds: ReadonlyArray<Ids.CommissionId>,
) =>
  rowsFromJson<Storage.CommissionWithAttribution>(
    runnerForRows(sql, commissionIds.length),
    forTenant(
      tenant,
      tenant === Storage.AllCustomers ? OF_EVERY_CUSTOMER_WITH_ATTRIBUTIONS : COMMISSIONS_WITH_ATTRIBUTIONS,
      2,
    ),
    parametersOf(tenant, commissionIds),
  );

const BY_REFERENCE =
  forCustomer(`select ${record("attribution", "t")}::text as record from quittance.attributions t
where t.customer_id = $1 and t.schema_id = ($2::uuid[])[1] and t.external_reference = ($3::text[])[1]`);

const BY_REFERENCES = forCustomer(`select r.record::text as record
from unnest($2::uuid[], $3::text[]) as w(schema_id, reference)
cross join lateral ${byExternalReference(`${record("attribution", "t")} as record`, "w.schema_id", "w.reference")} r`);

/** Returns the records of a statement that has one record per row. */
const recordsOf = <Record>(
  ...request: Parameters<typeof rowsFromJson>
): Effect.Effect<ReadonlyArray<Record>, Storage.StorageError> =>
  Effect.map(rowsFromJson<{ readonly record: Record }>(...request), (rows) =>
    rows.map(({ record }) => record),
  );

const CREDITED =
  forCustomer(`select ${record("attribution", "t")}::text as record from quittance.attributions t
where t.customer_id = $1 and t.origin_id = any ($2::uuid[])`);

/** Returns the attributions whose origin is one of the attributions, in no particular order. */
export const creditedAttributions = (
  sql: Runner,
  customerId: Ids.CustomerId,
  originIds: ReadonlyArray<Ids.AttributionId>,
): Effect.Effect<ReadonlyArray<Storage.Versioned<Attribution.Attribution>>, Storage.StorageError> =>
  recordsOf(runnerForRows(sql, originIds.length), CREDITED, [customerId, uuids(new Set(originIds))]);

// Both bounds and the order lead to the index of attributions, as in `lookUpByKey`.
const COMMISSIONS_OF = forCustomer(`select ${record("commission", "c")}::text as record
from unnest($2::uuid[]) as w(id)
cross join lateral (
  select t.* from quittance.commissions t
  where t.customer_id = $1 and t.attribution_id >= w.id and t.attribution_id <= w.id
  order by t.attribution_id) c
order by c.id`);

/** Returns the attributions with one of the external references, in no particular order. */
export const findByExternalReferences = (
  sql: Runner,
  customerId: Ids.CustomerId,
  references: ReadonlyArray<Storage.ExternalReference>,
): Effect.Effect<ReadonlyArray<Storage.Versioned<Attribution.Attribution>>, Storage.StorageError> => {
  // Every record has one of these references; both arrays must have the same length.
  const possible = references.filter(
    ({ schemaId, externalReference }) => isUuid(schemaId) && Text.unstorable(externalReference) === null,
  );
  const distinctReferences = [
    ...new Map(
      possible.map((externalReference) => [
        `${externalReference.schemaId}/${externalReference.externalReference}`,
        externalReference,
      ]),
    ).values(),
  ];
  return recordsOf(
    runnerForRows(sql, distinctReferences.length),
    distinctReferences.length === 1 ? BY_REFERENCE : BY_REFERENCES,
    [
      customerId,
      uuids(distinctReferences.map(({ schemaId }) => schemaId)),
      texts(distinctReferences.map(({ externalReference }) => externalReference)),
    ],
  );
};

/** Returns the commissions of attributions, by id. */
export const commissionsOf = (
  sql: Runner,
  customerId: Ids.CustomerId,
  attributionIds: ReadonlyArray<Ids.AttributionId>,
): Effect.Effect<ReadonlyArray<Storage.Versioned<Commission.Commission>>, Storage.StorageError> =>
  recordsOf(runnerForRows(sql, attributionIds.length), COMMISSIONS_OF, [
    customerId,
    uuids(new Set(attributionIds)),
  ]);

const OPEN_DELIVERIES = forCustomer(`
select ${record("webhookDelivery", "t")} as record from quittance.webhook_deliveries t
where t.customer_id = $1 and t.endpoint_id = $2 and t.ended_at is null order by t.position limit $3::bigint`);

/** Returns the deliveries to an endpoint that have not ended, by position. */
export const openDeliveries = (
  sql: Runner,
  ...parameters: Parameters<Storage.StorageService["openDeliveries"]>
) => records<Storage.Versioned<WebhookDelivery.WebhookDelivery>>(sql, OPEN_DELIVERIES, parameters);

const LOG = forCustomer(`select e.at, e.actor, e.person, e.event, e.stored from quittance.events e
where e.customer_id = $1 and e.record_id = any ($2::uuid[]) and e.kind = $3 order by e.sequence`);

/** Returns all events of a record, in order. */
export const log = <Name extends keyof Storage.Logged>(
  sql: Runner,
  customerId: Ids.CustomerId,
  kind: Name,
  id: string,
) =>
  Effect.map(rows<LogRow>(sql, LOG, [customerId, uuids([id]), kind]), (found) =>
    found.map((logRow) => entryFrom<Storage.Logged[Name]["event"]>(logRow)),
  );

const IDEMPOTENCY_RECORD = forCustomer(`select json_build_object('principalId', t.principal_id, 'key', t.key,
  'requestSha256', t.request_sha256, 'result', t.result, 'at', t.at) as record
from quittance.idempotency_records t where t.customer_id = $1 and t.principal_id = $2 and t.key = $3`);

/** Null when the command may have been stored and its id removed since. */
const IS_COMMITTED = forCustomer(`select coalesce(
  (select t.landed from quittance.commands t where t.customer_id = $1 and t.id = $2),
  case when $3::bigint >= quittance.now_milliseconds() - ${Storage.ABSENCE_IS_CONCLUSIVE_MILLISECONDS} then false end) as record`);

/** Returns the record of an idempotency key; null without one. */
export const findIdempotencyRecord = (
  sql: Runner,
  ...parameters: Parameters<Storage.StorageService["findIdempotencyRecord"]>
) => firstOr(records<Storage.IdempotencyRecord>(sql, IDEMPOTENCY_RECORD, parameters), null);

/** True if a command is stored; fails as `unknown` when its id may have been removed. */
export const isCommitted = (
  sql: Runner,
  ...[customerId, { id, at }]: Parameters<Storage.StorageService["isCommitted"]>
): Effect.Effect<boolean, Storage.StorageError> =>
  Effect.flatMap(records<boolean | null>(sql, IS_COMMITTED, [customerId, id, at]), ([landed = null]) =>
    landed === null ? Effect.fail(Storage.possiblyPrunedError()) : Effect.succeed(landed),
  );
