/** Currencies of ISO 4217 (list one, 2026) and the number of decimals of each. */
import { Schema } from "effect";
import { formatUnits } from "../formula/index.ts";

const CODES_BY_DECIMALS = {
  0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
  2: "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG",
  3: "BHD IQD JOD KWD LYD OMR TND",
  4: "CLF UYW",
} as const;

const decimalsByCode: ReadonlyMap<string, number> = new Map(
  Object.entries(CODES_BY_DECIMALS).flatMap(([decimals, codes]) =>
    codes.split(" ").map((code): [string, number] => [code, Number(decimals)]),
  ),
);

/** Three capital letters that ISO 4217 assigns to a currency with a smallest unit (metals and test codes have none). */
export const Currency = Schema.String.pipe(
  Schema.filter((code) => decimalsByCode.has(code) || "must be an ISO 4217 currency code, such as EUR", {
    jsonSchema: { pattern: "^[A-Z]{3}$", description: "An ISO 4217 code." },
  }),
  Schema.brand("Currency"),
);
export type Currency = typeof Currency.Type;

/** How many decimals separate the currency's unit from its smallest unit: 2 for EUR, 0 for JPY, 3 for KWD. */
export const decimals = (currency: Currency): number => decimalsByCode.get(currency) ?? 2;

/** The amount as text with the currency's own decimals: `-1234.50`. */
export const formatAmount = (amount: number | bigint, currency: Currency): string =>
  formatUnits(amount, decimals(currency));
