import { Either } from "effect";
import { decode, type Expression, formatTextProblem, parse, parseFor, print } from "quittance/formula";
import { describe, expect, it } from "vitest";
import { readAccumulating, readAll } from "../../examples/formulas/Plan.ts";
import { KINDS } from "../../src/formula/Grammar.ts";
import { sized } from "../support/profile.ts";
import { anyExpression } from "./AnyExpression.ts";
import { expression, random } from "./RandomFormula.ts";
import { accumulating } from "./RandomHistory.ts";

/** As many random expressions as the long profile reads; few of them for each mutant. */
const count = sized(1_000, 4_000, 200_000);
const parts = 4;

const plans = [...readAll(), ...readAccumulating()];

/** What reading a text gives, or the problems. */
const read = (text: string): unknown =>
  Either.match(parse(text), {
    onLeft: (problems) => problems.map(formatTextProblem),
    onRight: (item) => item,
  });

/** An empty list of groups is the same as none, and is not written. */
const withoutEmptyGroups = (part: unknown): unknown =>
  JSON.parse(
    JSON.stringify(part, (key, value) =>
      key === "group_by" && Array.isArray(value) && value.length === 0 ? undefined : value,
    ),
  );

const kindsOf = (part: unknown): ReadonlyArray<string> =>
  typeof part !== "object" || part === null
    ? []
    : [
        ...("type" in part && typeof part.type === "string" ? [part.type] : []),
        ...Object.values(part).flatMap(kindsOf),
      ];

const checkRoundTrip = (written: Expression, place: string): void => {
  const text = print(written);
  const again = read(text);
  // `toStrictEqual` on each of many thousand would take most of the time.
  if (JSON.stringify(sorted(again)) !== JSON.stringify(sorted(withoutEmptyGroups(written)))) {
    expect(again, `${place}\n${text}`).toStrictEqual(withoutEmptyGroups(written));
  }
  expect(print(again as Expression), place).toBe(text);
};

/** The value with the keys of all objects in one order. */
const sorted = (part: unknown): unknown =>
  Array.isArray(part)
    ? part.map(sorted)
    : typeof part === "object" && part !== null
      ? Object.fromEntries(
          Object.entries(part)
            .sort(([one], [other]) => (one < other ? -1 : 1))
            .map(([key, value]) => [key, sorted(value)]),
        )
      : part;

describe("the plans of the cookbook", () => {
  const texts = plans.map(([, plan]) => print(Either.getOrThrow(decode(plan.expression))));

  it("have a median of three lines, none wider than 110 characters", () => {
    const lines = texts.map((text) => text.split("\n").length).sort((a, b) => a - b);
    expect(lines[Math.floor(lines.length / 2)]).toBeLessThanOrEqual(3);
    expect(Math.max(...texts.flatMap((text) => text.split("\n").map(({ length }) => length)))).toBeLessThan(
      111,
    );
  });

  it("are each read in less than 5 milliseconds", () => {
    const largest = texts.reduce((a, b) => (a.length > b.length ? a : b));
    for (let round = 0; round < 50; round++) parse(largest);
    const before = process.cpuUsage();
    for (let round = 0; round < 20; round++) parse(largest);
    expect(process.cpuUsage(before).user / 20_000).toBeLessThan(5);
  });
});

describe("parse(print(e)) is e, and printing is stable", () => {
  it.each(plans)("for the plan %s of the cookbook", (_, plan) => {
    const written = Either.getOrThrow(decode(plan.expression));
    checkRoundTrip(written, "");
    const checked = parseFor(print(written), plan.schema.properties, plan.parameters);
    expect(Either.map(checked, ({ expression }) => expression)).toStrictEqual(Either.right(written));
  });

  for (let part = 0; part < parts; part++)
    it(`for ${count} random expressions of every kind of node (part ${part + 1} of ${parts})`, () => {
      const seen = new Set<string>();
      for (let seed = part; seed < count; seed += parts) {
        const r = random(seed);
        const raw = r.chance(0.6)
          ? anyExpression(r, r.integer(0, 5))
          : r.chance(0.7)
            ? expression(r, "number", r.integer(1, 6))
            : accumulating(r, r.integer(1, 4));
        const decoded = decode(raw);
        if (Either.isLeft(decoded)) {
          expect(decoded.left.message, `seed ${seed}`).toMatch(/^the formula (has more|is larger|is nested)/);
          continue;
        }
        checkRoundTrip(decoded.right, `seed ${seed}`);
        for (const kind of kindsOf(decoded.right)) seen.add(kind);
      }
      expect([...seen]).toEqual(expect.arrayContaining([...KINDS]));
    }, 1_200_000);
});
