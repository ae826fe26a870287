/** SHA-256, whose interface differs between platforms. */
import { Context, Effect, Encoding } from "effect";

declare const crypto: {
  readonly subtle: { digest(name: "SHA-256", bytes: Uint8Array): Promise<ArrayBuffer> };
};
declare const TextEncoder: { new (): { encode(text: string): Uint8Array } };

/** What a host may supply; a synchronous digest spares each request a wait for another thread. */
export interface DigestService {
  /** The SHA-256 of bytes, or of a text's UTF-8, in hexadecimal. */
  readonly sha256Hex: (input: Uint8Array | string) => Effect.Effect<string>;
}

const webCrypto: DigestService = {
  sha256Hex: (input) =>
    Effect.map(
      Effect.promise(() =>
        crypto.subtle.digest("SHA-256", typeof input === "string" ? new TextEncoder().encode(input) : input),
      ),
      (digest) => Encoding.encodeHex(new Uint8Array(digest)),
    ),
};

/** The digest; Web Crypto, which browsers and Node share, unless a host supplies another. */
export class Digest extends Context.Reference<Digest>()("quittance/ports/Digest", {
  defaultValue: (): DigestService => webCrypto,
}) {}
