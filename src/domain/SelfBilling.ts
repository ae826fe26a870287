/** Who writes the invoices of a partner, and the legal data of those that the service writes. */
import { Schema } from "effect";
import { Country } from "./Country.ts";
import { ElectronicAddress } from "./ElectronicAddress.ts";
import { Email } from "./Email.ts";
import { key, means, optional, optionalKey, NAME as SCHEMA_NAME } from "./Field.ts";
import {
  BIC_MAX,
  IBAN_MAX,
  LEGAL_NOTE_MAX,
  LEGAL_TEXT_MAX,
  PAYMENT_TERMS_DAYS_MAX,
  RATE_BPS_MAX,
  VAT_NUMBER_MAX,
} from "./Limits.ts";
import { RegistrationNumberText } from "./RegistrationNumber.ts";
import { Text } from "./Text.ts";

/** Who writes the invoice: the service in the partner's name, or the partner. */
export const BillingMode = Schema.Literal("self_billing", "partner_billing");
export type BillingMode = typeof BillingMode.Type;

/** A postal address; the region alone may be empty. */
export const Address = Schema.Struct({
  street: Text(1, LEGAL_TEXT_MAX).pipe(means("The street and number.", "Havnegade 1")),
  city: Text(1, LEGAL_TEXT_MAX).pipe(means("The city.", "København")),
  region: Text(0, LEGAL_TEXT_MAX).pipe(means("The state, province or region; may be empty.", "Hovedstaden")),
  postalCode: key(Text(1, LEGAL_TEXT_MAX), "postal_code", "The postal code.", "1058"),
  country: Country.pipe(means("The country.", "DK")),
}).annotations({ [SCHEMA_NAME]: "Address" });
export type Address = typeof Address.Type;

/** The account to which the partner is paid. The IBAN is checked when a payout is initiated, not here. */
export const BankAccount = Schema.Struct({
  beneficiaryName: key(
    Text(1, LEGAL_TEXT_MAX),
    "beneficiary_name",
    "The holder of the account, as the bank knows it.",
    "Nordlys ApS",
  ),
  iban: Text(1, IBAN_MAX).pipe(means("The IBAN of the account.", "DK5000400440116243")),
  bic: Text(1, BIC_MAX).pipe(means("The BIC of the bank.", "NDEADKKK")),
}).annotations({ [SCHEMA_NAME]: "BankAccount" });
export type BankAccount = typeof BankAccount.Type;

const WholeNumber = (maximum: number) =>
  Schema.Number.pipe(
    Schema.int(),
    Schema.between(0, maximum, { jsonSchema: { type: "integer", minimum: 0, maximum } }),
  );

/** How a partner's commissions are taxed. */
export const TaxTreatment = Schema.Literal("standard", "reverse_charge", "exempt", "outside_scope");
export type TaxTreatment = typeof TaxTreatment.Type;

/** How the service is taxed; the rate, in basis points, belongs to `standard` alone. */
export const TaxConfig = Schema.Struct({
  treatment: TaxTreatment.pipe(
    means(
      "standard charges rate_bps; reverse_charge and exempt charge no tax; outside_scope: the service is not subject to VAT at all.",
      "standard",
    ),
  ),
  label: Text(1, LEGAL_TEXT_MAX).pipe(means("The name of the tax on documents, such as VAT.", "VAT")),
  rateBps: Schema.optionalWith(
    Schema.NullOr(WholeNumber(RATE_BPS_MAX)).pipe(
      means(
        "The rate in hundredths of a percent: 2550 is 25.5 %. Null or absent unless treatment is standard.",
        2500,
      ),
    ),
    { default: () => null },
  ).pipe(Schema.fromKey("rate_bps")),
}).pipe(
  Schema.filter(({ treatment, rateBps }) =>
    treatment === "standard"
      ? rateBps !== null || { path: ["rate_bps"], message: "is required when treatment is standard" }
      : rateBps === null || { path: ["rate_bps"], message: `must be absent when treatment is ${treatment}` },
  ),
);
export type TaxConfig = typeof TaxConfig.Type;

