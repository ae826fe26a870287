import { Effect } from "effect";
import { expect, it } from "vitest";
import { KINDS, TABLES } from "../../../adapters/sql/records/Tables.ts";
import { columns } from "../../../docs/generate/schema.ts";
import { connected, database } from "../../support/postgres.ts";

/** The columns of every table, in the syntax of `create table`. */
const COLUMNS = `
select c.relname as "table", concat(
    a.attname, ' ', format_type(a.atttypid, a.atttypmod),
    case when a.attnotnull then ' not null' end, case when a.attgenerated = 's' then ' generated' end) as "column"
from pg_attribute a join pg_class c on c.oid = a.attrelid
where c.relnamespace = 'quittance'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped`;

it("the schema has exactly the columns that the tables of records declare", () =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const client = yield* connected(yield* database());
        const { rows } = yield* Effect.promise(() =>
          client.query<{ readonly table: string; readonly column: string }>(COLUMNS),
        );
        for (const kind of KINDS) {
          const { name } = TABLES[kind];
          const actual = rows.filter(({ table }) => table === name).map(({ column }) => column);
          expect(actual.toSorted(), name).toEqual([...columns(kind)].toSorted());
        }
      }),
    ),
  ));
