import * as Calendar from "../Calendar.ts";
import type { Checked } from "../Check.ts";
import * as Constant from "../Constant.ts";
import type { Expression, Node, TextMatch } from "../Expression.ts";
import type { PropertyDefinition } from "../Property.ts";
import * as Rational from "../Rational.ts";
import * as Arithmetic from "./Arithmetic.ts";
import * as Choice from "./Choice.ts";
import * as Code from "./Code.ts";
import * as Comparison from "./Comparison.ts";
import type { Frame } from "./Frame.ts";
import * as Graduated from "./Graduated.ts";
import * as Leaf from "./Leaf.ts";
import * as Pick from "./Pick.ts";
import * as Ratio from "./Ratio.ts";
import * as Variable from "./Variable.ts";

/** What the nodes of one formula share while they are compiled. */
type Scope = {
  /** The code that reads each property. */
  readonly reads: ReadonlyMap<string, Code.Code>;
  /** The code that reads each parameter. */
  readonly parameters: ReadonlyMap<string, Code.Code>;
  /** The code that reads the total of each aggregate. */
  readonly totals: ReadonlyMap<Expression, Code.Code>;
  readonly variables: ReadonlyMap<string, Code.Code>;
  /** The next free place for a variable in the frame. */
  readonly slots: { next: number };
};

/** A number; the checker has proved that this node is one, and likewise for the types below. */
const buildNumeric = (node: Expression, scope: Scope): Code.Numeric => build(node, scope) as Code.Numeric;

const buildNumerics = (nodes: ReadonlyArray<Expression>, scope: Scope): ReadonlyArray<Code.Numeric> =>
  nodes.map((node) => buildNumeric(node, scope));

/** A number whose denominator is fixed; the reference interpreter evaluates a ratio. */
const buildFixed = (node: Expression, scope: Scope): Code.NumberCode => {
  const code = build(node, scope);
  return code.type === "number" ? code : Code.BEYOND;
};

const buildTruth = (node: Expression, scope: Scope): Code.TruthCode => build(node, scope) as Code.TruthCode;

const buildText = (node: Expression, scope: Scope): ((frame: Frame) => string) => {
  const { run } = build(node, scope) as Code.TextCode;
  // Absent only if the facts contradict the schema; the reference interpreter then throws.
  return (frame) => run(frame) ?? "";
};

const buildDate = (node: Expression, scope: Scope): Code.DateCode => build(node, scope) as Code.DateCode;

const bind = (node: Node<"let">, scope: Scope): Code.Code => {
  const variables = new Map(scope.variables);
  const inside = { ...scope, variables };
  const stores = node.bindings.map(({ name, value }) => {
    const index = scope.slots.next;
    scope.slots.next += 2;
    const { store, load } = Variable.slot(build(value, inside), index);
    variables.set(name, load);
    return store;
  });
  const body = build(node.body, inside);
  return body.type === "number"
    ? {
        type: "number",
        denominator: body.denominator,
        times: (factor) => Variable.after(stores, body.times(factor)),
      }
    : ({ type: body.type, run: Variable.after<unknown>(stores, body.run) } as Code.Code);
};

const multiply = (node: Node<"multiply">, scope: Scope): Code.Code => {
  const operands = buildNumerics(node.operands, scope);
  return Code.areFixed(operands) ? Arithmetic.multiply(operands) : Ratio.multiply(operands);
};

const extreme = (node: Node<"min"> | Node<"max">, scope: Scope): Code.Code => {
  const operands = buildNumerics(node.operands, scope);
  return Code.areFixed(operands)
    ? Arithmetic.extreme(node.type, operands)
    : Ratio.extreme(node.type, operands);
};

const divide = (node: Node<"divide">, scope: Scope): Code.Code => {
  const left = buildNumeric(node.left, scope);
  const right = buildNumeric(node.right, scope);
  const inverse =
    right.type === "number" && right.constant !== undefined
      ? Rational.divide(Rational.ONE, right.constant)
      : undefined;
  if (inverse === undefined) return Ratio.divide(left, right);
  return left.type === "number"
    ? Arithmetic.scale(left, inverse)
    : Ratio.multiply([left, Code.constant(inverse)]);
};

