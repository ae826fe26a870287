/** The store that the settings name, as one layer. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import * as SqlClient from "@effect/sql/SqlClient";
import { Context, Effect, Layer, Option, Redacted, type Scope } from "effect";
import { type Directory, type Documents, type Outbox, Storage } from "quittance";
import type { Options, Limits as PostgresLimits } from "quittance/postgres";
import { createFolder } from "../pglite/StoreFolder.ts";
import { type CommandFailed, usageError } from "./CommandFailed.ts";
import { print } from "./Output.ts";
import type { Database } from "./Value.ts";

/** Every port that stores something. */
export type Ports = Storage.Storage | Directory.Directory | Outbox.Outbox | Documents.DocumentStore;

/** Loads a module and builds a layer with it, so that a command does not load stores that it does not use. */
const loadLayer = <Module, Out>(
  module: () => Promise<Module>,
  build: (module: Module) => Layer.Layer<Out, Storage.StorageError>,
): Layer.Layer<Out, Storage.StorageError> => Layer.unwrapEffect(Effect.map(Effect.promise(module), build));

const memory = () => import("quittance/memory");
const pglite = () => import("quittance/pglite");
const postgres = () => import("quittance/postgres");

/** Logs which settings of the database weaken its guarantees; the server starts nevertheless. */
const warn = (options: Options): Effect.Effect<void, Storage.StorageError> =>
  Effect.gen(function* () {
    const Postgres = yield* Effect.promise(postgres);
    const off = yield* Postgres.durabilityGaps(options);
    if (off.length > 0) {
      const verb = off.length === 1 ? "is" : "are";
      yield* Effect.logWarning(
        `the database may lose what it has acknowledged: ${off.join(", ")} ${verb} off`,
      );
    }
    const gaps = [...(yield* Postgres.isolationGaps(options)), ...(yield* Postgres.waitGaps(options))];
    for (const gap of gaps) yield* Effect.logWarning(gap);
  });

/** The options of a database on a server. */
export const addressOf = ({ url }: Extract<Database, { readonly type: "postgres" }>) => ({
  url: Redacted.make(url),
});

/** Limits of a store on a server; those of the store where absent. */
export type Limits = Pick<PostgresLimits, "maxConnections" | "statementTimeoutMilliseconds" | "prepare">;

/** Every port over the database; building it migrates the schema and fails when the database cannot be used. */
export const layer = (database: Database, limits: Limits = {}): Layer.Layer<Ports, Storage.StorageError> => {
  switch (database.type) {
    case "memory":
      return loadLayer(memory, ({ layer }) => layer);
    case "pglite":
      return loadLayer(pglite, ({ layer }) => layer({ folder: database.folder }));
    case "postgres": {
      const options = { ...limits, ...addressOf(database) };
      return Layer.tap(
        loadLayer(postgres, ({ layer }) => layer(options)),
        () => warn(options),
      );
    }
  }
};

/** A store that outlives the process. */
export type PersistentDatabase = Exclude<Database, { readonly type: "memory" }>;

/** True if a folder holds an embedded database. */
export const isStore = (folder: string): boolean => existsSync(join(folder, "data", "PG_VERSION"));

/**
 * Says that the database is created, which takes some seconds, where it does not exist yet. Fails before where the folder
 * cannot hold one.
 */
export const announceNew = (database: Database): Effect.Effect<void, Storage.StorageError> =>
  database.type === "pglite" && !isStore(database.folder)
    ? Effect.zipRight(
        Effect.try({
          try: () => createFolder(database.folder),
          catch: (cause) => new Storage.StorageError({ reason: "broken", cause }),
        }),
        print(`creating the database in ${database.folder}; this takes some seconds`),
      )
    : Effect.void;

/** Returns a store that exists. Fails for a store in memory, and for a folder without a store, because opening it would create one. */
export const requireExisting = (database: Database): Effect.Effect<PersistentDatabase, CommandFailed> => {
  if (database.type === "memory")
    return usageError("a store in memory belongs to its server: name another with --database-url");
  return database.type === "pglite" && !isStore(database.folder)
    ? usageError(
        `there is no store in ${database.folder}: start a server on it first, or name another with --database-url`,
      )
    : Effect.succeed(database);
};

/** Ports that fail where the schema is not that of this program. */
const whenReady = (ports: Layer.Layer<Ports, Storage.StorageError>) =>
  Layer.tap(ports, (context) => Context.get(context, Storage.Storage).ready);

/** Every port over an existing store, which is not migrated: it must have the schema of this program already. */
export const layerWithoutMigration = (
  database: PersistentDatabase,
): Layer.Layer<Ports, Storage.StorageError> =>
  whenReady(
    database.type === "pglite"
      ? loadLayer(pglite, ({ layer }) => layer({ folder: database.folder, migrate: false }))
      : loadLayer(postgres, ({ layer }) => layer({ ...addressOf(database), migrate: false })),
  );

/** The SQL client of a store; one connection, and no time limit. */
export const sqlClient = (
  database: PersistentDatabase,
): Layer.Layer<SqlClient.SqlClient, Storage.StorageError> =>
  database.type === "pglite"
    ? loadLayer(pglite, ({ client }) => client({ folder: database.folder }))
    : loadLayer(
        () => import("../postgres/Connection.ts"),
        ({ client }) =>
          client({ ...addressOf(database), maxConnections: 1, statementTimeoutMilliseconds: 0 }),
      );

/** Every port over an embedded store, and its SQL client for `flushedAtEnd`. */
export const layerWithClient = (
  database: Extract<Database, { readonly type: "pglite" }>,
): Layer.Layer<Ports | SqlClient.SqlClient, Storage.StorageError> =>
  Layer.unwrapEffect(
    Effect.map(
      Effect.promise(() => import("../sql/index.ts")),
      ({ layerOverClient }) => Layer.provideMerge(layerOverClient({ migrate: true }), sqlClient(database)),
    ),
  );

/**
 * Runs an effect that writes much to a new embedded store. Its commits are flushed to the disk once at the end instead of one by
 * one; a crash before that loses the latest commits. On any other store it only runs the effect.
 */
export const flushAtEnd = <A, E, R>(write: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(Effect.serviceOption(SqlClient.SqlClient), (found) =>
    Option.match(found, {
      onNone: () => write,
      onSome: (sql) =>
        Effect.acquireUseRelease(
          Effect.orDie(sql`set synchronous_commit = off`),
          () => write,
          // The checkpoint writes and flushes the log and every table.
          () => Effect.orDie(Effect.zipRight(sql`set synchronous_commit = on`, sql`checkpoint`)),
        ),
    }),
  );

/** An existing store, by its SQL client and by its ports. */
export interface OpenStore {
  readonly sql: Layer.Layer<SqlClient.SqlClient, Storage.StorageError>;
  readonly ports: Layer.Layer<Ports, Storage.StorageError>;
}

/** Opens an existing store until the scope closes. An embedded one is opened once for both: that takes half a second. */
export const open = (
  database: PersistentDatabase,
): Effect.Effect<OpenStore, Storage.StorageError, Scope.Scope> =>
  Effect.gen(function* () {
    if (database.type === "postgres")
      return { sql: sqlClient(database), ports: layerWithoutMigration(database) };
    const { layerOverClient } = yield* Effect.promise(() => import("../sql/index.ts"));
    const sql = Layer.succeedContext(yield* Layer.build(sqlClient(database)));
    return { sql, ports: whenReady(Layer.provide(layerOverClient({ migrate: false }), sql)) };
  });
