/**
 * An e-invoice before it is written: the parts of EN 16931 that a self-billed invoice or credit note states. Amounts have
 * the sign that the document prints, in the smallest unit of the currency.
 */
import type { Either } from "effect";
import type { BillingProfile } from "../domain/BillingProfile.ts";
import type { CalendarDate } from "../domain/CalendarDate.ts";
import type { Currency } from "../domain/Currency.ts";
import * as ElectronicAddress from "../domain/ElectronicAddress.ts";
import type { PartnerId, SettlementId } from "../domain/Ids.ts";
import type { InvoiceLine } from "../domain/InvoiceLine.ts";
import type { Address, Contact, SelfBillingData, TaxConfig } from "../domain/Partner.ts";
import { type RegistrationNumber, registrationOf } from "../domain/RegistrationNumber.ts";
import { type Conversion, convert, describe } from "../domain/TaxCurrency.ts";
import { namesTreatment } from "../domain/TreatmentWords.ts";
import { compact, vatNumberOf } from "../domain/VatNumber.ts";
import { TEXTS, type Texts } from "./Texts.ts";
import { writable } from "./Xml.ts";

/** The partner as the seller; its account is null where it is paid to none with an IBAN. */
export interface Seller extends Omit<SelfBillingData, "bankAccount"> {
  readonly bankAccount: SelfBillingData["bankAccount"] | null;
}

/** The content of an e-invoice, in the terms of the ledger: positive amounts are owed to the partner. */
export interface Content {
  readonly kind: "invoice" | "credit_note";
  /** Null while it is not known; then the document is only checked. */
  readonly number: string | null;
  readonly issuedOn: CalendarDate;
  readonly dueDate: CalendarDate | null;
  readonly settlementId: SettlementId;
  readonly partnerId: PartnerId;
  readonly currency: Currency;
  readonly seller: Seller;
  readonly buyer: BillingProfile;
  readonly groups: ReadonlyArray<
    TaxConfig & { readonly tax: number; readonly invoiceLines: ReadonlyArray<InvoiceLine> }
  >;
  /** The documents that this one corrects or cancels. */
  readonly references: ReadonlyArray<{ readonly number: string | null; readonly issuedOn: CalendarDate }>;
  /** True if it cancels the one document of {@link references} in full; then the amounts count with the opposite sign. */
  readonly cancels: boolean;
  /** The rate by which the document states its VAT in the national currency. */
  readonly taxConversion?: Conversion;
  /** The sales of the lines that were replaced, each once, in the order of the lines. */
  readonly replacements?: ReadonlyArray<Replacement>;
}

/** A replaced sale and the one that replaces it, each as the lines name it, with the day that it counts for. */
export interface Replacement {
  readonly sale: string;
  readonly occurredOn: CalendarDate;
  readonly by: string;
  readonly byOccurredOn: CalendarDate;
}

/** A VAT category of UNCL 5305. */
export type Category = "S" | "AE" | "E" | "O";

/** A party: the partner as seller, the customer as buyer. */
export interface Party {
  readonly legalName: string;
  readonly address: Address;
  /** Null for a party without one, and where nothing is subject to VAT: BR-O-02 forbids to state one. */
  readonly vatNumber: string | null;
  /** The national tax number of a seller without a VAT number. */
  readonly taxNumber: string | null;
  /** The number in a public register (BT-30, BT-47); null where none is stated. */
  readonly registration: RegistrationNumber | null;
  /** The seller's id with the buyer, of a seller that states no VAT number (BR-CO-26). */
  readonly id: string | null;
  /** Of the seller alone; null where it has stated none. */
  readonly contact: Contact | null;
  /** Null when none is stated and none can be derived. */
  readonly endpoint: Either.Either<ElectronicAddress.Endpoint, ElectronicAddress.AddressProblem> | null;
}

/** One line: a commission plan or formula within one VAT category and rate. */
export interface Line {
  readonly category: Category;
  readonly rateBps: number;
  readonly amount: bigint;
  readonly name: string;
  readonly description: string;
  readonly periodStart: CalendarDate;
  readonly periodEnd: CalendarDate;
}

/** The lines of one VAT category and rate, with their tax. */
export interface Subtotal {
  readonly category: Category;
  readonly rateBps: number;
  readonly taxable: bigint;
  readonly tax: bigint;
  /** Why no tax is charged; null for category S. */
  readonly reason: string | null;
}

/** The document as its reader sees it, inside the e-invoice (BG-24). */
export interface Attachment {
  readonly fileName: string;
  /** A PDF: the rules of EN 16931 allow few types of files (BR-CL-24). */
  readonly pdf: Uint8Array;
}

