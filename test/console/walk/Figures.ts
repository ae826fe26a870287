/** Amounts as a page has to show them, written without the code of the pages and without the browser's formats. */

/** Digits after the point of currencies that do not have two. */
const DIGITS: Readonly<Record<string, number>> = { JPY: 0, KWD: 3 };

/** The signs of currencies in English; the others have their code. */
const SIGNS: Readonly<Record<string, string>> = { EUR: "€", GBP: "£", USD: "US$", JPY: "JP¥" };

export type Units = number | bigint;

/** Units of a currency without a sign: €1,234.50, JP¥1,235, KWD 1.234. */
export const unsigned = (units: Units, currency: string): string => {
  const digits = DIGITS[currency] ?? 2;
  const text = String(units < 0 ? -BigInt(units) : BigInt(units)).padStart(digits + 1, "0");
  const whole = text.slice(0, text.length - digits).replace(/\B(?=(\d{3})+$)/g, ",");
  const rest = digits === 0 ? "" : `.${text.slice(-digits)}`;
  return `${SIGNS[currency] ?? `${currency}\u00a0`}${whole}${rest}`;
};

/** Units of a currency, negative ones with a minus sign. */
export const money = (units: Units, currency: string): string =>
  `${units < 0 ? "−" : ""}${unsigned(units, currency)}`;

/** A change: with its sign, unless it is 0. */
export const change = (units: Units, currency: string): string =>
  `${units < 0 ? "−" : units > 0 ? "+" : ""}${unsigned(units, currency)}`;

/** The amounts of sentences of the interface, which write `−1,234.50 EUR`, but those in quoted names. */
export const restated = (sentences: string, currency: string): ReadonlyArray<string> =>
  [...sentences.replaceAll(/“[^”]*”/g, "").matchAll(/(−?)(\d[\d,]*(?:\.\d+)?) ([A-Z]{3})\b/g)].flatMap(
    ([, sign, number, code]) =>
      code === currency ? [`${sign}${SIGNS[currency] ?? `${currency}\u00a0`}${number}`] : [],
  );

const SHOWN = /[+−-]?(?:[A-Z]{0,2}[€£$¥]|\b[A-Z]{3}\u00a0)\d+(?:,\d{3})*(?:\.\d+)?/g;

/** The amounts in a shown text, in order. */
export const amountsIn = (text: string): ReadonlyArray<string> => text.match(SHOWN) ?? [];
