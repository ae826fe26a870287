/** Invariants of money: earned, settled and due amounts add up, in logs, rows and lines. */
import { groupBy } from "effect/Array";
import { sameJson } from "../../domain/Json.ts";
import { releasedAmount, due as rowDue, settledAmount as rowSettled } from "../../domain/Ledger.ts";
import { isAmount } from "../../domain/Money.ts";
import { isOpen } from "../../domain/Settlement.ts";
import type { Listed } from "../../ports/Storage.ts";
import { due, quantities, settledAmount, steps, waiting } from "../DoubleEntry.ts";
import { formatValue } from "../Law.ts";
import type { LedgerSnapshot } from "../LedgerSnapshot.ts";
import type { Invariant } from "./Invariant.ts";

const sum = (amounts: Iterable<number>): bigint => {
  let total = 0n;
  for (const amount of amounts) total += BigInt(amount);
  return total;
};

const identity: Invariant = {
  name: "M1",
  statement: "The amount of every commission is what is settled, due or waits for its buyer.",
  *violations({ commissions }) {
    for (const { row, log } of commissions) {
      const replayed = quantities(log);
      const [A, S, D] = [BigInt(row.computedAmount ?? 0), BigInt(rowSettled(row)), BigInt(rowDue(row))];
      const W = BigInt(row.waitingAmount ?? 0);
      if (A !== S + D + W) yield `commission ${row.id}: ${A} is not ${S} + ${D} + ${W}`;
      if (settledAmount(replayed) !== S || due(replayed) !== D || waiting(replayed) !== W) {
        yield `commission ${row.id}: the row says settled ${S}, due ${D}, waiting ${W}, the log ${settledAmount(replayed)}, ${due(replayed)}, ${waiting(replayed)}`;
      }
    }
  },
};

/** The sum of a commission's positive lines and that of its negative ones, in settlements of a status. */
const linesOf = (
  snapshot: LedgerSnapshot,
  commissionId: string,
  status: Listed["settlement"]["status"]["type"],
): readonly [positive: bigint, negative: bigint] => {
  const amounts = (snapshot.linesByCommission.get(commissionId) ?? []).flatMap(({ line, settlement }) =>
    settlement.status.type === status ? [line.amount] : [],
  );
  return [sum(amounts.filter((amount) => amount > 0)), sum(amounts.filter((amount) => amount < 0))];
};

/** What was settled elsewhere of a commission, by its log. */
const settledElsewhere = (log: LedgerSnapshot["commissions"][number]["log"]): bigint =>
  log.reduce(
    (total, { event }) => total + (event.type === "settle_elsewhere" ? BigInt(event.amount) : 0n),
    0n,
  );

const settledSums: Invariant = {
  name: "M2",
  statement:
    "What is paid or written off of a commission, of either sign, is the sum of its lines in such settlements and of what was settled elsewhere.",
  *violations(snapshot) {
    for (const { row, log } of snapshot.commissions) {
      const elsewhere = settledElsewhere(log);
      const [positivePaid, negativePaid] = linesOf(snapshot, row.id, "paid");
      const paid = positivePaid + (elsewhere > 0n ? elsewhere : 0n);
      const paidBack = negativePaid + (elsewhere < 0n ? elsewhere : 0n);
      const [positive, negative] = linesOf(snapshot, row.id, "written_off");
      const sums = [
        ["paid", row.paidAmount, paid + paidBack],
        ["paid in negative lines", row.paidNegative, paidBack],
        ["written off in positive lines", row.writtenOffPositive, positive],
        ["written off in negative lines", row.writtenOffNegative, negative],
      ] as const;
      for (const [name, stored, lines] of sums) {
        if (BigInt(stored) !== lines) yield `commission ${row.id}: ${name} ${stored}, its lines ${lines}`;
      }
    }
  },
};

const frozenLines: Invariant = {
  name: "M3",
  statement:
    "A line is what its commission was due when the settlement was created; it never changes, and every event of it has its amount.",
  *violations({ commissions, settlements, linesByCommission }) {
    for (const { row, log } of settlements) {
      const [first] = log;
      const created = first?.event.type === "create_settlement" ? first.event.stored.lines : [];
      if (!sameJson(created, row.lines)) {
        yield `settlement ${row.id}: created with ${formatValue(created)}, holds ${formatValue(row.lines)}`;
      }
    }
    for (const { row, log } of commissions) {
      for (const { event, before } of steps(log)) {
        if (!("settlement_id" in event)) continue;
        const { settlement_id, amount } = event;
        const holding = linesByCommission
          .get(row.id)
          ?.find(({ settlement }) => settlement.id === settlement_id);
        if (holding?.line.amount !== amount) {
          yield `commission ${row.id}: ${event.type} of ${amount}, the line is ${holding?.line.amount}`;
        }
        if (event.type === "reserve_commission" && due(before) !== BigInt(amount)) {
          yield `commission ${row.id}: reserved ${amount} when ${due(before)} was due`;
        }
      }
    }
  },
};

