/** N1: the numbers of the documents that the service issued, from the settlements alone. */
import type { LedgerSnapshot } from "../LedgerSnapshot.ts";
import type { Invariant } from "./Invariant.ts";

type Listed = LedgerSnapshot["settlements"][number]["row"];

/** The numbers of a settlement's documents that the service created. */
const issuedNumbers = ({ uploads, reportNumber, invoiceNumber, creditNoteNumber }: Listed) => {
  const numbers = { report: reportNumber, invoice: invoiceNumber, credit_note: creditNoteNumber } as const;
  return (["report", "invoice", "credit_note"] as const).flatMap((kind) =>
    uploads.includes(kind) ? [] : (numbers[kind] ?? []),
  );
};

/** A number without its last digits, and these digits. */
const split = (number: string): readonly [stem: string, counter: number] => {
  const [digits = ""] = /[0-9]*$/.exec(number) ?? [];
  return [number.slice(0, number.length - digits.length), Number(digits)];
};

const numbered: Invariant = {
  name: "N1",
  statement:
    "Every number of a document that the service issued is unique for the customer, and the numbers of a series run from 1 without a gap.",
  *violations({ settlements }) {
    const series = new Map<string, Array<number>>();
    for (const number of settlements.flatMap(({ row }) => issuedNumbers(row))) {
      const [stem, counter] = split(number);
      const counters = series.get(stem);
      if (counters === undefined) series.set(stem, [counter]);
      else counters.push(counter);
    }
    for (const [stem, counters] of series) {
      const missing = counters.toSorted((a, b) => a - b).findIndex((counter, index) => counter !== index + 1);
      if (missing >= 0)
        yield `series ${stem}: ${counters.length} documents, and none or several with number ${missing + 1}`;
    }
  },
};

/** Every invariant of document numbers. */
export const numbers: ReadonlyArray<Invariant> = [numbered];
