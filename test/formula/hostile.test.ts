import { Either } from "effect";
import {
  type Compiled,
  check,
  compile,
  decode,
  type Expression,
  evaluate,
  explain,
  type Facts,
  formatProblem,
  type PropertyDefinition,
  parse,
  type RunningTotal,
  TEXT_BYTES_MAX,
  totalsBefore,
  Windows,
} from "quittance/formula";
import { describe, expect, it } from "vitest";
import { computed } from "../support/computed.ts";
import {
  add,
  coalesce,
  divide,
  factsWith,
  multiply,
  number,
  oneIf,
  property,
  variable,
  when,
} from "./language.ts";

/** What one evaluation of anything accepted may take. */
const budgetMilliseconds = 100;

const properties: ReadonlyArray<PropertyDefinition> = Array.from({ length: 100 }, (_, index) => ({
  name: `p${index}`,
  type: "number",
  required: true,
}));

const p = (index: number): Expression => property(`p${index % 100}`);
const times = <A>(count: number, item: (index: number) => A): Array<A> =>
  Array.from({ length: count }, (_, index) => item(index));
const upTo = (value: number) => ({ type: "number", value }) as const;
const ratio = (index: number): Expression => coalesce(divide(p(index), p(index + 1)), number(0));

const nestedOffsets = (levels: number): Expression =>
  levels === 0
    ? p(0)
    : {
        type: "graduated",
        amount: p(levels),
        offset: nestedOffsets(levels - 1),
        tiers: [{ up_to: upTo(100), rate: number(1) }, { rate: number(2) }],
      };

const nestedLets = (levels: number): Expression =>
  levels === 0
    ? number(0)
    : {
        type: "let",
        bindings: times(10, (index) => ({
          name: `v${levels}_${index}`,
          value: multiply(p(index), p(levels)),
        })),
        body: nestedLets(levels - 1),
      };

const nestedChoices = (levels: number): Expression =>
  levels === 0
    ? p(3)
    : {
        type: "band",
        input: p(levels),
        bands: [
          { up_to: upTo(levels), value: nestedChoices(levels - 1) },
          { value: multiply(number(levels), p(levels)) },
        ],
      };

/** Formulas at the limits: as many nodes, tiers, denominators and bits as are accepted. */
const hostile: Readonly<Record<string, Expression>> = {
  "a hundred products of four": add(
    ...times(100, (index) => multiply(p(index), p(index + 1), p(index + 2), p(index + 3))),
  ),
  "a hundred quotients compared": {
    type: "max",
    operands: times(100, (index) =>
      coalesce(divide(multiply(p(index), p(index + 1)), p(index + 2)), number(0)),
    ),
  },
  "sums over odd denominators": add(...times(90, (index) => divide(p(index), number(2 * index + 3)))),
  "products of quotients": add(
    ...times(
      60,
      (index) =>
        ({
          type: "round",
          mode: "half_even",
          operand: multiply(ratio(index), ratio(index + 1), p(index)),
        }) as const,
    ),
  ),
  "four scales of a hundred tiers": add(
    ...times(4, (scale) => ({
      type: "graduated" as const,
      amount: p(scale),
      offset: p(scale + 1),
      tiers: [
        ...times(99, (tier) => ({
          up_to: upTo((tier + 1) * 1.000001e12),
          rate: number((123_456_789_000 + tier) / 1e12),
        })),
        { rate: number(0.3) },
      ],
    })),
  ),
  "tiers whose rates are properties": add(
    ...times(3, (scale) => ({
      type: "graduated" as const,
      amount: p(scale),
      offset: p(scale + 1),
      tiers: [
        ...times(99, (tier) => ({ up_to: upTo((tier + 1) * 1e11), rate: p(tier), flat: p(tier) })),
        { rate: p(99) },
      ],
    })),
  ),
  "offsets nested thirty deep": nestedOffsets(30),
  "lets nested twenty deep": nestedLets(20),
  "bands nested thirty deep": nestedChoices(30),
  "roundings to tiny increments": add(
    ...times(100, (index) => ({
      type: "round" as const,
      mode: "half_even" as const,
      increment: upTo(0.000000000003),
      operand: multiply(p(index), p(index), p(index)),
    })),
  ),
  "a case that tests everything": {
    type: "case",
    branches: times(20, (index) =>
      when({ type: "in", operand: p(index), values: times(60, (value) => upTo(-value - 1)) }, number(index)),
    ),
    else: number(2),
  },
  "a lookup of 500 keys": {
    type: "lookup",
    key: p(0),
    entries: times(500, (index) => ({ key: upTo(-index - 1), value: number(index) })),
    default: p(1),
  },
  "conditions a thousand nodes wide": oneIf({
    type: "and",
    operands: times(65, () => ({
      type: "or",
      operands: [
        ...times(
          4,
          (index): Expression => ({ type: "not", operand: { type: "is_present", operand: p(index) } }),
        ),
        { type: "is_present", operand: p(0) },
      ],
    })),
  }),
};

