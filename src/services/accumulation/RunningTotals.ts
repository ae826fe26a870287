/** Running totals as they are read, added to, and saved with the command that changes them. */
import { Effect } from "effect";
import {
  type FormulaTotals,
  type RunningTotal,
  runningTotalId,
  type TotalKey,
  type TotalSeries,
} from "../../domain/Accumulation.ts";
import type { CustomerId, RecomputationId } from "../../domain/Ids.ts";
import * as Language from "../../formula/index.ts";
import type { Change, Records, StorageError, Versioned } from "../../ports/Storage.ts";
import { type Contribution, seriesText, type WindowTotals } from "../attributions/AccumulatingFormulas.ts";
import * as Save from "../commands/Save.ts";
import * as BoundedCache from "../process/BoundedCache.ts";

/** The windows whose lists of buckets are cached: successive sales use few windows, and each lists up to 3,660 days. */
const WINDOWS_KEPT = 16;

interface Entry {
  readonly key: TotalKey;
  readonly id: string;
  /** As it is stored, or will be once the last saves of it are; null when there is none. */
  row: Versioned<RunningTotal> | null;
  total: Language.RunningTotal;
  /** True if the total has changed since it was saved last. */
  isChanged: boolean;
  /** In decimal digits. */
  readonly denominator: string;
}

/** The totals that an attribution builds on, and those that it changes. */
export interface AttributionTotals {
  readonly windows: ReadonlyArray<WindowTotals>;
  readonly contributions: ReadonlyArray<Contribution>;
}

const isSameSeries = (a: TotalSeries, b: TotalSeries): boolean =>
  a.formulaId === b.formulaId &&
  a.formulaVersion === b.formulaVersion &&
  a.aggregate === b.aggregate &&
  a.group === b.group;

const requireEntry = (entries: ReadonlyMap<string, Entry>, bucket: string): Entry => {
  const entry = entries.get(bucket);
  if (entry === undefined) throw new Error("a running total is used before it is read");
  return entry;
};

/** Totals of one partner and schema, by key. */
export class RunningTotals {
  readonly #customerId: CustomerId;
  readonly #builds: ReadonlyMap<string, RecomputationId>;
  /** By series, then by bucket. */
  readonly #series = new Map<string, Map<string, Entry>>();
  readonly #windows = BoundedCache.make<ReadonlyArray<string>>(WINDOWS_KEPT);
  #last: { readonly series: TotalSeries; readonly entries: Map<string, Entry> } | null = null;
  #size = 0;
  /** An array: a set that is cleared for each creation would keep its old entries until the next full garbage collection. */
  #changed: Array<Entry> = [];

  constructor(customerId: CustomerId, formulas: ReadonlyArray<FormulaTotals>) {
    this.#customerId = customerId;
    this.#builds = new Map(formulas.map((formula) => [formula.formulaId, formula.recomputationId]));
  }

  /** The number of totals that are loaded. */
  get size(): number {
    return this.#size;
  }

  /** The buckets of a window, as `Windows.bucketsOf` lists them; the list of one day is created once. */
  readonly bucketsOf: typeof Language.Windows.bucketsOf = (window, moment) => {
    if (window.type !== "rolling" && window.type !== "anniversary")
      return Language.Windows.bucketsOf(window, moment);
    const { from, to } = Language.Windows.spanOf(window, moment);
    const text = `${from} ${to}`;
    const known = this.#windows.get(text);
    if (known !== undefined) return known;
    const buckets = Language.Windows.bucketsOf(window, moment);
    this.#windows.set(text, buckets);
    return buckets;
  };

