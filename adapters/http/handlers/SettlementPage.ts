/** Pages of settlements: in one piece where their lines are few, else written as the lines are read. */
import { Chunk, Effect, Stream } from "effect";
import type { Listing, Settlement, Settlements, Storage } from "quittance";
import type { Response } from "../transport/HttpMessage.ts";
import { aroundLines, line } from "../wire/Settlement.ts";
import * as Responses from "./Responses.ts";

type Row = Settlements.ListedInParts;
type Texts = Stream.Stream<string, Storage.StorageError>;

/** The JSON texts of lines with commas between them, a chunk of lines each. */
const linesOf = (lines: Stream.Stream<Settlement.Line, Storage.StorageError>): Texts =>
  Stream.suspend(() => {
    let comma = "";
    return Stream.mapChunks(lines, (chunk) => {
      if (Chunk.isEmpty(chunk)) return Chunk.empty<string>();
      const text = comma + Chunk.toReadonlyArray(chunk).map(line).join(",");
      comma = ",";
      return Chunk.of(text);
    });
  });

const settlementText = (row: Row, lines: ReadonlyArray<Settlement.Line>): string => {
  const [before, after] = aroundLines(row);
  return before + lines.map(line).join(",") + after;
};

const settlementStream = (row: Row, comma: string): Texts => {
  const { lines } = row;
  if (!(Stream.StreamTypeId in lines)) return Stream.make(comma + settlementText(row, lines));
  const [before, after] = aroundLines(row);
  return Stream.make(comma + before).pipe(Stream.concat(linesOf(lines)), Stream.concat(Stream.make(after)));
};

const aroundItems = Responses.aroundItems("settlements");

/** A page of settlements. If a settlement cannot be read to its end, the connection is closed. */
export const page = (listing: Listing.Listing<Row>): Effect.Effect<Response> => {
  const { items } = listing;
  const [open, close] = aroundItems(listing);
  const few = items.flatMap((row) => (Stream.StreamTypeId in row.lines ? [] : [{ row, lines: row.lines }]));
  if (few.length === items.length) {
    return Responses.listOfItems([open, close], few, ({ row, lines }) => settlementText(row, lines));
  }
  const all = Stream.fromIterable(items.entries()).pipe(
    Stream.flatMap(([index, row]) => settlementStream(row, index === 0 ? "" : ",")),
  );
  return Effect.succeed(
    Responses.jsonStream(Stream.make(open).pipe(Stream.concat(all), Stream.concat(Stream.make(close)))),
  );
};
