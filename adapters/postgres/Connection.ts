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
  /** How long one statement may run before the server gives it up, storing nothing; 30 s by default. */
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

/** Prepares every statement with parameters under its name; everything else goes as it came. */
class NamingClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const query: (...parameters: ReadonlyArray<unknown>) => unknown = this.query.bind(this);
    const named = (text: unknown, values: unknown, ...rest: ReadonlyArray<unknown>): unknown =>
      typeof text === "string" && Array.isArray(values) && values.length > 0
        ? query({ name: nameOf(text), text, values }, ...rest)
        : query(text, values, ...rest);
    Object.assign(this, { query: named });
  }
}

const acquire = (options: Options): Effect.Effect<pg.Pool, SqlError.SqlError, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const pool = new pg.Pool({
        connectionString: Redacted.value(options.url),
        max: options.maxConnections ?? 10,
        connectionTimeoutMillis: options.acquireTimeoutMilliseconds ?? 5_000,
        application_name: "quittance",
        keepAlive: true,
        ...(options.prepare === false
          ? {}
          : {
              statement_timeout: options.statementTimeoutMilliseconds ?? 30_000,
              // Statements here are short; compiling one takes longer than running it.
              options: "-c jit=off",
              Client: NamingClient,
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
