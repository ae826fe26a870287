/** Filters of lists as data: what a filter reads of a record, which values it takes, and how it compares the two. */
import { SchemaAST as AST, Schema } from "effect";
import { DateTime, type Timestamp } from "../../domain/Timestamp.ts";

/** What the filter of a sign takes. */
export const Sign = Schema.Literal("any", "nonzero", "positive", "negative");
export type Sign = typeof Sign.Type;

/** What every filter has. */
interface Declared<Taken extends Schema.Schema.AnyNoContext> {
  /** What it selects, in the words of the interface. */
  readonly meaning: string;
  /** What a request states: of `one_of` one of the values, of the others the value. */
  readonly schema: Taken;
}

type AnySchema = Schema.Schema.AnyNoContext;

/** Matches when the text that it reads, or one of several, is among the values; null never is. */
export interface OneOf<Subject, Taken extends AnySchema = AnySchema> extends Declared<Taken> {
  readonly type: "one_of";
  readonly of: (subject: Subject) => string | null | ReadonlyArray<string>;
}

/** Matches when what it reads is the value. */
export interface Equals<Subject, Taken extends AnySchema = AnySchema> extends Declared<Taken> {
  readonly type: "equals";
  /** What a request writes for null, of a filter that takes null. */
  readonly nullWord?: string;
  readonly of: (subject: Subject) => string | boolean | null;
}

/** `from` matches at the moment of the value or later, `to` before it. */
export interface Bound<Subject> extends Declared<typeof DateTime> {
  readonly type: "from" | "to";
  readonly of: (subject: Subject) => Timestamp;
}

/** Matches an amount by its sign; `any` matches every amount. */
export interface SignOf<Subject> extends Declared<typeof Sign> {
  readonly type: "sign";
  readonly of: (subject: Subject) => number;
}

/** Matches when the text that it reads contains the value, both as `Text.searchable` folds them; no character is a wildcard. */
export interface Contains<Subject, Taken extends AnySchema = AnySchema> extends Declared<Taken> {
  readonly type: "contains";
  readonly of: (subject: Subject) => string;
}

/** Matches when its condition holds for the record and the value, which a service may derive from what a request states. */
export interface Holds<Subject, Taken extends AnySchema = AnySchema, Value = never> extends Declared<Taken> {
  readonly type: "holds";
  readonly of: (subject: Subject, value: Value) => boolean;
}

/** A filter of records that are a `Subject`. */
export type Filter<Subject> =
  | OneOf<Subject>
  | Equals<Subject>
  | Bound<Subject>
  | SignOf<Subject>
  | Contains<Subject>
  | Holds<Subject>;

/** The value of a filter in a query. */
export type ValueOf<Declaration> = Declaration extends { readonly type: "holds" }
  ? Declaration extends { readonly of: (subject: never, value: infer Value) => boolean }
    ? Value
    : never
  : Declaration extends { readonly type: infer Type; readonly schema: Schema.Schema<infer Taken, infer _> }
    ? Type extends "one_of"
      ? ReadonlyArray<Taken>
      : Taken
    : never;

/** The value of a filter in a request. */
export type AskedOf<Declaration> = Declaration extends {
  readonly type: "holds";
  readonly schema: Schema.Schema<infer Taken, infer _>;
}
  ? Taken
  : ValueOf<Declaration>;

export const oneOf = <Subject, Value extends string, Encoded extends string>(
  schema: Schema.Schema<Value, Encoded>,
  of: (subject: Subject) => Value | null | ReadonlyArray<Value>,
  meaning: string,
): OneOf<Subject, Schema.Schema<Value, Encoded>> => ({ type: "one_of", schema, of, meaning });

export const equals = <Subject, Value extends string | boolean | null>(
  schema: Schema.Schema<Value>,
  of: (subject: Subject) => Value,
  meaning: string,
  nullWord?: string,
): Equals<Subject, Schema.Schema<Value>> => ({
  type: "equals",
  schema,
  of,
  meaning,
  ...(nullWord === undefined ? {} : { nullWord }),
});

export const from = <Subject>(of: Bound<Subject>["of"], meaning: string): Bound<Subject> => ({
  type: "from",
  schema: DateTime,
  of,
  meaning,
});

export const to = <Subject>(of: Bound<Subject>["of"], meaning: string): Bound<Subject> => ({
  type: "to",
  schema: DateTime,
  of,
  meaning,
});

export const sign = <Subject>(of: SignOf<Subject>["of"], meaning: string): SignOf<Subject> => ({
  type: "sign",
  schema: Sign,
  of,
  meaning,
});

export const contains = <Subject>(
  schema: Schema.Schema<string>,
  of: (subject: Subject) => string,
  meaning: string,
): Contains<Subject, Schema.Schema<string>> => ({ type: "contains", schema, of, meaning });

export const holds = <Subject, Value, Taken, Encoded>(
  schema: Schema.Schema<Taken, Encoded>,
  of: (subject: Subject, value: Value) => boolean,
  meaning: string,
): Holds<Subject, Schema.Schema<Taken, Encoded>, Value> => ({ type: "holds", schema, of, meaning });

/** A filter that reads what only a page shows in addition to the record, so that each store finds it in its own way. */
export const related = <Declaration>(filter: Declaration): Declaration & { readonly isRelated: true } => ({
  ...filter,
  isRelated: true,
});

/** A filter of the engine alone, which no request states. */
export const internal = <Declaration>(filter: Declaration): Declaration & { readonly isInternal: true } => ({
  ...filter,
  isInternal: true,
});

const wordsIn = (ast: AST.AST): ReadonlyArray<string | null> =>
  AST.isUnion(ast)
    ? ast.types.flatMap(wordsIn)
    : AST.isLiteral(ast) && (ast.literal === null || typeof ast.literal === "string")
      ? [ast.literal]
      : [];

/** The words that a filter takes, and null where it takes null; empty for other values than words. */
export const wordsOf = ({ ast }: AnySchema): ReadonlyArray<string | null> => wordsIn(ast);

/** A name in a request over HTTP. */
export type Parameter<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? Rest extends Uncapitalize<Rest>
    ? `${Lowercase<First>}${Parameter<Rest>}`
    : `${Lowercase<First>}_${Parameter<Rest>}`
  : Name;

/** The name of a filter in a request over HTTP: `partner_ids` for `partnerIds`. */
export const parameterOf = <Name extends string>(name: Name) =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) as Parameter<Name>;
