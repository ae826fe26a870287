import { Effect, Either } from "effect";
import { decode } from "quittance/formula";
import { describe, expect, it } from "vitest";
import { proposalsAt, SNIPPETS } from "../../adapters/console/playground/Completions.ts";

describe("a proposal of the editor", () => {
  it.each(Object.entries(SNIPPETS))("for %s is an expression", (_kind, snippet) => {
    const decoded = Effect.runSync(Effect.either(decode(snippet)));
    expect(Either.isLeft(decoded) ? decoded.left : null).toBeNull();
  });

  it("names the facts of attributions, and the properties of the schema", () => {
    const propose = (text: string) =>
      proposalsAt(text, text.length, [{ name: "amount", type: "number", required: true }]);
    expect(propose('{"type": "attribute", "name": "o').map(({ text }) => text)).toEqual(["occurred_at"]);
    expect(propose('{"type": "property", "name": "a').map(({ text }) => text)).toEqual(["amount"]);
    expect(propose('{"type": "an').map(({ text }) => text)).toEqual(["and"]);
  });
});
