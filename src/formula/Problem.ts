import { Either } from "effect";

/** Why a formula is refused: the JSON path of the node or field, such as `$.operands.1.left`, and what is wrong. */
export type Problem = {
  readonly path: string;
  readonly message: string;
};

/** A refusal at a path. */
export const at = (path: string, message: string): Either.Either<never, Problem> =>
  Either.left({ path, message });

/** The problem on one line: path, colon, message. */
export const format = (problem: Problem): string => `${problem.path}: ${problem.message}`;
