import { Either } from "effect";
import { aggregateType, type CheckedAggregate, checkGroup, checkWindow } from "./AggregateType.ts";
import * as Bound from "./Bound.ts";
import { type Choice, commonType, mismatch } from "./CommonType.ts";
import * as Constant from "./Constant.ts";
import type { Expression, Node, NumericValue } from "./Expression.ts";
import * as Limits from "./Limits.ts";
import * as Names from "./Names.ts";
import type { ParameterDefinition } from "./Parameter.ts";
import { at, type Problem } from "./Problem.ts";
import type { PropertyDefinition } from "./Property.ts";
import * as Rational from "./Rational.ts";
import { thresholds } from "./Threshold.ts";
import * as Type from "./Type.ts";

/** An expression that is well typed for a schema: it can be compiled and always yields a number or an overflow. */
export type Checked = {
  readonly expression: Expression;
  readonly properties: ReadonlyMap<string, PropertyDefinition>;
  readonly parameters: ReadonlyMap<string, ParameterDefinition>;
  /** The most bits that the numerator or denominator of any number in it can need, at most 512. */
  readonly bits: number;
  /** Its aggregates, in the order of checking, which depends on nothing but the expression. */
  readonly aggregates: ReadonlyArray<CheckedAggregate>;
};

type Result = Either.Either<Type.Typed, Problem>;

type Scope = Names.Scope & {
  readonly largest: { bits: number };
  readonly aggregates: Array<CheckedAggregate>;
};

const CONDITION = Type.neverAbsent(Type.BOOLEAN);

const CALENDAR_NUMBER = Type.neverAbsent(Type.number(Bound.CALENDAR));

/** Names the type of a value other than a number, because what can stand for it is of that type. */
const mayBeAbsent = ({ type }: Type.Type): string =>
  `${type === "number" ? "value" : Type.NAMES[type]} may be absent; wrap it in coalesce`;

/** The type of an operand that must be there. */
const operand = (node: Expression, path: string, scope: Scope): Either.Either<Type.Type, Problem> =>
  Either.flatMap(infer(node, path, scope), (typed) =>
    typed.mayBeAbsent ? at(path, mayBeAbsent(typed.type)) : Either.right(typed.type),
  );

/** An operand that must be there and have the given type. */
const expectType = (
  node: Expression,
  path: string,
  scope: Scope,
  expected: "string" | "boolean" | "date",
): Either.Either<void, Problem> =>
  Either.flatMap(operand(node, path, scope), (type) =>
    type.type === expected ? Either.void : mismatch(path, Type.NAMES[expected], type),
  );

/** The result of a node whose one operand must be there and have the given type. */
const unary = (
  node: { readonly operand: Expression },
  path: string,
  scope: Scope,
  expected: "string" | "boolean" | "date",
  result: Type.Typed,
): Result => Either.map(expectType(node.operand, `${path}.operand`, scope, expected), () => result);

/** The bound of an operand that must be there and be a number. */
const numeric = (node: Expression, path: string, scope: Scope): Either.Either<Bound.Bound, Problem> =>
  Either.flatMap(operand(node, path, scope), (type) =>
    type.type === "number" ? Either.right(type.bound) : mismatch(path, Type.NAMES.number, type),
  );

const numerics = (
  nodes: ReadonlyArray<Expression>,
  path: string,
  scope: Scope,
): Either.Either<ReadonlyArray<Bound.Bound>, Problem> =>
  Either.all(nodes.map((node, index) => numeric(node, `${path}.${index}`, scope)));

type Arm = { readonly path: string; readonly node: Expression };

/** The arms in a field of records. */
const armsIn = <Name extends string>(
  records: ReadonlyArray<{ readonly [N in Name]: Expression }>,
  path: string,
  name: Name,
): ReadonlyArray<Arm> =>
  records.map((record, index) => ({ path: `${path}.${index}.${name}`, node: record[name] }));

const inferAll = (arms: ReadonlyArray<Arm>, scope: Scope): Either.Either<ReadonlyArray<Choice>, Problem> =>
  Either.all(
    arms.map(({ path, node }) => Either.map(infer(node, path, scope), (typed) => ({ path, typed }))),
  );

