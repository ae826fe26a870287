/** The model of what a bank reports: which payments its bookings name, and what each of them does. */
import { endOf, type Movement, uuidOf } from "../../../domain/PaymentFile.ts";
import type { CommandOf } from "../Command.ts";
import { applyRules, baseRules, type Decision, type Prediction } from "../prediction/Prediction.ts";
import { isInFlight, isPaidBy, referenceOf, settlementOf, withPayments } from "../world/BankPayments.ts";
import { moveSettlement } from "../world/Lines.ts";
import type { BankPayment, Booking, PaymentFile } from "../world/PaymentFiles.ts";
import type { Settlement } from "../world/Settlements.ts";
import { dateOf } from "../world/Time.ts";
import type { World } from "../world/World.ts";
import { isReturnable, RETURNED_PAYMENT } from "./Actions.ts";
import { applyFact } from "./PaymentFacts.ts";
import { paymentsOf, withFile } from "./PaymentFiles.ts";

/** What became of a statement so far. */
interface Progress {
  readonly world: World;
  readonly confirmed: number;
  readonly returned: number;
  readonly reconciled: number;
  readonly failed: number;
  readonly unmatched: ReadonlyArray<readonly [index: number, reason: string]>;
}

/** A movement with its account, its report and its place in the statement. */
interface Placed {
  readonly index: number;
  readonly report: number;
  readonly iban: string | null;
  readonly isFinal: boolean;
  readonly movement: Movement;
}

/** The files and payments of the customer whose statement it is. */
interface Known {
  readonly files: ReadonlyArray<PaymentFile>;
  readonly payments: ReadonlyArray<BankPayment>;
}

/** True if a bank may have carried out a file, up to ten days late, on the day that it states, or on one in 70 days before it reports. */
const isDayOf = ({ executionDate }: PaymentFile, day: string | null, reported: string | null): boolean =>
  day === null
    ? reported !== null && executionDate <= reported && reported <= dateOf(Date.parse(executionDate), 70)
    : executionDate <= day && day <= dateOf(Date.parse(executionDate), 10);

/** The payment that a movement names by its reference, or by the end of it. */
const namedBy = (
  world: World,
  { files, payments }: Known,
  { entry, endToEndId, currency, bookingDate }: Movement,
): BankPayment | undefined => {
  if (entry !== undefined) {
    const found = payments.filter((payment) => {
      const file = files.find(({ id }) => id === payment.fileId);
      return (
        file !== undefined &&
        file.currency === currency &&
        isDayOf(file, entry.executionDate, bookingDate) &&
        endOf(referenceOf(world, payment)) === entry.end
      );
    });
    if (found.length === 1) return found[0];
  }
  const id = uuidOf(endToEndId);
  return id === null ? undefined : payments.find((payment) => referenceOf(world, payment) === id);
};

const isRejected = ({ bookings }: BankPayment): boolean => bookings.some(({ kind }) => kind === "rejection");

/** Why a movement is not of an amount from an account, or null. */
const mismatch = (
  { iban, movement }: Placed,
  { amount, currency }: { readonly amount: number; readonly currency: string },
  { debtor }: PaymentFile,
): string | null =>
  iban !== null && debtor !== null && iban !== debtor
    ? "other_account"
    : movement.currency !== currency
      ? "other_currency"
      : movement.amount === amount
        ? null
        : "other_amount";

/** The payments of a file that a movement books as a sum, or why none. */
const ofBatch = (world: World, known: Known, placed: Placed): ReadonlyArray<BankPayment> | string => {
  const { batch, endToEndId, direction, isDuplicate } = placed.movement;
  const file = known.files.find(({ id }) => id === uuidOf(batch?.id ?? endToEndId));
  if (file === undefined) return "unknown_reference";
  if (direction === "credit") return "unexpected";
  const all = paymentsOf(world, file);
  if (direction === "rejected") return isDuplicate === true ? "duplicate" : all;
  const problemOf = (payments: ReadonlyArray<BankPayment>): string | null => {
    const amount = payments.reduce((sum, one) => sum + one.amount, 0);
    const problem = mismatch(placed, { amount, currency: file.currency }, file);
    const count = batch?.count ?? payments.length;
    return problem ?? (count === payments.length ? null : "other_amount");
  };
  const accepted = all.filter((one) => !isRejected(one));
  const problem = problemOf(all);
  return problem === null ? all : problemOf(accepted) === null ? accepted : problem;
};

