import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Effect, Redacted } from "effect";
import pg from "pg";
import { Outbox, Principal } from "quittance";
import * as Postgres from "quittance/postgres";
import { Build, Scene } from "quittance/testing";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { database } from "../support/postgres.ts";
import { call, developmentKey, folder, listening, run } from "./running.ts";

const WORKSPACE = "6f1c2d4e-0000-4000-8000-000000000002";
let here = folder();
afterEach(() => {
  here.remove();
  here = folder();
});
afterAll(() => here.remove());

const start = async (environment: Record<string, string> = {}, args: ReadonlyArray<string> = ["serve"]) => {
  const server = run(here.path, args, { PORT: "0", ...environment });
  return { ...server, url: await listening(server) };
};

describe("a first start on an embedded store", () => {
  it("creates a key that works, stores it readable by its owner only, and shows it once", async () => {
    const first = await start({ DATABASE_URL: "pglite://data" });
    const key = developmentKey(here.path);
    expect(first.output()).toContain(key);
    expect(statSync(join(here.path, ".quittance/dev-key")).mode & 0o777).toBe(0o600);
    const made = await call(first.url, key, "POST", "partners", { name: "Nordlys", workspace_id: WORKSPACE });
    expect(made.status).toBe(201);
    first.process.kill("SIGTERM");
    expect(await first.ended).toBe(0);

    const second = await start({ DATABASE_URL: "pglite://data" });
    expect(second.output()).not.toContain("qk_");
    const { body } = await call(second.url, key, "GET", "partners");
    expect(body.partners.map(({ id }: { id: string }) => id)).toEqual([made.body.id]);
    second.process.kill("SIGKILL");
    await second.ended;

    const third = await start({ DATABASE_URL: "pglite://data" });
    expect((await call(third.url, key, "GET", "partners")).body.total).toBe(1);
    third.process.kill("SIGTERM");
    await third.ended;
  });
});

describe("several stores started in the same working folder", () => {
  const inFile = (file: string): string => readFileSync(join(here.path, file), "utf8").trim();
  const modeOf = (file: string): number => statSync(join(here.path, file)).mode & 0o777;
  const stop = async ({ process: child, ended }: Awaited<ReturnType<typeof start>>) => {
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
  };

  it("have a key each, and .quittance/dev-key is that of the default store, whichever started first", async () => {
    const early = await start({ DATABASE_URL: "pglite://other" });
    const other = inFile("other/dev-key");
    expect(early.output()).toContain(`development key, stored in other/dev-key: ${other}\n`);
    expect(developmentKey(here.path)).toBe(other);

    const standard = await start();
    const key = developmentKey(here.path);
    expect(standard.output()).toContain(`development key, stored in .quittance/dev-key: ${key}\n`);
    expect(key).not.toBe(other);
    expect(inFile(".quittance/data/dev-key")).toBe(key);

    const memory = await start({ DATABASE_URL: "memory:" });
    const file = `.quittance/dev-key-memory-${new URL(memory.url).port}`;
    const passing = inFile(file);
    expect(memory.output()).toContain(`development key, stored in ${file}: ${passing}\n`);
    expect(developmentKey(here.path)).toBe(key);
    for (const kept of ["other/dev-key", ".quittance/dev-key", ".quittance/data/dev-key", file]) {
      expect(modeOf(kept), kept).toBe(0o600);
    }

    for (const [server, its] of [
      [early, other],
      [standard, key],
      [memory, passing],
    ] as const) {
      expect((await call(server.url, its, "GET", "partners")).status).toBe(200);
    }
    await Promise.all([early, standard, memory].map(stop));
    expect(existsSync(join(here.path, file))).toBe(false);

    // The next start of the default store writes its copy again.
    rmSync(join(here.path, ".quittance/dev-key"));
    const again = await start();
    expect(developmentKey(here.path)).toBe(key);
    expect(again.output()).not.toContain("qk_");
    await stop(again);
  });

  it("use .quittance/dev-key for the last started one if the default store is not among them", async () => {
    const first = await start({ DATABASE_URL: "memory:" });
    const earlier = developmentKey(here.path);
    const second = await start({ DATABASE_URL: "memory:" });
    expect(developmentKey(here.path)).not.toBe(earlier);
    expect(inFile(`.quittance/dev-key-memory-${new URL(first.url).port}`)).toBe(earlier);
    expect((await call(second.url, developmentKey(here.path), "GET", "partners")).status).toBe(200);
    await stop(second);
    await stop(first);
    expect(readdirSync(join(here.path, ".quittance"))).toEqual([]);
  });

  it("serve without a writable folder, and log it", async () => {
    writeFileSync(join(here.path, ".quittance"), "a file in the way");
    const server = await start({ DATABASE_URL: "memory:" });
    const key = /^development key, not stored: .*: (qk_\S+)$/m.exec(server.output())?.[1] ?? "";
    expect((await call(server.url, key, "GET", "partners")).status).toBe(200);
    await stop(server);
  });
});

