/** The model of the files that may be uploaded. */

const BYTES_MAX = 10 * 1024 * 1024;
/** The beginnings of the files that are allowed: PDF, PNG, JPEG, XML. */
const HEADS = ["%PDF-", "\x89PNG\r\n\x1a\n", "\xff\xd8\xff", "<?xml"];

/** True if a file, one character for each byte, may be uploaded. */
export const isAllowedFile = (content: string): boolean =>
  content.length <= BYTES_MAX && HEADS.some((head) => content.startsWith(head));
