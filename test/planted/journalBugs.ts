/** Planted bugs of the journal and of payables, which invariant M16 compares with the records. */
import { type Bug, bug } from "./Bug.ts";

const JOURNAL = "src/domain/Journal.ts";
const JOURNALS = "src/services/Journals.ts";
const PAYABLES = "src/domain/Payables.ts";
const REPORT = "src/services/Payables.ts";

export const journalBugs: ReadonlyArray<Bug> = [
  bug(
    "a payment is posted net of tax, and its document with tax",
    "M16",
    JOURNAL,
    "return { input_tax: tax, payments: -(net + tax), written_off_commissions: net };",
    "return { payments: -net, written_off_commissions: net };",
  ),
  bug(
    "the document that takes another one back is posted like the first",
    "M16",
    JOURNAL,
    "(invoiceReference === null) !== (creditNoteReference === null)",
    "(invoiceReference !== null || creditNoteReference !== null)",
  ),
  bug(
    "what waits for the buyer is posted as payable",
    "M16",
    JOURNAL,
    "accrued_commissions: settled + waiting - earned,",
    "accrued_commissions: settled - earned,",
  ),
  bug(
    "a further page of a partner repeats its settlements",
    "M16",
    JOURNALS,
    "entry.at >= start && entry.at < following",
    "entry.at < following",
  ),
  bug(
    "a settlement that a clock dated before its sales is left out",
    "M16",
    JOURNALS,
    "new Set([...balances, ...settled].map(",
    "new Set(balances.map(",
  ),
  bug(
    "payables of a date show settlements as they are now",
    "M16",
    REPORT,
    "if (entry.at < at) view = Settlement.evolve(view, entry);",
    "view = Settlement.evolve(view, entry);",
  ),
  bug(
    "the ages of payables count the last document of each age alone",
    "M16",
    PAYABLES,
    "aged[age] = (aged[age] ?? 0n) - credit;",
    "aged[age] = -credit;",
  ),
  bug(
    "a posting has the number of the last rule that applies",
    "M16",
    "src/domain/Books.ts",
    "const rule = rules.find((one) =>",
    "const rule = rules.findLast((one) =>",
  ),
  bug(
    "a rate of tax under reverse charge begins a day late",
    "M16",
    JOURNAL,
    "rates.findLast(({ from }) => from <= day)",
    "rates.findLast(({ from }) => from < day)",
  ),
  bug(
    "a document states its tax by the oldest rate that is young enough",
    "state",
    "src/domain/TaxCurrency.ts",
    "(a.date < b.date ? 1 : -1)",
    "(a.date < b.date ? -1 : 1)",
  ),
];
