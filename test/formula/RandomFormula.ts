import type {
  Expression,
  Facts,
  ParameterDefinition,
  ParameterInForce,
  PropertyDefinition,
  PropertyValue,
} from "quittance/formula";
import { PARTS, UNITS } from "../../src/formula/Calendar.ts";
import {
  ATTRIBUTES,
  COMPARISONS,
  DATE_ATTRIBUTES,
  NUMBER_ATTRIBUTES,
  TEXT_MATCHES,
  type Value,
} from "../../src/formula/Expression.ts";
import { MODES } from "../../src/formula/Rounding.ts";
import * as Decisions from "../support/Random.ts";

/** Decisions from a seed: the same seed produces the same formulas and facts. */
export type Random = Pick<Decisions.Random, "fraction" | "integer" | "chance" | "pick"> & {
  readonly list: <A>(least: number, most: number, item: (index: number) => A) => Array<A>;
};

export const random = (seed: number): Random => {
  const { fraction, integer, chance, pick } = Decisions.random(seed);
  return {
    fraction,
    integer,
    chance,
    pick,
    list: (least, most, item) => Array.from({ length: integer(least, most) }, (_, index) => item(index)),
  };
};

type Type = "number" | "string" | "boolean" | "date";

/** The schema that every random formula is written for: each type required, optional and with a default. */
export const properties: ReadonlyArray<PropertyDefinition> = [
  { name: "amount", type: "number", required: true },
  { name: "cost", type: "number", required: true },
  { name: "units", type: "number", required: true },
  { name: "rate", type: "number", required: false },
  { name: "share", type: "number", required: false, default: 0.375 },
  { name: "fine", type: "number", required: false, default: 0.0000125 },
  { name: "region", type: "string", required: true },
  { name: "plan", type: "string", required: false },
  { name: "tier", type: "string", required: false, default: "basic" },
  { name: "started", type: "string", required: true },
  { name: "recurring", type: "boolean", required: true },
  { name: "trial", type: "boolean", required: false },
  { name: "renewal", type: "boolean", required: false, default: true },
];

/** The parameters that every random formula may read: each type. */
export const parameters: ReadonlyArray<ParameterDefinition> = [
  { name: "quota", type: "number", format: "money_major" },
  { name: "percentage", type: "number" },
  { name: "territory", type: "string" },
  { name: "senior", type: "boolean" },
  { name: "joined_on", type: "date" },
];

const words = ["EU", "US", "PRO-1", "PRO-2", "basic", "", "é", "2026-01-31"];
const dates = [
  "2026-01-31",
  "2024-02-29",
  "2026-03-31T23:59:59.999Z",
  "2025-12-31T22:00:00-03:00",
  "0001-01-01",
];

/** A literal number: mostly as in contracts, sometimes extreme. */
const numeric = (r: Random): Value & { readonly value: number } =>
  r.pick<() => Value & { readonly value: number }>([
    () => ({ type: "number", value: r.integer(-20, 200) }),
    () => ({ type: "number", value: r.integer(-5000, 50000) / 100 }),
    () => ({ type: "number", value: r.pick([0, 1, 100, 1e15, 1e-12, -0.5, 0.000001, 123456789012.345]) }),
    () => ({ type: "percent", value: r.integer(0, 400) / 8 }),
    () => ({ type: "basis_points", value: r.integer(-100, 2500) }),
  ])();

const value = (r: Random, type: Type): Value => {
  switch (type) {
    case "number":
      return numeric(r);
    case "string":
      return { type: "string", value: r.pick(words) };
    case "boolean":
      return { type: "boolean", value: r.chance(0.5) };
    case "date":
      return { type: "date", value: r.pick(dates) };
  }
};

const literal = (r: Random, type: Type): Expression => ({ type: "literal", value: value(r, type) });

type Variables = ReadonlyArray<{ readonly name: string; readonly type: Type; readonly mayBeAbsent: boolean }>;

