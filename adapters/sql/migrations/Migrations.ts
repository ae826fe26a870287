/** Migrates the database to the schema that this code needs, once, even when several processes start at the same time. */
import type * as SqlClient from "@effect/sql/SqlClient";
import type * as SqlError from "@effect/sql/SqlError";
import { Data, Effect } from "effect";
import { Storage } from "quittance";
import { directoryFunctions } from "../Directory.ts";
import * as Citus from "../distribution/Citus.ts";
import { searchShards } from "../distribution/Shards.ts";
import { failure } from "../Failure.ts";
import { claimMessages } from "../Outbox.ts";
import { type Runner, row } from "../Statement.ts";
import { withoutScope } from "../TenantScope.ts";
import { inTransaction } from "../Transaction.ts";
import { commit } from "../writing/functions/commit.ts";
import { clear } from "./clear.ts";
import { guards } from "./guards.ts";
import * as NameSearch from "./NameSearch.ts";
import { platform, policies } from "./rowLevelSecurity.ts";
import { statementsOf } from "./statements.ts";
import { step1 } from "./step1.ts";
import { step2 } from "./step2.ts";

/** The changes of tables and indexes, in order. A released step is never edited; another step follows it. */
export const STEPS: ReadonlyArray<string> = [step1, step2];

/** The version of the schema that this code reads and writes. */
export const VERSION = STEPS.length;

/** The schema of the database is not the one that this code needs; the message names the remedy. */
export class SchemaMismatch extends Data.TaggedError("SchemaMismatch")<{ readonly message: string }> {}

/** The key of the lock that every migration takes; the number is arbitrary. */
const LOCK = 7_824_630_551_120;

const PREPARE = `
create schema if not exists quittance;
create table if not exists quittance.migrations (
  version integer not null primary key,
  applied_at timestamptz not null default now()
)`;

const KNOWN = "select to_regclass('quittance.migrations') is not null as known";

const PRESENT = "select coalesce(max(t.version), 0) as version from quittance.migrations t";

/** The version of a store while it is being filled by a copy. */
export const INCOMPLETE_COPY = 2_147_483_647;

/** The failure of a program that needs another version of the schema. */
export const schemaMismatch = (present: number): SchemaMismatch =>
  new SchemaMismatch({
    message:
      present === INCOMPLETE_COPY
        ? "the database is the target of a copy that is not complete: run quittance copy again"
        : present > VERSION
          ? `the database has schema version ${present}, newer than version ${VERSION} of this program: run a newer program`
          : `the database has schema version ${present}, this program needs ${VERSION}: migrate it`,
  });

/** Steps up to this version change tables in ways that Citus refuses on distributed ones. */
const FIRST_DISTRIBUTED = 2;

const notDistributable = (present: number): SchemaMismatch =>
  new SchemaMismatch({
    message: `the database was distributed with schema version ${present}, which cannot be migrated while it is distributed: run undistribute_table for each table of the schema quittance, then migrate --distribute citus`,
  });

/** Replaces functions, triggers and policies by those of this code. */
export const replaceCode = (sql: SqlClient.SqlClient): Effect.Effect<void, SqlError.SqlError> =>
  Effect.gen(function* () {
    const isDistributed = (yield* Citus.declaredTables(sql)).length > 0;
    yield* sql.unsafe([clear, commit, claimMessages, searchShards, directoryFunctions, platform].join("\n"))
      .unprepared;
    // Distributed tables have no triggers and no policies.
    yield* isDistributed ? Citus.declare(sql) : sql.unsafe(`${guards}\n${policies}`).unprepared;
  });

/**
 * Applies a step in a transaction that {@link Citus.prepare} has prepared. Citus sends the whole text of a statement to each
 * node, so a distributed database gets one statement at a time.
 */
export const applyStep = (
  sql: SqlClient.SqlClient,
  step: string,
  isDistributed: boolean,
): Effect.Effect<void, SqlError.SqlError> =>
  Effect.forEach(isDistributed ? statementsOf(step) : [step], (text) => sql.unsafe(text).unprepared, {
    discard: true,
  });

