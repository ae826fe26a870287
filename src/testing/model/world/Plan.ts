/** A few shapes of expressions that the model evaluates with big integers, without the formula language. */
import type { ParameterDefinition, ParameterValue } from "../../../formula/index.ts";
import { type Fraction, fractionOf } from "./Shares.ts";
import { DAY, dateOf } from "./Time.ts";

/**
 * The dates of the earlier attributions that a plan looks at, as seen from the date of the attribution that it pays for; the
 * year from a month, 1 to 12, is a business year, and an anniversary begins the year on the partner's own date.
 */
export type PlanWindow =
  | "month"
  | "lifetime"
  | "anniversary"
  | { readonly days: number }
  | { readonly yearFrom: number };

/** The parameters that plans read, each with its type. */
export const PARAMETER_TYPES = {
  rate: "number",
  bonus: "number",
  vip: "boolean",
  joined_on: "date",
} as const;

export type PlanParameter = keyof typeof PARAMETER_TYPES;

/** What a partner earns more if it is a VIP. */
export const VIP_BONUS = 75;

/** One shape of expression. The last three are refused by the language. */
export type Plan =
  /** A percentage of `order_value`; of all of it whatever the partner's share is, where it says so. */
  | { readonly type: "percent"; readonly rate: number; readonly applyShare?: false }
  /** The same amount for every attribution; decimals are rounded at the end. */
  | { readonly type: "flat"; readonly amount: number }
  /** So much for each of `quantity`, which is 3 when it is not given. */
  | { readonly type: "per_unit"; readonly amount: number }
  /**
   * The sum of what it reads: `order_value` times the partner's rate, the partner's bonus, an amount for a VIP, and 1 for each day
   * since the partner joined.
   */
  | { readonly type: "by_values"; readonly reads: ReadonlyArray<PlanParameter> }
  /**
   * So many per cent of the sum, number or greatest of the order values before; of customers alike, new or not, if `grouped`;
   * times the partner's rate, if `rated`.
   */
  | {
      readonly type: "accumulating";
      readonly share: number;
      readonly of: "sum" | "count" | "max";
      readonly window: PlanWindow;
      readonly grouped: boolean;
      readonly rated?: boolean;
      /** The role of the earlier attributions, where it is not that of the one that is paid for. */
      readonly role?: string;
      /** True if a sum adds up the partner's shares of the order values. */
      readonly shared?: boolean;
      /** So many per cent of what the sellers below earn, in addition. */
      readonly ofSellers?: number;
    }
  /**
   * A percentage of what the sellers below earn, times one more than the depth of the credit if `byDepth`; and a percentage of
   * the partner's share of `order_value` in addition.
   */
  | {
      readonly type: "override";
      readonly rate: number;
      /** True if the partner's share multiplies it after all. */
      readonly applyShare?: true;
      readonly byDepth?: boolean;
      readonly ofShare?: number;
    }
  /** A percentage of the partner's share of `order_value`, and of the share once more where it says so. */
  | { readonly type: "own_share"; readonly rate: number; readonly applyShare?: true }
  /** A percentage of `order_value`, rounded down to a multiple of 5 at the end. */
  | { readonly type: "rounded"; readonly rate: number }
  /** 10^15 times `order_value`: beyond the largest amount from 10 on. */
  | { readonly type: "huge" }
  | { readonly type: "ill_typed" }
  | { readonly type: "unknown_property" }
  | { readonly type: "malformed" };

/** What a rounded amount is a multiple of. */
export const STEP = 5;

/** What `quantity` is read as when an attribution does not give it. */
export const QUANTITY_DEFAULT = 3;

export const HUGE = 1e15;
const LARGEST = 9_007_199_254_740_991n;

/** The parameters that an expression reads. */
export const readsOf = (plan: Plan): ReadonlyArray<PlanParameter> => {
  if (plan.type === "by_values") return plan.reads;
  if (plan.type !== "accumulating") return [];
  return [
    ...(plan.rated === true ? (["rate"] as const) : []),
    ...(plan.window === "anniversary" ? (["joined_on"] as const) : []),
  ];
};

/** True if it reads what the sellers below earn. */
export const readsSellers = (plan: Plan): boolean =>
  plan.type === "override" || (plan.type === "accumulating" && plan.ofSellers !== undefined);

/** True if the language takes the expression, with these parameters. */
export const isValidPlan = (plan: Plan, parameters: ReadonlyArray<ParameterDefinition> = []): boolean =>
  plan.type !== "ill_typed" &&
  plan.type !== "unknown_property" &&
  plan.type !== "malformed" &&
  readsOf(plan).every((name) =>
    parameters.some((definition) => definition.name === name && definition.type === PARAMETER_TYPES[name]),
  );

/** True if what it pays depends on earlier attributions. */
export const isAccumulating = ({ type }: Plan): boolean => type === "accumulating";

