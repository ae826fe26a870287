/** Stores that outlive the servers on them: a PostgreSQL cluster with `fsync`, a database on Citus, or a folder of PGlite. */
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { Effect, type Layer, Redacted } from "effect";
import pg from "pg";
import type { Storage } from "quittance";
import * as Pglite from "quittance/pglite";
import * as Postgres from "quittance/postgres";
import type { Ports } from "quittance/testing";
import { startServer } from "../support/postgresServer.ts";

/** A store that servers and the audit use. */
export interface Database {
  /** The value of `DATABASE_URL`. */
  readonly url: string;
  /** Every port on this store, for the test's own process. */
  readonly layer: Layer.Layer<Ports, Storage.StorageError>;
  /** Resolves when the connections of killed servers are closed, so that none of their statements still runs. */
  readonly atRest: () => Promise<void>;
  /** Deletes the store. */
  readonly remove: () => Promise<void>;
}

/** PostgreSQL that can be killed as a whole. */
export interface Cluster extends Database {
  /** Kills the postmaster and every backend. */
  readonly kill: () => Promise<void>;
  readonly restart: () => Promise<void>;
  /** Resolves when no statement is running; connections may stay open. */
  readonly settled: () => Promise<void>;
}

const REST_LIMIT_MILLISECONDS = 120_000;

const CONNECTED = `select count(*)::int as busy from pg_stat_activity
where backend_type = 'client backend' and pid <> pg_backend_pid()`;

const RUNNING = `${CONNECTED} and state <> 'idle'`;

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resume) => setTimeout(resume, milliseconds));

/** Waits until the query counts nothing: a backend continues the statement of a killed client, and may still commit it. */
const untilNone = async (url: string, counting: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const deadline = Date.now() + REST_LIMIT_MILLISECONDS;
    while ((await client.query<{ busy: number }>(counting)).rows[0]?.busy !== 0) {
      if (Date.now() > deadline) throw new Error("the database does not come to rest");
      await pause(10);
    }
  } finally {
    await client.end();
  }
};

/** The ids of a process's children; none where the system has no `/proc`. */
const childrenOf = (parent: number): ReadonlyArray<number> => {
  if (!fs.existsSync("/proc/self/stat")) return [];
  return fs
    .readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const fields = fs.readFileSync(`/proc/${name}/stat`, "utf8").split(") ").pop()?.split(" ");
        return Number(fields?.[1]) === parent;
      } catch {
        return false;
      }
    })
    .map(Number);
};

const killOne = (pid: number): void => {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // The process has ended already.
  }
};

/** Settings by which PostgreSQL acknowledges commits before it writes them to disk, and delays the write as long as possible. */
const FORGETTING = [
  "alter system set synchronous_commit = off",
  "alter system set wal_writer_delay = '10s'",
  "alter system set wal_writer_flush_after = '1GB'",
  "select pg_reload_conf()",
];

const forget = async (url: string): Promise<void> => {
  // The schema must be on disk: without it no server would start again, and the test could not look for lost rows.
  await Effect.runPromise(Postgres.migrate({ url: Redacted.make(url) }));
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const text of FORGETTING) await client.query(text);
  await client.end();
};

/** Starts a cluster with `fsync`, the default of PostgreSQL; a forgetful one loses acknowledged commits when it is killed. */
export const postgres = async ({ forgetful = false } = {}): Promise<Cluster> => {
  const server = await startServer({ durable: true });
  if (forgetful) await forget(server.url);
  return {
    url: server.url,
    layer: Postgres.layer({ url: Redacted.make(server.url), migrate: false }),
    atRest: () => untilNone(server.url, CONNECTED),
    settled: () => untilNone(server.url, RUNNING),
    kill: async () => {
      const { pid } = server.process;
      if (pid === undefined) return;
      // The postmaster first: otherwise it starts a recovery when its backends end.
      const backends = childrenOf(pid);
      const ended = new Promise((resume) => server.process.once("exit", resume));
      killOne(pid);
      for (const backend of backends) killOne(backend);
      await ended;
    },
    restart: server.restart,
    remove: server.stop,
  };
};

/** Counts only connections of our servers: the nodes of a Citus cluster keep connections to each other open. */
const SERVERS = `${CONNECTED} and application_name = 'quittance'`;

/** A database on a Citus cluster whose tables are distributed already. */
export const citus = (url: Redacted.Redacted): Database => ({
  url: Redacted.value(url),
  layer: Postgres.layer({ url, migrate: false }),
  atRest: () => untilNone(Redacted.value(url), SERVERS),
  remove: () => Promise.resolve(),
});

/** An empty folder for PGlite, which one process at a time may open: servers and the audit take turns. */
export const pglite = (): Database => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "quittance-crash-"));
  return {
    url: `pglite://${folder}/data`,
    layer: Pglite.layer({ folder: `${folder}/data` }),
    atRest: () => Promise.resolve(),
    remove: async () => fs.rmSync(folder, { recursive: true, force: true }),
  };
};
