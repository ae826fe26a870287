/**
 * How an amount was computed, as one model: built from the trace of a formula, and printed as sentences in any of its languages
 * or as the terms of a line of a document. It needs the formula language alone and runs in a browser.
 */
export { explanationOf } from "./Build.ts";
export { creditClause, creditLine, type SalePart, sharedTerms } from "./Credit.ts";
export type {
  Calculated,
  Explanation,
  Fact,
  Figure,
  Name,
  Part,
  Reason,
  Rule,
  Subject,
  Tier,
} from "./Explanation.ts";
export { amount, date, type Money, withAmounts, writer } from "./Figures.ts";
export { LANGUAGES, type Language, languageOf, wordsIn } from "./Languages.ts";
export { type Sentences, sentencesOf } from "./Print.ts";
export { linesOf, type Paragraph, paragraphsOf } from "./PrintRule.ts";
export { type Progress, progressOf } from "./Progress.ts";
export { type BuyerPaid, receiptLine, receivedNumber } from "./Receipt.ts";
export { ruleOf } from "./Rule.ts";
export type { Declared } from "./RuleSteps.ts";
export { settledElsewhereLine } from "./SettledElsewhere.ts";
export { type Terms, type TierTerms, termsOf } from "./Terms.ts";
export { calculationLines, explainText } from "./Text.ts";
export { fill, type Words } from "./Words.ts";
