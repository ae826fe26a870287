/** Bugs of reads, and of what is removed by its age. */
import { Effect, Stream } from "effect";
import { Event, Storage } from "quittance";
import { type Bug, ofStorage } from "./Bug.ts";

type List = Storage.StorageService["list"];

/** A bug that alters what a list is asked. */
const asked = (
  bug: string,
  breaks: ReadonlyArray<string>,
  alter: (query: Storage.Query, kind: Storage.ListedKind) => Storage.Query,
): Bug =>
  ofStorage(bug, breaks, ({ list }) => ({
    list: ((tenant, kind, query) => list(tenant, kind, alter(query, kind))) satisfies List,
  }));

/** A bug that alters what a list answers. */
const answered = (
  bug: string,
  breaks: ReadonlyArray<string>,
  alter: <Item extends { readonly id: string; readonly createdAt: number }>(
    page: Storage.Page<Item>,
    query: Storage.Query,
  ) => Storage.Page<Item>,
): Bug =>
  ofStorage(bug, breaks, ({ list }) => ({
    list: ((tenant, kind, query) =>
      Effect.map(list(tenant, kind, query), (page) => alter(page, query))) satisfies List,
  }));

/** A bug that alters each item of a list. */
const shown = (bug: string, breaks: ReadonlyArray<string>, alter: (item: object) => object): Bug =>
  answered(bug, breaks, ({ items, total }) => ({
    items: items.map((item) => ({ ...item, ...alter(item) })),
    total,
  }));

const ATTRIBUTIONS = "attributions: each alone and every two together";
const COMMISSIONS = "commissions: each alone and every two together";
const SETTLEMENTS = "holds any of them. (with every other filter)";
const FORMULAS = "at its edges, with every other filter";
const NAMED = "schemas and partners, with every other filter";
const KEYS = "No effect on schemas and keys. (keys)";
const REACH = "reaches no workspace, partner or agent beyond this.";

/** The filters, each with the laws that notice when it is ignored. */
const NOTICED: Record<keyof Storage.Where, ReadonlyArray<string>> = {
  ids: [ATTRIBUTIONS, COMMISSIONS, SETTLEMENTS, FORMULAS, NAMED, KEYS, REACH],
  customerIds: [ATTRIBUTIONS, COMMISSIONS, SETTLEMENTS, FORMULAS, NAMED, KEYS, REACH],
  workspaceIds: [ATTRIBUTIONS, COMMISSIONS, SETTLEMENTS, FORMULAS, NAMED],
  partnerIds: [ATTRIBUTIONS, COMMISSIONS, SETTLEMENTS, FORMULAS, NAMED],
  attributionIds: [COMMISSIONS],
  settlementStatus: [COMMISSIONS],
  commissionIds: [SETTLEMENTS],
  activeAt: [FORMULAS],
  keysWithin: [KEYS, REACH],
  nameContains: [NAMED, "percent, underscore, backslash"],
  formulaIds: ["earned under any of these formulas"],
  settlementIds: ["any of these settlements has a line of it"],
  due: ["the sign of what is due"],
  currencies: ["any of these currencies. (commissions)", "any of these currencies. (settlements)"],
  statuses: ["by their type. (attributions)", "by their type. (settlements)"],
  createdFrom: ["created at this moment or later"],
  createdTo: ["created before this moment"],
  stale: ["whether it is shown as stale"],
  schemaIds: ["of any of these schemas"],
  externalReferences: ["exactly one of these external references"],
  billingMode: ["null finds those without one"],
};

const ignored = Object.entries(NOTICED).map(([filter, laws]) =>
  asked(`the filter ${filter} is ignored`, laws, (query) => ({
    ...query,
    where: Object.fromEntries(Object.entries(query.where).filter(([name]) => name !== filter)),
  })),
);

const emptyMeansAll = ([, values]: readonly [string, unknown]): boolean =>
  !Array.isArray(values) || values.length > 0;

