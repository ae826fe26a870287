/** Parts of a calculation in words. */

/** A calculation in words; `binds` is the precedence: 0 a single value, 1 a product, 2 a sum, 3 a clause. */
export interface Phrase {
  readonly text: string;
  readonly binds: 0 | 1 | 2 | 3;
}

/** A single value. */
export const atom = (text: string): Phrase => ({ text, binds: 0 });

/** The text of an operand: in parentheses when it binds more than `most`. */
export const inside = ({ text, binds }: Phrase, most: Phrase["binds"]): string =>
  binds > most ? `(${text})` : text;

/** A number below zero, which words such as “about” may precede. */
const BELOW_ZERO = /^(\p{L}+\.? )?−/u;

/** The sum of two texts; a term below zero is taken away. */
export const plus = (left: string, term: string): string =>
  BELOW_ZERO.test(term) ? `${left} − ${term.replace("−", "")}` : `${left} + ${term}`;

/** The difference of two texts; a term below zero is added. */
export const minus = (left: string, term: string): string =>
  BELOW_ZERO.test(term) ? `${left} + ${term.replace("−", "")}` : `${left} − ${term}`;

/** A calculation with its result, where the calculation is more than the result. */
export const withResult = ({ text, binds }: Phrase, result: string): string =>
  text === result || (binds === 0 && text.startsWith(`${result} (`)) ? text : `${text} = ${result}`;
