/** Finds the settings of a Citus cluster under which a node that has gone silent holds up the customers of the others. */
import * as SqlClient from "@effect/sql/SqlClient";
import { Effect } from "effect";
import type { Storage } from "quittance";
import { failure } from "../Failure.ts";
import { declaredTables } from "./Citus.ts";

/** The longest wait for a node that we take for deliberate. The default of Citus for a connection is 30 s. */
const WAIT_MILLISECONDS_MAX = 10_000;

/** Settings of the coordinator. A role without `pg_read_all_settings` does not see the parameters of connections. */
const SETTINGS = `select
  (select s.setting::integer from pg_settings s where s.name = 'citus.node_connection_timeout') as "connectMilliseconds",
  (select s.setting from pg_settings s where s.name = 'citus.node_conninfo') as "connectionParameters"`;

/** What {@link waitGaps} reads; null where it cannot be seen. */
export interface Waits {
  readonly connectMilliseconds: number | null;
  readonly connectionParameters: string | null;
}

/** What is missing, each in a sentence. */
export const gapsOf = ({ connectMilliseconds, connectionParameters }: Waits): ReadonlyArray<string> => {
  const [, silence] = /\btcp_user_timeout=(\d+)/.exec(connectionParameters ?? "") ?? [];
  const isBounded = silence !== undefined && Number(silence) > 0 && Number(silence) <= WAIT_MILLISECONDS_MAX;
  return [
    ...(connectMilliseconds === null || connectMilliseconds <= WAIT_MILLISECONDS_MAX
      ? []
      : [
          `a node that does not reply is waited for ${connectMilliseconds / 1000} s at each attempt to connect: set citus.node_connection_timeout to 3s`,
        ]),
    ...(connectionParameters === null || isBounded
      ? []
      : [
          "a node that goes silent holds connections until their statements time out, and customers of other nodes wait for them: add tcp_user_timeout=3000 to citus.node_conninfo",
        ]),
  ];
};

/**
 * How long a distributed database waits for a node that does not reply, where that is too long, each in a sentence. Nothing on
 * a database that is not distributed.
 */
export const waitGaps: Effect.Effect<
  ReadonlyArray<string>,
  Storage.StorageError,
  SqlClient.SqlClient
> = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.flatMap(declaredTables(sql), (declared) =>
    declared.length === 0
      ? Effect.succeed([])
      : Effect.map(sql.unsafe<Waits>(SETTINGS).unprepared, (found) => found.flatMap(gapsOf)),
  ),
).pipe(Effect.mapError(failure));
