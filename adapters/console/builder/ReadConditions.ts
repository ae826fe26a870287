/** Reads the values and conditions of a form from expressions. */
import {
  type Expression,
  type Node,
  type NumericValue,
  type PropertyDefinition,
  print,
  type Value,
} from "quittance/formula";
import { writeNumber } from "../format/Numbers.ts";
import {
  type Condition,
  type Conditions,
  DATE_PARTS,
  type FormContext,
  isBase,
  isMeasured,
  isMoney,
  type Period,
  type Span,
} from "./Form.ts";
import * as Nodes from "./Nodes.ts";
import { COMPARISON_OF, farFrom, shiftOf, valuesOf } from "./WriteConditions.ts";

/** All of the values, or null where one is null. */
export const all = <A>(values: ReadonlyArray<A | null>): ReadonlyArray<A> | null =>
  values.every((value): value is A => value !== null) ? values : null;

/** The span of a total, and the property for each of whose values there is one. */
interface Counted<Of extends Span = Span> {
  readonly period: Of;
  readonly by?: string;
}

/** The span, if it is one in which totals begin at 0. */
export const periodic = (counted: Counted | null): Counted<Period> | null => {
  if (counted === null || counted.period === "ever" || Nodes.daysOf(counted.period) !== null) return null;
  const { period, by } = counted;
  // A span that is neither is a period.
  return { period: period as Period, ...(by === undefined ? {} : { by }) };
};

/** The comparison of a form that an operator stands for. */
const comparisonOf = (operator: Node<"compare">["operator"]): keyof typeof COMPARISON_OF | undefined =>
  // The keys of the record are its declared ones.
  (Object.keys(COMPARISON_OF) as ReadonlyArray<keyof typeof COMPARISON_OF>).find(
    (key) => COMPARISON_OF[key] === operator,
  );

export const isSame = (a: Expression, b: Expression): boolean => print(a) === print(b);

/** Reads values and conditions; each method returns null where the form has nothing of that shape. */
export class ConditionReader {
  protected readonly context: FormContext;

  constructor(context: FormContext) {
    this.context = context;
  }

  property(node: Expression | undefined, type: PropertyDefinition["type"]): PropertyDefinition | null {
    const named = node?.type === "coalesce" ? node.operands[0] : node;
    if (node === undefined || named?.type !== "property") return null;
    const found = this.context.properties.find(
      (property) => property.name === named.name && property.type === type,
    );
    return found !== undefined && isSame(node, Nodes.reference(found)) ? found : null;
  }

  base(node: Expression | undefined): PropertyDefinition | null {
    const found = this.property(node, "number");
    return found !== null && isBase(found, this.context) ? found : null;
  }

  measuredProperty(node: Expression | undefined): PropertyDefinition | null {
    const found = this.property(node, "number");
    return found !== null && isMeasured(found, this.context) ? found : null;
  }

  /** A parameter as it is typed in place of a number. */
  parameter(node: Expression | undefined): string | null {
    return node?.type === "parameter" ? `plan.${node.name}` : null;
  }

  percent(node: Expression | undefined): string | null {
    if (node?.type === "divide") return this.parameter(node.left);
    if (node?.type !== "literal") return null;
    if (node.value.type === "percent") return writeNumber(node.value.value);
    return node.value.type === "basis_points" ? writeNumber(node.value.value, 2) : null;
  }

  /** An amount that is paid. */
  amount(node: Expression | undefined): string | null {
    const { decimals } = this.context;
    if (node?.type === "parameter") return this.parameter(node);
    if (node?.type === "multiply" && node.operands.length === 2) return this.parameter(node.operands[0]);
    return node?.type === "literal" && node.value.type === "number"
      ? writeNumber(node.value.value, decimals, decimals)
      : null;
  }

  /** A number that is compared with a property, or with a number of sales. */
  threshold(value: NumericValue, of: PropertyDefinition | null): string | null {
    if (value.type !== "number") return null;
    const isOfMoney = of !== null && isMoney(of);
    const shift = of === null ? 0 : shiftOf(of, this.context);
    return writeNumber(value.value, shift, isOfMoney ? this.context.decimals : 0);
  }

  /** A threshold, or a parameter in its place. */
  limit(node: Expression | undefined, of: PropertyDefinition | null): string | null {
    if (node?.type === "literal" && node.value.type === "number") return this.threshold(node.value, of);
    // A parameter may be in another unit of money than what it is compared with.
    if (node?.type === "multiply") return this.parameter(node.operands[0]);
    return this.parameter(node?.type === "divide" ? node.left : node);
  }

  counted(node: Expression | undefined): Counted | null {
    if (node?.type !== "aggregate" || node.where !== undefined) return null;
    const { window: span, group_by: [by, another] = [] } = node;
    if (another !== undefined) return null;
    const grouped = by === undefined ? {} : { by };
    switch (span.type) {
      case "lifetime":
        return { period: "ever", ...grouped };
      case "calendar":
        return { period: span.unit, ...grouped };
      case "rolling":
        return { period: `last ${span.days}`, ...grouped };
      case "anniversary":
        return { period: `since ${span.of}`, ...grouped };
    }
  }

