/** Writes an expression as text that reads back as the same expression. */
import type { Aggregate, Expression, Node, NumericValue, Value } from "../Expression.ts";
import {
  align,
  concat,
  flat,
  group,
  indent,
  join,
  type Layout,
  LINE,
  narrowGroup,
  render,
  SOFT,
  widthOf,
} from "./Layout.ts";
import { isBare, quote } from "./Quoting.ts";
import { writeNumber, writeValue } from "./Values.ts";
import { writeWindow } from "./Windows.ts";
import {
  AGGREGATES,
  CALLS,
  COMPARISONS,
  LEVELS,
  type Level,
  MODES,
  OPERAND_CALLS,
  type OperandCall,
  PAIRS,
  PARTS,
  PLAN,
  RUNS,
  SALE,
  TEXT_MATCHES,
  UNITS,
} from "./Words.ts";

/**
 * A node as text, and how tightly it binds. One that is broken inside its brackets alone has a `head`, the width up to the
 * opening bracket: what stands around it can stay on the lines of the brackets.
 */
type Printed = { readonly layout: Layout; readonly level: Level; readonly head?: number };

/** The names that are bound around a node, and how often. */
type Scope = Map<string, number>;

const isOperandCall = (node: Expression): node is Node<OperandCall> => node.type in OPERAND_CALLS;

const propertyName = (name: string): string => (isBare(name) ? name : quote("property", name));

const variableName = (name: string): string => (isBare(name) ? name : quote("variable", name));

const parenthesized = (layout: Layout): Layout => group("(", indent(SOFT, layout), SOFT, ")");

const primary = (layout: Layout): Printed => ({ layout, level: LEVELS.primary });

const bracketed = (layout: Layout, head: number): Printed => ({ layout, level: LEVELS.primary, head });

const prefix = (...parts: ReadonlyArray<Layout>): Printed => ({
  layout: concat(...parts),
  level: LEVELS.prefix,
});

const whole = (layout: Layout): Printed => ({ layout, level: LEVELS.expression });

/** A node in parentheses if it binds less tightly. */
const within = (node: Expression, scope: Scope, least: Level): Printed => {
  const printed = print(node, scope);
  return printed.level < least ? bracketed(parenthesized(printed.layout), 1) : printed;
};

/** A node as an operand that has to bind at least so tightly. */
const operand = (node: Expression, scope: Scope, least: Level): Layout => within(node, scope, least).layout;

const any = (node: Expression, scope: Scope): Layout => print(node, scope).layout;

/** The widest part that is not worth breaking. */
const STAYS_MAX = 30;

/** The widest text before and after the brackets that stays on their lines. */
const BESIDE_MAX = 72;

/**
 * Parts of which one is broken inside its brackets alone, with the others on the lines of the brackets; undefined if they are
 * too wide for that.
 */
const hug = (
  parts: ReadonlyArray<Printed>,
  between: string,
): { readonly layout: Layout; readonly head: number; readonly index: number } | undefined => {
  const index = parts.findIndex(({ layout, head }) => head !== undefined && widthOf(layout) > STAYS_MAX);
  const before = parts.slice(0, index).reduce((sum, { layout }) => sum + widthOf(layout) + between.length, 0);
  const after = parts.slice(index + 1).reduce((sum, { layout }) => sum + widthOf(layout) + between.length, 0);
  const head = before + (parts[index]?.head ?? 0);
  if (index < 0 || head > BESIDE_MAX || after > STAYS_MAX) return undefined;
  const layouts = parts.map(({ layout }, other) => (other === index ? layout : flat(layout)));
  return { layout: join(between, layouts), head, index };
};

/** True if a node ends with names after `by`, which would take in an argument that follows. */
const endsWithNames = (node: Expression): boolean =>
  node.type === "aggregate"
    ? (node.group_by ?? []).length > 0 && node.where === undefined
    : node.type === "case" && endsWithNames(node.else);

