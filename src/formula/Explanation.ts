import { Either } from "effect";
import { totalsBefore } from "./Aggregate.ts";
import * as Before from "./Before.ts";
import { type Compiled, type EvaluationError, evaluate, formulaFor, toAmount } from "./Compile.ts";
import type { Facts } from "./Property.ts";
import * as Recorder from "./Recorder.ts";
import * as Reference from "./Reference.ts";
import type { Trace } from "./Trace.ts";

/** An amount, or why there is none, and how it was computed. The trace is there in both cases. */
export type Explanation = {
  readonly result: Either.Either<number, EvaluationError>;
  readonly trace: Trace;
};

const amountOrCode = Either.match({
  onLeft: ({ code }: EvaluationError) => code,
  onRight: (amount: number) => amount,
});

/**
 * Evaluates a formula and records how its amount was computed. The reference interpreter records the trace, and its amount is
 * compared with that of `evaluate`: an explanation of an amount other than the one paid is a defect and throws.
 *
 * Where a share multiplies what the formula pays, the trace is that of the product.
 *
 * A formula with aggregates takes either their totals, or the history that they total: the confirmed attributions of the
 * same partner, workspace and schema that arrived before, in any order.
 */
export const explain = (compiled: Compiled, facts: Facts, before: Before.Before = []): Explanation => {
  const { checked, aggregates } = formulaFor(compiled, facts);
  const recorder = Recorder.make();
  const find = Before.find(checked, facts, before);
  const result = toAmount(Reference.evaluate(checked, facts, find, recorder));
  const totals = "history" in before ? totalsBefore(aggregates, before.history, facts) : before;
  const evaluated = amountOrCode(evaluate(compiled, facts, totals));
  if (amountOrCode(result) !== evaluated)
    throw new Error(`a formula was explained as ${amountOrCode(result)} and evaluated to ${evaluated}`);
  return { result, trace: recorder.trace() };
};
