/** Reads the terms of EN 16931 from e-invoices in UBL and in CII. It shares no code with the writers. */
import { all, misplaced, type Node, one, rootOf, type Structure, textOf } from "./Checker.ts";

/** The values of a document by their business terms: BT-1 is its number. Lines, taxes and references are lists of their own. */
export interface Terms {
  readonly header: Readonly<Record<string, string>>;
  readonly lines: ReadonlyArray<Readonly<Record<string, string>>>;
  readonly taxes: ReadonlyArray<Readonly<Record<string, string>>>;
  readonly references: ReadonlyArray<Readonly<Record<string, string>>>;
}

type Paths = Readonly<Record<string, string>>;

/** The first element at a path whose own text at another path is a given one: `a[b=x]/c`. */
const CHOICE = /^(.*?)\[(.*?)=(.*?)\]\/(.*)$/;

/** The text at a path; after `@` the name of an attribute. */
const at = (node: Node, path: string): string => {
  const [, before, condition = "", value, after = ""] = CHOICE.exec(path) ?? [];
  if (before !== undefined) {
    const chosen = all(node, before).find((element) => at(element, condition) === value);
    return chosen === undefined ? "" : at(chosen, after);
  }
  const [elements = "", attribute] = path.split("@");
  return attribute === undefined
    ? textOf(node, elements)
    : (one(node, elements)?.attributes[attribute] ?? "");
};

const read = (node: Node, paths: Paths): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(paths).map(([term, path]) => [term, at(node, path)]));

const PARTIES = { AccountingSupplierParty: 27, AccountingCustomerParty: 44 } as const;

/** The first terms of the seller (BT-27) and of the buyer (BT-44): both have the same fields in another numbering. */
const partyTerms = (name: string, base: number, paths: (field: string) => string): Paths =>
  Object.fromEntries(
    [
      "name",
      "id",
      "vat",
      "tax number",
      ...["register", "register scheme"],
      ...["contact", "phone", "email"],
      "endpoint",
      "scheme",
      "street",
      "city",
      "zone",
      "region",
      "country",
    ].map((field) => [`${name} ${field} (from BT-${base})`, paths(field)]),
  );

/** The file inside an e-invoice, its type and its name. */
const attachmentTerms = (path: string): Paths => ({
  ...{ "BT-125": path, "BT-125-1": `${path}@mimeCode`, "BT-125-2": `${path}@filename` },
});

const ublParty = (role: keyof typeof PARTIES): Paths => {
  const party = `cac:${role}/cac:Party`;
  const fields: Paths = {
    name: "cac:PartyLegalEntity/cbc:RegistrationName",
    id: "cac:PartyIdentification/cbc:ID",
    register: "cac:PartyLegalEntity/cbc:CompanyID",
    "register scheme": "cac:PartyLegalEntity/cbc:CompanyID@schemeID",
    contact: "cac:Contact/cbc:Name",
    phone: "cac:Contact/cbc:Telephone",
    email: "cac:Contact/cbc:ElectronicMail",
    vat: "cac:PartyTaxScheme[cac:TaxScheme/cbc:ID=VAT]/cbc:CompanyID",
    "tax number": "cac:PartyTaxScheme[cac:TaxScheme/cbc:ID=TAX]/cbc:CompanyID",
    endpoint: "cbc:EndpointID",
    scheme: "cbc:EndpointID@schemeID",
    street: "cac:PostalAddress/cbc:StreetName",
    city: "cac:PostalAddress/cbc:CityName",
    zone: "cac:PostalAddress/cbc:PostalZone",
    region: "cac:PostalAddress/cbc:CountrySubentity",
    country: "cac:PostalAddress/cac:Country/cbc:IdentificationCode",
  };
  return partyTerms(role, PARTIES[role], (field) => `${party}/${fields[field]}`);
};

/** The text of the element that has a currency. */
const inCurrency = (elements: ReadonlyArray<Node>, currency: string): string =>
  elements.find(({ attributes }) => attributes.currencyID === currency)?.text ?? "";

