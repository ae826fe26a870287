/** The books of a month are closed on PostgreSQL, while commits of the month are under way. */
import { it } from "@effect/vitest";
import { Effect, Fiber, Layer, Ref } from "effect";
import { Storage } from "quittance";
import { layer } from "quittance/postgres";
import { Build, Scene } from "quittance/testing";
import { describe, expect } from "vitest";
import * as Given from "../../services/Given.ts";
import { closeUnderLoad, counting } from "../../support/closingUnderLoad.ts";
import { connected, database } from "../../support/postgres.ts";

describe("closing a month", () => {
  it.live(
    "keeps its journal, under the load of two servers of which one is late",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const url = yield* database();
          const conflicts = yield* Ref.make(0);
          const engine = Given.engine({ ...counting(conflicts), store: layer({ url }) as never });
          const servers = yield* Effect.all([
            Layer.build(Layer.fresh(engine)),
            Layer.build(Layer.fresh(engine)),
          ]);
          const { entries, storedLater, refused } = yield* closeUnderLoad(servers, conflicts, 137);
          expect(entries).toBeGreaterThan(20);
          expect(storedLater).toBeGreaterThan(0);
          expect(refused).toBeGreaterThan(0);
        }),
      ),
    120_000,
  );

  it.live.each([
    { name: "a creation", others: () => [] },
    { name: "another commit", others: (scene: Scene.Scene) => [Build.partner(scene)] },
  ])("waits for $name that is under way", ({ others }) =>
    Effect.scoped(
      Effect.gen(function* () {
        const url = yield* database();
        const client = yield* connected(url);
        // Within one transaction the statistics of activity do not change.
        const observer = yield* connected(url);
        const waiting = Effect.promise(() =>
          observer.query<{ readonly count: number }>(
            "select count(*)::integer as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
          ),
        );
        const untilWaiting = (count: number) =>
          Effect.repeat(Effect.zipRight(Effect.sleep(10), waiting), {
            until: ({ rows: [found] }) => found?.count === count,
          });
        const story = Effect.gen(function* () {
          const storage = yield* Storage.Storage;
          const scene = yield* Scene.create();
          const { customerId, partnerId, schemaId } = scene;
          yield* Effect.promise(() => client.query("begin"));
          yield* Effect.promise(() => client.query("select from quittance.formula_sets for update"));
          const sale = yield* Effect.fork(
            Scene.commit(customerId, [Build.attribution(scene), ...others(scene)], {
              requires: [{ type: "formula_set", partnerId, schemaId, version: 1 }],
            }),
          );
          yield* untilWaiting(1);
          const later = Build.EPOCH + 40 * Build.DAY;
          const closing = yield* Effect.fork(
            Effect.zipRight(
              Scene.commit(customerId, [Build.closedBooks(customerId, "2026-01", later)], {
                command: { id: Build.fresh.command(), actor: Build.ACTOR, at: later },
              }),
              storage.list(customerId, "attribution", { where: {}, page: 1, perPage: 1, order: "asc" }),
            ),
          );
          yield* untilWaiting(2);
          yield* Effect.promise(() => client.query("commit"));
          yield* Fiber.join(sale);
          expect((yield* Fiber.join(closing)).total).toBe(1);
        });
        yield* Effect.provide(story, layer({ url }));
      }),
    ),
  );
});
