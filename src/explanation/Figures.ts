import type { Figure } from "./Explanation.ts";
import { fill, type Notation, type Words } from "./Words.ts";

/** How to write money: the currency, and how many of the digits of its smallest unit are decimals. */
export interface Money {
  readonly currency: string;
  readonly decimals: number;
}

/** Decimals of a fraction that no finite decimal equals, after those that its unit needs. */
const FRACTION_DECIMALS = 4;

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

/** An exact number over a power of ten, with at least so many decimals. */
const number = (exact: string, shift: number, least: number, notation: Notation): string => {
  const { negative, digits, scale: own, isExact } = digitsOf(exact);
  const scale = own + shift;
  const padded = digits.toString().padStart(Math.max(scale, 0) + 1, "0") + "0".repeat(Math.max(-scale, 0));
  const pointIndex = padded.length - Math.max(scale, 0);
  const whole = padded
    .slice(0, pointIndex)
    .replace(/^0+(?=\d)/, "")
    .replace(/\B(?=(\d{3})+$)/g, notation.group);
  const decimalsMax = isExact ? Number.POSITIVE_INFINITY : Math.max(least, FRACTION_DECIMALS);
  const fraction = padded.slice(pointIndex).replace(/0+$/, "").slice(0, decimalsMax).padEnd(least, "0");
  const written = `${negative && digits !== 0n ? "−" : ""}${whole}${fraction === "" ? "" : `${notation.decimal}${fraction}`}`;
  return isExact ? written : fill(notation.about, { number: written });
};

const DAY = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}:\d{2}):\d{2}(?:\.\d+)?Z)?$/;

/** A date such as `5 March 2026`, with the time where it is not midnight. */
export const date = (text: string, { date: form, firstDay, months, moment }: Notation): string => {
  const found = DAY.exec(text);
  if (found === null) return text;
  const [, year = "", month, day, time] = found;
  const inMonth = Number(day) === 1 ? firstDay : String(Number(day));
  const written = fill(form, { day: inMonth, month: months[Number(month) - 1] ?? "", year });
  return time === undefined || time === "00:00" ? written : fill(moment, { date: written, time });
};

/** An amount in the smallest unit, with its currency. */
export const amount = (exact: string, { currency, decimals }: Money, notation: Notation): string =>
  `${number(exact, decimals, decimals, notation)} ${currency}`;

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/**
 * Sentences with each {@link amount} of a currency as `write` writes it, for pages whose amounts have another form. `write` gets
 * the exact number of whole units, such as `-1234.5`. Names in quotes stay as they are.
 */
export const withAmounts = (
  sentences: string,
  currency: string,
  { group, decimal, quoted }: Notation,
  write: (exact: string) => string,
): string => {
  const [open, close] = quoted.split("{text}").map(escaped);
  const [point, separator] = [escaped(decimal), escaped(group)];
  const pattern = new RegExp(
    `${open}[^\\n]*?${close}|(?<![\\d${point}${separator}])(−?)(\\d{1,3}(?:${separator}\\d{3})*)(?:${point}(\\d+))? ${currency}(?!\\w)`,
    "g",
  );
  return sentences.replace(pattern, (whole, sign?: string, units?: string, fraction?: string) =>
    units === undefined
      ? whole
      : write(
          `${sign === "" ? "" : "-"}${units.replaceAll(group, "")}${fraction === undefined ? "" : `.${fraction}`}`,
        ),
  );
};

/** Writes figures in a language: money with the decimals of its currency, shares in per cent, days by name. */
export const writer =
  ({ notation, nothing, yes, no }: Words, money: Money) =>
  ({ value, unit }: Figure): string => {
    if (value === null) return nothing;
    if (typeof value === "boolean") return value ? yes : no;
    switch (unit) {
      case "money":
        return amount(value, money, notation);
      case "share":
        return fill(notation.percent, { number: number(value, -2, 0, notation) });
      case "number":
        return number(value, 0, 0, notation);
      case "date":
        return date(value, notation);
      case "text":
        return fill(notation.quoted, { text: value });
    }
  };
