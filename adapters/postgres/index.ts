/**
 * The store on PostgreSQL 15 or later. A commit is as durable as the server's `synchronous_commit` makes it; with the
 * defaults of PostgreSQL no acknowledged commit is lost.
 */
import * as SqlClient from "@effect/sql/SqlClient";
import { Effect, Layer } from "effect";
import type { Storage } from "quittance";
import * as Sql from "../sql/index.ts";
import type { Ports } from "../sql/Ports.ts";
import { client } from "./Connection.ts";
import type { Options } from "./Options.ts";

export { addressProblem } from "./AddressProblem.ts";
export { durabilityGaps } from "./Durability.ts";
export type { Address, Limits, Options, Pool, Supplied } from "./Options.ts";
export { isolationGaps } from "./RowLevelSecurity.ts";

const withoutLimits = (options: Options): Options => ({
  ...options,
  maxConnections: 1,
  statementTimeoutMilliseconds: 0,
});

/**
 * How long a distributed database waits for a node that does not reply, where that is too long, each in a sentence. Nothing on
 * a database that is not distributed.
 */
export const waitGaps = (options: Options): Effect.Effect<ReadonlyArray<string>, Storage.StorageError> =>
  Effect.provide(Sql.waitGaps, client({ ...options, maxConnections: 1 }));

/** Brings the schema up to date and closes the connection. It has no time limit. */
export const migrate = (options: Options): Effect.Effect<void, Storage.StorageError> =>
  Effect.provide(Effect.flatMap(SqlClient.SqlClient, Sql.migrate), client(withoutLimits(options)));

/** Every port that stores something, on one database. The layer fails when the database cannot be reached. */
export const layer = (options: Options): Layer.Layer<Ports, Storage.StorageError> =>
  Layer.unwrapEffect(
    Effect.as(
      options.migrate === false ? Effect.void : migrate(options),
      Layer.provide(Sql.layer({ migrate: false }), client(options)),
    ),
  );

/**
 * Brings the schema up to date and declares it to Citus, distributed by customer. A distributed database stays as it is. Fails on a database without that extension, and changes nothing there.
 */
export const distribute = (options: Options): Effect.Effect<void, Storage.StorageError> =>
  Effect.provide(Effect.flatMap(SqlClient.SqlClient, Sql.distribute), client(withoutLimits(options)));
