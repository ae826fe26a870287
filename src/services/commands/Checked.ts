/**
 * Marks values that already satisfy a schema, so that they are not validated twice. A decoder marks the value that it has
 * just built from untrusted input; a service skips validation for a value with its own schema's mark.
 */
import type { Schema } from "effect";

const schemas = new WeakMap<object, Schema.Schema.All["ast"]>();

/** Marks a value as satisfying a schema, and returns it. It must not be changed afterwards; copies of it carry no mark. */
export const mark = <A>(value: A, { ast }: Schema.Schema.All): A => {
  if (typeof value === "object" && value !== null) schemas.set(value, ast);
  return value;
};

/** True if the value is marked as satisfying exactly this schema. */
export const isMarked = (value: unknown, { ast }: Schema.Schema.All): boolean =>
  typeof value === "object" && value !== null && schemas.get(value) === ast;
