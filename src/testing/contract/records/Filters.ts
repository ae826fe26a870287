/** Laws of filters: each declared filter alone, and with every other one of its kind, against a naive implementation. */
import { Effect } from "effect";
import type { CustomerId } from "../../../domain/Ids.ts";
import { searchable } from "../../../domain/Text.ts";
import {
  FILTERS,
  type Filter,
  type FilterName,
  type Filters,
  type ListedKind,
  type Query,
  Storage,
} from "../../../ports/Storage.ts";
import * as Build from "../../Build.ts";
import { expect, expectSame, type Law, law } from "../../Law.ts";
import { listAll } from "../../StateDump.ts";
import { AGENT, PARTNERS, RECORDS, REFERENCES, WORKSPACES } from "./FilteredRecords.ts";

const SENTENCE =
  "The filters of a list by the kind of its records. They AND together, the values of one OR. Absent filters nothing, an empty list matches nothing.";

/** A filter of records whose kind is not known to the compiler. */
type AnyFilter = Filter.Filter<never>;

/** A filter with a value. */
interface Asked {
  readonly name: string;
  readonly filter: AnyFilter;
  readonly value: never;
}

const SIGNS = { any: [-1, 0, 1], nonzero: [-1, 1], positive: [1], negative: [-1] };

/** The naive implementation of every filter, to which a store's list must be equal. */
const matches = (record: never, { filter, value }: Asked): boolean => {
  switch (filter.type) {
    case "one_of": {
      const values: ReadonlyArray<unknown> = value;
      return [filter.of(record)].flat().some((found) => values.includes(found));
    }
    case "equals":
      return filter.of(record) === value;
    case "from":
      return filter.of(record) >= value;
    case "to":
      return filter.of(record) < value;
    case "sign":
      return SIGNS[value as Filter.Sign].includes(Math.sign(filter.of(record)));
    case "contains":
      return searchable(filter.of(record)).includes(searchable(value));
    case "holds":
      return filter.of(record, value);
  }
};

/** Filters whose values cannot be taken from the records. */
type NeedsExamples<Kind extends ListedKind> = {
  [Name in FilterName<Kind>]: (typeof FILTERS)[Kind][Name] extends { readonly type: "contains" | "holds" }
    ? Name
    : never;
}[FilterName<Kind>];

type Examples = {
  readonly [Kind in ListedKind]: {
    readonly [Name in NeedsExamples<Kind>]: ReadonlyArray<NonNullable<Filters[Kind][Name]>>;
  } & { readonly [Name in FilterName<Kind>]?: ReadonlyArray<NonNullable<Filters[Kind][Name]>> };
};

const NAMES = ["", "nord", "SYD", "a", "%"];

/** Values beyond those that the records have. */
const EXAMPLES: Examples = {
  attribution: {
    externalReferences: [
      ...REFERENCES.map((reference) => [reference]),
      [...REFERENCES.slice(1, 4), "R-1 ", "unknown", "\u0000", "\ud800"],
    ],
  },
  formula: { activeAt: [-31 * Build.DAY, 0, Build.DAY - 1, Build.DAY].map((offset) => Build.EPOCH + offset) },
  plan: { name: NAMES },
  commission: {},
  settlement: {
    paymentOverdue: ["2026-01-05", "2026-01-06", "2026-01-07", "2026-02-01"].flatMap((before) =>
      [true, false].map((matches) => ({ before, matches })),
    ),
  },
  schema: { name: NAMES },
  partner: {
    name: NAMES,
    externalReferences: [[...REFERENCES.slice(1, 4), "R-1 ", "unknown", "\u0000", "\ud800"]],
    tags: [["gold", "unknown"], ["Gold"], ["\u0000", "\ud800", "north"]],
  },
  apiKey: {
    within: [
      { workspaceIds: [WORKSPACES[0]] },
      { workspaceIds: [...WORKSPACES] },
      { workspaceIds: [] },
      { partnerIds: [PARTNERS[0]] },
      { partnerIds: [...PARTNERS] },
      { agentId: AGENT },
      { workspaceIds: [WORKSPACES[0]], agentId: AGENT },
    ].map((reach) => ({ workspaceIds: "*", partnerIds: "*", agentId: null, ...reach })),
  },
  planAcceptance: {},
  partnerLink: { activeAt: [-1, 0, Build.DAY - 1, Build.DAY].map((offset) => Build.EPOCH + offset) },
  paymentFile: {},
  webhookEndpoint: {},
  webhookDelivery: {},
  settlementRun: {},
  settlementRunResult: {},
  planTrial: {},
  planTrialResult: {},
  recreditRun: {},
  recreditRunResult: {},
};

const distinct = <Value>(values: ReadonlyArray<Value>): ReadonlyArray<Value> => [...new Set(values)];

/** The values that records have for a filter; empty where they cannot be told. */
const foundValues = (filter: AnyFilter, records: ReadonlyArray<never>): ReadonlyArray<unknown> => {
  switch (filter.type) {
    case "one_of":
      return distinct(records.flatMap((record) => filter.of(record) ?? []));
    case "equals":
    case "from":
    case "to":
      return distinct(records.map((record) => filter.of(record)));
    case "sign":
      return distinct(records.map((record) => Math.sign(filter.of(record))));
    case "contains":
    case "holds":
      return [];
  }
};

