/** Compares an e-invoice with its content. It reads only the XML and shares no code with the writer. */
import type { EInvoice, Partner } from "quittance";
import { all, type Node, one, rootOf, textOf } from "./Checker.ts";

const CATEGORIES: Readonly<Record<Partner.TaxConfig["treatment"], string>> = {
  standard: "S",
  reverse_charge: "AE",
  exempt: "E",
  outside_scope: "O",
};

const DECIMALS: Readonly<Record<string, number>> = { JPY: 0, ISK: 0, CLP: 0, KWD: 3, TND: 3 };

/** The sum of amounts of a category and rate, in the smallest unit. */
type Sums = ReadonlyMap<string, readonly [net: number, tax: number]>;

const sumsOf = (values: ReadonlyArray<readonly [key: string, net: number, tax: number]>): Sums => {
  const sums = new Map<string, readonly [number, number]>();
  for (const [key, net, tax] of values) {
    const [nets, taxes] = sums.get(key) ?? [0, 0];
    sums.set(key, [nets + net, taxes + tax]);
  }
  return new Map([...sums].toSorted());
};

const equals = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The IBAN that is paid to: the partner's by an invoice, the customer's by a credit note; empty when nothing is to be paid. */
const accountOf = ({ kind, cancels, seller, buyer }: EInvoice.Content, payable: number): string => {
  if (cancels || payable <= 0) return "";
  const account = kind === "invoice" ? seller.bankAccount : buyer.bankAccount;
  return (account?.iban ?? "").replaceAll(" ", "");
};

/** A tax in the smallest unit, in that of the national currency: rounded half away from zero. */
const nationalTaxOf = (tax: number, { currency, taxConversion }: EInvoice.Content): string => {
  if (taxConversion === undefined) return "";
  const places = (code: string): number => DECIMALS[code] ?? 2;
  const [, fraction = ""] = taxConversion.rate.split(".");
  const to = places(taxConversion.currency);
  const numerator = Math.abs(tax) * Number(taxConversion.rate.replace(".", "")) * 10 ** to;
  const denominator = 10 ** (fraction.length + places(currency));
  const whole = Math.floor(numerator / denominator);
  const rounded = whole + (2 * (numerator - whole * denominator) >= denominator ? 1 : 0);
  return (Math.sign(tax) * (rounded / 10 ** to) || 0).toFixed(to);
};