/** The arguments of a call. */
const args = (
  nodes: ReadonlyArray<Expression>,
  scope: Scope,
  areOthersAfter = false,
): ReadonlyArray<Printed> =>
  nodes.map((node, index) => {
    const isLast = index === nodes.length - 1 && !areOthersAfter;
    return within(node, scope, endsWithNames(node) && !isLast ? LEVELS.or : LEVELS.expression);
  });

const call = (name: string, list: ReadonlyArray<Printed>): Printed => {
  const hugged = hug(list, ", ");
  if (hugged?.index === list.length - 1)
    return bracketed(concat(name, "(", hugged.layout, ")"), name.length + 1 + hugged.head);
  const layouts = join(
    concat(",", LINE),
    list.map(({ layout }) => layout),
  );
  return bracketed(group(name, "(", indent(SOFT, layouts), SOFT, ")"), name.length + 1);
};

const run = (type: keyof typeof RUNS, operands: ReadonlyArray<Expression>, scope: Scope): Printed => {
  const { sign, level, call: name } = RUNS[type];
  const [first] = operands as [Expression, ...ReadonlyArray<Expression>];
  if (operands.length === 1) return call(name, args(operands, scope));
  const around = type === "coalesce" ? LEVELS.prefix : ((level + 1) as Level);
  // Only the first operand may be a pair of the same level: a - b + c.
  const isPair = Object.entries(PAIRS).some(([pair, { run }]) => first.type === pair && run === type);
  return chained(
    operands.map((expression, index) =>
      // "and" binds more tightly than "or", but few readers know.
      within(expression, scope, type === "or" ? LEVELS.not : index === 0 && isPair ? level : around),
    ),
    sign,
    level,
  );
};

/** Operands with a sign between them. Lines begin with the sign, unless the inside of one bracket is broken alone. */
const chained = (operands: ReadonlyArray<Printed>, sign: string, level: Level): Printed => {
  const hugged = level === LEVELS.product ? hug(operands, ` ${sign} `) : undefined;
  if (hugged !== undefined) return { layout: hugged.layout, level, head: hugged.head };
  const [first = "", ...others] = operands.map(({ layout }) => layout);
  return { layout: group(first, indent(...others.flatMap((other) => [LINE, `${sign} `, other]))), level };
};

const pair = (node: Node<"subtract" | "divide">, scope: Scope): Printed => {
  const { sign, run: type } = PAIRS[node.type];
  const { level } = RUNS[type];
  return chained(
    [within(node.left, scope, level), within(node.right, scope, (level + 1) as Level)],
    sign,
    level,
  );
};

const compared = (left: Layout, ...rest: ReadonlyArray<Layout>): Printed => ({
  layout: group(left, indent(LINE, ...rest)),
  level: LEVELS.comparison,
});

const list = (values: ReadonlyArray<Value>): Layout =>
  group("(", indent(SOFT, join(concat(",", LINE), values.map(writeValue))), SOFT, ")");

const not = ({ operand: denied }: Node<"not">, scope: Scope): Printed => {
  if (denied.type === "in")
    // Not broken before "not", which begins a line of its own.
    return {
      layout: concat(operand(denied.operand, scope, LEVELS.sum), " not in ", list(denied.values)),
      level: LEVELS.comparison,
    };
  if (denied.type === "is_present")
    return compared(operand(denied.operand, scope, LEVELS.sum), "is not present");
  const inside = denied.type === "compare" || denied.type === "text_match" ? LEVELS.sum : LEVELS.not;
  return { layout: concat("not ", operand(denied, scope, inside)), level: LEVELS.not };
};

const rows = (
  head: Layout,
  list: ReadonlyArray<readonly [head: Layout, ...ReadonlyArray<Layout>]>,
): Printed => {
  const lines = list.map(([key, ...value]) => group(key, ": ", ...value));
  return bracketed(
    group(head, " {", indent(LINE, join(concat(";", LINE), lines)), LINE, "}"),
    widthOf(head) + 2,
  );
};

const rowHead = (word: string, bound: NumericValue | undefined): Layout =>
  bound === undefined ? "else" : `${word} ${writeNumber(bound)}`;