/** The values of a filter that are asked for, made from those that the records have. */
const askedValues = (filter: AnyFilter, found: ReadonlyArray<unknown>): ReadonlyArray<unknown> => {
  switch (filter.type) {
    case "one_of": {
      const [first, last] = [found[0], found.at(-1)];
      const everySecond = found.filter((_, index) => index % 2 === 0);
      return [[first], [last, first, last], [...everySecond, Build.freshUuid()], [Build.freshUuid()], []];
    }
    case "equals":
      return found;
    case "from":
    case "to": {
      const moments = (found as ReadonlyArray<number>).toSorted((a, b) => a - b);
      const some = [0, 0.3, 0.6, 1].flatMap(
        (part) => moments.at(Math.floor(part * (moments.length - 1))) ?? [],
      );
      return some.flatMap((moment) => [moment, moment + 1]);
    }
    case "sign":
      return Object.keys(SIGNS);
    case "contains":
    case "holds":
      return [];
  }
};

/** The values that a law asks for of one filter. */
const askedOf = (
  kind: ListedKind,
  name: string,
  records: ReadonlyArray<never>,
): Effect.Effect<ReadonlyArray<Asked>, Effect.Effect.Error<ReturnType<typeof expect>>> =>
  Effect.gen(function* () {
    const filter = (FILTERS[kind] as Readonly<Record<string, AnyFilter>>)[name];
    if (filter === undefined) return [];
    const found = foundValues(filter, records);
    const examples = (EXAMPLES[kind] as Readonly<Record<string, ReadonlyArray<unknown>>>)[name] ?? [];
    const values = [...askedValues(filter, found), ...examples];
    const asked = values.map((value): Asked => ({ name, filter, value: value as never }));
    // The records of a law are of one customer.
    const isVaried = found.length + examples.length > 1 || name === "customerIds";
    yield* expect(
      isVaried &&
        asked.some((candidate) => records.some((record) => matches(record, candidate))) &&
        asked.some((candidate) => records.some((record) => !matches(record, candidate))),
      `the records of ${kind} do not differ in ${name}, so the law checks nothing`,
    );
    return asked;
  });

/** The value that matches the most nearly half of the records. */
const mostEven = (asked: ReadonlyArray<Asked>, records: ReadonlyArray<never>): ReadonlyArray<Asked> => {
  const distance = (item: Asked): number =>
    Math.abs(records.filter((record) => matches(record, item)).length - records.length / 2);
  return asked.toSorted((a, b) => distance(a) - distance(b)).slice(0, 1);
};

/** Returns the comparison of the first page of a list with the naive implementation. */
const pageCheck =
  <Kind extends ListedKind>(
    customerId: CustomerId,
    kind: Kind,
    records: ReadonlyArray<{ readonly id: string }>,
  ) =>
  (asked: ReadonlyArray<Asked>, order: "asc" | "desc") =>
    Effect.gen(function* () {
      const storage = yield* Storage;
      // The declarations of the kind state the types of these values.
      const where = Object.fromEntries(asked.map(({ name, value }) => [name, value])) as Filters[Kind];
      const matching = records.filter((record) =>
        asked.every((candidate) => matches(record as never, candidate)),
      );
      const query: Query<Filters[Kind]> = { where, page: 1, perPage: 3, order };
      const page = yield* storage.list(customerId, kind, query);
      const ordered = order === "asc" ? matching : matching.toReversed();
      yield* expectSame(
        `${kind} ${JSON.stringify(where)} ${order}`,
        { ...page, items: page.items.map(({ id }) => id) },
        { items: ordered.slice(0, 3).map(({ id }) => id), total: matching.length },
      );
    });

const checkKind = <Kind extends ListedKind>(kind: Kind): Law["check"] =>
  Effect.gen(function* () {
    const customerId = yield* RECORDS[kind];
    const records = yield* listAll(customerId, kind);
    // Each filter reads records of its kind.
    const read = records as ReadonlyArray<unknown> as ReadonlyArray<never>;
    const filters = yield* Effect.forEach(Object.keys(FILTERS[kind]), (name) => askedOf(kind, name, read));
    const others = filters.flatMap((asked) => mostEven(asked, read));
    const expectPage = pageCheck(customerId, kind, records);
    for (const [index, one] of filters.flat().entries()) {
      yield* expectPage([one], "asc");
      yield* expectPage([one], "desc");
      for (const other of others)
        if (other.name !== one.name) yield* expectPage([other, one], index % 2 === 0 ? "asc" : "desc");
    }
  });

/** The laws of filters, one for each kind. */
export const filters: ReadonlyArray<Law> = (Object.keys(FILTERS) as ReadonlyArray<ListedKind>).map((kind) =>
  law(SENTENCE, `${kind}: each filter alone and every two together`, checkKind(kind)),
);
