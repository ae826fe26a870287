/**
 * Checks e-invoices against the rules that the writer relies on, each under its id. It reads the XML alone and shares nothing
 * with the writer.
 */
import { XMLParser, XMLValidator } from "fast-xml-parser";

/** An element of a document. */
export interface Node {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
  readonly children: ReadonlyArray<Node>;
}

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: "",
  parseTagValue: false,
  parseAttributeValue: false,
});

type Parsed = Record<string, unknown>;

const nodeOf = (parsed: Parsed): Node | null => {
  const name = Object.keys(parsed).find((key) => key !== ":@" && key !== "#text" && key !== "?xml");
  if (name === undefined) return null;
  const inside = parsed[name] as ReadonlyArray<Parsed>;
  const text = inside.flatMap((item) => ("#text" in item ? [String(item["#text"])] : [])).join("");
  const children = inside.flatMap((item) => nodeOf(item) ?? []);
  return { name, attributes: (parsed[":@"] ?? {}) as Record<string, string>, text, children };
};

/** The elements along a path. */
export const all = (node: Node, path: string): ReadonlyArray<Node> =>
  path
    .split("/")
    .reduce<ReadonlyArray<Node>>(
      (found, step) => found.flatMap(({ children }) => children.filter(({ name }) => name === step)),
      [node],
    );
/** The first element along a path. */
export const one = (node: Node, path: string): Node | undefined => all(node, path)[0];
/** The text of the first element along a path; empty when there is none. */
export const textOf = (node: Node, path: string): string => one(node, path)?.text ?? "";

/** A decimal in ten-thousandths. */
const exact = (text: string): bigint => {
  if (!/^-?\d+(\.\d{1,4})?$/.test(text)) throw new Error(`no decimal: ${text}`);
  const [whole = "0", part = ""] = text.replace("-", "").split(".");
  const value = BigInt(whole + part.padEnd(4, "0"));
  return text.startsWith("-") ? -value : value;
};
const amount = (node: Node, path: string): bigint => exact(textOf(node, path));
const sum = (values: ReadonlyArray<bigint>): bigint => values.reduce((total, value) => total + value, 0n);
const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);

/** What a schema says of its elements, as far as they are used, by their names without prefix. */
export interface Structure {
  /** The elements within an element, in their order. Those that are absent have text. */
  readonly order: Readonly<Record<string, string>>;
  /** Elements that may occur more than once. */
  readonly repeated: ReadonlySet<string>;
}

const UBL_ORDER: Structure["order"] = {
  Invoice:
    "CustomizationID ProfileID ID IssueDate DueDate InvoiceTypeCode Note DocumentCurrencyCode TaxCurrencyCode BuyerReference InvoicePeriod BillingReference AdditionalDocumentReference AccountingSupplierParty AccountingCustomerParty PaymentMeans PaymentTerms TaxTotal LegalMonetaryTotal InvoiceLine",
  CreditNote:
    "CustomizationID ProfileID ID IssueDate CreditNoteTypeCode Note DocumentCurrencyCode TaxCurrencyCode BuyerReference InvoicePeriod BillingReference AdditionalDocumentReference AccountingSupplierParty AccountingCustomerParty PaymentMeans PaymentTerms TaxTotal LegalMonetaryTotal CreditNoteLine",
  InvoicePeriod: "StartDate EndDate",
  BillingReference: "InvoiceDocumentReference",
  InvoiceDocumentReference: "ID IssueDate",
  AdditionalDocumentReference: "ID Attachment",
  Attachment: "EmbeddedDocumentBinaryObject",
  AccountingSupplierParty: "Party",
  AccountingCustomerParty: "Party",
  Party: "EndpointID PartyIdentification PostalAddress PartyTaxScheme PartyLegalEntity Contact",
  Contact: "Name Telephone ElectronicMail",
  PartyIdentification: "ID",
  PostalAddress: "StreetName CityName PostalZone CountrySubentity Country",
  Country: "IdentificationCode",
  PartyTaxScheme: "CompanyID TaxScheme",
  TaxScheme: "ID",
  PartyLegalEntity: "RegistrationName CompanyID",
  PaymentMeans: "PaymentMeansCode PaymentID PayeeFinancialAccount",
  PayeeFinancialAccount: "ID Name FinancialInstitutionBranch",
  FinancialInstitutionBranch: "ID",
  PaymentTerms: "Note",
  TaxTotal: "TaxAmount TaxSubtotal",
  TaxSubtotal: "TaxableAmount TaxAmount TaxCategory",
  TaxCategory: "ID Percent TaxExemptionReasonCode TaxExemptionReason TaxScheme",
  LegalMonetaryTotal: "LineExtensionAmount TaxExclusiveAmount TaxInclusiveAmount PrepaidAmount PayableAmount",
  InvoiceLine: "ID InvoicedQuantity LineExtensionAmount InvoicePeriod Item Price",
  CreditNoteLine: "ID CreditedQuantity LineExtensionAmount InvoicePeriod Item Price",
  Item: "Description Name ClassifiedTaxCategory",
  ClassifiedTaxCategory: "ID Percent TaxScheme",
  Price: "PriceAmount",
};

