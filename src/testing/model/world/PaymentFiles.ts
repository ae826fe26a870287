/** Payment files of the reference model, their payments, and what a bank has booked of them. */
import type { Currency } from "../../../domain/Currency.ts";
import type { CustomerId, SettlementId } from "../../../domain/Ids.ts";
import type { Payee } from "../../../domain/PayoutDetails.ts";

/** What a bank, or a person in its place, said of a payment. */
export interface Booking {
  readonly kind: "debit" | "return" | "rejection";
  readonly entry: string;
  readonly isFinal: boolean;
}

/** One attempt to pay a settlement by file. */
export interface BankPayment {
  readonly customerId: CustomerId;
  readonly settlementId: SettlementId;
  /** The number of the attempt; the settlement states its reference. */
  readonly attempt: number;
  readonly amount: number;
  readonly currency: Currency;
  readonly account: Payee;
  readonly fileId: string | null;
  readonly isWaiting: boolean;
  readonly bookings: ReadonlyArray<Booking>;
}

/** A payment file. */
export interface PaymentFile {
  readonly id: string;
  readonly customerId: CustomerId;
  readonly format: string;
  readonly executionDate: string;
  readonly currency: Currency;
  readonly count: number;
  readonly sum: number;
  /** The account that pays; null where its format states none. */
  readonly debtor: string | null;
  readonly createdAt: number;
  readonly handedOverAt: number | null;
  readonly discardedAt: number | null;
  readonly createdBy: string;
  readonly handedOverBy?: string;
  readonly discardedBy?: string;
}
