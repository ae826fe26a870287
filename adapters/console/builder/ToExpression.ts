/** The expression of a form, or what is missing in the form. */
import type { Expression, NumericValue, PropertyDefinition, Value } from "quittance/formula";
import { readNumber } from "../format/Numbers.ts";
import type { Conditions, FormContext, FormProblem, Measure, Part, Rate, Scale, Step } from "./Form.ts";
import * as Nodes from "./Nodes.ts";
import { ConditionWriter, scaleOf, shiftOf } from "./WriteConditions.ts";

type PartOf<Type extends Part["type"]> = Extract<Part, { readonly type: Type }>;

/** Writes the parts of a form. */
class Writer extends ConditionWriter {
  /** The limits of a scale ascend, and only its last step has none. */
  limits<A>(
    steps: ReadonlyArray<Step>,
    path: string,
    shift: number,
    make: (limit: { readonly up_to?: NumericValue }, rate: Expression) => A,
  ): ReadonlyArray<A> {
    let last = Number.NEGATIVE_INFINITY;
    return steps.map(({ upTo, percent }, index) => {
      const rate = this.percent(percent, `${path}.${index}.percent`);
      if (index === steps.length - 1) return make({}, rate);
      const at = `${path}.${index}.upTo`;
      const value = this.number(upTo, at, shift);
      if (value <= last) this.report(at, "must be more than the limit before");
      last = value;
      return make({ up_to: { type: "number", value } }, rate);
    });
  }

  /** The rate of the step that an input reaches. */
  band(input: Expression, { steps, isBelow }: Scale, path: string, shift: number): Expression {
    const bands = this.limits(steps, path, shift, (limit, value) => ({ ...limit, value }));
    return { type: "band", input, ...(isBelow === true ? { upper_bound: "exclusive" } : {}), bands };
  }

  /** A total before the present sale, what that adds, and the property whose units its thresholds have. */
  measure(of: Measure, path: string) {
    const span = this.span(of, path);
    if (of.type === "count")
      return { before: Nodes.countBefore(...span), own: Nodes.number(1), base: null } as const;
    const base = this.measured(of.base, `${path}.base`);
    const own = Nodes.reference(base);
    return { before: Nodes.sumBefore(own, ...span), own, base } as const;
  }

  rate(rate: Rate, base: PropertyDefinition, path: string): Expression {
    switch (rate.type) {
      case "fixed":
        return this.percent(rate.percent, `${path}.percent`);
      case "category":
        return this.lookup(
          rate,
          path,
          rate.rows.map(({ percent }, index) => this.percent(percent, `${path}.rows.${index}.percent`)),
          this.percent(rate.otherwise, `${path}.otherwise`),
        );
      case "condition":
        return this.choice(
          rate.rows,
          path,
          rate.rows.map(({ percent }, index) => this.percent(percent, `${path}.rows.${index}.percent`)),
          this.percent(rate.otherwise, `${path}.otherwise`),
        );
      case "level": {
        const { input, shift } =
          rate.of === "sale"
            ? { input: Nodes.reference(base), shift: shiftOf(base, this.context) }
            : this.total(rate.of, rate.isBefore === true, `${path}.of`);
        return this.band(input, rate, `${path}.steps`, shift);
      }
    }
  }

  total(of: Measure, isBefore: boolean, path: string) {
    const { before, own, base } = this.measure(of, path);
    const input = isBefore ? before : Nodes.add(before, own);
    return { input, shift: base === null ? 0 : shiftOf(base, this.context) };
  }

  lookup(
    {
      property,
      rows,
    }: { readonly property: string; readonly rows: ReadonlyArray<{ readonly value: string }> },
    path: string,
    values: ReadonlyArray<Expression>,
    otherwise: Expression,
  ): Expression {
    const key = Nodes.reference(this.property(property, "string", `${path}.property`));
    if (rows.length === 0) this.report(path, "needs at least one row");
    const entries = rows.map(({ value }, index) => {
      if (value === "") this.report(`${path}.rows.${index}.value`, "is missing");
      if (rows.findIndex((row) => row.value === value) < index)
        this.report(`${path}.rows.${index}.value`, "is in the table already");
      return { key: { type: "string", value } as Value, value: values[index] ?? Nodes.ZERO };
    });
    return { type: "lookup", key, entries, default: otherwise };
  }

  choice(
    rows: ReadonlyArray<{ readonly when: Conditions }>,
    path: string,
    values: ReadonlyArray<Expression>,
    otherwise: Expression,
  ): Expression {
    if (rows.length === 0) this.report(path, "needs at least one condition");
    const branches = rows.map(({ when }, index) => ({
      when: this.conditions(when, `${path}.rows.${index}.when`),
      then: values[index] ?? Nodes.ZERO,
    }));
    return { type: "case", branches, else: otherwise };
  }

  part(part: Part, path: string): Expression {
    switch (part.type) {
      case "nothing":
        return Nodes.ZERO;
      case "fixed":
        if (readNumber(part.amount) === 0) this.report(`${path}.amount`, "must not be 0; choose nothing");
        return this.amount(part.amount, `${path}.amount`);
      case "unit": {
        const property = this.property(part.property, "number", `${path}.property`);
        return Nodes.multiply(Nodes.reference(property), this.amount(part.amount, `${path}.amount`));
      }
      case "share": {
        const base = this.base(part.base, `${path}.base`);
        const rate = this.rate(part.rate, base, `${path}.rate`);
        return Nodes.multiply(Nodes.reference(base), rate, ...scaleOf(base, this.context));
      }
      case "tiers":
        return this.tiers(part, path);
      case "whole":
        return this.whole(part, path);
      case "quota":
        return this.quota(part, path);
      case "bonus":
        return this.bonus(part, path);
      case "limit":
        return part.period === "sale" ? this.limit(part, path) : this.periodLimit(part, path);
      case "sum":
        if (part.parts.length < 2) this.report(path, "needs at least two parts");
        return Nodes.add(...part.parts.map((item, index) => this.part(item, `${path}.parts.${index}`)));
      case "cases":
      case "products":
        return this.chosen(part, path);
    }
  }

