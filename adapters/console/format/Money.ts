/** Formats amounts in the browser's language. */

import { formatUnits } from "quittance/formula";
import type { CommissionStatistics } from "../api/Records.ts";
import { lazily, locale } from "../words/Language.ts";

/** Currencies whose smallest unit is not a hundredth (ISO 4217). A test compares this with the engine's own table. */
const DECIMALS: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries({
    0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
    3: "BHD IQD JOD KWD LYD OMR TND",
    4: "CLF UYW",
  }).flatMap(([decimals, codes]) => codes.split(" ").map((code) => [code, Number(decimals)])),
);

export const decimalsOf = (currency: string): number => DECIMALS[currency] ?? 2;

type Sign = "auto" | "exceptZero";

const formats = new Map<string, Intl.NumberFormat>();

const formatOf = (
  currency: string,
  signDisplay: Sign,
  decimalsMax = decimalsOf(currency),
): Intl.NumberFormat => {
  const key = `${currency} ${signDisplay} ${decimalsMax}`;
  const cached = formats.get(key);
  if (cached !== undefined) return cached;
  const format = new Intl.NumberFormat(locale(), {
    style: "currency",
    currency,
    signDisplay,
    minimumFractionDigits: decimalsOf(currency),
    maximumFractionDigits: decimalsMax,
  });
  formats.set(key, format);
  return format;
};

const formatAmount = (amount: number | bigint, currency: string, sign: Sign): string => {
  const units = typeof amount === "bigint" ? amount : Math.round(amount);
  const exact = formatUnits(units, decimalsOf(currency));
  return formatOf(currency, sign)
    .format(exact as unknown as number)
    .replace("-", "−");
};

/** An amount of the smallest unit with its currency: €1,234.50. Exact, also beyond what a double can hold in units. */
export const money = (amount: number | bigint, currency: string): string =>
  formatAmount(amount, currency, "auto");

/** The most decimals that every browser writes. */
const DECIMALS_MAX = 20;

/** An exact number of whole units with its currency and all its decimals: €358.225 for `358.225`. */
export const exactMoney = (exact: string, currency: string): string =>
  formatOf(currency, "auto", DECIMALS_MAX)
    .format(exact as unknown as number)
    .replace("-", "−");

/** An amount with its currency's decimals and nothing else, as files state it: 1234.50. */
export const decimalText = (amount: number | bigint, currency: string): string =>
  formatUnits(amount, decimalsOf(currency));

/** A difference: like `money`, always with its sign. */
export const difference = (amount: number | bigint, currency: string): string =>
  formatAmount(amount, currency, "exceptZero");

/** Amounts in one sentence: €100.00 and SEK 1,000.00. */
export const sumsWords = (
  sums: ReadonlyArray<{ readonly currency: string; readonly amount: number | bigint }>,
): string => new Intl.ListFormat("en-GB").format(sums.map(({ currency, amount }) => money(amount, currency)));

/** The exact difference of two sums. */
export const minus = (a: number | bigint, b: number | bigint): bigint => BigInt(a) - BigInt(b);

const compact = lazily(
  () => new Intl.NumberFormat(locale(), { notation: "compact", maximumFractionDigits: 2 }),
);

/** A short amount for an axis whose title has the currency: 12.5K. */
export const shortMoney = (amount: number, currency: string): string =>
  compact().format(amount / 10 ** decimalsOf(currency));

const counts = lazily(() => new Intl.NumberFormat(locale()));

/** A whole number: 100,000. */
export const count = (value: number | bigint): string => counts().format(value);

const plains = lazily(() => new Intl.NumberFormat(locale(), { maximumFractionDigits: 20 }));

/** A number without a unit, with all its decimals: 1,234.5. */
export const plain = (value: number): string => plains().format(value);

/** A number of things: `1 line`, `2 lines`. */
export const countWords = (value: number, singular: string, several = `${singular}s`): string =>
  `${count(value)} ${value === 1 ? singular : several}`;

/** The currencies that statistics have amounts in. */
export const currenciesOf = ({ summary }: CommissionStatistics): ReadonlyArray<string> => [
  ...new Set([...summary.settled.amounts, ...summary.unsettled.amounts].map(({ currency }) => currency)),
];

/** The sum of a currency among sums; 0 where there is none. */
export const amountIn = (
  amounts: ReadonlyArray<{ readonly currency: string; readonly amount: bigint }>,
  currency: string,
): bigint => amounts.find((amount) => amount.currency === currency)?.amount ?? 0n;

/** Amounts by currency, summed exactly, in alphabetical order of the codes. */
export const sumByCurrency = (
  amounts: Iterable<{ readonly currency: string; readonly amount: number | bigint }>,
): ReadonlyArray<{ readonly currency: string; readonly amount: bigint }> => {
  const sums = new Map<string, bigint>();
  for (const { currency, amount } of amounts) sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(amount));
  return [...sums]
    .map(([currency, amount]) => ({ currency, amount }))
    .sort((a, b) => a.currency.localeCompare(b.currency));
};

/** A typed amount in the smallest unit; null when the text is no amount. */
export const unitsOf = (text: string, currency: string): number | null => {
  const decimals = decimalsOf(currency);
  const match = /^(\d+)(?:[.,](\d+))?$/.exec(text.trim());
  if (match === null) return null;
  const [, whole = "", fraction = ""] = match;
  if (fraction.length > decimals) return null;
  const units = Number(`${whole}${fraction.padEnd(decimals, "0")}`);
  return Number.isSafeInteger(units) ? units : null;
};
