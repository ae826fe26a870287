import * as fs from "node:fs";
import { Effect, type Scope } from "effect";
import pg from "pg";
import { describe, expect, it } from "vitest";
import { folder, listening, type Run, run } from "../server/running.ts";
import { startServer } from "../support/postgresServer.ts";

const test = <A, E>(story: Effect.Effect<A, E, Scope.Scope>) => Effect.runPromise(Effect.scoped(story));

/** Starts a server with default settings, the owner of an empty database, and a role without rights on it. */
const server = Effect.gen(function* () {
  const started = yield* Effect.acquireRelease(
    Effect.promise(() => startServer({ durable: true })),
    (item) => Effect.promise(() => item.stop()),
  );
  yield* Effect.promise(async () => {
    const client = new pg.Client({ connectionString: started.url });
    await client.connect();
    await client.query("create role stranger login password 'right'");
    await client.query("create database books");
    const { rows } = await client.query<{ hba_file: string }>("show hba_file");
    const file = rows[0]?.hba_file ?? "";
    const rules = fs.readFileSync(file, "utf8");
    fs.writeFileSync(file, `host all stranger 127.0.0.1/32 scram-sha-256\n${rules}`);
    await client.query("select pg_reload_conf()");
    await client.end();
  });
  const at = (path: string, user = "postgres", password = ""): string =>
    Object.assign(new URL(started.url), { pathname: `/${path}`, username: user, password }).href;
  return { at, url: started.url };
});

const started = (url: string, args: ReadonlyArray<string> = ["serve"]) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const here = folder();
      return { ...run(here.path, args, { DATABASE_URL: url, PORT: "0" }), here };
    }),
    ({ process: child, here }) =>
      Effect.sync(() => {
        child.kill("SIGKILL");
        here.remove();
      }),
  );

const oneLine = (process: Run) =>
  Effect.map(
    Effect.promise(() => process.ended),
    (code) => {
      expect(code).toBe(1);
      expect(process.output()).toBe("");
      const lines = process.errors().trimEnd().split("\n");
      expect(lines).toHaveLength(1);
      return lines[0] ?? "";
    },
  );

const schemas = (url: string) =>
  Effect.promise(async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query("select to_regnamespace('quittance') as there");
    await client.end();
    return rows;
  });

describe("a start on a database that cannot be used", () => {
  it("prints the problem in one line, exits with 1 and leaves nothing behind", () =>
    test(
      Effect.gen(function* () {
        const { at } = yield* server;
        const cases = [
          [at("books", "stranger", "wrong"), 'password authentication failed for user "stranger"'],
          [at("books", "stranger", "right"), "permission denied for database books"],
          [at("papers"), 'database "papers" does not exist'],
          ["postgres://nobody@localhost:1/books", "ECONNREFUSED"],
          ["postgres://nobody@no-such-host.invalid/books", "no-such-host.invalid"],
        ] as const;
        for (const [url, line] of cases) {
          for (const command of ["serve", "migrate"]) {
            const said = yield* oneLine(yield* started(url, [command]));
            expect(said).toContain("quittance: the database cannot be used: ");
            expect(said).toContain(line);
            expect(said).not.toMatch(/wrong|right/);
          }
        }
        expect(yield* schemas(at("books"))).toEqual([{ there: null }]);
        const refused = yield* oneLine(yield* started(at("books"), ["migrate", "--distribute", "citus"]));
        expect(refused).toContain("no Citus extension");
        expect(yield* schemas(at("books"))).toEqual([{ there: null }]);
      }),
    ));

  it("names the process that has a folder open", () =>
    test(
      Effect.gen(function* () {
        const here = yield* Effect.acquireRelease(Effect.sync(folder), ({ remove }) => Effect.sync(remove));
        const url = `pglite://${here.path}/data`;
        const first = yield* started(url);
        yield* Effect.promise(() => listening(first));
        const [server, command] = [yield* started(url), yield* started(url, ["keys", "list"])];
        const said = yield* oneLine(server);
        expect(said).toMatch(
          new RegExp(
            `is open in process ${first.process.pid} since [\\d-]+T[\\d:.]+Z: only one process at a time`,
          ),
        );
        expect(yield* oneLine(command)).toMatch(/To use its server, pass --url and set QUITTANCE_KEY/);
      }),
    ));
});

describe("a start on a server that may lose acknowledged commits", () => {
  it("warns, and names the settings that are off", () =>
    test(
      Effect.gen(function* () {
        const fast = yield* Effect.acquireRelease(
          Effect.promise(() => startServer()),
          (item) => Effect.promise(() => item.stop()),
        );
        const unsafe = yield* started(fast.url);
        yield* Effect.promise(() => listening(unsafe));
        expect(unsafe.errors()).toContain("fsync, full_page_writes, synchronous_commit are off");
        const { url } = yield* server;
        const safe = yield* started(url);
        yield* Effect.promise(() => listening(safe));
        expect(safe.errors()).not.toMatch(/\b(is|are) off\b/);
      }),
    ));

  it("warns only when row-level security does not apply to its role", () =>
    test(
      Effect.gen(function* () {
        const { url } = yield* server;
        const free = yield* started(url);
        yield* Effect.promise(() => listening(free));
        expect(free.errors()).toContain("the role postgres is a superuser");
        yield* Effect.promise(async () => {
          const client = new pg.Client({ connectionString: url });
          await client.connect();
          await client.query("create role shop login noinherit; grant quittance_platform to shop");
          await client.query("create database shop owner shop");
          await client.end();
        });
        const held = yield* started(
          Object.assign(new URL(url), { pathname: "/shop", username: "shop" }).href,
        );
        yield* Effect.promise(() => listening(held));
        expect(held.errors()).not.toContain("row-level security");
        expect(held.errors()).not.toContain("across customers");
      }),
    ));
});
