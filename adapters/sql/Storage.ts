/**
 * The storage port over SQL: every read is one statement, and so one snapshot.
 * What belongs to a row is fetched by subqueries that only the key can answer, however little the planner knows of the
 * tables: see {@link keyed}.
 */
import { Effect, Stream } from "effect";
import { type Attribution, type Document, type Formula, type Ids, Storage } from "quittance";
import { ready } from "./migrations/Migrations.ts";
import { keyed } from "./planning.ts";
import { list } from "./reading/Page.ts";
import * as Tally from "./reading/Statistics.ts";
import { record } from "./records/RowMapping.ts";
import { tableName } from "./records/Tables.ts";
import { pages, parsed, type Runner, records, row, rows, sized, uuids } from "./Statement.ts";
import { forCustomer, forTenant } from "./TenantScope.ts";
import { prune } from "./writing/Prune.ts";

/** Lines read at a time when a settlement is exported. */
const LINES_PER_READ = 1_000;

/** Ids, each once, and whose records they are of. */
const parametersOf = (tenant: Storage.Tenant, ids: Iterable<string>): ReadonlyArray<string> => {
  const distinct = uuids(new Set(ids));
  return tenant === Storage.AllCustomers ? [distinct] : [distinct, tenant];
};

/** One id as one value: where the planner sees that a key is asked for, it plans once and not each time. */
const ONE = "($1::uuid[])[1]";

/** By ids alone, across customers. */
const anybodys = (kind: Storage.Kind): string =>
  `select ${record(kind, "t")} as record from ${tableName(kind)} t where t.id = any ($1::uuid[])`;

const find = <Kind extends Storage.Kind>(
  sql: Runner,
  tenant: Storage.Tenant,
  kind: Kind,
  ids: ReadonlyArray<string>,
) => {
  const table = tableName(kind);
  const found = (id: string): string =>
    keyed({ table, columns: `${record(kind, "t")} as record`, customer: "$2", id });
  const text =
    tenant === Storage.AllCustomers
      ? anybodys(kind)
      : ids.length === 1
        ? `select r.record from ${found(ONE)} r`
        : `select r.record from unnest($1::uuid[]) as w(id) cross join lateral ${found("w.id")} r`;
  return records<Storage.Versioned<Storage.Rows[Kind]>>(
    sql,
    forTenant(tenant, text, 2),
    parametersOf(tenant, ids),
  );
};

const PROGRAM = forCustomer(`
select
  coalesce((select p.version from quittance.formula_sets p
    where p.customer_id = $1 and p.partner_id = $2 and p.schema_id = $3), 0) as version,
  (select coalesce(json_agg(${record("formula", "t")} order by t.created_at, t.id), '[]')
    from quittance.formulas t where t.customer_id = $1 and t.partner_id = $2 and t.schema_id = $3) as formulas`);

const program = (sql: Runner, customerId: Ids.CustomerId, partnerId: Ids.PartnerId, schemaId: Ids.SchemaId) =>
  Effect.map(
    row<Storage.FormulaSet>(sql, PROGRAM, [customerId, partnerId, schemaId]),
    (found) => found ?? { version: 0, formulas: [] },
  );

const MATCHING = forCustomer(`
select ${record("attribution", "a")}::text as attribution,
  ${keyed({
    table: "quittance.commissions",
    columns: `${record("commission", "t")}::text`,
    customer: "$1",
    key: "attribution_id",
    id: "a.id",
    condition: "t.formula_id = $5",
  })} as commission
from quittance.attributions a
where a.customer_id = $1 and a.partner_id = $2 and a.schema_id = $3 and a.workspace_id = $4
  and (a.created_at, a.id) > ($6::bigint, $7::uuid) and a.created_at < $8::bigint
order by a.created_at, a.id limit $9::bigint`);

const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";
/** Later than any moment. */
const NEVER = Number.MAX_SAFE_INTEGER;

const matching = (
  sql: Runner,
  { customerId, partnerId, schemaId, workspaceId, id }: Formula.Formula,
  { from, to, after, limit }: Parameters<Storage.StorageService["attributionsForFormula"]>[1],
) => {
  // Where there is no position, or one before the span, the span begins after everything before it.
  const position = after !== null && after.createdAt >= from ? after : { createdAt: from - 1, id: LAST_ID };
  return parsed<Storage.AttributionForFormula>(sized(sql, limit), MATCHING, [
    customerId,
    partnerId,
    schemaId,
    workspaceId,
    id,
    position.createdAt,
    position.id,
    to ?? NEVER,
    limit,
  ]);
};

const attributionOf = (commission: string): string =>
  keyed({
    table: "quittance.attributions",
    columns: `${record("attribution", "t")}::text`,
    customer: `${commission}.customer_id`,
    id: `${commission}.attribution_id`,
  });

const OWN_OUTSTANDING = keyed({
  table: "quittance.commissions",
  columns: "t.*",
  customer: "$2",
  id: "w.id",
});

