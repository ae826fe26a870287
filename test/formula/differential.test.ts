import { Either } from "effect";
import { check, compile, decode, evaluate } from "quittance/formula";
import { afterAll, describe, expect, it } from "vitest";
import { toAmount } from "../../src/formula/Compile.ts";
import { KINDS } from "../../src/formula/Grammar.ts";
import * as Reference from "../../src/formula/Reference.ts";
import { sized } from "../support/profile.ts";
import { expression, facts, landmarks, parameters, properties, random, textOf } from "./RandomFormula.ts";

/** 8 × 150 × 80 evaluations: 96,000 in every run, the same ones each time; few of them for each mutant. */
const parts = 8;
const formulasEach = sized(15, 150, 500);
const evaluationsEach = sized(20, 80);

const outcome = (result: Either.Either<number, { readonly code: string }>): number | string =>
  Either.match(result, { onLeft: ({ code }): number | string => code, onRight: (amount) => amount });

/** The kinds of the nodes in an expression. */
const kindsIn = (node: unknown): ReadonlyArray<string> =>
  typeof node !== "object" || node === null
    ? []
    : [...("type" in node ? [String(node.type)] : []), ...Object.values(node).flatMap(kindsIn)];

describe("random formulas", () => {
  it("contain every kind of node but aggregates, whose histories are drawn with them", () => {
    const drawn = new Set(
      Array.from({ length: 200 }, (_, seed) => kindsIn(expression(random(seed), "number", 5))).flat(),
    );
    expect(KINDS.filter((kind) => !drawn.has(kind))).toEqual(["aggregate"]);
  });
});

describe("the fast path returns the amount of the reference interpreter", () => {
  let evaluated = 0;
  let fast = 0;

  /** Compares the two on random facts, for the formula of a seed; false when that formula is refused. */
  const compare = (seed: number): boolean => {
    const r = random(seed);
    const raw = expression(r, "number", r.integer(1, 6));
    const formula = Either.flatMap(decode(raw), (decoded) => check(decoded, properties, parameters));
    if (Either.isLeft(formula)) {
      // Random formulas are well typed: only their size can be wrong.
      expect(formula.left.message, `seed ${seed}`).toMatch(
        /^the formula (has more|is larger)|^can grow too large/,
      );
      return false;
    }
    const compiled = compile(formula.right);
    const near = landmarks(raw);
    for (let index = 0; index < evaluationsEach; index++) {
      const given = facts(r, near);
      const actual = outcome(evaluate(compiled, given));
      const expected = outcome(toAmount(Reference.evaluate(formula.right, given)));
      if (!Object.is(actual, expected))
        throw new Error(`seed ${seed}: ${actual}, not ${expected}\n${textOf({ raw, given })}`);
      evaluated += 1;
      if (compiled.fast.program.frame.exact) fast += 1;
    }
    return true;
  };

  for (let part = 0; part < parts; part++)
    it(`for random formulas and facts (${part + 1} of ${parts})`, () => {
      let formulas = 0;
      for (let seed = part + 1; formulas < formulasEach; seed += parts) if (compare(seed)) formulas += 1;
    });

  afterAll(() => {
    expect(evaluated).toBe(parts * formulasEach * evaluationsEach);
    expect(fast / evaluated, "share that stayed on the fast path").toBeGreaterThan(0.3);
  });
});
