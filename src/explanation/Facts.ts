/** Why a condition is true or false. */
import { DATE_ATTRIBUTES } from "../formula/Expression.ts";
import { is, resultOf, type Step, type StepOf } from "../formula/Step.ts";
import { type Context, comparedUnit, figureOf, NUMBER, nameOf, type Unit } from "./Context.ts";
import type { Between, Fact, Relation, Selection, Subject } from "./Explanation.ts";

export const RELATIONS = {
  equal: ["equal", "not_equal"],
  not_equal: ["not_equal", "equal"],
  less_than: ["less", "at_least"],
  less_than_or_equal: ["at_most", "more"],
  greater_than: ["more", "at_most"],
  greater_than_or_equal: ["at_least", "less"],
} as const satisfies Readonly<Record<string, readonly [whenTrue: Relation, whenFalse: Relation]>>;

/** The names of the properties that an expression reads. */
export const namesIn = (part: unknown): ReadonlyArray<string> => {
  if (typeof part !== "object" || part === null) return [];
  if ("type" in part && part.type === "property" && "name" in part) return [String(part.name)];
  return [...new Set(Object.values(part).flatMap(namesIn))];
};

/** The earlier sales that an aggregate found. */
export const selectionOf = ({ entry: { detail } }: StepOf<"aggregate">): Selection => {
  const { first_day, last_day, group, where, rows, role = null } = detail;
  return {
    rows,
    days: first_day === null || last_day === null ? null : [first_day, last_day],
    role,
    groups: group.map(({ name, value }) => ({ name, value: String(value) })),
    chosenBy: where === null ? null : namesIn(where),
  };
};

/** The two dates of a difference of dates. */
export const betweenOf = (
  { partOf }: Pick<Context, "partOf">,
  { entry, inner: [first, second] }: StepOf<"date_difference">,
): Between | undefined =>
  first === undefined || second === undefined
    ? undefined
    : { unit: entry.detail.unit, from: partOf(first, NUMBER), to: partOf(second, NUMBER) };

/** What a number of days or of earlier sales counts; undefined for a step that is no such number. */
const countedOf = (context: Context, step: Step): Between | Selection | undefined => {
  if (is(step, "date_difference")) return betweenOf(context, step);
  return is(step, "aggregate") && step.entry.detail.function === "count" ? selectionOf(step) : undefined;
};

/** The earlier sales that a step counts somewhere inside; undefined where it counts none. */
const countsIn = (context: Context, step: Step | undefined): Selection | undefined => {
  if (step === undefined) return undefined;
  if (is(step, "aggregate")) return selectionOf(step);
  const inner = is(step, "variable") ? [context.boundValueOf(step)] : step.inner;
  for (const one of inner) {
    const found = countsIn(context, one);
    if (found !== undefined) return found;
  }
  return undefined;
};

/** A step as what a fact is about. */
export const subjectOf = (context: Context, step: Step, unit: Unit): Subject => {
  const [first] = step.inner;
  const figure = figureOf(step, unit);
  if (is(step, "variable")) {
    const counts = countsIn(context, step);
    return { type: "named", name: nameOf(step), figure, ...(counts === undefined ? {} : { counts }) };
  }
  if (is(step, "property") || is(step, "parameter") || is(step, "attribute"))
    return { type: "named", name: nameOf(step), figure };
  if (is(step, "date_part") && first !== undefined)
    return { type: "date_part", part: step.entry.detail.part, of: figureOf(first, unit), figure };
  const counted = countedOf(context, step);
  if (counted !== undefined) return { type: "counted", counted, figure };
  const taken = is(step, "coalesce") ? resultOf(step) : undefined;
  return taken === undefined
    ? { type: "calculated", part: context.partOf(step, unit) }
    : subjectOf(context, taken, unit);
};

/** True if the value of a step is a date. */
export const isDate = (context: Context, step: Step): boolean => {
  if (is(step, "parse_date")) return true;
  if (is(step, "literal")) return step.entry.detail.unit === "date";
  if (is(step, "attribute")) return DATE_ATTRIBUTES.has(step.entry.detail.name);
  if (is(step, "parameter")) return step.entry.detail.type === "date";
  const taken = is(step, "variable") ? context.boundValueOf(step) : resultOf(step);
  return taken !== undefined && isDate(context, taken);
};

/** The comparison that holds between the operands: the one that was asked for, or its opposite. */
const compared = (context: Context, step: StepOf<"compare">): Fact | undefined => {
  const [left, right] = step.inner;
  if (left === undefined || right === undefined) return undefined;
  const unit = comparedUnit(context, left, right);
  return {
    type: "compared",
    left: context.subjectOf(left, unit(left)),
    relation: RELATIONS[step.entry.detail.operator][step.entry.value === true ? 0 : 1],
    right: context.subjectOf(right, unit(right)),
    areDates: isDate(context, left) || isDate(context, right),
  };
};

/** What is the case, by a condition. */
export const factOf = (context: Context, step: Step): Fact => {
  const { inner } = step;
  const [first] = inner;
  const isTrue = step.entry.value === true;
  const is_ = (named: Step): Fact => ({
    type: "is",
    name: nameOf(named),
    figure: figureOf(step, NUMBER),
  });
  if (first === undefined) return is_(step);
  const subject = (): Subject => context.subjectOf(first, NUMBER);
  switch (step.entry.type) {
    case "compare":
      return compared(context, step as StepOf<"compare">) ?? is_(step);
    case "and":
    case "or":
      return {
        type: "all",
        facts: inner.filter(({ entry }) => entry.value === isTrue).map(context.factOf),
      };
    case "not":
      return context.factOf(first);
    case "in":
      return { type: "listed", subject: subject(), isTrue };
    case "text_match": {
      const { operator, text } = step.entry.detail;
      return { type: "matches", subject: subject(), operator, isTrue, text };
    }
    case "is_present":
      return { type: "given", name: nameOf(first), isTrue };
    case "coalesce":
      return is_(first);
    default: {
      const taken = resultOf(step);
      return taken === undefined
        ? { type: "calculated", part: context.partOf(step, NUMBER) }
        : context.factOf(taken);
    }
  }
};
