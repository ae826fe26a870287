/** Partners and legal data on the wire. */
import type { BillingProfile, Partners } from "quittance";
import * as BillingProfiles from "../api/BillingProfiles.ts";
import * as Contract from "../api/Partners.ts";
import { recordWriter } from "./Encoding.ts";

/** A partner in a list. */
export const partner = recordWriter<Partners.PartnerItem>()(Contract.Partner, {
  self_billing_data: [{ address: [{}], bank_account: [{}], tax_config: [{}] }],
});

/** The billing profile of a customer. */
export const billingProfile = recordWriter<BillingProfile.BillingProfile>()(BillingProfiles.BillingProfile, {
  address: [{}],
  bank_account: [{}],
  document_numbers: [{}],
});
