/** Journals on the wire: as JSON, as comma-separated values, and as plain text accounting. */
import type { Stream } from "effect";
import {
  type Books,
  Currency,
  type Journal,
  type Journals,
  type PartnerStatement,
  Timestamp,
} from "quittance";
import * as Contract from "../api/Journal.ts";
import * as Csv from "./Csv.ts";
import { GAP, recordWriter, textAround } from "./Encoding.ts";
import { datetime } from "./Entry.ts";

/** A form of a file. */
export type FileFormat = (typeof Contract.FILE_FORMATS)[number];

const postingOf = ({ amount, costCentre, ...posting }: Books.Posting) => ({
  ...posting,
  ...(costCentre === undefined ? {} : { cost_centre: costCentre }),
  ...(amount < 0n ? { credit: -amount } : { debit: amount }),
});

/** An entry of a journal. */
export const entry = recordWriter<Journals.JournalEntry>()(Contract.JournalEntry, {
  datetime,
  lines: (row) => row.lines.map(postingOf),
});

/** The text before and after the entries of a page. */
export const aroundEntries = textAround(
  recordWriter<Journals.JournalPage>()(Contract.JournalPage, {
    from: (row) => Timestamp.format(row.from),
    to: (row) => Timestamp.format(row.to),
    entries: GAP,
  }),
);

const decimal = (amount: bigint, currency: Currency.Currency): string =>
  Currency.formatAmount(amount, currency);

const HEADER =
  "datetime,entry,account,debit,credit,currency,partner_id,partner_name,commission_id,settlement_id,document,reference,text,debit_minor,credit_minor,kind,number,cost_centre,line_text\r\n";

/** A row for each posting; `entry` numbers the entries of the file from 1. */
const csvRows = (): ((row: Journals.JournalEntry) => string) => {
  let number = 0;
  return (row) => {
    number++;
    return row.lines
      .map((line) => {
        const {
          account,
          number: of = "",
          cost_centre = "",
          text = "",
          ...amounts
        } = {
          ...{ debit: undefined, credit: undefined, number: undefined, cost_centre: undefined },
          ...postingOf(line),
        };
        const { debit, credit } = amounts;
        const shown = (amount: bigint | undefined) =>
          amount === undefined ? "" : decimal(amount, row.currency);
        return `${[
          ...[Timestamp.format(row.at), number, account, shown(debit), shown(credit), row.currency],
          ...[row.partnerId, Csv.cell(row.partnerName), row.commissionId ?? "", row.settlementId ?? ""],
          ...[Csv.cell(row.document ?? ""), Csv.cell(row.reference ?? ""), Csv.cell(row.text)],
          ...[debit ?? "", credit ?? "", row.kind, Csv.cell(of), Csv.cell(cost_centre), Csv.cell(text)],
        ].join(",")}\r\n`;
      })
      .join("");
  };
};

/** The accounts in the hierarchy of plain text accounting. */
const PLAIN_TEXT_ACCOUNTS: Readonly<Record<Journal.Account, string>> = {
  commission_expense: "expenses:commissions",
  accrued_commissions: "liabilities:accrued commissions",
  commissions_awaiting_receipt: "liabilities:commissions awaiting receipt",
  input_tax: "assets:input tax",
  partner_payables: "liabilities:partner payables",
  payments: "assets:payments to partners",
  written_off_commissions: "revenues:written-off commissions",
};

/** Text for a description: a semicolon would begin a comment, a bar separates payee and note. */
const plain = (text: string): string => text.replaceAll(/[\s;|]+/g, " ").trim();

/** Text as the value of a tag, which a comma would end. */
const tagValue = (text: string): string => plain(text.replaceAll(",", " "));

/** A number as a part of an account's name: two spaces would end the name, a colon would begin another part. */
const accountPart = (number: string): string => plain(number).replaceAll(":", "-");

const transaction = (row: Journals.JournalEntry): string => {
  const code = row.document === null ? "" : `(${plain(row.document).replaceAll(/[()]/g, "")}) `;
  const tags = [
    `partner: ${row.partnerId}`,
    ...(row.commissionId === null ? [] : [`commission: ${row.commissionId}`]),
    ...(row.settlementId === null ? [] : [`settlement: ${row.settlementId}`]),
    ...(row.reference === null ? [] : [`reference: ${plain(row.reference).replaceAll(",", " ")}`]),
  ];
  const postings = row.lines.map(({ account, amount, number, costCentre, text }) => {
    const name = [PLAIN_TEXT_ACCOUNTS[account], ...(number === undefined ? [] : [accountPart(number)])];
    const comments = [
      ...(costCentre === undefined ? [] : [`cost-centre: ${tagValue(costCentre)}`]),
      ...(text === undefined ? [] : [`text: ${tagValue(text)}`]),
    ];
    const comment = comments.length === 0 ? "" : `  ; ${comments.join(", ")}`;
    return `    ${name.join(":")}  ${row.currency} ${decimal(amount, row.currency)}${comment}\n`;
  });
  const day = Timestamp.format(row.at).slice(0, 10);
  return `\n${day} ${code}${plain(row.partnerName)} | ${plain(row.text)}  ; ${tags.join(", ")}\n${postings.join("")}`;
};

/** A journal as a file, written as it is read. */
export const file = <E>(
  format: FileFormat,
  { from, to }: PartnerStatement.Period,
  entries: Stream.Stream<Journals.JournalEntry, E>,
): Stream.Stream<Uint8Array, E> =>
  format === "hledger"
    ? Csv.file(
        `; Journal from ${Timestamp.format(from)} to ${Timestamp.format(to)}\ndecimal-mark .\n`,
        entries,
        transaction,
      )
    : Csv.file(HEADER, entries, csvRows(), { format });
