/** The rule of a formula: the model of how any sale is paid, without a trace. */
import * as Constant from "../formula/Constant.ts";
import { rowCondition } from "../formula/Credit.ts";
import type { Aggregate, Band, Case, Expression, Graduated, Lookup, Value } from "../formula/Expression.ts";
import * as Rational from "../formula/Rational.ts";
import { show } from "../formula/Recorder.ts";
import { at, bindingsOf, is, resultOf, type Step, type StepOf } from "../formula/Step.ts";
import { parameter, product } from "./Arithmetic.ts";
import { build as buildAmount } from "./Build.ts";
import {
  type Context,
  comparedUnit,
  figureOf,
  figurePart,
  GIVEN,
  NUMBER,
  nameOf,
  numberFigure,
  type Unit,
  unitIn,
  unitOf,
} from "./Context.ts";
import type { Fact, Figure, Part, Rule, Subject } from "./Explanation.ts";
import { isDate, RELATIONS } from "./Facts.ts";
import * as Measure from "./Measure.ts";
import { type Declared, ruleStepsOf } from "./RuleSteps.ts";

/** What the parts of one rule share while it is built. */
interface RuleContext extends Context {
  readonly nodeOf: (step: Step) => Expression;
  readonly ruleFactOf: (step: Step, isTrue: boolean) => Fact;
  readonly rowsOf: (expression: Expression) => RuleContext & { readonly row: Step };
  readonly used: Set<Step>;
  readonly definitions: Array<Rule["definitions"][number]>;
  readonly seen: { earlierSales: boolean };
}

const NO_FIGURE: Figure = { value: null, unit: "text" };

/** Each step in an operand's place exists, because the rule has all of them. */
const inner = (step: Step, place: string): Step => at(step, place) ?? step;

const namedPart = (step: Step, of: "sale" | "formula" | "partner" = "sale"): Part => ({
  ...{ type: "named", figure: NO_FIGURE, name: nameOf(step), of },
});

/** A value in a list or a threshold, as a figure. */
const valueFigure = (value: Value, unit: Unit): Figure => {
  const shown = show(Constant.fromValue(value));
  if (value.type === "date") return { value: shown, unit: "date" };
  if (typeof value.value !== "number") return { value: shown, unit: "text" };
  const isRate = value.type === "percent" || value.type === "basis_points";
  return numberFigure(String(shown), isRate ? { type: "share", exponent: 0 } : unit);
};

const yesOrNo = (value: boolean): Figure => ({ value, unit: "text" });

const calculated = (part: Part): Subject => ({ type: "calculated", part });

/** A variable: its value where that is written, else its name, which a definition explains. */
const variablePart = (context: RuleContext, step: StepOf<"variable">, unit: Unit): Part => {
  const value = context.boundValueOf(step);
  if (value === undefined) return namedPart(step, "formula");
  if (is(value, "literal")) {
    const own = Measure.isRateLiteral(value) ? unitOf(context, value) : unit;
    return figurePart(figureOf(value, own), "variable", nameOf(step));
  }
  context.used.add(value);
  return namedPart(step, "formula");
};

/**
 * A product, whose fixed amount is money where the product is: without a value, nothing else says that 100 for each unit are
 * 100 cents.
 */
const productPart = (context: RuleContext, step: Step, unit: Unit): Part => {
  const part = product(context, step, unit);
  const hasMoney = step.inner.some((candidate) => context.measureOf(candidate).type === "money");
  if (part.type !== "product" || unit.type !== "money" || hasMoney) return part;
  const amount = part.factors.find((factor) => factor.type === "figure" && factor.source === "literal");
  const factors = part.factors.map((factor) =>
    factor === amount ? figurePart(numberFigure(String(factor.figure.value), unit), "literal") : factor,
  );
  return { ...part, factors };
};

