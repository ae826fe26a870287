/**
 * The parameters of formulas and plans: names that expressions read, with a value for each partner and a timeline for each
 * name. A value holds from its date until the next date that is stated for the same name.
 */
import { Either, Schema } from "effect";
import {
  type Expression,
  FORMATS,
  Limits,
  MAGNITUDE_MAX,
  PARAMETER_NAME,
  PARAMETER_TYPES,
  type ParameterDefinition,
  type ParametersInForce,
  type ParameterValue,
  parameterProblem,
  parametersOf,
} from "../formula/index.ts";
import { effectiveDate } from "./EffectiveDate.ts";
import { means, optional } from "./Field.ts";
import { sameJson } from "./Json.ts";
import { PARAMETERS_MAX } from "./Limits.ts";
import { FORBIDDEN_KEYS } from "./Properties.ts";
import { type Invalid, invalid } from "./Refusal.ts";
import { format, type Timestamp } from "./Timestamp.ts";

/** Values by the names of their parameters; null withdraws the value of a date. */
export type Values = { readonly [name: string]: ParameterValue | null };

/** Values that were stated together, and the date from which they hold: null for the first ones, which hold for all time. */
export interface Statement {
  readonly values: Values;
  readonly effectiveDatetime: Timestamp | null;
}

/** A statement in an event; the date is ISO text. */
export interface EventStatement {
  readonly values: Values;
  readonly effective_datetime: string | null;
}

/** A formula's declarations, and what has been stated for its partner, in the order in which it was stated. */
export interface Parametrized {
  readonly parameters: ReadonlyArray<ParameterDefinition>;
  readonly parameterValues: ReadonlyArray<Statement>;
}

/** What is wrong with any other name. */
export const NAME_PROBLEM = "must be at most 64 letters, digits and underscores, and not begin with a digit";

/** What a parameter can be called. */
export const Name = Schema.String.pipe(
  Schema.filter(
    (name) =>
      !PARAMETER_NAME.test(name) ? NAME_PROBLEM : !FORBIDDEN_KEYS.has(name) || `must not be ${name}`,
    { jsonSchema: { pattern: PARAMETER_NAME.source } },
  ),
);

const Value = Schema.Union(
  Schema.String.annotations({ jsonSchema: { type: "string", maxLength: Limits.CHARACTERS_MAX } }),
  Schema.Number.annotations({
    jsonSchema: { type: "number", minimum: -MAGNITUDE_MAX, maximum: MAGNITUDE_MAX },
  }),
  Schema.Boolean,
);

/** The declaration of a parameter. */
export const Definition = Schema.Struct({
  name: Name.pipe(means("What expressions read as plan.name.")),
  type: Schema.Literal(...PARAMETER_TYPES)
    .annotations({
      message: () => ({ message: `must be one of ${PARAMETER_TYPES.join(", ")}`, override: true }),
    })
    .pipe(means("What its values are; a date is text, 2026-01-31 or RFC 3339.")),
  default: optional(Value, "The value of partners without one; without a default every partner needs one."),
  format: optional(
    Schema.Literal(...FORMATS).annotations({
      message: () => ({ message: `must be one of ${FORMATS.join(", ")}`, override: true }),
    }),
    "Of numbers only: what they mean, which decides how they are printed; plain unless stated.",
  ),
})
  .pipe(
    Schema.filter((definition) => {
      if (definition.format !== undefined && definition.type !== "number")
        return { path: ["format"], message: "must be absent unless type is number" };
      const problem =
        definition.default === undefined ? null : parameterProblem(definition.type, definition.default);
      return problem === null || { path: ["default"], message: problem };
    }),
  )
  .annotations({ identifier: "ParameterDefinition" });

/** Declarations of up to 50 parameters: name, type, the value of partners without one, and of a number what it means. */
export const Declarations = Schema.Array(Definition).pipe(
  Schema.maxItems(PARAMETERS_MAX, {
    message: () => `must have at most ${PARAMETERS_MAX} parameters`,
    jsonSchema: { maxItems: PARAMETERS_MAX },
  }),
  Schema.filter((definitions) => {
    const names = definitions.map(({ name }) => name);
    const repeated = names.findIndex((name, index) => names.indexOf(name) !== index);
    return repeated < 0 || { path: [repeated, "name"], message: "is used by an earlier parameter" };
  }),
);

