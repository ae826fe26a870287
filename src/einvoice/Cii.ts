/**
 * Writes e-invoices in the Cross Industry Invoice of UN/CEFACT after EN 16931. The elements stand in the order of its schema.
 */
import type { CalendarDate } from "../domain/CalendarDate.ts";
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
import { CORE, NOT_DEFINED, type Specification } from "./Specification.ts";
import { document, type Element, element, text } from "./Xml.ts";

const NAMESPACE = "urn:un:unece:uncefact:data:standard";

/** A day in format 102 of UNTDID 2379: `20260201`. */
const day = (name: string, date: CalendarDate, prefix: "udt" | "qdt" = "udt"): Element =>
  element(name, [text(`${prefix}:DateTimeString`, date.replaceAll("-", ""), { format: "102" })]);

const period = (start: CalendarDate, end: CalendarDate): Element =>
  element("ram:BillingSpecifiedPeriod", [day("ram:StartDateTime", start), day("ram:EndDateTime", end)]);

/** A number of UNTDID 1153: VA for a VAT number, FC for a national tax number. */
const registration = (number: string | null, schemeID: "VA" | "FC"): Element | null =>
  number === null ? null : element("ram:SpecifiedTaxRegistration", [text("ram:ID", number, { schemeID })]);

const party = (role: string, stating: Party): Element => {
  const { legalName, address, vatNumber, taxNumber, registration: registered, id, contact } = stating;
  const stated = endpointOf(stating);
  return element(role, [
    id === null ? null : text("ram:ID", id),
    text("ram:Name", legalName),
    registered === null
      ? null
      : element("ram:SpecifiedLegalOrganization", [
          text("ram:ID", registered.identifier, schemeAttribute(registered)),
        ]),
    contact === null
      ? null
      : element("ram:DefinedTradeContact", [
          text("ram:PersonName", contact.name),
          element("ram:TelephoneUniversalCommunication", [text("ram:CompleteNumber", contact.phone)]),
          element("ram:EmailURIUniversalCommunication", [text("ram:URIID", contact.email)]),
        ]),
    element("ram:PostalTradeAddress", [
      text("ram:PostcodeCode", address.postalCode),
      text("ram:LineOne", address.street),
      text("ram:CityName", address.city),
      text("ram:CountryID", address.country),
      address.region.trim() === "" ? null : text("ram:CountrySubDivisionName", address.region),
    ]),
    stated === null
      ? null
      : element("ram:URIUniversalCommunication", [
          text("ram:URIID", stated.identifier, { schemeID: stated.scheme }),
        ]),
    registration(vatNumber, "VA"),
    registration(taxNumber, "FC"),
  ]);
};

const line =
  (currency: Currency) =>
  ({ amount, category, rateBps, name, description, periodStart, periodEnd }: Line, index: number): Element =>
    element("ram:IncludedSupplyChainTradeLineItem", [
      element("ram:AssociatedDocumentLineDocument", [text("ram:LineID", String(index + 1))]),
      element("ram:SpecifiedTradeProduct", [text("ram:Name", name), text("ram:Description", description)]),
      element("ram:SpecifiedLineTradeAgreement", [
        element("ram:NetPriceProductTradePrice", [
          text("ram:ChargeAmount", decimal(absolute(amount), currency)),
        ]),
      ]),
      element("ram:SpecifiedLineTradeDelivery", [
        text("ram:BilledQuantity", quantityOf(amount), { unitCode: "C62" }),
      ]),
      element("ram:SpecifiedLineTradeSettlement", [
        element("ram:ApplicableTradeTax", [
          text("ram:TypeCode", "VAT"),
          text("ram:CategoryCode", category),
          // BR-O-05
          category === "O" ? null : text("ram:RateApplicablePercent", formatPercent(rateBps)),
        ]),
        period(periodStart, periodEnd),
        element("ram:SpecifiedTradeSettlementLineMonetarySummation", [
          text("ram:LineTotalAmount", decimal(amount, currency)),
        ]),
      ]),
    ]);

const paymentMeans = (
  { account, currency }: EInvoice,
  { alwaysHasPaymentMeans }: Specification,
): Element | null =>
  account === null
    ? alwaysHasPaymentMeans
      ? element("ram:SpecifiedTradeSettlementPaymentMeans", [text("ram:TypeCode", NOT_DEFINED)])
      : null
    : element("ram:SpecifiedTradeSettlementPaymentMeans", [
        text("ram:TypeCode", paymentMeansCode(currency)),
        element("ram:PayeePartyCreditorFinancialAccount", [
          text("ram:IBANID", withoutSpaces(account.iban)),
          text("ram:AccountName", account.beneficiaryName),
        ]),
        account.bic === ""
          ? null
          : element("ram:PayeeSpecifiedCreditorFinancialInstitution", [
              text("ram:BICID", withoutSpaces(account.bic)),
            ]),
      ]);

