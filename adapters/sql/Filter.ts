/** Filters of lists and statistics as SQL conditions over the table aliased `t`. */
import { type Ids, Storage } from "quittance";
import { keyed } from "./migrations/planning.ts";
import { TABLES } from "./Record.ts";
import type * as Rollup from "./Rollup.ts";
import { type Parameter, uuids } from "./Statement.ts";

/** Conditions that AND together, and the parameters they name. */
export interface Filter {
  readonly condition: string;
  readonly parameters: ReadonlyArray<Parameter>;
}

/** A filter, and the rows aliased `t` that it is asked of. */
export interface Listed extends Filter {
  readonly from: string;
}

/** Rows aliased `t` that ids lead to. */
interface Candidates {
  readonly ids: ReadonlyArray<string>;
  readonly from: string;
}

const PARTNER_OWNED: ReadonlySet<Storage.Kind> = new Set([
  "attribution",
  "formula",
  "commission",
  "settlement",
]);

/** Gathers conditions; `$` in a condition stands for its one parameter. */
class Conditions {
  readonly #conditions: Array<string> = [];
  readonly #parameters: Array<Parameter> = [];

  add(condition: string, parameter: Parameter | undefined): this {
    if (parameter === undefined) return this;
    this.#parameters.push(parameter);
    this.#conditions.push(condition.replace("$", `$${this.#parameters.length}`));
    return this;
  }

  /** The ids of a filter; absent filters nothing, empty matches nothing. */
  among(column: string, ids: ReadonlyArray<string> | undefined): this {
    return this.add(`${column} = any ($::uuid[])`, ids === undefined ? undefined : uuids(ids));
  }

  done(): Filter {
    return { condition: this.#conditions.join(" and ") || "true", parameters: this.#parameters };
  }
}

/** Whose records: the filters on customer, workspace and partner, which every table of a kind knows. */
export const owned = (
  tenant: Storage.Tenant,
  kind: Storage.ListedKind,
  where: Pick<Storage.Where, "customerIds" | "workspaceIds" | "partnerIds">,
): Conditions => {
  const customer: Ids.CustomerId | undefined = tenant === Storage.AllCustomers ? undefined : tenant;
  const partner = kind === "partner" ? "t.id" : PARTNER_OWNED.has(kind) ? "t.partner_id" : null;
  const conditions = new Conditions()
    .add("t.customer_id = $::uuid", customer)
    .among("t.customer_id", where.customerIds)
    .among("t.workspace_id", kind === "apiKey" ? undefined : where.workspaceIds);
  return partner === null ? conditions : conditions.among(partner, where.partnerIds);
};

const HOLDS_ANY = `exists (
  select from quittance.settlement_lines l
  where l.customer_id = t.customer_id and l.settlement_id = t.id and l.commission_id = any ($::uuid[]))`;

/** Whether what a settlement holds has to be asked: it need not where settlements are found by what they hold. */
const isHeldAsked = (tenant: Storage.Tenant, { commissionIds, ids }: Storage.Where): boolean =>
  commissionIds !== undefined && (tenant === Storage.AllCustomers || ids !== undefined);

/** The ids that a grant lists, as JSON, to hold another's against; "*" among them is no id. Without a list, no bound. */
const granted = (ids: "*" | ReadonlyArray<string> | undefined): string | undefined =>
  ids === undefined || ids === "*" ? undefined : JSON.stringify(ids);

/** Active with a window that covers the moment. */
const COVERS = `t.status = 'active' and exists (
  select from (values ($::bigint)) as asked (moment)
  where t.start_datetime <= moment and (t.end_datetime is null or moment < t.end_datetime))`;

/**
 * The records of customer `$1` that a list can only hold, found by the ids that it asks for: rows that a customer has
 * beside them are never looked at. Null where no ids are asked for. `$` stands for the ids, each once.
 */
const candidates = (kind: Storage.ListedKind, where: Storage.Where): Candidates | null => {
  const byId = keyed({ table: TABLES[kind], columns: "t.*", customer: "$1", id: "w.id" });
  if (where.ids !== undefined) {
    return { ids: where.ids, from: `unnest($::uuid[]) as w(id) cross join lateral ${byId} t` };
  }
  if (kind === "commission" && where.attributionIds !== undefined) {
    const ofAttribution = `(select t.* from quittance.commissions t
    where t.customer_id = $1 and t.attribution_id >= w.id and t.attribution_id <= w.id order by t.attribution_id)`;
    return {
      ids: where.attributionIds,
      from: `unnest($::uuid[]) as w(id) cross join lateral ${ofAttribution} t`,
    };
  }
  if (kind === "settlement" && where.commissionIds !== undefined) {
    const holding = `(select distinct l.settlement_id as id from unnest($::uuid[]) as c(id) cross join lateral (
    select l.settlement_id from quittance.settlement_lines l
    where l.customer_id = $1 and l.commission_id >= c.id and l.commission_id <= c.id order by l.commission_id) l)`;
    return { ids: where.commissionIds, from: `${holding} w cross join lateral ${byId} t` };
  }
  return null;
};

/** The filters of a list; those that the kind does not know have no effect. */
export const listed = (tenant: Storage.Tenant, kind: Storage.ListedKind, where: Storage.Where): Listed => {
  const { condition, parameters } = conditionsOf(tenant, kind, where);
  const own = tenant === Storage.AllCustomers ? null : candidates(kind, where);
  return own === null
    ? { condition, parameters, from: `${TABLES[kind]} t` }
    : {
        condition,
        parameters: [...parameters, uuids(new Set(own.ids))],
        from: own.from.replace("$:", `$${parameters.length + 1}:`),
      };
};

const conditionsOf = (tenant: Storage.Tenant, kind: Storage.ListedKind, where: Storage.Where): Filter => {
  const conditions = owned(tenant, kind, where).among("t.id", where.ids);
  switch (kind) {
    case "commission":
      return conditions
        .among("t.attribution_id", where.attributionIds)
        .add("t.settlement_status = $", where.settlementStatus)
        .done();
    case "settlement":
      return conditions
        .add(HOLDS_ANY, isHeldAsked(tenant, where) ? uuids(where.commissionIds ?? []) : undefined)
        .done();
    case "formula":
      return conditions.add(COVERS, where.activeAt).done();
    case "schema":
    case "partner":
      return conditions.add("strpos(t.name_searchable, $) > 0", where.nameContains).done();
    case "apiKey":
      return conditions
        .add("t.view->'workspaceIds' <@ $::jsonb", granted(where.keysWithin?.workspaceIds))
        .add("t.view->'partnerIds' <@ $::jsonb", granted(where.keysWithin?.partnerIds))
        .add("t.view->>'agentId' = $", where.keysWithin?.agentId ?? undefined)
        .done();
    case "attribution":
      return conditions.done();
  }
};

/** The same filters over rollups of the kind, with the same parameters; only for what {@link Rollup.counts} allows. */
export const rolledUp = (tenant: Storage.Tenant, kind: Rollup.Kind, where: Storage.Where): string =>
  owned(tenant, kind, where)
    .add("t.status = $", kind === "commission" ? where.settlementStatus : undefined)
    .done().condition;
