/** How a row of a table becomes a record, and how a record becomes a row. */
import type { Storage } from "quittance";
import { columnOf, type Table } from "./Column.ts";
import { KINDS, TABLES } from "./Tables.ts";

/** An SQL expression: the record of a row as one JSON object, version and last moment included. */
export const record = (kind: Storage.Kind, alias: string): string => {
  const { columns, hasView } = TABLES[kind];
  const pairs = Object.keys(columns)
    .map((field) => `'${field}', ${alias}."${columnOf(field)}"`)
    .join(", ");
  return hasView ? `(${alias}.view || jsonb_build_object(${pairs}))` : `json_build_object(${pairs})`;
};

/** What a change set sends of a record: columns by name. */
export type Row = Readonly<Record<string, unknown>>;

type Encoder = (row: object) => Row;

/** The fields of a record that have no column of their own. */
const viewOf = ({ columns }: Pick<Table, "columns">, record: object): Row => {
  const view: Record<string, unknown> = {};
  for (const field in record) if (columns[field] === undefined) view[field] = Reflect.get(record, field);
  return view;
};

/** The view of a saved record, in whose table it is a column. */
export const encodeView = ({ kind, row }: Extract<Storage.Change, { readonly type: "save" }>): Row =>
  viewOf(TABLES[kind], row);

/** The encoder of a table; made once, because a batch encodes thousands of rows. */
const encoder = ({ columns, derived, hasView }: Table): Encoder => {
  const ownColumns = Object.entries(columns).map(([field, { type }]) => ({
    field,
    column: columnOf(field),
    isText: type === "json",
  }));
  const computed = Object.entries(derived);
  return (record) => {
    const row: Record<string, unknown> = {};
    for (const { field, column, isText } of ownColumns) {
      const value: unknown = Reflect.get(record, field) ?? null;
      row[column] = isText ? JSON.stringify(value) : value;
    }
    // The table of a kind takes the records of that kind.
    for (const [column, { of }] of computed) row[column] = of(record as never);
    if (hasView) row.view = viewOf({ columns }, record);
    return row;
  };
};

const ENCODERS = new Map(KINDS.map((kind) => [kind, encoder(TABLES[kind])]));

/** The row of a saved record. */
export const encode = ({ kind, row }: Extract<Storage.Change, { readonly type: "save" }>): Row =>
  ENCODERS.get(kind)?.(row) ?? {};
