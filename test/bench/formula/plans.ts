import type { Expression, PropertyDefinition } from "quittance/formula";

/** The properties of one sale, as every contender receives them. */
export type Sale = {
  readonly amount: number;
  readonly cost: number;
  readonly category: string;
  readonly new_customer: boolean;
};

export const properties: ReadonlyArray<PropertyDefinition> = [
  { name: "amount", type: "number", required: true },
  { name: "cost", type: "number", required: true },
  { name: "category", type: "string", required: true },
  { name: "new_customer", type: "boolean", required: true },
];

/** One commission plan in the language of every contender. Its value is in cents, before rounding to whole cents. */
export type Plan = {
  readonly name: string;
  readonly expression: Expression;
  /** In floating point, as most people write it first. */
  readonly float: (sale: Sale) => number;
  /** Exact, rounded half away from zero, written for this one plan. */
  readonly bigint: (sale: Sale) => number;
  readonly jsonLogic: unknown;
  readonly cel: string;
  /** Infix expressions; the four libraries have different syntax for conditions. */
  readonly infix: {
    readonly filtrex: string;
    readonly exprEval: string;
    readonly mathjs: string;
    readonly jexl: string;
  };
};

const property = (name: string): Expression => ({ type: "property", name });
const number = (value: number): Expression => ({ type: "literal", value: { type: "number", value } });
const percent = (value: number): Expression => ({ type: "literal", value: { type: "percent", value } });
const multiply = (...operands: ReadonlyArray<Expression>): Expression => ({ type: "multiply", operands });
const same = (text: string): Plan["infix"] => ({ filtrex: text, exprEval: text, mathjs: text, jexl: text });
const read = (name: string): unknown => ({ var: name });

/** An amount in whole cents; throws when it has more than two decimals. */
const cents = (amount: number): bigint => {
  const rounded = Math.round(amount * 100);
  if (rounded / 100 !== amount) throw new RangeError("not an amount in cents");
  return BigInt(rounded);
};

const roundHalfUp = (numerator: bigint, denominator: bigint): number => {
  const half = denominator / 2n;
  return Number((numerator < 0n ? numerator - half : numerator + half) / denominator);
};

const percentOfSale: Plan = {
  name: "percent of the sale",
  expression: multiply(property("amount"), number(100), percent(12.5)),
  float: (sale) => sale.amount * 100 * 0.125,
  bigint: (sale) => roundHalfUp(cents(sale.amount) * 125n, 1000n),
  jsonLogic: { "*": [read("amount"), 100, 0.125] },
  cel: "amount * 100.0 * 0.125",
  infix: same("amount * 100 * 0.125"),
};

const marketplace: Plan = {
  name: "percent plus an order fee by size",
  expression: {
    type: "add",
    operands: [
      multiply(property("amount"), number(100), percent(13.25)),
      {
        type: "band",
        input: property("amount"),
        bands: [{ up_to: { type: "number", value: 10 }, value: number(30) }, { value: number(40) }],
      },
    ],
  },
  float: (sale) => sale.amount * 100 * 0.1325 + (sale.amount <= 10 ? 30 : 40),
  bigint: (sale) => {
    const amount = cents(sale.amount);
    return roundHalfUp(amount * 1325n + (amount <= 1000n ? 300_000n : 400_000n), 10_000n);
  },
  jsonLogic: {
    "+": [{ "*": [read("amount"), 100, 0.1325] }, { if: [{ "<=": [read("amount"), 10] }, 30, 40] }],
  },
  cel: "amount * 100.0 * 0.1325 + (amount <= 10.0 ? 30.0 : 40.0)",
  infix: {
    filtrex: "amount * 100 * 0.1325 + (if amount <= 10 then 30 else 40)",
    exprEval: "amount * 100 * 0.1325 + (amount <= 10 ? 30 : 40)",
    mathjs: "amount * 100 * 0.1325 + (amount <= 10 ? 30 : 40)",
    jexl: "amount * 100 * 0.1325 + (amount <= 10 ? 30 : 40)",
  },
};