/** The document. */
export interface EInvoice {
  readonly kind: "invoice" | "credit_note";
  readonly number: string | null;
  readonly issueDate: CalendarDate;
  readonly dueDate: CalendarDate | null;
  /**
   * That the buyer issues it, the legal notes of both parties, the rate of its VAT in the national currency, and which of its
   * sales replace others: a document may have one note alone.
   */
  readonly note: string;
  readonly paymentTerms: string | null;
  readonly buyerReference: string;
  readonly currency: Currency;
  readonly period: { readonly start: CalendarDate; readonly end: CalendarDate };
  readonly references: ReadonlyArray<{ readonly number: string | null; readonly issueDate: CalendarDate }>;
  /** Not stored with the document; of a download that asks for it. */
  readonly attachment?: Attachment;
  readonly seller: Party;
  readonly buyer: Party;
  /** Where to pay: the seller's for an invoice, the buyer's for a credit note; null when nothing is to be paid, and when the buyer states none. */
  readonly account: SelfBillingData["bankAccount"] | null;
  readonly lines: ReadonlyArray<Line>;
  readonly subtotals: ReadonlyArray<Subtotal>;
  readonly net: bigint;
  readonly tax: bigint;
  /** The VAT in the national currency (BT-6, BT-111), in its smallest unit; null where the document states none. */
  readonly nationalTax: { readonly currency: Currency; readonly amount: bigint } | null;
  /** What is settled by the document that this one cancels: all of it, so that nothing is to be paid. 0 otherwise. */
  readonly settled: bigint;
}

const CATEGORIES: Readonly<Record<TaxConfig["treatment"], Category>> = {
  standard: "S",
  reverse_charge: "AE",
  exempt: "E",
  outside_scope: "O",
};

const partyOf = (party: Seller | BillingProfile, isOutside: boolean): Party => {
  const { legalName, address } = party;
  const text = ElectronicAddress.addressOf(party);
  return {
    ...{ legalName, address, taxNumber: null, id: null, contact: null },
    vatNumber: isOutside ? null : vatNumberOf(party),
    registration: registrationOf(party),
    endpoint: text === null ? null : ElectronicAddress.parse(text),
  };
};

const sellerOf = ({ seller, partnerId }: Content, isOutside: boolean): Party => {
  const party = partyOf(seller, isOutside);
  return {
    ...party,
    taxNumber: seller.vatNumberType === "tax" ? compact(seller.vatNumber) : null,
    id: party.vatNumber === null ? partnerId : null,
    contact: seller.contact ?? null,
  };
};

/** The treatments by which no tax is charged, by their categories. */
const TREATMENTS = { AE: "reverse_charge", E: "exempt", O: "outside_scope" } as const;

/**
 * Why no tax is charged: the labels that say it themselves, as "btw verlegd" and "TVA non applicable, art. 293 B du CGI"
 * do, and the treatment in words for the others.
 */
const reasonOf = (category: Category, labels: ReadonlySet<string>, texts: Texts): string | null => {
  if (category === "S") return null;
  const isNaming = (label: string): boolean => namesTreatment(TREATMENTS[category], label);
  const naming = [...labels].filter(isNaming);
  const others = [...labels].filter((label) => !isNaming(label));
  if (others.length === 0) return naming.join("; ");
  const words = category === "E" ? `${texts.exempt}: ${others.join("; ")}` : texts.untaxed[category];
  return [words, ...naming].join("; ");
};

/** The name of a plan as XML can hold it. */
const nameOf = (description: string, texts: Texts): string => {
  const name = writable(description).trim();
  return name === "" ? texts.commissions : name;
};

const linesOf = ({ groups }: Content, sign: bigint, texts: Texts): ReadonlyArray<Line> =>
  groups.flatMap(({ treatment, rateBps, invoiceLines }) =>
    invoiceLines.map(({ amount, description, count, periodStart, periodEnd }) => ({
      category: CATEGORIES[treatment],
      rateBps: rateBps ?? 0,
      amount: sign * BigInt(amount),
      name: nameOf(description, texts),
      description: `${count} ${texts.count[count === 1 ? 0 : 1]}`,
      ...{ periodStart, periodEnd },
    })),
  );

