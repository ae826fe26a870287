import type { Part, Unit } from "./Calendar.ts";
import type {
  AggregateFunction,
  Attribute,
  Comparison,
  Expression,
  Kind,
  TextMatch,
  UpperBound,
  Value,
  Window,
} from "./Expression.ts";
import type { ParameterType } from "./Parameter.ts";
import type { Format, PropertyValue } from "./Property.ts";
import type { Mode } from "./Rounding.ts";

/**
 * A value as a trace shows it: a number exactly (`18.96`, or `6000005/3` where no finite decimal exists), a date in
 * ISO 8601, a text or true/false as it is, and null when absent.
 */
export type Shown = string | boolean | null;

/** What a rounding did: the exact number before, how it was rounded, and the number after. */
export type RoundingDetail = {
  readonly before: string;
  readonly mode: Mode;
  readonly increment: string;
  readonly after: string;
};

/** What one tier of a graduated scale contributed; `to` is null in the last tier, `flat` what was paid on entry. */
export type TierDetail = {
  readonly from: string;
  readonly to: string | null;
  readonly part: string;
  readonly rate: string;
  readonly flat: string;
  readonly amount: string;
};

/** What an entry records besides its value. An `index` is null if the default, `else` or nothing was chosen. */
type Recorded = {
  readonly literal: { readonly unit: Value["type"]; readonly written?: string };
  readonly attribute: { readonly name: Attribute };
  /** `raw` is what the attribution has, null when it has none. */
  readonly property: {
    readonly name: string;
    readonly raw: PropertyValue | null;
    readonly default_used: boolean;
    /** What the number means, where its schema declares it. */
    readonly format?: Format;
  };
  /** `since` is the date from which the value holds, null where it holds from the beginning. */
  readonly parameter: {
    readonly name: string;
    readonly type: ParameterType;
    readonly since: string | null;
    /** What the number means, where the formula declares it. */
    readonly format?: Format;
  };
  readonly variable: { readonly name: string };
  readonly let: { readonly bindings: ReadonlyArray<{ readonly name: string; readonly value: Shown }> };
  readonly min: { readonly index: number };
  readonly max: { readonly index: number };
  readonly round: RoundingDetail;
  readonly band: {
    readonly index: number;
    readonly upper_bound: UpperBound;
    readonly from: string | null;
    readonly up_to: string | null;
  };
  readonly graduated: {
    readonly amount: string;
    readonly offset: string;
    readonly tiers: ReadonlyArray<TierDetail>;
  };
  readonly compare: { readonly operator: Comparison; readonly left: Shown; readonly right: Shown };
  readonly in: { readonly index: number | null };
  readonly text_match: { readonly operator: TextMatch; readonly text: string };
  readonly case: { readonly index: number | null };
  readonly lookup: { readonly index: number | null; readonly key: Shown };
  readonly coalesce: { readonly index: number | null };
  readonly date_part: { readonly part: Part };
  readonly date_difference: { readonly unit: Unit };
  /**
   * What is added up or compared, and which attributions are left out, as in the expression; the days of the window, null
   * when it has no limit; the group; and how many attributions were found in them.
   */
  readonly aggregate: {
    readonly function: AggregateFunction;
    readonly value: Expression | null;
    readonly where: Expression | null;
    readonly window: Window;
    readonly first_day: string | null;
    readonly last_day: string | null;
    readonly group: ReadonlyArray<{ readonly name: string; readonly value: PropertyValue }>;
    readonly rows: number;
    /** The role of the attributions; absent where it is `seller`, as of a sale without other credits. */
    readonly role?: string;
    /** What the numbers of the property mean that is added up or compared, where its schema declares it. */
    readonly format?: Format;
  };
  /** The rounding of the whole to an integer of the smallest currency unit. */
  readonly final: RoundingDetail;
};

/** What an entry records besides its value, by kind of node: nothing for a kind that states no record. */
export type Details = {
  readonly [K in Kind | "final"]: K extends keyof Recorded ? Recorded[K] : Readonly<Record<string, never>>;
};

/** One evaluated node: its path in the expression, its kind, its value, and how it was computed. */
export type Entry = {
  readonly [K in keyof Details]: {
    readonly path: string;
    readonly type: K;
    readonly value: Shown;
    readonly detail: Details[K];
  };
}[keyof Details];

/**
 * How an amount was computed, plain JSON: the final rounding first, at path `$`, then every evaluated node in reading
 * order, each before the nodes inside it. A node that is not there was not evaluated.
 */
export type Trace = ReadonlyArray<Entry>;
