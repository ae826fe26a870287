import * as Calendar from "./Calendar.ts";
import * as Constant from "./Constant.ts";
import { type Credited, rowRole, SELLER } from "./Credit.ts";
import * as Decimal from "./Decimal.ts";
import type { Aggregate, Value } from "./Expression.ts";
import type { ParameterDefinition } from "./Parameter.ts";
import type { Format, ParameterInForce, PropertyDefinition } from "./Property.ts";
import * as Rational from "./Rational.ts";
import type { Mode } from "./Rounding.ts";
import type { Details, Entry, RoundingDetail, Shown, Trace } from "./Trace.ts";
import type { Span } from "./Window.ts";

/** Collects a trace while the reference interpreter walks an expression. */
export type Recorder = {
  /** A node is about to be evaluated; `step` is its place in the node around it, empty for the same place. */
  readonly enter: (type: Entry["type"], step: string) => void;
  /** Sets the detail of the node entered last and not yet left, whose kind is `type`. */
  readonly note: <K extends keyof Details>(type: K, detail: Details[K]) => void;
  /** The node entered last has this value. */
  readonly leave: (value: Shown) => void;
  /** Everything recorded so far, in the order of entering. */
  readonly trace: () => Trace;
};

/** An empty recorder. */
export const make = (): Recorder => {
  const entries: Array<{ path: string; type: Entry["type"]; value: Shown; detail: Details[Entry["type"]] }> =
    [];
  const open: Array<number> = [];
  const currentEntry = () => entries[open.at(-1) ?? -1];
  return {
    enter: (type, step) => {
      const around = currentEntry()?.path ?? "$";
      open.push(entries.length);
      entries.push({ path: step === "" ? around : `${around}.${step}`, type, value: null, detail: {} });
    },
    note: (_type, detail) => {
      const entry = currentEntry();
      if (entry !== undefined) entry.detail = detail;
    },
    leave: (value) => {
      const entry = currentEntry();
      if (entry !== undefined) entry.value = value;
      open.pop();
    },
    // `note` ties each detail to its kind; the array above cannot express that tie.
    trace: () => entries as ReadonlyArray<unknown> as Trace,
  };
};

/** A value as a trace shows it. */
export const show = (value: Constant.Constant | undefined): Shown => {
  if (value === undefined) return null;
  if (typeof value !== "object") return value;
  return Constant.isMoment(value) ? Calendar.format(value.epochMilliseconds) : Rational.format(value);
};

/** A threshold, null when there is none on that side. */
export const showLimit = (limit: Rational.Rational | undefined): string | null =>
  limit === undefined ? null : Rational.format(limit);

/** The detail of a literal: its unit, and for a number its digits as they were written. */
export const literal = ({ type, value }: Value): Details["literal"] =>
  typeof value === "number"
    ? { unit: type, written: Rational.format(Decimal.toRational(Decimal.fromNumber(value))) }
    : { unit: type };

/** The first and the last day of a span, as `2026-01-31`; null where there is no limit. */
export const days = ({
  from,
  to,
}: Span): { readonly first_day: string | null; readonly last_day: string | null } => ({
  first_day: from === null ? null : Calendar.format(from),
  last_day: to === null ? null : Calendar.format(to - 1).slice(0, 10),
});

/** What the numbers of a property or parameter mean, where its declaration says it. */
export const declaredFormat = (
  definition: Pick<PropertyDefinition, "format"> | undefined,
): { readonly format?: Format } => (definition?.format === undefined ? {} : { format: definition.format });

/** The role of the rows of an aggregate, where it is not that of a sale without other credits, and what their numbers mean. */
export const rows = (
  node: Aggregate,
  {
    properties,
    facts,
  }: { readonly properties: ReadonlyMap<string, PropertyDefinition>; readonly facts: Credited },
): Pick<Details["aggregate"], "role" | "format"> => {
  const role = rowRole(node, facts);
  return {
    ...(role === SELLER ? {} : { role }),
    ...(node.value?.type === "property" ? declaredFormat(properties.get(node.value.name)) : {}),
  };
};

/** The detail of a parameter: the date since which its value holds. */
export const parameter = (
  name: string,
  { since }: Pick<ParameterInForce, "since">,
  definition: ParameterDefinition | undefined,
): Details["parameter"] => ({
  name,
  type: definition?.type ?? "string",
  since: since === null ? null : Calendar.format(since),
  ...declaredFormat(definition),
});

/** The detail of a rounding. */
export const roundingDetail = (
  before: Rational.Rational,
  mode: Mode,
  increment: Rational.Rational,
  after: Rational.Rational,
): RoundingDetail => ({
  before: Rational.format(before),
  mode,
  increment: Rational.format(increment),
  after: Rational.format(after),
});
