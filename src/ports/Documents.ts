/** Documents: where their bytes lie and who renders them. */
import { Context, Data, type Effect } from "effect";
import type { BillingProfile } from "../domain/BillingProfile.ts";
import type { CalendarDate } from "../domain/CalendarDate.ts";
import type { Basis } from "../domain/Commission.ts";
import type { Currency } from "../domain/Currency.ts";
import type { DocumentKind, DocumentProblemCode } from "../domain/Document.ts";
import type { CustomerId, DocumentId, PartnerId, SettlementId, WorkspaceId } from "../domain/Ids.ts";

import type { InvoiceLine, InvoiceSubject } from "../domain/InvoiceLine.ts";
import type { Amount } from "../domain/Money.ts";
import type { Partner } from "../domain/Partner.ts";
import type { Pairing } from "../domain/Replacement.ts";
import type { Settlement } from "../domain/Settlement.ts";
import type { Subject } from "../domain/sentences/MovementText.ts";
import type { TermsText } from "../domain/sentences/PlanTerms.ts";
import type { TaxGroup } from "../domain/Tax.ts";
import type { Timestamp } from "../domain/Timestamp.ts";
import type { Terms } from "../explanation/index.ts";
import type { PropertyValue } from "../formula/index.ts";
import { innermostMessage } from "./InnermostMessage.ts";
import type { ExportLine, StorageError } from "./Storage.ts";

/** Bytes by customer and document id; written before anything refers to them, never changed. */
export interface DocumentStoreService {
  /** Stores the bytes durably; storing the same id again keeps the first bytes. */
  readonly put: (
    customerId: CustomerId,
    documentId: DocumentId,
    bytes: Uint8Array,
  ) => Effect.Effect<void, StorageError>;
  /** The bytes, or null. */
  readonly get: (
    customerId: CustomerId,
    documentId: DocumentId,
  ) => Effect.Effect<Uint8Array | null, StorageError>;
  /** Forgets bytes that nothing refers to; absent ids are fine. */
  readonly remove: (customerId: CustomerId, documentId: DocumentId) => Effect.Effect<void, StorageError>;
}

/** The document store that a host supplies. */
export class DocumentStore extends Context.Tag("quittance/ports/DocumentStore")<
  DocumentStore,
  DocumentStoreService
>() {}

/** A document that another one corrects. */
export interface CorrectedDocument {
  readonly settlementId: SettlementId;
  readonly kind: "invoice" | "credit_note";
  /** True if the service issued it in the partner's name. */
  readonly isSelfBilled: boolean;
  /** Null for an upload without a stated number. */
  readonly number: string | null;
  /** The date on it; of an upload that states none, the UTC day of the upload. */
  readonly issuedOn: CalendarDate;
}

/** An earlier line of the same commission, and the document that states it. */
export interface CorrectedLine {
  readonly settlementId: SettlementId;
  readonly amount: Amount;
  readonly kind: DocumentKind;
  /** True if the service issues the documents of its settlement in the partner's name. */
  readonly isSelfBilled: boolean;
  /** Null for an upload without a stated number. */
  readonly number: string | null;
  readonly date: CalendarDate;
}

/** A commission before and after a line that corrects it; the amount of the line is the difference. */
export interface Correction {
  readonly before: Amount;
  readonly after: Amount;
}

/** A commission of which only a part was payable, because its buyer had paid so much of so much. */
export interface PayablePart {
  readonly received: number;
  readonly of: number;
  /** The whole commission. */
  readonly earned: Amount;
  /** What is payable of it, with all earlier lines. */
  readonly payable: Amount;
}

/** A property of the attribution that its schema has documents show. */
export interface ShownProperty {
  readonly name: string;
  /** A text of more than 255 characters is cut, and ends with an ellipsis. */
  readonly value: PropertyValue;
}

/** What was sold, and how its commission was earned. */
export interface LineDetail extends Pairing {
  /** The caller's own reference of the attribution. */
  readonly externalReference: string | null;
  /** The name of the attribution's schema. */
  readonly schemaName: string;
  readonly properties: ReadonlyArray<ShownProperty>;
  /** Why the commission is what it is; 0 under every rule but `evaluated`. */
  readonly basis: Basis;
  /** Why the attribution was cancelled; null unless that is the basis. */
  readonly cancelReason: string | null;
  /** Null where they are not known, or were not those of the line's amount. */
  readonly terms: Terms | null;
  /** Null where the whole commission was payable at once, or where it is not known what the buyer had paid. */
  readonly part: PayablePart | null;
  /** Null unless earlier lines are settled: the payable commission before and after this line. */
  readonly correction: Correction | null;
  /** The settled lines of the same commission, the first settled first; the line is a correction if there are any. */
  readonly corrects: ReadonlyArray<CorrectedLine>;
}

/** A line of the settlement with its details. */
export interface DetailedLine extends ExportLine, LineDetail {}

/** A line, or the part of it that is taxed under one treatment, label and rate. */
export interface DocumentLine extends ExportLine {
  /** The line's place in the settlement, from 1. */
  readonly position: number;
}

/** The lines taxed under one treatment, label and rate, with their sum and its tax. */
export interface DocumentGroup extends TaxGroup {
  /** The lines summed by commission plan or formula, in the order of their first lines. */
  readonly invoiceLines: ReadonlyArray<InvoiceLine>;
  readonly lines: ReadonlyArray<DocumentLine>;
}