  chosen(part: PartOf<"cases"> | PartOf<"products">, path: string): Expression {
    const values = part.rows.map(({ pays }, index) => this.part(pays, `${path}.rows.${index}.pays`));
    const otherwise = this.part(part.otherwise, `${path}.otherwise`);
    return part.type === "cases"
      ? this.choice(part.rows, path, values, otherwise)
      : this.lookup(part, path, values, otherwise);
  }

  tiers({ base: name, period, by, steps }: PartOf<"tiers">, path: string): Expression {
    const base = this.base(name, `${path}.base`);
    const amount = Nodes.reference(base);
    const shift = shiftOf(base, this.context);
    const tiers = this.limits(steps, `${path}.steps`, shift, (limit, rate) => ({ ...limit, rate }));
    const counted = {
      period: period === "sale" ? "month" : period,
      ...(by === undefined ? {} : { by }),
    } as const;
    const offset = period === "sale" ? {} : { offset: Nodes.sumBefore(amount, ...this.span(counted, path)) };
    return Nodes.multiply({ type: "graduated", amount, ...offset, tiers }, ...scaleOf(base, this.context));
  }

  whole(part: PartOf<"whole">, path: string): Expression {
    const { base: name } = part;
    const base = this.base(name, `${path}.base`);
    const own = Nodes.reference(base);
    const [before, after] = [Nodes.variable("before"), Nodes.variable("after")];
    const shift = shiftOf(base, this.context);
    const band = (input: Expression) => this.band(input, part, `${path}.steps`, shift);
    const paid = (total: Expression): Expression =>
      Nodes.round(Nodes.multiply(total, band(total), ...scaleOf(base, this.context)));
    return {
      type: "let",
      bindings: [
        { name: "before", value: Nodes.sumBefore(own, ...this.span(part, path)) },
        { name: "after", value: Nodes.add(before, own) },
      ],
      body: Nodes.subtract(paid(after), paid(before)),
    };
  }

  quota(part: PartOf<"quota">, path: string): Expression {
    const { base: name, quota, below, above } = part;
    const base = this.base(name, `${path}.base`);
    const own = Nodes.reference(base);
    const limit = this.threshold(quota, `${path}.quota`, base);
    const [before, over] = [Nodes.variable("before"), Nodes.variable("over")];
    const beyond = (total: Expression): Expression => Nodes.max(Nodes.subtract(total, limit), Nodes.ZERO);
    const paid = Nodes.add(
      Nodes.multiply(Nodes.subtract(own, over), this.percent(below, `${path}.below`)),
      Nodes.multiply(over, this.percent(above, `${path}.above`)),
    );
    return {
      type: "let",
      bindings: [
        { name: "before", value: Nodes.sumBefore(own, ...this.span(part, path)) },
        { name: "over", value: Nodes.subtract(beyond(Nodes.add(before, own)), beyond(before)) },
      ],
      body: Nodes.multiply(paid, ...scaleOf(base, this.context)),
    };
  }

  bonus({ of, threshold, amount }: PartOf<"bonus">, path: string): Expression {
    const { before, own, base } = this.measure(of, `${path}.of`);
    const limit = this.threshold(threshold, `${path}.threshold`, base);
    const paid = this.amount(amount, `${path}.amount`);
    const total = Nodes.variable("before");
    return {
      type: "let",
      bindings: [{ name: "before", value: before }],
      body: Nodes.subtract(
        Nodes.fromThreshold(Nodes.add(total, own), limit, paid),
        Nodes.fromThreshold(total, limit, paid),
      ),
    };
  }

  limit({ of, least, most }: PartOf<"limit">, path: string): Expression {
    const inner = this.part(of, `${path}.of`);
    if (least === "" && most === "") this.report(`${path}.least`, "has to be filled in, or At most");
    const raised = least === "" ? inner : Nodes.max(inner, this.amount(least, `${path}.least`));
    return most === "" ? raised : Nodes.min(raised, this.amount(most, `${path}.most`));
  }

  periodLimit({ of, period, by = "", most }: PartOf<"limit">, path: string): Expression {
    const pay = this.part(of, `${path}.of`);
    if (Nodes.accumulates(pay))
      this.report(`${path}.period`, "must be one sale, because a part of this looks at earlier sales itself");
    if (Nodes.readsParameters(pay))
      this.report(`${path}.period`, "must be one sale, because a part of this depends on a value by partner");
    const limit = this.amount(most, `${path}.most`);
    const before = Nodes.variable("before");
    return {
      type: "let",
      bindings: [
        { name: "pay", value: pay },
        {
          name: "before",
          value: Nodes.sumBefore(
            pay,
            ...this.span({ period: period === "sale" ? "month" : period, by }, path),
          ),
        },
      ],
      // Rounding totals instead of amounts makes the amounts of a period add up to the limit exactly.
      body: Nodes.subtract(
        Nodes.round(Nodes.min(Nodes.add(before, Nodes.variable("pay")), limit)),
        Nodes.round(Nodes.min(before, limit)),
      ),
    };
  }
}

/** The expression that pays what the form says, or everything that is missing or wrong in the form. */
export const expressionOf = (
  form: Part,
  context: FormContext,
): { readonly expression: Expression } | { readonly problems: ReadonlyArray<FormProblem> } => {
  const writer = new Writer(context);
  const expression = writer.part(form, "$");
  return writer.problems.length > 0 ? { problems: writer.problems } : { expression };
};