const ORDER = "equal moments, both directions";
const NAMES = "percent, underscore, backslash";

/** A bug that alters one filter where it is given. */
const misread = <Name extends keyof Storage.Where>(
  bug: string,
  breaks: ReadonlyArray<string>,
  name: Name,
  alter: (value: NonNullable<Storage.Where[Name]> | null) => Storage.Where[Name],
): Bug =>
  asked(bug, breaks, (query) => {
    const value = query.where[name];
    return value === undefined ? query : { ...query, where: { ...query.where, [name]: alter(value) } };
  });

const misreadings: ReadonlyArray<Bug> = [
  misread("what a partner owes is not due", ["the sign of what is due"], "due", (due) =>
    due === "nonzero" ? "positive" : (due ?? undefined),
  ),
  misread(
    "the first currency alone counts",
    ["(commissions)", "(settlements)"].map((kind) => `any of these currencies. ${kind}`),
    "currencies",
    (currencies) => currencies?.slice(0, 1),
  ),
  misread(
    "the last state alone counts",
    ["by their type. (attributions)", "by their type. (settlements)"],
    "statuses",
    (statuses) => statuses?.slice(-1),
  ),
  misread(
    "the first moment is left out",
    ["created at this moment or later"],
    "createdFrom",
    (from) => (from ?? 0) + 1,
  ),
  misread("the end is included", ["created before this moment"], "createdTo", (to) => (to ?? 0) + 1),
  misread(
    "references are folded",
    ["exactly one of these external references"],
    "externalReferences",
    (references) => references?.map((reference) => reference.toLowerCase()),
  ),
  misread(
    "no billing mode means any",
    ["null finds those without one"],
    "billingMode",
    (mode) => mode ?? undefined,
  ),
  asked(
    "every draft is stale",
    ["whether it is shown as stale"],
    ({ where: { stale, ...where }, ...query }) => ({
      ...query,
      where: stale === undefined ? where : stale ? { ...where, statuses: ["draft"] } : { ...where, stale },
    }),
  ),
];

const ofAnotherKind = asked(
  "a filter of another kind matches nothing",
  ["no effect on kinds that do not know them"],
  (query, kind) =>
    kind === "partner" && query.where.statuses !== undefined
      ? { ...query, where: { ...query.where, ids: [] } }
      : query,
);

const lists: ReadonlyArray<Bug> = [
  ofAnotherKind,
  ...ignored,
  ...misreadings,
  asked("an empty filter filters nothing", [ATTRIBUTIONS, KEYS], (query) => ({
    ...query,
    where: Object.fromEntries(Object.entries(query.where).filter(emptyMeansAll)),
  })),
  asked("newest first is ignored", [ORDER], (query) => ({ ...query, order: "asc" })),
  asked("pages begin at 0", [ORDER], (query) => ({ ...query, page: query.page + 1 })),
  asked("names are searched by pattern", [NAMES], ({ where, ...query }) => ({
    ...query,
    where:
      where.nameContains === undefined
        ? where
        : { ...where, nameContains: where.nameContains.replaceAll("%", "") },
  })),
  asked("names are searched without accents", [NAMES], ({ where, ...query }) => ({
    ...query,
    where:
      where.nameContains === undefined
        ? where
        : { ...where, nameContains: where.nameContains.replace(/\p{M}/gu, "") },
  })),
  answered("equal moments come in any order", [ORDER], ({ items, total }) => ({
    items: items.toSorted((one, other) => one.createdAt - other.createdAt || (one.id < other.id ? 1 : -1)),
    total,
  })),
  answered("the total is that of the page", [ORDER], ({ items }) => ({ items, total: items.length })),
  answered("the total is of another snapshot", [ORDER, FORMULAS], ({ items, total }) => ({
    items,
    total: total + 1,
  })),
  shown("a recomputation is never shown", ["none, finished, pending"], (item) =>
    "recomputing" in item ? { recomputing: false } : {},
  ),
  shown("a finished recomputation is shown", ["none, finished, pending"], (item) =>
    "recomputing" in item ? { recomputing: true } : {},
  ),
  shown("drafts are never stale", ["before, after, and after approval"], (item) =>
    "stale" in item ? { stale: false } : {},
  ),
  shown("lines come by commission", ["(lines)"], (item) =>
    "lines" in item && Array.isArray(item.lines) ? { lines: item.lines.toReversed() } : {},
  ),
  asked("all lines are shown, however few are asked for", ["none, one, two, more"], (query) => ({
    where: query.where,
    page: query.page,
    perPage: query.perPage,
    order: query.order,
  })),
  shown(
    "the first event is left out",
    ["events in order, and as many", "`stored` part. (every logged kind)"],
    (item) => ("events" in item && Array.isArray(item.events) ? { events: item.events.slice(1) } : {}),
  ),
  ofStorage("lists leave out nobody", ["every read by another customer"], ({ list }) => ({
    list: ((_, kind, query) => list(Storage.AllCustomers, kind, query)) satisfies List,
  })),
];

