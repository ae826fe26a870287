/** Payment files: collects initiated payments into files that a person sends to a bank, and reads the bank's statements. */
import { Effect } from "effect";
import type { CalendarDate } from "../domain/CalendarDate.ts";
import type { Currency } from "../domain/Currency.ts";
import { personOf } from "../domain/Event.ts";
import { PaymentFileId } from "../domain/Ids.ts";
import { LEFT_OUT_MAX } from "../domain/Limits.ts";
import * as PaymentFile from "../domain/PaymentFile.ts";
import { isErasedAccount } from "../domain/PersonalData.ts";
import type { Principal } from "../domain/Principal.ts";
import { conflict, invalid } from "../domain/Refusal.ts";
import { IdSource } from "../ports/IdSource.ts";
import { PaymentProvider } from "../ports/Payments.ts";
import { type Change, type Listed, type Records, type Settling, Storage } from "../ports/Storage.ts";
import { authorizeCustomer, type Failure, validate } from "./commands/Access.ts";
import { type ListInput, type Listing, listOf } from "./commands/Listing.ts";
import {
  type CommandOptions,
  type Execution,
  noEffect,
  Pipeline,
  type Replayed,
} from "./commands/Pipeline.ts";
import { Policies } from "./commands/Policies.ts";
import * as Save from "./commands/Save.ts";
import { collectWaiting, type File, findFile, pairsOf, payerOf } from "./settlements/FilePayments.ts";
import { transition } from "./settlements/Transition.ts";
import {
  type ByFiles,
  filePayment,
  isInFlight,
  isRetired,
  type LeftOut,
  nothingToPay,
  type Pair,
  requireAccounts,
  requireUnchanged,
} from "./settlements/WaitingPayments.ts";

/** A file that was created, and the payments that wait and that no format can pay, at most 100. */
export interface CreatedFile {
  readonly id: PaymentFileId;
  readonly leftOut: ReadonlyArray<LeftOut>;
}

