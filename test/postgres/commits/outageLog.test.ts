import { Effect, Either, Layer, Logger, LogLevel, Redacted, Schedule } from "effect";
import { Quittance, Storage, Worker, WorkerSettings } from "quittance";
import * as Pdf from "quittance/pdf";
import { layer } from "quittance/postgres";
import { Build, Scene } from "quittance/testing";
import { expect, it } from "vitest";
import { connected } from "../../support/postgres.ts";
import { type Server, startServer } from "../../support/postgresServer.ts";

/** How long the worker of a test goes on trying: each lane, the leases and the feed fail several times. */
const OUTAGE_MILLISECONDS = 4_000;

const POLL_MILLISECONDS = 50;

/** How long the connections of a server take to learn of a setting. */
const RELOAD_MILLISECONDS = 2_000;

/** Runs a worker on a server of its own; `story` gets the server and what was logged as a warning or worse, or as the end. */
const whileWorking = <A>(
  story: (server: Server, lines: ReadonlyArray<string>) => Effect.Effect<A, unknown, Storage.Storage>,
): Promise<A> => {
  const lines: Array<string> = [];
  const logger = Logger.make<unknown, void>(({ logLevel, message }) => {
    if (LogLevel.greaterThan(logLevel, LogLevel.Debug))
      lines.push(`${logLevel.label} ${[message].flat()[0]}`);
  });
  return Effect.gen(function* () {
    const started = yield* server;
    const engine = Quittance.layer().pipe(
      Layer.provide([
        Pdf.layer,
        Layer.succeed(WorkerSettings.WorkerSettings, {
          ...WorkerSettings.DEFAULT,
          pollMilliseconds: POLL_MILLISECONDS,
          leaseMilliseconds: 3_000,
        }),
      ]),
      Layer.provideMerge(layer({ url: Redacted.make(started.url) })),
    );
    return yield* Effect.provide(
      Effect.zipRight(
        Effect.forkScoped(Effect.flatMap(Worker.Worker, ({ run }) => run)),
        Effect.zipRight(
          settled(started),
          Effect.suspend(() => story(started, lines)),
        ),
      ),
      engine,
    );
  }).pipe(
    Effect.scoped,
    Effect.provide(Logger.replace(Logger.defaultLogger, logger)),
    Effect.orDie,
    Effect.runPromise,
  );
};

const server = Effect.acquireRelease(
  Effect.promise(() => startServer({ durable: true })),
  (started) => Effect.promise(() => started.stop()),
);

/**
 * Waits until the worker has the connections that it needs. One that is opened while the server is lost may fail before any
 * statement does, when others that were sent later have succeeded.
 */
const settled = ({ url }: Server) =>
  Effect.flatMap(connected(Redacted.make(url)), (client) =>
    Effect.promise(async () => {
      const { rows } = await client.query(
        `select count(*) > 0 and max(backend_start) < clock_timestamp() - interval '2 seconds' as is_settled
         from pg_stat_activity where application_name = 'quittance'`,
      );
      return rows[0].is_settled === true;
    }).pipe(Effect.repeat({ until: (isSettled) => isSettled, schedule: Schedule.spaced("100 millis") })),
  ).pipe(Effect.scoped);

/** Waits until that many lines are logged. */
const logged = (lines: ReadonlyArray<string>, count: number) =>
  Effect.repeat(Effect.sleep("20 millis"), { until: () => lines.length >= count });

it("logs an outage in one line when it begins and in one when it ends, whatever the worker tries", () =>
  whileWorking((started, lines) =>
    Effect.gen(function* () {
      expect(lines).toEqual([]);
      const exit = new Promise((resume) => started.process.once("exit", resume));
      started.process.kill("SIGQUIT");
      yield* Effect.promise(() => exit);
      yield* logged(lines, 1);
      yield* Effect.sleep(OUTAGE_MILLISECONDS);
      expect(lines.join("\n")).toMatch(/^ERROR the database cannot be reached: .+$/);
      yield* Effect.promise(() => started.restart());
      yield* logged(lines, 2);
      yield* Effect.sleep("500 millis");
      expect(lines.slice(1).join("\n")).toMatch(/^INFO the database can be reached again, after \d+ s$/);
    }),
  ));

it("logs that the database is read-only in one line, and in one that it accepts commands again", () =>
  whileWorking((started, lines) =>
    Effect.gen(function* () {
      const client = yield* connected(Redacted.make(started.url));
      // Each connection learns of it by itself. Nothing is sent until all have, or one is refused after another is accepted.
      const makeReadOnly = (value: "on" | "off") =>
        Effect.promise(async () => {
          await client.query(`alter system set default_transaction_read_only = ${value}`);
          await client.query("select pg_reload_conf()");
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RELOAD_MILLISECONDS);
        });
      const scene = yield* Scene.create();
      const store = Effect.suspend(() =>
        Effect.either(Scene.commit(scene.customerId, [Build.attribution(scene)])),
      );
      yield* makeReadOnly("on");
      yield* Effect.repeat(store, { until: Either.isLeft });
      yield* store;
      yield* logged(lines, 1);
      // A read shows nothing about writes.
      const storage = yield* Storage.Storage;
      yield* storage.ready;
      yield* Effect.sleep(OUTAGE_MILLISECONDS);
      expect(lines.join("\n")).toMatch(
        /^ERROR the database is read-only, commands fail: cannot execute [A-Z ]+ in a read-only transaction$/,
      );
      yield* makeReadOnly("off");
      yield* Effect.repeat(store, { until: Either.isRight });
      yield* logged(lines, 2);
      yield* Effect.sleep("500 millis");
      expect(lines.slice(1).join("\n")).toMatch(/^INFO the database accepts commands again, after \d+ s$/);
    }).pipe(Effect.scoped),
  ));
