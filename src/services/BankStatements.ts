/** Bank statements: what a bank booked confirms, returns and reconciles the payments of payment files, and what it rejected fails. */
import { Array as Arrays, Effect, Either } from "effect";
import { decide, type Outcome, type StatementBooking } from "../domain/BankBooking.ts";
import type { CustomerId, PaymentFileId, PaymentReference } from "../domain/Ids.ts";
import { FILE_PAYMENTS_MAX } from "../domain/Limits.ts";
import * as PaymentFile from "../domain/PaymentFile.ts";
import type { Principal } from "../domain/Principal.ts";
import { conflict, invalid } from "../domain/Refusal.ts";
import { PaymentProvider } from "../ports/Payments.ts";
import { type Records, type Settling, Storage, type Versioned } from "../ports/Storage.ts";
import { authorizeCustomer, type Failure } from "./commands/Access.ts";
import { type CommandOptions, noEffect, Pipeline, type Replayed } from "./commands/Pipeline.ts";
import { Policies } from "./commands/Policies.ts";
import * as Save from "./commands/Save.ts";
import { withReferences } from "./settlements/EntryReferences.ts";
import { transitionAll } from "./settlements/Transition.ts";

type Movement = PaymentFile.Movement;
type File = Versioned<PaymentFile.PaymentFile>;
type Payment = Versioned<PaymentFile.BankPayment>;

/** A movement that did not fit, and why. */
export interface Unmatched extends Omit<Movement, "batch" | "reason" | "isDuplicate" | "entry" | "isNotice"> {
  readonly reason: PaymentFile.UnmatchedReason;
  /** Why the bank returned or rejected the payment, or what it reports about it; absent where it states nothing, and of other business on the account. */
  readonly explanation?: string;
}

/** What a statement changed, in settlements, and the movements that a person should look at. */
export interface StatementResult {
  readonly confirmed: number;
  readonly returned: number;
  readonly reconciled: number;
  readonly failed: number;
  /** In the order of the statement. */
  readonly unmatched: ReadonlyArray<Unmatched>;
}

/** An uploaded statement. */
export interface StatementUpload {
  /** The caller's name of the file; it has no effect. */
  readonly fileName: string;
  /** 1 byte to the policy's `uploadBytesMax`, 10 MiB by default. */
  readonly bytes: Uint8Array;
}

/** A booking of a payment, with the index of its movement in the statement. */
interface Matched {
  readonly index: number;
  readonly payment: Payment;
  readonly booking: StatementBooking;
}

/** A movement that no payment fits, with its index in the statement. */
interface LeftOver {
  readonly index: number;
  readonly reason: PaymentFile.UnmatchedReason;
}

/** A movement of an account, with its index in the statement. */
interface IndexedMovement {
  readonly index: number;
  /** The index of the account's report in the statement. */
  readonly report: number;
  readonly iban: string | null;
  readonly isFinal: boolean;
  readonly isReturnFile?: true;
  readonly movement: Movement;
}

/** Payments that are applied at the same time, and ids of one read. */
const CONCURRENCY = 4;
const CHUNK = 500;

const chunksOf = <Value>(values: ReadonlyArray<Value>): ReadonlyArray<ReadonlyArray<Value>> =>
  Array.from({ length: Math.ceil(values.length / CHUNK) }, (_, index) =>
    values.slice(index * CHUNK, (index + 1) * CHUNK),
  );

const distinct = (texts: ReadonlyArray<string | null>): ReadonlyArray<string> => [
  ...new Set(texts.filter((text) => text !== null)),
];

/** The payment file that a movement may book as a sum. Some banks state its id in the place of an end-to-end id. */
const batchIdOf = ({ batch, endToEndId }: Movement): string | null =>
  PaymentFile.uuidOf(batch?.id ?? endToEndId);

const KINDS = { debit: "debit", credit: "return", rejected: "rejection" } as const;