const upgrade = (
  sql: SqlClient.SqlClient,
  present: number,
): Effect.Effect<void, SqlError.SqlError | SchemaMismatch> =>
  Effect.gen(function* () {
    const isDistributed = yield* Citus.prepare(sql);
    if (isDistributed && present < FIRST_DISTRIBUTED) return yield* notDistributable(present);
    // PostgreSQL refuses to alter a table while deferred checks are pending.
    yield* sql.unsafe(`set constraints all immediate;\n${clear}`).unprepared;
    for (let version = present + 1; version <= VERSION; version++) {
      yield* applyStep(sql, STEPS[version - 1] ?? "", isDistributed);
      yield* sql.unsafe("insert into quittance.migrations (version) values ($1)", [version]);
    }
    yield* NameSearch.recompute(sql);
    yield* replaceCode(sql);
  });

const applyMissingSteps = (
  sql: SqlClient.SqlClient,
): Effect.Effect<void, SqlError.SqlError | SchemaMismatch> =>
  Effect.gen(function* () {
    // A large table takes long, and so does a migration by another process.
    yield* sql.unsafe("set local statement_timeout = 0").unprepared;
    yield* sql.unsafe(`select pg_advisory_xact_lock(${LOCK})`).unprepared;
    // Checked first, so that a role without the right to create can start on a schema that is up to date.
    const [table] = yield* sql.unsafe<{ readonly known: boolean }>(KNOWN);
    if (table?.known !== true) yield* sql.unsafe(PREPARE).unprepared;
    const [found] = yield* sql.unsafe<{ readonly version: number }>(PRESENT);
    const present = found?.version ?? 0;
    if (present > VERSION) return yield* schemaMismatch(present);
    // A runtime with another version of Unicode computes other searchable names.
    if (present < VERSION || !(yield* NameSearch.isCurrent(sql))) yield* upgrade(sql, present);
    // At every start, because the role of the platform may have been created since.
    yield* sql.unsafe("select quittance.grant_platform_reads()");
  });

const toStorageError = (cause: unknown) => new Storage.StorageError({ reason: "broken", cause });

/**
 * Applies the missing steps and replaces functions, triggers and policies, all or nothing, in one transaction.
 * Refuses a database that is newer than this code.
 */
export const migrate = (sql: SqlClient.SqlClient): Effect.Effect<void, Storage.StorageError> =>
  Effect.mapError(inTransaction(sql, applyMissingSteps(sql)), (error) =>
    error._tag === "SchemaMismatch" ? toStorageError(error) : failure(error),
  );

/** The schema version of a database, and the one that this code needs. */
export interface Status {
  /** The version of the database; 0 before the first migration. */
  readonly present: number;
  readonly needed: number;
}

/** Reads the version of the schema; changes nothing. */
export const status = (sql: SqlClient.SqlClient): Effect.Effect<Status, Storage.StorageError> =>
  Effect.gen(function* () {
    const [table] = yield* sql.unsafe<{ readonly known: boolean }>(KNOWN);
    const [found] = table?.known === true ? yield* sql.unsafe<{ readonly version: number }>(PRESENT) : [];
    return { present: found?.version ?? 0, needed: VERSION };
  }).pipe(Effect.mapError(failure));

/** Ends a transaction that is not to be stored. */
class Rehearsed extends Data.TaggedError("Rehearsed")<Record<never, never>> {}

/** Migrates and rolls back: fails as {@link migrate} would, takes the same locks and as long, and changes nothing. */
export const rehearse = (sql: SqlClient.SqlClient): Effect.Effect<void, Storage.StorageError> =>
  inTransaction(sql, Effect.zipRight(applyMissingSteps(sql), Effect.fail(new Rehearsed()))).pipe(
    Effect.catchTag("Rehearsed", () => Effect.void),
    Effect.mapError((error) => (error._tag === "SchemaMismatch" ? toStorageError(error) : failure(error))),
  );

/** Succeeds when the database can be reached and has exactly the schema of this code. */
export const ready = (sql: Runner): Effect.Effect<void, Storage.StorageError> =>
  Effect.flatMap(row<{ readonly version: number }>(sql, withoutScope(PRESENT), []), (found) =>
    found?.version === VERSION
      ? Effect.void
      : Effect.fail(toStorageError(schemaMismatch(found?.version ?? 0))),
  );
