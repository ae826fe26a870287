/** The model of VAT in the national currency: the rate by which a document is to state it. */
import type { Settlement } from "../world/Settlements.ts";
import { DAY } from "../world/Time.ts";
import { dayOf } from "../world/Workspaces.ts";
import type { World } from "../world/World.ts";
import { profileOf } from "./EInvoices.ts";

/** A rate is at most so many days old. */
const DAYS_MAX = 31;

/** What an approval states of the national currency. */
export type TaxConversion = NonNullable<Settlement["taxConversion"]>;

/**
 * The rate for the document of a settlement that is approved now, with its tax; null where the document states none, and `missing`
 * where there is no rate of its currency that is young enough.
 */
export const conversionOf = (world: World, settlement: Settlement): TaxConversion | null | "missing" => {
  const { taxCurrency, exchangeRates = [] } = profileOf(world, settlement) ?? {};
  const { currency, billingMode, taxAmount } = settlement;
  if (
    world.policy.documents !== "auto" ||
    billingMode !== "self_billing" ||
    (taxAmount ?? 0) === 0 ||
    taxCurrency === undefined ||
    taxCurrency === currency
  )
    return null;
  const today = dayOf(world, settlement, world.now);
  const age = (date: string) => (Date.parse(today) - Date.parse(date)) / DAY;
  const [latest] = exchangeRates
    .filter((rate) => rate.currency === currency && age(rate.date) >= 0 && age(rate.date) <= DAYS_MAX)
    .toSorted((a, b) => age(a.date) - age(b.date));
  if (latest === undefined) return "missing";
  const { date, rate, source } = latest;
  return { currency: taxCurrency, date, rate, source };
};