/** Values of parameters in a request, before they are checked against the declarations. */
export const FirstValues = Schema.Record({ key: Schema.String, value: Value });
export type FirstValues = typeof FirstValues.Type;

/** Values of parameters in a request; null withdraws the value of the date. */
export const StatedValues = Schema.Record({ key: Schema.String, value: Schema.NullOr(Value) });

/** What stating values takes: without a date they hold from now on. */
export const SetValues = Schema.Struct({
  values: StatedValues.pipe(
    means("The values of parameters by name; null withdraws the value of exactly effective_datetime."),
  ),
  ...effectiveDate(
    "Inclusive: the values hold for attributions that occurred at this moment or later, until the next date stated for the same parameter. It may lie in the future. By default now.",
  ),
});
export type SetValues = typeof SetValues.Type;

const definitionOf = (
  parameters: ReadonlyArray<ParameterDefinition>,
  name: string,
): ParameterDefinition | undefined => parameters.find((parameter) => parameter.name === name);

/** Accepts values of declared parameters and of their types; `field` is where the values stand in the request. */
export const checkValues = (
  parameters: ReadonlyArray<ParameterDefinition>,
  values: Values,
  field: string,
): Either.Either<void, Invalid> => {
  for (const [name, value] of Object.entries(values)) {
    const definition = definitionOf(parameters, name);
    if (definition === undefined) return Either.left(invalid(`${field}.${name}`, "is no declared parameter"));
    const problem = value === null ? null : parameterProblem(definition.type, value);
    if (problem !== null) return Either.left(invalid(`${field}.${name}`, problem));
  }
  return Either.void;
};

/** The parameters without a default that have no value among first values. */
export const missingValues = (
  parameters: ReadonlyArray<ParameterDefinition>,
  values: Values,
): ReadonlyArray<string> =>
  parameters
    .filter((parameter) => parameter.default === undefined && !Object.hasOwn(values, parameter.name))
    .map(({ name }) => name);

/** Accepts first values: {@link checkValues}, and one for every parameter without a default. */
export const checkFirstValues = (
  parameters: ReadonlyArray<ParameterDefinition>,
  values: Values,
  field: string,
): Either.Either<void, Invalid> =>
  Either.flatMap(checkValues(parameters, values, field), () => {
    const [missing] = missingValues(parameters, values);
    return missing === undefined
      ? Either.void
      : Either.left(invalid(`${field}.${missing}`, "is missing; the parameter has no default"));
  });

/** True if some of the declarations are new and have no default, so that partners need a value. */
export const needsValues = (
  before: ReadonlyArray<ParameterDefinition>,
  after: ReadonlyArray<ParameterDefinition>,
): boolean =>
  after.some(
    ({ name, default: standard }) => standard === undefined && definitionOf(before, name) === undefined,
  );

/**
 * Accepts declarations in place of others: parameters may be added with a default, and removed when no expression reads
 * them; type and default never change. `isUsed` is whether a partner has the formula: then a new parameter needs a default.
 */
export const checkDeclarations = (
  before: ReadonlyArray<ParameterDefinition>,
  after: ReadonlyArray<ParameterDefinition>,
  expressions: ReadonlyArray<Expression>,
  isUsed: boolean,
): Either.Either<void, Invalid> => {
  for (const [index, definition] of after.entries()) {
    const earlier = definitionOf(before, definition.name);
    if (earlier === undefined) {
      if (isUsed && definition.default === undefined)
        return Either.left(
          invalid(`parameters.${index}.default`, "is needed, because partners have no value for it"),
        );
      continue;
    }
    if (earlier.type !== definition.type)
      return Either.left(invalid(`parameters.${index}.type`, "cannot be changed"));
    if (earlier.default !== definition.default)
      return Either.left(invalid(`parameters.${index}.default`, "cannot be changed"));
  }
  const removed = before.find(
    ({ name }) =>
      definitionOf(after, name) === undefined &&
      expressions.some((expression) => parametersOf(expression).has(name)),
  );
  return removed === undefined
    ? Either.void
    : Either.left(invalid("parameters", `must contain ${removed.name}, which an expression reads`));
};

