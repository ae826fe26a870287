/** The plan in sentences, as partners read it. */
import { paragraphsOf, ruleOf, sharedTerms, wordsIn } from "quittance/explanation";
import { type Expression, readsShare, SELLER } from "quittance/formula";
import { decimalsOf } from "../format/Money.ts";
import { restateAmounts, sentenceLanguage } from "../format/Sentences.ts";
import { type Basis, contextOf, rolesOf } from "./Draft.ts";
import { inForce, triedOf } from "./Parameters.ts";

/** What the terms say of shared sales: nothing of a plan that pays sellers and states nothing of their shares. */
const sharedWords = (expression: Expression, basis: Basis): string | null => {
  const roles = rolesOf(basis);
  if (basis.applyShare === undefined && roles.every((role) => role === SELLER)) return null;
  const isMultiplied = basis.applyShare ?? !readsShare(expression);
  const shared = sharedTerms(roles, isMultiplied, sentenceLanguage());
  return `${shared.label}: ${shared.roles}. ${shared.sentence}`;
};

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
  const words = wordsIn(sentenceLanguage());
  const rule = ruleOf(expression, declared, decimals);
  const shared = sharedWords(expression, basis);
  return (
    <>
      {paragraphsOf(rule, words, { currency, decimals }).map(({ text, items }) => (
        <div key={text}>
          <p class="sentence">{restateAmounts(text, currency)}</p>
          {items.length > 0 && (
            <ul>
              {items.map((item) => (
                <li key={item}>{restateAmounts(item, currency)}</li>
              ))}
            </ul>
          )}
        </div>
      ))}
      {shared !== null && <p class="note">{shared}</p>}
    </>
  );
};