  /** Reads the totals that are not loaded yet; to be called before they are used. */
  load(storage: Records, wanted: ReadonlyArray<AttributionTotals>): Effect.Effect<void, StorageError> {
    const missing = new Map<string, Entry>();
    const addEntry = (aggregate: Language.RunningAggregate, series: TotalSeries, bucket: string): void => {
      const entries = this.#entriesOf(series);
      if (entries.has(bucket)) return;
      const key: TotalKey = { ...series, bucket };
      const denominator = String(aggregate.denominator);
      const total = Language.emptyTotal(aggregate);
      const entry: Entry = { key, id: runningTotalId(key), row: null, total, isChanged: false, denominator };
      entries.set(bucket, entry);
      missing.set(entry.id, entry);
      this.#size += 1;
    };
    for (const { windows, contributions } of wanted) {
      for (const { aggregate, series, buckets } of windows)
        for (const bucket of buckets) addEntry(aggregate, series, bucket);
      for (const { aggregate, key } of contributions) addEntry(aggregate, key, key.bucket);
    }
    if (missing.size === 0) return Effect.void;
    return Effect.map(storage.find(this.#customerId, "runningTotal", [...missing.keys()]), (rows) => {
      for (const row of rows) {
        const entry = missing.get(row.id);
        if (entry === undefined) continue;
        entry.row = row;
        if (row.recomputationId !== this.#builds.get(row.formulaId)) continue;
        const numerator = row.numerator === null ? null : BigInt(row.numerator);
        entry.total = { rows: row.rows, numerator };
      }
    });
  }

  /** The loaded totals of a series, by bucket. Most calls are about the series of the call before. */
  #entriesOf(series: TotalSeries): Map<string, Entry> {
    if (this.#last !== null && isSameSeries(this.#last.series, series)) return this.#last.entries;
    const text = seriesText(series);
    const entries = this.#series.get(text) ?? new Map<string, Entry>();
    if (entries.size === 0) this.#series.set(text, entries);
    this.#last = { series, entries };
    return entries;
  }

  #entry(key: TotalKey): Entry {
    return requireEntry(this.#entriesOf(key), key.bucket);
  }

  /** The totals before an attribution, one for each aggregate. */
  before(windows: ReadonlyArray<WindowTotals>): ReadonlyArray<Language.RunningTotal> {
    return windows.map(({ aggregate, series, buckets }) => {
      const entries = this.#entriesOf(series);
      const totals = buckets.map((bucket) => requireEntry(entries, bucket).total);
      const [only] = totals;
      return totals.length === 1 && only !== undefined ? only : Language.combineTotals(aggregate, totals);
    });
  }

  #change(entry: Entry, total: Language.RunningTotal): void {
    entry.total = total;
    if (entry.isChanged) return;
    entry.isChanged = true;
    this.#changed.push(entry);
  }

  /** The total of a key. */
  get(key: TotalKey): Language.RunningTotal {
    return this.#entry(key).total;
  }

  /** Sets the total of a key. */
  set(key: TotalKey, total: Language.RunningTotal): void {
    const entry = this.#entry(key);
    this.#change(entry, total);
  }

  /** Counts an attribution. */
  add({ key, aggregate, added }: Contribution): void {
    const entry = this.#entry(key);
    this.#change(entry, Language.addToTotal(aggregate, entry.total, added));
  }

  /** The saves of the totals that changed since the last call; the totals then count as saved. */
  flush(execution: Save.Stamp): ReadonlyArray<Change> {
    const changed = this.#changed;
    this.#changed = [];
    return changed.map((entry) => {
      entry.isChanged = false;
      const { id, key, row, total, denominator } = entry;
      const recomputationId = this.#builds.get(key.formulaId);
      if (recomputationId === undefined)
        throw new Error("a running total of a formula that does not accumulate");
      const saved = Save.next(execution, row);
      entry.row = {
        id,
        customerId: this.#customerId,
        formulaId: key.formulaId,
        formulaVersion: key.formulaVersion,
        aggregate: key.aggregate,
        group: key.group,
        bucket: key.bucket,
        recomputationId,
        rows: total.rows,
        numerator: total.numerator === null ? null : String(total.numerator),
        denominator,
        version: saved.version,
        lastAt: saved.lastAt,
      };
      return { type: "save", kind: "runningTotal", row: entry.row, expected: row?.version ?? 0 };
    });
  }
}
