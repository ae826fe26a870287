/** Where records live, and how long they are kept. */
import * as Value from "../Value.ts";
import { setting } from "./Setting.ts";

/** Settings of the store. */
export const STORE = {
  database: setting({
    name: "DATABASE_URL",
    option: "database-url",
    placeholder: "url",
    fallback: `pglite://${Value.DEFAULT_FOLDER}`,
    meaning: "memory: | pglite://<folder> | postgres://…",
    details: "where records are stored",
    kind: Value.database,
  }),
  connections: setting({
    name: "QUITTANCE_DATABASE_CONNECTIONS",
    option: "database-connections",
    placeholder: "number",
    fallback: "10",
    meaning: "connections of this process to PostgreSQL",
    kind: Value.wholeNumber(2, 1_000),
  }),
  statementTimeoutMilliseconds: setting({
    name: "QUITTANCE_STATEMENT_TIMEOUT_SECONDS",
    option: "statement-timeout-seconds",
    placeholder: "seconds",
    fallback: "30",
    meaning: "time limit of one statement on PostgreSQL",
    kind: Value.timeout,
  }),
  prepare: setting({
    name: "QUITTANCE_PREPARED_STATEMENTS",
    option: "prepared-statements",
    placeholder: "on|off",
    fallback: "on",
    meaning: "off: for a proxy that shares connections to PostgreSQL between transactions",
    details:
      "`off`: for a proxy that shares connections to PostgreSQL between transactions. The server then sets no time limit of statements: set `statement_timeout` for its role",
    kind: Value.onOff,
  }),
  feed: setting({
    name: "QUITTANCE_FEED",
    option: "feed",
    placeholder: "on|off",
    fallback: "on",
    meaning: "off: no event feed and no webhooks; the same for all processes of a database",
    details:
      "`off`: there is no [event feed](#the-event-feed), and there are no webhooks. All processes of a database need the same setting",
    kind: Value.onOff,
  }),
  idempotencyMilliseconds: setting({
    name: "QUITTANCE_IDEMPOTENCY_HOURS",
    option: "idempotency-hours",
    placeholder: "hours",
    fallback: "72",
    meaning: "how long responses are kept under their idempotency keys, 72 or more",
    details:
      "how long responses are kept under their idempotency keys; the interface promises 72. See [What is removed](#what-is-removed)",
    kind: Value.wholeNumber(72, 87_600, 3_600_000),
  }),
};
