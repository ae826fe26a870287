/** That an amount was settled in another system, in a sentence. */
import { amount, date, type Money } from "./Figures.ts";
import { type Language, wordsIn } from "./Languages.ts";
import { fill } from "./Words.ts";

const WORDS = {
  en: [
    "{amount} was settled in another system on {day}.",
    "{amount} was settled in another system on {day}, reference {reference}.",
  ],
  de: [
    "{amount} wurden am {day} in einem anderen System abgerechnet.",
    "{amount} wurden am {day} in einem anderen System abgerechnet, Referenz {reference}.",
  ],
  fr: [
    "{amount} ont été réglés dans un autre système le {day}.",
    "{amount} ont été réglés dans un autre système le {day}, référence {reference}.",
  ],
  es: [
    "{amount} se liquidaron en otro sistema el {day}.",
    "{amount} se liquidaron en otro sistema el {day}, referencia {reference}.",
  ],
} as const satisfies Readonly<Record<Language, readonly [without: string, withReference: string]>>;

/** What was settled elsewhere of a commission, in the smallest unit, on which day (`YYYY-MM-DD`). */
interface SettledBefore {
  readonly amount: number;
  readonly day: string;
  /** Null where none was given. */
  readonly reference: string | null;
}

/** `12.00 EUR was settled in another system on 30 November 2025, reference PO-7.` */
export const settledElsewhereLine = (
  { amount: settled, day, reference }: SettledBefore,
  money: Money,
  language: Language,
): string => {
  const { notation } = wordsIn(language);
  const [without, withReference] = WORDS[language];
  const stated = { amount: amount(String(settled), money, notation), day: date(day, notation) };
  return reference === null ? fill(without, stated) : fill(withReference, { ...stated, reference });
};