/** A decimal as an integer and the power of ten that divides it. */
const decimal = (value: number): readonly [bigint, bigint] => {
  const [whole = "0", fraction = ""] = String(value).split(".");
  return [BigInt(whole + fraction), 10n ** BigInt(fraction.length)];
};

const times = (a: number, b: number, divisor = 1n): readonly [bigint, bigint] => {
  const [left, leftScale] = decimal(a);
  const [right, rightScale] = decimal(b);
  return [left * right, leftScale * rightScale * divisor];
};

const halfAwayFromZero = (numerator: bigint, denominator: bigint): bigint => {
  const size = numerator < 0n ? -numerator : numerator;
  const floor = size / denominator;
  const rounded = (size % denominator) * 2n >= denominator ? floor + 1n : floor;
  return numerator < 0n ? -rounded : rounded;
};

const numberProperty = (
  properties: { readonly [name: string]: unknown },
  name: string,
  otherwise: number,
): number => {
  const value = properties[name];
  return typeof value === "number" ? value : otherwise;
};

type Properties = { readonly [name: string]: unknown };

/** An attribution, as far as plans look at it. */
interface Sale {
  readonly properties: Properties;
  readonly occurredAt: number;
  /** Its calendar day; null where that is the UTC day of `occurredAt`. */
  readonly occurredOn: string | null;
  /** The partner's part of it; null where that is all. */
  readonly credit: { readonly role: string; readonly share: string; readonly depth: number } | null;
  /** What the sellers below earn, where a plan reads it. */
  readonly sellersCommission?: bigint;
}

/** The share of a sale that is the partner's. */
const shareOf = ({ credit }: Sale): Fraction => (credit === null ? [1n, 1n] : fractionOf(credit.share));

const roleOf = ({ credit }: Pick<Sale, "credit">): string => credit?.role ?? "seller";

/** The calendar day of a sale. */
export const dayOfSale = ({ occurredAt, occurredOn }: Pick<Sale, "occurredAt" | "occurredOn">): string =>
  occurredOn ?? dateOf(occurredAt);

/** A multiple of the denominator of every order value times a share. */
const SCALE = 10n ** 26n * 232_792_560n;

/** A number of order values, or a share of it, times {@link SCALE}. */
const scaleUp = (value: number, [over, under]: Fraction = [1n, 1n]): bigint => {
  const [numerator, denominator] = decimal(value);
  return (numerator * over * SCALE) / (denominator * under);
};

/** The year in which a business year that begins in a month ends, of a day. */
const businessYear = (yearFrom: number, day: string): number => {
  const [year = 0, month = 0] = day.split("-").map(Number);
  return month >= yearFrom ? year + 1 : year;
};

/** The year in whose course the year of a day ends that begins on the anniversaries of a date; 29 February is 28 in other years. */
const anniversaryYear = (joinedOn: string, day: string): number => {
  const year = Number(day.slice(0, 4));
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const anniversary = joinedOn.slice(5, 10) === "02-29" && !isLeap ? "02-28" : joinedOn.slice(5, 10);
  return day.slice(5) >= anniversary ? year + 1 : year;
};

const isInPlanWindow = (window: PlanWindow, day: string, other: string, read: Values): boolean => {
  if (window === "lifetime") return true;
  if (window === "anniversary") {
    const joinedOn = textOf(read, "joined_on");
    return anniversaryYear(joinedOn, day) === anniversaryYear(joinedOn, other);
  }
  if (window === "month") return day.slice(0, 7) === other.slice(0, 7);
  if ("yearFrom" in window)
    return businessYear(window.yearFrom, day) === businessYear(window.yearFrom, other);
  const days = (Date.parse(day) - Date.parse(other)) / DAY;
  return days >= 0 && days < window.days;
};

/** True if a plan looks back from one day at another: its window there, by the values of that day, holds it. */
export const reaches = (
  plan: Plan,
  { from, day }: { readonly from: string; readonly day: string },
  read: Values,
): boolean => plan.type === "accumulating" && isInPlanWindow(plan.window, day, from, read);

const isNewCustomer = ({ properties }: Sale): boolean => properties.new_customer === true;

/** The sum, number or greatest of the order values of the sales that an accumulating plan looks at, times {@link SCALE}. */
const accumulateValues = (
  { of, window, grouped, role, shared }: Extract<Plan, { readonly type: "accumulating" }>,
  sale: Sale,
  earlier: ReadonlyArray<Sale>,
  read: Values,
): bigint => {
  const values = earlier
    .filter((candidate) => isInPlanWindow(window, dayOfSale(sale), dayOfSale(candidate), read))
    .filter((candidate) => !grouped || isNewCustomer(candidate) === isNewCustomer(sale))
    .filter((candidate) => roleOf(candidate) === (role ?? roleOf(sale)))
    .map((candidate) => {
      const value = numberProperty(candidate.properties, "order_value", 0);
      return shared === true ? scaleUp(value, shareOf(candidate)) : scaleUp(value);
    });
  if (of === "count") return BigInt(values.length) * SCALE;
  if (of === "sum") return values.reduce((sum, value) => sum + value, 0n);
  const [first, ...others] = values;
  return first === undefined ? 0n : others.reduce((most, value) => (value > most ? value : most), first);
};

