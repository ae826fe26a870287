/**
 * Identities that follow from a name: the same parts always give the same UUID, so that a record is found by what it is
 * about. A UUID version 8 (RFC 9562) whose bits are the first of the SHA-256 of the parts.
 */
import { hex, uuidV8 } from "./Ids.ts";

declare const TextEncoder: { new (): { encode(text: string): Uint8Array } };

/** Encodes a text in UTF-8. */
export const utf8 = new TextEncoder();

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes, and of the square roots of the first 8. */
const constants = (): { readonly rounds: Uint32Array; readonly initial: Uint32Array } => {
  const primes: Array<number> = [];
  for (let candidate = 2; primes.length < 64; candidate++) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  }
  const fraction = (value: number): number => Math.floor((value - Math.floor(value)) * 2 ** 32);
  return {
    rounds: Uint32Array.from(primes, (prime) => fraction(Math.cbrt(prime))),
    initial: Uint32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime))),
  };
};

const { rounds: ROUNDS, initial: INITIAL } = constants();

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
