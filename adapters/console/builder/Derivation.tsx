/** How an amount was computed, in sentences. */
import { explainText, languageOf } from "quittance/explanation";
import type { Explanation } from "quittance/formula";
import { decimalsOf } from "../format/Money.ts";

export const Derivation = ({
  explanation,
  currency,
}: {
  readonly explanation: Explanation;
  readonly currency: string;
}) => (
  <pre class="derivation">
    {explainText(explanation, { currency, decimals: decimalsOf(currency) }, languageOf(navigator.languages))}
  </pre>
);