/** The subtotals by category and rate: groups that differ in the label alone are one. */
const subtotalsOf = ({ groups }: Content, sign: bigint, texts: Texts): ReadonlyArray<Subtotal> => {
  const open = new Map<string, Omit<Subtotal, "reason"> & { readonly labels: Set<string> }>();
  for (const { treatment, label, rateBps, tax, invoiceLines } of groups) {
    if (invoiceLines.length === 0) continue;
    const [category, rate] = [CATEGORIES[treatment], rateBps ?? 0];
    const key = `${category} ${rate}`;
    const before = open.get(key) ?? { taxable: 0n, tax: 0n, labels: new Set<string>() };
    const net = invoiceLines.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
    before.labels.add(label);
    open.set(key, {
      ...{ category, rateBps: rate, labels: before.labels },
      taxable: before.taxable + sign * net,
      tax: before.tax + sign * BigInt(tax),
    });
  }
  return [...open.values()].map(({ labels, ...subtotal }) => ({
    ...subtotal,
    reason: reasonOf(subtotal.category, labels, texts),
  }));
};

/** Replaced sales that a note names. */
const REPLACEMENTS_SHOWN = 20;

/** Sentences one after the other: each but the last ends with a mark. */
const sentences = (texts: ReadonlyArray<string>): string =>
  texts
    .map((text, index) => (index === texts.length - 1 || /[.!?:;]$/.test(text) ? text : `${text}.`))
    .join(" ");

const replacedOf = ({ replacements = [] }: Content, texts: Texts): ReadonlyArray<string> => {
  if (replacements.length === 0) return [];
  const shown = replacements
    .slice(0, REPLACEMENTS_SHOWN)
    .map(
      ({ sale, occurredOn, by, byOccurredOn }) =>
        `${writable(sale)} (${occurredOn}) → ${writable(by)} (${byOccurredOn})`,
    );
  const more = replacements.length - shown.length;
  return [`${texts.replaced} ${[...shown, ...(more === 0 ? [] : [`+${more}`])].join("; ")}`];
};

const rateOf = ({ currency, taxConversion }: Content, texts: Texts): ReadonlyArray<string> =>
  taxConversion === undefined ? [] : [`${texts.nationalTax} ${writable(describe(currency, taxConversion))}`];

const noteOf = (content: Content, texts: Texts): string => {
  const { seller, buyer } = content;
  const legal = [seller.legalNote, buyer.legalNote].flatMap((note) => note?.trim() ?? []);
  return sentences([texts.selfBilling, ...legal, ...rateOf(content, texts), ...replacedOf(content, texts)]);
};

const termsOf = ({ kind, cancels }: Content, payable: bigint, texts: Texts): string | null => {
  if (cancels) return texts.cancels[kind === "invoice" ? "credit_note" : "invoice"];
  return kind === "credit_note" && payable > 0n ? texts.claim : null;
};

const accountOf = (
  { kind, cancels, seller, buyer }: Content,
  payable: bigint,
): SelfBillingData["bankAccount"] | null => {
  if (cancels || payable <= 0n) return null;
  return kind === "invoice" ? seller.bankAccount : (buyer.bankAccount ?? null);
};

/** The document of a content. */
export const make = (content: Content): EInvoice => {
  const { kind, number, issuedOn: issueDate, dueDate, settlementId, currency, buyer, cancels } = content;
  const { taxConversion } = content;
  const sign = (kind === "invoice" ? 1n : -1n) * (cancels ? -1n : 1n);
  const texts = TEXTS[buyer.language ?? "en"];
  const lines = linesOf(content, sign, texts);
  const subtotals = subtotalsOf(content, sign, texts);
  const isOutside = subtotals.some(({ category }) => category === "O");
  const net = lines.reduce((sum, { amount }) => sum + amount, 0n);
  const tax = subtotals.reduce((sum, subtotal) => sum + subtotal.tax, 0n);
  const starts = lines.map(({ periodStart }) => periodStart).toSorted();
  const ends = lines.map(({ periodEnd }) => periodEnd).toSorted();
  return {
    ...{ kind, number, issueDate, currency, lines, subtotals, net, tax },
    nationalTax:
      taxConversion === undefined
        ? null
        : { currency: taxConversion.currency, amount: convert(tax, currency, taxConversion) },
    settled: cancels ? net + tax : 0n,
    dueDate: kind === "invoice" && !cancels ? dueDate : null,
    note: noteOf(content, texts),
    paymentTerms: termsOf(content, net + tax, texts),
    buyerReference: buyer.buyerReference ?? settlementId,
    period: { start: starts[0] ?? issueDate, end: ends.at(-1) ?? issueDate },
    references: content.references.map(({ number: of, issuedOn }) => ({ number: of, issueDate: issuedOn })),
    seller: sellerOf(content, isOutside),
    buyer: partyOf(buyer, isOutside),
    account: accountOf(content, net + tax),
  };
};
