/** The documents of settlements: uploads and downloads, attachments of messages, and the lines as an export. */
import { Clock, Effect, type Stream } from "effect";
import * as Document from "../domain/Document.ts";
import type { DocumentId, SettlementId } from "../domain/Ids.ts";
import { authorize, type Operation, type Principal } from "../domain/Principal.ts";
import { conflict, Missing, missing } from "../domain/Refusal.ts";
import type { Settlement } from "../domain/Settlement.ts";
import type { DocumentOrigin, SettlementCommand } from "../domain/SettlementMachine.ts";
import { decide } from "../domain/SettlementMachine.ts";
import * as Uploads from "../domain/Upload.ts";
import { FORMATS, type FormatName, read } from "../einvoice/index.ts";
import { Digest } from "../ports/Digest.ts";
import { DocumentStore } from "../ports/Documents.ts";
import { IdSource } from "../ports/IdSource.ts";
import {
  type ExportLine,
  type Records,
  type Settling,
  Storage,
  type StorageError,
  type Versioned,
} from "../ports/Storage.ts";
import { authorizeCustomer, type Failure, requireVisible } from "./commands/Access.ts";
import { type CommandOptions, Pipeline, type Replayed } from "./commands/Pipeline.ts";
import { Policies } from "./commands/Policies.ts";
import * as Save from "./commands/Save.ts";
import * as Attachments from "./settlements/Attachments.ts";
import * as EInvoicing from "./settlements/EInvoicing.ts";
import { withFile } from "./settlements/StoredFile.ts";
import { transition } from "./settlements/Transition.ts";

/** An uploaded file with its facts; of a report the number alone. */
export interface Upload extends Document.Facts {
  /** The caller's name of the file; characters that are unsafe in a file name are replaced before it is stored. */
  readonly fileName: string;
  /** At most the policy's `uploadBytesMax`, of one of its `uploadTypes` by the first bytes; never looked into beyond those. */
  readonly bytes: Uint8Array;
}

export type { AttachedFile } from "./settlements/Attachments.ts";

/**
 * The formats of e-invoices: UBL 2.1 for Peppol BIS Self-Billing 3.0, the Cross Industry Invoice after EN 16931, or either
 * syntax for XRechnung 3.0.
 */
export type EInvoiceFormat = FormatName;

/** What is inside an e-invoice beside its data: nothing, or the PDF of the document (BG-24). */
export type EInvoiceAttachment = "none" | "pdf";

const UPLOADS = {
  report: "upload report",
  invoice: "upload invoice",
  credit_note: "upload credit note",
} as const satisfies Record<Document.DocumentKind, Operation>;

/** The command that links a document of a kind. */
export const linkCommand = (
  kind: Document.DocumentKind,
  {
    eInvoiceProblems = [],
    ...document
  }: {
    readonly documentId: DocumentId;
    readonly origin: DocumentOrigin;
    readonly facts: Document.Facts;
    readonly eInvoiceProblems?: ReadonlyArray<Document.EInvoiceProblem>;
  },
): SettlementCommand => ({
  type: `link_${kind}`,
  ...document,
  ...(eInvoiceProblems.length === 0 ? {} : { eInvoiceProblems }),
});

/** What is known of a document in addition to its bytes. */
export const documentOf = (
  settlement: Settlement,
  kind: Document.DocumentKind,
  facts: Pick<
    Document.Document,
    | "id"
    | "revision"
    | "number"
    | "fileName"
    | "mediaType"
    | "byteLength"
    | "sha256"
    | "createdAt"
    | "issuedOn"
    | "eInvoice"
  >,
): Document.Document => ({
  customerId: settlement.customerId,
  workspaceId: settlement.workspaceId,
  partnerId: settlement.partnerId,
  settlementId: settlement.id,
  kind,
  ...facts,
});

/** The refusal for a document that is not there, or whose bytes were erased. */
const missingDocument = (kind: Document.DocumentKind, document?: Document.Document) =>
  document?.isErased === true
    ? new Missing({
        message: `the ${Document.slug(kind)} was erased with the personal data of the settlement`,
      })
    : missing(`${Document.slug(kind)} of the settlement`);

