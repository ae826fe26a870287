/** Partners and legal data on the wire. */
import type { BillingProfile, Partners } from "quittance";
import * as BillingProfiles from "../api/BillingProfiles.ts";
import * as Contract from "../api/Partners.ts";
import { recordWriter } from "./Encoding.ts";
import { datetime } from "./Entry.ts";

/** A partner in a list. */
export const partner = recordWriter<Partners.PartnerItem>()(Contract.Partner, {
  self_billing_data: [{ address: [{}], bank_account: [{}], tax_config: [{}] }],
  tags: ({ tags }) => (tags.length === 0 ? undefined : tags),
  status: ({ status }) => (status === "active" ? undefined : status),
});

/** What creating a partner would do. */
export const partnerDryRun = recordWriter<Partners.PartnerDryRun>()(Contract.PartnerDryRun, { doubts: [{}] });

/** An entry of a partner's log. */
export const partnerEntry = recordWriter<Partners.PartnerEntry>()(Contract.PartnerEntry, { datetime });

/** The billing profile of a customer. */
export const billingProfile = recordWriter<BillingProfile.BillingProfile>()(BillingProfiles.BillingProfile, {
  address: [{}],
  bank_account: [{}],
  document_numbers: [{}],
  exchange_rates: [{}],
});
