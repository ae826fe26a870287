import * as Rational from "../formula/Rational.ts";
import { is, type Step } from "../formula/Step.ts";
import type { Shown } from "../formula/Trace.ts";
import type { Fact, Figure, Name, Part, Reason, Subject } from "./Explanation.ts";
import { isDeclared, type Measure, type Measures, powerOfTen } from "./Measure.ts";

/**
 * How a number is to be written: as money or a share, at a power of ten; as its own declaration says, else as it was given; or
 * `given`, always as it was given, because the numbers around it do not fit together.
 */
export type Unit =
  | { readonly type: "money" | "share"; readonly exponent: number }
  | { readonly type: "number" }
  | { readonly type: "given" };

export const NUMBER: Unit = { type: "number" };
export const GIVEN: Unit = { type: "given" };

/** What the parts of one explanation share while it is built. */
export interface Context extends Measures {
  /** The steps that computed the variables that the calculation uses, with the parts that use each. */
  readonly uses: Map<Step, Array<{ calculation?: Part }>>;
  /** Built when the calculation is complete: what their conditions read is no part of it. */
  readonly reasons: Array<() => Reason>;
  readonly partOf: (step: Step, unit: Unit) => Part;
  readonly factOf: (step: Step) => Fact;
  readonly subjectOf: (step: Step, unit: Unit) => Subject;
}

/** How the value of a step is written by itself. */
export const unitOf = ({ measureOf }: Pick<Measures, "measureOf">, step: Step): Unit => {
  const measure: Measure = measureOf(step);
  if (measure.type === "money" || measure.type === "share") return measure;
  return measure.type === "mixed" ? GIVEN : NUMBER;
};

/** How a step is written in a place: a number with a declared unit keeps it, unless its surroundings do not fit together. */
export const unitIn = (measures: Pick<Measures, "measureOf">, step: Step, unit: Unit): Unit => {
  const own = unitOf(measures, step);
  return own.type === "given" || (unit.type === "number" && isDeclared(measures.measureOf(step)))
    ? own
    : unit;
};

/** True if a shown value is a number; dates and texts are none. */
export const isNumber = (value: Shown): value is string =>
  typeof value === "string" && /^-?\d+(\.\d+)?(\/\d+)?$/.test(value);

/** A number as a figure. */
export const numberFigure = (value: string, unit: Unit): Figure => {
  if (unit.type === "number" || unit.type === "given") return { value, unit: "number" };
  const scaled = unit.exponent === 0 ? null : Rational.parse(value);
  const shown =
    scaled === null ? value : Rational.format(Rational.multiply(scaled, powerOfTen(unit.exponent)));
  return { value: shown, unit: unit.type };
};

/** True if a step is a text, even one that looks like a number or a date. */
const isText = (step: Step): boolean =>
  is(step, "property")
    ? typeof step.entry.detail.raw === "string"
    : (is(step, "parameter") && step.entry.detail.type === "string") ||
      (is(step, "literal") && step.entry.detail.unit === "string");

/** The value of a step by itself. */
export const figureOf = (step: Step, unit: Unit): Figure => {
  const { value } = step.entry;
  if (isText(step)) return { value, unit: "text" };
  if (isNumber(value)) return numberFigure(value, unit);
  return { value, unit: typeof value === "string" && /^\d{4}-\d{2}-\d{2}/.test(value) ? "date" : "text" };
};

const NO_NAME: Name = { type: "none", text: "" };

/** What a step is called, without its value. */
export const nameOf = ({ entry }: Step): Name => {
  switch (entry.type) {
    case "property":
    case "parameter":
    case "variable":
      return { type: "word", text: entry.detail.name };
    case "attribute":
      return { type: "attribute", text: entry.detail.name };
    default:
      return NO_NAME;
  }
};

/** The number of a figure; null where it is none. */
export const rationalOf = ({ value }: Figure): Rational.Rational | null =>
  typeof value === "string" ? Rational.parse(value) : null;

/** How each of two operands that are compared is written: in a common unit, and as given where they do not fit together. */
export const comparedUnit = (context: Context, left: Step, right: Step): ((step: Step) => Unit) => {
  const common = context.commonOf([left, right]);
  if (common.type === "mixed") return () => GIVEN;
  return (step) => (common.type === "money" || common.type === "share" ? common : unitOf(context, step));
};

/** A part that is one value. */
export const figurePart = (
  figure: Figure,
  source: Extract<Part, { readonly type: "figure" }>["source"] = "computed",
  name: Name | null = null,
): Extract<Part, { readonly type: "figure" }> => ({ type: "figure", figure, source, name, isDefault: false });

/** A step as its value alone. */
export const valuePart = (step: Step, unit: Unit): Part => figurePart(figureOf(step, unit));