const REFERENCE = {
  report: "reportReference",
  invoice: "invoiceReference",
  credit_note: "creditNoteReference",
} as const satisfies Record<Document.DocumentKind, keyof Settlement>;

const make = Effect.gen(function* () {
  const storage: Records & Settling = yield* Storage;
  const bytesOf = yield* DocumentStore;
  const ids = yield* IdSource;
  const digest = yield* Digest;
  const pipeline = yield* Pipeline;
  const policy = yield* Policies;
  const tools = { storage, bytesOf, ids, digest, pipeline, policy };

  const upload = (
    principal: Principal,
    id: SettlementId,
    kind: Document.DocumentKind,
    file: Upload,
    options: CommandOptions = {},
  ): Effect.Effect<Replayed, Failure> =>
    Effect.gen(function* () {
      const { fileName, bytes, ...stated } = file;
      const customerId = yield* authorizeCustomer(principal, UPLOADS[kind]);
      const facts = yield* Document.facts(kind, stated);
      return yield* withFile(tools, customerId, bytes, ({ extension, put, ...allowed }) =>
        pipeline.run(customerId, principal, options, (execution) =>
          Effect.gen(function* () {
            const settlement = yield* requireVisible(storage, principal, "settlement", id);
            const command = linkCommand(kind, { documentId: allowed.id, origin: "upload", facts });
            // The bytes are written before anything refers to them, but not for an upload that is refused.
            yield* decide(settlement, command, policy);
            const documents = yield* storage.documentsOf(customerId, id);
            // After an approver has refused the uploads of a kind, one more is taken whatever their number is.
            const uploaded = documents.filter((document) =>
              settlement.uploads.some((uploadedKind) => uploadedKind === document.kind),
            );
            const limit = Uploads.limitProblem(policy, uploaded, allowed.byteLength);
            if (limit !== null) return yield* limit;
            yield* put;
            // Storing a file may take long; what is committed has its date from now, as that of a rendered document.
            const linking = { ...execution, at: yield* Clock.currentTimeMillis };
            const record = documentOf(settlement, kind, {
              ...allowed,
              revision: Document.nextRevision(documents, kind),
              number: facts.number ?? null,
              fileName: Document.safeFileName(fileName, `${Document.slug(kind)}-${id}.${extension}`),
              createdAt: linking.at,
              ...(facts.date === undefined ? {} : { issuedOn: facts.date }),
            });
            const changes = [Save.flat("document", linking, record)];
            const linked = yield* transition(linking, settlement, { command, policy, changes });
            return { ...linked, at: linking.at };
          }),
        ),
      );
    });

  const download = (
    principal: Principal,
    id: SettlementId,
    kind: Document.DocumentKind,
  ): Effect.Effect<{ readonly document: Document.Document; readonly bytes: Uint8Array }, Failure> =>
    Effect.gen(function* () {
      yield* authorize(principal, "read settlement document");
      const settlement = yield* requireVisible(storage, principal, "settlement", id);
      const reference = settlement[REFERENCE[kind]];
      if (reference === null) return yield* missingDocument(kind);
      const [document] = yield* storage.find(settlement.customerId, "document", [reference]);
      const bytes = yield* bytesOf.get(settlement.customerId, reference);
      if (document === undefined || document.isErased === true || bytes === null)
        return yield* missingDocument(kind, document);
      return { document, bytes };
    });

  /** The linked document of a kind with its bytes, and those of its e-invoice in UBL. */
  const storedEInvoice = (
    { customerId, uploads, ...settlement }: Settlement,
    kind: "invoice" | "credit_note",
  ): Effect.Effect<
    {
      readonly document: Document.Document;
      readonly ubl: Uint8Array;
      readonly read: Effect.Effect<Uint8Array | null, StorageError>;
    },
    Failure
  > =>
    Effect.gen(function* () {
      const reference = settlement[REFERENCE[kind]];
      const title = Document.slug(kind);
      if (reference === null) return yield* missingDocument(kind);
      const [document] = yield* storage.find(customerId, "document", [reference]);
      const eInvoice = document?.eInvoice;
      if (eInvoice === undefined) {
        const reason = uploads.includes(kind)
          ? `this ${title} was uploaded; e-invoices are created for documents that the service issues`
          : `there was no billing profile when this ${title} was issued, or it is older than e-invoices`;
        return yield* conflict("e_invoice_unavailable", reason);
      }
      if (eInvoice.type === "not_made")
        return yield* conflict("e_invoice_unavailable", EInvoicing.describe(eInvoice.problems));
      const ubl = yield* bytesOf.get(customerId, eInvoice.id);
      if (document === undefined || document.isErased === true || ubl === null)
        return yield* missingDocument(kind, document);
      return { document, ubl, read: bytesOf.get(customerId, reference) };
    });

  const downloadEInvoice = (
    principal: Principal,
    id: SettlementId,
    kind: "invoice" | "credit_note",
    format: EInvoiceFormat = "ubl",
    attachment: EInvoiceAttachment = "none",
  ): Effect.Effect<{ readonly fileName: string; readonly bytes: Uint8Array }, Failure> =>
    Effect.gen(function* () {
      yield* authorize(principal, "read settlement document");
      const settlement = yield* requireVisible(storage, principal, "settlement", id);
      const { document, ubl, read: readDocument } = yield* storedEInvoice(settlement, kind);
      const name = `${Document.slug(kind)}-${id}`;
      const fileName = format === "ubl" ? `${name}.xml` : `${name}-${format}.xml`;
      if (format === "ubl" && attachment === "none") return { fileName, bytes: ubl };
      const { write, problemsOf } = FORMATS[format];
      const invoice = read(ubl);
      const problems = problemsOf(invoice);
      if (problems.length > 0) return yield* conflict("e_invoice_unavailable", EInvoicing.describe(problems));
      if (attachment === "none") return { fileName, bytes: write(invoice) };
      const pdf = yield* readDocument;
      if (pdf === null) return yield* missingDocument(kind, document);
      return { fileName, bytes: write({ ...invoice, attachment: { fileName: document.fileName, pdf } }) };
    });

  const exportLines = (
    principal: Principal,
    id: SettlementId,
  ): Effect.Effect<
    {
      readonly settlement: Versioned<Settlement>;
      readonly lines: Stream.Stream<ExportLine, StorageError>;
    },
    Failure
  > =>
    Effect.gen(function* () {
      yield* authorize(principal, "read settlement document");
      const settlement = yield* requireVisible(storage, principal, "settlement", id);
      return { settlement, lines: storage.settlementLines(settlement.customerId, id) };
    });

  return {
    /**
     * Stores a file and links it, in place of an earlier upload until payment begins; a refused or broken upload leaves
     * nothing. Replaced files are kept, up to the policy's `uploadsMax` and `uploadsBytesMax` for a settlement.
     */
    upload,
    /** The linked document of a kind; missing before one is linked. */
    download,
    /**
     * The linked invoice or credit note as XML: in UBL as it was stored with the document, or in another format with the same
     * facts; with the PDF of the document inside if asked. A conflict when it has none, or breaks a rule of the format, which names the rules.
     */
    downloadEInvoice,
    /**
     * Stores a file of one side for its next message: a dispute, its resolution or a comment, which names the id. A side has at
     * most the policy's `uploadsMax` and `uploadsBytesMax` of them on a settlement. A refused or broken upload leaves nothing.
     */
    attach: (
      principal: Principal,
      id: SettlementId,
      file: Attachments.AttachedFile,
      options: CommandOptions = {},
    ) => Attachments.attach(tools, principal, id, file, options),
    /** An attachment that a message of the settlement names; missing before one does. */
    downloadAttachment: (principal: Principal, id: SettlementId, attachmentId: DocumentId) =>
      Attachments.downloadAttachment(tools, principal, id, attachmentId),
    /** The lines with their attributions, in any state of the settlement. */
    exportLines,
  };
});

export class SettlementDocuments extends Effect.Service<SettlementDocuments>()(
  "quittance/services/SettlementDocuments",
  { effect: make },
) {}
