/** Mappings: how the columns of a file become the fields of an attribution. */
import { readFileSync } from "node:fs";
import { Effect, Either, Schema } from "effect";
import { Refusal } from "quittance";
import { type CommandFailed, messageOf, usageError } from "../CommandFailed.ts";
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

/** A field: the same for every row, or from a column. */
const Field = Schema.Union(Scalar, FromColumn);
type Field = typeof Field.Type;

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
  at: Field,
  reference: Schema.optionalWith(Field, { exact: true }),
});

/** A mapping, as its file states it. */
export const Mapping = Schema.Struct({
  workspace_id: Field,
  schema_id: Field,
  partner_id: PartnerField,
  external_reference: Schema.optionalWith(Field, { exact: true }),
  occurred_at: Schema.optionalWith(Field, { exact: true }),
  occurred_on: Schema.optionalWith(Field, { exact: true }),
  credits: Schema.optionalWith(CreditsField, { exact: true }),
  settled_elsewhere: Schema.optionalWith(SettledElsewhereFields, { exact: true }),
  properties: Schema.Record({ key: Schema.String, value: Field }),
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

const isColumn = (field: Field): field is typeof FromColumn.Type => typeof field === "object";

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
  ].flatMap((field) => (isColumn(field) ? [field.column] : []));

/** The value of a field in a row; undefined where the cell is empty and there is no default. */
export const fieldValue = (field: Field, row: Row): Result<string | number | boolean | undefined> => {
  if (!isColumn(field)) return Either.right(field);
  const cell = row.cell(field.column);
  if (cell === undefined || cell === null || cell === "") return Either.right(field.default);
  if (typeof cell === "object") return Either.left(`column ${field.column} is not a single value`);
  const text = String(cell);
  if (field.values !== undefined) {
    return Object.hasOwn(field.values, text)
      ? Either.right(field.values[text])
      : Either.left(`column ${field.column} has "${text}", which the mapping's values do not list`);
  }
  if (field.prefix !== undefined) return Either.right(`${field.prefix}${text}`);
  return Either.right(typeof cell === "number" || typeof cell === "boolean" ? cell : text);
};

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)$/;

/** The significant digits of a decimal number in text. */
const digitsOf = (text: string): string =>
  text
    .replace(/e.*$/i, "")
    .replace(/\D/g, "")
    .replace(/^0+|0+$/g, "");

/** A number in text, unless the double that holds it has other digits. */
const asNumber = (text: string): Result<number> => {
  if (!NUMBER.test(text)) return Either.left(`must be a number, not "${text}"`);
  const number = Number(text);
  return digitsOf(text) === digitsOf(String(number))
    ? Either.right(number)
    : Either.left(`has too many digits to be stored exactly: "${text}" would become ${number}`);
};

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

const DATE = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?))?(Z|[+-]\d{2}:\d{2})?$/;

/** A date-time of the interface from a text: a day, or a day and a time, in UTC where no zone is stated. */
export const asDateTime = (value: string | number | boolean): Result<string> => {
  const [, day, time = "00:00:00", zone = "Z"] = DATE.exec(String(value).trim()) ?? [];
  return day === undefined
    ? Either.left(`must be a date like 2026-01-31 or 2026-01-31T12:00:00Z, not "${value}"`)
    : Either.right(`${day}T${time.length === 5 ? `${time}:00` : time}${zone}`);
};
