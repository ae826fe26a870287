/** Payment files: transfers that a person sends to a bank, and their bookings in the bank's statements. */
import { Schema } from "effect";
import { CalendarDate, dateOf } from "./CalendarDate.ts";
import { Currency } from "./Currency.ts";
import { means, optionalKey } from "./Field.ts";
import { compact } from "./Iban.ts";
import type { CustomerId, PaymentFileId, PaymentReference, SettlementId } from "./Ids.ts";
import { EXECUTION_DAYS_MAX, REASON_MAX } from "./Limits.ts";
import type { Amount } from "./Money.ts";
import type { Address, BankAccount } from "./Partner.ts";
import { bankAccountOf, type Fields, type Payee, payeeOf } from "./PayoutDetails.ts";
import type { Settlement } from "./Settlement.ts";
import type { View } from "./SettlementView.ts";
import { isBusinessDay, nextBusinessDay, targetDayBefore } from "./TargetDay.ts";
import { Text } from "./Text.ts";
import type { Timestamp } from "./Timestamp.ts";

/** What creating a payment file takes. */
export const Create = Schema.Struct({
  executionDate: optionalKey(
    CalendarDate,
    "execution_date",
    "The day on which the bank pays, today or within 365 days: a business day of the euro area, or for other currencies no Saturday or Sunday; by default the next one.",
  ),
});
export type Create = typeof Create.Type;

/** What discarding a payment file takes. */
export const Discard = Schema.Struct({
  reason: Text(1, REASON_MAX).pipe(
    means("Why the file is discarded; the log of each of its settlements shows it."),
  ),
});
export type Discard = typeof Discard.Type;

/** The account that pays, and where its holder is; files before the address was recorded have none. */
export interface Debtor extends BankAccount {
  readonly address?: Address;
}

/** The currency of files from before it was recorded. */
const EURO = Currency.make("EUR");

/** Payments of one format, currency and execution date. */
export interface PaymentFile {
  readonly id: PaymentFileId;
  readonly customerId: CustomerId;
  readonly executionDate: CalendarDate;
  /** As it was when the file was created; null where the format states no account of the payer. */
  readonly debtor: Debtor | null;
  /** The format in which it was created, by the name that its provider gives it; files before it was recorded have none. */
  readonly format?: string;
  /** What the format states of the payer beside its account, as it was when the file was created. */
  readonly parameters?: Fields;
  /** Of every payment; files before it was recorded are in euro. */
  readonly currency?: Currency;
  readonly count: number;
  /** The sum of the payments, in the smallest unit. */
  readonly sum: Amount;
  readonly createdAt: Timestamp;
  /** When a person marked it as handed over to the bank; null before. */
  readonly handedOverAt: Timestamp | null;
  /** When a person gave it up; its payments have failed. */
  readonly discardedAt: Timestamp | null;
  /** The persons of the three moments; absent of what happened before they were recorded. */
  readonly createdBy?: string;
  readonly handedOverBy?: string;
  readonly discardedBy?: string;
}

/** The currency of every payment of a file. */
export const currencyOf = ({ currency }: Pick<PaymentFile, "currency">): Currency => currency ?? EURO;

/** What a bank reported: the payment leaving the account, coming back, or not being made at all. */
export type BookingKind = "debit" | "return" | "rejection";

/** A booking that has been applied, by what its bank calls it. */
export interface Booking {
  readonly kind: BookingKind;
  readonly entry: string;
  /** An end-of-day statement is final; a notification announces what a statement repeats. */
  readonly isFinal: boolean;
}

/** One attempt to pay a settlement by file; identified by its payment reference. */
export interface BankPayment {
  readonly id: PaymentReference;
  readonly customerId: CustomerId;
  readonly settlementId: SettlementId;
  readonly amount: Amount;
  readonly currency: Currency;
  /** Where it goes, if to an IBAN. */
  readonly bankAccount: BankAccount | null;
  /** Where it goes; absent where the bank account says all of it. */
  readonly account?: Payee;
  /** What the payee reads on its statement. */
  readonly remittance: string;
  /** Null while it waits for a file. */
  readonly fileId: PaymentFileId | null;
  /** True if it may still be put into a file; only payments without a file wait. */
  readonly isWaiting: boolean;
  readonly bookings: ReadonlyArray<Booking>;
}

