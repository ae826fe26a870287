/** The values of parameters in the model: what was stated, in its order. Each name has a timeline of its own. */
import type { ParameterDefinition, ParameterValue } from "../../../formula/index.ts";

/** Values that were stated together for a date: null for the first ones, which hold for all time. Null withdraws a value. */
export interface Statement {
  readonly values: { readonly [name: string]: ParameterValue | null };
  readonly effectiveDatetime: number | null;
}

/** What is declared and stated of a formula. */
export interface Parametrized {
  readonly parameters: ReadonlyArray<ParameterDefinition>;
  readonly parameterValues: ReadonlyArray<Statement>;
}

const ALWAYS = Number.NEGATIVE_INFINITY;

const dateOfStatement = ({ effectiveDatetime }: Statement): number => effectiveDatetime ?? ALWAYS;

/** What was stated last of a name for exactly a date, with the number of the statement from 1; null if it was withdrawn. */
const statedFor = (statements: ReadonlyArray<Statement>, name: string, date: number) => {
  const index = statements.findLastIndex(
    (statement) => dateOfStatement(statement) === date && Object.hasOwn(statement.values, name),
  );
  const value = statements[index]?.values[name] ?? null;
  return value === null ? null : { value, number: index + 1 };
};

/** What is stated of a name for the latest date that is not after a moment. */
const statedAt = (statements: ReadonlyArray<Statement>, name: string, moment: number) =>
  [...new Set(statements.map(dateOfStatement))]
    .filter((date) => date <= moment)
    .toSorted((a, b) => b - a)
    .reduce<ReturnType<typeof statedFor>>((found, date) => found ?? statedFor(statements, name, date), null);

/** The value of exactly a date; null where there is none. */
export const valueFor = (
  { parameterValues }: Parametrized,
  name: string,
  date: number,
): ParameterValue | null => statedFor(parameterValues, name, date)?.value ?? null;

/** The value that a parameter has at a moment; null where it has none. */
export const valueAt = (
  { parameters, parameterValues }: Parametrized,
  name: string,
  moment: number,
): ParameterValue | null =>
  statedAt(parameterValues, name, moment)?.value ??
  parameters.find((parameter) => parameter.name === name)?.default ??
  null;

/** The number of the last statement that some names have their values from at a moment; null without any. */
export const statementNumberAt = (
  { parameterValues }: Parametrized,
  names: ReadonlyArray<string>,
  moment: number,
): number | null =>
  Math.max(0, ...names.map((name) => statedAt(parameterValues, name, moment)?.number ?? 0)) || null;

/** The statements without the values of what is not declared any more. */
export const prune = (
  statements: ReadonlyArray<Statement>,
  parameters: ReadonlyArray<ParameterDefinition>,
): ReadonlyArray<Statement> =>
  statements.map((statement) => ({
    ...statement,
    values: Object.fromEntries(
      Object.entries(statement.values).filter(([name]) =>
        parameters.some((parameter) => parameter.name === name),
      ),
    ),
  }));

/** The first values of a partner. */
export const firstValues = (statements: ReadonlyArray<Statement>): Statement["values"] =>
  Object.assign(
    {},
    ...statements.filter(({ effectiveDatetime }) => effectiveDatetime === null).map(({ values }) => values),
  );

/** A zero has no sign. */
const unsigned = (value: ParameterValue | null): ParameterValue | null => (value === 0 ? 0 : value);

/** Values as they are stored. */
export const storedValues = (values: Statement["values"]): Statement["values"] =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, unsigned(value)]));

/** Declarations as they are stored. */
export const storedDeclarations = (
  parameters: ReadonlyArray<ParameterDefinition>,
): ReadonlyArray<ParameterDefinition> =>
  parameters.map((parameter) => (parameter.default === 0 ? { ...parameter, default: 0 } : parameter));

/** What first values of a request state. */
export const firstStatements = (values: Statement["values"] = {}): ReadonlyArray<Statement> =>
  Object.keys(values).length === 0 ? [] : [{ values: storedValues(values), effectiveDatetime: null }];

/** True if a value differs at some date of a window, or at dates before and after it. */
export const movesValues = (
  before: Parametrized,
  after: Parametrized,
  { start, end }: { readonly start: number; readonly end: number | null },
): boolean => {
  const names = after.parameters
    .map(({ name }) => name)
    .filter((name) => before.parameters.some((parameter) => parameter.name === name));
  const dates = [
    ...new Set([ALWAYS, ...[...before.parameterValues, ...after.parameterValues].map(dateOfStatement)]),
  ].toSorted((a, b) => a - b);
  const moved = dates.filter((date) =>
    names.some((name) => valueAt(before, name, date) !== valueAt(after, name, date)),
  );
  const [first, last] = [moved[0], moved[moved.length - 1]];
  if (first === undefined || last === undefined) return false;
  const until = dates[dates.indexOf(last) + 1] ?? Number.POSITIVE_INFINITY;
  return Math.max(first, start) < Math.min(until, end ?? Number.POSITIVE_INFINITY);
};

const TYPES: { readonly [Type in ParameterDefinition["type"]]: string } = {
  number: "number",
  string: "string",
  boolean: "boolean",
  date: "string",
};

/** True if a value is one of a parameter of a type, among those that commands choose from. */
const isValueOf = (type: ParameterDefinition["type"], value: ParameterValue): boolean =>
  typeof value === TYPES[type] &&
  (typeof value !== "number" || Math.abs(value) <= 1e15) &&
  (type !== "date" || !Number.isNaN(Date.parse(String(value))));

/** True if values are of declared parameters and of their types; null has no type. */
export const areValuesOf = (
  parameters: ReadonlyArray<ParameterDefinition>,
  values: Statement["values"],
): boolean =>
  Object.entries(values).every(([name, value]) => {
    const definition = parameters.find((parameter) => parameter.name === name);
    return definition !== undefined && (value === null || isValueOf(definition.type, value));
  });

/** True if every parameter without a default has a first value. */
export const hasEveryValue = (
  parameters: ReadonlyArray<ParameterDefinition>,
  values: Statement["values"],
): boolean =>
  parameters.every(({ name, default: standard }) => standard !== undefined || Object.hasOwn(values, name));

/** True if declarations are valid by themselves. */
export const areDeclarations = (parameters: ReadonlyArray<ParameterDefinition>): boolean =>
  parameters.every(
    ({ name, type, default: standard, format }, index) =>
      /^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(name) &&
      parameters.findIndex((parameter) => parameter.name === name) === index &&
      (standard === undefined || isValueOf(type, standard)) &&
      (format === undefined || type === "number"),
  );