const graduatedText =
  "100 * (min(amount, 10000) * 0.05 + max(min(amount, 50000) - 10000, 0) * 0.07 + max(amount - 50000, 0) * 0.1)";

const graduated: Plan = {
  name: "three graduated tiers",
  expression: {
    type: "multiply",
    operands: [
      number(100),
      {
        type: "graduated",
        amount: property("amount"),
        tiers: [
          { up_to: { type: "number", value: 10_000 }, rate: percent(5) },
          { up_to: { type: "number", value: 50_000 }, rate: percent(7) },
          { rate: percent(10) },
        ],
      },
    ],
  },
  float: ({ amount }) =>
    100 *
    (Math.min(amount, 10_000) * 0.05 +
      Math.max(Math.min(amount, 50_000) - 10_000, 0) * 0.07 +
      Math.max(amount - 50_000, 0) * 0.1),
  bigint: (sale) => {
    const amount = cents(sale.amount);
    if (amount <= 1_000_000n) return roundHalfUp(amount * 5n, 100n);
    if (amount <= 5_000_000n) return roundHalfUp(5_000_000n + (amount - 1_000_000n) * 7n, 100n);
    return roundHalfUp(33_000_000n + (amount - 5_000_000n) * 10n, 100n);
  },
  jsonLogic: {
    "*": [
      100,
      {
        "+": [
          { "*": [{ min: [read("amount"), 10_000] }, 0.05] },
          { "*": [{ max: [{ "-": [{ min: [read("amount"), 50_000] }, 10_000] }, 0] }, 0.07] },
          { "*": [{ max: [{ "-": [read("amount"), 50_000] }, 0] }, 0.1] },
        ],
      },
    ],
  },
  cel:
    "100.0 * (amount <= 10000.0 ? amount * 0.05 : amount <= 50000.0 ? 500.0 + (amount - 10000.0) * 0.07 : " +
    "3300.0 + (amount - 50000.0) * 0.1)",
  infix: same(graduatedText),
};

const table: Plan = {
  name: "rate by category, bonus, cap",
  expression: {
    type: "min",
    operands: [
      number(25_000),
      {
        type: "add",
        operands: [
          multiply(property("amount"), number(100), {
            type: "lookup",
            key: property("category"),
            entries: [
              { key: { type: "string", value: "electronics" }, value: percent(4) },
              { key: { type: "string", value: "books" }, value: percent(15) },
              { key: { type: "string", value: "fashion" }, value: percent(11.5) },
            ],
            default: percent(8),
          }),
          {
            type: "case",
            branches: [{ when: property("new_customer"), then: number(500) }],
            else: number(0),
          },
        ],
      },
    ],
  },
  float: ({ amount, category, new_customer }) => {
    const rate =
      category === "electronics" ? 0.04 : category === "books" ? 0.15 : category === "fashion" ? 0.115 : 0.08;
    return Math.min(25_000, amount * 100 * rate + (new_customer ? 500 : 0));
  },
  bigint: (sale) => {
    const { category } = sale;
    const rate =
      category === "electronics" ? 40n : category === "books" ? 150n : category === "fashion" ? 115n : 80n;
    const earned = cents(sale.amount) * rate + (sale.new_customer ? 500_000n : 0n);
    return roundHalfUp(earned < 25_000_000n ? earned : 25_000_000n, 1000n);
  },
  jsonLogic: {
    min: [
      25_000,
      {
        "+": [
          {
            "*": [
              read("amount"),
              100,
              {
                if: [
                  { "==": [read("category"), "electronics"] },
                  0.04,
                  { "==": [read("category"), "books"] },
                  0.15,
                  { "==": [read("category"), "fashion"] },
                  0.115,
                  0.08,
                ],
              },
            ],
          },
          { if: [read("new_customer"), 500, 0] },
        ],
      },
    ],
  },
  cel:
    'capped(amount * 100.0 * (category == "electronics" ? 0.04 : category == "books" ? 0.15 : ' +
    'category == "fashion" ? 0.115 : 0.08) + (new_customer ? 500.0 : 0.0))',
  infix: {
    filtrex:
      'min(25000, amount * 100 * (if category == "electronics" then 0.04 else if category == "books" then 0.15 ' +
      'else if category == "fashion" then 0.115 else 0.08) + (if new_customer then 500 else 0))',
    exprEval:
      'min(25000, amount * 100 * (category == "electronics" ? 0.04 : (category == "books" ? 0.15 : ' +
      '(category == "fashion" ? 0.115 : 0.08))) + (new_customer ? 500 : 0))',
    mathjs:
      'min(25000, amount * 100 * (equalText(category, "electronics") ? 0.04 : (equalText(category, "books") ? 0.15 : ' +
      '(equalText(category, "fashion") ? 0.115 : 0.08))) + (new_customer ? 500 : 0))',
    jexl:
      'min(25000, amount * 100 * (category == "electronics" ? 0.04 : (category == "books" ? 0.15 : ' +
      '(category == "fashion" ? 0.115 : 0.08))) + (new_customer ? 500 : 0))',
  },
};