/** Where a payment goes. */
export const payeeOfPayment = ({
  account,
  bankAccount,
}: Pick<BankPayment, "account" | "bankAccount">): Payee => {
  if (account !== undefined) return account;
  if (bankAccount === null) throw new Error("a payment has no account");
  return payeeOf(bankAccount);
};

/** An account as a payment states it. */
export const accountFields = (account: Payee): Pick<BankPayment, "account" | "bankAccount"> => {
  const bankAccount = bankAccountOf(account);
  const saysAll = bankAccount !== null && account.details.holder_type === undefined;
  return { bankAccount, ...(saysAll ? {} : { account }) };
};

/** A payment as a file states it. */
export interface FilePayment extends BankPayment {
  /** The address of the payee, as the approval has it; absent where it has none. */
  readonly address?: Address;
}

/** The address of the payee, as the approval of its settlement has it; nothing where it has none. */
export const payeeAddress = ({ approval }: Pick<View, "approval">): Pick<FilePayment, "address"> => {
  const address = approval?.selfBillingData?.address;
  return address === undefined ? {} : { address };
};

/** The file of a payment: none, created, or handed over to the bank. */
export const FILE_STATUSES = ["awaited", "created", "handed_over"] as const;
export type FileStatus = (typeof FILE_STATUSES)[number];

/** The status of a payment in a file, or of one that is in none yet. Money moves only after the file was handed over. */
export const fileStatus = (file: Pick<PaymentFile, "handedOverAt"> | undefined): FileStatus =>
  file === undefined ? "awaited" : file.handedOverAt === null ? "created" : "handed_over";

/** A payment of a settlement that waits for a file. The payee reads the number of the invoice. */
export const waitingPayment = (
  {
    id,
    customerId,
    payableAmount,
    total,
    currency,
    invoiceNumber,
  }: Pick<Settlement, "id" | "customerId" | "payableAmount" | "total" | "currency" | "invoiceNumber">,
  reference: PaymentReference,
  account: Payee,
): BankPayment => ({
  id: reference,
  customerId,
  settlementId: id,
  amount: payableAmount ?? total,
  currency,
  ...accountFields(account),
  remittance: invoiceNumber ?? id,
  fileId: null,
  isWaiting: true,
  bookings: [],
});

/** The first date on which a bank can execute a file in a currency that is created at a moment. */
export const defaultExecutionDate = (currency: Currency, now: Timestamp): CalendarDate =>
  nextBusinessDay(currency, dateOf(now));

/** Why a file in a currency cannot be executed on a date, or null. */
export const executionDateProblem = (
  currency: Currency,
  date: CalendarDate,
  now: Timestamp,
): string | null => {
  // Somewhere it is already the next day: a date is refused when it has passed everywhere.
  if (date < dateOf(now, -1)) return "must not be in the past";
  if (date > dateOf(now, EXECUTION_DAYS_MAX)) return `must be within ${EXECUTION_DAYS_MAX} days`;
  if (isBusinessDay(currency, date)) return null;
  const rule = currency === EURO ? "be a business day of the euro area" : "not be a Saturday or Sunday";
  return `must ${rule}; the next one is ${nextBusinessDay(currency, date)}`;
};

/** The day on which a bank carries out a file that it receives now: the day of the file, or today if that has passed. */
export const executionDateFrom = (date: CalendarDate, now: Timestamp): CalendarDate => {
  const today = dateOf(now);
  return date < today ? today : date;
};

/**
 * The first day whose payments need not be booked yet: `days` business days have to pass after the day of execution. What was to be
 * carried out before it is overdue.
 */
export const overdueBefore = (now: Timestamp, days: number): CalendarDate =>
  targetDayBefore(dateOf(now), days);

/** True if a bank should have booked the payment of a settlement: it is under way, and was to be carried out before a day. */
export const isOverdue = ({ status, handedOver }: View, before: CalendarDate): boolean =>
  status.type === "payment_initiated" && handedOver !== null && handedOver.executionDate < before;

/** How a returned entry names its payment: formats of short fields have only the end of its reference. */
export interface EntryName {
  /** The last {@link END_LENGTH} hexadecimal digits of the reference, in lower case. */
  readonly end: string;
  /** The day on which the bank was to pay, as it states it; null where it states none. */
  readonly executionDate: CalendarDate | null;
}

