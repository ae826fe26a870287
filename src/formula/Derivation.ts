import type { Comparison } from "./Expression.ts";
import type { PropertyValue } from "./Property.ts";
import type { Mode } from "./Rounding.ts";
import { isLeaf, type Step, stepsOf } from "./Step.ts";
import type { Details, RoundingDetail, Shown, TierDetail, Trace } from "./Trace.ts";

const COMPARISONS: { readonly [C in Comparison]: string } = {
  equal: "equals",
  not_equal: "differs from",
  less_than: "is less than",
  less_than_or_equal: "is at most",
  greater_than: "is greater than",
  greater_than_or_equal: "is at least",
};

const MODES: { readonly [M in Mode]: string } = {
  half_up: "half up",
  half_down: "half down",
  half_even: "half to even",
  up: "away from zero",
  down: "toward zero",
  ceiling: "up",
  floor: "down",
};

const show = (value: Shown): string => (value === null ? "no value" : String(value));

const showLiteral = (value: Shown, { unit, written }: Details["literal"]): string => {
  switch (unit) {
    case "percent":
      return `${written} %`;
    case "basis_points":
      return `${written} bp`;
    case "string":
      return `"${value}"`;
    default:
      return show(value);
  }
};

const quoteText = (value: PropertyValue): string =>
  typeof value === "string" ? `"${value}"` : String(value);

const showProperty = (value: Shown, { name, raw, default_used }: Details["property"]): string => {
  const shown = typeof (raw ?? undefined) === "string" ? `"${value}"` : show(value);
  return `${shown} (${name}${default_used ? ", by default" : ""})`;
};

/** A step as an operand of another: a leaf with its name or unit, every other node as its value alone. */
const inline = ({ entry }: Step): string => {
  switch (entry.type) {
    case "literal":
      return showLiteral(entry.value, entry.detail);
    case "property":
      return showProperty(entry.value, entry.detail);
    case "attribute":
    case "variable":
      return `${show(entry.value)} (${entry.detail.name})`;
    default:
      return show(entry.value);
  }
};

const describeRounding = (operand: string, { before, mode, increment, after }: RoundingDetail): string =>
  before === after
    ? `${operand}, nothing to round`
    : `${operand} rounded ${MODES[mode]} to a ${increment === "1" ? "whole number" : `multiple of ${increment}`}`;

const bandRange = ({ from, up_to, upper_bound }: Details["band"]): string => {
  const [above, until] = upper_bound === "inclusive" ? ["above", "up to"] : ["from", "below"];
  const lower = from === null ? "" : `${above} ${from}`;
  const upper = up_to === null ? "" : `${until} ${up_to}`;
  return [lower, upper].filter((part) => part !== "").join(", ") || "any";
};

const describeAggregate = ({
  function: name,
  first_day,
  last_day,
  group,
  rows,
}: Details["aggregate"]): string => {
  const attributions = `earlier attribution${rows === 1 ? "" : "s"}`;
  const found = {
    count: "the number of earlier attributions",
    sum: `the sum of ${rows} ${attributions}`,
    min: `the least of ${rows} ${attributions}`,
    max: `the greatest of ${rows} ${attributions}`,
  }[name];
  const days = first_day === last_day ? `on ${first_day}` : `from ${first_day} to ${last_day}`;
  const groups = group.map((one) => `, ${one.name} ${quoteText(one.value)}`).join("");
  return `${found}${first_day === null ? "" : ` ${days}`}${groups}`;
};

const tierLine = ({ from, to, part, rate, flat, amount }: TierDetail): string => {
  const entry = flat === "0" ? "" : ` + ${flat}`;
  return `${amount} = ${part} × ${rate}${entry}, tier ${to === null ? `above ${from}` : `${from} to ${to}`}`;
};

/** The value of a step and how it was computed, in terms of the steps inside it. */
const describe = ({ entry, inner }: Step): string => {
  const value = show(entry.value);
  const operands = inner.map(inline);
  const joinOperands = (operator: string): string => `${value} = ${operands.join(` ${operator} `)}`;
  switch (entry.type) {
    case "add":
      return joinOperands("+");
    case "subtract":
      return joinOperands("−");
    case "multiply":
      return joinOperands("×");
    case "divide":
      return joinOperands("÷");
    case "min":
      return `${value} = the least of ${operands.join(", ")}`;
    case "max":
      return `${value} = the greatest of ${operands.join(", ")}`;
    case "round":
    case "final":
      return `${value} = ${describeRounding(operands[0] ?? entry.detail.before, entry.detail)}`;
    case "band":
      return `${value} for ${operands[0]} (${bandRange(entry.detail)})`;
    case "graduated":
      return `${value} = graduated on ${entry.detail.amount}${entry.detail.offset === "0" ? "" : `, after ${entry.detail.offset} before it`}`;
    case "compare":
      return `${value}: ${operands[0]} ${COMPARISONS[entry.detail.operator]} ${operands[1]}`;
    case "and":
    case "or":
      return joinOperands(entry.type);
    case "not":
      return `${value} = not ${operands[0]}`;
    case "in":
      return `${value}: ${operands[0]} is ${entry.detail.index === null ? "not " : ""}among the listed values`;
    case "text_match":
      return `${value}: ${operands[0]} ${entry.detail.operator.replace("_", " ")} "${entry.detail.text}"`;
    case "case":
      return entry.detail.index === null
        ? `${value}, since no condition holds`
        : `${value}, since condition ${entry.detail.index + 1} holds`;
    case "lookup":
      return `${value} for ${operands[0]}${entry.detail.index === null ? ", which the table does not list" : ""}`;
    case "coalesce":
      return `${value} = the first there is of ${operands.join(", ")}`;
    case "is_present":
      return `${value}: ${operands[0]} ${entry.value === true ? "is there" : "is not there"}`;
    case "parse_date":
      return `${value} read from ${operands[0]}`;
    case "date_part":
      return `${value} = ${entry.detail.part.replaceAll("_", " ")} of ${operands[0]}`;
    case "date_difference":
      return `${value} = complete ${entry.detail.unit} from ${operands[0]} to ${operands[1]}`;
    case "let":
      return `${value}, with ${entry.detail.bindings.map((binding) => `${binding.name} = ${show(binding.value)}`).join(", ")}`;
    case "aggregate":
      return `${value} = ${describeAggregate(entry.detail)}`;
    default:
      return inline({ entry, inner });
  }
};

const lines = (step: Step, depth: number): ReadonlyArray<string> => {
  const indent = "  ".repeat(depth);
  const tiers = step.entry.type === "graduated" ? step.entry.detail.tiers : [];
  return [
    `${indent}${describe(step)}`,
    ...tiers.map((tier) => `${indent}  ${tierLine(tier)}`),
    ...step.inner.filter((inner) => !isLeaf(inner)).flatMap((inner) => lines(inner, depth + 1)),
  ];
};

/** A trace as indented lines, each a value and how it was computed, with what it rests on below it. */
export const derive = (trace: Trace): string =>
  stepsOf(trace)
    .flatMap((step) => lines(step, 0))
    .join("\n");
