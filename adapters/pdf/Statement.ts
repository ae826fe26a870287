/** What a document says, in words and before any thought of where the words stand on a page. */
import type { BillingProfile, Currency, Documents, Partner } from "quittance";
import * as Wording from "./Wording.ts";

/** A value and what it is called. */
export interface Fact {
  readonly label: string;
  readonly value: string;
}

/** One side of the trade. */
export interface Party {
  readonly role: string;
  readonly name: string;
  /** One line each: address, VAT number, electronic address. */
  readonly details: ReadonlyArray<string>;
}

/** One line of the settlement. */
export interface Row {
  readonly position: string;
  readonly commission: string;
  readonly attribution: string;
  readonly date: string;
  readonly amount: string;
}

/** Everything a document says. */
export interface Statement {
  /** The title with the number, or with the settlement's id where there is none; names the file and its pages. */
  readonly name: string;
  readonly title: string;
  /** Null on a report. */
  readonly number: string | null;
  /** Lines under the title that tie the document to others. */
  readonly references: ReadonlyArray<string>;
  readonly supplier: Party;
  readonly buyer: Party;
  /** What the reader must know before trusting the document; null when there is nothing. */
  readonly notice: string | null;
  /** Dates and the amount to look at first. */
  readonly facts: ReadonlyArray<Fact>;
  readonly currency: Currency.Currency;
  readonly rows: ReadonlyArray<Row>;
  /** In order of addition, the sum last. */
  readonly totals: ReadonlyArray<Fact>;
  /** Whole sentences: self-billing, tax, what is cancelled, who owes. */
  readonly notes: ReadonlyArray<string>;
  /** Where and until when to pay; empty unless something is to be paid to the supplier. */
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

/** Credit notes are for negative settlements, or cancel the invoice of a positive one, whose number may be unknown. */
const isCancelling = ({ kind, settlement }: Content): boolean =>
  kind === "credit_note" && settlement.total > 0;

/** The amounts as the document states them: a note that cancels an invoice takes back what the invoice stated. */
const stated = (content: Content, smallestUnits: number): number =>
  isCancelling(content) ? -smallestUnits : smallestUnits;

const cancelled = ({ cancelsNumber, settlement }: Content): string =>
  cancelsNumber === null
    ? `the invoice of settlement ${settlement.id}`
    : `invoice ${Wording.plain(cancelsNumber)}`;

const dueDate = ({ kind, issuedAt, settlement }: Content): string | null => {
  const data = settlement.approval?.selfBillingData ?? null;
  return kind !== "invoice" || data === null
    ? null
    : Wording.date(Wording.daysLater(issuedAt, data.paymentTermsDays));
};

const period = ({ lines }: Content): string => {
  const bounds = lines.reduce<readonly [number, number] | null>(
    (known, { attributionCreatedAt: at }) =>
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

const taxLabel = (tax: Partner.TaxConfig | null): string => {
  if (tax === null) return "Tax";
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

const taxConfig = ({ settlement }: Content): Partner.TaxConfig | null =>
  settlement.approval?.selfBillingData?.taxConfig ?? null;

const totals = (content: Content): ReadonlyArray<Fact> => {
  const { settlement, taxAmount } = content;
  const fact = (label: string, smallestUnits: number): Fact => ({
    label,
    value: Wording.amount(smallestUnits, settlement.currency),
  });
  const sum = fact(`${sumLabel(content)} (${settlement.currency})`, payable(content));
  return taxAmount === null
    ? [sum]
    : [
        fact("Subtotal", stated(content, settlement.total)),
        fact(taxLabel(taxConfig(content)), stated(content, taxAmount)),
        sum,
      ];
};

const taxNotes = (content: Content): ReadonlyArray<string> => {
  const tax = taxConfig(content);
  if (content.kind === "report" || tax === null) return [];
  const label = Wording.plain(tax.label);
  switch (tax.treatment) {
    case "standard":
      return [];
    case "reverse_charge":
      return [`Reverse charge: the buyer accounts for the ${label}.`];
    case "exempt":
      return [`Exempt: no ${label} is charged on this supply.`];
  }
};

const notes = (content: Content): ReadonlyArray<string> => {
  const { kind, settlement } = content;
  const document = kind === "invoice" ? "invoice" : "credit note";
  return [
    ...(isCancelling(content) ? [`This credit note cancels ${cancelled(content)} in full.`] : []),
    ...(kind !== "report" && isSelfBilled(content)
      ? [`Self-billing: the buyer issues this ${document} in the name and on behalf of the supplier.`]
      : []),
    ...taxNotes(content),
    ...(settlement.total < 0
      ? [
          kind === "report"
            ? "The total is negative: it is owed by the partner to the customer."
            : "The total is negative: it is owed by the supplier to the buyer.",
        ]
      : []),
    ...(kind === "report" ? ["This report is not an invoice."] : []),
    "Dates are days in UTC.",
  ];
};

const payment = (content: Content): ReadonlyArray<Fact> => {
  const { kind, number, settlement } = content;
  const data = settlement.approval?.selfBillingData ?? null;
  if (kind !== "invoice" || data === null) return [];
  const { beneficiaryName, iban, bic } = data.bankAccount;
  const terms = `${Wording.count(data.paymentTermsDays, "day")} from the issue date`;
  return [
    { label: "Beneficiary", value: Wording.plain(beneficiaryName) },
    { label: "IBAN", value: Wording.iban(iban) },
    { label: "BIC", value: Wording.plain(bic) },
    ...(number === null ? [] : [{ label: "Reference", value: Wording.plain(number) }]),
    { label: "Terms", value: `${terms}, due ${dueDate(content)}` },
  ];
};

/** What the document says about its content. */
export const of = (content: Content): Statement => {
  const { settlement, lines } = content;
  const number = content.number === null ? null : Wording.plain(content.number);
  return {
    name: `${title(content)} ${number ?? settlement.id}`,
    title: title(content),
    number,
    references: [
      ...(isCancelling(content) ? [`Cancels ${cancelled(content)}`] : []),
      `Settlement ${settlement.id}`,
    ],
    supplier: supplier(content),
    buyer: buyer(content),
    notice: content.buyer === null ? MISSING_BUYER : null,
    facts: facts(content),
    currency: settlement.currency,
    rows: lines.map((line, index) => ({
      position: String(index + 1),
      commission: Wording.shortId(line.commissionId),
      attribution: line.attributionId,
      date: Wording.date(line.attributionCreatedAt),
      amount: Wording.amount(stated(content, line.amount), settlement.currency),
    })),
    totals: totals(content),
    notes: notes(content),
    payment: payment(content),
  };
};
