import { describe, it } from "@effect/vitest";
import { Effect } from "effect";
import * as fc from "fast-check";
import { Digest } from "quittance";
import { expect } from "vitest";
import * as NodeDigest from "../../adapters/server/NodeDigest.ts";

const digest = (input: string | Uint8Array) =>
  Effect.flatMap(Digest.Digest, ({ sha256Hex }) => sha256Hex(input));

describe("Node's digest", () => {
  it("equals that of Web Crypto, for texts and bytes", async () => {
    const input = fc.oneof(fc.string({ unit: "binary" }), fc.uint8Array());
    await fc.assert(
      fc.asyncProperty(input, async (given) => {
        const [byDefault, byNode] = await Effect.runPromise(
          Effect.all([digest(given), Effect.provide(digest(given), NodeDigest.layer)]),
        );
        expect(byNode).toBe(byDefault);
      }),
    );
  });

  it.effect("equals the example of the standard", () =>
    Effect.gen(function* () {
      const expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
      expect(yield* Effect.provide(digest("abc"), NodeDigest.layer)).toBe(expected);
    }),
  );
});
