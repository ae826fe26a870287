/** Reads tokens as an expression: operators by their levels, and the lines of a formula. Forms with words of their own are in `Forms.ts`. */
import type { Binding, Comparison, Expression } from "../Expression.ts";
import { type Cursor, isName } from "./Cursor.ts";
import * as Forms from "./Forms.ts";
import { readValues } from "./Values.ts";
import { COMPARISONS, PAIRS, RUNS, TEXT_MATCHES } from "./Words.ts";

/** How people write with parentheses what has two meanings without. */
const COALESCE_HINT = 'put what "??" applies to in parentheses, as in (a / b) ?? 0 or a / (b ?? 0)';

const COMPARED = new Map(
  Object.entries(COMPARISONS).map(([operator, sign]) => [sign, operator as Comparison]),
);

/** Signs and words that calculate with or compare what stands before them. */
const OPERATORS: ReadonlyArray<string> = [
  ...Object.values(RUNS).map(({ sign }) => sign),
  ...Object.values(PAIRS).map(({ sign }) => sign),
  ...COMPARED.keys(),
  ...["in", "is", "starts", "ends", "contains"],
];

const isOperator = (cursor: Cursor): boolean => OPERATORS.some((text) => cursor.is(text));

/** A number times something, `10 % of amount`, which a product around it takes in. */
const shares = new WeakSet<Expression>();

/** A form that needs no parentheses to be an operand anywhere. */
const prefix = (cursor: Cursor): Expression => {
  const from = cursor.position;
  const form = readPrefix(cursor, from);
  cursor.primary = { from, to: cursor.position };
  return form;
};

const nestedPrefix = (cursor: Cursor): Expression => cursor.nested(() => prefix(cursor));

const isShare = (form: Expression): boolean =>
  form.type === "literal" && (form.value.type === "percent" || form.value.type === "basis_points");

const readPrefix = (cursor: Cursor, from: number): Expression => {
  if (cursor.is("if") || Forms.isAggregate(cursor))
    return cursor.refuse(`put "${cursor.peek().text} …" in parentheses to calculate with it`);
  const dates = Forms.datePhrase(cursor, nestedPrefix);
  if (dates !== undefined) return dates;
  const form = Forms.primary(cursor, { expression, isBinding, block });
  // Parentheses keep nodes apart.
  shares.delete(form);
  if (!isShare(form) || !cursor.accept("of")) return form;
  const share = cursor.mark(from, { type: "multiply", operands: [nestedPrefix(cursor), form] } as const);
  shares.add(share);
  return share;
};

/** The operands of a run that begins with the given one; what `10 % of` multiplies belongs to the product around it. */
const run = (cursor: Cursor, type: keyof typeof RUNS, first: Expression, operand: typeof prefix) => {
  const operands: Array<Expression> = [];
  const take = (item: Expression): void => {
    if (type === "multiply" && item.type === "multiply" && shares.has(item)) operands.push(...item.operands);
    else operands.push(item);
  };
  take(first);
  while (cursor.accept(RUNS[type].sign)) take(operand(cursor));
  return { type, operands };
};

/** Runs and pairs of one level, from left to right. */
const chain =
  (pair: keyof typeof PAIRS, operand: typeof prefix) =>
  (cursor: Cursor): Expression => {
    const { sign, run: type } = PAIRS[pair];
    const from = cursor.position;
    let left = operand(cursor);
    for (;;) {
      if (cursor.is(RUNS[type].sign)) left = cursor.mark(from, run(cursor, type, left, operand));
      else if (cursor.accept(sign)) left = cursor.mark(from, { type: pair, left, right: operand(cursor) });
      else return left;
    }
  };

const product = chain("divide", prefix);
const sum = chain("subtract", product);

/** A comparison with what stands before it; undefined if none follows. */
const comparisonWith = (cursor: Cursor, left: Expression): Expression | undefined => {
  const sign = COMPARED.get(cursor.peek().text);
  if (sign !== undefined && cursor.peek().kind === "sign") {
    cursor.advance();
    return { type: "compare", operator: sign, left, right: sum(cursor) };
  }
  const membership = cursor.acceptPhrase({ in: "in", notIn: "not in" });
  if (membership !== undefined) {
    const operand = { type: "in", operand: left, values: readValues(cursor) } as const;
    return membership === "in" ? operand : { type: "not", operand };
  }
  const presence = cursor.acceptPhrase({ present: "is present", absent: "is not present" });
  if (presence !== undefined) {
    const operand = { type: "is_present", operand: left } as const;
    return presence === "present" ? operand : { type: "not", operand };
  }
  const operator = cursor.acceptPhrase(TEXT_MATCHES);
  if (operator === undefined) return undefined;
  const token = cursor.peek();
  if (token.kind !== "string") return cursor.fail('a text in quotation marks, such as "PRO-"');
  cursor.advance();
  return { type: "text_match", operator, operand: left, text: token.text };
};

