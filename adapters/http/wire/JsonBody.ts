/** JSON bodies: read strictly, and refused where a nested value could do harm. */
import { SchemaAST as AST, Either } from "effect";
import { Refusal, UnknownField } from "quittance";
import { CLOSED_FIELDS } from "../api/openapi/Refinement.ts";
import { JSON_DEPTH_MAX } from "../api/shared/Limit.ts";
import * as RepeatedKey from "./RepeatedKey.ts";

/** The characters of a field's path that an error repeats at most. */
const PATH_MAX = 200;

const decoder = new TextDecoder("utf-8", { fatal: true });

/** True if a parsed value is an object, and neither null nor an array. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What a walk over a parsed value finds. */
interface Walk {
  /** The keys of all objects. */
  keyCount: number;
  /** Why the value may not go further: too deep, or a key that would reach an object's prototype. */
  harm: string | null;
}

const walk = (value: unknown, depth: number, found: Walk): void => {
  if (typeof value !== "object" || value === null || found.harm !== null) return;
  if (depth === JSON_DEPTH_MAX) {
    found.harm = `is nested deeper than ${JSON_DEPTH_MAX} levels`;
    return;
  }
  if (Array.isArray(value)) {
    for (const item of value) walk(item, depth + 1, found);
    return;
  }
  // What JSON.parse makes has no inherited keys.
  for (const key in value) {
    if (key === "__proto__") found.harm = "must not contain the key __proto__";
    found.keyCount += 1;
    walk(value[key as keyof typeof value], depth + 1, found);
  }
};

/** The value of a UTF-8 JSON text. No object may have a key twice, because it is unknown which value the caller means. */
export const parse = (bytes: Uint8Array): Either.Either<unknown, Refusal.Invalid> => {
  const refuse = (explanation: string) => Either.left(Refusal.invalid("body", explanation));
  if (bytes.length === 0) return refuse("must be a JSON object");
  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(bytes));
  } catch (error) {
    return refuse(error instanceof SyntaxError ? "is not valid JSON" : "is not valid UTF-8");
  }
  const found: Walk = { keyCount: 0, harm: null };
  walk(value, 0, found);
  if (found.harm !== null) return refuse(found.harm);
  if (RepeatedKey.countKeys(bytes) === found.keyCount) return Either.right(value);
  const path = RepeatedKey.find(bytes) ?? "body";
  return Either.left(Refusal.invalid(path.slice(0, PATH_MAX), "must not be stated twice"));
};

const membersOf = (ast: AST.AST): ReadonlyArray<AST.AST> => (AST.isUnion(ast) ? ast.types : [ast]);

/** True if the literals of a shape do not contradict an object: of a union, only the member that the object chooses counts. */
const isChosen = (shape: AST.TypeLiteral, value: Readonly<Record<string, unknown>>): boolean =>
  shape.propertySignatures.every(
    ({ name, type }) => !AST.isLiteral(type) || value[String(name)] === type.literal,
  );

/** The fields that an object may have; null when any name is one. */
const fieldsOf = (
  ast: AST.AST,
  value: Readonly<Record<string, unknown>>,
): ReadonlyMap<string, AST.AST> | null => {
  const shapes = membersOf(ast).filter((member) => AST.isTypeLiteral(member));
  if (shapes.length === 0 || shapes.some((shape) => shape.indexSignatures.length > 0)) return null;
  const chosen = shapes.filter((shape) => isChosen(shape, value));
  const possible = chosen.length > 0 ? chosen : shapes;
  return new Map(
    possible.flatMap(({ propertySignatures }) =>
      propertySignatures.map(({ name, type }) => [String(name), type] as const),
    ),
  );
};

const unknownKey = (ast: AST.AST, value: unknown, path: ReadonlyArray<string>): Refusal.Invalid | null => {
  if (Array.isArray(value)) {
    const item = membersOf(ast).find((member) => AST.isTupleType(member))?.rest[0]?.type;
    if (item === undefined) return null;
    for (const [index, child] of value.entries()) {
      const found = unknownKey(item, child, [...path, String(index)]);
      if (found !== null) return found;
    }
    return null;
  }
  const fields = isObject(value) ? fieldsOf(ast, value) : null;
  if (fields === null) return null;
  for (const [key, child] of Object.entries(value as object)) {
    const type = fields.get(key);
    if (type === undefined) return UnknownField.unknownField(path, key, [...fields.keys()]);
    const found = unknownKey(type, child, [...path, key]);
    if (found !== null) return found;
  }
  return null;
};

/**
 * A check for fields that do not exist; `encoded` is the shape that the contract gives the body on the wire. An open body
 * ignores them, except in its closed fields.
 */
export const unknownFieldCheck = (
  encoded: AST.AST,
): ((body: unknown, isClosed: boolean) => Refusal.Invalid | null) => {
  const closed = AST.isTypeLiteral(encoded)
    ? encoded.propertySignatures.filter(({ name }) => CLOSED_FIELDS.has(String(name)))
    : [];
  return (body, isClosed) => {
    if (isClosed) return unknownKey(encoded, body, []);
    if (!isObject(body)) return null;
    for (const { name, type } of closed) {
      const found = unknownKey(type, body[String(name)], [String(name)]);
      if (found !== null) return found;
    }
    return null;
  };
};
