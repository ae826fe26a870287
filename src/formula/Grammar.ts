import { CALENDAR_UNITS, GRAMMAR, type Value, type Window } from "./Expression.ts";
import * as Limits from "./Limits.ts";
import { choice, type Field } from "./Shape.ts";

/** The fields a window must name, each marked optional exactly when its type is. */
type FieldsOf<N> = {
  readonly [F in Exclude<keyof N, "type">]-?: Field &
    (undefined extends N[F] ? { readonly optional: true } : { readonly optional?: never });
};

/** The shape of every kind of window. */
export const WINDOWS: { readonly [T in Window["type"]]: FieldsOf<Extract<Window, { readonly type: T }>> } = {
  calendar: {
    unit: choice(CALENDAR_UNITS),
    starts_in_month: { type: "integer", minimum: 1, maximum: 12, optional: true },
  },
  rolling: { days: { type: "integer", minimum: 1, maximum: Limits.ROLLING_DAYS_MAX } },
  lifetime: {},
  anniversary: { of: { type: "identifier" } },
};

/** The meaning of every kind of window. */
export const WINDOW_SUMMARIES: { readonly [T in Window["type"]]: string } = {
  calendar:
    "The calendar month, quarter or year of the attribution's occurred_on. Quarters and years begin in January, or with the month starts_in_month.",
  rolling: "The attribution's occurred_on and the days before it, so many in all.",
  lifetime: "All of time.",
  anniversary:
    "The year around the attribution's occurred_on that begins on an anniversary of the date that the parameter `of` has for it. The anniversary of 29 February is 28 February in a year without that day.",
};

const isKeyOf =
  <Table extends object>(table: Table) =>
  (name: unknown): name is keyof Table & string =>
    typeof name === "string" && Object.hasOwn(table, name);

/** True if a name is that of a kind of window. */
export const isWindowType = isKeyOf(WINDOWS);

/** The names of all kinds of nodes. */
export const KINDS: ReadonlyArray<string> = Object.keys(GRAMMAR);

/** True if a name is that of a kind of node. */
export const isKind = isKeyOf(GRAMMAR);

/** The kinds of value nodes and the JSON type each one holds. */
export const VALUE_TYPES: { readonly [T in Value["type"]]: "number" | "string" | "boolean" } = {
  number: "number",
  percent: "number",
  basis_points: "number",
  string: "string",
  boolean: "boolean",
  date: "string",
};

/** The meaning of every kind of value node. */
export const VALUE_SUMMARIES: { readonly [T in Value["type"]]: string } = {
  number: "A number with at most 15 significant digits and 12 decimals.",
  percent: "A number in hundredths: 7.5 stands for 0.075.",
  basis_points: "A number in ten-thousandths: 250 stands for 0.025.",
  string: "A text.",
  boolean: "True or false.",
  date: "YYYY-MM-DD (midnight UTC) or RFC 3339 with Z or an offset.",
};

/** True if a name is that of a kind of value node. */
export const isValueType = isKeyOf(VALUE_TYPES);
