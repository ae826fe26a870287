/** What payment files read: files, the payments in them and those that wait, and who pays. */
import { Effect } from "effect";
import type { BillingProfile } from "../../domain/BillingProfile.ts";
import type { CustomerId, PaymentFileId } from "../../domain/Ids.ts";
import { FILE_PAYMENTS_MAX } from "../../domain/Limits.ts";
import type * as PaymentFile from "../../domain/PaymentFile.ts";
import { type Conflict, conflict, missing } from "../../domain/Refusal.ts";
import { type FileFormat, payerProblem } from "../../ports/Payments.ts";
import type { Records, Settling, Versioned } from "../../ports/Storage.ts";
import type { Failure } from "../commands/Access.ts";
import { type ByFiles, type Pair, type Sorted, sortWaiting } from "./WaitingPayments.ts";

export type File = Versioned<PaymentFile.PaymentFile>;

/** Rows of a kind by their ids. */
const rowsOf = <Name extends "settlement" | "partner">(
  storage: Records,
  customerId: CustomerId,
  kind: Name,
  ids: ReadonlyArray<string>,
) =>
  Effect.map(
    ids.length === 0 ? Effect.succeed([]) : storage.find(customerId, kind, [...new Set(ids)]),
    (found) => new Map(found.map((row) => [row.id as string, row])),
  );

const withSettlements = (
  storage: Records,
  customerId: CustomerId,
  payments: ReadonlyArray<Pair["payment"]>,
) =>
  Effect.gen(function* () {
    const settlementIds = payments.map(({ settlementId }) => settlementId);
    const settlements = yield* rowsOf(storage, customerId, "settlement", settlementIds);
    const partnerIds = [...settlements.values()].map(({ partnerId }) => partnerId);
    const partners = yield* rowsOf(storage, customerId, "partner", partnerIds);
    return payments.flatMap((payment): ReadonlyArray<Pair> => {
      const settlement = settlements.get(payment.settlementId);
      if (settlement === undefined) return [];
      return [{ payment, settlement, partner: partners.get(settlement.partnerId) }];
    });
  });

/** A payment file of a customer. */
export const findFile = (
  storage: Records,
  customerId: CustomerId,
  id: PaymentFileId,
): Effect.Effect<File, Failure> =>
  Effect.flatMap(storage.find(customerId, "paymentFile", [id]), ([file]) =>
    file === undefined ? Effect.fail(missing("payment file")) : Effect.succeed(file),
  );

/** The payments of a file, with their settlements and partners. */
export const pairsOf = (storage: Records & Settling, customerId: CustomerId, id: PaymentFileId) =>
  Effect.flatMap(storage.bankPayments(customerId, id, FILE_PAYMENTS_MAX), (payments) =>
    withSettlements(storage, customerId, payments),
  );

/** The payments that wait, as far as a full file needs them. */
export const collectWaiting = (
  storage: Records & Settling,
  customerId: CustomerId,
  byFiles: ByFiles,
): Effect.Effect<Sorted, Failure> =>
  Effect.gen(function* () {
    let leftCount = 0;
    for (;;) {
      const found = yield* storage.bankPayments(customerId, null, FILE_PAYMENTS_MAX + leftCount);
      const pairs = yield* withSettlements(storage, customerId, found);
      const sorted = sortWaiting(byFiles, pairs);
      const live = sorted.chosen?.live.length ?? 0;
      const count = pairs.length - live;
      if (live === FILE_PAYMENTS_MAX || count === leftCount) return sorted;
      leftCount = count;
    }
  });

/** The account that pays; null where the format states none. */
const debtorOf = (
  profile: BillingProfile | undefined,
  format: FileFormat,
): Effect.Effect<PaymentFile.Debtor | null, Conflict> => {
  if (format.payerProblem === null) return Effect.succeed(null);
  const account = profile?.bankAccount;
  if (profile === undefined || account === undefined)
    return conflict("payout_unavailable", "the billing profile has no bank_account to pay from");
  const problem = payerProblem(format, account);
  return problem === null
    ? Effect.succeed({ ...account, address: profile.address })
    : conflict("payout_unavailable", `bank_account of the billing profile: ${problem}`);
};

/** Who pays, as a file in a format states it. */
export const payerOf = (storage: Records, customerId: CustomerId, format: FileFormat) =>
  Effect.gen(function* () {
    const [profile] = yield* storage.find(customerId, "billingProfile", [customerId]);
    const debtor = yield* debtorOf(profile, format);
    if (profile === undefined)
      return yield* conflict("payout_unavailable", "there is no billing profile with the name of the payer");
    const parameters = format.parameters(profile);
    return { debtor, ...(Object.keys(parameters).length === 0 ? {} : { parameters }) };
  });