const leaf = (r: Random, type: Type, mayBeAbsent: boolean, variables: Variables): Expression => {
  const bound = variables.filter(
    (variable) => variable.type === type && (mayBeAbsent || !variable.mayBeAbsent),
  );
  if (bound.length > 0 && r.chance(0.5)) return { type: "variable", name: r.pick(bound).name };
  if (r.chance(0.12))
    return {
      type: "parameter",
      name: r.pick(parameters.filter((parameter) => parameter.type === type)).name,
    };
  if (type === "date")
    return r.chance(0.6)
      ? { type: "attribute", name: r.pick(["created_at", "occurred_at", "occurred_on"] as const) }
      : literal(r, type);
  if (type === "string" && r.chance(0.2))
    return {
      type: "attribute",
      name: r.pick(
        ATTRIBUTES.filter(
          (name) =>
            !DATE_ATTRIBUTES.has(name) &&
            !NUMBER_ATTRIBUTES.has(name) &&
            (mayBeAbsent || name !== "agent_id"),
        ),
      ),
    };
  if (type === "number" && r.chance(0.03))
    return {
      type: "attribute",
      name: r.pick(["credit_share", "credit_depth", "sellers_commission"] as const),
    };
  if (r.chance(0.35)) return literal(r, type);
  const fitting = properties.filter(
    (property) =>
      property.type === type && (mayBeAbsent || property.required || property.default !== undefined),
  );
  return { type: "property", name: r.pick(fitting).name };
};

/** Strictly ascending thresholds with distinct values. */
const ascending = (r: Random, count: number, positive: boolean): Array<{ type: "number"; value: number }> => {
  const points = new Set(
    r.list(count, count, () => r.integer(positive ? 1 : -500, 2000) / r.pick([1, 1, 4, 100])),
  );
  return [...points].sort((a, b) => a - b).map((point) => ({ type: "number", value: point }));
};

