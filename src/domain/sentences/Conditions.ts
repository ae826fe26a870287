/** Sentences for why a condition is true or false. */
import { is, resultOf, type Step, type StepOf } from "../../formula/Step.ts";
import type { Unit } from "./Figures.ts";
import * as Figures from "./Figures.ts";

const COMPARISONS = {
  equal: "is",
  not_equal: "is not",
  less_than: "is less than",
  less_than_or_equal: "is at most",
  greater_than: "is more than",
  greater_than_or_equal: "is at least",
} as const;

const DATE_COMPARISONS = {
  ...COMPARISONS,
  less_than: "is before",
  less_than_or_equal: "is not after",
  greater_than: "is after",
  greater_than_or_equal: "is not before",
} as const;

const OPPOSITES = {
  equal: "not_equal",
  not_equal: "equal",
  less_than: "greater_than_or_equal",
  less_than_or_equal: "greater_than",
  greater_than: "less_than_or_equal",
  greater_than_or_equal: "less_than",
} as const;

/** The comparison that holds between the operands: the one that was asked for, or its opposite. */
const comparisonOf = ({ entry, inner: [first] }: StepOf<"compare">): string => {
  const { operator } = entry.detail;
  const words = first === undefined || Figures.isNumber(first.entry.value) ? COMPARISONS : DATE_COMPARISONS;
  return words[entry.value === true ? operator : OPPOSITES[operator]];
};

const ATTRIBUTES: Readonly<Record<string, string>> = {
  occurred_at: "date",
  created_at: "date of recording",
  agent_id: "agent",
};

/** The words for a fact of the attribution. */
const attributeWords = (name: string): string => ATTRIBUTES[name] ?? Figures.words(name);

/** What conditions are written with. */
interface Values {
  /** The value of a step by itself. */
  readonly value: (step: Step, unit: Unit) => string;
  /** The value of a step with how it was computed. */
  readonly operand: (step: Step, unit: Unit) => string;
  /** Describes what a number of days or of attributions counts; undefined for a step that is no such number. */
  readonly describeCounted: (step: Step) => string | undefined;
  readonly unitOf: (step: Step) => Unit;
}

/** Conditions as text. */
export interface Conditions {
  /** What is the case. */
  readonly fact: (step: Step) => string;
  /** An operand of a condition: `the country (“DE”)`. */
  readonly subject: (step: Step, unit: Unit) => string;
  /** What a step is called, without its value: `country`. */
  readonly nameOf: (step: Step) => string;
}

/** Names that would make a sentence such as `is new is yes`. */
const VERB = /^(is|has|was|can) /;

/** What a step is called, without its value: `country`. */
const nameOf = ({ entry }: Step): string => {
  switch (entry.type) {
    case "property":
    case "variable": {
      const words = Figures.words(entry.detail.name);
      return VERB.test(words) ? `“${words}”` : words;
    }
    case "attribute":
      return attributeWords(entry.detail.name);
    default:
      return "value";
  }
};

/** The same in a sentence: `the country`, or `“is new”`. */
const definite = (step: Step): string => {
  const name = nameOf(step);
  return name.startsWith("“") ? name : `the ${name}`;
};

const TEXT_MATCHES = {
  starts_with: ["starts with", "does not start with"],
  ends_with: ["ends with", "does not end with"],
  contains: ["contains", "does not contain"],
} as const;

/** Writes conditions. */
export const make = ({ value, operand, describeCounted, unitOf }: Values): Conditions => {
  const subject = (step: Step, unit: Unit): string => {
    const [first] = step.inner;
    if (is(step, "property") || is(step, "variable") || is(step, "attribute"))
      return `${definite(step)} (${value(step, unit)})`;
    if (is(step, "date_part") && first !== undefined)
      return `the ${step.entry.detail.part.replaceAll("_", " ")} of ${value(first, unit)} (${value(step, "number")})`;
    const things = describeCounted(step);
    if (things !== undefined) return `the number of ${things} (${value(step, "number")})`;
    const taken = is(step, "coalesce") ? resultOf(step) : undefined;
    return taken === undefined ? operand(step, unit) : subject(taken, unit);
  };

  const all = (steps: ReadonlyArray<Step>, isTrue: boolean): string =>
    steps
      .filter(({ entry }) => entry.value === isTrue)
      .map(fact)
      .join(" and ");

  const fact = (step: Step): string => {
    const { entry, inner } = step;
    const [first, second] = inner;
    const isTrue = entry.value === true;
    if (first === undefined) return `${nameOf(step)} is ${value(step, "number")}`;
    switch (entry.type) {
      case "compare": {
        if (second === undefined) return "";
        const [one, other] = [first, second].map((operand) => subject(operand, unitOf(operand)));
        return `${one} ${comparisonOf(step as StepOf<"compare">)} ${other}`;
      }
      case "and":
      case "or":
        return all(inner, isTrue);
      case "not":
        return fact(first);
      case "in":
        return `${subject(first, "number")} is${isTrue ? "" : " not"} one of those listed`;
      case "text_match": {
        const { operator, text } = entry.detail;
        return `${subject(first, "number")} ${TEXT_MATCHES[operator][isTrue ? 0 : 1]} “${text}”`;
      }
      case "is_present":
        return `${definite(first)} is${isTrue ? "" : " not"} given`;
      case "coalesce":
        return `${nameOf(first)} is ${value(step, "number")}`;
      default: {
        const taken = resultOf(step);
        return taken === undefined ? operand(step, "number") : fact(taken);
      }
    }
  };

  return { fact, subject, nameOf };
};
