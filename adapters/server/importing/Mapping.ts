/** Mappings: how the columns of a file become the fields of an attribution. */
import { readFileSync } from "node:fs";
import { Effect, Either, Schema } from "effect";
import { Refusal } from "quittance";
import { type CommandFailed, messageOf, usageError } from "../CommandFailed.ts";
import { asDateTime, asDay, DayFormat, MomentFormat } from "./Dates.ts";
import { asNumber, asNumberIn, NumberFormat } from "./Numbers.ts";
import type { Row } from "./Rows.ts";

/** The value of a field, or the line that describes the problem with it. */
type Result<A> = Either.Either<A, string>;

const Scalar = Schema.Union(Schema.String, Schema.Number, Schema.Boolean);

/** A field from a column: its text, or the value of that text. */
const FromColumn = Schema.Struct({
  column: Schema.String,
  /** What the texts of the column stand for; a text that is not listed is an error. */
  values: Schema.optionalWith(Schema.Record({ key: Schema.String, value: Scalar }), { exact: true }),
  /** Put before the text. */
  prefix: Schema.optionalWith(Schema.String, { exact: true }),
  /** Used where the cell is empty. */
  default: Schema.optionalWith(Scalar, { exact: true }),
});

/** A field from a column whose texts may have a format. */
const formatted = <Fields extends Schema.Struct.Fields>(format: Fields) =>
  Schema.Struct({ ...FromColumn.fields, ...format }).pipe(
    Schema.filter((field: object) => {
      const other = ["values", "prefix"].find((name) => name in field);
      return other === undefined || Object.keys(format).every((name) => !(name in field))
        ? true
        : { path: [other], message: `must be absent where ${Object.keys(format).join(", ")} is stated` };
    }),
  );

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true });

/** A field: the same for every row, or from a column. */
const Field = Schema.Union(Scalar, FromColumn);
const MomentField = Schema.Union(Scalar, formatted({ date: optional(MomentFormat) }));
const DayField = Schema.Union(Scalar, formatted({ date: optional(DayFormat) }));
const ValueField = Schema.Union(Scalar, formatted({ number: optional(NumberFormat) }));
type Field = typeof Field.Type;
type MomentField = typeof MomentField.Type;
type DayField = typeof DayField.Type;
type ValueField = typeof ValueField.Type;

/** Partners may also be found by their name. */
const PartnerField = Schema.Union(
  Scalar,
  Schema.Struct({
    ...FromColumn.fields,
    by: Schema.optionalWith(Schema.Literal("id", "name"), { exact: true }),
  }),
);

/** The column of the credits, whose partners may also be found by their names. */
const CreditsField = Schema.Struct({
  column: Schema.String,
  by: Schema.optionalWith(Schema.Literal("id", "name"), { exact: true }),
});

/** When a sale was settled elsewhere; a row whose cell of `at` is empty was not. */
const SettledElsewhereFields = Schema.Struct({
  at: MomentField,
  reference: Schema.optionalWith(Field, { exact: true }),
});

/** Which rows are imported: the texts that a column may have, or any text. */
const Only = Schema.Record({
  key: Schema.String,
  value: Schema.Union(Schema.Literal("not_empty"), Schema.NonEmptyArray(Schema.String)),
});

/** A mapping, as its file states it. */
export const Mapping = Schema.Struct({
  only: optional(Only),
  workspace_id: Field,
  schema_id: Field,
  partner_id: PartnerField,
  external_reference: Schema.optionalWith(Field, { exact: true }),
  occurred_at: optional(MomentField),
  occurred_on: optional(DayField),
  credits: Schema.optionalWith(CreditsField, { exact: true }),
  settled_elsewhere: Schema.optionalWith(SettledElsewhereFields, { exact: true }),
  properties: Schema.Record({ key: Schema.String, value: ValueField }),
});
export type Mapping = typeof Mapping.Type;

const decodeMapping = Schema.decodeUnknownEither(Mapping, { onExcessProperty: "error" });

/** Reads a file that must hold JSON. */
export const readJson = (file: string): Effect.Effect<unknown, CommandFailed> =>
  Effect.try({
    try: () => readFileSync(file, "utf8"),
    catch: (error) => usageError(`${file} cannot be read: ${messageOf(error)}`),
  }).pipe(
    Effect.flatMap((text) =>
      Effect.try({
        try: (): unknown => JSON.parse(text),
        catch: (error) => usageError(`${file} is not JSON: ${messageOf(error)}`),
      }),
    ),
  );

/** The mapping of a file. */
export const read = (file: string): Effect.Effect<Mapping, CommandFailed> =>
  Effect.flatMap(readJson(file), (value) =>
    Either.mapLeft(decodeMapping(value), (error) =>
      usageError(`${file}: ${Refusal.fromParseError(error).message}`),
    ),
  );

const PROPERTY = "properties.";
const ELSEWHERE = "settled_elsewhere.";