/** {@link commonType} of the arms of a choice, which is absent when the chosen arm is. */
const arms = (nodes: ReadonlyArray<Arm>, scope: Scope): Result =>
  Either.flatMap(inferAll(nodes, scope), (choices) =>
    commonType(
      choices,
      choices.some(({ typed }) => typed.mayBeAbsent),
    ),
  );

const bind = (node: Node<"let">, path: string, scope: Scope): Result =>
  Either.gen(function* () {
    const variables = new Map(scope.variables);
    const names = new Set<string>();
    for (const [index, binding] of node.bindings.entries()) {
      const inside = `${path}.bindings.${index}`;
      if (names.has(binding.name))
        return yield* at(`${inside}.name`, `\`${binding.name}\` is bound twice in one \`let\``);
      names.add(binding.name);
      const scopeBefore = { ...scope, variables: new Map(variables) };
      variables.set(binding.name, yield* infer(binding.value, `${inside}.value`, scopeBefore));
    }
    return yield* infer(node.body, `${path}.body`, { ...scope, variables });
  });

const divide = (node: Node<"divide">, path: string, scope: Scope): Result =>
  Either.gen(function* () {
    const left = yield* numeric(node.left, `${path}.left`, scope);
    const right = yield* numeric(node.right, `${path}.right`, scope);
    const divisor =
      node.right.type === "literal" ? Constant.toRational(node.right.value as NumericValue) : Rational.ZERO;
    const inverse = Rational.divide(Rational.ONE, divisor);
    if (inverse === undefined && scope.outerVariables !== undefined)
      return yield* at(`${path}.right`, "must be a literal other than 0 inside an aggregate");
    return inverse === undefined
      ? Type.absentIf(true, Type.number(Bound.divide(left, right)))
      : Type.neverAbsent(Type.number(Bound.multiply([left, Bound.fromRational(inverse)])));
  });

const round = (node: Node<"round">, path: string, scope: Scope): Result =>
  Either.gen(function* () {
    const bound = yield* numeric(node.operand, `${path}.operand`, scope);
    const increment = node.increment === undefined ? Rational.ONE : Constant.toRational(node.increment);
    if (Rational.sign(increment) <= 0) return yield* at(`${path}.increment`, "must be greater than 0");
    return Type.neverAbsent(Type.number(Bound.round(bound, increment)));
  });

const band = (node: Node<"band">, path: string, scope: Scope): Result =>
  Either.gen(function* () {
    yield* numeric(node.input, `${path}.input`, scope);
    yield* thresholds(node.bands, `${path}.bands`);
    return yield* arms(armsIn(node.bands, `${path}.bands`, "value"), scope);
  });

const graduated = (node: Node<"graduated">, path: string, scope: Scope): Result =>
  Either.gen(function* () {
    const amount = yield* numeric(node.amount, `${path}.amount`, scope);
    const offset =
      node.offset === undefined ? undefined : yield* numeric(node.offset, `${path}.offset`, scope);
    const limits = yield* thresholds(node.tiers, `${path}.tiers`);
    const [first] = limits;
    if (first !== undefined && Rational.sign(first) <= 0)
      return yield* at(`${path}.tiers.0.up_to`, "must be greater than 0, where the first tier begins");
    const rates: Array<Bound.Bound> = [];
    const flats: Array<Bound.Bound> = [];
    for (const [index, { rate, flat }] of node.tiers.entries()) {
      const inside = `${path}.tiers.${index}`;
      rates.push(yield* numeric(rate, `${inside}.rate`, scope));
      if (flat !== undefined) flats.push(yield* numeric(flat, `${inside}.flat`, scope));
    }
    // No part of a tier exceeds the way from offset to offset + amount, which passes each tier at most twice.
    const whole = offset === undefined ? amount : Bound.add([amount, offset, offset]);
    const part = Bound.add([whole, ...limits.map(Bound.fromRational)]);
    const proportional = Bound.multiply([part, Bound.add(rates)]);
    return Type.neverAbsent(Type.number(Bound.add([proportional, ...flats, ...flats])));
  });

const expectLike = (
  found: Type.Type,
  { type }: Type.Type,
  path: string,
  other: "left side" | "operand" | "key",
): Either.Either<void, Problem> =>
  found.type === type ? Either.void : mismatch(path, `${Type.NAMES[type]} like the ${other}`, found);

