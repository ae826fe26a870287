/** The parameters of a draft: what the plan declares, and the values with which it is tried here. */
import type { ParameterDefinition, ParametersInForce } from "quittance/formula";
import { nameWords, readValues, type Value, type Values } from "../plans/Values.ts";

/** A parameter of a draft. */
export interface DraftParameter {
  /** What is declared, without the default of one that is not stored yet. */
  readonly definition: ParameterDefinition;
  /** The value to try, as typed. */
  readonly value: string;
  /** True if partners without a value of their own have this one. */
  readonly isDefault: boolean;
  /** True if the plan has it already: then nothing but the value to try can be changed. */
  readonly isStored: boolean;
}

/** What is declared of a parameter, as it is picked. */
export const KINDS: Readonly<
  Record<string, readonly [words: string, Pick<ParameterDefinition, "type" | "format">]>
> = {
  percent: ["a percentage", { type: "number", format: "percent" }],
  money: ["money", { type: "number", format: "money_minor" }],
  count: ["a number of things", { type: "number", format: "count" }],
  plain: ["another number", { type: "number" }],
  text: ["a text", { type: "string" }],
  flag: ["a yes or no", { type: "boolean" }],
  date: ["a date", { type: "date" }],
};

/** The kind of a declaration. */
export const kindOf = ({ type, format = "plain" }: ParameterDefinition): string => {
  if (type !== "number") return { string: "text", boolean: "flag", date: "date" }[type];
  return format === "money_minor" || format === "money_major" ? "money" : format;
};

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

const typedValues = (parameters: ReadonlyArray<DraftParameter>, currency: string) =>
  readValues(
    parameters.map(({ definition }) => definition),
    Object.fromEntries(parameters.map(({ definition, value }) => [definition.name, value])),
    currency,
  );

/** The values that parameters have where none is stated. */
export const defaultsOf = (declared: ReadonlyArray<Pick<ParameterDefinition, "name" | "default">>): Values =>
  Object.fromEntries(
    declared.flatMap(({ name, default: value }) => (value === undefined ? [] : [[name, value] as const])),
  );

/** The values that the draft is tried with: what is typed, else the default. */
export const triedOf = (parameters: ReadonlyArray<DraftParameter>, currency: string): Values => {
  const { values } = typedValues(parameters, currency);
  return { ...defaultsOf(parameters.map(({ definition }) => definition)), ...values };
};

/** Values as formulas read them. */
export const inForce = (values: Values): ParametersInForce =>
  new Map(Object.entries(values).map(([name, value]) => [name, { value, since: null }]));

/** The declarations as they are stored. */
export const declarationsOf = (
  parameters: ReadonlyArray<DraftParameter>,
  currency: string,
): ReadonlyArray<ParameterDefinition> => {
  const { values } = typedValues(parameters, currency);
  return parameters.map(({ definition, isDefault, isStored }) => {
    const value: Value | undefined = values[definition.name];
    return isStored || !isDefault || value === undefined ? definition : { ...definition, default: value };
  });
};

/** What is wrong with the value to try of a parameter; null if nothing is. */
export const valueProblem = (parameter: DraftParameter, currency: string): string | null => {
  const { name } = parameter.definition;
  const { problem } = typedValues([parameter], currency);
  if (problem !== null) return problem;
  return triedOf([parameter], currency)[name] === undefined
    ? `${nameWords({ name })} needs a value to try.`
    : null;
};

/** What is wrong with the names of parameters; null if nothing is. */
export const namesProblem = (parameters: ReadonlyArray<DraftParameter>): string | null => {
  const names = parameters.map(({ definition }) => definition.name);
  if (!names.every((name) => IDENTIFIER.test(name)))
    return "A name has letters, digits and underscores, and begins with no digit.";
  return new Set(names).size < names.length ? "Two parameters have the same name." : null;
};

/** What is wrong with the parameters of a draft; null if nothing is. */
export const problemOf = (parameters: ReadonlyArray<DraftParameter>, currency: string): string | null => {
  const wrong = namesProblem(parameters);
  if (wrong !== null) return wrong;
  for (const parameter of parameters) {
    const problem = valueProblem(parameter, currency);
    if (problem !== null) return problem;
  }
  return null;
};