/** True if the partner's share multiplies what a plan pays. */
export const appliesShare = (plan: Plan): boolean => {
  if (plan.type === "own_share" || plan.type === "override") return plan.applyShare === true;
  return !readsSellers(plan) && (plan.type !== "percent" || plan.applyShare !== false);
};

/** The values of the parameters that a plan reads. */
type Values = (name: string) => ParameterValue | null;

const presentValue = (read: Values, name: PlanParameter): ParameterValue => {
  const value = read(name);
  if (value === null) throw new Error(`${name} has no value, although it has to have one`);
  return value;
};

const numberOf = (read: Values, name: PlanParameter): number => Number(presentValue(read, name));

const textOf = (read: Values, name: PlanParameter): string => String(presentValue(read, name));

/** What one parameter adds to the amount of a sale, exactly. */
const partOf = (name: PlanParameter, sale: Sale, read: Values): readonly [bigint, bigint] => {
  switch (name) {
    case "rate":
      return times(numberProperty(sale.properties, "order_value", 0), numberOf(read, name));
    case "bonus":
      return decimal(numberOf(read, name));
    case "vip":
      return decimal(presentValue(read, name) === true ? VIP_BONUS : 0);
    case "joined_on":
      return decimal((Date.parse(dayOfSale(sale)) - Date.parse(textOf(read, name))) / DAY);
  }
};

const sum = (
  [one, scale]: readonly [bigint, bigint],
  [other, otherScale]: readonly [bigint, bigint],
): readonly [bigint, bigint] => [one * otherScale + other * scale, scale * otherScale];

/** A percentage of the partner's share of the order value. */
const percentOfShare = (sale: Sale, rate: number): readonly [bigint, bigint] => {
  const [over, under] = times(numberProperty(sale.properties, "order_value", 0), rate, 100n);
  const [numerator, denominator] = shareOf(sale);
  return [over * numerator, under * denominator];
};

/** A percentage of what the sellers below earn. */
const percentOfSellers = ({ sellersCommission = 0n }: Sale, rate: number): readonly [bigint, bigint] => {
  const [over, under] = decimal(rate);
  return [over * sellersCommission, under * 100n];
};

/** The exact amount before it is rounded: a numerator and its denominator. */
const exactAmount = (
  plan: Plan,
  sale: Sale,
  earlier: ReadonlyArray<Sale>,
  read: Values,
): readonly [bigint, bigint] => {
  const { properties } = sale;
  const orderValue = numberProperty(properties, "order_value", 0);
  switch (plan.type) {
    case "percent":
      return times(orderValue, plan.rate, 100n);
    case "own_share":
      return percentOfShare(sale, plan.rate);
    case "rounded":
      return times(orderValue, plan.rate, 100n);
    case "flat":
      return decimal(plan.amount);
    case "per_unit":
      return times(numberProperty(properties, "quantity", QUANTITY_DEFAULT), plan.amount);
    case "by_values":
      return plan.reads.map((name) => partOf(name, sale, read)).reduce(sum);
    case "accumulating": {
      const [share, scale] =
        plan.rated === true ? times(plan.share, numberOf(read, "rate")) : decimal(plan.share);
      return sum(
        [accumulateValues(plan, sale, earlier, read) * share, SCALE * scale * 100n],
        percentOfSellers(sale, plan.ofSellers ?? 0),
      );
    }
    case "override": {
      const [over, under] = percentOfSellers(sale, plan.rate);
      const times = plan.byDepth === true ? BigInt((sale.credit?.depth ?? 0) + 1) : 1n;
      return sum([over * times, under], percentOfShare(sale, plan.ofShare ?? 0));
    }
    default:
      return times(orderValue, HUGE);
  }
};

/**
 * The amount of a sale after the earlier ones of the same partner and schema, in order of arrival, by the values of the
 * parameters that the plan reads; null when it is beyond the largest.
 */
export const amountOf = (
  plan: Plan,
  sale: Sale,
  earlier: ReadonlyArray<Sale>,
  read: Values = () => null,
): number | null => {
  const [over, under] = exactAmount(plan, sale, earlier, read);
  const [share, whole] = appliesShare(plan) ? shareOf(sale) : [1n, 1n];
  const [numerator, denominator] = [over * share, under * whole];
  const amount =
    plan.type === "rounded"
      ? (numerator / (denominator * BigInt(STEP))) * BigInt(STEP)
      : halfAwayFromZero(numerator, denominator);
  return amount > LARGEST || amount < -LARGEST ? null : Number(amount);
};
