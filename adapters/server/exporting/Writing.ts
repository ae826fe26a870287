/** Rows as text: CSV (RFC 4180) or one JSON object a line. */
import { Currency } from "quittance";
import { BYTE_ORDER_MARK, cell } from "../../http/wire/Csv.ts";
import type { Cell, Row, Table } from "./Table.ts";

/** The forms of an export; `spreadsheet` is CSV after a byte order mark. */
export type Format = "csv" | "spreadsheet" | "ndjson";

type Columns = Pick<Table, "columns" | "amounts">;

/**
 * A cell of a CSV file. A text that a spreadsheet would take for a formula gets an apostrophe before it; exact texts are in
 * the other form.
 */
const csvCell = (value: Cell): string => {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  return cell(typeof value === "object" ? JSON.stringify(value) : value);
};

/** An amount with the decimals of its currency: a number that a spreadsheet reads, also a negative one. */
const amountCell = (value: Cell, currency: Cell): string =>
  typeof value === "number" && typeof currency === "string"
    ? Currency.formatAmount(value, Currency.Currency.make(currency))
    : csvCell(value);

/** The text before the rows. In CSV each amount is there twice, the one in the smallest unit under a name of its own. */
export const headLine = (format: Format, { columns, amounts }: Columns): string =>
  format === "ndjson"
    ? ""
    : `${format === "spreadsheet" ? BYTE_ORDER_MARK : ""}${[...columns, ...amounts.map((name) => `${name}_minor`)].join(",")}\r\n`;

/** The text of a row. */
export const rowLine = (format: Format, { columns, amounts }: Columns, row: Row): string => {
  if (format === "ndjson") return `${JSON.stringify(row)}\n`;
  const of = (column: string): Cell => row[column] ?? null;
  const currencyOf = (column: string): Cell =>
    of(columns.includes(`${column}_currency`) ? `${column}_currency` : "currency");
  const cells = columns.map((column) =>
    amounts.includes(column) ? amountCell(of(column), currencyOf(column)) : csvCell(of(column)),
  );
  return `${[...cells, ...amounts.map((column) => csvCell(of(column)))].join(",")}\r\n`;
};
