/** The batcher: which requests share a call, in what order, and how the end of one request affects the others. */
import { describe, expect, it } from "@effect/vitest";
import { Deferred, Effect, Exit, Fiber, FiberId, Option, Scheduler } from "effect";
import { beforeEach, vi } from "vitest";
import * as Batcher from "../../adapters/sql/groupCommit/Batcher.ts";

type Answers = ReadonlyArray<Exit.Exit<string, string>>;

/** A call that is under way until the test ends it. */
interface Round {
  readonly key: string;
  readonly asked: ReadonlyArray<number>;
  readonly end: Deferred.Deferred<Answers, string>;
}

/** A batch waits a tenth of a second of the test's clock, however slow the machine. */
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  return () => {
    vi.useRealTimers();
  };
});

/** Lets every fiber run as far as it can, and every call begin that may. */
const settled = Effect.repeatN(
  Effect.promise(() => new Promise((resume) => setImmediate(resume))),
  3,
);

const answer = (round: Round | undefined): Effect.Effect<void> =>
  round === undefined
    ? Effect.die(new Error("no such call"))
    : Effect.zipRight(
        Deferred.succeed(
          round.end,
          round.asked.map((asked) => Exit.succeed(`${round.key}${asked}`)),
        ),
        settled,
      );

/** A batcher that records its calls in the order in which they begin. */
const gathering = (batchSizeMax = 64, turn: Effect.Effect<void> = Effect.void) => {
  const rounds: Array<Round> = [];
  const ask = Batcher.make<string, number, string, string>({
    batchSizeMax,
    turn,
    serve: (key, asked) =>
      Effect.flatMap(Deferred.make<Answers, string>(), (end) => {
        rounds.push({ key, asked, end });
        return Deferred.await(end);
      }),
  });
  const fork = (key: string, asked: ReadonlyArray<number>) =>
    Effect.zipLeft(
      Effect.forEach(asked, (item) => Effect.fork(ask(key, item))),
      settled,
    );
  const served = () => rounds.map(({ key, asked }) => `${key}${asked.join(",")}`);
  return { ask, fork, rounds, served };
};

/** Interrupts the first fiber that it runs after that many steps. */
const interrupting = (steps: number): Scheduler.Scheduler => {
  let first: Fiber.RuntimeFiber<unknown, unknown> | null = null;
  let taken = 0;
  return {
    scheduleTask: (task, priority) => Scheduler.defaultScheduler.scheduleTask(task, priority),
    shouldYield: (fiber) => {
      first ??= fiber;
      if (fiber === first) taken += 1;
      if (fiber === first && taken === steps) fiber.unsafeInterruptAsFork(FiberId.none);
      return false;
    },
  };
};

const joined = <A, E>(fibers: ReadonlyArray<Fiber.Fiber<A, E>>) => Effect.forEach(fibers, Fiber.join);

describe("a batched request", () => {
  it.effect("is sent at once if no call is under way", () =>
    Effect.gen(function* () {
      const { fork, rounds, served } = gathering();
      for (const one of [1, 2, 3]) {
        const fibers = yield* fork("a", [one]);
        expect(served().length).toBe(one);
        yield* answer(rounds[one - 1]);
        expect(yield* joined(fibers)).toEqual([`a${one}`]);
      }
      expect(served()).toEqual(["a1", "a2", "a3"]);
    }),
  );

  it.effect("joins the next call with all that arrive during a call, in order, and gets its own result", () =>
    Effect.gen(function* () {
      const { fork, rounds, served } = gathering();
      const first = yield* fork("a", [1]);
      const others = yield* fork("a", [5, 3, 4]);
      expect(served()).toEqual(["a1"]);
      yield* answer(rounds[0]);
      expect(yield* joined(first)).toEqual(["a1"]);
      expect(served()).toEqual(["a1", "a5,3,4"]);
      const end = rounds[1]?.end ?? (yield* Effect.die("no second call"));
      yield* Deferred.succeed(end, [Exit.succeed("five"), Exit.fail("three"), Exit.die("four")]);
      expect(yield* Effect.forEach(others, Fiber.await)).toEqual([
        Exit.succeed("five"),
        Exit.fail("three"),
        Exit.die("four"),
      ]);
    }),
  );

  it.effect("joins the first call if that has not started", () =>
    Effect.gen(function* () {
      const turn = yield* Deferred.make<void>();
      const { fork, rounds, served } = gathering(3, Deferred.await(turn));
      const fibers = yield* fork("a", [1, 2, 3, 4]);
      expect(served()).toEqual([]);
      yield* Deferred.succeed(turn, undefined);
      yield* settled;
      expect(served()).toEqual(["a1,2,3"]);
      yield* answer(rounds[0]);
      yield* answer(rounds[1]);
      expect(yield* joined(fibers)).toEqual(["a1", "a2", "a3", "a4"]);
    }),
  );

  it.effect("is sent before the results of the previous call are delivered, without a turn of its own", () =>
    Effect.gen(function* () {
      const happened: Array<string> = [];
      const note = (what: string) => Effect.sync(() => happened.push(what));
      const { ask, rounds, served } = gathering(64, Effect.asVoid(note("turn")));
      const first = yield* Effect.fork(
        Effect.zipRight(
          ask("a", 1),
          Effect.suspend(() => note(`told after ${served().length} calls`)),
        ),
      );
      yield* settled;
      const second = yield* Effect.fork(ask("a", 2));
      yield* settled;
      yield* answer(rounds[0]);
      yield* Fiber.join(first);
      expect(happened).toEqual(["turn", "told after 2 calls"]);
      yield* answer(rounds[1]);
      expect(yield* Fiber.join(second)).toBe("a2");
    }),
  );

  it.effect("under another key is sent at once in a call of its own", () =>
    Effect.gen(function* () {
      const { fork, rounds, served } = gathering();
      yield* fork("a", [1]);
      yield* fork("b", [2]);
      const [ofA, ofB] = [yield* fork("a", [3, 4]), yield* fork("b", [5, 6])];
      expect(served()).toEqual(["a1", "b2"]);
      yield* answer(rounds[1]);
      yield* answer(rounds[0]);
      expect(served()).toEqual(["a1", "b2", "b5,6", "a3,4"]);
      yield* answer(rounds[2]);
      yield* answer(rounds[3]);
      expect(yield* joined([...ofA, ...ofB])).toEqual(["a3", "a4", "b5", "b6"]);
    }),
  );

  it.effect("waits for a further call if the next one is full", () =>
    Effect.gen(function* () {
      const { fork, rounds, served } = gathering(3);
      const fibers = yield* fork("a", [1, 2, 3, 4, 5, 6, 7, 8]);
      for (let place = 0; place < 3; place += 1) yield* answer(rounds[place]);
      const sizes = rounds.map(({ asked }) => asked.length);
      expect(Math.max(...sizes)).toBe(3);
      expect(served().join().replaceAll("a", "")).toBe("1,2,3,4,5,6,7,8");
      for (const round of rounds.slice(3)) yield* answer(round);
      expect((yield* joined(fibers)).length).toBe(8);
    }),
  );

  it.effect("waits at most a tenth of a second for a call under way", () =>
    Effect.gen(function* () {
      const { fork, rounds, served } = gathering();
      const held = yield* fork("a", [1]);
      const beside = yield* fork("a", [2, 3]);
      vi.advanceTimersByTime(99);
      yield* settled;
      expect(served()).toEqual(["a1"]);
      vi.advanceTimersByTime(1);
      yield* settled;
      expect(served()).toEqual(["a1", "a2,3"]);
      yield* answer(rounds[1]);
      expect(yield* joined(beside)).toEqual(["a2", "a3"]);
      const later = yield* fork("a", [4]);
      expect(served()).toEqual(["a1", "a2,3", "a4"]);
      yield* answer(rounds[2]);
      yield* answer(rounds[0]);
      expect(yield* joined([...held, ...later])).toEqual(["a1", "a4"]);
    }),
  );
});

