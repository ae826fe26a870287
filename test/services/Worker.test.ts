/** How the worker handles a message; test/worker runs the worker in the background. */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { Outbox, Worker } from "quittance";
import * as Given from "./Given.ts";

const { rule } = Given;

const waiting = Effect.flatMap(Outbox.Outbox, ({ depth }) =>
  Effect.map(depth, (depths) => depths.reduce((sum, item) => sum + item.waiting, 0)),
);

describe("draining the outbox", () => {
  it.effect("also performs messages that the performed ones add, and returns their number", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.drafted([10_000], { selfBilled: true });
        yield* Given.approve(scene);
        // The report, and the invoice that follows it.
        expect(yield* Given.drain).toBe(2);
        expect([(yield* Given.statusOf(scene)).type, yield* waiting]).toEqual(["awaiting_payment", 0]);
      }),
    ),
  );

  it.effect("has nothing to do a second time", () =>
    rule(
      Effect.gen(function* () {
        yield* Given.approved([10_000]);
        expect(yield* Given.drain).toBe(0);
      }),
    ),
  );

  it.effect("performs a message again after its lease has expired", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.drafted([10_000]);
        yield* Given.approve(scene);
        const outbox = yield* Outbox.Outbox;
        yield* outbox.claim({ topics: ["make_report"], limit: 1, leaseMilliseconds: 1_000 });
        const during = yield* Given.drain;
        yield* Given.wait(1_000);
        expect([during, yield* Given.drain]).toEqual([0, 1]);
        expect((yield* Given.settlement(scene, scene.settlementId)).events).toHaveLength(3);
      }),
    ),
  );

  it.effect("does not change a settlement that no longer awaits the document", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.drafted([10_000]);
        yield* Given.approve(scene);
        yield* Given.upload(scene, "report", { number: "R-1" });
        expect(yield* Given.drain).toBe(1);
        expect((yield* Given.settlement(scene, scene.settlementId)).reportNumber).toBe("R-1");
      }),
    ),
  );
});

describe("one step of the worker", () => {
  it.effect("performs at most 16 messages", () =>
    rule(
      Effect.gen(function* () {
        for (let count = 0; count < 17; count++) yield* Given.approve(yield* Given.drafted([100]));
        const { step } = yield* Worker.Worker;
        expect([yield* step, yield* step, yield* step]).toEqual([16, 1, 0]);
      }),
    ),
  );
});
