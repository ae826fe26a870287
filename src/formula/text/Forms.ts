/** The forms with words of their own: constants, names, calls, tables, dates, choices and aggregates. */
import {
  type AggregateFunction,
  ATTRIBUTES,
  type Attribute,
  type BandStep,
  type Branch,
  type Entry,
  type Expression,
  GRAMMAR,
  type NumericValue,
  type Tier,
  type UpperBound,
} from "../Expression.ts";
import type { Mode } from "../Rounding.ts";
import { type Cursor, isName, UNREADABLE } from "./Cursor.ts";
import { readNumber, readValue, VALUE } from "./Values.ts";
import { readParameter, readWindow } from "./Windows.ts";
import {
  AGGREGATES,
  CALLS,
  MODES,
  OPERAND_CALLS,
  type OperandCall,
  PARTS,
  PLAN,
  RUNS,
  type RunType,
  SALE,
  UNITS,
  UPPER_BOUNDS,
} from "./Words.ts";

type Read = (cursor: Cursor) => Expression;

/** The key of the word that is next, if another word follows it. */
const wordBefore = <Key extends string>(
  cursor: Cursor,
  words: { readonly [K in Key]: string },
  following: string,
): Key | undefined => {
  if (!isName(cursor.peek()) || !cursor.is(following, 1)) return undefined;
  for (const key in words) if (cursor.is(words[key])) return key;
  return undefined;
};

/** `month of date`, `days from date to date`; undefined if neither is next. */
export const datePhrase = (cursor: Cursor, operand: Read): Expression | undefined => {
  const from = cursor.position;
  const part = wordBefore(cursor, PARTS, "of");
  if (part !== undefined) {
    cursor.accept(PARTS[part], "of");
    return cursor.mark(from, { type: "date_part", part, operand: operand(cursor) });
  }
  const unit = wordBefore(cursor, UNITS, "from");
  if (unit === undefined) return undefined;
  cursor.accept(UNITS[unit], "from");
  const start = operand(cursor);
  cursor.expect("to", " and the later date");
  return cursor.mark(from, { type: "date_difference", unit, from: start, to: operand(cursor) });
};

/** Arguments up to the closing parenthesis. */
const operands = (cursor: Cursor, expression: Read): ReadonlyArray<Expression> => {
  const list: Array<Expression> = [];
  do list.push(expression(cursor));
  while (cursor.accept(","));
  cursor.expect(")", ' or ","');
  return list;
};

/** The mode and the increment of `round(a, half even, to 5)`. */
const round = (cursor: Cursor, expression: Read): Expression => {
  const operand = expression(cursor);
  let mode: Mode | undefined;
  let increment: NumericValue | undefined;
  while (cursor.accept(",")) {
    if (increment === undefined && cursor.accept("to")) {
      increment = readNumber(cursor);
      if (increment === undefined) return cursor.fail("a number such as 5 or 0.05");
      continue;
    }
    const stated = mode === undefined && increment === undefined ? cursor.acceptPhrase(MODES) : undefined;
    if (stated === undefined)
      return cursor.fail(`"to" and a number, or one of ${Object.values(MODES).join(", ")}`);
    mode = stated;
  }
  cursor.expect(")", ' or ","');
  return {
    type: "round",
    operand,
    mode: mode ?? "half_up",
    ...(increment === undefined ? {} : { increment }),
  };
};

/** The rows of a table in braces, the last of which is that of `else`. */
const rows = <Row extends object>(
  cursor: Cursor,
  head: string,
  row: (cursor: Cursor) => Row | undefined,
  expected: string,
  last: (cursor: Cursor) => Row,
): ReadonlyArray<Row> => {
  const list: Array<Row> = [];
  cursor.expect("{", ` and rows, as in ${head}`);
  for (;;) {
    const from = cursor.position;
    if (cursor.accept("else")) {
      cursor.expect(":");
      list.push(cursor.mark(from, last(cursor)));
      cursor.accept(";");
      cursor.expect("}", ', because "else" is the last row');
      return list;
    }
    const read = row(cursor);
    if (read === undefined) {
      cursor.fail(`${expected} or "else:"`);
      return list;
    }
    list.push(cursor.mark(from, read));
    cursor.expect(";", ' and another row, the last of which is "else: …"');
    if (cursor.isEnd()) return list;
  }
};

/** The upper bound of a row, its word read before. */
const upTo = (cursor: Cursor): NumericValue | undefined => {
  const bound = readNumber(cursor);
  if (bound === undefined) {
    cursor.fail("a number such as 1000");
    return undefined;
  }
  cursor.expect(":");
  return bound;
};

const tier = (cursor: Cursor, expression: Read): Pick<Tier, "rate" | "flat"> => {
  const rate = expression(cursor);
  return cursor.accept("plus") ? { rate, flat: expression(cursor) } : { rate };
};

