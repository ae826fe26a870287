/** The countries and territories whose accounts a SEPA credit transfer reaches. */
import { Iban, type Partner } from "quittance";

/** By the country of the IBAN; as of May 2026, when Serbia joined. */
const COUNTRIES: ReadonlySet<string> = new Set(
  "AD AL AT BE BG CH CY CZ DE DK EE ES FI FR GB GI GR HR HU IE IS IT LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS SE SI SK SM VA".split(
    " ",
  ),
);

/** French territories whose accounts have French IBANs, and whose banks are outside. */
const OUTSIDE: ReadonlySet<string> = new Set(["NC", "PF", "TF", "WF"]);

/** Those outside the European Economic Area, whose banks demand the address of the payer. */
const BEYOND_EEA: ReadonlySet<string> = new Set("AD AL CH GB GG GI IM JE MC MD ME MK RS SM VA".split(" "));

/** True if the bank of an account demands the address of the payer. */
export const demandsAddress = ({ iban, bic }: Pick<Partner.BankAccount, "iban" | "bic">): boolean =>
  BEYOND_EEA.has(Iban.compact(iban).slice(0, 2)) || BEYOND_EEA.has(Iban.compact(bic).slice(4, 6));

/** Why SEPA does not reach an account, or null. */
export const areaProblem = ({ iban, bic }: Partner.BankAccount): string | null => {
  const country = Iban.compact(iban).slice(0, 2);
  const bankCountry = Iban.compact(bic).slice(4, 6);
  const outside = COUNTRIES.has(country) ? (OUTSIDE.has(bankCountry) ? bankCountry : null) : country;
  return outside === null
    ? null
    : `SEPA does not reach accounts in ${outside}: pay outside Quittance and mark the settlement as paid`;
};
