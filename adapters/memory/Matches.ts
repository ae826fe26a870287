/** Which records a list shows: tests read from the declarations of the filters, and look-ups of related records. */
import { Storage, Text } from "quittance";
import { isStale } from "./Freshness.ts";
import { compare, idsOf } from "./Order.ts";
import type { Partition } from "./Store.ts";

export type Row<Kind extends Storage.ListedKind> = Storage.Versioned<Storage.Rows[Kind]>;

/** A record and the partition it is in. */
export interface FoundRecord<Kind extends Storage.ListedKind> {
  readonly partition: Partition;
  readonly row: Row<Kind>;
}

type Test<Subject> = (subject: Subject) => boolean;

const SIGNS: { readonly [Sign in Storage.Filter.Sign]: Test<number> } = {
  any: () => true,
  nonzero: (amount) => amount !== 0,
  positive: (amount) => amount > 0,
  negative: (amount) => amount < 0,
};

const isAmong = (values: ReadonlyArray<string>): Test<string | null | ReadonlyArray<string>> => {
  const set = new Set(values);
  return (found) =>
    typeof found === "string" ? set.has(found) : found?.some((candidate) => set.has(candidate)) === true;
};

/** The test of a filter that reads the record alone. The value has the type that the filter takes. */
const testOf = <Subject>(filter: Storage.Filter.Filter<Subject>, value: never): Test<Subject> => {
  switch (filter.type) {
    case "one_of": {
      const among = isAmong(value);
      return (row) => among(filter.of(row));
    }
    case "equals":
      return (row) => filter.of(row) === value;
    case "from":
      return (row) => filter.of(row) >= value;
    case "to":
      return (row) => filter.of(row) < value;
    case "sign": {
      const has = SIGNS[value as Storage.Filter.Sign];
      return (row) => has(filter.of(row));
    }
    case "contains": {
      const searched = Text.searchable(value);
      return (row) => Text.searchable(filter.of(row)).includes(searched);
    }
    case "holds":
      return (row) => filter.of(row, value);
  }
};

/** The tests of filters that read other records, by kind. */
type Related = {
  readonly [Kind in Storage.ListedKind as [Storage.RelatedName<Kind>] extends [never] ? never : Kind]: {
    readonly [Name in Storage.RelatedName<Kind>]: (
      value: NonNullable<Storage.Filters[Kind][Name]>,
    ) => Test<FoundRecord<Kind>>;
  };
};

const RELATED: Related = {
  commission: {
    settlementIds: (values) => {
      const among = isAmong(values);
      return ({ row, partition }) => among(partition.settlements.get(row.id) ?? null);
    },
  },
  settlement: {
    commissionIds: (values) => {
      const among = isAmong(values);
      return ({ row, partition }) =>
        (partition.lines.get(row.id) ?? []).some(({ commissionId }) => among(commissionId));
    },
    stale:
      (value) =>
      ({ row, partition }) =>
        isStale(partition, row.id) === value,
  },
};

type RelatedTest = (value: never) => Test<FoundRecord<never>>;

/** One test for each filter that is set. Those that read other records come last, because they take the longest. */
const testsOf = <Kind extends Storage.ListedKind>(
  kind: Kind,
  where: Storage.Filters[Kind],
): ReadonlyArray<Test<FoundRecord<Kind>>> => {
  const alone: Array<Test<FoundRecord<Kind>>> = [];
  const related: Array<Test<FoundRecord<Kind>>> = [];
  // Each filter has the value that its declaration takes, and its declaration reads records of its kind.
  const values = where as Readonly<Record<string, never>>;
  const filters = Storage.FILTERS[kind] as Readonly<Record<string, Storage.Filter.Filter<Row<Kind>>>>;
  const others: Readonly<Record<string, RelatedTest>> = RELATED[kind as keyof Related] ?? {};
  for (const [name, filter] of Object.entries(filters)) {
    const value = values[name];
    if (value === undefined) continue;
    const other = others[name];
    if (other !== undefined) related.push(other(value) as Test<FoundRecord<Kind>>);
    else {
      const test = testOf(filter, value);
      alone.push(({ row }) => test(row));
    }
  }
  return [...alone, ...related];
};