/** `tiers(amount, after before) { up to 1000: 5 %; else: 8 % plus 10 }`. */
const graduated = (cursor: Cursor, expression: Read): Expression => {
  const amount = expression(cursor);
  const isOffset = cursor.accept(",");
  if (isOffset) cursor.expect("after", " and the amount counted before");
  const offset = isOffset ? { offset: expression(cursor) } : {};
  cursor.expect(")", isOffset ? "" : ' or ", after"');
  const tiers = rows<Tier>(
    cursor,
    "{ up to 1000: 5 %; else: 8 % }",
    () => {
      if (cursor.acceptPhrase({ up_to: "up to" }) === undefined) return undefined;
      const bound = upTo(cursor);
      return bound === undefined ? undefined : { up_to: bound, ...tier(cursor, expression) };
    },
    '"up to"',
    () => tier(cursor, expression),
  );
  return { type: "graduated", amount, ...offset, tiers };
};

/** `bands(x, exclusive) { below 10: 30; else: 40 }`. */
const band = (cursor: Cursor, expression: Read): Expression => {
  const input = expression(cursor);
  let upper: UpperBound | undefined;
  if (cursor.accept(",")) {
    upper = cursor.acceptPhrase(UPPER_BOUNDS);
    if (upper === undefined) return cursor.fail('"inclusive" or "exclusive"');
  }
  cursor.expect(")", upper === undefined ? ', ", inclusive" or ", exclusive"' : "");
  const word = upper === "exclusive" ? "below" : "up to";
  const bands = rows<BandStep>(
    cursor,
    upper === "exclusive" ? "{ below 10: 30; else: 40 }" : "{ up to 10: 30; else: 40 }",
    () => {
      if (cursor.acceptPhrase({ word }) === undefined) return undefined;
      const bound = upTo(cursor);
      return bound === undefined ? undefined : { up_to: bound, value: expression(cursor) };
    },
    upper === "exclusive" ? '"below"' : '"up to"; "below" stands in bands(…, exclusive),',
    () => ({ value: expression(cursor) }),
  );
  return { type: "band", input, ...(upper === undefined ? {} : { upper_bound: upper }), bands };
};

/** `choose category { "books": 5 %; else: 3 % }`. */
const lookup = (cursor: Cursor, expression: Read): Expression => {
  const key = expression(cursor);
  const list = rows<Entry | { readonly value: Expression }>(
    cursor,
    '{ "books": 5 %; else: 3 % }',
    () => {
      const stated = readValue(cursor);
      if (stated === undefined) return undefined;
      cursor.expect(":");
      return { key: stated, value: expression(cursor) };
    },
    VALUE,
    () => ({ value: expression(cursor) }),
  );
  const entries = list.filter((row) => "key" in row);
  return {
    type: "lookup",
    key,
    entries,
    default: list.find((row) => !("key" in row))?.value ?? key,
  };
};

const operandCall =
  (type: OperandCall | RunType) =>
  (cursor: Cursor, expression: Read): Expression => {
    if ("operands" in GRAMMAR[type]) return { type, operands: operands(cursor, expression) } as Expression;
    const node = { type, operand: expression(cursor) } as Expression;
    cursor.expect(")");
    return node;
  };

/** The functions by their names; each reads its arguments and the closing parenthesis. */
const FUNCTIONS: ReadonlyMap<string, (cursor: Cursor, expression: Read) => Expression> = new Map([
  ...Object.entries(OPERAND_CALLS).map(([type, name]) => [name, operandCall(type as OperandCall)] as const),
  ...Object.entries(RUNS).map(([type, { call }]) => [call, operandCall(type as RunType)] as const),
  [CALLS.round, round],
  [CALLS.tiers, graduated],
  [CALLS.bands, band],
]);

/** Words that stand before `of`. */
const OF_WORDS: ReadonlySet<string> = new Set([...Object.values(AGGREGATES), ...Object.values(PARTS)]);

/** A name: a call, an attribute, the nearest variable of that name, or else the property. */
const named = (cursor: Cursor, expression: Read): Expression => {
  const from = cursor.position;
  const token = cursor.advance();
  const name = token.text;
  if (cursor.accept("(")) {
    const read = FUNCTIONS.get(name);
    if (read !== undefined) return cursor.mark(from, read(cursor, expression));
    cursor.reportUnknown(token, "function", FUNCTIONS.keys());
    return operands(cursor, expression)[0] as Expression;
  }
  if (name === SALE && cursor.accept(".")) {
    const attribute = cursor.peek();
    if (attribute.kind !== "name" && attribute.kind !== "word")
      return cursor.fail(`one of ${ATTRIBUTES.join(", ")}`);
    cursor.advance();
    if (!ATTRIBUTES.some((known) => known === attribute.text))
      cursor.reportUnknown(attribute, `attribute of ${SALE}`, ATTRIBUTES);
    return cursor.mark(from, { type: "attribute", name: attribute.text as Attribute });
  }
  if (name === PLAN && cursor.accept(".")) {
    const parameter = readParameter(cursor);
    return parameter === undefined ? UNREADABLE : cursor.mark(from, { type: "parameter", name: parameter });
  }
  if (cursor.isBound(name)) return cursor.mark(from, { type: "variable", name });
  if (OF_WORDS.has(name) && cursor.peek().kind === "name") return cursor.fail(`"of" after "${name}"`);
  cursor.checkProperty(token);
  return cursor.mark(from, { type: "property", name });
};

