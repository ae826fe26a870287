/** The plan in sentences, as partners read it. */
import { languageOf, paragraphsOf, ruleOf, sharedTerms, wordsIn } from "quittance/explanation";
import { type Expression, readsShare, SELLER } from "quittance/formula";
import { decimalsOf } from "../format/Money.ts";
import { type Basis, contextOf, rolesOf } from "./Draft.ts";
import { inForce, triedOf } from "./Parameters.ts";

/** What the terms say of shared sales: nothing of a plan that pays sellers and states nothing of their shares. */
const sharedWords = (expression: Expression, basis: Basis): string | null => {
  const roles = rolesOf(basis);
  if (basis.applyShare === undefined && roles.every((role) => role === SELLER)) return null;
  const isMultiplied = basis.applyShare ?? !readsShare(expression);
  const shared = sharedTerms(roles, isMultiplied, languageOf(navigator.languages));
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
  const words = wordsIn(languageOf(navigator.languages));
  const rule = ruleOf(expression, declared, decimals);
  const shared = sharedWords(expression, basis);
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
      {shared !== null && <p class="note">{shared}</p>}
    </>
  );
};
