/** A customer's own legal data: the buyer on the invoices that the service issues in the partners' names. */
import { Schema } from "effect";
import { key } from "./Field.ts";
import { accountProblem } from "./Iban.ts";
import type { CustomerId } from "./Ids.ts";
import { LEGAL_TEXT_MAX, VAT_NUMBER_MAX } from "./Limits.ts";
import { Address, BankAccount } from "./Partner.ts";
import { Text } from "./Text.ts";

/** The account from which the customer pays; unlike a partner's, it is checked when it is written. */
const OwnAccount = BankAccount.pipe(Schema.filter((account) => accountProblem(account) ?? true));

/** What writing a billing profile takes; it replaces the whole profile. */
export const Write = Schema.Struct({
  legalName: key(Text(1, LEGAL_TEXT_MAX), "legal_name"),
  address: Address,
  vatNumber: key(Text(1, VAT_NUMBER_MAX), "vat_number"),
  electronicAddress: Schema.optionalWith(Text(1, LEGAL_TEXT_MAX), { exact: true }).pipe(
    Schema.fromKey("electronic_address"),
  ),
  invoicePrefix: Schema.optionalWith(Text(1, 32), { exact: true }).pipe(Schema.fromKey("invoice_prefix")),
  bankAccount: Schema.optionalWith(OwnAccount, { exact: true }).pipe(Schema.fromKey("bank_account")),
});
export type Write = typeof Write.Type;

/** The profile as stored. */
export interface BillingProfile extends Write {
  readonly customerId: CustomerId;
}
