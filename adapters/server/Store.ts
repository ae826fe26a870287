/** The store that the settings name, as one layer. */

import { Effect, Layer, Redacted } from "effect";
import type { Directory, Documents, Outbox, Storage } from "quittance";
import * as Memory from "quittance/memory";
import * as Pglite from "quittance/pglite";
import * as Postgres from "quittance/postgres";
import type { Database } from "./Settings.ts";

/** Every port that keeps something. */
export type Ports = Storage.Storage | Directory.Directory | Outbox.Outbox | Documents.DocumentStore;

/** Every port over the database; building it migrates the schema and fails when the database cannot be used. */
export const layer = (database: Database): Layer.Layer<Ports, Storage.StorageFailed> => {
  switch (database.type) {
    case "memory":
      return Memory.layer;
    case "pglite":
      return Pglite.layer({ folder: database.folder });
    case "postgres":
      return Postgres.layer({ url: Redacted.make(database.url) });
  }
};

/** Brings the schema up to date; in memory there is none. */
export const migrate = (database: Database): Effect.Effect<void, Storage.StorageFailed> => {
  switch (database.type) {
    case "memory":
      return Effect.void;
    case "pglite":
      return Effect.scoped(Effect.asVoid(Layer.build(Pglite.layer({ folder: database.folder }))));
    case "postgres":
      return Postgres.migrate({ url: Redacted.make(database.url) });
  }
};