/** The payments that a movement books, or why none. */
const bookedBy = (world: World, known: Known, placed: Placed): ReadonlyArray<BankPayment> | string => {
  const { movement } = placed;
  const payment = namedBy(world, known, movement);
  if (movement.isNotice === true) return "notice";
  if (payment === undefined) return ofBatch(world, known, placed);
  const file = known.files.find(({ id }) => id === payment.fileId);
  if (file === undefined) return "unexpected";
  if (movement.direction === "rejected") return movement.isDuplicate === true ? "duplicate" : [payment];
  return mismatch(placed, payment, file) ?? [payment];
};

const KINDS = { debit: "debit", credit: "return", rejected: "rejection" } as const;

/** One booking of a payment, in the state that the ones before have led to. */
class Applying {
  readonly #progress: Progress;
  readonly #payment: BankPayment;
  readonly #settlement: Settlement;
  readonly #booking: Booking;
  readonly #placed: Placed;

  constructor(progress: Progress, payment: BankPayment, booking: Booking, placed: Placed) {
    this.#progress = progress;
    this.#payment = payment;
    this.#booking = booking;
    this.#placed = placed;
    const settlement = settlementOf(progress.world, payment);
    if (settlement === undefined) throw new Error("a payment has a settlement");
    this.#settlement = settlement;
  }

  get #isInFlight(): boolean {
    return isInFlight(this.#progress.world, this.#payment);
  }

  get #isPaid(): boolean {
    return isPaidBy(this.#progress.world, this.#payment);
  }

  /** The world after the bank's fact has met the settlement; one that does not fit is an anomaly. */
  #report(fact: "confirmed" | "failed" | "returned"): World {
    const { world } = this.#progress;
    const { bankReference } = this.#placed.movement;
    return applyFact(world, this.#settlement, {
      ...{ fact, reference: referenceOf(world, this.#payment) },
      ...(fact === "confirmed" && bankReference !== null ? { bankReference } : {}),
    });
  }

  #reconcile(world: World, reconciled: boolean): World {
    const settlement = settlementOf(world, this.#payment);
    const type = reconciled ? "reconcile_settlement" : "unreconcile_settlement";
    return settlement === undefined || settlement.reconciled === reconciled
      ? world
      : moveSettlement(world, settlement, type, { reconciled });
  }

