/** VAT numbers as e-invoices state them. */
import { isCountry } from "./Country.ts";

/** A VAT number without spaces, in capitals. */
export const compact = (vatNumber: string): string => vatNumber.replace(/\s/g, "").toUpperCase();

/** A party's number, and what it is. */
export interface Registration {
  readonly vatNumber: string;
  readonly vatNumberType?: "vat" | "tax";
}

/** The compact VAT number of a party; null for one that has a national tax number instead. */
export const vatNumberOf = ({ vatNumber, vatNumberType }: Registration): string | null =>
  vatNumberType === "tax" ? null : compact(vatNumber);

/** Prefixes of VAT numbers that are no country codes: Greece, and Northern Ireland. */
const PREFIXES: ReadonlySet<string> = new Set(["EL", "XI", "1A"]);

const DUTCH = /^NL[0-9]{9}B[0-9]{2}$/;

/** Which rule of e-invoices a compact VAT number breaks, or null; a party without one breaks none. */
export const prefixProblem = (
  number: string | null,
): { readonly rule: string; readonly message: string } | null => {
  if (number === null) return null;
  const prefix = number.slice(0, 2);
  if (!isCountry(prefix) && !PREFIXES.has(prefix))
    return {
      rule: "BR-CO-09",
      message: "must begin with a country code, such as DK12345678, unless it is a national tax number",
    };
  return prefix === "NL" && !DUTCH.test(number)
    ? { rule: "PEPPOL-COMMON-R056-2", message: "must be a Dutch VAT number such as NL123456789B01" }
    : null;
};
