/** Numbers of documents that the service issues: the series of a document, and its number as printed. */
import { Schema } from "effect";
import type { CalendarDate } from "./CalendarDate.ts";
import type { DocumentKind } from "./Document.ts";
import { means, optional, optionalKey } from "./Field.ts";
import type { CustomerId, PartnerId } from "./Ids.ts";

/** The longest {@link DocumentNumbers.prefix}, in characters. */
export const PREFIX_MAX = 20;

const PREFIX_FORM = /^[A-Za-z0-9]+(?:[-/._][A-Za-z0-9]+)*$/;

const Prefix = Schema.String.pipe(
  Schema.filter(
    (text) =>
      (PREFIX_FORM.test(text) && text.length <= PREFIX_MAX) ||
      `must be 1 to ${PREFIX_MAX} letters A to Z and digits, with single - / . _ between them`,
    {
      arbitrary: () => (fc) => fc.stringMatching(/^[A-Z]{1,4}(-[0-9]{1,2})?$/),
      jsonSchema: { pattern: PREFIX_FORM.source, minLength: 1, maxLength: PREFIX_MAX },
    },
  ),
);

/** How a customer's invoices, credit notes and reports are numbered: `HM-2026-000017`. */
export const DocumentNumbers = Schema.Struct({
  prefix: Prefix.pipe(
    means(
      "The beginning of every number: letters A to Z in either case and digits, with single separators between them.",
    ),
  ),
  correctionPrefix: optionalKey(
    Prefix,
    "correction_prefix",
    "The beginning of the numbers of credit notes, and of invoices that cancel a credit note, which then have a series of their own; by default they share that of invoices.",
  ),
  separator: optional(
    Schema.Literal("-", "/", ".", "_"),
    "The character between the parts of a number; - by default.",
  ),
  year: optional(
    Schema.Boolean,
    "Whether the year is a part of the number, and numbers begin at 1 in each year; false by default.",
  ),
  series: optional(
    Schema.Literal("customer", "partner"),
    "customer (the default): one series for all partners. partner: one for each, whose last eight digits are a part of the number.",
  ),
}).pipe(
  Schema.filter(
    ({ prefix, correctionPrefix }) =>
      prefix !== correctionPrefix || { path: ["correction_prefix"], message: "must differ from prefix" },
  ),
);
export type DocumentNumbers = typeof DocumentNumbers.Type;

/** The last number of a gapless series, and the date of the document that has it. */
export interface NumberSeries {
  readonly customerId: CustomerId;
  readonly name: string;
  readonly lastNumber: number;
  readonly lastDate: CalendarDate;
}

/**
 * The name of a series that exists for customers whose documents version 1 numbered for each partner and kind apart.
 * Without {@link DocumentNumbers} these series continue.
 */
export const PER_PARTNER = "per partner";

/** A series of documents, and what its numbers begin with. */
export interface Series {
  /** Of one customer; series with one stem are one series. */
  readonly name: string;
  /** Ends in a separator, so that a number is of one series only. */
  readonly stem: string;
}

/** What the number of a document depends on. */
export interface Numbered {
  readonly kind: DocumentKind;
  /** True if it cancels another document in full. */
  readonly cancels: boolean;
  readonly partnerId: PartnerId;
  readonly issuedOn: CalendarDate;
  /** Of the customer's billing profile. */
  readonly documentNumbers: DocumentNumbers | null;
  readonly invoicePrefix: string;
  /** True if the customer has {@link PER_PARTNER} series. */
  readonly isPerPartner: boolean;
}

const KIND_PART: Readonly<Record<DocumentKind, string>> = {
  report: "REP",
  invoice: "INV",
  credit_note: "CN",
};

const PARTNER_DIGITS = 8;

/** A short part for a partner. Partners that share it share a series, so that numbers stay unique. */
const partnerPart = (partnerId: PartnerId): string => partnerId.slice(-PARTNER_DIGITS).toUpperCase();

/**
 * The series of a document. Invoices and credit notes share one, unless the settings have a prefix for corrections; reports,
 * which are not invoices, have their own.
 */
export const seriesOf = (document: Numbered): Series => {
  const { kind, cancels, partnerId, issuedOn, documentNumbers, invoicePrefix, isPerPartner } = document;
  if (documentNumbers === null) {
    const stem = `${invoicePrefix}${KIND_PART[kind]}-`;
    return { name: isPerPartner ? `${partnerId} ${kind}` : stem, stem };
  }
  const {
    prefix,
    correctionPrefix = prefix,
    separator = "-",
    year = false,
    series = "customer",
  } = documentNumbers;
  const parts = [
    kind === "credit_note" || cancels ? correctionPrefix : prefix,
    ...(kind === "report" ? [KIND_PART.report] : []),
    ...(series === "partner" ? [partnerPart(partnerId)] : []),
    ...(year ? [issuedOn.slice(0, 4)] : []),
  ];
  const stem = parts.map((part) => `${part}${separator}`).join("");
  return { name: stem, stem };
};

/** The number and date of the next document of a series: its day, but never one before its predecessor's date. */
export const next = (
  before: NumberSeries | null,
  day: CalendarDate,
): Pick<NumberSeries, "lastNumber" | "lastDate"> => ({
  lastNumber: (before?.lastNumber ?? 0) + 1,
  lastDate: before === null || before.lastDate < day ? day : before.lastDate,
});

const COUNTER_DIGITS = 6;

/** The number as printed: at least six digits after the stem. */
export const print = ({ stem }: Series, counter: number): string =>
  `${stem}${String(counter).padStart(COUNTER_DIGITS, "0")}`;
