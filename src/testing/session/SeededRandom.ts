/** Seeded random numbers: the same seed gives the same numbers, ids and bytes on every machine. */

/** A stream of random numbers, determined by its seed. */
export interface SeededRandom {
  /** A whole number from 0 to 2^32 − 1. */
  readonly uint32: () => number;
  /** A whole number from 0 to `bound` − 1. */
  readonly below: (bound: number) => number;
  /** `length` random bytes. */
  readonly bytes: (length: number) => Uint8Array;
}

/** The stream of a seed (the generator `mulberry32`). */
export const seededRandom = (seed: number): SeededRandom => {
  let state = seed >>> 0;
  const word = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  return {
    uint32: word,
    below: (bound) => word() % bound,
    bytes: (length) => Uint8Array.from({ length }, () => word() & 0xff),
  };
};

/** A 32-bit digest of a text (FNV-1a), for seeds and transcripts. */
export const digest = (text: string, from = 0x811c9dc5): number => {
  let value = from;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value >>> 0;
};
