/** The store that the adapters of PostgreSQL and PGlite share: one schema and one dialect over any `SqlClient`. */
import * as SqlClient from "@effect/sql/SqlClient";
import { Context, Effect, Layer } from "effect";
import { Directory, Documents, Outbox, Storage } from "quittance";
import * as DirectoryOverSql from "./Directory.ts";
import * as DocumentStoreOverSql from "./DocumentStore.ts";
import { migrate } from "./migrations/Migrations.ts";
import * as OutboxOverSql from "./Outbox.ts";
import type { Ports } from "./Ports.ts";
import * as RollupCompaction from "./rollups/RollupCompaction.ts";
import { runnerOverClient, Statements } from "./Statement.ts";
import * as StorageOverSql from "./Storage.ts";
import * as Commit from "./writing/Commit.ts";

export * as Catalogue from "./copying/Catalogue.ts";
export * as Progress from "./copying/Progress.ts";
export * as Rows from "./copying/Rows.ts";
export * as Session from "./copying/Session.ts";
export { declaredTables } from "./distribution/Citus.ts";
export { distribute, NotDistributable } from "./distribution/Distribution.ts";
export { waitGaps } from "./distribution/Waits.ts";
export { failure, isAnswered, isOfNode, OutageError, UNCONNECTED } from "./Failure.ts";
export { grantServer } from "./migrations/grantServer.ts";
export {
  INCOMPLETE_COPY,
  migrate,
  rehearse,
  SchemaMismatch,
  type Status,
  schemaMismatch,
  status,
  VERSION,
} from "./migrations/Migrations.ts";
export type { Ports } from "./Ports.ts";
export { type Parameter, type Runner, type Statement, Statements } from "./Statement.ts";
export { type Preamble, preamble } from "./TenantScope.ts";
export { inTransaction } from "./Transaction.ts";

/** Every port over a client. With `migrate` the database is brought up to date first. */
export const layer = (options: {
  readonly migrate: boolean;
}): Layer.Layer<Ports, Storage.StorageError, SqlClient.SqlClient | Statements> =>
  Layer.scopedContext(
    Effect.gen(function* () {
      if (options.migrate) yield* migrate(yield* SqlClient.SqlClient);
      const sql = yield* Statements;
      const commit = Commit.make(sql, yield* RollupCompaction.start(sql));
      return Context.make(Storage.Storage, StorageOverSql.make(sql, commit)).pipe(
        Context.add(Directory.Directory, DirectoryOverSql.make(sql)),
        Context.add(Outbox.Outbox, OutboxOverSql.make(sql)),
        Context.add(Documents.DocumentStore, DocumentStoreOverSql.make(sql)),
      );
    }),
  );

/** Every port of an embedded database: all statements go through its only client. */
export const layerOverClient = (options: {
  readonly migrate: boolean;
}): Layer.Layer<Ports, Storage.StorageError, SqlClient.SqlClient> =>
  Layer.provide(layer(options), Layer.effect(Statements, Effect.map(SqlClient.SqlClient, runnerOverClient)));
