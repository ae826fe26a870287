import type { Explanation } from "../formula/Explanation.ts";
import { explanationOf } from "./Build.ts";
import { amount, type Money } from "./Figures.ts";
import { type Language, wordsIn } from "./Languages.ts";
import { sentencesOf } from "./Print.ts";
import { fill } from "./Words.ts";

/** The calculation of an amount and the reasons for what it contains, one sentence a line; empty for an amount by itself. */
export const calculationLines = (
  { trace }: Pick<Explanation, "trace">,
  exact: string,
  money: Money,
  language: Language,
): ReadonlyArray<string> => {
  const words = wordsIn(language);
  const explanation = explanationOf(trace, money.decimals);
  if (explanation === null) return [];
  const { calculation, result, reasons } = sentencesOf(explanation, words, money);
  const shown = amount(exact, money, words.notation);
  const isAmount = [shown, shown.slice(0, -money.currency.length - 1)].includes(result);
  // A fixed amount is no calculation, but its reasons name it in the smallest unit.
  const isCalculated = calculation !== result || (!isAmount && result !== "0" && reasons.length > 0);
  const sentence = isAmount ? calculation : fill(words.whichIs, { calculation, amount: shown });
  return [...(isCalculated ? [`${sentence}.`] : []), ...reasons];
};

/** An amount and how it was computed, one sentence a line; or why there is no amount. */
export const explainText = (explained: Explanation, money: Money, language: Language = "en"): string => {
  const words = wordsIn(language);
  if (explained.result._tag === "Left")
    return `${fill(words.failed, { message: explained.result.left.message })}.`.replace(/\.\.$/, ".");
  const exact = String(explained.result.right);
  const shown = amount(exact, money, words.notation);
  return [`${shown}.`, ...calculationLines(explained, exact, money, language)].join("\n");
};
