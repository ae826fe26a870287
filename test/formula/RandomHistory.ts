/** Random formulas that accumulate, and random histories of attributions: late, cancelled and of equal moments. */
import { Either } from "effect";
import {
  addToTotal,
  check,
  combineTotals,
  compile,
  contribution,
  decode,
  type Expression,
  emptyTotal,
  evaluate,
  type Facts,
  formatProblem,
  groupKey,
  type RunningAggregate,
  type RunningTotal,
  subtractFromTotal,
  type Window,
  Windows,
} from "quittance/formula";
import * as Before from "../../src/formula/Before.ts";
import type { Checked } from "../../src/formula/Check.ts";
import { toAmount } from "../../src/formula/Compile.ts";
import type { Aggregate } from "../../src/formula/Expression.ts";
import * as Reference from "../../src/formula/Reference.ts";
import {
  expression,
  facts,
  landmarks,
  parameters,
  properties,
  type Random,
  random,
  textOf,
} from "./RandomFormula.ts";

const window = (r: Random): Window =>
  r.pick<() => Window>([
    () => ({ type: "calendar", unit: r.pick(["month", "quarter", "year"] as const) }),
    () => ({
      type: "calendar",
      unit: r.pick(["quarter", "year"] as const),
      starts_in_month: r.integer(1, 12),
    }),
    () => ({ type: "rolling", days: r.pick([1, 2, 7, 30, 90]) }),
    () => ({ type: "lifetime" }),
    () => ({ type: "anniversary", of: "joined_on" }),
  ])();

/** What stands in a row for a parameter of each type, and for what sellers earn, which an aggregate may not read. */
const LITERALS = {
  number: { type: "number", value: 7.5 },
  string: { type: "string", value: "EU" },
  boolean: { type: "boolean", value: true },
  date: { type: "date", value: "2026-01-31" },
} as const;

const readableInRows = (part: unknown): unknown => {
  if (Array.isArray(part)) return part.map(readableInRows);
  if (typeof part !== "object" || part === null) return part;
  if ("type" in part && part.type === "parameter" && "name" in part)
    return {
      type: "literal",
      value: LITERALS[parameters.find(({ name }) => name === part.name)?.type ?? "number"],
    };
  if ("type" in part && part.type === "attribute" && "name" in part && part.name === "sellers_commission")
    return { type: "literal", value: LITERALS.number };
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, readableInRows(value)]));
};

const aggregate = (r: Random): Aggregate => {
  const name = r.pick(["sum", "sum", "count", "min", "max"] as const);
  const row = (type: "number" | "boolean"): Expression =>
    readableInRows(expression(r, type, r.integer(0, 2))) as Expression;
  const groups = r.chance(0.5)
    ? r.pick([["region"], ["tier", "recurring"], ["renewal"], []] as const)
    : undefined;
  return {
    type: "aggregate",
    function: name,
    ...(name === "count"
      ? {}
      : { value: r.chance(0.5) ? { type: "property", name: "amount" } : row("number") }),
    ...(r.chance(0.3) ? { where: row("boolean") } : {}),
    window: window(r),
    ...(groups === undefined ? {} : { group_by: groups }),
  };
};

const isPresent = ({ function: name }: Aggregate): boolean => name === "sum" || name === "count";

/** The part with every variable of that name replaced. */
const inPlaceOf = (part: unknown, name: string, by: Expression): unknown => {
  if (Array.isArray(part)) return part.map((item) => inPlaceOf(item, name, by));
  if (typeof part !== "object" || part === null) return part;
  if ("type" in part && part.type === "variable" && "name" in part && part.name === name) return by;
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, inPlaceOf(value, name, by)]));
};

/** A random formula that uses one to three aggregates, by a name or where their values are needed. */
export const accumulating = (r: Random, depth: number): Expression => {
  const aggregates = r.list(1, 3, () => aggregate(r));
  const variables = aggregates.map((node, index) => ({
    name: `t${index}`,
    type: "number" as const,
    mayBeAbsent: !isPresent(node),
  }));
  const body = expression(r, "number", depth, false, variables);
  if (r.chance(0.5)) {
    const bindings = aggregates.map((value, index) => ({ name: `t${index}`, value }));
    return { type: "let", bindings, body };
  }
  return aggregates.reduce(
    (part, node, index) => inPlaceOf(part, `t${index}`, node),
    body as unknown,
  ) as Expression;
};

