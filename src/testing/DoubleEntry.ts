/**
 * The ledger of a commission as double-entry bookkeeping, computed from its log in big integers. It shares no code with
 * the engine's fold, so that the two can be compared.
 */
import type { CommissionEvent } from "../domain/Commission.ts";
import type { Entry } from "../domain/Event.ts";

/** The quantities of a commission after some of its events. */
export interface Quantities {
  /** A; null until computed. */
  readonly computed: bigint | null;
  /** What the buyer has paid of how much, both of one scale; null where the amount is released at once. */
  readonly receipt: readonly [received: bigint, of: bigint] | null;
  /** P. */
  readonly paid: bigint;
  /** The part of P that comes from negative lines. */
  readonly paidNegative: bigint;
  /** W⁺ and W⁻. */
  readonly writtenOffPositive: bigint;
  readonly writtenOffNegative: bigint;
  /** R. */
  readonly pending: bigint;
  /** Lines reserved and not yet released or settled. */
  readonly openLines: number;
  /** Lines settled and not reopened, and one for an amount that was settled elsewhere. */
  readonly settledLines: number;
}

/** The accounts of one commission. */
export type Account = "expense" | "waiting" | "accrued" | "reserved" | "cash" | "elsewhere" | "write_off";

/** A movement of an amount from one account to another; a negative amount moves back. */
export interface Posting {
  readonly debit: Account;
  readonly credit: Account;
  readonly amount: bigint;
}

/** Credits less debits, per account. */
export type Balances = Readonly<Record<Account, bigint>>;

const ZERO: Quantities = {
  computed: null,
  receipt: null,
  paid: 0n,
  paidNegative: 0n,
  writtenOffPositive: 0n,
  writtenOffNegative: 0n,
  pending: 0n,
  openLines: 0,
  settledLines: 0,
};

const ZERO_BALANCES: Balances = {
  expense: 0n,
  waiting: 0n,
  accrued: 0n,
  reserved: 0n,
  cash: 0n,
  elsewhere: 0n,
  write_off: 0n,
};

/** A − T: the part of a positive amount that the buyer has not paid, rounded up. */
export const waiting = ({ computed, receipt }: Pick<Quantities, "computed" | "receipt">): bigint => {
  if (receipt === null || computed === null || computed <= 0n) return 0n;
  const [received, of] = receipt;
  if (received >= of) return 0n;
  return computed - (computed * received) / of;
};

/** T: the amount less what waits. */
const released = (quantities: Quantities): bigint => (quantities.computed ?? 0n) - waiting(quantities);

/** Two numbers as integers of one scale: as many decimals as any number that a receipt can state. */
const scaled = (received: number, of: number): readonly [bigint, bigint] => {
  const digits = (value: number): bigint => {
    const [coefficient = "0", exponent = "0"] = String(value).split("e");
    const [whole = "0", fraction = ""] = coefficient.split(".");
    return BigInt(whole + fraction) * 10n ** BigInt(40 + Number(exponent) - fraction.length);
  };
  return [digits(received), digits(of)];
};

/** S: the paid amount, plus the write-offs of the remaining difference's sign up to that difference. */
export const settledAmount = (quantities: Quantities): bigint => {
  const { paid, writtenOffPositive, writtenOffNegative } = quantities;
  const open = released(quantities) - paid;
  if (open > 0n) return paid + (open < writtenOffPositive ? open : writtenOffPositive);
  return paid + (open > writtenOffNegative ? open : writtenOffNegative);
};

/** D: what is released less what is settled. */
export const due = (quantities: Quantities): bigint => released(quantities) - settledAmount(quantities);

/** Nothing of anything: what the first event of a commission that waits for its buyer begins with. */
const begun = (before: Quantities, event: CommissionEvent): Quantities =>
  "release" in event && event.release === "on_receipt" ? { ...before, receipt: [0n, 1n] } : before;

