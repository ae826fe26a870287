/** How one amount was computed, as data that is printed in any language: a calculation, and the reasons for what it contains. */
import type { Part as DatePart, Unit as TimeUnit } from "../formula/Calendar.ts";
import type { AggregateFunction, TextMatch, Window } from "../formula/Expression.ts";
import type { Mode } from "../formula/Rounding.ts";
import type { Shown } from "../formula/Trace.ts";

/**
 * A value as a person reads it. Money is in the smallest unit of the currency and a share a fraction of 1; a `number` is as it
 * was given.
 */
export interface Figure {
  readonly value: Shown;
  readonly unit: "number" | "money" | "share" | "date" | "text";
}

/** What a value is called: a property or a variable, a fact of the sale that the language has a word for, or nothing. */
export interface Name {
  readonly type: "word" | "attribute" | "none";
  readonly text: string;
}

/** The earlier sales that an aggregate found: the days, null without a limit; the groups; the properties that chose them. */
export interface Selection {
  readonly rows: number;
  readonly days: readonly [first: string, last: string] | null;
  readonly groups: ReadonlyArray<{ readonly name: string; readonly value: string }>;
  /** The role of their credits; null where it is `seller`, as of sales without other credits. */
  readonly role: string | null;
  /** Null where nothing but days and groups chose them. */
  readonly chosenBy: ReadonlyArray<string> | null;
}

/** A part of one tier at its rate, and the amount for reaching the tier. */
export interface Tier {
  readonly from: Figure;
  /** Null in the last tier. */
  readonly to: Figure | null;
  readonly part: Figure;
  readonly rate: Figure;
  readonly flat: Figure;
}

/** What a part of a calculation consists of. */
type Content =
  | {
      readonly type: "figure";
      readonly name: Name | null;
      readonly source: "literal" | "fact" | "parameter" | "variable" | "computed";
      /** Of a parameter: the date from which its value holds; null for one that holds from the beginning. */
      readonly since?: Figure | null;
      readonly isDefault: boolean;
      /** Of a value that limits another one. */
      readonly limit?: "most" | "least";
      /** How a variable was computed. */
      readonly calculation?: Part;
    }
  | { readonly type: "absent"; readonly name: Name }
  | { readonly type: "sum"; readonly terms: ReadonlyArray<Part> }
  | { readonly type: "difference"; readonly from: Part; readonly less: Part }
  | { readonly type: "quotient"; readonly of: Part; readonly by: Part }
  | { readonly type: "product"; readonly rates: ReadonlyArray<Part>; readonly factors: ReadonlyArray<Part> }
  | { readonly type: "rounded"; readonly of: Part; readonly mode: Mode; readonly isNegative: boolean }
  | { readonly type: "tiers"; readonly base: Figure; readonly tiers: ReadonlyArray<Tier> }
  | {
      readonly type: "total";
      readonly function: AggregateFunction;
      /** What is added up or compared: a property, or a value computed from properties. */
      readonly aggregated: { readonly isProperty: boolean; readonly names: ReadonlyArray<string> };
      readonly selection: Selection;
    }
  | { readonly type: "date_part"; readonly part: DatePart; readonly of: Part }
  | { readonly type: "between"; readonly between: Between }
  | { readonly type: "fact"; readonly fact: Fact }
  | RuleContent;

/** What the parts of a rule consist of. A rule is the calculation of any sale, so that nothing in it has a value but what is written or agreed with the partner. */
type RuleContent =
  /** Something of every sale, a variable of the formula, or a parameter of which no value is known. */
  | { readonly type: "named"; readonly name: Name; readonly of: "sale" | "formula" | "partner" }
  | { readonly type: "limited"; readonly limit: "most" | "least"; readonly of: Part; readonly bound: Part }
  | { readonly type: "extreme"; readonly extreme: "lower" | "higher"; readonly of: ReadonlyArray<Part> }
  | { readonly type: "multiple"; readonly of: Part; readonly mode: Mode; readonly increment: Figure }
  | { readonly type: "first"; readonly of: ReadonlyArray<Part> }
  | {
      readonly type: "earlier";
      readonly function: AggregateFunction;
      /** Null where sales are counted. */
      readonly of: Part | null;
      readonly window: Window;
      /** The date whose anniversaries begin the years of the window; null of other windows. */
      readonly anniversary: Part | null;
      readonly groups: ReadonlyArray<string>;
      readonly where: Fact | null;
    }
  | {
      readonly type: "scale";
      readonly base: Part;
      readonly after: Part | null;
      readonly tiers: ReadonlyArray<RuleTier>;
    }
  /** The value of the first case that holds; the last one has no condition. */
  | {
      readonly type: "cases";
      readonly cases: ReadonlyArray<{ readonly when: Fact | null; readonly value: Part }>;
    };

