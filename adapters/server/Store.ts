/** The store that the settings name, as one layer. */

import { Context, Effect, Layer, Redacted } from "effect";
import { type Directory, type Documents, type Outbox, Storage } from "quittance";
import * as Memory from "quittance/memory";
import * as Pglite from "quittance/pglite";
import * as Postgres from "quittance/postgres";
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

/** Every port over the database; building it migrates the schema and fails when the database cannot be used. */
export const layer = (database: Database): Layer.Layer<Ports, Storage.StorageError> => {
  switch (database.type) {
    case "memory":
      return Memory.layer;
    case "pglite":
      return Pglite.layer({ folder: database.folder });
    case "postgres": {
      const options = { url: Redacted.make(database.url) };
      return Layer.tap(Postgres.layer(options), () => warn(options));
    }
  }
};

/** The same, without migrating a database on a server: it must have the schema of this program already. */
export const layerAsItIs = (database: Database): Layer.Layer<Ports, Storage.StorageError> =>
  database.type !== "postgres"
    ? layer(database)
    : Layer.tap(
        Postgres.layer({ url: Redacted.make(database.url), migrate: false }),
        (context) => Context.get(context, Storage.Storage).ready,
      );

/** What a database can be spread over machines with. */
export type Distribution = "citus";

const NOT_ONE = new Storage.StorageError({
  reason: "broken",
  cause: new Error("only a database on a server can be distributed"),
});

/** Brings the schema up to date; in memory there is none. Distributes it too where that is asked for. */
export const migrate = (
  database: Database,
  distribution: Distribution | null = null,
): Effect.Effect<void, Storage.StorageError> => {
  switch (database.type) {
    case "memory":
      return distribution === null ? Effect.void : NOT_ONE;
    case "pglite":
      return distribution === null
        ? Effect.scoped(Effect.asVoid(Layer.build(Pglite.layer({ folder: database.folder }))))
        : NOT_ONE;
    case "postgres": {
      const options = { url: Redacted.make(database.url) };
      return distribution === null ? Postgres.migrate(options) : Postgres.distribute(options);
    }
  }
};
