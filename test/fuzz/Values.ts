/** Generates values from the document's schemas, and makes them invalid. */
import { resolved, type Schema } from "../http/Document.ts";
import type { Random } from "../support/Random.ts";

/** The value of a field when its schema is not sufficient; undefined to generate it from the schema. */
export type Hint = (field: string, schema: Schema) => unknown;

const TEXTS = ["x", "Ærø ApS", "名前", "a'b\"c\\d", "%_%", "<b>", "=1+1", "𝒳", " padded ", "İ", "null", "0"];
const MOMENTS = [
  "2026-01-31T10:00:00Z",
  "2024-02-29T23:59:59.999+14:00",
  "0001-01-01T00:00:00Z",
  "9999-12-31T23:59:59.999Z",
  "2020-01-01T00:00:00-00:00",
];

const text = (random: Random, { minLength = 0, maxLength = 40, pattern }: Schema): string => {
  if (pattern === "^[A-Z]{2}$") return random.pick(["DK", "DE", "XX"]);
  if (pattern === "^[A-Z]{3}$") return random.chance(0.9) ? "EUR" : random.pick(["JPY", "KWD", "ZZZ"]);
  if (pattern === "^[!-~]+$") return `e${random.integer(0, 1e9)}`;
  if (random.chance(0.03)) return "x".repeat(maxLength);
  return random.pick(TEXTS).slice(0, Math.max(minLength, maxLength));
};

const number = (random: Random, { type, minimum = -1e6, maximum = 1e6 }: Schema): number => {
  if (random.chance(0.05)) return random.pick([minimum, maximum]);
  const low = Math.max(minimum, -1e6);
  const whole = random.integer(low, Math.min(maximum, 1e6));
  return type === "integer" || random.chance(0.5) ? whole : whole / random.pick([2, 10, 1000, 3]);
};

/** Deep enough to nest expressions; below it the first alternative, a literal, ends them. */
const DEPTH_MAX = 6;

/** An object schema narrowed to one of its alternatives, which speak of some of its fields. */
const conditioned = ({ oneOf: _, anyOf: __, ...schema }: Schema, choice: Schema): Schema => {
  const fields = new Map(Object.entries(schema.properties ?? {}));
  for (const name of choice.not?.required ?? []) fields.delete(name);
  for (const [name, narrower] of Object.entries(choice.properties ?? {})) {
    const { nullable = false, ...wider } = resolved(fields.get(name) ?? {});
    const isNull = narrower.enum?.length === 1 && narrower.enum[0] === null;
    fields.set(
      name,
      isNull ? narrower : { ...wider, ...narrower, nullable: nullable && narrower.nullable === true },
    );
  }
  const required = [...(schema.required ?? []), ...(choice.required ?? [])];
  return { ...schema, properties: Object.fromEntries(fields), required };
};

/** A value that a schema allows. */
export const valueFor = (random: Random, given: Schema, hint: Hint, field = "", depth = 0): unknown => {
  const schema = resolved(given);
  if (schema.nullable === true && random.chance(0.1)) return null;
  const hinted = hint(field, given);
  if (hinted !== undefined) return hinted;
  const inner = (child: Schema, name = field) => valueFor(random, child, hint, name, depth + 1);
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices !== undefined && schema.properties !== undefined) {
    return inner(conditioned(schema, random.pick(choices)));
  }
  if (choices !== undefined) {
    const [first] = choices;
    return inner(depth > DEPTH_MAX && first !== undefined ? first : random.pick(choices));
  }
  if (schema.allOf !== undefined) return inner(random.pick(schema.allOf));
  if (schema.enum !== undefined) return random.pick(schema.enum);
  switch (schema.type) {
    case "string":
      return schema.format === "uuid"
        ? random.uuid()
        : schema.format === "date-time"
          ? random.pick(MOMENTS)
          : text(random, schema);
    case "integer":
    case "number":
      return number(random, schema);
    case "boolean":
      return random.chance(0.5);
    case "array": {
      const { minItems = 0, items = {} } = schema;
      const length = Math.max(minItems, random.integer(0, depth > DEPTH_MAX ? 1 : 3));
      return Array.from({ length }, () => inner(items));
    }
    default: {
      const made: Record<string, unknown> = {};
      for (const [name, child] of Object.entries(schema.properties ?? {})) {
        if (schema.required?.includes(name) === true || random.chance(0.4)) made[name] = inner(child, name);
      }
      return made;
    }
  }
};

/** Values that belong nowhere. Text that JSON.stringify cannot write is put in afterwards, see {@link written}. */
const NONSENSE: ReadonlyArray<unknown> = [
  null,
  "",
  " ",
  0,
  -0,
  1.5,
  -1,
  1e15,
  1e16,
  2 ** 53,
  1e-21,
  true,
  [],
  {},
  [[[]]],
  "\u0000",
  "\ud800",
  "x".repeat(5000),
  "2026-13-01T00:00:00Z",
  "2026-01-01",
  "not-a-uuid",
  "EUR ",
  { type: "literal" },
  "@1e400",
  "@-0",
  "@9007199254740993",
];

const spoilt = (random: Random, value: unknown): unknown => {
  if (Array.isArray(value) && value.length > 0 && random.chance(0.7)) {
    const index = random.integer(0, value.length - 1);
    return random.chance(0.1) ? [...value, value[index]] : value.with(index, spoilt(random, value[index]));
  }
  if (typeof value === "object" && value !== null && random.chance(0.85)) {
    const names = Object.keys(value);
    const kind = random.integer(0, 9);
    if (kind === 0) return { ...value, [random.pick(["unknown", "constructor", "toString", "é"])]: 1 };
    if (kind === 1) return { ...value, "@proto": 1 };
    if (names.length === 0) return random.pick(NONSENSE);
    const name = random.pick(names);
    const rest: Record<string, unknown> = { ...value };
    if (kind === 2) delete rest[name];
    else rest[name] = spoilt(random, rest[name]);
    return rest;
  }
  return random.pick(NONSENSE);
};

/** JSON text of a value; a name or text that begins with @ stands for what only text can say. */
const written = (value: unknown): string =>
  (JSON.stringify(value) ?? "null")
    .replace(/"@(-?[0-9][0-9e]*)"/g, "$1")
    .replaceAll('"@proto"', '"__proto__"');

const GARBAGE = ["", "{", "nul", "[1,", '"', "{}{}", "\ufeff{}", '{"a":1,}', "[".repeat(200), "\u0000"];

/** A body: a value of the schema, spoilt now and then in one place, or as a whole. */
export const bodyOf = (random: Random, schema: Schema, hint: Hint, spoiltRate: number): string => {
  if (random.chance(spoiltRate / 10)) return random.pick(GARBAGE);
  const value = valueFor(random, schema, hint);
  return written(random.chance(spoiltRate) ? spoilt(random, value) : value);
};

/** A parameter of a query: a value of its schema, or something else. */
export const parameterOf = (
  random: Random,
  schema: Schema,
  hint: Hint,
  field: string,
  spoiltRate: number,
) => {
  if (random.chance(spoiltRate)) {
    return [random.pick(["", "x", "-1", "1.5", "0", "1e9", "99999999999", "%00", "null", "2026-01-01"])];
  }
  const value = valueFor(random, schema, hint, field);
  return (Array.isArray(value) ? value : [value]).map(String);
};
