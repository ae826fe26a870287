/** Balances and statements of partners on the wire, as JSON and as comma-separated values. */
import type { Stream } from "effect";
import { Currency, type PartnerStatements, Timestamp } from "quittance";
import * as Contract from "../api/PartnerStatements.ts";
import * as Csv from "./Csv.ts";
import { GAP, recordWriter, textAround } from "./Encoding.ts";
import { datetime } from "./Entry.ts";

/** The earned amounts of a partner, and the part of them that is due. */
export const balance = recordWriter<PartnerStatements.PartnerBalance>()(Contract.PartnerBalance, {
  balances: [{}],
});

/** The same of several partners. */
export const balances = recordWriter<PartnerStatements.PartnerBalances>()(Contract.PartnerBalances, {
  balances: [{}],
});

/** A movement of a statement. */
export const movement = recordWriter<PartnerStatements.StatementEntry>()(Contract.Movement, { datetime });

/** The text before and after the movements of a page. */
export const aroundMovements = textAround(
  recordWriter<PartnerStatements.StatementPage>()(Contract.Statement, {
    movements: GAP,
  }),
);

const HEADER =
  "datetime,type,amount,balance,currency,commission_id,settlement_id,reference,text,amount_minor,balance_minor\r\n";

/**
 * A statement as CSV, written as it is read: the opening balance, the movements in order, the closing balance. Amounts have
 * the decimals of the currency, with the smallest unit next to it; `reference` and `text` are free text.
 */
export const csv = <E>(
  { currency, from, to, openingBalance, closingBalance }: PartnerStatements.StatementHead,
  entries: Stream.Stream<PartnerStatements.StatementEntry, E>,
  format: Csv.CsvFormat = "csv",
): Stream.Stream<Uint8Array, E> => {
  const decimal = (amount: bigint): string => Currency.formatAmount(amount, currency);
  const sum = (at: number, type: string, amount: bigint): string =>
    `${Timestamp.format(at)},${type},,${decimal(amount)},${currency},,,,,,${amount}\r\n`;
  const row = (entry: PartnerStatements.StatementEntry): string =>
    `${[
      ...[Timestamp.format(entry.at), entry.type, decimal(entry.amount), decimal(entry.balance), currency],
      ...[entry.commissionId ?? "", entry.settlementId ?? ""],
      ...[Csv.cell(entry.reference ?? ""), Csv.cell(entry.text)],
      ...[entry.amount, entry.balance],
    ].join(",")}\r\n`;
  return Csv.file(HEADER + sum(from, "opening_balance", openingBalance), entries, row, {
    after: sum(to, "closing_balance", closingBalance),
    format,
  });
};
