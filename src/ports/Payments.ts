/** Payments: who sends the money. Without a provider, settlements are paid outside and marked as paid. */
import { Context, Data, Effect, Schema, Stream } from "effect";
import type { Currency } from "../domain/Currency.ts";
import { accountProblem } from "../domain/Iban.ts";
import type { CustomerId, PartnerId, SettlementId } from "../domain/Ids.ts";
import { PaymentReference } from "../domain/Ids.ts";
import { BANK_REFERENCE_MAX, REASON_MAX } from "../domain/Limits.ts";
import type { Amount } from "../domain/Money.ts";
import { paidAmounts } from "../domain/PaidAmounts.ts";
import type { BankAccount } from "../domain/Partner.ts";
import type { BankPayment, BankStatement, PaymentFile } from "../domain/PaymentFile.ts";
import { bankAccountOf, type Payee, type PayoutType } from "../domain/PayoutDetails.ts";
import type { Invalid } from "../domain/Refusal.ts";
import { Text } from "../domain/Text.ts";

/** What is paid, to which account. */
export interface Payment {
  /** Total plus tax, positive, in the smallest unit. */
  readonly amount: Amount;
  readonly currency: Currency;
  /** The confirmed account of the approval, or the one that was chosen for the settlement since. */
  readonly account: Payee;
}

/** A type of accounts that a provider pays to, and in which currencies; `*` for all. */
export interface Takes {
  readonly type: PayoutType;
  readonly currencies: "*" | ReadonlyArray<string>;
}

/** One attempt to pay one settlement. */
export interface PaymentOrder extends Payment {
  /** The key under which the provider pays at most once; the same at every retry of this attempt. */
  readonly reference: PaymentReference;
  readonly customerId: CustomerId;
  readonly settlementId: SettlementId;
  readonly partnerId: PartnerId;
}

/** The provider did not take the order. Only a final refusal ends the attempt; anything else is tried again. */
export class PaymentRefused extends Data.TaggedError("PaymentRefused")<{
  readonly final: boolean;
  readonly reason: string;
}> {
  /** The reason; what a log shows. */
  override get message(): string {
    return this.reason;
  }
}

/** What a provider reports about a payment reference. */
export const PaymentFact = Schema.Union(
  Schema.Struct({
    type: Schema.Literal("confirmed"),
    paymentReference: PaymentReference,
    /** What the bank calls the payment. */
    bankReference: Schema.optionalWith(Text(1, BANK_REFERENCE_MAX), { exact: true }),
    ...paidAmounts,
  }),
  Schema.Struct({
    type: Schema.Literal("failed", "returned"),
    paymentReference: PaymentReference,
    reason: Text(1, REASON_MAX),
  }),
);
export type PaymentFact = typeof PaymentFact.Type;

/** A payment fact, who reports it and under which id: an event that is delivered twice counts once. */
export interface PaymentEvent {
  /** The provider's name. */
  readonly provider: string;
  /** The provider's own id of the event, 1 to 255 visible ASCII characters. */
  readonly eventId: string;
  readonly fact: PaymentFact;
}

/** A provider's status of a reference: unknown, pending, or the result of the order. */
export type PaymentStatus =
  | { readonly type: "unknown" }
  | { readonly type: "pending" }
  | { readonly type: "ended"; readonly fact: PaymentFact };

/** A message that claims to come from the provider. */
export interface SignedReport {
  /** The value of a header by its name in lower case. */
  readonly header: (name: string) => string | undefined;
  readonly body: Uint8Array;
}

/** The report was not signed by the provider, or too long ago. The error does not show which. */
export class ReportRejected extends Data.TaggedError("ReportRejected")<Record<never, never>> {}

/**
 * The formats of a provider that pays by files, which a person sends to a bank. The engine then collects initiated
 * payments itself and does not call `send` for them.
 */
export interface BankFormats {
  /** The media type of files, and their extension without the dot. */
  readonly mediaType: string;
  readonly extension: string;
  /** The name of the format of new files, where the provider has several; each file keeps its own. */
  readonly format?: string;
  /** The bytes of a file, in its format where it has one; the same file gives the same bytes. */
  readonly write: (file: PaymentFile, payments: ReadonlyArray<BankPayment>) => Uint8Array;
  /** The content of a statement; `Invalid` when the bytes are no statement that can be read safely. */
  readonly read: (bytes: Uint8Array) => Effect.Effect<BankStatement, Invalid>;
}

