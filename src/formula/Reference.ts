import * as Calendar from "./Calendar.ts";
import type { Checked } from "./Check.ts";
import * as Constant from "./Constant.ts";
import type { Expression, Node, Tier } from "./Expression.ts";
import {
  attributeValue,
  givenProperty,
  outOfType,
  parameterInForce,
  parameterValue,
  propertyValue,
  type Value,
} from "./FactValue.ts";
import type { ParameterDefinition } from "./Parameter.ts";
import * as Predicate from "./Predicate.ts";
import type { Facts, PropertyDefinition } from "./Property.ts";
import * as Rational from "./Rational.ts";
import * as Recorder from "./Recorder.ts";
import * as Rounding from "./Rounding.ts";
import * as Tiers from "./Tiers.ts";
import type { TierDetail } from "./Trace.ts";
import * as Window from "./Window.ts";

/** What an aggregate finds: how many rows, and its value, absent for min and max without a row. */
export type Found = { readonly rows: number; readonly total: Rational.Rational | undefined };

/** Finds the rows of an aggregate of the formula. */
export type Find = (node: Node<"aggregate">) => Found;

type Scope = {
  readonly facts: Facts;
  readonly properties: ReadonlyMap<string, PropertyDefinition>;
  readonly parameters: ReadonlyMap<string, ParameterDefinition>;
  readonly variables: ReadonlyMap<string, Value>;
  readonly recorder: Recorder.Recorder | undefined;
  readonly find: Find;
};

const show = Recorder.show;

/** Evaluates a node inside another; `step` is its place there, such as `left` or `operands.1`. */
const visit = (node: Expression, step: string, scope: Scope): Value => {
  if (scope.recorder === undefined) return interpret(node, scope);
  scope.recorder.enter(node.type, step);
  const value = interpret(node, scope);
  scope.recorder.leave(show(value));
  return value;
};

const number = (node: Expression, step: string, scope: Scope): Rational.Rational => {
  const value = visit(node, step, scope);
  return value !== undefined && Constant.isRational(value) ? value : outOfType("a number");
};

const truth = (node: Expression, step: string, scope: Scope): boolean => {
  const value = visit(node, step, scope);
  return typeof value === "boolean" ? value : outOfType("true or false");
};

const text = (node: Expression, step: string, scope: Scope): string => {
  const value = visit(node, step, scope);
  return typeof value === "string" ? value : outOfType("a text");
};

const moment = (node: Expression, step: string, scope: Scope): Calendar.EpochMilliseconds => {
  const value = visit(node, step, scope);
  return value !== undefined && Constant.isMoment(value) ? value.epochMilliseconds : outOfType("a date");
};

const constant = (node: Expression, step: string, scope: Scope): Constant.Constant =>
  visit(node, step, scope) ?? outOfType("a value");

const numbers = (nodes: ReadonlyArray<Expression>, scope: Scope): ReadonlyArray<Rational.Rational> =>
  nodes.map((node, index) => number(node, `operands.${index}`, scope));

const integer = (value: number): Rational.Rational => Rational.make(BigInt(value));

const property = (node: Node<"property">, scope: Scope): Value => {
  const definition = scope.properties.get(node.name);
  const given = givenProperty(node.name, scope.facts);
  const value = given ?? definition?.default;
  scope.recorder?.note("property", {
    name: node.name,
    raw: typeof given === "number" ? given + 0 : (given ?? null),
    default_used: given === undefined && value !== undefined,
    ...Recorder.declaredFormat(definition),
  });
  return propertyValue(node.name, value, definition);
};

const parameter = ({ name }: Node<"parameter">, scope: Scope): Value => {
  const definition = scope.parameters.get(name);
  const inForce = parameterInForce(name, scope.facts);
  scope.recorder?.note("parameter", Recorder.parameter(name, inForce, definition));
  return parameterValue(inForce, definition);
};