/** Anything that stands for itself: a constant, a name, a call, a table, or what is in parentheses. */
export const primary = (
  cursor: Cursor,
  read: {
    readonly expression: Read;
    readonly isBinding: (cursor: Cursor) => boolean;
    readonly block: (cursor: Cursor, from: number) => Expression;
  },
): Expression => {
  const from = cursor.position;
  const token = cursor.peek();
  const constant = readValue(cursor);
  if (constant !== undefined) return cursor.mark(from, { type: "literal", value: constant });
  if (token.kind === "name") return named(cursor, read.expression);
  if (token.kind === "property" || token.kind === "variable") {
    cursor.advance();
    if (token.kind === "property") cursor.checkProperty(token);
    return cursor.mark(from, { type: token.kind, name: token.text });
  }
  if (cursor.accept("choose")) return cursor.mark(from, lookup(cursor, read.expression));
  if (cursor.accept("(")) {
    if (token.isBlock && read.isBinding(cursor)) return read.block(cursor, from);
    const inside = read.expression(cursor);
    cursor.expect(")", " or an operator");
    return inside;
  }
  if (cursor.is("-"))
    return cursor.refuse('"-" is the sign of a number only; the opposite of an amount is 0 - amount');
  return cursor.fail("a value, a name or (");
};

/** The function of an aggregate that begins here; undefined if none does. */
const aggregateFunction = (cursor: Cursor): AggregateFunction | undefined =>
  wordBefore(cursor, AGGREGATES, "of") ??
  (cursor.isRowValue ? undefined : wordBefore(cursor, { count: AGGREGATES.count }, "earlier"));

/** True if an aggregate begins here. */
export const isAggregate = (cursor: Cursor): boolean => aggregateFunction(cursor) !== undefined;

/** The names of the properties that form groups, after `by`. */
const groupBy = (cursor: Cursor): ReadonlyArray<string> => {
  const names: Array<string> = [];
  do {
    const token = cursor.peek();
    if (token.kind !== "name" && token.kind !== "property") {
      cursor.fail("the name of a property");
      return names;
    }
    cursor.advance();
    cursor.checkProperty(token);
    cursor.markItem(names);
    names.push(token.text);
  } while (cursor.accept(","));
  return names;
};

/** The role of the rows, after `as`. */
const readRole = (cursor: Cursor): string => {
  const value = readValue(cursor);
  if (value?.type === "string") return value.value;
  cursor.fail('the role in quotes, such as "seller"');
  return "";
};

/** `sum of amount earlier this month by client where country = "DE"`; the rows have a role of their own after `earlier as "seller"`. */
const aggregate = (
  cursor: Cursor,
  name: AggregateFunction,
  expression: Read,
  condition: Read,
): Expression => {
  const from = cursor.position;
  cursor.advance();
  const isValued = cursor.accept("of");
  cursor.isRowValue = isValued;
  const counted = isValued ? { value: condition(cursor) } : {};
  cursor.isRowValue = false;
  if (name === "count" && "value" in counted)
    cursor.report(
      cursor.ranges.get(counted.value) ?? cursor.peek(),
      'count counts sales; expected "count earlier …"',
    );
  cursor.expect("earlier", ' and "this month" or another span');
  const role = cursor.accept("as") ? { role: readRole(cursor) } : {};
  const windowFrom = cursor.position;
  const span = readWindow(cursor);
  if (span === undefined) return UNREADABLE;
  cursor.mark(windowFrom, span);
  const group = cursor.accept("by") ? { group_by: groupBy(cursor) } : {};
  const where = cursor.accept("where") ? { where: expression(cursor) } : {};
  return cursor.mark(from, {
    type: "aggregate",
    function: name,
    ...counted,
    ...where,
    window: span,
    ...group,
    ...role,
  });
};

/** `if a then x else if b then y else z`. */
const choice = (cursor: Cursor, expression: Read): Expression => {
  const from = cursor.position;
  const branches: Array<Branch> = [];
  let branchFrom = from;
  while (cursor.accept("if")) {
    const when = expression(cursor);
    cursor.expect("then", " or an operator");
    branches.push(cursor.mark(branchFrom, { when, then: expression(cursor) }));
    cursor.expect("else", ", because every if has one, or an operator");
    branchFrom = cursor.position;
  }
  return cursor.mark(from, { type: "case", branches, else: expression(cursor) });
};

/** What is an operand only in parentheses; undefined if neither is next. */
export const choiceOrAggregate = (
  cursor: Cursor,
  read: { readonly expression: Read; readonly condition: Read },
): Expression | undefined => {
  if (cursor.is("if")) return choice(cursor, read.expression);
  const name = aggregateFunction(cursor);
  return name === undefined ? undefined : aggregate(cursor, name, read.expression, read.condition);
};
