/** Databases for tests: each test file works in one of its own. */
import { randomUUID } from "node:crypto";
import { Effect, Redacted, type Scope } from "effect";
import pg from "pg";
import { inject } from "vitest";
import type {} from "./postgresSetup.ts";

const run = (text: string): Promise<void> => {
  const client = new pg.Client({ connectionString: inject("postgres").url });
  return client
    .connect()
    .then(() => client.query(text))
    .then(() => undefined)
    .finally(() => client.end());
};

const urlOf = (database: string): Redacted.Redacted => {
  const url = new URL(inject("postgres").url);
  url.pathname = `/${database}`;
  return Redacted.make(url.href);
};

/** A database that is dropped with the scope: migrated, or empty. */
export const database = (
  options: { readonly migrated: boolean } = { migrated: true },
): Effect.Effect<Redacted.Redacted, never, Scope.Scope> => {
  const name = `quittance_test_${randomUUID().replaceAll("-", "")}`;
  const template = options.migrated ? inject("postgres").template : "template0";
  return Effect.as(
    Effect.acquireRelease(
      Effect.promise(() => run(`create database ${name} template ${template}`)),
      () => Effect.promise(() => run(`drop database if exists ${name} with (force)`)),
    ),
    urlOf(name),
  );
};