const UBL: Structure = {
  order: UBL_ORDER,
  repeated: new Set([
    ...["BillingReference", "TaxTotal", "TaxSubtotal", "PartyTaxScheme"],
    ...["InvoiceLine", "CreditNoteLine"],
  ]),
};

const localName = (name: string): string => name.replace(/^.*:/, "");

/** The elements that are empty, or stand where the schema does not allow them. */
export function* misplaced(node: Node, structure: Structure): Generator<string> {
  const order = structure.order[localName(node.name)]?.split(" ");
  if (order === undefined) {
    if (node.children.length > 0) yield `XSD: ${node.name} has elements`;
    if (node.text.trim() === "") yield `PEPPOL-EN16931-R008: ${node.name} is empty`;
    return;
  }
  let last = -1;
  for (const child of node.children) {
    const name = localName(child.name);
    const place = order.indexOf(name);
    if (place < last || place < 0 || (place === last && !structure.repeated.has(name)))
      yield `XSD: ${name} in ${node.name}`;
    last = place;
    yield* misplaced(child, structure);
  }
}

const walk = (node: Node): ReadonlyArray<Node> => [node, ...node.children.flatMap(walk)];

const HALF = 2n;

/** A value rounded to hundredths, in ten-thousandths. */
const toHundredths = (numerator: bigint, denominator: bigint): bigint =>
  ((numerator * HALF + denominator * 100n) / (denominator * HALF * 100n)) * 100n;

const UNIT = 10_000n;

/** The numbers of a party under a tax. */
const numbersOf = (party: Node, scheme: string): ReadonlyArray<string> =>
  all(party, "cac:PartyTaxScheme")
    .filter((registration) => textOf(registration, "cac:TaxScheme/cbc:ID") === scheme)
    .map((registration) => textOf(registration, "cbc:CompanyID"));

function* party(root: Node, role: string, addressRule: string, schemeRule: string): Generator<string> {
  const found = one(root, `cac:${role}/cac:Party`);
  if (found === undefined) return yield `BR-08: no ${role}`;
  const endpoint = one(found, "cbc:EndpointID");
  if (endpoint === undefined) yield addressRule;
  else if (!/^\d{4}$/.test(endpoint.attributes.schemeID ?? "")) yield schemeRule;
  if (textOf(found, "cac:PartyLegalEntity/cbc:RegistrationName").trim() === "") yield "BR-06/BR-07";
  if (!/^[A-Z]{2}$/.test(textOf(found, "cac:PostalAddress/cac:Country/cbc:IdentificationCode")))
    yield "BR-09/BR-11";
  const vat = numbersOf(found, "VAT");
  if (vat.some((number) => !/^[A-Z]{2}/.test(number))) yield "BR-CO-09";
  const isSeller = role === "AccountingSupplierParty";
  if (isSeller && vat.length === 0 && one(found, "cac:PartyIdentification/cbc:ID") === undefined)
    yield "BR-CO-26";
  const categories = all(root, "cac:TaxTotal/cac:TaxSubtotal/cac:TaxCategory").map((tax) =>
    textOf(tax, "cbc:ID"),
  );
  const numbers = isSeller ? [...vat, ...numbersOf(found, "TAX")] : vat;
  for (const category of categories) {
    if (category === "O" ? vat.length > 0 : numbers.length === 0 && (isSeller || category === "AE"))
      yield `BR-${category}-02`;
    if (category === "O" && categories.length > 1) yield "BR-O-11";
  }
}

interface Category {
  readonly id: string;
  readonly percent: bigint;
}
const categoryOf = (node: Node): Category => ({
  id: textOf(node, "cbc:ID"),
  percent: one(node, "cbc:Percent") === undefined ? 0n : amount(node, "cbc:Percent"),
});