/** An attribution in a history. */
export interface Arrival {
  readonly facts: Facts;
  /** After how many arrivals it is cancelled; null when it stays confirmed. */
  readonly cancelledAfter: number | null;
}

const DAY = 86_400_000;

/** Moments of three months: midnights, last milliseconds of days, ordinary ones; often one that occurred before. */
const moments = (r: Random, length: number): ReadonlyArray<number> => {
  const start = Date.UTC(2025, 11, 1);
  const all: Array<number> = [];
  for (let index = 0; index < length; index++) {
    const day = start + r.integer(0, 100) * DAY;
    all.push(
      r.pick([
        () => day,
        () => day - 1,
        () => day + r.integer(0, DAY - 1),
        () => (all.length === 0 ? day : r.pick(all)),
      ])(),
    );
  }
  return all;
};

/** The UTC day of a moment, or the one before or after. */
const dayNear = (moment: number, days: number): string =>
  new Date(moment + days * DAY).toISOString().slice(0, 10);

/** Attributions in order of arrival, which has little to do with the order in which they occurred. */
export const history = (r: Random, length: number, near: ReadonlyArray<number>): ReadonlyArray<Arrival> =>
  moments(r, length).map((occurredAt, index) => {
    const made = facts(r, near);
    return {
      facts: {
        ...made,
        createdAt: Date.UTC(2026, 5, 1) + (index >> 1),
        occurredAt,
        occurredOn: r.chance(0.3) ? dayNear(occurredAt, r.integer(-1, 1)) : null,
        properties: { ...made.properties, region: r.pick(["EU", "US"]), recurring: r.chance(0.5) },
      },
      cancelledAfter: r.chance(0.25) ? r.integer(index + 1, length) : null,
    };
  });

/** Running totals as a store keeps them: one per aggregate, group and bucket. */
class Totals {
  readonly #kept = new Map<string, RunningTotal>();
  readonly #aggregates: ReadonlyArray<RunningAggregate>;

  constructor(aggregates: ReadonlyArray<RunningAggregate>) {
    this.#aggregates = aggregates;
  }

  /** The totals before an attribution. */
  before(row: Facts): ReadonlyArray<RunningTotal> {
    return this.#aggregates.map((runningAggregate, index) => {
      const group = groupKey(runningAggregate, row);
      const window = Windows.fixedWindow(runningAggregate.window, row);
      const buckets = Windows.bucketsOf(window, Windows.calendarDay(row));
      return combineTotals(
        runningAggregate,
        buckets.flatMap((bucket) => this.#kept.get(`${index} ${bucket} ${group}`) ?? []),
      );
    });
  }

  add(row: Facts): void {
    this.#aggregates.forEach((runningAggregate, index) => {
      const key = keyOf(runningAggregate, index, row);
      this.#kept.set(
        key,
        addToTotal(
          runningAggregate,
          this.#kept.get(key) ?? emptyTotal(runningAggregate),
          contribution(runningAggregate, row),
        ),
      );
    });
  }

  /** Takes a row away; `rest` are the confirmed rows without it, for totals that must be recounted. */
  remove(row: Facts, rest: ReadonlyArray<Facts>): void {
    this.#aggregates.forEach((runningAggregate, index) => {
      const key = keyOf(runningAggregate, index, row);
      const left = subtractFromTotal(
        runningAggregate,
        this.#kept.get(key) ?? emptyTotal(runningAggregate),
        contribution(runningAggregate, row),
      );
      const recounted = (): RunningTotal =>
        rest
          .filter((other) => keyOf(runningAggregate, index, other) === key)
          .reduce(
            (total, other) => addToTotal(runningAggregate, total, contribution(runningAggregate, other)),
            emptyTotal(runningAggregate),
          );
      this.#kept.set(key, left ?? recounted());
    });
  }
}

