/** How an amount was computed, in sentences. */
import { explainText } from "quittance/explanation";
import type { Explanation } from "quittance/formula";
import { decimalsOf } from "../format/Money.ts";
import { restateAmounts, sentenceLanguage } from "../format/Sentences.ts";

export const Derivation = ({
  explanation,
  currency,
}: {
  readonly explanation: Explanation;
  readonly currency: string;
}) => (
  <pre class="derivation">
    {restateAmounts(
      explainText(explanation, { currency, decimals: decimalsOf(currency) }, sentenceLanguage()),
      currency,
    )}
  </pre>
);
