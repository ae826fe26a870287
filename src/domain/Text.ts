/** Strings: any Unicode that every store can hold, bounded in code points. */
import { Schema } from "effect";

/** How many Unicode code points a string holds. */
export const codePoints = (text: string): number => {
  let count = 0;
  for (const _ of text) count++;
  return count;
};

/** Why a string cannot be stored, or null: U+0000 and unpaired surrogates are refused by PostgreSQL's JSON. */
export const unstorable = (text: string): string | null =>
  text.includes("\u0000")
    ? "must not contain U+0000"
    : text.isWellFormed()
      ? null
      : "must not contain an unpaired surrogate";

const problem = (text: string, minimum: number, maximum: number): string | true => {
  const refused = unstorable(text);
  if (refused !== null) return refused;
  if (minimum > 0 && text.trim() === "") return "must not be empty";
  if (text.length < minimum || (text.length > maximum && codePoints(text) > maximum)) {
    return `must have ${minimum} to ${maximum} characters`;
  }
  return true;
};

/** Text of `minimum` to `maximum` code points; where a character is required, white space alone is refused. */
export const Text = (minimum: 0 | 1, maximum: number) =>
  Schema.String.pipe(
    Schema.filter((text) => problem(text, minimum, maximum), {
      jsonSchema: { minLength: minimum, maxLength: maximum },
    }),
  );

/** The version of {@link searchable}: stored forms of another version, or of another Unicode version, are recomputed. */
export const SEARCHABLE_VERSION = 1;

const COMBINING_DOT_ABOVE = /\u0307/g;

/** The fast path: ASCII text folds to its lower case, and nearly every name is ASCII. */
const ASCII = /^[\0-\x7f]*$/;

const foldOnce = (text: string): string => {
  let folded = "";
  // Each code point by itself: the lower case of a final sigma would depend on its neighbours.
  for (const character of text.normalize("NFKD")) {
    for (const upper of character.toUpperCase()) folded += upper.toLowerCase();
  }
  return folded.normalize("NFKD").replace(COMBINING_DOT_ABOVE, "");
};

/**
 * The form in which names are searched: it ignores case, the composition of accents, and differences that Unicode calls
 * compatible. Idempotent.
 */
export const searchable = (text: string): string => {
  if (ASCII.test(text)) return text.toLowerCase();
  const folded = foldOnce(text);
  return folded === text ? folded : searchable(folded);
};
