/** The words of the code editor: what completion inserts can be read, every word has a meaning, and colours follow the lexer. */
import { parse } from "quittance/formula";
import { describe, expect, it } from "vitest";
import { piecesOfJson, piecesOfText } from "../../adapters/console/editor/Highlight.ts";
import { vocabularyOf } from "../../adapters/console/editor/Vocabulary.ts";
import * as Words from "../../src/formula/text/Words.ts";

const PROPERTIES = [
  { name: "amount", type: "number", required: true, format: "money_minor" },
  { name: "order total", type: "number", required: false, format: "money_major" },
  { name: "count", type: "number", required: true },
  { name: "category", type: "string", required: false, default: "other" },
] as const;

const entries = vocabularyOf({ properties: PROPERTIES });

describe("what completion inserts", () => {
  it.each(entries.filter(({ isOffered }) => isOffered).map((entry) => [entry.word, entry] as const))(
    "for %s is text of the language",
    (_, { word, snippet }) => {
      const text = (snippet ?? word).replace(/#\{([^}]*)\}/g, "$1").replace("if condition", "if amount > 5");
      expect(parse(text)).toHaveProperty("_tag", "Right");
    },
  );
});

describe("every word of the language", () => {
  it("has a meaning", () => {
    const spoken = [
      ...Words.RESERVED,
      ...Object.values(Words.OPERAND_CALLS),
      ...Object.values(Words.RUNS).map(({ call }) => call),
      ...Object.values(Words.CALLS),
      ...[Words.AGGREGATES, Words.CALENDAR_UNITS, Words.PARTS, Words.UNITS, Words.MODES].flatMap((table) =>
        Object.values(table).flatMap((words) => words.split(" ")),
      ),
    ];
    const known = new Set(entries.map(({ word }) => word));
    expect(spoken.filter((word) => !known.has(word))).toEqual([]);
  });

  it("which for a function of operands is that of the language", () => {
    const functions = entries.filter(({ word }) => ["min", "date"].includes(word));
    expect(functions.map(({ word, meaning, snippet }) => [word, meaning, snippet])).toEqual([
      ["min", "the least of the operands; limits an amount from above", "min(#{amount}, #{1000})"],
      [
        "date",
        "the date that an ISO 8601 text such as 2026-01-31 names; absent when it names none",
        "date(#{value})",
      ],
    ]);
  });

  it("and every property, with its unit", () => {
    expect(entries.slice(0, 4).map(({ word, meaning }) => `${word}: ${meaning}`)).toEqual([
      "amount: money, in the smallest unit of the currency",
      "[order total]: money, in whole units of the currency; may be missing",
      "count: a number, without a declared unit",
      'category: a text; "other" where a sale does not say',
    ]);
  });
});

describe("colours", () => {
  const shown = (text: string) =>
    piecesOfText(text, entries).map(({ from, to, kind }) => `${kind} ${text.slice(from, to)}`);

  it("tell names, words, numbers, texts and comments apart", () => {
    expect(shown('if amount > 10 then [order total] else "#" # why')).toEqual([
      ...["word if", "name amount", "number 10", "word then", "name [order total]", "word else"],
      ...['text "#"', "comment # why"],
    ]);
  });

  it("show a property that is called like a word as a name", () => {
    expect(shown("count + 1")).toEqual(["name count", "number 1"]);
  });

  it("are found in JSON", () => {
    const text = '{ "type": "x", "n": -1.5, "b": true }';
    expect(piecesOfJson(text).map(({ from, to, kind }) => `${kind} ${text.slice(from, to)}`)).toEqual([
      ...['name "type"', 'text "x"', 'name "n"', "number -1.5", 'name "b"', "number true"],
    ]);
  });
});
