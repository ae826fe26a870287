/** Planted bugs of lists and their filters. */
import { Effect } from "effect";
import { Storage } from "quittance";
import { type Bug, storageBug } from "./Bug.ts";

/** The reading of a page. */
export type List = Storage.StorageService["list"];

/** A bug that alters the query of a list. */
export const alteringQuery = (
  bug: string,
  breaks: ReadonlyArray<string>,
  alter: (query: Storage.Query, kind: Storage.ListedKind) => Storage.Query,
): Bug =>
  storageBug(bug, breaks, ({ list }) => ({
    list: ((tenant, kind, query) => list(tenant, kind, alter(query, kind))) satisfies List,
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

const ATTRIBUTIONS = "attributions: each filter alone and every two together";
const COMMISSIONS = "commissions: each filter alone and every two together";
const SETTLEMENTS = "of them. (alone and with every other filter)";
const FORMULAS = "at the edges of windows, alone and with every other filter";
const NAMED = "schemas and partners, alone and with every other filter";
const KEYS = "API keys";
const REACH = "reaches no workspace, partner or agent beyond this.";

/** Every filter with the laws that fail when it is ignored. */
const LAWS_OF_FILTER: Record<keyof Storage.Where, ReadonlyArray<string>> = {
  ids: [ATTRIBUTIONS, COMMISSIONS, SETTLEMENTS, FORMULAS, NAMED, KEYS, REACH],
  customerIds: [ATTRIBUTIONS, COMMISSIONS, SETTLEMENTS, FORMULAS, NAMED, KEYS, REACH],
  workspaceIds: [ATTRIBUTIONS, COMMISSIONS, SETTLEMENTS, FORMULAS, NAMED],
  partnerIds: [ATTRIBUTIONS, COMMISSIONS, SETTLEMENTS, FORMULAS, NAMED],
  attributionIds: [COMMISSIONS],
  settlementStatus: [COMMISSIONS],
  commissionIds: [SETTLEMENTS],
  activeAt: [FORMULAS],
  runIds: ["of any of these runs."],
  planIds: ["assigned by any of these plans"],
  keysWithin: [KEYS, REACH],
  nameContains: [NAMED, "percent, underscore, backslash"],
  formulaIds: ["earned under any of these formulas"],
  settlementIds: ["any of these settlements has a line of it"],
  due: ["the sign of what is due"],
  currencies: [
    "commissions, alone and with every other filter",
    "these currencies. (settlements, alone and with every other filter)",
  ],
  statuses: [
    "attributions, alone and with every other filter",
    "their type. (settlements, alone and with every other filter)",
    "deliveries that wait or were received",
  ],
  endpointIds: ["one, both and none of two endpoints", "deliveries that wait or were received"],
  createdFrom: ["created at this moment or later"],
  createdTo: ["created before this moment"],
  occurredFrom: [ATTRIBUTIONS, COMMISSIONS, "of attributions that occurred at this moment or later"],
  occurredTo: [ATTRIBUTIONS, COMMISSIONS, "of attributions that occurred before this moment"],
  stale: ["whether it is shown as stale"],
  paymentOverdue: ["whether its payment is overdue"],
  schemaIds: ["of any of these schemas"],
  externalReferences: ["exactly one of these external references"],
  billingMode: ["null finds those without one"],
};

const ignoredFilters = Object.entries(LAWS_OF_FILTER).map(([filter, laws]) =>
  alteringQuery(`the filter ${filter} is ignored`, laws, (query) => ({
    ...query,
    where: Object.fromEntries(Object.entries(query.where).filter(([name]) => name !== filter)),
  })),
);

const emptyMeansAll = ([, values]: readonly [string, unknown]): boolean =>
  !Array.isArray(values) || values.length > 0;

const ORDER = "equal moments, both directions";
const NAMES = "percent, underscore, backslash";

/** A bug that alters the value of one filter. */
const alteringFilter = <Name extends keyof Storage.Where>(
  bug: string,
  breaks: ReadonlyArray<string>,
  name: Name,
  alter: (value: NonNullable<Storage.Where[Name]> | null) => Storage.Where[Name],
): Bug =>
  alteringQuery(bug, breaks, (query) => {
    const value = query.where[name];
    return value === undefined ? query : { ...query, where: { ...query.where, [name]: alter(value) } };
  });

const misreadFilters: ReadonlyArray<Bug> = [
  alteringFilter("the due filter leaves out negative amounts", ["the sign of what is due"], "due", (due) =>
    due === "nonzero" ? "positive" : (due ?? undefined),
  ),
  alteringFilter(
    "a currency filter uses its first currency only",
    ["commissions", "settlements"].map((kind) => `any of these currencies. (${kind}, `),
    "currencies",
    (currencies) => currencies?.slice(0, 1),
  ),
  alteringFilter(
    "a status filter uses its last status only",
    [
      "attributions, alone and with every other filter",
      "their type. (settlements, alone and with every other filter)",
    ],
    "statuses",
    (statuses) => statuses?.slice(-1),
  ),
  alteringFilter(
    "createdFrom excludes its moment",
    ["created at this moment or later"],
    "createdFrom",
    (from) => (from ?? 0) + 1,
  ),
  alteringFilter(
    "createdTo includes its moment",
    ["created before this moment"],
    "createdTo",
    (to) => (to ?? 0) + 1,
  ),
  alteringFilter(
    "external references are compared in lower case",
    ["exactly one of these external references"],
    "externalReferences",
    (references) => references?.map((reference) => reference.toLowerCase()),
  ),
  alteringFilter(
    "a filter for no billing mode matches every mode",
    ["null finds those without one"],
    "billingMode",
    (mode) => mode ?? undefined,
  ),
  alteringQuery(
    "the stale filter matches every draft",
    ["whether it is shown as stale"],
    ({ where: { stale, ...where }, ...query }) => ({
      ...query,
      where: stale === undefined ? where : stale ? { ...where, statuses: ["draft"] } : { ...where, stale },
    }),
  ),
];

const inapplicableFilter = alteringQuery(
  "a filter that does not apply to partners matches none of them",
  ["no effect on kinds that a filter does not apply to"],
  (query, kind) =>
    kind === "partner" && query.where.statuses !== undefined
      ? { ...query, where: { ...query.where, ids: [] } }
      : query,
);

/** Planted bugs of lists and their filters. */
export const listBugs: ReadonlyArray<Bug> = [
  inapplicableFilter,
  ...ignoredFilters,
  ...misreadFilters,
  alteringQuery("an empty list of values filters nothing", [ATTRIBUTIONS, KEYS], (query) => ({
    ...query,
    where: Object.fromEntries(Object.entries(query.where).filter(emptyMeansAll)),
  })),
  alteringQuery("descending order is ignored", [ORDER], (query) => ({ ...query, order: "asc" })),
  alteringQuery("pages are counted from 0", [ORDER], (query) => ({ ...query, page: query.page + 1 })),
  alteringQuery("% is a wildcard in a name search", [NAMES], ({ where, ...query }) => ({
    ...query,
    where:
      where.nameContains === undefined
        ? where
        : { ...where, nameContains: where.nameContains.replaceAll("%", "") },
  })),
  alteringQuery("accents are ignored in a name search", [NAMES], ({ where, ...query }) => ({
    ...query,
    where:
      where.nameContains === undefined
        ? where
        : { ...where, nameContains: where.nameContains.replace(/\p{M}/gu, "") },
  })),
  alteringPage("records of one moment are not ordered by id", [ORDER], ({ items, total }) => ({
    items: items.toSorted((one, other) => one.createdAt - other.createdAt || (one.id < other.id ? 1 : -1)),
    total,
  })),
  alteringPage("the total counts the page only", [ORDER], ({ items }) => ({ items, total: items.length })),
  alteringPage("the total is one too high", [ORDER, FORMULAS], ({ items, total }) => ({
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