function* taxes(root: Node, lines: ReadonlyArray<Node>): Generator<string> {
  const totals = all(root, "cac:TaxTotal");
  const [national, ...others] = totals.filter((total) => one(total, "cac:TaxSubtotal") === undefined);
  if (totals.length - others.length - (national === undefined ? 0 : 1) !== 1) yield "PEPPOL-EN16931-R053";
  const taxCurrency = textOf(root, "cbc:TaxCurrencyCode");
  if (others.length > 0 || (national === undefined) !== (taxCurrency === "")) yield "PEPPOL-EN16931-R054";
  if (taxCurrency !== "" && taxCurrency === textOf(root, "cbc:DocumentCurrencyCode"))
    yield "PEPPOL-EN16931-R005";
  if (national !== undefined) {
    if (one(national, "cbc:TaxAmount")?.attributes.currencyID !== taxCurrency) yield "BR-53";
    if (amount(national, "cbc:TaxAmount") * amount(root, "cac:TaxTotal/cbc:TaxAmount") < 0n)
      yield "PEPPOL-EN16931-R055";
  }
  const subtotals = all(root, "cac:TaxTotal/cac:TaxSubtotal");
  if (subtotals.length === 0) yield "BR-CO-18";
  const taxed = sum(subtotals.map((subtotal) => amount(subtotal, "cbc:TaxAmount")));
  if (taxed !== amount(root, "cac:TaxTotal/cbc:TaxAmount")) yield "BR-CO-14";
  const keys = new Set<string>();
  for (const subtotal of subtotals) {
    const category = one(subtotal, "cac:TaxCategory");
    if (category === undefined) return yield "BR-47";
    const { id, percent } = categoryOf(category);
    const key = id === "S" ? `${id} ${percent}` : id;
    if (keys.has(key)) yield `BR-${id}-01`;
    keys.add(key);
    const own = lines.filter((line) => {
      const item = one(line, "cac:Item/cac:ClassifiedTaxCategory");
      return item !== undefined && categoryOf(item).id === id && categoryOf(item).percent === percent;
    });
    const [base, tax] = [amount(subtotal, "cbc:TaxableAmount"), amount(subtotal, "cbc:TaxAmount")];
    if (base !== sum(own.map((line) => amount(line, "cbc:LineExtensionAmount")))) yield `BR-${id}-08`;
    const hasReason = one(category, "cbc:TaxExemptionReason") !== undefined;
    if (id === "S") {
      if (percent <= 0n) yield "BR-S-05";
      const due = toHundredths(magnitude(base) * percent, 100n * UNIT);
      const apart = magnitude(magnitude(tax) - due);
      if (apart >= UNIT) yield "BR-S-09";
      if (percent < UNIT / HALF ? magnitude(tax) * HALF >= UNIT : apart >= UNIT) yield "BR-CO-17";
      if (hasReason) yield "BR-S-10";
    } else {
      if (percent !== 0n) yield `BR-${id}-05`;
      if (tax !== 0n) yield `BR-${id}-09`;
      if (!hasReason) yield `BR-${id}-10`;
      const code = textOf(category, "cbc:TaxExemptionReasonCode");
      if ((id === "AE") !== (code === "VATEX-EU-AE")) yield "PEPPOL-EN16931-P0107";
      if ((id === "O") !== (code === "VATEX-EU-O")) yield "PEPPOL-EN16931-P0105";
    }
    if (!["S", "AE", "E", "O"].includes(id)) yield "BR-CL-18";
  }
  for (const line of lines) {
    const item = one(line, "cac:Item/cac:ClassifiedTaxCategory");
    if (item === undefined) return yield "BR-CO-04";
    const { id, percent } = categoryOf(item);
    if ((one(item, "cbc:Percent") === undefined) !== (id === "O")) yield `BR-${id}-05`;
    if (!keys.has(id === "S" ? `${id} ${percent}` : id)) yield `BR-${id}-01`;
  }
}

function* lineRules(root: Node, line: Node, isInvoice: boolean): Generator<string> {
  const quantity = one(line, isInvoice ? "cbc:InvoicedQuantity" : "cbc:CreditedQuantity");
  if (quantity === undefined) return yield "BR-22";
  if (quantity.attributes.unitCode !== "C62") yield "BR-23";
  const price = amount(line, "cac:Price/cbc:PriceAmount");
  if (price < 0n) yield "BR-27";
  if (amount(line, "cbc:LineExtensionAmount") * UNIT !== exact(quantity.text) * price)
    yield "PEPPOL-EN16931-R120";
  const [start, end] = [
    textOf(line, "cac:InvoicePeriod/cbc:StartDate"),
    textOf(line, "cac:InvoicePeriod/cbc:EndDate"),
  ];
  if (start > end) yield "BR-30";
  if (start < textOf(root, "cac:InvoicePeriod/cbc:StartDate")) yield "PEPPOL-EN16931-R110";
  if (end > textOf(root, "cac:InvoicePeriod/cbc:EndDate")) yield "PEPPOL-EN16931-R111";
  if (textOf(line, "cac:Item/cbc:Name").trim() === "") yield "BR-25";
}

