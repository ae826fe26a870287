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

/** What is wrong with the parameters of a draft; null if nothing is. */
export const problemOf = (parameters: ReadonlyArray<DraftParameter>, currency: string): string | null => {
  const names = parameters.map(({ definition }) => definition.name);
  const wrong = names.find((name) => !IDENTIFIER.test(name));
  if (wrong !== undefined) return "A name has letters, digits and underscores, and begins with no digit.";
  if (new Set(names).size < names.length) return "Two parameters have the same name.";
  const { problem } = typedValues(parameters, currency);
  const tried = triedOf(parameters, currency);
  const without = names.find((name) => tried[name] === undefined);
  return problem ?? (without === undefined ? null : `${nameWords({ name: without })} needs a value to try.`);
};
