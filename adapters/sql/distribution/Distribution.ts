/** Distributes the schema over a Citus cluster, by customer. */
import type * as SqlClient from "@effect/sql/SqlClient";
import { Data, Effect } from "effect";
import { Storage } from "quittance";
import { failure } from "../Failure.ts";
import { migrate } from "../migrations/Migrations.ts";
import { inTransaction } from "../Transaction.ts";
import * as Citus from "./Citus.ts";

/** The database cannot be distributed; the message states the reason. */
export class NotDistributable extends Data.TaggedError("NotDistributable")<{ readonly message: string }> {}

const notDistributable = (message: string) =>
  new Storage.StorageError({ reason: "broken", cause: new NotDistributable({ message }) });

const isPresent = (sql: SqlClient.SqlClient, query: string): Effect.Effect<boolean, Storage.StorageError> =>
  Effect.map(
    Effect.mapError(sql.unsafe<{ readonly present: boolean }>(query).unprepared, failure),
    ([found]) => found?.present === true,
  );

/**
 * Brings the schema up to date and declares every table that is not declared yet, all or none. It can be repeated, and
 * then completes what is missing. Fails on a database without the extension or without nodes, and changes nothing there.
 */
export const distribute = (sql: SqlClient.SqlClient): Effect.Effect<void, Storage.StorageError> =>
  Effect.gen(function* () {
    if (!(yield* isPresent(sql, Citus.PRESENT)))
      return yield* notDistributable(
        "the database has no Citus extension: only a Citus cluster can be distributed",
      );
    if (!(yield* isPresent(sql, Citus.HAS_NODES)))
      return yield* notDistributable(
        "the cluster has no node that stores rows: add its nodes first (citus_add_node)",
      );
    // Before a migration grants the platform its reads: it would add policies to guarded tables, which Citus refuses.
    yield* Effect.mapError(inTransaction(sql, Citus.removeGuards(sql)), failure);
    yield* migrate(sql);
    yield* Effect.mapError(inTransaction(sql, Citus.declare(sql)), failure);
  });
