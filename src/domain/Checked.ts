/**
 * Marks values that already satisfy a schema, so that they are not validated twice. A decoder marks the value that it has
 * just built from untrusted input; a service skips validation for a value with its own schema's mark.
 */
import type { Schema } from "effect";

const SCHEMA: unique symbol = Symbol("quittance/Checked");

/** Marks a value as satisfying a schema, and returns it. It must not be changed afterwards; copies of it carry no mark. */
export const mark = <A>(value: A, { ast }: Schema.Schema.All): A =>
  typeof value === "object" && value !== null
    ? Object.defineProperty(value, SCHEMA, { value: ast, configurable: true })
    : value;

/** Whether the value is marked as satisfying exactly this schema. */
export const isMarked = (value: unknown, { ast }: Schema.Schema.All): boolean =>
  typeof value === "object" && value !== null && (value as { readonly [SCHEMA]?: unknown })[SCHEMA] === ast;
