/** The subject of a movement of a statement, and its sentence. */
import {
  amount as amountText,
  creditClause,
  date,
  receivedNumber,
  type SalePart,
  wordsIn,
} from "../../explanation/index.ts";
import { absolute } from "../../formula/Rational.ts";
import { type CalendarDate, dateOf } from "../CalendarDate.ts";
import type { Cause } from "../Commission.ts";
import { type Currency, decimals } from "../Currency.ts";
import type { Amount } from "../Money.ts";
import {
  amountOf,
  type CommissionMovementType,
  isOfCommission,
  type Movement,
  type MovementType,
} from "../Movement.ts";
import type { Stated } from "../Receipt.ts";
import type { Pairing } from "../Replacement.ts";
import type { SettledElsewhere } from "../SettledElsewhere.ts";
import type { Timestamp } from "../Timestamp.ts";

/** An amount that was computed, of which a receipt released more or less, or that was settled elsewhere, and what earned it. */
export interface EarnedSubject extends Pairing {
  readonly type: CommissionMovementType;
  /** The name of the attribution's schema. */
  readonly schemaName: string;
  /** The calendar day that the attribution counts for. */
  readonly occurredOn: CalendarDate;
  readonly externalReference: string | null;
  /** The partner's part of the sale, without names of sellers: who reads a statement may not see them. Null where the partner alone earns. */
  readonly part: SalePart | null;
  /** Null for the first amount. */
  readonly cause: Cause | null;
  /** Why the attribution was cancelled; null unless that is the cause. */
  readonly cancelReason: string | null;
  /** What the buyer had paid; null unless a receipt caused the movement. */
  readonly receipt: Stated | null;
  /** When it was settled elsewhere; null for the other types. */
  readonly settledElsewhere: SettledElsewhere | null;
}

/** The end of a settlement as its log had it at the movement; later events of the settlement change nothing of it. */
export interface SettledSubject {
  readonly type: Exclude<MovementType, CommissionMovementType>;
  /** The sum of the lines, net of tax. */
  readonly total: Amount;
  /** Null when it is not known. */
  readonly taxAmount: Amount | null;
  /** True if the settlement ended because nothing was to be paid. */
  readonly isNothingDue: boolean;
  /** The number of the invoice or credit note, or null. */
  readonly documentNumber: string | null;
  readonly documentKind: "invoice" | "credit_note";
  /** True if the service issued the document in the partner's name. */
  readonly isSelfBilled: boolean;
  readonly paymentReference: string | null;
  readonly bankReference: string | null;
  /** The day of the payment, if it was stated. */
  readonly paidAt: Timestamp | null;
  /** Why the payment was returned; null for the other types. */
  readonly reason: string | null;
}

/** What a movement is about. */
export type Subject = EarnedSubject | SettledSubject;

/** True if a movement is about one commission. */
export const isEarned = (subject: Subject): subject is EarnedSubject => isOfCommission(subject.type);

/** The subject for the company's books: without the sellers below the partner, because the words for them address the partner. */
export const forBooks = (subject: Subject): Subject =>
  isEarned(subject) && subject.part !== null
    ? { ...subject, part: { ...subject.part, sellers: [] } }
    : subject;

/** The reference that identifies what a movement is about for people outside: of the sale, or of the document or payment. */
export const referenceOf = (subject: Subject): string | null =>
  isEarned(subject) ? subject.externalReference : (subject.documentNumber ?? subject.paymentReference);

/** The amount that was paid or claimed: total plus tax. */
export const grossOf = ({ total, taxAmount }: SettledSubject): bigint =>
  BigInt(total) + BigInt(taxAmount ?? 0);

/**
 * True if the gross amount has its tax as a part. It has not where the lines and their tax have opposite signs, as after
 * a correction of taxed lines: 31.00 can be 50.00 less 19.00 of tax.
 */
export const includesTax = ({ total, taxAmount }: SettledSubject): boolean =>
  BigInt(total) * BigInt(taxAmount ?? 0) >= 0n;

/**
 * The part of a movement that write-offs cover or uncover, with the sign of what is settled: of an amount that changed all
 * that is settled, of a settlement the difference between what it settled and its lines.
 */
export const absorbedOf = (subject: Subject, { settled }: Pick<Movement, "settled">): bigint => {
  if (isEarned(subject)) return subject.type === "settled_elsewhere" ? 0n : settled;
  return subject.type === "payment_returned"
    ? settled + BigInt(subject.total)
    : settled - BigInt(subject.total);
};

const { notation } = wordsIn("en");

