/** Filters of lists and statistics as SQL conditions over the table aliased `t`. */
import { type Ids, Storage } from "quittance";
import { lookUpByKey } from "../planning.ts";
import { tableName } from "../records/Tables.ts";
import type * as Rollup from "../rollups/Rollup.ts";
import { type Parameter, texts, uuids } from "../Statement.ts";
import { byExternalReference } from "./ExternalReference.ts";
import { datedIn, undatedIn } from "./Occurrence.ts";
import { hasChangedLine } from "./Staleness.ts";

/** Conditions that AND together, and the parameters they name. */
interface Filter {
  readonly condition: string;
  readonly parameters: ReadonlyArray<Parameter>;
}

/** A filter, the rows aliased `t` that it applies to, and the expression that sorts them. */
export interface ListFilter extends Filter {
  readonly from: string;
  readonly moment: string;
}

/** Rows aliased `t`, found by the values of one filter. */
interface Candidates {
  /** The values; `$` stands for them in `from`, where it occurs once. */
  readonly parameter: string;
  readonly from: string;
}

const PARTNER_OWNED: ReadonlySet<Storage.Kind> = new Set([
  "attribution",
  "formula",
  "commission",
  "settlement",
  "settlementRunResult",
]);

/** Records of the customer as a whole. */
const OF_NO_WORKSPACE: ReadonlySet<Storage.Kind> = new Set([
  "apiKey",
  "paymentFile",
  "webhookEndpoint",
  "webhookDelivery",
]);

/** Collects conditions; `$` in a condition stands for its one parameter. */
class Conditions {
  readonly #conditions: Array<string> = [];
  readonly #parameters: Array<Parameter> = [];

  add(condition: string, parameter: Parameter | undefined): this {
    if (parameter === undefined) return this;
    this.#parameters.push(parameter);
    this.#conditions.push(condition.replace(/\$(?!\d)/, `$${this.#parameters.length}`));
    return this;
  }

  /** A condition without a parameter. */
  addFixed(condition: string | undefined): this {
    if (condition !== undefined) this.#conditions.push(condition);
    return this;
  }

  /** The column is one of the ids; absent ids filter nothing, an empty list matches nothing. */
  addAmong(column: string, ids: ReadonlyArray<string> | undefined): this {
    return this.add(`${column} = any ($::uuid[])`, ids === undefined ? undefined : uuids(ids));
  }

  /** The same for texts. */
  addAmongTexts(column: string, values: ReadonlyArray<string> | undefined): this {
    return this.add(`${column} = any ($::text[])`, values === undefined ? undefined : texts(values));
  }

