/** The form of amounts, dates, rates, accounts and external text in documents. */
import { Currency, Timestamp } from "quittance";
import * as Bidi from "./Bidi.ts";

const DAY_MILLISECONDS = 86_400_000;

/**
 * The amount with the currency's own decimals and commas between thousands: `-1,234.50` for EUR, `-123,450` for JPY.
 * The sign is a plain hyphen, so that spreadsheets read a copied amount as a number.
 */
export const amount = (smallestUnits: number, currency: Currency.Currency): string => {
  const [whole = "", fraction] = Currency.formatAmount(smallestUnits, currency).split(".");
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ",");
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
};

/** The UTC day of a moment: `2026-01-31`. */
export const date = (timestamp: Timestamp.Timestamp): string =>
  Timestamp.format(timestamp).replace(/T.*$/, "");

/** The moment a number of whole days of 24 hours later; in UTC every day has 24 hours. */
export const daysLater = (timestamp: Timestamp.Timestamp, days: number): Timestamp.Timestamp =>
  timestamp + days * DAY_MILLISECONDS;

/** A rate in basis points as a percentage without trailing zeros: 2500 is `25%`, 775 is `7.75%`. */
export const rate = (basisPoints: number): string => {
  const fraction = String(basisPoints % 100)
    .padStart(2, "0")
    .replace(/0+$/, "");
  return `${Math.trunc(basisPoints / 100)}${fraction === "" ? "" : `.${fraction}`}%`;
};

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
  const line = Bidi.unmarked(text)
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  return /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(line) ? Bidi.isolate(line) : line;
};

/**
 * The end of an id after an ellipsis. Ids of the engine begin with their time of creation, so that ids of one minute have
 * the same start; the last twelve digits are random and distinguish the lines of a settlement.
 */
export const shortId = (id: string): string => `…${id.slice(-12)}`;

const countryNames = new Intl.DisplayNames(["en"], { type: "region", fallback: "code" });

/** The English name of a country given by its ISO 3166-1 code. */
export const country = (code: string): string => countryNames.of(code) ?? code;

/** A count with its noun: `1 line`, `1,200 lines`. */
export const count = (number: number, thing: string): string =>
  `${String(number).replace(/\B(?=(?:\d{3})+$)/g, ",")} ${thing}${number === 1 ? "" : "s"}`;