const outstanding = (sql: Runner, tenant: Storage.Tenant, commissionIds: ReadonlyArray<Ids.CommissionId>) => {
  const source =
    tenant === Storage.AllCustomers
      ? "quittance.commissions c where c.id = any ($1::uuid[])"
      : `unnest($1::uuid[]) as w(id) cross join lateral ${OWN_OUTSTANDING} c`;
  return parsed<Storage.CommissionWithAttribution>(
    sized(sql, commissionIds.length),
    forTenant(
      tenant,
      `select ${record("commission", "c")}::text as commission, ${attributionOf("c")} as attribution from ${source}`,
      2,
    ),
    parametersOf(tenant, commissionIds),
  );
};

const LINES = forCustomer(`
select json_build_object('position', l.position, 'line', json_build_object(
  'commissionId', l.commission_id, 'amount', l.amount, 'attributionId', a.id,
  'attributionCreatedAt', a.created_at)) as record
from quittance.settlement_lines l
cross join lateral ${keyed({
  table: "quittance.commissions",
  columns: "t.attribution_id",
  customer: "$1",
  id: "l.commission_id",
})} c
cross join lateral ${keyed({
  table: "quittance.attributions",
  columns: "t.id, t.created_at",
  customer: "$1",
  id: "c.attribution_id",
})} a
where l.customer_id = $1 and l.settlement_id = $2 and l.position > $3::integer
order by l.position limit $4::bigint`);

interface PlacedLine {
  readonly position: number;
  readonly line: Storage.ExportLine;
}

/** Lines never change, so pages of them are one snapshot. */
const lines = (sql: Runner, customerId: Ids.CustomerId, settlementId: Ids.SettlementId) =>
  Stream.map(
    pages<PlacedLine>(LINES_PER_READ, (after) =>
      records(sql, LINES, [customerId, settlementId, after?.position ?? -1, LINES_PER_READ]),
    ),
    ({ line }) => line,
  );

const ELSEWHERE = forCustomer(`
select l.commission_id as record
from (select l.commission_id from quittance.settlement_lines l
  where l.customer_id = $1 and l.settlement_id = $2 order by l.position) l
where $2 <> ${keyed({
  table: "quittance.reservations",
  columns: "t.settlement_id",
  customer: "$1",
  key: "commission_id",
  id: "l.commission_id",
})}`);

const LOG = forCustomer(`select e.at, e.actor, e.event, e.stored from quittance.events e
where e.customer_id = $1 and e.record_id = any ($2::uuid[]) and e.kind = $3 order by e.sequence`);

interface LogRow<Event> {
  readonly at: number | string;
  readonly actor: string;
  readonly event: Event;
  /** Null for an event without a stored part. */
  readonly stored: unknown;
}

const log = <Name extends keyof Storage.Logged>(
  sql: Runner,
  customerId: Ids.CustomerId,
  kind: Name,
  id: string,
) =>
  Effect.map(
    rows<LogRow<Storage.Logged[Name]["event"]>>(sql, LOG, [customerId, uuids([id]), kind]),
    (entries) =>
      entries.map(({ at, actor, event, stored }) => ({
        at: Number(at),
        actor,
        event: stored === null ? event : { ...event, stored },
      })),
  );

/** The paid lines of the commission of the line `h`, found by its key: no other index brings them in this order. */
const PAID_LINES = `
select l.settlement_id, l.amount from quittance.settlement_lines l
where l.customer_id = $1 and l.commission_id = h.commission_id and l.settlement_id <> $2 and (
  select s.status from quittance.settlements s where s.customer_id = $1 and s.id = l.settlement_id) = 'paid'
order by l.settlement_id`;

/** Line by line, each by the key of its commission: nothing is joined that a wrong guess could join the long way round. */
const STANDING = forCustomer(`
select json_build_object('commissionId', h.commission_id, 'amount', h.amount, 'standing', s.standing) as record
from quittance.settlement_lines h
cross join lateral (
  select json_agg(json_build_object('originId', o.origin_id, 'amount', o.amount)
    order by o.created_at desc, o.origin_id desc) as standing
  from (
    select p.origin_id, sum(p.amount)::bigint as amount, (
      select s.created_at from quittance.settlements s where s.customer_id = $1 and s.id = p.origin_id) as created_at
    from (
      select l.settlement_id as origin_id, l.amount from (${PAID_LINES}) l
      union all
      select t.origin_id, t.amount from (${PAID_LINES}) l cross join lateral (
        select t.origin_id, t.amount from quittance.taken_back t
        where t.customer_id = $1 and t.settlement_id = l.settlement_id and t.commission_id = h.commission_id
        union all
        select t.settlement_id, -t.amount from quittance.taken_back t
        where t.customer_id = $1 and t.settlement_id = l.settlement_id and t.commission_id = h.commission_id
        offset 0) t
    ) p group by p.origin_id having sum(p.amount) <> 0
  ) o
) s
where h.customer_id = $1 and h.settlement_id = $2 and s.standing is not null`);