/** A limit where one operand is written or agreed, else the lower or higher of the operands. */
const limitPart = (context: RuleContext, step: Step, unit: Unit): Part => {
  const isMin = is(step, "min");
  const parts = step.inner.map((item) => context.partOf(item, unit));
  const bounds = step.inner.filter((candidate) => is(candidate, "literal") || is(candidate, "parameter"));
  const [bound] = bounds;
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  const extreme = (of: ReadonlyArray<Part>): Part => ({
    ...{ type: "extreme", figure: NO_FIGURE, extreme: isMin ? "lower" : "higher", of },
  });
  if (bound === undefined || bounds.length > 1) return extreme(parts);
  const others = step.inner
    .filter((candidate) => candidate !== bound)
    .map((item) => context.partOf(item, unit));
  const [other] = others;
  return {
    type: "limited",
    figure: NO_FIGURE,
    limit: isMin ? "most" : "least",
    of: others.length === 1 && other !== undefined ? other : extreme(others),
    bound: context.partOf(bound, unit),
  };
};

/** The upper limits of bands or tiers, by their places; null where there is none. */
const limitsOf =
  (steps: ReadonlyArray<{ readonly up_to?: Value }>, unit: Unit) =>
  (index: number): Figure | null => {
    const limit = steps[index]?.up_to;
    return limit === undefined ? null : valueFigure(limit, unit);
  };

const bandPart = (context: RuleContext, step: Step, node: Band, unit: Unit): Part => {
  const input = inner(step, "input");
  const own = unitOf(context, input);
  const subject = calculated(context.partOf(input, own));
  const limitOf = limitsOf(node.bands, own);
  const cases = node.bands.map((_, index) => {
    const [from, to] = [limitOf(index - 1), limitOf(index)];
    const isUpperInclusive = node.upper_bound !== "exclusive";
    const when: Fact | null =
      from === null && to === null ? null : { type: "within", subject, from, to, isUpperInclusive };
    return { when, value: context.partOf(inner(step, `bands.${index}.value`), unit) };
  });
  return { type: "cases", figure: NO_FIGURE, cases };
};

const scalePart = (context: RuleContext, step: Step, node: Graduated, unit: Unit): Part => {
  const amount = inner(step, "amount");
  const own = unit.type === "given" ? GIVEN : unitOf(context, amount);
  const base: Unit = own.type === "share" && own.exponent === 0 ? NUMBER : own;
  const offset = at(step, "offset");
  const limitOf = limitsOf(node.tiers, base);
  return {
    type: "scale",
    figure: NO_FIGURE,
    base: context.partOf(amount, base),
    after: offset === undefined ? null : context.partOf(offset, base),
    tiers: node.tiers.map((_, index) => {
      const flat = at(step, `tiers.${index}.flat`);
      return {
        ...{ from: limitOf(index - 1), to: limitOf(index) },
        rate: context.partOf(inner(step, `tiers.${index}.rate`), NUMBER),
        flat: flat === undefined || flat.entry.value === "0" ? null : context.partOf(flat, unit),
      };
    }),
  };
};

const casePart = (context: RuleContext, step: Step, node: Case, unit: Unit): Part => ({
  type: "cases",
  figure: NO_FIGURE,
  cases: [
    ...node.branches.map((_, index) => ({
      when: context.ruleFactOf(inner(step, `branches.${index}.when`), true),
      value: context.partOf(inner(step, `branches.${index}.then`), unit),
    })),
    { when: null, value: context.partOf(inner(step, "else"), unit) },
  ],
});

const oneOf = (subject: Subject, values: ReadonlyArray<Figure>, isTrue: boolean): Fact => ({
  ...{ type: "one_of", subject, values, isTrue },
});

/** The entries with one value are one case. */
const lookupPart = (context: RuleContext, step: Step, node: Lookup, unit: Unit): Part => {
  const key = inner(step, "key");
  const own = unitOf(context, key);
  const subject = calculated(context.partOf(key, own));
  const keysByValue = new Map<string, { readonly index: number; readonly keys: Array<Figure> }>();
  for (const [index, entry] of node.entries.entries()) {
    const value = JSON.stringify(entry.value);
    const known = keysByValue.get(value) ?? { index, keys: [] };
    known.keys.push(valueFigure(entry.key, own));
    keysByValue.set(value, known);
  }
  return {
    type: "cases",
    figure: NO_FIGURE,
    cases: [
      ...[...keysByValue.values()].map(({ index, keys }) => ({
        when: oneOf(subject, keys, true),
        value: context.partOf(inner(step, `entries.${index}.value`), unit),
      })),
      { when: null, value: context.partOf(inner(step, "default"), unit) },
    ],
  };
};

