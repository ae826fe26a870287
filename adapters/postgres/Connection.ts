/** Connections to a PostgreSQL server: a pool whose statements are named, so that each is planned once per connection. */

import type { SqlClient, SqlError } from "@effect/sql";
import { PgClient } from "@effect/sql-pg";
import { Effect, Layer, Redacted, type Scope } from "effect";
import pg from "pg";
import type { Storage } from "quittance";
import { failure } from "../sql/index.ts";

/** Where the database is and how many connections it may take. */
export interface Options {
  /** `postgres://user:password@host:port/database?sslmode=…`. */
  readonly url: Redacted.Redacted;
  /** Open at once at most; 10 by default. */
  readonly maxConnections?: number;
  /** How long a command waits for a connection before the store counts as unavailable; 5 s by default. */
  readonly acquireTimeoutMilliseconds?: number;
  /**
   * How long one statement may run before the server gives it up, storing nothing; 30 s by default. A connection on
   * which a statement gets no answer for 5 s more counts as broken.
   */
  readonly statementTimeoutMilliseconds?: number;
  /**
   * Whether statements are prepared under a name; true by default. False behind a proxy that shares server connections:
   * the session then gets no settings either, and limits on statements are the server's.
   */
  readonly prepare?: boolean;
  /** Whether the schema is brought up to date at the start; true by default. */
  readonly migrate?: boolean;
}

/** One name per text, in every connection of this process. */
const names = new Map<string, string>();

const nameOf = (text: string): string => {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = `quittance_${names.size + 1}`;
  names.set(text, name);
  return name;
};

const STATEMENT_TIMEOUT_MILLISECONDS = 30_000;

/** How long after its time limit on the server a statement's reply may still be under way. */
const SILENCE_MILLISECONDS = 5_000;

type Query = (...parameters: ReadonlyArray<unknown>) => unknown;

/** Ends the connection of a statement that is never answered: whoever waits for it can then ask on another one. */
const watched =
  (client: pg.Client, query: Query, limitMilliseconds: number): Query =>
  (...parameters) => {
    const done = parameters.at(-1);
    if (typeof done !== "function") return query(...parameters);
    const timer = setTimeout(() => void client.end(), limitMilliseconds);
    return query(...parameters.slice(0, -1), (...outcome: ReadonlyArray<unknown>) => {
      clearTimeout(timer);
      done(...outcome);
    });
  };

/** Prepares every statement with parameters under its name; everything else goes as it came. */
const named =
  (query: Query): Query =>
  (text, values, ...rest) =>
    typeof text === "string" && Array.isArray(values) && values.length > 0
      ? query({ name: nameOf(text), text, values }, ...rest)
      : query(text, values, ...rest);

const clientOf = ({ prepare, statementTimeoutMilliseconds }: Options): typeof pg.Client =>
  class extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(config);
      const limit = (statementTimeoutMilliseconds ?? STATEMENT_TIMEOUT_MILLISECONDS) + SILENCE_MILLISECONDS;
      const query = watched(this, this.query.bind(this), limit);
      Object.assign(this, { query: prepare === false ? query : named(query) });
    }
  };

const acquire = (options: Options): Effect.Effect<pg.Pool, SqlError.SqlError, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const pool = new pg.Pool({
        connectionString: Redacted.value(options.url),
        max: options.maxConnections ?? 10,
        connectionTimeoutMillis: options.acquireTimeoutMilliseconds ?? 5_000,
        application_name: "quittance",
        keepAlive: true,
        Client: clientOf(options),
        ...(options.prepare === false
          ? {}
          : {
              statement_timeout: options.statementTimeoutMilliseconds ?? STATEMENT_TIMEOUT_MILLISECONDS,
              // Statements here are short; compiling one takes longer than running it.
              options: "-c jit=off",
            }),
      });
      // An idle connection that breaks is replaced by the pool; nobody is waiting for it.
      pool.on("error", () => {});
      return pool;
    }),
    (pool) => Effect.promise(() => pool.end()).pipe(Effect.timeoutOption("1 second")),
  );

/** A client over a pool of its own. No connection is made before the first statement. */
export const client = (options: Options): Layer.Layer<SqlClient.SqlClient, Storage.StorageFailed> =>
  Layer.mapError(PgClient.layerFromPool({ acquire: acquire(options) }), failure);