/** The names of the values in which an e-invoice and its content differ. */
export const differences = (content: EInvoice.Content, bytes: Uint8Array): ReadonlyArray<string> => {
  const root = rootOf(bytes);
  if (root === undefined) return ["XML"];
  const isInvoice = content.kind === "invoice";
  const sign = (isInvoice ? 1 : -1) * (content.cancels ? -1 : 1);
  const unit = 10 ** (DECIMALS[content.currency] ?? 2);
  const units = (node: Node, path: string): number => Math.round(Number(textOf(node, path)) * unit);
  const lines = all(root, isInvoice ? "cac:InvoiceLine" : "cac:CreditNoteLine");
  const keyOf = (node: Node): string => `${textOf(node, "cbc:ID")} ${Number(textOf(node, "cbc:Percent"))}`;
  const groups = content.groups.map(({ treatment, rateBps, tax, invoiceLines }) => ({
    key: `${CATEGORIES[treatment]} ${(rateBps ?? 0) / 100}`,
    amounts: invoiceLines.map(({ amount }) => sign * amount),
    tax: sign * tax,
  }));
  const sums = sumsOf(
    groups.flatMap(({ key, amounts, tax }) => [
      [key, 0, tax] as const,
      ...amounts.map((amount) => [key, amount, 0] as const),
    ]),
  );
  const subtotals = all(root, "cac:TaxTotal/cac:TaxSubtotal").map((node) => {
    const category = one(node, "cac:TaxCategory");
    return [
      category === undefined ? "" : keyOf(category),
      units(node, "cbc:TaxableAmount"),
      units(node, "cbc:TaxAmount"),
    ] as const;
  });
  const stated = lines.map((line) => {
    const category = one(line, "cac:Item/cac:ClassifiedTaxCategory");
    return `${category === undefined ? "" : keyOf(category)} ${units(line, "cbc:LineExtensionAmount")}`;
  });
  const total = [...sums.values()].reduce((sum, [net, tax]) => sum + net + tax, 0);
  const taxed = [...sums.values()].reduce((sum, [, tax]) => sum + tax, 0);
  const [nationalTax] = all(root, "cac:TaxTotal").filter(
    (item) => one(item, "cac:TaxSubtotal") === undefined,
  );
  const party = (role: string): string =>
    textOf(root, `cac:${role}/cac:Party/cac:PartyLegalEntity/cbc:RegistrationName`);
  const named = (text: string): string =>
    text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
  const checks: Readonly<Record<string, boolean>> = {
    "tax by category and rate": equals([...sumsOf(subtotals)], [...sums]) && subtotals.length === sums.size,
    lines: equals(
      stated,
      groups.flatMap(({ key, amounts }) => amounts.map((amount) => `${key} ${amount}`)),
    ),
    "national tax":
      textOf(root, "cbc:TaxCurrencyCode") === (content.taxConversion?.currency ?? "") &&
      (nationalTax === undefined ? "" : textOf(nationalTax, "cbc:TaxAmount")) ===
        nationalTaxOf(taxed, content),
    "rate of the national tax":
      content.taxConversion === undefined ||
      textOf(root, "cbc:Note").includes(
        `1 ${content.currency} = ${content.taxConversion.rate} ${content.taxConversion.currency} (`,
      ),
    total: units(root, "cac:LegalMonetaryTotal/cbc:TaxInclusiveAmount") === total,
    payable: units(root, "cac:LegalMonetaryTotal/cbc:PayableAmount") === (content.cancels ? 0 : total),
    references: equals(
      all(root, "cac:BillingReference/cac:InvoiceDocumentReference").map((node) => [
        textOf(node, "cbc:ID"),
        textOf(node, "cbc:IssueDate"),
      ]),
      content.references.map(({ number, issuedOn }) => [number, issuedOn]),
    ),
    note: [content.seller.legalNote, content.buyer.legalNote].every((note) =>
      named(textOf(root, "cbc:Note"))
        .replaceAll("&#10;", "\n")
        .includes(note ?? ""),
    ),
    "buyer reference":
      textOf(root, "cbc:BuyerReference") === (content.buyer.buyerReference ?? content.settlementId),
    contact:
      named(textOf(root, "cac:AccountingSupplierParty/cac:Party/cac:Contact/cbc:Name")) ===
      (content.seller.contact?.name ?? ""),
    "numbers in registers": (
      [
        ["AccountingSupplierParty", content.seller],
        ["AccountingCustomerParty", content.buyer],
      ] as const
    ).every(([role, { registrationNumber = "" }]) => {
      const stated = one(root, `cac:${role}/cac:Party/cac:PartyLegalEntity/cbc:CompanyID`);
      const scheme = stated?.attributes.schemeID;
      return `${scheme === undefined ? "" : `${scheme}:`}${named(stated?.text ?? "")}` === registrationNumber;
    }),
    supplier: named(party("AccountingSupplierParty")) === content.seller.legalName,
    customer: named(party("AccountingCustomerParty")) === content.buyer.legalName,
    account: textOf(root, "cac:PaymentMeans/cac:PayeeFinancialAccount/cbc:ID") === accountOf(content, total),
    type:
      textOf(root, isInvoice ? "cbc:InvoiceTypeCode" : "cbc:CreditNoteTypeCode") ===
      (isInvoice ? "389" : "261"),
  };
  return Object.entries(checks).flatMap(([name, holds]) => (holds ? [] : [name]));
};