const snapshots: ReadonlyArray<Bug> = [
  ofStorage("the total is counted later", ["while records are made"], ({ list }) => ({
    list: ((tenant, kind, query) =>
      Effect.zipWith(
        Effect.zipLeft(list(tenant, kind, query), Effect.yieldNow()),
        Effect.suspend(() => list(tenant, kind, query)),
        ({ items }, { total }) => ({ items, total }),
      )) satisfies List,
  })),
  ofStorage(
    "events are read later than their record",
    ["while commissions are reserved and released"],
    ({ list }) => ({
      list: ((tenant, kind, query) =>
        Effect.zipWith(
          Effect.zipLeft(list(tenant, kind, query), Effect.yieldNow()),
          Effect.suspend(() => list(tenant, kind, query)),
          ({ items }, later) => ({
            items: items.map((item, index) => ({ ...item, ...eventsOf(later.items[index]) })),
            total: later.total,
          }),
        )) satisfies List,
    }),
  ),
  ofStorage(
    "the version is read before the formulas",
    ["Version and formulas, of one snapshot"],
    ({ formulaSet: program }) => ({
      formulaSet: (...keys) =>
        Effect.zipWith(
          Effect.zipLeft(program(...keys), Effect.yieldNow()),
          Effect.suspend(() => program(...keys)),
          ({ version }, { formulas }) => ({ version, formulas }),
        ),
    }),
  ),
];

const eventsOf = (item: object | undefined): object =>
  item !== undefined && "events" in item ? { events: item.events } : {};

