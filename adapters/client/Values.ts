/**
 * Values between their two forms: the names of HTTP are in snake_case, those here in camelCase. Content of the caller, formula
 * expressions and events have the same form in both.
 */
import { FLAT, MOMENTS, SUMS, UNCHANGED } from "./Contract.ts";
import { camelCase } from "./FieldOf.ts";
import { refuse } from "./Refuse.ts";

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null;

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const fieldsOf = (value: Fields, parent: string): ReadonlyArray<readonly [string, unknown]> =>
  Object.entries(value).flatMap(([name, item]) => {
    if (FLAT.has(name) && isObject(item)) return fieldsOf(item, name);
    if (SUMS.has(`${parent}.${name}`)) return [[camelCase(name), BigInt(item as number | bigint)] as const];
    return [[camelCase(name), UNCHANGED.has(name) ? item : read(item, name)] as const];
  });

/**
 * A value of a response, in the field `parent`. The fields of `view` and `metadata` are fields of their record. Sums are big
 * integers, also while they are small, so that a program that is right today is right with more sales.
 */
export const read = (value: unknown, parent = ""): unknown => {
  if (!isObject(value)) return value;
  return Array.isArray(value)
    ? value.map((item) => read(item, parent))
    : Object.fromEntries(fieldsOf(value, parent));
};

const isoText = (value: number | Date, path: string): string => {
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) throw refuse(path, "must be a valid date");
  return date.toISOString();
};

/** A value of a request; `path` is that of the field that has it, `name` its name in HTTP. */
export const write = (value: unknown, path = "", name = ""): unknown => {
  if (value instanceof Date || (typeof value === "number" && MOMENTS.has(name))) {
    return isoText(value, path);
  }
  if (!isObject(value)) return value;
  const childPath = (key: string): string => (path === "" ? key : `${path}.${key}`);
  if (Array.isArray(value)) return value.map((item, index) => write(item, childPath(String(index))));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const written = snakeCase(key);
      return [written, UNCHANGED.has(written) ? item : write(item, childPath(key), written)];
    }),
  );
};

/** Filters as a query string with its question mark; empty without any. A filter that is a list is repeated. */
export const query = (filters: unknown): string => {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(write(filters) as Fields)) {
    const items: ReadonlyArray<unknown> = Array.isArray(value) ? value : [value];
    // Without any parameter the server would not filter at all.
    if (items.length === 0) throw refuse(camelCase(name), "must not be an empty list");
    for (const item of items) {
      if (item === undefined) continue;
      if (isObject(item) || item === null)
        throw refuse(camelCase(name), "must be text, a number, true, false or a list of these");
      parameters.append(name, String(item));
    }
  }
  const text = parameters.toString();
  return text === "" ? "" : `?${text}`;
};

/** A text, or an integer of 16 digits or more. */
const TEXT_OR_LONG_INTEGER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d{16,}(?![\d.eE])/g;
const LONG = "\u0000integer:";

/** The value of a JSON text. An integer beyond what a number holds exactly is a bigint. */
export const parse = (text: string): unknown => {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  const marked = text.replace(TEXT_OR_LONG_INTEGER, (found) =>
    found.startsWith('"') || Number.isSafeInteger(Number(found)) ? found : JSON.stringify(LONG + found),
  );
  return JSON.parse(marked, (_, value) =>
    typeof value === "string" && value.startsWith(LONG) ? BigInt(value.slice(LONG.length)) : value,
  );
};
