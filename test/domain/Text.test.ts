import { Schema } from "effect";
import { Text } from "quittance";
import { describe, expect, it } from "vitest";

const { searchable } = Text;

describe("the form in which names are searched", () => {
  it.each([
    ["Οδυσσεύς", "οδυσσεύς"],
    ["Οδυσσεύς", "ΟΔΥΣΣΕΎΣ"],
    ["İstanbul", "istanbul"],
    ["İSTANBUL", "i\u0307stanbul"],
    ["Café", "cafe\u0301"],
    ["CAFÉ", "caf\u00e9"],
    ["Straße", "STRASSE"],
    ["ﬁnance", "FINANCE"],
    ["１００ %", "100 %"],
  ])("%s is found by %s", (name, asked) => {
    expect(searchable(name)).toBe(searchable(asked));
  });

  it("finds a word with a final sigma while it is typed", () => {
    expect(searchable("Οδυσσεύς")).toContain(searchable("σεύσ"));
  });

  it("distinguishes different names, and has no wildcard characters", () => {
    expect(searchable("Cafe")).not.toBe(searchable("Café"));
    expect(searchable("a%b_c\\d")).toBe("a%b_c\\d");
  });

  it("is unchanged when it is applied twice, for every code point alone and beside others", () => {
    const changed: Array<string> = [];
    for (let point = 0; point <= 0x10ffff; point++) {
      if (point >= 0xd800 && point <= 0xdfff) continue;
      const text = String.fromCodePoint(point);
      const folded = searchable(text);
      if (searchable(folded) !== folded || searchable(text.toUpperCase()) !== folded) changed.push(text);
      if (point % 97 === 0) {
        const beside = searchable(`aΣ${text}\u0307\u0301`);
        if (searchable(beside) !== beside) changed.push(beside);
      }
    }
    expect(changed).toEqual([]);
  });
});

describe("text", () => {
  it.each([
    ["", false],
    ["  ", false],
    ["a", true],
    ["𝄞".repeat(3), true],
    ["𝄞".repeat(4), false],
    ["a\u0000", false],
    ["a\ud800", false],
  ])("of one to three characters: %j is %s", (text, accepted) => {
    expect(Schema.is(Text.Text(1, 3))(text)).toBe(accepted);
  });
});

describe("the problem of a text", () => {
  const problemOf = (minimum: 0 | 1, text: string): string => {
    try {
      Schema.decodeUnknownSync(Text.Text(minimum, 3))(text);
      return "";
    } catch (error) {
      return (
        String((error as Error).message)
          .split("\n")
          .at(-1)
          ?.replace(/^[^a-z]*(Predicate.*)?/, "") ?? ""
      );
    }
  };

  it.each([
    [1, "", "must not be empty"],
    [1, "\u2003", "must not be empty"],
    [0, "", ""],
    [0, "  ", ""],
    [1, "abcd", "must have 1 to 3 characters"],
    [0, "abcd", "must have 0 to 3 characters"],
    [1, "a\u0000", "must not contain U+0000"],
    [0, "\udc00", "must not contain an unpaired surrogate"],
  ] as const)("of %i to 3 characters: %j %s", (minimum, text, problem) => {
    expect(problemOf(minimum, text)).toBe(problem);
  });

  it("counts a length in code points", () => {
    expect(Text.codePoints("a𝄞é")).toBe(3);
    expect(Text.codePoints("")).toBe(0);
  });
});
