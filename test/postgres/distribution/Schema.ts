/** Reads the tables and functions of a database for the routability checks. */
import { Effect, type Redacted } from "effect";
import { REFERENCE } from "../../../adapters/sql/distribution/Citus.ts";
import { connected } from "../../support/postgres.ts";
import { type Catalog, type Routine, readersOf } from "./Routability.ts";

const TABLES = `select c.relname as name from pg_class c
where c.relnamespace = 'quittance'::regnamespace and c.relkind = 'r' order by 1`;

const ROUTINES = `select p.proname as name, l.lanname as language, pg_get_functiondef(p.oid) as definition,
  p.prosrc as source
from pg_proc p join pg_language l on l.oid = p.prolang where p.pronamespace = 'quittance'::regnamespace order by 1`;

const VOLATILE = `select p.proname as name from pg_proc p
where p.pronamespace in ('quittance'::regnamespace, 'pg_catalog'::regnamespace)
group by p.proname having bool_and(p.provolatile = 'v')`;

/** The schema for the routability checks. */
export interface Schema {
  readonly catalog: Catalog;
  readonly routines: ReadonlyArray<Routine>;
}

/** Reads the schema of a migrated database. */
export const schemaOf = (url: Redacted.Redacted): Effect.Effect<Schema> =>
  Effect.scoped(
    Effect.flatMap(connected(url), (database) =>
      Effect.promise(async () => {
        const { rows: tables } = await database.query<{ name: string }>(TABLES);
        const { rows: routines } = await database.query<Routine>(ROUTINES);
        const { rows: volatile } = await database.query<{ name: string }>(VOLATILE);
        const names = tables.map(({ name }) => name);
        const catalog = {
          distributed: new Set(names.filter((name) => !REFERENCE.includes(name))),
          reference: new Set(REFERENCE),
          readers: readersOf(routines, new Set(names)),
          volatile: new Set(volatile.map(({ name }) => name)),
        };
        return { routines, catalog };
      }),
    ),
  );
