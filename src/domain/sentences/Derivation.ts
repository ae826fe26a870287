/**
 * How an amount was computed, as a calculation that a person can follow, and the reasons for what it contains. Percentages are
 * written as such, and every other number as it was given: a formula states no other unit, and none is guessed. So the result
 * is in the smallest unit of the currency. What adds nothing is left out: a term of 0, a limit that is not reached, a rounding
 * without effect.
 */
import type { Expression } from "../../formula/index.ts";
import { is, type Step, type StepOf } from "../../formula/Step.ts";
import { difference, limit, product, quotient, rounding, sum } from "./ArithmeticPhrases.ts";
import { band, branch, firstGiven, lookup, tiers, variables } from "./ChoicePhrases.ts";
import * as Conditions from "./Conditions.ts";
import { type DerivationContext, valueText } from "./DerivationContext.ts";
import type { Unit } from "./Figures.ts";
import * as Figures from "./Figures.ts";
import { atom, inside, type Phrase } from "./Phrase.ts";
import * as Units from "./Units.ts";

/** A calculation, and the reasons for what it contains. */
interface Sentences {
  readonly calculation: string;
  /** The number that it gives. */
  readonly result: string;
  readonly reasons: ReadonlyArray<string>;
}

const wordsOf = (names: ReadonlyArray<string>): string => names.map(Figures.words).join(", ");

/** What an aggregate adds up or compares. */
const aggregatedText = (value: Expression | null): string => {
  if (value === null) return "";
  if (value.type === "property") return Figures.words(value.name);
  const names = wordsOf(Units.namesIn(value));
  return names === "" ? "value" : `value by ${names}`;
};

/** Which attributions an aggregate has found, without their number. */
const selectionText = ({ entry: { detail } }: StepOf<"aggregate">): string => {
  const { first_day, last_day, group, where } = detail;
  const days = first_day === null || last_day === null ? "" : ` ${Figures.days(first_day, last_day)}`;
  const groups = group.map((one) => `, ${Figures.words(one.name)} “${one.value}”`).join("");
  const only = where === null ? "" : `, chosen by ${wordsOf(Units.namesIn(where)) || "the date"}`;
  return `${days}${groups}${only}`;
};

const total = (context: DerivationContext, step: StepOf<"aggregate">): Phrase => {
  const { function: kind, rows, value: of } = step.entry.detail;
  const sales = `${rows} earlier sale${rows === 1 ? "" : "s"}`;
  const found = selectionText(step);
  if (kind === "count") return atom(`${valueText(context, step, "number")} (${sales}${found})`);
  const which = { sum: "", min: "least ", max: "greatest " }[kind];
  return atom(
    `${valueText(context, step, "number")} (the ${which}${aggregatedText(of)} of ${sales}${found})`,
  );
};

/** The days, months or years between two dates. */
const betweenText = (
  { phrase }: Pick<DerivationContext, "phrase">,
  { entry, inner: [first, second] }: StepOf<"date_difference">,
): string =>
  first === undefined || second === undefined
    ? entry.detail.unit
    : `complete ${entry.detail.unit} from ${phrase(first, "number").text} to ${phrase(second, "number").text}`;

const property = (context: DerivationContext, step: StepOf<"property">, unit: Unit): Phrase => {
  const { name, default_used } = step.entry.detail;
  const words = Figures.words(name);
  if (step.entry.value === null) return atom(`no ${words}`);
  return atom(`${valueText(context, step, unit)} (${words}${default_used ? ", by default" : ""})`);
};

const variable = (context: DerivationContext, step: StepOf<"variable">): Phrase => {
  const { name } = step.entry.detail;
  const value = context.units.valueOf(step);
  if (value !== undefined) context.used.add(value);
  return atom(`${valueText(context, step, context.units.unitOf(step))} (${Figures.words(name)})`);
};

const parseDate = (context: DerivationContext, step: StepOf<"parse_date">, unit: Unit): Phrase => {
  const [text] = step.inner;
  const value = valueText(context, step, unit);
  return atom(text === undefined ? value : `${value} (${context.conditions.nameOf(text)})`);
};

