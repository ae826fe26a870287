/** Finds the settings of the server that endanger acknowledged commits. */
import * as SqlClient from "@effect/sql/SqlClient";
import { Effect } from "effect";
import type { Storage } from "quittance";
import { failure } from "../sql/index.ts";
import { client } from "./Connection.ts";
import type { Options } from "./Options.ts";

/** Settings whose `off` lets a crash of the server or a loss of power lose or corrupt acknowledged commits. */
const OFF = `select t.name from pg_settings t
where t.name in ('fsync', 'full_page_writes', 'synchronous_commit') and t.setting = 'off' order by t.name`;

/** The settings that durability needs and that are off, by name; none on a server with its defaults. */
export const durabilityGaps = (
  options: Options,
): Effect.Effect<ReadonlyArray<string>, Storage.StorageError> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.mapError(sql.unsafe<{ readonly name: string }>(OFF).unprepared, failure),
  ).pipe(
    Effect.map((gaps) => gaps.map(({ name }) => name)),
    Effect.provide(client({ ...options, maxConnections: 1 })),
  );
