/** What applies to drafts and documents. */
import { Either } from "effect";
import { FileType, Limits } from "quittance";
import * as Value from "../Value.ts";
import { type Parsed, setting } from "./Setting.ts";

/** The operator's own fonts. */
export interface Fonts {
  readonly regular: Uint8Array;
  readonly bold: Uint8Array;
}

/** Settings of drafts and documents. */
export const DOCUMENTS = {
  documents: setting({
    name: "QUITTANCE_DOCUMENTS",
    option: "documents",
    placeholder: "auto|manual",
    fallback: "auto",
    meaning: "auto: the worker creates reports and self-billed documents; manual: they are uploaded",
    details: "`manual`: documents are uploaded, the worker creates none",
    kind: Value.oneOf(["auto", "manual"]),
  }),
  fourEyes: setting({
    name: "QUITTANCE_FOUR_EYES",
    option: "four-eyes",
    placeholder: "on|off",
    fallback: "off",
    meaning: "on: the creator of a draft may not approve it",
    details: "`on`: the creator of a draft may not approve it ([four eyes](concepts.md#four-eyes))",
    kind: Value.onOff,
  }),
  staleDrafts: setting({
    name: "QUITTANCE_STALE_DRAFTS",
    option: "stale-drafts",
    placeholder: "allow|refuse",
    fallback: "allow",
    meaning: "refuse: a draft whose amounts have changed cannot be approved",
    details: "`refuse`: a draft whose amounts have changed ([stale](concepts.md#stale)) cannot be approved",
    kind: Value.oneOf(["allow", "refuse"]),
  }),
  fontRegular: setting({
    name: "QUITTANCE_FONT_REGULAR",
    option: "font-regular",
    placeholder: "file",
    fallback: "",
    meaning: "a TrueType or OpenType font for documents, with --font-bold",
    details:
      "a TrueType or OpenType font for documents; needs `QUITTANCE_FONT_BOLD`. See [fonts](how-to/fonts.md)",
    kind: Value.font,
  }),
  fontBold: setting({
    name: "QUITTANCE_FONT_BOLD",
    option: "font-bold",
    placeholder: "file",
    fallback: "",
    meaning: "the bold weight of the font of --font-regular",
    details: "the bold weight of the font of `QUITTANCE_FONT_REGULAR`",
    kind: Value.font,
  }),
  uploadTypes: setting({
    name: "QUITTANCE_UPLOAD_TYPES",
    option: "upload-types",
    placeholder: "types",
    fallback: "application/pdf,image/png,image/jpeg,application/xml",
    meaning: "types of files that may be uploaded, by their first bytes, separated by commas",
    details:
      "types of files that may be uploaded, by their first bytes, separated by commas; `application/octet-stream` allows every content that is of none of the others",
    kind: Value.someOf(FileType.FILE_TYPES),
  }),
  uploadsMax: setting({
    name: "QUITTANCE_UPLOADS_MAX",
    option: "uploads-max",
    placeholder: "number",
    fallback: "20",
    meaning:
      "most uploaded documents of a settlement, those that were replaced included, and most attachments of each side",
    kind: Value.wholeNumber(1, 1_000),
  }),
  uploadsBytesMax: setting({
    name: "QUITTANCE_UPLOADS_BYTES_MAX",
    option: "uploads-bytes-max",
    placeholder: "bytes",
    fallback: "52428800",
    meaning:
      "most bytes of the uploaded documents of a settlement together, and of the attachments of each side",
    kind: Value.wholeNumber(1, 10_000_000_000),
  }),
  retentionYears: setting({
    name: "QUITTANCE_RETENTION_YEARS",
    option: "retention-years",
    placeholder: "years",
    fallback: "10",
    meaning: "years for which documents and payments are kept when personal data is erased",
    details:
      "years, from the end of the year of its last event, for which documents and payments of a settlement are kept when [personal data is erased](how-to/erase-personal-data.md)",
    kind: Value.wholeNumber(Limits.RETENTION_YEARS_MIN, Limits.RETENTION_YEARS_MAX),
  }),
  renderTimeoutMilliseconds: setting({
    name: "QUITTANCE_RENDER_TIMEOUT_SECONDS",
    option: "render-timeout-seconds",
    placeholder: "seconds",
    fallback: "60",
    meaning: "time limit for creating one document",
    kind: Value.timeout,
  }),
};

/** Both weights of the operator's fonts, or none. */
export const joinFonts = ({ fontRegular, fontBold }: Parsed<typeof DOCUMENTS>): Value.Value<Fonts | null> => {
  if (fontRegular === null && fontBold === null) return Either.right(null);
  return fontRegular !== null && fontBold !== null
    ? Either.right({ regular: fontRegular, bold: fontBold })
    : Either.left(
        `${DOCUMENTS.fontRegular.name} and ${DOCUMENTS.fontBold.name} must name a font each, or both be empty`,
      );
};
