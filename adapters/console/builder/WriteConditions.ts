/** Writes the values and conditions of a form as expressions. */
import type { Comparison, Expression, PropertyDefinition } from "quittance/formula";
import { readNumber } from "../format/Numbers.ts";
import {
  type Condition,
  type Conditions,
  type FormContext,
  type FormProblem,
  isBase,
  isGrouping,
  isMeasured,
  isMoney,
  isUndeclared,
  type Span,
} from "./Form.ts";
import * as Nodes from "./Nodes.ts";

export const COMPARISON_OF: Readonly<
  Record<Extract<Condition, { readonly type: "number" }>["operator"], Comparison>
> = {
  at_least: "greater_than_or_equal",
  more_than: "greater_than",
  at_most: "less_than_or_equal",
  less_than: "less_than",
  equal: "equal",
};

/** The decimals between the way in which a property is recorded and whole units of the currency. */
export const shiftOf = ({ format }: PropertyDefinition, { decimals }: FormContext): number =>
  format === "money_minor" ? decimals : 0;

/** What turns the value of a property into the smallest unit of the currency: a factor, or nothing. */
export const scaleOf = (
  { format }: PropertyDefinition,
  { decimals }: FormContext,
): ReadonlyArray<Expression> =>
  format === "money_major" && decimals > 0 ? [Nodes.number(10 ** decimals)] : [];

/** The texts of a list that is separated by commas. */
export const valuesOf = (list: string): ReadonlyArray<string> =>
  list
    .split(",")
    .map((item) => item.trim())
    .filter((candidate) => candidate !== "");

/** Dates so far away that a condition on the time since them does not hold, by what it asks for. */
export const farFrom = (operator: Extract<Condition, { readonly type: "number" }>["operator"]): string =>
  operator === "at_least" || operator === "more_than" ? "9999-12-31" : "0001-01-01";

/** The most days of a rolling window. */
const DAYS_MAX = 3660;

/** What a problem in a property stands in for, so that the rest of the form is still checked. */
const MISSING: PropertyDefinition = { name: "", type: "number", required: true, format: "money_minor" };

type Format = NonNullable<PropertyDefinition["format"]>;

const MONEY: ReadonlyArray<Format> = ["money_minor", "money_major"];

const FORMAT_WORDS: Readonly<Record<Format, string>> = {
  percent: "a percentage",
  money_minor: "money",
  money_major: "money in whole units",
  count: "a number of things",
  plain: "a number",
};

/** A parameter, and what its numbers mean. */
interface Parameter {
  readonly node: Expression;
  readonly format: Format;
}

/** Writes values and conditions; collects what is wrong. */
export class ConditionWriter {
  readonly problems: Array<FormProblem> = [];
  protected readonly context: FormContext;

  constructor(context: FormContext) {
    this.context = context;
  }

  report(path: string, message: string): void {
    this.problems.push({ path, message });
  }

  /** A typed number, as the formula has it. */
  number(text: string, path: string, shift = 0): number {
    const value = readNumber(text, shift);
    if (typeof value === "number") return value;
    this.report(path, value.problem);
    return 0;
  }

  /** A parameter in place of a typed number; null where a number is typed. */
  parameter(text: string, path: string, formats: ReadonlyArray<Format>): Parameter | null {
    const [, name] = /^\s*plan\.(\w+)\s*$/.exec(text) ?? [];
    if (name === undefined) return null;
    const found = this.context.parameters?.find((parameter) => parameter.name === name);
    const format = found?.format ?? "plain";
    if (found === undefined) this.report(path, "is no value of the partners");
    else if (found.type !== "number" || !formats.includes(format))
      this.report(path, `must be declared as ${FORMAT_WORDS[formats[0] ?? "plain"]}`);
    return { node: Nodes.parameter(name), format };
  }

  /** An amount that is paid, in the smallest unit. */
  amount(text: string, path: string): Expression {
    const { decimals } = this.context;
    const parameter = this.parameter(text, path, MONEY);
    if (parameter === null) return Nodes.number(this.number(text, path, decimals));
    return parameter.format === "money_major" && decimals > 0
      ? Nodes.multiply(parameter.node, Nodes.number(10 ** decimals))
      : parameter.node;
  }

  percent(text: string, path: string): Expression {
    const parameter = this.parameter(text, path, ["percent"]);
    return parameter === null
      ? Nodes.percent(this.number(text, path))
      : Nodes.divide(parameter.node, Nodes.number(100));
  }

  /** What a property, or a number of sales, is compared with; a parameter that is money may have another unit of it. */
  threshold(text: string, path: string, of: PropertyDefinition | null): Expression {
    const format = of?.format ?? "plain";
    const isOfMoney = of !== null && isMoney(of);
    const others: ReadonlyArray<Format> = format === "percent" ? ["percent"] : ["count", "plain"];
    const parameter = this.parameter(text, path, isOfMoney ? MONEY : others);
    const shift = of === null ? 0 : shiftOf(of, this.context);
    if (parameter === null) return Nodes.number(this.number(text, path, shift));
    const unit = Nodes.number(10 ** this.context.decimals);
    if (!isOfMoney || parameter.format === format || this.context.decimals === 0) return parameter.node;
    return format === "money_minor"
      ? Nodes.multiply(parameter.node, unit)
      : Nodes.divide(parameter.node, unit);
  }

  property(name: string, type: PropertyDefinition["type"], path: string): PropertyDefinition {
    const found = this.context.properties.find(
      (property) => property.name === name && property.type === type,
    );
    if (found === undefined) this.report(path, name === "" ? "is missing" : `is no property of the sales`);
    return found ?? { ...MISSING, type };
  }

