/** Payouts by SEPA: initiated payments are collected in files, which a person sends to the bank; the bank's statements confirm them. */
import { Effect } from "effect";
import { Limits, PaymentProvider } from "quittance";
import { areaProblem } from "./Area.ts";
import * as BankFile from "./BankFile.ts";
import { nameProblem } from "./Characters.ts";
import { DEFAULT, type Format } from "./Format.ts";
import * as Pain001 from "./Pain001.ts";

/** Why a payment cannot be made by SEPA, or null. */
const problem = ({ amount }: PaymentProvider.Payment): string | null =>
  amount > Limits.SEPA_AMOUNT_MAX ? "SEPA pays at most 999,999,999.99 EUR at once" : null;

/** What the bank takes. */
export interface Options {
  /** The version of pain.001 of new files; `pain.001.001.09` by default. */
  readonly format?: Format;
}

/** The provider that pays by SEPA credit transfer files in a version of pain.001, and reads statements (camt.053, camt.054, MT940, MT942) and pain.002 reports. */
export const sepaWith = ({ format = DEFAULT }: Options): PaymentProvider.PaymentProviderService =>
  PaymentProvider.provider({
    name: "sepa",
    takes: [{ type: "iban", currencies: ["EUR"] }],
    problem,
    accountProblem: (account) => areaProblem(account) ?? nameProblem(account.beneficiaryName),
    send: () => Effect.void,
    status: () => Effect.succeed({ type: "pending" }),
    files: {
      mediaType: "application/xml",
      extension: "xml",
      format,
      write: Pain001.write,
      read: BankFile.read,
    },
  });

/** The provider that pays by SEPA credit transfer files in pain.001.001.09. */
export const sepa: PaymentProvider.PaymentProviderService = sepaWith({});
