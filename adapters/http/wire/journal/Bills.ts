/**
 * The documents of a journal as bills, for the import of bills into QuickBooks Online and Xero: the rows of one number are a bill.
 * A row is a posting of the document; the program itself posts what is payable.
 */
import type { Books, Journals } from "quittance";
import { cell } from "../Csv.ts";
import { CSV, dayOf, decimal, type Form } from "./Form.ts";
import * as QuickBooks from "./QuickBooks.ts";
import * as Xero from "./Xero.ts";

const billsForm = (
  header: string,
  row: (
    head: Journals.JournalHead,
    entry: Journals.JournalEntry,
    line: Books.Posting,
  ) => ReadonlyArray<string>,
): Form => ({
  mediaType: CSV,
  fileName: (name) => `${name.replace(/^journal/, "bills")}.csv`,
  before: () => `${header}\r\n`,
  entry:
    (head) =>
    ({ entry }) =>
      entry.kind !== "billed"
        ? ""
        : entry.lines
            .filter(({ account }) => account !== "partner_payables")
            .map((line) => `${row(head, entry, line).join(",")}\r\n`)
            .join(""),
});

/** A document that was uploaded may have no number. */
const numberOf = ({ document, settlementId }: Journals.JournalEntry): string =>
  document ?? settlementId ?? "";

/** The number of a bill has at most so many characters in QuickBooks; numbers differ at their end. */
const NUMBER_MAX = 21;

export const quickBooksBillsForm = billsForm(
  "BillNo,Supplier,BillDate,DueDate,Memo,Account,LineDescription,LineAmount,Currency,Class",
  (_head, entry, { account, amount, number, costCentre, text }) => [
    ...[cell(Array.from(numberOf(entry)).slice(-NUMBER_MAX).join("")), cell(entry.partnerName)],
    ...[QuickBooks.dateOf(dayOf(entry)), QuickBooks.dateOf(entry.dueOn ?? dayOf(entry))],
    ...[cell(`Settlement ${entry.settlementId}`), cell(number ?? account), cell(text ?? entry.text)],
    ...[decimal(amount, entry), entry.currency, cell(costCentre ?? "")],
  ],
);

export const xeroBillsForm = billsForm(
  [
    ..."*ContactName EmailAddress POAddressLine1 POAddressLine2 POAddressLine3 POAddressLine4".split(" "),
    ..."POCity PORegion POPostalCode POCountry *InvoiceNumber *InvoiceDate *DueDate Total".split(" "),
    ..."InventoryItemCode Description *Quantity *UnitAmount *AccountCode *TaxType TaxAmount".split(" "),
    ..."TrackingName1 TrackingOption1 TrackingName2 TrackingOption2 Currency".split(" "),
  ].join(","),
  (head, entry, { account, amount, number, costCentre, text }) => [
    ...[cell(entry.partnerName), "", "", "", "", "", "", "", "", ""],
    ...[cell(numberOf(entry)), Xero.dateOf(dayOf(entry)), Xero.dateOf(entry.dueOn ?? dayOf(entry)), ""],
    ...["", cell(text ?? entry.text), "1", decimal(amount, entry), cell(number ?? account)],
    ...[cell(head.xero?.taxRate ?? ""), "", ...Xero.trackingOf(head, costCentre), entry.currency],
  ],
);
