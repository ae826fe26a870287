/**
 * SHA-256 (FIPS 180-4) of short texts, computed at once. Web Crypto answers later, from another thread; for the few
 * bytes of a credential, asked with every request, the detour costs many times the digest. The steps and their number
 * depend on the length of the text alone, so that their time tells nothing of what it says.
 */

declare const TextEncoder: { new (): { encode(text: string): Uint8Array } };

const fractional = (root: number): number => Math.floor((root - Math.floor(root)) * 2 ** 32) | 0;

const primes = (count: number): ReadonlyArray<number> => {
  const found: Array<number> = [];
  for (let candidate = 2; found.length < count; candidate++)
    if (found.every((prime) => candidate % prime !== 0)) found.push(candidate);
  return found;
};

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
const ROUND = Int32Array.from(primes(64), (prime) => fractional(Math.cbrt(prime)));

/** The same of the square roots of the first 8 primes. */
const INITIAL = Int32Array.from(primes(8), (prime) => fractional(Math.sqrt(prime)));

const BLOCK_BYTES = 64;
const LENGTH_BYTES = 8;

const encoder = new TextEncoder();

const rotated = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/** The text's UTF-8, a bit, zeros, and its length in bits: whole blocks. */
const padded = (text: string): Uint8Array => {
  const bytes = encoder.encode(text);
  const blocks = Math.ceil((bytes.length + 1 + LENGTH_BYTES) / BLOCK_BYTES);
  const message = new Uint8Array(blocks * BLOCK_BYTES);
  message.set(bytes);
  message[bytes.length] = 0x80;
  let bits = bytes.length * 8;
  for (let index = message.length - 1; bits > 0; index--) {
    message[index] = bits % 256;
    bits = Math.floor(bits / 256);
  }
  return message;
};

const at = (words: Int32Array, index: number): number => words[index] ?? 0;

const expand = (message: Uint8Array, from: number, schedule: Int32Array): void => {
  for (let index = 0; index < 16; index++) {
    const byte = (offset: number): number => message[from + 4 * index + offset] ?? 0;
    schedule[index] = (byte(0) << 24) | (byte(1) << 16) | (byte(2) << 8) | byte(3);
  }
  for (let index = 16; index < 64; index++) {
    const [early, late] = [at(schedule, index - 15), at(schedule, index - 2)];
    const one = rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3);
    const two = rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10);
    schedule[index] = (at(schedule, index - 16) + one + at(schedule, index - 7) + two) | 0;
  }
};

const compress = (state: Int32Array, schedule: Int32Array): void => {
  let [a, b, c, d] = [at(state, 0), at(state, 1), at(state, 2), at(state, 3)];
  let [e, f, g, h] = [at(state, 4), at(state, 5), at(state, 6), at(state, 7)];
  for (let index = 0; index < 64; index++) {
    const sigmaE = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
    const one = (h + sigmaE + ((e & f) ^ (~e & g)) + at(ROUND, index) + at(schedule, index)) | 0;
    const sigmaA = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
    const two = (sigmaA + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  const worked = [a, b, c, d, e, f, g, h];
  for (let index = 0; index < 8; index++) state[index] = (at(state, index) + (worked[index] ?? 0)) | 0;
};

/** The SHA-256 of a text's UTF-8, in hexadecimal. */
export const sha256HexAtOnce = (text: string): string => {
  const message = padded(text);
  const state = INITIAL.slice();
  const schedule = new Int32Array(64);
  for (let from = 0; from < message.length; from += BLOCK_BYTES) {
    expand(message, from, schedule);
    compress(state, schedule);
  }
  let hex = "";
  for (const word of state) hex += (word >>> 0).toString(16).padStart(8, "0");
  return hex;
};
