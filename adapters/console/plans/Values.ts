/** Values of parameters as people read and write them, by what the plan declares of them. */
import type { Parameter } from "quittance/client";
import { calendarDay } from "../format/Dates.ts";
import { decimalsOf, money, plain } from "../format/Money.ts";
import { readNumber, writeNumber } from "../format/Numbers.ts";

/** What a plan declares of a parameter. */
export type Declaration = Parameter;

/** A value of a parameter. */
export type Value = NonNullable<Parameter["default"]>;

/** Values by the names of their parameters. */
export type Values = Readonly<Record<string, Value>>;

/** The text that is typed for each parameter, by its name. */
export type Typed = Readonly<Record<string, string>>;

const isMoney = ({ format }: Declaration): boolean => format === "money_minor" || format === "money_major";

/** How many decimals a typed number has to be moved by: money is typed in whole units of the currency. */
const shiftOf = ({ format }: Declaration, currency: string): number =>
  format === "money_minor" ? decimalsOf(currency) : 0;

/** The unit in which a number is typed. */
export const unitOf = (declaration: Declaration, currency: string): string | undefined => {
  if (declaration.format === "percent") return "%";
  return isMoney(declaration) ? currency : undefined;
};

const numberWords = (declaration: Declaration, value: number, currency: string): string => {
  switch (declaration.format) {
    case "percent":
      return `${plain(value)} %`;
    case "money_minor":
      return money(value, currency);
    case "money_major":
      return `${plain(value)} ${currency}`;
    default:
      return plain(value);
  }
};

/** A value as a person reads it. */
export const valueWords = (declaration: Declaration, value: Value, currency: string): string => {
  if (typeof value === "number") return numberWords(declaration, value, currency);
  if (typeof value === "boolean") return value ? "yes" : "no";
  return declaration.type === "date" && /^\d{4}-\d\d-\d\d$/.test(value) ? calendarDay(value) : value;
};

/** A typed value; a text says what is wrong with it. */
const readValue = (
  declaration: Declaration,
  text: string,
  currency: string,
): Value | { readonly problem: string } => {
  switch (declaration.type) {
    case "number":
      return readNumber(text, shiftOf(declaration, currency));
    case "boolean":
      return text === "yes";
    default:
      return text;
  }
};

/** A value as it is typed. */
export const writeValue = (declaration: Declaration, value: Value, currency: string): string => {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "number" ? writeNumber(value, shiftOf(declaration, currency)) : value;
};

/** What is typed for the parameters: the values, and the first problem. What is empty has no value. */
export const readValues = (
  declarations: ReadonlyArray<Declaration>,
  typed: Typed,
  currency: string,
): { readonly values: Values; readonly problem: string | null } => {
  const values: Record<string, Value> = {};
  let problem: string | null = null;
  for (const declaration of declarations) {
    const text = (typed[declaration.name] ?? "").trim();
    if (text === "") continue;
    const value = readValue(declaration, text, currency);
    if (typeof value === "object") problem ??= `${nameWords(declaration)} ${value.problem}.`;
    else values[declaration.name] = value;
  }
  return { values, problem };
};

/** The name of a parameter as people say it. */
export const nameWords = ({ name }: Pick<Declaration, "name">): string => name.replaceAll("_", " ");