const oneOpen: Invariant = {
  name: "M4",
  statement: "A commission is in at most one open settlement, the one that it names.",
  *violations({ commissions, linesByCommission }) {
    for (const { row, log } of commissions) {
      const open = (linesByCommission.get(row.id) ?? []).filter(({ settlement }) =>
        isOpen(settlement.status.type),
      );
      const holders = open.map(({ settlement }) => settlement.id);
      if (holders.length > 1) yield `commission ${row.id} is in the open settlements ${holders.join(", ")}`;
      if ((holders[0] ?? null) !== row.openSettlementId) {
        yield `commission ${row.id} names ${row.openSettlementId}, held by ${holders[0] ?? "none"}`;
      }
      if (quantities(log).openLines !== holders.length) {
        yield `commission ${row.id}: ${quantities(log).openLines} open lines by its log, ${holders.length} by settlements`;
      }
    }
  },
};

const wholeSettlements: Invariant = {
  name: "M5",
  statement:
    "A settlement's total is the sum of its lines: distinct commissions of one customer, workspace, partner and currency.",
  *violations({ commissions, settlements }) {
    const byId = new Map<string, Listed["commission"]>(commissions.map(({ row }) => [row.id, row]));
    for (const { row } of settlements) {
      const total = sum(row.lines.map(({ amount }) => amount));
      if (BigInt(row.total) !== total) yield `settlement ${row.id}: total ${row.total}, lines ${total}`;
      if (!isAmount(row.total) || !row.lines.every(({ amount }) => isAmount(amount))) {
        yield `settlement ${row.id}: an amount is not a safe integer`;
      }
      if (row.lineCount !== row.lines.length) {
        yield `settlement ${row.id}: ${row.lines.length} lines, ${row.lineCount} counted`;
      }
      if (new Set(row.lines.map(({ commissionId }) => commissionId)).size !== row.lines.length) {
        yield `settlement ${row.id}: a commission has two lines`;
      }
      for (const { commissionId } of row.lines) {
        const commission = byId.get(commissionId);
        const fits =
          commission !== undefined &&
          commission.customerId === row.customerId &&
          commission.workspaceId === row.workspaceId &&
          commission.partnerId === row.partnerId &&
          commission.currency === row.currency;
        if (!fits) yield `settlement ${row.id}: commission ${commissionId} is not of its owner and currency`;
      }
    }
  },
};

const LARGEST = BigInt(Number.MAX_SAFE_INTEGER);

/** The least and the largest sum of any selection of the amounts. */
const span = (amounts: ReadonlyArray<number>): readonly [bigint, bigint] => [
  sum(amounts.filter((amount) => amount < 0)),
  sum(amounts.filter((amount) => amount > 0)),
];

const inRange: Invariant = {
  name: "M13",
  statement:
    "Whichever lines are paid, returned or written off next, what is due stays within the largest amount.",
  *violations({ commissions, linesByCommission }) {
    for (const { row, log } of commissions) {
      const lines = (linesByCommission.get(row.id) ?? []).flatMap(({ line, settlement }) =>
        settlement.status.type === "paid" || isOpen(settlement.status.type) ? [line.amount] : [],
      );
      for (const paid of span([...lines, Number(settledElsewhere(log))])) {
        const open = BigInt(releasedAmount(row)) - paid;
        if (open > LARGEST || open < -LARGEST)
          yield `commission ${row.id}: ${open} would be due with ${paid} paid`;
      }
    }
  },
};

/** What a commission was due at one moment, with its amount and payments at that moment. */
interface Offer {
  readonly id: string;
  readonly amount: bigint;
  readonly paid: bigint;
  readonly due: bigint;
}

/** What each commission is due now, and what it was due at each reservation. */
function* offers({ commissions }: LedgerSnapshot): Generator<Offer> {
  for (const { row, log } of commissions) {
    const { id, computedAmount, paidAmount } = row;
    yield { id, amount: BigInt(computedAmount ?? 0), paid: BigInt(paidAmount), due: BigInt(rowDue(row)) };
    for (const { event, before } of steps(log)) {
      if (event.type === "reserve_commission") {
        yield { id, amount: before.computed ?? 0n, paid: before.paid, due: BigInt(event.amount) };
      }
    }
  }
}

