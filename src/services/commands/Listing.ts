/** Lists: the page and filters of a request, and the page it returns. */
import { Chunk, Effect, Either, Option, Stream } from "effect";
import type { CustomerId } from "../../domain/Ids.ts";
import { FILTER_VALUES_MAX, PAGE_MAX, PER_PAGE_DEFAULT, PER_PAGE_MAX } from "../../domain/Limits.ts";
import { authorize, type Operation, type Principal, restrict, withinGrants } from "../../domain/Principal.ts";
import { type Invalid, invalid } from "../../domain/Refusal.ts";
import {
  type AskedFilters,
  type AskedName,
  FILTERS,
  type FilterName,
  type Filters,
  type Listed,
  type ListedKind,
  type OwnershipFilters,
  parameterOf,
  type Query,
  type Records,
  type StorageError,
} from "../../ports/Storage.ts";
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

/** The filters that a request may state, and the page that it asks for. Absent or undefined filters nothing. */
export type ListInput<Kind extends ListedKind, Name extends AskedName<Kind> = AskedName<Kind>> = Paging &
  AskedFilters<Kind, Name>;

/** Values of a kind's filters, under their names. */
type Values = Readonly<Record<string, unknown>>;

const isWholeWithin = (value: number, low: number, high: number): boolean =>
  Number.isInteger(value) && value >= low && value <= high;

/** The two bounds of a span that contains no moment, or null. */
const emptySpan = (kind: ListedKind, where: Values): readonly [from: string, to: string] | null => {
  for (const [name, { type }] of Object.entries(FILTERS[kind])) {
    const from = name.replace(/To$/, "From");
    if (type === "to" && where[from] !== undefined && Number(where[from]) >= Number(where[name]))
      return [parameterOf(from), parameterOf(name)];
  }
  return null;
};

/** The page that a request asks for, with the defaults. */
const pageOf = ({
  page = 1,
  perPage = PER_PAGE_DEFAULT,
  order = "asc",
}: Paging): Either.Either<Pick<Query, "page" | "perPage" | "order">, Invalid> => {
  if (!isWholeWithin(page, 1, PAGE_MAX))
    return Either.left(invalid("page", `must be an integer from 1 to ${PAGE_MAX}`));
  return isWholeWithin(perPage, 1, PER_PAGE_MAX)
    ? Either.right({ page, perPage, order })
    : Either.left(invalid("per_page", `must be an integer from 1 to ${PER_PAGE_MAX}`));
};

/** One page of items that are all in memory, in their order or reversed. */
export const listingOf = <Item>(
  items: ReadonlyArray<Item>,
  paging: Paging,
): Either.Either<Listing<Item>, Invalid> =>
  Either.map(pageOf(paging), ({ page, perPage, order }) => {
    const ordered = order === "asc" ? items : items.toReversed();
    const start = (page - 1) * perPage;
    return { items: ordered.slice(start, start + perPage), total: items.length, page, perPage };
  });

const queryOf = (kind: ListedKind, where: Values, paging: Paging): Either.Either<Query<Values>, Invalid> => {
  const asked = pageOf(paging);
  if (Either.isLeft(asked)) return Either.left(asked.left);
  const tooMany = Object.entries(where).find(
    ([, values]) => Array.isArray(values) && values.length > FILTER_VALUES_MAX,
  );
  if (tooMany !== undefined)
    return Either.left(invalid(parameterOf(tooMany[0]), `must have at most ${FILTER_VALUES_MAX} values`));
  const span = emptySpan(kind, where);
  return span === null
    ? Either.right({ where, ...asked.right })
    : Either.left(invalid(span[1], `must be after ${span[0]}`));
};

/** True if a filter with the value matches every record. */
const matchesAll = ({ type }: { readonly type: string }, value: unknown): boolean =>
  value === undefined || (type === "sign" && value === "any") || (type === "contains" && value === "");

/** The values that filter something. */
const withoutEmpty = (kind: ListedKind, values: Values): Values => {
  const filters: Readonly<Record<string, { readonly type: string }>> = FILTERS[kind];
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => {
      const filter = filters[name];
      return filter !== undefined && !matchesAll(filter, value);
    }),
  );
};

