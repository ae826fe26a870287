/** Partners and legal data on the wire. */
import { type BillingProfile, Iban, type Partner } from "quittance";
import * as BillingProfiles from "../api/BillingProfiles.ts";
import * as Contract from "../api/Partners.ts";
import { recordWriter } from "./Encoding.ts";

/** A partner in a list. */
export const partner = recordWriter<Partner.Partner>()(Contract.Partner, {
  self_billing_data: [{ address: [{}], bank_account: [{}], tax_config: [{}] }],
  payout_problem: ({ selfBillingData }) =>
    selfBillingData === null ? null : Iban.accountProblem(selfBillingData.bankAccount),
});

/** The billing profile of a customer. */
export const billingProfile = recordWriter<BillingProfile.BillingProfile>()(BillingProfiles.BillingProfile, {
  address: [{}],
  bank_account: [{}],
  document_numbers: [{}],
});