const graduated = ({ amount, offset, tiers }: Node<"graduated">, scope: Scope): Printed => {
  const [counted, before] = args(offset === undefined ? [amount] : [amount, offset], scope) as [
    Printed,
    Printed?,
  ];
  const after = before === undefined ? [] : [{ ...before, layout: concat("after ", before.layout) }];
  return rows(
    call(CALLS.tiers, [counted, ...after]).layout,
    tiers.map(({ up_to, rate, flat }) => [
      rowHead("up to", up_to),
      ...(flat === undefined
        ? [any(rate, scope)]
        : [operand(rate, scope, LEVELS.or), " plus ", any(flat, scope)]),
    ]),
  );
};

const band = ({ input, upper_bound, bands }: Node<"band">, scope: Scope): Printed =>
  rows(
    upper_bound === undefined
      ? call(CALLS.bands, args([input], scope)).layout
      : call(CALLS.bands, [...args([input], scope, true), primary(upper_bound)]).layout,
    bands.map(({ up_to, value }) => [
      rowHead(upper_bound === "exclusive" ? "below" : "up to", up_to),
      any(value, scope),
    ]),
  );

const lookup = (node: Node<"lookup">, scope: Scope): Printed =>
  rows(concat("choose ", operand(node.key, scope, LEVELS.or)), [
    ...node.entries.map(({ key, value }) => [writeValue(key), any(value, scope)] as const),
    ["else", any(node.default, scope)],
  ]);

/** One branch of a choice: what it yields stays on the line of its condition if it is broken inside brackets alone. */
const branch = ({ when, then }: Node<"case">["branches"][number], scope: Scope): Layout => {
  const condition = operand(when, scope, LEVELS.or);
  const { layout, head } = within(then, scope, then.type === "case" ? LEVELS.or : LEVELS.expression);
  return head !== undefined && widthOf(condition) + head <= BESIDE_MAX
    ? concat("if ", condition, " then ", layout)
    : group("if ", condition, indent(LINE, "then ", layout));
};

const choice = (node: Node<"case">, scope: Scope): Printed => {
  const otherwise = operand(node.else, scope, node.else.type === "case" ? LEVELS.or : LEVELS.expression);
  const branches = node.branches.map((item) => branch(item, scope));
  const around = branches.length === 1 ? group : narrowGroup;
  return whole(align(around(join(concat(LINE, "else "), branches), LINE, "else ", otherwise)));
};

const aggregate = (node: Aggregate, scope: Scope): Printed => {
  const { value, where, group_by = [], role } = node;
  return whole(
    group(
      AGGREGATES[node.function],
      value === undefined ? "" : concat(" of ", operand(value, scope, LEVELS.or)),
      indent(
        LINE,
        `earlier ${role === undefined ? "" : `as ${quote("string", role)} `}${writeWindow(node.window)}`,
        group_by.length === 0 ? "" : concat(LINE, `by ${group_by.map(propertyName).join(", ")}`),
        where === undefined ? "" : concat(LINE, "where ", operand(where, scope, LEVELS.or)),
      ),
    ),
  );
};

const round = ({ operand: rounded, mode, increment }: Node<"round">, scope: Scope): Printed => {
  const options = [
    ...(mode === "half_up" ? [] : [MODES[mode]]),
    ...(increment === undefined ? [] : [`to ${writeNumber(increment)}`]),
  ];
  return call(CALLS.round, [...args([rounded], scope, options.length > 0), ...options.map(primary)]);
};