/** A movement on the customer's account, as a statement lists it, or one that a bank rejected. */
export interface Movement {
  readonly direction: "debit" | "credit" | "rejected";
  /** The reference of the payment in 32 hexadecimal digits, as the payer gave it; null when the bank states none. */
  readonly endToEndId: string | null;
  /** For a batch that is booked as a sum: the id of the payment file, and how many payments it has; null when the bank does not say. */
  readonly batch: { readonly id: string; readonly count: number | null } | null;
  /** In the smallest unit; null when the statement has no amount of the currency, or contradicts itself about it. */
  readonly amount: Amount | null;
  readonly currency: string;
  readonly bookingDate: string | null;
  /** What the bank calls it. */
  readonly bankReference: string | null;
  /** Why a payment was returned or rejected. */
  readonly reason: string | null;
  /** Rejected because the bank has the same payment already: it carries that one out. */
  readonly isDuplicate?: true;
  /** Absent where the whole reference is stated, if any. */
  readonly entry?: EntryName;
  /** The bank tells something about the payment, and moves no money. */
  readonly isNotice?: true;
}

/** What a bank reports. */
export interface BankStatement {
  readonly accounts: ReadonlyArray<{
    /** Null when none is named. */
    readonly iban: string | null;
    /** True if it is an end-of-day statement; its movements reconcile payments. */
    readonly isFinal: boolean;
    /** What comes back, with reasons for people. In other reports reasons of what names no payment are words about other business. */
    readonly isReturnFile?: true;
    readonly movements: ReadonlyArray<Movement>;
  }>;
}

/** Why a movement was left over. */
export type UnmatchedReason =
  | "unknown_reference"
  | "other_account"
  | "other_currency"
  | "other_amount"
  | "booked_before"
  | "duplicate"
  | "notice"
  | "unexpected";

const HEX = /^[0-9a-f]{32}$/;

/** The UUID that 32 hexadecimal digits stand for, in any letter case, with or without hyphens; null for other text. */
export const uuidOf = (text: string | null): string | null => {
  const digits = (text ?? "").trim().replaceAll("-", "").toLowerCase();
  return HEX.test(digits)
    ? [8, 12, 16, 20, 32]
        .map((end, index, ends) => digits.slice(index === 0 ? 0 : ends[index - 1], end))
        .join("-")
    : null;
};

/** Why a customer has no payment files. */
export const FILES_OFF = "payment files are off; they need payouts by files for a bank";

/** Stands for the bank's reference where a person has reported a rejection. */
export const BY_PERSON = "reported by a person";

/** The payment after a person has reported that the bank refused it; it is refused once, whoever reports it. */
export const withRejection = <Payment extends Pick<BankPayment, "bookings">>(payment: Payment): Payment =>
  isRejected(payment)
    ? payment
    : {
        ...payment,
        bookings: [...payment.bookings, { kind: "rejection", entry: BY_PERSON, isFinal: false }],
      };

/** True if the bank has refused the payment: a later booking of the file as a sum leaves it out. */
export const isRejected = ({ bookings }: Pick<BankPayment, "bookings">): boolean =>
  bookings.some(({ kind }) => kind === "rejection");

/** The digits of a UUID, as bank formats take it. */
export const digitsOf = (uuid: string): string => uuid.replaceAll("-", "");

/** How many digits of a reference the entries of short formats have. */
export const END_LENGTH = 15;

/** The end of a reference: it is random, unlike its beginning. */
export const endOf = (uuid: string): string => digitsOf(uuid).slice(-END_LENGTH);

/** The identity of a booking of one payment. */
export const entryOf = ({ bankReference, bookingDate }: Movement): string =>
  bankReference ?? bookingDate ?? "";

/** Why a movement is not the payment, or null. `iban` is the account of the statement, `own` the one that pays if the file states it. */
export const mismatch = (
  movement: Pick<Movement, "amount" | "currency">,
  payment: Pick<BankPayment, "amount" | "currency">,
  iban: string | null,
  own: string | null,
): UnmatchedReason | null => {
  if (iban !== null && own !== null && compact(iban) !== compact(own)) return "other_account";
  if (movement.currency !== payment.currency) return "other_currency";
  return movement.amount === payment.amount ? null : "other_amount";
};