const marginText = (choose: (condition: string, yes: string, no: string) => string): string =>
  `amount * 100 * ${choose(
    "amount == 0",
    "0.02",
    choose(
      "(amount - cost) / amount <= 0.2",
      "0.02",
      choose("(amount - cost) / amount <= 0.4", "0.05", "0.08"),
    ),
  )}`;

const ternary = (condition: string, yes: string, no: string): string => `(${condition} ? ${yes} : ${no})`;

const margin: Plan = {
  name: "rate by gross margin",
  expression: multiply(property("amount"), number(100), {
    type: "band",
    input: {
      type: "coalesce",
      operands: [
        {
          type: "divide",
          left: { type: "subtract", left: property("amount"), right: property("cost") },
          right: property("amount"),
        },
        number(0),
      ],
    },
    bands: [
      { up_to: { type: "percent", value: 20 }, value: percent(2) },
      { up_to: { type: "percent", value: 40 }, value: percent(5) },
      { value: percent(8) },
    ],
  }),
  float: ({ amount, cost }) => {
    const share = amount === 0 ? 0 : (amount - cost) / amount;
    return amount * 100 * (share <= 0.2 ? 0.02 : share <= 0.4 ? 0.05 : 0.08);
  },
  bigint: (sale) => {
    const amount = cents(sale.amount);
    const profit = amount - cents(sale.cost);
    const [tenfold, size] = amount < 0n ? [profit * -10n, -amount] : [profit * 10n, amount];
    const rate = tenfold <= size * 2n || size === 0n ? 2n : tenfold <= size * 4n ? 5n : 8n;
    return roundHalfUp(amount * rate, 100n);
  },
  jsonLogic: {
    "*": [
      read("amount"),
      100,
      {
        if: [
          { "==": [read("amount"), 0] },
          0.02,
          { "<=": [{ "/": [{ "-": [read("amount"), read("cost")] }, read("amount")] }, 0.2] },
          0.02,
          { "<=": [{ "/": [{ "-": [read("amount"), read("cost")] }, read("amount")] }, 0.4] },
          0.05,
          0.08,
        ],
      },
    ],
  },
  cel:
    "amount * 100.0 * (amount == 0.0 ? 0.02 : (amount - cost) / amount <= 0.2 ? 0.02 : " +
    "(amount - cost) / amount <= 0.4 ? 0.05 : 0.08)",
  infix: {
    ...same(marginText(ternary)),
    filtrex: marginText((condition, yes, no) => `(if ${condition} then ${yes} else ${no})`),
  },
};

export const plans: ReadonlyArray<Plan> = [percentOfSale, marketplace, graduated, table, margin];