const subtotal =
  (currency: Currency) =>
  ({ category, rateBps, taxable, tax, reason }: Subtotal): Element => {
    const code = REASON_CODES[category];
    return element("ram:ApplicableTradeTax", [
      text("ram:CalculatedAmount", decimal(tax, currency)),
      text("ram:TypeCode", "VAT"),
      reason === null ? null : text("ram:ExemptionReason", reason),
      text("ram:BasisAmount", decimal(taxable, currency)),
      text("ram:CategoryCode", category),
      code === null ? null : text("ram:ExemptionReasonCode", code),
      text("ram:RateApplicablePercent", formatPercent(rateBps)),
    ]);
  };

const terms = ({ paymentTerms, dueDate }: EInvoice): Element | null =>
  paymentTerms === null && dueDate === null
    ? null
    : element("ram:SpecifiedTradePaymentTerms", [
        paymentTerms === null ? null : text("ram:Description", paymentTerms),
        dueDate === null ? null : day("ram:DueDateDateTime", dueDate),
      ]);

const reference = ({ number, issueDate }: EInvoice["references"][number]): Element =>
  element("ram:InvoiceReferencedDocument", [
    text("ram:IssuerAssignedID", number ?? ""),
    day("ram:FormattedIssueDateTime", issueDate, "qdt"),
  ]);

/** Code 916 of UNTDID 1001: a document that supports the invoice. */
const attached = ({ attachment, number }: EInvoice): Element | null =>
  attachment === undefined
    ? null
    : element("ram:AdditionalReferencedDocument", [
        text("ram:IssuerAssignedID", number ?? ""),
        text("ram:TypeCode", "916"),
        text("ram:AttachmentBinaryObject", ...embedded(attachment)),
      ]);

const settlement = (invoice: EInvoice, specification: Specification): Element => {
  const { account, number, currency, net, tax, nationalTax, settled } = invoice;
  return element("ram:ApplicableHeaderTradeSettlement", [
    account === null ? null : text("ram:PaymentReference", number ?? ""),
    nationalTax === null ? null : text("ram:TaxCurrencyCode", nationalTax.currency),
    text("ram:InvoiceCurrencyCode", currency),
    paymentMeans(invoice, specification),
    ...invoice.subtotals.map(subtotal(currency)),
    period(invoice.period.start, invoice.period.end),
    terms(invoice),
    element("ram:SpecifiedTradeSettlementHeaderMonetarySummation", [
      text("ram:LineTotalAmount", decimal(net, currency)),
      text("ram:TaxBasisTotalAmount", decimal(net, currency)),
      text("ram:TaxTotalAmount", decimal(tax, currency), { currencyID: currency }),
      nationalTax === null
        ? null
        : text("ram:TaxTotalAmount", decimal(nationalTax.amount, nationalTax.currency), {
            currencyID: nationalTax.currency,
          }),
      text("ram:GrandTotalAmount", decimal(net + tax, currency)),
      settled === 0n ? null : text("ram:TotalPrepaidAmount", decimal(settled, currency)),
      text("ram:DuePayableAmount", decimal(net + tax - settled, currency)),
    ]),
    ...invoice.references.map(reference),
  ]);
};

/** The document as XML in UTF-8; the same document gives the same text. It must have a number and no problem of the rules. */
export const write = (invoice: EInvoice, specification: Specification = CORE): Uint8Array =>
  document(
    element(
      "rsm:CrossIndustryInvoice",
      [
        element("rsm:ExchangedDocumentContext", [
          specification.profile === null
            ? null
            : element("ram:BusinessProcessSpecifiedDocumentContextParameter", [
                text("ram:ID", specification.profile),
              ]),
          element("ram:GuidelineSpecifiedDocumentContextParameter", [
            text("ram:ID", specification.customization),
          ]),
        ]),
        element("rsm:ExchangedDocument", [
          text("ram:ID", invoice.number ?? ""),
          text("ram:TypeCode", specification.typeCodes[invoice.kind]),
          day("ram:IssueDateTime", invoice.issueDate),
          element("ram:IncludedNote", [text("ram:Content", invoice.note)]),
        ]),
        element("rsm:SupplyChainTradeTransaction", [
          ...invoice.lines.map(line(invoice.currency)),
          element("ram:ApplicableHeaderTradeAgreement", [
            text("ram:BuyerReference", invoice.buyerReference),
            party("ram:SellerTradeParty", invoice.seller),
            party("ram:BuyerTradeParty", invoice.buyer),
            attached(invoice),
          ]),
          element("ram:ApplicableHeaderTradeDelivery", [
            // The element must be there and may not be empty: what is billed was done at the end of its period.
            element("ram:ActualDeliverySupplyChainEvent", [
              day("ram:OccurrenceDateTime", invoice.period.end),
            ]),
          ]),
          settlement(invoice, specification),
        ]),
      ],
      {
        "xmlns:rsm": `${NAMESPACE}:CrossIndustryInvoice:100`,
        "xmlns:qdt": `${NAMESPACE}:QualifiedDataType:100`,
        "xmlns:ram": `${NAMESPACE}:ReusableAggregateBusinessInformationEntity:100`,
        "xmlns:udt": `${NAMESPACE}:UnqualifiedDataType:100`,
      },
    ),
  );
