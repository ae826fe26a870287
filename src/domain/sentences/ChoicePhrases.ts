/** Phrases for what a formula chooses: bands, tiers, cases, lookups and the values of variables. */
import { at, bindingsOf, is, pathIn, resultOf, type Step, type StepOf } from "../../formula/Step.ts";
import { type DerivationContext, valueText } from "./DerivationContext.ts";
import type { Unit } from "./Figures.ts";
import * as Figures from "./Figures.ts";
import { atom, type Phrase, plus, withResult } from "./Phrase.ts";
import * as Units from "./Units.ts";

/** The most conditions that a sentence lists when none of them is true. */
const FACTS_MAX = 2;

const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A fixed value; a percentage is written as one, whatever its place. */
const literalText = (context: DerivationContext, step: Step, unit: Unit): string =>
  valueText(context, step, Units.isRateLiteral(step) ? "rate" : unit);

/** That a value applies, or a calculation, and why. */
const appliesText = (context: DerivationContext, taken: Step, unit: Unit, why: string): string =>
  is(taken, "literal")
    ? `${literalText(context, taken, unit)} applies because ${why}.`
    : `This calculation applies because ${why}.`;

/** The limits of a band: `more than 100 and at most 500`. */
const bandText = (
  { write }: DerivationContext,
  { from, up_to, upper_bound }: StepOf<"band">["entry"]["detail"],
  unit: Unit,
): string => {
  const [above, until] = upper_bound === "inclusive" ? ["more than", "at most"] : ["at least", "less than"];
  const lower = from === null ? [] : [`${above} ${write(from, unit)}`];
  const upper = up_to === null ? [] : [`${until} ${write(up_to, unit)}`];
  return [...lower, ...upper].join(" and ");
};

/** The value of the band that the input is in. */
export const band = (context: DerivationContext, step: StepOf<"band">, unit: Unit): Phrase => {
  const input = at(step, "input");
  const taken = resultOf(step);
  if (input === undefined || taken === undefined) return atom(valueText(context, step, unit));
  context.reasons.push(() => {
    const known = context.units.unitOf(input);
    const subject = context.conditions.subject(input, known);
    return appliesText(context, taken, unit, `${subject} is ${bandText(context, step.entry.detail, known)}`);
  });
  return context.phrase(taken, unit);
};

/** How the rates of tiers are written: all in per cent where one is given so. */
const unitOfRates = (step: StepOf<"graduated">): Unit =>
  step.inner.some((one) => pathIn(step, one).endsWith(".rate") && Units.isRateLiteral(one))
    ? "rate"
    : "number";

type TierParts = StepOf<"graduated">["entry"]["detail"]["tiers"];

/** The tiers that an amount falls into: `the tiers up to 100 and above 100`. */
const tierText = ({ write }: DerivationContext, parts: TierParts): string => {
  const bounds = parts.map(({ from, to }) =>
    to === null ? `above ${write(from, "number")}` : `up to ${write(to, "number")}`,
  );
  const last = bounds.at(-1);
  const others = bounds.slice(0, -1);
  return others.length === 0 ? `the tier ${last}` : `the tiers ${others.join(", ")} and ${last}`;
};

/** What each tier adds: a part of the amount at a rate, an entry amount, or both. */
export const tiers = (context: DerivationContext, step: StepOf<"graduated">, expected: Unit): Phrase => {
  const { write, phrase } = context;
  const amount = at(step, "amount");
  const offset = at(step, "offset");
  const { tiers: parts } = step.entry.detail;
  const rateUnit = unitOfRates(step);
  const base = amount === undefined ? null : phrase(amount, "number");
  const offsetPhrase = offset === undefined || offset.entry.value === "0" ? null : phrase(offset, "number");
  if (base !== null) {
    const start = offsetPhrase === null ? "" : `, after ${offsetPhrase.text},`;
    context.reasons.push(() => `${base.text}${start} falls into ${tierText(context, parts)}.`);
  }
  const [first, ...others] = parts.flatMap(({ part, rate, flat }) => [
    ...(part === "0" ? [] : [`${write(part, "number")} at ${write(rate, rateUnit)}`]),
    ...(flat === "0" ? [] : [write(flat, expected)]),
  ]);
  return first === undefined
    ? atom(write("0", expected))
    : { text: others.reduce(plus, first), binds: others.length === 0 ? 1 : 2 };
};

/** The first value that is given. */
export const firstGiven = (context: DerivationContext, step: StepOf<"coalesce">, unit: Unit): Phrase => {
  const taken = resultOf(step);
  if (taken === undefined) return atom(valueText(context, step, unit));
  const missing = step.inner.filter((one) => one !== taken);
  const areNamed = missing.every((one) => is(one, "property") || is(one, "attribute"));
  if (is(taken, "literal") && missing.length > 0 && areNamed) {
    const why = missing.map((one) => `no ${context.conditions.nameOf(one)} is given`).join(" and ");
    context.reasons.push(() => appliesText(context, taken, unit, why));
  }
  return context.phrase(taken, unit);
};

/** The branch of a case that was taken. */
export const branch = (context: DerivationContext, step: StepOf<"case">, unit: Unit): Phrase => {
  const taken = resultOf(step);
  if (taken === undefined) return atom(valueText(context, step, unit));
  const { index } = step.entry.detail;
  const { fact } = context.conditions;
  const condition = index === null ? undefined : at(step, `branches.${index}.when`);
  const untrue = step.inner.filter((one) => one !== taken);
  if (condition !== undefined) context.reasons.push(() => appliesText(context, taken, unit, fact(condition)));
  else if (untrue.length <= FACTS_MAX)
    context.reasons.push(() => appliesText(context, taken, unit, untrue.map(fact).join(" and ")));
  return context.phrase(taken, unit);
};

/** The entry of a lookup that was found, or its default. */
export const lookup = (context: DerivationContext, step: StepOf<"lookup">, unit: Unit): Phrase => {
  const taken = resultOf(step);
  const key = at(step, "key");
  if (taken === undefined || key === undefined) return atom(valueText(context, step, unit));
  context.reasons.push(() => {
    const of = context.conditions.subject(key, context.units.unitOf(key));
    if (step.entry.detail.index === null)
      return appliesText(context, taken, unit, `${of} has no entry of its own`);
    return is(taken, "literal")
      ? `${literalText(context, taken, unit)} is the entry for ${of}.`
      : `This is the calculation for ${of}.`;
  });
  return context.phrase(taken, unit);
};

/** The body of a `let`, and how the variables that it uses were computed. */
export const variables = (context: DerivationContext, step: StepOf<"let">, unit: Unit): Phrase => {
  const { phrase, units, used } = context;
  const body = resultOf(step);
  const result = body === undefined ? atom(valueText(context, step, unit)) : phrase(body, unit);
  // From the last to the first: each may use those before it.
  for (const { name, value } of bindingsOf(step).toReversed()) {
    if (!used.has(value)) continue;
    const its = units.unitOf(value);
    const calculation = phrase(value, its);
    const shown = valueText(context, value, its);
    if (calculation.text === shown) continue;
    context.reasons.push(() => `${capitalise(Figures.words(name))}: ${withResult(calculation, shown)}.`);
  }
  return result;
};
