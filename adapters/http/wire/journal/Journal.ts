/** Journals on the wire as JSON. */
import type { Books, Journals } from "quittance";
import * as Contract from "../../api/Journal.ts";
import { GAP, recordWriter, textAround } from "../Encoding.ts";
import { datetime } from "../Entry.ts";

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
    entries: GAP,
  }),
);