const round = (node: Node<"round">, scope: Scope): Code.Code => {
  const operand = buildNumeric(node.operand, scope);
  const increment = node.increment === undefined ? Rational.ONE : Constant.toRational(node.increment);
  return operand.type === "number"
    ? Arithmetic.round(operand, node.mode, increment)
    : Ratio.round(operand, node.mode, increment);
};

const band = (node: Node<"band">, scope: Scope): Code.Code => {
  const input = buildNumeric(node.input, scope);
  const limits = Pick.thresholds(node.bands);
  const upperBound = node.upper_bound ?? "inclusive";
  const pick =
    input.type === "number"
      ? Pick.byBand(input, limits, upperBound)
      : Pick.byRatioBand(input, limits, upperBound);
  return Choice.choose(
    pick,
    node.bands.map(({ value }) => build(value, scope)),
  );
};

const graduated = (node: Node<"graduated">, scope: Scope): Code.Code =>
  Graduated.graduated(
    buildFixed(node.amount, scope),
    node.offset === undefined ? undefined : buildFixed(node.offset, scope),
    node.tiers.map(({ up_to, rate, flat }) => ({
      upTo: up_to === undefined ? undefined : Constant.toRational(up_to),
      rate: buildFixed(rate, scope),
      flat: flat === undefined ? undefined : buildFixed(flat, scope),
    })),
  );

/** Dates are compared as the numbers of their milliseconds. */
const toOrdered = (code: Code.Code): Exclude<Code.Code, Code.DateCode> => {
  if (code.type !== "date") return code;
  return code.constant === undefined
    ? Code.number(1, code.run)
    : Code.constant(Rational.make(BigInt(code.constant)));
};

const compare = (node: Node<"compare">, scope: Scope): Code.TruthCode => {
  const left = toOrdered(build(node.left, scope));
  const right = toOrdered(build(node.right, scope));
  return Code.isNumeric(left)
    ? Comparison.numbers(node.operator, left, right as Code.Numeric)
    : Comparison.identities(node.operator, left, right as Code.TextCode | Code.TruthCode);
};

const every = (operands: ReadonlyArray<Code.TruthCode>, wanted: boolean): Code.TruthCode => {
  const runs = operands.map(({ run }) => run);
  return {
    type: "boolean",
    run: (frame) => {
      for (const run of runs) if (run(frame) !== wanted) return !wanted;
      return wanted;
    },
  };
};

const membership = (node: Node<"in">, scope: Scope): Code.TruthCode => {
  const { run, indexes } = Pick.placesOf(build(node.operand, scope), node.values);
  return { type: "boolean", run: (frame) => indexes.has(run(frame)) };
};

const match = (operator: TextMatch, part: string, whole: (frame: Frame) => string): Code.TruthCode => {
  switch (operator) {
    case "starts_with":
      return { type: "boolean", run: (frame) => whole(frame).startsWith(part) };
    case "ends_with":
      return { type: "boolean", run: (frame) => whole(frame).endsWith(part) };
    case "contains":
      return { type: "boolean", run: (frame) => whole(frame).includes(part) };
  }
};

const choose = (node: Node<"case">, scope: Scope): Code.Code =>
  Choice.choose(Pick.byConditions(node.branches.map(({ when }) => buildTruth(when, scope))), [
    ...node.branches.map(({ then }) => build(then, scope)),
    build(node.else, scope),
  ]);

const lookup = (node: Node<"lookup">, scope: Scope): Code.Code => {
  const keys = node.entries.map(({ key }) => key);
  return Choice.choose(Pick.byKey(build(node.key, scope), keys), [
    ...node.entries.map(({ value }) => build(value, scope)),
    build(node.default, scope),
  ]);
};

const parseDate = (operand: (frame: Frame) => string): Code.DateCode => ({
  type: "date",
  run: (frame) => Calendar.parse(operand(frame)) ?? Number.NaN,
});

const datePart = (node: Node<"date_part">, scope: Scope): Code.NumberCode => {
  const { run } = buildDate(node.operand, scope);
  return Code.number(1, (frame) => Calendar.part(node.part, run(frame)));
};

