/** Two requests with one idempotency key at the same time get the same response, whatever the first one changes. */
import { Effect, Layer } from "effect";
import { Documents, Principal, Quittance, Settlements, Storage } from "quittance";
import { layer as memory } from "quittance/memory";
import { listAll, Scene } from "quittance/testing";
import { expect, it } from "vitest";

const renderer = Layer.succeed(Documents.DocumentRenderer, {
  render: () => Effect.succeed({ bytes: new Uint8Array([1]), extension: "pdf" }),
});

/** The engine on a store that runs `next` once, right after it has not found an idempotency key. */
const engine = (meanwhile: { next: Effect.Effect<unknown, unknown> }) =>
  Quittance.layer().pipe(
    Layer.updateService(Storage.Storage, (storage) => ({
      ...storage,
      findIdempotencyRecord: (...key) =>
        Effect.tap(storage.findIdempotencyRecord(...key), () => {
          const happening = meanwhile.next;
          meanwhile.next = Effect.void;
          return Effect.orDie(happening);
        }),
    })),
    Layer.provide(renderer),
    Layer.provideMerge(memory),
  );

const twice = (name: "approve" | "cancel" | "create") => {
  const meanwhile: { next: Effect.Effect<unknown, unknown> } = { next: Effect.void };
  return Effect.gen(function* () {
    const settlements = yield* Settlements.Settlements;
    const scene = yield* Scene.create();
    const earned = yield* Scene.earn(scene, [700, 500]);
    const principal = Principal.customer(scene.customerId);
    const key = { idempotency: { key: "once", requestSha256: "0".repeat(64) } };
    const { customerId, workspaceId, partnerId } = scene;
    const commissionIds = earned.map(({ commission }) => commission.id);
    const input = { customerId, workspaceId, partnerId, commissionIds };
    const id = name === "create" ? null : (yield* settlements.create(principal, input)).id;
    const command: Effect.Effect<{ readonly replayed: boolean }, unknown> =
      id === null
        ? settlements.create(principal, input, key)
        : settlements[name === "create" ? "approve" : name](principal, id, key);
    let first: unknown = null;
    meanwhile.next = Effect.tap(command, (result) => {
      first = result;
    });
    const second = yield* command;
    return { first, second, settlements: yield* listAll(customerId, "settlement") };
  }).pipe(Effect.provide(engine(meanwhile)), Effect.runPromise);
};

it.each(["approve", "cancel", "create"] as const)("%s: both requests get the same response", async (name) => {
  const { first, second, settlements } = await twice(name);
  expect(first).toMatchObject({ replayed: false });
  expect(second).toEqual({ ...Object(first), replayed: true });
  expect(settlements).toHaveLength(1);
  expect(settlements[0]?.version).toBe(name === "create" ? 1 : 2);
});