/** The terms of an e-invoice in UBL. */
export const termsOfUbl = (bytes: Uint8Array): Terms => {
  const root = rootOf(bytes);
  if (root === undefined) throw new Error("no XML");
  const isInvoice = root.name === "Invoice";
  return {
    header: {
      "BT-111": inCurrency(all(root, "cac:TaxTotal/cbc:TaxAmount"), textOf(root, "cbc:TaxCurrencyCode")),
      ...read(root, {
        "BT-1": "cbc:ID",
        "BT-6": "cbc:TaxCurrencyCode",
        "BT-2": "cbc:IssueDate",
        "BT-3": isInvoice ? "cbc:InvoiceTypeCode" : "cbc:CreditNoteTypeCode",
        "BT-5": "cbc:DocumentCurrencyCode",
        "BT-9": "cbc:DueDate",
        "BT-10": "cbc:BuyerReference",
        "BT-20": "cac:PaymentTerms/cbc:Note",
        "BT-22": "cbc:Note",
        // CII alone has the day of delivery, which is the last one of the period.
        "BT-72": "cac:InvoicePeriod/cbc:EndDate",
        "BT-73": "cac:InvoicePeriod/cbc:StartDate",
        "BT-74": "cac:InvoicePeriod/cbc:EndDate",
        "BT-81": "cac:PaymentMeans/cbc:PaymentMeansCode",
        "BT-83": "cac:PaymentMeans/cbc:PaymentID",
        "BT-84": "cac:PaymentMeans/cac:PayeeFinancialAccount/cbc:ID",
        "BT-85": "cac:PaymentMeans/cac:PayeeFinancialAccount/cbc:Name",
        "BT-86": "cac:PaymentMeans/cac:PayeeFinancialAccount/cac:FinancialInstitutionBranch/cbc:ID",
        "BT-106": "cac:LegalMonetaryTotal/cbc:LineExtensionAmount",
        "BT-109": "cac:LegalMonetaryTotal/cbc:TaxExclusiveAmount",
        "BT-110": "cac:TaxTotal/cbc:TaxAmount",
        "BT-112": "cac:LegalMonetaryTotal/cbc:TaxInclusiveAmount",
        "BT-113": "cac:LegalMonetaryTotal/cbc:PrepaidAmount",
        "BT-115": "cac:LegalMonetaryTotal/cbc:PayableAmount",
        "BT-122": "cac:AdditionalDocumentReference/cbc:ID",
        ...attachmentTerms("cac:AdditionalDocumentReference/cac:Attachment/cbc:EmbeddedDocumentBinaryObject"),
        ...ublParty("AccountingSupplierParty"),
        ...ublParty("AccountingCustomerParty"),
      }),
    },
    lines: all(root, isInvoice ? "cac:InvoiceLine" : "cac:CreditNoteLine").map((line) =>
      read(line, {
        "BT-126": "cbc:ID",
        "BT-129": isInvoice ? "cbc:InvoicedQuantity" : "cbc:CreditedQuantity",
        "BT-130": `${isInvoice ? "cbc:InvoicedQuantity" : "cbc:CreditedQuantity"}@unitCode`,
        "BT-131": "cbc:LineExtensionAmount",
        "BT-134": "cac:InvoicePeriod/cbc:StartDate",
        "BT-135": "cac:InvoicePeriod/cbc:EndDate",
        "BT-146": "cac:Price/cbc:PriceAmount",
        "BT-151": "cac:Item/cac:ClassifiedTaxCategory/cbc:ID",
        "BT-152": "cac:Item/cac:ClassifiedTaxCategory/cbc:Percent",
        "BT-153": "cac:Item/cbc:Name",
        "BT-154": "cac:Item/cbc:Description",
      }),
    ),
    taxes: all(root, "cac:TaxTotal/cac:TaxSubtotal").map((tax) =>
      read(tax, {
        "BT-116": "cbc:TaxableAmount",
        "BT-117": "cbc:TaxAmount",
        "BT-118": "cac:TaxCategory/cbc:ID",
        "BT-119": "cac:TaxCategory/cbc:Percent",
        "BT-120": "cac:TaxCategory/cbc:TaxExemptionReason",
        "BT-121": "cac:TaxCategory/cbc:TaxExemptionReasonCode",
      }),
    ),
    references: all(root, "cac:BillingReference/cac:InvoiceDocumentReference").map((reference) =>
      read(reference, { "BT-25": "cbc:ID", "BT-26": "cbc:IssueDate" }),
    ),
  };
};

const AGREEMENT = "rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeAgreement";
const SETTLEMENT = "rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeSettlement";
const SUMS = `${SETTLEMENT}/ram:SpecifiedTradeSettlementHeaderMonetarySummation`;
const MEANS = `${SETTLEMENT}/ram:SpecifiedTradeSettlementPaymentMeans`;
const DATE = "udt:DateTimeString";

