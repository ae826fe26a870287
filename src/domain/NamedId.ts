/**
 * Identities that follow from a name: the same parts always give the same UUID, so that a record is found by what it is
 * about. A UUID version 8 (RFC 9562) whose bits are the first of the SHA-256 of the parts.
 */
import { hex, uuidV8 } from "./Ids.ts";

declare const TextEncoder: { new (): { encode(text: string): Uint8Array } };

/** Encodes a text in UTF-8. */
export const utf8 = new TextEncoder();

/** The constants of the rounds (FIPS 180-4, 4.2.2). */
// biome-ignore format: eight in a line, as in the standard
const ROUNDS = Uint32Array.of(
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
);

/** The hash before the first block (FIPS 180-4, 5.3.3). */
// biome-ignore format: as in the standard
const INITIAL = Uint32Array.of(
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
);

/** The message with its padding, a whole number of blocks of 64 bytes. */
const padMessage = (message: Uint8Array): DataView => {
  const bytes = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64);
  bytes.set(message);
  bytes[message.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setUint32(bytes.length - 8, Math.floor(message.length / 2 ** 29));
  view.setUint32(bytes.length - 4, message.length << 3);
  return view;
};

const rotate = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits));

/** Extends the sixteen words of a block to 64. */
const schedule = (words: Uint32Array, view: DataView, from: number): void => {
  for (let index = 0; index < 16; index++) words[index] = view.getUint32(from + 4 * index);
  for (let index = 16; index < 64; index++) {
    const near = words[index - 2] ?? 0;
    const far = words[index - 15] ?? 0;
    const sigma0 = rotate(far, 7) ^ rotate(far, 18) ^ (far >>> 3);
    const sigma1 = rotate(near, 17) ^ rotate(near, 19) ^ (near >>> 10);
    words[index] = (words[index - 16] ?? 0) + sigma0 + (words[index - 7] ?? 0) + sigma1;
  }
};

/** SHA-256 (FIPS 180-4) of bytes. It is synchronous, unlike the digest of the platform. */
export const sha256 = (message: Uint8Array): Uint8Array => {
  const view = padMessage(message);
  const state = Uint32Array.from(INITIAL);
  const words = new Uint32Array(64);
  for (let from = 0; from < view.byteLength; from += 64) {
    schedule(words, view, from);
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
    for (let index = 0; index < 64; index++) {
      const choice = (e & f) ^ (~e & g);
      const majority = (a & b) ^ (a & c) ^ (b & c);
      const first =
        h +
        (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +
        choice +
        (ROUNDS[index] ?? 0) +
        (words[index] ?? 0);
      const second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority;
      [a, b, c, d, e, f, g, h] = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g];
    }
    for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) state[index] = (state[index] ?? 0) + word;
  }
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, index) => {
    digest.setUint32(4 * index, word);
  });
  return new Uint8Array(digest.buffer);
};

/** The UUID of the parts, in their order; lists of parts that differ have different ones. */
export const namedId = (...parts: ReadonlyArray<string | number>): string =>
  uuidV8(hex(sha256(utf8.encode(JSON.stringify(parts)))));
