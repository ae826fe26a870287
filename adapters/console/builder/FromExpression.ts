/** The form of an expression, where the form can show it. */
import {
  type Expression,
  type Node,
  type NumericValue,
  type PropertyDefinition,
  print,
} from "quittance/formula";
import { writeNumber } from "../format/Numbers.ts";
import {
  type FormContext,
  isUndeclared,
  type Measure,
  type Part,
  type Rate,
  type Scale,
  type Step,
} from "./Form.ts";
import * as Nodes from "./Nodes.ts";
import { all, ConditionReader, isSame, periodic } from "./ReadConditions.ts";
import { simplify } from "./Simplify.ts";
import { expressionOf } from "./ToExpression.ts";

/**
 * Reads the parts of an expression; each method returns null where the form has nothing of that shape. It looks only at what
 * tells one form from another: whether the form pays what the whole expression pays is compared at the end.
 */
class Reader extends ConditionReader {
  /** What an aggregate over earlier sales measures, and the property whose units its thresholds have. */
  measured(
    node: Expression | undefined,
  ): { readonly of: Measure; readonly base: PropertyDefinition | null } | null {
    const span = this.counted(node);
    if (node?.type !== "aggregate" || span === null) return null;
    if (node.function === "count") return { of: { type: "count", ...span }, base: null };
    const base = this.measuredProperty(node.value);
    return node.function !== "sum" || base === null
      ? null
      : { of: { type: "value", base: base.name, ...span }, base };
  }

  /** The measure of a total with the present sale. */
  total(node: Expression | undefined) {
    const [before, own] = node?.type === "add" && node.operands.length === 2 ? node.operands : [];
    const measured = this.measured(before);
    if (measured === null || own === undefined) return null;
    const expected = measured.base === null ? Nodes.number(1) : Nodes.reference(measured.base);
    return isSame(own, expected) ? measured : null;
  }

  steps(
    steps: ReadonlyArray<{ readonly up_to?: NumericValue; readonly rate: Expression }>,
    of: PropertyDefinition | null,
  ): ReadonlyArray<Step> | null {
    return all(
      steps.map(({ up_to, rate }) => {
        const upTo = up_to === undefined ? "" : this.threshold(up_to, of);
        const percent = this.percent(rate);
        return upTo === null || percent === null ? null : { upTo, percent };
      }),
    );
  }

  rate(node: Expression, base: PropertyDefinition): Rate | null {
    const percent = this.percent(node);
    if (percent !== null) return { type: "fixed", percent };
    switch (node.type) {
      case "lookup": {
        const table = this.table(node, (value) => this.percent(value));
        return table === null ? null : this.rateTable(table);
      }
      case "case": {
        const chosen = this.choice(node, (value) => this.percent(value));
        if (chosen === null) return null;
        const rows = chosen.rows.map(({ when, value }) => ({ when, percent: value }));
        return { type: "condition", rows, otherwise: chosen.otherwise };
      }
      case "band":
        return this.level(node, base);
      default:
        return null;
    }
  }

  rateTable({ property, rows, otherwise }: NonNullable<ReturnType<typeof this.table<string>>>): Rate {
    return {
      ...{ type: "category", property, otherwise },
      rows: rows.map(({ key, value }) => ({ value: key, percent: value })),
    };
  }

  level(node: Node<"band">, base: PropertyDefinition): Rate | null {
    const { input } = node;
    const isOfSale = isSame(input, Nodes.reference(base));
    const before = input.type === "aggregate" ? this.measured(input) : null;
    const total = isOfSale ? { of: "sale" as const, base } : (before ?? this.total(input));
    if (total === null) return null;
    const scale = this.scale(node, total.base);
    return scale === null
      ? null
      : { type: "level", of: total.of, ...scale, ...(before === null ? {} : { isBefore: true }) };
  }

  scale({ bands, upper_bound }: Node<"band">, of: PropertyDefinition | null): Scale | null {
    const steps = this.steps(
      bands.map(({ value, ...limit }) => ({ ...limit, rate: value })),
      of,
    );
    return steps === null ? null : { steps, ...(upper_bound === "exclusive" ? { isBelow: true } : {}) };
  }

  table<A>(node: Node<"lookup">, read: (node: Expression) => A | null) {
    const property = this.property(node.key, "string");
    const otherwise = read(node.default);
    const rows = all(
      node.entries.map(({ key, value }) => {
        const found = read(value);
        return key.type !== "string" || found === null ? null : { key: key.value, value: found };
      }),
    );
    return property === null || otherwise === null || rows === null
      ? null
      : { property: property.name, rows, otherwise };
  }