const ciiParty = (role: string, name: keyof typeof PARTIES): Paths => {
  const fields: Paths = {
    name: "ram:Name",
    id: "ram:ID",
    register: "ram:SpecifiedLegalOrganization/ram:ID",
    "register scheme": "ram:SpecifiedLegalOrganization/ram:ID@schemeID",
    contact: "ram:DefinedTradeContact/ram:PersonName",
    phone: "ram:DefinedTradeContact/ram:TelephoneUniversalCommunication/ram:CompleteNumber",
    email: "ram:DefinedTradeContact/ram:EmailURIUniversalCommunication/ram:URIID",
    vat: "ram:SpecifiedTaxRegistration[ram:ID@schemeID=VA]/ram:ID",
    "tax number": "ram:SpecifiedTaxRegistration[ram:ID@schemeID=FC]/ram:ID",
    endpoint: "ram:URIUniversalCommunication/ram:URIID",
    scheme: "ram:URIUniversalCommunication/ram:URIID@schemeID",
    street: "ram:PostalTradeAddress/ram:LineOne",
    city: "ram:PostalTradeAddress/ram:CityName",
    zone: "ram:PostalTradeAddress/ram:PostcodeCode",
    region: "ram:PostalTradeAddress/ram:CountrySubDivisionName",
    country: "ram:PostalTradeAddress/ram:CountryID",
  };
  return partyTerms(name, PARTIES[name], (field) => `${AGREEMENT}/${role}/${fields[field]}`);
};

/** Terms that are days, which CII writes without hyphens. */
const DAYS = new Set(["BT-2", "BT-9", "BT-26", "BT-72", "BT-73", "BT-74", "BT-134", "BT-135"]);

const withHyphens = (terms: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(terms).map(([term, text]) => [
      term,
      DAYS.has(term) ? text.replace(/^(\d{4})(\d{2})(\d{2})$/, "$1-$2-$3") : text,
    ]),
  );

