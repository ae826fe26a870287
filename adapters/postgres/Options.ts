/** The options of the store on PostgreSQL. */
import type { Redacted } from "effect";

/** A pool of the package `pg`. */
export interface Pool {
  readonly connect: () => Promise<unknown>;
  readonly query: (text: string) => Promise<unknown>;
  readonly end: () => Promise<void>;
}

/** The database, and how many connections it may take. */
export type Options = Limits & (Address | Supplied);

/** A database that the store connects to. */
export interface Address {
  /** `postgres://user:password@host:port/database?sslmode=…`. */
  readonly url: Redacted.Redacted;
}

/** A pool of the host, which closes it itself. Its size, its time limits and its settings are the host's. */
export interface Supplied {
  readonly pool: Pool;
}

/** Limits and settings of a store. */
export interface Limits {
  /** Open at once at most; 10 by default. Half of them may run statements of more than 500 rows at once. */
  readonly maxConnections?: number;
  /**
   * How long a command waits for a connection before the store counts as unavailable; 5 s by default. It also waits while
   * the server has no connection left for the pool.
   */
  readonly acquireTimeoutMilliseconds?: number;
  /**
   * How long one statement may run before the server cancels it, storing nothing; 30 s by default, 0 for no limit. A
   * connection that sends no reply for another 5 s counts as broken. Migrations have no limit.
   */
  readonly statementTimeoutMilliseconds?: number;
  /**
   * True if statements are prepared under a name; true by default. False behind a proxy that shares server connections:
   * the session then gets no settings either, and limits on statements are the server's.
   */
  readonly prepare?: boolean;
  /** True if the schema is brought up to date at the start; true by default. */
  readonly migrate?: boolean;
}