const datePart = (context: DerivationContext, step: StepOf<"date_part">, unit: Unit): Phrase => {
  const [date] = step.inner;
  if (date === undefined) return atom(valueText(context, step, unit));
  const part = step.entry.detail.part.replaceAll("_", " ");
  return atom(`${valueText(context, step, "number")} (${part} of ${context.phrase(date, "number").text})`);
};

/** What a step that only passes on the value of another one has. */
const passThrough = (context: DerivationContext, step: Step, inner: Step | undefined, unit: Unit): Phrase =>
  inner === undefined ? atom(valueText(context, step, unit)) : context.phrase(inner, unit);

const phraseOf = (context: DerivationContext, step: Step, unit: Unit): Phrase => {
  switch (step.entry.type) {
    case "literal":
      return atom(valueText(context, step, Units.isRateLiteral(step) ? "rate" : unit));
    case "property":
      return property(context, step as StepOf<"property">, unit);
    case "attribute":
      return atom(`${valueText(context, step, unit)} (${context.conditions.nameOf(step)})`);
    case "variable":
      return variable(context, step as StepOf<"variable">);
    case "final":
      return passThrough(context, step, step.inner[0], unit);
    case "coalesce":
      return firstGiven(context, step as StepOf<"coalesce">, unit);
    case "add":
      return sum(context, step, unit);
    case "subtract":
      return difference(context, step, unit);
    case "multiply":
      return product(context, step, unit);
    case "divide":
      return quotient(context, step, unit);
    case "min":
    case "max":
      return limit(context, step as StepOf<"min"> | StepOf<"max">, unit);
    case "round":
      return rounding(context, step as StepOf<"round">, unit);
    case "band":
      return band(context, step as StepOf<"band">, unit);
    case "graduated":
      return tiers(context, step as StepOf<"graduated">, unit);
    case "case":
      return branch(context, step as StepOf<"case">, unit);
    case "lookup":
      return lookup(context, step as StepOf<"lookup">, unit);
    case "let":
      return variables(context, step as StepOf<"let">, unit);
    case "parse_date":
      return parseDate(context, step as StepOf<"parse_date">, unit);
    case "date_part":
      return datePart(context, step as StepOf<"date_part">, unit);
    case "date_difference": {
      const days = betweenText(context, step as StepOf<"date_difference">);
      return atom(`${valueText(context, step, "number")} (${days})`);
    }
    case "aggregate":
      return total(context, step as StepOf<"aggregate">);
    default:
      return atom(context.conditions.fact(step));
  }
};

const contextOf = (root: Step): DerivationContext => {
  const write = Figures.writer(0);
  const units = Units.make(root);
  const phrase = (step: Step, unit: Unit): Phrase => phraseOf(context, step, unit);
  const conditions = Conditions.make({
    value: (step, unit) => valueText({ write }, step, unit),
    unitOf: units.unitOf,
    operand: (step, unit) => inside(phrase(step, unit), 2),
    describeCounted: (step) => {
      if (is(step, "date_difference")) return betweenText({ phrase }, step);
      return is(step, "aggregate") && step.entry.detail.function === "count"
        ? `earlier sales${selectionText(step)}`
        : undefined;
    },
  });
  const context = { write, units, conditions, used: new Set<Step>(), reasons: [], phrase };
  return context;
};

/** The calculation with its result, and with the rounding to the smallest unit where it changed anything. */
const withRounding = ({ entry }: Step, { text, binds }: Phrase, write: (text: string) => string): string => {
  if (entry.type !== "final") return text;
  const { before, after } = entry.detail;
  const result = write(after);
  if (before !== after) return `${text} = ${write(before)}, rounded to ${result}`;
  return text === result || (binds === 0 && text.startsWith(`${result} (`)) || text.endsWith(` to ${result}`)
    ? text
    : `${text} = ${result}`;
};

/** Writes the derivation of one amount. */
export const derivation = (root: Step): Sentences => {
  const context = contextOf(root);
  const { reasons, write } = context;
  const own = passThrough(context, root, root.inner[0], "number");
  const calculation = withRounding(root, own, (text) => write(text, "number"));
  return {
    calculation,
    result: valueText(context, root, "number"),
    reasons: [...new Set(reasons.map((reason) => reason()))],
  };
};