/** The Cross Industry Invoice. */
const CII: Structure = {
  order: {
    CrossIndustryInvoice: "ExchangedDocumentContext ExchangedDocument SupplyChainTradeTransaction",
    ExchangedDocument: "ID TypeCode IssueDateTime IncludedNote",
    SupplyChainTradeTransaction:
      "IncludedSupplyChainTradeLineItem ApplicableHeaderTradeAgreement ApplicableHeaderTradeDelivery ApplicableHeaderTradeSettlement",
    IncludedSupplyChainTradeLineItem:
      "AssociatedDocumentLineDocument SpecifiedTradeProduct SpecifiedLineTradeAgreement SpecifiedLineTradeDelivery SpecifiedLineTradeSettlement",
    SpecifiedLineTradeSettlement:
      "ApplicableTradeTax BillingSpecifiedPeriod SpecifiedTradeSettlementLineMonetarySummation",
    ApplicableHeaderTradeAgreement:
      "BuyerReference SellerTradeParty BuyerTradeParty AdditionalReferencedDocument",
    AdditionalReferencedDocument: "IssuerAssignedID TypeCode AttachmentBinaryObject",
    DefinedTradeContact: "PersonName TelephoneUniversalCommunication EmailURIUniversalCommunication",
    TelephoneUniversalCommunication: "CompleteNumber",
    EmailURIUniversalCommunication: "URIID",
    SellerTradeParty:
      "ID Name SpecifiedLegalOrganization DefinedTradeContact PostalTradeAddress URIUniversalCommunication SpecifiedTaxRegistration",
    BuyerTradeParty:
      "Name SpecifiedLegalOrganization PostalTradeAddress URIUniversalCommunication SpecifiedTaxRegistration",
    SpecifiedLegalOrganization: "ID",
    PostalTradeAddress: "PostcodeCode LineOne CityName CountryID CountrySubDivisionName",
    ApplicableHeaderTradeSettlement:
      "PaymentReference TaxCurrencyCode InvoiceCurrencyCode SpecifiedTradeSettlementPaymentMeans ApplicableTradeTax BillingSpecifiedPeriod SpecifiedTradePaymentTerms SpecifiedTradeSettlementHeaderMonetarySummation InvoiceReferencedDocument",
    SpecifiedTradeSettlementPaymentMeans:
      "TypeCode PayeePartyCreditorFinancialAccount PayeeSpecifiedCreditorFinancialInstitution",
    ApplicableTradeTax:
      "CalculatedAmount TypeCode ExemptionReason BasisAmount CategoryCode ExemptionReasonCode RateApplicablePercent",
    SpecifiedTradePaymentTerms: "Description DueDateDateTime",
    SpecifiedTradeSettlementHeaderMonetarySummation:
      "LineTotalAmount TaxBasisTotalAmount TaxTotalAmount GrandTotalAmount TotalPrepaidAmount DuePayableAmount",
    ExchangedDocumentContext:
      "BusinessProcessSpecifiedDocumentContextParameter GuidelineSpecifiedDocumentContextParameter",
    BusinessProcessSpecifiedDocumentContextParameter: "ID",
    GuidelineSpecifiedDocumentContextParameter: "ID",
    IssueDateTime: "DateTimeString",
    IncludedNote: "Content",
    AssociatedDocumentLineDocument: "LineID",
    SpecifiedTradeProduct: "Name Description",
    SpecifiedLineTradeAgreement: "NetPriceProductTradePrice",
    NetPriceProductTradePrice: "ChargeAmount",
    SpecifiedLineTradeDelivery: "BilledQuantity",
    SpecifiedTradeSettlementLineMonetarySummation: "LineTotalAmount",
    ApplicableHeaderTradeDelivery: "ActualDeliverySupplyChainEvent",
    ActualDeliverySupplyChainEvent: "OccurrenceDateTime",
    OccurrenceDateTime: "DateTimeString",
    URIUniversalCommunication: "URIID",
    SpecifiedTaxRegistration: "ID",
    PayeePartyCreditorFinancialAccount: "IBANID AccountName",
    PayeeSpecifiedCreditorFinancialInstitution: "BICID",
    BillingSpecifiedPeriod: "StartDateTime EndDateTime",
    StartDateTime: "DateTimeString",
    EndDateTime: "DateTimeString",
    DueDateDateTime: "DateTimeString",
    InvoiceReferencedDocument: "IssuerAssignedID FormattedIssueDateTime",
    FormattedIssueDateTime: "DateTimeString",
  },
  repeated: new Set([
    "IncludedSupplyChainTradeLineItem",
    "SpecifiedTaxRegistration",
    "ApplicableTradeTax",
    "TaxTotalAmount",
    "InvoiceReferencedDocument",
  ]),
};

