import { expect, it } from "vitest";
import { property, sentencesOf } from "./sale.ts";

const SALE = {
  declared: [
    { name: "amount", type: "number", required: true },
    { name: "country", type: "string", required: true },
    { name: "is_new", type: "boolean", required: false },
    { name: "is_old", type: "boolean", required: false },
    { name: "agent", type: "string", required: false },
  ],
  properties: { amount: 120, country: "DE", is_new: true },
} as const;

const literal = (value: string | number) => ({
  type: "literal",
  value: { type: typeof value === "string" ? "string" : "number", value },
});
const compare = (operator: string, name: string, value: string | number) => ({
  type: "compare",
  operator,
  left: property(name),
  right: literal(value),
});
const country = property("country");
const isNew = {
  type: "coalesce",
  operands: [property("is_new"), { type: "literal", value: { type: "boolean", value: false } }],
};

/** The sentence for a condition on a sale. */
const said = (condition: object): string => {
  const expression = { type: "case", branches: [{ when: condition, then: literal(1) }], else: literal(2) };
  const [reason = ""] = sentencesOf(expression, SALE).reasons;
  return reason.replace(/^[12] applies because /, "").replace(/\.$/, "");
};

it.each([
  [compare("less_than", "amount", 200), "the amount (120) is less than 200"],
  [compare("less_than", "amount", 100), "the amount (120) is at least 100"],
  [compare("equal", "country", "FR"), "the country (“DE”) is not “FR”"],
  [{ type: "not", operand: compare("equal", "country", "FR") }, "the country (“DE”) is not “FR”"],
  [
    { type: "and", operands: [compare("equal", "country", "DE"), compare("less_than", "amount", 100)] },
    "the amount (120) is at least 100",
  ],
  [
    { type: "or", operands: [compare("equal", "country", "FR"), compare("less_than", "amount", 200)] },
    "the amount (120) is less than 200",
  ],
  [
    { type: "in", operand: country, values: [{ type: "string", value: "FR" }] },
    "the country (“DE”) is not one of those listed",
  ],
  [
    { type: "text_match", operator: "starts_with", operand: country, text: "D" },
    "the country (“DE”) starts with “D”",
  ],
  [
    { type: "text_match", operator: "contains", operand: country, text: "X" },
    "the country (“DE”) does not contain “X”",
  ],
  [{ type: "is_present", operand: property("is_old") }, "“is old” is not given"],
  [{ type: "is_present", operand: property("agent") }, "the agent is not given"],
  [isNew, "“is new” is yes"],
])("%j reads: %s", (condition, text) => {
  expect(said(condition)).toBe(text);
});

it.each([
  ["less_than", "1970-01-02", "the date (1 January 1970) is before 2 January 1970"],
  ["less_than", "1970-01-01", "the date (1 January 1970) is not before 1 January 1970"],
  ["greater_than", "1969-12-31", "the date (1 January 1970) is after 31 December 1969"],
  ["less_than_or_equal", "1970-01-01", "the date (1 January 1970) is not after 1 January 1970"],
  ["greater_than_or_equal", "1970-01-01", "the date (1 January 1970) is not before 1 January 1970"],
])("compares dates as earlier and later: %s %s", (operator, date, text) => {
  const right = { type: "literal", value: { type: "date", value: date } };
  expect(said({ type: "compare", operator, left: { type: "attribute", name: "occurred_at" }, right })).toBe(
    text,
  );
});
