/**
 * Settlement runs: one draft for each partner and currency of everything due, or the reason why there is none. A draft has at
 * most 10,000 lines; more are further parts of the same partner and currency.
 */
import type { Currency } from "./Currency.ts";
import {
  type CommissionId,
  type FormulaId,
  type PartnerId,
  SettlementId,
  type SettlementPolicyId,
  SettlementRunId,
  SettlementRunResultId,
} from "./Ids.ts";
import { SETTLEMENT_LINES_MAX } from "./Limits.ts";
import { type Amount, type CurrencySum, fromBigInt } from "./Money.ts";
import { namedId } from "./NamedId.ts";
import { isBelowMinimum, type Terms } from "./SettlementPolicy.ts";
import type { Counts, Criteria, DuePosition, Finding, Reason, RunDraft } from "./SettlementRunRecord.ts";
import { DAY, type Timestamp } from "./Timestamp.ts";

export * from "./SettlementRunRecord.ts";

/** The position of a policy in the order in which cadences start their runs. */
export interface DuePolicyPosition {
  readonly nextRunAt: Timestamp;
  readonly id: SettlementPolicyId;
}

/** What one commission has due. One that has nothing due and can be computed waits for the buyer. */
export interface DueCommission extends DuePosition {
  readonly partnerId: PartnerId;
  readonly formulaId: FormulaId;
  readonly currency: Currency;
  /** D: what a line of it would be; by the last good amount where it cannot be computed. */
  readonly dueAmount: Amount;
  readonly occurredAt: Timestamp;
  readonly isComputable: boolean;
  readonly isInOpenSettlement: boolean;
  /** True if some line has settled before, of it or of a sale that its own replaced: what is due is a correction. */
  readonly isCorrection: boolean;
}

/** The id of the result for a partner and currency; a run has one. */
export const resultId = (
  runId: SettlementRunId,
  partnerId: PartnerId,
  currency: Currency | null,
): SettlementRunResultId =>
  SettlementRunResultId.make(namedId("settlement run result", runId, partnerId, currency ?? ""));

/** The id of the draft of a part, counted from 0; it follows from the run, so that no part can have two drafts. */
export const draftId = (
  runId: SettlementRunId,
  partnerId: PartnerId,
  currency: Currency,
  part: number,
): SettlementId => SettlementId.make(namedId("settlement run draft", runId, partnerId, currency, part));

/** The id of the run that a period of a policy starts; a period starts one. */
export const periodRunId = (policyId: SettlementPolicyId, label: string): SettlementRunId =>
  SettlementRunId.make(namedId("settlement run", policyId, label));

/** True if a commission waits for the end of its hold. A correction of what was settled before does not. */
export const isOnHold = (
  { holdDays }: Pick<Terms, "holdDays">,
  until: Timestamp,
  { isCorrection, occurredAt }: Pick<DueCommission, "isCorrection" | "occurredAt">,
): boolean => !isCorrection && occurredAt > until - holdDays * DAY;

/** What is due in one currency, by what becomes of it. */
export interface DueTotal {
  /** The first {@link SETTLEMENT_LINES_MAX} commissions that may be settled: those of one draft. */
  readonly commissionIds: ReadonlyArray<CommissionId>;
  /** The position of the last of these. */
  readonly last: DuePosition | null;
  readonly lineCount: number;
  readonly total: bigint;
  readonly onHoldCount: number;
  readonly onHoldAmount: bigint;
  readonly notComputableCount: number;
  readonly notAcceptedCount: number;
  readonly notAcceptedAmount: bigint;
  readonly inOpenSettlementCount: number;
  /** Commissions of which nothing is due because the buyer has not paid more. */
  readonly waitingCount: number;
}

type Counting = { -readonly [Field in keyof DueTotal]: DueTotal[Field] } & {
  commissionIds: Array<CommissionId>;
};

const emptyCount = (): Counting => ({
  commissionIds: [],
  last: null,
  lineCount: 0,
  total: 0n,
  onHoldCount: 0,
  onHoldAmount: 0n,
  notComputableCount: 0,
  notAcceptedCount: 0,
  notAcceptedAmount: 0n,
  inOpenSettlementCount: 0,
  waitingCount: 0,
});

/** Nothing due. */
export const NOTHING: DueTotal = emptyCount();

/** True if the partner has accepted the terms under which a commission was earned. A correction of what was settled is not asked. */
export type IsAccepted = (due: Pick<DueCommission, "formulaId" | "occurredAt">) => boolean;

/** Counts what a partner has due, currency by currency, in the order in which it is given. */
export class DueTotals {
  readonly #terms: Pick<Terms, "holdDays">;
  readonly #isAccepted: IsAccepted;
  readonly #criteria: Pick<Criteria, "until" | "currencies">;
  readonly #counting = new Map<Currency, Counting>();

  /** Everything is accepted unless the policy requires it. */
  constructor(
    terms: Pick<Terms, "holdDays">,
    criteria: Pick<Criteria, "until" | "currencies">,
    isAccepted: IsAccepted = () => true,
  ) {
    this.#terms = terms;
    this.#isAccepted = isAccepted;
    this.#criteria = criteria;
    for (const currency of criteria.currencies ?? []) this.#counting.set(currency, emptyCount());
  }

