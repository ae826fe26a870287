/** Documents of a settlement: downloads, uploads, and the lines as CSV. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint";
import * as HttpApiSchema from "@effect/platform/HttpApiSchema";
import { Schema } from "effect";
import { Document, Field, Ids } from "quittance";
import * as Example from "./openapi/examples/Story.ts";
import { extension, publishedOperation } from "./shared/Annotation.ts";
import { NotFound, RecordBodyFailure, RecordFailure } from "./shared/Failure.ts";
import { Created, optional } from "./shared/Field.ts";
import { csvFormat, optionalParameter, recordPath } from "./shared/Query.ts";

const settlement = recordPath(Ids.SettlementId);
const empty = HttpApiSchema.Empty(200);

/** An uploaded file: the name that the sender gave it, and all its bytes. */
export interface UploadedFile {
  readonly fileName: string;
  readonly bytes: Uint8Array;
}

/** True if a value is an uploaded file. */
export const isUploadedFile = (input: unknown): input is UploadedFile =>
  typeof input === "object" &&
  input !== null &&
  "fileName" in input &&
  "bytes" in input &&
  input.bytes instanceof Uint8Array;

/** A part of a form that is a file. */
export const uploadedFile = (description: string) =>
  Schema.declare(isUploadedFile).annotations({
    jsonSchema: { type: "string", format: "binary", description },
  });

const file = uploadedFile(
  "The document: a part with a file name, by its first bytes a PDF, PNG, JPEG or XML file unless the operator allows others.",
);

/** A form with an attachment in its part `file`. */
const AttachmentUpload = HttpApiSchema.Multipart(
  Schema.Struct({
    file: uploadedFile(
      "The attachment: a part with a file name, by its first bytes a PDF, PNG, JPEG or XML file unless the operator allows others.",
    ),
  }),
);

/** A form with a report in its part `file`, and the report's facts. */
const ReportUpload = HttpApiSchema.Multipart(Schema.Struct({ file, ...Document.ReportFacts.fields }));

/** A form with an invoice or credit note in its part `file`, and the document's facts. */
const BillUpload = HttpApiSchema.Multipart(
  Document.dueAfterDate(Schema.Struct({ file, ...Document.BILL_FIELDS })),
);

const File = Schema.Uint8ArrayFromSelf.pipe(
  HttpApiSchema.withEncoding({ kind: "Uint8Array", contentType: "application/octet-stream" }),
).annotations({
  description: "The file, as an attachment with a suggested name.",
  jsonSchema: { type: "string", format: "binary" },
});

/** The parameters of invoices and credit notes. */
const format = Schema.Struct({
  attachment: optional(
    Schema.Literal("none", "pdf").annotations({
      jsonSchema: {
        type: "string",
        enum: ["none", "pdf"],
        default: "none",
        description:
          "pdf: the e-invoice contains the PDF of the document in base64 (BG-24). Requires a format other than pdf.",
      },
    }),
  ),
  format: optionalParameter(
    Schema.Literal("pdf", "ubl", "cii", "xrechnung", "xrechnung-cii").annotations({
      jsonSchema: {
        type: "string",
        enum: ["pdf", "ubl", "cii", "xrechnung", "xrechnung-cii"],
        default: "pdf",
        description:
          "pdf: the linked document; ubl: the e-invoice, XML in UBL 2.1 for Peppol BIS Self-Billing 3.0; cii: the same e-invoice, XML in the Cross Industry Invoice after EN 16931; xrechnung: the same e-invoice, XML in UBL 2.1 for XRechnung 3.0; xrechnung-cii: the same in the Cross Industry Invoice.",
      },
    }),
    "format",
  ),
});

const E_INVOICE =
  " With format=ubl, cii, xrechnung or xrechnung-cii returns the e-invoice of a document that the service issued, as application/xml when the header Accept names it; 409 when there is none, with the violated rules.";

const downloadBill = <const Name extends string>(name: Name, path: `/${string}`, id: string, title: string) =>
  HttpApiEndpoint.get(name, path)
    .setPath(settlement)
    .setUrlParams(format)
    .addSuccess(File)
    .addError(RecordFailure)
    .pipe(
      publishedOperation({
        operation: "read settlement document",
        id,
        summary: `Download the ${title}`,
        description: `404 while the settlement has no ${title}. Returns a PDF as application/pdf when the header Accept names it, else as application/octet-stream.${E_INVOICE}`,
      }),
    );

const download = <const Name extends string>(name: Name, path: `/${string}`, id: string, title: string) =>
  HttpApiEndpoint.get(name, path)
    .setPath(settlement)
    .addSuccess(File)
    .addError(NotFound)
    .pipe(
      publishedOperation({
        operation: "read settlement document",
        id,
        summary: `Download the ${title}`,
        description: `404 while the settlement has no ${title}. Returns a PDF as application/pdf when the header Accept names it, else as application/octet-stream.`,
      }),
    );