  choice<A>(node: Node<"case">, read: (node: Expression) => A | null) {
    const otherwise = read(node.else);
    const rows = all(
      node.branches.map((branch) => {
        const when = this.conditions(branch.when);
        const value = read(branch.then);
        return when === null || value === null ? null : { when, value };
      }),
    );
    return otherwise === null || rows === null ? null : { rows, otherwise };
  }

  /** A product of a property and a rate. */
  share(operands: ReadonlyArray<Expression>): Part | null {
    const base = operands.map((operand) => this.base(operand)).find((candidate) => candidate !== null);
    if (base === undefined || base === null) return null;
    const rate = operands.map((operand) => this.rate(operand, base)).find((candidate) => candidate !== null);
    return rate === undefined || rate === null ? null : { type: "share", base: base.name, rate };
  }

  product({ operands }: Node<"multiply">): Part | null {
    const [first, second, ...others] = operands;
    const property = this.property(first, "number");
    const amount = this.amount(second);
    const graduated = operands.find(({ type }) => type === "graduated");
    if (graduated?.type === "graduated") return this.tiers(graduated);
    return property !== null && amount !== null && others.length === 0
      ? { type: "unit", property: property.name, amount }
      : this.share(operands);
  }

  /** Tiers, by themselves or in a product. */
  tiers({ amount, offset, tiers }: Node<"graduated">): Part | null {
    const base = this.base(amount);
    const span = offset === undefined ? null : this.counted(offset);
    const counted =
      offset === undefined
        ? { period: "sale" as const }
        : span?.period === "ever"
          ? { ...span, period: "ever" as const }
          : periodic(span);
    const steps = tiers.some(({ flat }) => flat !== undefined) ? null : this.steps(tiers, base);
    return base === null || steps === null || counted === null
      ? null
      : { type: "tiers", base: base.name, ...counted, steps };
  }

  named({ bindings, body }: Node<"let">): Part | null {
    const [first, second] = bindings;
    if (first === undefined) return null;
    if (first.name === "pay") return this.periodLimit(first.value, second?.value, body);
    const measured = this.measured(first.value);
    if (measured === null) return null;
    if (second === undefined) return this.bonus(measured, body);
    return second.name === "after" ? this.whole(measured, body) : this.quota(measured, second.value, body);
  }

  periodLimit(pay: Expression, before: Expression | undefined, body: Expression): Part | null {
    const of = this.read(pay);
    const span = periodic(this.counted(before));
    const rounded = body.type === "subtract" && body.left.type === "round" ? body.left.operand : null;
    const most = rounded?.type === "min" ? this.amount(rounded.operands[1]) : null;
    return of === null || span === null || most === null
      ? null
      : { type: "limit", of, ...span, least: "", most };
  }

  whole({ of, base }: NonNullable<ReturnType<typeof this.measured>>, body: Expression): Part | null {
    const span = periodic(of);
    if (of.type !== "value" || span === null || body.type !== "subtract") return null;
    const product = body.left.type === "round" ? body.left.operand : body.left;
    const band = product.type === "multiply" ? product.operands[1] : undefined;
    const scale = band?.type === "band" ? this.scale(band, base) : null;
    return scale === null ? null : { type: "whole", base: of.base, ...span, ...scale };
  }

  bonus({ of, base }: NonNullable<ReturnType<typeof this.measured>>, body: Expression): Part | null {
    const [branch] = body.type === "subtract" && body.left.type === "case" ? body.left.branches : [];
    if (branch?.when.type !== "compare") return null;
    const threshold = this.limit(branch.when.right, base);
    const amount = this.amount(branch.then);
    return threshold === null || amount === null ? null : { type: "bonus", of, threshold, amount };
  }

  quota(
    { of, base }: NonNullable<ReturnType<typeof this.measured>>,
    over: Expression,
    body: Expression,
  ): Part | null {
    const span = periodic(of);
    if (of.type !== "value" || span === null || over.type !== "subtract") return null;
    const beyond = over.left.type === "max" ? over.left.operands[0] : undefined;
    const limit = beyond?.type === "subtract" ? beyond.right : undefined;
    const sum = body.type === "multiply" && body.operands[0]?.type === "add" ? body.operands[0] : body;
    const rates =
      sum.type === "add"
        ? sum.operands.map((operand) =>
            operand.type === "multiply" ? this.percent(operand.operands[1]) : null,
          )
        : [];
    const [below, above] = rates;
    const quota = this.limit(limit, base);
    return quota === null || below == null || above == null
      ? null
      : { type: "quota", base: of.base, ...span, quota, below, above };
  }

