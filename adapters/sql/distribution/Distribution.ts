/** Distributes the schema over a Citus cluster, by customer. */
import type * as SqlClient from "@effect/sql/SqlClient";
import { Data, Effect } from "effect";
import { Storage } from "quittance";
import { failure } from "../Failure.ts";
import { migrate } from "../migrations/Migrations.ts";
import * as Citus from "./Citus.ts";

/** The database cannot be distributed; the message says why. */
export class NotDistributable extends Data.TaggedError("NotDistributable")<{ readonly message: string }> {}

const broken = new Storage.StorageError({
  reason: "broken",
  cause: new NotDistributable({
    message: "the database has no Citus extension: only a Citus cluster can be distributed",
  }),
});

const declareOnce = (sql: SqlClient.SqlClient) =>
  Effect.flatMap(Citus.declaredTables(sql), (declared) =>
    declared.length > 0 ? Effect.void : Citus.declare(sql),
  );

/**
 * Brings the schema up to date and declares every table, all or none. A distributed database stays as it is.
 * Fails on a database without the extension, and changes nothing there.
 */
export const distribute = (sql: SqlClient.SqlClient): Effect.Effect<void, Storage.StorageError> =>
  Effect.gen(function* () {
    const [citus] = yield* Effect.mapError(
      sql.unsafe<{ readonly present: boolean }>(Citus.PRESENT).unprepared,
      failure,
    );
    if (citus?.present !== true) return yield* broken;
    yield* migrate(sql);
    yield* Effect.mapError(sql.withTransaction(declareOnce(sql)), failure);
  });
