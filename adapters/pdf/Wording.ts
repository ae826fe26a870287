/** The form of amounts, dates, rates, accounts and external text in documents. */
import { Currency, Timestamp } from "quittance";
import * as Bidi from "./Bidi.ts";
import type { Language, Notation } from "./Texts.ts";

/** A decimal number in a notation: groups of three digits, and the sign as a plain hyphen. */
const localizeNumber = (decimal: string, { group, decimal: point }: Notation): string => {
  const [whole = "", fraction] = decimal.split(".");
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, group);
  return fraction === undefined ? grouped : `${grouped}${point}${fraction}`;
};

/** A decimal number with all its digits: `7.4604` is `7,4604` in German. */
export const decimal = localizeNumber;

/**
 * The amount with the currency's own decimals: in English `-1,234.50` for EUR, `-123,450` for JPY. The sign is a plain
 * hyphen, so that spreadsheets read a copied amount as a number.
 */
export const amount = (
  smallestUnits: number | bigint,
  currency: Currency.Currency,
  notation: Notation,
): string => localizeNumber(Currency.formatAmount(smallestUnits, currency), notation);

const EXACT = /^(-?)(\d+)(?:\.(\d+))?(?:\/(\d+))?$/;

/** An exact number as formulas show it (`18.96`, `6000005/3`), times a power of ten, rounded half away from zero. */
const parseScaled = (exact: string, decimals: number): bigint | null => {
  const [, sign = "", whole = "", fraction = "", denominator = "1"] = EXACT.exec(exact) ?? [];
  if (whole === "") return null;
  const divisor = BigInt(denominator) * 10n ** BigInt(fraction.length);
  const numerator = BigInt(whole + fraction) * 10n ** BigInt(decimals);
  const rounded = (2n * numerator + divisor) / (2n * divisor);
  return sign === "-" ? -rounded : rounded;
};

/** The text of an integer that {@link parseScaled} has scaled by so many decimals, without zeros at the end. */
const formatScaled = (value: bigint, decimals: number): string => {
  const digits = String(value < 0n ? -value : value).padStart(decimals + 1, "0");
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
  const whole = digits.slice(0, digits.length - decimals);
  return `${value < 0n ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}`;
};

/** The largest number of decimals of a rate or a quantity. */
const DECIMALS_MAX = 4;

/** An exact amount in the smallest unit, rounded to a whole one; null when the text is not a number. */
export const exactAmount = (
  exact: string,
  currency: Currency.Currency,
  notation: Notation,
): string | null => {
  const units = parseScaled(exact, 0);
  if (units === null) return null;
  if (Number.isSafeInteger(Number(units))) return amount(Number(units), currency, notation);
  // A base may be larger than any amount.
  const [, decimals = ""] = Currency.formatAmount(0, currency).split(".");
  const digits = String(units);
  const split = digits.length - decimals.length;
  const whole = digits.slice(0, split);
  return localizeNumber(decimals === "" ? whole : `${whole}.${digits.slice(split)}`, notation);
};

/** An exact number with at most four decimals. */
export const quantity = (exact: string, notation: Notation): string | null => {
  const value = parseScaled(exact, DECIMALS_MAX);
  return value === null ? null : localizeNumber(formatScaled(value, DECIMALS_MAX), notation);
};

/** An exact fraction of 1 as a percentage: `0.075` is `7.5%` in English. */
export const share = (exact: string, notation: Notation): string | null => {
  const value = parseScaled(exact, DECIMALS_MAX + 2);
  return value === null
    ? null
    : `${localizeNumber(formatScaled(value, DECIMALS_MAX), notation)}${notation.beforePercent}%`;
};

/** A rate in basis points as a percentage without trailing zeros: 2500 is `25%`, 775 is `7.75%` in English. */
export const rate = (basisPoints: number, notation: Notation): string =>
  `${localizeNumber(formatScaled(BigInt(basisPoints), 2), notation)}${notation.beforePercent}%`;

/** A date, given as `2026-01-31`. */
export const calendarDate = (text: string, { date: form, months }: Notation): string => {
  const [year = "", month = "", day = ""] = text.split("-");
  return form
    .replace("DD", day)
    .replace("MMM", months[Number(month) - 1] ?? month)
    .replace("MM", month)
    .replace("YYYY", year);
};

/** The UTC day of a moment: `2026-01-31`. */
export const isoDate = (timestamp: Timestamp.Timestamp): string =>
  Timestamp.format(timestamp).replace(/T.*$/, "");

/** The UTC day of a moment in a notation. */
export const date = (timestamp: Timestamp.Timestamp, notation: Notation): string =>
  calendarDate(isoDate(timestamp), notation);

/** An IBAN in groups of four, as ISO 13616 prints it. */
export const iban = (account: string): string =>
  plain(account)
    .replace(/\s/g, "")
    .replace(/(.{4})(?=.)/gu, "$1 ");

/**
 * External text on one line, for names and addresses: white space and control characters become single spaces.
 * Invisible direction marks are removed, because they can disguise a name or a number. Text of a right-to-left script is
 * isolated, so that it does not change the text around it.
 */
export const plain = (text: string): string => {
  const line = Bidi.removeMarks(text)
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  return /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(line) ? Bidi.isolate(line) : line;
};

/** The first characters of external text; a longer one ends with an ellipsis. */
export const cut = (text: string, charactersMax: number): string => {
  if (text.length <= charactersMax) return plain(text);
  const characters = [...text.slice(0, 2 * charactersMax + 2)];
  return plain(
    characters.length <= charactersMax ? text : `${characters.slice(0, charactersMax - 1).join("")}…`,
  );
};

/** The beginning of external text, long enough that `cut` returns the same. It does not share memory with the whole text. */
export const shorten = (text: string, charactersMax: number): string => {
  const enough = 2 * charactersMax + 2;
  return text.length <= enough ? text : Array.from({ length: enough }, (_, index) => text[index]).join("");
};

const countryNames = new Map<Language, Intl.DisplayNames>();

/** The name of a country, given by its ISO 3166-1 code, in a language. */
export const country = (code: string, language: Language): string => {
  const cached = countryNames.get(language);
  const names = cached ?? new Intl.DisplayNames([language], { type: "region", fallback: "code" });
  if (cached === undefined) countryNames.set(language, names);
  return names.of(code) ?? code;
};

/** A count with its thousands grouped. */
export const count = (number: number, notation: Notation): string => localizeNumber(String(number), notation);
