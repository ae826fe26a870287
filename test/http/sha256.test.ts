import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { sha256HexAtOnce } from "../../src/services/Sha256.ts";

const expected = (text: string): string => createHash("sha256").update(text).digest("hex");

it("SHA-256 computed at once is that of Node, for every length around its blocks", () => {
  for (let length = 0; length < 200; length++) {
    const text = "a".repeat(length);
    expect(sha256HexAtOnce(text)).toBe(expected(text));
  }
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
      expect(sha256HexAtOnce(text)).toBe(expected(text));
    }),
  );
});
