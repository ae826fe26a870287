/** Lists: the page and filters of a request, and the page it returns. */
import { Effect } from "effect";
import { FILTER_VALUES_MAX, PAGE_MAX, PER_PAGE_DEFAULT, PER_PAGE_MAX } from "../../domain/Limits.ts";
import { authorize, type Operation, type Principal, restrict, withinGrants } from "../../domain/Principal.ts";
import { type Invalid, invalid } from "../../domain/Refusal.ts";
import { searchable } from "../../domain/Text.ts";
import type { Timestamp } from "../../domain/Timestamp.ts";
import type { Listed, ListedKind, Query, StorageService, Where } from "../../ports/Storage.ts";
import { type Failure, tenantOf } from "./Access.ts";

/** Which page of which order; the first ten, oldest first, unless stated. */
export interface Paging {
  /** From 1. */
  readonly page?: number | undefined;
  /** 1 to 100. */
  readonly perPage?: number | undefined;
  /** By creation; `asc` begins with the oldest. */
  readonly order?: "asc" | "desc" | undefined;
}

/** One page and the exact number of all matches, of one moment. */
export interface Listing<Item> {
  readonly items: ReadonlyArray<Item>;
  readonly total: number;
  readonly page: number;
  readonly perPage: number;
}

/** Absent or undefined filters nothing. */
export type Filters<Names extends keyof Where> = { readonly [Name in Names]?: Where[Name] | undefined };

const isWholeWithin = (value: number, low: number, high: number): boolean =>
  Number.isInteger(value) && value >= low && value <= high;

const isEmptySpan = (from: Timestamp | undefined, to: Timestamp | undefined): boolean =>
  from !== undefined && to !== undefined && from >= to;

const queryOf = (where: Where, paging: Paging): Effect.Effect<Query, Invalid> => {
  const { page = 1, perPage = PER_PAGE_DEFAULT, order = "asc" } = paging;
  if (!isWholeWithin(page, 1, PAGE_MAX))
    return Effect.fail(invalid("page", `must be an integer from 1 to ${PAGE_MAX}`));
  if (!isWholeWithin(perPage, 1, PER_PAGE_MAX)) {
    return Effect.fail(invalid("per_page", `must be an integer from 1 to ${PER_PAGE_MAX}`));
  }
  const tooMany = Object.entries(where).find(
    ([, values]) => Array.isArray(values) && values.length > FILTER_VALUES_MAX,
  );
  if (tooMany !== undefined)
    return Effect.fail(invalid(tooMany[0], `must have at most ${FILTER_VALUES_MAX} values`));
  const { createdFrom, createdTo, occurredFrom, occurredTo } = where;
  return isEmptySpan(createdFrom, createdTo)
    ? Effect.fail(invalid("created_to", "must be after created_from"))
    : isEmptySpan(occurredFrom, occurredTo)
      ? Effect.fail(invalid("occurred_to", "must be after occurred_from"))
      : Effect.succeed({ where, page, perPage, order });
};

const withoutUndefined = (filters: Filters<keyof Where>): Where =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));

/** Lists that refuse an id outside an explicit grant; for the others it matches nothing. */
const REFUSES_FOREIGN: ReadonlySet<ListedKind> = new Set(["commission", "settlement"]);

/** Lists of records that belong to no partner. */
const OF_NO_PARTNER: ReadonlySet<ListedKind> = new Set(["schema", "plan", "settlementRun"]);

/** A credential sees the keys that it could have created: those that reach no further than itself. */
const reachOf = ({ workspaceIds, partnerIds, agentId }: Principal): Pick<Where, "keysWithin"> =>
  workspaceIds === "*" && partnerIds === "*" && agentId === null
    ? {}
    : { keysWithin: { workspaceIds, partnerIds, agentId } };

/** The filter of a name search; empty text filters nothing. */
export const nameFilter = (name: string | undefined): string | undefined =>
  name === undefined || name === "" ? undefined : searchable(name);

/** One page of a kind, restricted to what the principal sees; `shown` limits what is shown beside records. */
export const listOf = <Name extends ListedKind>(
  storage: StorageService,
  principal: Principal,
  operation: Operation,
  kind: Name,
  { page, perPage, order, ...filters }: Filters<keyof Where> & Paging,
  shown: Pick<Query, "linesMax"> = {},
): Effect.Effect<Listing<Listed[Name]>, Failure> =>
  Effect.gen(function* () {
    yield* authorize(principal, operation);
    const requested = withoutUndefined(filters);
    const query = yield* queryOf(requested, { page, perPage, order });
    if (REFUSES_FOREIGN.has(kind)) yield* withinGrants(principal, requested, true);
    const visible =
      kind === "apiKey"
        ? { ...requested, ...reachOf(principal) }
        : { ...requested, ...restrict(principal, requested, !OF_NO_PARTNER.has(kind)) };
    const { items, total } = yield* storage.list(yield* tenantOf(principal), kind, {
      ...query,
      ...shown,
      where: visible,
    });
    return { items, total, page: query.page, perPage: query.perPage };
  });