  conditions(node: Expression): Conditions | null {
    const isSeveral = node.type === "and" && node.operands.length > 1;
    return all((isSeveral ? node.operands : [node]).map((expression) => this.condition(expression)));
  }

  condition(node: Expression): Condition | null {
    const flag = this.property(node.type === "not" ? node.operand : node, "boolean");
    if (flag !== null) return { type: "flag", property: flag.name, isTrue: node.type !== "not" };
    if (node.type === "compare") return this.comparison(node);
    if (node.type === "or") {
      const of = all(node.operands.map((operand) => this.condition(operand)));
      return of === null || of.length < 2 ? null : { type: "any", of };
    }
    if (node.type === "text_match") {
      const property = this.property(node.operand, "string");
      const { operator, text: values } = node;
      return property === null || values.trim() !== values || valuesOf(values).length === 0
        ? null
        : { type: "text", property: property.name, operator, values };
    }
    const among = node.type === "not" ? node.operand : node;
    if (among.type !== "in" || among.values.length < 2) return null;
    if (node.type === "in" && node.operand.type === "date_part")
      return this.season(node.operand, node.values);
    const values = all(among.values.map((value) => (value.type === "string" ? value.value : null)));
    return this.among(among.operand, node.type === "not" ? "is_not" : "is", values);
  }

  /** A comparison with texts; null where one of them would be read differently in a list with commas. */
  among(
    operand: Expression,
    operator: "is" | "is_not",
    values: ReadonlyArray<string> | null,
  ): Condition | null {
    const property = this.property(operand, "string");
    const isListed = values?.every((value) => valuesOf(value).join() === value && !value.includes(","));
    return property === null || values === null || !isListed
      ? null
      : { type: "text", property: property.name, operator, values: values.join(", ") };
  }

  comparison(node: Node<"compare">): Condition | null {
    const { operator, left, right } = node;
    if (right.type !== "literal") return this.numeric(node);
    const { value } = right;
    if (value.type === "string")
      return operator === "equal" || operator === "not_equal"
        ? this.among(left, operator === "equal" ? "is" : "is_not", [value.value])
        : null;
    if (value.type === "date") return this.dated(node, value.value);
    if (value.type !== "number") return null;
    if (left.type === "aggregate") return this.first(node, left, value);
    if (left.type === "date_part") return operator === "equal" ? this.season(left, [value]) : null;
    if (left.type === "date_difference") return this.elapsed(left, operator, value);
    return this.numeric(node);
  }

  /** The month, quarter or weekday of the sale's day. */
  season({ part, operand }: Node<"date_part">, values: ReadonlyArray<Value>): Condition | null {
    const known = DATE_PARTS.find((candidate) => candidate === part);
    const numbers = all(values.map((value) => (value.type === "number" ? writeNumber(value.value) : null)));
    return known === undefined || numbers === null || !isSame(operand, Nodes.DAY_OF_SALE)
      ? null
      : { type: "season", part: known, values: numbers.join(", ") };
  }

  /** The time from a date to the sale's day. */
  elapsed(
    { unit, from, to }: Node<"date_difference">,
    compared: Node<"compare">["operator"],
    value: NumericValue,
  ): Condition | null {
    const operator = comparisonOf(compared);
    if (operator === undefined || !isSame(to, Nodes.DAY_OF_SALE)) return null;
    const elapsed = { type: "elapsed", unit, operator, value: writeNumber(value.value) } as const;
    if (from.type === "parameter") return { ...elapsed, from: `plan.${from.name}` };
    const [read] = from.type === "coalesce" ? from.operands : [];
    const text = read?.type === "parse_date" ? this.property(read.operand, "string") : null;
    return text === null || !isSame(from, Nodes.dateIn(Nodes.reference(text), farFrom(operator)))
      ? null
      : { ...elapsed, from: text.name };
  }

  /** A comparison of a number. */
  numeric({ operator, left, right }: Node<"compare">): Condition | null {
    const property = this.property(left, "number");
    const wanted = comparisonOf(operator);
    const threshold = property === null ? null : this.limit(right, property);
    return property === null || wanted === undefined || threshold === null
      ? null
      : {
          ...{ type: "number", property: property.name, value: threshold },
          operator: wanted,
        };
  }

  dated({ operator, left }: Node<"compare">, day: string): Condition | null {
    if (left.type !== "attribute" || left.name !== "occurred_at" || day.length !== 10) return null;
    if (operator === "greater_than_or_equal") return { type: "date", operator: "from", day };
    return operator === "less_than" ? { type: "date", operator: "before", day } : null;
  }

  first({ operator }: Node<"compare">, counted: Node<"aggregate">, value: NumericValue): Condition | null {
    const span = this.counted(counted);
    if (operator !== "less_than" || counted.function !== "count" || span === null) return null;
    return !Number.isInteger(value.value) || value.value < 1
      ? null
      : { type: "first", sales: writeNumber(value.value), period: span.period, by: span.by ?? "" };
  }
}
