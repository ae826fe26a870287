/** Rights of a server whose role does not own the tables. */
import type * as SqlClient from "@effect/sql/SqlClient";
import { Effect } from "effect";
import type { Storage } from "quittance";
import { failure } from "../Failure.ts";
import { inTransaction } from "../Transaction.ts";
import { APPEND_ONLY } from "./guards.ts";

const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const LOGS = APPEND_ONLY.map((table) => `quittance.${table}`).join(", ");

/**
 * Grants a role what a server needs: to read and write every table, and only to add to those that are append-only. The owner
 * runs it after each migration, because a migration may bring new tables.
 */
export const grantServer = (
  sql: SqlClient.SqlClient,
  role: string,
): Effect.Effect<void, Storage.StorageError> =>
  inTransaction(
    sql,
    sql.unsafe(`grant usage on schema quittance to ${identifier(role)};
grant select, insert, update, delete on all tables in schema quittance to ${identifier(role)};
revoke update, delete on ${LOGS} from ${identifier(role)};
grant update (event, stored, person) on quittance.events to ${identifier(role)};`).unprepared,
  ).pipe(Effect.asVoid, Effect.mapError(failure));
