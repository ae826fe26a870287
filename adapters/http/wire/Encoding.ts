/**
 * JSON writers compiled from the schemas of the contract. A writer emits the fields of its schema in the schema's order,
 * and no others. It validates nothing: the type of its argument is derived from the schema.
 *
 * Records are written without an object in between: a field is read from the record's field of the same name in
 * camelCase, or by the rule that the mapping states for it.
 */
import { SchemaAST as AST, Option, type Schema } from "effect";
import { Timestamp } from "quittance";
import { MOMENT, UNESCAPED } from "../api/shared/Annotation.ts";
import type { DateTime } from "../api/shared/Field.ts";
import { type CamelCase, camelCase } from "../api/shared/Name.ts";

/** Returns the JSON text of a value. */
export type Writer<Value> = (value: Value) => string;

/** What a writer accepts for a type of the contract: integers of any size for its numbers, and milliseconds for its moments. */
export type Writable<Wire> = Wire extends DateTime
  ? string | Timestamp.Timestamp
  : Wire extends number
    ? Wire | bigint
    : Wire extends ReadonlyArray<infer Item>
      ? ReadonlyArray<Writable<Item>>
      : Wire extends object
        ? { readonly [Name in keyof Wire]: Writable<Wire[Name]> }
        : Wire;

/** The property of a record that a field is read from, unless a rule reads it elsewhere. */
type Own<Row, Name> = CamelCase<Name> extends keyof Row ? Row[CamelCase<Name>] : never;

/** The fields that need no rule: the record has their property, with a value of the contract's type. */
type Direct<Wire, Row> = {
  [Name in keyof Wire]-?: CamelCase<Name> extends keyof Row
    ? Own<Row, Name> extends Writable<Wire[Name]> | (undefined extends Wire[Name] ? null : never)
      ? Name
      : never
    : never;
}[keyof Wire];

type ItemOf<List> = List extends ReadonlyArray<infer Item> ? Item : List;

/** Leaves out the items of a list, which are written separately; see {@link textAround}. */
export const GAP = Symbol("gap");

/**
 * Where the value of a field is read: by a function; by a mapping, from the same record; by a mapping in brackets, from
 * the record or the records that the field's own property holds.
 */
type Rule<Wire, Row, Part> =
  | ((row: Row) => Writable<Wire>)
  | readonly [Mapping<ItemOf<NonNullable<Wire>>, ItemOf<NonNullable<Part>>>]
  | (NonNullable<Wire> extends ReadonlyArray<unknown>
      ? typeof GAP
      : NonNullable<Wire> extends object
        ? Mapping<NonNullable<Wire>, Row>
        : never);

/**
 * A rule for each field of a struct that has no property of its name and type. An optional field is left out where its value is
 * `undefined`, or null and the contract's type has no null.
 */
type Mapping<Wire, Row> = {
  readonly [Name in Exclude<keyof Wire, Direct<Wire, Row>>]-?: Rule<Wire[Name], Row, Own<Row, Name>>;
} & { readonly [Name in Direct<Wire, Row>]?: Rule<Wire[Name], Row, Own<Row, Name>> };

// The types above check all arguments, so the code below does not.
// biome-ignore lint/suspicious/noExplicitAny: see the line above.
type Value = any;
type Write = (value: Value) => string;
type Rules = Readonly<Record<string, unknown>>;

/** JSON text never contains this character: strings escape it. */
const GAP_CHARACTER = "\u0000";

/** What JSON escapes: quotes, backslashes, control characters and unpaired surrogates. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;

const json: Write = (value) => JSON.stringify(value);
const quote: Write = (text: string) => `"${text}"`;
const string: Write = (text: string) => (ESCAPED.test(text) ? json(text) : quote(text));
const boolean: Write = (value: boolean) => `${value}`;
const number: Write = (value: number | bigint) =>
  typeof value === "bigint" || Number.isFinite(value) ? `${value}` : json(value);

/** A writer that caches the text of the last value: a new record states some of its values several times. */
export const cacheLast = <Value>(write: Writer<Value>): Writer<Value> => {
  let last: Value | undefined;
  let text = "";
  return (value) => {
    if (value !== last) {
      text = write(value);
      last = value;
    }
    return text;
  };
};

/** The text of a time. The last one is cached, because a new record and its first event usually have the same time. */
const textOf = cacheLast(Timestamp.format);

const moment: Write = (value: string | Timestamp.Timestamp) =>
  quote(typeof value === "number" ? textOf(value) : value);

const list =
  (item: Write): Write =>
  (items: ReadonlyArray<unknown>) => {
    let text = "";
    for (const one of items) text += text === "" ? item(one) : `,${item(one)}`;
    return `[${text}]`;
  };

