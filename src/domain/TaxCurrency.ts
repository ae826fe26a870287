/**
 * VAT in the national currency on documents in another one, which Article 230 of Directive 2006/112/EC requires: the rates
 * that a customer states, and the amount by one of them.
 */
import { Either, Schema } from "effect";
import { Rational } from "../formula/index.ts";
import { CalendarDate, daysLater } from "./CalendarDate.ts";
import { Currency, decimals, UNLISTED_CURRENCIES } from "./Currency.ts";
import { means } from "./Field.ts";
import { EXCHANGE_RATE_DAYS_MAX, RATE_SOURCE_MAX } from "./Limits.ts";
import { divideHalfAwayFromZero } from "./Money.ts";
import { Text } from "./Text.ts";

const RATE_FORM = /^(?=.*[1-9])\d{1,9}(?:\.\d{1,9})?$/;

const Rate = Schema.String.pipe(
  Schema.filter(
    (text) =>
      RATE_FORM.test(text) ||
      "must be a number above 0 as text, with at most nine digits before and after the point",
    {
      jsonSchema: { pattern: RATE_FORM.source },
      arbitrary: () => (fc) => fc.stringMatching(/^[1-9][0-9]{0,2}\.[0-9]{1,6}$/),
    },
  ),
);

/** What one unit of a currency is worth in the tax currency from a date on. */
export const ExchangeRate = Schema.Struct({
  currency: Currency.pipe(means("The currency of documents.", "EUR")),
  date: CalendarDate.pipe(means("The first date that the rate applies to.", "2026-02-02")),
  rate: Rate.pipe(means("What one unit of currency is worth in tax_currency: 7.4604.", "7.4604")),
  source: Text(1, RATE_SOURCE_MAX).pipe(means("Who published the rate; documents state it.", "Central bank")),
});
export type ExchangeRate = typeof ExchangeRate.Type;

/** The most decimals that an e-invoice states of an amount (BR-DEC-15). */
const DECIMALS_MAX = 2;

/** A currency in which an e-invoice can state its VAT. */
export const TaxCurrency = Currency.pipe(
  Schema.filter(
    (currency) =>
      (decimals(currency) <= DECIMALS_MAX && !UNLISTED_CURRENCIES.has(currency)) ||
      "must be a currency with at most two decimals that e-invoices know",
    { arbitrary: () => (fc) => fc.constantFrom(...["DKK", "PLN", "SEK"].map((code) => Currency.make(code))) },
  ),
);

/** A rate between the currency of a document and the tax currency. */
export interface Conversion extends Omit<ExchangeRate, "currency"> {
  /** The tax currency. */
  readonly currency: Currency;
}

/** What a customer states of its tax currency. */
export interface Stated {
  readonly taxCurrency?: Currency;
  readonly exchangeRates?: ReadonlyArray<ExchangeRate>;
}

/** What is wrong with a table of rates, or null: one rate for each currency and date, and none without a tax currency. */
export const ratesProblem = ({
  taxCurrency,
  exchangeRates = [],
}: Stated): { readonly path: ReadonlyArray<string | number>; readonly message: string } | null => {
  if (exchangeRates.length > 0 && taxCurrency === undefined)
    return { path: ["tax_currency"], message: "is required with exchange_rates" };
  const seen = new Set<string>();
  for (const [index, { currency, date }] of exchangeRates.entries()) {
    const path = ["exchange_rates", index, "currency"];
    if (currency === taxCurrency) return { path, message: `must not be ${taxCurrency}, the tax_currency` };
    const key = `${currency} ${date}`;
    if (seen.has(key)) return { path, message: `must not have two rates for ${date}` };
    seen.add(key);
  }
  return null;
};

/**
 * The rate for a document of a day: the latest of its date or before, at most 31 days old. Null where the customer states no
 * tax currency, or the document is in it; the left side says which rate is missing.
 */
export const conversionOn = (
  { taxCurrency, exchangeRates = [] }: Stated,
  currency: Currency,
  day: CalendarDate,
): Either.Either<Conversion | null, string> => {
  if (taxCurrency === undefined || taxCurrency === currency) return Either.right(null);
  const earliest = daysLater(day, -EXCHANGE_RATE_DAYS_MAX);
  const [latest] = exchangeRates
    .filter((rate) => rate.currency === currency && rate.date >= earliest && rate.date <= day)
    .toSorted((a, b) => (a.date < b.date ? 1 : -1));
  if (latest === undefined)
    return Either.left(
      `billing_profile.exchange_rates has no rate of ${currency} dated ${earliest} to ${day}, which the VAT in ${taxCurrency} needs`,
    );
  const { date, rate, source } = latest;
  return Either.right({ currency: taxCurrency, date, rate, source });
};

/** Tax of a document in the tax currency, in its smallest unit: exact, then rounded once, half away from zero. */
export const convert = (tax: bigint, from: Currency, { currency, rate }: Conversion): bigint => {
  const { numerator, denominator } = Rational.parse(rate) ?? Rational.ZERO;
  return divideHalfAwayFromZero(
    tax * numerator * 10n ** BigInt(decimals(currency)),
    denominator * 10n ** BigInt(decimals(from)),
  );
};

/** A rate in words: `1 EUR = 7.4604 DKK (Central bank, 2026-02-02)`. */
export const describe = (
  from: Currency,
  { currency, date, rate, source }: Conversion,
  show: { readonly rate: (text: string) => string; readonly date: (day: CalendarDate) => string } = {
    rate: (text) => text,
    date: (day) => day,
  },
): string => `1 ${from} = ${show.rate(rate)} ${currency} (${source}, ${show.date(date)})`;
