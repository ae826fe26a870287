/** Files of comma-separated values for spreadsheets, in the form of RFC 4180. */

/** A cell of a CSV file: text, a whole number, or a decimal number in digits. */
export type Cell = string | number | { readonly decimal: string };

/** Where a spreadsheet may begin to read a formula, as in the files of the server; a test compares the two. */
const FORMULA = /^(?=[=+\-@\t\r\n＝＋－＠])|(?<=[;\t\r\n])(?=["'\s]*[=+\-@＝＋－＠])/g;

/** A cell in the form of RFC 4180; in text there is an apostrophe before what a spreadsheet would evaluate as a formula. */
export const cell = (value: Cell): string => {
  if (typeof value !== "string") return typeof value === "number" ? String(value) : value.decimal;
  const text = value.replace(FORMULA, "'");
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** Rows as CSV with a byte order mark, which Excel needs; the first row has the names of the columns. */
export const csv = (rows: ReadonlyArray<ReadonlyArray<Cell>>): string =>
  `\ufeff${rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("")}`;
