import { Either } from "effect";
import type { Checked } from "./Check.ts";
import * as Decimal from "./Decimal.ts";
import { halfUp } from "./fast/Arithmetic.ts";
import { program } from "./fast/Build.ts";
import * as Code from "./fast/Code.ts";
import * as Frame from "./fast/Frame.ts";
import * as Leaf from "./fast/Leaf.ts";
import type { Facts } from "./Property.ts";
import * as Reference from "./Reference.ts";

/** The closures of a formula for given decimals of its number properties. */
type Program = {
  readonly frame: Frame.Frame;
  readonly prepare: ReadonlyArray<(frame: Frame.Frame) => void>;
  /** Computes the numerator of the amount before it is rounded. */
  readonly run: Code.Run;
  /** Its denominator; undefined if `run` writes the denominator into the frame. */
  readonly denominator: number | undefined;
};

/**
 * A formula ready to be evaluated many times. It holds working memory and the most decimals seen so far in each number
 * property; neither changes the result of an evaluation.
 */
export type Compiled = {
  readonly checked: Checked;
  /** @internal */
  readonly fast: { program: Program; decimals: ReadonlyMap<string, number> };
};

/** Why a formula has no amount for an attribution: the only reason there is. */
export type EvaluationError = { readonly code: "OVERFLOW"; readonly message: string };

const programFor = (checked: Checked, decimals: ReadonlyMap<string, number>): Program => {
  const { code, prepare } = program(checked.expression, checked.properties, decimals);
  const frame = Frame.make();
  if (code.type === "ratio") return { frame, prepare, run: code.run, denominator: undefined };
  // The checker has proved that the root is a number.
  const { denominator, times } = code as Code.NumberCode;
  return { frame, prepare, run: times(1), denominator };
};

/** Prepares a checked formula for evaluation. */
export const compile = (checked: Checked): Compiled => {
  const decimals = new Map<string, number>();
  return { checked, fast: { program: programFor(checked, decimals), decimals } };
};

const overflow: EvaluationError = {
  code: "OVERFLOW",
  message: `the amount lies beyond ±${Number.MAX_SAFE_INTEGER}`,
};

/** An exact integer as an amount, or the overflow when it is no safe integer. */
export const toAmount = (exact: bigint): Either.Either<number, EvaluationError> =>
  Code.fits(exact) ? Either.right(Number(exact)) : Either.left(overflow);

/** Recompiles with more decimals for the property that could not be read, if the fast path supports that many. */
const recompile = (compiled: Compiled, name: string, facts: Facts): void => {
  const value = facts.properties[name] as number;
  if (!Decimal.isPropertyNumber(value)) return;
  const { decimals } = Decimal.fromNumber(value);
  const known = compiled.fast.decimals.get(name) ?? Leaf.initialScale;
  if (decimals <= known || decimals > Leaf.maximumScale) return;
  compiled.fast.decimals = new Map(compiled.fast.decimals).set(name, decimals);
  compiled.fast.program = programFor(compiled.checked, compiled.fast.decimals);
};

const evaluateExactly = (compiled: Compiled, facts: Facts): Either.Either<number, EvaluationError> => {
  const { frame } = compiled.fast.program;
  if (frame.unread !== undefined) recompile(compiled, frame.unread, facts);
  frame.unread = undefined;
  return toAmount(Reference.evaluate(compiled.checked, facts));
};

/**
 * The amount of a formula for an attribution, an integer of the smallest unit of the formula's currency, rounded
 * half away from zero unless the formula rounds itself. Never -0.
 *
 * Fails with `OVERFLOW` when the amount is no safe integer. Throws `FactsMismatch`, a defect, when the facts do not
 * fit the schema that the formula was checked against.
 */
export const evaluate = (compiled: Compiled, facts: Facts): Either.Either<number, EvaluationError> => {
  const { frame, prepare, run, denominator } = compiled.fast.program;
  frame.facts = facts;
  frame.properties = facts.properties;
  frame.exact = true;
  for (let index = 0; index < prepare.length; index++)
    (prepare[index] as (frame: Frame.Frame) => void)(frame);
  const numerator = run(frame);
  if (!frame.exact) return evaluateExactly(compiled, facts);
  return Either.right(halfUp(numerator, denominator ?? frame.divisor) + 0);
};
