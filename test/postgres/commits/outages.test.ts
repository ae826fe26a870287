import { Effect, Either, Redacted, Schedule, type Scope } from "effect";
import { Storage } from "quittance";
import { layer } from "quittance/postgres";
import { Build, Scene } from "quittance/testing";
import { describe, expect, it } from "vitest";
import { connected, database } from "../../support/postgres.ts";
import { startProxy } from "../../support/postgresProxy.ts";
import { startServer } from "../../support/postgresServer.ts";

const run = <A, E>(test: Effect.Effect<A, E, Scope.Scope>) => Effect.runPromise(Effect.scoped(test));

const proxied = Effect.flatMap(
  Effect.suspend(() => database()),
  (url) =>
    Effect.acquireRelease(
      Effect.promise(() => startProxy(url)),
      (proxy) => Effect.promise(() => proxy.close()),
    ),
);

const BUSY = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

/** Blocks reads of documents and terminates the connection of the first reader, as an administrator can. */
const endReader = (url: Redacted.Redacted) =>
  Effect.gen(function* () {
    const client = yield* connected(url);
    yield* Effect.promise(() =>
      client.query("begin; lock table quittance.documents in access exclusive mode"),
    );
    const terminate = Effect.promise(() =>
      client.query(`select pg_terminate_backend(pid) from (${BUSY}) busy`),
    );
    yield* Effect.repeat(terminate, {
      until: ({ rows }) => rows.length > 0,
      schedule: Schedule.spaced("5 millis"),
    }).pipe(Effect.forkScoped);
  });

const reasonOf = <A>(
  result: Either.Either<A, Storage.VersionConflict | Storage.IdempotencyKeyUsed | Storage.StorageError>,
) =>
  Either.isRight(result)
    ? "stored"
    : result.left._tag === "StorageError"
      ? result.left.reason
      : result.left._tag;

describe("a commit whose connection breaks", () => {
  it("succeeds when only the reply was lost", () =>
    run(
      Effect.gen(function* () {
        const proxy = yield* proxied;
        const test = Effect.gen(function* () {
          const storage = yield* Storage.Storage;
          const scene = yield* Scene.create();
          const attribution = Build.attribution(scene);
          proxy.lose("reply", attribution.row.id);
          yield* Scene.commit(scene.customerId, [attribution]);
          return yield* storage.find(scene.customerId, "attribution", [attribution.row.id]);
        });
        const found = yield* Effect.provide(test, layer({ url: proxy.url }));
        expect(found.length).toBe(1);
      }),
    ));

  it("fails as unavailable when the request was lost, and is never stored later", () =>
    run(
      Effect.gen(function* () {
        const proxy = yield* proxied;
        const test = Effect.gen(function* () {
          const storage = yield* Storage.Storage;
          const scene = yield* Scene.create();
          const attribution = Build.attribution(scene);
          const changeSet = Build.changeSet({
            command: yield* Scene.createCommand(),
            changes: [attribution],
          });
          proxy.lose("request", attribution.row.id);
          const lost = yield* Effect.either(storage.commit(scene.customerId, changeSet));
          const happened = yield* storage.isCommitted(scene.customerId, changeSet.command);
          const late = yield* Effect.either(storage.commit(scene.customerId, changeSet));
          const again = { ...changeSet, command: { ...changeSet.command, id: Build.fresh.command() } };
          yield* storage.commit(scene.customerId, again);
          return { lost: reasonOf(lost), happened, late: reasonOf(late) };
        });
        const outcome = yield* Effect.provide(test, layer({ url: proxy.url }));
        expect(outcome).toEqual({ lost: "unavailable", happened: false, late: "VersionConflict" });
      }),
    ));

  it("fails as unknown when the request was lost and its command is so old that its id may have been pruned", () =>
    run(
      Effect.gen(function* () {
        const proxy = yield* proxied;
        const test = Effect.gen(function* () {
          const storage = yield* Storage.Storage;
          const scene = yield* Scene.create();
          const attempt = (loses: "reply" | "request") =>
            Effect.gen(function* () {
              const attribution = Build.attribution(scene);
              const command = yield* Scene.createCommand(Storage.ABSENCE_IS_CONCLUSIVE_MILLISECONDS + 60_000);
              proxy.lose(loses, attribution.row.id);
              const changeSet = Build.changeSet({ command, changes: [attribution] });
              return reasonOf(yield* Effect.either(storage.commit(scene.customerId, changeSet)));
            });
          return [yield* attempt("reply"), yield* attempt("request")];
        });
        const outcome = yield* Effect.provide(test, layer({ url: proxy.url }));
        expect(outcome).toEqual(["stored", "unknown"]);
      }),
    ));

  it("fails as unknown when the database cannot be reached, and is resolved by its id afterwards", () =>
    run(
      Effect.gen(function* () {
        const proxy = yield* proxied;
        const test = Effect.gen(function* () {
          const storage = yield* Storage.Storage;
          const scene = yield* Scene.create();
          const attribution = Build.attribution(scene);
          const changeSet = Build.changeSet({ changes: [attribution] });
          proxy.lose("reply and connections", attribution.row.id);
          const lost = yield* Effect.either(storage.commit(scene.customerId, changeSet));
          proxy.heal();
          return {
            lost: reasonOf(lost),
            happened: yield* storage.isCommitted(scene.customerId, changeSet.command),
          };
        });
        const outcome = yield* Effect.provide(test, layer({ url: proxy.url }));
        expect(outcome).toEqual({ lost: "unknown", happened: true });
      }),
    ));
});

