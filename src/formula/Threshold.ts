import { Either } from "effect";
import * as Constant from "./Constant.ts";
import type { NumericValue } from "./Expression.ts";
import { at, type Problem } from "./Problem.ts";
import * as Rational from "./Rational.ts";

/** Upper bounds ascend strictly, and the last step alone has none; the bounds that are there. */
export const thresholds = (
  steps: ReadonlyArray<{ readonly up_to?: NumericValue }>,
  path: string,
): Either.Either<ReadonlyArray<Rational.Rational>, Problem> => {
  const bounds: Array<Rational.Rational> = [];
  for (const [index, { up_to }] of steps.entries()) {
    const isLast = index === steps.length - 1;
    if (isLast !== (up_to === undefined))
      return at(
        `${path}.${index}`,
        isLast ? "the last one must be open: leave out `up_to`" : "lacks `up_to`; only the last one is open",
      );
    if (up_to === undefined) continue;
    const bound = Constant.toRational(up_to);
    const previous = bounds.at(-1);
    if (previous !== undefined && Rational.compare(previous, bound) >= 0)
      return at(
        `${path}.${index}.up_to`,
        `must be greater than the one before: ${Rational.format(bound)} does not exceed ${Rational.format(previous)}`,
      );
    bounds.push(bound);
  }
  return Either.right(bounds);
};
