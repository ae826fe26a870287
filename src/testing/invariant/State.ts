/** Invariants of states: every transition is a row of the table, and a record has what its state requires. */
import { covers } from "../../domain/Formula.ts";
import { due, settlementStatus } from "../../domain/Ledger.ts";
import {
  evolve,
  isOpen,
  type SettlementEvent,
  type SettlementEventType,
  type Status,
  type View,
} from "../../domain/Settlement.ts";
import { TRANSITIONS } from "../../domain/SettlementMachine.ts";
import type { Listed } from "../../ports/Storage.ts";
import type { LedgerSnapshot } from "../LedgerSnapshot.ts";
import type { Invariant } from "./Invariant.ts";

const isRow = (from: View | null, type: SettlementEventType, to: Status): boolean =>
  TRANSITIONS.some((row) => {
    const resumed = from?.status.type === "disputed" ? from.status.resume : null;
    return (
      row.events.includes(type) &&
      (from === null ? row.from.length === 0 : row.from.includes(from.status.type)) &&
      to.type === (row.to === "resume" ? resumed : row.to === "same" ? from?.status.type : row.to)
    );
  });

/** The events that leave the status as it is, in any state. */
const STILL: ReadonlySet<SettlementEventType> = new Set([
  "payment_anomaly",
  "fail_document",
  "erase_personal_data",
]);

const transitions: Invariant = {
  name: "S1",
  statement:
    "Every step of a settlement's log is a row of the transition table; anomalies, failed documents and erasures leave the status as it is.",
  *violations({ settlements }) {
    for (const { row, log } of settlements) {
      let state: View | null = null;
      for (const entry of log) {
        const next: View = evolve(state, entry);
        const from = state?.status.type ?? "nothing";
        const still = STILL.has(entry.event.type) && state?.status.type === next.status.type;
        if (!still && !isRow(state, entry.event.type, next.status)) {
          yield `settlement ${row.id}: ${entry.event.type} leads from ${from} to ${next.status.type}`;
        }
        state = next;
      }
    }
  },
};

const statusOf = (
  snapshot: LedgerSnapshot,
  { row, log }: LedgerSnapshot["commissions"][number],
): ReturnType<typeof settlementStatus> => {
  const statuses = (snapshot.linesByCommission.get(row.id) ?? []).map(
    ({ settlement }) => settlement.status.type,
  );
  if (statuses.some(isOpen)) return "pending_settlement";
  const settled =
    statuses.some((type) => type === "paid" || type === "written_off") ||
    log.some(({ event }) => event.type === "settle_elsewhere");
  return settled && row.computedAmount !== null && due(row) === 0 && (row.waitingAmount ?? 0) === 0
    ? "settled"
    : "unsettled";
};

const settlementStatuses: Invariant = {
  name: "S2",
  statement:
    "A commission's settlement status follows from its lines in open and ended settlements, and from what was settled elsewhere.",
  *violations(snapshot) {
    for (const { row, log } of snapshot.commissions) {
      const [found, expected] = [settlementStatus(row), statusOf(snapshot, { row, log })];
      if (found !== expected) yield `commission ${row.id} is ${found}, by its settlements ${expected}`;
    }
  },
};

/** What a settlement lacks of what its state requires, in words; null when nothing. */
const missingPart = (row: Listed["settlement"]): string | null => {
  const { status } = row;
  const amount = row.approval?.billingMode === "self_billing" ? (row.payableAmount ?? Number.NaN) : row.total;
  const balances = amount === 0 && row.approval?.taxGroups.some(({ base }) => base !== 0) === true;
  const stands = status.type === "disputed" ? status.resume : status.type;
  switch (stands) {
    case "payment_initiated":
      return row.paymentReference !== null && amount > 0
        ? null
        : "has no payment reference or nothing to pay";
    case "awaiting_invoice":
      return amount > 0 || balances ? null : "has nothing to invoice";
    case "negative_review":
    case "awaiting_credit_note":
      return amount < 0 ? null : "is not negative";
    case "paid":
      return status.type === "paid" && status.method === "nothing_due" && amount !== 0
        ? "has a payable amount although nothing was due"
        : null;
    default:
      return null;
  }
};

const promises: Invariant = {
  name: "S3",
  statement:
    "A settlement has what its state requires: a payment reference, a payable amount of the right sign, payment before reconciliation.",
  *violations({ settlements }) {
    for (const { row } of settlements) {
      const lack = missingPart(row);
      if (lack !== null) yield `settlement ${row.id} in ${row.status.type} ${lack}`;
      if (row.reconciliationStatus === "reconciled" && row.status.type !== "paid") {
        yield `settlement ${row.id} in ${row.status.type} is reconciled`;
      }
    }
  },
};

