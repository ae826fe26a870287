/** SHA-256 by Node's own library, which is synchronous. */
import { hash } from "node:crypto";
import { Effect, Layer } from "effect";
import { Digest } from "quittance";

/** Replaces the digest of the platform-independent default. */
export const layer: Layer.Layer<never> = Layer.succeed(Digest.Digest, {
  sha256Hex: (input) => Effect.sync(() => hash("sha256", input, "hex")),
});
