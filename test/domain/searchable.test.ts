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

  it("finds a word up to its final sigma as it is typed", () => {
    expect(searchable("Οδυσσεύς")).toContain(searchable("σεύσ"));
  });

  it("keeps apart what differs, and gives no character another meaning", () => {
    expect(searchable("Cafe")).not.toBe(searchable("Café"));
    expect(searchable("a%b_c\\d")).toBe("a%b_c\\d");
  });

  it("is its own form, for every code point alone and beside others", () => {
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
