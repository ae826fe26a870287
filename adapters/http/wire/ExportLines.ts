/** The lines of a settlement as comma-separated values (RFC 4180: CRLF, header row). */

import { Chunk, Stream } from "effect";
import { type Storage, Timestamp } from "quittance";

const HEADER = "commission_id,amount,currency,attribution_id,attribution_date\r\n";

/**
 * The CSV of lines, in order, written as they are read. Every cell is a UUID, an integer, a currency code or a
 * date-time, so none needs quotes and none can be taken for a spreadsheet formula.
 */
export const csv = <E>(
  currency: string,
  lines: Stream.Stream<Storage.ExportLine, E>,
): Stream.Stream<Uint8Array, E> => {
  const encoder = new TextEncoder();
  const row = ({ commissionId, amount, attributionId, attributionOccurredAt }: Storage.ExportLine): string =>
    `${commissionId},${amount},${currency},${attributionId},${Timestamp.format(attributionOccurredAt)}\r\n`;
  const body = Stream.mapChunks(lines, (rows) =>
    Chunk.of(encoder.encode(Chunk.toReadonlyArray(rows).map(row).join(""))),
  );
  return Stream.concat(Stream.make(encoder.encode(HEADER)), body);
};
