/** Messages that cannot be performed: when they are set aside, and how an operator has them tried again. */
import { describe, expect, it } from "@effect/vitest";
import { Chunk, Effect, Stream } from "effect";
import { DeadLetters, Documents } from "quittance";
import * as Given from "./Given.ts";

const { rule } = Given;
const deadLetters = DeadLetters.DeadLetters;
const HOUR = 3_600_000;

const listed = Effect.flatMap(deadLetters, ({ list }) =>
  Effect.map(Stream.runCollect(list), Chunk.toReadonlyArray),
);

/** A host whose renderer fails until it is mended. */
const broken = () => {
  const state = { isBroken: true };
  const render: NonNullable<Given.Host["render"]> = () =>
    state.isBroken
      ? Effect.fail(new Documents.RenderingFailed({ cause: new Error("no memory") }))
      : Effect.succeed({ bytes: Uint8Array.of(1), extension: "txt" });
  return { state, host: { render } };
};

/** A settlement whose report has failed that many times, at intervals of an hour. */
const failing = (times: number) =>
  Effect.gen(function* () {
    const scene = yield* Given.drafted([10_000]);
    yield* Given.approve(scene);
    for (let count = 0; count < times; count++) {
      yield* Given.drain;
      yield* Given.wait(HOUR);
    }
    return scene;
  });

describe("a message that fails", () => {
  it.effect("is listed with its last problem, and is retried after a pause", () =>
    rule(
      Effect.gen(function* () {
        yield* failing(2);
        expect(yield* listed).toMatchObject([
          {
            topic: "make_report",
            state: "waiting",
            failures: 2,
            problem: expect.stringMatching(/^no memory/),
          },
        ]);
      }),
      broken().host,
    ),
  );

  it.effect("is dead-lettered after 20 failures in a row", () =>
    rule(
      Effect.gen(function* () {
        yield* failing(19);
        const before = (yield* listed)[0]?.state;
        yield* Given.drain;
        expect([before, (yield* listed)[0]?.state]).toEqual(["waiting", "dead"]);
      }),
      broken().host,
    ),
  );
});

describe("retrying", () => {
  it.effect("performs a dead-lettered message, and counts its failures from 0", () => {
    const { state, host } = broken();
    return rule(
      Effect.gen(function* () {
        const scene = yield* failing(20);
        state.isBroken = false;
        const { retryAll } = yield* deadLetters;
        expect(yield* retryAll).toBe(1);
        yield* Given.drain;
        expect([(yield* Given.statusOf(scene)).type, yield* listed]).toEqual(["awaiting_invoice", []]);
      }),
      host,
    );
  });

  it.effect("ignores ids that are not listed", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.drafted([10_000]);
        yield* Given.approve(scene);
        const { retry, retryAll } = yield* deadLetters;
        expect([yield* retryAll, yield* retry([])]).toEqual([0, 0]);
      }),
    ),
  );
});
