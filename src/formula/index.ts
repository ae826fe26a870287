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
export type * from "./Expression.ts";
export {
  AGGREGATE_FUNCTIONS,
  ATTRIBUTES,
  CALENDAR_UNITS,
  COMPARISONS,
  DATE_ATTRIBUTES,
  NUMBER_ATTRIBUTES,
  TEXT_MATCHES,
  UPPER_BOUNDS,
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
export { type OperandFunction, operandFunctions } from "./text/OperandFunctions.ts";
export { printText as print } from "./text/Printer.ts";
export { type Parsed, parse, parseFor, TEXT_BYTES_MAX } from "./text/Text.ts";
export { format as formatTextProblem, type TextProblem } from "./text/TextProblem.ts";
export * as Windows from "./Window.ts";
