/** The tables of a store, read from the database: a table that a migration adds is copied without being named here. */
import type * as SqlError from "@effect/sql/SqlError";
import { Effect } from "effect";
import type { Session } from "./Session.ts";

/** A column of a table. */
export interface Column {
  readonly name: string;
  /** Its type as SQL. */
  readonly type: string;
  /** True if the database computes it from the others. */
  readonly generated: boolean;
}

/** A table whose rows are copied. */
export interface Table {
  readonly name: string;
  /** In the order of their names: databases of different ages may have different orders. */
  readonly columns: ReadonlyArray<Column>;
  /** The columns of the primary key; none where the table has no primary key. */
  readonly key: ReadonlyArray<string>;
}

/** Each database has migrations of its own. */
const TABLES = `
select c.relname as name,
  (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
      'generated', a.attgenerated <> '') order by a.attname collate "C")
    from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
  coalesce((select json_agg(a.attname order by k.place)
    from pg_index i cross join lateral unnest(i.indkey::smallint[]) with ordinality k(attnum, place)
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
    where i.indrelid = c.oid and i.indisprimary), '[]') as key
from pg_class c
where c.relnamespace = 'quittance'::regnamespace and c.relkind in ('r', 'p') and c.relname <> 'migrations'
order by c.relname collate "C"`;

/** Every table of the schema, in the order of their names. */
export const tables = (session: Session): Effect.Effect<ReadonlyArray<Table>, SqlError.SqlError> =>
  session.rows<Table>(TABLES);

/** True if the connection sees the rows of every customer. */
export const seesEveryCustomer = (session: Session): Effect.Effect<boolean, SqlError.SqlError> =>
  Effect.map(
    session.rows<{ readonly sees: boolean }>(
      "select r.rolsuper or r.rolbypassrls as sees from pg_roles r where r.rolname = current_user",
    ),
    ([role]) => role?.sees === true,
  );
