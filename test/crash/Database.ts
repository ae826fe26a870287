/** Stores that survive their users: a PostgreSQL cluster of our own that writes through, or a folder of PGlite. */
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

/** A store as servers and the audit reach it. */
export interface Database {
  /** For `DATABASE_URL`. */
  readonly url: string;
  /** Every port over it, for this process. */
  readonly layer: Layer.Layer<Ports, Storage.StorageError>;
  /** Resolves when nothing that a dead server left behind is still running. */
  readonly atRest: () => Promise<void>;
  /** Removes it. */
  readonly remove: () => Promise<void>;
}

/** PostgreSQL that can be killed as a whole. */
export interface Cluster extends Database {
  /** Ends postmaster and every backend at once. */
  readonly kill: () => Promise<void>;
  readonly restart: () => Promise<void>;
  /** Resolves when no statement is running; connections may stay open. */
  readonly settled: () => Promise<void>;
}

const REST_LIMIT_MILLISECONDS = 40_000;

const CONNECTED = `select count(*)::int as busy from pg_stat_activity
where backend_type = 'client backend' and pid <> pg_backend_pid()`;

const RUNNING = `${CONNECTED} and state <> 'idle'`;

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resume) => setTimeout(resume, milliseconds));

/** A backend continues with the statement of a dead client, and may still commit it. */
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

/** Processes whose parent is the given one, where the system tells. */
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
    // It is gone already.
  }
};

/** What makes PostgreSQL acknowledge what it has only in memory, and keep it there for as long as it can. */
const FORGETTING = [
  "alter system set synchronous_commit = off",
  "alter system set wal_writer_delay = '10s'",
  "alter system set wal_writer_flush_after = '1GB'",
  "select pg_reload_conf()",
];

const forget = async (url: string): Promise<void> => {
  // The schema is kept: without one no server would start again, and what is lost could not be looked for.
  await Effect.runPromise(Postgres.migrate({ url: Redacted.make(url) }));
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const text of FORGETTING) await client.query(text);
  await client.end();
};

/** Starts a cluster with `fsync` on, as PostgreSQL comes; or one that breaks its word, to see whether that is noticed. */
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
      // First the postmaster, so that it starts no recovery of its own when it sees its backends die.
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

/** Connections of servers; those that the nodes of a cluster keep to each other do not end. */
const SERVERS = `${CONNECTED} and application_name = 'quittance'`;

/** A database on a Citus cluster, distributed already. */
export const citus = (url: Redacted.Redacted): Database => ({
  url: Redacted.value(url),
  layer: Postgres.layer({ url, migrate: false }),
  atRest: () => untilNone(Redacted.value(url), SERVERS),
  remove: () => Promise.resolve(),
});

/** An empty folder for PGlite; servers and the audit open it in turn. */
export const pglite = (): Database => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "quittance-crash-"));
  return {
    url: `pglite://${folder}/data`,
    layer: Pglite.layer({ folder: `${folder}/data` }),
    atRest: () => Promise.resolve(),
    remove: async () => fs.rmSync(folder, { recursive: true, force: true }),
  };
};
