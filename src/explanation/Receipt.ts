/** How much of an amount that waits for the buyer is payable, in a sentence. */
import { fromNumber, toRational } from "../formula/Decimal.ts";
import * as Rational from "../formula/Rational.ts";
import { amount, type Money, writer } from "./Figures.ts";
import { type Language, wordsIn } from "./Languages.ts";
import { fill } from "./Words.ts";
import { ENGLISH_RECEIPT } from "./words/English.ts";
import { FRENCH_RECEIPT } from "./words/French.ts";
import { GERMAN_RECEIPT } from "./words/German.ts";
import { SPANISH_RECEIPT } from "./words/Spanish.ts";

const WORDS = { en: ENGLISH_RECEIPT, de: GERMAN_RECEIPT, fr: FRENCH_RECEIPT, es: SPANISH_RECEIPT };

/** What the buyer of a sale has paid so far, of how much; `of` is null before anything was stated. */
export interface BuyerPaid {
  readonly received: number;
  readonly of: number | null;
}

const rational = (value: number): Rational.Rational => toRational(fromNumber(value));

const TWO = Rational.make(2n);
const NO_MONEY: Money = { currency: "", decimals: 0 };
/** A number of a receipt as a language writes it. */
export const receivedNumber = (value: number, language: Language): string =>
  writer(wordsIn(language), NO_MONEY)({ value: Rational.format(rational(value)), unit: "number" });

/**
 * `Half of it is payable (500.00 EUR): the buyer has paid 500 of 1,000.` The payable part of an amount that is greater than 0,
 * in the smallest unit of the currency.
 */
export const receiptLine = (
  { received, of }: BuyerPaid,
  payable: number,
  money: Money,
  language: Language,
): string => {
  const { nothingStated, nothingPaid, half, part, whole } = WORDS[language];
  if (of === null) return nothingStated;
  const stated = { received: receivedNumber(received, language), of: receivedNumber(of, language) };
  if (received === 0) return fill(nothingPaid, stated);
  if (received >= of) return fill(whole, stated);
  const isHalf = Rational.compare(Rational.multiply(rational(received), TWO), rational(of)) === 0;
  const shown = amount(String(payable), money, wordsIn(language).notation);
  return fill(isHalf ? half : part, { ...stated, amount: shown });
};
