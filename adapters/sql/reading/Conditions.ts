/** Filters of lists and statistics as SQL conditions over the table aliased `t`. */
import { Credit, Storage, Text } from "quittance";
import type * as Rollup from "../rollups/Rollup.ts";
import { type Parameter, texts, uuids } from "../Statement.ts";
import { hasChangedLine } from "./Staleness.ts";

/** Conditions that AND together, and the parameters they name. */
export interface Filter {
  readonly condition: string;
  readonly parameters: ReadonlyArray<Parameter>;
}

/** Collects conditions; each `$` in a condition stands for its one parameter. */
class Conditions {
  readonly #conditions: Array<string> = [];
  readonly #parameters: Array<Parameter> = [];

  add(condition: string, parameter: Parameter | undefined): this {
    if (parameter === undefined) return this;
    this.#parameters.push(parameter);
    this.#conditions.push(condition.replace(/\$(?!\d)/g, `$${this.#parameters.length}`));
    return this;
  }

  /** A condition without a parameter. */
  addFixed(condition: string | undefined): this {
    if (condition !== undefined) this.#conditions.push(condition);
    return this;
  }

  toFilter(): Filter {
    return { condition: this.#conditions.join(" and ") || "true", parameters: this.#parameters };
  }
}

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

/** A formula has one partner, and commissions have an index by partner; for customer `$1`. */
const OF_THEIR_PARTNERS = `t.partner_id = any (array(
  select f.partner_id from quittance.formulas f where f.id = any ($::uuid[]) and f.customer_id = $1))`;

/** Conditions on the sign of the amount due; each implies the condition of the index `commissions_due`. */
const DUE: { readonly [Sign in Storage.Filter.Sign]: string | undefined } = {
  any: undefined,
  nonzero: "t.due_sign in (-1, 1)",
  positive: "t.due_sign = 1",
  negative: "t.due_sign = -1",
};

/** True if the settlement `t` is a draft with a line that differs from what its commission is due now. */
export const isStale = (tenant: Storage.Tenant): string =>
  `t.status = 'draft' and ${hasChangedLine(customerOf(tenant), "t.id", tenant !== Storage.AllCustomers)}`;

const HAS_TAX_REVIEW = "coalesce(t.view->'taxReview', 'null') <> 'null'";

/** True if the settlement `t` is to be paid after an attempt that has failed or come back. */
const HAS_FAILED_PAYMENT = "t.status = 'awaiting_payment' and (t.view->>'attempt')::int > 0";

const HAS_PROPOSAL = `coalesce(t.payout_accounts @> '[{"status": "proposed"}]', false)`;

const DOCUMENT_NUMBERS =
  "array[t.view->>'reportNumber', t.view->>'invoiceNumber', t.view->>'creditNoteNumber']";

/** True if the payment of the settlement `t` is overdue: it was to be carried out before the day of the parameter. */
const IS_OVERDUE =
  "t.status = 'payment_initiated' and coalesce(t.view->'handedOver'->>'executionDate' < $ collate \"C\", false)";

const NAMED = "strpos(t.name_searchable, $) > 0";

/** A window that covers the moment. */
const COVERS = `exists (
  select from (values ($::bigint)) as requested (moment)
  where t.start_datetime <= moment and (t.end_datetime is null or moment < t.end_datetime))`;

/** The link names one of the partners at either end. */
const NAMES_ANY = `exists (
  select from (values ($::uuid[])) as requested (partners)
  where t.partner_id = any (partners) or t.upline_partner_id = any (partners))`;

/** The list that a condition is for. */
interface List<Kind extends Storage.ListedKind> {
  readonly tenant: Storage.Tenant;
  readonly where: Storage.Filters[Kind];
}

/** Adds the condition of one filter. */
type Add<Value, Kind extends Storage.ListedKind> = (
  conditions: Conditions,
  value: Value,
  list: List<Kind>,
) => unknown;

type Texts = ReadonlyArray<string>;

/** The column is one of the ids; an empty list matches nothing. */
const uuidIn = (column: string) => (conditions: Conditions, values: Texts) =>
  conditions.add(`${column} = any ($::uuid[])`, uuids(values));

/** The same for texts. */
const textIn = (column: string) => (conditions: Conditions, values: Texts) =>
  conditions.add(`${column} = any ($::text[])`, texts(values));

/** A condition whose parameter, `$`, is the value itself. */
const when = (condition: string) => (conditions: Conditions, value: string | number) =>
  conditions.add(condition, value);

const named = (conditions: Conditions, name: string) => conditions.add(NAMED, Text.searchable(name));

const shared = { customerIds: uuidIn("t.customer_id"), ids: uuidIn("t.id") };
const ofWorkspace = {
  customerIds: uuidIn("t.customer_id"),
  workspaceIds: uuidIn("t.workspace_id"),
  ids: uuidIn("t.id"),
};
const ofPartner = {
  customerIds: uuidIn("t.customer_id"),
  workspaceIds: uuidIn("t.workspace_id"),
  partnerIds: uuidIn("t.partner_id"),
  ids: uuidIn("t.id"),
};

const occurrence = {
  occurredFrom: when("t.occurred_at >= $::bigint"),
  occurredTo: when("t.occurred_at < $::bigint"),
};

/** The ids that a grant lists, as JSON; undefined when the grant has no bound. */
const grantedIds = (ids: "*" | ReadonlyArray<string>): string | undefined =>
  ids === "*" ? undefined : JSON.stringify(ids);

/** The conditions of every filter, in the order of the statement. */
const CONDITIONS: {
  readonly [Kind in Storage.ListedKind]: {
    readonly [Name in Storage.FilterName<Kind>]: Add<Exclude<Storage.Filters[Kind][Name], undefined>, Kind>;
  };
} = {
  attribution: {
    ...ofPartner,
    schemaIds: uuidIn("t.schema_id"),
    statuses: (conditions, statuses) => {
      // Cancelled attributions have an index of their own; PostgreSQL uses it only for this literal condition.
      if (statuses.length > 0 && statuses.every((status) => status === "cancelled"))
        conditions.addFixed("t.status = 'cancelled'");
      conditions.add("t.status = any ($::text[])", texts(statuses));
    },
    externalReferences: textIn("t.external_reference"),
    originIds: (conditions, originIds) =>
      conditions.add("(t.id = any ($::uuid[]) or t.origin_id = any ($::uuid[]))", uuids(originIds)),
    roles: textIn(`coalesce(t.credit->>'role', '${Credit.SELLER}')`),
    ...occurrence,
  },
  formula: {
    ...ofPartner,
    activeAt: when(`t.status = 'active' and ${COVERS}`),
    planIds: uuidIn("t.plan_id"),
  },
  plan: { ...ofWorkspace, name: named },
  commission: {
    ...ofPartner,
    attributionIds: uuidIn("t.attribution_id"),
    formulaIds: (conditions, formulaIds, { tenant }) => {
      conditions.add("t.formula_id = any ($::uuid[])", uuids(formulaIds));
      if (tenant !== Storage.AllCustomers) conditions.add(OF_THEIR_PARTNERS, uuids(formulaIds));
    },
    currencies: textIn("t.currency"),
    due: (conditions, sign) => conditions.addFixed(DUE[sign]),
    waiting: (conditions, isWaiting) =>
      conditions.addFixed(isWaiting ? "t.waiting_amount > 0" : "coalesce(t.waiting_amount, 0) = 0"),
    settlementIds: (conditions, settlementIds, { tenant, where: { ids, attributionIds } }) => {
      // The lines lead to the commissions, unless others do.
      if (tenant === Storage.AllCustomers || (ids ?? attributionIds) !== undefined)
        conditions.add(inAny(customerOf(tenant)), uuids(settlementIds));
    },
    settlementStatus: when("t.settlement_status = $"),
    ...occurrence,
  },
  settlement: {
    ...ofPartner,
    statuses: textIn("t.status"),
    currencies: textIn("t.currency"),
    createdFrom: when("t.created_at >= $::bigint"),
    createdTo: when("t.created_at < $::bigint"),
    commissionIds: (conditions, commissionIds, { tenant, where: { ids } }) => {
      // The lines lead to the settlements, unless their ids do.
      if (tenant === Storage.AllCustomers || ids !== undefined)
        conditions.add(holdsAny(customerOf(tenant)), uuids(commissionIds));
    },
    stale: (conditions, stale, { tenant }) =>
      conditions.addFixed(stale ? isStale(tenant) : `not (${isStale(tenant)})`),
    taxReview: (conditions, isUnderReview) =>
      conditions.addFixed(isUnderReview ? HAS_TAX_REVIEW : `not (${HAS_TAX_REVIEW})`),
    paymentFailed: (conditions, hasFailed) =>
      conditions.addFixed(hasFailed ? HAS_FAILED_PAYMENT : `not (${HAS_FAILED_PAYMENT})`),
    documentNumbers: (conditions, numbers) =>
      conditions.add(`${DOCUMENT_NUMBERS} && $::text[]`, texts(numbers)),
    paymentOverdue: (conditions, { before, matches }) =>
      conditions.add(matches ? IS_OVERDUE : `not (${IS_OVERDUE})`, before),
  },
  schema: { ...ofWorkspace, name: named },
  partner: {
    customerIds: uuidIn("t.customer_id"),
    workspaceIds: uuidIn("t.workspace_id"),
    partnerIds: uuidIn("t.id"),
    ids: uuidIn("t.id"),
    name: named,
    billingMode: (conditions, mode) => conditions.add("t.billing_mode is not distinct from $::text", mode),
    externalReferences: textIn("t.external_reference"),
    tags: (conditions, tags) => conditions.add("t.tags ?| $::text[]", texts(tags)),
    statuses: textIn("t.status"),
    payoutAccountProposed: (conditions, isProposed) =>
      conditions.addFixed(isProposed ? HAS_PROPOSAL : `not ${HAS_PROPOSAL}`),
  },
  apiKey: {
    ...shared,
    uses: textIn("coalesce(t.view->>'use', 'program')"),
    // `*` is a text and no list, and contains no id.
    partnerIds: (conditions, partnerIds) =>
      conditions.add("t.view->'partnerIds' ?| $::text[]", texts(partnerIds)),
    within: (conditions, { workspaceIds, partnerIds, agentId }) =>
      conditions
        .add("t.view->'workspaceIds' <@ $::jsonb", grantedIds(workspaceIds))
        .add("t.view->'partnerIds' <@ $::jsonb", grantedIds(partnerIds))
        .add("t.view->>'agentId' = $", agentId ?? undefined),
  },
  paymentFile: shared,
  webhookEndpoint: { ...shared, statuses: textIn("t.status") },
  webhookDelivery: { ...shared, endpointIds: uuidIn("t.endpoint_id"), statuses: textIn("t.status") },
  planAcceptance: { ...ofPartner, planIds: uuidIn("t.plan_id") },
  partnerLink: {
    ...ofPartner,
    uplinePartnerIds: uuidIn("t.upline_partner_id"),
    roles: textIn("t.role"),
    activeAt: when(COVERS),
    naming: (conditions, partnerIds) => conditions.add(NAMES_ANY, uuids(partnerIds)),
  },
  settlementRun: ofWorkspace,
  settlementRunResult: { ...ofPartner, runIds: uuidIn("t.run_id") },
  planTrial: { ...ofWorkspace, planIds: uuidIn("t.plan_id") },
  planTrialResult: { ...ofPartner, trialIds: uuidIn("t.trial_id") },
  recreditRun: ofWorkspace,
  recreditRunResult: { ...ofWorkspace, runIds: uuidIn("t.run_id"), outcomes: textIn("t.outcome") },
};

/** The conditions over rollups of the filters that these have a column for, with the same parameters. */
const ROLLUP_CONDITIONS: {
  readonly [Kind in Rollup.Kind]: {
    readonly [Name in Storage.FilterName<Kind>]?: Add<Exclude<Storage.Filters[Kind][Name], undefined>, Kind>;
  };
} = {
  attribution: {
    customerIds: uuidIn("t.customer_id"),
    workspaceIds: uuidIn("t.workspace_id"),
    partnerIds: uuidIn("t.partner_id"),
    statuses: textIn("t.status"),
  },
  commission: {
    customerIds: uuidIn("t.customer_id"),
    workspaceIds: uuidIn("t.workspace_id"),
    partnerIds: uuidIn("t.partner_id"),
    currencies: textIn("t.currency"),
    settlementStatus: when("t.status = $"),
  },
};

const ofTenant = (tenant: Storage.Tenant): Conditions =>
  new Conditions().add("t.customer_id = $::uuid", tenant === Storage.AllCustomers ? undefined : tenant);

type Table = Readonly<Record<string, Add<never, never>>>;

/** Adds the conditions that a table has for the filters that are set; `order` has the names of the kind's filters. */
const addConditions = (tenant: Storage.Tenant, where: object, table: object, order: object): Filter => {
  const conditions = ofTenant(tenant);
  // A table takes the values of its kind's filters.
  const [values, adds] = [where as Readonly<Record<string, never>>, table as Table];
  for (const name of Object.keys(order)) {
    const value = values[name];
    if (value !== undefined) adds[name]?.(conditions, value, { tenant, where: where as never });
  }
  return conditions.toFilter();
};

/** The filters of a list or a statistic. */
export const filterOf = <Kind extends Storage.ListedKind>(
  tenant: Storage.Tenant,
  kind: Kind,
  where: Storage.Filters[Kind],
): Filter => addConditions(tenant, where, CONDITIONS[kind], CONDITIONS[kind]);

/**
 * The same filters over the rollups of the kind, with the same parameters; null when rollups do not know one of them, so that
 * the records themselves must be counted.
 */
export const rollupFilter = (tenant: Storage.Tenant, kind: Rollup.Kind, where: object): string | null => {
  const known = ROLLUP_CONDITIONS[kind];
  return Object.keys(where).every((name) => name in known)
    ? addConditions(tenant, where, known, CONDITIONS[kind]).condition
    : null;
};