const compare = (node: Node<"compare">, path: string, scope: Scope): Result =>
  Either.gen(function* () {
    const left = yield* operand(node.left, `${path}.left`, scope);
    const right = yield* operand(node.right, `${path}.right`, scope);
    const orders = node.operator !== "equal" && node.operator !== "not_equal";
    if (orders && left.type !== "number" && left.type !== "date")
      return yield* mismatch(`${path}.left`, "a number or a date to be ordered", left);
    yield* expectLike(right, left, `${path}.right`, "left side");
    return CONDITION;
  });

const logical = (nodes: ReadonlyArray<Expression>, path: string, scope: Scope): Result =>
  Either.map(
    Either.all(nodes.map((node, index) => expectType(node, `${path}.${index}`, scope, "boolean"))),
    () => CONDITION,
  );

const membership = (node: Node<"in">, path: string, scope: Scope): Result =>
  Either.gen(function* () {
    const type = yield* operand(node.operand, `${path}.operand`, scope);
    for (const [index, value] of node.values.entries())
      yield* expectLike(Type.fromValue(value), type, `${path}.values.${index}`, "operand");
    return CONDITION;
  });

const choose = (node: Node<"case">, path: string, scope: Scope): Result =>
  Either.gen(function* () {
    for (const [index, branch] of node.branches.entries())
      yield* expectType(branch.when, `${path}.branches.${index}.when`, scope, "boolean");
    const branches = armsIn(node.branches, `${path}.branches`, "then");
    return yield* arms([...branches, { path: `${path}.else`, node: node.else }], scope);
  });

const lookup = (node: Node<"lookup">, path: string, scope: Scope): Result =>
  Either.gen(function* () {
    const type = yield* operand(node.key, `${path}.key`, scope);
    const seen = new Map<string, number>();
    for (const [index, { key }] of node.entries.entries()) {
      const inside = `${path}.entries.${index}.key`;
      yield* expectLike(Type.fromValue(key), type, inside, "key");
      const identity = Constant.identity(Constant.fromValue(key));
      const earlier = seen.get(identity);
      if (earlier !== undefined) return yield* at(inside, `repeats the key of entry ${earlier}`);
      seen.set(identity, index);
    }
    const values = armsIn(node.entries, `${path}.entries`, "value");
    return yield* arms([...values, { path: `${path}.default`, node: node.default }], scope);
  });

const coalesce = (nodes: ReadonlyArray<Expression>, path: string, scope: Scope): Result =>
  Either.flatMap(
    inferAll(
      nodes.map((node, index) => ({ path: `${path}.${index}`, node })),
      scope,
    ),
    (choices) => commonType(choices, (choices.at(-1) as Choice).typed.mayBeAbsent),
  );

const dateDifference = (node: Node<"date_difference">, path: string, scope: Scope): Result =>
  Either.flatMap(expectType(node.from, `${path}.from`, scope, "date"), () =>
    Either.map(expectType(node.to, `${path}.to`, scope, "date"), () => CALENDAR_NUMBER),
  );

const aggregate = (node: Node<"aggregate">, path: string, scope: Scope): Result =>
  Either.gen(function* () {
    if (scope.outerVariables !== undefined)
      return yield* at(path, "an aggregate cannot stand inside another aggregate");
    if (scope.aggregates.length === Limits.AGGREGATES_MAX)
      return yield* at(path, `the formula has more than ${Limits.AGGREGATES_MAX} aggregates`);
    const row: Scope = { ...scope, variables: new Map(), outerVariables: scope.variables };
    const counts = node.function === "count";
    if (counts && node.value !== undefined)
      return yield* at(`${path}.value`, "must be left out, because count counts rows");
    if (!counts && node.value === undefined)
      return yield* at(path, `lacks the key \`value\`, which ${node.function} needs`);
    const value = node.value === undefined ? Bound.ROWS : yield* numeric(node.value, `${path}.value`, row);
    if (node.where !== undefined) yield* expectType(node.where, `${path}.where`, row, "boolean");
    yield* checkWindow(node.window, `${path}.window`, scope.parameters);
    yield* checkGroup(node.group_by ?? [], `${path}.group_by`, scope.properties);
    scope.aggregates.push({ path, node, denominator: value.divisor });
    return aggregateType(node.function, value);
  });

