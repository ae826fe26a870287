import { Either } from "effect";
import { type Compiled, type EvaluationError, evaluate, toAmount } from "./Compile.ts";
import type { Facts } from "./Property.ts";
import * as Recorder from "./Recorder.ts";
import * as Reference from "./Reference.ts";
import type { Trace } from "./Trace.ts";

/** An amount (or why there is none) and how it came about. */
export type Explanation = {
  readonly result: Either.Either<number, EvaluationError>;
  readonly trace: Trace;
};

/** Evaluates a formula and tells how. */
export const explain = (compiled: Compiled, facts: Facts): Explanation => {
  const recorder = Recorder.make();
  const result = toAmount(Reference.evaluate(compiled.checked, facts, recorder));
  if (
    !Either.getEquivalence({
      left: (a: EvaluationError, b) => a.code === b.code,
      right: (a: number, b) => a === b,
    })(result, evaluate(compiled, facts))
  )
    throw new Error("the explanation and the evaluation of a formula disagree");
  return { result, trace: recorder.trace() };
};

/** The explanation as a small indented text. */
export const explainText = ({ trace }: Explanation): string =>
  trace
    .map(({ path, type, value }) => `${"  ".repeat(path.split(".").length - 1)}${type}: ${value}`)
    .join("\n");
