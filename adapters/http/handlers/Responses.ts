/** The responses of operations that succeed. */

import { Effect, Schema, Stream } from "effect";
import { Document, type Listing, TimeSlice } from "quittance";
import { Created, pageOf } from "../api/shared/Field.ts";
import type { Response } from "../transport/HttpMessage.ts";
import { GAP, recordWriter, textAround, type Writer, writer } from "../wire/Encoding.ts";

const JSON_HEADERS = { "content-type": "application/json; charset=utf-8" };
const NO_HEADERS = {};
const REPLAYED = { "idempotent-replayed": "true" };

/** A JSON body from its text. */
export const jsonText = (text: string, status = 200): Response => ({
  status,
  headers: JSON_HEADERS,
  body: text,
});

export const json = (body: unknown): Response => jsonText(JSON.stringify(body));

/** Text up to this length is sent at once with its length; longer text is streamed. */
const WHOLE_LENGTH_MAX = 512 * 1024;

/** The largest text that is sent in one turn of the event loop. */
const PORTION_LENGTH = 256 * 1024;

const encoder = new TextEncoder();

/** JSON text as bytes. Bytes are outside the heap, so garbage collection does not copy a long body. */
export const bytesOf = (text: string): Uint8Array => encoder.encode(text);

const COMMA = bytesOf(",");

/** A JSON body whose text is streamed. */
export const jsonStream = (pieces: Stream.Stream<string | Uint8Array, unknown>): Response => ({
  status: 200,
  headers: JSON_HEADERS,
  body: Stream.map(pieces, (piece) => (typeof piece === "string" ? bytesOf(piece) : piece)),
});

/** Joins pieces until they are long enough to be sent. */
function* portions<Piece extends { readonly length: number }>(
  pieces: ReadonlyArray<Piece>,
  join: (pieces: ReadonlyArray<Piece>) => Piece,
): Generator<Piece> {
  let portion: Array<Piece> = [];
  let length = 0;
  for (const piece of pieces) {
    portion.push(piece);
    length += piece.length;
    if (length < PORTION_LENGTH) continue;
    yield join(portion);
    portion = [];
    length = 0;
  }
  yield join(portion);
}

/** A JSON body from pieces of its text. */
const jsonOfPieces = <Piece extends string | Uint8Array>(
  pieces: ReadonlyArray<Piece>,
  join: (pieces: ReadonlyArray<Piece>) => Piece,
): Response => {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  if (length <= WHOLE_LENGTH_MAX) return { status: 200, headers: JSON_HEADERS, body: join(pieces) };
  // One portion at a time: otherwise one long response would block the event loop for other requests.
  const paced = Stream.fromIteratorSucceed(portions(pieces, join), 1).pipe(Stream.tap(() => TimeSlice.pause));
  return jsonStream(paced);
};

/** A JSON body around a list whose items are already bytes: each was encoded before the next was computed. */
export const listOfBytes = (open: string, items: ReadonlyArray<Uint8Array>, close: string): Response => {
  const separated = items.flatMap((item, index) => (index === 0 ? [item] : [COMMA, item]));
  return jsonOfPieces<Uint8Array>([bytesOf(open), ...separated, bytesOf(close)], (pieces) =>
    Buffer.concat(pieces),
  );
};

/** A JSON body around a list of any length, each item as JSON text; written in slices. */
export const listOfItems = <Item>(
  [open, close]: readonly [open: string, close: string],
  items: ReadonlyArray<Item>,
  text: (item: Item) => string,
): Effect.Effect<Response> =>
  Effect.map(
    TimeSlice.map(items, (item, index) => (index === 0 ? text(item) : `,${text(item)}`)),
    (texts) => jsonOfPieces<string>([open, ...texts, close], (pieces) => pieces.join("")),
  );

/** Returns the text before and after the records of a page; their field is the name. */
export const aroundItems = (name: string) =>
  textAround(
    // The mapping leaves out the list of records.
    recordWriter<Listing.Listing<unknown>>()(pageOf(name, Schema.Unknown), { [name]: GAP }),
  );

/** Returns a function that responds with a page of records; their field is the name. */
export const page = <Item>(
  name: string,
  write: Writer<Item>,
): ((listing: Listing.Listing<Item>) => Effect.Effect<Response>) => {
  const aroundPage = aroundItems(name);
  return (listing) => listOfItems(aroundPage(listing), listing.items, write);
};

/** A JSON text; the response to a repeated idempotency key has the header for it. */
export const written = (text: string, status: number, replayed = false): Response => ({
  status,
  headers: replayed ? { ...JSON_HEADERS, ...REPLAYED } : JSON_HEADERS,
  body: text,
});

const writeCreated = writer(Created);

/** The id of a record: with status 201 if it is new. */
export const createdRecord = (
  record: { readonly id: string; readonly replayed: boolean },
  status: 200 | 201 = 201,
): Response => written(writeCreated(record), status, record.replayed);

/** The response to a command that succeeded without a result. */
export const emptyBody = ({ replayed }: { readonly replayed: boolean }): Response => ({
  status: 200,
  headers: replayed ? REPLAYED : NO_HEADERS,
  body: null,
});

/** RFC 8187: every octet outside the safe characters as %XX. */
const encodeExtendedValue = (name: string): string =>
  encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** The disposition of a download: an ASCII name for old clients, the whole name for the others. */
const attachmentHeader = (fileName: string): string => {
  const ascii = fileName.replace(/[^\x20-\x7e]|["\\]/g, "_");
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encodeExtendedValue(fileName)}`;
};

/** The media type of a file unless the header `Accept` names its own. */
export const OCTETS = "application/octet-stream";

/** A text for a person to read. */
export const text = (body: string, language: string): Response => ({
  status: 200,
  headers: { "content-type": "text/plain; charset=utf-8", "content-language": language },
  body,
});

/** A file to be saved, never shown or run by a browser. */
export const file = (fileName: string, bytes: Uint8Array, mediaType = OCTETS): Response => ({
  status: 200,
  headers: {
    "content-type": mediaType,
    "content-disposition": attachmentHeader(Document.safeFileName(fileName, "document.bin")),
    "content-security-policy": "sandbox",
  },
  body: bytes,
});

/** A file of text, written as it is read. */
export const textFile = (
  fileName: string,
  body: Stream.Stream<Uint8Array, unknown>,
  mediaType = "text/plain; charset=utf-8",
): Response => ({
  status: 200,
  headers: {
    "content-type": mediaType,
    "content-disposition": `attachment; filename="${fileName}"`,
    "content-security-policy": "sandbox",
  },
  body,
});

/** Comma-separated values, written as they are read. */
export const csv = (fileName: string, body: Stream.Stream<Uint8Array, unknown>): Response =>
  textFile(fileName, body, "text/csv; charset=utf-8; header=present");
