/** A commission's amount, explained in sentences that its partner understands without other documents. */
import { Either } from "effect";
import type * as Language from "../../formula/index.ts";
import { stepsOf } from "../../formula/Step.ts";
import type { Basis } from "../Commission.ts";
import { type Currency, decimals } from "../Currency.ts";
import type { Formula } from "../Formula.ts";
import { format, type Timestamp } from "../Timestamp.ts";
import { derivation } from "./Derivation.ts";
import * as Figures from "./Figures.ts";

/** A commission and what decides its amount. */
export interface Explained {
  readonly currency: Currency;
  /** The date that its attribution counts for. */
  readonly occurredAt: Timestamp;
  readonly formula: Pick<Formula, "name" | "startDatetime" | "endDatetime" | "versions">;
  readonly basis: Basis;
  /** The version that was evaluated, from 1; null where none was. */
  readonly formulaVersion: number | null;
  /** The evaluation; null where a rule forces the amount to 0. */
  readonly explanation: Language.Explanation | null;
}

const day = (moment: Timestamp): string => Figures.date(format(moment).slice(0, 10));

/** The version, and since when it holds, where the formula has more than one. */
const versionText = ({ versions }: Explained["formula"], number: number | null): string => {
  if (number === null || versions.length < 2) return "";
  const since = versions[number - 1]?.effectiveDatetime ?? null;
  return `, version ${number}${since === null ? "" : ` in effect since ${day(since)}`}`;
};

/** Why nothing is earned, by the rule that decides it. */
const explainNothingEarned = ({ basis, formula }: Explained): string => {
  switch (basis) {
    case "attribution_cancelled":
      return "the sale was cancelled.";
    case "formula_cancelled":
      return "the commission formula was cancelled.";
    default: {
      const end = formula.endDatetime === null ? "" : ` and ends before ${day(formula.endDatetime)}`;
      return `the commission formula starts on ${day(formula.startDatetime)}${end}.`;
    }
  }
};

/**
 * The sentences, one a line: the amount, then its calculation, then the reasons for what the calculation contains. The amount
 * has the decimals of the currency; the numbers of the calculation are as they were given. Thousands have commas, days are of UTC.
 */
export const sentences = (explained: Explained): string => {
  const { currency, occurredAt, formula, formulaVersion, explanation } = explained;
  const write = Figures.writer(decimals(currency));
  const origin = `for the sale of ${day(occurredAt)} under “${formula.name}”${versionText(formula, formulaVersion)}`;
  if (explanation === null) return `Nothing is earned ${origin}: ${explainNothingEarned(explained)}`;
  if (Either.isLeft(explanation.result)) {
    return [
      `No amount ${origin}.`,
      `The calculation failed: ${explanation.result.left.message}.`.replace(/\.\.$/, "."),
    ].join("\n");
  }
  const figure = write(String(explanation.result.right), "smallest");
  const amount = `${figure} ${currency}`;
  const [root] = stepsOf(explanation.trace);
  if (root === undefined) return `${amount} ${origin}.`;
  const { calculation, result, reasons } = derivation(root);
  const inMoney = result === figure ? "" : `, which is ${amount}`;
  // A fixed amount is no calculation, but its reasons name it in the smallest unit.
  const isCalculated = calculation !== result || (inMoney !== "" && result !== "0" && reasons.length > 0);
  const calculated = isCalculated ? [`${calculation}${inMoney}.`] : [];
  return [`${amount} ${origin}.`, ...calculated, ...reasons].join("\n");
};
