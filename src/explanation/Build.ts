import { is, type Step, type StepOf, stepsOf } from "../formula/Step.ts";
import type { Trace } from "../formula/Trace.ts";
import { difference, limit, literal, parameter, product, quotient, rounding, sum } from "./Arithmetic.ts";
import { band, branch, firstGiven, lookup, tiers, variable, variables } from "./Choices.ts";
import {
  type Context,
  figureOf,
  figurePart,
  NUMBER,
  nameOf,
  numberFigure,
  type Unit,
  unitIn,
  unitOf,
  valuePart,
} from "./Context.ts";
import type { Explanation, Part } from "./Explanation.ts";
import { betweenOf, factOf, namesIn, selectionOf, subjectOf } from "./Facts.ts";
import * as Measure from "./Measure.ts";

const property = (step: StepOf<"property">, unit: Unit): Part => {
  const name = nameOf(step);
  if (step.entry.value === null) return { type: "absent", figure: figureOf(step, unit), name };
  return { ...figurePart(figureOf(step, unit), "fact", name), isDefault: step.entry.detail.default_used };
};

/** A date that was read from a text, with the name of the text. */
const parsedDate = (step: StepOf<"parse_date">, unit: Unit): Part => {
  const [text] = step.inner;
  return figurePart(figureOf(step, unit), "computed", text === undefined ? null : nameOf(text));
};

const datePart = (context: Context, step: StepOf<"date_part">, unit: Unit): Part => {
  const [date] = step.inner;
  if (date === undefined) return valuePart(step, unit);
  const { part } = step.entry.detail;
  return { type: "date_part", figure: figureOf(step, NUMBER), part, of: context.partOf(date, NUMBER) };
};

const dateDifference = (context: Context, step: StepOf<"date_difference">): Part => {
  const between = betweenOf(context, step);
  const figure = figureOf(step, NUMBER);
  return between === undefined ? figurePart(figure) : { type: "between", figure, between };
};

const total = (step: StepOf<"aggregate">, unit: Unit): Part => {
  const { function: kind, value } = step.entry.detail;
  const isProperty = value?.type === "property";
  return {
    type: "total",
    figure: figureOf(step, unit),
    function: kind,
    aggregated: { isProperty, names: isProperty ? [value.name] : namesIn(value) },
    selection: selectionOf(step),
  };
};

/** What a step has that only passes on the value of the one inside it. */
const inner = (context: Context, step: Step, unit: Unit): Part =>
  step.inner[0] === undefined ? valuePart(step, unit) : context.partOf(step.inner[0], unit);

/** Returns the part of an explanation for a step of any kind. Rules use it for the kinds that they do not treat differently. */
export const build = (context: Context, step: Step, unit: Unit): Part => {
  switch (step.entry.type) {
    case "literal":
      return literal(context, step, unit);
    case "property":
      return property(step as StepOf<"property">, unit);
    case "parameter":
      return parameter(step as StepOf<"parameter">, unit);
    case "attribute":
      return figurePart(figureOf(step, unit), "fact", nameOf(step));
    case "variable":
      return variable(context, step as StepOf<"variable">, unit);
    case "final":
      return inner(context, step, unit);
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
      return parsedDate(step as StepOf<"parse_date">, unit);
    case "date_part":
      return datePart(context, step as StepOf<"date_part">, unit);
    case "date_difference":
      return dateDifference(context, step as StepOf<"date_difference">);
    case "aggregate":
      return total(step as StepOf<"aggregate">, unit);
    case "compare":
    case "and":
    case "or":
    case "not":
    case "in":
    case "text_match":
    case "is_present":
      return { type: "fact", figure: figureOf(step, unit), fact: context.factOf(step) };
  }
};

const contextOf = (root: Step, decimals: number): Context => {
  const measures = Measure.make(root, decimals);
  const context: Context = {
    ...measures,
    uses: new Map(),
    reasons: [],
    partOf: (step, unit) => build(context, step, unitIn(measures, step, unit)),
    factOf: (step) => factOf(context, step),
    subjectOf: (step, unit) => subjectOf(context, step, unit),
  };
  return context;
};

/**
 * Returns how an amount was computed, from its trace. Numbers whose unit a schema declares are money and shares, as long as
 * they lead to an amount in the smallest unit of the currency; all other numbers are as they were given.
 */
export const explanationOf = (trace: Trace, decimals: number): Explanation | null => {
  const [root] = stepsOf(trace);
  if (root === undefined || !is(root, "final")) return null;
  const context = contextOf(root, decimals);
  const measure = context.measureOf(root);
  const isMoney = measure.type === "money" && measure.exponent === 0;
  const unit: Unit = isMoney
    ? unitOf(context, root)
    : Measure.isDeclared(measure)
      ? { type: "given" }
      : NUMBER;
  const calculation = inner(context, root, unit);
  const { before, after } = root.entry.detail;
  return {
    calculation,
    before: numberFigure(before, unit),
    after: numberFigure(after, unit),
    reasons: context.reasons.map((reason) => reason()),
  };
};