describe("the admin token", () => {
  const token = "an-admin-token-of-more-than-32-characters";

  it("creates the first key of a customer, and no development key is created", async () => {
    const server = await start({ DATABASE_URL: "memory:", QUITTANCE_ADMIN_TOKEN: token });
    expect(server.output()).not.toContain("qk_");
    const customer_id = "6f1c2d4e-0000-4000-8000-000000000001";
    const made = await call(server.url, token, "POST", "api-keys", { customer_id });
    expect(made.status).toBe(201);
    expect((await call(server.url, made.body.key, "GET", "partners")).status).toBe(200);
    expect((await call(server.url, `${token}x`, "GET", "partners")).status).toBe(401);
    server.process.kill("SIGTERM");
    expect(await server.ended).toBe(0);
    expect(server.errors()).not.toContain(token);
  });
});

describe("quittance keys list", () => {
  it("shows the scopes that a key of an earlier version lacks", async () => {
    const server = await start({ DATABASE_URL: "memory:" });
    const key = /(qk_\S+)$/m.exec(server.output())?.[1] ?? "";
    const old = Principal.DEFAULT_SCOPES.filter((scope) => !scope.startsWith("events:"));
    const keys: ReadonlyArray<readonly [name: string, scopes: ReadonlyArray<string> | undefined]> = [
      ["standard", undefined],
      ["old", old],
      ["shop", ["attributions:write"]],
    ];
    for (const [name, scopes] of keys)
      expect((await call(server.url, key, "POST", "api-keys", { name, scopes })).status).toBe(201);
    const listed = run(here.path, ["keys", "list", "--url", server.url, "--key", key]);
    expect(await listed.ended).toBe(0);
    const scopesOf = (name: string) =>
      new RegExp(` ${name} .*(?:never|Z) +(.*)$`, "m").exec(listed.output())?.[1];
    expect(["development", "standard", "old", "shop"].map(scopesOf)).toEqual([
      "all, and keys:admin",
      "all",
      "all but events:read, events:write",
      "attributions:write",
    ]);
    server.process.kill("SIGTERM");
    await server.ended;
  });
});

