/**
 * Rewrites an expression into the form that the builder's forms write, without changing what it pays: factors around a choice, a sum
 * or a limit move into it, constants are multiplied out, and variables are replaced by their expressions.
 */
import { decimalOf, type Expression, formatUnits, type Node, type Value } from "quittance/formula";
import * as Nodes from "./Nodes.ts";

/** The most digits of a constant that is computed. */
const DIGITS_MAX = 15;

/** Variables are replaced in expressions of up to this many characters, because each use repeats the expression of its variable. */
const SIZE_MAX = 20_000;

const isRateLiteral = (node: Expression): boolean =>
  node.type === "literal" && (node.value.type === "percent" || node.value.type === "basis_points");

const numberOf = (node: Expression): number | null =>
  node.type === "literal" && node.value.type === "number" ? node.value.value : null;

const isSame = (a: Expression, b: Expression): boolean => JSON.stringify(a) === JSON.stringify(b);

const isZero = (node: Expression): boolean => numberOf(node) === 0;

/** Returns the operands of a choosing node, one of which is its value. */
const alternativesOf = (node: Expression): ReadonlyArray<Expression> => {
  switch (node.type) {
    case "case":
      return [...node.branches.map(({ then }) => then), node.else];
    case "lookup":
      return [...node.entries.map(({ value }) => value), node.default];
    case "band":
      return node.bands.map(({ value }) => value);
    default:
      return [];
  }
};

/** True for a percentage, and for a choice whose alternatives are all percentages or 0. */
const isRate = (node: Expression): boolean => {
  const alternatives = alternativesOf(node);
  if (alternatives.length === 0) return isRateLiteral(node);
  return (
    alternatives.every((alternative) => isRate(alternative) || isZero(alternative)) &&
    alternatives.some(isRate)
  );
};

/** Applies a function to each alternative of a node. */
const mapAlternatives = (node: Expression, change: (expression: Expression) => Expression): Expression => {
  switch (node.type) {
    case "case":
      return {
        ...node,
        branches: node.branches.map(({ when, then }) => ({ when, then: change(then) })),
        else: change(node.else),
      };
    case "lookup":
      return {
        ...node,
        entries: node.entries.map(({ key, value }) => ({ key, value: change(value) })),
        default: change(node.default),
      };
    case "band":
      return { ...node, bands: node.bands.map((band) => ({ ...band, value: change(band.value) })) };
    default:
      return node;
  }
};

/** Writes 0 % for each 0 in a choice of rates. */
const asRate = (node: Expression): Expression =>
  mapAlternatives(node, (expression) => (isZero(expression) ? Nodes.percent(0) : asRate(expression)));

const timesExactly = (a: number, b: number): number | null => {
  const [left, right] = [decimalOf(a), decimalOf(b)];
  if (left._tag === "Left" || right._tag === "Left") return null;
  const digits = left.right.coefficient * right.right.coefficient;
  if (String(digits).length > DIGITS_MAX) return null;
  return Number(formatUnits(digits, left.right.decimals + right.right.decimals));
};

/** Rewrites bands as cases unless forms can show them as bands: rates with inclusive limits. */
const asCases = (node: Node<"band">): Expression => {
  const isExclusive = node.upper_bound === "exclusive";
  const { upper_bound: _, ...inclusive } = node;
  if (!isExclusive && isRate(node)) return inclusive;
  const last = node.bands.at(-1);
  const branches = node.bands.flatMap(({ up_to, value }) =>
    up_to === undefined
      ? []
      : [
          {
            when: {
              type: "compare" as const,
              operator: isExclusive ? ("less_than" as const) : ("less_than_or_equal" as const),
              left: node.input,
              right: { type: "literal" as const, value: up_to as Value },
            },
            then: value,
          },
        ],
  );
  return branches.length === 0 || last === undefined ? node : { type: "case", branches, else: last.value };
};

/** True if a factor can move into a node: any factor into sums and choices, a constant above 0 into limits. */
const takes = (node: Expression, rest: ReadonlyArray<Expression>): boolean => {
  if (node.type === "min" || node.type === "max")
    return rest.every((expression) => (numberOf(expression) ?? 0) > 0);
  return node.type === "add" || (alternativesOf(node).length > 0 && !isRate(node));
};

/** Writes a parameter times 1 % as the parameter divided by 100, as forms write percentages of partners. */
const withPercentages = (factors: ReadonlyArray<Expression>): ReadonlyArray<Expression> => {
  const percent = factors.find((factor) => isSame(factor, Nodes.percent(1)));
  const parameter = factors.find(({ type }) => type === "parameter");
  return percent === undefined || parameter === undefined
    ? factors
    : factors.flatMap((factor) => {
        if (factor === percent) return [];
        return factor === parameter ? [Nodes.divide(parameter, Nodes.number(100))] : [factor];
      });
};

