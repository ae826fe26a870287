import { Either } from "effect";
import * as Calendar from "./Calendar.ts";
import * as Decimal from "./Decimal.ts";
import { type Expression, GRAMMAR } from "./Expression.ts";
import { isKind, isValueType, isWindowType, KINDS, VALUE_TYPES, WINDOWS } from "./Grammar.ts";
import * as Limits from "./Limits.ts";
import { IDENTIFIER, IDENTIFIER_PROBLEM } from "./Parameter.ts";
import { at, type Problem } from "./Problem.ts";
import type { Field, Shape } from "./Shape.ts";
import { utf8Length } from "./Utf8.ts";

type Decoded = Either.Either<unknown, Problem>;

/** The position in the input and how much has been read. `depth` counts the nodes around the position. */
type Position = {
  readonly path: string;
  readonly depth: number;
  readonly used: { nodes: number; bytes: number };
};

type Fields = Readonly<Record<string, unknown>>;

const below = ({ path, depth, used }: Position, step: string | number): Position => ({
  path: `${path}.${step}`,
  depth,
  used,
});

const isObject = (input: unknown): input is Fields =>
  typeof input === "object" && input !== null && !Array.isArray(input);

const describe = (input: unknown): string => {
  if (input === undefined) return "nothing";
  if (input === null) return "null";
  return Array.isArray(input) ? "a list" : typeof input === "object" ? "an object" : `a ${typeof input}`;
};

const unexpected = ({ path }: Position, expected: string, input: unknown) =>
  at(path, `must be ${expected}, found ${describe(input)}`);

/** A name shown in a message, cut so that a message stays short whatever the input was. */
const quote = (name: string): string => `\`${name.length > 40 ? `${name.slice(0, 40)}…` : name}\``;

/** Counts bytes of compact JSON toward the limit. */
const spend = (position: Position, bytes: number): Either.Either<void, Problem> => {
  position.used.bytes += bytes;
  return position.used.bytes > Limits.BYTES_MAX
    ? at("$", `the formula is larger than ${Limits.BYTES_MAX} bytes of JSON`)
    : Either.void;
};

const scalar = (position: Position, value: string | number | boolean): Decoded =>
  Either.map(spend(position, utf8Length(JSON.stringify(value))), () => value);

const decodeText = (input: unknown, position: Position, minimum: 0 | 1): Decoded => {
  if (typeof input !== "string") return unexpected(position, "a text", input);
  if (
    input.length > Limits.CHARACTERS_MAX &&
    Array.from(input.slice(0, 2 * Limits.CHARACTERS_MAX + 1)).length > Limits.CHARACTERS_MAX
  )
    return at(position.path, `must have at most ${Limits.CHARACTERS_MAX} characters`);
  if (input.length < minimum) return at(position.path, "must not be empty");
  if (/\p{Surrogate}|\0/u.test(input))
    return at(position.path, "must not contain U+0000 or half of a surrogate pair");
  return scalar(position, input);
};

const decodeChoice = (input: unknown, position: Position, choices: ReadonlyArray<string>): Decoded =>
  typeof input === "string" && choices.includes(input)
    ? scalar(position, input)
    : at(
        position.path,
        `must be one of ${choices.join(", ")}, found ${typeof input === "string" ? quote(input) : describe(input)}`,
      );

/** Reads an object with exactly the given fields, keeping the order in which they were written. */
const decodeObject = (
  input: Fields,
  position: Position,
  read: (key: string, value: unknown, position: Position) => Decoded | undefined,
): Decoded => {
  const result: Record<string, unknown> = {};
  const keys = Object.keys(input).filter((key) => input[key] !== undefined);
  for (const key of keys) {
    const decoded = read(key, input[key], below(position, key));
    if (decoded === undefined) return at(position.path, `has an unknown key ${quote(key)}`);
    if (Either.isLeft(decoded)) return decoded;
    result[key] = decoded.right;
  }
  // Two braces, a colon after every key and a comma between the fields, of which there is at least one.
  const bytes = keys.reduce((sum, key) => sum + utf8Length(JSON.stringify(key)) + 2, 1);
  return Either.map(spend(position, bytes), () => result);
};

const decodeFields = (
  input: Fields,
  position: Position,
  fields: Readonly<Record<string, Field>>,
  discriminator?: string,
): Decoded => {
  for (const [name, { optional }] of Object.entries(fields)) {
    if (!optional && (!Object.hasOwn(input, name) || input[name] === undefined))
      return at(position.path, `lacks the key \`${name}\``);
  }
  return decodeObject(input, position, (key, value, inside) => {
    if (key === "type" && discriminator !== undefined) return scalar(inside, discriminator);
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    return field === undefined ? undefined : decodeShape(value, inside, field);
  });
};

const decodeList = (
  input: unknown,
  position: Position,
  limit: number,
  item: (input: unknown, position: Position) => Decoded,
  minimum: 0 | 1 = 1,
): Decoded => {
  if (!Array.isArray(input)) return unexpected(position, "a list", input);
  if (input.length < minimum) return at(position.path, "must not be empty");
  if (input.length > limit) return at(position.path, `must have at most ${limit} items`);
  const items: Array<unknown> = [];
  for (let index = 0; index < input.length; index++) {
    const decoded = item(input[index], below(position, index));
    if (Either.isLeft(decoded)) return decoded;
    items.push(decoded.right);
  }
  // Two brackets, and a comma between the items.
  return Either.map(spend(position, Math.max(items.length + 1, 2)), () => items);
};

