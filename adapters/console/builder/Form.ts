/**
 * What a plan pays, as a form. Numbers are texts as they are typed, in the units in which people write them: percentages as
 * percentages, money in whole units of the currency.
 */
import type { ParameterDefinition, PropertyDefinition } from "quittance/formula";

/** What the numbers of a form mean. */
export interface FormContext {
  /** The properties of sales, with the units that the schema declares, or that the author of the plan has stated. */
  readonly properties: ReadonlyArray<PropertyDefinition>;
  /** The parameters that a number may be, written `plan.rate`. */
  readonly parameters?: ReadonlyArray<ParameterDefinition>;
  /** The decimals of the plan's currency. */
  readonly decimals: number;
}

/**
 * A period, in each of which totals begin at 0: of the calendar, or the year that begins on a date of the partner, which is
 * `since` and the name of a parameter.
 */
export type Period = "month" | "quarter" | "year" | `since ${string}`;

/** Which earlier sales count; `last` is followed by a number of days, as typed. */
export type Span = Period | "ever" | `last ${string}`;

/** The property whose values have totals of their own; all sales have one total where it is empty. */
interface Grouped {
  readonly by?: string;
}

/** What a threshold is compared with: a total of the partner. */
export type Measure = Grouped &
  (
    | { readonly type: "value"; readonly base: string; readonly period: Span }
    | { readonly type: "count"; readonly period: Span }
  );

/** A step of a scale; only the last has an empty limit. */
export interface Step {
  readonly upTo: string;
  readonly percent: string;
}

/** A scale of which one step is reached. A limit itself belongs to its step, or to the next one where `isBelow`. */
export interface Scale {
  readonly steps: ReadonlyArray<Step>;
  readonly isBelow?: boolean;
}

/** The comparisons of a number. */
export const COMPARISONS = ["at_least", "more_than", "at_most", "less_than", "equal"] as const;

/** The comparisons of a text. */
export const TEXT_COMPARISONS = ["is", "is_not", "starts_with", "ends_with", "contains"] as const;

/** What a date is compared by. Weekdays are numbers, of which Monday is 1. */
export const DATE_PARTS = ["month", "quarter", "day_of_week"] as const;

/** A condition on one sale. */
export type Condition =
  /** `values` are separated by commas. */
  | {
      readonly type: "text";
      readonly property: string;
      readonly operator: (typeof TEXT_COMPARISONS)[number];
      readonly values: string;
    }
  | {
      readonly type: "number";
      readonly property: string;
      readonly operator: (typeof COMPARISONS)[number];
      readonly value: string;
    }
  | { readonly type: "flag"; readonly property: string; readonly isTrue: boolean }
  | { readonly type: "date"; readonly operator: "from" | "before"; readonly day: string }
  /** The month, quarter or weekday of the sale's day; `values` are numbers, separated by commas. */
  | { readonly type: "season"; readonly part: (typeof DATE_PARTS)[number]; readonly values: string }
  /** The complete days, months or years from a date to the sale's day; false where the text names no date. */
  | {
      readonly type: "elapsed";
      /** A property that is a text, or `plan.` and the name of a parameter that is a date. */
      readonly from: string;
      readonly unit: "days" | "months" | "years";
      readonly operator: (typeof COMPARISONS)[number];
      readonly value: string;
    }
  /** At least one of several holds. */
  | { readonly type: "any"; readonly of: Conditions }
  /** The first sales of a partner in each period; with a property, of each of its values. */
  | {
      readonly type: "first";
      readonly sales: string;
      readonly period: Span;
      readonly by: string;
    };

/** Conditions of which all hold; never none. */
export type Conditions = ReadonlyArray<Condition>;

/** A percentage, or how it is chosen. */
export type Rate =
  | { readonly type: "fixed"; readonly percent: string }
  | {
      readonly type: "category";
      readonly property: string;
      readonly rows: ReadonlyArray<{ readonly value: string; readonly percent: string }>;
      readonly otherwise: string;
    }
  | {
      readonly type: "condition";
      readonly rows: ReadonlyArray<{ readonly when: Conditions; readonly percent: string }>;
      readonly otherwise: string;
    }
  /**
   * The rate of the step that is reached pays for the whole sale: by the value of the sale itself, or by a total, which contains
   * the sale unless `isBefore`.
   */
  | (Scale & { readonly type: "level"; readonly of: Measure | "sale"; readonly isBefore?: boolean });

/** What a plan pays, or a part of it. */
export type Part =
  | { readonly type: "nothing" }
  /** An amount for each sale. */
  | { readonly type: "fixed"; readonly amount: string }
  /** An amount for each unit of a property. */
  | { readonly type: "unit"; readonly property: string; readonly amount: string }
  /** A percentage of a property. */
  | { readonly type: "share"; readonly base: string; readonly rate: Rate }
  /** A percentage for each part of the value of a sale, or of the total of a period, that lies in a tier. */
  | (Grouped & {
      readonly type: "tiers";
      readonly base: string;
      readonly period: Period | "ever" | "sale";
      readonly steps: ReadonlyArray<Step>;
    })
  /** The percentage of the step that the total of a period reaches, for all of the total: earlier sales are paid up. */
  | (Grouped & Scale & { readonly type: "whole"; readonly base: string; readonly period: Period })
  /** One percentage up to a quota of each period, another one beyond. */
  | (Grouped & {
      readonly type: "quota";
      readonly base: string;
      readonly period: Period;
      readonly quota: string;
      readonly below: string;
      readonly above: string;
    })
  /** An amount once, as soon as a total reaches a threshold. */
  | { readonly type: "bonus"; readonly of: Measure; readonly threshold: string; readonly amount: string }
  /** What the inner part pays, at least and at most; an empty limit is none. A limit of a period is an upper one. */
  | (Grouped & {
      readonly type: "limit";
      readonly of: Part;
      readonly period: Period | "sale";
      readonly least: string;
      readonly most: string;
    })
  | { readonly type: "sum"; readonly parts: ReadonlyArray<Part> }
  | {
      readonly type: "cases";
      readonly rows: ReadonlyArray<{ readonly when: Conditions; readonly pays: Part }>;
      readonly otherwise: Part;
    }
  | {
      readonly type: "products";
      readonly property: string;
      readonly rows: ReadonlyArray<{ readonly value: string; readonly pays: Part }>;
      readonly otherwise: Part;
    };

/** What is missing or wrong in a form, and in which field: the path of the field, as in `parts.0.rate.percent`. */
export interface FormProblem {
  readonly path: string;
  readonly message: string;
}

/** True if a property is declared to be money. */
export const isMoney = ({ format }: PropertyDefinition): boolean =>
  format === "money_minor" || format === "money_major";

/** True if nobody has said what a number means, so that a share of it may be a hundredth of what is meant. */
export const isUndeclared = ({ type, format = "plain" }: PropertyDefinition): boolean =>
  type === "number" && format === "plain";

/** True if sales can be counted for each value of a property: every sale has one, and it is no number. */
export const isGrouping = ({ type, required, default: byDefault }: PropertyDefinition): boolean =>
  type !== "number" && (required || byDefault !== undefined);

/** True if something can be a share of a property: it is money, or a number of which every unit is the smallest one. */
export const isBase = (property: PropertyDefinition, { decimals }: FormContext): boolean =>
  isMoney(property) || (decimals === 0 && isUndeclared(property));

/** True if a total of a property can be compared: it is known what its numbers mean. */
export const isMeasured = (property: PropertyDefinition, { decimals }: FormContext): boolean =>
  decimals === 0 || !isUndeclared(property);
