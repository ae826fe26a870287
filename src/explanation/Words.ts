import type { Part as DatePart, Unit as TimeUnit } from "../formula/Calendar.ts";
import type { AggregateFunction, CalendarUnit, TextMatch } from "../formula/Expression.ts";
import type { Mode } from "../formula/Rounding.ts";
import type { Relation } from "./Explanation.ts";

/** How a language writes numbers and dates. Text in braces is replaced by a value. */
export interface Notation {
  /** Between groups of three digits. */
  readonly group: string;
  readonly decimal: string;
  readonly percent: string;
  /** Of a number with digits left out. */
  readonly about: string;
  readonly date: string;
  /** The day of a date that is the first of its month. */
  readonly firstDay: string;
  readonly months: ReadonlyArray<string>;
  readonly moment: string;
  readonly quoted: string;
}

type IfTrue = readonly [isTrue: string, isFalse: string];
/** For a fixed value, and for a calculation. */
type Of = readonly [value: string, calculation: string];

/** The words of one language for rules. */
export interface RuleWords {
  readonly or: string;
  readonly perSale: string;
  readonly defined: string;
  readonly limited: Readonly<Record<"most" | "least", string>>;
  readonly extreme: Readonly<Record<"lower" | "higher", string>>;
  readonly multiple: string;
  readonly first: string;
  readonly datePart: string;
  readonly earlier: Readonly<Record<AggregateFunction, string>>;
  readonly window: Readonly<Record<CalendarUnit | "lifetime" | "rolling" | "anniversary", string>>;
  /** After a window whose years do not begin in January. */
  readonly beginning: string;
  readonly groups: string;
  readonly where: string;
  /** A sentence that a list follows, and what it says of the list. */
  readonly list: string;
  readonly oneOf: string;
  readonly tiers: readonly [begin: string, after: string];
  /** One item of a list. */
  readonly when: string;
  readonly otherwise: string;
  readonly tier: {
    readonly all: string;
    readonly upTo: string;
    readonly within: string;
    readonly above: string;
  };
  readonly times: string;
  readonly flat: string;
  readonly oneOfValues: IfTrue;
  /** Sentences after the rule. */
  readonly units: string;
  readonly rounded: string;
  readonly earlierSales: string;
}

/** The words of one language for a partner's part of a sale. */
export interface CreditWords {
  /** The role of whoever sold; other roles are the customer's own words. */
  readonly seller: string;
  /** Sentences: for the whole sale, for a share of it, and for whoever is above its sellers, with them and without. */
  readonly whole: string;
  readonly part: string;
  readonly above: string;
  readonly level: string;
  /** A seller with its share, and a seller who is not named. */
  readonly below: string;
  readonly unnamed: string;
  /** Of an amount: the share has no effect on it. */
  readonly unchanged: string;
  /** In the terms of a plan: the roles that it pays, and whether the share multiplies what it pays. */
  readonly roles: string;
  readonly multiplied: string;
  readonly notMultiplied: string;
}

/** Sentences of one language for what the buyer of a sale has paid, and how much is payable therefore. */
export interface ReceiptWords {
  readonly nothingStated: string;
  readonly nothingPaid: string;
  readonly half: string;
  readonly part: string;
  readonly whole: string;
}

/** The words of one language around the rule that a partner accepts. */
export interface TermsWords {
  readonly title: string;
  readonly plan: string;
  readonly partner: string;
  readonly sales: string;
  readonly currency: string;
  readonly since: string;
  readonly until: string;
  readonly open: string;
  readonly version: string;
  readonly hash: string;
  readonly accepted: string;
  readonly onBehalf: string;
  readonly notAccepted: string;
}

/** The words of one language for explanations. Text in braces is replaced by a value. */
export interface Words {
  readonly notation: Notation;
  readonly nothing: string;
  readonly yes: string;
  readonly no: string;
  readonly and: string;
  /** The facts of a sale that have a word; the name of any other is its own. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly unnamed: string;
  /** A name in a sentence, with its article; and one without. */
  readonly definite: (name: string) => string;
  readonly indefinite: (name: string) => string;
  readonly named: string;
  readonly byDefault: string;
  /** The name of a parameter, and what follows it where its value holds since a day. */
  readonly your: string;
  readonly yourSince: string;
  readonly absent: string;
  readonly share: string;
  readonly tier: string;
  readonly rounded: Readonly<Record<Mode, string>>;
  /** Of the modes that depend on the sign, for numbers below 0. */
  readonly roundedBelowZero: Readonly<Record<"up" | "down", string>>;
  readonly total: Readonly<Record<AggregateFunction, string>>;
  readonly valueBy: string;
  readonly earlierSales: readonly [one: string, many: string];
  readonly days: readonly [one: string, many: string];
  readonly group: string;
  readonly chosenBy: string;
  readonly theDate: string;
  readonly salesCounted: string;
  readonly between: Readonly<Record<TimeUnit, string>>;
  readonly betweenCounted: Readonly<Record<TimeUnit, string>>;
  readonly datePart: Readonly<Record<DatePart, string>>;
  readonly datePartOf: string;
  readonly datePartSubject: string;
  readonly subject: string;
  readonly relations: Readonly<Record<Relation, string>>;
  readonly dateRelations: Readonly<Record<Exclude<Relation, "equal" | "not_equal">, string>>;
  /** The limits of a range: the lower one, and the upper one. */
  readonly within: string;
  readonly above: readonly [inclusive: string, exclusive: string];
  readonly below: readonly [inclusive: string, exclusive: string];
  readonly listed: IfTrue;
  readonly matches: Readonly<Record<TextMatch, IfTrue>>;
  readonly given: IfTrue;
  readonly missing: string;
  readonly unlisted: string;
  readonly is: string;
  readonly applies: Of;
  readonly entry: Of;
  readonly tiers: readonly [one: string, many: string];
  readonly after: string;
  readonly upTo: string;
  readonly over: string;
  readonly limit: Readonly<Record<"most" | "least", string>>;
  readonly extreme: Readonly<Record<"lower" | "higher", string>>;
  /** A name and what it stands for: a variable with its calculation, a sentence with its reason. */
  readonly variable: string;
  readonly roundedTo: string;
  readonly whichIs: string;
  /** The first sentence of a commission, and why there is no amount. */
  readonly earned: string;
  readonly version: string;
  readonly since: string;
  readonly nothingEarned: string;
  readonly saleCancelled: string;
  readonly formulaCancelled: string;
  readonly outside: readonly [open: string, ended: string];
  readonly noAmount: string;
  readonly failed: string;
  readonly rule: RuleWords;
  readonly terms: TermsWords;
}

/** The words of a template, with the values in place of the braces. */
export const fill = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);

/** A name of a formula or a schema in words: `order_value` is “order value”. */
export const wordsOf = (name: string): string => name.replaceAll(/[_.-]+/g, " ").trim() || name;
