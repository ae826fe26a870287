/** Migrations of the store that the settings name. */
import * as SqlClient from "@effect/sql/SqlClient";
import { Effect } from "effect";
import type { Storage } from "quittance";
import * as Postgres from "quittance/postgres";
import * as Sql from "../sql/index.ts";
import { type CommandFailed, usageError } from "./CommandFailed.ts";
import { addressOf, announceNew, isStore, sqlClient } from "./Store.ts";
import type { Database } from "./Value.ts";

type Failure = Storage.StorageError | CommandFailed;

/** The version of the schema; that of a store in memory, or of a folder without a store, is 0. */
export const status = (database: Database): Effect.Effect<Sql.Status, Failure> =>
  database.type === "memory" || (database.type === "pglite" && !isStore(database.folder))
    ? Effect.succeed({ present: 0, needed: Sql.VERSION })
    : Effect.provide(Effect.flatMap(SqlClient.SqlClient, Sql.status), sqlClient(database));

/** How the schema of a database stands to this program. */
export const describe = ({ present, needed }: Sql.Status): string =>
  present === needed
    ? `the schema is up to date: version ${present}`
    : present > needed
      ? Sql.schemaMismatch(present).message
      : present === 0
        ? `the database has no schema yet; version ${needed} would be created`
        : `the schema has version ${present}; the steps ${present + 1} to ${needed} are missing: run "quittance migrate"`;

/** Tries the migration and rolls it back. A folder without a store stays absent. */
export const rehearse = (database: Database): Effect.Effect<void, Failure> =>
  database.type === "memory" || (database.type === "pglite" && !isStore(database.folder))
    ? Effect.void
    : Effect.provide(Effect.flatMap(SqlClient.SqlClient, Sql.rehearse), sqlClient(database));

/** Brings the schema up to date; in memory there is none. */
export const migrate = (database: Database): Effect.Effect<void, Failure> =>
  database.type === "memory"
    ? Effect.void
    : Effect.zipRight(
        announceNew(database),
        Effect.provide(Effect.flatMap(SqlClient.SqlClient, Sql.migrate), sqlClient(database)),
      );

/** Grants the role of servers what they need, as the owner of the tables. */
export const grant = (database: Database, role: string): Effect.Effect<void, Failure> =>
  database.type === "postgres"
    ? Effect.provide(
        Effect.flatMap(SqlClient.SqlClient, (sql) => Sql.grantServer(sql, role)),
        sqlClient(database),
      )
    : usageError("--grant needs a database on a server: postgres://…");

/** Brings the schema up to date and spreads the tables over the machines of a Citus cluster. */
export const distribute = (database: Database): Effect.Effect<void, Failure> =>
  database.type === "postgres"
    ? Postgres.distribute(addressOf(database))
    : usageError("--distribute needs a database on a server: postgres://…");