const uploadReport = HttpApiEndpoint.post("upload_report", "/settlements/:id/report")
  .setPath(settlement)
  .setPayload(ReportUpload)
  .addSuccess(empty)
  .addError(RecordBodyFailure)
  .pipe(
    extension({
      operation: "upload report",
      id: "uploadSettlementReport",
      summary: "Upload the report",
      description:
        "For a service that does not generate documents. A later upload replaces the report until payment begins.",
    }),
  );

const uploadInvoice = HttpApiEndpoint.post("upload_invoice", "/settlements/:id/invoice")
  .setPath(settlement)
  .setPayload(BillUpload)
  .addSuccess(empty)
  .addError(RecordBodyFailure)
  .pipe(
    publishedOperation({
      operation: "upload invoice",
      id: "uploadSettlementInvoice",
      summary: "Upload the partner's invoice",
      description:
        "For a settlement that awaits an invoice of a partner who issues its own. Other parts of the form have the invoice's number, dates and tax_amount; total plus tax_amount is the payable amount. A later upload replaces the invoice until payment begins.",
    }),
  );

const uploadCreditNote = HttpApiEndpoint.post("upload_credit_note", "/settlements/:id/credit-note")
  .setPath(settlement)
  .setPayload(BillUpload)
  .addSuccess(empty)
  .addError(RecordBodyFailure)
  .pipe(
    extension({
      operation: "upload credit note",
      id: "uploadSettlementCreditNote",
      summary: "Upload the partner's credit note",
      description:
        "For a settlement that awaits a credit note of a partner who issues its own. tax_amount is 0 or positive, and is counted with the sign of the total. A later upload replaces the credit note until payment begins.",
    }),
  );

const attach = HttpApiEndpoint.post("attach", "/settlements/:id/attachments")
  .setPath(settlement)
  .setPayload(AttachmentUpload)
  .addSuccess(Created, { status: 201 })
  .addError(RecordBodyFailure)
  .pipe(
    extension({
      operation: "attach file",
      id: "attachToSettlement",
      summary: "Upload an attachment",
      description:
        "A file for the next message of the same side, the partner or the customer: a dispute, its resolution or a comment names its id in attachment_ids. Until then nobody can read it. In any status. A side has at most 20 attachments on a settlement, of 50 MiB together, unless the operator allows others; those that no message names count.",
      response: Example.created(Example.ATTACHMENT),
    }),
  );

const attachment = HttpApiEndpoint.get("attachment", "/settlements/:id/attachments/:attachment_id")
  .setPath(
    Schema.Struct({
      id: Ids.SettlementId,
      attachmentId: Field.key(Ids.DocumentId, "attachment_id", "The attachment."),
    }),
  )
  .addSuccess(File)
  .addError(NotFound)
  .pipe(
    extension({
      operation: "read settlement document",
      id: "downloadSettlementAttachment",
      summary: "Download an attachment",
      description:
        "The file of a message, for both sides of the settlement. 404 while no message names it. Returns a PDF as application/pdf when the header Accept names it, else as application/octet-stream.",
      refused: "attachment_id: must be a UUID",
    }),
  );

const exportLines = HttpApiEndpoint.get("export", "/settlements/:id/export")
  .setPath(settlement)
  .setUrlParams(
    Schema.Struct({
      format: optionalParameter(
        csvFormat(
          "csv: amounts in the smallest unit; spreadsheet: amounts with the currency's decimals, the smallest unit in the column amount_minor at the end, and a byte order mark at the start.",
        ),
        "format",
      ),
    }),
  )
  .addSuccess(HttpApiSchema.Text({ contentType: "text/csv" }))
  .addError(NotFound)
  .pipe(
    publishedOperation({
      operation: "read settlement document",
      id: "exportSettlement",
      summary: "Export the lines as CSV",
      description:
        "In any status. Columns: commission, amount, currency, attribution and its date; rows are in line order.",
      response: `commission_id,amount,currency,attribution_id,attribution_date\r\n${Example.COMMISSION},1200,EUR,${Example.ATTRIBUTION},${Example.SALE}\r\n`,
    }),
  );

/** The operations on a settlement's documents. */
export const settlementDocuments = {
  report: download("report", "/settlements/:id/report", "downloadSettlementReport", "report"),
  invoice: downloadBill("invoice", "/settlements/:id/invoice", "downloadSettlementInvoice", "invoice"),
  creditNote: downloadBill(
    "credit_note",
    "/settlements/:id/credit-note",
    "downloadSettlementCreditNote",
    "credit note",
  ),
  uploadReport,
  uploadInvoice,
  uploadCreditNote,
  attach,
  attachment,
  exportLines,
};
