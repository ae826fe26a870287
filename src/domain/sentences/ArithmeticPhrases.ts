/** Phrases for sums, products, quotients, limits and roundings. What has no effect on the result is left out. */
import { is, resultOf, type Step, type StepOf } from "../../formula/Step.ts";
import { type DerivationContext, valueText } from "./DerivationContext.ts";
import type { Unit } from "./Figures.ts";
import { atom, inside, minus, type Phrase, plus, withResult } from "./Phrase.ts";

const MODES = {
  half_up: "",
  half_down: ", halves down,",
  half_even: ", halves to even,",
  up: " up",
  down: " down",
  ceiling: " up",
  floor: " down",
} as const;

/** Modes that depend on the sign, for negative numbers. */
const MODES_BELOW_ZERO = { ...MODES, up: " away from zero", down: " towards zero" } as const;

/** A sum without the terms that are 0. */
export const sum = (context: DerivationContext, { inner }: Step, unit: Unit): Phrase => {
  const terms = inner.filter(({ entry }) => entry.value !== "0");
  if (terms.length === 0) return atom(context.write("0", unit));
  const [first, ...others] = terms.map((step) => context.phrase(step, unit));
  if (first === undefined || others.length === 0) return first ?? atom("0");
  const text = others.reduce((left, right) => plus(left, inside(right, 1)), inside(first, 2));
  return { text, binds: 2 };
};

/** A difference without a subtrahend of 0. */
export const difference = (context: DerivationContext, step: Step, unit: Unit): Phrase => {
  const [left, right] = step.inner;
  if (left === undefined || right === undefined) return atom(valueText(context, step, unit));
  const minuend = context.phrase(left, unit);
  if (right.entry.value === "0") return minuend;
  return { text: minus(inside(minuend, 2), inside(context.phrase(right, unit), 1)), binds: 2 };
};

/** A quotient without a divisor of 1. */
export const quotient = (context: DerivationContext, step: Step, unit: Unit): Phrase => {
  const [left, right] = step.inner;
  if (left === undefined || right === undefined) return atom(valueText(context, step, unit));
  const dividend = context.phrase(left, unit);
  if (right.entry.value === "1") return dividend;
  return { text: `${inside(dividend, 1)} ÷ ${inside(context.phrase(right, "number"), 0)}`, binds: 1 };
};

const times = (
  { phrase }: DerivationContext,
  steps: ReadonlyArray<Step>,
  unit: (step: Step) => Unit,
): string => steps.map((step) => inside(phrase(step, unit(step)), 1)).join(" × ");

/** A product without the factors of 1: rates of what they apply to. */
export const product = (context: DerivationContext, { inner }: Step, unit: Unit): Phrase => {
  const { phrase, units } = context;
  const operands = inner.filter((step) => step.entry.value !== "1");
  if (operands.length === 0) return atom(context.write("1", unit));
  if (unit === "rate") return { text: times(context, operands, units.unitOf), binds: 1 };
  const rates = operands.filter(units.isRate);
  const others = operands.filter((step) => !rates.includes(step));
  const [only] = others;
  if (only === undefined) return { text: times(context, rates, () => "rate"), binds: 1 };
  if (rates.length === 0 && others.length === 1) return phrase(only, unit);
  const shares = rates.map((step) => `${inside(phrase(step, "rate"), 0)} of `);
  return { text: `${shares.join("")}${times(context, others, () => "number")}`, binds: 1 };
};

/** The operand that a limit leaves, and what the limit changed. */
export const limit = (
  context: DerivationContext,
  step: StepOf<"min"> | StepOf<"max">,
  unit: Unit,
): Phrase => {
  const reached = resultOf(step);
  if (reached === undefined) return atom(valueText(context, step, unit));
  // A limit that is reached exactly changes nothing.
  const taken = is(reached, "literal")
    ? (step.inner.find((one) => one !== reached && one.entry.value === reached.entry.value) ?? reached)
    : reached;
  const others = step.inner.filter((one) => one !== taken && one !== reached);
  const explain = (one: Step): string => withResult(context.phrase(one, unit), valueText(context, one, unit));
  if (!is(taken, "literal")) {
    const texts = others.filter((one) => !is(one, "literal")).map(explain);
    const which = is(step, "min") ? "lower" : "higher";
    if (texts.length > 0)
      context.reasons.push(
        () =>
          `${valueText(context, taken, unit)} is the ${which} value; the other is ${texts.join(" and ")}.`,
      );
    return context.phrase(taken, unit);
  }
  const bound = valueText(context, taken, unit);
  const texts = others.map(explain);
  const which = is(step, "min") ? "most" : "least";
  context.reasons.push(
    () => `The ${which} is ${bound}; without this limit it would be ${texts.join(" and ")}.`,
  );
  return atom(bound);
};

/** A rounding, where it changed anything. */
export const rounding = (context: DerivationContext, step: StepOf<"round">, unit: Unit): Phrase => {
  const { before, after, mode } = step.entry.detail;
  const [operand] = step.inner;
  if (operand === undefined) return atom(valueText(context, step, unit));
  const own = context.phrase(operand, unit);
  if (before === after) return own;
  const modes = before.startsWith("-") ? MODES_BELOW_ZERO : MODES;
  return { text: `${own.text}, rounded${modes[mode]} to ${context.write(after, unit)}`, binds: 3 };
};
