/** What an uploaded file may be, by its first bytes, and how many files a settlement keeps. */
import type { Document } from "./Document.ts";
import type { FileType } from "./FileType.ts";
import { type Conflict, conflict, type Invalid, invalid } from "./Refusal.ts";

const WORDS: Readonly<Record<FileType, string>> = {
  "application/pdf": "PDF",
  "image/png": "PNG",
  "image/jpeg": "JPEG",
  "application/xml": "XML",
  "application/zip": "ZIP",
  "application/octet-stream": "other",
};

/** What an operator allows. */
export interface UploadLimits {
  /** Largest uploaded file, in bytes. */
  readonly uploadBytesMax: number;
  /** The types of files that may be uploaded. */
  readonly uploadTypes: ReadonlyArray<FileType>;
  /**
   * Most documents that are kept of the uploads to one settlement, those that were replaced included; and most attachments of
   * each side, those that no message names included.
   */
  readonly uploadsMax: number;
  /** Most bytes of them together. */
  readonly uploadsBytesMax: number;
}

const listed = (words: ReadonlyArray<string>): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;

/** Why no settlement takes a file, or null. */
export const fileProblem = (
  { uploadBytesMax, uploadTypes }: UploadLimits,
  { byteLength, mediaType }: Pick<Document, "byteLength" | "mediaType">,
): Invalid | null => {
  if (byteLength === 0) return invalid("file", "must not be empty");
  if (byteLength > uploadBytesMax) return invalid("file", `must have at most ${uploadBytesMax} bytes`);
  return uploadTypes.some((type) => type === mediaType)
    ? null
    : invalid(
        "file",
        `must be a ${listed(uploadTypes.map((type) => WORDS[type]))} file; its first bytes are of none`,
      );
};

/** Why a settlement takes no further file, after those that were uploaded to it; null when it does. */
export const limitProblem = (
  { uploadsMax, uploadsBytesMax }: UploadLimits,
  uploaded: ReadonlyArray<Pick<Document, "byteLength">>,
  byteLength: number,
  what = "uploaded documents",
): Conflict | null => {
  if (uploaded.length >= uploadsMax)
    return conflict(
      "upload_limit",
      `the settlement has ${uploaded.length} ${what}, and keeps at most ${uploadsMax}`,
    );
  const bytes = uploaded.reduce((sum, item) => sum + item.byteLength, byteLength);
  return bytes > uploadsBytesMax
    ? conflict(
        "upload_limit",
        `the settlement keeps at most ${uploadsBytesMax} bytes of ${what}, and would have ${bytes}`,
      )
    : null;
};
