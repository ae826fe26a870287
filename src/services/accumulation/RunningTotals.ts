/** Running totals as they are read, added to, and saved with the command that changes them. */
import { Effect } from "effect";
import {
  type FormulaTotals,
  type RunningTotal,
  runningTotalId,
  type TotalKey,
} from "../../domain/Accumulation.ts";
import type { CustomerId, RecomputationId } from "../../domain/Ids.ts";
import * as Language from "../../formula/index.ts";
import type { Change, StorageError, StorageService, Versioned } from "../../ports/Storage.ts";
import type { Execution } from "../commands/Pipeline.ts";
import * as Save from "../commands/Save.ts";
import { type Contribution, keyText, type WindowTotals } from "./AccumulatingFormulas.ts";

interface Entry {
  readonly key: TotalKey;
  readonly id: string;
  /** As it is stored, or will be by the changes that were taken; null when there is none. */
  row: Versioned<RunningTotal> | null;
  total: Language.RunningTotal;
  readonly denominator: bigint;
}

/** A total to be read. */
export type Wanted = Pick<Contribution, "key" | "aggregate">;

/** Totals of one partner and schema, by key. */
export class RunningTotals {
  readonly #customerId: CustomerId;
  readonly #builds: ReadonlyMap<string, RecomputationId>;
  readonly #entries = new Map<string, Entry>();
  readonly #changed = new Set<Entry>();

  constructor(customerId: CustomerId, formulas: ReadonlyArray<FormulaTotals>) {
    this.#customerId = customerId;
    this.#builds = new Map(formulas.map((one) => [one.formulaId, one.recomputationId]));
  }

  /** The number of totals that are held. */
  get size(): number {
    return this.#entries.size;
  }

  /** Reads the totals of these keys that are not held yet; to be called before they are used. */
  load(storage: StorageService, wanted: ReadonlyArray<Wanted>): Effect.Effect<void, StorageError> {
    const missing = new Map<string, Entry>();
    for (const { key, aggregate } of wanted) {
      const text = keyText(key);
      if (this.#entries.has(text)) continue;
      const { denominator } = aggregate;
      const total = Language.emptyTotal(aggregate);
      const entry: Entry = { key, id: runningTotalId(key), row: null, total, denominator };
      this.#entries.set(text, entry);
      missing.set(entry.id, entry);
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

  #entry(key: TotalKey): Entry {
    const entry = this.#entries.get(keyText(key));
    if (entry === undefined) throw new Error("a running total is used before it is read");
    return entry;
  }

  /** The totals before an attribution, one for each aggregate. */
  before(windows: ReadonlyArray<WindowTotals>): ReadonlyArray<Language.RunningTotal> {
    return windows.map(({ aggregate, keys }) => {
      const [only] = keys;
      if (keys.length === 1 && only !== undefined) return this.#entry(only).total;
      return Language.combineTotals(
        aggregate,
        keys.map((key) => this.#entry(key).total),
      );
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
