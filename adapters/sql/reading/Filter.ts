/** Lists: the rows that the filters leave, how they are found, and the expression that sorts them. */
import { Storage } from "quittance";
import { lookUpByKey } from "../planning.ts";
import { tableName } from "../records/Tables.ts";
import { texts, uuids } from "../Statement.ts";
import { type Filter, filterOf } from "./Conditions.ts";
import { byExternalReference, partnersByReference } from "./ExternalReference.ts";
import { datedIn, undatedIn } from "./Occurrence.ts";

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

/** Rows found by the filters that lead to them, other than their ids; `byId` looks up the row of `w.id`. */
const CANDIDATES: {
  readonly [Kind in Storage.ListedKind]?: (where: Storage.Filters[Kind], byId: string) => Candidates | null;
} = {
  commission: ({ attributionIds, settlementIds }, byId) => {
    if (attributionIds !== undefined) {
      const commissionsByAttribution = `(select t.* from quittance.commissions t
    where t.customer_id = $1 and t.attribution_id >= w.id and t.attribution_id <= w.id order by t.attribution_id)`;
      return {
        parameter: uuids(new Set(attributionIds)),
        from: `unnest($::uuid[]) as w(id) cross join lateral ${commissionsByAttribution} t`,
      };
    }
    if (settlementIds === undefined) return null;
    const heldCommissions = `(select distinct l.commission_id as id from unnest($::uuid[]) as s(id) cross join lateral (
    select l.commission_id from quittance.settlement_lines l
    where l.customer_id = $1 and l.settlement_id >= s.id and l.settlement_id <= s.id
    order by l.settlement_id, l.position) l)`;
    return {
      parameter: uuids(new Set(settlementIds)),
      from: `${heldCommissions} w cross join lateral ${byId} t`,
    };
  },
  settlement: ({ commissionIds }, byId) => {
    if (commissionIds === undefined) return null;
    const holdingSettlements = `(select distinct l.settlement_id as id from unnest($::uuid[]) as c(id) cross join lateral (
    select l.settlement_id from quittance.settlement_lines l
    where l.customer_id = $1 and l.commission_id >= c.id and l.commission_id <= c.id order by l.commission_id) l)`;
    return {
      parameter: uuids(new Set(commissionIds)),
      from: `${holdingSettlements} w cross join lateral ${byId} t`,
    };
  },
  partner: ({ externalReferences }) =>
    externalReferences === undefined
      ? null
      : {
          parameter: texts(new Set(externalReferences)),
          from: `unnest($::text[]) as w(reference) cross join lateral ${partnersByReference("w.reference")} t`,
        },
  attribution: ({ externalReferences }) => {
    if (externalReferences === undefined) return null;
    // A reference is unique within a schema, and a customer has few schemas.
    const attributionByReference = byExternalReference("t.*", "s.id", "w.reference");
    return {
      parameter: texts(new Set(externalReferences)),
      from: `unnest($::text[]) as w(reference)
    cross join (select s.id from quittance.schemas s where s.customer_id = $1) s cross join lateral ${attributionByReference} t`,
    };
  },
};

/**
 * The only records of customer `$1` that a list with ids can contain, looked up by these ids, so that no other rows are
 * read. Null when the list names no ids. `$` stands for the ids, and occurs once.
 */
const candidates = <Kind extends Storage.ListedKind>(
  kind: Kind,
  where: Storage.Filters[Kind],
): Candidates | null => {
  const byId = lookUpByKey({ table: tableName(kind), columns: "t.*", customer: "$1", id: "w.id" });
  return where.ids === undefined
    ? (CANDIDATES[kind]?.(where, byId) ?? null)
    : {
        parameter: uuids(new Set(where.ids)),
        from: `unnest($::uuid[]) as w(id) cross join lateral ${byId} t`,
      };
};

/**
 * True if the matches have an index of their own. Such a list is sorted by an expression: the planner would otherwise
 * prefer an index by creation, expecting the first page early, and scan it to its end when the matches are there.
 */
const HAS_OWN_INDEX: { readonly [Kind in Storage.ListedKind]?: (where: Storage.Filters[Kind]) => boolean } = {
  commission: ({ due = "any", formulaIds }) => due !== "any" || formulaIds !== undefined,
  formula: ({ planIds }) => planIds !== undefined,
  settlement: ({ statuses, stale, paymentOverdue, paymentFailed }) =>
    statuses !== undefined || stale === true || paymentOverdue?.matches === true || paymentFailed === true,
};

type Dated = "attribution" | "commission";

/** True if a list of a kind that has the date is filtered by it. */
const hasOccurrence = (
  kind: Storage.ListedKind,
  { occurredFrom, occurredTo }: Storage.Filters[Dated],
): kind is Dated =>
  (kind === "attribution" || kind === "commission") && (occurredFrom ?? occurredTo) !== undefined;

/** Later than every moment. */
const NEVER = Number.MAX_SAFE_INTEGER;

/**
 * A list by date that no other filter narrows: the dated and the other rows are found by an index each. The dated ones are
 * read as a whole (`offset 0`): for a page the planner would otherwise search them in the order of creation, among all rows.
 */
const listFilterByOccurrence = (
  tenant: Storage.Tenant,
  kind: Dated,
  { occurredFrom = Number.MIN_SAFE_INTEGER, occurredTo = NEVER, ...others }: Storage.Filters[Dated],
): ListFilter => {
  const { condition, parameters } = filterOf(tenant, kind, others);
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

/** The filters of a list. */
export const listFilter = <Kind extends Storage.ListedKind>(
  tenant: Storage.Tenant,
  kind: Kind,
  where: Storage.Filters[Kind],
): ListFilter => {
  const candidateRows = tenant === Storage.AllCustomers ? null : candidates(kind, where);
  const hasOwnIndex = HAS_OWN_INDEX[kind]?.(where) === true;
  // Only kinds that have the date have filters by it.
  const dated = where as Storage.Filters[Dated];
  if (candidateRows === null && hasOccurrence(kind, dated) && !hasOwnIndex) {
    return listFilterByOccurrence(tenant, kind, dated);
  }
  const { condition, parameters } = filterOf(tenant, kind, where);
  const moment = hasOwnIndex ? "t.created_at + 0" : "t.created_at";
  return candidateRows === null
    ? { condition, parameters, from: `${tableName(kind)} t`, moment }
    : {
        condition,
        moment,
        parameters: [...parameters, candidateRows.parameter],
        from: candidateRows.from.replace("$:", `$${parameters.length + 1}:`),
      };
};