/** Any formula of the type; `depth` more levels may follow. Deep multiplications may exceed the bit limit. */
export const expression = (
  r: Random,
  type: Type,
  depth: number,
  mayBeAbsent = false,
  variables: Variables = [],
): Expression => {
  if (depth <= 0 || r.chance(0.1)) return leaf(r, type, mayBeAbsent, variables);
  const sub = (inner: Type, absent = false): Expression => expression(r, inner, depth - 1, absent, variables);
  const any = (): Type => r.pick<Type>(["number", "string", "boolean", "date"]);
  const number = (): Expression => sub("number");
  const common: Array<() => Expression> = [
    () => {
      const names = r.list(1, 3, (index) => `v${variables.length + index}`);
      let known = variables;
      const bindings = names.map((name) => {
        const bound = { name, type: r.chance(0.6) ? "number" : any(), mayBeAbsent: r.chance(0.2) } as const;
        const binding = { name, value: expression(r, bound.type, depth - 1, bound.mayBeAbsent, known) };
        known = [...known, bound];
        return binding;
      });
      return { type: "let", bindings, body: expression(r, type, depth - 1, mayBeAbsent, known) };
    },
    () => ({
      type: "case",
      branches: r.list(1, 3, () => ({ when: sub("boolean"), then: sub(type, mayBeAbsent) })),
      else: sub(type, mayBeAbsent),
    }),
    () => {
      const limits = ascending(r, r.integer(0, 4), false);
      return {
        type: "band",
        input: r.chance(0.3) ? { type: "coalesce", operands: [ratio(), number()] } : number(),
        ...(r.chance(0.5) ? { upper_bound: r.pick(["inclusive", "exclusive"] as const) } : {}),
        bands: [
          ...limits.map((up_to) => ({ up_to, value: sub(type, mayBeAbsent) })),
          { value: sub(type, mayBeAbsent) },
        ],
      };
    },
    () => {
      const keyType = any();
      const keys = new Map(r.list(1, 4, () => value(r, keyType)).map((key) => [identity(key), key]));
      return {
        type: "lookup",
        key: sub(keyType),
        entries: [...keys.values()].map((key) => ({ key, value: sub(type, mayBeAbsent) })),
        default: sub(type, mayBeAbsent),
      };
    },
    () => ({
      type: "coalesce",
      operands: [...r.list(0, 2, () => sub(type, true)), sub(type, mayBeAbsent)],
    }),
  ];
  const ratio = (): Expression => ({ type: "divide", left: number(), right: number() });
  const operands = (): Array<Expression> => r.list(1, 3, number);
  const byType: { readonly [T in Type]: ReadonlyArray<() => Expression> } = {
    number: [
      () => ({ type: "add", operands: operands() }),
      () => ({ type: "subtract", left: number(), right: number() }),
      () => ({ type: "multiply", operands: operands() }),
      () => ({ type: "multiply", operands: [number(), literal(r, "number")] }),
      () => ({
        type: "divide",
        left: number(),
        right: { type: "literal", value: { type: "number", value: r.pick([3, 7, 0.15, -12]) } },
      }),
      () => ({ type: "coalesce", operands: [ratio(), number()] }),
      () => (mayBeAbsent ? ratio() : { type: "min", operands: operands() }),
      () => ({ type: r.pick(["min", "max"] as const), operands: operands() }),
      () => ({
        type: "round",
        operand: number(),
        mode: r.pick(MODES),
        ...(r.chance(0.5)
          ? { increment: { type: "number" as const, value: r.pick([1, 5, 0.05, 0.25, 3]) } }
          : {}),
      }),
      () => {
        const variable = r.chance(0.3);
        const rate = (): Expression => (variable && r.chance(0.5) ? number() : literal(r, "number"));
        const limits = ascending(r, r.integer(0, 4), true);
        const tier = () => ({ rate: rate(), ...(r.chance(0.3) ? { flat: rate() } : {}) });
        return {
          type: "graduated",
          amount: number(),
          ...(r.chance(0.4) ? { offset: number() } : {}),
          tiers: [...limits.map((up_to) => ({ up_to, ...tier() })), tier()],
        };
      },
      () => ({ type: "date_part", part: r.pick(PARTS), operand: sub("date") }),
      () => ({ type: "date_difference", unit: r.pick(UNITS), from: sub("date"), to: sub("date") }),
    ],
    string: [],
    date: [
      () =>
        mayBeAbsent ? { type: "parse_date", operand: sub("string") } : leaf(r, "date", false, variables),
    ],
    boolean: [
      () => {
        const compared = any();
        const ordered = compared === "number" || compared === "date";
        return {
          type: "compare",
          operator: r.pick(COMPARISONS.slice(0, ordered ? 6 : 2)),
          left: sub(compared),
          right: r.chance(0.5) ? literal(r, compared) : sub(compared),
        };
      },
      () => ({ type: r.pick(["and", "or"] as const), operands: r.list(1, 3, () => sub("boolean")) }),
      () => ({ type: "not", operand: sub("boolean") }),
      () => {
        const member = any();
        return { type: "in", operand: sub(member), values: r.list(1, 4, () => value(r, member)) };
      },
      () => ({
        type: "text_match",
        operator: r.pick(TEXT_MATCHES),
        operand: sub("string"),
        text: r.pick(["PRO-", "E", "é", "-01"]),
      }),
      () => ({ type: "is_present", operand: sub(any(), true) }),
    ],
  };
  const specific = byType[type];
  return (specific.length > 0 && r.chance(0.75) ? r.pick(specific) : r.pick(common))();
};

/** Distinguishes lookup keys by their values. */
const identity = (key: Value): string => {
  switch (key.type) {
    case "percent":
      return String(Math.round(key.value * 1e10));
    case "basis_points":
      return String(Math.round(key.value * 1e8));
    case "number":
      return String(Math.round(key.value * 1e12));
    case "date":
      return String(Date.parse(key.value));
    default:
      return String(key.value);
  }
};

