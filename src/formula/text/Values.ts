/** Constants as text, read and written: numbers with their units, texts, truths and dates. */
import * as Decimal from "../Decimal.ts";
import type { NumericValue, Value } from "../Expression.ts";
import type { Cursor } from "./Cursor.ts";
import { quote } from "./Quoting.ts";

const UNITS_OF_NUMBERS: { readonly [T in NumericValue["type"]]: string } = {
  number: "",
  percent: " %",
  basis_points: " bp",
};

/** A number with its unit, as plain decimals. */
export const writeNumber = ({ type, value }: NumericValue): string => {
  const { coefficient, decimals } = Decimal.fromNumber(value);
  return Decimal.formatUnits(coefficient, decimals) + UNITS_OF_NUMBERS[type];
};

/** A constant as text. */
export const writeValue = (value: Value): string => {
  switch (value.type) {
    case "string":
      return quote("string", value.value);
    case "boolean":
    case "date":
      return String(value.value);
    default:
      return writeNumber(value);
  }
};

/** The longest number as text: 15 significant digits among the zeros of 10^15 and of twelve decimals, with room to spare. */
const DIGITS_MAX = 40;

/** The number of significant digits. */
const digitsOf = (text: string): number => text.replace(".", "").replace(/^0+/, "").replace(/0+$/, "").length;

/** A number with its unit; undefined if something else is next. */
export const readNumber = (cursor: Cursor): NumericValue | undefined => {
  const from = cursor.position;
  const isNegative = cursor.is("-") && cursor.peek(1).kind === "number";
  const token = cursor.peek(isNegative ? 1 : 0);
  if (token.kind !== "number") return undefined;
  if (isNegative) cursor.advance();
  // A double holds 15 digits. Of more, some would be lost without a word.
  if (token.text.length > DIGITS_MAX || digitsOf(token.text) > 15)
    cursor.report(token, "a number has at most 15 significant digits; a third is 1 / 3");
  cursor.advance();
  const value = Number(token.text) * (isNegative ? -1 : 1) + 0;
  const type = cursor.accept("%") ? "percent" : cursor.accept("bp") ? "basis_points" : "number";
  return cursor.mark(from, { type, value });
};

/** A constant; undefined if something else is next. */
export const readValue = (cursor: Cursor): Value | undefined => {
  const number = readNumber(cursor);
  if (number !== undefined) return number;
  const from = cursor.position;
  const { kind, text } = cursor.peek();
  if (kind === "string" || kind === "date") {
    cursor.advance();
    return cursor.mark(from, { type: kind, value: text });
  }
  if (cursor.accept("true")) return cursor.mark(from, { type: "boolean", value: true });
  if (cursor.accept("false")) return cursor.mark(from, { type: "boolean", value: false });
  return undefined;
};

/** What a value is, in messages. */
export const VALUE = 'a value such as 12.5, 10 %, "EU", true or 2026-01-31';

/** The values of a list: `("DE", "AT")`. */
export const readValues = (cursor: Cursor): ReadonlyArray<Value> => {
  const list: Array<Value> = [];
  cursor.expect("(", ' and values, as in ("DE", "AT")');
  do {
    const one = readValue(cursor);
    if (one === undefined) cursor.fail(VALUE);
    else list.push(one);
  } while (cursor.accept(","));
  cursor.expect(")", ' or ","');
  return list;
};
