/** Comma-separated values (RFC 4180: CRLF, header row), written as they are read. */
import { Chunk, Stream } from "effect";

/** A cell of free text: quoted, and with an apostrophe before what a spreadsheet would take for a formula. */
export const cell = (text: string): string => {
  const safe = /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** A file: the text before the rows, each row with its end of line, and the text after them. */
export const file = <A, E>(
  before: string,
  rows: Stream.Stream<A, E>,
  line: (row: A) => string,
  after = "",
): Stream.Stream<Uint8Array, E> => {
  const encoder = new TextEncoder();
  const body = Stream.mapChunks(rows, (chunk) =>
    Chunk.of(encoder.encode(Chunk.toReadonlyArray(chunk).map(line).join(""))),
  );
  const head = Stream.concat(Stream.make(encoder.encode(before)), body);
  return after === "" ? head : Stream.concat(head, Stream.make(encoder.encode(after)));
};
