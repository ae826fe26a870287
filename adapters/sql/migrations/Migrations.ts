/** Brings the database to the schema this code needs: once, whoever starts at the same time. */
import type * as SqlClient from "@effect/sql/SqlClient";
import type * as SqlError from "@effect/sql/SqlError";
import { Data, Effect } from "effect";
import { Storage } from "quittance";
import * as Citus from "../distribution/Citus.ts";
import { failure } from "../Failure.ts";
import { type Runner, row } from "../Statement.ts";
import { withoutScope } from "../TenantScope.ts";
import { commit } from "../writing/functions/commit.ts";
import { clear } from "./clear.ts";
import { guards } from "./guards.ts";
import * as NameSearch from "./NameSearch.ts";
import { platform, wall } from "./rowLevelSecurity.ts";
import { step1 } from "./step1.ts";
import { step2 } from "./step2.ts";

/** How tables and indexes change, in order. What has been released is never edited, only followed by another step. */
export const STEPS: ReadonlyArray<string> = [step1, step2];

/** The version of the schema this code reads and writes. */
export const VERSION = STEPS.length;

/** The database's schema is not the one this code needs; the message says what to do. */
export class SchemaMismatch extends Data.TaggedError("SchemaMismatch")<{ readonly message: string }> {}

/** Any two starts take the same lock; the number has no meaning beyond being ours. */
const LOCK = 7_824_630_551_120;

const PREPARE = `
create schema if not exists quittance;
create table if not exists quittance.migrations (
  version integer not null primary key,
  applied_at timestamptz not null default now()
)`;

const KNOWN = "select to_regclass('quittance.migrations') is not null as known";

const PRESENT = "select coalesce(max(t.version), 0) as version from quittance.migrations t";

const mismatch = (present: number): SchemaMismatch =>
  new SchemaMismatch({
    message:
      present > VERSION
        ? `the database has schema version ${present}, newer than version ${VERSION} of this program: run a newer program`
        : `the database has schema version ${present}, this program needs ${VERSION}: migrate it`,
  });

/** Creates functions, triggers and policies as this code needs them, in place of those that are there. */
export const replaceCode = (sql: SqlClient.SqlClient): Effect.Effect<void, SqlError.SqlError> =>
  Effect.gen(function* () {
    const isDistributed = (yield* Citus.declaredTables(sql)).length > 0;
    yield* sql.unsafe([clear, commit, platform].join("\n")).unprepared;
    // Distributed tables carry no triggers and no policies.
    yield* isDistributed ? Citus.declare(sql) : sql.unsafe(`${guards}\n${wall}`).unprepared;
  });

const upgrade = (sql: SqlClient.SqlClient, present: number): Effect.Effect<void, SqlError.SqlError> =>
  Effect.gen(function* () {
    // Checks that wait for the end of the transaction would keep tables from being altered.
    yield* sql.unsafe(`set constraints all immediate;\n${clear}`).unprepared;
    for (let version = present + 1; version <= VERSION; version++) {
      yield* sql.unsafe(STEPS[version - 1] ?? "").unprepared;
      yield* sql.unsafe("insert into quittance.migrations (version) values ($1)", [version]);
    }
    yield* NameSearch.refold(sql);
    yield* replaceCode(sql);
  });

const applyMissing = (sql: SqlClient.SqlClient): Effect.Effect<void, SqlError.SqlError | SchemaMismatch> =>
  Effect.gen(function* () {
    // A large table takes its time, and so does another program that is at it.
    yield* sql.unsafe("set local statement_timeout = 0").unprepared;
    yield* sql.unsafe(`select pg_advisory_xact_lock(${LOCK})`).unprepared;
    // Asked first, so that a role without the right to create can start on a schema that is up to date.
    const [table] = yield* sql.unsafe<{ readonly known: boolean }>(KNOWN);
    if (table?.known !== true) yield* sql.unsafe(PREPARE).unprepared;
    const [found] = yield* sql.unsafe<{ readonly version: number }>(PRESENT);
    const present = found?.version ?? 0;
    if (present > VERSION) return yield* mismatch(present);
    // Names are searched in a form that a runtime with another version of Unicode makes otherwise.
    if (present < VERSION || !(yield* NameSearch.isFolded(sql))) yield* upgrade(sql, present);
    // At every start: the platform's role may have been made since.
    yield* sql.unsafe("select quittance.grant_platform_reads()");
  });

const broken = (cause: unknown) => new Storage.StorageError({ reason: "broken", cause });

/**
 * Applies the steps that are missing and replaces functions, triggers and policies, all or nothing, in one transaction.
 * Refuses a database that is newer than this code.
 */
export const migrate = (sql: SqlClient.SqlClient): Effect.Effect<void, Storage.StorageError> =>
  Effect.mapError(sql.withTransaction(applyMissing(sql)), (error) =>
    error._tag === "SchemaMismatch" ? broken(error) : failure(error),
  );

/** Succeeds when the database answers and has exactly the schema of this code. */
export const ready = (sql: Runner): Effect.Effect<void, Storage.StorageError> =>
  Effect.flatMap(row<{ readonly version: number }>(sql, withoutScope(PRESENT), []), (found) =>
    found?.version === VERSION ? Effect.void : Effect.fail(broken(mismatch(found?.version ?? 0))),
  );
