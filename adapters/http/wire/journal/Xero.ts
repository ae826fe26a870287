/** A journal for the import of manual journals into Xero: the rows of one narration and date are a journal. */
import type { Journals } from "quittance";
import { cell } from "../Csv.ts";
import { CSV, dayOf, decimal, type Form, journalNumber, partsOf } from "./Form.ts";

const HEADER =
  "*Narration,*Date,Description,*AccountCode,*TaxRate,*Amount,TrackingName1,TrackingOption1,TrackingName2,TrackingOption2\r\n";

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** `31 Jan 2026`, which organisations of all countries read alike. */
export const dateOf = (day: string): string => {
  const { year, month, date } = partsOf(day);
  return `${date} ${MONTHS[Number(month) - 1]} ${year}`;
};

/** The cells of two tracking categories, of which the second is never used. */
export const trackingOf = (
  { xero }: Journals.JournalHead,
  costCentre: string | undefined,
): ReadonlyArray<string> =>
  xero?.trackingCategory === undefined || costCentre === undefined
    ? ["", "", "", ""]
    : [cell(xero.trackingCategory), cell(costCentre), "", ""];

export const xeroForm: Form = {
  mediaType: CSV,
  fileName: (name) => `${name}.csv`,
  before: () => HEADER,
  entry: (head) => {
    const { taxRate } = head.xero ?? { taxRate: "" };
    return ({ entry, number }) => {
      const narration = cell(`${journalNumber(head, number)} ${entry.partnerName}: ${entry.text}`);
      return entry.lines
        .map(
          ({ account, amount, number: code, costCentre, text }) =>
            `${[
              ...[narration, dateOf(dayOf(entry)), cell(text ?? entry.text), cell(code ?? account)],
              ...[cell(taxRate), decimal(amount, entry), ...trackingOf(head, costCentre)],
            ].join(",")}\r\n`,
        )
        .join("");
    };
  },
};
