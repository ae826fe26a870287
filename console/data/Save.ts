/** Saving files from the page. */
import type { Download } from "quittance/client";

/** Saves a file that the server has sent. */
export const saveDownload = ({ document: { fileName }, bytes }: Download): void =>
  save({ name: fileName ?? "document.bin", blob: new Blob([bytes as Uint8Array<ArrayBuffer>]) });

export const save = ({ name, blob }: { readonly name: string; readonly blob: Blob }): void => {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
};

/** A cell in the form of RFC 4180; a text that a spreadsheet would evaluate as a formula begins with an apostrophe. */
const cell = (value: string | number): string => {
  const text = typeof value === "string" && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** Rows as CSV in UTF-8, the first row with the names of the columns. */
export const csv = (rows: ReadonlyArray<ReadonlyArray<string | number>>): Blob =>
  new Blob([rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("")], {
    type: "text/csv;charset=utf-8",
  });
