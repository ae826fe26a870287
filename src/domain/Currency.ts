/** Currencies of ISO 4217 (list one, 2026) and the number of decimals of each. */
import { Schema } from "effect";
import { formatUnits } from "../formula/index.ts";
import { DECIMALS } from "./CurrencyCodes.ts";

/** Three capital letters that ISO 4217 assigns to a currency with a smallest unit (metals and test codes have none). */
export const Currency = Schema.String.pipe(
  Schema.filter((code) => DECIMALS.has(code) || "must be an ISO 4217 currency code, such as EUR", {
    jsonSchema: { pattern: "^[A-Z]{3}$", description: "An ISO 4217 code." },
    arbitrary: () => (fc) => fc.constantFrom(...DECIMALS.keys()),
  }),
  Schema.brand("Currency"),
);
export type Currency = typeof Currency.Type;

/** Currencies of ISO 4217 that the code lists of e-invoices lack. */
export const UNLISTED_CURRENCIES: ReadonlySet<string> = new Set(["BGN", "STN"]);

/** How many decimals separate the currency's unit from its smallest unit: 2 for EUR, 0 for JPY, 3 for KWD. */
export const decimals = (currency: Currency): number => DECIMALS.get(currency) ?? 2;

/** The amount as text with the currency's own decimals: `-1234.50`. */
export const formatAmount = (amount: number | bigint, currency: Currency): string =>
  formatUnits(amount, decimals(currency));
