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
import type { Change, StorageError, StorageService, Versioned } from "../../ports/Storage.ts";
import type { Execution } from "../commands/Pipeline.ts";
import * as Save from "../commands/Save.ts";
import * as BoundedCache from "../process/BoundedCache.ts";
import { type Contribution, seriesText, type WindowTotals } from "./AccumulatingFormulas.ts";

/** The rolling windows whose buckets are kept: those of sales that follow each other are few, and each lists up to 3,660. */
const WINDOWS_KEPT = 16;

interface Entry {
  readonly key: TotalKey;
  readonly id: string;
  /** As it is stored, or will be by the changes that were taken; null when there is none. */
  row: Versioned<RunningTotal> | null;
  total: Language.RunningTotal;
  readonly denominator: bigint;
}

/** The totals that an attribution builds on, and those that it changes. */
export interface Wanted {
  readonly windows: ReadonlyArray<WindowTotals>;
  readonly contributions: ReadonlyArray<Contribution>;
}

const read = (held: ReadonlyMap<string, Entry>, bucket: string): Entry => {
  const entry = held.get(bucket);
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
  #size = 0;
  readonly #changed = new Set<Entry>();

  constructor(customerId: CustomerId, formulas: ReadonlyArray<FormulaTotals>) {
    this.#customerId = customerId;
    this.#builds = new Map(formulas.map((one) => [one.formulaId, one.recomputationId]));
  }

  /** The number of totals that are held. */
  get size(): number {
    return this.#size;
  }

  /** The buckets of a window, as `Windows.bucketsOf` lists them; the list of one day is made once. */
  readonly bucketsOf: typeof Language.Windows.bucketsOf = (window, moment) => {
    if (window.type !== "rolling") return Language.Windows.bucketsOf(window, moment);
    const text = `${window.days} ${Language.Windows.bucketOf(window, moment)}`;
    const known = this.#windows.get(text);
    if (known !== undefined) return known;
    const buckets = Language.Windows.bucketsOf(window, moment);
    this.#windows.set(text, buckets);
    return buckets;
  };

  /** Reads those totals that are not held yet; to be called before they are used. */
  load(storage: StorageService, wanted: ReadonlyArray<Wanted>): Effect.Effect<void, StorageError> {
    const missing = new Map<string, Entry>();
    const hold = (aggregate: Language.RunningAggregate, series: TotalSeries, bucket: string): void => {
      const held = this.#held(series);
      if (held.has(bucket)) return;
      const key: TotalKey = { ...series, bucket };
      const { denominator } = aggregate;
      const total = Language.emptyTotal(aggregate);
      const entry: Entry = { key, id: runningTotalId(key), row: null, total, denominator };
      held.set(bucket, entry);
      missing.set(entry.id, entry);
      this.#size += 1;
    };
    for (const { windows, contributions } of wanted) {
      for (const { aggregate, series, buckets } of windows)
        for (const bucket of buckets) hold(aggregate, series, bucket);
      for (const { aggregate, key } of contributions) hold(aggregate, key, key.bucket);
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

  /** The totals of a series that are held, by bucket. */
  #held(series: TotalSeries): Map<string, Entry> {
    const text = seriesText(series);
    const held = this.#series.get(text) ?? new Map<string, Entry>();
    if (held.size === 0) this.#series.set(text, held);
    return held;
  }

  #entry(key: TotalKey): Entry {
    return read(this.#held(key), key.bucket);
  }

  /** The totals before an attribution, one for each aggregate. */
  before(windows: ReadonlyArray<WindowTotals>): ReadonlyArray<Language.RunningTotal> {
    return windows.map(({ aggregate, series, buckets }) => {
      const held = this.#held(series);
      const totals = buckets.map((bucket) => read(held, bucket).total);
      const [only] = totals;
      return totals.length === 1 && only !== undefined ? only : Language.combineTotals(aggregate, totals);
    });
  }

  /** The total of a key. */
  get(key: TotalKey): Language.RunningTotal {
    return this.#entry(key).total;
  }

  /** Sets the total of a key. */
  set(key: TotalKey, total: Language.RunningTotal): void {
    const entry = this.#entry(key);
    entry.total = total;
    this.#changed.add(entry);
  }

  /** Counts an attribution. */
  add({ key, aggregate, added }: Contribution): void {
    this.set(key, Language.addToTotal(aggregate, this.get(key), added));
  }

  /** The saves of the totals that changed since the last call; the totals then count as saved. */
  take(execution: Pick<Execution, "actor" | "at">): ReadonlyArray<Change> {
    const changes = [...this.#changed].map((entry) => {
      const recomputationId = this.#builds.get(entry.key.formulaId);
      if (recomputationId === undefined)
        throw new Error("a running total of a formula that does not accumulate");
      const save = Save.flat("runningTotal", execution, {
        ...entry.row,
        ...entry.key,
        id: entry.id,
        customerId: this.#customerId,
        recomputationId,
        rows: entry.total.rows,
        numerator: entry.total.numerator === null ? null : String(entry.total.numerator),
        denominator: String(entry.denominator),
      });
      entry.row = save.row;
      return save;
    });
    this.#changed.clear();
    return changes;
  }
}
