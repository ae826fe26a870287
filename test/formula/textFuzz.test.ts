import { Either } from "effect";
import { decode, parse, parseFor, print, type TextProblem } from "quittance/formula";
import { describe, expect, it } from "vitest";
import { readAccumulating, readAll } from "../../examples/formulas/Plan.ts";
import { type Token, tokenize } from "../../src/formula/text/Lexer.ts";
import { longOr, sized } from "../support/profile.ts";
import { NAMES } from "./AnyExpression.ts";
import { type Random, random } from "./RandomFormula.ts";

const texts = [...readAll().values(), ...readAccumulating().values()].map((plan) => ({
  plan,
  text: print(Either.getOrThrow(decode(plan.expression))),
}));

const pieces: ReadonlyArray<string> = [
  ...new Set(texts.flatMap(({ text }) => tokenize(text).map(({ start, end }) => text.slice(start, end)))),
  ...[
    "\n",
    " ",
    "\t",
    "\r",
    "#",
    '"',
    "'",
    "`",
    "[",
    "]",
    "\\",
    "\\u{",
    "??",
    "(",
    "{",
    ";",
    "\u0000",
    "\u202e",
    "\ud800",
  ],
  ...NAMES,
];

const anyText = (r: Random): string => {
  const separator = r.pick(["", " ", "\n", " "]);
  return r.list(0, 40, () => r.pick(pieces)).join(separator);
};

const lineOf = (text: string, offset: number): number => text.slice(0, offset).split("\n").length;

/** A text without the characters from one place to another, or with others there. */
const replaced = (text: string, { start, end }: Pick<Token, "start" | "end">, by: string): string =>
  text.slice(0, start) + by + text.slice(end);

const problemsOf = (text: string, plan: (typeof texts)[number]["plan"]): ReadonlyArray<TextProblem> =>
  Either.match(parseFor(text, plan.schema.properties, plan.parameters), {
    onLeft: (problems) => problems,
    onRight: () => [],
  });

describe("parse", () => {
  it("gives an expression or problems for any text, and what it accepts can be printed and read again", () => {
    let accepted = 0;
    for (let seed = 1; seed <= sized(2_000, 10_000, 300_000); seed++) {
      const text = anyText(random(seed));
      const parsed = parse(text);
      if (Either.isRight(parsed)) {
        accepted += 1;
        const again = parse(print(parsed.right));
        if (JSON.stringify(again) !== JSON.stringify(parsed)) expect(again, text).toEqual(parsed);
      } else {
        expect(parsed.left.length).toBeGreaterThan(0);
        for (const { line, column, start, end } of parsed.left) {
          if (start < 0 || end > text.length || start > end || line < 1 || column < 1)
            expect({ text, line, column, start, end }).toBe("a place in the text");
        }
      }
    }
    expect(accepted).toBeGreaterThan(20);
  });

  it.each(texts)("finds a sign that is none where it stands ($plan.title)", ({ text, plan }) => {
    for (const token of tokenize(text)) {
      if (token.kind === "break" || token.kind === "end") continue;
      // A minus before what is no number is the mistake itself.
      if (text[token.start - 1] === "-") continue;
      const problem = problemsOf(replaced(text, token, "§"), plan).find(({ start }) => start === token.start);
      expect(problem?.message, text.slice(0, token.end)).toMatch(/^"§" is no sign of the language/);
      expect(problem?.line).toBe(lineOf(text, token.start));
      expect(problem?.column).toBe(token.start - text.lastIndexOf("\n", token.start - 1));
    }
  });

  it.each(texts)("finds a misspelt property where it stands ($plan.title)", ({ text, plan }) => {
    const known = new Set(plan.schema.properties.map(({ name }) => name));
    const bound = new Set([...text.matchAll(/^\s*(\w+)\s*= /gm)].map(([, name]) => name));
    for (const token of tokenize(text)) {
      if (token.kind !== "name" || !known.has(token.text) || bound.has(token.text)) continue;
      const [problem] = problemsOf(replaced(text, token, `${token.text}x`), plan);
      expect(problem).toMatchObject({
        start: token.start,
        message: `unknown name '${token.text}x'; did you mean '${token.text}'?`,
      });
    }
  });

  it.each(texts)(
    "finds a token that is left out, doubled or replaced no earlier than there ($plan.title)",
    ({ text, plan }) => {
      const tokens = tokenize(text).filter(({ kind }) => kind !== "break" && kind !== "end");
      // A fourth of the tokens is enough for every run.
      for (const token of tokens.filter((_, index) => index % longOr(1, 4) === 0)) {
        const same = text.slice(token.start, token.end);
        for (const by of ["", `${same} ${same}`, ")", "then", ";", "§ §"]) {
          const mutated = replaced(text, token, by);
          // What reads well may be wrong as a whole, at the place of the whole.
          if (Either.isRight(parse(mutated))) continue;
          const [problem] = problemsOf(mutated, plan);
          const first = lineOf(text, token.start);
          expect(problem?.line, mutated).toBeGreaterThanOrEqual(Math.max(1, first - 1));
        }
      }
    },
  );
});