/** The mapping of a file whose columns have the names of the fields; properties are `properties.<name>`. */
export const byNames = (columns: ReadonlyArray<string>): Mapping => {
  const column = (name: string) => ({ column: name });
  const fieldIfPresent = (name: string) => (columns.includes(name) ? { [name]: column(name) } : {});
  return {
    workspace_id: column("workspace_id"),
    schema_id: column("schema_id"),
    partner_id: column("partner_id"),
    ...fieldIfPresent("external_reference"),
    ...fieldIfPresent("occurred_at"),
    ...fieldIfPresent("occurred_on"),
    ...fieldIfPresent("credits"),
    ...(columns.includes(`${ELSEWHERE}at`)
      ? {
          settled_elsewhere: {
            at: column(`${ELSEWHERE}at`),
            ...(columns.includes(`${ELSEWHERE}reference`)
              ? { reference: column(`${ELSEWHERE}reference`) }
              : {}),
          },
        }
      : {}),
    properties: Object.fromEntries(
      columns
        .filter((name) => name.startsWith(PROPERTY))
        .map((name) => [name.slice(PROPERTY.length), column(name)]),
    ),
  };
};

const isColumn = <F extends Field>(field: F): field is Exclude<F, Value> => typeof field === "object";

/** The columns that a mapping reads. */
export const columnsOf = (mapping: Mapping): ReadonlyArray<string> =>
  [
    mapping.workspace_id,
    mapping.schema_id,
    mapping.partner_id,
    ...(mapping.external_reference === undefined ? [] : [mapping.external_reference]),
    ...(mapping.occurred_at === undefined ? [] : [mapping.occurred_at]),
    ...(mapping.occurred_on === undefined ? [] : [mapping.occurred_on]),
    ...(mapping.credits === undefined ? [] : [mapping.credits]),
    ...Object.values(mapping.settled_elsewhere ?? {}),
    ...Object.values(mapping.properties),
  ]
    .flatMap((field) => (isColumn(field) ? [field.column] : []))
    .concat(Object.keys(mapping.only ?? {}));

type Value = typeof Scalar.Type;

/** The value of a cell; undefined where it is empty. */
const cellValue = (column: string, row: Row): Result<Value | undefined> => {
  const cell = row.cell(column);
  if (cell === undefined || cell === null || cell === "") return Either.right(undefined);
  if (typeof cell === "object") return Either.left(`column ${column} is not a single value`);
  return Either.right(typeof cell === "number" || typeof cell === "boolean" ? cell : String(cell));
};

/** The value of a field in a row, whose cell `read` reads; undefined where the cell is empty and there is no default. */
export const fieldValue = (
  field: Field,
  row: Row,
  read?: (cell: Value) => Result<Value>,
): Result<Value | undefined> => {
  if (!isColumn(field)) return Either.right(field);
  const { column, values, prefix } = field;
  return Either.flatMap(cellValue(column, row), (cell): Result<Value | undefined> => {
    if (cell === undefined) return Either.right(field.default);
    if (read !== undefined) return Either.mapLeft(read(cell), (problem) => `column ${column} ${problem}`);
    if (values !== undefined) {
      const text = String(cell);
      return Object.hasOwn(values, text)
        ? Either.right(values[text])
        : Either.left(`column ${column} has "${text}", which the mapping's values do not list`);
    }
    return Either.right(prefix === undefined ? cell : `${prefix}${cell}`);
  });
};

/** The value of a property in a row. */
export const propertyValue = (field: ValueField, row: Row): Result<Value | undefined> => {
  const format = isColumn(field) ? field.number : undefined;
  return fieldValue(field, row, format && ((cell) => asNumberIn(format, cell)));
};

/** The moment of a field in a row, as the interface takes it. */
export const momentValue = (name: string, field: MomentField, row: Row): Result<string | undefined> => {
  const format = isColumn(field) ? field.date : undefined;
  return Either.flatMap(fieldValue(field, row, format && ((cell) => asDateTime(cell, format))), (value) =>
    value === undefined
      ? Either.right(undefined)
      : Either.mapLeft(asDateTime(value), (problem) => `${name}: ${problem}`),
  );
};

/** The day of a field in a row. */
export const dayValue = (field: DayField, row: Row): Result<Value | undefined> => {
  const format = isColumn(field) ? field.date : undefined;
  return fieldValue(field, row, format && ((cell) => asDay(cell, format)));
};

/** True if a row is imported: each column of `only` has one of its texts. */
export const takes = ({ only = {} }: Mapping, row: Row): Result<boolean> =>
  Either.map(Either.all(Object.keys(only).map((column) => cellValue(column, row))), (cells) =>
    Object.values(only).every((texts, index) => {
      const text = String(cells[index] ?? "").trim();
      return texts === "not_empty" ? text !== "" : texts.includes(text);
    }),
  );

const BOOLEANS: Readonly<Record<string, boolean>> = {
  true: true,
  false: false,
  yes: true,
  no: false,
  "1": true,
  "0": false,
};

/** A value as the type of its property. */
export const asType = (
  value: string | number | boolean,
  type: "string" | "number" | "boolean",
): Result<string | number | boolean> => {
  if (typeof value === type) return Either.right(value);
  const text = String(value).trim();
  if (type === "string") return Either.right(text);
  if (type === "number") return asNumber(text);
  const boolean = BOOLEANS[text.toLowerCase()];
  return boolean === undefined ? Either.left(`must be true or false, not "${text}"`) : Either.right(boolean);
};