/** Tests the filters that statistics have: customer, workspace, partner. */
export const ownershipTest = (where: Storage.OwnershipFilters): Test<Row<"attribution" | "commission">> => {
  const tests = (["customerIds", "workspaceIds", "partnerIds"] as const).flatMap((name) => {
    const values = where[name];
    return values === undefined
      ? []
      : [testOf<Row<"attribution" | "commission">>(Storage.FILTERS.commission[name], values as never)];
  });
  return (row) => tests.every((test) => test(row));
};

/** The ids that may match, from the narrowest filter that has an index; null when there is none. */
type Candidates<Kind extends Storage.ListedKind> = (
  partition: Partition,
  where: Storage.Filters[Kind],
) => ReadonlyArray<string> | null;

const resultsOf = (
  { runResults }: Partition,
  { runIds }: { readonly runIds?: ReadonlyArray<string> },
): ReadonlyArray<string> | null => runIds?.flatMap((id) => runResults.get(id) ?? []) ?? null;

const CANDIDATES: { readonly [Kind in Storage.ListedKind]?: Candidates<Kind> } = {
  attribution: ({ credited }, { originIds }) =>
    originIds?.flatMap((id) => [id, ...(credited.get(id) ?? [])]) ?? null,
  formula: ({ planFormulas }, { planIds }) => planIds?.flatMap((id) => planFormulas.get(id) ?? []) ?? null,
  commission: ({ commissions, lines }, { attributionIds, settlementIds }) =>
    attributionIds !== undefined
      ? attributionIds.flatMap((id) => commissions.get(id) ?? [])
      : (settlementIds?.flatMap((id) => (lines.get(id) ?? []).map(({ commissionId }) => commissionId)) ??
        null),
  settlement: ({ settlements }, { commissionIds }) =>
    commissionIds?.flatMap((id) => settlements.get(id) ?? []) ?? null,
  settlementRunResult: resultsOf,
  recreditRunResult: resultsOf,
  planTrialResult: ({ trialResults }, { trialIds }) =>
    trialIds?.flatMap((id) => trialResults.get(id) ?? []) ?? null,
};

/** The records that may match, each once, and whether they come in order of creation. */
const recordsOf = <Kind extends Storage.ListedKind>(
  partition: Partition,
  kind: Kind,
  where: Storage.Filters[Kind],
): { readonly found: Iterable<FoundRecord<Kind>>; readonly isOrdered: boolean } => {
  const candidates = where.ids ?? CANDIDATES[kind]?.(partition, where) ?? null;
  const rows: Map<string, Row<Kind>> = partition.rows[kind];
  function* found(): Generator<FoundRecord<Kind>> {
    for (const id of candidates === null ? idsOf(partition.order.get(kind)) : new Set(candidates)) {
      const row = rows.get(id);
      if (row !== undefined) yield { partition, row };
    }
  }
  return { found: found(), isOrdered: candidates === null };
};

interface Created {
  readonly row: { readonly createdAt: number; readonly id: string };
}

const positionOf = ({ row: { createdAt, id } }: Created) => ({ moment: createdAt, id });

const byCreation = (a: Created, b: Created): number => compare(positionOf(a), positionOf(b));

/** The records that match, in order of creation; null when no filter is set, so that all of them do. */
export const findMatches = <Kind extends Storage.ListedKind>(
  partitions: ReadonlyArray<Partition>,
  kind: Kind,
  where: Storage.Filters[Kind],
): ReadonlyArray<FoundRecord<Kind>> | null => {
  const tests = testsOf(kind, where);
  if (tests.length === 0 && partitions.length === 1) return null;
  const matching: Array<FoundRecord<Kind>> = [];
  let ordered = partitions.length <= 1;
  for (const partition of partitions) {
    const { found, isOrdered } = recordsOf(partition, kind, where);
    ordered &&= isOrdered;
    for (const record of found) if (tests.every((test) => test(record))) matching.push(record);
  }
  return ordered ? matching : matching.toSorted(byCreation);
};
