/** Prints docs/formulas.md: the formula language, with computed examples. */
import { readFileSync } from "node:fs";
import { Either } from "effect";
import { explainText } from "quittance/explanation";
import {
  check,
  compile,
  decode,
  evaluate,
  explain,
  formatProblem,
  formatTextProblem,
  Limits,
  type PropertyDefinition,
  parse,
  parseFor,
  print as printText,
} from "quittance/formula";
import { main as explainSale } from "../../examples/formulas/explain.ts";
import { type Case, facts, type Plan, prepare } from "../../examples/formulas/Plan.ts";
import { RESERVED } from "../../src/formula/text/Words.ts";
import { code, fenced, filled, inline, json, table } from "./Markdown.ts";
import { NODE_TABLES, VALUES } from "./NodeTables.ts";
import { money, planNamed } from "./Plans.ts";

/** The path of the page. */
export const file = "docs/formulas.md";

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");

const rateOf = (plan: Plan, amount: number): string => {
  const sale: Case = { properties: { amount }, expected: 0, working: "-" };
  return money(Either.getOrThrow(evaluate(Either.getOrThrow(prepare(plan)), facts(sale))), plan.currency);
};

const tiers = (): string => {
  const [graduated, volume] = [planNamed("graduated-sales-tiers"), planNamed("volume-sales-tiers")];
  return table(
    ["Amount", "Graduated: 5 %, 7 % above 10,000", "Volume: 5 %, 6 % above 10,000"],
    [5000, 10000, 10000.01, 15000].map((amount) => [
      amount.toLocaleString("en-US"),
      rateOf({ ...graduated, currency: "EUR" }, amount),
      rateOf(volume, amount),
    ]),
  );
};

const roundingModes = [
  ["half_up", "nearest; ties away from zero"],
  ["half_down", "nearest; ties toward zero"],
  ["half_even", "nearest; ties to the even one"],
  ["up", "away from zero"],
  ["down", "toward zero"],
  ["ceiling", "to the larger number"],
  ["floor", "to the smaller number"],
] as const;

const rounded = (value: number, mode: string): string =>
  decode({ type: "round", operand: { type: "literal", value: { type: "number", value } }, mode }).pipe(
    Either.flatMap((expression) => check(expression, [])),
    Either.flatMap((checked) =>
      evaluate(compile(checked), facts({ properties: {}, expected: 0, working: "-" })),
    ),
    Either.getOrThrow,
    String,
  );

const rounding = (): string => {
  const values = [2.4, 2.5, 2.6, 3.5, -2.5, -2.6];
  return table(
    ["Mode", "Goes to", ...values.map(String)],
    roundingModes.map(([mode, meaning]) => [
      code(mode),
      meaning,
      ...values.map((value) => rounded(value, mode)),
    ]),
  );
};

const amount = { type: "property", name: "amount" };
const number = (value: number) => ({ type: "literal", value: { type: "number", value } });
const upTo = (value: number) => ({ type: "number", value });

const text = (value: string) => ({ type: "string", value });
const plan = { type: "property", name: "plan" };
const discount = { type: "property", name: "discount" };

