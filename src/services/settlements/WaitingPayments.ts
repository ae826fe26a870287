/** The payments that wait for a payment file: which of them go into one, and why others do not. */
import { Effect, Either } from "effect";
import type { PartnerId, SettlementId } from "../../domain/Ids.ts";
import { FILE_PAYMENTS_MAX } from "../../domain/Limits.ts";
import type { Amount } from "../../domain/Money.ts";
import type { Partner } from "../../domain/Partner.ts";
import { isStillConfirmed } from "../../domain/PartnerAccounts.ts";
import * as PaymentFile from "../../domain/PaymentFile.ts";
import { conflict } from "../../domain/Refusal.ts";
import type { Settlement } from "../../domain/Settlement.ts";
import { type BankFormats, type FileFormat, formatFor } from "../../ports/Payments.ts";
import type { Requirement, Versioned } from "../../ports/Storage.ts";

type Payment = Versioned<PaymentFile.BankPayment>;

/** A payment with its settlement and its partner. */
export interface Pair {
  readonly payment: Payment;
  readonly settlement: Versioned<Settlement>;
  readonly partner: Versioned<Partner> | undefined;
}

/** A payment that no format can pay, and why. */
export interface LeftOut {
  readonly settlementId: SettlementId;
  readonly partnerId: PartnerId;
  readonly reason: string;
}

/** True if the attempt is still under way: its settlement waits for exactly this payment. */
export const isInFlight = ({ payment, settlement }: Pair): boolean =>
  settlement.status.type === "payment_initiated" && settlement.paymentReference === payment.id;

/** True if the account of the payment was retired after the payment was initiated. */
export const isRetired = ({ partner, settlement }: Pair): boolean =>
  partner !== undefined && !isStillConfirmed(partner, settlement.approval);

/** That the accounts of payments stay as they were read. */
export const requireAccounts = (pairs: ReadonlyArray<Pair>): ReadonlyArray<Requirement> => {
  const partners = new Map(pairs.map(({ partner }) => [partner?.id, partner]));
  return [...partners.values()].flatMap((partner) =>
    partner === undefined
      ? []
      : { type: "record" as const, kind: "partner" as const, id: partner.id, version: partner.version },
  );
};

export const requireUnchanged = ({ settlement: { id, version } }: Pair): Requirement => ({
  type: "record",
  kind: "settlement",
  id,
  version,
});

/** A payment as a file states it, with the address of the approval. */
export const filePayment = ({ payment, settlement }: Pair): PaymentFile.FilePayment => ({
  ...payment,
  ...PaymentFile.payeeAddress(settlement),
});

const CHOOSE = "its payout account was retired; choose another one for the settlement";

/** The payments from the first on that fit into one file, and their sum. */
const fill = (pairs: ReadonlyArray<Pair>, sumMax: number = Number.MAX_SAFE_INTEGER) => {
  const live: Array<Pair> = [];
  let sum = 0;
  for (const pair of pairs.slice(0, FILE_PAYMENTS_MAX)) {
    // Both are safe integers; their sum is compared before it is one.
    if (pair.payment.amount > sumMax - sum) break;
    sum += pair.payment.amount;
    live.push(pair);
  }
  return { live, sum };
};

/** Why there is no payment to put into a file. */
export const nothingToPay = ([retired]: ReadonlyArray<Pair>, [leftOut]: ReadonlyArray<LeftOut>) => {
  if (retired !== undefined)
    return Effect.fail(conflict("payout_account", `settlement ${retired.settlement.id}: ${CHOOSE}`));
  return Effect.fail(
    conflict(
      "payout_unavailable",
      leftOut === undefined
        ? "no initiated payment waits for a file"
        : `settlement ${leftOut.settlementId} of partner ${leftOut.partnerId}: ${leftOut.reason}`,
    ),
  );
};

/** A provider that pays by files. */
export interface ByFiles {
  readonly name: string;
  readonly files: BankFormats;
}

/** The format in which a payment would be paid, or why in none. */
const formatOf = (byFiles: ByFiles, pair: Pair): Either.Either<FileFormat, LeftOut> => {
  const { payment, settlement } = pair;
  const account = PaymentFile.payeeOfPayment(payment);
  return Either.mapLeft(formatFor(byFiles, { ...filePayment(pair), account }), (reason) => ({
    ...{ settlementId: settlement.id, partnerId: settlement.partnerId, reason },
  }));
};

/** What a new file has. */
export interface Chosen {
  readonly format: FileFormat;
  readonly currency: PaymentFile.BankPayment["currency"];
  readonly live: ReadonlyArray<Pair>;
  readonly sum: Amount;
}

/** The payments that wait, by what becomes of them. */
export interface Sorted {
  /** Of the format and the currency of the oldest that can be paid, up to a full file; null where none can. */
  readonly chosen: Chosen | null;
  /** Those that no longer wait, because their settlement has moved on; they come into no file. */
  readonly ended: ReadonlyArray<Pair>;
  /** Those that wait until another account is chosen for their settlement. */
  readonly retired: ReadonlyArray<Pair>;
  readonly leftOut: ReadonlyArray<LeftOut>;
}

/** Sorts the payments that wait, the oldest first; those that it does not name wait for another file. */
export const sortWaiting = (byFiles: ByFiles, pairs: ReadonlyArray<Pair>): Sorted => {
  const ended = pairs.filter((pair) => !isInFlight(pair));
  const retired = pairs.filter((pair) => isInFlight(pair) && isRetired(pair));
  const found = pairs
    .filter((pair) => isInFlight(pair) && !isRetired(pair))
    .map((pair) => ({ pair, format: formatOf(byFiles, pair) }));
  const leftOut = found.flatMap(({ format }) => (Either.isLeft(format) ? [format.left] : []));
  const first = found.find(({ format }) => Either.isRight(format));
  if (first === undefined || Either.isLeft(first.format)) return { chosen: null, ended, retired, leftOut };
  const format = first.format.right;
  const { currency } = first.pair.payment;
  const alike = found.filter(
    (one) =>
      Either.isRight(one.format) && one.format.right === format && one.pair.payment.currency === currency,
  );
  const filled = fill(
    alike.map(({ pair }) => pair),
    format.sumMax,
  );
  return { chosen: { format, currency, ...filled }, ended, retired, leftOut };
};
