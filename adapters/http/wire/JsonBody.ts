/** JSON bodies: read strictly, and refused where a nested value could do harm. */
import { SchemaAST as AST, Either } from "effect";
import { Refusal } from "quittance";
import { CLOSED_FIELDS } from "../api/openapi/Refinement.ts";
import { JSON_DEPTH_MAX } from "../api/shared/Limit.ts";

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Whether a parsed value is an object, and neither null nor an array. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Why a parsed value may not go further, or null: too deep, or a key that would reach an object's prototype. */
const harm = (value: unknown, depth: number): string | null => {
  if (typeof value !== "object" || value === null) return null;
  if (depth === JSON_DEPTH_MAX) return `is nested deeper than ${JSON_DEPTH_MAX} levels`;
  if (Array.isArray(value)) {
    for (const item of value) {
      const found = harm(item, depth + 1);
      if (found !== null) return found;
    }
    return null;
  }
  // What JSON.parse makes has no inherited keys.
  for (const key in value) {
    if (key === "__proto__") return "must not contain the key __proto__";
    const found = harm(value[key as keyof typeof value], depth + 1);
    if (found !== null) return found;
  }
  return null;
};

/** The value that UTF-8 JSON text stands for. Of repeated keys the last counts. */
export const parse = (bytes: Uint8Array): Either.Either<unknown, Refusal.Invalid> => {
  const refuse = (explanation: string) => Either.left(Refusal.invalid("body", explanation));
  if (bytes.length === 0) return refuse("must be a JSON object");
  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(bytes));
  } catch (error) {
    return refuse(error instanceof SyntaxError ? "is not valid JSON" : "is not valid UTF-8");
  }
  const found = harm(value, 0);
  return found === null ? Either.right(value) : refuse(found);
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
      if (found !== null) return Refusal.invalid(found, "is not known here");
    }
    return null;
  };
};
