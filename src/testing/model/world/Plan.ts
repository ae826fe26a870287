/** A few shapes of expressions that the model evaluates with big integers, without the formula language. */

/** One shape of expression. The last three are refused by the language. */
export type Plan =
  /** So many per cent of `order_value`. */
  | { readonly type: "percent"; readonly rate: number }
  /** The same amount for every attribution; decimals are rounded at the end. */
  | { readonly type: "flat"; readonly amount: number }
  /** So much for each of `quantity`, which is 3 when it is not given. */
  | { readonly type: "per_unit"; readonly amount: number }
  /** 10^15 times `order_value`: beyond the largest amount from 10 on. */
  | { readonly type: "huge" }
  | { readonly type: "ill_typed" }
  | { readonly type: "unknown_property" }
  | { readonly type: "malformed" };

/** What `quantity` is read as when an attribution does not give it. */
export const QUANTITY_DEFAULT = 3;

const HUGE = 1e15;
const LARGEST = 9_007_199_254_740_991n;

/** Whether the language takes the expression. */
export const isSound = ({ type }: Plan): boolean =>
  type !== "ill_typed" && type !== "unknown_property" && type !== "malformed";

const property = (name: string) => ({ type: "property", name });
const number = (value: number) => ({ type: "literal", value: { type: "number", value } });
const product = (...operands: ReadonlyArray<unknown>) => ({ type: "multiply", operands });

/** The expression in its wire form. */
export const expressionOf = (plan: Plan): unknown => {
  switch (plan.type) {
    case "percent":
      return product(property("order_value"), {
        type: "literal",
        value: { type: "percent", value: plan.rate },
      });
    case "flat":
      return number(plan.amount);
    case "per_unit":
      return product(property("quantity"), number(plan.amount));
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

/** A decimal as an integer and the power of ten that divides it. */
const decimal = (value: number): readonly [bigint, bigint] => {
  const [whole = "0", fraction = ""] = String(value).split(".");
  return [BigInt(whole + fraction), 10n ** BigInt(fraction.length)];
};

const times = (one: number, other: number, divisor = 1n): readonly [bigint, bigint] => {
  const [left, leftScale] = decimal(one);
  const [right, rightScale] = decimal(other);
  return [left * right, leftScale * rightScale * divisor];
};

const halfAwayFromZero = (numerator: bigint, denominator: bigint): bigint => {
  const size = numerator < 0n ? -numerator : numerator;
  const floor = size / denominator;
  const rounded = (size % denominator) * 2n >= denominator ? floor + 1n : floor;
  return numerator < 0n ? -rounded : rounded;
};

const given = (properties: { readonly [name: string]: unknown }, name: string, otherwise: number): number => {
  const value = properties[name];
  return typeof value === "number" ? value : otherwise;
};

/** The amount of an attribution with these properties; null when it is beyond the largest. */
export const amountOf = (plan: Plan, properties: { readonly [name: string]: unknown }): number | null => {
  const orderValue = given(properties, "order_value", 0);
  const [numerator, denominator] =
    plan.type === "percent"
      ? times(orderValue, plan.rate, 100n)
      : plan.type === "flat"
        ? decimal(plan.amount)
        : plan.type === "per_unit"
          ? times(given(properties, "quantity", QUANTITY_DEFAULT), plan.amount)
          : times(orderValue, HUGE);
  const amount = halfAwayFromZero(numerator, denominator);
  return amount > LARGEST || amount < -LARGEST ? null : Number(amount);
};
