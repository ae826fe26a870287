/** A commission's amount, explained in sentences that its partner understands without other documents. */
import { Either } from "effect";
import {
  amount,
  calculationLines,
  creditLine,
  date,
  fill,
  type Language,
  type Money,
  receiptLine,
  type SalePart,
  settledElsewhereLine,
  type Words,
  wordsIn,
} from "../../explanation/index.ts";
import type * as Formulas from "../../formula/index.ts";
import { type CalendarDate, dateOf } from "../CalendarDate.ts";
import type { Basis } from "../Commission.ts";
import { type Currency, decimals } from "../Currency.ts";
import type { Formula } from "../Formula.ts";
import type { Amount } from "../Money.ts";
import { type Paid, waitingOf } from "../Receipt.ts";
import type { SettledElsewhere } from "../SettledElsewhere.ts";
import { format, type Timestamp } from "../Timestamp.ts";

/** A commission and what decides its amount. */
export interface Explained {
  readonly currency: Currency;
  /** The calendar day that its attribution counts for. */
  readonly occurredOn: CalendarDate;
  readonly formula: Pick<Formula, "name" | "startDatetime" | "endDatetime" | "versions">;
  readonly basis: Basis;
  /** The version that was evaluated, from 1; null where none was. */
  readonly formulaVersion: number | null;
  /** The evaluation; null where a rule forces the amount to 0. */
  readonly explanation: Formulas.Explanation | null;
  /** The partner's part of the sale; absent where the partner alone earns from it. */
  readonly part?: SalePart;
  /** What the buyer has paid; absent or null where the amount is released at once. */
  readonly receipt?: Paid | null;
  /** The part of it that was settled in another system; absent where nothing was. */
  readonly settledElsewhere?: SettledElsewhere & { readonly amount: Amount };
}

const dayIn = (moment: Timestamp, { notation }: Words): string => date(format(moment).slice(0, 10), notation);

/** A sentence with the version, and since when it holds, where the formula has more than one. */
const withVersion = (
  sentence: string,
  { formula: { versions }, formulaVersion }: Explained,
  words: Words,
): string => {
  if (formulaVersion === null || versions.length < 2) return sentence;
  const since = versions[formulaVersion - 1]?.effectiveDatetime ?? null;
  const versioned = fill(words.version, { sentence, version: String(formulaVersion) });
  return since === null ? versioned : fill(words.since, { sentence: versioned, day: dayIn(since, words) });
};

/** Why nothing is earned, by the rule that decides it. */
const nothingEarnedReason = ({ basis, formula }: Explained, words: Words): string => {
  switch (basis) {
    case "attribution_cancelled":
      return words.saleCancelled;
    case "formula_cancelled":
      return words.formulaCancelled;
    default: {
      const start = dayIn(formula.startDatetime, words);
      return formula.endDatetime === null
        ? fill(words.outside[0], { start })
        : fill(words.outside[1], { start, end: dayIn(formula.endDatetime, words) });
    }
  }
};

/** How much of an amount is payable; nothing of an amount that never waits. */
const receiptSentences = (
  { receipt = null }: Explained,
  earned: number,
  money: Money,
  language: Language,
): ReadonlyArray<string> =>
  receipt === null || earned <= 0
    ? []
    : [receiptLine(receipt, earned - waitingOf(earned, receipt), money, language)];

/** The part of an amount that was settled in another system. */
const settledSentences = (
  { settledElsewhere: settled }: Explained,
  money: Money,
  language: Language,
): ReadonlyArray<string> =>
  settled === undefined
    ? []
    : [settledElsewhereLine({ ...settled, day: dateOf(settled.at) }, money, language)];

/**
 * The sentences in a language, one a line: the amount, how much of it is payable where it waits for the buyer, what was settled elsewhere, the partner's
 * part of the sale, its calculation, then the reasons for what the calculation contains.
 * Money has the decimals of the currency; a number without a declared unit is as it was given. Other days are of UTC.
 */
export const sentences = (explained: Explained, language: Language = "en"): string => {
  const { currency, occurredOn, formula, explanation, part } = explained;
  const words = wordsIn(language);
  const of = {
    day: date(occurredOn, words.notation),
    formula: fill(words.notation.quoted, { text: formula.name }),
  };
  const stated = (template: string, shown = ""): string =>
    withVersion(fill(template, { ...of, amount: shown }), explained, words);
  const { applyShare } = formula.versions[(explained.formulaVersion ?? 0) - 1] ?? {};
  // A version states that the share does not multiply only where its expression does not read the share.
  const asPart = part === undefined ? [] : [creditLine(part, language, applyShare !== false)];
  const money = { currency, decimals: decimals(currency) };
  const elsewhere = settledSentences(explained, money, language);
  if (explanation === null) {
    const value = nothingEarnedReason(explained, words);
    return [fill(words.variable, { name: stated(words.nothingEarned), value }), ...elsewhere, ...asPart].join(
      "\n",
    );
  }
  if (Either.isLeft(explanation.result)) {
    const { message } = explanation.result.left;
    return [
      `${stated(words.noAmount)}.`,
      ...elsewhere,
      ...asPart,
      `${fill(words.failed, { message })}.`.replace(/\.\.$/, "."),
    ].join("\n");
  }
  const exact = String(explanation.result.right);
  return [
    `${stated(words.earned, amount(exact, money, words.notation))}.`,
    ...receiptSentences(explained, explanation.result.right, money, language),
    ...elsewhere,
    ...asPart,
    ...calculationLines(explanation, exact, money, language),
  ].join("\n");
};
