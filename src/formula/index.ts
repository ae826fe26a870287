/**
 * The commission formula language by itself: read an expression, check it against the properties of an attribution
 * schema, compile it, evaluate it to an exact integer amount, and explain how the amount was computed. It needs
 * `effect` alone and runs in a browser.
 */
export {
  addArrival,
  contribution,
  emptyTotals,
  groupKey,
  type RunningAggregate,
  totalsBefore,
} from "./Aggregate.ts";
export type { Before } from "./Before.ts";
export { parse as parseDateTime } from "./Calendar.ts";
export { type Checked, check } from "./Check.ts";
export { type Compiled, compile, type EvaluationError, evaluate } from "./Compile.ts";
export {
  type Credit,
  creditOf,
  DEPTH_MAX,
  parseShare,
  readsSellers,
  readsShare,
  SELLER,
  WHOLE,
} from "./Credit.ts";
export {
  type Decimal,
  formatUnits,
  fromNumber as exactDecimal,
  fromProperty as decimalOf,
  isPropertyNumber,
  MAGNITUDE_MAX,
  PROPERTY_DECIMALS_MAX,
} from "./Decimal.ts";
export { decode } from "./Decode.ts";
export { type Explanation, explain } from "./Explanation.ts";
export {
  type Add,
  AGGREGATE_FUNCTIONS,
  type Aggregate,
  type AggregateFunction,
  type And,
  type AnniversaryWindow,
  ATTRIBUTES,
  type Attribute,
  type AttributeReference,
  type Band,
  type BandStep,
  type BasisPointsValue,
  type Binding,
  type BooleanValue,
  type Branch,
  CALENDAR_UNITS,
  type CalendarUnit,
  type CalendarWindow,
  type Case,
  COMPARISONS,
  type Coalesce,
  type Compare,
  type Comparison,
  DATE_ATTRIBUTES,
  type DateDifference,
  type DatePart,
  type DateValue,
  type Divide,
  type Entry,
  type Expression,
  type Graduated,
  type In,
  type IsPresent,
  type Kind,
  type Let,
  type LifetimeWindow,
  type Literal,
  type Lookup,
  type Max,
  type Min,
  type Multiply,
  type Node,
  type Not,
  NUMBER_ATTRIBUTES,
  type NumberValue,
  type NumericValue,
  type Or,
  type ParameterReference,
  type ParseDate,
  type PercentValue,
  type PropertyReference,
  type RollingWindow,
  type Round,
  type StringValue,
  type Subtract,
  TEXT_MATCHES,
  type TextMatch,
  type TextMatching,
  type Tier,
  UPPER_BOUNDS,
  type UpperBound,
  type Value,
  type Variable,
  type Window,
} from "./Expression.ts";
export * as Limits from "./Limits.ts";
export {
  IDENTIFIER as PARAMETER_NAME,
  PARAMETER_TYPES,
  type ParameterDefinition,
  type ParameterType,
  parameterProblem,
  parametersOf,
} from "./Parameter.ts";
export { format as formatProblem, type Problem } from "./Problem.ts";
export {
  type Facts,
  FactsMismatch,
  FORMATS,
  type Format,
  type ParameterInForce,
  type ParametersInForce,
  type ParameterValue,
  type PropertyDefinition,
  type PropertyValue,
} from "./Property.ts";
export * as Rational from "./Rational.ts";
export {
  addToTotal,
  combineTotals,
  emptyTotal,
  type RunningTotal,
  subtractFromTotal,
} from "./RunningTotal.ts";
export type { Details, Entry as TraceEntry, RoundingDetail, Shown, TierDetail, Trace } from "./Trace.ts";
export { type Token, tokenize } from "./text/Lexer.ts";
export { printText as print } from "./text/Printer.ts";
export { type Parsed, parse, parseFor, TEXT_BYTES_MAX } from "./text/Text.ts";
export { format as formatTextProblem, type TextProblem } from "./text/TextProblem.ts";
export * as Windows from "./Window.ts";
