/** Rows as text: CSV (RFC 4180) or one JSON object a line. */
import { cell } from "../../http/wire/Csv.ts";
import type { Cell, Row } from "./Table.ts";

/** The forms of an export. */
export type Format = "csv" | "ndjson";

/**
 * A cell of a CSV file. A text that a spreadsheet would take for a formula gets an apostrophe before it; exact texts are in
 * the other form.
 */
const csvCell = (value: Cell): string => {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  return cell(typeof value === "object" ? JSON.stringify(value) : value);
};

/** The text before the rows. */
export const headLine = (format: Format, columns: ReadonlyArray<string>): string =>
  format === "csv" ? `${columns.join(",")}\r\n` : "";

/** The text of a row. */
export const rowLine = (format: Format, columns: ReadonlyArray<string>, row: Row): string =>
  format === "csv"
    ? `${columns.map((column) => csvCell(row[column] ?? null)).join(",")}\r\n`
    : `${JSON.stringify(row)}\n`;