describe("a connection that the server ends", () => {
  it("fails the statement that was running, and is not used again", () =>
    run(
      Effect.gen(function* () {
        const url = yield* database();
        const test = Effect.gen(function* () {
          const storage = yield* Storage.Storage;
          const scene = yield* Scene.create();
          yield* endReader(url);
          const read = yield* Effect.either(
            storage.find(scene.customerId, "document", [Build.fresh.document()]),
          );
          const write = yield* Effect.either(Scene.commit(scene.customerId, [Build.attribution(scene)]));
          return { read: reasonOf(read), write: reasonOf(write) };
        });
        const outcome = yield* Effect.provide(test, layer({ url, maxConnections: 1 }));
        expect(outcome).toEqual({ read: "unavailable", write: "stored" });
      }),
    ));
});

describe("a database that cannot be reached", () => {
  const server = Effect.acquireRelease(
    Effect.promise(() => startServer({ durable: true })),
    (started) => Effect.promise(() => started.stop()),
  );

  it("makes requests fail as unavailable while its server is killed, and loses nothing", () =>
    run(
      Effect.gen(function* () {
        const started = yield* server;
        const test = Effect.gen(function* () {
          const storage = yield* Storage.Storage;
          const scene = yield* Scene.create();
          const stored = yield* Scene.earn(scene, [1, 2, 3]);
          const exit = new Promise((resume) => started.process.once("exit", resume));
          started.process.kill("SIGKILL");
          yield* Effect.promise(() => exit);
          // The backend runs on for a moment after the postmaster was killed.
          const read = yield* Effect.repeat(Effect.either(storage.ready), { until: Either.isLeft });
          const write = yield* Effect.either(Scene.commit(scene.customerId, [Build.attribution(scene)]));
          yield* Effect.promise(() => started.restart());
          const ids = stored.map(({ commission }) => commission.id);
          const found = yield* storage.find(scene.customerId, "commission", ids);
          yield* Scene.commit(scene.customerId, [Build.attribution(scene)]);
          return { read: reasonOf(read), write: reasonOf(write), found: found.length };
        });
        const outcome = yield* Effect.provide(
          test,
          layer({ url: Redacted.make(started.url), maxConnections: 1 }),
        );
        expect(outcome).toEqual({ read: "unavailable", write: "unavailable", found: 3 });
      }),
    ));

  it("makes requests fail as unavailable when no connection is free in time", () =>
    run(
      Effect.gen(function* () {
        const url = yield* database();
        const test = Effect.gen(function* () {
          const storage = yield* Storage.Storage;
          const reads = yield* Effect.all(
            Array.from({ length: 40 }, () => Effect.either(storage.ready)),
            { concurrency: "unbounded" },
          );
          return new Set(reads.map(reasonOf));
        });
        const options = { url, migrate: false, maxConnections: 1, acquireTimeoutMilliseconds: 1 };
        const reasons = yield* Effect.provide(test, layer(options));
        expect(reasons).toContain("unavailable");
        expect(reasons).not.toContain("broken");
      }),
    ));

  it("prevents the start", () =>
    run(
      Effect.gen(function* () {
        const url = Redacted.make("postgres://nobody@127.0.0.1:1/nowhere");
        const result = yield* Effect.either(Effect.provide(Storage.Storage, layer({ url })));
        expect(reasonOf(result)).toBe("unavailable");
      }),
    ));
});