const TAKEN_BACK = forCustomer(`select json_build_object(
  'commissionId', t.commission_id, 'originId', t.origin_id, 'amount', t.amount) as record
from quittance.taken_back t where t.customer_id = $1 and t.settlement_id = $2`);

const REFERENCED = forCustomer(`select ${record("attribution", "t")} as record from quittance.attributions t
where t.customer_id = $1 and t.schema_id = $2 and t.external_reference = $3`);

const COMMISSIONS_OF = forCustomer(`select ${record("commission", "t")} as record from quittance.commissions t
where t.customer_id = $1 and t.attribution_id = $2 order by t.id`);

const DOCUMENT_OF = forCustomer(`select ${record("document", "t")} as record from quittance.documents t
where t.customer_id = $1 and t.settlement_id = $2 and t.kind = $3
order by t.revision desc limit 1`);

const LAST_NUMBER = forCustomer(`select t.last_number as record from quittance.document_series t
where t.customer_id = $1 and t.partner_id = $2 and t.kind = $3`);

const REMEMBERED = forCustomer(`select json_build_object('principalId', t.principal_id, 'key', t.key,
  'requestSha256', t.request_sha256, 'result', t.result, 'at', t.at) as record
from quittance.idempotency_records t where t.customer_id = $1 and t.principal_id = $2 and t.key = $3`);

/** Null where the command may have been stored and its id removed since. */
const HAPPENED = forCustomer(`select coalesce(
  (select t.landed from quittance.commands t where t.customer_id = $1 and t.id = $2),
  case when $3::bigint >= quittance.now_milliseconds() - ${Storage.ABSENCE_TELLS_MILLISECONDS} then false end) as record`);

const happened = (
  sql: Runner,
  ...[customerId, { id, at }]: Parameters<Storage.StorageService["isCommitted"]>
): Effect.Effect<boolean, Storage.StorageError> =>
  Effect.flatMap(records<boolean | null>(sql, HAPPENED, [customerId, id, at]), ([landed = null]) =>
    landed === null ? Effect.fail(Storage.forgotten()) : Effect.succeed(landed),
  );

const STALE = forCustomer("select quittance.is_stale($1, $2) as record");

/** The first record, or what stands for none. */
const first = <Record, None>(
  found: Effect.Effect<ReadonlyArray<Record>, Storage.StorageError>,
  none: None,
): Effect.Effect<Record | None, Storage.StorageError> => Effect.map(found, ([one]) => one ?? none);

/** The storage service over a database that has been migrated, and the door that its commits go through. */
export const make = (sql: Runner, commit: Storage.StorageService["commit"]): Storage.StorageService => ({
  commit,
  find: (tenant, kind, ids) => find(sql, tenant, kind, ids),
  list: (tenant, kind, query) => list(sql, tenant, kind, query),
  formulaSet: (customerId, partnerId, schemaId) => program(sql, customerId, partnerId, schemaId),
  findByExternalReference: (customerId, schemaId, externalReference) =>
    first(
      records<Storage.Versioned<Attribution.Attribution>>(sql, REFERENCED, [
        customerId,
        schemaId,
        externalReference,
      ]),
      null,
    ),
  attributionsForFormula: (formula, span) => matching(sql, formula, span),
  commissionsWithAttributions: (tenant, commissionIds) => outstanding(sql, tenant, commissionIds),
  commissionsOf: (customerId, attributionId) => records(sql, COMMISSIONS_OF, [customerId, attributionId]),
  settlementLines: (customerId, settlementId) => lines(sql, customerId, settlementId),
  heldByOtherSettlements: (customerId, settlementId) => records(sql, ELSEWHERE, [customerId, settlementId]),
  isStale: (customerId, settlementId) =>
    first(records<boolean>(sql, STALE, [customerId, settlementId]), false),
  standingLines: (customerId, settlementId) => records(sql, STANDING, [customerId, settlementId]),
  takenBackParts: (customerId, settlementId) => records(sql, TAKEN_BACK, [customerId, settlementId]),
  latestDocument: (customerId, settlementId, kind) =>
    first(
      records<Storage.Versioned<Document.Document>>(sql, DOCUMENT_OF, [customerId, settlementId, kind]),
      null,
    ),
  lastNumber: (customerId, partnerId, kind) =>
    first(records<number>(sql, LAST_NUMBER, [customerId, partnerId, kind]), 0),
  attributionStatistics: (tenant, query) => Tally.attributions(sql, tenant, query),
  commissionStatistics: (tenant, query) => Tally.commissions(sql, tenant, query),
  findIdempotencyRecord: (customerId, principalId, key) =>
    first(records<Storage.IdempotencyRecord>(sql, REMEMBERED, [customerId, principalId, key]), null),
  isCommitted: (customerId, command) => happened(sql, customerId, command),
  prune: (pruning) => prune(sql, pruning),
  log: (customerId, kind, id) => log(sql, customerId, kind, id),
  ready: ready(sql),
});
