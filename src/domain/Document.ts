/** Documents of a settlement: the record of a report, an invoice or a credit note. The bytes are stored elsewhere. */
import { Either, Schema } from "effect";
import { CalendarDate, dateOf } from "./CalendarDate.ts";
import { optional, optionalKey } from "./Field.ts";
import type { CustomerId, DocumentId, PartnerId, SettlementId, WorkspaceId } from "./Ids.ts";
import { DOCUMENT_NUMBER_MAX, FILE_NAME_MAX, MAX_AMOUNT } from "./Limits.ts";
import { fromParseError, type Invalid, invalid } from "./Refusal.ts";
import type { Side } from "./Side.ts";
import { Text } from "./Text.ts";
import type { Timestamp } from "./Timestamp.ts";

export const DocumentKind = Schema.Literal("report", "invoice", "credit_note");
export type DocumentKind = typeof DocumentKind.Type;

/** Why a document cannot be created: the renderer has no font for some of its characters. */
export const DocumentProblemCode = Schema.Literal("missing_font");
export type DocumentProblemCode = typeof DocumentProblemCode.Type;

/** A rule of e-invoices that the data of a document breaks. */
export interface EInvoiceProblem {
  /** The rule's id in EN 16931, Peppol BIS or XML. */
  readonly rule: string;
  /** Where the data can be mended, as the API names it. */
  readonly field: string;
  readonly message: string;
}

/** The e-invoice of a document that the service issued: a file of its own in the document store, or why there is none. */
export type EInvoice =
  | { readonly type: "made"; readonly id: DocumentId; readonly byteLength: number; readonly sha256: string }
  | { readonly type: "not_made"; readonly problems: ReadonlyArray<EInvoiceProblem> };

/** The record of a document; the document store has the bytes under the same id. */
export interface Document {
  readonly id: DocumentId;
  readonly customerId: CustomerId;
  readonly workspaceId: WorkspaceId;
  readonly partnerId: PartnerId;
  readonly settlementId: SettlementId;
  /** An attachment is a file of a message, and no document of the accounts. */
  readonly kind: DocumentKind | "attachment";
  /** Of an attachment, the side that has uploaded it; absent otherwise. */
  readonly side?: Side;
  /** From 1; a further attachment, or an upload that replaces a document of the same settlement and kind, has the next one. */
  readonly revision: number;
  /** The number printed on it; null for an upload without a number. */
  readonly number: string | null;
  /** The file name that a download suggests; safe in a header. */
  readonly fileName: string;
  /** Detected from the first bytes. Downloads are `application/octet-stream` unless the caller requests a PDF. */
  readonly mediaType: string;
  readonly byteLength: number;
  /** Of the bytes, in hexadecimal. */
  readonly sha256: string;
  readonly createdAt: Timestamp;
  /** The date on it: printed by the service, or stated by an upload; absent where none is known, as for those of version 1. */
  readonly issuedOn?: CalendarDate;
  /** Of an invoice or credit note that the service issued with a billing profile; absent otherwise. */
  readonly eInvoice?: EInvoice;
  /** Its bytes were erased with the personal data of the settlement; absent before. */
  readonly isErased?: true;
}

const AMOUNT_TEXT = /^\d{1,16}$/;

/** A form field with an amount that is not negative. */
const FormAmount = Schema.transform(
  Schema.String.pipe(
    Schema.filter(
      (text) =>
        (AMOUNT_TEXT.test(text) && Number(text) <= MAX_AMOUNT) ||
        `must be a whole number from 0 to ${MAX_AMOUNT}`,
      {
        jsonSchema: {
          type: "integer",
          format: "int64",
          minimum: 0,
          maximum: MAX_AMOUNT,
          description:
            "Tax in the smallest unit of the currency, on invoices and credit notes alike not negative.",
        },
      },
    ),
  ),
  Schema.Int.pipe(Schema.between(0, MAX_AMOUNT)),
  { strict: true, decode: Number, encode: String },
);

/** The form fields that describe an uploaded report. */
export const ReportFacts = Schema.Struct({
  number: optional(Text(1, DOCUMENT_NUMBER_MAX), "The number on the document."),
});

/** The fields of {@link BillFacts}. */
export const BILL_FIELDS = {
  ...ReportFacts.fields,
  date: optional(CalendarDate, "The date on the document."),
  dueDate: optionalKey(
    CalendarDate,
    "due_date",
    "The date by which the document asks for payment; not before date.",
  ),
  taxAmount: optionalKey(
    FormAmount,
    "tax_amount",
    "The tax on the document, in the smallest unit; counted with the sign of the total.",
  ),
};

/** Refuses a due date before the date of the document. */
export const dueAfterDate = <A extends { readonly date?: string; readonly dueDate?: string }, I>(
  schema: Schema.Schema<A, I>,
) =>
  schema.pipe(
    Schema.filter(
      ({ date, dueDate }) =>
        date === undefined ||
        dueDate === undefined ||
        dueDate >= date || { path: ["due_date"], message: "must not be before date" },
    ),
  );

/** The form fields that describe an uploaded invoice or credit note. */
export const BillFacts = dueAfterDate(Schema.Struct(BILL_FIELDS));

/**
 * What a document states: number, dates and tax, as far as it states them. The tax is in the smallest unit of the
 * settlement's currency and not negative.
 */
export type Facts = typeof BillFacts.Type;

/** Accepts the facts that an upload of a kind may state: a report has a number only. */
export const facts = (kind: DocumentKind, stated: Facts): Either.Either<Facts, Invalid> => {
  const { date, dueDate, taxAmount } = stated;
  if (kind === "report" && (date ?? dueDate ?? taxAmount) !== undefined) {
    const field = date !== undefined ? "date" : dueDate !== undefined ? "due_date" : "tax_amount";
    return Either.left(invalid(field, "is not allowed for a report"));
  }
  return Either.mapLeft(validate(stated), fromParseError);
};

const validate = Schema.validateEither(BillFacts);

/** The date by which other documents name a document; the UTC day of its creation where it states none. */
export const dateOn = ({ issuedOn, createdAt }: Pick<Document, "issuedOn" | "createdAt">): CalendarDate =>
  issuedOn ?? dateOf(createdAt);

/** The revision of a further document of a kind, after all those of its settlement. */
export const nextRevision = (
  documents: ReadonlyArray<Pick<Document, "kind" | "revision">>,
  kind: Document["kind"],
): number =>
  documents.reduce(
    (last, document) => (document.kind === kind ? Math.max(last, document.revision) : last),
    0,
  ) + 1;

/** The kind as paths and file names write it. */
export const slug = (kind: Document["kind"]): string => kind.replace("_", "-");

/** The media type of the documents that the service creates. */
export const PDF = "application/pdf";

/**
 * A file name without path, control characters, quotes or other characters that a header or a file system reads
 * as more than a name; at most 100 characters. Falls back to the given name when nothing is left.
 */
export const safeFileName = (name: string, fallback: string): string => {
  const last = name.split(/[\\/]/).pop() ?? "";
  const baseName = [...last.normalize("NFC")]
    .filter((character) => !/[\p{C}"'`<>|:*?;%&$#]/u.test(character))
    .join("")
    .replace(/^[.\s]+|[.\s]+$/g, "");
  return baseName === "" ? fallback : [...baseName].slice(0, FILE_NAME_MAX).join("");
};