describe("an impossible start", () => {
  it.each([
    ["PORT", { PORT: "80a" }, /^quittance: PORT must be/],
    ["PORT", { PORT: "65536" }, /^quittance: PORT must be/],
    ["DATABASE_URL", { DATABASE_URL: "mysql://user:secret@host/db" }, /^quittance: DATABASE_URL must be/],
    [
      "QUITTANCE_ADMIN_TOKEN",
      { QUITTANCE_ADMIN_TOKEN: "short" },
      /^quittance: QUITTANCE_ADMIN_TOKEN must have at least 32/,
    ],
    [
      "QUITTANCE_DOCUMENTS",
      { QUITTANCE_DOCUMENTS: "often" },
      /^quittance: QUITTANCE_DOCUMENTS must be one of auto, manual/,
    ],
    ["QUITTANCE_WORKER", { QUITTANCE_WORKER: "yes" }, /^quittance: QUITTANCE_WORKER must be one of on, off/],
    ["LOG_LEVEL", { LOG_LEVEL: "loud" }, /^quittance: LOG_LEVEL must be one of/],
  ])("is reported in one line with exit code 2: %s", async (_what, environment, line) => {
    const server = run(here.path, ["serve"], { DATABASE_URL: "memory:", ...environment });
    expect(await server.ended).toBe(2);
    expect(server.errors()).toMatch(line);
    expect(server.errors().trimEnd().split("\n")).toHaveLength(1);
    expect(server.errors()).not.toMatch(/secret|hunter2/);
    expect(server.output()).toBe("");
  });

  it("is reported in one line with exit code 1 when the database cannot be reached", async () => {
    const url = "postgres://nobody:hunter2@127.0.0.1:1/none";
    const server = run(here.path, ["serve"], { DATABASE_URL: url });
    expect(await server.ended).toBe(1);
    expect(server.errors()).toMatch(/^quittance: the database cannot be used: .*ECONNREFUSED.*\n$/);
    expect(server.errors()).not.toContain("hunter2");
    expect(server.output()).toBe("");
  });

  it("is reported with the unknown option or command", async () => {
    const option = run(here.path, ["serve", "--prot", "1"]);
    expect(await option.ended).toBe(2);
    expect(option.errors()).toMatch(/^quittance: unknown option '--prot' .*--port.*\n$/);
    const secret = run(here.path, ["serve", "--payment-secrets=bank=hunter2"]);
    expect(await secret.ended).toBe(2);
    expect(secret.errors()).toContain("unknown option '--payment-secrets'");
    expect(secret.errors()).not.toContain("hunter2");
    const command = run(here.path, ["srve"]);
    expect(await command.ended).toBe(2);
    expect(command.errors()).toMatch(/^quittance: unknown command 'srve' \(Did you mean serve\?\).*\n$/);
  });

  it("is reported when the address is in use", async () => {
    const holder = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => holder.once("listening", resolve));
    const { port } = holder.address() as AddressInfo;
    const server = run(here.path, ["serve"], { DATABASE_URL: "memory:", PORT: String(port) });
    expect(await server.ended).toBe(1);
    expect(server.errors()).toMatch(/^quittance: cannot listen: .*EADDRINUSE/);
    holder.close();
  });
});

