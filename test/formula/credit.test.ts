import { Either } from "effect";
import {
  check,
  compile,
  decode,
  type Expression,
  evaluate,
  explain,
  type Facts,
  formatProblem,
  parse,
  print,
} from "quittance/formula";
import { describe, expect, it } from "vitest";
import { toAmount } from "../../src/formula/Compile.ts";
import * as Constant from "../../src/formula/Constant.ts";
import * as Rational from "../../src/formula/Rational.ts";
import * as Recorder from "../../src/formula/Recorder.ts";
import * as Reference from "../../src/formula/Reference.ts";
import * as Rounding from "../../src/formula/Rounding.ts";
import { sized } from "../support/profile.ts";
import { multiply, number, percent, property } from "./language.ts";
import { expression, facts, landmarks, parameters, properties, random, textOf } from "./RandomFormula.ts";

const AMOUNT = [{ name: "amount", type: "number", required: true }] as const;

const sale = (amount: number, credit?: Facts["credit"]): Facts => ({
  ...{ id: "1", partnerId: "2", customerId: "3", workspaceId: "4", schemaId: "5", agentId: null },
  ...{ createdAt: 0, occurredAt: 0, properties: { amount } },
  ...(credit === undefined ? {} : { credit }),
});

const compiled = (node: Expression, appliesShare?: boolean) => {
  const checked = Either.getOrThrowWith(
    Either.flatMap(decode(node), (decoded) => check(decoded, AMOUNT)),
    (problem) => new Error(formatProblem(problem)),
  );
  return appliesShare === undefined ? compile(checked) : compile(checked, appliesShare);
};

/** What a sale of an amount pays to a seller with a share. */
const pays = (node: Expression, amount: number, share: string, appliesShare?: boolean): number =>
  Either.getOrThrow(
    evaluate(compiled(node, appliesShare), sale(amount, { role: "seller", share, depth: 0 })),
  );

const round = (operand: Expression, mode: Rounding.Mode = "half_up", increment?: number): Expression => ({
  type: "round",
  operand,
  mode,
  ...(increment === undefined ? {} : { increment: { type: "number", value: increment } }),
});

const attribute = (name: "credit_role" | "credit_share" | "credit_depth"): Expression => ({
  type: "attribute",
  name,
});

/** The amount by the definition: the exact value times the share, and then the rounding that the formula ends with. */
const byDefinition = (checked: ReturnType<typeof compiled>["checked"], given: Facts, share: string) => {
  const withoutRounding = (
    node: Expression,
  ): { readonly node: Expression; readonly ends: Expression | null } => {
    if (node.type === "round") return { node: node.operand, ends: node };
    if (node.type !== "let") return { node, ends: null };
    const { node: body, ends } = withoutRounding(node.body);
    return { node: { ...node, body }, ends };
  };
  const { node, ends } = withoutRounding(checked.expression);
  const recorder = Recorder.make();
  Reference.evaluate({ ...checked, expression: node }, given, undefined, recorder);
  const [final] = recorder.trace();
  if (final?.type !== "final") throw new Error("there is no trace");
  const exact = Rational.parse(final.detail.before);
  const part = Rational.parse(share);
  if (exact === null || part === null) throw new Error("no number");
  const product = Rational.multiply(exact, part);
  const rounded =
    ends?.type !== "round"
      ? product
      : Rounding.toIncrement(
          product,
          ends.mode,
          ends.increment === undefined ? Rational.ONE : Constant.toRational(ends.increment),
        );
  return toAmount(Rounding.toInteger(rounded, "half_up"));
};

const SHARES = ["0.6", "0.4", "1/3", "2/3", "0.000001", "0.999999", "19/20", "1/19", "10/21"];

const withShare = (given: Facts, share: string): Facts => ({
  ...given,
  credit: { role: "seller", share, depth: 0 },
});

