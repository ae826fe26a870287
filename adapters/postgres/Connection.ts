/** Connections to a PostgreSQL server: a pool whose statements are named, so that each is planned once per connection. */

import type * as SqlClient from "@effect/sql/SqlClient";
import * as SqlError from "@effect/sql/SqlError";
import * as PgClient from "@effect/sql-pg/PgClient";
import { Effect, Layer, Redacted, type Scope } from "effect";
import pg from "pg";
import { parseIntoClientConfig } from "pg-connection-string";
import type { Storage } from "quittance";
import {
  failure,
  isAnswered,
  OutageError,
  type Parameter,
  preamble,
  type Runner,
  type Statement,
  Statements,
  UNCONNECTED,
} from "../sql/index.ts";
import * as ConcurrencyLimit from "./ConcurrencyLimit.ts";
import * as Connections from "./Connections.ts";
import type { Address, Limits, Options } from "./Options.ts";
import * as Outage from "./Outage.ts";
import { PipelinedQuery } from "./PipelinedQuery.ts";
import { advise } from "./TlsAdvice.ts";

const MAX_CONNECTIONS = 10;
const ACQUIRE_TIMEOUT_MILLISECONDS = 5_000;
const STATEMENT_TIMEOUT_MILLISECONDS = 30_000;

/** How long a reply may take after the statement's time limit on the server. */
const SILENCE_MILLISECONDS = 5_000;

type Query = (...parameters: ReadonlyArray<unknown>) => unknown;

/** Ends the connection of a statement that gets no reply, so that its caller fails and can use another connection. */
const endWhenSilent =
  (client: pg.Client, query: Query, limitMilliseconds: number): Query =>
  (...parameters) => {
    const done = parameters.at(-1);
    if (typeof done !== "function" || limitMilliseconds === Number.POSITIVE_INFINITY)
      return query(...parameters);
    const timer = setTimeout(() => void client.end(), limitMilliseconds);
    return query(...parameters.slice(0, -1), (...outcome: ReadonlyArray<unknown>) => {
      clearTimeout(timer);
      done(...outcome);
    });
  };

/** Reports a connection that fails to `outage`, and calls back with what to change. */
const adviseOn =
  (connect: Query, outage: Outage.Outage): Query =>
  (done, ...none) => {
    if (typeof done !== "function") return connect(done, ...none);
    const startedAt = outage.now();
    return connect((error: unknown, ...outcome: ReadonlyArray<unknown>) => {
      if (!(error instanceof Error)) return done(error, ...outcome);
      const problem = advise(error);
      // The statement that waits for the connection may have begun long before, when others still succeeded.
      outage.unconnected(problem, startedAt);
      return done(problem, ...outcome);
    });
  };

/**
 * Returns a function that turns a statement into a query of the driver. If `isNamed`, the query has a name, so that each connection
 * prepares it once; a text has the same name in every connection of the pool. A statement with a scope is preceded by
 * the statement that sets it.
 */
const makeQueryOf = (isNamed: boolean) => {
  const names = new Map<string, string>();
  const nameOf = (text: string): string | undefined => {
    if (!isNamed) return undefined;
    const name = names.get(text) ?? `quittance_${names.size + 1}`;
    names.set(text, name);
    return name;
  };
  return (
    { text, scope }: Statement,
    parameters: ReadonlyArray<Parameter>,
  ): pg.QueryConfig | PipelinedQuery => {
    const before = preamble(scope, parameters);
    // A statement without parameters is sent by the simple protocol, which prepares nothing.
    if (before === null && parameters.length === 0) return { text };
    const name = nameOf(text);
    const config: pg.QueryConfig = { text, values: [...parameters], ...(name === undefined ? {} : { name }) };
    return before === null ? config : new PipelinedQuery(config, { ...before, name: nameOf(before.text) });
  };
};

const clientOf = ({ statementTimeoutMilliseconds }: Limits, outage: Outage.Outage): typeof pg.Client =>
  class extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(config);
      const timeout = statementTimeoutMilliseconds ?? STATEMENT_TIMEOUT_MILLISECONDS;
      const limit = timeout === 0 ? Number.POSITIVE_INFINITY : timeout + SILENCE_MILLISECONDS;
      Object.assign(this, {
        query: endWhenSilent(this, this.query.bind(this), limit),
        connect: adviseOn(this.connect.bind(this), outage),
      });
    }
  };

/** The configuration that an address states, which takes precedence. Reads the certificates that it names. */
const readAddress = ({ url }: Address): Effect.Effect<pg.PoolConfig, SqlError.SqlError> =>
  Effect.try({
    // As the driver does it for each connection.
    try: () => parseIntoClientConfig(Redacted.value(url)),
    catch: (cause) => new SqlError.SqlError({ cause, message: "Failed to read the address" }),
  });

const connect = (
  options: Limits & Address,
  outage: Outage.Outage,
): Effect.Effect<pg.Pool, SqlError.SqlError, Scope.Scope> =>
  Effect.acquireRelease(
    readAddress(options).pipe(
      Effect.map((address) => {
        const pool = new pg.Pool({
          max: options.maxConnections ?? MAX_CONNECTIONS,
          connectionTimeoutMillis: options.acquireTimeoutMilliseconds ?? ACQUIRE_TIMEOUT_MILLISECONDS,
          application_name: "quittance",
          keepAlive: true,
          Client: clientOf(options, outage),
          ...(options.prepare === false
            ? {}
            : {
                statement_timeout: options.statementTimeoutMilliseconds ?? STATEMENT_TIMEOUT_MILLISECONDS,
                // Statements here are short; compiling one takes longer than running it.
                options: "-c jit=off",
              }),
          ...address,
        });
        // The pool replaces an idle connection that breaks.
        pool.on("error", () => {});
        return pool;
      }),
    ),
    (pool) => Effect.promise(() => pool.end()).pipe(Effect.timeoutOption("1 second")),
  );

