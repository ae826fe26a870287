/** The text of a document, without its layout. */
import type { BillingProfile, Currency, Documents, Partner } from "quittance";
import * as Wording from "./Wording.ts";

/** A value with its label. */
export interface Fact {
  readonly label: string;
  readonly value: string;
}

/** A party: the supplier or the customer. */
export interface Party {
  readonly role: string;
  readonly name: string;
  /** One line each: address, VAT number, electronic address. */
  readonly details: ReadonlyArray<string>;
}

/** A row of the table: a line of the settlement, or text without further cells. */
export interface Row {
  readonly position: string;
  readonly commission: string;
  readonly attribution: string;
  readonly date: string;
  readonly amount: string;
}

/** The whole text of a document. */
export interface Statement {
  /** The title with the number, or with the settlement's id if there is no number; also the name of the file and in the footer. */
  readonly name: string;
  readonly title: string;
  /** Null on a report. */
  readonly number: string | null;
  /** Lines under the title with references to other documents. */
  readonly references: ReadonlyArray<string>;
  readonly supplier: Party;
  readonly buyer: Party;
  /** A warning to the reader; null if there is none. */
  readonly notice: string | null;
  /** Key facts: dates and the amount. */
  readonly facts: ReadonlyArray<Fact>;
  readonly currency: Currency.Currency;
  readonly rows: ReadonlyArray<Row>;
  /** In order of addition, the sum last. */
  readonly totals: ReadonlyArray<Fact>;
  /** Sentences on self-billing, tax, cancelled documents and debts. */
  readonly notes: ReadonlyArray<string>;
  /** Bank account and due date; empty unless the supplier is paid. */
  readonly payment: ReadonlyArray<Fact>;
}

type Content = Documents.DocumentContent;

const MISSING_BUYER =
  "The buyer's billing profile is missing. The customer id stands in place of the buyer's legal name, address and " +
  "VAT number, which this document must not be relied on to prove.";

const address = ({ street, postalCode, city, region, country }: Partner.Address): ReadonlyArray<string> =>
  [street, `${postalCode} ${city}`, region, Wording.country(country)]
    .map(Wording.plain)
    .filter((line) => line !== "");

const supplier = ({ kind, settlement }: Content): Party => {
  const role = kind === "report" ? "Partner" : "Supplier";
  const data = settlement.approval?.selfBillingData ?? null;
  return data === null
    ? {
        role,
        name: Wording.plain(settlement.approval?.partnerName ?? settlement.partnerId),
        details: [`Partner id: ${settlement.partnerId}`],
      }
    : {
        role,
        name: Wording.plain(data.legalName),
        details: [...address(data.address), `VAT number: ${Wording.plain(data.vatNumber)}`],
      };
};

const electronic = ({ electronicAddress }: BillingProfile.BillingProfile): ReadonlyArray<string> =>
  electronicAddress === undefined ? [] : [`Electronic address: ${Wording.plain(electronicAddress)}`];

const buyer = ({ kind, settlement, buyer: profile }: Content): Party => {
  const role = kind === "report" ? "Customer" : "Buyer";
  return profile === null
    ? { role, name: settlement.customerId, details: ["Customer id; no billing profile"] }
    : {
        role,
        name: Wording.plain(profile.legalName),
        details: [
          ...address(profile.address),
          `VAT number: ${Wording.plain(profile.vatNumber)}`,
          ...electronic(profile),
        ],
      };
};

const isSelfBilled = ({ settlement }: Content): boolean =>
  settlement.approval?.billingMode === "self_billing";

const title = (content: Content): string => {
  switch (content.kind) {
    case "report":
      return "Settlement report";
    case "invoice":
      return isSelfBilled(content) ? "Self-billed invoice" : "Invoice";
    case "credit_note":
      return isSelfBilled(content) ? "Self-billed credit note" : "Credit note";
  }
};

/** The amounts as the document states them; a document that cancels another has its amounts with the opposite sign. */
const stated = ({ cancels }: Content, smallestUnits: number): number =>
  cancels === null || smallestUnits === 0 ? smallestUnits : -smallestUnits;