  toFilter(): Filter {
    return { condition: this.#conditions.join(" and ") || "true", parameters: this.#parameters };
  }
}

/** The filters on customer, workspace and partner. */
export const ownershipConditions = (
  tenant: Storage.Tenant,
  kind: Storage.ListedKind,
  where: Pick<Storage.Where, "customerIds" | "workspaceIds" | "partnerIds">,
): Conditions => {
  const customer: Ids.CustomerId | undefined = tenant === Storage.AllCustomers ? undefined : tenant;
  const partner = kind === "partner" ? "t.id" : PARTNER_OWNED.has(kind) ? "t.partner_id" : null;
  const conditions = new Conditions()
    .add("t.customer_id = $::uuid", customer)
    .addAmong("t.customer_id", where.customerIds)
    .addAmong("t.workspace_id", OF_NO_WORKSPACE.has(kind) ? undefined : where.workspaceIds);
  return partner === null ? conditions : conditions.addAmong(partner, where.partnerIds);
};

/**
 * The customer of the rows joined to a row `t`, as an expression. A statement on one customer names the parameter with
 * each table, so that a distributed database sends it to one node.
 */
export const customerOf = (tenant: Storage.Tenant): string =>
  tenant === Storage.AllCustomers ? "t.customer_id" : "$1";

const holdsAny = (customer: string): string => `exists (
  select from quittance.settlement_lines l
  where l.customer_id = ${customer} and l.settlement_id = t.id and l.commission_id = any ($::uuid[]))`;

const inAny = (customer: string): string => `exists (
  select from quittance.settlement_lines l
  where l.customer_id = ${customer} and l.commission_id = t.id and l.settlement_id = any ($::uuid[]))`;

/** Whether a list of settlements needs a condition on their lines. It does not when the lines lead to the settlements. */
const needsLineCondition = (tenant: Storage.Tenant, { commissionIds, ids }: Storage.Where): boolean =>
  commissionIds !== undefined && (tenant === Storage.AllCustomers || ids !== undefined);

/** The same for a list of commissions and the settlements that they are in. */
const needsSettlementCondition = (
  tenant: Storage.Tenant,
  { settlementIds, ids, attributionIds }: Storage.Where,
): boolean =>
  settlementIds !== undefined &&
  (tenant === Storage.AllCustomers || ids !== undefined || attributionIds !== undefined);

/** A formula has one partner, and commissions have an index by partner; for customer `$1`. */
const OF_THEIR_PARTNERS = `t.partner_id = any (array(
  select f.partner_id from quittance.formulas f where f.id = any ($::uuid[]) and f.customer_id = $1))`;

/** Conditions on the sign of the amount due; each implies the condition of the index `commissions_due`. */
const DUE = {
  nonzero: "t.due_sign in (-1, 1)",
  positive: "t.due_sign = 1",
  negative: "t.due_sign = -1",
} as const;

/** Whether the settlement `t` is a draft with a line that differs from what its commission is due now. */
export const isStale = (tenant: Storage.Tenant): string =>
  `t.status = 'draft' and ${hasChangedLine(customerOf(tenant), "t.id", tenant !== Storage.AllCustomers)}`;

const staleCondition = (tenant: Storage.Tenant, stale: boolean | undefined): string | undefined =>
  stale === undefined ? undefined : stale ? isStale(tenant) : `not (${isStale(tenant)})`;

/** Whether the payment of the settlement `t` is overdue: it was to be carried out before the day of the parameter. */
const IS_OVERDUE =
  "t.status = 'payment_initiated' and coalesce(t.view->'handedOver'->>'executionDate' < $ collate \"C\", false)";

const overdueCondition = ({ paymentOverdue }: Storage.Where): string =>
  paymentOverdue?.matches === true ? IS_OVERDUE : `not (${IS_OVERDUE})`;

/** Cancelled attributions have an index of their own; PostgreSQL uses it only for this literal condition. */
const attributionStatuses = (statuses: Storage.Where["statuses"]): string | undefined =>
  statuses !== undefined && statuses.length > 0 && statuses.every((status) => status === "cancelled")
    ? "t.status = 'cancelled'"
    : undefined;

/** The ids that a grant lists, as JSON; undefined when the grant has no bound. */
const grantedIds = (ids: "*" | ReadonlyArray<string> | undefined): string | undefined =>
  ids === undefined || ids === "*" ? undefined : JSON.stringify(ids);

const NAMED = "strpos(t.name_searchable, $) > 0";

/** Active with a window that covers the moment. */
const COVERS = `t.status = 'active' and exists (
  select from (values ($::bigint)) as requested (moment)
  where t.start_datetime <= moment and (t.end_datetime is null or moment < t.end_datetime))`;

/**
 * The only records of customer `$1` that a list with ids can contain, looked up by these ids, so that no other rows are
 * read. Null when the list names no ids. `$` stands for the ids, and occurs once.
 */
const candidates = (kind: Storage.ListedKind, where: Storage.Where): Candidates | null => {
  const byId = lookUpByKey({ table: tableName(kind), columns: "t.*", customer: "$1", id: "w.id" });
  if (where.ids !== undefined) {
    return {
      parameter: uuids(new Set(where.ids)),
      from: `unnest($::uuid[]) as w(id) cross join lateral ${byId} t`,
    };
  }
  if (kind === "commission" && where.attributionIds !== undefined) {
    const commissionsByAttribution = `(select t.* from quittance.commissions t
    where t.customer_id = $1 and t.attribution_id >= w.id and t.attribution_id <= w.id order by t.attribution_id)`;
    return {
      parameter: uuids(new Set(where.attributionIds)),
      from: `unnest($::uuid[]) as w(id) cross join lateral ${commissionsByAttribution} t`,
    };
  }
  if (kind === "settlement" && where.commissionIds !== undefined) {
    const holdingSettlements = `(select distinct l.settlement_id as id from unnest($::uuid[]) as c(id) cross join lateral (
    select l.settlement_id from quittance.settlement_lines l
    where l.customer_id = $1 and l.commission_id >= c.id and l.commission_id <= c.id order by l.commission_id) l)`;
    return {
      parameter: uuids(new Set(where.commissionIds)),
      from: `${holdingSettlements} w cross join lateral ${byId} t`,
    };
  }
  if (kind === "commission" && where.settlementIds !== undefined) {
    const heldCommissions = `(select distinct l.commission_id as id from unnest($::uuid[]) as s(id) cross join lateral (
    select l.commission_id from quittance.settlement_lines l
    where l.customer_id = $1 and l.settlement_id >= s.id and l.settlement_id <= s.id
    order by l.settlement_id, l.position) l)`;
    return {
      parameter: uuids(new Set(where.settlementIds)),
      from: `${heldCommissions} w cross join lateral ${byId} t`,
    };
  }
  if (kind === "attribution" && where.externalReferences !== undefined) {
    // A reference is unique within a schema, and a customer has few schemas.
    const attributionByReference = byExternalReference("t.*", "s.id", "w.reference");
    return {
      parameter: texts(new Set(where.externalReferences)),
      from: `unnest($::text[]) as w(reference)
    cross join (select s.id from quittance.schemas s where s.customer_id = $1) s cross join lateral ${attributionByReference} t`,
    };
  }
  return null;
};

/**
 * Whether the matches have an index of their own. Such a list is sorted by an expression: the planner would otherwise
 * prefer an index by creation, expecting the first page early, and scan it to its end when the matches are there.
 */
const hasOwnIndex = (kind: Storage.ListedKind, where: Storage.Where): boolean =>
  kind === "commission"
    ? where.due !== undefined || where.formulaIds !== undefined
    : kind === "formula"
      ? where.planIds !== undefined
      : kind === "settlement" &&
        (where.statuses !== undefined || where.stale === true || where.paymentOverdue?.matches === true);

/** Whether a list of a kind that has the date is filtered by it. */
const hasOccurrence = (
  kind: Storage.ListedKind,
  { occurredFrom, occurredTo }: Storage.Where,
): kind is "attribution" | "commission" =>
  (kind === "attribution" || kind === "commission") && (occurredFrom ?? occurredTo) !== undefined;

/** Later than every moment. */
const NEVER = Number.MAX_SAFE_INTEGER;

/**
 * A list by date that no other filter narrows: the dated and the other rows are found by an index each. The dated ones are
 * read as a whole (`offset 0`): for a page the planner would otherwise search them in the order of creation, among all rows.
 */
const listFilterByOccurrence = (
  tenant: Storage.Tenant,
  kind: "attribution" | "commission",
  { occurredFrom = Number.MIN_SAFE_INTEGER, occurredTo = NEVER, ...others }: Storage.Where,
): ListFilter => {
  const { condition, parameters } = conditionsOf(tenant, kind, others);
  const span = { from: `$${parameters.length + 1}::bigint`, to: `$${parameters.length + 2}::bigint` };
  const rows = `select t.* from ${tableName(kind)} t where ${condition}`;
  return {
    condition,
    parameters: [...parameters, occurredFrom, occurredTo],
    from: `(${rows} and ${undatedIn(span)}
    union all (${rows} and ${datedIn(span)} offset 0)) t`,
    moment: "t.created_at",
  };
};

/** The filters of a list; a filter that the kind does not have has no effect. */
export const listFilter = (
  tenant: Storage.Tenant,
  kind: Storage.ListedKind,
  where: Storage.Where,
): ListFilter => {
  const candidateRows = tenant === Storage.AllCustomers ? null : candidates(kind, where);
  if (candidateRows === null && hasOccurrence(kind, where) && !hasOwnIndex(kind, where)) {
    return listFilterByOccurrence(tenant, kind, where);
  }
  const { condition, parameters } = conditionsOf(tenant, kind, where);
  const moment = hasOwnIndex(kind, where) ? "t.created_at + 0" : "t.created_at";
  return candidateRows === null
    ? { condition, parameters, from: `${tableName(kind)} t`, moment }
    : {
        condition,
        moment,
        parameters: [...parameters, candidateRows.parameter],
        from: candidateRows.from.replace("$:", `$${parameters.length + 1}:`),
      };
};

const commissionConditions = (
  conditions: Conditions,
  tenant: Storage.Tenant,
  where: Storage.Where,
): Conditions => {
  const formulaIds = where.formulaIds === undefined ? undefined : uuids(where.formulaIds);
  return conditions
    .addAmong("t.attribution_id", where.attributionIds)
    .addAmong("t.formula_id", where.formulaIds)
    .add(OF_THEIR_PARTNERS, tenant === Storage.AllCustomers ? undefined : formulaIds)
    .addAmongTexts("t.currency", where.currencies)
    .addFixed(where.due === undefined ? undefined : DUE[where.due])
    .add(
      inAny(customerOf(tenant)),
      needsSettlementCondition(tenant, where) ? uuids(where.settlementIds ?? []) : undefined,
    )
    .add("t.settlement_status = $", where.settlementStatus)
    .add("t.occurred_at >= $::bigint", where.occurredFrom)
    .add("t.occurred_at < $::bigint", where.occurredTo);
};

const settlementConditions = (
  conditions: Conditions,
  tenant: Storage.Tenant,
  where: Storage.Where,
): Conditions =>
  conditions
    .addAmongTexts("t.status", where.statuses)
    .addAmongTexts("t.currency", where.currencies)
    .add("t.created_at >= $::bigint", where.createdFrom)
    .add("t.created_at < $::bigint", where.createdTo)
    .add(
      holdsAny(customerOf(tenant)),
      needsLineCondition(tenant, where) ? uuids(where.commissionIds ?? []) : undefined,
    )
    .addFixed(staleCondition(tenant, where.stale))
    .add(overdueCondition(where), where.paymentOverdue?.before);

const conditionsOf = (tenant: Storage.Tenant, kind: Storage.ListedKind, where: Storage.Where): Filter => {
  const conditions = ownershipConditions(tenant, kind, where).addAmong("t.id", where.ids);
  switch (kind) {
    case "commission":
      return commissionConditions(conditions, tenant, where).toFilter();
    case "settlement":
      return settlementConditions(conditions, tenant, where).toFilter();
    case "formula":
      return conditions.add(COVERS, where.activeAt).addAmong("t.plan_id", where.planIds).toFilter();
    case "schema":
    case "plan":
      return conditions.add(NAMED, where.nameContains).toFilter();
    case "partner":
      return conditions
        .add(NAMED, where.nameContains)
        .add("t.billing_mode is not distinct from $::text", where.billingMode)
        .toFilter();
    case "apiKey":
      return conditions
        .add("t.view->'workspaceIds' <@ $::jsonb", grantedIds(where.keysWithin?.workspaceIds))
        .add("t.view->'partnerIds' <@ $::jsonb", grantedIds(where.keysWithin?.partnerIds))
        .add("t.view->>'agentId' = $", where.keysWithin?.agentId ?? undefined)
        .toFilter();
    case "paymentFile":
    case "settlementRun":
      return conditions.toFilter();
    case "webhookEndpoint":
      return conditions.addAmongTexts("t.status", where.statuses).toFilter();
    case "webhookDelivery":
      return conditions
        .addAmong("t.endpoint_id", where.endpointIds)
        .addAmongTexts("t.status", where.statuses)
        .toFilter();
    case "settlementRunResult":
      return conditions.addAmong("t.run_id", where.runIds).toFilter();
    case "attribution":
      return conditions
        .addAmong("t.schema_id", where.schemaIds)
        .addFixed(attributionStatuses(where.statuses))
        .addAmongTexts("t.status", where.statuses)
        .addAmongTexts("t.external_reference", where.externalReferences)
        .add("t.occurred_at >= $::bigint", where.occurredFrom)
        .add("t.occurred_at < $::bigint", where.occurredTo)
        .toFilter();
  }
};

/** The same filters over rollups of the kind, with the same parameters; only for what {@link Rollup.canCount} allows. */
export const rollupCondition = (tenant: Storage.Tenant, kind: Rollup.Kind, where: Storage.Where): string =>
  rollupConditions(tenant, kind, where).toFilter().condition;

const rollupConditions = (tenant: Storage.Tenant, kind: Rollup.Kind, where: Storage.Where): Conditions =>
  kind === "attribution"
    ? ownershipConditions(tenant, kind, where).addAmongTexts("t.status", where.statuses)
    : ownershipConditions(tenant, kind, where)
        .addAmongTexts("t.currency", where.currencies)
        .add("t.status = $", where.settlementStatus);