  /** The booking counts, and one more settlement of each name. */
  #note(world: World, ...names: ReadonlyArray<"confirmed" | "returned" | "reconciled" | "failed">): Progress {
    const { settlementId, attempt, bookings } = this.#payment;
    const isThis = (one: BankPayment) => one.settlementId === settlementId && one.attempt === attempt;
    const counted = names.map((name) => [name, this.#progress[name] + 1]);
    return {
      ...this.#progress,
      ...Object.fromEntries(counted),
      world: withPayments(world, isThis, { bookings: [...bookings, this.#booking] }),
    };
  }

  /** A person should look at the movement. */
  #leave(reason: string, progress = this.#progress): Progress {
    return { ...progress, unmatched: [...progress.unmatched, [this.#placed.index, reason]] };
  }

  /** What the booking does; nothing if it was applied before. */
  apply(): Progress {
    const { kind, isFinal, entry } = this.#booking;
    const same = this.#payment.bookings.filter((one) => one.kind === kind);
    const before = same.find((one) => one.isFinal === isFinal);
    if (kind === "rejection") return before === undefined ? this.#reject() : this.#progress;
    if (before !== undefined) return before.entry === entry ? this.#progress : this.#leave("booked_before");
    if (kind === "debit") return this.#debit();
    return same.length > 0 ? this.#note(this.#progress.world) : this.#return();
  }

  #reject(): Progress {
    if (this.#isInFlight) return this.#note(this.#report("failed"), "failed");
    return this.#isPaid ? this.#leave("unexpected", this.#note(this.#report("failed"))) : this.#progress;
  }

  #debit(): Progress {
    const { world } = this.#progress;
    const { isFinal } = this.#booking;
    // The attempt was over before its debit was read.
    if (this.#payment.bookings.some(({ kind }) => kind === "return")) return this.#note(world);
    if (this.#isPaid)
      return isFinal && !this.#settlement.reconciled
        ? this.#note(this.#reconcile(world, true), "reconciled")
        : this.#note(world);
    const confirmed = this.#report("confirmed");
    if (!this.#isInFlight) return this.#leave("unexpected", this.#note(confirmed));
    return isFinal
      ? this.#note(this.#reconcile(confirmed, true), "confirmed", "reconciled")
      : this.#note(confirmed, "confirmed");
  }

  #return(): Progress {
    const { world } = this.#progress;
    if (this.#isInFlight) {
      const confirmed = { ...this.#progress, world: this.#report("confirmed") };
      const progress = { ...confirmed, confirmed: confirmed.confirmed + 1 };
      return new Applying(progress, this.#payment, this.#booking, this.#placed).apply();
    }
    // A bank that takes a payment back also takes back that it was on a statement.
    if (!this.#isPaid || !isReturnable(world, { ...this.#settlement, reconciled: false }))
      return this.#leave("unexpected", this.#note(this.#report("returned")));
    const after = this.#reconcile(world, false);
    const reason = this.#placed.movement.reason ?? "returned by the bank";
    const settlement = settlementOf(after, this.#payment) ?? this.#settlement;
    return this.#note(
      moveSettlement(after, settlement, "return_payment", RETURNED_PAYMENT, { reason }),
      "returned",
    );
  }
}

/** What one booking of a payment does. */
const apply = (
  progress: Progress,
  { settlementId, attempt }: BankPayment,
  booking: Booking,
  placed: Placed,
): Progress => {
  const payment = progress.world.bankPayments.find(
    (one) => one.settlementId === settlementId && one.attempt === attempt,
  );
  return payment === undefined ? progress : new Applying(progress, payment, booking, placed).apply();
};

const decide = (world: World, { principal, statement }: CommandOf<"read_statement">): Decision => {
  const isOwn = ({ customerId }: PaymentFile | BankPayment) => customerId === principal.customerId;
  const known = { files: world.paymentFiles.filter(isOwn), payments: world.bankPayments.filter(isOwn) };
  const placed = statement.accounts
    .flatMap(({ movements, ...account }, report) =>
      movements.map((movement) => ({ ...account, report, movement })),
    )
    .map((one, index): Placed => ({ ...one, index }));
  let progress: Progress = {
    ...{ world, confirmed: 0, returned: 0, reconciled: 0, failed: 0, unmatched: [] },
  };
  const bookings: Array<{
    readonly payment: BankPayment;
    readonly booking: Booking;
    readonly placed: Placed;
    readonly entry: string;
  }> = [];
  for (const one of placed) {
    const found = bookedBy(world, known, one);
    if (typeof found === "string") {
      progress = { ...progress, unmatched: [...progress.unmatched, [one.index, found]] };
      continue;
    }
    const entry = one.movement.bankReference ?? one.movement.bookingDate ?? "";
    const kind = KINDS[one.movement.direction];
    for (const payment of found) {
      const count = bookings.filter(
        (other) =>
          other.payment === payment &&
          other.placed.report === one.report &&
          other.booking.kind === kind &&
          other.entry === entry,
      ).length;
      const booking = { kind, entry: count === 0 ? entry : `${entry} (${count + 1})`, isFinal: one.isFinal };
      bookings.push({ payment, booking, placed: one, entry });
    }
  }
  for (const { payment, booking, placed: of } of bookings) progress = apply(progress, payment, booking, of);
  let after = progress.world;
  for (const { movement } of placed) {
    const file = known.files.find(({ id }) => id === uuidOf(movement.batch?.id ?? movement.endToEndId));
    if (movement.direction !== "rejected" || movement.isDuplicate === true || file === undefined) continue;
    if (after.paymentFiles.find(({ id }) => id === file.id)?.discardedAt === null)
      after = withFile(after, file.id, { discardedAt: world.now });
  }
  const { confirmed, returned, reconciled, failed } = progress;
  const unmatched = progress.unmatched.toSorted(([a], [b]) => a - b).map(([, reason]) => reason);
  return {
    type: "accepted",
    id: null,
    effect: after === world ? null : () => after,
    body: { confirmed, returned, reconciled, failed, unmatched },
  };
};

/** What a bank reports is applied to the payments that it names. */
export const readStatement = (world: World, command: CommandOf<"read_statement">): Prediction =>
  applyRules(world, {
    ...baseRules(command),
    valid: command.statement.accounts.length > 0,
    decide: () => decide(world, command),
  });
