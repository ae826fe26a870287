/** Expressions and their versions on the wire. */
import { Formula } from "quittance";
import { type Expression, print } from "quittance/formula";

/** The parameters of a formula or a plan on the wire, absent where it declares none. */
export const declarations = ({ parameters }: Pick<Formula.Terms, "parameters">) =>
  parameters.length === 0 ? undefined : parameters;

/** Texts of expressions that a store keeps in memory. */
const texts = new WeakMap<Expression, string>();

/** The text form of the expression of a formula or a plan. */
export const formulaText = ({ expression }: { readonly expression: Expression }): string => {
  const text = texts.get(expression) ?? print(expression);
  texts.set(expression, text);
  return text;
};

/** The versions of a formula or a plan on the wire. */
export const versions = (shown: Pick<Formula.Shown<Formula.Terms>, "versions">) =>
  shown.versions.map(({ number, status, effectiveDatetime, ...version }) => ({
    number,
    status,
    effective_datetime: effectiveDatetime,
    formula: version.expression,
    formula_text: formulaText(version),
    apply_share: Formula.appliesShare(version),
  }));