const earlierPart = (context: RuleContext, node: Aggregate, unit: Unit): Part => {
  context.seen.earlierSales = true;
  const inRows = <Read>(expression: Expression | undefined, read: (rows: RuleContext, row: Step) => Read) => {
    if (expression === undefined) return null;
    const rows = context.rowsOf(expression);
    return read(rows, rows.row);
  };
  return {
    type: "earlier",
    figure: NO_FIGURE,
    function: node.function,
    of: inRows(node.value, (rows, row) => rows.partOf(row, unit)),
    window: node.window,
    anniversary:
      node.window.type === "anniversary"
        ? inRows({ type: "parameter", name: node.window.of }, (rows, row) => rows.partOf(row, NUMBER))
        : null,
    groups: node.group_by ?? [],
    where: inRows(rowCondition(node), (rows, row) => rows.ruleFactOf(row, true)),
  };
};

/** The body of a `let`; the definitions of the variables that it uses follow it. */
const letPart = (context: RuleContext, step: StepOf<"let">, unit: Unit): Part => {
  const result = context.partOf(resultOf(step) ?? step, unit);
  // From the last to the first: each may use those before it.
  for (const { name, value } of bindingsOf(step).toReversed())
    if (context.used.has(value))
      context.definitions.push({ name, value: context.partOf(value, unitOf(context, value)) });
  return result;
};

const ONE = Rational.format(Rational.ONE);

const build = (context: RuleContext, step: Step, unit: Unit): Part => {
  const node = context.nodeOf(step);
  const operand = (place = "operand", own: Unit = unit): Part => context.partOf(inner(step, place), own);
  switch (node.type) {
    case "property":
    case "attribute":
      return namedPart(step);
    case "parameter":
      return step.entry.value === null
        ? namedPart(step, "partner")
        : parameter(step as StepOf<"parameter">, unit);
    case "variable":
      return variablePart(context, step as StepOf<"variable">, unit);
    case "let":
      return letPart(context, step as StepOf<"let">, unit);
    case "multiply":
      return productPart(context, step, unit);
    case "min":
    case "max":
      return limitPart(context, step, unit);
    case "round": {
      const increment =
        node.increment === undefined ? numberFigure(ONE, unit) : valueFigure(node.increment, unit);
      return { type: "multiple", figure: NO_FIGURE, of: operand(), mode: node.mode, increment };
    }
    case "band":
      return bandPart(context, step, node, unit);
    case "graduated":
      return scalePart(context, step, node, unit);
    case "case":
      return casePart(context, step, node, unit);
    case "lookup":
      return lookupPart(context, step, node, unit);
    case "coalesce":
      return {
        ...{ type: "first", figure: NO_FIGURE },
        of: step.inner.map((item) => context.partOf(item, unit)),
      };
    case "parse_date":
      return operand();
    case "date_part":
      return { type: "date_part", figure: NO_FIGURE, part: node.part, of: operand("operand", NUMBER) };
    case "date_difference": {
      const between = { unit: node.unit, from: operand("from", NUMBER), to: operand("to", NUMBER) };
      return { type: "between", figure: NO_FIGURE, between };
    }
    case "aggregate":
      return earlierPart(context, node, unit);
    default:
      // Written alike before a sale and of one; `buildAmount` states every kind.
      return buildAmount(context, step, unit);
  }
};

