/** A journal for the import of journal entries into QuickBooks Online: the rows of one JournalNo are an entry. */
import { cell } from "../Csv.ts";
import { sides } from "./Csv.ts";
import { CSV, dayOf, decimal, type Form, journalNumber, partsOf } from "./Form.ts";

const HEADER = "JournalNo,JournalDate,AccountName,Debits,Credits,Description,Name,Currency,Class\r\n";

/** `01/31/2026`, as the import expects it unless another form is chosen there. */
export const dateOf = (day: string): string => {
  const { year, month, date } = partsOf(day);
  return `${month}/${date}/${year}`;
};

export const quickBooksForm: Form = {
  mediaType: CSV,
  fileName: (name) => `${name}.csv`,
  before: () => HEADER,
  entry:
    (head) =>
    ({ entry, number }) =>
      entry.lines
        .map(
          ({ account, amount, number: name, costCentre, text }) =>
            `${[
              ...[journalNumber(head, number), dateOf(dayOf(entry)), cell(name ?? account)],
              ...sides(amount, (shown) => decimal(shown, entry)),
              ...[cell(text ?? entry.text), cell(entry.partnerName), entry.currency, cell(costCentre ?? "")],
            ].join(",")}\r\n`,
        )
        .join(""),
};