const product = (factors: ReadonlyArray<Expression>): Expression => {
  const flat = withPercentages(
    factors.flatMap((factor) => (factor.type === "multiply" ? factor.operands : [factor])),
  );
  let constant: number | null = 1;
  for (const factor of flat) {
    const value = numberOf(factor);
    if (value !== null && constant !== null) constant = timesExactly(constant, value);
  }
  const others = constant === null ? flat : flat.filter((expression) => numberOf(expression) === null);
  const all = constant === null || constant === 1 ? others : [...others, Nodes.number(constant)];
  const [only, ...more] = all;
  if (only === undefined) return Nodes.number(constant ?? 1);
  if (more.length === 0) return only;
  const outer = all.find((expression) =>
    takes(
      expression,
      all.filter((other) => other !== expression),
    ),
  );
  if (outer === undefined) return { type: "multiply", operands: all };
  const inside = (expression: Expression): Expression =>
    product([expression, ...all.filter((other) => other !== outer)]);
  return "operands" in outer && outer.type !== "multiply"
    ? simplify({ ...outer, operands: outer.operands.map(inside) } as Expression)
    : mapAlternatives(outer, inside);
};

/** Puts the constant of a limit last and, of an upper and a lower limit, the lower one inside. */
const limit = (node: Node<"min"> | Node<"max">): Expression => {
  const operands = node.operands.toSorted(
    (a, b) => Number(numberOf(a) !== null) - Number(numberOf(b) !== null),
  );
  const [inner, bound] = operands;
  if (inner === undefined || bound === undefined || operands.length > 2) return { ...node, operands };
  const [value, upper] = node.type === "max" && inner.type === "min" ? inner.operands : [];
  const [least, most] = [numberOf(bound), upper === undefined ? null : numberOf(upper)];
  return value === undefined || upper === undefined || least === null || most === null || least > most
    ? { ...node, operands }
    : Nodes.min(Nodes.max(value, bound), upper);
};

/** Replaces each variable of a name in an expression. */
const replaceVariable = (part: unknown, name: string, value: Expression): unknown => {
  if (Array.isArray(part)) return part.map((item) => replaceVariable(item, name, value));
  if (typeof part !== "object" || part === null) return part;
  if ("type" in part && part.type === "variable" && "name" in part && part.name === name) return value;
  return Object.fromEntries(
    Object.entries(part).map(([key, one]) => [key, replaceVariable(one, name, value)]),
  );
};

const withoutNames = (node: Node<"let">): Expression => {
  const text = JSON.stringify(node);
  // An inner `let` may bind the name again.
  if (text.length > SIZE_MAX || text.indexOf('"type":"let"') !== text.lastIndexOf('"type":"let"'))
    return node;
  const inlined = node.bindings.reduceRight<Expression>(
    (body, { name, value }) => replaceVariable(body, name, value) as Expression,
    node.body,
  );
  return JSON.stringify(inlined).length > SIZE_MAX ? node : simplify(inlined);
};

/** Returns a count of earlier sales and the number added to it, where 1 includes the present sale; null for any other expression. */
const countIn = (node: Expression): { readonly count: Expression; readonly more: number } | null => {
  const [count, one] = node.type === "add" && node.operands.length === 2 ? node.operands : [node];
  const more = one === undefined ? 0 : numberOf(one);
  return count?.type === "aggregate" && count.function === "count" && more !== null ? { count, more } : null;
};

/** Writes a comparison of a count of sales as "fewer earlier sales than a limit"; leaves any other comparison unchanged. */
const comparison = (node: Node<"compare">): Expression => {
  const counted = countIn(node.left);
  const limit = numberOf(node.right);
  if (counted === null || limit === null || !Number.isInteger(limit)) return node;
  const { count, more } = counted;
  const below = (least: number): Expression => ({
    ...{ type: "compare", operator: "less_than", left: count, right: Nodes.number(least) },
  });
  if (node.operator === "less_than") return below(limit - more);
  if (node.operator === "less_than_or_equal") return below(limit - more + 1);
  // A count is never negative.
  return node.operator === "equal" && limit - more === 0 ? below(1) : node;
};

/** Flattens nested conjunctions of a condition into one list. */
const condition = (node: Expression): Expression => {
  if (node.type === "compare") return comparison(node);
  if (node.type !== "and") return node;
  const operands = node.operands
    .map(condition)
    .flatMap((expression) => (expression.type === "and" ? expression.operands : [expression]));
  return { ...node, operands };
};

const withConditions = (node: Expression): Expression =>
  node.type === "case"
    ? { ...node, branches: node.branches.map(({ when, then }) => ({ when: condition(when), then })) }
    : node;

/** Returns the expression in the form that the builder's forms write. */
export const simplify = (node: Expression): Expression => {
  switch (node.type) {
    case "let":
      return withoutNames(node);
    case "multiply":
      return product(node.operands.map(simplify));
    case "add":
      return {
        ...node,
        operands: node.operands
          .map(simplify)
          .flatMap((expression) => (expression.type === "add" ? expression.operands : [expression])),
      };
    case "min":
    case "max":
      return limit({ ...node, operands: node.operands.map(simplify) });
    case "band":
    case "case":
    case "lookup": {
      const inner = mapAlternatives(node, simplify);
      const rated = isRate(inner) ? asRate(inner) : inner;
      return withConditions(rated.type === "band" ? asCases(rated) : rated);
    }
    default:
      return node;
  }
};
