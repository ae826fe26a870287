/** What has served its time goes in small batches, nothing goes early, and no other work waits for it. */
import { expect, it } from "@effect/vitest";
import { Effect, Fiber, Layer, TestClock } from "effect";
import {
  Documents,
  Partners,
  PaymentProvider,
  Principal,
  Quittance,
  Storage,
  Worker,
  WorkerSettings,
} from "quittance";
import { layer as memory } from "quittance/memory";
import { Build, Scene } from "quittance/testing";

const HOUR = 3_600_000;
const MINUTE = 60_000;
const KEPT = 72 * HOUR;

type Prune = Storage.StorageService["prune"];

/** An engine over a store in memory, whose clock is the test's. */
const engine = (prune: (prune: Prune) => Prune, settings: Partial<WorkerSettings.Settings> = {}) =>
  Quittance.layer().pipe(
    Layer.updateService(Storage.Storage, (storage) => ({ ...storage, prune: prune(storage.prune) })),
    Layer.provide([
      Layer.succeed(Documents.DocumentRenderer, {
        render: () => Effect.succeed({ bytes: new Uint8Array([1]), extension: "txt" }),
      }),
      Layer.succeed(PaymentProvider.PaymentProvider, PaymentProvider.provider({ send: () => Effect.void })),
      Layer.succeed(WorkerSettings.WorkerSettings, {
        ...WorkerSettings.DEFAULT,
        pollMilliseconds: 5_000,
        ...settings,
      }),
    ]),
    Layer.provideMerge(memory),
  );

/** Stores an old command under a new key; returns a function that looks up its record. */
const give = (customerId: Build.Owner["customerId"], agoMilliseconds: number) =>
  Effect.gen(function* () {
    const storage = yield* Storage.Storage;
    const command = yield* Scene.createCommand(agoMilliseconds);
    const key = Build.freshUuid();
    const record = { principalId: "p", key, requestSha256: "ab".repeat(32), result: {}, at: command.at };
    yield* Scene.commit(customerId, [], { command, idempotencyRecord: record });
    return Effect.map(storage.findIdempotencyRecord(customerId, "p", key), (found) => found !== null);
  });

const work = Effect.flatMap(Worker.Worker, ({ run }) => Effect.fork(run));

it.effect("600 old idempotency records are pruned 500 at a time; younger ones stay and replay", () => {
  const batches: Array<number> = [];
  const counted =
    (prune: Prune): Prune =>
    (pruning) =>
      Effect.tap(prune(pruning), (count) => Effect.sync(() => batches.push(count)));
  return Effect.gen(function* () {
    yield* TestClock.setTime(Build.EPOCH);
    const mine = Build.fresh.customer();
    const me = Principal.customer(mine);
    const idempotency = { key: "once", requestSha256: "cd".repeat(32) };
    const { create } = yield* Partners.Partners;
    const partner = create(
      me,
      { name: "Nordlys ApS", workspaceId: Build.fresh.workspace() },
      { idempotency },
    );
    const first = yield* partner;
    yield* TestClock.adjust(KEPT - MINUTE);
    const other = Build.fresh.customer();
    const old = yield* Effect.forEach(Array.from({ length: 600 }), () => give(other, KEPT + 1));
    const kept = yield* give(mine, KEPT - MINUTE);
    const running = yield* work;
    yield* TestClock.adjust("30 seconds");
    // Each had a record and a command; the first partner's command is older than a day too, and so is that of `kept`.
    expect(batches).toEqual([500, 500, 202]);
    expect((yield* Effect.all(old)).filter((found) => found)).toEqual([]);
    expect(yield* kept).toBe(true);
    expect(yield* partner).toEqual({ ...first, replayed: true });
    yield* TestClock.adjust("2 minutes");
    expect(yield* kept).toBe(false);
    const anew = yield* partner;
    expect(anew.replayed).toBe(false);
    expect(anew.id).not.toBe(first.id);
    yield* Fiber.interrupt(running);
  }).pipe(Effect.provide(engine(counted)));
});

it.effect.each([
  ["more than is promised", 100 * HOUR, 100 * HOUR],
  ["less than is promised", HOUR, KEPT],
] as const)(
  "records are kept for the configured time, but at least for the promised one: %s",
  ([, idempotencyMilliseconds, due]) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Build.EPOCH);
      const customerId = Build.fresh.customer();
      const [kept, old] = [yield* give(customerId, due), yield* give(customerId, due + 1)];
      const running = yield* work;
      yield* TestClock.adjust(1);
      expect([yield* kept, yield* old]).toEqual([true, false]);
      yield* Fiber.interrupt(running);
    }).pipe(Effect.provide(engine((prune) => prune, { idempotencyMilliseconds }))),
);

it.effect.each([
  ["fails", Effect.fail(new Storage.StorageError({ reason: "unavailable", cause: "down" }))],
  ["dies", Effect.die(new Error("a bug of the store"))],
  ["hangs", Effect.never],
] as const)("other work continues when it %s", ([, answer]) => {
  let tries = 0;
  const failing = () => () =>
    Effect.suspend(() =>
      Effect.zipRight(
        Effect.sync(() => tries++),
        answer,
      ),
    );
  return Effect.gen(function* () {
    yield* TestClock.setTime(Build.EPOCH);
    const storage = yield* Storage.Storage;
    const scene = yield* Scene.create();
    const earned = yield* Scene.earn(scene, [700]);
    const draft = yield* Scene.draft(
      scene,
      earned.map(({ commission }) => commission),
    );
    const approved = yield* Scene.advance(draft, Build.approvalEvents(draft).slice(0, 1));
    const running = yield* work;
    yield* TestClock.adjust("5 minutes");
    yield* Scene.commit(scene.customerId, [], { outbox: [Build.message(scene.customerId, approved.id)] });
    for (let second = 0; second < 10; second++) {
      yield* TestClock.adjust("1 second");
      // Rendering continues outside of the test's clock.
      yield* Effect.promise(() => new Promise((resume) => setImmediate(resume)));
    }
    const [found] = yield* storage.find(scene.customerId, "settlement", [approved.id]);
    expect(found?.status.type).not.toBe("awaiting_report");
    if (answer === Effect.never) expect(tries).toBe(1);
    else expect(tries).toBeGreaterThanOrEqual(4);
    yield* Fiber.interrupt(running);
  }).pipe(Effect.provide(engine(failing)));
});
