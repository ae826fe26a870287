/** Why a text is no formula, and where. */

/** A mistake in a text: what was found and what would be right. Lines and columns count from 1, columns in characters. */
export type TextProblem = {
  readonly line: number;
  readonly column: number;
  /** Where it begins and ends, in UTF-16 code units from the beginning of the text. */
  readonly start: number;
  readonly end: number;
  readonly message: string;
};

/** The problem on one line: `line 2, column 5: …`. */
export const format = ({ line, column, message }: TextProblem): string =>
  `line ${line}, column ${column}: ${message}`;

/** The line and column of a place in a text. */
export const placeOf = (text: string, offset: number): Pick<TextProblem, "line" | "column"> => {
  const before = text.slice(0, offset);
  const lines = before.split(/\r\n?|\n/);
  return { line: lines.length, column: [...(lines.at(-1) ?? "")].length + 1 };
};

/** A problem at a place of a text. */
export const problemAt = (text: string, start: number, end: number, message: string): TextProblem => ({
  ...placeOf(text, start),
  start,
  end,
  message,
});

/** A piece of the text in a message, cut so that the message stays short. */
export const excerpt = (text: string): string => {
  const characters = [...text.slice(0, 100)];
  return characters.length > 40 ? `${characters.slice(0, 40).join("")}…` : text;
};

/** The longest name for which others are suggested. */
const SUGGESTED_LENGTH_MAX = 64;

/** How many letters have to be added, left out, replaced or swapped with their neighbours; `most + 1` for any more than `most`. */
const distance = (a: string, b: string, most: number): number => {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let [before, last]: [ReadonlyArray<number>, ReadonlyArray<number>] = [
    [],
    Array.from({ length: b.length + 1 }, (_, index) => index),
  ];
  for (let row = 1; row <= a.length; row++) {
    const next = [row];
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      next.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (next[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (before[column - 2] ?? most) + 1 : most + 1,
        ),
      );
    }
    [before, last] = [last, next];
  }
  return Math.min(last[b.length] ?? 0, most + 1);
};

/** The candidate that a name was most likely meant to be; undefined if none is near. */
export const nearest = (name: string, candidates: Iterable<string>): string | undefined => {
  if (name.length > SUGGESTED_LENGTH_MAX) return undefined;
  const written = name.toLowerCase();
  const most = Math.min(2, Math.floor(written.length / 3));
  let [found, least]: [string | undefined, number] = [undefined, most + 1];
  for (const candidate of candidates) {
    if (candidate === name) continue;
    const edits = distance(written, candidate.toLowerCase(), most);
    if (edits < least) [found, least] = [candidate, edits];
  }
  return found;
};
