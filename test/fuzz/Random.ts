/** Chance that a seed repeats (mulberry32). */
export interface Random {
  /** At least 0, below 1. */
  readonly next: () => number;
  /** A whole number, both ends included. */
  readonly between: (low: number, high: number) => number;
  readonly chance: (probability: number) => boolean;
  readonly pick: <A>(items: readonly [A, ...ReadonlyArray<A>] | ReadonlyArray<A>) => A;
  readonly uuid: () => string;
}

export const seeded = (seed: number): Random => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const between = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    between,
    chance: (probability) => next() < probability,
    pick: (items) => {
      const item = items[between(0, items.length - 1)];
      if (item === undefined) throw new Error("nothing to pick from");
      return item;
    },
    uuid: () => "xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx".replaceAll("x", () => between(0, 15).toString(16)),
  };
};