/** Statements without the values of parameters that are no longer declared; their numbers stay. */
export const prune = (
  statements: ReadonlyArray<Statement>,
  parameters: ReadonlyArray<ParameterDefinition>,
): ReadonlyArray<Statement> =>
  statements.map((statement) => ({
    ...statement,
    values: Object.fromEntries(
      Object.entries(statement.values).filter(([name]) => definitionOf(parameters, name) !== undefined),
    ),
  }));

/** One value of a timeline, with its date and the 1-based number of the statement that it comes from. */
interface Stated {
  readonly value: ParameterValue;
  readonly since: Timestamp | null;
  readonly number: number;
}

const dateOf = ({ since }: Stated): number => since ?? Number.NEGATIVE_INFINITY;

/**
 * The values of one parameter in the order of their dates. Of equal dates the value that was stated last counts, and null
 * leaves none.
 */
const timelineOf = (statements: ReadonlyArray<Statement>, name: string): ReadonlyArray<Stated> => {
  const dates = new Map<Timestamp | null, Stated>();
  for (const [index, { values, effectiveDatetime }] of statements.entries()) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === null) dates.delete(effectiveDatetime);
    else if (value !== undefined)
      dates.set(effectiveDatetime, { value, since: effectiveDatetime, number: index + 1 });
  }
  return [...dates.values()].sort((a, b) => dateOf(a) - dateOf(b));
};

const statedAt = (timeline: ReadonlyArray<Stated>, moment: number): Stated | undefined =>
  timeline.findLast((stated) => dateOf(stated) <= moment);

/** The values of all parameters for an attribution of a moment: those stated for the latest date, or else the defaults. */
export const valuesAt = (
  { parameters, parameterValues }: Parametrized,
  moment: Timestamp,
): ParametersInForce => {
  const values = new Map<string, { readonly value: ParameterValue; readonly since: Timestamp | null }>();
  for (const { name, default: standard } of parameters) {
    const stated = statedAt(timelineOf(parameterValues, name), moment);
    if (stated !== undefined) values.set(name, { value: stated.value, since: stated.since });
    else if (standard !== undefined) values.set(name, { value: standard, since: null });
  }
  return values;
};

/** A sale as the formula's expressions see it: with the values of its date, where the formula declares parameters. */
export const withValues = <Sale extends { readonly occurredAt: Timestamp }>(
  formula: Parametrized,
  sale: Sale,
): Sale & { readonly parameters?: ParametersInForce } =>
  formula.parameters.length === 0 ? sale : { ...sale, parameters: valuesAt(formula, sale.occurredAt) };

/** The number of the last statement that an expression uses at a moment; null when it uses none. */
export const versionAt = (
  { parameters, parameterValues }: Parametrized,
  expression: Expression,
  moment: Timestamp,
): number | null => {
  if (parameters.length === 0 || parameterValues.length === 0) return null;
  const numbers = [...parametersOf(expression)].map(
    (name) => statedAt(timelineOf(parameterValues, name), moment)?.number ?? 0,
  );
  return Math.max(0, ...numbers) || null;
};

/** The dates at which a parameter of either state may change its value. */
const datesOf = (timelines: ReadonlyArray<ReadonlyArray<Stated>>): ReadonlyArray<number> =>
  [...new Set([Number.NEGATIVE_INFINITY, ...timelines.flat().map(dateOf)])].sort((a, b) => a - b);

/**
 * The smallest span of dates that holds every date at which a parameter that both states declare has another value: from
 * −∞ or a date, inclusive, to a date or ∞, exclusive. Null when there is none.
 */
export const changedSpan = (
  before: Parametrized,
  after: Parametrized,
): { readonly from: number; readonly to: number } | null => {
  if (before.parameterValues === after.parameterValues) return null;
  const spans = after.parameters.flatMap(({ name, default: standard }) => {
    if (definitionOf(before.parameters, name) === undefined) return [];
    const lines = [before, after].map(({ parameterValues }) => timelineOf(parameterValues, name));
    const dates = datesOf(lines);
    return dates.flatMap((date, index) => {
      const [one, other] = lines.map((timeline) => statedAt(timeline, date)?.value ?? standard);
      return one === other ? [] : [{ from: date, to: dates[index + 1] ?? Number.POSITIVE_INFINITY }];
    });
  });
  return spans.length === 0
    ? null
    : {
        from: Math.min(...spans.map(({ from }) => from)),
        to: Math.max(...spans.map(({ to }) => to)),
      };
};

