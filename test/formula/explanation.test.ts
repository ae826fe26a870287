import { Either } from "effect";
import { check, compile, decode, type Expression, evaluate, explain, type Trace } from "quittance/formula";
import { describe, expect, it } from "vitest";
import { sized } from "../support/profile.ts";
import {
  add,
  checked,
  coalesce,
  divide,
  factsWith,
  multiply,
  number,
  percent,
  property,
  subtract,
  text,
  variable,
  when,
} from "./language.ts";
import { expression, facts, parameters, properties, random } from "./RandomFormula.ts";

const traceOf = (input: Expression, given: Parameters<typeof factsWith>[0] = {}): Trace =>
  explain(compile(checked(input)), factsWith(given)).trace;

const entryAt = (trace: Trace, path: string, type?: string) =>
  trace.find((entry) => entry.path === path && (type === undefined || entry.type === type));

const upTo = (value: number) => ({ type: "number", value }) as const;

/** 13.25 % of the sale in cents, and 30 or 40 cents by its size. */
const marketplace = add(multiply(property("amount"), number(100), percent(13.25)), {
  type: "band",
  input: property("amount"),
  bands: [{ up_to: upTo(10), value: number(30) }, { value: number(40) }],
});

/** A formula with most kinds of terms of a contract. */
const contract: Expression = {
  type: "let",
  bindings: [{ name: "net", value: subtract(property("amount"), coalesce(property("discount"), number(0))) }],
  body: {
    type: "min",
    operands: [
      number(500_000),
      multiply(
        number(100),
        {
          type: "graduated",
          amount: variable("net"),
          tiers: [
            { up_to: upTo(100), rate: percent(5), flat: number(2) },
            {
              rate: {
                type: "lookup",
                key: property("region"),
                entries: [{ key: { type: "string", value: "EU" }, value: percent(7.5) }],
                default: percent(6),
              },
            },
          ],
        },
        {
          type: "case",
          branches: [
            when(
              {
                type: "compare",
                operator: "less_than",
                left: {
                  type: "date_difference",
                  unit: "months",
                  from: coalesce(
                    { type: "parse_date", operand: property("since") },
                    { type: "attribute", name: "created_at" },
                  ),
                  to: { type: "attribute", name: "created_at" },
                },
                right: number(12),
              },
              divide(number(4), number(3)),
            ),
          ],
          else: number(1),
        },
      ),
    ],
  },
};

