/** The global setup of a test run: one PostgreSQL server with one migrated database, which tests copy. */
import { randomUUID } from "node:crypto";
import { Effect, Redacted } from "effect";
import pg from "pg";
import { migrate } from "quittance/postgres";
import type { TestProject } from "vitest/node";
import { startServer } from "./postgresServer.ts";
import { needsSetup } from "./selection.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /**
     * The database that tests connect to in order to create theirs, and the one to copy. `nodes` are the other nodes of a
     * Citus cluster, where tests create and distribute databases instead of copying; null for a single server.
     */
    readonly postgres: {
      readonly url: string;
      readonly template: string;
      readonly nodes: ReadonlyArray<string> | null;
    };
  }
}

const run = async (url: string, text: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
};

/** The nodes of `TEST_CITUS_URLS`, the coordinator first; none when the variable is not set. */
const citusNodes = (): ReadonlyArray<string> =>
  (process.env.TEST_CITUS_URLS ?? "").split(",").filter(Boolean);

/**
 * Starts the server unless `TEST_DATABASE_URL` or `TEST_CITUS_URLS` name one; returns the function that removes everything.
 */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  if (!needsSetup(project)) return () => Promise.resolve();
  const [coordinator, ...nodes] = citusNodes();
  if (coordinator !== undefined) {
    project.provide("postgres", { url: coordinator, template: "", nodes });
    return () => Promise.resolve();
  }
  const given = process.env.TEST_DATABASE_URL;
  const server = given === undefined ? await startServer() : null;
  const url = given ?? server?.url ?? "";
  const template = `quittance_template_${randomUUID().replaceAll("-", "")}`;
  await run(url, `create database ${template}`);
  const templateUrl = new URL(url);
  templateUrl.pathname = `/${template}`;
  await Effect.runPromise(migrate({ url: Redacted.make(templateUrl.href) }));
  project.provide("postgres", { url, template, nodes: null });
  return async () => {
    if (server === null) await run(url, `drop database if exists ${template} with (force)`);
    else await server.stop();
  };
};
