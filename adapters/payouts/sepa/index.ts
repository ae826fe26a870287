/** Payouts by SEPA: initiated payments are collected in files, which a person sends to the bank; the bank's statements confirm them. */
import { Effect } from "effect";
import { Limits, PaymentProvider } from "quittance";
import { areaProblem } from "./Area.ts";
import * as BankFile from "./BankFile.ts";
import { nameProblem } from "./Characters.ts";
import * as Pain001 from "./Pain001.ts";

/** Why a payment cannot be made by SEPA, or null. */
const problem = ({ currency, amount }: PaymentProvider.Payment): string | null => {
  if (currency !== "EUR") return `SEPA pays in EUR, not in ${currency}`;
  return amount > Limits.SEPA_AMOUNT_MAX ? "SEPA pays at most 999,999,999.99 EUR at once" : null;
};

/** The provider that pays by SEPA credit transfer files (pain.001.001.09) and reads statements (camt.053, camt.054, MT940, MT942) and pain.002 reports. */
export const sepa: PaymentProvider.PaymentProviderService = PaymentProvider.provider({
  name: "sepa",
  problem,
  accountProblem: (account) => areaProblem(account) ?? nameProblem(account.beneficiaryName),
  send: () => Effect.void,
  status: () => Effect.succeed({ type: "pending" }),
  files: { mediaType: "application/xml", extension: "xml", write: Pain001.write, read: BankFile.read },
});