/** A parameter as it is listed: its declaration, and the values of its timeline with their dates and statements. */
export interface Listed extends ParameterDefinition {
  readonly values: ReadonlyArray<{
    readonly number: number;
    readonly value: ParameterValue;
    readonly effective_datetime: string | null;
  }>;
}

/** Every declared parameter with all its values, in the order of their dates. */
export const list = ({ parameters, parameterValues }: Parametrized): ReadonlyArray<Listed> =>
  parameters.map((definition) => ({
    ...definition,
    values: timelineOf(parameterValues, definition.name).map(({ number, value, since }) => ({
      ...{ number, value },
      effective_datetime: since === null ? null : format(since),
    })),
  }));

/** A statement as it is after an event. */
export const statementOf = ({ values, effective_datetime }: EventStatement): Statement => ({
  values,
  effectiveDatetime: effective_datetime === null ? null : Date.parse(effective_datetime),
});

/** A statement in an event. */
export const encodeStatement = ({ values, effectiveDatetime }: Statement): EventStatement => ({
  values,
  effective_datetime: effectiveDatetime === null ? null : format(effectiveDatetime),
});

/**
 * What a request states that is not stated already: with a date, what differs from the value of exactly that date; without
 * one, what differs from the value that holds `now`. Null when nothing does.
 */
export const stateValues = (
  formula: Parametrized,
  { values, effectiveDatetime = null }: SetValues,
  now: Timestamp,
): Either.Either<EventStatement | null, Invalid> =>
  Either.map(checkStatement(formula, values, effectiveDatetime), () => {
    const date = effectiveDatetime ?? now;
    const differs = ([name, value]: readonly [string, ParameterValue | null]): boolean => {
      const timeline = timelineOf(formula.parameterValues, name);
      const stated =
        effectiveDatetime === null
          ? (statedAt(timeline, date)?.value ?? definitionOf(formula.parameters, name)?.default)
          : timeline.find(({ since }) => since === date)?.value;
      return (stated ?? null) !== value;
    };
    const changed = Object.fromEntries(Object.entries(withoutNegativeZero(values)).filter(differs));
    return Object.keys(changed).length === 0 ? null : { values: changed, effective_datetime: format(date) };
  });

const checkStatement = (
  { parameters }: Parametrized,
  values: Values,
  effectiveDatetime: Timestamp | null,
): Either.Either<void, Invalid> => {
  const [name] = Object.entries(values).find(([, value]) => value === null) ?? [];
  return name !== undefined && effectiveDatetime === null
    ? Either.left(
        invalid(
          `values.${name}`,
          "must not be null without effective_datetime, the date of the value to withdraw",
        ),
      )
    : checkValues(parameters, values, "values");
};

/** Values with 0 in place of −0, which JSON has not. */
const withoutNegativeZero = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === "number" ? value + 0 : value]),
  );

/** The same of the defaults of declarations. */
export const storedDeclarations = (
  parameters: ReadonlyArray<ParameterDefinition>,
): ReadonlyArray<ParameterDefinition> =>
  parameters.map((parameter) => (parameter.default === 0 ? { ...parameter, default: 0 } : parameter));

/** The first values of a partner, as a request states them; none where it states none. */
export const firstStatements = (values: Values = {}): ReadonlyArray<Statement> =>
  Object.keys(values).length === 0 ? [] : [{ values: withoutNegativeZero(values), effectiveDatetime: null }];

/** The values that hold for all time unless a date changes them. */
export const firstValues = (statements: ReadonlyArray<Statement>): Values =>
  Object.assign(
    {},
    ...statements.flatMap((statement) => (statement.effectiveDatetime === null ? [statement.values] : [])),
  );

/** True if two lists of declarations are equal. */
export const sameDeclarations = (
  a: ReadonlyArray<ParameterDefinition>,
  b: ReadonlyArray<ParameterDefinition>,
): boolean => sameJson(a, b);