const bounded: Invariant = {
  name: "M6",
  statement: "When a commission's amount is not negative, no more is claimed back than was paid.",
  *violations(snapshot) {
    for (const { id, amount, paid, due } of offers(snapshot)) {
      if (amount >= 0n && due < 0n && due < -paid)
        yield `commission ${id}: ${due} of ${amount} when ${paid} was paid`;
    }
  },
};

const noOverpayment: Invariant = {
  name: "M7",
  statement: "A positive due amount is at most the amount less what was paid.",
  *violations(snapshot) {
    for (const { id, amount, paid, due } of offers(snapshot)) {
      if (due > 0n && due > amount - paid)
        yield `commission ${id}: ${due} of ${amount} when ${paid} was paid`;
    }
  },
};

interface Sums {
  readonly settled: bigint;
  readonly due: bigint;
}

const sumsOf = (statistics: LedgerSnapshot["statistics"]["commissions"], currency: string): Sums => {
  const of = statistics.filter((row) => row.currency === currency);
  return {
    settled: of.reduce((total, { settledAmount }) => total + settledAmount, 0n),
    due: of.reduce((total, { unsettledAmount }) => total + unsettledAmount, 0n),
  };
};

function* unbalancedEvents({ commissions }: LedgerSnapshot): Generator<string> {
  for (const { row, log } of commissions) {
    for (const { event, now, balances } of steps(log)) {
      const trial = Object.values(balances).reduce((total, balance) => total + balance, 0n);
      if (trial !== 0n) yield `commission ${row.id}: trial balance ${trial} after ${event.type}`;
      const open = due(now) - now.pending;
      if (balances.accrued !== open) {
        yield `commission ${row.id}: accrued ${balances.accrued} after ${event.type}, due less pending ${open}`;
      }
    }
    const { cash = 0n, elsewhere = 0n, reserved = 0n } = steps(log).at(-1)?.balances ?? {};
    if (cash + elsewhere !== BigInt(row.paidAmount))
      yield `commission ${row.id}: cash ${cash} and elsewhere ${elsewhere}, paid ${row.paidAmount}`;
    if (reserved !== BigInt(row.pendingAmount)) {
      yield `commission ${row.id}: reserved ${reserved}, pending ${row.pendingAmount}`;
    }
  }
}

function* unbalancedPartners({ commissions }: LedgerSnapshot): Generator<string> {
  const groups = groupBy(commissions, ({ row }) => `${row.partnerId} ${row.currency}`);
  for (const [group, members] of Object.entries(groups)) {
    const amounts = sum(members.map(({ row }) => row.computedAmount ?? 0));
    const parts = members.reduce(
      (total, { log }) =>
        total + settledAmount(quantities(log)) + due(quantities(log)) + waiting(quantities(log)),
      0n,
    );
    if (amounts !== parts)
      yield `partner and currency ${group}: amounts ${amounts}, settled and due ${parts}`;
  }
}

function* unbalancedStatistics({ attributions, commissions, statistics }: LedgerSnapshot): Generator<string> {
  for (const [currency, members] of Object.entries(groupBy(commissions, ({ row }) => row.currency))) {
    const amounts = sum(members.map(({ row }) => row.computedAmount ?? 0));
    const [whole, bucketed] = [
      sumsOf(statistics.commissions, currency),
      sumsOf(statistics.bucketed, currency),
    ];
    if (whole.settled + whole.due !== amounts) {
      yield `statistics of ${currency}: settled ${whole.settled} and due ${whole.due}, amounts ${amounts}`;
    }
    if (!sameJson(whole, bucketed)) {
      yield `statistics of ${currency}: buckets add up to ${formatValue(bucketed)}, the whole is ${formatValue(whole)}`;
    }
  }
  const count = (counted: ReadonlyArray<{ readonly count: number }>) =>
    counted.reduce((total, each) => total + each.count, 0);
  if (
    count(statistics.commissions) !== commissions.length ||
    count(statistics.bucketed) !== commissions.length
  ) {
    yield `statistics do not count ${commissions.length} commissions`;
  }
  // A sale that several people earn from is counted once.
  const sales = attributions.filter(({ row }) => row.originId === null).length;
  if (count(statistics.attributions) !== sales) {
    yield `statistics do not count ${sales} attributions`;
  }
}

const balanced: Invariant = {
  name: "M9",
  statement:
    "Per partner and currency amounts are settled plus due; every event is balanced double entry; statistics add up to the amounts.",
  *violations(snapshot) {
    yield* unbalancedEvents(snapshot);
    yield* unbalancedPartners(snapshot);
    yield* unbalancedStatistics(snapshot);
  },
};

/** Every invariant of money that a store alone can show. */
export const money: ReadonlyArray<Invariant> = [
  identity,
  settledSums,
  frozenLines,
  oneOpen,
  wholeSettlements,
  bounded,
  noOverpayment,
  inRange,
  balanced,
];
