import type { Facts, PropertyValue } from "../Property.ts";

/**
 * The working memory of one compiled formula: what its closures read and leave behind during one evaluation.
 * Evaluation is synchronous, so a formula owns a single frame and no evaluation allocates one.
 */
export type Frame = {
  facts: Facts;
  /** The properties of the facts, one step nearer. */
  properties: Readonly<Record<string, PropertyValue>>;
  /** False once some number left the range in which doubles are exact; the result is then thrown away. */
  exact: boolean;
  /** The property whose decimals did not fit the scale it was compiled for, if that is why `exact` is false. */
  unread: string | undefined;
  /** The positive denominator of the ratio computed last. */
  divisor: number;
  /** Variables that hold numbers or dates; NaN when absent. */
  readonly numbers: Array<number>;
  /** Variables that hold texts; `undefined` when absent. */
  readonly texts: Array<string | undefined>;
  /** Variables that hold true or false; `undefined` when absent. */
  readonly truths: Array<boolean | undefined>;
};

const nothing: Facts = {
  id: "",
  partnerId: "",
  customerId: "",
  workspaceId: "",
  schemaId: "",
  agentId: null,
  createdAt: 0,
  properties: {},
};

/** A frame that has seen no facts. */
export const make = (): Frame => ({
  facts: nothing,
  properties: nothing.properties,
  exact: true,
  unread: undefined,
  divisor: 1,
  numbers: [],
  texts: [],
  truths: [],
});
