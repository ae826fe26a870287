/** The formulas of `examples/formulas`, and how the generated pages print them. */
import { type Plan, readAccumulating, readAll } from "../../examples/formulas/Plan.ts";

/** Plans that look at one sale alone, by the names of their files. */
export const plans = readAll();

/** Plans that depend on earlier sales, by the names of their files. */
export const accumulatingPlans = readAccumulating();

/** Throws when there is none of that name. */
export const planNamed = (name: string): Plan => {
  const plan = plans.get(name);
  if (plan === undefined) throw new Error(`the cookbook has no plan ${name}`);
  return plan;
};

/** How many decimals the cookbook's currencies have, by ISO 4217, where it is not two. */
const decimals: Readonly<Record<string, number>> = { JPY: 0, KWD: 3, BHD: 3 };

/** An amount of the smallest unit as people write it: `1,234.50 EUR`. */
export const money = (amount: number, currency: string): string => {
  const places = decimals[currency] ?? 2;
  const digits = String(Math.abs(amount)).padStart(places + 1, "0");
  const whole = digits.slice(0, digits.length - places).replace(/\B(?=(\d{3})+$)/g, ",");
  const fraction = places === 0 ? "" : `.${digits.slice(-places)}`;
  return `${amount < 0 ? "−" : ""}${whole}${fraction} ${currency}`;
};
