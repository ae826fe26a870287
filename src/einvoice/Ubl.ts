/**
 * Writes e-invoices in UBL 2.1: for Peppol BIS Self-Billing 3.0 with type 389 for invoices and 261 for credit notes, and for
 * XRechnung. The elements stand in the order of the UBL schema.
 */
import type { Currency } from "../domain/Currency.ts";
import { absolute } from "../formula/Rational.ts";
import {
  decimal,
  embedded,
  endpointOf,
  formatPercent,
  paymentMeansCode,
  quantityOf,
  REASON_CODES,
  schemeAttribute,
  withoutSpaces,
} from "./Codes.ts";
import type { EInvoice, Line, Party, Subtotal } from "./EInvoice.ts";
import { NOT_DEFINED, SELF_BILLING, type Specification } from "./Specification.ts";
import { document, type Element, element, text } from "./Xml.ts";

const NAMESPACE = "urn:oasis:names:specification:ubl:schema:xsd";

const amountOf = (name: string, amount: bigint, currency: Currency): Element =>
  text(name, decimal(amount, currency), { currencyID: currency });

const schemeOf = (id: string): Element => element("cac:TaxScheme", [text("cbc:ID", id)]);
const VAT = schemeOf("VAT");
/** Any other code than VAT: the number is a national tax number (BT-32). */
const OTHER_TAX = schemeOf("TAX");

const registration = (number: string | null, scheme: Element): Element | null =>
  number === null ? null : element("cac:PartyTaxScheme", [text("cbc:CompanyID", number), scheme]);

const party = (role: string, stating: Party): Element => {
  const { legalName, address, vatNumber, taxNumber, registration: registered, id, contact } = stating;
  const stated = endpointOf(stating);
  return element(role, [
    element("cac:Party", [
      stated === null ? null : text("cbc:EndpointID", stated.identifier, { schemeID: stated.scheme }),
      id === null ? null : element("cac:PartyIdentification", [text("cbc:ID", id)]),
      element("cac:PostalAddress", [
        text("cbc:StreetName", address.street),
        text("cbc:CityName", address.city),
        text("cbc:PostalZone", address.postalCode),
        address.region.trim() === "" ? null : text("cbc:CountrySubentity", address.region),
        element("cac:Country", [text("cbc:IdentificationCode", address.country)]),
      ]),
      registration(vatNumber, VAT),
      registration(taxNumber, OTHER_TAX),
      element("cac:PartyLegalEntity", [
        text("cbc:RegistrationName", legalName),
        registered === null
          ? null
          : text("cbc:CompanyID", registered.identifier, schemeAttribute(registered)),
      ]),
      contact === null
        ? null
        : element("cac:Contact", [
            text("cbc:Name", contact.name),
            text("cbc:Telephone", contact.phone),
            text("cbc:ElectronicMail", contact.email),
          ]),
    ]),
  ]);
};

const period = (start: string, end: string): Element =>
  element("cac:InvoicePeriod", [text("cbc:StartDate", start), text("cbc:EndDate", end)]);

const paymentMeans = (
  { account, currency, number }: EInvoice,
  { alwaysHasPaymentMeans }: Specification,
): Element | null =>
  account === null
    ? alwaysHasPaymentMeans
      ? element("cac:PaymentMeans", [text("cbc:PaymentMeansCode", NOT_DEFINED)])
      : null
    : element("cac:PaymentMeans", [
        text("cbc:PaymentMeansCode", paymentMeansCode(currency)),
        text("cbc:PaymentID", number ?? ""),
        element("cac:PayeeFinancialAccount", [
          text("cbc:ID", withoutSpaces(account.iban)),
          text("cbc:Name", account.beneficiaryName),
          account.bic === ""
            ? null
            : element("cac:FinancialInstitutionBranch", [text("cbc:ID", withoutSpaces(account.bic))]),
        ]),
      ]);

const subtotal =
  (currency: Currency) =>
  ({ category, rateBps, taxable, tax, reason }: Subtotal): Element => {
    const code = REASON_CODES[category];
    return element("cac:TaxSubtotal", [
      amountOf("cbc:TaxableAmount", taxable, currency),
      amountOf("cbc:TaxAmount", tax, currency),
      element("cac:TaxCategory", [
        text("cbc:ID", category),
        text("cbc:Percent", formatPercent(rateBps)),
        code === null ? null : text("cbc:TaxExemptionReasonCode", code),
        reason === null ? null : text("cbc:TaxExemptionReason", reason),
        VAT,
      ]),
    ]);
  };