const dateDifference = (node: Node<"date_difference">, scope: Scope): Code.NumberCode => {
  const from = buildDate(node.from, scope).run;
  const to = buildDate(node.to, scope).run;
  return Code.number(1, (frame) => Calendar.difference(node.unit, from(frame), to(frame)));
};

/** How often each property is named in an expression, apart from aggregates, which read those of earlier attributions. */
const mentions = (part: object, counts: Map<string, number>): Map<string, number> => {
  const { type, name } = part as Node<"property">;
  if ((type as string) === "aggregate") return counts;
  if (type === "property") counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const inner of Object.values(part)) if (typeof inner === "object") mentions(inner, counts);
  return counts;
};

/** Compiles a node. */
const build = (node: Expression, scope: Scope): Code.Code => {
  switch (node.type) {
    case "literal":
      return Leaf.literal(node.value);
    case "attribute":
      return Leaf.attribute(node.name);
    case "property":
      return scope.reads.get(node.name) as Code.Code;
    case "parameter":
      return scope.parameters.get(node.name) as Code.Code;
    case "variable":
      return scope.variables.get(node.name) as Code.Code;
    case "let":
      return bind(node, scope);
    case "add":
      return Arithmetic.add(node.operands.map((operand) => buildFixed(operand, scope)));
    case "multiply":
      return multiply(node, scope);
    case "min":
    case "max":
      return extreme(node, scope);
    case "subtract":
      return Arithmetic.subtract(buildFixed(node.left, scope), buildFixed(node.right, scope));
    case "divide":
      return divide(node, scope);
    case "round":
      return round(node, scope);
    case "band":
      return band(node, scope);
    case "graduated":
      return graduated(node, scope);
    case "compare":
      return compare(node, scope);
    case "and":
      return every(
        node.operands.map((operand) => buildTruth(operand, scope)),
        true,
      );
    case "or":
      return every(
        node.operands.map((operand) => buildTruth(operand, scope)),
        false,
      );
    case "not": {
      const { run } = buildTruth(node.operand, scope);
      return { type: "boolean", run: (frame) => !run(frame) };
    }
    case "in":
      return membership(node, scope);
    case "text_match":
      return match(node.operator, node.text, buildText(node.operand, scope));
    case "case":
      return choose(node, scope);
    case "lookup":
      return lookup(node, scope);
    case "coalesce":
      return Choice.coalesce(node.operands.map((operand) => build(operand, scope)));
    case "is_present":
      return Choice.isPresent(build(node.operand, scope));
    case "parse_date":
      return parseDate(buildText(node.operand, scope));
    case "date_part":
      return datePart(node, scope);
    case "date_difference":
      return dateDifference(node, scope);
    case "aggregate":
      return scope.totals.get(node) as Code.Code;
  }
};

/**
 * Compiles an expression: the code, and what has to run before it. A number property named more than once is read
 * once, before everything else; the others are read where they stand.
 */
export const program = (
  { expression, properties, parameters: declared }: Checked,
  decimals: ReadonlyMap<string, number>,
  totals: ReadonlyMap<Expression, Code.Code>,
): { readonly code: Code.Code; readonly prepare: ReadonlyArray<(frame: Frame) => void> } => {
  const slots = { next: 0 };
  const prepare: Array<(frame: Frame) => void> = [];
  const reads = new Map<string, Code.Code>();
  for (const [name, count] of mentions(expression, new Map())) {
    const definition = properties.get(name) as PropertyDefinition;
    const scale = decimals.get(name) ?? Leaf.INITIAL_SCALE;
    if (count === 1 || definition.type !== "number") {
      reads.set(name, Leaf.property(definition, scale));
      continue;
    }
    const read = Leaf.numberProperty(definition, scale);
    const index = slots.next;
    slots.next += 1;
    prepare.push(read.store(index));
    reads.set(name, Code.storedNumber(read.denominator, index));
  }
  const parameters = new Map(
    [...declared].map(([name, definition]) => {
      const scale = decimals.get(Leaf.parameterKey(name)) ?? Leaf.INITIAL_SCALE;
      return [name, Leaf.parameter(definition, scale)] as const;
    }),
  );
  return { code: build(expression, { reads, parameters, totals, variables: new Map(), slots }), prepare };
};
