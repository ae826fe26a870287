/** The types of files, by their first bytes. */

/** The types of files that are distinguished by the first bytes; the last one is every other content. */
export const FILE_TYPES = [
  "application/pdf",
  "image/png",
  "image/jpeg",
  "application/xml",
  "application/zip",
  "application/octet-stream",
] as const;
export type FileType = (typeof FILE_TYPES)[number];

const XML_DECLARATION = [0x3c, 0x3f, 0x78, 0x6d, 0x6c];

const EXTENSIONS: ReadonlyArray<readonly [string, ReadonlyArray<number>, FileType]> = [
  ["pdf", [0x25, 0x50, 0x44, 0x46, 0x2d], "application/pdf"],
  ["png", [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], "image/png"],
  ["jpg", [0xff, 0xd8, 0xff], "image/jpeg"],
  ["zip", [0x50, 0x4b, 0x03, 0x04], "application/zip"],
  ["xml", XML_DECLARATION, "application/xml"],
  // After a byte order mark.
  ["xml", [0xef, 0xbb, 0xbf, ...XML_DECLARATION], "application/xml"],
];

/** The media type and file extension by the first bytes; octets when they are unknown. */
export const sniff = (bytes: Uint8Array): { readonly mediaType: FileType; readonly extension: string } => {
  const known = EXTENSIONS.find(([, magic]) => magic.every((byte, index) => bytes[index] === byte));
  return known === undefined
    ? { mediaType: "application/octet-stream", extension: "bin" }
    : { mediaType: known[2], extension: known[0] };
};
