/** Planted bugs of e-invoices: documents that break a rule or state something else than the ledger, and rules that no approval checks. */
import { type Bug, bug } from "./Bug.ts";

const CONTENT = "src/einvoice/EInvoice.ts";
const UBL = "src/einvoice/Ubl.ts";
const CII = "src/einvoice/Cii.ts";
const TAX_CURRENCY = "src/domain/TaxCurrency.ts";

const document = (name: string, caughtBy: string, file: string, find: string, replace: string): Bug =>
  bug(name, caughtBy, file, find, replace, "e-invoices");

/** Every planted bug of this file. */
export const eInvoiceBugs: ReadonlyArray<Bug> = [
  document(
    "an e-invoice states reverse charge as exempt",
    "tax by category and rate",
    CONTENT,
    'reverse_charge: "AE",',
    'reverse_charge: "E",',
  ),
  document(
    "an e-invoice leaves out the documents that it corrects",
    "references",
    UBL,
    "...invoice.references.map(reference),",
    "",
  ),
  document(
    "an e-invoice leaves out the numbers in public registers",
    "numbers in registers",
    CONTENT,
    "registration: registrationOf(party),",
    "registration: null,",
  ),
  document(
    "an electronic credit note has negative amounts",
    "payable",
    CONTENT,
    '(kind === "invoice" ? 1n : -1n) * (cancels',
    "1n * (cancels",
  ),
  document(
    "an e-invoice that cancels another one asks for its sum",
    "payable",
    CONTENT,
    "settled: cancels ? net + tax : 0n,",
    "settled: 0n,",
  ),
  document(
    "an e-invoice has the tax of the last group of a rate only",
    "BR-CO-17",
    CONTENT,
    "tax: before.tax + sign * BigInt(tax),",
    "tax: sign * BigInt(tax),",
  ),
  document(
    "an electronic credit note is paid to the partner",
    "account",
    CONTENT,
    'kind === "invoice" ? seller.bankAccount : (buyer.bankAccount ?? null)',
    "buyer === null ? null : seller.bankAccount",
  ),
  document(
    "an e-invoice in CII asks for the sum that is settled",
    "BT-115",
    CII,
    'text("ram:DuePayableAmount", decimal(net + tax - settled, currency)),',
    'text("ram:DuePayableAmount", decimal(net + tax, currency)),',
  ),
  document(
    "an e-invoice in CII adds what a negative line takes away",
    "BT-129",
    CII,
    'text("ram:BilledQuantity", quantityOf(amount),',
    'text("ram:BilledQuantity", "1",',
  ),
  document(
    "an e-invoice is read with its tax in the net sum",
    "BT-106",
    "src/einvoice/ReadUbl.ts",
    'net: amount(root, "cac:LegalMonetaryTotal/cbc:LineExtensionAmount"),',
    'net: amount(root, "cac:LegalMonetaryTotal/cbc:PayableAmount"),',
  ),
  document(
    "an e-invoice outside the scope of VAT states VAT numbers",
    "BR-O-02",
    CONTENT,
    "vatNumber: isOutside ? null : vatNumberOf(party),",
    "vatNumber: vatNumberOf(party),",
  ),
  document(
    "an e-invoice leaves out the seller's legal note",
    "note",
    CONTENT,
    "[seller.legalNote, buyer.legalNote]",
    "[buyer.legalNote]",
  ),
  document(
    "an e-invoice leaves out the contact of the seller",
    "contact",
    CONTENT,
    "contact: seller.contact ?? null,",
    "contact: null,",
  ),
  document(
    "an e-invoice in CII states a tax number as a VAT number",
    "AccountingSupplierParty vat (from BT-27)",
    CII,
    'registration(taxNumber, "FC"),',
    'registration(taxNumber, "VA"),',
  ),
  document(
    "VAT in the national currency is divided by the rate",
    "national tax",
    TAX_CURRENCY,
    "const { numerator, denominator } = Rational",
    "const { numerator: denominator, denominator: numerator } = Rational",
  ),
  document(
    "VAT in the national currency is rounded twice",
    "national tax",
    TAX_CURRENCY,
    "    tax * numerator * 10n ** BigInt(decimals(currency)),\n    denominator * 10n ** BigInt(decimals(from)),",
    "    divideHalfAwayFromZero(10n * tax * numerator * 10n ** BigInt(decimals(currency)), denominator * 10n ** BigInt(decimals(from))),\n    10n,",
  ),
  document(
    "an e-invoice in CII leaves out the VAT in the national currency",
    "BT-111",
    CII,
    'text("ram:TaxTotalAmount", decimal(nationalTax.amount, nationalTax.currency), {',
    'text("ram:TaxTotalAmount", decimal(tax, currency), {',
  ),
  bug(
    "VAT in the national currency is by a rate that is dated later",
    "DocumentCreation: states the VAT in the national currency at the rate of the approval's day; a later rate changes nothing",
    TAX_CURRENCY,
    "rate.date >= earliest && rate.date <= day)",
    "rate.date >= earliest)",
    "rules",
  ),
  bug(
    "an approval ignores that e-invoices are required",
    "model",
    "src/services/settlements/EInvoicing.ts",
    "if (problems.length > 0) return",
    "if (problems.length < 0) return",
  ),
  bug(
    "a settlement does not say why it has no e-invoice",
    "model",
    "src/services/documents/DocumentCreation.ts",
    'eInvoice.eInvoice?.type === "not_made" ? eInvoice.eInvoice.problems : []',
    "[]",
  ),
  bug(
    "a standard rate of 0 is no problem of an e-invoice",
    "model",
    "src/einvoice/Rules.ts",
    "if (rateBps === 0) {",
    "if (rateBps < 0) {",
  ),
];
