import { describe, it } from "@effect/vitest";
import { Effect, TestClock } from "effect";
import { IdSource, Ids } from "quittance";
import { expect } from "vitest";

const many = (count: number) =>
  Effect.flatMap(IdSource.IdSource, ({ next }) =>
    Effect.all(Array.from({ length: count }, () => next(Ids.Uuid))),
  );

describe("ids", () => {
  it.effect(
    "of one process ascend and never repeat, within a millisecond, across them and when the clock steps back",
    () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(1_700_000_000_000);
        const first = yield* many(10_000);
        yield* TestClock.adjust(1);
        const second = yield* many(100);
        yield* TestClock.setTime(1_600_000_000_000);
        const ids = [...first, ...second, ...(yield* many(100))];
        expect(ids).toEqual([...ids].sort());
        expect(new Set(ids).size).toBe(ids.length);
      }).pipe(Effect.provide(IdSource.layer)),
  );

  it.effect("are made of random bytes that are used once", () =>
    Effect.gen(function* () {
      const { randomBytes } = yield* IdSource.IdSource;
      const lengths = [10, 8_190, 3, 20_000, 0, 1];
      const given = yield* Effect.forEach(lengths, randomBytes);
      expect(given.map(({ length }) => length)).toEqual(lengths);
      const texts = yield* Effect.replicateEffect(
        Effect.map(randomBytes(16), (bytes) => bytes.join()),
        2_000,
      );
      expect(new Set(texts).size).toBe(2_000);
    }).pipe(Effect.provide(IdSource.layer)),
  );
});
