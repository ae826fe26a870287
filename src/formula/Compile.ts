import { Either } from "effect";
import type { Checked } from "./Check.ts";
import type { Facts } from "./Property.ts";
import * as Reference from "./Reference.ts";

/** A formula ready to be evaluated many times. */
export type Compiled = { readonly checked: Checked };

/** Why a formula has no amount for an attribution: the only reason there is. */
export type EvaluationError = { readonly code: "OVERFLOW"; readonly message: string };

/** Prepares a checked formula for evaluation. */
export const compile = (checked: Checked): Compiled => ({ checked });

const overflow: EvaluationError = {
  code: "OVERFLOW",
  message: `the amount lies outside ±${Number.MAX_SAFE_INTEGER}`,
};

const limit = BigInt(Number.MAX_SAFE_INTEGER);

/** The reference amount as a safe integer, or the overflow. */
export const toAmount = (exact: bigint): Either.Either<number, EvaluationError> =>
  exact > limit || exact < -limit ? Either.left(overflow) : Either.right(Number(exact));

/** The amount of a formula for an attribution, in the smallest unit of the formula's currency. */
export const evaluate = (compiled: Compiled, facts: Facts): Either.Either<number, EvaluationError> =>
  toAmount(Reference.evaluate(compiled.checked, facts));
