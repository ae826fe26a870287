/**
 * Values that are known to satisfy a schema, so that nobody checks them a second time. A decoder that has just built a
 * value from untrusted input notes it here; whoever takes values from anywhere asks first.
 */
import type { Schema } from "effect";

const checked = new WeakMap<object, Schema.Schema.All["ast"]>();

/** Notes that a decoder of the schema has made the value; nobody may change it afterwards. */
export const note = <A>(value: A, { ast }: Schema.Schema.All): A => {
  if (typeof value === "object" && value !== null) checked.set(value, ast);
  return value;
};

/** Whether the value is noted under exactly this schema. */
export const isNoted = (value: unknown, { ast }: Schema.Schema.All): boolean =>
  typeof value === "object" && value !== null && checked.get(value) === ast;