/** What a party's `vatNumber` is: a VAT number, or the national tax number of a business without one. */
export const VatNumberType = Schema.Literal("vat", "tax");

/** What documents show of either party. */
export const PARTY_FIELDS = {
  legalName: key(
    Text(1, LEGAL_TEXT_MAX),
    "legal_name",
    "The legal name, as documents show it.",
    "Nordlys ApS",
  ),
  address: Address.pipe(means("The postal address, as documents show it.")),
  vatNumber: key(
    Text(1, VAT_NUMBER_MAX),
    "vat_number",
    "The VAT number; of a business without one its tax number.",
    "DK12345678",
  ),
  vatNumberType: optionalKey(
    VatNumberType,
    "vat_number_type",
    "tax: vat_number is a national tax number, because the business has no VAT number. vat by default.",
  ),
  registrationNumber: optionalKey(
    RegistrationNumberText,
    "registration_number",
    "The number in a public register, on documents and e-invoices (BT-30, BT-47): as HRB 12345, or after the code of its scheme in ISO 6523, as 0002:732829320 for a SIREN.",
  ),
};

/** What either party may have documents state in addition. */
export const LegalNote = Text(1, LEGAL_NOTE_MAX).pipe(
  // Neither XML nor a line of text can hold the others.
  Schema.filter(
    (text) =>
      !/[^\P{Cc}\n\r]|[\uFFFE\uFFFF]/u.test(text) ||
      "must not contain control characters other than line breaks",
    { arbitrary: () => (fc) => fc.constantFrom("SIREN 732 829 320", "HRB 12345\nGeschäftsführer: A. Berg") },
  ),
);

/** What a legal note means, of either party. */
export const LEGAL_NOTE =
  "A text that the law demands on invoices, such as a register number: printed on invoices and credit notes that this service issues, and part of the note of e-invoices. Each line is a paragraph.";

/** Where a party can be asked about an invoice. */
export const Contact = Schema.Struct({
  name: Text(1, LEGAL_TEXT_MAX).pipe(means("A person or a department.", "Bookkeeping")),
  phone: Text(1, LEGAL_TEXT_MAX).pipe(
    // BR-DE-27
    Schema.filter((text) => /(\D*\d){3}/.test(text) || "must have at least three digits", {
      arbitrary: () => (fc) => fc.constantFrom("+45 33 12 34 56", "030 123456"),
    }),
    means("The telephone number.", "+45 33 12 34 56"),
  ),
  email: Email.pipe(means("The e-mail address.", "billing@nordlys.example")),
}).annotations({ [SCHEMA_NAME]: "Contact" });
export type Contact = typeof Contact.Type;

/** What an electronic address means, of either party. */
export const ELECTRONIC_ADDRESS =
  "The address for e-invoices: a scheme of the Peppol list and an identifier, such as 0088:7300010000001.";

/** The data that the service needs to write invoices in the partner's name. */
export const SelfBillingData = Schema.Struct({
  ...PARTY_FIELDS,
  paymentTermsDays: key(
    WholeNumber(PAYMENT_TERMS_DAYS_MAX),
    "payment_terms_days",
    "The days from the date of an invoice until it is due.",
    30,
  ),
  bankAccount: key(BankAccount, "bank_account", "The account to which payments are made."),
  taxConfig: key(TaxConfig, "tax_config", "The tax on the partner's commissions."),
  electronicAddress: optionalKey(ElectronicAddress, "electronic_address", ELECTRONIC_ADDRESS),
  legalNote: optionalKey(LegalNote, "legal_note", LEGAL_NOTE),
  contact: optional(
    Contact,
    "Where the partner can be asked about an invoice: e-invoices state it, and XRechnung requires it.",
  ),
}).annotations({ [SCHEMA_NAME]: "SelfBillingData" });
export type SelfBillingData = typeof SelfBillingData.Type;