  /** Counts one commission; one of a currency that the run leaves out is passed over. */
  add(due: DueCommission): void {
    const { currencies, until } = this.#criteria;
    let dueTotal = this.#counting.get(due.currency);
    if (dueTotal === undefined) {
      if (currencies !== null) return;
      dueTotal = emptyCount();
      this.#counting.set(due.currency, dueTotal);
    }
    if (due.dueAmount === 0 && due.isComputable) dueTotal.waitingCount += 1;
    else if (due.isInOpenSettlement) dueTotal.inOpenSettlementCount += 1;
    else if (!due.isComputable) dueTotal.notComputableCount += 1;
    else if (!due.isCorrection && !this.#isAccepted(due)) {
      dueTotal.notAcceptedCount += 1;
      dueTotal.notAcceptedAmount += BigInt(due.dueAmount);
    } else if (isOnHold(this.#terms, until, due)) {
      dueTotal.onHoldCount += 1;
      dueTotal.onHoldAmount += BigInt(due.dueAmount);
    } else {
      dueTotal.lineCount += 1;
      dueTotal.total += BigInt(due.dueAmount);
      if (dueTotal.commissionIds.length === SETTLEMENT_LINES_MAX) return;
      dueTotal.commissionIds.push(due.id);
      dueTotal.last = { createdAt: due.createdAt, id: due.id };
    }
  }

  /** What was counted, by currency in alphabetical order. */
  entries(): ReadonlyArray<readonly [Currency, DueTotal]> {
    return [...this.#counting].sort(([one], [other]) => (one < other ? -1 : 1));
  }

  /** What was counted in one currency. */
  of(currency: Currency): DueTotal {
    return this.#counting.get(currency) ?? NOTHING;
  }
}

/** Of whom a run finds something. */
export interface Payee {
  readonly partnerId: PartnerId;
  /** The terms in force. */
  readonly terms: Terms;
  readonly isSuspended: boolean;
}

/** True if a total is of nothing that is due. */
const isNothing = (dueTotal: DueTotal): boolean =>
  dueTotal.lineCount +
    dueTotal.notComputableCount +
    dueTotal.notAcceptedCount +
    dueTotal.onHoldCount +
    dueTotal.inOpenSettlementCount ===
  0;

/** Why a total has no draft, or null. It adds up several commissions, or none that may be settled. */
const reasonOf = ({ terms, isSuspended }: Payee, currency: Currency, dueTotal: DueTotal): Reason | null => {
  if (isNothing(dueTotal)) return dueTotal.waitingCount > 0 ? "waiting" : "nothing_due";
  if (isSuspended) return "partner_suspended";
  if (dueTotal.lineCount === 0) {
    if (dueTotal.notComputableCount > 0) return "not_computable";
    if (dueTotal.notAcceptedCount > 0) return "not_accepted";
    if (dueTotal.onHoldCount > 0) return "on_hold";
    return "in_open_settlement";
  }
  if (dueTotal.lineCount <= SETTLEMENT_LINES_MAX && fromBigInt(dueTotal.total) === null)
    return "not_computable";
  if (dueTotal.total < 0n && terms.negative === "carry_forward") return "negative";
  return isBelowMinimum(terms, currency, dueTotal.total) ? "below_minimum" : null;
};

/** What a run finds for a partner and currency. */
export const finding = (payee: Payee, currency: Currency, dueTotal: DueTotal): Finding => ({
  partnerId: payee.partnerId,
  currency,
  reason: reasonOf(payee, currency, dueTotal),
  total: fromBigInt(dueTotal.total),
  lineCount: dueTotal.lineCount,
  onHoldCount: dueTotal.onHoldCount,
  onHoldAmount: fromBigInt(dueTotal.onHoldAmount),
  notComputableCount: dueTotal.notComputableCount,
  notAcceptedCount: dueTotal.notAcceptedCount,
  notAcceptedAmount: fromBigInt(dueTotal.notAcceptedAmount),
  inOpenSettlementCount: dueTotal.inOpenSettlementCount,
});

/** What a run finds for a partner that has nothing due in any currency. */
export const nothingDue = (partnerId: PartnerId): Finding => ({
  partnerId,
  currency: null,
  reason: "nothing_due",
  total: 0,
  lineCount: 0,
  onHoldCount: 0,
  onHoldAmount: 0,
  notComputableCount: 0,
  notAcceptedCount: 0,
  notAcceptedAmount: 0,
  inOpenSettlementCount: 0,
});

/** The counts before anything is settled. */
export const NO_COUNTS: Counts = { draftCount: 0, lineCount: 0, approvedCount: 0, totals: {} };

/** The sums of the drafts, in the order of the currencies. */
export const sumsOf = ({ totals }: Pick<Counts, "totals">): ReadonlyArray<CurrencySum> =>
  Object.entries(totals).map(([currency, digits]) => ({ currency, amount: BigInt(digits) }));

/** The counts with those of further results. */
export const countResults = (
  counts: Counts,
  results: ReadonlyArray<{
    readonly currency: Currency | null;
    readonly drafts: ReadonlyArray<Pick<RunDraft, "total" | "lineCount" | "approval">>;
  }>,
): Counts => {
  const totals: Record<string, bigint> = {};
  for (const [currency, digits] of Object.entries(counts.totals)) totals[currency] = BigInt(digits);
  let { draftCount, lineCount, approvedCount } = counts;
  for (const { currency, drafts } of results) {
    for (const draft of drafts) {
      draftCount += 1;
      lineCount += draft.lineCount;
      if (draft.approval === "approved") approvedCount += 1;
      totals[currency ?? ""] = (totals[currency ?? ""] ?? 0n) + BigInt(draft.total);
    }
  }
  const digits = Object.entries(totals).map(([currency, total]): [string, string] => [currency, `${total}`]);
  return { draftCount, lineCount, approvedCount, totals: Object.fromEntries(digits.sort()) };
};

/** How many drafts a finding leads to. */
export const draftsOf = ({ reason, lineCount }: Pick<Finding, "reason" | "lineCount">): number =>
  reason === null ? Math.ceil(lineCount / SETTLEMENT_LINES_MAX) : 0;