const finds: ReadonlyArray<Bug> = [
  ofStorage("ids are found without their tenant", ["every read by another customer"], ({ find }) => ({
    find: (_, kind, ids) => find(Storage.AllCustomers, kind, ids),
  })),
  ofStorage("an id asked twice is found twice", ["repeated, absent, none"], ({ find }) => ({
    find: (tenant, kind, ids) =>
      Effect.map(
        Effect.forEach(ids, (id) => find(tenant, kind, [id])),
        (found) => found.flat(),
      ),
  })),
  ofStorage("the platform sees the first customer alone", ["every read that takes a tenant"], ({ find }) => ({
    find: (tenant, kind, ids) =>
      Effect.map(find(tenant, kind, ids), (found) => (tenant === "*" ? found.slice(0, 1) : found)),
  })),
  ofStorage(
    "versions are one behind",
    ["every kind of record", "everything at once", "the billing profile"],
    ({ find }) => ({
      find: (tenant, kind, ids) =>
        Effect.map(find(tenant, kind, ids), (found) =>
          found.map((row) => ({ ...row, version: row.version - 1 })),
        ),
    }),
  ),
  ofStorage(
    "the last moment is that of creation",
    ["The moment of the last event", "never earlier than the one before"],
    ({ find }) => ({
      find: (tenant, kind, ids) =>
        Effect.map(find(tenant, kind, ids), (found) =>
          found.map((row) => ({ ...row, lastAt: "createdAt" in row ? Math.min(row.createdAt, 1) : 0 })),
        ),
    }),
  ),
  ofStorage("numbers pass through four bytes", ["amounts at their limits"], ({ find }) => ({
    find: (tenant, kind, ids) =>
      Effect.map(find(tenant, kind, ids), (found) =>
        found.map((row) =>
          "computedAmount" in row ? { ...row, computedAmount: (row.computedAmount ?? 0) | 0 } : row,
        ),
      ),
  })),
  ofStorage("moments begin in 1970", ["moments at their limits"], ({ find }) => ({
    find: (tenant, kind, ids) =>
      Effect.map(find(tenant, kind, ids), (found) =>
        found.map((row) => ("createdAt" in row ? { ...row, createdAt: Math.abs(row.createdAt) } : row)),
      ),
  })),
  ofStorage("texts are trimmed", ["tricky texts in names"], ({ find }) => ({
    find: (tenant, kind, ids) =>
      Effect.map(find(tenant, kind, ids), (found) =>
        found.map((row) =>
          "name" in row && typeof row.name === "string" ? { ...row, name: row.name.trim() } : row,
        ),
      ),
  })),
  ofStorage("texts are normalised", ["properties of tricky names"], ({ find }) => ({
    find: (tenant, kind, ids) =>
      Effect.map(find(tenant, kind, ids), (found) =>
        found.map((row) =>
          "properties" in row
            ? { ...row, ...JSON.parse(JSON.stringify({ properties: row.properties }).normalize("NFC")) }
            : row,
        ),
      ),
  })),
];

