/** A journal as comma-separated values, for programs and spreadsheets. */
import { type Journals, Timestamp } from "quittance";
import { BYTE_ORDER_MARK, type CsvFormat, cell } from "../Csv.ts";
import { CSV, decimal, type Form, type Numbered } from "./Form.ts";

const HEADER =
  "datetime,entry,account,debit,credit,currency,partner_id,partner_name,commission_id,settlement_id,document,reference,text,debit_minor,credit_minor,kind,number,cost_centre,line_text,concerns\r\n";

/** The cells of a debit and a credit, one of which is empty. */
export const sides = (amount: bigint, shown: (amount: bigint) => string): readonly [string, string] =>
  amount < 0n ? ["", shown(-amount)] : [shown(amount), ""];

/** A row for each posting; `entry` numbers the entries of the file from 1. */
const rows = ({ entry, number }: Numbered): string =>
  entry.lines
    .map(
      (line) =>
        `${[
          ...[Timestamp.format(entry.at), number, line.account],
          ...[...sides(line.amount, (amount) => decimal(amount, entry)), entry.currency],
          ...[entry.partnerId, cell(entry.partnerName), entry.commissionId ?? "", entry.settlementId ?? ""],
          ...[cell(entry.document ?? ""), cell(entry.reference ?? ""), cell(entry.text)],
          ...[...sides(line.amount, String), entry.kind],
          ...[
            cell(line.number ?? ""),
            cell(line.costCentre ?? ""),
            cell(line.text ?? ""),
            entry.concerns ?? "",
          ],
        ].join(",")}\r\n`,
    )
    .join("");

/** The same for programs and for spreadsheets, which need a byte order mark. */
export const csvForm = (format: CsvFormat): Form => ({
  mediaType: CSV,
  fileName: (name) => `${name}.csv`,
  before: (_head: Journals.JournalHead) => (format === "spreadsheet" ? BYTE_ORDER_MARK : "") + HEADER,
  entry: () => rows,
});
