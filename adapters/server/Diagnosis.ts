/** What `quittance doctor` checks: settings, database, durability, roles, versions, clock, fonts, outbox. */
import { existsSync } from "node:fs";
import * as SqlClient from "@effect/sql/SqlClient";
import { Effect, Either, Layer } from "effect";
import { Outbox, type Storage } from "quittance";
import * as Postgres from "quittance/postgres";
import { ADDITIONAL, filesOf, SHIPPED } from "../pdf/FontPackages.ts";
import * as Sql from "../sql/index.ts";
import { messageOf } from "./CommandFailed.ts";
import type { Settings } from "./Settings.ts";
import { addressOf, isStore, layerWithoutMigration, type PersistentDatabase, sqlClient } from "./Store.ts";
import type { Database, Value } from "./Value.ts";
import { version } from "./Version.ts";

/** The result of one check. */
export interface Observation {
  readonly about: string;
  /** `ok`; `warning`: it works, with weaker guarantees than possible; `problem`: it does not work. */
  readonly state: "ok" | "warning" | "problem";
  readonly text: string;
}

const ok = (about: string, text: string): Observation => ({ about, state: "ok", text });
const warning = (about: string, text: string): Observation => ({ about, state: "warning", text });
const problem = (about: string, text: string): Observation => ({ about, state: "problem", text });

const NODE_LEAST = [20, 19] as const;

const checkVersions = (): Observation => {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [leastMajor, leastMinor] = NODE_LEAST;
  const isEnough = major > leastMajor || (major === leastMajor && minor >= leastMinor);
  const text = `quittance ${version()} on Node ${process.versions.node}`;
  return isEnough
    ? ok("versions", text)
    : problem("versions", `${text}; it needs Node ${NODE_LEAST.join(".")} or later`);
};

const checkFonts = (): Observation => {
  if (SHIPPED.some((each) => filesOf(each) === null))
    return problem(
      "fonts",
      "the fonts of this installation are missing: no document can be created; install it again",
    );
  const missing = ADDITIONAL.filter((each) => filesOf(each) === null);
  return ok(
    "fonts",
    missing.length === 0
      ? "for every supported script"
      : `documents in Chinese, Japanese, Korean or with emoji need: npm install ${missing.map(({ name }) => `@expo-google-fonts/${name}`).join(" ")}`,
  );
};

const checkSettings = (settings: Value<Settings>): ReadonlyArray<Observation> =>
  Either.match(settings, {
    onLeft: (line) => [problem("settings", line)],
    onRight: ({ adminToken, host, rateLimit, worker }) => [
      ok(
        "settings",
        `all valid; admin token ${adminToken === null ? "not set" : "set"}, worker ${worker ? "on" : "off"}`,
      ),
      ...(["127.0.0.1", "localhost", "::1"].includes(host) || rateLimit !== null
        ? []
        : [
            warning(
              "settings",
              `HOST is ${host} and QUITTANCE_RATE_LIMIT is off: limit requests here or in a proxy`,
            ),
          ]),
    ],
  });

const checkSchema = ({ present, needed }: Sql.Status): Observation =>
  present === needed
    ? ok("schema", `version ${present}, as this program needs`)
    : problem(
        "schema",
        present < needed
          ? `version ${present}, this program needs ${needed}: run quittance migrate`
          : Sql.schemaMismatch(present).message,
      );

const CLOCK_MILLISECONDS_MAX = 2_000;

interface Server {
  readonly version: string;
  readonly clock: number | string;
  readonly role: string;
  readonly isReadOnly: boolean;
  /** The version of TLS; null for a connection that is not encrypted. */
  readonly tls: string | null;
}

const SERVER = `select current_setting('server_version') as version, current_user as role,
  current_setting('transaction_read_only') = 'on' as "isReadOnly",
  (select s.version from pg_stat_ssl s where s.pid = pg_backend_pid()) as tls,
  (extract(epoch from clock_timestamp()) * 1000)::bigint as clock`;

const PLATFORM_ROLE = `select to_regrole('quittance_platform') is not null as "exists"`;

/** True if the connection needs to be encrypted, and is. */
const checkEncryption = (database: PersistentDatabase, { tls }: Server): ReadonlyArray<Observation> => {
  if (database.type !== "postgres") return [];
  if (tls !== null) return [ok("encryption", `the connection is encrypted: ${tls}`)];
  return ["", "localhost", "127.0.0.1", "[::1]"].includes(new URL(database.url).hostname)
    ? [ok("encryption", "none: the database is on this machine")]
    : [warning("encryption", "the connection is not encrypted: see TLS to PostgreSQL in docs/operating.md")];
};

