import { Either } from "effect";
import * as Bound from "./Bound.ts";
import { at, type Problem } from "./Problem.ts";
import * as Type from "./Type.ts";

/** The problem of a value that has another type than expected. */
export const mismatch = (path: string, expected: string, found: Type.Type): Either.Either<never, Problem> =>
  at(path, `must be ${expected}, found ${Type.NAMES[found.type]}`);

/** A value that a choice can yield, and where it stands. */
export type Choice = { readonly path: string; readonly typed: Type.Typed };

/** The type of a value that is one of several, which must all have the same type. */
export const commonType = (
  choices: ReadonlyArray<Choice>,
  mayBeAbsent: boolean,
): Either.Either<Type.Typed, Problem> => {
  // The grammar requires at least one item of every list.
  const [first, ...others] = choices as readonly [Choice, ...ReadonlyArray<Choice>];
  for (const { path, typed } of others) {
    if (typed.type.type !== first.typed.type.type)
      return mismatch(path, `${Type.NAMES[first.typed.type.type]} like ${first.path}`, typed.type);
  }
  const bounds = choices.flatMap(({ typed }) => (typed.type.type === "number" ? [typed.type.bound] : []));
  const type = bounds.length > 0 ? Type.number(Bound.choose(bounds)) : first.typed.type;
  return Either.right(Type.absentIf(mayBeAbsent, type));
};