describe("the end of one batched request", () => {
  it.effect("by interruption does not affect the results of the others", () =>
    Effect.gen(function* () {
      const { fork, rounds, served } = gathering();
      const [first] = yield* fork("a", [1]);
      const [second, ...others] = yield* fork("a", [2, 3, 4]);
      if (first === undefined || second === undefined) return yield* Effect.die("nobody asked");
      expect(Exit.isInterrupted(yield* Fiber.interrupt(first))).toBe(true);
      expect(Exit.isInterrupted(yield* Fiber.interrupt(second))).toBe(true);
      yield* answer(rounds[0]);
      expect(served()).toEqual(["a1", "a2,3,4"]);
      yield* answer(rounds[1]);
      expect(yield* joined(others)).toEqual(["a3", "a4"]);
    }),
  );

  it.effect("by interruption at any step does not leave later ones without a call", () =>
    Effect.gen(function* () {
      for (let steps = 1; steps <= 24; steps += 1) {
        const { ask, fork, rounds } = gathering();
        yield* Effect.fork(Effect.withScheduler(ask("a", 1), interrupting(steps)));
        yield* settled;
        const later = yield* fork("a", [2]);
        for (let place = 0; place < rounds.length; place += 1) yield* answer(rounds[place]);
        const [exit] = yield* Effect.forEach(later, Fiber.poll);
        expect(exit, `interrupted after ${steps} steps`).toEqual(Option.some(Exit.succeed("a2")));
      }
    }),
  );

  const ends: ReadonlyArray<readonly [string, () => Effect.Effect<Answers, string>, unknown]> = [
    ["that fails", () => Effect.fail("refused"), Exit.fail("refused")],
    ["that dies", () => Effect.die("broken"), Exit.die("broken")],
    [
      "that throws",
      () => {
        throw "thrown";
      },
      Exit.die("thrown"),
    ],
    [
      "that leaves one unanswered",
      () => Effect.succeed([]),
      Exit.die(new Error("a call returned no outcome for a request")),
    ],
  ];
  for (const [name, end, expected] of ends)
    it.effect(`by a call ${name} ends all requests of that call, and none of later calls`, () =>
      Effect.gen(function* () {
        const first = yield* Deferred.make<Answers, string>();
        let calls = 0;
        const ask = Batcher.make<string, number, string, string>({
          batchSizeMax: 64,
          turn: Effect.void,
          serve: () => {
            calls += 1;
            if (calls === 1) return Deferred.await(first);
            return calls === 2 ? end() : Effect.succeed([Exit.succeed("after")]);
          },
        });
        const held = yield* Effect.fork(ask("a", 1));
        yield* settled;
        const round = yield* Effect.forEach([2, 3, 4], (item) => Effect.fork(ask("a", item)));
        yield* settled;
        yield* Deferred.succeed(first, [Exit.succeed("before")]);
        expect(yield* Fiber.join(held)).toBe("before");
        expect(yield* Effect.forEach(round, Fiber.await)).toEqual([expected, expected, expected]);
        yield* settled;
        expect(yield* ask("a", 5)).toBe("after");
      }),
    );
});