const orNull =
  (write: Write): Write =>
  (value) =>
    value === null ? "null" : write(value);

/** One field of a struct. */
interface Step {
  /** The constant text since the value before. */
  readonly before: string;
  /** The property of the record, or what reads the value. */
  readonly read: string | ((row: Value) => unknown);
  /** Null: the value needs no escapes, and its quotes are parts of the constant text. */
  readonly write: Write | null;
}

const uncompilableSchema = (ast: AST.AST): Error => new Error(`no JSON writer can be compiled from ${ast}`);

const isMapping = (rule: unknown): rule is Rules =>
  typeof rule === "object" && rule !== null && !Array.isArray(rule);

/** How a field is read and written. */
const sourceOf = (
  name: string,
  type: AST.AST,
  rules: Rules | null,
): { readonly read: Step["read"]; readonly write: Write } => {
  if (rules === null) return { read: name, write: compile(type) };
  const rule = rules[name];
  if (typeof rule === "function") return { read: rule as (row: Value) => unknown, write: compile(type) };
  const property = camelCase(name);
  return Array.isArray(rule)
    ? { read: property, write: compileMapped(type, rule[0]) }
    : { read: property, write: compile(type) };
};

const hasNull = (ast: AST.AST): boolean => isNull(ast) || (AST.isUnion(ast) && ast.types.some(isNull));

/** Writes an optional field with its name, or nothing. */
const writeIfPresent = (label: string, type: AST.AST, write: Write): Write => {
  const isNullWritten = hasNull(type);
  return (value) => (value === undefined || (value === null && !isNullWritten) ? "" : label + write(value));
};

/** Adds the steps of a struct and returns the text after them; a nested mapping reads the same record. */
const addSteps = (steps: Array<Step>, start: string, ast: AST.AST, rules: Rules | null): string => {
  if (!AST.isTypeLiteral(ast)) throw uncompilableSchema(ast);
  let before = `${start}{`;
  for (const [index, { name, type, isOptional }] of ast.propertySignatures.entries()) {
    const rule = rules?.[String(name)];
    const label = `${index === 0 ? "" : ","}${json(name)}:`;
    if (isOptional) {
      // Without a field before it, whether a comma follows would depend on the value.
      if (index === 0) throw uncompilableSchema(ast);
      const { read, write } = sourceOf(String(name), type, rules);
      steps.push({ before, read, write: writeIfPresent(label, type, write) });
      before = "";
    } else if (rule === GAP) before += `${label}[${GAP_CHARACTER}]`;
    else if (AST.isLiteral(type)) before += label + json(type.literal);
    else if (isMapping(rule)) before = addSteps(steps, before + label, type, rule);
    else {
      const { read, write } = sourceOf(String(name), type, rules);
      const isQuoted = write === quote;
      steps.push({
        before: before + label + (isQuoted ? '"' : ""),
        read,
        write: isQuoted ? null : write,
      });
      before = isQuoted ? '"' : "";
    }
  }
  return `${before}}`;
};

const compileStruct = (ast: AST.AST, rules: Rules | null): Write => {
  const steps: Array<Step> = [];
  const end = addSteps(steps, "", ast, rules);
  return (row) => {
    let text = "";
    for (const { before, read, write } of steps) {
      const value = typeof read === "string" ? row[read] : read(row);
      text = text + before + (write === null ? value : write(value));
    }
    return text + end;
  };
};

/** A writer of records, or of lists of them, that a mapping describes. */
const compileMapped = (ast: AST.AST, rules: Rules): Write => {
  if (AST.isTupleType(ast)) return list(compileStruct(itemOf(ast), rules));
  const members = AST.isUnion(ast) ? ast.types.filter((member) => !isNull(member)) : [ast];
  const [only] = members;
  if (only === undefined || members.length > 1) throw uncompilableSchema(ast);
  return AST.isUnion(ast) ? orNull(compileStruct(only, rules)) : compileStruct(only, rules);
};

const itemOf = (ast: AST.TupleType): AST.AST => {
  const [only, ...more] = ast.rest;
  if (only === undefined || more.length > 0 || ast.elements.length > 0) throw uncompilableSchema(ast);
  return only.type;
};

const isNull = (ast: AST.AST): boolean => AST.isLiteral(ast) && ast.literal === null;

const isWord = (ast: AST.AST): boolean =>
  AST.isLiteral(ast) && typeof ast.literal === "string" && json(ast.literal) === quote(ast.literal);

/** An object of any names, and nothing else. */
const isDictionary = (ast: AST.AST): ast is AST.TypeLiteral =>
  AST.isTypeLiteral(ast) && ast.indexSignatures.length > 0 && ast.propertySignatures.length === 0;

