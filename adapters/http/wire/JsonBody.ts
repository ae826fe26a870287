/** JSON bodies: read strictly, and refused where a nested value could do harm. */
import { SchemaAST as AST, Either } from "effect";
import { Refusal } from "quittance";
import { CLOSED_FIELDS } from "../api/openapi/Refinement.ts";
import { JSON_DEPTH_MAX } from "../api/shared/Limit.ts";
import * as RepeatedKey from "./RepeatedKey.ts";

/** The characters of a field's path that an error repeats at most. */
const PATH_MAX = 200;

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Whether a parsed value is an object, and neither null nor an array. */
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

const unknownKey = (ast: AST.AST, value: unknown, path: string): string | null => {
  const members = membersOf(ast);
  if (Array.isArray(value)) {
    const item = members.find((member) => AST.isTupleType(member))?.rest[0]?.type;
    for (const [index, child] of value.entries()) {
      const found = item === undefined ? null : unknownKey(item, child, `${path}.${index}`);
      if (found !== null) return found;
    }
    return null;
  }
  const shapes = members.filter((member) => AST.isTypeLiteral(member));
  if (!isObject(value) || shapes.length === 0 || shapes.some((shape) => shape.indexSignatures.length > 0)) {
    return null;
  }
  const fields = shapes.flatMap((shape) => shape.propertySignatures);
  for (const [key, child] of Object.entries(value)) {
    const field = fields.find(({ name }) => name === key);
    if (field === undefined) return `${path}.${key.slice(0, 100)}`;
    const found = unknownKey(field.type, child, `${path}.${key}`);
    if (found !== null) return found;
  }
  return null;
};

/** A check of the closed fields of a body; `encoded` is the shape that the contract gives it on the wire. */
export const unknownFieldCheck = (encoded: AST.AST): ((body: unknown) => Refusal.Invalid | null) => {
  const fields = AST.isTypeLiteral(encoded)
    ? encoded.propertySignatures.filter(({ name }) => CLOSED_FIELDS.has(String(name)))
    : [];
  return (body) => {
    if (fields.length === 0 || !isObject(body)) return null;
    for (const { name, type } of fields) {
      const found = unknownKey(type, body[String(name)], String(name));
      if (found !== null) return Refusal.invalid(found, "is not a known field");
    }
    return null;
  };
};
