/** Numbers and dates as a person reads them: money with the decimals of its currency, shares in per cent, days by name. */
import type { Shown } from "../../formula/index.ts";

/** How a number is written: as money, given in the smallest unit of the currency, in per cent, or as it is. */
export type Unit = "smallest" | "rate" | "number";

/** Decimals of a fraction that no finite decimal equals, beside those that its unit needs. */
const FRACTION_DECIMALS = 4;

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** A decimal: digits over a power of ten; `isExact` is false where digits are missing. */
interface Digits {
  readonly negative: boolean;
  readonly digits: bigint;
  readonly scale: number;
  readonly isExact: boolean;
}

const digitsOf = (text: string): Digits => {
  const negative = text.startsWith("-");
  const magnitude = negative ? text.slice(1) : text;
  const [numerator = "", denominator] = magnitude.split("/");
  if (denominator === undefined) {
    const [whole = "", fraction = ""] = magnitude.split(".");
    return { negative, digits: BigInt(whole + fraction), scale: fraction.length, isExact: true };
  }
  const scale = FRACTION_DECIMALS + 4;
  const [over, under] = [BigInt(numerator) * 10n ** BigInt(scale), BigInt(denominator)];
  return { negative, digits: (2n * over + under) / (2n * under), scale, isExact: false };
};

const withDecimals = ({ negative, digits, scale, isExact }: Digits, least: number): string => {
  const padded = digits.toString().padStart(Math.max(scale, 0) + 1, "0") + "0".repeat(Math.max(-scale, 0));
  const pointIndex = padded.length - Math.max(scale, 0);
  const whole = padded
    .slice(0, pointIndex)
    .replace(/^0+(?=\d)/, "")
    .replace(/\B(?=(\d{3})+$)/g, ",");
  const decimalsMax = isExact ? Number.POSITIVE_INFINITY : Math.max(least, FRACTION_DECIMALS);
  const fraction = padded.slice(pointIndex).replace(/0+$/, "").slice(0, decimalsMax).padEnd(least, "0");
  const sign = negative && digits !== 0n ? "−" : "";
  return `${isExact ? "" : "about "}${sign}${whole}${fraction === "" ? "" : `.${fraction}`}`;
};

const DAY = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}:\d{2}):\d{2}(?:\.\d+)?Z)?$/;

/** A date as `5 March 2026`, with the time where it is not midnight. */
export const date = (text: string): string => {
  const found = DAY.exec(text);
  if (found === null) return text;
  const [, year, month, day, time] = found;
  const name = MONTHS[Number(month) - 1] ?? "";
  return `${Number(day)} ${name} ${year}${time === undefined || time === "00:00" ? "" : `, ${time} UTC`}`;
};

/** Days from the first to the last, both included. */
export const days = (first: string, last: string): string =>
  first === last ? `on ${date(first)}` : `from ${date(first)} to ${date(last)}`;

/** Writes the numbers of one currency. */
export const writer =
  (decimals: number) =>
  (text: string, unit: Unit): string => {
    const digits = digitsOf(text);
    switch (unit) {
      case "smallest":
        return withDecimals({ ...digits, scale: digits.scale + decimals }, decimals);
      case "rate":
        return `${withDecimals({ ...digits, scale: digits.scale - 2 }, 0)} %`;
      case "number":
        return withDecimals(digits, 0);
    }
  };

/** A value that is no number: a text in quotation marks, a date by its name. */
export const plain = (value: Shown): string => {
  if (value === null) return "nothing";
  if (typeof value === "boolean") return value ? "yes" : "no";
  return `“${value}”`;
};

/** Whether a shown value is a number; dates and texts are none. */
export const isNumber = (value: Shown): value is string =>
  typeof value === "string" && /^-?\d+(\.\d+)?(\/\d+)?$/.test(value);

/** A name of the formula or the schema in words: `order_value` is “order value”. */
export const words = (name: string): string => name.replaceAll(/[_.-]+/g, " ").trim() || name;
