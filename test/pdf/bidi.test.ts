import { describe, expect, it } from "@effect/vitest";
import fc from "fast-check";
import * as Bidi from "../../adapters/pdf/Bidi.ts";
import * as Fonts from "../../adapters/pdf/Fonts.ts";
import * as Runs from "../../adapters/pdf/Runs.ts";

const ALPHABET = [..."aZäשםא٠٣سلا۱۲019 ,.:/-+%€$()[]«»<>\"'&·é日本ไทहि\u0301\u064b\u05b0\u0964"];

const piece = fc
  .array(fc.constantFrom(...ALPHABET), { maxLength: 10 })
  .map((characters) => characters.join(""));

const text = fc
  .array(fc.tuple(piece, fc.boolean()), { maxLength: 4 })
  .map(
    (pieces) => `${pieces.map(([each, isIsolated]) => (isIsolated ? Bidi.isolate(each) : each)).join("")}.`,
  );

/** The characters in visual order from left to right, mirrored where they run from right to left. */
const visual = (value: string): string => {
  const levels = Bidi.levelsOf(value);
  const units = [...value].map((character, index) => ({ character, level: levels[index] ?? 0 }));
  return Bidi.removeMarks(
    Bidi.reorder(units, ({ level }) => level)
      .map(({ character, level }) => (level % 2 === 1 ? (Bidi.mirrorOf(character) ?? character) : character))
      .join(""),
  );
};

describe("the visual order", () => {
  it.each([
    ["abc אבג 123", "abc 123 גבא"],
    ["שלום (עולם) a", "(םלוע) םולש a"],
    ["סך הכל: 12.50 EUR", "12.50 :לכה ךס EUR"],
    ["אבג 1,5-2 دهـ ٣٤ x", "٣٤ ـهد 1,5-2 גבא x"],
    ["(אב) [cd]", "(בא) [cd]"],
    ["50% ל-10/2026", "50% 10/2026-ל"],
    ["Ä\u0301 ب\u064b c", "Ä\u0301 \u064bب c"],
    ["« שלום » x", "« םולש » x"],
  ])("of %s is %s", (value, expected) => expect(visual(value)).toBe(expected));

  it.each([
    [`a ${Bidi.isolate("שלום 5")} b`, "a 5 םולש b"],
    [`price ${Bidi.isolate("مبلغ: 100 €")}, ok`, "price € 100 :غلبم, ok"],
  ])("of an isolated text does not depend on the text around it: %s", (value, expected) =>
    expect(visual(value)).toBe(expected),
  );
});

/** The characters without their order, either one of a mirrored pair standing for both. */
const unordered = (value: string): string =>
  [...value.normalize("NFD")]
    .map((character) => {
      const mirror = Bidi.mirrorOf(character) ?? character;
      return character < mirror ? character : mirror;
    })
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