describe("a trace", () => {
  it("lists every evaluated node of a small formula", () => {
    expect(traceOf(marketplace, { amount: 120.55 })).toEqual([
      {
        path: "$",
        type: "final",
        value: "1637",
        detail: { before: "1637.2875", mode: "half_up", increment: "1", after: "1637" },
      },
      { path: "$", type: "add", value: "1637.2875", detail: {} },
      { path: "$.operands.0", type: "multiply", value: "1597.2875", detail: {} },
      {
        path: "$.operands.0.operands.0",
        type: "property",
        value: "120.55",
        detail: { name: "amount", raw: 120.55, default_used: false },
      },
      {
        path: "$.operands.0.operands.1",
        type: "literal",
        value: "100",
        detail: { unit: "number", written: "100" },
      },
      {
        path: "$.operands.0.operands.2",
        type: "literal",
        value: "0.1325",
        detail: { unit: "percent", written: "13.25" },
      },
      {
        path: "$.operands.1",
        type: "band",
        value: "40",
        detail: { index: 1, upper_bound: "inclusive", from: "10", up_to: null },
      },
      {
        path: "$.operands.1.input",
        type: "property",
        value: "120.55",
        detail: { name: "amount", raw: 120.55, default_used: false },
      },
      {
        path: "$.operands.1.bands.1.value",
        type: "literal",
        value: "40",
        detail: { unit: "number", written: "40" },
      },
    ]);
  });

  it("shows every kind of detail", () => {
    const trace = traceOf(contract, { amount: 200.5, since: "2025-06-30" });
    const detail = (path: string, type?: string) => entryAt(trace, path, type)?.detail;
    expect(detail("$", "let")).toEqual({ bindings: [{ name: "net", value: "200.5" }] });
    expect(detail("$.bindings.0.value.right")).toEqual({ index: 1 });
    expect(detail("$.bindings.0.value.right.operands.0")).toEqual({
      name: "discount",
      raw: null,
      default_used: false,
    });
    expect(detail("$.body")).toEqual({ index: 1 });
    expect(detail("$.body.operands.1.operands.1")).toEqual({
      amount: "200.5",
      offset: "0",
      tiers: [
        { from: "0", to: "100", part: "100", rate: "0.05", flat: "2", amount: "7" },
        { from: "100", to: null, part: "100.5", rate: "0.075", flat: "0", amount: "7.5375" },
      ],
    });
    expect(detail("$.body.operands.1.operands.1.tiers.1.rate")).toEqual({ index: 0, key: "EU" });
    expect(detail("$.body.operands.1.operands.2")).toEqual({ index: 0 });
    expect(detail("$.body.operands.1.operands.2.branches.0.when")).toEqual({
      operator: "less_than",
      left: "7",
      right: "12",
    });
    expect(entryAt(trace, "$.body.operands.1")?.value).toBe("5815/3");
    expect(entryAt(trace, "$", "final")?.detail).toEqual({
      before: "5815/3",
      mode: "half_up",
      increment: "1",
      after: "1938",
    });
  });

  it("lists only the tiers that the amount touches, and a flat only where a tier is entered", () => {
    const scale: Expression = {
      type: "graduated",
      amount: property("amount"),
      offset: property("quantity"),
      tiers: [
        { up_to: upTo(100), rate: percent(10), flat: number(3) },
        { up_to: upTo(200), rate: percent(20), flat: number(7) },
        { rate: percent(30) },
      ],
    };
    const trace = traceOf(scale, { amount: 60, quantity: 50 });
    expect(entryAt(trace, "$", "graduated")?.detail).toEqual({
      amount: "60",
      offset: "50",
      tiers: [
        { from: "0", to: "100", part: "50", rate: "0.1", flat: "0", amount: "5" },
        { from: "100", to: "200", part: "10", rate: "0.2", flat: "7", amount: "9" },
      ],
    });
    expect(trace.slice(1).map(({ path }) => path)).toEqual([
      "$",
      "$.amount",
      "$.offset",
      "$.tiers.0.rate",
      "$.tiers.1.rate",
      "$.tiers.1.flat",
    ]);
    expect(entryAt(traceOf(scale, { amount: -60, quantity: 110 }), "$", "graduated")?.detail).toMatchObject({
      tiers: [
        { part: "-50", flat: "0" },
        { part: "-10", flat: "-7" },
      ],
    });
  });

  it("shows the unit of every literal, and the digits of a number as written", () => {
    const trace = traceOf({
      type: "case",
      branches: [
        when({ type: "in", operand: text("a"), values: [{ type: "string", value: "a" }] }, percent(2.5)),
      ],
      else: number(0),
    });
    expect(entryAt(trace, "$.branches.0.when.operand")?.detail).toStrictEqual({ unit: "string" });
    expect(entryAt(trace, "$.branches.0.then")?.detail).toStrictEqual({ unit: "percent", written: "2.5" });
  });

  it("shows dates, texts, truths and absent values", () => {
    const shown = (operand: Expression, given: Parameters<typeof factsWith>[0] = {}) =>
      entryAt(
        traceOf(
          { type: "case", branches: [when({ type: "is_present", operand }, number(1))], else: number(0) },
          given,
        ),
        "$.branches.0.when.operand",
      )?.value;
    expect(shown(property("region"))).toBe("EU");
    expect(shown(property("renewal"))).toBe(false);
    expect(shown(property("campaign"))).toBe(null);
    expect(shown({ type: "attribute", name: "agent_id" })).toBe(null);
    expect(shown({ type: "attribute", name: "created_at" })).toBe("2026-01-31T10:30:00.000Z");
    expect(
      shown({ type: "parse_date", operand: property("since") }, { since: "2026-03-31T02:00:00+02:00" }),
    ).toBe("2026-03-31");
    expect(shown(divide(property("amount"), property("quantity")), { quantity: 0 })).toBe(null);
    expect(shown(divide(property("amount"), property("quantity")), { amount: -1, quantity: 3 })).toBe("-1/3");
  });

  it("marks a value that is a default", () => {
    const detail = (given: Parameters<typeof factsWith>[0]) =>
      entryAt(traceOf(property("rate"), given), "$", "property");
    expect(detail({})).toMatchObject({ value: "0.125", detail: { raw: null, default_used: true } });
    expect(detail({ rate: 0.125 })).toMatchObject({
      value: "0.125",
      detail: { raw: 0.125, default_used: false },
    });
    expect(detail({ rate: -0 })).toMatchObject({ value: "0" });
  });

  it("omits nodes that were not evaluated", () => {
    const paths = traceOf(marketplace, { amount: 10 }).map(({ path }) => path);
    expect(paths).toContain("$.operands.1.bands.0.value");
    expect(paths).not.toContain("$.operands.1.bands.1.value");
    const lazy: Expression = {
      type: "case",
      branches: [
        when(
          {
            type: "or",
            operands: [
              { type: "compare", operator: "equal", left: text("a"), right: text("a") },
              property("renewal"),
            ],
          },
          number(1),
        ),
        when(property("renewal"), number(2)),
      ],
      else: number(3),
    };
    const evaluated = traceOf(lazy).map(({ path }) => path);
    expect(evaluated).toContain("$.branches.0.then");
    for (const path of ["$.branches.0.when.operands.1", "$.branches.1.when", "$.branches.1.then", "$.else"])
      expect(evaluated).not.toContain(path);
  });

  it("exists even if the amount overflows", () => {
    const { result, trace } = explain(
      compile(checked(multiply(property("amount"), number(1e15)))),
      factsWith({ amount: 1e15 }),
    );
    expect(Either.isLeft(result)).toBe(true);
    expect(trace[0]?.value).toBe("1000000000000000000000000000000");
  });

  it("ends in the amount paid, is plain JSON, and names only nodes that exist", () => {
    const at = (input: unknown, path: string): unknown =>
      path
        .split(".")
        .slice(1)
        .reduce((part, step) => (part as Readonly<Record<string, unknown>>)[step], input);
    let explained = 0;
    for (let seed = 1; explained < sized(100, 2_000); seed++) {
      const r = random(seed);
      const formula = Either.flatMap(decode(expression(r, "number", r.integer(1, 5))), (decoded) =>
        check(decoded, properties, parameters),
      );
      if (Either.isLeft(formula)) continue;
      const compiled = compile(formula.right);
      for (let index = 0; index < 5; index++) {
        const given = facts(r);
        const { result, trace } = explain(compiled, given);
        expect(result).toEqual(evaluate(compiled, given));
        if (Either.isRight(result)) expect(trace[0]?.value).toBe(String(result.right));
        expect(JSON.parse(JSON.stringify(trace))).toEqual(trace);
        for (const { path, type } of trace.slice(1))
          expect((at(formula.right.expression, path) as Expression).type, `seed ${seed}: ${path}`).toBe(type);
        explained += 1;
      }
    }
  });
});

it("a step of a property has its format where the schema declares one", () => {
  const declared = [
    { name: "amount", type: "number", required: true, format: "money_minor" },
    { name: "seats", type: "number", required: true },
  ] as const;
  const product = decode(multiply(property("amount"), property("seats")));
  const compiled = compile(Either.getOrThrow(Either.flatMap(product, (decoded) => check(decoded, declared))));
  const { trace } = explain(compiled, factsWith({ amount: 250, seats: 3 }));
  expect(trace.slice(2).map(({ detail }) => detail)).toEqual([
    { name: "amount", raw: 250, default_used: false, format: "money_minor" },
    { name: "seats", raw: 3, default_used: false },
  ]);
});

it("an explanation is refused if it does not lead to the amount paid", () => {
  const paid = compile(checked(number(2)));
  const explained = { ...paid, checked: checked(number(1)) };
  expect(() => explain(explained, factsWith())).toThrow("a formula was explained as 1 and evaluated to 2");
});
