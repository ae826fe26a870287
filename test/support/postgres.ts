/** Databases for tests; each test file has its own. */
import { randomUUID } from "node:crypto";
import { Effect, Redacted, type Scope } from "effect";
import pg from "pg";
import { distribute } from "quittance/postgres";
import { inject } from "vitest";
import type {} from "./postgresSetup.ts";

/** Limits of stores in tests that make many calls at once: on a loaded machine these wait longer than a caller would. */
export const PATIENT = { acquireTimeoutMilliseconds: 120_000, statementTimeoutMilliseconds: 120_000 };

const runOn = (url: string, text: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  return client
    .connect()
    .then(() => client.query(text))
    .then(() => undefined)
    .finally(() => client.end());
};

const run = (text: string): Promise<void> => runOn(inject("postgres").url, text);

const urlOf = (database: string): Redacted.Redacted => {
  const url = new URL(inject("postgres").url);
  url.pathname = `/${database}`;
  return Redacted.make(url.href);
};

const fresh = (prefix: string): string => `${prefix}_${randomUUID().replaceAll("-", "")}`;

/** Fewer than the default of Citus, so that tests create their databases in less time. */
const SHARDS = 4;

/** Creates a database on every node of a Citus cluster, known to the coordinator: distributed, or empty. */
const citusDatabase = (
  nodes: ReadonlyArray<string>,
  options: { readonly migrated: boolean },
): Effect.Effect<Redacted.Redacted, never, Scope.Scope> => {
  const name = fresh("quittance_test");
  const { url } = inject("postgres");
  const of = (node: string): URL => Object.assign(new URL(node), { pathname: `/${name}` });
  const all = [url, ...nodes];
  const create = async (): Promise<void> => {
    for (const node of all) {
      await runOn(node, `create database ${name} template template0`);
      await runOn(node, `alter database ${name} set citus.shard_count = ${SHARDS}`);
      await runOn(of(node).href, "create extension citus");
    }
    const { hostname, port } = of(url);
    await runOn(of(url).href, `select citus_set_coordinator_host('${hostname}', ${port})`);
    for (const node of nodes.map(of))
      await runOn(of(url).href, `select citus_add_node('${node.hostname}', ${node.port})`);
    if (options.migrated) await Effect.runPromise(distribute({ url: Redacted.make(of(url).href) }));
  };
  const drop = async (): Promise<void> => {
    for (const node of all) await runOn(node, `drop database if exists ${name} with (force)`);
  };
  return Effect.as(
    Effect.acquireRelease(Effect.promise(create), () => Effect.promise(drop)),
    Redacted.make(of(url).href),
  );
};

/** A database that is dropped with the scope: migrated, or empty. On a Citus cluster it is distributed as well. */
export const database = (
  options: { readonly migrated: boolean } = { migrated: true },
): Effect.Effect<Redacted.Redacted, never, Scope.Scope> => {
  const { nodes } = inject("postgres");
  if (nodes !== null) return citusDatabase(nodes, options);
  const name = fresh("quittance_test");
  const template = options.migrated ? inject("postgres").template : "template0";
  return Effect.as(
    Effect.acquireRelease(
      Effect.promise(() => run(`create database ${name} template ${template}`)),
      () => Effect.promise(() => run(`drop database if exists ${name} with (force)`)),
    ),
    urlOf(name),
  );
};

/**
 * Copies a database; the copy is dropped with the scope. Requires that no connection to the database is open and that the
 * server is no Citus cluster.
 */
export const copyOf = (url: Redacted.Redacted): Effect.Effect<Redacted.Redacted, never, Scope.Scope> => {
  const name = fresh("quittance_test");
  const template = new URL(Redacted.value(url)).pathname.slice(1);
  return Effect.as(
    Effect.acquireRelease(
      // Copying files writes less to disk than logging every page.
      Effect.promise(() => run(`create database ${name} template ${template} strategy file_copy`)),
      () => Effect.promise(() => run(`drop database if exists ${name} with (force)`)),
    ),
    urlOf(name),
  );
};

/** A connection to a database, closed with the scope. */
export const connected = (url: Redacted.Redacted): Effect.Effect<pg.Client, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new pg.Client({ connectionString: Redacted.value(url) });
      await client.connect();
      return client;
    }),
    (client) => Effect.promise(() => client.end()),
  );

/** URLs of one database, as the superuser and as a role that is subject to row-level security. */
export interface Guarded {
  /** Connects as the superuser. */
  readonly all: Redacted.Redacted;
  /** Connects as the role that owns only the database and may set the role of the platform. */
  readonly own: Redacted.Redacted;
  readonly role: string;
}

/** Creates role and database as the documentation tells operators to: a role without rights of its own, and its database. */
export const guarded: Effect.Effect<Guarded, never, Scope.Scope> = Effect.suspend(() => {
  const name = fresh("quittance_test");
  const role = fresh("quittance_role");
  const made = (create: string, drop: string) =>
    Effect.acquireRelease(
      Effect.promise(() => run(create)),
      () => Effect.promise(() => run(drop)),
    );
  return Effect.gen(function* () {
    yield* made(
      `create role ${role} login noinherit nosuperuser nobypassrls; grant quittance_platform to ${role}`,
      `drop role ${role}`,
    );
    yield* made(
      `create database ${name} owner ${role} template template0`,
      `drop database ${name} with (force)`,
    );
    const all = urlOf(name);
    const own = Redacted.make(Object.assign(new URL(Redacted.value(all)), { username: role }).href);
    return { all, own, role };
  });
});
