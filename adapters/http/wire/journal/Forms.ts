/** Every format of a journal as a file, by its name. */
import type { Stream } from "effect";
import type { JournalFile, Journals } from "quittance";
import * as Csv from "../Csv.ts";
import { quickBooksBillsForm, xeroBillsForm } from "./Bills.ts";
import { csvForm } from "./Csv.ts";
import { datevForm } from "./Datev.ts";
import type { Form } from "./Form.ts";
import { beancountForm, hledgerForm } from "./PlainText.ts";
import { quickBooksForm } from "./QuickBooks.ts";
import { xeroForm } from "./Xero.ts";

export const FORMS: { readonly [Name in JournalFile.Format]: Form } = {
  csv: csvForm("csv"),
  spreadsheet: csvForm("spreadsheet"),
  hledger: hledgerForm,
  beancount: beancountForm,
  datev: datevForm,
  quickbooks: quickBooksForm,
  xero: xeroForm,
  quickbooks_bills: quickBooksBillsForm,
  xero_bills: xeroBillsForm,
};

/** A journal as a file, written as it is read. */
export const file = <E>(
  { before, entry, encode }: Form,
  head: Journals.JournalHead,
  entries: Stream.Stream<Journals.JournalEntry, E>,
): Stream.Stream<Uint8Array, E> => {
  const write = entry(head);
  let number = 0;
  const line = (one: Journals.JournalEntry): string => write({ entry: one, number: ++number });
  return Csv.file(before(head), entries, line, encode === undefined ? {} : { encode });
};
