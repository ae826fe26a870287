/** What can be picked in the form, in words, and what each begins with. */
import type { Condition, FormContext, Measure, Part, Rate, Step } from "./Form.ts";
import { isMoney } from "./Form.ts";

/** The parts that pay by themselves. */
export type Simple = Exclude<Part["type"], "limit" | "sum" | "cases" | "products">;

/** What a part pays, as it is picked. */
export const TEMPLATES: Readonly<Record<Simple, readonly [name: string, meaning: string]>> = {
  share: ["A percentage of a value", "8 % of each order; the rate may depend on the sale"],
  unit: ["An amount per unit", "2.50 for each thing sold"],
  fixed: ["A fixed amount per sale", "60 for each order"],
  tiers: ["Tiers", "5 % of the part up to 1,000, 7 % of the part above; by sale or by period"],
  whole: ["Rate of a whole period", "the rate that a month's total reaches pays for all of the month"],
  quota: ["Quota with accelerator", "10 % up to the quota of a period, 15 % beyond"],
  bonus: ["Bonus at a threshold", "500 once, when the total of a period reaches 10,000"],
  nothing: ["Nothing", "such sales earn nothing"],
};

/** How the rate of a percentage is found. */
export const RATES: Readonly<Record<Rate["type"], string>> = {
  fixed: "the same for every sale",
  category: "by category",
  condition: "by condition",
  level: "by size or total",
};

/** Spans in words. Others depend on a number of days, or on a date of the partner. */
export const PERIODS: Readonly<Record<"sale" | "month" | "quarter" | "year" | "ever", string>> = {
  sale: "one sale",
  month: "a month",
  quarter: "a quarter",
  year: "a year",
  ever: "all time",
};

/** What is put around a part, and around several that belong together. */
export const WRAPPERS = {
  sum: ["Add another amount", "Add another amount to all of this"],
  limit: ["Set a cap or a floor", "Set a cap or a floor for all of this"],
  cases: ["Pay on a condition", "Pay all of this on a condition"],
  products: ["Pay by product", "Pay all of this by product"],
} as const;

const STEPS: ReadonlyArray<Step> = [
  { upTo: "1000", percent: "5" },
  { upTo: "", percent: "7" },
];

type Names = { readonly [Type in "number" | "string" | "boolean"]: string };

/** The property that a new field begins with: of numbers the first that is money. */
export const firstNames = ({ properties }: FormContext): Names & { readonly counted: string } => {
  const first = (type: keyof Names): string =>
    properties.find((property) => property.type === type)?.name ?? "";
  const numbers = properties.filter(({ type }) => type === "number");
  return {
    number: (numbers.find(isMoney) ?? numbers[0])?.name ?? "",
    string: first("string"),
    boolean: first("boolean"),
    counted: (numbers.find((number) => !isMoney(number)) ?? numbers[0])?.name ?? "",
  };
};

/** A condition of a kind, to begin with. */
export const blankCondition = (type: Condition["type"], context: FormContext): Condition => {
  const names = firstNames(context);
  switch (type) {
    case "text":
      return { type, property: names.string, operator: "is", values: "" };
    case "number":
      return { type, property: names.number, operator: "at_least", value: "1000" };
    case "flag":
      return { type, property: names.boolean, isTrue: true };
    case "date":
      return { type, operator: "from", day: new Date().toISOString().slice(0, 10) };
    case "first":
      return { type, sales: "3", period: "ever", by: "" };
    case "season":
      return { type, part: "month", values: "" };
    case "elapsed":
      return { type, from: datesOf(context)[0] ?? "", unit: "months", operator: "less_than", value: "12" };
    case "any":
      return { type, of: [firstCondition(context), firstCondition(context)] };
  }
};

/** Where the time since a date can be counted from: dates of the partner, and texts of the sale. */
export const datesOf = ({ properties, parameters = [] }: FormContext): ReadonlyArray<string> => [
  ...parameters.filter(({ type }) => type === "date").map(({ name }) => `plan.${name}`),
  ...properties.filter(({ type }) => type === "string").map(({ name }) => name),
];

/** The kinds of conditions that sales with these properties can have. */
export const conditionTypes = (context: FormContext): ReadonlyArray<Exclude<Condition["type"], "any">> => [
  ...(context.properties.some(({ type }) => type === "string") ? (["text"] as const) : []),
  ...(context.properties.some(({ type }) => type === "boolean") ? (["flag"] as const) : []),
  ...(context.properties.some(({ type }) => type === "number") ? (["number"] as const) : []),
  "first",
  "date",
  "season",
  ...(datesOf(context).length > 0 ? (["elapsed"] as const) : []),
];

export const firstCondition = (context: FormContext): Condition =>
  blankCondition(conditionTypes(context)[0] ?? "first", context);

/** A measure of a kind, to begin with. */
export const blankMeasure = (type: Measure["type"], context: FormContext): Measure =>
  type === "count" ? { type, period: "month" } : { type, base: firstNames(context).number, period: "month" };

export const blankRate = (type: Rate["type"], percent: string, context: FormContext): Rate => {
  switch (type) {
    case "fixed":
      return { type, percent };
    case "category":
      return {
        ...{ type, property: firstNames(context).string, otherwise: percent },
        rows: [{ value: "", percent: "5" }],
      };
    case "condition":
      return { type, rows: [{ when: [firstCondition(context)], percent: "12" }], otherwise: percent };
    case "level":
      return { type, of: "sale", steps: STEPS };
  }
};

/** A part of a kind, to begin with. */
export const blankPart = (type: Simple, context: FormContext): Part => {
  const names = firstNames(context);
  const base = names.number;
  switch (type) {
    case "nothing":
      return { type };
    case "fixed":
      return { type, amount: "50" };
    case "unit":
      return { type, property: names.counted, amount: "2.50" };
    case "share":
      return { type, base, rate: { type: "fixed", percent: "10" } };
    case "tiers":
      return { type, base, period: "sale", steps: STEPS };
    case "whole":
      return { type, base, period: "month", steps: STEPS };
    case "quota":
      return { type, base, period: "quarter", quota: "50000", below: "10", above: "15" };
    case "bonus":
      return { type, of: blankMeasure("value", context), threshold: "10000", amount: "500" };
  }
};

/** A part with another around it. */
export const wrap = (part: Part, type: keyof typeof WRAPPERS, context: FormContext): Part => {
  switch (type) {
    case "sum":
      return { type, parts: [part, blankPart("fixed", context)] };
    case "limit":
      return { type, of: part, period: "sale", least: "", most: "" };
    case "cases":
      return {
        type,
        rows: [{ when: [firstCondition(context)], pays: part }],
        otherwise: { type: "nothing" },
      };
    case "products":
      return {
        ...{ type, property: firstNames(context).string, otherwise: part },
        rows: [{ value: "", pays: blankPart("share", context) }],
      };
  }
};