describe("the share of a credit", () => {
  const tenth = multiply(property("amount"), percent(10));

  it("multiplies what a formula pays before it is rounded", () => {
    expect(SHARES.slice(0, 4).map((share) => pays(tenth, 1_015, share))).toEqual([61, 41, 34, 68]);
    // A tenth is 101.5, and a third of it 33.83. Rounded first, 102 would give 34, and 0.6 of it 61.2.
    expect(pays(tenth, 25, "0.6")).toBe(2);
    expect(pays(number(5), 0, "0.5")).toBe(3);
    expect(pays(number(-5), 0, "0.5")).toBe(-3);
  });

  it("multiplies the operand of the rounding that the formula ends with, below its steps", () => {
    expect(pays(round(tenth, "up", 5), 1_010, "0.5")).toBe(55);
    expect(pays(round(tenth, "down", 5), 1_010, "0.5")).toBe(50);
    const named: Expression = {
      type: "let",
      bindings: [{ name: "rate", value: percent(10) }],
      body: {
        type: "let",
        bindings: [],
        body: round(multiply(property("amount"), { type: "variable", name: "rate" }), "up", 5),
      },
    };
    const both = { ...named, body: (named as { body: { body: Expression } }).body.body } as Expression;
    expect(pays(both, 1_010, "0.5")).toBe(55);
    // A rounding inside the formula stays as it is.
    expect(pays({ type: "add", operands: [round(tenth, "up", 5), number(1)] }, 1_010, "0.5")).toBe(53);
  });

  it("multiplies nothing where the formula reads it, or does not apply it", () => {
    expect(pays(multiply(tenth, attribute("credit_share")), 1_000, "0.6")).toBe(60);
    expect(pays(multiply(tenth, attribute("credit_share")), 1_000, "0.6", true)).toBe(36);
    expect(pays(tenth, 1_000, "0.6", false)).toBe(100);
    expect(compiled(tenth).appliesShare).toBe(true);
    expect(compiled(multiply(tenth, attribute("credit_share"))).appliesShare).toBe(false);
    const sum = {
      type: "aggregate",
      function: "sum",
      value: attribute("credit_share"),
      window: { type: "lifetime" },
    } as const;
    expect(compiled(sum).appliesShare).toBe(true);
  });

  it("is 1 of a sale that has no other credits, whose role is seller and whose depth is 0", () => {
    const read: Expression = {
      type: "case",
      branches: [
        {
          when: {
            type: "in",
            operand: attribute("credit_role"),
            values: [{ type: "string", value: "seller" }],
          },
          then: { type: "add", operands: [attribute("credit_share"), attribute("credit_depth")] },
        },
      ],
      else: number(7),
    };
    const amount = (credit?: Facts["credit"]) => Either.getOrThrow(evaluate(compiled(read), sale(0, credit)));
    expect([amount(), amount(null)]).toEqual([1, 1]);
    expect(amount({ role: "manager", share: "1", depth: 2 })).toBe(7);
    expect(amount({ role: "seller", share: "1", depth: 2 })).toBe(3);
  });

  it("is explained as a part of the product, and the trace has the amount that is paid", () => {
    const given = sale(1_015, { role: "seller", share: "1/3", depth: 0 });
    const { trace, result } = explain(compiled(round(tenth, "half_up")), given);
    expect(result).toEqual(Either.right(34));
    expect(trace.map(({ path, type, value }) => [path, type, value])).toEqual([
      ["$", "final", "34"],
      ["$", "round", "34"],
      ["$.operand", "multiply", "203/6"],
      ["$.operand.operands.0", "property", "1015"],
      ["$.operand.operands.1", "literal", "0.1"],
      ["$.operand.operands.2", "attribute", "1/3"],
    ]);
  });

  it("gives the amounts of the definition for random formulas and facts", () => {
    let compared = 0;
    for (let seed = 1; compared < sized(300, 3_000); seed++) {
      const r = random(90_000 + seed);
      const raw = r.chance(0.4)
        ? round(
            expression(r, "number", r.integer(1, 4)) as Expression,
            r.pick(Rounding.MODES),
            r.pick([1, 5, 100, 0.25]),
          )
        : expression(r, "number", r.integer(1, 5));
      const formula = Either.flatMap(decode(raw), (decoded) => check(decoded, properties, parameters));
      if (Either.isLeft(formula)) continue;
      const applied = compile(formula.right, true);
      const near = landmarks(raw);
      for (let index = 0; index < 10; index++) {
        const share = r.pick(SHARES);
        const given = withShare(facts(r, near), share);
        const expected = byDefinition(formula.right, given, share);
        expect(evaluate(applied, given), `seed ${seed}: ${textOf({ raw, given })}`).toEqual(expected);
        compared += 1;
      }
    }
  });
});

describe("an aggregate", () => {
  const sumOf = (role?: string): Expression => ({
    type: "aggregate",
    function: "sum",
    value: multiply(property("amount"), attribute("credit_share")),
    window: { type: "lifetime" },
    ...(role === undefined ? {} : { role }),
  });
  const row = (amount: number, role: string, share: string): Facts => sale(amount, { role, share, depth: 0 });
  const history = [
    sale(100),
    row(200, "seller", "0.5"),
    row(400, "manager", "1"),
    row(800, "engineer", "0.25"),
  ];
  const total = (node: Expression, credit?: Facts["credit"]) =>
    Either.getOrThrow(explain(compiled(node, false), sale(0, credit), { history }).result);

  it("sees the rows of the role of the sale, with their shares", () => {
    expect(total(sumOf())).toBe(200);
    expect(total(sumOf(), { role: "manager", share: "1", depth: 1 })).toBe(400);
    expect(total(sumOf(), { role: "Manager", share: "1", depth: 1 })).toBe(0);
  });

  it("sees the rows of its own role", () => {
    expect(total(sumOf("engineer"))).toBe(200);
    expect(total(sumOf("seller"), { role: "manager", share: "1", depth: 1 })).toBe(200);
  });

  it("has its role in the text", () => {
    const text = 'sum of amount * sale.credit_share earlier as "seller" ever';
    const parsed = Either.getOrThrow(parse(text));
    expect(parsed).toEqual(sumOf("seller"));
    expect(print(parsed)).toBe(text);
    expect(Either.isLeft(parse("sum of amount earlier as seller ever"))).toBe(true);
    expect(print(Either.getOrThrow(parse('count earlier as "a \\"b\\"" this month')))).toContain(
      "earlier as",
    );
  });
});
