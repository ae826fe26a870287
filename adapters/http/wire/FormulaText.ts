/** Expressions on the wire as text. */
import { Formula } from "quittance";
import { type Expression, print } from "quittance/formula";

/** The parameters of a formula or a plan on the wire, absent where it declares none. */
export const declarations = ({ parameters }: Formula.Terms) =>
  parameters.length === 0 ? undefined : parameters;

/** Texts of expressions that a store keeps in memory. */
const texts = new WeakMap<Expression, string>();

/** The text form of the expression that a formula or a plan states last. */
export const formulaText = (terms: Formula.Terms): string => {
  const expression = Formula.currentExpression(terms);
  const text = texts.get(expression) ?? print(expression);
  texts.set(expression, text);
  return text;
};