function* totals(root: Node, lines: ReadonlyArray<Node>): Generator<string> {
  const total = (name: string) => amount(root, `cac:LegalMonetaryTotal/cbc:${name}`);
  if (total("LineExtensionAmount") !== sum(lines.map((line) => amount(line, "cbc:LineExtensionAmount"))))
    yield "BR-CO-10";
  if (total("TaxExclusiveAmount") !== total("LineExtensionAmount")) yield "BR-CO-13";
  if (
    total("TaxInclusiveAmount") !==
    total("TaxExclusiveAmount") + amount(root, "cac:TaxTotal/cbc:TaxAmount")
  )
    yield "BR-CO-15";
  const hasPrepaid = one(root, "cac:LegalMonetaryTotal/cbc:PrepaidAmount") !== undefined;
  const prepaid = hasPrepaid ? total("PrepaidAmount") : 0n;
  if (total("PayableAmount") !== total("TaxInclusiveAmount") - prepaid) yield "BR-CO-16";
  const hasTerms = one(root, "cbc:DueDate") ?? one(root, "cac:PaymentTerms/cbc:Note");
  if (total("PayableAmount") > 0n && hasTerms === undefined) yield "BR-CO-25";
}

/** UNCL 4461: credit transfer, SEPA credit transfer. Both need an account. */
const TRANSFERS = new Set(["30", "58"]);

function* paymentMeans(root: Node): Generator<string> {
  const means = one(root, "cac:PaymentMeans");
  if (means === undefined) return;
  const code = textOf(means, "cbc:PaymentMeansCode");
  const account = one(means, "cac:PayeeFinancialAccount");
  if (code === "") yield "BR-49";
  else if (!TRANSFERS.has(code)) yield "BR-CL-16";
  if (account !== undefined && textOf(account, "cbc:ID").trim() === "") yield "BR-50";
  if (TRANSFERS.has(code) && (account === undefined || textOf(account, "cbc:ID").trim() === ""))
    yield "BR-61";
}

function* document(root: Node): Generator<string> {
  const isInvoice = root.name === "Invoice";
  yield* misplaced(root, UBL);
  if (
    !textOf(root, "cbc:CustomizationID").endsWith("#compliant#urn:fdc:peppol.eu:2017:poacc:selfbilling:3.0")
  )
    yield "PEPPOL-EN16931-R004";
  if (textOf(root, "cbc:ProfileID") !== "urn:fdc:peppol.eu:2017:poacc:selfbilling:01:1.0")
    yield "PEPPOL-EN16931-R007";
  if (textOf(root, "cbc:ID") === "") yield "BR-02";
  const code = textOf(root, isInvoice ? "cbc:InvoiceTypeCode" : "cbc:CreditNoteTypeCode");
  if (code !== (isInvoice ? "389" : "261")) yield isInvoice ? "PEPPOL-EN16931-P0100" : "PEPPOL-EN16931-P0101";
  if (textOf(root, "cbc:BuyerReference") === "") yield "PEPPOL-EN16931-R003";
  yield* party(root, "AccountingSupplierParty", "PEPPOL-EN16931-R020", "BR-62");
  yield* party(root, "AccountingCustomerParty", "PEPPOL-EN16931-R010", "BR-63");
  const currency = textOf(root, "cbc:DocumentCurrencyCode");
  const national = all(root, "cac:TaxTotal/cbc:TaxAmount")[1];
  for (const node of walk(root)) {
    const name = localName(node.name);
    if (name.endsWith("Amount")) {
      if (node.attributes.currencyID !== currency && node !== national) yield "PEPPOL-EN16931-R051";
      if (name !== "PriceAmount" && /\.\d{3}/.test(node.text)) yield `UBL-DT-01: ${name}`;
    }
    if (name.endsWith("Date") && !/^\d{4}-\d{2}-\d{2}$/.test(node.text)) yield "PEPPOL-EN16931-F001";
  }
  for (const reference of all(root, "cac:BillingReference/cac:InvoiceDocumentReference"))
    if (textOf(reference, "cbc:ID") === "") yield "BR-55";
  yield* paymentMeans(root);
  const lines = all(root, isInvoice ? "cac:InvoiceLine" : "cac:CreditNoteLine");
  if (lines.length === 0) yield "BR-16";
  for (const line of lines) yield* lineRules(root, line, isInvoice);
  yield* taxes(root, lines);
  yield* totals(root, lines);
}

/** The root element of a document; undefined when it is no XML. */
export const rootOf = (bytes: Uint8Array): Node | undefined => {
  const xml = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  if (XMLValidator.validate(xml) !== true) return undefined;
  return (parser.parse(xml) as ReadonlyArray<Parsed>).flatMap((parsed) => nodeOf(parsed) ?? [])[0];
};

/** The rules that an e-invoice breaks, by id; none for a valid one. */
export const brokenRules = (bytes: Uint8Array): ReadonlyArray<string> => {
  const root = rootOf(bytes);
  return root === undefined ? ["XML"] : [...document(root)];
};

/** What an e-invoice states as its amount due, as text. */
export const payableOf = (bytes: Uint8Array): string =>
  /<cbc:PayableAmount[^>]*>([^<]*)</.exec(new TextDecoder().decode(bytes))?.[1] ?? "";