/** Everything a document shows. Amounts are in the smallest unit of the settlement's currency. */
export interface DocumentContent {
  readonly kind: DocumentKind;
  readonly documentId: DocumentId;
  /** Null for a report. */
  readonly number: string | null;
  readonly issuedAt: Timestamp;
  /**
   * The date of the document: the day of `issuedAt` in the time zone of the settlement's workspace, but never before the date of
   * the document's predecessor in its series.
   */
  readonly issuedOn: CalendarDate;
  /** When an invoice is due by the partner's payment terms; null for other documents, and where there are none. */
  readonly dueDate: CalendarDate | null;
  readonly settlement: Settlement & {
    readonly id: SettlementId;
    readonly workspaceId: WorkspaceId;
    readonly partnerId: PartnerId;
  };
  readonly lines: ReadonlyArray<DetailedLine>;
  /** What the commissions of each formula of the lines are invoiced as. */
  readonly subjects: ReadonlyArray<InvoiceSubject>;
  /** The lines by treatment, label and rate; none when the partner bills itself or on a report. */
  readonly groups: ReadonlyArray<DocumentGroup>;
  /** The sum of the groups' tax; null when the partner bills itself or on a report. */
  readonly taxAmount: number | null;
  /** The buyer; null when the customer has not written its profile; the document then states this. */
  readonly buyer: BillingProfile | null;
  /** The documents whose supplies the lines correct, in the order they were issued. */
  readonly corrects: ReadonlyArray<CorrectedDocument>;
  /**
   * The document that this one cancels in full, because the settlement ended without payment: its amounts are those of
   * the settlement with the opposite sign. Null otherwise.
   */
  readonly cancels: CorrectedDocument | null;
  /** The document as XML in the Cross Industry Invoice, for the file to contain; null where there is no valid e-invoice. */
  readonly eInvoice: Uint8Array | null;
}

/** One movement of a statement. Amounts are in the smallest unit of the currency and may exceed what an amount can hold. */
export interface StatementLine {
  readonly at: Timestamp;
  readonly amount: bigint;
  /** What is due afterwards. */
  readonly balance: bigint;
  /** The change of what is settled. */
  readonly settled: bigint;
  /** The change of what waits for the buyer. */
  readonly waiting: bigint;
  readonly reference: string | null;
  readonly subject: Subject;
}

/** Everything a partner's statement shows. */
export interface StatementContent {
  readonly kind: "statement";
  readonly customerId: CustomerId;
  readonly partner: Partner;
  /** Null when the customer has not written its billing profile; the statement then states this. */
  readonly buyer: BillingProfile | null;
  readonly issuedAt: Timestamp;
  readonly currency: Currency;
  /** Inclusive. */
  readonly from: Timestamp;
  /** Exclusive. */
  readonly to: Timestamp;
  /** True if nothing can be dated before `to` any more. */
  readonly final: boolean;
  readonly openingBalance: bigint;
  readonly closingBalance: bigint;
  readonly lines: ReadonlyArray<StatementLine>;
}

/** Everything that the file of a partner's terms shows. */
export interface TermsContent {
  readonly kind: "terms";
  readonly customerId: CustomerId;
  readonly partner: Partner;
  /** Null when the customer has not written its billing profile. */
  readonly buyer: BillingProfile | null;
  readonly issuedAt: Timestamp;
  readonly hash: string;
  /** In the language of the reader. */
  readonly text: TermsText;
  readonly lines: TermsText["paragraphs"];
}

/** A rendered document. */
export interface Rendered {
  readonly bytes: Uint8Array;
  /** Without the dot. */
  readonly extension: string;
}

/** A document could not be rendered. */
export class RenderingFailed extends Data.TaggedError("RenderingFailed")<{ readonly cause: unknown }> {
  /** The message of the innermost cause; what a log shows. */
  override get message(): string {
    return innermostMessage(this.cause);
  }
}

/**
 * A document cannot be rendered with what the renderer has, and would fail in the same way until that changes and the
 * process is started again. The message names the problem and the remedy; tenants read it.
 */
export class RenderingRefused extends Data.TaggedError("RenderingRefused")<{
  readonly code: DocumentProblemCode;
  readonly message: string;
}> {}

/**
 * Turns content into bytes: the same content gives the same bytes. A renderer stops when it is interrupted. It refuses
 * what it cannot show correctly: a document on which characters are missing must not exist.
 */
export interface DocumentRendererService {
  readonly render: (content: DocumentContent) => Effect.Effect<Rendered, RenderingFailed | RenderingRefused>;
  /** Renders a partner's statement; absent where statements are not rendered. */
  readonly renderStatement?: (
    content: StatementContent,
  ) => Effect.Effect<Rendered, RenderingFailed | RenderingRefused>;
  /** Renders the terms of a plan for a partner; absent where terms are not rendered. */
  readonly renderTerms?: (
    content: TermsContent,
  ) => Effect.Effect<Rendered, RenderingFailed | RenderingRefused>;
}

/** The renderer that a host supplies. */
export class DocumentRenderer extends Context.Tag("quittance/ports/DocumentRenderer")<
  DocumentRenderer,
  DocumentRendererService
>() {}