const walks: ReadonlyArray<Bug> = [
  ofStorage("cancelled formulas are left out", ["(among others)"], ({ formulaSet: program }) => ({
    formulaSet: (...keys) =>
      Effect.map(program(...keys), ({ version, formulas }) => ({
        version,
        formulas: formulas.filter(({ status }) => status === "active"),
      })),
  })),
  ofStorage("the first program begins at 1", ["a partner without formulas"], ({ formulaSet: program }) => ({
    formulaSet: (...keys) =>
      Effect.map(program(...keys), ({ version, formulas }) => ({ version: Math.max(version, 1), formulas })),
  })),
  ofStorage(
    "references are found in any schema",
    ["present, absent, of another schema"],
    ({ findByExternalReference: referenced }) => ({
      findByExternalReference: (customerId, schemaId, reference) =>
        referenced(
          customerId,
          schemaId,
          reference.slice(0, 7) === "order 1" ? "order 1 % \\ _ 'é'" : reference,
        ),
    }),
  ),
  ofStorage(
    "a walk begins anew",
    ["in steps, spans and from positions"],
    ({ attributionsForFormula: matching }) => ({
      attributionsForFormula: (formula, span) =>
        matching(formula, {
          ...span,
          after:
            span.after === null
              ? null
              : { ...span.after, id: span.after.id, createdAt: span.after.createdAt + 1 },
        }),
    }),
  ),
  ofStorage(
    "the end is included",
    ["in steps, spans and from positions"],
    ({ attributionsForFormula: matching }) => ({
      attributionsForFormula: (formula, span) =>
        matching(formula, { ...span, to: span.to === null ? null : span.to + 1 }),
    }),
  ),
  ofStorage(
    "cancelled attributions are passed over",
    ["cancelled attributions as well"],
    ({ attributionsForFormula: matching }) => ({
      attributionsForFormula: (formula, span) =>
        Effect.map(matching(formula, span), (found) =>
          found.filter(({ attribution }) => attribution.status === "confirmed"),
        ),
    }),
  ),
  ofStorage(
    "commissions are outstanding twice",
    ["in any order. (some)"],
    ({ commissionsWithAttributions: outstanding }) => ({
      commissionsWithAttributions: (tenant, ids) =>
        Effect.map(outstanding(tenant, ids), (found) => [...found, ...found]),
    }),
  ),
  ofStorage("commissions come as they were made", ["ordered by id. (four)"], ({ commissionsOf }) => ({
    commissionsOf: (...keys) => Effect.map(commissionsOf(...keys), (found) => found.toReversed()),
  })),
  ofStorage(
    "lines come by commission",
    ["at once. (with their attributions)", "the largest settlement"],
    ({ settlementLines: lines }) => ({
      settlementLines: (...keys) =>
        Stream.fromIterableEffect(Effect.map(Stream.runCollect(lines(...keys)), (all) => [...all].reverse())),
    }),
  ),
  ofStorage(
    "a settlement's own lines count as elsewhere",
    ["while it is open"],
    ({ heldByOtherSettlements: elsewhere, ...storage }) => ({
      heldByOtherSettlements: (customerId, id) =>
        Effect.zipWith(
          elsewhere(customerId, id),
          Stream.runCollect(storage.settlementLines(customerId, id)),
          (held, lines) => [...held, ...[...lines].map(({ commissionId }) => commissionId)],
        ),
    }),
  ),
  ofStorage(
    "what stands comes earliest first",
    ["sold, corrected, refunded"],
    ({ standingLines: standing }) => ({
      standingLines: (...keys) =>
        Effect.map(standing(...keys), (found) =>
          found.map((line) => ({ ...line, standing: line.standing.toReversed() })),
        ),
    }),
  ),
  ofStorage(
    "lines without anything standing are told",
    ["none of new, written-off", "and written off)"],
    ({ standingLines: standing, ...storage }) => ({
      standingLines: (customerId, id) =>
        Effect.zipWith(
          standing(customerId, id),
          Stream.runCollect(storage.settlementLines(customerId, id)),
          (found, lines) => [
            ...found,
            ...[...lines]
              .filter(({ commissionId }) => found.every((line) => line.commissionId !== commissionId))
              .map(({ commissionId, amount }) => ({ commissionId, amount, standing: [] })),
          ],
        ),
    }),
  ),
  ofStorage(
    "only a thousand parts are told",
    ["(ten thousand of them)"],
    ({ takenBackParts: takenBack }) => ({
      takenBackParts: (...keys) => Effect.map(takenBack(...keys), (parts) => parts.slice(0, 1_000)),
    }),
  ),
  ofStorage("every document is the report", ["report and invoice"], ({ latestDocument: documentOf }) => ({
    latestDocument: (customerId, id) => documentOf(customerId, id, "report"),
  })),
  ofStorage("series share their numbers", ["no gap, no repetition"], ({ lastNumber }) => ({
    lastNumber: (customerId, partnerId) => lastNumber(customerId, partnerId, "invoice"),
  })),
  ofStorage(
    "stored parts are left out of logs",
    ["for replay and audit. (every logged kind)"],
    ({ log }) => ({
      log: (...keys) =>
        Effect.map(log(...keys), (entries) =>
          entries.map((entry) => ({
            ...entry,
            event: {
              ...entry.event,
              ...Event.shown({ ...entry.event, stored: undefined }),
              stored: undefined,
            },
          })),
        ),
    }),
  ),
  ofStorage("the store cannot be reached", ["Succeeds when the store can be reached"], () => ({
    ready: Effect.fail(new Storage.StorageError({ reason: "unavailable", cause: "unplugged" })),
  })),
  ofStorage(
    "another customer's key answers",
    ["the same idempotency key of two customers"],
    ({ findIdempotencyRecord: remembered }) => {
      let first: Parameters<typeof remembered>[0] | null = null;
      return {
        findIdempotencyRecord: (customerId, principalId, key) => {
          first ??= customerId;
          return remembered(first, principalId, key);
        },
      };
    },
  ),
  ofStorage("everything has happened", ["every read by another customer", "before, refused, stored"], () => ({
    isCommitted: () => Effect.succeed(true),
  })),
];

const TEN_MINUTES = 600_000;
const EVERYTHING = 1_000_000_000;

