/** Documents of a settlement: what is known of a report, an invoice or a credit note beside its bytes. */
import type { CustomerId, DocumentId, PartnerId, SettlementId, WorkspaceId } from "./Ids.ts";
import { FILE_NAME_MAX } from "./Limits.ts";
import type { Timestamp } from "./Timestamp.ts";

/** The kinds of document; each exists at most once per settlement. */
export type DocumentKind = "report" | "invoice" | "credit_note";

/** Why a document cannot be made: no font of the renderer has some of its characters. */
export type DocumentProblemCode = "missing_font";

/** What is stored of a document; its bytes lie in the document store under the same id. */
export interface Document {
  readonly id: DocumentId;
  readonly customerId: CustomerId;
  readonly workspaceId: WorkspaceId;
  readonly partnerId: PartnerId;
  readonly settlementId: SettlementId;
  readonly kind: DocumentKind;
  /** The number printed on a document made here; null for reports and for uploads. */
  readonly number: string | null;
  /** Suggested to whoever downloads it; safe to put in a header. */
  readonly fileName: string;
  /** Sniffed from the first bytes; told to nobody, downloads are opaque. */
  readonly mediaType: string;
  readonly byteLength: number;
  /** Of the bytes, in hexadecimal. */
  readonly sha256: string;
  readonly createdAt: Timestamp;
}

/** The last number given in the gapless series of one partner and document kind. */
export interface DocumentSeries {
  readonly customerId: CustomerId;
  readonly partnerId: PartnerId;
  readonly kind: "invoice" | "credit_note";
  readonly lastNumber: number;
}

/** The word for a kind in paths and file names. */
export const slug = (kind: DocumentKind): string => kind.replace("_", "-");

const EXTENSIONS: ReadonlyArray<readonly [string, ReadonlyArray<number>, string]> = [
  ["pdf", [0x25, 0x50, 0x44, 0x46, 0x2d], "application/pdf"],
  ["png", [0x89, 0x50, 0x4e, 0x47], "image/png"],
  ["jpg", [0xff, 0xd8, 0xff], "image/jpeg"],
  ["zip", [0x50, 0x4b, 0x03, 0x04], "application/zip"],
  ["xml", [0x3c, 0x3f, 0x78, 0x6d, 0x6c], "application/xml"],
];

/** The media type and file extension that the first bytes betray; octets otherwise. */
export const sniff = (bytes: Uint8Array): { readonly mediaType: string; readonly extension: string } => {
  const known = EXTENSIONS.find(([, magic]) => magic.every((byte, index) => bytes[index] === byte));
  return known === undefined
    ? { mediaType: "application/octet-stream", extension: "bin" }
    : { mediaType: known[2], extension: known[0] };
};

/**
 * A file name without path, control characters, quotes or other characters that a header or a file system reads
 * as more than a name; at most 100 characters. Falls back to the given name when nothing is left.
 */
export const safeFileName = (name: string, fallback: string): string => {
  const last = name.split(/[\\/]/).pop() ?? "";
  const kept = [...last.normalize("NFC")]
    .filter((character) => !/[\p{C}"'`<>|:*?;%&$#]/u.test(character))
    .join("")
    .replace(/^[.\s]+|[.\s]+$/g, "");
  return kept === "" ? fallback : [...kept].slice(0, FILE_NAME_MAX).join("");
};
