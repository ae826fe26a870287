/** The operations on a settlement's documents and attachments, and the export of its lines. */
import { Effect } from "effect";
import { Document, type Ids, type Principal, Refusal, type SettlementDocuments } from "quittance";
import { csv } from "../wire/ExportLines.ts";
import type { Handlers } from "./Handlers.ts";
import * as Responses from "./Responses.ts";

type DocumentOperation =
  | "report"
  | "invoice"
  | "credit_note"
  | "upload_report"
  | "upload_invoice"
  | "upload_credit_note"
  | "attach"
  | "attachment"
  | "export";

/** The media type of an e-invoice that the header Accept asks for. */
const XML = "application/xml";

const ATTACHED_TO_PDF = Refusal.invalid("attachment", "must be none for format=pdf, which is the PDF itself");

/** The handlers of the operations on documents. */
export const settlementDocuments = (
  service: SettlementDocuments.SettlementDocuments,
): Pick<Handlers["settlements"], DocumentOperation> => {
  const file = (
    { document, bytes }: { readonly document: Document.Document; readonly bytes: Uint8Array },
    prefers: (mediaType: string) => boolean,
  ) =>
    Responses.file(
      document.fileName,
      bytes,
      document.mediaType === Document.PDF && prefers(Document.PDF) ? Document.PDF : Responses.OCTETS,
    );
  const download = (
    kind: Document.DocumentKind,
    principal: Principal.Principal,
    id: Ids.SettlementId,
    prefers: (mediaType: string) => boolean,
  ) => Effect.map(service.download(principal, id, kind), (found) => file(found, prefers));
  const downloadBill =
    (kind: "invoice" | "credit_note"): Handlers["settlements"]["invoice"] =>
    ({ principal, path, query, prefers }) =>
      query.format === undefined || query.format === "pdf"
        ? query.attachment === "pdf"
          ? Effect.fail(ATTACHED_TO_PDF)
          : download(kind, principal, path.id, prefers)
        : Effect.map(
            service.downloadEInvoice(principal, path.id, kind, query.format, query.attachment),
            ({ fileName, bytes }) => Responses.file(fileName, bytes, prefers(XML) ? XML : Responses.OCTETS),
          );
  const upload =
    (kind: Document.DocumentKind): Handlers["settlements"]["upload_report"] =>
    ({ principal, path, payload: { file: uploaded, ...facts }, options }) =>
      Effect.map(
        service.upload(principal, path.id, kind, { ...uploaded, ...facts }, options),
        Responses.emptyBody,
      );
  return {
    report: ({ principal, path, prefers }) => download("report", principal, path.id, prefers),
    invoice: downloadBill("invoice"),
    credit_note: downloadBill("credit_note"),
    upload_report: upload("report"),
    upload_invoice: upload("invoice"),
    upload_credit_note: upload("credit_note"),
    attach: ({ principal, path, payload, options }) =>
      Effect.map(service.attach(principal, path.id, payload.file, options), Responses.createdRecord),
    attachment: ({ principal, path, prefers }) =>
      Effect.map(service.downloadAttachment(principal, path.id, path.attachmentId), (found) =>
        file(found, prefers),
      ),
    export: ({ principal, path, query }) =>
      Effect.map(service.exportLines(principal, path.id), ({ settlement, lines }) =>
        Responses.csv(`settlement-${settlement.id}.csv`, csv(settlement.currency, lines, query.format)),
      ),
  };
};