const comparison = (cursor: Cursor): Expression => {
  const from = cursor.position;
  const left = sum(cursor);
  const compared = comparisonWith(cursor, left);
  if (compared === undefined) return left;
  if (COMPARED.has(cursor.peek().text) && cursor.peek().kind === "sign")
    return cursor.refuse('comparisons cannot be chained; join two with "and", as in a < b and b < c');
  return cursor.mark(from, compared);
};

const negation = (cursor: Cursor): Expression => {
  const from = cursor.position;
  if (!cursor.accept("not")) return comparison(cursor);
  const operand = cursor.nested(() => negation(cursor));
  return cursor.mark(from, { type: "not", operand });
};

const logical =
  (type: "and" | "or", operand: typeof prefix) =>
  (cursor: Cursor): Expression => {
    const from = cursor.position;
    const first = operand(cursor);
    return cursor.is(RUNS[type].sign) ? cursor.mark(from, run(cursor, type, first, operand)) : first;
  };

const disjunction = logical("or", logical("and", negation));

/** Any expression, up to a sign or word that does not belong to it. */
export const expression = (cursor: Cursor): Expression =>
  cursor.nested(() => {
    const { isRowValue } = cursor;
    cursor.isRowValue = false;
    const form = readExpression(cursor);
    cursor.isRowValue = isRowValue;
    return form;
  });

const readExpression = (cursor: Cursor): Expression => {
  const from = cursor.position;
  const form = Forms.choiceOrAggregate(cursor, { expression, condition: disjunction });
  if (form !== undefined)
    return isOperator(cursor)
      ? cursor.refuse(`put "${cursor.textFrom(from)}" in parentheses to calculate with it or to compare it`)
      : form;
  const first = disjunction(cursor);
  if (!cursor.is("??")) return first;
  // Without parentheses `amount / n ?? 0` would have two meanings, both of the same type.
  if (cursor.primary.from !== from || cursor.primary.to !== cursor.position)
    return cursor.refuse(COALESCE_HINT);
  const coalesced = cursor.mark(from, run(cursor, "coalesce", first, prefix));
  return isOperator(cursor) ? cursor.refuse(COALESCE_HINT) : coalesced;
};

/** True if a line, or a part of a block, binds a name. */
const isBinding = (cursor: Cursor): boolean =>
  (isName(cursor.peek()) || cursor.peek().kind === "variable") && cursor.is("=", 1);

const binding = (cursor: Cursor): Binding => {
  const from = cursor.position;
  const name = cursor.advance().text;
  cursor.advance();
  return cursor.mark(from, { name, value: expression(cursor) });
};

/** The bindings and the result of a block whose parenthesis is open: `a = E; b = E; E`. */
const block = (cursor: Cursor, from: number): Expression => {
  const bindings: Array<Binding> = [];
  while (isBinding(cursor)) {
    const bound = binding(cursor);
    cursor.expect(";", " and the result after it, as in (a = 1; a + 2)");
    cursor.bind(bound.name);
    bindings.push(bound);
  }
  const body = expression(cursor);
  for (const { name } of bindings) cursor.release(name);
  cursor.expect(")", ", because the part without a name is the result");
  return cursor.mark(from, { type: "let", bindings, body });
};

/** All lines: each binds a name, but the last, which is the result. */
export const formula = (cursor: Cursor): Expression => {
  const bindings: Array<Binding> = [];
  if (cursor.isEnd()) return cursor.fail("a formula such as amount * 10 %");
  for (;;) {
    const bound = isBinding(cursor) ? binding(cursor) : undefined;
    const body = bound?.value ?? expression(cursor);
    if (!cursor.isEnd()) cursor.fail("an operator or the end of the line");
    const isRead = !cursor.isLost;
    const isLast = !cursor.startLine();
    if (isRead && isLast && bound !== undefined) cursor.fail(RESULT);
    if (isRead && !isLast && bound === undefined) cursor.report(cursor.peek(), NOT_LAST);
    if (bound !== undefined) {
      cursor.bind(bound.name);
      bindings.push(bound);
    }
    if (isLast) return bindings.length === 0 ? body : cursor.mark(0, { type: "let", bindings, body });
  }
};

const RESULT = "another line with the result, where a comparison stands in parentheses";

const NOT_LAST =
  "only the last line is the result; begin this one with an operator, or give the one before a name, as in rate = 10 %";
