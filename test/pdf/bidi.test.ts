import { expect, it } from "@effect/vitest";
import bidiFactory from "bidi-js";
import fc from "fast-check";
import * as Bidi from "../../adapters/pdf/Bidi.ts";
import * as Fonts from "../../adapters/pdf/Fonts.ts";
import * as Runs from "../../adapters/pdf/Runs.ts";

/** Its published types describe a module where there is a function. */
const other = (
  bidiFactory as unknown as () => {
    readonly getEmbeddingLevels: (text: string, base: "ltr") => { readonly levels: Uint8Array };
    readonly getMirroredCharacter: (character: string) => string | null;
  }
)();

const ALPHABET = [..."aZäשםא٠٣سلا۱۲019 ,.:/-+%€$()[]«»<>\"'&·é日本ไทहि\u0301\u064b\u05b0\u0964"];

const piece = fc
  .array(fc.constantFrom(...ALPHABET), { maxLength: 10 })
  .map((characters) => characters.join(""));

/** A text whose last character is never white space, which another rule would move. */
const text = fc
  .array(fc.tuple(piece, fc.boolean()), { maxLength: 4 })
  .map(
    (pieces) => `${pieces.map(([each, isIsolated]) => (isIsolated ? Bidi.isolate(each) : each)).join("")}.`,
  );

/** The characters in visual order from left to right, each with its direction. */
const seen = (characters: ReadonlyArray<string>, levels: ArrayLike<number>): ReadonlyArray<string> =>
  Bidi.reorder(
    characters.map((character, index) => ({ character, level: levels[index] ?? 0 })),
    ({ level }) => level,
  ).flatMap(({ character, level }) => (/[\u2068\u2069]/.test(character) ? [] : `${character}${level % 2}`));

it("the visual order is that of another implementation of the bidirectional algorithm", () => {
  fc.assert(
    fc.property(text, (value) => {
      const characters = [...value];
      expect(seen(characters, Bidi.levelsOf(characters))).toEqual(
        seen(characters, other.getEmbeddingLevels(value, "ltr").levels),
      );
    }),
    { numRuns: 3_000 },
  );
});

it("the same brackets are mirrored as in another implementation", () => {
  for (const character of "()[]{}<>«»‹›「」（）≤≥") {
    expect(Bidi.mirror(character)).toBe(other.getMirroredCharacter(character));
  }
});

/** The characters without their order, either one of a pair of brackets standing for both. */
const unordered = (value: string): string =>
  [...value.normalize("NFD")]
    .map((character) => (character < Bidi.mirror(character) ? character : Bidi.mirror(character)))
    .sort()
    .join("");

it("every character is in exactly one run", () => {
  const families = Fonts.open(Fonts.installedSources());
  fc.assert(
    fc.property(text, (value) => {
      const runs = Runs.runsOf(Runs.clustersOf(families, value));
      expect(unordered(runs.map((run) => run.text).join(""))).toBe(unordered(Bidi.removeMarks(value)));
    }),
  );
});
