/** The functions of operands as an editor offers them, in a file that a page without an editor does not load. */
import { FUNCTION_SUMMARIES, GRAMMAR } from "../Expression.ts";
import { OPERAND_CALLS, type OperandCall } from "./Words.ts";

/** A function that has nothing but operands, in the text form. */
export interface OperandFunction {
  readonly name: string;
  /** A sentence. */
  readonly meaning: string;
  /** True if it takes any number of operands, false if it takes one. */
  readonly takesSeveral: boolean;
}

/** Every function that has nothing but operands. */
export const operandFunctions = (): ReadonlyArray<OperandFunction> =>
  (Object.keys(OPERAND_CALLS) as ReadonlyArray<OperandCall>).map((kind) => ({
    name: OPERAND_CALLS[kind],
    meaning: FUNCTION_SUMMARIES[kind],
    takesSeveral: "operands" in GRAMMAR[kind],
  }));