/** Numbers that cost: long fractions, large magnitudes, every scale the fast path can learn. */
const values: Readonly<Record<string, (index: number) => number>> = {
  "seventeen digits": (index) => 1.2345678901234 + index / 997,
  "long fractions": (index) => (1 + index / 1000) / 810,
  "large with decimals": (index) => 999_999_999_999_999 - index - 0.125,
  large: (index) => 1e15 - index,
  tiny: (index) => Number(`${index + 1}e-20`),
  "a new scale each time": (index) => (index + 1) / 10 ** (3 + (index % 7)),
};

const facts = (value: (index: number) => number): Facts => ({
  ...factsWith(),
  properties: Object.fromEntries(properties.map(({ name }, index) => [name, value(index)])),
});

/** The least time of a few runs, which other processes disturb least. */
const fastest = (runs: number, work: () => unknown): number =>
  Math.min(
    ...times(runs, () => {
      const started = computed();
      work();
      return computed() - started;
    }),
  );

const compiled = (expression: Expression): Compiled =>
  Either.match(
    Either.flatMap(decode(expression), (decoded) => check(decoded, properties)),
    {
      onLeft: (problem) => {
        throw new Error(formatProblem(problem));
      },
      onRight: compile,
    },
  );

describe("a hostile formula stays inside the time budget", () => {
  for (const [name, expression] of Object.entries(hostile))
    it(name, () => {
      expect(fastest(3, () => compiled(expression))).toBeLessThan(budgetMilliseconds);
      for (const [kind, value] of Object.entries(values)) {
        const given = facts(value);
        const formula = compiled(expression);
        expect(
          fastest(3, () => evaluate(formula, given)),
          kind,
        ).toBeLessThan(budgetMilliseconds);
        expect(
          fastest(3, () => explain(formula, given)),
          `${kind}, explained`,
        ).toBeLessThan(2 * budgetMilliseconds);
      }
    });
});

describe("a hostile formula of earlier attributions stays inside the time budget", () => {
  /** As many nodes and bits inside an aggregate as the limits allow for eight of them. */
  const row = (index: number): Expression =>
    add(
      ...times(18, (term) =>
        multiply(divide(p(index + term), number(2 * term + 3)), p(index + term + 1), number(0.999999999999)),
      ),
    );
  const expression = add(
    ...times(8, (index) =>
      coalesce(
        {
          type: "aggregate",
          function: (["sum", "min", "max", "sum"] as const)[index % 4] ?? "sum",
          value: row(index),
          window: { type: "rolling", days: 3_660 },
        },
        number(0),
      ),
    ),
  );

  for (const [kind, value] of Object.entries(values))
    it(kind, () => {
      const given = facts(value);
      const formula = compiled(expression);
      const fromRow = (): ReadonlyArray<RunningTotal> => totalsBefore(formula.aggregates, [given], given);
      expect(fastest(3, fromRow), "one row more").toBeLessThan(budgetMilliseconds);
      const totals = fromRow().map(({ numerator }) => ({
        rows: 2 ** 40,
        numerator: (numerator ?? 0n) * 2n ** 40n,
      }));
      expect(
        fastest(3, () => evaluate(formula, given, totals)),
        "evaluated",
      ).toBeLessThan(budgetMilliseconds);
      expect(
        fastest(3, () => explain(formula, given, totals)),
        "explained",
      ).toBeLessThan(2 * budgetMilliseconds);
      const buckets = (): unknown => Windows.bucketsOf({ type: "rolling", days: 3_660 }, given.occurredAt);
      expect(fastest(3, buckets), "the buckets of the longest window").toBeLessThan(budgetMilliseconds);
    });
});