/** Formulas that are refused: what is wrong in words, the formula, and what to do about it. */
const mistakes: ReadonlyArray<readonly [string, unknown, string]> = [
  ["a node that does not exist", { type: "power", operands: [amount, number(2)] }, "Use one of the nodes."],
  [
    "`terms` instead of `operands`",
    { type: "add", terms: [amount, number(1)] },
    "Compare the names of the fields with the tables above.",
  ],
  [
    "a field too many",
    { type: "property", name: "amount", unit: "EUR" },
    "Leave it out; what belongs to people belongs into the formula's description.",
  ],
  [
    "a misspelt property",
    { type: "property", name: "amuont" },
    "Correct the name, or choose another schema.",
  ],
  [
    "`amount` less `discount`, which is optional",
    { type: "subtract", left: amount, right: discount },
    "Say what a missing discount means: `coalesce` it with 0, for example.",
  ],
  [
    "100 divided by `amount`",
    { type: "divide", left: number(100), right: amount },
    "The amount may be zero. `coalesce` the quotient with what should count then.",
  ],
  [
    "`amount` times `plan`, a text",
    { type: "multiply", operands: [amount, plan] },
    "A text is not a rate; `lookup` the rate by the text.",
  ],
  [
    "a comparison as the whole formula",
    { type: "compare", operator: "greater_than", left: amount, right: number(5) },
    "A yes or no is not an amount; choose between amounts with `case`.",
  ],
  [
    "bands up to 9, then up to 5",
    {
      type: "band",
      input: amount,
      bands: [{ up_to: upTo(9), value: amount }, { up_to: upTo(5), value: amount }, { value: amount }],
    },
    "List the bands from low to high.",
  ],
  [
    "a last tier with an end",
    { type: "graduated", amount, tiers: [{ up_to: upTo(9), rate: number(1) }] },
    "Add a tier without `up_to`.",
  ],
  [
    "two rows for the plan `pro`",
    {
      type: "lookup",
      key: plan,
      entries: [
        { key: text("pro"), value: number(1) },
        { key: text("pro"), value: number(2) },
      ],
      default: number(0),
    },
    "Keep one row for each key.",
  ],
  [
    "0.3333333333333333 for a third",
    { type: "multiply", operands: [amount, number(0.3333333333333333)] },
    "Write at most 15 digits; a third is 1 divided by 3.",
  ],
  [
    "a sum of earlier sales, each `amount` less `discount`",
    {
      type: "aggregate",
      function: "sum",
      value: { type: "subtract", left: amount, right: discount },
      window: { type: "lifetime" },
    },
    "Say what a missing discount means, inside the aggregate too.",
  ],
  [
    "the number of earlier sales, grouped by `amount`",
    { type: "aggregate", function: "count", window: { type: "lifetime" }, group_by: ["amount"] },
    "Group by a text, such as the name of a price class.",
  ],
  [
    "the greatest earlier `amount`",
    { type: "aggregate", function: "max", value: amount, window: { type: "lifetime" } },
    "`coalesce` it with what should count before the first sale.",
  ],
  [
    "`amount` multiplied by itself four times",
    { type: "multiply", operands: [amount, amount, amount, amount, amount] },
    "Multiply fewer amounts with each other.",
  ],
];

/** The schema that the page describes before its mistakes. */
const mistaken: ReadonlyArray<PropertyDefinition> = [
  { name: "amount", type: "number", required: true },
  { name: "plan", type: "string", required: true },
  { name: "discount", type: "number", required: false },
];

/** The message that refuses a formula. */
const refusal = (formula: unknown): string => {
  const checked = Either.flatMap(decode(formula), (expression) => check(expression, mistaken));
  if (Either.isRight(checked)) throw new Error(`this formula is not a mistake: ${inline(formula)}`);
  return formatProblem(checked.left);
};

const errors = (): string =>
  table(
    ["Written", "Message", "What to do"],
    mistakes.map(([written, formula, advice]) => [
      written,
      code(refusal(formula).replaceAll("`", "'")),
      advice,
    ]),
  );

/** Texts that are refused. */
const textMistakes: ReadonlyArray<string> = [
  "amuont * 10 %",
  "amount - discount",
  "amount * plan",
  "amount / amount ?? 0",
  "if 0 < amount < 100 then 5",
  "amount * 7,5 %",
  "tiers(amount) { up to 9: 1 %; up to 5: 2 %; else: 3 % }",
  "tiers(amount) { up to 9: 1 % }",
  "sum of amount this month",
  "amount × 10 %",
  "net = amount * 90 %",
];

const textErrors = (): string =>
  table(
    ["Text", "Message"],
    textMistakes.map((text) => {
      const [problem] = Either.getOrElse(Either.flip(parseFor(text, mistaken)), () => []);
      if (problem === undefined) throw new Error(`this text is not a mistake: ${text}`);
      return [code(text), code(formatTextProblem(problem).replaceAll("`", "'"))];
    }),
  );

/** A text with the nodes that it says, folded away. */
const both = (text: string): string => {
  const expression = Either.getOrThrowWith(
    parse(text),
    (problems) => new Error(problems.map(formatTextProblem).join()),
  );
  if (printText(expression) !== text) throw new Error(`this is not canonical: ${text}`);
  return `${fenced("formula", text)}\n\n${nodesOf(text)}`;
};

const nodesOf = (text: string): string =>
  `<details><summary>The same in nodes</summary>\n\n${fenced("json", json(Either.getOrThrow(parse(text))))}\n\n</details>`;

/** The texts of a table, each of which is read. */
const readTexts = (texts: ReadonlyArray<string>): string =>
  texts
    .map((text) => {
      // A comparison alone would be read as the name of a step.
      if (Either.isLeft(parse(text)) && Either.isLeft(parse(`(${text})`)))
        throw new Error(`this text cannot be read: ${text}`);
      return code(text);
    })
    .join(", ");

