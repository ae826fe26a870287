/** A worker releases its claims when it is stopped and when the store fails for a moment. */
import { Deferred, Effect, Fiber, Layer } from "effect";
import { Documents, Outbox, Quittance, Storage, Worker } from "quittance";
import { layer as memory } from "quittance/memory";
import { Build, Scene } from "quittance/testing";
import { expect, it } from "vitest";

/** An engine whose renderer never ends, and completes `begun` when it begins. */
const engine = (begun: Deferred.Deferred<void>, complete: Outbox.OutboxService["complete"] | null = null) =>
  Quittance.layer().pipe(
    Layer.updateService(Outbox.Outbox, (outbox) => (complete === null ? outbox : { ...outbox, complete })),
    Layer.provide(
      Layer.succeed(Documents.DocumentRenderer, {
        render: () => Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never),
      }),
    ),
    Layer.provideMerge(memory),
  );

/** Stores three messages: the first for a settlement that awaits its report, the others for settlements that do not exist. */
const messages = Effect.gen(function* () {
  const scene = yield* Scene.create();
  const earned = yield* Scene.earn(scene, [700]);
  const draft = yield* Scene.draft(
    scene,
    earned.map(({ commission }) => commission),
  );
  const [approve] = Build.approvalEvents(draft);
  const approved = approve === undefined ? draft : yield* Scene.advance(draft, [approve]);
  const about = [approved.id, Build.fresh.settlement(), Build.fresh.settlement()];
  const outbox = about.map((id) => Build.message(scene.customerId, id));
  const storage = yield* Storage.Storage;
  yield* storage.commit(scene.customerId, Build.changeSet({ changes: [], outbox }));
});

const claimable = Effect.flatMap(Outbox.Outbox, (outbox) =>
  outbox.claim({ topics: ["make_report"], limit: 10, leaseMilliseconds: 60_000 }),
);

it("releases unfinished messages when it is stopped", () =>
  Effect.gen(function* () {
    const begun = yield* Deferred.make<void>();
    const left = yield* Effect.gen(function* () {
      yield* messages;
      const worker = yield* Worker.Worker;
      const working = yield* Effect.fork(worker.step);
      yield* Deferred.await(begun);
      expect(yield* claimable).toEqual([]);
      yield* Fiber.interrupt(working);
      return yield* claimable;
    }).pipe(Effect.provide(engine(begun)));
    expect(left.length).toBe(3);
  }).pipe(Effect.runPromise));

it("releases the other messages when one cannot be completed", () =>
  Effect.gen(function* () {
    const begun = yield* Deferred.make<void>();
    const away = new Storage.StorageError({ reason: "unavailable", cause: "cut" });
    const left = yield* Effect.gen(function* () {
      const scene = yield* Scene.create();
      const storage = yield* Storage.Storage;
      const outbox = [1, 2].map(() => Build.message(scene.customerId, Build.fresh.settlement()));
      yield* storage.commit(scene.customerId, Build.changeSet({ changes: [], outbox }));
      const worker = yield* Worker.Worker;
      const failed = yield* Effect.flip(worker.step);
      expect(failed.reason).toBe("unavailable");
      return yield* claimable;
    }).pipe(Effect.provide(engine(begun, () => Effect.fail(away))));
    expect(left.length).toBe(2);
  }).pipe(Effect.runPromise));
