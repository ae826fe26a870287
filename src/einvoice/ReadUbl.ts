/**
 * Reads the e-invoices that the writer of UBL has written, so that every other syntax of an issued one states the same facts.
 * The file in UBL is the original: it is stored when the document is issued.
 */
import { Either } from "effect";
import { Currency, decimals } from "../domain/Currency.ts";
import type { Category, EInvoice, Line, Party, Subtotal } from "./EInvoice.ts";
import { type Node, parse } from "./Xml.ts";

/** The elements along a path. */
const all = (node: Node, path: string): ReadonlyArray<Node> =>
  path
    .split("/")
    .reduce<ReadonlyArray<Node>>(
      (found, step) => found.flatMap(({ children }) => children.filter(({ name }) => name === step)),
      [node],
    );

const optional = (node: Node, path: string): string | null => all(node, path)[0]?.text ?? null;
const textAt = (node: Node, path: string): string => optional(node, path) ?? "";

/** A decimal in the smallest units of so many decimals; 0 for no text. */
const unitsOf = (text: string, places: number): bigint => {
  const [whole = "", part = ""] = text.split(".");
  return BigInt(whole + part.padEnd(places, "0"));
};

/** The category and the rate of the tax at a path. */
const taxAt = (node: Node, path: string): Pick<Subtotal, "category" | "rateBps"> => ({
  category: textAt(node, `${path}/cbc:ID`) as Category,
  rateBps: Number(unitsOf(textAt(node, `${path}/cbc:Percent`), 2)),
});

const partyOf = (root: Node, role: string): Party => {
  const [party = root] = all(root, `${role}/cac:Party`);
  const [endpoint] = all(party, "cbc:EndpointID");
  const [contact] = all(party, "cac:Contact");
  const [registered] = all(party, "cac:PartyLegalEntity/cbc:CompanyID");
  const numberOf = (scheme: string): string | null =>
    all(party, "cac:PartyTaxScheme")
      .filter((registration) => textAt(registration, "cac:TaxScheme/cbc:ID") === scheme)
      .map((registration) => textAt(registration, "cbc:CompanyID"))[0] ?? null;
  return {
    legalName: textAt(party, "cac:PartyLegalEntity/cbc:RegistrationName"),
    address: {
      street: textAt(party, "cac:PostalAddress/cbc:StreetName"),
      city: textAt(party, "cac:PostalAddress/cbc:CityName"),
      region: textAt(party, "cac:PostalAddress/cbc:CountrySubentity"),
      postalCode: textAt(party, "cac:PostalAddress/cbc:PostalZone"),
      country: textAt(party, "cac:PostalAddress/cac:Country/cbc:IdentificationCode"),
    },
    vatNumber: numberOf("VAT"),
    taxNumber: numberOf("TAX"),
    registration:
      registered === undefined
        ? null
        : { scheme: registered.attributes.schemeID ?? null, identifier: registered.text },
    id: optional(party, "cac:PartyIdentification/cbc:ID"),
    contact:
      contact === undefined
        ? null
        : {
            name: textAt(contact, "cbc:Name"),
            phone: textAt(contact, "cbc:Telephone"),
            email: textAt(contact, "cbc:ElectronicMail"),
          },
    endpoint:
      endpoint === undefined
        ? null
        : Either.right({ scheme: endpoint.attributes.schemeID ?? "", identifier: endpoint.text }),
  };
};

const accountOf = (root: Node): EInvoice["account"] => {
  const [account] = all(root, "cac:PaymentMeans/cac:PayeeFinancialAccount");
  return account === undefined
    ? null
    : {
        beneficiaryName: textAt(account, "cbc:Name"),
        iban: textAt(account, "cbc:ID"),
        bic: textAt(account, "cac:FinancialInstitutionBranch/cbc:ID"),
      };
};

/** The VAT in the national currency: the total that the document states in the currency of its tax. */
const nationalTaxOf = (root: Node): EInvoice["nationalTax"] => {
  const code = optional(root, "cbc:TaxCurrencyCode");
  if (code === null) return null;
  const currency = Currency.make(code);
  const [amount] = all(root, "cac:TaxTotal/cbc:TaxAmount").filter(
    ({ attributes }) => attributes.currencyID === currency,
  );
  return { currency, amount: unitsOf(amount?.text ?? "", decimals(currency)) };
};

/** The document of a file that `write` of UBL has made; of other files nothing is promised. */
export const read = (bytes: Uint8Array): EInvoice => {
  const root = parse(bytes);
  const kind = root.name === "Invoice" ? "invoice" : "credit_note";
  const currency = Currency.make(textAt(root, "cbc:DocumentCurrencyCode"));
  const amount = (node: Node, path: string): bigint => unitsOf(textAt(node, path), decimals(currency));
  const lineOf = (line: Node): Line => ({
    ...taxAt(line, "cac:Item/cac:ClassifiedTaxCategory"),
    amount: amount(line, "cbc:LineExtensionAmount"),
    name: textAt(line, "cac:Item/cbc:Name"),
    description: textAt(line, "cac:Item/cbc:Description"),
    periodStart: textAt(line, "cac:InvoicePeriod/cbc:StartDate"),
    periodEnd: textAt(line, "cac:InvoicePeriod/cbc:EndDate"),
  });
  const subtotalOf = (subtotal: Node): Subtotal => ({
    ...taxAt(subtotal, "cac:TaxCategory"),
    taxable: amount(subtotal, "cbc:TaxableAmount"),
    tax: amount(subtotal, "cbc:TaxAmount"),
    reason: optional(subtotal, "cac:TaxCategory/cbc:TaxExemptionReason"),
  });
  return {
    ...{ kind, currency, number: textAt(root, "cbc:ID") },
    issueDate: textAt(root, "cbc:IssueDate"),
    dueDate: optional(root, "cbc:DueDate"),
    note: textAt(root, "cbc:Note"),
    paymentTerms: optional(root, "cac:PaymentTerms/cbc:Note"),
    buyerReference: textAt(root, "cbc:BuyerReference"),
    period: {
      start: textAt(root, "cac:InvoicePeriod/cbc:StartDate"),
      end: textAt(root, "cac:InvoicePeriod/cbc:EndDate"),
    },
    references: all(root, "cac:BillingReference/cac:InvoiceDocumentReference").map((reference) => ({
      number: textAt(reference, "cbc:ID"),
      issueDate: textAt(reference, "cbc:IssueDate"),
    })),
    seller: partyOf(root, "cac:AccountingSupplierParty"),
    buyer: partyOf(root, "cac:AccountingCustomerParty"),
    account: accountOf(root),
    lines: all(root, kind === "invoice" ? "cac:InvoiceLine" : "cac:CreditNoteLine").map(lineOf),
    subtotals: all(root, "cac:TaxTotal/cac:TaxSubtotal").map(subtotalOf),
    net: amount(root, "cac:LegalMonetaryTotal/cbc:LineExtensionAmount"),
    tax: amount(root, "cac:TaxTotal/cbc:TaxAmount"),
    nationalTax: nationalTaxOf(root),
    settled: amount(root, "cac:LegalMonetaryTotal/cbc:PrepaidAmount"),
  };
};
