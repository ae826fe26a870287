/** The rules of XRechnung 3.0 beyond EN 16931 that an e-invoice in UBL can break, each under its id. It reads the XML alone. */
import { all, type Node, one, textOf } from "./Checker.ts";

const SELLER = "cac:AccountingSupplierParty/cac:Party";
const BUYER = "cac:AccountingCustomerParty/cac:Party";
const TOTAL = "cac:TaxTotal/cac:TaxSubtotal/cac:TaxCategory";

const has = (path: string) => (root: Node) => textOf(root, path).trim() !== "";

const codeOf = (root: Node): string =>
  textOf(root, root.name === "Invoice" ? "cbc:InvoiceTypeCode" : "cbc:CreditNoteTypeCode");

const meansOf = (root: Node): string => textOf(root, "cac:PaymentMeans/cbc:PaymentMeansCode");

/** Every rule, and when it holds. */
const RULES: Readonly<Record<string, (root: Node) => boolean>> = {
  "BR-DE-1": (root) => one(root, "cac:PaymentMeans") !== undefined,
  "BR-DE-2": (root) => one(root, `${SELLER}/cac:Contact`) !== undefined,
  "BR-DE-3": has(`${SELLER}/cac:PostalAddress/cbc:CityName`),
  "BR-DE-4": has(`${SELLER}/cac:PostalAddress/cbc:PostalZone`),
  "BR-DE-5": has(`${SELLER}/cac:Contact/cbc:Name`),
  "BR-DE-6": has(`${SELLER}/cac:Contact/cbc:Telephone`),
  "BR-DE-7": has(`${SELLER}/cac:Contact/cbc:ElectronicMail`),
  "BR-DE-8": has(`${BUYER}/cac:PostalAddress/cbc:CityName`),
  "BR-DE-9": has(`${BUYER}/cac:PostalAddress/cbc:PostalZone`),
  "BR-DE-14": (root) => all(root, TOTAL).every(has("cbc:Percent")),
  "BR-DE-15": has("cbc:BuyerReference"),
  "BR-DE-16": (root) =>
    all(root, TOTAL).every((tax) => textOf(tax, "cbc:ID") === "O") ||
    has(`${SELLER}/cac:PartyTaxScheme/cbc:CompanyID`)(root),
  "BR-DE-17": (root) => ["326", "380", "384", "389", "381", "875", "876", "877"].includes(codeOf(root)),
  "BR-DE-18": (root) => !textOf(root, "cac:PaymentTerms/cbc:Note").includes("#"),
  "BR-DE-21": (root) =>
    textOf(root, "cbc:CustomizationID") ===
    "urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0",
  "BR-DE-23": (root) =>
    !["30", "58"].includes(meansOf(root)) || has("cac:PaymentMeans/cac:PayeeFinancialAccount/cbc:ID")(root),
  "BR-DE-27": (root) => /(\D*\d){3}/.test(textOf(root, `${SELLER}/cac:Contact/cbc:Telephone`)),
  "BR-DE-28": (root) =>
    /^[^@\s]+[^@.\s]@[^@.\s][^@\s]+$/.test(textOf(root, `${SELLER}/cac:Contact/cbc:ElectronicMail`)),
  "PEPPOL-EN16931-R001": has("cbc:ProfileID"),
  "PEPPOL-EN16931-R010": has(`${BUYER}/cbc:EndpointID`),
  "PEPPOL-EN16931-R020": has(`${SELLER}/cbc:EndpointID`),
};

/** The ids of the rules that a document breaks. */
export const brokenOf = (root: Node): ReadonlyArray<string> =>
  Object.entries(RULES).flatMap(([id, holds]) => (holds(root) ? [] : [id]));
