/** The lines of a settlement as comma-separated values. */
import type { Stream } from "effect";
import { type Storage, Timestamp } from "quittance";
import * as Csv from "./Csv.ts";

const HEADER = "commission_id,amount,currency,attribution_id,attribution_date\r\n";

/**
 * The CSV of lines, in order, written as they are read. Every cell is a UUID, an integer, a currency code or a
 * date-time, so none needs quotes and none can be taken for a spreadsheet formula.
 */
export const csv = <E>(
  currency: string,
  lines: Stream.Stream<Storage.ExportLine, E>,
): Stream.Stream<Uint8Array, E> => {
  const row = ({ commissionId, amount, attributionId, attributionOccurredAt }: Storage.ExportLine): string =>
    `${commissionId},${amount},${currency},${attributionId},${Timestamp.format(attributionOccurredAt)}\r\n`;
  return Csv.file(HEADER, lines, row);
};
