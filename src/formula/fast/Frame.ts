import type { Facts, PropertyValue } from "../Property.ts";
import type { RunningTotal } from "../RunningTotal.ts";

/**
 * The working memory of one compiled formula: what its closures read and write during one evaluation.
 * Evaluation is synchronous, so a formula owns a single frame and no evaluation allocates one.
 */
export type Frame = {
  facts: Facts;
  /** The properties of `facts`, here to save an indirection. */
  properties: Readonly<Record<string, PropertyValue>>;
  /** The totals of earlier attributions, one for each aggregate of the formula. */
  before: ReadonlyArray<RunningTotal>;
  /** False once some number left the range in which doubles are exact; the result is then discarded. */
  exact: boolean;
  /** The property or parameter whose decimals did not fit the scale it was compiled for, if that is why `exact` is false. */
  unread: string | undefined;
  /** Its value. */
  unreadValue: number;
  /** The positive denominator of the ratio computed last. */
  divisor: number;
  /** Variables that hold numbers or dates; NaN when absent. */
  readonly numbers: Array<number>;
  /** Variables that hold texts; `undefined` when absent. */
  readonly texts: Array<string | undefined>;
  /** Variables that hold true or false; `undefined` when absent. */
  readonly truths: Array<boolean | undefined>;
};

/** The facts before the first evaluation: no code reads them. */
const NO_FACTS = { properties: {} } as Facts;

/** A frame without facts. */
export const make = (): Frame => ({
  facts: NO_FACTS,
  properties: {},
  before: [],
  exact: true,
  unread: undefined,
  unreadValue: 0,
  divisor: 1,
  numbers: [],
  texts: [],
  truths: [],
});
