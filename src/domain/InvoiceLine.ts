/** Invoice lines: the lines of a settlement, summed by what they pay for. */
import { type CalendarDate, dateOf } from "./CalendarDate.ts";
import type { FormulaId, PlanId } from "./Ids.ts";
import { MAX_AMOUNT } from "./Limits.ts";
import type { Amount } from "./Money.ts";
import type { TaxConfig } from "./Partner.ts";
import { taxOn } from "./Tax.ts";
import type { Timestamp } from "./Timestamp.ts";

/** What the commissions of a formula are invoiced as: its commission plan, or the formula itself without one. */
export interface InvoiceSubject {
  readonly formulaId: FormulaId;
  readonly id: PlanId | FormulaId;
  readonly name: string;
}

/** A line of a settlement, or the part of it in one tax group. */
export interface InvoicePart {
  readonly formulaId: FormulaId;
  readonly attributionOccurredAt: Timestamp;
  /** Null where it is the UTC day of that moment. */
  readonly attributionOccurredOn: CalendarDate | null;
  readonly amount: Amount;
}

/** The calendar day of the event that a line pays for. */
export const dayOfPart = ({
  attributionOccurredAt,
  attributionOccurredOn,
}: Pick<InvoicePart, "attributionOccurredAt" | "attributionOccurredOn">): CalendarDate =>
  attributionOccurredOn ?? dateOf(attributionOccurredAt);

/** The sum of the parts of one subject. */
export interface SubjectSum {
  readonly subjectId: InvoiceSubject["id"];
  /** The name of the plan or formula. */
  readonly description: string;
  /** The calendar days of the first and last event that the parts pay for. */
  readonly periodStart: CalendarDate;
  readonly periodEnd: CalendarDate;
  /** How many parts there are, those of amount 0 included. */
  readonly count: number;
  /** Net of tax. */
  readonly amount: Amount;
}

/** One line of an invoice or credit note: a subject within one tax group. */
export interface InvoiceLine extends SubjectSum {
  /** This line's share of its group's tax. */
  readonly tax: Amount;
}

interface OpenSum {
  readonly subject: Omit<InvoiceSubject, "formulaId">;
  first: CalendarDate;
  last: CalendarDate;
  count: number;
  amount: Amount;
}

/**
 * The parts summed by subject, in the order of their first parts. A subject whose sum would exceed the largest amount has
 * further sums. A formula without a subject is one of its own, named by its id.
 */
export const sumBySubject = (
  parts: ReadonlyArray<InvoicePart>,
  subjects: ReadonlyArray<InvoiceSubject>,
): ReadonlyArray<SubjectSum> => {
  const subjectByFormula = new Map(subjects.map((subject) => [subject.formulaId, subject]));
  const open = new Map<string, OpenSum>();
  const sums: Array<OpenSum> = [];
  for (const part of parts) {
    const { formulaId, amount } = part;
    const day = dayOfPart(part);
    const subject = subjectByFormula.get(formulaId) ?? { id: formulaId, name: formulaId };
    const sum = open.get(subject.id);
    if (sum === undefined || Math.abs(sum.amount + amount) > MAX_AMOUNT) {
      const next = { subject, first: day, last: day, count: 1, amount };
      open.set(subject.id, next);
      sums.push(next);
    } else {
      if (day < sum.first) sum.first = day;
      if (day > sum.last) sum.last = day;
      sum.count += 1;
      sum.amount += amount;
    }
  }
  return sums.map(({ subject, first, last, count, amount }) => ({
    subjectId: subject.id,
    description: subject.name,
    periodStart: first,
    periodEnd: last,
    count,
    amount,
  }));
};

/**
 * The invoice lines of one tax group. Each line states the tax on its own amount; the line with the largest amount also
 * has the difference between the group's tax and the sum of these.
 */
export const invoiceLines = (
  parts: ReadonlyArray<InvoicePart>,
  subjects: ReadonlyArray<InvoiceSubject>,
  terms: TaxConfig,
  tax: Amount,
): ReadonlyArray<InvoiceLine> => {
  const sums = sumBySubject(parts, subjects);
  const own = sums.map(({ amount }) => Number(taxOn(BigInt(amount), terms)));
  const rest = own.reduce((open, item) => open - item, tax);
  const largest = sums.reduce(
    (best, { amount }, index) => (Math.abs(amount) > Math.abs(sums[best]?.amount ?? 0) ? index : best),
    0,
  );
  return sums.map((sum, index) => ({ ...sum, tax: (own[index] ?? 0) + (index === largest ? rest : 0) }));
};
