import { Either } from "effect";
import * as Bound from "./Bound.ts";
import type { Aggregate, AggregateFunction, Window } from "./Expression.ts";
import { undeclared } from "./Names.ts";
import type { ParameterDefinition } from "./Parameter.ts";
import { at, type Problem } from "./Problem.ts";
import type { PropertyDefinition } from "./Property.ts";
import * as Type from "./Type.ts";

/** An aggregate of a checked expression, and its path. */
export type CheckedAggregate = {
  readonly path: string;
  readonly node: Aggregate;
  /** A common denominator of all values that its rows can have. */
  readonly denominator: bigint;
};

/** Accepts properties that can group rows: texts and true/false values that every row has, none of them twice. */
export const checkGroup = (
  names: ReadonlyArray<string>,
  path: string,
  properties: ReadonlyMap<string, PropertyDefinition>,
): Either.Either<void, Problem> => {
  for (const [index, name] of names.entries()) {
    const inside = `${path}.${index}`;
    const definition = properties.get(name);
    if (definition === undefined) return at(inside, `the schema has no property \`${name}\``);
    if (definition.type === "number")
      return at(inside, `\`${name}\` is a number; only text and true/false properties can group`);
    if (!definition.required && definition.default === undefined)
      return at(
        inside,
        `\`${name}\` may be absent; only required properties and those with a default can group`,
      );
    if (names.indexOf(name) !== index) return at(inside, `\`${name}\` is listed twice`);
  }
  return Either.void;
};

/** Accepts a window: a month cannot start in another one, and an anniversary is that of a date. */
export const checkWindow = (
  window: Window,
  path: string,
  parameters: ReadonlyMap<string, ParameterDefinition>,
): Either.Either<void, Problem> => {
  if (window.type === "anniversary") {
    const definition = parameters.get(window.of);
    if (definition === undefined) return undeclared(window.of, `${path}.of`);
    if (definition.type !== "date")
      return at(
        `${path}.of`,
        `an anniversary needs a date, and the parameter \`${window.of}\` is ${Type.NAMES[definition.type]}`,
      );
    return Either.void;
  }
  return window.type === "calendar" && window.unit === "month" && window.starts_in_month !== undefined
    ? at(`${path}.starts_in_month`, "only a quarter or a year can start in a month of your choice")
    : Either.void;
};

/** The number that an aggregate computes of values within a bound, one for each row. */
export const aggregateType = (name: AggregateFunction, value: Bound.Bound): Type.Typed => {
  switch (name) {
    case "count":
      return Type.neverAbsent(Type.number(Bound.ROWS));
    case "sum":
      return Type.neverAbsent(Type.number(Bound.sumOfRows(value)));
    case "min":
    case "max":
      return Type.absentIf(true, Type.number(value));
  }
};
