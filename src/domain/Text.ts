/** Strings the engine accepts: any Unicode that every store can hold, bounded in code points. */
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

/** The form in which names are searched without regard to case. */
export const searchable = (text: string): string => text.toLowerCase();