/** A reference to another document: its number if there is one, and its date. */
const named = ({ kind, number, issuedAt, settlementId }: Documents.CorrectedDocument): string => {
  const noun = kind === "invoice" ? "invoice" : "credit note";
  const date = Wording.date(issuedAt);
  return number === null
    ? `the ${noun} of settlement ${settlementId} of ${date}`
    : `${noun} ${Wording.plain(number)} of ${date}`;
};

const dueDate = (content: Content): string | null => {
  const { kind, issuedAt, settlement, cancels } = content;
  const data = settlement.approval?.selfBillingData ?? null;
  return kind !== "invoice" || data === null || cancels !== null || payable(content) <= 0
    ? null
    : Wording.date(Wording.daysLater(issuedAt, data.paymentTermsDays));
};

const period = ({ lines }: Content): string => {
  const bounds = lines.reduce<readonly [number, number] | null>(
    (known, { attributionOccurredAt: at }) =>
      known === null ? [at, at] : [Math.min(known[0], at), Math.max(known[1], at)],
    null,
  );
  if (bounds === null) return "none";
  const [first, last] = bounds.map(Wording.date);
  return first === last ? `${first}` : `${first} to ${last}`;
};

const payable = (content: Content): number =>
  stated(content, content.settlement.total + (content.taxAmount ?? 0));

const sumLabel = ({ kind }: Content): string => (kind === "report" ? "Total, net of tax" : "Total payable");

const facts = (content: Content): ReadonlyArray<Fact> => {
  const due = dueDate(content);
  const { currency } = content.settlement;
  return [
    { label: "Issue date", value: Wording.date(content.issuedAt) },
    due === null
      ? { label: "Content", value: Wording.count(content.lines.length, "line") }
      : { label: "Due date", value: due },
    { label: "Attributions", value: period(content) },
    { label: sumLabel(content), value: `${Wording.amount(payable(content), currency)} ${currency}` },
  ];
};

const taxLabel = (tax: Partner.TaxConfig): string => {
  const label = Wording.plain(tax.label);
  switch (tax.treatment) {
    case "standard":
      return `${label} ${Wording.rate(tax.rateBps ?? 0)}`;
    case "reverse_charge":
      return `${label}, reverse charge`;
    case "exempt":
      return `${label}, exempt`;
  }
};

const totals = (content: Content): ReadonlyArray<Fact> => {
  const { settlement, taxAmount, groups } = content;
  const fact = (label: string, smallestUnits: number): Fact => ({
    label,
    value: Wording.amount(smallestUnits, settlement.currency),
  });
  const sum = fact(`${sumLabel(content)} (${settlement.currency})`, payable(content));
  if (taxAmount === null) return [sum];
  const [only] = groups;
  const subtotal = fact("Subtotal", stated(content, settlement.total));
  if (groups.length === 1 && only !== undefined)
    return [subtotal, fact(taxLabel(only), stated(content, taxAmount)), sum];
  return [
    ...groups.flatMap((group) => [
      fact(`Net, ${taxLabel(group)}`, stated(content, group.base)),
      fact(taxLabel(group), stated(content, group.tax)),
    ]),
    subtotal,
    fact("Tax", stated(content, taxAmount)),
    sum,
  ];
};

const taxNote = ({ treatment, label }: Partner.TaxConfig): ReadonlyArray<string> => {
  switch (treatment) {
    case "standard":
      return [];
    case "reverse_charge":
      return [`Reverse charge: the buyer accounts for the ${Wording.plain(label)}.`];
    case "exempt":
      return [`Exempt: no ${Wording.plain(label)} is charged on this supply.`];
  }
};

