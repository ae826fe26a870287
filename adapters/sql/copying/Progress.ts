/**
 * How far a copy is. The target has it, in a schema of its own, from the beginning of the copy to its end. Foreign keys are
 * absent meanwhile: a row may refer to a later one of its table, and adding them at the end checks every row. A version in
 * the list of migrations that no program knows keeps servers from starting on half of a store.
 */
import type * as SqlError from "@effect/sql/SqlError";
import { Effect } from "effect";
import { INCOMPLETE_COPY } from "../migrations/Migrations.ts";
import type { Place } from "./Rows.ts";
import { inTransaction, type Session } from "./Session.ts";

const BEGIN = [
  "create schema quittance_copy",
  "create table quittance_copy.tables (name text primary key, place json, rows bigint not null, done boolean not null)",
  `create table quittance_copy.foreign_keys as
select k.conrelid::regclass::text as holder, format('%I', k.conname) as name, pg_get_constraintdef(k.oid) as definition
from pg_constraint k where k.connamespace = 'quittance'::regnamespace and k.contype = 'f' and k.conparentid = 0`,
  `do $body$
declare
  ours record;
begin
  for ours in select * from quittance_copy.foreign_keys loop
    execute format('alter table %s drop constraint %s', ours.holder, ours.name);
  end loop;
end
$body$`,
  `insert into quittance.migrations (version) values (${INCOMPLETE_COPY})`,
];

const run = (session: Session, statements: ReadonlyArray<string>) =>
  Effect.forEach(statements, (statement) => session.rows(statement), { discard: true });

/** Begins a copy into an empty store. */
export const begin = (target: Session): Effect.Effect<void, SqlError.SqlError> =>
  inTransaction(target, "begin", run(target, BEGIN));

/** Up to where a table is copied. */
export interface TableProgress {
  /** Null where the table has no primary key or no row. */
  readonly place: Place | null;
  readonly rows: number;
  readonly done: boolean;
}

/** Of each table that has been begun, how far it is. */
export const read = (target: Session): Effect.Effect<ReadonlyMap<string, TableProgress>, SqlError.SqlError> =>
  Effect.map(
    target.rows<TableProgress & { readonly name: string }>(
      "select t.name, t.place, t.rows::float8 as rows, t.done from quittance_copy.tables t",
    ),
    (rows) => new Map(rows.map(({ name, ...progress }) => [name, progress])),
  );

/** Stores that a page of a table is copied. */
export const note = (
  target: Session,
  name: string,
  place: Place,
  rows: number,
): Effect.Effect<unknown, SqlError.SqlError> =>
  target.rows(
    `insert into quittance_copy.tables as t (name, place, rows, done) values ($1, $2::text::json, $3::text::bigint, false)
     on conflict (name) do update set place = excluded.place, rows = t.rows + excluded.rows`,
    name,
    JSON.stringify(place),
    String(rows),
  );

/** Stores that the whole table is copied. */
export const noteDone = (target: Session, name: string): Effect.Effect<unknown, SqlError.SqlError> =>
  target.rows(
    `insert into quittance_copy.tables as t (name, rows, done) values ($1, 0, true)
     on conflict (name) do update set done = true`,
    name,
  );

const END = [
  `do $body$
declare
  ours record;
begin
  for ours in select * from quittance_copy.foreign_keys loop
    execute format('alter table %s add constraint %s %s', ours.holder, ours.name, ours.definition);
  end loop;
end
$body$`,
  `delete from quittance.migrations where version = ${INCOMPLETE_COPY}`,
  "drop schema quittance_copy cascade",
];

const NAME_SEARCH = "select max(name_search) as version from quittance.migrations";

/** Ends a copy: adds the foreign keys, and lets servers start on the store. */
export const end = (source: Session, target: Session): Effect.Effect<void, SqlError.SqlError> =>
  Effect.gen(function* () {
    // Searchable names are copied as the source computed them.
    const [names] = yield* source.rows<{ readonly version: string | null }>(NAME_SEARCH);
    yield* inTransaction(
      target,
      "begin",
      Effect.zipRight(
        target.rows("update quittance.migrations set name_search = nullif($1, '')", names?.version ?? ""),
        run(target, END),
      ),
    );
  });
