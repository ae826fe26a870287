/** What writes a journal in one format. */
import { Currency, type Journals, Timestamp } from "quittance";

/** The entry of a file, with its number: the first one has 1. */
export interface Numbered {
  readonly entry: Journals.JournalEntry;
  readonly number: number;
}

/** A form of files. */
export interface Form {
  readonly mediaType: string;
  /** The name of a file from that of the journal. */
  readonly fileName: (name: string) => string;
  /** The text before the first entry. */
  readonly before: (head: Journals.JournalHead) => string;
  /** The text of each entry. */
  readonly entry: (head: Journals.JournalHead) => (numbered: Numbered) => string;
  /** The bytes of a text; UTF-8 where absent. */
  readonly encode?: (text: string) => Uint8Array;
}

/** The media type of comma-separated values. */
export const CSV = "text/csv; charset=utf-8; header=present";

/** An amount with the decimals of its currency. */
export const decimal = (amount: bigint, { currency }: Pick<Journals.JournalEntry, "currency">): string =>
  Currency.formatAmount(amount, currency);

/** The day of an entry, as `2026-01-31`. */
export const dayOf = ({ at }: Pick<Journals.JournalEntry, "at">): string => Timestamp.format(at).slice(0, 10);

/** Parts of a day. */
export const partsOf = (day: string) => {
  const [year = "", month = "", date = ""] = day.split("-");
  return { year, month, date };
};

/**
 * What identifies an entry in programs that know journals by numbers: the first day of the file, and the number of the entry.
 * A final journal that is written again, with the same parameters, has the same.
 */
export const journalNumber = ({ from }: Journals.JournalHead, number: number): string =>
  `${dayOf({ at: from }).replaceAll("-", "")}-${number}`;
