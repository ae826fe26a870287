/** Reads rows of one database and writes them to another one, a page at a time, and compares what both have. */
import type * as SqlError from "@effect/sql/SqlError";
import { Effect } from "effect";
import type { Table } from "./Catalogue.ts";
import { inTransaction, type Session } from "./Session.ts";

/** The key of the last row that a page had, as text, in the order of the key's columns. */
export type Place = ReadonlyArray<string>;

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const nameOf = ({ name }: Table): string => `quittance.${quoted(name)}`;

/** The rows up to a place, or after it; every row where there is none. */
const within = ({ columns, key }: Table, sign: "<=" | ">", place: Place | null): string => {
  if (place === null || key.length === 0) return "";
  const typed = key.map((name, index) => {
    const { type = "text" } = columns.find((column) => column.name === name) ?? {};
    return `$${index + 1}::text::${type}`;
  });
  return `where (${key.map(quoted).join(", ")}) ${sign} (${typed.join(", ")})`;
};

const stored = ({ columns }: Table) => columns.filter(({ generated }) => !generated);

/** An array of the values as text. */
const texts = (columns: ReadonlyArray<{ readonly name: string }>): string =>
  `array[${columns.map(({ name }) => `${quoted(name)}::text`).join(", ")}]`;

const CURSOR = "copied";

/** Opens the cursor of a transaction at the rows after a place. */
const declareCursor = (source: Session, table: Table, place: Place | null) => {
  const order = table.key.length === 0 ? "" : `order by ${table.key.map(quoted).join(", ")}`;
  return source.rows(
    `declare ${CURSOR} no scroll cursor for select array_to_json(${texts(stored(table))})::text as row
     from ${nameOf(table)} ${within(table, ">", place)} ${order}`,
    ...(place ?? []),
  );
};

/** The values are texts, so that no driver changes them on the way. */
const insert = (target: Session, table: Table, rows: ReadonlyArray<string>) => {
  const columns = stored(table);
  const values = columns.map(({ type }, index) => `(r.value->>${index})::${type}`);
  return target.rows(
    `insert into ${nameOf(table)} (${columns.map(({ name }) => quoted(name)).join(", ")})
     select ${values.join(", ")} from json_array_elements($1::json) r`,
    `[${rows.join(",")}]`,
  );
};

/** Characters of a page, roughly, and rows at most. */
const PAGE_CHARACTERS = 2_000_000;
const PAGE_ROWS_MAX = 2_000;
const PAGE_ROWS_FIRST = 4;
const GROWTH_MAX = 4;

/**
 * The rows of the next page, by the last one: few at first, because a table of documents may have a megabyte in each row, and
 * at most four times as many as the page before.
 */
export const nextPageRows = (rows: number, characters: number): number =>
  Math.max(
    1,
    Math.min(
      rows * GROWTH_MAX,
      PAGE_ROWS_MAX,
      Math.floor((PAGE_CHARACTERS * rows) / Math.max(1, characters)),
    ),
  );

const keyOf = (table: Table, row: string): Place => {
  const values: ReadonlyArray<string> = JSON.parse(row);
  const columns = stored(table);
  return table.key.map((name) => values[columns.findIndex((column) => column.name === name)] ?? "");
};

/** What is stored of the progress of a table, in the transactions that write its rows. */
export interface Notes {
  /** Up to where the table is copied, and how many rows the page had. */
  readonly page: (place: Place, rows: number) => Effect.Effect<unknown, SqlError.SqlError>;
  /** That the table is complete. */
  readonly done: Effect.Effect<unknown, SqlError.SqlError>;
}

/** The database that is read, and the one that is written. */
interface Sessions {
  readonly source: Session;
  readonly target: Session;
}

/** Writes the rest of a table; every page with its note is a transaction if `perPage`. */
const copyPages = ({ source, target }: Sessions, table: Table, notes: Notes, perPage: boolean) =>
  Effect.gen(function* () {
    let size = PAGE_ROWS_FIRST;
    for (;;) {
      const page = yield* source.rows<{ readonly row: string }>(`fetch forward ${size} from ${CURSOR}`);
      const rows = page.map(({ row }) => row);
      const last = rows.at(-1);
      if (last === undefined) return;
      const write = Effect.zipRight(insert(target, table, rows), notes.page(keyOf(table, last), rows.length));
      yield* perPage ? inTransaction(target, "begin", write) : write;
      size = nextPageRows(
        rows.length,
        rows.reduce((sum, row) => sum + row.length, 0),
      );
    }
  });

/**
 * Copies the rows of a table after a place. The source is in a transaction that reads one snapshot. Each page is committed
 * with its note, so that a copy can continue; a table without a primary key is committed as a whole, since nothing says where to continue.
 */
export const copyRows = (
  { source, target }: Sessions,
  table: Table,
  place: Place | null,
  notes: Notes,
): Effect.Effect<void, SqlError.SqlError> =>
  Effect.gen(function* () {
    yield* declareCursor(source, table, place);
    const perPage = table.key.length > 0;
    const pages = Effect.zipRight(copyPages({ source, target }, table, notes, perPage), notes.done);
    yield* perPage ? pages : inTransaction(target, "begin", pages);
    yield* source.rows(`close ${CURSOR}`);
    // Plans depend on the statistics of a table, and a new one has none.
    yield* target.rows(`analyze ${nameOf(table)}`);
  });

/** What two tables with the same rows have in common. */
export interface Digest {
  /** The number of rows, as digits. */
  readonly rows: string;
  /** The sum of the hashes of the rows, generated columns included, in any order. */
  readonly sum: string;
}

/** The digest of the rows of a table up to a place, or of every row. */
export const digest = (
  session: Session,
  table: Table,
  place: Place | null = null,
): Effect.Effect<Digest, SqlError.SqlError> =>
  Effect.map(
    session.rows<Digest>(
      `select count(*)::text as rows, coalesce(sum(('x' || left(encode(
         sha256(convert_to(${texts(table.columns)}::text, 'UTF8')), 'hex'), 15))::bit(60)::bigint), 0)::text as sum
       from ${nameOf(table)} ${within(table, "<=", place)}`,
      ...(place === null || table.key.length === 0 ? [] : place),
    ),
    ([found]) => found ?? { rows: "0", sum: "0" },
  );

/** True if the table has no row. */
export const isEmpty = (session: Session, table: Table): Effect.Effect<boolean, SqlError.SqlError> =>
  Effect.map(session.rows(`select 1 as one from ${nameOf(table)} limit 1`), ({ length }) => length === 0);