/** True if JSON text cannot hold more than the schema: no member is a struct. */
const isScalar = (ast: AST.AST): boolean =>
  AST.isUnion(ast)
    ? ast.types.every(isScalar)
    : AST.isTupleType(ast)
      ? isScalar(itemOf(ast))
      : isDictionary(ast)
        ? ast.indexSignatures.every(({ type }) => isScalar(type))
        : AST.isLiteral(ast) ||
          AST.isStringKeyword(ast) ||
          AST.isNumberKeyword(ast) ||
          AST.isBooleanKeyword(ast);

/** The one word that a struct's `type` may be, or null. */
const typeOf = (ast: AST.AST): string | null => {
  const type = AST.getPropertySignatures(ast).find(({ name }) => name === "type")?.type;
  return type !== undefined && AST.isLiteral(type) && typeof type.literal === "string" ? type.literal : null;
};

/** Structs, chosen by their `type`, or by the first of their fields. */
const compileAlternatives = (members: ReadonlyArray<AST.AST>): Write => {
  const writers = members.map((member) => compile(member));
  const types = members.map(typeOf);
  const byType = new Map(types.map((type, index) => [type, writers[index] ?? json]));
  if (byType.size === members.length && !byType.has(null))
    return (value) => (byType.get(value.type) ?? json)(value);
  const byField = members.map((member, index) => ({
    field: String(AST.getPropertySignatures(member)[0]?.name),
    write: writers[index] ?? json,
  }));
  return (value) => (byField.find(({ field }) => field in value)?.write ?? json)(value);
};

const compileUnion = (ast: AST.Union): Write => {
  const members = ast.types.filter((member) => !isNull(member));
  const [only] = members;
  const write =
    members.length === 1 && only !== undefined
      ? compile(only)
      : members.every(isWord)
        ? quote
        : members.every((member) => AST.isTypeLiteral(member))
          ? compileAlternatives(members)
          : null;
  if (write !== null) return members.length < ast.types.length ? orNull(write) : write;
  if (isScalar(ast)) return json;
  const structs = members.filter((member) => AST.isTypeLiteral(member));
  const others = members.filter((member) => !AST.isTypeLiteral(member));
  if (structs.some(isDictionary) || !others.every(isWord)) throw uncompilableSchema(ast);
  // A word, or one of some structs.
  const [first, ...more] = structs;
  const writeStruct = first === undefined || more.length > 0 ? compileAlternatives(structs) : compile(first);
  return (value) => (typeof value === "object" && value !== null ? writeStruct(value) : json(value));
};

/** Writers by their schemas: a schema that two fields share is compiled once, and so shares one cache of {@link cacheLast}. */
const writers = new WeakMap<AST.AST, Write>();

const compile = (ast: AST.AST): Write => {
  const cached = writers.get(ast);
  if (cached !== undefined) return cached;
  const write = compileUncached(ast);
  writers.set(ast, write);
  return write;
};

const compileUncached = (ast: AST.AST): Write => {
  switch (ast._tag) {
    case "StringKeyword":
      if (Option.isSome(AST.getAnnotation(ast, MOMENT))) return moment;
      return Option.isSome(AST.getAnnotation(ast, UNESCAPED)) ? quote : string;
    case "NumberKeyword":
      return number;
    case "BooleanKeyword":
      return boolean;
    case "Literal":
      return isWord(ast) ? quote : json;
    case "Union":
      return compileUnion(ast);
    case "TupleType":
      return list(compile(itemOf(ast)));
    case "TypeLiteral":
      return ast.indexSignatures.length > 0 ? cacheLast(json) : compileStruct(ast, null);
    case "Refinement":
      return compile(ast.from);
    default:
      throw uncompilableSchema(ast);
  }
};

/** A writer of values that have the contract's own form. */
export const writer = <Wire, Encoded>(schema: Schema.Schema<Wire, Encoded>): Writer<Writable<Wire>> =>
  compile(schema.ast);

/** A writer of records of another form than the contract's. */
export const recordWriter =
  <Row>() =>
  <Wire extends object, Encoded>(
    schema: Schema.Schema<Wire, Encoded>,
    mapping: Mapping<Wire, Row>,
  ): Writer<Row> =>
    compileStruct(schema.ast, mapping as Rules);

/** The text before and after the items of the list that a writer leaves out. */
export const textAround =
  <Row>(write: Writer<Row>): ((row: Row) => readonly [before: string, after: string]) =>
  (row) => {
    const [before = "", after = ""] = write(row).split(GAP_CHARACTER);
    return [before, after];
  };