/** The sentence that says who owes a negative amount, or why nothing is due. */
const owed = (content: Content): ReadonlyArray<string> => {
  const { kind, settlement, cancels, taxAmount } = content;
  if (kind === "report")
    return settlement.total < 0 ? ["The total is negative: it is owed by the partner to the customer."] : [];
  if (cancels !== null) return [];
  if (payable(content) < 0) return ["The total is negative: it is owed by the supplier to the buyer."];
  return taxAmount !== null && payable(content) === 0 ? ["The amounts balance: nothing is to be paid."] : [];
};

const notes = (content: Content): ReadonlyArray<string> => {
  const { kind, cancels, groups } = content;
  const document = kind === "invoice" ? "invoice" : "credit note";
  return [
    ...(cancels === null ? [] : [`This ${document} cancels ${named(cancels)} in full.`]),
    ...(kind !== "report" && isSelfBilled(content)
      ? [`Self-billing: the buyer issues this ${document} in the name and on behalf of the supplier.`]
      : []),
    ...new Set(groups.flatMap(taxNote)),
    ...owed(content),
    ...(kind === "report" ? ["This report is not an invoice."] : []),
    "Dates are days in UTC.",
  ];
};

const payment = (content: Content): ReadonlyArray<Fact> => {
  const { number, settlement } = content;
  const data = settlement.approval?.selfBillingData ?? null;
  const due = dueDate(content);
  if (data === null || due === null) return [];
  const { beneficiaryName, iban, bic } = data.bankAccount;
  const terms = `${Wording.count(data.paymentTermsDays, "day")} from the issue date`;
  return [
    { label: "Beneficiary", value: Wording.plain(beneficiaryName) },
    { label: "IBAN", value: Wording.iban(iban) },
    { label: "BIC", value: Wording.plain(bic) },
    ...(number === null ? [] : [{ label: "Reference", value: Wording.plain(number) }]),
    { label: "Terms", value: `${terms}, due ${due}` },
  ];
};

/** The largest number of corrected documents under the title; more are listed below the lines. */
const REFERENCES_MAX = 5;

const references = ({ cancels, corrects, settlement }: Content): ReadonlyArray<string> => [
  ...(cancels === null ? [] : [`Cancels ${named(cancels)}`]),
  ...(corrects.length > REFERENCES_MAX
    ? [`Corrects ${corrects.length} documents, named below the lines`]
    : corrects.map((one) => `Corrects ${named(one)}`)),
  `Settlement ${settlement.id}`,
];

const HEADING_MAX = 90;

/** Rows of text alone; text in the table does not wrap. */
const headed = (text: string): Row => {
  const characters = [...text];
  const commission =
    characters.length > HEADING_MAX ? `${characters.slice(0, HEADING_MAX - 1).join("")}…` : text;
  return { position: "", commission, attribution: "", date: "", amount: "" };
};

const rowsOf = (content: Content): ReadonlyArray<Row> => {
  const { settlement, lines, groups, corrects } = content;
  const row = ({ position, ...line }: Documents.DocumentLine): Row => ({
    position: String(position),
    commission: Wording.shortId(line.commissionId),
    attribution: line.attributionId,
    date: Wording.date(line.attributionOccurredAt),
    amount: Wording.amount(stated(content, line.amount), settlement.currency),
  });
  const rows =
    groups.length > 1
      ? groups.flatMap((group) => [headed(taxLabel(group)), ...group.lines.map(row)])
      : lines.map((line, index) => row({ ...line, position: index + 1 }));
  return corrects.length > REFERENCES_MAX
    ? [...rows, headed("Corrects"), ...corrects.map((one) => headed(named(one)))]
    : rows;
};

/** The text of a document. */
export const of = (content: Content): Statement => {
  const { settlement } = content;
  const number = content.number === null ? null : Wording.plain(content.number);
  return {
    name: `${title(content)} ${number ?? settlement.id}`,
    title: title(content),
    number,
    references: references(content),
    supplier: supplier(content),
    buyer: buyer(content),
    notice: content.buyer === null ? MISSING_BUYER : null,
    facts: facts(content),
    currency: settlement.currency,
    rows: rowsOf(content),
    totals: totals(content),
    notes: notes(content),
    payment: payment(content),
  };
};