const keyOf = (aggregate: RunningAggregate, index: number, row: Facts): string =>
  `${index} ${Windows.bucketOf(aggregate.window, Windows.calendarDay(row))} ${groupKey(aggregate, row)}`;

const outcome = (result: Either.Either<number, { readonly code: string }>): number | string =>
  Either.match(result, { onLeft: ({ code }): number | string => code, onRight: (amount) => amount });

const recounted = (checked: Checked, row: Facts, earlier: ReadonlyArray<Facts>): number | string =>
  outcome(toAmount(Reference.evaluate(checked, row, Before.find(checked, row, { history: earlier }))));

/** The findings of a run of histories. */
export interface Found {
  evaluations: number;
  /** How many of them stayed on the fast path. */
  fast: number;
  /** How many of them had a row in a window. */
  withRows: number;
  differences: Array<string>;
}

export const nothingFound = (): Found => ({ evaluations: 0, fast: 0, withRows: 0, differences: [] });

/**
 * Lets attributions arrive and be cancelled, and compares each amount that the compiled formula computes from running totals
 * with the one that the reference interpreter computes from the rows. After the last cancellation all are computed again.
 */
const compareHistory = (
  checked: Checked,
  arrivals: ReadonlyArray<Arrival>,
  label: string,
  found: Found,
): void => {
  const compiled = compile(checked);
  const compare = (row: Facts, before: ReadonlyArray<RunningTotal>, earlier: ReadonlyArray<Facts>): void => {
    const actual = outcome(evaluate(compiled, row, before));
    const expected = recounted(checked, row, earlier);
    found.evaluations += 1;
    if (compiled.fast.program.frame.exact) found.fast += 1;
    if (before.some(({ rows }) => rows > 0)) found.withRows += 1;
    if (!Object.is(actual, expected))
      found.differences.push(
        `${label}: ${actual}, not ${expected}\n${textOf({ expression: checked.expression, row, earlier })}`,
      );
  };
  const totals = new Totals(compiled.aggregates);
  let confirmed: ReadonlyArray<Facts> = [];
  arrivals.forEach(({ facts: row }, index) => {
    compare(row, totals.before(row), confirmed);
    totals.add(row);
    confirmed = [...confirmed, row];
    for (const { facts: gone, cancelledAfter } of arrivals) {
      if (cancelledAfter !== index + 1) continue;
      confirmed = confirmed.filter((other) => other !== gone);
      totals.remove(gone, confirmed);
    }
  });
  // After the last arrival and cancellation: the totals before the next attribution, and a recomputation in order.
  for (const { facts: row } of arrivals.slice(0, 3)) compare(row, totals.before(row), confirmed);
  const again = new Totals(compiled.aggregates);
  confirmed.forEach((row, index) => {
    compare(row, again.before(row), confirmed.slice(0, index));
    again.add(row);
  });
};

/** Errors that random formulas can cause: they are well typed, but not always small or free of quotients in their rows. */
const EXPECTED_REFUSAL =
  /the formula (has more|is larger)|can grow too large|must be a literal other than 0 inside an aggregate/;

/** Compares random histories under the random formula of a seed; false when that formula is refused. */
export const compareSeed = (seed: number, evaluations: number, found: Found): boolean => {
  const r = random(seed);
  const raw = accumulating(r, r.integer(1, 4));
  const formula = Either.flatMap(decode(raw), (decoded) => check(decoded, properties, parameters));
  if (Either.isLeft(formula)) {
    if (!EXPECTED_REFUSAL.test(formula.left.message))
      found.differences.push(`seed ${seed}: ${formatProblem(formula.left)}`);
    return false;
  }
  if (formula.right.aggregates.length === 0) return false;
  const near = landmarks(raw);
  const until = found.evaluations + evaluations;
  while (found.evaluations < until && found.differences.length === 0)
    compareHistory(formula.right, history(r, r.integer(1, 16), near), `seed ${seed}`, found);
  return true;
};