  /** A property that is money, of which something is a share. */
  base(name: string, path: string): PropertyDefinition {
    const found = this.property(name, "number", path);
    if (!isBase(found, this.context))
      this.report(path, isUndeclared(found) ? "needs a unit: cents or whole units" : "must be money");
    return found;
  }

  /** A property of which a total is compared. */
  measured(name: string, path: string): PropertyDefinition {
    const found = this.property(name, "number", path);
    if (!isMeasured(found, this.context)) this.report(path, "needs a unit");
    return found;
  }

  /** The span of a total, and the property for each of whose values there is one. */
  span<Of extends Span>(
    { period, by = "" }: { readonly period: Of; readonly by?: string },
    path: string,
  ): [Of, string] {
    const days = Nodes.daysOf(period);
    const count = days === null ? 1 : this.number(days, `${path}.days`);
    if (!Number.isInteger(count) || count < 1 || count > DAYS_MAX)
      this.report(`${path}.days`, `must be a whole number from 1 to ${DAYS_MAX}`);
    const start = Nodes.startOf(period);
    if (start !== null && !this.isDateOfPartner(start))
      this.report(`${path}.period`, "must be a date of the partner");
    const property = this.context.properties.find(({ name }) => name === by);
    if (by !== "" && (property === undefined || !isGrouping(property)))
      this.report(`${path}.by`, "must be a text or a yes or no that every sale has");
    return [period, by];
  }

  isDateOfPartner(wanted: string): boolean {
    return this.context.parameters?.some(({ name, type }) => name === wanted && type === "date") === true;
  }

  conditions(conditions: Conditions, path: string): Expression {
    const operands = conditions.map((condition, index) => this.condition(condition, `${path}.${index}`));
    const [first] = operands;
    return operands.length === 1 && first !== undefined ? first : { type: "and", operands };
  }

  condition(condition: Condition, path: string): Expression {
    const compare = (operator: Comparison, left: Expression, right: Expression): Expression => ({
      ...{ type: "compare", operator },
      ...{ left, right },
    });
    switch (condition.type) {
      case "text":
        return this.textCondition(condition, path);
      case "number": {
        const property = this.property(condition.property, "number", `${path}.property`);
        const value = this.threshold(condition.value, `${path}.value`, property);
        return compare(COMPARISON_OF[condition.operator], Nodes.reference(property), value);
      }
      case "flag": {
        const flag = Nodes.reference(this.property(condition.property, "boolean", `${path}.property`));
        return condition.isTrue ? flag : { type: "not", operand: flag };
      }
      case "date": {
        if (!/^\d{4}-\d{2}-\d{2}$/.test(condition.day)) this.report(`${path}.day`, "is missing");
        return compare(
          condition.operator === "from" ? "greater_than_or_equal" : "less_than",
          { type: "attribute", name: "occurred_at" },
          { type: "literal", value: { type: "date", value: condition.day } },
        );
      }
      case "first": {
        const sales = this.number(condition.sales, `${path}.sales`);
        if (!Number.isInteger(sales) || sales < 1)
          this.report(`${path}.sales`, "must be a whole number of sales");
        return compare("less_than", Nodes.countBefore(...this.span(condition, path)), Nodes.number(sales));
      }
      case "season":
        return this.season(condition, path);
      case "elapsed": {
        const { operator, unit, value } = condition;
        const from = this.date(condition, `${path}.from`);
        const elapsed: Expression = { type: "date_difference", unit, from, to: Nodes.DAY_OF_SALE };
        return compare(COMPARISON_OF[operator], elapsed, Nodes.number(this.number(value, `${path}.value`)));
      }
      case "any": {
        const operands = condition.of.map((each, index) => this.condition(each, `${path}.of.${index}`));
        if (operands.length < 2) this.report(path, "needs at least two conditions");
        return { type: "or", operands };
      }
    }
  }

  /** The date from which time has passed. */
  date({ from, operator }: Extract<Condition, { readonly type: "elapsed" }>, path: string): Expression {
    const [, name] = /^plan\.(\w+)$/.exec(from) ?? [];
    if (name === undefined)
      return Nodes.dateIn(Nodes.reference(this.property(from, "string", path)), farFrom(operator));
    if (!this.isDateOfPartner(name)) this.report(path, "must be a date of the partner");
    return Nodes.parameter(name);
  }

  season({ part, values: list }: Extract<Condition, { readonly type: "season" }>, path: string): Expression {
    const operand: Expression = { type: "date_part", part, operand: Nodes.DAY_OF_SALE };
    const values = valuesOf(list).map((value) => this.number(value, `${path}.values`));
    const [only = 0, another] = values;
    if (values.length === 0) this.report(`${path}.values`, "is missing");
    return another === undefined
      ? { type: "compare", operator: "equal", left: operand, right: Nodes.number(only) }
      : { type: "in", operand, values: values.map((value) => ({ type: "number", value })) };
  }

  textCondition(
    { property: name, operator, values: list }: Extract<Condition, { readonly type: "text" }>,
    path: string,
  ): Expression {
    const operand = Nodes.reference(this.property(name, "string", `${path}.property`));
    const values = valuesOf(list);
    const [only = ""] = values;
    if (values.length === 0) this.report(`${path}.values`, "is missing");
    if (operator !== "is" && operator !== "is_not")
      return { type: "text_match", operator, operand, text: list.trim() };
    if (values.length < 2)
      return {
        ...{ type: "compare", operator: operator === "is" ? "equal" : "not_equal" },
        ...{ left: operand, right: Nodes.text(only) },
      };
    const among: Expression = {
      ...{ type: "in", operand },
      values: values.map((value) => ({ type: "string", value })),
    };
    return operator === "is" ? among : { type: "not", operand: among };
  }
}