const bind = (node: Node<"let">, scope: Scope): Value => {
  const variables = new Map(scope.variables);
  const inside = { ...scope, variables };
  for (const [index, { name, value }] of node.bindings.entries())
    variables.set(name, visit(value, `bindings.${index}.value`, inside));
  scope.recorder?.note("let", {
    bindings: node.bindings.map(({ name }) => ({ name, value: show(variables.get(name)) })),
  });
  return visit(node.body, "body", inside);
};

/** The least (`wanted` = -1) or the greatest (1) of the operands. */
const extreme = (
  type: "min" | "max",
  nodes: ReadonlyArray<Expression>,
  wanted: -1 | 1,
  scope: Scope,
): Value => {
  const values = numbers(nodes, scope);
  let best = 0;
  for (const [index, value] of values.entries())
    if (Rational.compare(value, values[best] ?? value) === wanted) best = index;
  scope.recorder?.note(type, { index: best });
  return values[best];
};

const round = (node: Node<"round">, scope: Scope): Value => {
  const before = number(node.operand, "operand", scope);
  const increment = node.increment === undefined ? Rational.ONE : Constant.toRational(node.increment);
  const after = Rounding.toIncrement(before, node.mode, increment);
  scope.recorder?.note("round", Recorder.roundingDetail(before, node.mode, increment, after));
  return after;
};

const band = (node: Node<"band">, scope: Scope): Value => {
  const input = number(node.input, "input", scope);
  const upperBound = node.upper_bound ?? "inclusive";
  const limits = node.bands.map(({ up_to }) =>
    up_to === undefined ? undefined : Constant.toRational(up_to),
  );
  const found = limits.findIndex((limit) => {
    if (limit === undefined) return true;
    const order = Rational.compare(input, limit);
    return order < 0 || (order === 0 && upperBound === "inclusive");
  });
  scope.recorder?.note("band", {
    index: found,
    upper_bound: upperBound,
    from: Recorder.showLimit(limits[found - 1]),
    up_to: Recorder.showLimit(limits[found]),
  });
  const chosen = node.bands[found];
  return chosen === undefined ? outOfType("a band") : visit(chosen.value, `bands.${found}.value`, scope);
};

/** One tier's share of G(end) - G(start); `undefined` when the way from start to end does not touch the tier. */
const tierShare = (
  tier: Tier,
  index: number,
  lower: Rational.Rational,
  ends: { readonly start: Rational.Rational; readonly end: Rational.Rational },
  scope: Scope,
): { readonly amount: Rational.Rational; readonly detail: () => TierDetail } | undefined => {
  const upper = tier.up_to === undefined ? undefined : Constant.toRational(tier.up_to);
  const atStart = Tiers.partWithin(ends.start, lower, upper);
  const atEnd = Tiers.partWithin(ends.end, lower, upper);
  const part = Rational.subtract(atEnd, atStart);
  const entries = Rational.sign(atEnd) - Rational.sign(atStart);
  if (Rational.sign(part) === 0 && entries === 0) return undefined;
  const rate = number(tier.rate, `tiers.${index}.rate`, scope);
  const flat =
    tier.flat === undefined || entries === 0
      ? Rational.ZERO
      : Rational.multiply(integer(entries), number(tier.flat, `tiers.${index}.flat`, scope));
  const amount = Rational.add(Rational.multiply(part, rate), flat);
  const detail = (): TierDetail => ({
    from: Rational.format(lower),
    to: Recorder.showLimit(upper),
    part: Rational.format(part),
    rate: Rational.format(rate),
    flat: Rational.format(flat),
    amount: Rational.format(amount),
  });
  return { amount, detail };
};

