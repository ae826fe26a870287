/** Comma-separated values (RFC 4180: CRLF, header row), written as they are read. */
import { Chunk, Stream } from "effect";

/**
 * Where a spreadsheet may begin to read a formula: at the start of a cell, and after what another program takes for the end
 * of a cell or a row. European Excel splits at semicolons, also within quotes of a cell in the middle of a row.
 */
const FORMULA = /^(?=[=+\-@\t\r\n＝＋－＠])|(?<=[;\t\r\n])(?=["'\s]*[=+\-@＝＋－＠])/g;

/** A cell of free text: quoted, and with an apostrophe before each place that a spreadsheet would take for a formula. */
export const cell = (text: string): string => {
  const safe = text.replace(FORMULA, "'");
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** The first character of a file for spreadsheets: without it, Excel reads UTF-8 as an older encoding. */
export const BYTE_ORDER_MARK = "\ufeff";

/** The forms of a CSV file: for programs, and for spreadsheets. */
export type CsvFormat = "csv" | "spreadsheet";

/** A file: the text before the rows, each row with its end of line, and the text after them. */
export const file = <A, E>(
  before: string,
  rows: Stream.Stream<A, E>,
  line: (row: A) => string,
  { after = "", format = "csv" }: { readonly after?: string; readonly format?: CsvFormat } = {},
): Stream.Stream<Uint8Array, E> => {
  const encoder = new TextEncoder();
  const body = Stream.mapChunks(rows, (chunk) =>
    Chunk.of(encoder.encode(Chunk.toReadonlyArray(chunk).map(line).join(""))),
  );
  const mark = format === "spreadsheet" ? BYTE_ORDER_MARK : "";
  const head = Stream.concat(Stream.make(encoder.encode(`${mark}${before}`)), body);
  return after === "" ? head : Stream.concat(head, Stream.make(encoder.encode(after)));
};
