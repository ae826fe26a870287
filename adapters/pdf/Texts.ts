/** Every text of a document, in each language. */
import type { BillingProfile, Documents, Partner } from "quittance";

export type Language = BillingProfile.Language;

type Kind = Documents.DocumentContent["kind"];
type Treatment = Partner.TaxConfig["treatment"];

/** How a language writes numbers and dates. */
export interface Notation {
  /** Between groups of three digits. */
  readonly group: string;
  readonly decimal: string;
  /** Between a number and its percent sign. */
  readonly beforePercent: string;
  /** The order and separators of a date, with `DD`, `MM` or `MMM`, and `YYYY`. */
  readonly date: string;
  /** The abbreviations that `MMM` stands for; empty where dates have digits only. */
  readonly months: ReadonlyArray<string>;
}

/** The words for a document with a number, and for one without. */
type Named = readonly [numbered: string, unnumbered: string];

/** The fields of accounts that documents name in their language. */
type AccountField =
  | "routing_number"
  | "account_number"
  | "account_type"
  | "sort_code"
  | "address"
  | "service";

/** The texts of one language. Text in braces is replaced by a value. */
export interface Texts {
  readonly notation: Notation;
  /** By kind, for documents that the service issues in the partner's name and for others. */
  readonly title: Readonly<Record<Kind, readonly [selfBilled: string, other: string]>>;
  /** A document in a sentence, by kind and issuer as its title: "invoice {number} of {date}". */
  readonly named: Readonly<Record<Kind, readonly [selfBilled: Named, other: Named]>>;
  readonly supplier: string;
  readonly buyer: string;
  readonly partner: string;
  readonly customer: string;
  /** A party's VAT number, or its national tax number. */
  readonly number: Readonly<Record<"vat" | "tax", string>>;
  /** A party's number in a public register. */
  readonly registration: string;
  readonly electronicAddress: string;
  readonly partnerId: string;
  readonly noProfile: string;
  readonly missingProfile: string;
  readonly settlement: string;
  readonly cancels: string;
  readonly corrects: string;
  readonly correctsMany: string;
  readonly correctedDocuments: string;
  readonly issueDate: string;
  readonly dueDate: string;
  readonly period: string;
  readonly lines: string;
  readonly until: string;
  readonly none: string;
  readonly totalNet: string;
  readonly totalPayable: string;
  readonly totalCredited: string;
  /** Of a document that cancels another one, and on which nothing is to be paid. */
  readonly totalCancelled: string;
  readonly subtotal: string;
  readonly tax: string;
  readonly net: string;
  readonly rate: string;
  readonly gross: string;
  readonly total: string;
  readonly summary: string;
  readonly taxes: string;
  readonly details: string;
  readonly annex: string;
  readonly annexNote: string;
  readonly continued: string;
  readonly plan: string;
  readonly count: string;
  readonly earned: string;
  readonly corrections: string;
  readonly currency: string;
  readonly amount: string;
  readonly position: string;
  readonly date: string;
  readonly reference: string;
  readonly sold: string;
  readonly base: string;
  readonly terms: string;
  readonly description: string;
  readonly periodOfSupply: string;
  readonly commission: string;
  /** How an amount was earned. */
  readonly of: Readonly<{
    each: string;
    fixed: string;
    least: string;
    most: string;
    tier: string;
    plus: string;
    other: string;
  }>;
  /** Of a line that corrects earlier ones, in place of its terms. */
  readonly corrected: string;
  /** Of a line that pays a further part of a commission, in place of its terms. */
  readonly furtherPart: string;
  /** What the buyer has paid, and how much of the commission is payable by it. */
  readonly payablePart: string;
  /** The commission before and after a correction. */
  readonly correction: string;
  /** The part of a correction whose other parts are under other taxes. */
  readonly correctionPart: string;
  /** The terms of the commission after a correction. */
  readonly correctedTerms: string;
  /** A line that is corrected. */
  readonly statedBefore: string;
  readonly cancelledSale: string;
  /** A sale that was replaced, in place of its terms; and a line that names the other sale of the two. */
  readonly replacedSale: string;
  readonly replacedBy: string;
  readonly replaces: string;
  readonly endedPlan: string;
  readonly outsidePlan: string;
  readonly yes: string;
  readonly no: string;
  /** Next to the label of a tax; empty for a rate. */
  readonly treatment: Readonly<Record<Treatment, string>>;
  /** The sentence that the law requires on the document. */
  readonly treatmentNote: Readonly<Record<Exclude<Treatment, "standard">, string>>;
  /** The rate of the tax in the national currency. */
  readonly exchangeRate: string;
  readonly selfBilling: Readonly<Record<Exclude<Kind, "report">, string>>;
  readonly cancelsInFull: string;
  readonly nothingToPay: string;
  readonly balanced: string;
  readonly owedByPartner: string;
  readonly claim: string;
  readonly claimWithoutAccount: string;
  readonly notAnInvoice: string;
  readonly utc: string;
  readonly payment: string;
  readonly claimPayment: string;
  readonly beneficiary: string;
  /** The fields of accounts without an IBAN, and the values of those that have a list of them. */
  readonly accountFields: Readonly<Record<AccountField, string>>;
  readonly accountTypes: Readonly<Record<"checking" | "savings", string>>;
  readonly paymentReference: string;
  readonly paymentTerms: string;
  readonly onReceipt: string;
  readonly afterOneDay: string;
  readonly afterDays: string;
  readonly page: string;
}

/** A text with its values put in. */
export const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (name, key: string) => values[key] ?? name);