/** A line that begins like a binding would be read as one, and one that begins with a minus as the rest of the line before. */
const LOOKS_DIFFERENT = /^(?:`(?:[^`\\]|\\.)*`|[\p{L}_][\p{L}\p{N}_]*) = /u;

const resultLine = (layout: Layout, isFirst: boolean): Layout => {
  const text = flat(layout);
  return LOOKS_DIFFERENT.test(text) || (!isFirst && text.startsWith("-")) ? parenthesized(layout) : layout;
};

/** Prints the bindings of a `let` one after another, each with those before it bound, and then its body with all of them. */
const bound = (
  { bindings, body }: Node<"let">,
  scope: Scope,
  result: (node: Expression) => Layout,
): { readonly steps: ReadonlyArray<readonly [name: string, value: Layout]>; readonly body: Layout } => {
  const steps = bindings.map(({ name, value }) => {
    const step = [variableName(name), any(value, scope)] as const;
    scope.set(name, (scope.get(name) ?? 0) + 1);
    return step;
  });
  const printed = result(body);
  for (const { name } of bindings) scope.set(name, (scope.get(name) ?? 1) - 1);
  return { steps, body: printed };
};

const block = (node: Node<"let">, scope: Scope): Printed => {
  const { steps, body } = bound(node, scope, (inner) => resultLine(any(inner, scope), true));
  const parts = [...steps.map(([name, value]) => concat(name, " = ", value)), body];
  return bracketed(parenthesized(join(concat(";", LINE), parts)), 1);
};

const reference = (node: Node<"attribute" | "parameter" | "property" | "variable">, scope: Scope): string => {
  const isBound = (scope.get(node.name) ?? 0) > 0;
  switch (node.type) {
    case "attribute":
      return `${SALE}.${node.name}`;
    case "parameter":
      return `${PLAN}.${node.name}`;
    case "property":
      return isBound ? quote("property", node.name) : propertyName(node.name);
    case "variable":
      return isBound ? variableName(node.name) : quote("variable", node.name);
  }
};

const print = (node: Expression, scope: Scope): Printed => {
  const primaryOf = (part: Expression): Layout => operand(part, scope, LEVELS.primary);
  const sumOf = (part: Expression): Layout => operand(part, scope, LEVELS.sum);
  if (isOperandCall(node)) {
    const operands = "operands" in node ? node.operands : [node.operand];
    return call(OPERAND_CALLS[node.type], args(operands, scope));
  }
  switch (node.type) {
    case "literal":
      return primary(writeValue(node.value));
    case "attribute":
    case "parameter":
    case "property":
    case "variable":
      return primary(reference(node, scope));
    case "let":
      return block(node, scope);
    case "add":
    case "multiply":
    case "and":
    case "or":
    case "coalesce":
      return run(node.type, node.operands, scope);
    case "subtract":
    case "divide":
      return pair(node, scope);
    case "round":
      return round(node, scope);
    case "graduated":
      return graduated(node, scope);
    case "band":
      return band(node, scope);
    case "lookup":
      return lookup(node, scope);
    case "compare":
      return compared(sumOf(node.left), `${COMPARISONS[node.operator]} `, sumOf(node.right));
    case "not":
      return not(node, scope);
    case "in":
      return compared(sumOf(node.operand), "in ", list(node.values));
    case "text_match":
      return compared(sumOf(node.operand), `${TEXT_MATCHES[node.operator]} ${quote("string", node.text)}`);
    case "is_present":
      return compared(sumOf(node.operand), "is present");
    case "case":
      return choice(node, scope);
    case "date_part":
      return prefix(`${PARTS[node.part]} of `, primaryOf(node.operand));
    case "date_difference":
      return prefix(`${UNITS[node.unit]} from `, primaryOf(node.from), " to ", primaryOf(node.to));
    case "aggregate":
      return aggregate(node, scope);
  }
};

/** The widest name whose sign of equality the others are aligned with. */
const ALIGNED_MAX = 24;

/**
 * The expression as text: canonical, in lines of about 100 characters, one for each binding of a `let` at the root. Reading it
 * gives the same expression, but for an empty `group_by`, which is the same as none.
 */
export const printText = (expression: Expression): string => {
  const scope: Scope = new Map();
  if (expression.type !== "let") return render(resultLine(any(expression, scope), true));
  const { steps, body } = bound(expression, scope, (node) => resultLine(any(node, scope), false));
  const widest = Math.max(...steps.map(([name]) => (name.length > ALIGNED_MAX ? 0 : name.length)));
  const lines = steps.map(([name, value]) => concat(name.padEnd(widest), " = ", value));
  return [...lines, body].map(render).join("\n");
};
