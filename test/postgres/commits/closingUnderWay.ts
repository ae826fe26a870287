/** A month that is closed while a commit of it is under way, on PostgreSQL. */
import { Effect, Fiber } from "effect";
import type pg from "pg";
import { Storage } from "quittance";
import { Build, Scene } from "quittance/testing";
import { untilWaiting } from "./waiting.ts";

/** The commits that may be under way: of a creation alone, and of any other changes. */
export const UNDER_WAY = ["a creation", "another commit"] as const;

/**
 * Closes a month while a lock holds a commit of the month up, and then frees the commit. Returns the number of sales at the closing,
 * and after both: the same if the closing has waited.
 */
export const closeUnderWay = (underWay: (typeof UNDER_WAY)[number], connect: () => Promise<pg.Client>) =>
  Effect.gen(function* () {
    const storage = yield* Storage.Storage;
    // Within one transaction the statistics of activity do not change, so that another session reads them.
    const [client, observer] = [yield* Effect.promise(connect), yield* Effect.promise(connect)];
    const scene = yield* Scene.create();
    const { customerId, partnerId, schemaId } = scene;
    const sales = Effect.map(
      storage.list(customerId, "attribution", { where: {}, page: 1, perPage: 1, order: "asc" }),
      ({ total }) => total,
    );
    yield* Effect.promise(() => client.query("begin"));
    yield* Effect.promise(() => client.query("select from quittance.formula_sets for update"));
    const changes = [Build.attribution(scene), ...(underWay === "a creation" ? [] : [Build.partner(scene)])];
    const sale = yield* Effect.fork(
      Scene.commit(customerId, changes, {
        requires: [{ type: "formula_set", partnerId, schemaId, version: 1 }],
      }),
    );
    yield* untilWaiting(observer, 1);
    const at = Build.EPOCH + 40 * Build.DAY;
    const command = { id: Build.fresh.command(), actor: Build.ACTOR, at };
    const closing = yield* Effect.fork(
      Effect.zipRight(
        Scene.commit(customerId, [Build.closedBooks(customerId, "2026-01", at)], { command }),
        sales,
      ),
    );
    yield* Effect.raceFirst(untilWaiting(observer, 2), Fiber.await(closing));
    yield* Effect.promise(() => client.query("commit"));
    yield* Fiber.join(sale);
    return { atClosing: yield* Fiber.join(closing), after: yield* sales };
  });

/**
 * Closes a month while another session holds what each commit holds, and does not end. Returns why the closing failed, once
 * another commit was stored after it.
 */
export const closeBesideEndless = (connect: () => Promise<pg.Client>) =>
  Effect.gen(function* () {
    const client = yield* Effect.promise(connect);
    const { customerId } = yield* Scene.create();
    yield* Effect.promise(() => client.query("begin"));
    yield* Effect.promise(() =>
      client.query("select quittance.require_open_period($1, $2, false)", [customerId, Build.EPOCH]),
    );
    const at = Build.EPOCH + 40 * Build.DAY;
    const command = { id: Build.fresh.command(), actor: Build.ACTOR, at };
    const closing = Scene.commit(customerId, [Build.closedBooks(customerId, "2026-01", at)], { command });
    const problem = yield* Effect.flip(closing);
    yield* Scene.create({ customerId });
    yield* Effect.promise(() => client.query("rollback"));
    return problem;
  });
