/**
 * The embedded store: PostgreSQL inside the process, without a server. In a folder an acknowledged commit is on the
 * disk (`fsync`), so that it survives the end of the process and a loss of power, as far as the disk is reliable. One process at a time; one statement at a time.
 */
import type * as SqlClient from "@effect/sql/SqlClient";
import * as SqlError from "@effect/sql/SqlError";
import { Effect, Layer } from "effect";
import { Storage } from "quittance";
import * as Sql from "../sql/index.ts";
import type { Ports } from "../sql/Ports.ts";
import * as Client from "./Client.ts";
import { inFolder, inMemory } from "./Database.ts";

export { FolderInUse } from "./Lock.ts";
export { FolderUnusable } from "./StoreFolder.ts";

/** Where the database is: in a folder, created when it is absent, or in memory. */
export type Options =
  | "memory"
  | {
      readonly folder: string;
      /** True if the schema is brought up to date at the start; true by default. */
      readonly migrate?: boolean;
    };

/** The client of the embedded database, open until the scope closes. */
export const client = (options: Options): Layer.Layer<SqlClient.SqlClient, Storage.StorageError> => {
  const open = Effect.mapError(
    options === "memory" ? inMemory : inFolder(options.folder),
    (cause) => new SqlError.SqlError({ cause, message: "the embedded database cannot be opened" }),
  );
  return Layer.mapError(
    Client.layer(open),
    ({ cause }) => new Storage.StorageError({ reason: "broken", cause }),
  );
};

/** Every port that stores something, on one embedded database. */
export const layer = (options: Options): Layer.Layer<Ports, Storage.StorageError> => {
  const migrate = options === "memory" || options.migrate !== false;
  return Layer.provide(Sql.layerOverClient({ migrate }), client(options));
};
