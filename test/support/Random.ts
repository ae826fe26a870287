/** Pseudo-random decisions from a seed, so that a run can be repeated. */

/** A sequence of decisions. */
export interface Random {
  /** At least 0, below 1. */
  readonly fraction: () => number;
  /** An integer from `least` to `most`, both included. */
  readonly integer: (least: number, most: number) => number;
  /** True with a probability from 0 to 1. */
  readonly chance: (probability: number) => boolean;
  /** An element of a list; throws when the list is empty. */
  readonly pick: <Value>(values: ReadonlyArray<Value>) => Value;
  /** An element of a list; null when the list is empty. */
  readonly pickAny: <Value>(values: ReadonlyArray<Value>) => Value | null;
  /** At most `most` elements of a list, in random order. */
  readonly some: <Value>(values: ReadonlyArray<Value>, most: number) => ReadonlyArray<Value>;
  /** A UUID of version 4. */
  readonly uuid: () => string;
  /** A separate sequence, so that the timing of concurrent users does not change their decisions. */
  readonly fork: () => Random;
}

/** Mulberry32, a generator with 32 bits of state. */
const bits = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
};

/** The sequence of a seed. */
export const random = (seed: number): Random => {
  const next = bits(seed);
  const fraction = (): number => next() / 2 ** 32;
  const integer = (least: number, most: number): number =>
    least + Math.floor(fraction() * (most - least + 1));
  return {
    fraction,
    integer,
    chance: (probability) => fraction() < probability,
    pick: (values) => {
      const value = values[integer(0, values.length - 1)];
      if (value === undefined) throw new Error("there is nothing to pick from");
      return value;
    },
    pickAny: (values) => values[integer(0, values.length - 1)] ?? null,
    some: (values, most) => {
      const left = [...values];
      return Array.from({ length: Math.min(most, left.length) }, () =>
        left.splice(integer(0, left.length - 1), 1),
      ).flat();
    },
    uuid: () => "xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx".replaceAll("x", () => integer(0, 15).toString(16)),
    fork: () => random(next()),
  };
};
