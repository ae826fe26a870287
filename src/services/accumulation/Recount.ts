/** Counts again what running totals hold: walks the attributions of a partner and schema in order of arrival. */
import { Effect } from "effect";
import { type Arrival, compareArrivals } from "../../domain/Accumulation.ts";
import type { Attribution } from "../../domain/Attribution.ts";
import { RECOMPUTATION_BATCH } from "../../domain/Limits.ts";
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

/** The dates of attributions that a walk reads; null is no limit. */
export interface Dates {
  readonly from: number | null;
  readonly to: number | null;
}

/** The smallest span that holds both. */
export const hull = (one: Dates, other: Dates): Dates => ({
  from: one.from === null || other.from === null ? null : Math.min(one.from, other.from),
  to: one.to === null || other.to === null ? null : Math.max(one.to, other.to),
});

/** The dates of the attributions that the amounts of these dates build on, whichever version holds for them. */
export const datesBefore = (
  { versions }: AccumulatingFormula,
  moments: ReadonlyArray<number>,
): Dates | null => {
  let dates: Dates | null = null;
  for (const aggregates of versions.values()) {
    for (const { window } of aggregates) {
      for (const moment of moments) {
        const span = Language.Windows.spanOf(window, moment);
        dates = dates === null ? span : hull(dates, span);
      }
    }
  }
  return dates;
};

/** The dates whose amounts build on an attribution of a date, under the aggregates that it contributes to. */
export const datesAfter = (accumulating: AccumulatingFormula, attribution: Attribution): Dates | null => {
  let dates: Dates | null = null;
  for (const { aggregate } of contributions(accumulating, attribution)) {
    const span = Language.Windows.reachOf(aggregate.window, attribution.occurredAt);
    dates = dates === null ? span : hull(dates, span);
  }
  return dates;
};

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

/** Reads the attributions of some dates in order of arrival, up to a place (inclusive; null: all), in pages. */
export const walk = (
  storage: Earnings,
  { formula }: Pick<AccumulatingFormula, "formula">,
  { until, ...dates }: Dates & { readonly until: Arrival | null },
  visit: (found: AttributionForFormula) => void,
): Effect.Effect<void, StorageError> =>
  Effect.gen(function* () {
    for (let after: Arrival | null = null; ; ) {
      const span = { ...dates, after, limit: RECOMPUTATION_BATCH };
      const page: ReadonlyArray<AttributionForFormula> = yield* storage.arrivalsForFormula(formula, span);
      const inside = page.filter(
        ({ attribution }) => until === null || compareArrivals(attribution, until) <= 0,
      );
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
    const dates = datesBefore(
      accumulating,
      attributions.map(({ occurredAt }) => occurredAt),
    );
    const [last] = attributions.toSorted((one, other) => compareArrivals(other, one));
    if (dates === null || last === undefined) return found;
    const wanted = new Set<string>(attributions.map(({ id }) => id));
    const count = new Count(accumulating);
    yield* walk(storage, accumulating, { ...dates, until: arrivalOf(last) }, ({ attribution }) => {
      if (wanted.has(attribution.id))
        found.set(attribution.id, count.before(windowTotals(accumulating, attribution)));
      count.add(attribution);
    });
    return found;
  });