const nodeTable = (name: string): string | undefined => {
  const rows = NODE_TABLES.get(name);
  return rows === undefined
    ? undefined
    : table(
        ["Text", "Node and its fields", "Gives"],
        rows.map(({ texts, node, gives }) => [readTexts(texts), node, gives]),
      );
};

const values = (): string =>
  table(
    ["Text", "Value", "Means"],
    VALUES.map(([text, means]) => {
      const expression = Either.getOrThrow(parse(text));
      if (expression.type !== "literal") throw new Error(`this is no value: ${text}`);
      return [code(text), code(inline(expression.value)), means];
    }),
  );

const reserved = (): string => [...RESERVED].sort().map(code).join(", ");

const limits = (): string =>
  `${Limits.DEPTH_MAX} nodes inside each other, ${Limits.NODES_MAX.toLocaleString("en-US")} nodes in all, ` +
  `${Limits.OPERANDS_MAX} operands, branches, tiers or bands in one node, ${Limits.ENTRIES_MAX.toLocaleString("en-US")} rows in a \`lookup\` or values in an \`in\`, ` +
  `${Limits.BINDINGS_MAX} names in a \`let\`, ${Limits.AGGREGATES_MAX} aggregates, ${Limits.GROUP_PROPERTIES_MAX} properties in a \`group_by\`, ` +
  `${Limits.ROLLING_DAYS_MAX.toLocaleString("en-US")} days in a rolling window, ${Limits.CHARACTERS_MAX} characters in a text, ${Limits.BITS_MAX} bits in any number, ` +
  `${Limits.BYTES_MAX / 1024} KiB of JSON`;

const EUROS = { currency: "EUR", decimals: 2 };
const DOLLARS = { currency: "USD", decimals: 2 };

const explanation = (): string => {
  const plan = planNamed("net-of-discount-refund-and-fees");
  return fenced(
    "text",
    explainText(explain(Either.getOrThrow(prepare(plan)), facts(plan.cases[0])), DOLLARS),
  );
};

/** The same explanation when the schema declares that its numbers are money. */
const declaredExplanation = (): string => {
  const plan = planNamed("net-of-discount-refund-and-fees");
  const properties = plan.schema.properties.map(
    (property) => ({ ...property, format: "money_major" }) as const,
  );
  const checked = Either.flatMap(decode(plan.expression), (expression) => check(expression, properties));
  return fenced(
    "text",
    explainText(explain(compile(Either.getOrThrow(checked)), facts(plan.cases[0])), DOLLARS),
  );
};

const LONGER = `before = sum of amount earlier this month by client where country = "DE"
rate   = if before + amount > 10000 then 12 % else 10 %
amount * rate * 100`;

const REVENUE = "sum of amount earlier this month";

const periodText = `before = sum of amount earlier this month
after  = before + amount
round(100 * after * bands(after) { up to 10000: 4 %; else: 6 % })
  - round(100 * before * bands(before) { up to 10000: 4 %; else: 6 % })`;

const periodExplanation = (): string => {
  const [third, ...earlier] = [2000, 6000, 3000].map((value) =>
    facts({ properties: { amount: value }, expected: 0, working: "-" }),
  );
  const checked = Either.flatMap(parse(periodText), (expression) =>
    check(expression, [{ name: "amount", type: "number", required: true }]),
  );
  if (third === undefined) throw new Error("there are three sales");
  const explained = explain(compile(Either.getOrThrow(checked)), third, { history: earlier });
  return fenced("text", explainText(explained, EUROS));
};

/** The page: the template with its examples computed. */
export const print = (): string => {
  const parts: Readonly<Record<string, () => string>> = {
    tiers,
    rounding,
    errors,
    limits,
    explanation,
    first: () => nodesOf("amount * 10 % * 100"),
    second: () => both(LONGER),
    revenue: () => both(REVENUE),
    reserved,
    values,
    "text-errors": textErrors,
    period: () => both(periodText),
    "declared-explanation": declaredExplanation,
    "period-explanation": periodExplanation,
    code: () => fenced("ts", read("../../examples/formulas/explain.ts")),
    output: () => fenced("text", explainSale()),
  };
  return filled(read("./formulas.md"), (name) => parts[name]?.() ?? nodeTable(name));
};
