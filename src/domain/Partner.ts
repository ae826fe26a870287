/** Partners: who earns, and who writes their invoices. Updated in place, without a log. */
import { Either, Schema } from "effect";
import { Country } from "./Country.ts";
import { ElectronicAddress } from "./ElectronicAddress.ts";
import { key } from "./Field.ts";
import { type CustomerId, type PartnerId, WorkspaceId } from "./Ids.ts";
import {
  BIC_MAX,
  IBAN_MAX,
  LEGAL_TEXT_MAX,
  NAME_MAX,
  PAYMENT_TERMS_DAYS_MAX,
  RATE_BPS_MAX,
  VAT_NUMBER_MAX,
} from "./Limits.ts";
import { type Invalid, invalid } from "./Refusal.ts";
import { Text } from "./Text.ts";
import type { Timestamp } from "./Timestamp.ts";

/** Who writes the invoice: the service in the partner's name, or the partner. */
export const BillingMode = Schema.Literal("self_billing", "partner_billing");
export type BillingMode = typeof BillingMode.Type;

/** A postal address; the region alone may be empty. */
export const Address = Schema.Struct({
  street: Text(1, LEGAL_TEXT_MAX),
  city: Text(1, LEGAL_TEXT_MAX),
  region: Text(0, LEGAL_TEXT_MAX),
  postalCode: key(Text(1, LEGAL_TEXT_MAX), "postal_code"),
  country: Country,
});
export type Address = typeof Address.Type;

/** The account to which the partner is paid. The IBAN is checked when a payout is initiated, not here. */
export const BankAccount = Schema.Struct({
  beneficiaryName: key(Text(1, LEGAL_TEXT_MAX), "beneficiary_name"),
  iban: Text(1, IBAN_MAX),
  bic: Text(1, BIC_MAX),
});
export type BankAccount = typeof BankAccount.Type;

const WholeNumber = (maximum: number) =>
  Schema.Number.pipe(
    Schema.int(),
    Schema.between(0, maximum, { jsonSchema: { type: "integer", minimum: 0, maximum } }),
  );

/** How the service is taxed; the rate, in basis points, belongs to `standard` alone. */
export const TaxConfig = Schema.Struct({
  treatment: Schema.Literal("standard", "reverse_charge", "exempt"),
  label: Text(1, LEGAL_TEXT_MAX),
  rateBps: Schema.optionalWith(Schema.NullOr(WholeNumber(RATE_BPS_MAX)), {
    default: () => null,
  }).pipe(Schema.fromKey("rate_bps")),
}).pipe(
  Schema.filter(({ treatment, rateBps }) =>
    treatment === "standard"
      ? rateBps !== null || { path: ["rate_bps"], message: "is required when treatment is standard" }
      : rateBps === null || { path: ["rate_bps"], message: `must be absent when treatment is ${treatment}` },
  ),
);
export type TaxConfig = typeof TaxConfig.Type;

/** The data that the service needs to write invoices in the partner's name. */
export const SelfBillingData = Schema.Struct({
  legalName: key(Text(1, LEGAL_TEXT_MAX), "legal_name"),
  address: Address,
  vatNumber: key(Text(1, VAT_NUMBER_MAX), "vat_number"),
  paymentTermsDays: key(WholeNumber(PAYMENT_TERMS_DAYS_MAX), "payment_terms_days"),
  bankAccount: key(BankAccount, "bank_account"),
  taxConfig: key(TaxConfig, "tax_config"),
  electronicAddress: Schema.optionalWith(ElectronicAddress, { exact: true }).pipe(
    Schema.fromKey("electronic_address"),
  ),
});
export type SelfBillingData = typeof SelfBillingData.Type;

/** A partner as stored; `selfBillingData` is present exactly when the mode is `self_billing`. */
export interface Partner {
  readonly id: PartnerId;
  readonly customerId: CustomerId;
  readonly workspaceId: WorkspaceId;
  readonly name: string;
  readonly billingMode: BillingMode | null;
  readonly selfBillingData: SelfBillingData | null;
  readonly createdAt: Timestamp;
}

type Billing = Partial<Pick<Partner, "billingMode" | "selfBillingData">>;

/** A stated billing mode comes with data exactly when it is `self_billing`. */
const isBilling = ({ billingMode, selfBillingData }: Billing) => {
  const hasData = selfBillingData != null;
  if (billingMode == null || hasData === (billingMode === "self_billing")) return true;
  const rule = hasData ? "must be absent" : "is required";
  return { path: ["self_billing_data"], message: `${rule} when billing_mode is ${billingMode}` };
};

/** What creating a partner takes; without a billing mode it is `partner_billing`. */
export const Create = Schema.Struct({
  name: Text(1, NAME_MAX),
  workspaceId: key(WorkspaceId, "workspace_id"),
  billingMode: Schema.optionalWith(BillingMode, { exact: true }).pipe(Schema.fromKey("billing_mode")),
  selfBillingData: Schema.optionalWith(SelfBillingData, { exact: true }).pipe(
    Schema.fromKey("self_billing_data"),
  ),
}).pipe(
  Schema.filter(({ billingMode = "partner_billing", selfBillingData = null }) =>
    isBilling({ billingMode, selfBillingData }),
  ),
);
export type Create = typeof Create.Type;

/** What updating a partner takes; null and absence both leave a field unchanged. */
export const Update = Schema.Struct({
  name: Schema.optionalWith(Schema.NullOr(Text(1, NAME_MAX)), { exact: true }),
  billingMode: Schema.optionalWith(Schema.NullOr(BillingMode), { exact: true }).pipe(
    Schema.fromKey("billing_mode"),
  ),
  selfBillingData: Schema.optionalWith(Schema.NullOr(SelfBillingData), { exact: true }).pipe(
    Schema.fromKey("self_billing_data"),
  ),
}).pipe(Schema.filter(isBilling));
export type Update = typeof Update.Type;

/** A new partner. */
export const create = (
  { billingMode = "partner_billing", selfBillingData, ...request }: Create,
  identity: Pick<Partner, "id" | "customerId" | "createdAt">,
): Partner => ({ ...identity, ...request, billingMode, selfBillingData: selfBillingData ?? null });

/**
 * The partner after an update. Data alone replaces that of a partner already in `self_billing`; `partner_billing` drops it.
 */
export const update = (partner: Partner, request: Update): Either.Either<Partner, Invalid> => {
  const billingMode = request.billingMode ?? partner.billingMode;
  const data = request.selfBillingData ?? null;
  if (billingMode !== "self_billing" && data !== null) {
    return Either.left(invalid("self_billing_data", "must be absent unless billing_mode is self_billing"));
  }
  return Either.right({
    ...partner,
    name: request.name ?? partner.name,
    billingMode,
    selfBillingData: billingMode === "self_billing" ? (data ?? partner.selfBillingData) : null,
  });
};
