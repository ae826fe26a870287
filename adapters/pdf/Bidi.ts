/** The visual order of the characters of a line, by the Unicode Bidirectional Algorithm (UAX #9). */
import bidiFactory from "bidi-js";
import { memoize } from "./Memoize.ts";

/** The published types describe a module where there is a function that returns it. */
const library = (
  bidiFactory as unknown as () => {
    readonly getEmbeddingLevels: (text: string, base: "ltr") => { readonly levels: Uint8Array };
    readonly getMirroredCharacter: (character: string) => string | null;
  }
)();

/** Isolates a text, so that its direction does not depend on the text around it; remove the marks where text is not typeset. */
export const isolate = (text: string): string => `\u2068${text}\u2069`;

/** The text without the marks of {@link isolate}. */
export const removeMarks = (text: string): string =>
  text.replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "");

/** The mirrored character for text from right to left, such as the other bracket of a pair; null for all others. */
export const mirrorOf = memoize((character: string): string | null =>
  library.getMirroredCharacter(character),
);

/**
 * The embedding level of each UTF-16 unit of a text whose base direction is from left to right: even levels run from left to
 * right, odd ones from right to left.
 */
export const levelsOf = (text: string): Uint8Array => library.getEmbeddingLevels(text, "ltr").levels;

/** The items in visual order, from left to right, given the level of each (rule L2). */
export const reorder = <A>(items: ReadonlyArray<A>, levelOf: (item: A) => number): ReadonlyArray<A> => {
  const ordered = [...items];
  const highest = Math.max(0, ...ordered.map(levelOf));
  for (let level = highest; level >= 1; level -= 1) {
    for (let start = 0; start < ordered.length; start += 1) {
      let end = start;
      while (end < ordered.length && levelOf(ordered[end] as A) >= level) end += 1;
      if (end > start) ordered.splice(start, end - start, ...ordered.slice(start, end).reverse());
      start = end;
    }
  }
  return ordered;
};