/** The pool of the host, or one that closes with the scope. */
const acquire = (
  options: Options,
  outage: Outage.Outage,
): Effect.Effect<pg.Pool, SqlError.SqlError, Scope.Scope> =>
  "pool" in options ? Effect.succeed(options.pool as unknown as pg.Pool) : connect(options, outage);

/** The error of a statement that was not sent, because there was no connection. */
const acquireError = (cause: unknown): SqlError.SqlError =>
  new SqlError.SqlError({ cause, message: UNCONNECTED });

/** The id of the server's process of a connection; the types of `pg` omit it. */
const processOf = (client: pg.PoolClient): number => Number(Reflect.get(client, "processID"));

/** Statements of a connection before its plans are first discarded; they are discarded each time the number has grown by this factor. */
const REPLAN_FIRST = 8;
const REPLAN_FACTOR = 4;

/**
 * True if a connection must discard the plans of its statements. It keeps its plans, also those of foreign keys, until the tables
 * are analysed. A plan from when a table was empty may read every row of a customer, and in a new database a minute and
 * hundreds of thousands of rows may pass until then.
 */
const makeReplanCheck = () => {
  const progress = new WeakMap<pg.PoolClient, { statements: number; due: number }>();
  return (client: pg.PoolClient): boolean => {
    const counts = progress.get(client) ?? { statements: 0, due: REPLAN_FIRST };
    progress.set(client, counts);
    counts.statements += 1;
    if (counts.statements < counts.due) return false;
    counts.due *= REPLAN_FACTOR;
    return true;
  };
};

/** Completes when everything that has arrived on sockets has been read. */
const turn = Effect.async<void>((resume) => {
  setImmediate(() => resume(Effect.void));
});

/**
 * Runs statements on the pool itself. A statement is one call and one reply, and the general client adds to each (a scope,
 * a span, a choice of connection) more time than the driver takes. An interrupted statement is cancelled.
 */
const runner = (
  pool: pg.Pool,
  { maxConnections, acquireTimeoutMilliseconds, prepare }: Options,
  outage: Outage.Outage,
): Runner => {
  const queryOf = makeQueryOf(prepare !== false);
  const mustReplan = makeReplanCheck();
  const connections = Connections.make(pool, acquireTimeoutMilliseconds ?? ACQUIRE_TIMEOUT_MILLISECONDS);
  return {
    turn,
    large: ConcurrencyLimit.make({
      concurrencyMax: Math.max(1, Math.floor((maxConnections ?? MAX_CONNECTIONS) / 2)),
      waitMillisecondsMax: acquireTimeoutMilliseconds ?? ACQUIRE_TIMEOUT_MILLISECONDS,
      timeout: () => acquireError(new Error("the limit of large statements at once is reached")),
    }),
    run: <Row extends object>(statement: Statement, parameters: ReadonlyArray<Parameter>) =>
      Effect.async<ReadonlyArray<Row>, SqlError.SqlError>((resume) => {
        let client: pg.PoolClient | undefined;
        let over = false;
        const startedAt = outage.now();
        const release = (broken?: Error): void => {
          if (over) return;
          over = true;
          client?.off("error", onLost);
          if (client !== undefined) connections.release(client, broken);
        };
        const onLost = (cause: Error): void => {
          release(cause);
          resume(Effect.fail(outage.failed(statement.text, cause)));
        };
        connections.take((cause, connected) => {
          if (connected === null) {
            resume(Effect.fail(outage.unconnected(cause, startedAt)));
            return;
          }
          if (over) {
            connections.release(connected);
            return;
          }
          client = connected;
          connected.once("error", onLost);
          const send = (): void => {
            const sentAt = outage.now();
            connected.query<Row>(queryOf(statement, parameters), (error: Error | null, result) => {
              if (error == null) {
                outage.succeeded(statement.text, sentAt);
                release();
                resume(Effect.succeed(result.rows));
                return;
              }
              const failed = outage.failed(statement.text, error);
              // A server that ends a connection sends an error in place of a reply, before it closes. One that only reads may
              // have lost its name to another.
              release(isAnswered(error) && !(failed instanceof OutageError) ? undefined : error);
              resume(Effect.fail(failed));
            });
          };
          // If this fails, the statement after it fails as well.
          if (mustReplan(connected)) connected.query("discard plans", send);
          else send();
        });
        return Effect.sync(() => {
          if (client === undefined) over = true;
          else if (!over) pool.query("select pg_cancel_backend($1)", [processOf(client)], () => {});
        });
      }),
  };
};

/** The client of migrations and the runner of the ports, over one pool, which connects at the first statement. */
export const client = (
  options: Options,
): Layer.Layer<SqlClient.SqlClient | Statements, Storage.StorageError> =>
  Layer.unwrapScoped(
    Effect.gen(function* () {
      const outage = yield* Outage.make;
      const pool = yield* acquire(options, outage);
      return Layer.merge(
        Layer.mapError(PgClient.layerFromPool({ acquire: Effect.succeed(pool) }), failure),
        Layer.succeed(Statements, runner(pool, options, outage)),
      );
    }),
  ).pipe(Layer.mapError((error) => (error._tag === "SqlError" ? failure(error) : error)));