/** A part that only a rule has. */
export type RulePart = RuleContent & { readonly figure: Figure };

/** A tier of a rule; `to` is null in the last one. */
export interface RuleTier {
  readonly from: Figure | null;
  readonly to: Figure | null;
  readonly rate: Part;
  readonly flat: Part | null;
}

/** How every sale is paid: the calculation, and what its variables stand for, in the order in which they are first used. */
export interface Rule {
  readonly calculation: Part;
  readonly definitions: ReadonlyArray<{ readonly name: string; readonly value: Part }>;
  /** True if the result is declared to be money; otherwise it is a number of the smallest unit of the currency. */
  readonly isMoney: boolean;
  /** True if the rule itself rounds to whole units. */
  readonly isRounded: boolean;
  readonly readsEarlierSales: boolean;
}

/**
 * A part of a calculation, and its value. What adds nothing is left out: terms of 0, factors of 1, limits and roundings without
 * effect.
 */
export type Part = Content & { readonly figure: Figure };

/** The time between two dates. */
export interface Between {
  readonly unit: TimeUnit;
  readonly from: Part;
  readonly to: Part;
}

/** What a fact is about. */
export type Subject =
  | {
      readonly type: "named";
      readonly name: Name;
      readonly figure: Figure;
      /** Of a variable: the earlier sales that it counts; absent where it counts none. */
      readonly counts?: Selection;
    }
  | { readonly type: "date_part"; readonly part: DatePart; readonly of: Figure; readonly figure: Figure }
  | { readonly type: "counted"; readonly counted: Between | Selection; readonly figure: Figure }
  | { readonly type: "calculated"; readonly part: Part };

export type Relation = "equal" | "not_equal" | "less" | "at_most" | "more" | "at_least";

/** Something that is the case. */
export type Fact =
  | {
      readonly type: "compared";
      readonly left: Subject;
      readonly relation: Relation;
      readonly right: Subject;
      readonly areDates: boolean;
    }
  | {
      readonly type: "within";
      readonly subject: Subject;
      readonly from: Figure | null;
      readonly to: Figure | null;
      /** True if the upper limit belongs to the range, and the lower one does not. */
      readonly isUpperInclusive: boolean;
    }
  | { readonly type: "all" | "any"; readonly facts: ReadonlyArray<Fact> }
  | { readonly type: "listed"; readonly subject: Subject; readonly isTrue: boolean }
  | {
      readonly type: "one_of";
      readonly subject: Subject;
      readonly values: ReadonlyArray<Figure>;
      readonly isTrue: boolean;
    }
  | {
      readonly type: "matches";
      readonly subject: Subject;
      readonly operator: TextMatch;
      readonly isTrue: boolean;
      readonly text: string;
    }
  | { readonly type: "given"; readonly name: Name; readonly isTrue: boolean }
  | { readonly type: "missing"; readonly name: Name }
  | { readonly type: "unlisted"; readonly subject: Subject }
  /** `yours`: in a rule, of a parameter, the partner's value; null where none is known. */
  | { readonly type: "is"; readonly name: Name; readonly figure: Figure; readonly yours?: Figure | null }
  | { readonly type: "calculated"; readonly part: Part };

/** A calculation with its result. */
export interface Calculated {
  readonly part: Part;
  readonly result: Figure;
}

/** Why a calculation contains a part. */
export type Reason =
  /** A fixed value applies, or with null a calculation. */
  | { readonly type: "applies"; readonly value: Figure | null; readonly because: ReadonlyArray<Fact> }
  | { readonly type: "entry"; readonly value: Figure | null; readonly of: Subject }
  | {
      readonly type: "tiers";
      readonly base: Part;
      readonly after: Part | null;
      readonly tiers: ReadonlyArray<Pick<Tier, "from" | "to">>;
    }
  | {
      readonly type: "limit";
      readonly limit: "most" | "least";
      readonly bound: Figure;
      readonly others: ReadonlyArray<Calculated>;
    }
  | {
      readonly type: "extreme";
      readonly extreme: "lower" | "higher";
      readonly value: Figure;
      readonly others: ReadonlyArray<Calculated>;
    }
  | { readonly type: "variable"; readonly name: string; readonly value: Calculated };

/** How one amount was computed. */
export interface Explanation {
  readonly calculation: Part;
  /** What the calculation gives, and the amount after rounding to the smallest unit. */
  readonly before: Figure;
  readonly after: Figure;
  readonly reasons: ReadonlyArray<Reason>;
}