const pruning: ReadonlyArray<Bug> = [
  ofStorage("what is kept goes ten minutes early", ["on both sides of each age"], ({ prune }) => ({
    prune: ({ idempotencyMilliseconds, limit }) =>
      prune({ idempotencyMilliseconds: idempotencyMilliseconds - TEN_MINUTES, limit }),
  })),
  ofStorage(
    "nothing goes that is asked to be kept for less than 72 hours",
    ["on both sides of each age"],
    ({ prune }) => ({
      prune: ({ idempotencyMilliseconds, limit }) =>
        prune({ idempotencyMilliseconds: Math.max(idempotencyMilliseconds, 72 * 3_600_000), limit }),
    }),
  ),
  ofStorage("everything goes at once", ["five at a time"], ({ prune }) => ({
    prune: (pruning) => prune({ ...pruning, limit: EVERYTHING }),
  })),
  ofStorage("a key stays taken", ["with another answer"], ({ commit }) => {
    const taken = new Set<string>();
    return {
      commit: (customerId, changeSet) => {
        const key = changeSet.idempotencyRecord?.key;
        if (key !== undefined && taken.has(key)) return Effect.fail(new Storage.IdempotencyKeyUsed());
        if (key !== undefined) taken.add(key);
        return commit(customerId, changeSet);
      },
    };
  }),
  ofStorage(
    "what was removed was never stored",
    ["young, old, stored, removed"],
    ({ isCommitted: happened }) => ({
      isCommitted: (customerId, command) =>
        Effect.catchAll(happened(customerId, command), () => Effect.succeed(false)),
    }),
  ),
];

const tallies: ReadonlyArray<Bug> = [
  ofStorage(
    "the end counts",
    ["on and beside every edge"],
    ({ attributionStatistics: tallyAttributions }) => ({
      attributionStatistics: (tenant, query) => tallyAttributions(tenant, { ...query, to: query.to + 1 }),
    }),
  ),
  ofStorage(
    "a start belongs to the bucket before",
    ["buckets of uneven length"],
    ({ commissionStatistics: tallyCommissions }) => ({
      commissionStatistics: (tenant, query) =>
        tallyCommissions(tenant, {
          ...query,
          bucketStarts: query.bucketStarts.map((start, index) => (index === 0 ? start : start + 1)),
        }),
    }),
  ),
  ofStorage("totals in floats", ["two currencies"], ({ commissionStatistics: tallyCommissions }) => ({
    commissionStatistics: (tenant, query) =>
      Effect.map(tallyCommissions(tenant, query), (found) =>
        found.map((tally) => ({ ...tally, dueAmount: BigInt(Number(tally.dueAmount)) })),
      ),
  })),
  ofStorage(
    "what is settled is paid plus written off",
    ["the clamp of what counts as settled"],
    ({ commissionStatistics: tallyCommissions }) => ({
      commissionStatistics: (tenant, query) =>
        Effect.map(tallyCommissions(tenant, query), (found) =>
          found.map((tally) =>
            tally.settlementStatus === "settled"
              ? { ...tally, settledAmount: 1000n, dueAmount: -1000n }
              : tally,
          ),
        ),
    }),
  ),
  ofStorage("counts of 0 are told", ["nothing in the span"], () => ({
    attributionStatistics: () => Effect.succeed([{ bucket: 0, status: "confirmed", count: 0 }]),
  })),
  ofStorage("sums of nothing are told", ["nothing in the span"], () => ({
    commissionStatistics: () =>
      Effect.succeed([
        {
          bucket: 0,
          settlementStatus: "unsettled",
          currency: "EUR",
          count: 0,
          settledAmount: 0n,
          dueAmount: 0n,
        },
      ]),
  })),
];

/** Bugs of reads, and of what is removed by its age. */
export const readBugs: ReadonlyArray<Bug> = [
  ...lists,
  ...snapshots,
  ...finds,
  ...walks,
  ...pruning,
  ...tallies,
];