const graduated = (node: Node<"graduated">, scope: Scope): Value => {
  const amount = number(node.amount, "amount", scope);
  const start = node.offset === undefined ? Rational.ZERO : number(node.offset, "offset", scope);
  const ends = { start, end: Rational.add(start, amount) };
  const details: Array<TierDetail> = [];
  let total = Rational.ZERO;
  let lower = Rational.ZERO;
  for (const [index, tier] of node.tiers.entries()) {
    const share = tierShare(tier, index, lower, ends, scope);
    if (share !== undefined) {
      total = Rational.add(total, share.amount);
      if (scope.recorder !== undefined) details.push(share.detail());
    }
    if (tier.up_to !== undefined) lower = Constant.toRational(tier.up_to);
  }
  scope.recorder?.note("graduated", {
    amount: Rational.format(amount),
    offset: Rational.format(start),
    tiers: details,
  });
  return total;
};

const compare = (node: Node<"compare">, scope: Scope): Value => {
  const left = constant(node.left, "left", scope);
  const right = constant(node.right, "right", scope);
  scope.recorder?.note("compare", { operator: node.operator, left: show(left), right: show(right) });
  return Predicate.holds(node.operator, Constant.compare(left, right));
};

const membership = (node: Node<"in">, scope: Scope): Value => {
  const wanted = constant(node.operand, "operand", scope);
  const index = node.values.findIndex((value) => Constant.compare(wanted, Constant.fromValue(value)) === 0);
  scope.recorder?.note("in", { index: index === -1 ? null : index });
  return index !== -1;
};

const choose = (node: Node<"case">, scope: Scope): Value => {
  for (const [index, { when, then }] of node.branches.entries()) {
    if (!truth(when, `branches.${index}.when`, scope)) continue;
    scope.recorder?.note("case", { index });
    return visit(then, `branches.${index}.then`, scope);
  }
  scope.recorder?.note("case", { index: null });
  return visit(node.else, "else", scope);
};

const lookup = (node: Node<"lookup">, scope: Scope): Value => {
  const key = constant(node.key, "key", scope);
  const index = node.entries.findIndex((entry) => Constant.compare(key, Constant.fromValue(entry.key)) === 0);
  const entry = node.entries[index];
  scope.recorder?.note("lookup", { index: entry === undefined ? null : index, key: show(key) });
  return entry === undefined
    ? visit(node.default, "default", scope)
    : visit(entry.value, `entries.${index}.value`, scope);
};

const coalesce = (nodes: ReadonlyArray<Expression>, scope: Scope): Value => {
  for (const [index, node] of nodes.entries()) {
    const value = visit(node, `operands.${index}`, scope);
    if (value === undefined) continue;
    scope.recorder?.note("coalesce", { index });
    return value;
  }
  scope.recorder?.note("coalesce", { index: null });
  return undefined;
};

const parseDate = (operand: string): Value => {
  const parsed = Calendar.parse(operand);
  return parsed === undefined ? undefined : { epochMilliseconds: parsed };
};

const dateDifference = (node: Node<"date_difference">, scope: Scope): Value => {
  scope.recorder?.note("date_difference", { unit: node.unit });
  const [from, to] = [moment(node.from, "from", scope), moment(node.to, "to", scope)];
  return integer(Calendar.difference(node.unit, from, to));
};

const noAggregate: Find = () => outOfType("a formula without aggregates");

const rowScope = (properties: Scope["properties"], facts: Facts): Scope => ({
  facts,
  properties,
  parameters: new Map(),
  variables: new Map(),
  recorder: undefined,
  find: noAggregate,
});

/** What a row contributes to an aggregate: its value, 1 for a count; `undefined` when `where` excludes the row. */
export const rowValue = (
  node: Node<"aggregate">,
  properties: ReadonlyMap<string, PropertyDefinition>,
  row: Facts,
): Rational.Rational | undefined => {
  const scope = rowScope(properties, row);
  if (node.where !== undefined && !truth(node.where, "where", scope)) return undefined;
  return node.value === undefined ? Rational.ONE : number(node.value, "value", scope);
};

/** The properties that group an aggregate, with their values in an attribution. */
export const groupOf = (
  node: Node<"aggregate">,
  properties: Scope["properties"],
  facts: Facts,
): ReadonlyArray<{ readonly name: string; readonly value: string | boolean }> =>
  (node.group_by ?? []).map((name) => {
    const value = property({ type: "property", name }, rowScope(properties, facts));
    return { name, value: typeof value === "object" || value === undefined ? outOfType(name) : value };
  });