/** The numbers in a formula, at which its behaviour changes. */
export const landmarks = (part: unknown): ReadonlyArray<number> => {
  if (typeof part === "number") return [part];
  return typeof part === "object" && part !== null ? Object.values(part).flatMap(landmarks) : [];
};

/** A property number: amounts in cents above all, landmarks and their neighbours, and what makes doubles fail. */
const amount = (r: Random, near: ReadonlyArray<number>): number =>
  r.pick<() => number>([
    () => (near.length === 0 ? 0 : r.pick(near)),
    () => (near.length === 0 ? 1 : (Math.round(r.pick(near) * 100) + r.integer(-1, 1)) / 100),
    () => r.integer(0, 500_000) / 100,
    () => r.integer(0, 500_000) / 100,
    () => r.integer(-100_000, 100_000) / 100,
    () => r.integer(0, 3000),
    () => r.integer(-2000, 2000) / r.pick([1, 2, 4, 8]),
    () => r.integer(0, 10 ** 9) / 10 ** r.integer(0, 9),
    () =>
      r.pick([0, -0, 1.005, 0.1 + 0.2, 94906267, 1e15, -1e15, 999999999999999, 9007199254.74, 1e-20, 0.615]),
    () => r.fraction() * 1000,
  ])();

/** Any minute from 1999 to 2030. */
const moment = (r: Random): number =>
  Date.UTC(r.integer(1999, 2030), r.integer(0, 11), r.integer(1, 31), r.integer(0, 23), r.integer(0, 59));

/** A number that a parameter may have: like a literal, at most 15 digits and 12 decimals. */
const parameterNumber = (r: Random, near: ReadonlyArray<number>): number =>
  r.pick<() => number>([
    () => (near.length === 0 ? 7 : r.pick(near)),
    () => r.integer(-2000, 500_000) / r.pick([1, 4, 100, 1_000_000]),
    () => r.pick([0, -0, 1e15, 0.000000000001, 12.345678901234, 123456789012.345]),
  ])();

const parametersInForce = (r: Random, near: ReadonlyArray<number>): ReadonlyMap<string, ParameterInForce> =>
  new Map(
    parameters.map(({ name, type }) => {
      const value = {
        number: () => parameterNumber(r, near),
        string: () => r.pick(words),
        boolean: () => r.chance(0.5),
        date: () => r.pick(dates),
      }[type]();
      return [name, { value, since: r.chance(0.5) ? null : moment(r) }] as const;
    }),
  );

/** Facts that fit {@link properties} and {@link parameters}, with numbers on and next to the given ones among them. */
export const facts = (r: Random, near: ReadonlyArray<number> = []): Facts => {
  const given: Record<string, PropertyValue> = {};
  for (const { name, type, required } of properties) {
    if (!required && r.chance(0.35)) continue;
    given[name] =
      type === "number" ? amount(r, near) : type === "boolean" ? r.chance(0.5) : r.pick([...words, ...dates]);
  }
  return {
    id: "a1",
    partnerId: r.pick(["EU", "p1"]),
    customerId: "c1",
    workspaceId: "w1",
    schemaId: "s1",
    agentId: r.chance(0.5) ? null : "basic",
    createdAt: moment(r),
    occurredAt: moment(r),
    ...(r.chance(0.3) ? { occurredOn: r.pick(["2026-02-28", "2026-03-01", null]) } : {}),
    properties: given,
    parameters: parametersInForce(r, near),
    sellersCommission: r.chance(0.1) ? 2n ** 60n : BigInt(r.integer(-1_000, 2_000_000)),
    ...(r.chance(0.2) ? { credit: { role: r.pick(words), share: "1", depth: r.integer(0, 16) } } : {}),
  };
};

/** What was drawn, as JSON for a message; a big integer as its digits. */
export const textOf = (drawn: unknown): string =>
  JSON.stringify(drawn, (_key, value) => (typeof value === "bigint" ? String(value) : value));
