/** SHA-256 through the Web Crypto interface that browsers and Node share, and comparison in constant time. */
import { Effect } from "effect";

declare const crypto: {
  readonly subtle: { digest(name: "SHA-256", bytes: Uint8Array): Promise<ArrayBuffer> };
};
declare const TextEncoder: { new (): { encode(text: string): Uint8Array } };

/** The SHA-256 of bytes, or of a text's UTF-8, in hexadecimal. */
export const sha256Hex = (input: Uint8Array | string): Effect.Effect<string> =>
  Effect.map(
    Effect.promise(() =>
      crypto.subtle.digest("SHA-256", typeof input === "string" ? new TextEncoder().encode(input) : input),
    ),
    (digest) => Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join(""),
  );

/** Whether two texts of equal length are the same; takes the same time wherever they first differ. */
export const sameDigest = (one: string, other: string): boolean => {
  let difference = one.length ^ other.length;
  for (let index = 0; index < one.length; index++)
    difference |= one.charCodeAt(index) ^ other.charCodeAt(index);
  return difference === 0;
};