const CAUSES: Readonly<Record<Exclude<Cause, "attribution_cancelled">, string>> = {
  formula_updated: "its commission formula changed",
  formula_cancelled: "its commission formula was cancelled",
  recomputed: "earlier ones that count for it changed",
};

/** When it was settled elsewhere, and under which reference. */
const elsewhereText = ({ at, reference }: SettledElsewhere): string =>
  `settled in another system on ${date(dateOf(at), notation)}${reference === null ? "" : `, reference ${reference}`}`;

/** What a receipt states, and whether less was paid than before. */
const receivedText = (paid: Stated, waiting: bigint): string => {
  const [received, of] = [receivedNumber(paid.received, "en"), receivedNumber(paid.of, "en")];
  return waiting > 0n
    ? `a payment of the buyer was taken back, ${received} of ${of} is paid`
    : `the buyer has paid ${received} of ${of}`;
};

const earnedText = (subject: EarnedSubject, waiting: bigint): string => {
  const { schemaName, occurredOn, part, cause, cancelReason, replaces, replacedBy } = subject;
  const what = `${schemaName} of ${date(occurredOn, notation)}`;
  if (subject.settledElsewhere !== null) return `${what}: ${elsewhereText(subject.settledElsewhere)}`;
  if (subject.receipt !== null) return `${what}: ${receivedText(subject.receipt, waiting)}`;
  const asPart = part === null ? what : `${what}, ${creditClause(part, "en")}`;
  if (cause === null)
    return replaces === null
      ? asPart
      : `${asPart}, correction of ${subject.externalReference ?? schemaName} of ${date(replaces.occurredOn, notation)}`;
  if (cause !== "attribution_cancelled") return `${what} recalculated: ${CAUSES[cause]}`;
  const ended = replacedBy === null ? "cancelled" : "replaced by a corrected one";
  return `${what} ${ended}${cancelReason === null ? "" : `: ${cancelReason}`}`;
};

const settledText = (subject: SettledSubject, money: (amount: bigint) => string): string => {
  const { type, taxAmount, documentKind, documentNumber, reason } = subject;
  if (type === "paid" && subject.isNothingDue) return "Settled without payment: nothing was to be paid";
  const gross = grossOf(subject);
  const isRefund = gross < 0n;
  const tax = BigInt(taxAmount ?? 0);
  const magnitude = (value: bigint): string => money(absolute(value));
  const taxPart = includesTax(subject)
    ? ` including ${magnitude(tax)} tax`
    : ` (${money(BigInt(subject.total))} net, ${money(tax)} tax)`;
  const amount = `${magnitude(gross)}${tax === 0n ? "" : taxPart}`;
  const named =
    documentNumber === null
      ? []
      : [`${documentKind === "invoice" ? "invoice" : "credit note"} ${documentNumber}`];
  const paid = subject.paidAt === null ? [] : [`paid on ${date(dateOf(subject.paidAt), notation)}`];
  const bank = subject.bankReference === null ? [] : [`bank reference ${subject.bankReference}`];
  const details = (parts: ReadonlyArray<string>): string =>
    parts.length === 0 ? "" : `: ${parts.join(", ")}`;
  switch (type) {
    case "paid":
      return `${isRefund ? `Refund of ${amount} received` : `Paid ${amount}`}${details([...named, ...paid, ...bank])}`;
    case "written_off":
      return `Written off ${magnitude(BigInt(subject.total))}${details(named)}`;
    case "payment_returned":
      return `Payment of ${amount} returned${details([...named, ...(reason === null ? [] : [reason])])}`;
  }
};

/** Why a part of a movement does not change what is due. */
const unchangedReason = ({ type }: Subject): string =>
  type === "written_off" ? "was no longer due" : "was written off before";

/** One sentence for the partner, or for the books of {@link forBooks}, without a full stop. Amounts have the decimals of the currency, days are of UTC. */
export const sentence = (
  subject: Subject,
  movement: Pick<Movement, "earned" | "settled" | "waiting">,
  currency: Currency,
): string => {
  const money = (amount: bigint): string =>
    amountText(String(amount), { currency, decimals: decimals(currency) }, notation);
  const told = isEarned(subject) ? earnedText(subject, movement.waiting) : settledText(subject, money);
  const waits = movement.waiting > 0n && subject.type !== "received";
  const text = waits ? `${told}; ${money(movement.waiting)} of it waits for the buyer` : told;
  const absorbed = absorbedOf(subject, movement);
  if (absorbed === 0n) return text;
  const covered = money(absolute(absorbed));
  const reason = unchangedReason(subject);
  return amountOf(movement) === 0n
    ? `${text}; no change, because ${covered} ${reason}`
    : `${text}; ${covered} of it ${reason}`;
};
