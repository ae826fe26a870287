/** The work of `quittance copy`: fills an empty store with everything that another one has. */
import * as SqlClient from "@effect/sql/SqlClient";
import type * as SqlError from "@effect/sql/SqlError";
import { Context, Effect, Layer, Predicate, type Scope } from "effect";
import { Storage } from "quittance";
import * as Sql from "../../sql/index.ts";
import { type CommandFailed, commandFailure, messageOf, usageError } from "../CommandFailed.ts";
import { counted, note, print, progress } from "../Output.ts";
import type { Task } from "../Shell.ts";
import { announceNew, type PersistentDatabase, requireExisting, sqlClient } from "../Store.ts";
import type { Database } from "../Value.ts";
import { verifyStore } from "../verification/VerifyStore.ts";

const { Catalogue, Progress, Rows, Session } = Sql;
type Session = Sql.Session.Session;
type Table = Sql.Catalogue.Table;

type Failure = CommandFailed | Storage.StorageError;

/** How a person recognises a store, without a password. */
const nameOf = (database: PersistentDatabase): string => {
  if (database.type === "pglite") return `pglite://${database.folder}`;
  const { host, pathname } = new URL(database.url);
  return `postgres://${host}${pathname}`;
};

const broken = (cause: unknown): Storage.StorageError =>
  new Storage.StorageError({ reason: "broken", cause });

/** Statements that no check has preceded: the database can be gone at any time. */
const ofStore = <A, E, R>(task: Effect.Effect<A, E | SqlError.SqlError, R>) =>
  Effect.mapError(task, (error) =>
    Predicate.isTagged(error, "SqlError")
      ? Sql.failure(error as SqlError.SqlError)
      : (error as Exclude<E, SqlError.SqlError>),
  );

const clientOf = (
  database: PersistentDatabase,
): Effect.Effect<SqlClient.SqlClient, Storage.StorageError, Scope.Scope> =>
  Effect.map(Layer.build(sqlClient(database)), (built) => Context.get(built, SqlClient.SqlClient));

/** A connection that sees the rows of every customer. */
const connect = (client: SqlClient.SqlClient, name: string): Effect.Effect<Session, Failure, Scope.Scope> =>
  ofStore(
    Effect.gen(function* () {
      if ((yield* Sql.declaredTables(client)).length > 0)
        return yield* usageError(
          `${name} is distributed over several machines: copy into a database that is not, and distribute the copy with quittance migrate`,
        );
      const session = yield* Session.open(client);
      return (yield* Catalogue.seesEveryCustomer(session))
        ? session
        : yield* usageError(
            `${name}: row-level security hides rows from this role: connect as a superuser, or as an owner of the tables with BYPASSRLS`,
          );
    }),
  );

/** Opens the source, which is not migrated. */
const openSource = (database: PersistentDatabase): Effect.Effect<Session, Failure, Scope.Scope> =>
  Effect.gen(function* () {
    const client = yield* clientOf(database);
    const { present, needed } = yield* Sql.status(client);
    if (present !== needed) return yield* broken(Sql.schemaMismatch(present));
    return yield* connect(client, nameOf(database));
  });

/** Fails unless both have the same tables; one may have a table that an operator added. */
const requireSameTables = (
  source: ReadonlyArray<Table>,
  target: ReadonlyArray<Table>,
): Effect.Effect<void, CommandFailed> => {
  const texts = new Set(target.map((table) => JSON.stringify(table)));
  const differing = source.find((table) => !texts.has(JSON.stringify(table)));
  return differing === undefined
    ? Effect.void
    : commandFailure(
        `the table ${differing.name} of the source is not one of the target, or has other columns`,
      );
};

/** Opens the target: brings its schema up to date and begins the copy, or finds the copy that it continues. */
const openTarget = (database: PersistentDatabase): Effect.Effect<Session, Failure, Scope.Scope> =>
  Effect.gen(function* () {
    yield* announceNew(database);
    const client = yield* clientOf(database);
    const { present } = yield* Sql.status(client);
    if (present === Sql.INCOMPLETE_COPY) return yield* connect(client, nameOf(database));
    yield* Sql.migrate(client);
    const target = yield* connect(client, nameOf(database));
    for (const table of yield* ofStore(Catalogue.tables(target)))
      if (!(yield* ofStore(Rows.isEmpty(target, table))))
        return yield* usageError(
          `${nameOf(database)} is not empty: the table ${table.name} has rows; name an empty store`,
        );
    yield* ofStore(Progress.begin(target));
    return target;
  }).pipe(
    Effect.catchTag("StorageError", ({ cause }) =>
      Predicate.isTagged(cause, "FolderUnusable")
        ? usageError(messageOf(cause))
        : commandFailure(`the target cannot be used: ${messageOf(cause)}`),
    ),
  );