/** What a host supplies to have settlements paid. {@link provider} fills in what a simple one leaves out. */
export interface PaymentProviderService {
  /** Lower-case letters, digits and `-`. Reports arrive at `/webhooks/payments/{name}`. */
  readonly name: string;
  /** The accounts that it pays to. It is asked about no other and sent no order to another. */
  readonly takes: ReadonlyArray<Takes>;
  /** Why the provider could never pay this, as text for people, or null. Called before a payment is initiated. */
  readonly problem: (payment: Payment) => string | null;
  /**
   * Why the provider could never pay to an account with an IBAN, as text for people, or null. Partners show it before anything is
   * paid. The BIC is empty where none was given.
   */
  readonly accountProblem: (bankAccount: BankAccount) => string | null;
  /**
   * Sends an order. It may be called again with the same reference after a crash or a timeout and then pays no
   * second time. Whether the money arrived is reported later, as a payment fact.
   */
  readonly send: (order: PaymentOrder) => Effect.Effect<void, PaymentRefused>;
  /**
   * The status of an order. It is called before an order is sent again: `unknown` has the order sent, `pending`
   * and `ended` do not.
   */
  readonly status: (reference: PaymentReference) => Effect.Effect<PaymentStatus, PaymentRefused>;
  /**
   * The event of a report whose signature is genuine and recent; `Invalid` when such a report has no event. Null for a
   * provider that sends no reports.
   */
  readonly verifyReport:
    | ((report: SignedReport) => Effect.Effect<PaymentEvent, ReportRejected | Invalid>)
    | null;
  /** Null for a provider that is sent orders one by one. */
  readonly files: BankFormats | null;
  /** Events that the provider reports by itself, while a worker runs. Each may be reported more than once. */
  readonly events: Stream.Stream<PaymentEvent>;
}

/** A provider with these parts. By default it pays to IBANs in any currency, refuses no payment, has no status of orders, and reports by calls of the host. */
export const provider = (
  parts: Pick<PaymentProviderService, "send"> & Partial<PaymentProviderService>,
): PaymentProviderService => ({
  name: "host",
  takes: [{ type: "iban", currencies: "*" }],
  problem: () => null,
  accountProblem: () => null,
  status: () => Effect.succeed({ type: "unknown" }),
  verifyReport: null,
  files: null,
  events: Stream.empty,
  ...parts,
});

const bankAccountProblem = (
  provider: PaymentProviderService | null,
  account: BankAccount | null,
): string | null =>
  account === null
    ? null
    : (accountProblem({ iban: account.iban, bic: account.bic === "" ? null : account.bic }) ??
      provider?.accountProblem(account) ??
      null);

const NAMES: Readonly<Record<PayoutType, string>> = {
  iban: "IBANs",
  us_ach: "accounts in the United States",
  uk: "accounts in the United Kingdom",
  email: "e-mail addresses",
  custom: "custom accounts",
};

/** Why nothing could be paid to an account by a provider or by any, as text for people, or null. */
export const payoutProblem = (provider: PaymentProviderService | null, payee: Payee): string | null => {
  const problem = bankAccountProblem(provider, bankAccountOf(payee));
  return problem !== null || provider === null || provider.takes.some(({ type }) => type === payee.type)
    ? problem
    : `the payout provider ${provider.name} does not pay to ${NAMES[payee.type]}`;
};

/** Why a provider could never make a payment, or null. */
export const paymentProblem = (provider: PaymentProviderService | null, payment: Payment): string | null => {
  const { account, currency } = payment;
  const problem = payoutProblem(provider, account);
  if (problem !== null || provider === null) return problem;
  const takes = provider.takes.some(
    ({ type, currencies }) => type === account.type && (currencies === "*" || currencies.includes(currency)),
  );
  return takes
    ? provider.problem(payment)
    : `the payout provider ${provider.name} does not pay to ${NAMES[account.type]} in ${currency}`;
};

/** The provider; null, the default, means that settlements are paid outside. */
export class PaymentProvider extends Context.Reference<PaymentProvider>()("quittance/ports/PaymentProvider", {
  defaultValue: (): PaymentProviderService | null => null,
}) {}