describe("check refuses formulas whose numbers could grow without limit", () => {
  const refusal = (input: unknown): string =>
    Either.match(
      Either.flatMap(decode(input), (decoded) => check(decoded, properties)),
      { onLeft: formatProblem, onRight: () => "accepted" },
    );

  it("a chain of squares", () => {
    const chain = (levels: number): Expression => ({
      type: "let",
      bindings: times(levels, (level) => {
        const before = level === 0 ? p(0) : variable(`x${level - 1}`);
        return { name: `x${level}`, value: multiply(before, before) };
      }),
      body: variable(`x${levels - 1}`),
    });
    expect(refusal(chain(14))).toMatch(/^\$\.bindings\.2\.value: can grow too large/);
    expect(refusal(chain(32))).toMatch(/^\$\.bindings\.2\.value: can grow too large/);
  });

  it("a product of many large numbers", () => {
    const product = multiply(...times(9, () => multiply(...times(100, () => number(1e15)))));
    expect(refusal(product)).toMatch(/^\$\.operands\.0: can grow too large/);
  });

  it("a sum over many coprime denominators", () => {
    const primes = [
      101, 103, 107, 109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167, 173, 179, 181, 191, 193, 197,
    ];
    const sum = add(
      ...primes.flatMap((prime) => [prime, prime + 10_000_000_000].map((by) => divide(p(0), number(by)))),
    );
    expect(refusal(sum)).toMatch(/^\$: can grow too large/);
  });
});

describe("parse", () => {
  const fill = (piece: string, end = ""): string =>
    piece.repeat(Math.floor((TEXT_BYTES_MAX - end.length) / Buffer.byteLength(piece))) + end;

  /** Texts of the greatest length that would take long, or exhaust the stack, if a rule read them again or went deeper. */
  const texts: Readonly<Record<string, string>> = {
    brackets: fill("("),
    "brackets that are closed": `${"(".repeat(65_536)}${")".repeat(65_536)}`,
    "brackets of both kinds": fill("({)}"),
    "brackets that close nothing": "(".repeat(200) + fill("}").slice(200),
    denials: fill("not "),
    conditions: fill("if "),
    "choices in choices": fill("if a then "),
    alternatives: fill("if a then b else "),
    tables: fill("choose "),
    "tables in tables": fill("tiers(a) { up to 1: "),
    calls: fill("max("),
    aggregates: fill("sum of "),
    "aggregates in conditions": fill("count earlier ever where "),
    shares: fill("10 % of "),
    "parts of dates": fill("month of "),
    "differences of dates": fill("days from "),
    sum: fill("a + ", "a"),
    "sum without blanks": fill("a+", "a"),
    "sum and difference": fill("a + a - ", "a"),
    "one line": fill("a ", ""),
    "many lines": fill("a\n"),
    "many names": fill("a = a\n"),
    semicolons: fill(";"),
    quotes: fill('"'),
    "an open text": `"${fill("x").slice(1)}`,
    backquotes: fill("`"),
    "open names": fill("["),
    escapes: `"${fill("\\u{1}").slice(8)}"`,
    "half escapes": `"${fill("\\").slice(2)}"`,
    "combining characters": fill("\u0301"),
    "a name with combining characters": `a${fill("\u0301").slice(2)}`,
    "a text of combining characters": `"${fill("\u0301").slice(2)}"`,
    "right-to-left signs": fill("\u202e"),
    "control characters": fill("\u0001"),
    surrogates: fill("\ud800").slice(0, 43_000),
    digits: fill("1"),
    "zeros before a one": `0.${fill("0").slice(3)}1`,
    dates: fill("2026-01-31 "),
    minuses: fill("- "),
    "joined minuses": fill("-"),
    comment: `#${fill("x").slice(1)}`,
    comments: fill("#\n"),
    blanks: fill(" "),
    absences: fill("a ?? ", "a"),
    "misspelt names": fill("amuont + "),
    "a long name": fill("n"),
  };

  it.each(Object.entries(texts))("answers in bounded time: %s", (_, text) => {
    const names = {
      properties: times(100, (index) => `amount_of_the_sale_in_the_currency_of_account_${index}`),
    };
    const before = process.cpuUsage();
    const parsed = parse(text, names);
    const { user } = process.cpuUsage(before);
    expect(Either.isLeft(parsed)).toBe(true);
    // 10 to 60 ms on an idle machine.
    expect(user / 1000).toBeLessThan(1_000);
  });
});