/** Every record of a kind that the filters select, oldest first, read page by page as far as it is consumed. */
export const every = <Kind extends ListedKind>(
  storage: Records,
  customerId: CustomerId,
  kind: Kind,
  { where, ...shown }: { readonly where: Filters[Kind] } & Pick<Query, "linesMax">,
): Stream.Stream<Listed[Kind], StorageError> =>
  Stream.paginateChunkEffect(1, (page) =>
    Effect.map(
      storage.list(customerId, kind, { where, page, perPage: PER_PAGE_MAX, order: "asc", ...shown }),
      ({ items, total }) => [
        Chunk.fromIterable(items),
        page * PER_PAGE_MAX < total ? Option.some(page + 1) : Option.none(),
      ],
    ),
  );

/** The same all at once, where there are few. */
export const collect = <Kind extends ListedKind>(
  storage: Records,
  customerId: CustomerId,
  kind: Kind,
  where: Filters[Kind],
): Effect.Effect<ReadonlyArray<Listed[Kind]>, StorageError> =>
  Effect.map(Stream.runCollect(every(storage, customerId, kind, { where })), Chunk.toReadonlyArray);

/** How many records of a kind the filters select. */
export const countOf = <Kind extends ListedKind>(
  storage: Records,
  customerId: CustomerId,
  kind: Kind,
  where: Filters[Kind],
): Effect.Effect<number, StorageError> =>
  Effect.map(
    storage.list(customerId, kind, { where, page: 1, perPage: 1, order: "asc", linesMax: 0 }),
    ({ total }) => total,
  );

/** Lists that refuse an id outside an explicit grant; for the others it matches nothing. */
const REFUSES_FOREIGN: ReadonlySet<ListedKind> = new Set(["commission", "settlement"]);

/** A credential sees the keys that it could have created: those that reach no further than itself. */
const reachOf = ({ workspaceIds, partnerIds, agentId }: Principal): Pick<Filters["apiKey"], "within"> =>
  workspaceIds === "*" && partnerIds === "*" && agentId === null
    ? {}
    : { within: { workspaceIds, partnerIds, agentId } };

/** The filters by which a principal sees the records that it may see, and of these what it requests. */
const visible = (principal: Principal, kind: ListedKind, requested: OwnershipFilters): Values => {
  if (kind === "apiKey") return reachOf(principal);
  if (kind !== "partnerLink") return restrict(principal, requested, "partnerIds" in FILTERS[kind]);
  // Either end of a link may see it.
  const { partnerIds } = principal;
  return {
    ...restrict(principal, requested, false),
    ...(partnerIds === "*" ? {} : { naming: partnerIds }),
  };
};

/** The operation that lists a kind. */
const OPERATIONS: Readonly<Record<ListedKind, Operation>> = {
  apiKey: "list keys",
  attribution: "list attributions",
  commission: "list commissions",
  formula: "list formulas",
  partner: "list partners",
  partnerLink: "list partner links",
  paymentFile: "list payment files",
  plan: "list plans",
  planAcceptance: "list plan acceptances",
  planTrial: "list plan trials",
  planTrialResult: "list plan trials",
  recreditRun: "list recredit runs",
  recreditRunResult: "list recredit runs",
  schema: "list schemas",
  settlement: "list settlements",
  settlementRun: "list settlement runs",
  settlementRunResult: "list settlement runs",
  webhookDelivery: "list webhook deliveries",
  webhookEndpoint: "list webhook endpoints",
};

/** One page of a kind, restricted to what the principal sees; `linesMax` limits the lines that are shown of each record. */
export const listOf = <Kind extends ListedKind>(
  storage: Records,
  principal: Principal,
  kind: Kind,
  {
    page,
    perPage,
    order,
    linesMax,
    ...filters
  }: Paging & { readonly linesMax?: number | undefined } & {
    readonly [Name in FilterName<Kind>]?: Filters[Kind][Name] | undefined;
  },
): Effect.Effect<Listing<Listed[Kind]>, Failure> =>
  Effect.gen(function* () {
    yield* authorize(principal, OPERATIONS[kind]);
    const requested = withoutEmpty(kind, filters);
    const query = yield* queryOf(kind, requested, { page, perPage, order });
    if (REFUSES_FOREIGN.has(kind)) yield* withinGrants(principal, requested, true);
    // The values of the kind's filters, under their names.
    const where = { ...requested, ...visible(principal, kind, requested) } as Filters[Kind];
    const { items, total } = yield* storage.list(yield* tenantOf(principal), kind, {
      ...query,
      ...(linesMax === undefined ? {} : { linesMax }),
      where,
    });
    return { items, total, page: query.page, perPage: query.perPage };
  });
