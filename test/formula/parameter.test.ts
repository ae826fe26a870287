import { Either } from "effect";
import {
  check,
  compile,
  decode,
  type Expression,
  evaluate,
  explain,
  FactsMismatch,
  type ParameterDefinition,
  type ParametersInForce,
  parameterProblem,
  parametersOf,
  parse,
  parseFor,
  print,
} from "quittance/formula";
import { describe, expect, it } from "vitest";

const properties = [{ name: "amount", type: "number", required: true }] as const;
const declared: ReadonlyArray<ParameterDefinition> = [
  { name: "rate", type: "number", format: "percent" },
  { name: "territory", type: "string" },
  { name: "senior", type: "boolean" },
  { name: "joined_on", type: "date" },
];

const facts = (values: Record<string, string | number | boolean>, since: number | null = null) => ({
  ...{ id: "a", partnerId: "p", customerId: "c", workspaceId: "w", schemaId: "s", agentId: null },
  createdAt: Date.UTC(2026, 2, 5),
  occurredAt: Date.UTC(2026, 2, 5),
  properties: { amount: 1000 },
  parameters: new Map(
    Object.entries(values).map(([name, value]) => [name, { value, since }]),
  ) satisfies ParametersInForce,
});

const read = (text: string): Expression => Either.getOrThrow(parse(text));
const compiled = (text: string) => compile(Either.getOrThrow(check(read(text), properties, declared)));
const amount = (text: string, values: Record<string, string | number | boolean>): unknown =>
  Either.getOrThrow(evaluate(compiled(text), facts(values)));

describe("a parameter", () => {
  it("has the value of the partner, of each type", () => {
    expect(amount("amount * plan.rate * 1 %", { rate: 7 })).toBe(70);
    expect(amount("amount * plan.rate * 1 %", { rate: 7.123456789 })).toBe(71);
    expect(amount("plan.rate * 1000000000000", { rate: 0.000000000001 })).toBe(1);
    expect(amount('if plan.territory = "DE" then 1 else 2', { territory: "AT" })).toBe(2);
    expect(amount("if plan.senior then 1 else 2", { senior: true })).toBe(1);
    expect(
      amount("months from plan.joined_on to sale.occurred_at", { joined_on: "2026-01-05T09:00:00+01:00" }),
    ).toBe(1);
  });

  it("keeps reading exact numbers when their decimals change from partner to partner", () => {
    const formula = compiled("amount * plan.rate");
    for (const [rate, expected] of [
      [0.1, 100],
      [0.0615, 62],
      [0.123456789012, 123],
      [7, 7000],
    ] as const)
      expect(Either.getOrThrow(evaluate(formula, facts({ rate })))).toBe(expected);
  });

  it("is refused unless it is declared, of the right type, and outside the rows of an aggregate", () => {
    const problem = (text: string) =>
      Either.match(parseFor(text, properties, declared), {
        onLeft: ([first]) => first?.message,
        onRight: () => null,
      });
    expect(problem("amount * plan.rats")).toBe("unknown parameter 'rats'; did you mean 'rate'?");
    expect(problem("amount * plan.territory")).toMatch("a number");
    expect(problem("(sum of amount * plan.rate earlier this month)")).toMatch("inside an aggregate");
    expect(problem("count earlier this year since plan.joined_no")).toBe(
      "unknown parameter 'joined_no'; did you mean 'joined_on'?",
    );
    expect(problem("count earlier this year since plan.rate")).toBe(
      "an anniversary needs a date, and the parameter `rate` is a number",
    );
    expect(problem("count earlier this year since plan.joined_on")).toBe(null);
    expect(problem("amount * plan.")).toMatch("the name of a parameter");
    expect(problem("(plan.rate ?? 0) * amount")).toBe(null);
    expect(Either.isLeft(check(read("amount * plan.rate"), properties))).toBe(true);
    for (const name of ["", "1st", "net sum", "größe", "x".repeat(65), 7])
      expect(Either.isLeft(decode({ type: "parameter", name })), String(name)).toBe(true);
    expect(Either.isRight(decode({ type: "parameter", name: "x".repeat(64) }))).toBe(true);
  });

  it("is written with the plan before the dot, whatever its name is", () => {
    for (const name of ["rate", "of", "else", "earlier", "plan", "sale", "_"]) {
      const expression: Expression = {
        type: "let",
        bindings: [{ name: "x", value: { type: "parameter", name } }],
        body: {
          type: "add",
          operands: [
            { type: "variable", name: "x" },
            { type: "parameter", name },
          ],
        },
      };
      expect(print(expression)).toBe(`x = plan.${name}\nx + plan.${name}`);
      expect(Either.getOrThrow(parse(print(expression)))).toEqual(expression);
    }
    expect([...parametersOf(read("plan.a + (if plan.b then plan.a else plan.c)"))]).toEqual(["a", "b", "c"]);
    expect([...parametersOf(read("count earlier this year since plan.a where amount > 1"))]).toEqual(["a"]);
  });

  it("is explained with the date since which its value holds", () => {
    const { trace } = explain(compiled("amount * plan.rate * 1 %"), facts({ rate: 7 }, Date.UTC(2026, 2, 1)));
    expect(trace.find(({ type }) => type === "parameter")).toEqual({
      path: "$.operands.1",
      type: "parameter",
      value: "7",
      detail: { name: "rate", type: "number", since: "2026-03-01", format: "percent" },
    });
  });

  it("throws for a value that is missing or of another type", () => {
    const wrong = [{}, { rate: "7" }, { rate: 1 / 3 }];
    for (const values of wrong)
      expect(() => evaluate(compiled("amount * plan.rate"), facts(values))).toThrow(FactsMismatch);
    expect(() => amount("if plan.senior then 1 else 2", { senior: "yes" })).toThrow(FactsMismatch);
    expect(() => amount("year of plan.joined_on", { joined_on: "soon" })).toThrow(FactsMismatch);
    expect(() => amount('if plan.territory = "DE" then 1 else 2', { territory: 1 })).toThrow(FactsMismatch);
  });

  it("takes numbers and texts within the limits of literals", () => {
    const right = [
      ["number", 0.000000000001],
      ["number", 1e15],
      ["string", "x".repeat(256)],
      ["boolean", false],
      ["date", "2026-02-28"],
    ] as const;
    const wrong = [
      ["number", 1e16],
      ["number", 0.1234567890123],
      ["number", 1234567890123456],
      ["number", Number.NaN],
      ["number", "7"],
      ["string", "x".repeat(257)],
      ["string", "\0"],
      ["boolean", 1],
      ["date", "2026-02-30"],
      ["date", 2026],
    ] as const;
    for (const [type, value] of right) expect(parameterProblem(type, value), String(value)).toBe(null);
    for (const [type, value] of wrong) expect(parameterProblem(type, value), String(value)).toMatch("must");
  });
});