  bounded(node: Node<"min"> | Node<"max">): Part | null {
    const [inner, bound, ...others] = node.operands;
    const limit = this.amount(bound);
    if (inner === undefined || limit === null || others.length > 0) return null;
    if (node.type === "max") {
      const of = this.read(inner);
      return of === null ? null : { type: "limit", of, period: "sale", least: limit, most: "" };
    }
    const raised = inner.type === "max" ? this.bounded(inner) : null;
    if (raised?.type === "limit") return { ...raised, most: limit };
    const of = this.read(inner);
    return of === null ? null : { type: "limit", of, period: "sale", least: "", most: limit };
  }

  chosen(node: Node<"lookup"> | Node<"case">): Part | null {
    if (node.type === "lookup") {
      const table = this.table(node, (value) => this.read(value));
      const rows = table?.rows.map(({ key, value }) => ({ value: key, pays: value }));
      return table === null || rows === undefined ? null : { type: "products", ...table, rows };
    }
    const chosen = this.choice(node, (value) => this.read(value));
    const rows = chosen?.rows.map(({ when, value }) => ({ when, pays: value }));
    return chosen === null || rows === undefined ? null : { type: "cases", ...chosen, rows };
  }

  fixed(node: Expression): Part | null {
    const amount = this.amount(node);
    return amount === null ? null : amount === "0" ? { type: "nothing" } : { type: "fixed", amount };
  }

  /** A part that pays what the node pays. */
  read(node: Expression): Part | null {
    switch (node.type) {
      case "literal":
      case "parameter":
        return this.fixed(node);
      case "multiply":
        return this.product(node) ?? this.fixed(node);
      case "graduated":
        return this.tiers(node);
      case "let":
        return this.named(node);
      case "min":
      case "max":
        return this.bounded(node);
      case "lookup":
      case "case":
        return this.chosen(node);
      case "add": {
        const parts = all(node.operands.map((operand) => this.read(operand)));
        return parts === null || parts.length < 2 ? null : { type: "sum", parts };
      }
      default:
        return null;
    }
  }
}

/** An expression with factors in one order, rates in one unit and no stated defaults: what the form does not tell apart. */
const normalise = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(normalise);
  if (typeof value !== "object" || value === null) return value;
  const node = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, normalise(one)]));
  if (node.type === "basis_points" && typeof node.value === "number")
    return { type: "percent", value: Number(writeNumber(node.value, 2)) };
  if (node.type === "band" && node.upper_bound === "inclusive") {
    const { upper_bound: _, ...band } = node;
    return band;
  }
  return node.type === "multiply" && Array.isArray(node.operands)
    ? { ...node, operands: node.operands.toSorted((a, b) => (print(a) < print(b) ? -1 : 1)) }
    : node;
};

const paysTheSame = (a: Expression, b: Expression): boolean =>
  // A normalised expression is one.
  isSame(normalise(a) as Expression, normalise(b) as Expression);

/** An expression as forms write it; every unit of its properties is tried with the same one. */
const simplified = new WeakMap<Expression, Expression>();

const simplifiedOf = (expression: Expression): Expression => {
  const found = simplified.get(expression) ?? simplify(expression);
  simplified.set(expression, found);
  return found;
};

/** The form that pays what an expression pays, sale by sale; null where no form does. */
export const formOf = (expression: Expression, context: FormContext): Part | null => {
  for (const way of [expression, simplifiedOf(expression)]) {
    const form = new Reader(context).read(way);
    const written = form === null ? null : expressionOf(form, context);
    if (written === null || "problems" in written) continue;
    if (paysTheSame(written.expression, expression)) return form;
    if (paysTheSame(simplify(written.expression), simplifiedOf(expression))) return form;
  }
  return null;
};

/** The most properties without a unit that are tried in every unit. */
const TRIED_MAX = 4;

/** What is only compared is shown as it is recorded, if it can be: that is true whatever it means. */
const UNITS = ["plain", "count", "money_minor", "money_major"] as const;

/**
 * The units under which a form can show an expression, for properties whose schema declares none: an expression that multiplies by
 * the cents of a euro takes the property for whole euros. Null where no form can show it.
 */
export const unitsIn = (expression: Expression, given: FormContext): FormContext | null => {
  const { properties } = given;
  const text = JSON.stringify(expression);
  const unknown = properties.filter(
    (property) => isUndeclared(property) && text.includes(JSON.stringify(property.name)),
  );
  const contexts = unknown.slice(0, TRIED_MAX).reduce<ReadonlyArray<FormContext>>(
    (found, { name }) =>
      found.flatMap((context) =>
        UNITS.map((format) => ({
          ...context,
          properties: context.properties.map((property) =>
            property.name === name ? { ...property, format } : property,
          ),
        })),
      ),
    [given],
  );
  return contexts.find((context) => formOf(expression, context) !== null) ?? null;
};
