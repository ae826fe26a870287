/** A database that goes away while a command reads it: one line, exit code 1. */
import { Redacted } from "effect";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { type Proxy as DatabaseProxy, type Loss, startProxy } from "../../support/postgresProxy.ts";
import type {} from "../../support/postgresSetup.ts";
import { folder, run } from "../running.ts";
import { prepare } from "./Store.ts";

const here = folder();
const admin = inject("postgres").url;
const NAME = `quittance_lost_${process.pid}`;
const url = Object.assign(new URL(admin), { pathname: `/${NAME}` }).href;

const asAdmin = async (text: string): Promise<void> => {
  const client = new pg.Client({ connectionString: admin });
  await client.connect();
  await client.query(text).finally(() => client.end());
};

let proxy: DatabaseProxy;
beforeAll(async () => {
  await asAdmin(`create database ${NAME}`);
  await prepare(url);
  proxy = await startProxy(Redacted.make(url));
});
afterAll(async () => {
  await proxy.close();
  await asAdmin(`drop database ${NAME} with (force)`);
  here.remove();
});

/** What a command prints whose connection breaks at a text. */
const broken = async (loss: Loss, text: string, words: ReadonlyArray<string>) => {
  proxy.heal();
  proxy.lose(loss, text);
  const command = run(here.path, words, { DATABASE_URL: Redacted.value(proxy.url) });
  return { code: await command.ended, output: command.output(), errors: command.errors() };
};

const LINE = /^quittance: the database cannot be used: [^\n]+\n$/;

describe("a database that goes away", () => {
  it.each([
    ["before the snapshot", "repeatable read"],
    ["while the customers are read", "quittance_platform"],
    ["while logs are read", "quittance.events"],
    ["while amounts are read", "quittance.formulas"],
  ])("%s, ends verify with one line and 1", async (_, text) => {
    for (const loss of ["request", "reply", "reply and connections"] as const)
      expect(await broken(loss, text, ["verify"])).toMatchObject({
        code: 1,
        errors: expect.stringMatching(LINE),
      });
  });

  it.each([
    ["an export", "quittance.commissions", ["export", "commissions"]],
    ["a list of keys", "select", ["keys", "list"]],
    ["a list of messages", "outbox", ["outbox", "list"]],
    ["the rehearsal of a migration", "grant_platform_reads", ["migrate", "--dry-run"]],
    ["a migration", "grant_platform_reads", ["migrate"]],
  ])("ends %s with one line and 1", async (_, text, words) => {
    expect(await broken("reply and connections", text, words)).toMatchObject({
      code: 1,
      errors: expect.stringMatching(LINE),
    });
  });

  it("whose server ends the connection, ends verify with one line and 1", async () => {
    const command = run(here.path, ["verify"], { DATABASE_URL: url });
    const end = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${NAME}' and xact_start is not null`;
    const timer = setInterval(() => void asAdmin(end).catch(() => {}), 20);
    const code = await command.ended;
    clearInterval(timer);
    expect({ code, errors: command.errors() }).toEqual({ code: 1, errors: expect.stringMatching(LINE) });
  });
});
