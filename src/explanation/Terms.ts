/** The terms under which an amount was earned, for a line of a document: a rate on a base, an amount for each, tiers. */
import * as Rational from "../formula/Rational.ts";
import { rationalOf } from "./Context.ts";
import type { Explanation, Figure, Part } from "./Explanation.ts";

/** One tier that contributed: its part of the base, its rate as a fraction of 1, and the amount paid on entering it. */
export interface TierTerms {
  readonly part: string;
  readonly rate: string;
  readonly flat: string;
}

/**
 * The terms of one amount, for readers in any language. Numbers are exact, as a trace shows them; bases and amounts are in
 * the smallest unit of the currency, rates are fractions of 1 (`0.075` is 7.5 %). `other` is a formula without such terms.
 */
export type Terms =
  | { readonly type: "rate"; readonly base: string; readonly rate: string }
  | { readonly type: "each"; readonly quantity: string; readonly amount: string }
  | { readonly type: "fixed"; readonly amount: string }
  | { readonly type: "tiers"; readonly base: string; readonly tiers: ReadonlyArray<TierTerms> }
  | { readonly type: "least" | "most"; readonly amount: string }
  | { readonly type: "sum"; readonly parts: ReadonlyArray<Terms> }
  | { readonly type: "other" };

const OTHER: Terms = { type: "other" };

/** More parts of a sum than these are no terms that a reader takes in at a glance. */
const PARTS_MAX = 3;

const exactOf = ({ figure }: Part): string => String(figure.value);

/** The part that decides the value of another: how a variable was computed, or what was rounded. */
const deciding = (part: Part): Part => {
  if (part.type === "rounded") return deciding(part.of);
  return part.type === "figure" && part.calculation !== undefined ? deciding(part.calculation) : part;
};

/** True if a value is stated by the formula itself, or for the partner by a parameter of it. */
const isStated = ({ source }: Extract<Part, { readonly type: "figure" }>): boolean =>
  source === "literal" || source === "parameter";

type Kind = "rate" | "number" | "other";

/** The part of a factor: a rate, another constant, or what these are applied to. */
const kindOf = (factor: Part): Kind => {
  const part = deciding(factor);
  if (part.type !== "figure") return "other";
  if (part.figure.unit === "share") return "rate";
  if (!isStated(part)) return "other";
  const value = rationalOf(part.figure);
  return value !== null && Rational.compare(value, Rational.ONE) < 0 && Rational.sign(value) > 0
    ? "rate"
    : "number";
};

const product = (factors: ReadonlyArray<Part>): string | null => {
  let result = Rational.ONE;
  for (const { figure } of factors) {
    const factor = rationalOf(figure);
    if (factor === null) return null;
    result = Rational.multiply(result, factor);
  }
  return Rational.format(result);
};

const times = (exact: string, factor: Rational.Rational): string => {
  const value = Rational.parse(exact);
  return value === null ? exact : Rational.format(Rational.multiply(value, factor));
};

/** The limit among the factors of a fixed amount. */
const limitOf = (factors: ReadonlyArray<Part>): "most" | "least" | undefined =>
  factors
    .flatMap((factor) => [factor, deciding(factor)])
    .map((factor) => (factor.type === "figure" ? factor.limit : undefined))
    .find((limit) => limit !== undefined);

/**
 * The terms of a commission in another unit, such as cents for euros: the base and the fixed amounts of its tiers times the
 * factor, at the same rates. Null for terms that are no rate and no tiers, and for an amount that is its own base.
 */
const scaleTerms = (terms: Terms, factor: Rational.Rational): Terms | null => {
  if (terms.type !== "tiers" && (terms.type !== "rate" || terms.rate === "1")) return null;
  const base = times(terms.base, factor);
  if (terms.type === "rate") return { type: "rate", base, rate: terms.rate };
  const tiers = terms.tiers.map(({ part, rate, flat }) => ({
    ...{ part: times(part, factor), rate, flat: times(flat, factor) },
  }));
  return { type: "tiers", base, tiers };
};

/** The terms of the parts that were looked at so far: a named value may be used many times. */
type Known = Map<Part, Terms>;

/** A product has terms when it has one rate and something else, constants alone, or one quantity and constants. */
const termsOfProduct = (factors: ReadonlyArray<Part>, known: Known): Terms => {
  const ofKind = (...kinds: ReadonlyArray<Kind>): ReadonlyArray<Part> =>
    factors.filter((factor) => kinds.includes(kindOf(factor)));
  const [rates, quantities, constants] = [ofKind("rate"), ofKind("other"), ofKind("rate", "number")];
  const [rate, ...otherRates] = rates;
  const [quantity, ...otherQuantities] = quantities;
  if (quantity === undefined && rates.every(({ figure }) => figure.unit !== "share")) {
    const amount = product(factors);
    return amount === null ? OTHER : { type: limitOf(factors) ?? "fixed", amount };
  }
  if (rate !== undefined && otherRates.length === 0) {
    const base = product(factors.filter((factor) => factor !== rate));
    return base === null ? OTHER : { type: "rate", base, rate: exactOf(rate) };
  }
  const amount = product(constants);
  if (quantity === undefined || otherQuantities.length + rates.length > 0 || constants.length === 0)
    return OTHER;
  if (amount === null || rationalOf(quantity.figure) === null) return OTHER;
  if (quantity.figure.unit === "money") return { type: "rate", base: exactOf(quantity), rate: amount };
  const factor = Rational.parse(amount);
  const scaled = factor === null ? null : scaleTerms(termsOfPart(quantity, known), factor);
  return scaled ?? { type: "each", quantity: exactOf(quantity), amount };
};

/** A sum has terms when each part has. */
const termsOfSum = (terms: ReadonlyArray<Part>, known: Known): Terms => {
  const parts = terms.map((part) => termsOfPart(part, known));
  return parts.length > PARTS_MAX || parts.some(({ type }) => type === "other" || type === "sum")
    ? OTHER
    : { type: "sum", parts };
};

const termsOfValue = (part: Extract<Part, { readonly type: "figure" }>): Terms => {
  if (rationalOf(part.figure) === null) return OTHER;
  if (part.source === "fact") return { type: "rate", base: exactOf(part), rate: "1" };
  return isStated(part) || part.figure.value === "0" ? { type: "fixed", amount: exactOf(part) } : OTHER;
};

const find = (outer: Part, known: Known): Terms => {
  const part = deciding(outer);
  if (outer.type === "figure" && outer.limit !== undefined && part.type === "figure")
    if (isStated(part)) return { type: outer.limit, amount: exactOf(part) };
  switch (part.type) {
    case "figure":
      return part === outer || part.limit === undefined ? termsOfValue(part) : termsOfPart(part, known);
    case "product":
      return termsOfProduct([...part.rates, ...part.factors], known);
    case "sum":
      return termsOfSum(part.terms, known);
    case "tiers": {
      const exact = ({ value }: Figure): string => String(value);
      const tiers = part.tiers.map(({ part: its, rate, flat }) => ({
        ...{ part: exact(its), rate: exact(rate), flat: exact(flat) },
      }));
      return {
        ...{ type: "tiers", base: exact(part.base) },
        tiers: tiers.filter(({ part: its, flat }) => its !== "0" || flat !== "0"),
      };
    }
    default:
      return OTHER;
  }
};

const termsOfPart = (part: Part, known: Known): Terms => {
  const terms = known.get(part) ?? find(part, known);
  known.set(part, terms);
  return terms;
};

/** The terms of an amount. */
export const termsOf = (explanation: Explanation | null): Terms =>
  explanation === null ? OTHER : termsOfPart(explanation.calculation, new Map());
