/** Effects of one key one after the other, and what one that hangs does to the others. */
import { describe, expect, it } from "@effect/vitest";
import { Effect, Fiber, TestClock } from "effect";
import * as Serialized from "../../src/services/process/Serialized.ts";

/** An effect that records its steps and yields to others between them. */
const step = (steps: Array<string>, name: string): Effect.Effect<void> =>
  Effect.gen(function* () {
    steps.push(`${name} begins`);
    yield* Effect.yieldNow();
    steps.push(`${name} ends`);
  });

describe("effects of one key", () => {
  it.effect("run one at a time, in order; those of other keys run concurrently", () =>
    Effect.gen(function* () {
      const serialized = Serialized.make(1_000);
      const steps: Array<string> = [];
      yield* Effect.all(
        [
          serialized("a", step(steps, "first")),
          serialized("a", Effect.ignore(Effect.zipRight(step(steps, "second"), Effect.fail("no")))),
          serialized("a", step(steps, "third")),
          serialized("b", step(steps, "other")),
        ],
        { concurrency: "unbounded" },
      );
      expect(steps.filter((candidate) => !candidate.startsWith("other"))).toEqual(
        ["first", "second", "third"].flatMap((name) => [`${name} begins`, `${name} ends`]),
      );
      expect(steps.indexOf("other begins")).toBeLessThan(steps.indexOf("first ends"));
    }),
  );

  it.effect("wait a limited time for one that hangs, and not for one that was interrupted", () =>
    Effect.gen(function* () {
      const serialized = Serialized.make(1_000);
      const steps: Array<string> = [];
      const hanging = yield* Effect.fork(serialized("a", Effect.never));
      yield* Effect.fork(serialized("a", step(steps, "patient")));
      yield* TestClock.adjust(999);
      expect(steps).toEqual([]);
      yield* TestClock.adjust(1);
      expect(steps).toEqual(["patient begins", "patient ends"]);
      const again = yield* Effect.fork(serialized("a", Effect.never));
      yield* Effect.fork(serialized("a", step(steps, "next")));
      yield* Fiber.interrupt(hanging);
      yield* Effect.yieldNow();
      expect(steps).toHaveLength(2);
      yield* Fiber.interrupt(again);
      yield* TestClock.adjust(0);
      expect(steps).toHaveLength(4);
    }),
  );

  it.effect("do not pass the one that runs when one that waits between them is interrupted", () =>
    Effect.gen(function* () {
      const serialized = Serialized.make(1_000);
      const steps: Array<string> = [];
      const first = yield* Effect.fork(serialized("a", Effect.never));
      const waiting = yield* Effect.fork(serialized("a", step(steps, "waiting")));
      yield* Effect.fork(serialized("a", step(steps, "third")));
      yield* TestClock.adjust(0);
      yield* Fiber.interrupt(waiting);
      yield* Effect.fork(serialized("a", step(steps, "last")));
      yield* TestClock.adjust(999);
      expect(steps).toEqual([]);
      yield* Fiber.interrupt(first);
      yield* TestClock.adjust(0);
      expect(steps).toEqual(["third", "last"].flatMap((name) => [`${name} begins`, `${name} ends`]));
    }),
  );
});
