/** Partners and legal data on the wire. */
import { type BillingProfile, Partner } from "quittance";
import type * as BillingProfiles from "../api/BillingProfiles.ts";
import type * as Contract from "../api/Partners.ts";

const address = ({
  street,
  city,
  region,
  postalCode,
  country,
}: Partner.Address): typeof Contract.Address.Type => ({
  street,
  city,
  region,
  postal_code: postalCode,
  country,
});

const selfBillingData = (data: Partner.SelfBillingData): typeof Contract.SelfBillingData.Type => ({
  legal_name: data.legalName,
  address: address(data.address),
  vat_number: data.vatNumber,
  payment_terms_days: data.paymentTermsDays,
  bank_account: {
    beneficiary_name: data.bankAccount.beneficiaryName,
    iban: data.bankAccount.iban,
    bic: data.bankAccount.bic,
  },
  tax_config: {
    treatment: data.taxConfig.treatment,
    label: data.taxConfig.label,
    rate_bps: data.taxConfig.rateBps,
  },
});

/** A partner as lists show it. */
export const partner = (row: Partner.Partner): typeof Contract.Partner.Type => ({
  id: row.id,
  name: row.name,
  customer_id: row.customerId,
  workspace_id: row.workspaceId,
  billing_mode: row.billingMode,
  ...(row.selfBillingData === null ? {} : { self_billing_data: selfBillingData(row.selfBillingData) }),
  payout_problem:
    row.selfBillingData === null ? null : Partner.payoutProblem(row.selfBillingData.bankAccount),
});

/** A customer's billing profile. */
export const billingProfile = (
  profile: BillingProfile.BillingProfile,
): typeof BillingProfiles.BillingProfile.Type => ({
  legal_name: profile.legalName,
  address: address(profile.address),
  vat_number: profile.vatNumber,
  ...(profile.electronicAddress === undefined ? {} : { electronic_address: profile.electronicAddress }),
  ...(profile.invoicePrefix === undefined ? {} : { invoice_prefix: profile.invoicePrefix }),
});