const decodeNumber = (input: unknown, position: Position): Decoded =>
  typeof input !== "number"
    ? unexpected(position, "a number", input)
    : Either.flatMap(
        Either.mapLeft(Decimal.fromLiteral(input), (message) => ({ path: position.path, message })),
        () => scalar(position, input + 0),
      );

const decodeDate = (input: unknown, position: Position): Decoded =>
  Either.flatMap(decodeText(input, position, 1), (text) =>
    Calendar.parse(String(text)) === undefined
      ? at(position.path, "must be a date, YYYY-MM-DD or a date and time with Z or an offset (RFC 3339)")
      : Either.right(text),
  );

const decodeConstant = (type: keyof typeof VALUE_TYPES, input: unknown, position: Position): Decoded => {
  if (type === "date") return decodeDate(input, position);
  switch (VALUE_TYPES[type]) {
    case "number":
      return decodeNumber(input, position);
    case "string":
      return decodeText(input, position, 0);
    case "boolean":
      return typeof input === "boolean"
        ? scalar(position, input)
        : unexpected(position, "true or false", input);
  }
};

const decodeValue = (input: unknown, position: Position, numeric: boolean): Decoded => {
  if (!isObject(input)) return unexpected(position, 'a value such as {"type":"number","value":1}', input);
  const type = input.type;
  if (!isValueType(type) || (numeric && VALUE_TYPES[type] !== "number")) {
    const allowed = Object.entries(VALUE_TYPES).filter(([, json]) => !numeric || json === "number");
    return at(`${position.path}.type`, `must be one of ${allowed.map(([name]) => name).join(", ")}`);
  }
  if (!Object.hasOwn(input, "value")) return at(position.path, "lacks the key `value`");
  return decodeObject(input, position, (key, value, inside) => {
    if (key === "type") return scalar(inside, type);
    return key === "value" ? decodeConstant(type, value, inside) : undefined;
  });
};

const decodeInteger = (input: unknown, position: Position, minimum: number, maximum: number): Decoded =>
  typeof input === "number" && Number.isInteger(input) && input >= minimum && input <= maximum
    ? scalar(position, input)
    : at(
        position.path,
        `must be a whole number from ${minimum} to ${maximum}, found ${typeof input === "number" ? input : describe(input)}`,
      );

const decodeWindow = (input: unknown, position: Position): Decoded => {
  if (!isObject(input))
    return unexpected(position, 'a window such as {"type":"calendar","unit":"month"}', input);
  const type = Object.hasOwn(input, "type") ? input.type : undefined;
  return isWindowType(type)
    ? decodeFields(input, position, WINDOWS[type], type)
    : at(`${position.path}.type`, `must be one of ${Object.keys(WINDOWS).join(", ")}`);
};

const decodeExpression = (input: unknown, outside: Position): Decoded => {
  const position = { ...outside, depth: outside.depth + 1 };
  if (position.depth > Limits.DEPTH_MAX)
    return at("$", `the formula is nested deeper than ${Limits.DEPTH_MAX} nodes`);
  position.used.nodes += 1;
  if (position.used.nodes > Limits.NODES_MAX)
    return at("$", `the formula has more than ${Limits.NODES_MAX} nodes`);
  if (!isObject(input)) return unexpected(position, "a node, an object with a `type`", input);
  const type = Object.hasOwn(input, "type") ? input.type : undefined;
  if (typeof type !== "string") return at(position.path, "lacks the key `type`, the name of a node");
  if (!isKind(type))
    return at(`${position.path}.type`, `${quote(type)} is not a node; known are ${KINDS.join(", ")}`);
  return decodeFields(input, position, GRAMMAR[type], type);
};

const decodeShape = (input: unknown, position: Position, shape: Shape): Decoded => {
  switch (shape.type) {
    case "expression":
      return decodeExpression(input, position);
    case "expressions":
      return decodeList(input, position, shape.limit, decodeExpression);
    case "value":
      return decodeValue(input, position, false);
    case "values":
      return decodeList(input, position, shape.limit, (item, inside) => decodeValue(item, inside, false));
    case "numeric_value":
      return decodeValue(input, position, true);
    case "text":
      return decodeText(input, position, 1);
    case "identifier":
      return typeof input === "string" && IDENTIFIER.test(input)
        ? scalar(position, input)
        : at(position.path, IDENTIFIER_PROBLEM);
    case "texts":
      return decodeList(input, position, shape.limit, (item, inside) => decodeText(item, inside, 1), 0);
    case "integer":
      return decodeInteger(input, position, shape.minimum, shape.maximum);
    case "window":
      return decodeWindow(input, position);
    case "choice":
      return decodeChoice(input, position, shape.choices);
    case "records":
      return decodeList(input, position, shape.limit, (item, inside) =>
        isObject(item) ? decodeFields(item, inside, shape.fields) : unexpected(inside, "an object", item),
      );
  }
};

/**
 * Reads a parsed JSON value as an expression: known nodes with exactly their keys, constants in range, and within
 * the limits on depth, nodes, list lengths and size. Types are left to `check`.
 *
 * The result is a new plain JSON value equal to the input, keys in the same order, so that it can be stored and returned.
 * Every parsed JSON value gives a result or a problem; the recursion never goes deeper than the limit.
 */
export const decode = (input: unknown): Either.Either<Expression, Problem> =>
  Either.map(
    decodeExpression(input, { path: "$", depth: 0, used: { nodes: 0, bytes: 0 } }),
    // The grammar is typed field by field against `Expression`, so what it accepts is one.
    (expression) => expression as Expression,
  );
