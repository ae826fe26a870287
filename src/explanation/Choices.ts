/** What a formula chooses: bands, tiers, cases, lookups, the first value that is given, and the values of variables. */
import { at, bindingsOf, is, pathIn, resultOf, type Step, type StepOf } from "../formula/Step.ts";
import {
  type Context,
  figureOf,
  figurePart,
  GIVEN,
  isNumber,
  NUMBER,
  nameOf,
  numberFigure,
  type Unit,
  unitOf,
  valuePart,
} from "./Context.ts";
import type { Fact, Figure, Part, Reason } from "./Explanation.ts";
import { isRateLiteral } from "./Measure.ts";

/** The most conditions that a reason lists when none of them is true. */
const FACTS_MAX = 2;

/** The value that was taken, if it is a fixed one. */
const fixedValue = (context: Context, taken: Step, unit: Unit): Figure | null =>
  is(taken, "literal") ? figureOf(taken, isRateLiteral(taken) ? unitOf(context, taken) : unit) : null;

/** That a value applies, or a calculation, and why. */
const applies = (context: Context, taken: Step, unit: Unit, because: ReadonlyArray<Fact>): Reason => ({
  type: "applies",
  value: fixedValue(context, taken, unit),
  because,
});

/** The value of the band that the input is in. */
export const band = (context: Context, step: StepOf<"band">, unit: Unit): Part => {
  const input = at(step, "input");
  const taken = resultOf(step);
  if (input === undefined || taken === undefined) return valuePart(step, unit);
  const { from, up_to, upper_bound } = step.entry.detail;
  context.reasons.push(() => {
    const own = unitOf(context, input);
    const limit = (value: string | null): Figure | null => (value === null ? null : numberFigure(value, own));
    return applies(context, taken, unit, [
      {
        type: "within",
        subject: context.subjectOf(input, own),
        from: limit(from),
        to: limit(up_to),
        isUpperInclusive: upper_bound === "inclusive",
      },
    ]);
  });
  return context.partOf(taken, unit);
};

/** What each tier adds: a part of the amount at a rate, an entry amount, or both. */
export const tiers = (context: Context, step: StepOf<"graduated">, unit: Unit): Part => {
  const amount = at(step, "amount");
  const offset = at(step, "offset");
  const own = unit.type === "given" ? GIVEN : amount === undefined ? NUMBER : unitOf(context, amount);
  const base = own.type === "share" && own.exponent === 0 ? NUMBER : own;
  const isPercent = step.inner.some(
    (candidate) => pathIn(step, candidate).endsWith(".rate") && isRateLiteral(candidate),
  );
  const rateUnit: Unit = isPercent ? { type: "share", exponent: 0 } : NUMBER;
  const parts = step.entry.detail.tiers.map(({ from, to, part, rate, flat }) => ({
    from: numberFigure(from, base),
    to: to === null ? null : numberFigure(to, base),
    part: numberFigure(part, base),
    rate: numberFigure(rate, rateUnit),
    flat: numberFigure(flat, unit),
  }));
  if (amount !== undefined) {
    const basePart = context.partOf(amount, base);
    const after = offset === undefined || offset.entry.value === "0" ? null : context.partOf(offset, base);
    context.reasons.push(() => ({ type: "tiers", base: basePart, after, tiers: parts }));
  }
  return {
    type: "tiers",
    base: numberFigure(step.entry.detail.amount, base),
    tiers: parts,
    figure: figureOf(step, unit),
  };
};

/** The first value that is given. */
export const firstGiven = (context: Context, step: StepOf<"coalesce">, unit: Unit): Part => {
  const taken = resultOf(step);
  if (taken === undefined) return valuePart(step, unit);
  const missing = step.inner.filter((candidate) => candidate !== taken);
  const areNamed = missing.every((candidate) => is(candidate, "property") || is(candidate, "attribute"));
  if (is(taken, "literal") && missing.length > 0 && areNamed) {
    const because = missing.map((item): Fact => ({ type: "missing", name: nameOf(item) }));
    context.reasons.push(() => applies(context, taken, unit, because));
  }
  return context.partOf(taken, unit);
};

/** The branch of a case that was taken. */
export const branch = (context: Context, step: StepOf<"case">, unit: Unit): Part => {
  const taken = resultOf(step);
  if (taken === undefined) return valuePart(step, unit);
  const { index } = step.entry.detail;
  const condition = index === null ? undefined : at(step, `branches.${index}.when`);
  const untrue = step.inner.filter((candidate) => candidate !== taken);
  const decided = condition === undefined ? untrue : [condition];
  if (condition !== undefined || untrue.length <= FACTS_MAX)
    context.reasons.push(() => applies(context, taken, unit, decided.map(context.factOf)));
  return context.partOf(taken, unit);
};

/** The entry of a lookup that was found, or its default. */
export const lookup = (context: Context, step: StepOf<"lookup">, unit: Unit): Part => {
  const taken = resultOf(step);
  const key = at(step, "key");
  if (taken === undefined || key === undefined) return valuePart(step, unit);
  context.reasons.push(() => {
    const of = context.subjectOf(key, unitOf(context, key));
    return step.entry.detail.index === null
      ? applies(context, taken, unit, [{ type: "unlisted", subject: of }])
      : { type: "entry", value: fixedValue(context, taken, unit), of };
  });
  return context.partOf(taken, unit);
};

/** A variable, which is explained after the calculation that uses it. */
export const variable = (context: Context, step: StepOf<"variable">, unit: Unit): Part => {
  const value = context.boundValueOf(step);
  const own = unit.type === "given" ? GIVEN : unitOf(context, step);
  const part: Part & { calculation?: Part } = figurePart(figureOf(step, own), "variable", nameOf(step));
  if (value !== undefined) context.uses.set(value, [...(context.uses.get(value) ?? []), part]);
  return part;
};

/** The body of a `let`, and how the variables that it uses were computed. */
export const variables = (context: Context, step: StepOf<"let">, unit: Unit): Part => {
  const body = resultOf(step);
  const result = body === undefined ? valuePart(step, unit) : context.partOf(body, unit);
  // From the last to the first: each may use those before it.
  for (const { name, value } of bindingsOf(step).toReversed()) {
    const uses = context.uses.get(value);
    if (uses === undefined) continue;
    const own = unitOf(context, value);
    const part = context.partOf(value, own);
    for (const use of uses) use.calculation = part;
    const shown = figureOf(value, own);
    const isValueAlone = part.type === "figure" && part.name === null && isNumber(part.figure.value);
    if (!isValueAlone)
      context.reasons.push(() => ({ type: "variable", name, value: { part, result: shown } }));
  }
  return result;
};
