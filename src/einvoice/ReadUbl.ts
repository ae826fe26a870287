/**
 * Reads the e-invoices that the writer of UBL has written, so that every other syntax of an issued one states the same facts.
 * The file in UBL is the original: it is stored when the document is issued.
 */
import { Either } from "effect";
import { Currency, decimals } from "../domain/Currency.ts";
import type { Category, EInvoice, Line, Party, Subtotal } from "./EInvoice.ts";
import { type Node, parse } from "./Xml.ts";

const all = (node: Node, name: string): ReadonlyArray<Node> =>
  node.children.filter((child) => child.name === name);

/** The first element along a path, or null. */
const find = (node: Node, path: string): Node | null =>
  path
    .split("/")
    .reduce<Node | null>((found, name) => (found === null ? null : (all(found, name)[0] ?? null)), node);

const optional = (node: Node, path: string): string | null => find(node, path)?.text ?? null;
const textAt = (node: Node, path: string): string => optional(node, path) ?? "";

/** A decimal in the smallest units of so many decimals. */
const unitsOf = (text: string, places: number): bigint => {
  const [whole = "", part = ""] = text.split(".");
  return BigInt(whole + part.padEnd(places, "0"));
};

const rateOf = (node: Node): number => Number(unitsOf(textAt(node, "cbc:Percent"), 2));
const categoryOf = (node: Node): Category => textAt(node, "cbc:ID") as Category;

const partyOf = (root: Node, role: string): Party => {
  const party = find(root, `${role}/cac:Party`) ?? root;
  const endpoint = find(party, "cbc:EndpointID");
  return {
    legalName: textAt(party, "cac:PartyLegalEntity/cbc:RegistrationName"),
    address: {
      street: textAt(party, "cac:PostalAddress/cbc:StreetName"),
      city: textAt(party, "cac:PostalAddress/cbc:CityName"),
      region: textAt(party, "cac:PostalAddress/cbc:CountrySubentity"),
      postalCode: textAt(party, "cac:PostalAddress/cbc:PostalZone"),
      country: textAt(party, "cac:PostalAddress/cac:Country/cbc:IdentificationCode"),
    },
    vatNumber: textAt(party, "cac:PartyTaxScheme/cbc:CompanyID"),
    endpoint:
      endpoint === null
        ? null
        : Either.right({ scheme: endpoint.attributes.schemeID ?? "", identifier: endpoint.text }),
  };
};

const accountOf = (root: Node): EInvoice["account"] => {
  const account = find(root, "cac:PaymentMeans/cac:PayeeFinancialAccount");
  return account === null
    ? null
    : {
        beneficiaryName: textAt(account, "cbc:Name"),
        iban: textAt(account, "cbc:ID"),
        bic: textAt(account, "cac:FinancialInstitutionBranch/cbc:ID"),
      };
};

/** The document of a file that `write` of UBL has made; of other files nothing is promised. */
export const read = (bytes: Uint8Array): EInvoice => {
  const root = parse(bytes);
  const kind = root.name === "Invoice" ? "invoice" : "credit_note";
  const currency = Currency.make(textAt(root, "cbc:DocumentCurrencyCode"));
  const amount = (node: Node, path: string): bigint => unitsOf(textAt(node, path), decimals(currency));
  const lineOf = (line: Node): Line => {
    const category = find(line, "cac:Item/cac:ClassifiedTaxCategory") ?? line;
    return {
      category: categoryOf(category),
      rateBps: rateOf(category),
      amount: amount(line, "cbc:LineExtensionAmount"),
      name: textAt(line, "cac:Item/cbc:Name"),
      description: textAt(line, "cac:Item/cbc:Description"),
      periodStart: textAt(line, "cac:InvoicePeriod/cbc:StartDate"),
      periodEnd: textAt(line, "cac:InvoicePeriod/cbc:EndDate"),
    };
  };
  const subtotalOf = (subtotal: Node): Subtotal => {
    const category = find(subtotal, "cac:TaxCategory") ?? subtotal;
    return {
      category: categoryOf(category),
      rateBps: rateOf(category),
      taxable: amount(subtotal, "cbc:TaxableAmount"),
      tax: amount(subtotal, "cbc:TaxAmount"),
      reason: optional(category, "cbc:TaxExemptionReason"),
    };
  };
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
    references: all(root, "cac:BillingReference").map((reference) => ({
      number: textAt(reference, "cac:InvoiceDocumentReference/cbc:ID"),
      issueDate: textAt(reference, "cac:InvoiceDocumentReference/cbc:IssueDate"),
    })),
    seller: partyOf(root, "cac:AccountingSupplierParty"),
    buyer: partyOf(root, "cac:AccountingCustomerParty"),
    account: accountOf(root),
    lines: all(root, kind === "invoice" ? "cac:InvoiceLine" : "cac:CreditNoteLine").map(lineOf),
    subtotals: all(find(root, "cac:TaxTotal") ?? root, "cac:TaxSubtotal").map(subtotalOf),
    net: amount(root, "cac:LegalMonetaryTotal/cbc:LineExtensionAmount"),
    tax: amount(root, "cac:TaxTotal/cbc:TaxAmount"),
    settled:
      find(root, "cac:LegalMonetaryTotal/cbc:PrepaidAmount") === null
        ? 0n
        : amount(root, "cac:LegalMonetaryTotal/cbc:PrepaidAmount"),
  };
};