const numberOf = (
  bounds: Either.Either<ReadonlyArray<Bound.Bound>, Problem>,
  combine: (bounds: ReadonlyArray<Bound.Bound>) => Bound.Bound,
): Result => Either.map(bounds, (all) => Type.neverAbsent(Type.number(combine(all))));

const dispatch = (node: Expression, path: string, scope: Scope): Result => {
  switch (node.type) {
    case "literal":
      return Either.right(Type.neverAbsent(Type.fromValue(node.value)));
    case "attribute":
      return Names.attribute(node, path, scope);
    case "property":
      return Names.property(node, path, scope);
    case "parameter":
      return Names.parameter(node, path, scope);
    case "variable":
      return Names.variable(node, path, scope);
    case "let":
      return bind(node, path, scope);
    case "add":
      return numberOf(numerics(node.operands, `${path}.operands`, scope), Bound.add);
    case "multiply":
      return numberOf(numerics(node.operands, `${path}.operands`, scope), Bound.multiply);
    case "min":
    case "max":
      return numberOf(numerics(node.operands, `${path}.operands`, scope), Bound.choose);
    case "subtract": {
      const sides = Either.all([
        numeric(node.left, `${path}.left`, scope),
        numeric(node.right, `${path}.right`, scope),
      ]);
      return numberOf(sides, Bound.add);
    }
    case "divide":
      return divide(node, path, scope);
    case "round":
      return round(node, path, scope);
    case "band":
      return band(node, path, scope);
    case "graduated":
      return graduated(node, path, scope);
    case "compare":
      return compare(node, path, scope);
    case "and":
    case "or":
      return logical(node.operands, `${path}.operands`, scope);
    case "not":
      return unary(node, path, scope, "boolean", CONDITION);
    case "in":
      return membership(node, path, scope);
    case "text_match":
      return unary(node, path, scope, "string", CONDITION);
    case "case":
      return choose(node, path, scope);
    case "lookup":
      return lookup(node, path, scope);
    case "coalesce":
      return coalesce(node.operands, `${path}.operands`, scope);
    case "is_present":
      return Either.map(infer(node.operand, `${path}.operand`, scope), () => CONDITION);
    case "parse_date":
      return unary(node, path, scope, "string", Type.absentIf(true, Type.DATE));
    case "date_part":
      return unary(node, path, scope, "date", CALENDAR_NUMBER);
    case "date_difference":
      return dateDifference(node, path, scope);
    case "aggregate":
      return aggregate(node, path, scope);
  }
};

/** The type of a node, refused when its numbers can outgrow the limit. */
const infer = (node: Expression, path: string, scope: Scope): Result =>
  Either.flatMap(dispatch(node, path, scope), (typed) => {
    const bits = typed.type.type === "number" ? Bound.bits(typed.type.bound) : 0;
    scope.largest.bits = Math.max(scope.largest.bits, bits);
    return bits > Limits.BITS_MAX
      ? at(
          path,
          `can grow too large: ${bits} bits, at most ${Limits.BITS_MAX}; multiply or divide fewer amounts by each other`,
        )
      : Either.right(typed);
  });

/**
 * Checks a decoded expression against the properties of an attribution schema and the parameters that its formula
 * declares: every operand has the right type
 * and a value that may be absent is handled, thresholds ascend, lookup keys are unique, no number can outgrow the
 * limit, and the whole is a number that is always there. The first problem in reading order is reported.
 */
export const check = (
  expression: Expression,
  properties: ReadonlyArray<PropertyDefinition>,
  parameters: ReadonlyArray<ParameterDefinition> = [],
): Either.Either<Checked, Problem> => {
  const scope: Scope = {
    properties: new Map(properties.map((definition) => [definition.name, definition])),
    parameters: new Map(parameters.map((definition) => [definition.name, definition])),
    variables: new Map(),
    largest: { bits: 0 },
    aggregates: [],
    outerVariables: undefined,
  };
  return Either.map(numeric(expression, "$", scope), () => ({
    expression,
    properties: scope.properties,
    parameters: scope.parameters,
    bits: scope.largest.bits,
    aggregates: scope.aggregates,
  }));
};
