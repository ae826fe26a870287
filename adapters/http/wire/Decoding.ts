/**
 * Decoders compiled from schemas. A value that conforms is decoded in one pass. Any other value, and a schema that is not
 * compiled, is decoded by the schema's own decoder, so that only one place writes error messages.
 */
import { SchemaAST as AST, Either, Option, type ParseResult, Schema } from "effect";
import { isObject } from "./JsonBody.ts";

const REFUSED = Symbol("refused");

/** Returns the decoded value, or {@link REFUSED}. */
type CompiledDecoder = (value: unknown) => unknown;

const OPTIONS: AST.ParseOptions = { exact: true };

const text: CompiledDecoder = (value) => (typeof value === "string" ? value : REFUSED);
const number: CompiledDecoder = (value) => (typeof value === "number" ? value : REFUSED);
const boolean: CompiledDecoder = (value) => (typeof value === "boolean" ? value : REFUSED);

const exactly =
  (expected: unknown): CompiledDecoder =>
  (value) =>
    value === expected ? value : REFUSED;

/** Compiles all of them; returns null if one cannot be compiled. */
const compileAll = (asts: ReadonlyArray<AST.AST>): ReadonlyArray<CompiledDecoder> | null => {
  const decoders: Array<CompiledDecoder> = [];
  for (const ast of asts) {
    const decoder = compile(ast);
    if (decoder === null) return null;
    decoders.push(decoder);
  }
  return decoders;
};

const refinementPass =
  (ast: AST.Refinement, from: CompiledDecoder): CompiledDecoder =>
  (value) => {
    const passed = from(value);
    return passed === REFUSED || Option.isSome(ast.filter(passed, OPTIONS, ast)) ? REFUSED : passed;
  };

const PLAIN: ReadonlySet<AST.AST["_tag"]> = new Set([
  "StringKeyword",
  "NumberKeyword",
  "BooleanKeyword",
  "UndefinedKeyword",
  "Literal",
]);

const isPlain = (ast: AST.AST): boolean =>
  AST.isUnion(ast) ? ast.types.every(isPlain) : PLAIN.has(ast._tag);

/** Alternatives that all leave a value as it is, so that their order does not matter. */
const alternatives = (ast: AST.Union): CompiledDecoder | null => {
  const decoders = isPlain(ast) ? compileAll(ast.types) : null;
  return decoders === null
    ? null
    : (value) => (decoders.some((decoder) => decoder(value) !== REFUSED) ? value : REFUSED);
};

const list = ({ elements, rest }: AST.TupleType): CompiledDecoder | null => {
  const [only] = rest;
  const decoder = elements.length > 0 || rest.length !== 1 || only === undefined ? null : compile(only.type);
  return decoder === null
    ? null
    : (value) => {
        if (!Array.isArray(value)) return REFUSED;
        const passed: Array<unknown> = [];
        for (const item of value) {
          const one = decoder(item);
          if (one === REFUSED) return REFUSED;
          passed.push(one);
        }
        return passed;
      };
};

/** A field of an object: its name before and after decoding, and the conversions of its value. */
interface Field {
  readonly name: PropertyKey;
  readonly isOptional: boolean;
  readonly decoder: CompiledDecoder;
  readonly to: PropertyKey;
  /** Converts a present or absent value; null when the field is only renamed. */
  readonly convert: ((value: Option.Option<unknown>) => Option.Option<unknown>) | null;
}

const fieldsOf = (
  { propertySignatures }: AST.TypeLiteral,
  transformations: ReadonlyArray<AST.PropertySignatureTransformation>,
): ReadonlyArray<Field> | null => {
  const decoders = compileAll(propertySignatures.map(({ type }) => type));
  if (
    decoders === null ||
    transformations.some(({ from }) => !propertySignatures.some(({ name }) => name === from))
  )
    return null;
  return propertySignatures.map(({ name, isOptional }, index) => {
    const convert = transformations.find(({ from }) => from === name);
    return {
      name,
      isOptional,
      decoder: decoders[index] ?? exactly(REFUSED),
      to: convert?.to ?? name,
      convert: convert?.decode ?? null,
    };
  });
};

