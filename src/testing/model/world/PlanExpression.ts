/** The expressions of plans of the model as requests state them: as nodes, and some of the shapes as text. */
import { HUGE, type Plan, type PlanParameter, type PlanWindow, STEP, VIP_BONUS } from "./Plan.ts";

const property = (name: string) => ({ type: "property", name });
const parameter = (name: string) => ({ type: "parameter", name });
const number = (value: number) => ({ type: "literal", value: { type: "number", value } });
const product = (...operands: ReadonlyArray<unknown>) => ({ type: "multiply", operands });

const windowNode = (window: PlanWindow) => {
  if (window === "lifetime") return { type: "lifetime" };
  if (window === "month") return { type: "calendar", unit: "month" };
  if (window === "anniversary") return { type: "anniversary", of: "joined_on" };
  return "days" in window
    ? { type: "rolling", days: window.days }
    : { type: "calendar", unit: "year", starts_in_month: window.yearFrom };
};

const OWN_SHARE = product(property("order_value"), { type: "attribute", name: "credit_share" });

const SELLERS = { type: "attribute", name: "sellers_commission" };

/** The sum of some expressions. */
const total = (first: unknown, ...more: ReadonlyArray<unknown>): unknown =>
  more.length === 0 ? first : { type: "add", operands: [first, ...more] };

const percentOf = (base: unknown, rate: number) =>
  product(base, { type: "literal", value: { type: "percent", value: rate } });

const aggregate = ({
  of,
  window,
  grouped,
  role,
  shared,
}: Extract<Plan, { readonly type: "accumulating" }>) => {
  const node = {
    type: "aggregate",
    function: of,
    ...(of === "count" ? {} : { value: shared === true ? OWN_SHARE : property("order_value") }),
    ...(role === undefined ? {} : { role }),
    window: windowNode(window),
    ...(grouped ? { group_by: ["new_customer"] } : {}),
  };
  return of === "max" ? { type: "coalesce", operands: [node, number(0)] } : node;
};

/** What one parameter adds to the amount. */
const partNode = (name: PlanParameter): unknown => {
  switch (name) {
    case "rate":
      return product(property("order_value"), parameter(name));
    case "bonus":
      return parameter(name);
    case "vip":
      return {
        type: "case",
        branches: [{ when: parameter(name), then: number(VIP_BONUS) }],
        else: number(0),
      };
    case "joined_on":
      return {
        ...{ type: "date_difference", unit: "days" },
        ...{ from: parameter(name), to: { type: "attribute", name: "occurred_on" } },
      };
  }
};

/** The expression in its wire form. */
export const expressionOf = (plan: Plan): unknown => {
  switch (plan.type) {
    case "percent":
      return percentOf(property("order_value"), plan.rate);
    case "own_share":
      return percentOf(OWN_SHARE, plan.rate);
    case "rounded":
      return {
        ...{ type: "round", operand: percentOf(property("order_value"), plan.rate) },
        ...{ mode: "down", increment: { type: "number", value: STEP } },
      };
    case "flat":
      return number(plan.amount);
    case "per_unit":
      return product(property("quantity"), number(plan.amount));
    case "by_values": {
      const [first, ...more] = plan.reads.map(partNode);
      return total(first, ...more);
    }
    case "accumulating":
      return total(
        product(
          aggregate(plan),
          { type: "literal", value: { type: "percent", value: plan.share } },
          ...(plan.rated === true ? [parameter("rate")] : []),
        ),
        ...(plan.ofSellers === undefined ? [] : [percentOf(SELLERS, plan.ofSellers)]),
      );
    case "override": {
      const ofSellers = percentOf(SELLERS, plan.rate);
      const level = { type: "add", operands: [{ type: "attribute", name: "credit_depth" }, number(1)] };
      return total(
        plan.byDepth === true ? product(...ofSellers.operands, level) : ofSellers,
        ...(plan.ofShare === undefined ? [] : [percentOf(OWN_SHARE, plan.ofShare)]),
      );
    }
    case "huge":
      return product(property("order_value"), number(HUGE));
    case "ill_typed":
      return property("plan");
    case "unknown_property":
      return product(property("nowhere"), number(1));
    case "malformed":
      return { type: "perhaps" };
  }
};

const MONTH_NAMES = "January February March April May June July August September October November December";

const windowText = (window: PlanWindow): string => {
  if (window === "lifetime") return "ever";
  if (window === "month") return "this month";
  if (window === "anniversary") return "this year since plan.joined_on";
  if ("yearFrom" in window) return `this year from ${MONTH_NAMES.split(" ")[window.yearFrom - 1]}`;
  return `in the last ${window.days} ${window.days === 1 ? "day" : "days"}`;
};

const aggregateText = ({ of, window }: Extract<Plan, { readonly type: "accumulating" }>): string => {
  const rows = { sum: "sum of order_value", count: "count", max: "greatest of order_value" }[of];
  const aggregate = `(${rows} earlier ${windowText(window)} by new_customer)`;
  return of === "max" ? `(${aggregate} ?? 0)` : aggregate;
};

const PART_TEXTS: { readonly [Name in PlanParameter]: string } = {
  rate: "order_value * plan.rate",
  bonus: "plan.bonus",
  vip: `(if plan.vip then ${VIP_BONUS} else 0)`,
  joined_on: "days from plan.joined_on to sale.occurred_on",
};

const readsCredits = ({
  role,
  shared,
  ofSellers,
}: Extract<Plan, { readonly type: "accumulating" }>): boolean =>
  role !== undefined || shared === true || ofSellers !== undefined;

/** What a plan says of the share that does not follow from its expression. */
export const statedShare = (plan: Plan): { readonly applyShare?: boolean } =>
  (plan.type === "percent" || plan.type === "own_share" || plan.type === "override") &&
  plan.applyShare !== undefined
    ? { applyShare: plan.applyShare }
    : {};

/** The expression as a request states it: some of the shapes as text. Of a flat amount it also states what would follow. */
export const statementOf = (plan: Plan) => ({
  ...writtenAs(plan),
  ...(plan.type === "flat" ? { applyShare: true } : statedShare(plan)),
});

const writtenAs = (plan: Plan): { readonly expression: unknown } | { readonly expressionText: string } => {
  if (plan.type === "per_unit") return { expressionText: `# by the piece\nquantity * ${plan.amount}` };
  if (plan.type === "by_values" && plan.reads.length > 1)
    return {
      expressionText: plan.reads.map((name) => PART_TEXTS[name]).join(" + "),
    };
  if (plan.type === "override" && plan.byDepth !== true && plan.ofShare === undefined)
    return { expressionText: `${plan.rate} % of sale.sellers_commission` };
  return plan.type === "accumulating" && plan.grouped && plan.rated !== true && !readsCredits(plan)
    ? { expressionText: `${plan.share} % of ${aggregateText(plan)}` }
    : { expression: expressionOf(plan) };
};
