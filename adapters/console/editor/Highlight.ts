/** The parts of a text that differ in colour, by the lexer of the language. */
import { tokenize } from "quittance/formula";
import type { Entry } from "./Vocabulary.ts";

/** A piece of a text, and the class of its colour. */
export interface Piece {
  readonly from: number;
  readonly to: number;
  readonly kind: "name" | "word" | "number" | "text" | "comment";
}

const KINDS: Readonly<Record<string, Piece["kind"]>> = {
  number: "number",
  date: "number",
  string: "text",
  property: "name",
  variable: "name",
  word: "word",
};

/** The pieces of a formula in the text form. A word of the language that is a name of the sales is a name. */
export const piecesOfText = (text: string, entries: ReadonlyArray<Entry>): ReadonlyArray<Piece> => {
  const words = new Map(
    entries.toReversed().map(({ word, isOffered, snippet }) => [word, isOffered && snippet === undefined]),
  );
  const tokens = tokenize(text);
  const pieces = tokens.flatMap(
    ({ kind, text: found, start: from, end: to }, index): ReadonlyArray<Piece> => {
      const isMember = tokens[index - 1]?.text === ".";
      const known = kind === "name" && words.has(found) && !isMember ? !words.get(found) : false;
      const shown = known ? "word" : kind === "name" ? "name" : KINDS[kind];
      return shown === undefined ? [] : [{ from, to, kind: shown }];
    },
  );
  // No token is a comment: they are what stands between tokens.
  const comments = tokens.flatMap(({ start }, index): ReadonlyArray<Piece> => {
    const from = tokens[index - 1]?.end ?? 0;
    return [...text.slice(from, start).matchAll(/#[^\r\n]*/g)].map(({ index: at, 0: comment }) => ({
      ...{ from: from + at, to: from + at + comment.length },
      kind: "comment",
    }));
  });
  return [...pieces, ...comments].toSorted((a, b) => a.from - b.from);
};

/** The pieces of a JSON text. */
export const piecesOfJson = (text: string): ReadonlyArray<Piece> =>
  [...text.matchAll(/("(?:[^"\\\n]|\\.)*")(\s*:)?|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/g)].map(
    ({ index, 0: whole, 1: quoted, 2: colon }) => ({
      from: index,
      to: index + (quoted ?? whole).length,
      kind: quoted === undefined ? "number" : colon === undefined ? "text" : "name",
    }),
  );
