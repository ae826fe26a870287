import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import type { Worker } from "node:worker_threads";
import { describe, expect, it } from "@effect/vitest";
import { Effect, Either, Exit, Fiber, Scope } from "effect";
import { Documents } from "quittance";
import { layer, layerInProcess } from "quittance/pdf";
import { afterEach, beforeEach } from "vitest";
import * as Threads from "../../adapters/pdf/Threads.ts";
import { contentOf, SUPPLIER, type Variation } from "./content.ts";

const OBEDIENT = fileURLToPath(new URL("./obedient.mjs", import.meta.url));

const amounts = (count: number): ReadonlyArray<number> =>
  Array.from({ length: count }, (_, index) => index * 7 - 100);

const render = (variation: Variation) =>
  Effect.flatMap(Documents.DocumentRenderer, (renderer) => renderer.render(contentOf(variation)));

describe("documents rendered in threads", () => {
  it.effect("have the same bytes as without threads, short or long", () =>
    Effect.gen(function* () {
      const [here, there] = yield* Effect.all(
        [layerInProcess, layer].map((each) =>
          Effect.forEach([1, 200, 201], (count) => render({ amounts: amounts(count) })).pipe(
            Effect.provide(each),
          ),
        ),
      );
      expect(there?.map(({ bytes }) => Buffer.from(bytes))).toEqual(
        here?.map(({ bytes }) => Buffer.from(bytes)),
      );
    }),
  );

  it.live("of 500 lines do not block the event loop", () =>
    Effect.gen(function* () {
      const renderer = yield* Documents.DocumentRenderer;
      yield* renderer.render(contentOf({ amounts: amounts(201) }));
      const before = performance.eventLoopUtilization();
      yield* renderer.render(contentOf({ amounts: amounts(500) }));
      // Without a thread it is 1: busy all the time.
      expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5);
    }).pipe(Effect.provide(layer)),
  );

  it.effect("are refused with the same code and message", () =>
    Effect.gen(function* () {
      const refused = yield* Effect.flip(render({ supplier: { ...SUPPLIER, legalName: "\ue000" } }));
      expect(refused).toBeInstanceOf(Documents.RenderingRefused);
      expect(refused).toMatchObject({ code: "missing_font", message: expect.stringContaining("U+E000") });
    }).pipe(Effect.provide(layer)),
  );
});

describe("a renderer with threads", () => {
  let started: Array<Worker> = [];
  const note = (thread: Worker): void => {
    started.push(thread);
  };
  beforeEach(() => {
    started = [];
    process.on("worker", note);
  });
  afterEach(() => {
    process.off("worker", note);
  });

  const LONG = amounts(201);
  const ended = (thread: Worker | undefined): boolean => thread?.threadId === -1;
  const withThreads = <A, E>(use: (renderer: Documents.DocumentRendererService) => Effect.Effect<A, E>) =>
    Effect.scoped(Effect.flatMap(Threads.make(OBEDIENT, []), use));
  const told = (number: string, lines: ReadonlyArray<number> = [1]) => contentOf({ number, amounts: lines });

  it.live("starts one with the first document, and reuses it", () =>
    withThreads((renderer) =>
      Effect.gen(function* () {
        expect(started).toHaveLength(0);
        const first = yield* renderer.render(told("1"));
        const second = yield* renderer.render(told("2"));
        expect(second.bytes).toEqual(first.bytes);
        expect(started).toHaveLength(1);
      }),
    ),
  );

  for (const fate of ["crash", "throw", "heap"]) {
    it.live(`fails the document of a thread that ends by ${fate}, and starts a new thread for the next`, () =>
      withThreads((renderer) =>
        Effect.gen(function* () {
          yield* renderer.render(told("1"));
          const failure = yield* Effect.flip(renderer.render(told(fate)));
          expect(failure).toBeInstanceOf(Documents.RenderingFailed);
          expect(ended(started[0])).toBe(true);
          yield* renderer.render(told("2"));
          expect(started).toHaveLength(2);
        }),
      ),
    );
  }

  it.live("ends the thread of an interrupted rendering, and starts a new one for the next", () =>
    withThreads((renderer) =>
      Effect.gen(function* () {
        const outcome = yield* renderer
          .render(told("hang"))
          .pipe(Effect.timeout("300 millis"), Effect.either);
        expect(Either.isLeft(outcome)).toBe(true);
        expect(started.map(ended)).toEqual([true]);
        yield* renderer.render(told("2"));
        expect(started).toHaveLength(2);
      }),
    ),
  );

  it.live("does not delay short documents by a long one, and renders documents of one kind in turn", () =>
    withThreads((renderer) =>
      Effect.gen(function* () {
        const hanging = yield* Effect.fork(renderer.render(told("hang", LONG)));
        const waiting = yield* Effect.fork(renderer.render(told("1", LONG)));
        yield* renderer.render(told("2"));
        expect(waiting.unsafePoll()).toBe(null);
        yield* Fiber.interrupt(hanging);
        yield* Fiber.join(waiting);
        expect(started).toHaveLength(3);
      }),
    ),
  );

  it.live("ends its threads with the scope", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make();
      const renderer = yield* Scope.extend(Threads.make(OBEDIENT, []), scope);
      yield* renderer.render(told("1"));
      yield* renderer.render(told("2", LONG));
      yield* Scope.close(scope, Exit.void);
      expect(started.map(ended)).toEqual([true, true]);
    }),
  );

  it.live("reports a file that is not a thread as a rendering failure", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const renderer = yield* Threads.make("/nowhere/Thread.js", []);
        const failure = yield* Effect.flip(renderer.render(told("1")));
        expect(failure).toBeInstanceOf(Documents.RenderingFailed);
      }),
    ),
  );
});
