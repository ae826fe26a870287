/** Prints docs/schema.md from the column tables of records. */
import { insertedColumns, type Named, TYPES } from "../../adapters/sql/records/Column.ts";
import { KINDS, TABLES } from "../../adapters/sql/records/Tables.ts";

/** The path of the page. */
export const file = "docs/schema.md";

type Kind = (typeof KINDS)[number];

const WRITTEN_BY = { once: "the first save", each: "each save", latest: "each save; the later moment stays" };

const writtenBy = ({ updated }: Named): string =>
  updated === undefined ? WRITTEN_BY.once : updated === true ? WRITTEN_BY.each : WRITTEN_BY.latest;

interface Line {
  readonly column: string;
  readonly comment: string;
}

const lines = (kind: Kind): ReadonlyArray<Line> => [
  ...insertedColumns(TABLES[kind]).map((column) => ({
    column: `${column.name} ${TYPES[column.type].stored}${column.nullable === true ? "" : " not null"}`,
    comment: writtenBy(column),
  })),
  ...Object.entries(TABLES[kind].generated).map(([name, type]) => ({
    column: `${name} ${type} generated`,
    comment: "the database",
  })),
];

/** The columns of a kind's table as its create statement declares them. */
export const columns = (kind: Kind): ReadonlyArray<string> => lines(kind).map(({ column }) => column);

const statement = (kind: Kind): string => {
  const all = lines(kind);
  const width = Math.max(...all.map(({ column }) => column.length)) + 1;
  const text = all.map(({ column, comment }, index) => {
    const end = index === all.length - 1 ? "" : ",";
    return `  ${`${column}${end}`.padEnd(width)} -- ${comment}`;
  });
  return `## ${TABLES[kind].name}

<!-- not run: the migrations create the table, with its keys, checks and indexes -->
\`\`\`sql
create table quittance.${TABLES[kind].name} (
${text.join("\n")}
);
\`\`\``;
};

/** The whole page. */
export const print = (): string => `# Tables of records

This page is printed from \`adapters/sql/records/Tables.ts\` by \`npm run docs\`. A test compares the page with the source, and
each column here (name, type, nullability) with a freshly migrated database. The migrations in \`adapters/sql/migrations\`
add the keys, checks and indexes, and the tables that hold no records.

The comment of a column says what writes it. A column \`view\` holds, as one JSON object, the fields of the record that have
no column of their own.

## What a new field touches

A field of a record with \`view\` (${KINDS.filter((kind) => TABLES[kind].hasView)
  .map((kind) => `\`${TABLES[kind].name}\``)
  .join(", ")}) touches no file of the SQL store. A field of another record touches two:

1. \`adapters/sql/records/Tables.ts\`: its column. The code does not compile without it.
2. the newest step in \`adapters/sql/migrations\`: \`alter table … add column\`. The test fails without it.

The row mapping, the JSON of a record, the functions that insert and update rows, the function that creates attributions
and this page follow from the column. A field of a commission that changes with amounts or with the lines of a settlement also touches
\`adapters/sql/writing/functions/lines.ts\`.

${KINDS.map(statement).join("\n\n")}
`;
