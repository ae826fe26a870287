/** The lines of a settlement as comma-separated values. */
import type { Stream } from "effect";
import { Currency, type Storage, Timestamp } from "quittance";
import * as Csv from "./Csv.ts";

const HEADER = "commission_id,amount,currency,attribution_id,attribution_date";

/**
 * The CSV of lines, in order, written as they are read. Every cell is a UUID, a number, a currency code or a date-time, so
 * none needs quotes and none can be taken for a spreadsheet formula. The published amount is in the smallest unit; a
 * spreadsheet gets it with the currency's decimals, and the smallest unit beside it.
 */
export const csv = <E>(
  currency: Currency.Currency,
  lines: Stream.Stream<Storage.ExportLine, E>,
  format: Csv.CsvFormat = "csv",
): Stream.Stream<Uint8Array, E> => {
  const isForSpreadsheets = format === "spreadsheet";
  const row = ({
    commissionId,
    amount,
    attributionId,
    attributionOccurredAt,
  }: Storage.ExportLine): string => {
    const stated = isForSpreadsheets ? Currency.formatAmount(amount, currency) : amount;
    const date = Timestamp.format(attributionOccurredAt);
    return `${commissionId},${stated},${currency},${attributionId},${date}${isForSpreadsheets ? `,${amount}` : ""}\r\n`;
  };
  return Csv.file(`${HEADER}${isForSpreadsheets ? ",amount_minor" : ""}\r\n`, lines, row, { format });
};