describe("help and version", () => {
  it("are printed with exit code 0", async () => {
    for (const words of [["--help"], ["help"], ["-h"]]) {
      const help = run(here.path, words);
      expect(await help.ended).toBe(0);
      expect(help.output()).toMatch(/^ {2}migrate \[options\] +bring the schema/m);
      expect(help.errors()).toBe("");
    }
    const ofCommand = run(here.path, ["help", "outbox", "retry"]);
    expect(await ofCommand.ended).toBe(0);
    expect(ofCommand.output()).toContain("--database-url");
    const version = run(here.path, ["version"]);
    expect(await version.ended).toBe(0);
    expect(version.output()).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe("options of the command line", () => {
  it("override the environment", async () => {
    const server = run(here.path, ["serve", "--database-url", "memory:", "--worker", "off"], {
      PORT: "0",
      QUITTANCE_EXTENSIONS: "on",
      DATABASE_URL: "mysql://wrong",
    });
    const url = await listening(server);
    const key = developmentKey(here.path);
    expect((await call(url, key, "GET", "api-keys")).status).toBe(200);
    expect((await call(url, key, "GET", "partners")).status).toBe(200);
    server.process.kill("SIGINT");
    expect(await server.ended).toBe(0);
  });

  it("no longer include a switch for extensions: the old setting stops the start with a reason", async () => {
    const server = run(here.path, ["serve", "--database-url", "memory:"], {
      PORT: "0",
      QUITTANCE_EXTENSIONS: "off",
    });
    expect(await server.ended).toBe(2);
    expect(server.errors()).toMatch(/QUITTANCE_EXTENSIONS=off no longer exists: .* remove it/);
  });
});

describe("quittance outbox", () => {
  const ended = async (args: ReadonlyArray<string>, environment: Record<string, string> = {}) => {
    const { ended: code, output, errors } = run(here.path, ["outbox", ...args], environment);
    return { code: await code, output: output(), errors: errors() };
  };
  const ID = "01890a5d-ac96-774b-bcce-b302099a8057";

  it("lists failed messages and retries them; the exit code states whether it found them", async () => {
    const program = Effect.gen(function* () {
      const url = yield* database();
      const message = Build.message(Build.fresh.customer(), Build.fresh.settlement());
      const dead = Effect.gen(function* () {
        yield* Scene.commit(message.customerId, [], { outbox: [message] });
        const outbox = yield* Outbox.Outbox;
        const [held] = yield* outbox.claim({ topics: [message.topic], limit: 1, leaseMilliseconds: 1_000 });
        if (held !== undefined) yield* outbox.deadLetter(held, "closed today\nat the counter");
      });
      yield* Effect.provide(dead, Postgres.layer({ url }));
      const environment = { DATABASE_URL: Redacted.value(url) };
      const list = yield* Effect.promise(() => ended(["list"], environment));
      expect(list.code).toBe(0);
      expect(list.output).toMatch(
        new RegExp(`^${message.id}  dead  make_report  failures=0 .*closed today\n$`),
      );
      const json = yield* Effect.promise(() => ended(["list", "--json"], environment));
      expect(JSON.parse(json.output)).toMatchObject({ id: message.id, state: "dead" });
      expect((yield* Effect.promise(() => ended(["retry", ID], environment))).code).toBe(1);
      const retried = yield* Effect.promise(() => ended(["retry", message.id.toUpperCase()], environment));
      expect(retried).toEqual({ code: 0, output: "retried 1\n", errors: "" });
      const all = yield* Effect.promise(() => ended(["retry", "--all"], environment));
      expect(all).toEqual({ code: 0, output: "retried 0\n", errors: "" });
    });
    await Effect.runPromise(Effect.scoped(program));
  });

  it("does not migrate a database, and reports it with exit code 1", async () => {
    const program = Effect.gen(function* () {
      const url = yield* database();
      yield* Effect.promise(async () => {
        const client = new pg.Client(Redacted.value(url));
        await client.connect();
        await client.query("delete from quittance.migrations where version > 1");
        await client.end();
      });
      const { code, errors } = yield* Effect.promise(() =>
        ended(["list"], { DATABASE_URL: Redacted.value(url) }),
      );
      expect(code).toBe(1);
      expect(errors).toMatch(/^quittance: the database cannot be used: .*schema version 1.*migrate it\n$/);
    });
    await Effect.runPromise(Effect.scoped(program));
  });

  it.each([
    [["list", "--all"]],
    [["list", ID]],
    [["retry"]],
    [["retry", "--all", ID]],
    [["retry", "nonsense"]],
    [["forget"]],
    [[]],
  ])("refuses %j in one line with exit code 2", async (args) => {
    const { code, errors } = await ended(args, { DATABASE_URL: "pglite://data" });
    expect(code).toBe(2);
    expect(errors).toMatch(/^quittance: .+quittance outbox (list|--help)\n$/);
  });

  it("does not create a missing store", async () => {
    const { code, errors } = await ended(["list"], { DATABASE_URL: "pglite://data" });
    expect(code).toBe(2);
    expect(errors).toMatch(/^quittance: there is no store in data: .+\n$/);
    expect(existsSync(join(here.path, "data"))).toBe(false);
  });
});