const aggregate = (node: Node<"aggregate">, scope: Scope): Value => {
  const found = scope.find(node);
  scope.recorder?.note("aggregate", {
    function: node.function,
    value: node.value ?? null,
    where: node.where ?? null,
    window: node.window,
    ...Recorder.days(
      Window.spanOf(Window.fixedWindow(node.window, scope.facts), Window.calendarDay(scope.facts)),
    ),
    group: groupOf(node, scope.properties, scope.facts),
    rows: found.rows,
    ...Recorder.rows(node, scope),
  });
  return found.total;
};

/** Evaluates one node; the checker has proved the types that the helpers above assert. */
const interpret = (node: Expression, scope: Scope): Value => {
  switch (node.type) {
    case "literal":
      scope.recorder?.note("literal", Recorder.literal(node.value));
      return Constant.fromValue(node.value);
    case "attribute":
      scope.recorder?.note("attribute", { name: node.name });
      return attributeValue(node.name, scope.facts);
    case "parameter":
      return parameter(node, scope);
    case "property":
      return property(node, scope);
    case "variable":
      scope.recorder?.note("variable", { name: node.name });
      return scope.variables.get(node.name);
    case "let":
      return bind(node, scope);
    case "add":
      return numbers(node.operands, scope).reduce(Rational.add);
    case "multiply":
      return numbers(node.operands, scope).reduce(Rational.multiply);
    case "min":
      return extreme("min", node.operands, -1, scope);
    case "max":
      return extreme("max", node.operands, 1, scope);
    case "subtract":
      return Rational.subtract(number(node.left, "left", scope), number(node.right, "right", scope));
    case "divide":
      return Rational.divide(number(node.left, "left", scope), number(node.right, "right", scope));
    case "round":
      return round(node, scope);
    case "band":
      return band(node, scope);
    case "graduated":
      return graduated(node, scope);
    case "compare":
      return compare(node, scope);
    case "and":
      return node.operands.every((operand, index) => truth(operand, `operands.${index}`, scope));
    case "or":
      return node.operands.some((operand, index) => truth(operand, `operands.${index}`, scope));
    case "not":
      return !truth(node.operand, "operand", scope);
    case "in":
      return membership(node, scope);
    case "text_match":
      scope.recorder?.note("text_match", { operator: node.operator, text: node.text });
      return Predicate.matches(node.operator, text(node.operand, "operand", scope), node.text);
    case "case":
      return choose(node, scope);
    case "lookup":
      return lookup(node, scope);
    case "coalesce":
      return coalesce(node.operands, scope);
    case "is_present":
      return visit(node.operand, "operand", scope) !== undefined;
    case "parse_date":
      return parseDate(text(node.operand, "operand", scope));
    case "date_part":
      scope.recorder?.note("date_part", { part: node.part });
      return integer(Calendar.part(node.part, moment(node.operand, "operand", scope)));
    case "date_difference":
      return dateDifference(node, scope);
    case "aggregate":
      return aggregate(node, scope);
  }
};

/**
 * The exact integer that a checked formula yields for an attribution, rounded half away from zero, by walking the
 * expression with fractions of big integers: the slow path of evaluation, and what the fast path is tested against.
 */
export const evaluate = (
  checked: Checked,
  facts: Facts,
  find: Find = noAggregate,
  recorder?: Recorder.Recorder,
): bigint => {
  const { properties, parameters } = checked;
  const scope: Scope = { facts, properties, parameters, variables: new Map(), recorder, find };
  recorder?.enter("final", "");
  const before = number(checked.expression, "", scope);
  const after = Rounding.toInteger(before, "half_up");
  const rounded = Rational.make(after);
  recorder?.note("final", Recorder.roundingDetail(before, "half_up", Rational.ONE, rounded));
  recorder?.leave(show(rounded));
  return after;
};