/** The terms of an e-invoice in CII. */
export const termsOfCii = (bytes: Uint8Array): Terms => {
  const root = rootOf(bytes);
  if (root === undefined) throw new Error("no XML");
  const settled = one(root, SETTLEMENT);
  const terms = (node: Node, paths: Paths) => withHyphens(read(node, paths));
  return {
    header: {
      "BT-111": inCurrency(
        all(root, `${SUMS}/ram:TaxTotalAmount`),
        textOf(root, `${SETTLEMENT}/ram:TaxCurrencyCode`),
      ),
      ...terms(root, {
        "BT-1": "rsm:ExchangedDocument/ram:ID",
        "BT-6": `${SETTLEMENT}/ram:TaxCurrencyCode`,
        "BT-2": `rsm:ExchangedDocument/ram:IssueDateTime/${DATE}`,
        "BT-3": "rsm:ExchangedDocument/ram:TypeCode",
        "BT-5": `${SETTLEMENT}/ram:InvoiceCurrencyCode`,
        "BT-9": `${SETTLEMENT}/ram:SpecifiedTradePaymentTerms/ram:DueDateDateTime/${DATE}`,
        "BT-10": `${AGREEMENT}/ram:BuyerReference`,
        "BT-20": `${SETTLEMENT}/ram:SpecifiedTradePaymentTerms/ram:Description`,
        "BT-22": "rsm:ExchangedDocument/ram:IncludedNote/ram:Content",
        "BT-72": `rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeDelivery/ram:ActualDeliverySupplyChainEvent/ram:OccurrenceDateTime/${DATE}`,
        "BT-73": `${SETTLEMENT}/ram:BillingSpecifiedPeriod/ram:StartDateTime/${DATE}`,
        "BT-74": `${SETTLEMENT}/ram:BillingSpecifiedPeriod/ram:EndDateTime/${DATE}`,
        "BT-81": `${MEANS}/ram:TypeCode`,
        "BT-83": `${SETTLEMENT}/ram:PaymentReference`,
        "BT-84": `${MEANS}/ram:PayeePartyCreditorFinancialAccount/ram:IBANID`,
        "BT-85": `${MEANS}/ram:PayeePartyCreditorFinancialAccount/ram:AccountName`,
        "BT-86": `${MEANS}/ram:PayeeSpecifiedCreditorFinancialInstitution/ram:BICID`,
        "BT-106": `${SUMS}/ram:LineTotalAmount`,
        "BT-109": `${SUMS}/ram:TaxBasisTotalAmount`,
        "BT-110": `${SUMS}/ram:TaxTotalAmount`,
        "BT-112": `${SUMS}/ram:GrandTotalAmount`,
        "BT-113": `${SUMS}/ram:TotalPrepaidAmount`,
        "BT-115": `${SUMS}/ram:DuePayableAmount`,
        "BT-122": `${AGREEMENT}/ram:AdditionalReferencedDocument[ram:TypeCode=916]/ram:IssuerAssignedID`,
        ...attachmentTerms(`${AGREEMENT}/ram:AdditionalReferencedDocument/ram:AttachmentBinaryObject`),
        ...ciiParty("ram:SellerTradeParty", "AccountingSupplierParty"),
        ...ciiParty("ram:BuyerTradeParty", "AccountingCustomerParty"),
      }),
    },
    lines: all(root, "rsm:SupplyChainTradeTransaction/ram:IncludedSupplyChainTradeLineItem").map((line) =>
      terms(line, {
        "BT-126": "ram:AssociatedDocumentLineDocument/ram:LineID",
        "BT-129": "ram:SpecifiedLineTradeDelivery/ram:BilledQuantity",
        "BT-130": "ram:SpecifiedLineTradeDelivery/ram:BilledQuantity@unitCode",
        "BT-131":
          "ram:SpecifiedLineTradeSettlement/ram:SpecifiedTradeSettlementLineMonetarySummation/ram:LineTotalAmount",
        "BT-134": `ram:SpecifiedLineTradeSettlement/ram:BillingSpecifiedPeriod/ram:StartDateTime/${DATE}`,
        "BT-135": `ram:SpecifiedLineTradeSettlement/ram:BillingSpecifiedPeriod/ram:EndDateTime/${DATE}`,
        "BT-146": "ram:SpecifiedLineTradeAgreement/ram:NetPriceProductTradePrice/ram:ChargeAmount",
        "BT-151": "ram:SpecifiedLineTradeSettlement/ram:ApplicableTradeTax/ram:CategoryCode",
        "BT-152": "ram:SpecifiedLineTradeSettlement/ram:ApplicableTradeTax/ram:RateApplicablePercent",
        "BT-153": "ram:SpecifiedTradeProduct/ram:Name",
        "BT-154": "ram:SpecifiedTradeProduct/ram:Description",
      }),
    ),
    taxes: all(settled ?? root, "ram:ApplicableTradeTax").map((tax) =>
      terms(tax, {
        "BT-116": "ram:BasisAmount",
        "BT-117": "ram:CalculatedAmount",
        "BT-118": "ram:CategoryCode",
        "BT-119": "ram:RateApplicablePercent",
        "BT-120": "ram:ExemptionReason",
        "BT-121": "ram:ExemptionReasonCode",
      }),
    ),
    references: all(settled ?? root, "ram:InvoiceReferencedDocument").map((reference) =>
      terms(reference, {
        "BT-25": "ram:IssuerAssignedID",
        "BT-26": "ram:FormattedIssueDateTime/qdt:DateTimeString",
      }),
    ),
  };
};

/** The names of the terms in which an e-invoice in CII and the one in UBL differ, and the elements that are misplaced or empty. */
export const differentTerms = (ubl: Uint8Array, cii: Uint8Array): ReadonlyArray<string> => {
  const [a, b] = [termsOfUbl(ubl), termsOfCii(cii)];
  const root = rootOf(cii);
  const lists = (["lines", "taxes", "references"] as const).flatMap((name) =>
    a[name].length === b[name].length
      ? a[name].flatMap((terms, index) =>
          Object.keys(terms).filter((term) => terms[term] !== b[name][index]?.[term]),
        )
      : [`number of ${name}`],
  );
  return [
    ...Object.keys(a.header).filter((term) => a.header[term] !== b.header[term]),
    ...lists,
    ...(root === undefined ? [] : misplaced(root, CII)),
  ];
};