/** A file as a bank takes it. */
export interface PaymentFileBytes {
  readonly fileName: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

const failStale = (explanation: string) => Effect.fail(conflict("payment_file_stale", explanation));

/** The day on which the bank carries a file out: the requested one, or the next that it can. */
const executionDateOf = (
  currency: Currency,
  requested: CalendarDate | undefined,
  now: number,
): Effect.Effect<CalendarDate, Failure> => {
  if (requested === undefined) return Effect.succeed(PaymentFile.defaultExecutionDate(currency, now));
  const problem = PaymentFile.executionDateProblem(currency, requested, now);
  return problem === null ? Effect.succeed(requested) : Effect.fail(invalid("execution_date", problem));
};

/** Fails when the settlement of a payment no longer awaits it, unless the file was handed over. */
const checkFresh = (file: File, pairs: ReadonlyArray<Pair>): Effect.Effect<void, Failure> => {
  if (file.discardedAt !== null) return failStale("the file was discarded");
  const ended = pairs.find((pair) => !isInFlight(pair));
  const retired = pairs.find(isRetired);
  if (ended === undefined && retired !== undefined)
    return failStale(
      `the payout account of settlement ${retired.settlement.id} was retired; discard the file, and choose another account for the settlement`,
    );
  return ended === undefined
    ? Effect.void
    : failStale(
        `settlement ${ended.settlement.id} no longer waits for this payment; it is in ${ended.settlement.status.type}`,
      );
};

const make = Effect.gen(function* () {
  const storage: Records & Settling = yield* Storage;
  const ids = yield* IdSource;
  const pipeline = yield* Pipeline;
  const policy = yield* Policies;
  const provider = yield* PaymentProvider;

  /** The formats of the provider; a conflict when it does not pay by files. */
  const byFiles: Effect.Effect<ByFiles, Failure> =
    provider?.files == null
      ? Effect.fail(conflict("payout_unavailable", PaymentFile.FILES_OFF))
      : Effect.succeed({ name: provider.name, files: provider.files });

  const create = (
    principal: Principal,
    input: PaymentFile.Create = {},
    options: CommandOptions = {},
  ): Effect.Effect<CreatedFile & Replayed, Failure> =>
    Effect.gen(function* () {
      const customerId = yield* authorizeCustomer(principal, "create payment file");
      const request = yield* validate(PaymentFile.Create)(input);
      const created = pipeline.run(customerId, principal, options, (execution) =>
        Effect.gen(function* () {
          const provider = yield* byFiles;
          const { chosen, ended, retired, leftOut } = yield* collectWaiting(storage, customerId, provider);
          if (chosen === null) return yield* nothingToPay(retired, leftOut);
          const { format, currency, live, sum } = chosen;
          const executionDate = yield* executionDateOf(currency, request.executionDate, execution.at);
          const payer = yield* payerOf(storage, customerId, format);
          const id = yield* ids.next(PaymentFileId);
          const saved = Save.flat("paymentFile", execution, {
            ...{ id, customerId, executionDate, currency, count: live.length, sum, format: format.name },
            ...{
              createdAt: execution.at,
              createdBy: personOf(execution),
              handedOverAt: null,
              discardedAt: null,
            },
            ...payer,
          });
          const put = ({ payment }: Pair, fileId: PaymentFileId | null): Change =>
            Save.flat("bankPayment", execution, { ...payment, fileId, isWaiting: false });
          return {
            result: { id, leftOut: leftOut.slice(0, LEFT_OUT_MAX) },
            requires: [...[...live, ...ended].map(requireUnchanged), ...requireAccounts(live)],
            changes: [saved, ...live.map((pair) => put(pair, id)), ...ended.map((pair) => put(pair, null))],
          };
        }),
      );
      // A result that an older release has stored under the idempotency key names none.
      return yield* Effect.map(created, (result) => ({ ...result, leftOut: result.leftOut ?? [] }));
    });

  const list = (
    principal: Principal,
    input: ListInput<"paymentFile"> = {},
  ): Effect.Effect<Listing<Listed["paymentFile"]>, Failure> =>
    listOf(storage, principal, "paymentFile", input);

  const read = (principal: Principal, id: PaymentFileId): Effect.Effect<PaymentFileBytes, Failure> =>
    Effect.gen(function* () {
      const customerId = yield* authorizeCustomer(principal, "list payment files");
      const file = yield* findFile(storage, customerId, id);
      const pairs = yield* pairsOf(storage, customerId, id);
      if (file.handedOverAt === null || file.discardedAt !== null) yield* checkFresh(file, pairs);
      if (pairs.some(({ payment }) => isErasedAccount(payment)))
        return yield* failStale("accounts in the file were erased");
      const { files } = yield* byFiles;
      const format = files.formatOf(file.format);
      if (format === null)
        return yield* conflict("payout_unavailable", `files in ${file.format} cannot be written here`);
      const { write, mediaType, extension } = format;
      return {
        fileName: `payments-${file.executionDate}-${id}.${extension}`,
        mediaType,
        bytes: write(file, pairs.map(filePayment)),
      };
    });

  /** The settlements of a file know that the bank has their payments. */
  const handOverPayments = (execution: Execution, file: File, pairs: ReadonlyArray<Pair>) => {
    const executionDate = PaymentFile.executionDateFrom(file.executionDate, execution.at);
    const saves = Effect.forEach(pairs, ({ payment, settlement }) => {
      const command = {
        type: "hand_over_payment",
        paymentReference: payment.id,
        paymentFileId: file.id,
        executionDate,
      } as const;
      return Effect.map(transition(execution, settlement, { command, policy }), ({ changes }) => changes);
    });
    return Effect.map(saves, (changes) => changes.flat());
  };

  const handOver = (
    principal: Principal,
    id: PaymentFileId,
    options: CommandOptions = {},
  ): Effect.Effect<Replayed, Failure> =>
    Effect.gen(function* () {
      const customerId = yield* authorizeCustomer(principal, "hand over payment file");
      return yield* pipeline.run(customerId, principal, options, (execution) =>
        Effect.gen(function* () {
          const file = yield* findFile(storage, customerId, id);
          if (file.handedOverAt !== null && file.discardedAt === null) return noEffect({});
          const pairs = yield* pairsOf(storage, customerId, id);
          yield* checkFresh(file, pairs);
          const settlements = yield* handOverPayments(execution, file, pairs);
          return {
            result: {},
            requires: requireAccounts(pairs),
            changes: [
              Save.flat("paymentFile", execution, {
                ...file,
                ...{ handedOverAt: execution.at, handedOverBy: personOf(execution) },
              }),
              ...settlements,
            ],
          };
        }),
      );
    });

  /** Fails every payment of a file that is under way. */
  const failPayments = (execution: Execution, pairs: ReadonlyArray<Pair>, reason: string) =>
    Effect.forEach(pairs.filter(isInFlight), ({ payment, settlement }) => {
      const command = { type: "fail_payment", paymentReference: payment.id, reason } as const;
      return Effect.map(transition(execution, settlement, { command, policy }), ({ changes }) => changes);
    });

  const discard = (
    principal: Principal,
    id: PaymentFileId,
    input: PaymentFile.Discard,
    options: CommandOptions = {},
  ): Effect.Effect<Replayed, Failure> =>
    Effect.gen(function* () {
      const customerId = yield* authorizeCustomer(principal, "discard payment file");
      const { reason } = yield* validate(PaymentFile.Discard)(input);
      return yield* pipeline.run(customerId, principal, options, (execution) =>
        Effect.gen(function* () {
          const file = yield* findFile(storage, customerId, id);
          if (file.discardedAt !== null) return noEffect({});
          const pairs = yield* pairsOf(storage, customerId, id);
          const changes = yield* failPayments(execution, pairs, reason);
          return {
            result: {},
            requires: [],
            changes: [
              Save.flat("paymentFile", execution, {
                ...file,
                ...{ discardedAt: execution.at, discardedBy: personOf(execution) },
              }),
              ...changes.flat(),
            ],
          };
        }),
      );
    });

  return {
    /**
     * Puts initiated payments that wait for a file into a new one, at most 1,000, the oldest first: those that go into the same format, in
     * the same currency, as the oldest one. Call it again for the others. It is to be executed on the given business day, or on the next
     * one. `leftOut` names payments that no format can pay, and why.
     */
    create,
    /** One page of the customer's files. */
    list,
    /**
     * The file as the bank takes it, in the format in which it was created; the same bytes each time. A conflict while it was not handed over and one of its
     * settlements no longer waits for the payment, and after it was discarded.
     */
    read,
    /**
     * Marks the file as handed over to the bank; a conflict when one of its settlements no longer waits for the
     * payment. A file that was handed over before stays as it is.
     */
    handOver,
    /**
     * Gives a file up: the bank has not got it, or has refused all of it. Its payments that are under way fail, so that each
     * can be initiated again under a new reference.
     */
    discard,
  };
});

export class PaymentFiles extends Effect.Service<PaymentFiles>()("quittance/services/PaymentFiles", {
  effect: make,
}) {}
