/**
 * The columns of a kind of record, stated once. The row mapping, the record as JSON, the functions that insert and update
 * rows, the function that creates attributions and the page of the schema are generated from them.
 */
import { SchemaAST as AST, type Schema } from "effect";

/** The types of columns: as the database stores them, and as a change set sends their values. */
export const TYPES = {
  uuid: { stored: "uuid", sent: "uuid" },
  text: { stored: "text", sent: "text" },
  boolean: { stored: "boolean", sent: "boolean" },
  integer: { stored: "integer", sent: "integer" },
  /** A position in an order. */
  bigint: { stored: "bigint", sent: "bigint" },
  /** Smallest units of a currency. */
  amount: { stored: "quittance.amount", sent: "bigint" },
  /** Milliseconds since the epoch. */
  moment: { stored: "quittance.moment", sent: "bigint" },
  /** Text that a caller wrote, with its keys in their order; sent as JSON text inside the JSON. */
  json: { stored: "json", sent: "text" },
  jsonb: { stored: "jsonb", sent: "jsonb" },
} as const;

type TypeName = keyof typeof TYPES;

/** A value that every record has when it is created. */
type Initial = string | number | null;

export interface Column {
  readonly type: TypeName;
  readonly nullable?: true;
  /**
   * True if a save of an existing record writes the column; otherwise it keeps the value of the first save. `latest` keeps
   * the later of the stored moment and the new one.
   */
  readonly updated?: true | "latest";
  /** The value that an attribution and its commissions have when they are created; absent if the caller passes it. */
  readonly initial?: Initial;
  /** A text of letters and digits alone, which an array literal need not quote. */
  readonly isWord?: true;
}

type TypeOf<Value> = [Value] extends [string]
  ? "uuid" | "text"
  : [Value] extends [number]
    ? "integer" | "bigint" | "amount" | "moment"
    : [Value] extends [boolean]
      ? "boolean"
      : "json" | "jsonb";

/** A column that can hold the values of a field. */
type ColumnOf<Value> = Column & { readonly type: TypeOf<NonNullable<Value>> } & (null extends Value
    ? { readonly nullable: true }
    : { readonly nullable?: never });

/** The type of the column of a value that requests state. */
const typeOf = (ast: AST.AST): TypeName => {
  switch (ast._tag) {
    case "Refinement":
      return typeOf(ast.from);
    case "Transformation":
      return typeOf(ast.to);
    case "Union":
      return typeOf(ast.types.find((member) => member !== AST.null) ?? ast);
    case "StringKeyword":
      return "text";
    case "Literal":
      return typeof ast.literal === "boolean" ? "boolean" : "text";
    case "BooleanKeyword":
      return "boolean";
    case "TypeLiteral":
    case "TupleType":
      return "jsonb";
    default:
      throw new Error(`the schema ${ast} does not decide its column`);
  }
};

/** The columns of data that requests change: of texts, words, booleans and objects. */
export const dataColumns = <Data, Wire>(schema: Schema.Schema<Data, Wire>): Columns<Data> =>
  Object.fromEntries(
    AST.getPropertySignatures(AST.typeAST(schema.ast)).map(({ name, type }) => [
      name,
      {
        type: typeOf(type),
        updated: true,
        ...(AST.isUnion(type) && type.types.includes(AST.null) ? { nullable: true } : {}),
      },
    ]),
  ) as never;

/** A column whose value is computed from the record when it is saved. */
export interface Derived<Row> extends Column {
  readonly of: (row: Row) => string;
}

/** Columns under the names of the fields that they store. */
type Columns<Row> = { readonly [Field in keyof Row]-?: ColumnOf<Row[Field]> };

/** The table of a kind of record. */
export interface Table<Row = never> {
  /** Without its schema. */
  readonly name: string;
  readonly columns: Readonly<Record<string, Column>>;
  /** Columns by their own names. */
  readonly derived: Readonly<Record<string, Derived<Row>>>;
  /** Columns that the database computes, by their own names, with their types and constraints. */
  readonly generated: Readonly<Record<string, string>>;
  /** True if the fields without a column are stored together, in the column `view`. */
  readonly hasView: boolean;
}

type Rest<Row> = Partial<Pick<Table<Row>, "derived" | "generated">>;

/** A table with a column for each field: a field that a record gains does not compile until it has one. */
export const tableOf =
  <Row>() =>
  (name: string, columns: Columns<Row>, { derived = {}, generated = {} }: Rest<Row> = {}): Table<Row> => ({
    name,
    columns,
    derived,
    generated,
    hasView: false,
  });

/** A table with columns for the fields that statements use, and one column for all others. */
export const tableWithView =
  <Row>() =>
  <Field extends keyof Row>(
    name: string,
    columns: Pick<Columns<Row>, Field>,
    { derived = {}, generated = {} }: Rest<Row> = {},
  ): Table<Row> => ({ name, columns: columns as Table["columns"], derived, generated, hasView: true });

/** The name of the column of a field. */
export const columnOf = (field: string): string =>
  field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export interface Named extends Column {
  readonly name: string;
}

const VIEW: Named = { name: "view", type: "jsonb", updated: true };

/** The columns that a save of a new record writes. */
export const insertedColumns = ({ columns, derived, hasView }: Table): ReadonlyArray<Named> => [
  ...Object.entries(columns).map(([field, column]) => ({ ...column, name: columnOf(field) })),
  ...Object.entries(derived).map(([name, column]) => ({ ...column, name })),
  ...(hasView ? [VIEW] : []),
];

/** The columns that a save of an existing record writes. */
export const updatedColumns = (table: Table): ReadonlyArray<Named> =>
  insertedColumns(table).filter((column) => column.updated !== undefined);
