/** Evaluates the versions of a formula over attributions in the order of their arrival, with the running totals they build on. */
import type { Either } from "effect";
import * as Language from "quittance/formula";

/** The totals before an attribution, one for each aggregate of a version. */
type Before = ReadonlyArray<Language.RunningTotal>;

/** The key of a running total: version, aggregate, group and bucket of its window. */
type KeyOf = (version: number, aggregate: Language.RunningAggregate, group: string, bucket: string) => string;

/** The evaluation of one formula. Its memory is that of its totals: one for each group and period. */
export class Evaluation {
  readonly totals = new Map<string, Language.RunningTotal>();
  readonly #versions: ReadonlyArray<Language.Compiled>;
  readonly #keyOf: KeyOf;

  /** Versions are counted from 1. */
  constructor(versions: ReadonlyArray<Language.Compiled>, keyOf: KeyOf) {
    this.#versions = versions;
    this.#keyOf = keyOf;
  }

  get accumulates(): boolean {
    return this.#versions.some(({ aggregates }) => aggregates.length > 0);
  }

  /** True if a version, or any where none is named, reads what sellers earn. */
  readsSellers(version?: number): boolean {
    const versions = version === undefined ? this.#versions : [this.#version(version)];
    return versions.some(({ readsSellers }) => readsSellers);
  }

  #version(version: number): Language.Compiled {
    const compiled = this.#versions[version - 1];
    if (compiled === undefined) throw new Error(`the formula has no version ${version}`);
    return compiled;
  }

  #before(version: number, facts: Language.Facts): Before {
    return this.#version(version).aggregates.map((aggregate) => {
      const group = Language.groupKey(aggregate, facts);
      const window = Language.Windows.fixedWindow(aggregate.window, facts);
      const buckets = Language.Windows.bucketsOf(window, Language.Windows.calendarDay(facts));
      return Language.combineTotals(
        aggregate,
        buckets.flatMap((bucket) => this.totals.get(this.#keyOf(version, aggregate, group, bucket)) ?? []),
      );
    });
  }

  /** The amount of an attribution, by a version and the attributions that were added before it. */
  amountOf(version: number, facts: Language.Facts): Either.Either<number, Language.EvaluationError> {
    return Language.evaluate(this.#version(version), facts, this.#before(version, facts));
  }

  /** How that amount is computed. */
  explain(version: number, facts: Language.Facts): Language.Explanation {
    return Language.explain(this.#version(version), facts, this.#before(version, facts));
  }

  /** Adds an attribution to the totals of every version; one that does not count has its totals at least. */
  add(facts: Language.Facts, counts = true): void {
    for (const [index, { aggregates }] of this.#versions.entries()) {
      for (const aggregate of aggregates) {
        const added = Language.contribution(aggregate, facts);
        if (added === null) continue;
        const bucket = Language.Windows.bucketOf(aggregate.window, Language.Windows.calendarDay(facts));
        const key = this.#keyOf(index + 1, aggregate, Language.groupKey(aggregate, facts), bucket);
        const total = this.totals.get(key) ?? Language.emptyTotal(aggregate);
        this.totals.set(key, counts ? Language.addToTotal(aggregate, total, added) : total);
      }
    }
  }
}