/** The server's version and role, whether it can be written to over a safe connection, and how far its clock is from ours. */
const checkServer = (sql: SqlClient.SqlClient, database: PersistentDatabase) =>
  Effect.gen(function* () {
    const before = Date.now();
    const [server] = yield* sql.unsafe<Server>(SERVER);
    const after = Date.now();
    if (server === undefined) return [];
    const [platform] = yield* sql.unsafe<{ readonly exists: boolean }>(PLATFORM_ROLE);
    const apart = Math.round(Number(server.clock) - (before + after) / 2);
    const clock = `the clock of the database is ${Math.abs(apart)} ms ${apart < 0 ? "behind" : "ahead of"} this machine's`;
    return [
      server.isReadOnly
        ? problem(
            "database",
            `PostgreSQL ${server.version} is read-only: connect to the server that accepts writes`,
          )
        : ok("database", `PostgreSQL ${server.version}, role ${server.role}`),
      ...checkEncryption(database, server),
      Math.abs(apart) > CLOCK_MILLISECONDS_MAX
        ? warning("clock", `${clock}: synchronise them, leases and dates depend on it`)
        : ok("clock", clock),
      platform?.exists === true
        ? ok("roles", "quittance_platform exists")
        : warning("roles", "the role quittance_platform does not exist: see docs/operating.md"),
    ];
  });

const checkGuarantees = (
  database: PersistentDatabase,
): Effect.Effect<ReadonlyArray<Observation>, Storage.StorageError> =>
  database.type === "pglite"
    ? Effect.succeed([ok("durability", "commits are on the disk when they are acknowledged (fsync)")])
    : Effect.gen(function* () {
        const options = addressOf(database);
        const off = yield* Postgres.durabilityGaps(options);
        const isolation = yield* Postgres.isolationGaps(options);
        const waits = yield* Postgres.waitGaps(options);
        return [
          off.length === 0
            ? ok("durability", "fsync, full_page_writes and synchronous_commit are on")
            : warning("durability", `acknowledged commits may be lost: ${off.join(", ")} off`),
          ...(isolation.length === 0
            ? [ok("isolation", "row-level security separates customers")]
            : isolation.map((gap) => warning("isolation", gap))),
          ...waits.map((gap) => warning("cluster", gap)),
        ];
      });

const checkOutbox = (database: PersistentDatabase): Effect.Effect<Observation, Storage.StorageError> =>
  Effect.flatMap(Outbox.Outbox, ({ depth }) => depth).pipe(
    Effect.map((depths) => {
      const dead = depths.reduce((sum, { deadLettered }) => sum + deadLettered, 0);
      const waiting = depths.reduce((sum, { waiting: each }) => sum + each, 0);
      return dead > 0
        ? warning("outbox", `${dead} dead letters: see quittance outbox list`)
        : ok("outbox", `${waiting} messages wait, no dead letters`);
    }),
    Effect.provide(layerWithoutMigration(database)),
  );

const checkDatabase = (database: PersistentDatabase): Effect.Effect<ReadonlyArray<Observation>> =>
  Effect.gen(function* () {
    const connected = yield* Effect.flatMap(SqlClient.SqlClient, (sql) =>
      Effect.gen(function* () {
        const status = yield* Sql.status(sql);
        const server = yield* Effect.mapError(checkServer(sql, database), Sql.failure);
        return { status, found: [...server, checkSchema(status)] };
      }),
    ).pipe(Effect.provide(Layer.fresh(sqlClient(database))));
    if (connected.status.present !== connected.status.needed) return connected.found;
    return [...connected.found, ...(yield* checkGuarantees(database)), yield* checkOutbox(database)];
  }).pipe(Effect.catchAll((failure) => Effect.succeed([problem("database", messageOf(failure.cause))])));

const checkStore = (database: Database): Effect.Effect<ReadonlyArray<Observation>> => {
  if (database.type === "memory")
    return Effect.succeed([warning("database", "memory: everything is lost when the server ends")]);
  if (database.type === "pglite" && !isStore(database.folder)) {
    const text = existsSync(database.folder) ? "holds no store yet" : "does not exist yet";
    return Effect.succeed([ok("database", `${database.folder} ${text}; the first start creates it`)]);
  }
  return checkDatabase(database);
};

/** Runs every check. It changes nothing. */
export const diagnose = (
  settings: Value<Settings>,
  database: Value<Database>,
): Effect.Effect<ReadonlyArray<Observation>> =>
  Effect.map(
    Either.match(database, {
      onLeft: (line) => Effect.succeed([problem("database", line)] as ReadonlyArray<Observation>),
      onRight: checkStore,
    }),
    (store) => [checkVersions(), ...checkSettings(settings), ...store, checkFonts()],
  );