const line =
  ({ kind, currency }: EInvoice) =>
  (
    { amount, category, rateBps, name, description, periodStart, periodEnd }: Line,
    index: number,
  ): Element => {
    const [role, quantity] =
      kind === "invoice"
        ? ["cac:InvoiceLine", "cbc:InvoicedQuantity"]
        : ["cac:CreditNoteLine", "cbc:CreditedQuantity"];
    return element(role, [
      text("cbc:ID", String(index + 1)),
      text(quantity, quantityOf(amount), { unitCode: "C62" }),
      amountOf("cbc:LineExtensionAmount", amount, currency),
      period(periodStart, periodEnd),
      element("cac:Item", [
        text("cbc:Description", description),
        text("cbc:Name", name),
        element("cac:ClassifiedTaxCategory", [
          text("cbc:ID", category),
          // BR-O-05
          category === "O" ? null : text("cbc:Percent", formatPercent(rateBps)),
          VAT,
        ]),
      ]),
      element("cac:Price", [amountOf("cbc:PriceAmount", absolute(amount), currency)]),
    ]);
  };

const reference = ({ number, issueDate }: EInvoice["references"][number]): Element =>
  element("cac:BillingReference", [
    element("cac:InvoiceDocumentReference", [text("cbc:ID", number ?? ""), text("cbc:IssueDate", issueDate)]),
  ]);

const attached = ({ attachment, number }: EInvoice): Element | null =>
  attachment === undefined
    ? null
    : element("cac:AdditionalDocumentReference", [
        text("cbc:ID", number ?? ""),
        element("cac:Attachment", [text("cbc:EmbeddedDocumentBinaryObject", ...embedded(attachment))]),
      ]);

/** The document as XML in UTF-8; the same document gives the same text. It must have a number and no problem of the rules. */
export const write = (invoice: EInvoice, specification: Specification = SELF_BILLING): Uint8Array => {
  const { kind, number, issueDate, dueDate, paymentTerms, buyerReference } = invoice;
  const { currency, net, tax, nationalTax, settled } = invoice;
  const root = kind === "invoice" ? "Invoice" : "CreditNote";
  const children = [
    text("cbc:CustomizationID", specification.customization),
    specification.profile === null ? null : text("cbc:ProfileID", specification.profile),
    text("cbc:ID", number ?? ""),
    text("cbc:IssueDate", issueDate),
    dueDate === null ? null : text("cbc:DueDate", dueDate),
    text(`cbc:${root}TypeCode`, specification.typeCodes[kind]),
    text("cbc:Note", invoice.note),
    text("cbc:DocumentCurrencyCode", currency),
    nationalTax === null ? null : text("cbc:TaxCurrencyCode", nationalTax.currency),
    text("cbc:BuyerReference", buyerReference),
    period(invoice.period.start, invoice.period.end),
    ...invoice.references.map(reference),
    attached(invoice),
    party("cac:AccountingSupplierParty", invoice.seller),
    party("cac:AccountingCustomerParty", invoice.buyer),
    paymentMeans(invoice, specification),
    paymentTerms === null ? null : element("cac:PaymentTerms", [text("cbc:Note", paymentTerms)]),
    element("cac:TaxTotal", [
      amountOf("cbc:TaxAmount", tax, currency),
      ...invoice.subtotals.map(subtotal(currency)),
    ]),
    nationalTax === null
      ? null
      : element("cac:TaxTotal", [amountOf("cbc:TaxAmount", nationalTax.amount, nationalTax.currency)]),
    element("cac:LegalMonetaryTotal", [
      amountOf("cbc:LineExtensionAmount", net, currency),
      amountOf("cbc:TaxExclusiveAmount", net, currency),
      amountOf("cbc:TaxInclusiveAmount", net + tax, currency),
      settled === 0n ? null : amountOf("cbc:PrepaidAmount", settled, currency),
      amountOf("cbc:PayableAmount", net + tax - settled, currency),
    ]),
    ...invoice.lines.map(line(invoice)),
  ];
  return document(
    element(root, children, {
      xmlns: `${NAMESPACE}:${root}-2`,
      "xmlns:cac": `${NAMESPACE}:CommonAggregateComponents-2`,
      "xmlns:cbc": `${NAMESPACE}:CommonBasicComponents-2`,
    }),
  );
};