const bookingOf = ({ movement, isFinal }: IndexedMovement): StatementBooking => ({
  kind: KINDS[movement.direction],
  entry: PaymentFile.entryOf(movement),
  isFinal,
  bankReference: movement.bankReference,
  reason: movement.reason,
});

/** The payments that a rejection fails; none if the bank refuses only the second upload of what it carries out. */
const refused = ({ isDuplicate }: Movement, payments: ReadonlyArray<Payment>) =>
  isDuplicate === true ? Either.left("duplicate" as const) : Either.right(payments);

/**
 * The booking of a payment by a movement. What one report states twice are two bookings, also where the bank gives them no
 * references: `counts` has how many there were.
 */
const bookedBy = (
  counts: Map<string, number>,
  payment: Payment,
  indexedMovement: IndexedMovement,
): Matched => {
  const booking = bookingOf(indexedMovement);
  const { index, report } = indexedMovement;
  const key = `${payment.id} ${report} ${booking.kind} ${booking.entry}`;
  const count = (counts.get(key) ?? 0) + 1;
  counts.set(key, count);
  const entry = count === 1 ? booking.entry : `${booking.entry} (${count})`;
  return { index, payment, booking: { ...booking, entry } };
};

const make = Effect.gen(function* () {
  const storage: Records & Settling = yield* Storage;
  const pipeline = yield* Pipeline;
  const policy = yield* Policies;
  const provider = yield* PaymentProvider;

  const findAll = <Kind extends "bankPayment" | "paymentFile">(
    customerId: CustomerId,
    kind: Kind,
    ids: ReadonlyArray<string>,
  ) =>
    Effect.map(
      Effect.forEach(chunksOf(ids), (chunk) => storage.find(customerId, kind, chunk)),
      (found) => found.flat(),
    );

  /** The payments of the customer that a statement names, and their files. */
  const load = (customerId: CustomerId, indexed: ReadonlyArray<IndexedMovement>) =>
    Effect.gen(function* () {
      const references = distinct(indexed.map(({ movement }) => PaymentFile.uuidOf(movement.endToEndId)));
      const payments = yield* findAll(customerId, "bankPayment", references);
      const known = new Set<string>(payments.map(({ id }) => id));
      const named = new Set(
        distinct(indexed.map(({ movement }) => batchIdOf(movement))).filter((id) => !known.has(id)),
      );
      const fileIds = distinct([...named, ...payments.map(({ fileId }) => fileId)]);
      const files = yield* findAll(customerId, "paymentFile", fileIds);
      const batches = yield* Effect.forEach(
        files.filter(({ id }) => named.has(id)),
        (file) =>
          Effect.map(
            storage.bankPayments(customerId, file.id, FILE_PAYMENTS_MAX),
            (own) => [file.id, own] as const,
          ),
      );
      return {
        payments: new Map<string, Payment>(payments.map((payment) => [payment.id, payment])),
        files: new Map<string, File>(files.map((file) => [file.id, file])),
        batches: new Map<string, ReadonlyArray<Payment>>(batches),
      };
    });
  type Loaded = Effect.Effect.Success<ReturnType<typeof load>>;

  /**
   * The payments of a batch that was booked as a sum: those of its file, with or without those that the bank has rejected,
   * whose sum is the booking's, and their number where it is stated.
   */
  const batchOf = ({ iban, movement }: IndexedMovement, { files, batches }: Loaded) => {
    const file = files.get(batchIdOf(movement) ?? "");
    if (file === undefined) return Either.left("unknown_reference" as const);
    // The bank has taken a booking of the file back, which may have been one too many.
    if (movement.direction === "credit") return Either.left("unexpected" as const);
    const all = batches.get(file.id) ?? [];
    if (movement.direction === "rejected") return refused(movement, all);
    const { count } = movement.batch ?? { count: null };
    const problemOf = (payments: ReadonlyArray<Payment>) => {
      const amount = payments.reduce((sum, payment) => sum + payment.amount, 0);
      const currency = all[0]?.currency ?? movement.currency;
      const problem = PaymentFile.mismatch(
        movement,
        { amount, currency } as Payment,
        iban,
        file.debtor?.iban ?? null,
      );
      return problem ?? (count === null || count === payments.length ? null : ("other_amount" as const));
    };
    const problem = problemOf(all);
    const accepted = all.filter((payment) => !PaymentFile.isRejected(payment));
    if (problem === null) return Either.right(all);
    return problemOf(accepted) === null ? Either.right(accepted) : Either.left(problem);
  };

  /** The payments that a movement books, or why there are none. */
  const match = (
    indexed: IndexedMovement,
    loaded: Loaded,
  ): Either.Either<ReadonlyArray<Payment>, PaymentFile.UnmatchedReason> => {
    const { iban, movement } = indexed;
    if (movement.isNotice === true) return Either.left("notice");
    const payment = loaded.payments.get(PaymentFile.uuidOf(movement.endToEndId) ?? "");
    if (payment === undefined) return batchOf(indexed, loaded);
    const file = loaded.files.get(payment.fileId ?? "");
    if (file === undefined) return Either.left("unexpected");
    if (movement.direction === "rejected") return refused(movement, [payment]);
    const problem = PaymentFile.mismatch(movement, payment, iban, file.debtor?.iban ?? null);
    return problem === null ? Either.right([payment]) : Either.left(problem);
  };

  /** Applies a booking in one commit; more than one when the payment has to be confirmed before it is returned. */
  const apply = (
    principal: Principal,
    customerId: CustomerId,
    reference: PaymentReference,
    booking: StatementBooking,
  ): Effect.Effect<Outcome, Failure> =>
    Effect.gen(function* () {
      const { outcome, isUnfinished } = yield* pipeline.run(customerId, principal, {}, (execution) =>
        Effect.gen(function* () {
          const [payment] = yield* storage.find(customerId, "bankPayment", [reference]);
          if (payment === undefined) return yield* Effect.dieMessage("a bank payment is missing");
          const { settlementId } = payment;
          const [settlement] = yield* storage.find(customerId, "settlement", [settlementId]);
          if (settlement === undefined) return yield* Effect.dieMessage("a settlement is never removed");
          const heldByOthers =
            booking.kind === "return" ? yield* storage.heldByOtherSettlements(customerId, settlementId) : [];
          const decision = decide(payment, settlement, booking, heldByOthers);
          const { changes, outbox, onStored } = yield* transitionAll(
            execution,
            settlement,
            decision.commands,
            policy,
          );
          const { kind, entry, isFinal } = booking;
          const bookings = [...payment.bookings, { kind, entry, isFinal }];
          const noted = decision.isNoted
            ? [Save.flat("bankPayment", execution, { ...payment, bookings })]
            : [];
          const { id, version } = settlement;
          return {
            result: { outcome: decision.outcome, isUnfinished: decision.isUnfinished },
            requires:
              noted.length > 0 ? [{ type: "record" as const, kind: "settlement" as const, id, version }] : [],
            changes: [...changes, ...noted],
            outbox,
            onStored,
          };
        }),
      );
      if (!isUnfinished) return outcome;
      const rest = yield* apply(principal, customerId, reference, booking);
      return { ...rest, confirmed: rest.confirmed + outcome.confirmed };
    });

  /** A file that the bank has rejected as a whole, and whose payments have failed, is not handed over again. */
  const discard = (principal: Principal, customerId: CustomerId, id: PaymentFileId) =>
    pipeline.run(customerId, principal, {}, (execution) =>
      Effect.map(storage.find(customerId, "paymentFile", [id]), ([file]) =>
        file === undefined || file.discardedAt !== null
          ? noEffect({})
          : {
              result: {},
              requires: [],
              changes: [Save.flat("paymentFile", execution, { ...file, discardedAt: execution.at })],
            },
      ),
    );

  const applyStatement = (
    principal: Principal,
    customerId: CustomerId,
    statement: PaymentFile.BankStatement,
  ): Effect.Effect<StatementResult, Failure> =>
    Effect.gen(function* () {
      const { accounts } = yield* withReferences(storage, customerId, statement);
      const indexed = accounts
        .flatMap(({ movements, ...account }, report) =>
          movements.map((movement) => ({ ...account, report, movement })),
        )
        .map((item, index) => ({ ...item, index }));
      const loaded = yield* load(customerId, indexed);
      const leftOver: Array<LeftOver> = [];
      const matched: Array<Matched> = [];
      const counts = new Map<string, number>();
      for (const one of indexed) {
        const found = match(one, loaded);
        if (Either.isLeft(found)) leftOver.push({ index: one.index, reason: found.left });
        else for (const payment of found.right) matched.push(bookedBy(counts, payment, one));
      }
      const sum = { confirmed: 0, returned: 0, reconciled: 0, failed: 0 };
      // A settlement whose first payment failed has another: their bookings are applied in the order of the statement.
      const bySettlement = Arrays.groupBy(matched, ({ payment }) => payment.settlementId);
      yield* Effect.forEach(
        Object.values(bySettlement),
        (bookings) =>
          Effect.forEach(bookings, ({ payment, index, booking }) =>
            Effect.map(apply(principal, customerId, payment.id, booking), (outcome) => {
              sum.confirmed += outcome.confirmed;
              sum.returned += outcome.returned;
              sum.reconciled += outcome.reconciled;
              sum.failed += outcome.failed;
              if (outcome.unmatched !== null) leftOver.push({ index, reason: outcome.unmatched });
            }),
          ),
        { concurrency: CONCURRENCY, discard: true },
      );
      for (const { movement } of indexed) {
        const isRefused = movement.direction === "rejected" && movement.isDuplicate !== true;
        const file = isRefused ? loaded.files.get(batchIdOf(movement) ?? "") : null;
        if (file != null) yield* discard(principal, customerId, file.id);
      }
      const unmatched = leftOver
        .toSorted((a, b) => a.index - b.index)
        .flatMap(({ index, reason }) => {
          const found = indexed[index];
          if (found === undefined) return [];
          const {
            batch,
            reason: words,
            isDuplicate: _,
            entry: __,
            isNotice: ___,
            ...movement
          } = found.movement;
          const isOurs =
            reason !== "unknown_reference" ||
            movement.direction === "rejected" ||
            found.isReturnFile === true;
          const explanation = words === null || !isOurs ? {} : { explanation: words };
          return [
            { ...movement, endToEndId: movement.endToEndId ?? batch?.id ?? null, reason, ...explanation },
          ];
        });
      return { ...sum, unmatched };
    });

  const upload = (
    principal: Principal,
    file: StatementUpload,
    options: CommandOptions = {},
  ): Effect.Effect<StatementResult & Replayed, Failure> =>
    Effect.gen(function* () {
      const { bytes } = file;
      const customerId = yield* authorizeCustomer(principal, "read bank statement");
      if (bytes.length === 0) return yield* invalid("file", "must not be empty");
      if (bytes.length > policy.uploadBytesMax)
        return yield* invalid("file", `must have at most ${policy.uploadBytesMax} bytes`);
      if (provider?.files == null) return yield* conflict("payout_unavailable", PaymentFile.FILES_OFF);
      const statement = yield* provider.files.read(bytes);
      return yield* pipeline.run(customerId, principal, options, () =>
        Effect.map(applyStatement(principal, customerId, statement), (result) => ({
          result,
          requires: [],
          changes: [],
        })),
      );
    });

  return {
    /**
     * Applies the bookings of a statement to the payments of the customer's files, each in a commit of its own: a debit confirms,
     * a credit returns, an end-of-day statement also reconciles, and a rejection fails. What was applied before has no second effect, so that a
     * statement can be read again. A statement that cannot be read changes nothing.
     */
    upload,
  };
});

export class BankStatements extends Effect.Service<BankStatements>()("quittance/services/BankStatements", {
  effect: make,
}) {}