/** Decodes one field of `value` into `decoded`; false when the field does not conform. */
const decodeField = (
  { name, isOptional, decoder, to, convert }: Field,
  value: Readonly<Record<PropertyKey, unknown>>,
  decoded: Record<PropertyKey, unknown>,
): boolean => {
  const isPresent = Object.hasOwn(value, name);
  if (!isPresent && !isOptional) return false;
  const one = isPresent ? decoder(value[name]) : undefined;
  if (one === REFUSED) return false;
  if (convert === null) {
    if (isPresent) decoded[to] = one;
    return true;
  }
  const converted = convert(isPresent ? Option.some(one) : Option.none());
  if (Option.isSome(converted)) decoded[to] = converted.value;
  return true;
};

const object = (
  ast: AST.TypeLiteral,
  transformations: ReadonlyArray<AST.PropertySignatureTransformation> = [],
): CompiledDecoder | null => {
  const { indexSignatures } = ast;
  if (indexSignatures.length > 0)
    return ast.propertySignatures.length + transformations.length > 0 ? null : dictionary(ast);
  const fields = fieldsOf(ast, transformations);
  return fields === null || fields.length === 0
    ? null
    : (value) => {
        if (!isObject(value)) return REFUSED;
        const decoded: Record<PropertyKey, unknown> = {};
        for (const field of fields) if (!decodeField(field, value, decoded)) return REFUSED;
        return decoded;
      };
};

/** An object of any names. */
const dictionary = ({ indexSignatures }: AST.TypeLiteral): CompiledDecoder | null => {
  const [only] = indexSignatures;
  if (indexSignatures.length !== 1 || only === undefined || !AST.isStringKeyword(only.parameter)) return null;
  const decoder = compile(only.type);
  return decoder === null
    ? null
    : (value) => {
        if (!isObject(value)) return REFUSED;
        const passed: Record<string, unknown> = {};
        for (const name of Object.keys(value)) {
          const one = decoder(value[name]);
          if (one === REFUSED) return REFUSED;
          passed[name] = one;
        }
        return passed;
      };
};

const transformationPass = (ast: AST.Transformation): CompiledDecoder | null => {
  const { transformation } = ast;
  const to = compile(ast.to);
  if (to === null) return null;
  if (AST.isTypeLiteralTransformation(transformation)) {
    const from = AST.isTypeLiteral(ast.from)
      ? object(ast.from, transformation.propertySignatureTransformations)
      : null;
    return from === null ? null : (value) => applyNext(from(value), to);
  }
  const from = compile(ast.from);
  if (from === null) return null;
  if (!AST.isFinalTransformation(transformation)) return (value) => applyNext(from(value), to);
  return (value) => {
    const passed = from(value);
    if (passed === REFUSED) return REFUSED;
    const converted = transformation.decode(passed, OPTIONS, ast, value);
    return Either.isEither(converted) && Either.isRight(converted) ? to(converted.right) : REFUSED;
  };
};

const applyNext = (passed: unknown, next: CompiledDecoder): unknown =>
  passed === REFUSED ? REFUSED : next(passed);

const compile = (ast: AST.AST): CompiledDecoder | null => {
  switch (ast._tag) {
    case "StringKeyword":
      return text;
    case "NumberKeyword":
      return number;
    case "BooleanKeyword":
      return boolean;
    case "Literal":
      return exactly(ast.literal);
    case "UndefinedKeyword":
      return exactly(undefined);
    case "Refinement": {
      const from = compile(ast.from);
      return from === null ? null : refinementPass(ast, from);
    }
    case "Union":
      return alternatives(ast);
    case "TupleType":
      return list(ast);
    case "TypeLiteral":
      return object(ast);
    case "Transformation":
      return transformationPass(ast);
    default:
      return null;
  }
};

/** Decodes as `Schema.decodeUnknownEither` does, sooner where the value conforms. */
export const decoder = <A, I>(
  schema: Schema.Schema<A, I>,
): ((value: unknown) => Either.Either<A, ParseResult.ParseError>) => {
  const decode = Schema.decodeUnknownEither(schema);
  const decoder = compile(schema.ast);
  if (decoder === null) return decode;
  return (value) => {
    const passed = decoder(value);
    // A value that has passed every check of the schema has its type.
    return passed === REFUSED ? decode(value) : Either.right(passed as A);
  };
};
