/** The plan in sentences, as partners read it. */
import { languageOf, paragraphsOf, ruleOf, wordsIn } from "quittance/explanation";
import type { Expression } from "quittance/formula";
import { decimalsOf } from "../format/Money.ts";
import { type Basis, contextOf } from "./Draft.ts";
import { inForce, triedOf } from "./Parameters.ts";

export const InWords = ({
  expression,
  basis,
}: {
  readonly expression: Expression;
  readonly basis: Basis;
}) => {
  const { currency } = basis;
  const decimals = decimalsOf(currency);
  const declared = { ...contextOf(basis), inForce: inForce(triedOf(basis.parameters, currency)) };
  const words = wordsIn(languageOf(navigator.languages));
  const rule = ruleOf(expression, declared, decimals);
  return (
    <>
      {paragraphsOf(rule, words, { currency, decimals }).map(({ text, items }) => (
        <div key={text}>
          <p class="sentence">{text}</p>
          {items.length > 0 && (
            <ul>
              {items.map((item) => (
                <li key={item}>{item}</li>
              ))}
            </ul>
          )}
        </div>
      ))}
    </>
  );
};
