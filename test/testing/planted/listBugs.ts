/** Planted bugs of lists and their filters. */
import { Effect } from "effect";
import { Storage } from "quittance";
import { type Bug, storageBug } from "./Bug.ts";

/** The reading of a page. */
export type List = Storage.StorageService["list"];

/** The query of a list whose kind is not known to the compiler. */
type AnyQuery = Storage.Query<Readonly<Record<string, unknown>>>;

/** A bug that alters the query of a list. */
export const alteringQuery = (
  bug: string,
  breaks: ReadonlyArray<string>,
  alter: (query: AnyQuery, kind: Storage.ListedKind) => AnyQuery,
): Bug =>
  storageBug(bug, breaks, ({ list }) => ({
    list: ((tenant, kind, query) => list(tenant, kind, alter(query, kind) as typeof query)) satisfies List,
  }));

/** A bug that alters the page of a list. */
const alteringPage = (
  bug: string,
  breaks: ReadonlyArray<string>,
  alter: <Item extends { readonly id: string; readonly createdAt: number }>(
    page: Storage.Page<Item>,
    query: Storage.Query,
  ) => Storage.Page<Item>,
): Bug =>
  storageBug(bug, breaks, ({ list }) => ({
    list: ((tenant, kind, query) =>
      Effect.map(list(tenant, kind, query), (page) => alter(page, query))) satisfies List,
  }));

/** A bug that alters each item of a list. */
export const alteringItems = (
  bug: string,
  breaks: ReadonlyArray<string>,
  alter: (item: object) => object,
): Bug =>
  alteringPage(bug, breaks, ({ items, total }) => ({
    items: items.map((item) => ({ ...item, ...alter(item) })),
    total,
  }));

/** The law of a kind's filters. */
const lawOf = (kind: Storage.ListedKind): string => `${kind}: each filter alone and every two together`;

const KINDS = Object.keys(Storage.FILTERS) as ReadonlyArray<Storage.ListedKind>;

/** A query without the filter of a name. */
const withoutFilter = (query: AnyQuery, ignored: string): AnyQuery => ({
  ...query,
  where: Object.fromEntries(Object.entries(query.where).filter(([name]) => name !== ignored)),
});

/** The bugs of stores that ignore one filter: each breaks the law of every kind that has it. */
const ignoredFilters = [...new Set(KINDS.flatMap((kind) => Object.keys(Storage.FILTERS[kind])))].map((name) =>
  alteringQuery(
    `the filter ${name} is ignored`,
    KINDS.filter((kind) => name in Storage.FILTERS[kind]).map(lawOf),
    (query) => withoutFilter(query, name),
  ),
);

const emptyMeansAll = ([, values]: readonly [string, unknown]): boolean =>
  !Array.isArray(values) || values.length > 0;

const ORDER = "equal moments, both directions";
const NAMES = "percent, underscore, backslash";

/** A bug that alters the value of one filter of a kind. */
const alteringFilter = <Kind extends Storage.ListedKind, Name extends Storage.FilterName<Kind> & string>(
  bug: string,
  kind: Kind,
  name: Name,
  alter: (value: NonNullable<Storage.Filters[Kind][Name]>) => Storage.Filters[Kind][Name],
): Bug =>
  alteringQuery(bug, [lawOf(kind)], (query, listed) => {
    const value = query.where[name];
    return listed !== kind || value === undefined
      ? query
      : { ...query, where: { ...query.where, [name]: alter(value as never) } };
  });

