/** Names and texts between signs: what may stand bare, what is escaped, and how escapes are written. */
import { RESERVED } from "./Words.ts";

/** The sign that ends each kind of quotation. */
export const CLOSING = { string: '"', property: "]", variable: "`" } as const;

const OPENING = { string: '"', property: "[", variable: "`" } as const;

/** What stands between signs. */
export type Quoted = keyof typeof CLOSING;

/**
 * Control, bidirectional and other invisible characters, of which none may stand unescaped: ranges of code points. The list
 * is ours, because the properties of Unicode that name them grow, and a text must not depend on the version of the platform.
 */
const INVISIBLE_RANGES =
  "0-1f 7f-9f ad 61c 115f-1160 17b4-17b5 180b-180e 200b-200f 2028-202e 2060-206f 3164 d800-dfff fe00-fe0f feff ffa0 fff0-fffb 1d173-1d17a e0000-e0fff";

const classOf = (ranges: string): string => ranges.replace(/[0-9a-f]+/g, "\\u{$&}").replaceAll(" ", "");

const INVISIBLE = new RegExp(`[${classOf(INVISIBLE_RANGES)}]`, "u");

/** Blanks of other widths than the usual one, which look the same. */
const BLANK_RANGES = "a0 1680 2000-200a 202f 205f 3000";

const LEADING_MARK = /^\p{M}/u;

/** Where the first invisible character of a text stands; undefined if there is none. */
export const findInvisible = (text: string): number | undefined => INVISIBLE.exec(text)?.index;

/** A character by its number: `\u{202e}`. */
export const escapeCharacter = (character: string): string =>
  `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;

const NEEDS_NUMBER = new RegExp(`[${classOf(`${INVISIBLE_RANGES} ${BLANK_RANGES}`)}]`, "gu");

/**
 * A text between its signs. Escaped are the closing sign, the backslash, line breaks, what cannot be seen or seen apart, and
 * a mark at the beginning, which would be drawn over the sign.
 */
export const quote = (kind: Quoted, text: string): string => {
  const inside = text
    .replace(/\\/g, "\\\\")
    .replaceAll(CLOSING[kind], `\\${CLOSING[kind]}`)
    .replace(NEEDS_NUMBER, (character) => (character === "\n" ? "\\n" : escapeCharacter(character)))
    .replace(LEADING_MARK, escapeCharacter);
  return OPENING[kind] + inside + CLOSING[kind];
};

/**
 * A letter or underscore, then also digits. Letters that are written from right to left are left out: among signs and
 * digits they would be shown in another order than they stand in.
 */
const NAME_START =
  "(?![\\u0590-\\u08ff\\u115f\\u1160\\u3164\\uffa0\\ufb1d-\\ufdff\\ufe70-\\ufefe\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}])[\\p{L}_]";
export const NAME = new RegExp(`${NAME_START}(?:${NAME_START}|[0-9])*`, "uy");

/** True if a name can stand by itself, without signs around it. */
export const isBare = (name: string): boolean => {
  NAME.lastIndex = 0;
  return NAME.exec(name)?.[0] === name && !RESERVED.has(name);
};
