/** Comma-separated values (RFC 4180: CRLF, header row), written as they are read. */
import { Chunk, Stream } from "effect";

/**
 * Where a spreadsheet may begin to read a formula: at the start of a cell, and after what another program takes for the end
 * of a cell or a row. European Excel splits at semicolons, also within quotes of a cell in the middle of a row.
 */
const FORMULA = /^(?=[=+\-@\t\r\n＝＋－＠])|(?<=[;\t\r\n])(?=["'\s]*[=+\-@＝＋－＠])/g;

/** Text with an apostrophe before each place that a spreadsheet would take for a formula. */
export const withoutFormulas = (text: string): string => text.replace(FORMULA, "'");

/** A cell of free text: quoted, and nothing in it is a formula. */
export const cell = (text: string): string => {
  const safe = withoutFormulas(text);
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** The first character of a file for spreadsheets: without it, Excel reads UTF-8 as an older encoding. */
export const BYTE_ORDER_MARK = "\ufeff";

/** The forms of a CSV file: for programs, and for spreadsheets. */
export type CsvFormat = "csv" | "spreadsheet";

const encoder = new TextEncoder();

/** What a file has beside its rows; its text is UTF-8 unless `encode` writes it otherwise. */
interface FileOptions {
  readonly after?: string;
  readonly format?: CsvFormat;
  readonly encode?: (text: string) => Uint8Array;
}

/** A file: the text before the rows, each row with its end of line, and the text after them. */
export const file = <A, E>(
  before: string,
  rows: Stream.Stream<A, E>,
  line: (row: A) => string,
  { after = "", format = "csv", encode = (text) => encoder.encode(text) }: FileOptions = {},
): Stream.Stream<Uint8Array, E> => {
  const body = Stream.mapChunks(rows, (chunk) =>
    Chunk.of(encode(Chunk.toReadonlyArray(chunk).map(line).join(""))),
  );
  const mark = format === "spreadsheet" ? BYTE_ORDER_MARK : "";
  const head = Stream.concat(Stream.make(encode(`${mark}${before}`)), body);
  return after === "" ? head : Stream.concat(head, Stream.make(encode(after)));
};
