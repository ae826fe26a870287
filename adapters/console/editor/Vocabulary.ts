/** The words of the language with their meanings, for completion and for whoever points at one. */
import {
  ATTRIBUTES,
  type Attribute,
  operandFunctions,
  type ParameterDefinition,
  type PropertyDefinition,
  print,
} from "quittance/formula";

/** A word or a name that may stand in a formula. */
export interface Entry {
  /** As it is written: `amount`, `[order total]`, `sale.occurred_at`, `tiers`. */
  readonly word: string;
  readonly meaning: string;
  /** What completion inserts instead of the word; `#{…}` are the places to fill in. */
  readonly snippet?: string;
  /** True if completion offers it; the others are parts of the forms of others. */
  readonly isOffered: boolean;
}

/** The forms that completion offers besides the functions of operands: what they mean, and their parts. */
const FORMS: Readonly<Record<string, readonly [meaning: string, snippet: string]>> = {
  if: ["one value where a condition holds, else another", "if #{condition} then #{12 %} else #{10 %}"],
  choose: ["the value of the row that is equal", 'choose #{category} { "#{books}": #{5 %}; else: #{3 %} }'],
  tiers: [
    "a rate for each part of an amount that lies in a tier",
    "tiers(#{amount}) { up to #{1000}: #{5 %}; else: #{7 %} }",
  ],
  bands: [
    "the value of the step that an amount reaches",
    "bands(#{amount}) { up to #{1000}: #{5 %}; else: #{7 %} }",
  ],
  round: [
    "a number rounded to whole units, or to multiples of a number",
    "round(#{amount}, #{half even}, to #{5})",
  ],
  sum: ["the sum over the partner's earlier sales", "(sum of #{amount} earlier this #{month})"],
  count: ["the number of the partner's earlier sales", "(count earlier this #{month})"],
  least: ["the least value among the partner's earlier sales", "(least of #{amount} earlier this #{month})"],
  greatest: [
    "the greatest value among the partner's earlier sales",
    "(greatest of #{amount} earlier this #{month})",
  ],
  months: ["complete months between two dates", "months from #{date} to #{sale.occurred_on}"],
  days: ["complete days between two dates", "days from #{date} to #{sale.occurred_on}"],
  years: ["complete years between two dates", "years from #{date} to #{sale.occurred_on}"],
  weekday: ["the day of the week of a date: Monday is 1", "weekday of #{sale.occurred_on}"],
  month: ["the calendar month: of a date, or of the sales that are added up", "month of #{sale.occurred_on}"],
};

/** The other words. */
const WORDS: Readonly<Record<string, string>> = {
  of: "10 % of amount is amount * 10 %; sum of amount adds amounts up",
  then: "the value where the condition before it holds",
  else: "the value where nothing before it holds",
  and: "both conditions hold",
  or: "at least one condition holds",
  not: "the condition after it does not hold",
  in: 'one of several values: country in ("DE", "AT")',
  is: "is present: the sale has a value of its own",
  present: "is present: the sale has a value of its own",
  starts: 'a text begins so: sku starts with "PRO-"',
  ends: "a text ends so",
  contains: "a text has this in it",
  with: "starts with, ends with: how a text is compared",
  true: "yes",
  false: "no",
  bp: "hundredths of a percent: 250 bp is 2.5 %",
  from: "the first of two dates, or the month in which a year begins",
  to: "the second of two dates, or the upper limit of a tier",
  up: "up to: the upper limit of a tier, which belongs to it",
  below: "the upper limit of a band, which does not belong to it",
  after: "what was counted before, so that tiers continue from there",
  plus: "an amount that is added as soon as a tier is entered",
  earlier: "of the same partner's confirmed sales that were recorded before this one",
  by: "only sales with the same value of a property: by customer",
  where: "only sales for which a condition holds",
  this: "the calendar month, quarter or year of the sale",
  since: "this year since plan.start_date: the year that begins on an anniversary of the date",
  ever: "without a limit in time",
  last: "in the last 30 days: the day of the sale and those before it",
  quarter: "the calendar quarter: of a date, or of the sales that are added up",
  year: "the calendar year: of a date, or of the sales that are added up",
  day: "the day of the month of a date",
  inclusive: "a value equal to the limit still belongs to the band",
  exclusive: "a value equal to the limit belongs to the next band",
  add: "a sum of a single number",
  multiply: "a product of a single number",
  all: "a condition by itself",
  any: "a condition by itself",
  first: "a value by itself, which may be missing",
  half: "how halves are rounded: half up, half down, half even",
  even: "half even: halves go to the even neighbour",
  down: "towards zero",
  floor: "to the lower neighbour",
  ceiling: "to the higher neighbour",
  sale: "facts that every sale has: sale.occurred_at",
};

