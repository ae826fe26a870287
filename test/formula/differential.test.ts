import { Either } from "effect";
import { check, compile, decode, evaluate } from "quittance/formula";
import { describe, expect, it } from "vitest";
import { toAmount } from "../../src/formula/Compile.ts";
import * as Reference from "../../src/formula/Reference.ts";
import { expression, facts, landmarks, properties, random } from "./RandomFormula.ts";

/** Formulas and evaluations of each: 300,000 evaluations at least. */
const formulas = 4_000;
const evaluationsEach = 80;

const outcome = (result: Either.Either<number, { readonly code: string }>): number | string =>
  Either.match(result, { onLeft: ({ code }) => code, onRight: (amount) => amount });

describe("the fast path", () => {
  it("gives the amount of the reference interpreter, whatever the formula and the facts", () => {
    let evaluated = 0;
    let fast = 0;
    for (let seed = 1; evaluated < formulas * evaluationsEach; seed++) {
      const r = random(seed);
      const raw = expression(r, "number", r.integer(1, 6));
      const decoded = decode(raw);
      if (Either.isLeft(decoded)) {
        expect(decoded.left.message, `seed ${seed}: ${decoded.left.path}`).toMatch(
          /more than 1000 nodes|larger than/,
        );
        continue;
      }
      const checked = check(decoded.right, properties);
      if (Either.isLeft(checked)) {
        expect(checked.left.message, `seed ${seed}: ${checked.left.path}`).toMatch(/^can grow too large/);
        continue;
      }
      const compiled = compile(checked.right);
      const near = landmarks(raw);
      for (let index = 0; index < evaluationsEach; index++) {
        const given = facts(r, near);
        const actual = outcome(evaluate(compiled, given));
        if (compiled.fast.program.frame.exact) fast += 1;
        const expected = outcome(toAmount(Reference.evaluate(checked.right, given)));
        if (!Object.is(actual, expected))
          throw new Error(`seed ${seed}: ${actual}, expected ${expected}\n${JSON.stringify({ raw, given })}`);
        evaluated += 1;
      }
    }
    expect(evaluated).toBeGreaterThanOrEqual(300_000);
    expect(fast / evaluated).toBeGreaterThan(0.3);
  });
});
