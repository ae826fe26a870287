/** Requests with one idempotency key at the same time get the same response, whatever the first one changes. */
import { type Context, Effect, Exit, Fiber, Layer } from "effect";
import { Attributions, Documents, Principal, Quittance, Settlements, Storage } from "quittance";
import { layer as memory } from "quittance/memory";
import { listAll, Scene } from "quittance/testing";
import { describe, expect, it } from "vitest";

const renderer = Layer.succeed(Documents.DocumentRenderer, {
  render: () => Effect.succeed({ bytes: new Uint8Array([1]), extension: "pdf" }),
});

/** One process: an engine over a store that others may use as well. */
const engine = (change: (storage: Storage.StorageService) => Partial<Storage.StorageService> = () => ({})) =>
  Layer.fresh(Quittance.layer()).pipe(
    Layer.updateService(Storage.Storage, (storage) => ({ ...storage, ...change(storage) })),
    Layer.provide(renderer),
  );

const KEY = { idempotency: { key: "once", requestSha256: "0".repeat(64) } };

const twice = (name: "approve" | "cancel" | "create") =>
  Effect.gen(function* () {
    const scene = yield* Scene.create();
    const earned = yield* Scene.earn(scene, [700, 500]);
    const principal = Principal.customer(scene.customerId);
    const { customerId, workspaceId, partnerId } = scene;
    const commissionIds = earned.map(({ commission }) => commission.id);
    const input = { customerId, workspaceId, partnerId, commissionIds };
    const other = yield* Effect.provide(Settlements.Settlements, engine());
    const id = name === "create" ? null : (yield* other.create(principal, input)).id;
    const command = (
      settlements: Context.Tag.Service<typeof Settlements.Settlements>,
    ): Effect.Effect<{ readonly replayed: boolean }, unknown> =>
      id === null
        ? settlements.create(principal, input, KEY)
        : settlements[name === "create" ? "approve" : name](principal, id, KEY);
    let first: unknown = null;
    /** The other process runs the command once, right after this one has not found the key. */
    let meanwhile: Effect.Effect<unknown, unknown> = Effect.tap(command(other), (result) => {
      first = result;
    });
    const own = engine((storage) => ({
      findIdempotencyRecord: (...key) =>
        Effect.tap(storage.findIdempotencyRecord(...key), () => {
          const happening = meanwhile;
          meanwhile = Effect.void;
          return Effect.orDie(happening);
        }),
    }));
    const second = yield* Effect.provide(Effect.flatMap(Settlements.Settlements, command), own);
    return { first, second, settlements: yield* listAll(customerId, "settlement") };
  }).pipe(Effect.provide(memory), Effect.runPromise);

describe("in two processes", () => {
  it.each(["approve", "cancel", "create"] as const)("%s: both get the same response", async (name) => {
    const { first, second, settlements } = await twice(name);
    expect(first).toMatchObject({ replayed: false });
    expect(second).toEqual({ ...Object(first), replayed: true });
    expect(settlements).toHaveLength(1);
    expect(settlements[0]?.version).toBe(name === "create" ? 1 : 2);
  });
});

/** A sale, and the commits that an engine sends for it. Looking for a key takes so long that all requests look before one commits. */
const sales = Effect.gen(function* () {
  const { customerId, workspaceId, partnerId, schema } = yield* Scene.create();
  let commits = 0;
  const own = engine((storage) => ({
    findIdempotencyRecord: (...key) => Effect.tap(storage.findIdempotencyRecord(...key), Effect.sleep(20)),
    commit: (...given) => {
      commits += 1;
      return storage.commit(...given);
    },
  }));
  const attributions = yield* Effect.provide(Attributions.Attributions, own);
  const sale = { workspaceId, partnerId, schemaId: schema.id, properties: { order_value: 1_000 } };
  const sell = (key: string) =>
    attributions.create(Principal.customer(customerId), sale, {
      idempotency: { ...KEY.idempotency, key },
    });
  return { sell, sold: listAll(customerId, "attribution"), commits: () => commits };
});

describe("in one process", () => {
  const run = <A, E>(test: Effect.Effect<A, E, Layer.Layer.Success<typeof memory>>): Promise<A> =>
    Effect.runPromise(Effect.provide(test, memory));

  it("the others wait for the first, so that no commit conflicts; other keys do not wait", () =>
    run(
      Effect.gen(function* () {
        const { sell, sold, commits } = yield* sales;
        const keys = ["a", "a", "b", "a", "b", "a"];
        const answers = yield* Effect.all(keys.map(sell), { concurrency: "unbounded" });
        expect(answers.map(({ replayed }) => replayed)).toEqual([false, true, false, true, true, true]);
        expect(new Set(answers.map(({ id }) => id)).size).toBe(2);
        expect(commits()).toBe(2);
        expect(yield* sold).toHaveLength(2);
      }),
    ));

  it("an interrupted one lets the next one store it", () =>
    run(
      Effect.gen(function* () {
        const { sell, sold } = yield* sales;
        const first = yield* Effect.fork(sell("a"));
        const others = yield* Effect.fork(Effect.all([sell("a"), sell("a")], { concurrency: 2 }));
        yield* Effect.sleep(5);
        expect(Exit.isInterrupted(yield* Fiber.interrupt(first))).toBe(true);
        expect((yield* Fiber.join(others)).map(({ replayed }) => replayed)).toEqual([false, true]);
        expect(yield* sold).toHaveLength(1);
      }),
    ));
});