const misreadFilters: ReadonlyArray<Bug> = [
  alteringFilter("the due filter leaves out negative amounts", "commission", "due", (due) =>
    due === "nonzero" ? "positive" : due,
  ),
  ...(["commission", "settlement"] as const).map((kind) =>
    alteringFilter(
      `a currency filter of ${kind} uses its first currency only`,
      kind,
      "currencies",
      (values) => values.slice(0, 1),
    ),
  ),
  alteringFilter(
    "a status filter of attributions uses its last status only",
    "attribution",
    "statuses",
    (values) => values.slice(-1),
  ),
  alteringFilter(
    "a status filter of settlements uses its last status only",
    "settlement",
    "statuses",
    (values) => values.slice(-1),
  ),
  alteringFilter("createdFrom excludes its moment", "settlement", "createdFrom", (from) => from + 1),
  alteringFilter("createdTo includes its moment", "settlement", "createdTo", (to) => to + 1),
  alteringFilter(
    "external references are compared in lower case",
    "attribution",
    "externalReferences",
    (references) => references.map((reference) => reference.toLowerCase()),
  ),
  alteringQuery("a filter for no billing mode matches every mode", [lawOf("partner")], (query) =>
    query.where.billingMode === null ? withoutFilter(query, "billingMode") : query,
  ),
  alteringQuery("the stale filter matches every draft", [lawOf("settlement")], (query) =>
    query.where.stale === true
      ? { ...query, where: { ...withoutFilter(query, "stale").where, statuses: ["draft"] } }
      : query,
  ),
];

/** Planted bugs of lists and their filters. */
export const listBugs: ReadonlyArray<Bug> = [
  ...ignoredFilters,
  ...misreadFilters,
  alteringQuery("an empty list of values filters nothing", KINDS.map(lawOf), (query) => ({
    ...query,
    where: Object.fromEntries(Object.entries(query.where).filter(emptyMeansAll)),
  })),
  alteringQuery("descending order is ignored", [ORDER], (query) => ({ ...query, order: "asc" })),
  alteringQuery("pages are counted from 0", [ORDER], (query) => ({ ...query, page: query.page + 1 })),
  alteringQuery("% is a wildcard in a name search", [NAMES], ({ where, ...query }) => ({
    ...query,
    where: typeof where.name === "string" ? { ...where, name: where.name.replaceAll("%", "") } : where,
  })),
  alteringQuery("accents are ignored in a name search", [NAMES], ({ where, ...query }) => ({
    ...query,
    where:
      typeof where.name === "string"
        ? { ...where, name: where.name.normalize("NFKD").replace(/\p{M}/gu, "") }
        : where,
  })),
  alteringPage("records of one moment are not ordered by id", [ORDER], ({ items, total }) => ({
    items: items.toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? 1 : -1)),
    total,
  })),
  alteringPage("the total counts the page only", [ORDER], ({ items }) => ({ items, total: items.length })),
  alteringPage("the total is one too high", [ORDER, lawOf("formula")], ({ items, total }) => ({
    items,
    total: total + 1,
  })),
  alteringItems("a pending recomputation is not shown", ["none, a finished one, pending ones"], (item) =>
    "recomputing" in item ? { recomputing: false } : {},
  ),
  alteringItems("a finished recomputation is shown", ["none, a finished one, pending ones"], (item) =>
    "recomputing" in item ? { recomputing: true } : {},
  ),
  alteringItems(
    "drafts are never stale",
    ["fresh, after a revision, revised back, and after approval"],
    (item) => ("stale" in item ? { stale: false } : {}),
  ),
  alteringItems("the lines of a listed settlement are reversed", ["the lines of a settlement"], (item) =>
    "lines" in item && Array.isArray(item.lines) ? { lines: item.lines.toReversed() } : {},
  ),
  alteringQuery("linesMax is ignored", ["none, one, two, and more than there are"], (query) => ({
    where: query.where,
    page: query.page,
    perPage: query.perPage,
    order: query.order,
  })),
  alteringItems(
    "the first event of a listed record is missing",
    ["as many events as the version, in order", "`stored` part. (every kind with a log)"],
    (item) => ("events" in item && Array.isArray(item.events) ? { events: item.events.slice(1) } : {}),
  ),
  storageBug("lists ignore the tenant", ["every read by another customer"], ({ list }) => ({
    list: ((_, kind, query) => list(Storage.AllCustomers, kind, query)) satisfies List,
  })),
];
