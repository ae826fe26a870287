/**
 * Text as terminals and logs show it. Names, references and files are chosen by others, and may contain characters that move
 * the cursor, colour the screen, begin a line or turn its direction around.
 */

/** Control characters and line ends, marks of direction, and halves of characters. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Cs}]/gu;

/** As in JSON, so that a line of JSON stays the same value. */
const codeOf = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** One line: what cannot be printed is shown as its code, line ends included. */
export const printableLine = (text: string): string => text.replace(UNPRINTABLE, codeOf);

/** Several lines: line feeds stay. */
export const printableText = (text: string): string =>
  text.replace(UNPRINTABLE, (character) => (character === "\n" ? character : codeOf(character)));