const applyEvent = (previous: Quantities, event: CommissionEvent): Quantities => {
  const before = begun(previous, event);
  switch (event.type) {
    case "update_received":
      return { ...before, receipt: scaled(event.received, event.of) };
    case "create_commission":
    case "update_commission":
      return { ...before, computed: BigInt(event.amount) };
    case "fail_commission_computation":
      return before;
    case "settle_elsewhere": {
      const amount = BigInt(event.amount);
      return {
        ...before,
        paid: before.paid + amount,
        paidNegative: before.paidNegative + (amount < 0n ? amount : 0n),
        settledLines: before.settledLines + 1,
      };
    }
    case "reserve_commission":
      return { ...before, pending: before.pending + BigInt(event.amount), openLines: before.openLines + 1 };
    case "release_commission":
      return { ...before, pending: before.pending - BigInt(event.amount), openLines: before.openLines - 1 };
    case "settle_commission": {
      const amount = BigInt(event.amount);
      return {
        ...before,
        pending: before.pending - amount,
        paid: before.paid + (event.kind === "paid" ? amount : 0n),
        paidNegative: before.paidNegative + (event.kind === "paid" && amount < 0n ? amount : 0n),
        writtenOffPositive:
          before.writtenOffPositive + (event.kind === "written_off" && amount > 0n ? amount : 0n),
        writtenOffNegative:
          before.writtenOffNegative + (event.kind === "written_off" && amount < 0n ? amount : 0n),
        openLines: before.openLines - 1,
        settledLines: before.settledLines + 1,
      };
    }
    case "reopen_commission":
      return {
        ...before,
        pending: before.pending + BigInt(event.amount),
        paid: before.paid - BigInt(event.amount),
        paidNegative: before.paidNegative - (event.amount < 0 ? BigInt(event.amount) : 0n),
        openLines: before.openLines + 1,
        settledLines: before.settledLines - 1,
      };
  }
};

const postingsOf = (event: CommissionEvent, before: Quantities): ReadonlyArray<Posting> => {
  switch (event.type) {
    case "create_commission":
    case "update_commission":
      return [
        { debit: "expense", credit: "accrued", amount: BigInt(event.amount) - (before.computed ?? 0n) },
      ];
    case "update_received":
    case "fail_commission_computation":
      return [];
    case "settle_elsewhere":
      return [{ debit: "accrued", credit: "elsewhere", amount: BigInt(event.amount) }];
    case "reserve_commission":
      return [{ debit: "accrued", credit: "reserved", amount: BigInt(event.amount) }];
    case "release_commission":
      return [{ debit: "reserved", credit: "accrued", amount: BigInt(event.amount) }];
    case "settle_commission":
      return [
        {
          debit: "reserved",
          credit: event.kind === "paid" ? "cash" : "write_off",
          amount: BigInt(event.amount),
        },
      ];
    case "reopen_commission":
      return [{ debit: "cash", credit: "reserved", amount: BigInt(event.amount) }];
  }
};

const writtenOff = ({ writtenOffPositive, writtenOffNegative }: Quantities): bigint =>
  writtenOffPositive + writtenOffNegative;

/** The change in what write-offs absorb when the amount or the payments change, apart from a write-off's own posting. */
const absorptionOf = (before: Quantities, now: Quantities): Posting => ({
  debit: "accrued",
  credit: "write_off",
  amount:
    settledAmount(now) -
    now.paid -
    (settledAmount(before) - before.paid) -
    (writtenOff(now) - writtenOff(before)),
});

/** The change of what waits: it is earned, and not yet accrued. */
const waitingPosting = (before: Quantities, now: Quantities): Posting => ({
  debit: "accrued",
  credit: "waiting",
  amount: waiting(now) - waiting(before),
});

const post = (balances: Balances, { debit, credit, amount }: Posting): Balances => {
  const debited = { ...balances, [debit]: balances[debit] - amount };
  return { ...debited, [credit]: debited[credit] + amount };
};

/** One event of a log, with the quantities before and after it and the balances after it. */
export interface Step {
  readonly event: CommissionEvent;
  readonly before: Quantities;
  readonly now: Quantities;
  readonly balances: Balances;
}

/** The steps of a log, in order. */
export const steps = (log: ReadonlyArray<Entry<CommissionEvent>>): ReadonlyArray<Step> => {
  const found: Array<Step> = [];
  let before = ZERO;
  let balances = ZERO_BALANCES;
  for (const { event } of log) {
    const now = applyEvent(before, event);
    balances = [...postingsOf(event, before), waitingPosting(before, now), absorptionOf(before, now)].reduce(
      post,
      balances,
    );
    found.push({ event, before, now, balances });
    before = now;
  }
  return found;
};

/** The quantities after a whole log. */
export const quantities = (log: ReadonlyArray<Entry<CommissionEvent>>): Quantities =>
  steps(log).at(-1)?.now ?? ZERO;