/** A condition of a rule, or its opposite. */
const ruleFactOf = (context: RuleContext, step: Step, isTrue: boolean): Fact => {
  const node = context.nodeOf(step);
  const subject = (place = "operand", unit: Unit = NUMBER): Subject =>
    calculated(context.partOf(inner(step, place), unit));
  switch (node.type) {
    case "compare": {
      const [left, right] = [inner(step, "left"), inner(step, "right")];
      const unit = comparedUnit(context, left, right);
      return {
        type: "compared",
        left: subject("left", unit(left)),
        relation: RELATIONS[node.operator][isTrue ? 0 : 1],
        right: subject("right", unit(right)),
        areDates: isDate(context, left) || isDate(context, right),
      };
    }
    case "and":
    case "or": {
      const facts = step.inner.map((item) => context.ruleFactOf(item, isTrue));
      const [only] = facts;
      if (facts.length === 1 && only !== undefined) return only;
      return { type: (node.type === "and") === isTrue ? "all" : "any", facts };
    }
    case "not":
      return context.ruleFactOf(inner(step, "operand"), !isTrue);
    case "in": {
      const own = unitOf(context, inner(step, "operand"));
      return oneOf(
        subject("operand", own),
        node.values.map((value) => valueFigure(value, own)),
        isTrue,
      );
    }
    case "text_match":
      return { type: "matches", subject: subject(), operator: node.operator, isTrue, text: node.text };
    case "is_present":
      return { type: "given", name: nameOf(inner(step, "operand")), isTrue };
    case "property":
    case "parameter":
    case "variable": {
      if (node.type === "variable") context.partOf(step, NUMBER);
      const value = yesOrNo(step.entry.value === true);
      const yours = node.type === "parameter" ? { yours: step.entry.value === null ? null : value } : {};
      return { type: "is", name: nameOf(step), figure: yesOrNo(isTrue), ...yours };
    }
    default:
      return oneOf(calculated(context.partOf(step, NUMBER)), [yesOrNo(isTrue)], true);
  }
};

const contextOf = (
  expression: Expression,
  declared: Declared,
  decimals: number,
  shared: Pick<RuleContext, "used" | "definitions" | "seen">,
): { readonly context: RuleContext; readonly root: Step } => {
  const { root, nodeOf } = ruleStepsOf(expression, declared);
  const measures = Measure.make(root, decimals);
  const context: RuleContext = {
    ...measures,
    ...shared,
    uses: new Map(),
    reasons: [],
    nodeOf: (step) => nodeOf.get(step) ?? expression,
    partOf: (step, unit) => build(context, step, unitIn(measures, step, unit)),
    ruleFactOf: (step, isTrue) => ruleFactOf(context, step, isTrue),
    factOf: (step) => ruleFactOf(context, step, true),
    subjectOf: (step, unit) => calculated(context.partOf(step, unit)),
    rowsOf: (rows) => {
      const { context: inRows, root: around } = contextOf(rows, declared, decimals, shared);
      return { ...inRows, row: around.inner[0] ?? around };
    },
  };
  return { context, root };
};

/** True if a rule ends in a rounding to whole units, so that the final one changes nothing. */
const isRounded = (expression: Expression): boolean => {
  if (expression.type === "let") return isRounded(expression.body);
  if (expression.type !== "round") return false;
  const { increment } = expression;
  return increment === undefined || Constant.toRational(increment).denominator === 1n;
};

/**
 * The rule of an expression that was checked against these declarations, in a currency with so many decimals. Numbers whose
 * unit is declared are money and shares, as in the explanation of an amount, and a result that is written is an amount.
 */
export const ruleOf = (expression: Expression, declared: Declared, decimals: number): Rule => {
  const shared = { used: new Set<Step>(), definitions: [], seen: { earlierSales: false } };
  const { context, root } = contextOf(expression, declared, decimals, shared);
  const measure = context.measureOf(root);
  const isMoney = measure.type === "fixed" || (measure.type === "money" && measure.exponent === 0);
  const unit: Unit = isMoney ? { type: "money", exponent: 0 } : Measure.isDeclared(measure) ? GIVEN : NUMBER;
  const calculation = context.partOf(root.inner[0] ?? root, unit);
  return {
    ...{ calculation, definitions: shared.definitions, isMoney },
    isRounded: isRounded(expression),
    readsEarlierSales: shared.seen.earlierSales,
  };
};
