/** The store that the settings name, as one layer. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type * as SqlClient from "@effect/sql/SqlClient";
import { Context, Effect, Layer, Redacted } from "effect";
import { type Directory, type Documents, type Outbox, Storage } from "quittance";
import * as Memory from "quittance/memory";
import * as Pglite from "quittance/pglite";
import * as Postgres from "quittance/postgres";
import { client as postgresClient } from "../postgres/Connection.ts";
import { type CommandFailed, usage } from "./CommandFailed.ts";
import type { Database } from "./Value.ts";

/** Every port that keeps something. */
export type Ports = Storage.Storage | Directory.Directory | Outbox.Outbox | Documents.DocumentStore;

/** Says in the log where the database promises less than it could; nothing of it keeps a server from starting. */
const warn = (options: Postgres.Options): Effect.Effect<void, Storage.StorageError> =>
  Effect.gen(function* () {
    const off = yield* Postgres.durabilityGaps(options);
    if (off.length > 0) {
      const verb = off.length === 1 ? "is" : "are";
      yield* Effect.logWarning(
        `the database may lose what it has acknowledged: ${off.join(", ")} ${verb} off`,
      );
    }
    for (const gap of yield* Postgres.isolationGaps(options)) yield* Effect.logWarning(gap);
  });

/** The options of a database on a server. */
export const addressOf = ({ url }: Extract<Database, { readonly type: "postgres" }>) => ({
  url: Redacted.make(url),
});

/** Limits of a store on a server; those of the store where absent. */
export type Limits = Pick<Postgres.Limits, "maxConnections" | "statementTimeoutMilliseconds" | "prepare">;

/** Every port over the database; building it migrates the schema and fails when the database cannot be used. */
export const layer = (database: Database, limits: Limits = {}): Layer.Layer<Ports, Storage.StorageError> => {
  switch (database.type) {
    case "memory":
      return Memory.layer;
    case "pglite":
      return Pglite.layer({ folder: database.folder });
    case "postgres": {
      const options = { ...limits, ...addressOf(database) };
      return Layer.tap(Postgres.layer(options), () => warn(options));
    }
  }
};

/** A store that outlives the process. */
export type Lasting = Exclude<Database, { readonly type: "memory" }>;

/** Whether a folder holds an embedded database. */
export const isStore = (folder: string): boolean => existsSync(join(folder, "data", "PG_VERSION"));

/** A store that exists; fails for a store in memory and for a folder without one, which opening would create. */
export const existing = (database: Database): Effect.Effect<Lasting, CommandFailed> => {
  if (database.type === "memory")
    return usage("a store in memory belongs to its server: name another with --database-url");
  return database.type === "pglite" && !isStore(database.folder)
    ? usage(
        `there is no store in ${database.folder}: start a server on it first, or name another with --database-url`,
      )
    : Effect.succeed(database);
};

/** Every port over an existing store, which is not migrated: it must have the schema of this program already. */
export const layerAsItIs = (database: Lasting): Layer.Layer<Ports, Storage.StorageError> =>
  Layer.tap(
    database.type === "pglite"
      ? Pglite.layer({ folder: database.folder, migrate: false })
      : Postgres.layer({ ...addressOf(database), migrate: false }),
    (context) => Context.get(context, Storage.Storage).ready,
  );

/** The SQL client of a store; one connection, and no time limit. */
export const sqlClient = (database: Lasting): Layer.Layer<SqlClient.SqlClient, Storage.StorageError> =>
  database.type === "pglite"
    ? Pglite.client({ folder: database.folder })
    : postgresClient({ ...addressOf(database), maxConnections: 1, statementTimeoutMilliseconds: 0 });
