/** Payments: who sends the money. Without a provider, settlements are paid outside and marked as paid. */
import { Context, Data, Effect, Either, Option, Schema, Stream } from "effect";
import type { Currency } from "../domain/Currency.ts";
import { accountProblem } from "../domain/Iban.ts";
import type { CustomerId, PartnerId, SettlementId } from "../domain/Ids.ts";
import { PaymentReference } from "../domain/Ids.ts";
import { BANK_REFERENCE_MAX, REASON_MAX } from "../domain/Limits.ts";
import type { Amount } from "../domain/Money.ts";
import { PaidAmount, paidAmounts } from "../domain/PaidAmounts.ts";
import type { Address, BankAccount } from "../domain/Partner.ts";
import type { BankStatement, FilePayment, PaymentFile } from "../domain/PaymentFile.ts";
import { bankAccountOf, type Fields, type Payee, type PayoutType, payeeOf } from "../domain/PayoutDetails.ts";
import type { Invalid } from "../domain/Refusal.ts";
import { Text } from "../domain/Text.ts";

/** What is paid, to which account. */
export interface Payment {
  /** Total plus tax, positive, in the smallest unit. */
  readonly amount: Amount;
  readonly currency: Currency;
  /** The confirmed account of the approval, or the one that was chosen for the settlement since. */
  readonly account: Payee;
  /** The address of the payee, as the approval has it; absent where it has none. */
  readonly address?: Address;
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

/** What a confirmation may state beside the success: its name in reports, and how it is decoded. */
const DETAILS: Readonly<
  Record<"bankReference" | "fee" | "received", readonly [string, (value: unknown) => Option.Option<unknown>]>
> = {
  bankReference: ["bank_reference", Schema.decodeUnknownOption(Text(1, BANK_REFERENCE_MAX))],
  fee: ["fee", Schema.decodeUnknownOption(PaidAmount)],
  received: ["received", Schema.decodeUnknownOption(PaidAmount)],
};

/**
 * The confirmation of a payment that the engine has read, with what was stated beside it. That the money has left must not be lost
 * with a malformed detail, which nobody can send again: such a field is left out, and a warning names it. Null is a field's absence.
 */
export const confirmation = (
  paymentReference: PaymentReference,
  stated: { readonly [Field in keyof typeof DETAILS]?: unknown },
): Effect.Effect<PaymentFact> =>
  Effect.gen(function* () {
    const details: { [field: string]: unknown } = {};
    for (const field of ["bankReference", "fee", "received"] as const) {
      const value = stated[field] ?? null;
      if (value === null) continue;
      const [name, decode] = DETAILS[field];
      const decoded = decode(value);
      if (Option.isSome(decoded)) details[field] = decoded.value;
      else
        yield* Effect.annotateLogs(
          Effect.logWarning(`a confirmed payment has a malformed ${name}: it is left out`),
          {
            payment_reference: paymentReference,
          },
        );
    }
    return { type: "confirmed", paymentReference, ...details };
  });

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

/** Who pays by a file. */
export interface Payer {
  readonly legalName: string;
}

/** A format of payment files. */
export interface FileFormat {
  /** Each file keeps the name of the format in which it was created. */
  readonly name: string;
  /** The media type of files, and their extension without the dot. */
  readonly mediaType: string;
  readonly extension: string;
  /** The accounts that it pays to. It is asked about no other. */
  readonly takes: ReadonlyArray<Takes>;
  /** Why it can never pay to an account, as text for people that names the field, or null. */
  readonly accountProblem: (account: Payee) => string | null;
  /** Why it can never state a payment to an account without such a problem, as text for people, or null. */
  readonly problem: (payment: Payment) => string | null;
  /** Why it cannot pay from an account of the billing profile, or null; null in its place where files state no account of the payer. */
  readonly payerProblem: ((bankAccount: BankAccount) => string | null) | null;
  /** What files state of the payer beside its account; each file keeps its own. */
  readonly parameters: (payer: Payer) => Fields;
  /** The largest sum of a file, in the smallest unit; absent where it can be any that an amount can be. */
  readonly sumMax?: Amount;
  /** The bytes of a file; the same file gives the same bytes. */
  readonly write: (file: PaymentFile, payments: ReadonlyArray<FilePayment>) => Uint8Array;
}

/**
 * The formats of a provider that pays by files, which a person sends to a bank. The engine then collects initiated
 * payments itself and does not call `send` for them.
 */
export interface BankFormats {
  /** Those of new files: a payment goes into a file of the first that can pay it. */
  readonly formats: ReadonlyArray<FileFormat>;
  /** The format of a file by its name, also one that new files do not have; null for an unknown one. Files before names were recorded have none. */
  readonly formatOf: (
    name: string | undefined,
  ) => Pick<FileFormat, "mediaType" | "extension" | "write"> | null;
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

/** Why the form of an account is wrong, or null; those without an IBAN are checked when they are proposed. */
const formProblem = (payee: Payee): string | null => {
  const account = bankAccountOf(payee);
  return account === null
    ? null
    : accountProblem({ iban: account.iban, bic: account.bic === "" ? null : account.bic });
};

const NAMES: Readonly<Record<PayoutType, string>> = {
  iban: "IBANs",
  us_ach: "accounts in the United States",
  uk: "accounts in the United Kingdom",
  email: "e-mail addresses",
  custom: "custom accounts",
};

type Taking = Pick<FileFormat, "name" | "takes" | "accountProblem">;

/** Why one of some that take payments could not pay to an account: the reason of the first that takes its type. */
const takingProblem = (taking: ReadonlyArray<Taking>, payee: Payee): string | null => {
  const problems = taking
    .filter(({ takes }) => takes.some(({ type }) => type === payee.type))
    .map((one) => one.accountProblem(payee));
  return problems.includes(null) ? null : (problems[0] ?? null);
};

/** The formats of a provider that pays by files, and the provider itself of any other. */
const takingOf = (provider: PaymentProviderService): ReadonlyArray<Taking> => {
  if (provider.files !== null) return provider.files.formats;
  const accountProblem = (payee: Payee): string | null => {
    const account = bankAccountOf(payee);
    return account === null ? null : provider.accountProblem(account);
  };
  return [{ ...provider, accountProblem }];
};

/** Why nothing could be paid to an account by a provider or by any, as text for people, or null. */
export const payoutProblem = (provider: PaymentProviderService | null, payee: Payee): string | null => {
  const problem = formProblem(payee);
  if (problem !== null || provider === null) return problem;
  const taking = takingOf(provider);
  return taking.some(({ takes }) => takes.some(({ type }) => type === payee.type))
    ? takingProblem(taking, payee)
    : `the payout provider ${provider.name} does not pay to ${NAMES[payee.type]}`;
};

const takesPayment = ({ takes }: Taking, { account, currency }: Payment): boolean =>
  takes.some(
    ({ type, currencies }) => type === account.type && (currencies === "*" || currencies.includes(currency)),
  );

const notTaken = (provider: string, { account, currency }: Payment): string =>
  `the payout provider ${provider} does not pay to ${NAMES[account.type]} in ${currency}`;

/** The format in which a provider that pays by files pays; the reason of the first that takes the account and the currency where none can. */
export const formatFor = (
  { name, files }: { readonly name: string; readonly files: BankFormats },
  payment: Payment,
): Either.Either<FileFormat, string> => {
  const found = files.formats
    .filter((format) => takesPayment(format, payment))
    .map((format) => ({
      format,
      problem:
        formProblem(payment.account) ?? format.accountProblem(payment.account) ?? format.problem(payment),
    }));
  const able = found.find(({ problem }) => problem === null);
  return able === undefined
    ? Either.left(found[0]?.problem ?? notTaken(name, payment))
    : Either.right(able.format);
};

/** Why a provider could never make a payment, or null. */
export const paymentProblem = (provider: PaymentProviderService | null, payment: Payment): string | null => {
  const { account } = payment;
  const problem = payoutProblem(provider, account);
  if (problem !== null || provider === null) return problem;
  const { name, files } = provider;
  if (files !== null) return Option.getOrNull(Either.getLeft(formatFor({ name, files }, payment)));
  return takingOf(provider).some((taking) => takesPayment(taking, payment))
    ? provider.problem(payment)
    : notTaken(name, payment);
};

/** Why a format cannot pay from the account of the billing profile, or null. */
export const payerProblem = (
  { payerProblem: problemOf }: Pick<FileFormat, "payerProblem">,
  account: BankAccount,
): string | null => formProblem(payeeOf(account)) ?? problemOf?.(account) ?? null;

/** The provider; null, the default, means that settlements are paid outside. */
export class PaymentProvider extends Context.Reference<PaymentProvider>()("quittance/ports/PaymentProvider", {
  defaultValue: (): PaymentProviderService | null => null,
}) {}
