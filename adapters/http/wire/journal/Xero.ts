/** A journal for the import of manual journals into Xero: the rows of one narration and date are a journal. */
import { cell } from "../Csv.ts";
import { CSV, dayOf, decimal, type Form, journalNumber, partsOf } from "./Form.ts";

const HEADER =
  "*Narration,*Date,Description,*AccountCode,*TaxRate,*Amount,TrackingName1,TrackingOption1,TrackingName2,TrackingOption2\r\n";

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** `31 Jan 2026`, which organisations of all countries read alike. */
const dateOf = (day: string): string => {
  const { year, month, date } = partsOf(day);
  return `${date} ${MONTHS[Number(month) - 1]} ${year}`;
};

export const xeroForm: Form = {
  mediaType: CSV,
  fileName: (name) => `${name}.csv`,
  before: () => HEADER,
  entry: (head) => {
    const { taxRate, trackingCategory } = head.xero ?? { taxRate: "" };
    return ({ entry, number }) => {
      const narration = cell(`${journalNumber(head, number)} ${entry.partnerName}: ${entry.text}`);
      return entry.lines
        .map(({ account, amount, number: code, costCentre, text }) => {
          const tracking =
            trackingCategory === undefined || costCentre === undefined
              ? ["", ""]
              : [cell(trackingCategory), cell(costCentre)];
          return `${[
            ...[narration, dateOf(dayOf(entry)), cell(text ?? entry.text), cell(code ?? account)],
            ...[cell(taxRate), decimal(amount, entry), ...tracking, "", ""],
          ].join(",")}\r\n`;
        })
        .join("");
    };
  },
};