const cancelled: Invariant = {
  name: "S5",
  statement: "A commission of a cancelled attribution or formula is 0, unless a recomputation is pending.",
  *violations({ attributions, commissions, formulas }) {
    const cancelledIds = new Set<string>([
      ...attributions.flatMap(({ row }) => (row.status === "cancelled" ? [row.id] : [])),
      ...formulas.flatMap(({ row }) => (row.status === "cancelled" && !row.recomputing ? [row.id] : [])),
    ]);
    for (const { row } of commissions) {
      if (
        (row.computedAmount ?? 0) !== 0 &&
        (cancelledIds.has(row.attributionId) || cancelledIds.has(row.formulaId))
      ) {
        yield `commission ${row.id} is ${row.computedAmount} although its attribution or formula is cancelled`;
      }
    }
  },
};

const joined: Invariant = {
  name: "S6",
  statement:
    "Every confirmed attribution inside an active formula's window has exactly one commission under it, unless a recomputation is pending.",
  *violations({ attributions, commissions, formulas }) {
    const count = new Map<string, number>();
    for (const { row } of commissions) {
      const pair = `${row.attributionId} ${row.formulaId}`;
      count.set(pair, (count.get(pair) ?? 0) + 1);
    }
    for (const [pair, times] of count) if (times > 1) yield `${times} commissions of ${pair}`;
    for (const { row: formula } of formulas) {
      if (formula.status !== "active" || formula.recomputing) continue;
      for (const { row: attribution } of attributions) {
        const matches =
          attribution.status === "confirmed" &&
          attribution.workspaceId === formula.workspaceId &&
          attribution.partnerId === formula.partnerId &&
          attribution.schemaId === formula.schemaId &&
          (formula.roles ?? ["seller"]).includes(attribution.credit?.role ?? "seller") &&
          covers(formula, attribution.occurredAt);
        if (matches && !count.has(`${attribution.id} ${formula.id}`)) {
          yield `attribution ${attribution.id} has no commission under formula ${formula.id}`;
        }
      }
    }
  },
};

/** True if a stated tax differs from a rate by more than one unit; without a rate, if it is not 0. */
const deviates = (total: number, stated: number, rateBps: number | undefined): boolean => {
  if (rateBps === undefined) return stated !== 0;
  const doubled = 2n * BigInt(total) * BigInt(rateBps);
  // Division drops what is behind the point, so that half a unit more rounds half away from zero.
  const expected = (doubled + (doubled < 0n ? -10_000n : 10_000n)) / 20_000n;
  const difference = BigInt(stated) - expected;
  return difference > 1n || difference < -1n;
};

const PAYING: ReadonlySet<SettlementEventType> = new Set(["initiate_payment", "mark_as_paid"]);

/** True if an event ends a settlement without payment; documents that follow are counterparts. */
const endsUnpaid = (event: SettlementEvent): boolean =>
  event.type === "write_off_settlement" ||
  (event.type === "resolve_dispute" && event.resolution === "upheld");

/** What is wrong with how the taxes of a settlement's documents were reviewed, in words. */
function* taxReviewProblems({ row, log }: LedgerSnapshot["settlements"][number]): Generator<string> {
  const isSelfBilled = row.approval?.billingMode === "self_billing";
  let rate: number | undefined;
  let isPending = false;
  for (const { event } of log) {
    if (event.type === "approve_settlement") rate = event.stored.invoice_tax_bps;
    if (PAYING.has(event.type) && isPending) yield `${event.type} while its tax was under review`;
    if (event.type === "review_settlement" || endsUnpaid(event)) isPending = false;
    if (endsUnpaid(event)) break;
    if (event.type !== "link_invoice" && event.type !== "link_credit_note") continue;
    const { tax_amount: stated } = event.stored;
    isPending = event.tax_review !== undefined;
    if (isPending !== (!isSelfBilled && stated !== null && deviates(row.total, stated, rate)))
      yield `a stated tax of ${stated} is ${isPending ? "" : "not "}under review`;
  }
  if ((row.taxReview !== null) !== isPending) yield `its log ${isPending ? "has" : "has no"} open tax review`;
}

const taxReviewed: Invariant = {
  name: "S7",
  statement:
    "A stated tax that differs from the rate of the approval is accepted before anything is paid, and no other one needs to be.",
  *violations({ settlements }) {
    for (const settlement of settlements)
      for (const problem of taxReviewProblems(settlement))
        yield `settlement ${settlement.row.id}: ${problem}`;
  },
};

/** Every invariant of states that a store alone can show. */
export const state: ReadonlyArray<Invariant> = [
  transitions,
  settlementStatuses,
  promises,
  cancelled,
  joined,
  taxReviewed,
];
