/** Inputs as a host without Effect writes them: ids as strings, moments as numbers, ISO strings or dates. */
import type { Brand } from "effect";
import { Timestamp } from "quittance";
import { InvalidError } from "../client/QuittanceError.ts";

/** Names of fields that hold moments. */
export type MomentName =
  | "at"
  | "from"
  | "to"
  | "until"
  | `${string}At`
  | `${string}From`
  | `${string}To`
  | `${string}Datetime`;

const MOMENT_NAME = /^(?:at|from|to|until)$|(?:At|From|To|Datetime)$/;

/** Fields whose content is the host's own, or has a language of its own. */
export const OPAQUE: ReadonlySet<string> = new Set(["properties", "metadata", "expression"]);

/** A moment: milliseconds since 1970, an RFC 3339 date-time with an offset or Z, or a date. */
export type Moment = number | string | Date;

type Primitive = string | number | boolean | bigint | symbol | null | undefined;

/** The field with an expression, whose type is that of `quittance/formula`. */
type Language = "expression";

/** A value without brands. */
export type Plain<Value> = Value extends { readonly [Brand.BrandTypeId]: unknown }
  ? Value extends string
    ? string
    : number
  : Value extends Primitive | Uint8Array
    ? Value
    : Value extends ReadonlyArray<infer Item>
      ? ReadonlyArray<Plain<Item>>
      : Value extends object
        ? { readonly [Key in keyof Value]: Key extends Language ? Value[Key] : Plain<Value[Key]> }
        : Value;

type MomentOf<Value> = Value extends number ? Moment : Plain<Value>;

/** A value without brands, and with moments in any of their forms. */
export type Input<Value> = Value extends { readonly [Brand.BrandTypeId]: unknown }
  ? Plain<Value>
  : Value extends Primitive | Uint8Array
    ? Value
    : Value extends ReadonlyArray<infer Item>
      ? ReadonlyArray<Input<Item>>
      : Value extends object
        ? {
            readonly [Key in keyof Value]: Key extends Language
              ? Value[Key]
              : Key extends "properties" | "metadata"
                ? Plain<Value[Key]>
                : Key extends MomentName
                  ? MomentOf<Value[Key]>
                  : Input<Value[Key]>;
          }
        : Value;

const momentOf = (value: string | Date, path: string): number => {
  const moment = typeof value === "string" ? Timestamp.parse(value) : value.getTime();
  if (moment === null || Number.isNaN(moment)) {
    throw new InvalidError(`${path}: must be an RFC 3339 date-time with an offset or Z`, { field: path });
  }
  return moment;
};

/** Returns an input with its moments in milliseconds and without undefined fields. Throws when a moment is not valid. */
export const normalizeInput = (value: unknown, path = "", name = ""): unknown => {
  if (MOMENT_NAME.test(name) && (typeof value === "string" || value instanceof Date)) {
    return momentOf(value, path);
  }
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
  const childPath = (key: string): string => (path === "" ? key : `${path}.${key}`);
  if (Array.isArray(value)) return value.map((item, index) => normalizeInput(item, childPath(String(index))));
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) =>
      item === undefined ? [] : [[key, OPAQUE.has(key) ? item : normalizeInput(item, childPath(key), key)]],
    ),
  );
};