const ATTRIBUTE_MEANINGS: { readonly [A in Attribute]: string } = {
  id: "the id of the sale",
  partner_id: "the id of the partner",
  customer_id: "the id of your company",
  workspace_id: "the id of the workspace",
  schema_id: "the id of the sale's schema",
  agent_id: "the agent that the sale names; may be missing",
  created_at: "when the sale was recorded",
  occurred_at: "when the sale happened",
  occurred_on: "the calendar day that the sale counts for",
  credit_role: "the partner's role in the sale: seller, where nobody else earns from it",
  credit_share:
    "the partner's part of the sale, from 0 to 1; the plan then pays by itself what the part is worth",
  credit_depth: "how far above the seller the partner stands; 0 for whom the sale names",
  sellers_commission:
    "what the sellers below the partner earn from the sale, in the smallest unit; for plans that pay no sellers",
};

const FORMAT_MEANINGS: Readonly<Record<NonNullable<PropertyDefinition["format"]>, string>> = {
  money_minor: "money, in the smallest unit of the currency",
  money_major: "money, in whole units of the currency",
  count: "a number of things",
  percent: "a percentage: 7.5 is 7.5 %",
  plain: "a number, without a declared unit",
};

const TYPE_MEANINGS = { string: "a text", boolean: "yes or no" } as const;

/** What a property is, in words. */
export const meaningOf = ({
  type,
  format = "plain",
  required,
  default: byDefault,
}: PropertyDefinition): string => {
  const what = type === "number" ? FORMAT_MEANINGS[format] : TYPE_MEANINGS[type];
  if (byDefault !== undefined) return `${what}; ${JSON.stringify(byDefault)} where a sale does not say`;
  return required ? what : `${what}; may be missing`;
};

const LANGUAGE: ReadonlyArray<Entry> = [
  ...Object.entries(FORMS).map(([word, [meaning, snippet]]) => ({ word, meaning, snippet, isOffered: true })),
  ...operandFunctions().map(({ name, meaning, takesSeveral }) => ({
    word: name,
    // A sentence of the language becomes a remark beside a word.
    meaning: `${meaning.charAt(0).toLowerCase()}${meaning.slice(1, -1)}`,
    snippet: `${name}(${takesSeveral ? "#{amount}, #{1000}" : "#{value}"})`,
    isOffered: true,
  })),
  ...Object.entries(WORDS).map(([word, meaning]) => ({ word, meaning, isOffered: false })),
  ...ATTRIBUTES.map((name) => ({
    word: `sale.${name}`,
    meaning: ATTRIBUTE_MEANINGS[name],
    isOffered: true,
  })),
];

const PARAMETER_TYPES = { ...TYPE_MEANINGS, date: "a date" } as const;

/** What a parameter is, in words. */
const parameterMeaning = ({ type, format = "plain", default: standard }: ParameterDefinition): string => {
  const what = type === "number" ? FORMAT_MEANINGS[format] : PARAMETER_TYPES[type];
  const rest = standard === undefined ? "" : `; ${JSON.stringify(standard)} without one`;
  return `the partner's own value: ${what}${rest}`;
};

/** Everything that may stand in a formula for sales with these properties, the properties and parameters first. */
export const vocabularyOf = ({
  properties,
  parameters = [],
}: {
  readonly properties: ReadonlyArray<PropertyDefinition>;
  readonly parameters?: ReadonlyArray<ParameterDefinition>;
}): ReadonlyArray<Entry> => [
  ...properties.map((property) => ({
    word: print({ type: "property", name: property.name }),
    meaning: meaningOf(property),
    isOffered: true,
  })),
  ...parameters.map((parameter) => ({
    word: print({ type: "parameter", name: parameter.name }),
    meaning: parameterMeaning(parameter),
    isOffered: true,
  })),
  ...LANGUAGE,
];
