/**
 * The store on PostgreSQL 15 or later. Every acknowledged commit is as durable as the server's `synchronous_commit`
 * makes it; the defaults of PostgreSQL lose nothing.
 */
import * as SqlClient from "@effect/sql/SqlClient";
import { Effect, Layer } from "effect";
import type { Storage } from "quittance";
import * as Sql from "../sql/index.ts";
import { client, type Options } from "./Connection.ts";

export type { Options } from "./Connection.ts";
export { durabilityGaps } from "./Durability.ts";
export { isolationGaps } from "./RowLevelSecurity.ts";

const unlimited = (options: Options): Options => ({
  ...options,
  maxConnections: 1,
  statementTimeoutMilliseconds: 0,
});

/** Brings the schema up to date and closes the connection again. However large the tables are, it is not cut off. */
export const migrate = (options: Options): Effect.Effect<void, Storage.StorageError> =>
  Effect.provide(Effect.flatMap(SqlClient.SqlClient, Sql.migrate), client(unlimited(options)));

/** Every port that keeps something, on one database. Building it fails when the database cannot be reached. */
export const layer = (options: Options): Layer.Layer<Sql.Ports, Storage.StorageError> =>
  Layer.unwrapEffect(
    Effect.as(
      options.migrate === false ? Effect.void : migrate(options),
      Layer.provide(Sql.layer({ migrate: false }), client(options)),
    ),
  );

/**
 * Brings the schema up to date and declares it to Citus, distributed by customer; what is distributed already is left as
 * it is. Fails on a database without that extension, and changes nothing there.
 */
export const distribute = (options: Options): Effect.Effect<void, Storage.StorageError> =>
  Effect.provide(Effect.flatMap(SqlClient.SqlClient, Sql.distribute), client(unlimited(options)));
