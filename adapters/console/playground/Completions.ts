/** Proposals for the text at a position in a formula. */
import { ATTRIBUTES, type Expression, type Kind } from "quittance/formula";
import type { Property } from "../api/Records.ts";

const ten: Expression = { type: "literal", value: { type: "percent", value: 10 } };
const zero: Expression = { type: "literal", value: { type: "number", value: 0 } };
const amount: Expression = { type: "property", name: "amount" };
const isPositive: Expression = { type: "compare", operator: "greater_than", left: amount, right: zero };

/** A template for every node of the language. */
export const SNIPPETS: { readonly [K in Kind]: Extract<Expression, { readonly type: K }> } = {
  literal: ten,
  property: amount,
  attribute: { type: "attribute", name: "occurred_at" },
  variable: { type: "variable", name: "net" },
  let: { type: "let", bindings: [{ name: "net", value: amount }], body: { type: "variable", name: "net" } },
  add: { type: "add", operands: [amount, zero] },
  subtract: { type: "subtract", left: amount, right: zero },
  multiply: { type: "multiply", operands: [amount, ten] },
  divide: { type: "divide", left: amount, right: { type: "literal", value: { type: "number", value: 2 } } },
  min: { type: "min", operands: [amount, zero] },
  max: { type: "max", operands: [amount, zero] },
  round: { type: "round", operand: amount, mode: "half_even" },
  band: {
    type: "band",
    input: amount,
    bands: [{ up_to: { type: "number", value: 1000 }, value: zero }, { value: ten }],
  },
  graduated: {
    type: "graduated",
    amount,
    tiers: [{ up_to: { type: "number", value: 10000 }, rate: ten }, { rate: ten }],
  },
  compare: isPositive,
  and: { type: "and", operands: [isPositive] },
  or: { type: "or", operands: [isPositive] },
  not: { type: "not", operand: { type: "property", name: "flag" } },
  in: {
    type: "in",
    operand: { type: "property", name: "country" },
    values: [{ type: "string", value: "DE" }],
  },
  text_match: {
    type: "text_match",
    operator: "starts_with",
    operand: { type: "property", name: "sku" },
    text: "PRO-",
  },
  case: {
    type: "case",
    branches: [{ when: isPositive, then: ten }],
    else: zero,
  },
  lookup: {
    type: "lookup",
    key: { type: "property", name: "category" },
    entries: [{ key: { type: "string", value: "books" }, value: ten }],
    default: zero,
  },
  coalesce: { type: "coalesce", operands: [amount, zero] },
  is_present: { type: "is_present", operand: amount },
  parse_date: { type: "parse_date", operand: { type: "property", name: "date" } },
  date_part: { type: "date_part", part: "month", operand: { type: "attribute", name: "occurred_at" } },
  date_difference: {
    type: "date_difference",
    unit: "months",
    from: { type: "attribute", name: "created_at" },
    to: { type: "attribute", name: "occurred_at" },
  },
  aggregate: {
    type: "aggregate",
    function: "sum",
    value: amount,
    window: { type: "calendar", unit: "month" },
  },
};

const NODES = Object.keys(SNIPPETS).sort();

/** One proposal: what is shown, and the text that replaces `length` characters before the cursor. */
export interface Proposal {
  readonly label: string;
  readonly text: string;
  readonly length: number;
}

const proposeNames = (names: ReadonlyArray<string>, prefix: string): ReadonlyArray<Proposal> =>
  names
    .filter((name) => name.startsWith(prefix) && name !== prefix)
    .map((name) => ({ label: name, text: name, length: prefix.length }));

const ATTRIBUTE_NAMES = [...ATTRIBUTES].sort();

/** The proposals at the cursor: names inside a text after `type` or `name`, whole nodes where a value is missing. */
export const proposalsAt = (
  text: string,
  cursor: number,
  properties: ReadonlyArray<Property>,
): ReadonlyArray<Proposal> => {
  const before = text.slice(0, cursor);
  const type = /"type"\s*:\s*"([a-z_]*)$/.exec(before);
  if (type !== null) return proposeNames(NODES, type[1] ?? "");
  const name = /"name"\s*:\s*"([^"]*)$/.exec(before);
  if (name !== null) {
    const isAttribute = /"attribute"[^{}]*$/.test(before);
    return proposeNames(
      isAttribute ? ATTRIBUTE_NAMES : properties.map((property) => property.name),
      name[1] ?? "",
    );
  }
  const bare = /(?:^|[:[,])\s*([a-z_]*)$/.exec(before);
  if (bare === null) return [];
  const prefix = bare[1] ?? "";
  const propertyProposals = properties.map(
    (property): Proposal => ({
      label: `property ${property.name}`,
      text: JSON.stringify({ type: "property", name: property.name }),
      length: prefix.length,
    }),
  );
  const nodes = NODES.map(
    (kind): Proposal => ({
      label: kind,
      text: JSON.stringify(SNIPPETS[kind as Kind]),
      length: prefix.length,
    }),
  );
  return [...propertyProposals, ...nodes].filter(({ label }) =>
    label.replace("property ", "").startsWith(prefix),
  );
};
