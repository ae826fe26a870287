/** What is accepted of a partner and will keep it from being paid, or from an e-invoice. */
import { accountProblem, isIban } from "./Iban.ts";
import type { SelfBillingData } from "./SelfBilling.ts";
import { prefixProblem, vatNumberOf } from "./VatNumber.ts";

/** A field of a request by its path, and what is doubtful in it. */
export interface Doubt {
  readonly field: string;
  readonly message: string;
}

/** The doubtful fields of a partner's legal data, in their order. */
export const doubtsOf = (data: SelfBillingData | null): ReadonlyArray<Doubt> => {
  if (data === null) return [];
  const number = prefixProblem(vatNumberOf(data));
  const account = accountProblem(data.bankAccount);
  const part = isIban(data.bankAccount.iban) ? "bic" : "iban";
  return [
    ...(number === null ? [] : [{ field: "self_billing_data.vat_number", message: number.message }]),
    ...(account === null ? [] : [{ field: `self_billing_data.bank_account.${part}`, message: account }]),
  ];
};
