/** Counts again what running totals hold: walks the attributions of a partner and schema in order of arrival. */
import { Effect } from "effect";
import { type Arrival, compareArrivals } from "../../domain/Accumulation.ts";
import type { Attribution } from "../../domain/Attribution.ts";
import { RECOMPUTATION_BATCH } from "../../domain/Limits.ts";
import { DAY } from "../../domain/Timestamp.ts";
import * as Language from "../../formula/index.ts";
import type { AttributionForFormula, Earnings, StorageError } from "../../ports/Storage.ts";
import {
  type AccumulatingFormula,
  contributions,
  keyText,
  type WindowTotals,
  windowTotals,
} from "../attributions/AccumulatingFormulas.ts";
import * as TimeSlice from "../process/TimeSlice.ts";

/** Calendar days of attributions, as their midnights in UTC, from inclusive, to exclusive; null is no limit. */
export interface Days {
  readonly from: number | null;
  readonly to: number | null;
}

/** The smallest span that holds both. */
export const hull = (a: Days, b: Days): Days => ({
  from: a.from === null || b.from === null ? null : Math.min(a.from, b.from),
  to: a.to === null || b.to === null ? null : Math.max(a.to, b.to),
});

/** The days of the attributions that the amounts of these days build on, whichever version holds for them. */
export const daysBefore = ({ versions }: AccumulatingFormula, all: ReadonlyArray<number>): Days | null => {
  let days: Days | null = null;
  for (const aggregates of versions.values()) {
    for (const { window } of aggregates) {
      for (const day of all) {
        const span = Language.Windows.coverOf(window, day);
        days = days === null ? span : hull(days, span);
      }
    }
  }
  return days;
};

/** The days whose amounts build on an attribution, under the aggregates that it contributes to. */
export const daysAfter = (accumulating: AccumulatingFormula, attribution: Attribution): Days | null => {
  let days: Days | null = null;
  for (const { aggregate } of contributions(accumulating, attribution)) {
    const span = Language.Windows.reachOf(aggregate.window, Language.Windows.calendarDay(attribution));
    days = days === null ? span : hull(days, span);
  }
  return days;
};

/** The moments at which attributions of these days can have occurred: a calendar day is at most one day from that of UTC. */
export const momentsOf = ({ from, to }: Days) => ({
  from: from === null ? null : from - DAY,
  to: to === null ? null : to + DAY,
});

/** Totals of the attributions that were counted, of one formula. */
export class Count {
  readonly #totals = new Map<string, Language.RunningTotal>();
  readonly #accumulating: AccumulatingFormula;

  constructor(accumulating: AccumulatingFormula) {
    this.#accumulating = accumulating;
  }

  /** Counts an attribution, unless it is cancelled. */
  add(attribution: Attribution): void {
    if (attribution.status !== "confirmed") return;
    for (const { key, aggregate, added } of contributions(this.#accumulating, attribution)) {
      const text = keyText(key);
      const total = this.#totals.get(text) ?? Language.emptyTotal(aggregate);
      this.#totals.set(text, Language.addToTotal(aggregate, total, added));
    }
  }

  /** The totals before an attribution, one for each aggregate. */
  before(windows: ReadonlyArray<WindowTotals>): ReadonlyArray<Language.RunningTotal> {
    return windows.map(({ aggregate, series, buckets }) =>
      Language.combineTotals(
        aggregate,
        buckets.flatMap((bucket) => this.#totals.get(keyText({ ...series, bucket })) ?? []),
      ),
    );
  }
}

/** The place of an attribution in the order of arrival. */
export const arrivalOf = ({ createdAt, id }: Attribution): Arrival => ({ createdAt, id });

/** What is read for a page of attributions before they are visited. */
type Prepare = (page: ReadonlyArray<AttributionForFormula>) => Effect.Effect<void, StorageError>;

/**
 * Reads the attributions of some days in order of arrival, up to a place (inclusive; null: all), in pages; also some of the
 * days before and after.
 */
export const walk = (
  storage: Earnings,
  { formula }: Pick<AccumulatingFormula, "formula">,
  { until, ...days }: Days & { readonly until: Arrival | null },
  visit: (found: AttributionForFormula) => void,
  prepare: Prepare = () => Effect.void,
): Effect.Effect<void, StorageError> =>
  Effect.gen(function* () {
    for (let after: Arrival | null = null; ; ) {
      const span = { ...momentsOf(days), after, limit: RECOMPUTATION_BATCH };
      const page: ReadonlyArray<AttributionForFormula> = yield* storage.arrivalsForFormula(formula, span);
      const inside = page.filter(
        ({ attribution }) => until === null || compareArrivals(attribution, until) <= 0,
      );
      yield* prepare(inside);
      yield* TimeSlice.map(inside, visit);
      const last = page[page.length - 1];
      if (last === undefined || page.length < RECOMPUTATION_BATCH || inside.length < page.length) return;
      after = arrivalOf(last.attribution);
    }
  });

/** The totals before each of some attributions, by the attribution's id. */
export const totalsBefore = (
  storage: Earnings,
  accumulating: AccumulatingFormula,
  attributions: ReadonlyArray<Attribution>,
): Effect.Effect<ReadonlyMap<string, ReadonlyArray<Language.RunningTotal>>, StorageError> =>
  Effect.gen(function* () {
    const found = new Map<string, ReadonlyArray<Language.RunningTotal>>();
    const days = daysBefore(accumulating, attributions.map(Language.Windows.calendarDay));
    const [last] = attributions.toSorted((a, b) => compareArrivals(b, a));
    if (days === null || last === undefined) return found;
    const wanted = new Set<string>(attributions.map(({ id }) => id));
    const count = new Count(accumulating);
    yield* walk(storage, accumulating, { ...days, until: arrivalOf(last) }, ({ attribution }) => {
      if (wanted.has(attribution.id))
        found.set(attribution.id, count.before(windowTotals(accumulating, attribution)));
      count.add(attribution);
    });
    return found;
  });