const sameRows = (one: Sql.Rows.Digest, other: Sql.Rows.Digest): boolean =>
  one.rows === other.rows && one.sum === other.sum;

/** What was copied before must be what the source has. */
const requireUnchanged = (
  source: Session,
  target: Session,
  table: Table,
  { done, place }: Sql.Progress.TableProgress,
): Effect.Effect<void, CommandFailed | SqlError.SqlError> =>
  Effect.gen(function* () {
    const before = yield* Rows.digest(source, table, done ? null : place);
    if (!sameRows(before, yield* Rows.digest(target, table)))
      return yield* commandFailure(
        `the copy cannot continue: ${table.name} of the source has changed since, or the copy was begun from another store; name an empty target`,
      );
  });

/** Copies what the target does not have yet; returns the number of rows. */
const fill = (source: Session, target: Session, all: ReadonlyArray<Table>) =>
  Effect.gen(function* () {
    const begun = yield* Progress.read(target);
    const before = [...begun.values()].reduce((sum, { rows }) => sum + rows, 0);
    if (begun.size > 0) yield* note(`continuing a copy that has ${counted(before, "row")}`);
    for (const table of all) {
      const found = begun.get(table.name);
      if (found !== undefined) yield* requireUnchanged(source, target, table, found);
    }
    let copied = before;
    let name = "";
    const bar = progress(
      (count, seconds) => `${name}: ${counted(count, "row")} copied, ${seconds.toFixed(0)} s`,
    );
    for (const table of all) {
      const found = begun.get(table.name);
      if (found?.done === true) continue;
      ({ name } = table);
      yield* Rows.copyRows({ source, target }, table, found?.place ?? null, {
        page: (place, rows) => {
          copied += rows;
          bar.show(copied);
          return Progress.note(target, table.name, place, rows);
        },
        done: Progress.noteDone(target, table.name),
      });
    }
    bar.end();
    return { rows: copied, seconds: bar.seconds() };
  });

/** Fails unless every table has the same rows in both. */
const compare = (source: Session, target: Session, all: ReadonlyArray<Table>) =>
  Effect.gen(function* () {
    for (const table of all) {
      const [theirs, ours] = yield* Effect.all([Rows.digest(source, table), Rows.digest(target, table)]);
      if (!sameRows(theirs, ours))
        return yield* commandFailure(
          `${table.name} differs: ${counted(Number(theirs.rows), "row")} in the source, ${ours.rows} in the copy${theirs.rows === ours.rows ? " with other values" : ""}; the copy is not complete, name an empty target`,
        );
    }
  });

const SNAPSHOT = "begin isolation level repeatable read, read only";

/** What a copy has done. */
interface Copied {
  readonly rows: number;
  readonly tables: number;
  readonly seconds: number;
}

/** Copies and compares on one snapshot of the source; the target can be used afterwards. */
export const copy = (from: PersistentDatabase, to: PersistentDatabase): Effect.Effect<Copied, Failure> =>
  Effect.gen(function* () {
    const source = yield* openSource(from);
    const target = yield* openTarget(to);
    const stopped = (error: SqlError.SqlError) =>
      commandFailure(`the copy stopped: ${messageOf(error.cause)}; run it again to continue`);
    const work = Effect.gen(function* () {
      const all = yield* Catalogue.tables(source);
      yield* requireSameTables(all, yield* Catalogue.tables(target));
      const filled = yield* fill(source, target, all);
      yield* compare(source, target, all);
      yield* Progress.end(source, target);
      return { ...filled, tables: all.length };
    });
    return yield* Effect.catchTag(Session.inTransaction(source, SNAPSHOT, work), "SqlError", stopped);
  }).pipe(Effect.scoped);

/** A store that can be filled: a folder may be absent. */
const requirePersistent = (database: Database): Effect.Effect<PersistentDatabase, CommandFailed> =>
  database.type === "memory"
    ? usageError("a store in memory ends with this command: name a target that stays")
    : Effect.succeed(database);

/** Copies a store into an empty one, or continues, and verifies the copy. */
export const copyStore = (source: Database, target: Database): Task =>
  Effect.gen(function* () {
    const from = yield* requireExisting(source);
    const to = yield* requirePersistent(target);
    if (nameOf(from) === nameOf(to)) return yield* usageError("the target is the source: name another store");
    const { rows, tables, seconds } = yield* copy(from, to);
    yield* print(
      `copied ${counted(rows, "row")} of ${tables} tables from ${nameOf(from)} to ${nameOf(to)}, and each table is the same (${seconds.toFixed(1)} s)`,
    );
    yield* verifyStore(to, undefined, false);
  });
