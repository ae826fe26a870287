import { Effect, Either, Redacted } from "effect";
import pg from "pg";
import { Storage } from "quittance";
import { layer, migrate } from "quittance/postgres";
import { expect, it } from "vitest";
import { database } from "../support/postgres.ts";

const query = (url: Redacted.Redacted, text: string) =>
  Effect.promise(async () => {
    const client = new pg.Client({ connectionString: Redacted.value(url) });
    await client.connect();
    return client.query<Record<string, unknown>>(text).finally(() => client.end());
  });

const run = <A, E>(test: Effect.Effect<A, E, import("effect").Scope.Scope>) =>
  Effect.runPromise(Effect.scoped(test));

it("migrates once, however many start at the same time", () =>
  run(
    Effect.gen(function* () {
      const url = yield* database({ migrated: false });
      yield* Effect.all(
        Array.from({ length: 8 }, () => migrate({ url, maxConnections: 1 })),
        { concurrency: "unbounded" },
      );
      const { rows } = yield* query(url, "select version from quittance.migrations order by version");
      expect(rows).toEqual([{ version: 1 }]);
      const ready = Effect.flatMap(Storage.Storage, (storage) => storage.ready);
      yield* Effect.provide(ready, layer({ url, migrate: false }));
    }),
  ));

it("refuses a database that is newer than the program, and leaves it as it is", () =>
  run(
    Effect.gen(function* () {
      const url = yield* database();
      yield* query(url, "insert into quittance.migrations (version) values (1000)");
      const refused = yield* Effect.either(migrate({ url }));
      expect(Either.isLeft(refused) && refused.left.reason).toBe("broken");
      expect(Either.isLeft(refused) && String(refused.left.cause)).toContain("version 1000, newer than");
    }),
  ));

it("is not ready on a database without the schema or with another version", () =>
  run(
    Effect.gen(function* () {
      const ready = Effect.flatMap(Storage.Storage, (storage) => Effect.either(storage.ready));
      const empty = yield* database({ migrated: false });
      const without = yield* Effect.provide(ready, layer({ url: empty, migrate: false }));
      expect(Either.isLeft(without) && without.left.reason).toBe("broken");
      const older = yield* database();
      yield* query(older, "delete from quittance.migrations");
      const behind = yield* Effect.provide(ready, layer({ url: older, migrate: false }));
      expect(Either.isLeft(behind) && String(behind.left.cause)).toContain("migrate it");
    }),
  ));
