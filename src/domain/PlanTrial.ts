/**
 * Trials of plans: the confirmed sales of a span under a draft, compared with what is in force. A trial changes nothing in the
 * books. Sums are exact integers of the smallest unit as decimal digits, because rows are JSON and sums have no bound.
 */
import { Schema } from "effect";
import type { Expression, RunningTotal } from "../formula/index.ts";
import { absolute } from "../formula/Rational.ts";
import { CalendarDate } from "./CalendarDate.ts";
import type { Credit } from "./Credit.ts";
import { field, key, means, required } from "./Field.ts";
import {
  AttributionId,
  type CustomerId,
  type FormulaId,
  PartnerId,
  type PlanTrialId,
  PlanTrialResultId,
  type WorkspaceId,
} from "./Ids.ts";
import { TRIAL_CHANGES_MAX } from "./Limits.ts";
import { Count, Sum } from "./Money.ts";
import { namedId } from "./NamedId.ts";
import type { Terms } from "./PlanTrialInput.ts";
import type { Properties } from "./Properties.ts";
import { DateTime, type Timestamp } from "./Timestamp.ts";

export * from "./PlanTrialInput.ts";

/** A sale that did not happen, with properties that conform to the schema. */
export interface AddedSale {
  readonly partnerId: PartnerId;
  readonly properties: Properties;
  readonly occurredAt: Timestamp;
  /** The day that it counts for; null where it is the UTC day. */
  readonly occurredOn: CalendarDate | null;
  /** Absent where the partner alone earns from it. */
  readonly credit?: Credit;
  /** What the sellers below earn; absent where nothing is stated. */
  readonly sellersCommission?: number;
}

/** Sums as they are shown. */
export const ShownSums = Schema.Struct({
  ...required({
    salesCount: field(Count, "sales_count", "The sales that can be computed on both sides."),
    notComputableCount: field(
      Count,
      "not_computable_count",
      "The sales whose amount cannot be computed on either side, because it or that of a seller below exceeds the largest amount; they are in no sum.",
    ),
  }),
  amountNow: key(Sum, "amount_now", "What is in force pays."),
  amountThen: key(Sum, "amount_then", "What the draft pays."),
  difference: Sum.pipe(means("What the draft pays more.")),
  waitingNow: key(
    Sum,
    "waiting_now",
    "The part of amount_now that waits until buyers have paid, by what is stated of their sales; the rest is payable.",
  ),
  waitingThen: key(Sum, "waiting_then", "The same of amount_then."),
});
export type ShownSums = typeof ShownSums.Type;

/** What sales earn in force and under the draft. */
export interface Sums extends Pick<ShownSums, "salesCount" | "notComputableCount"> {
  readonly amountNow: string;
  readonly amountThen: string;
  /** The parts of the amounts that wait for the buyers; absent of trials that were computed without them. */
  readonly waitingNow?: string;
  readonly waitingThen?: string;
}

/** What a formula pays for a sale, and the totals that it builds on: enough to explain the amount again. */
export interface Part {
  readonly formulaId: FormulaId;
  /** From 1. */
  readonly formulaVersion: number;
  readonly totals: ReadonlyArray<{ readonly rows: number; readonly numerator: string | null }>;
  /** What the sellers below earned; absent where the formula does not read it. */
  readonly sellersCommission?: string;
}

/** What a sale earns on one side. */
export interface Earned {
  readonly amount: string;
  /** One for each formula that covers the sale. */
  readonly parts: ReadonlyArray<Part>;
}

/** A sale of a trial. */
export const Sale = Schema.Struct({
  partnerId: key(PartnerId, "partner_id", "The partner of the sale."),
  ...required({
    attributionId: field(Schema.NullOr(AttributionId), "attribution_id", "Null for a sale that was added."),
    added: field(
      Schema.NullOr(Count),
      "added",
      "The place of the sale in add, from 0; null for a sale that happened.",
    ),
  }),
  occurredAt: key(DateTime, "occurred_at", "When it occurred."),
  ...required({
    occurredOn: field(CalendarDate, "occurred_on", "The calendar day that the sale counts for."),
  }),
});

/** A sale that earns another amount under the draft. */
export interface SaleChange extends Schema.Schema.Type<typeof Sale> {
  readonly now: Earned;
  readonly then: Earned;
}

/** The bounds of the groups of {@link distribute}, in percent of the amount in force. */
export const CHANGE_BOUNDS = [-50, -25, -10, 0, 10, 25, 50] as const;
const GROUPS = CHANGE_BOUNDS.length + 2;

/** The ranges of changes whose partners are counted, in percent; null has no bound. The one from 0 to 0 is unchanged. */
export const CHANGE_RANGES: ReadonlyArray<{ readonly from: number | null; readonly to: number | null }> = [
  null,
  ...CHANGE_BOUNDS.filter((bound) => bound <= 0),
  ...CHANGE_BOUNDS.filter((bound) => bound >= 0),
].map((from, index, bounds) => ({ from, to: bounds[index + 1] ?? null }));

/** The sales that a trial computes. */
export const Span = Schema.Struct({
  ...required({
    partnerIds: field(
      Schema.NullOr(Schema.Array(PartnerId)),
      "partner_ids",
      "Null: every partner of the workspace.",
    ),
  }),
  from: DateTime.pipe(means("Inclusive.")),
  to: DateTime.pipe(means("Exclusive.")),
});

/** How far a trial is. */
export const Progress = Schema.Struct({
  state: Schema.Literal("running", "done"),
  ...required({
    partnerCount: field(
      Count,
      "partner_count",
      "The partners whose sales the trial looks for, counted at its start. Those that have sales in the span are in distribution.",
    ),
  }),
  partnersDone: key(Count, "partners_done", "The partners that are computed."),
});

/** A trial and its progress. */
export interface PlanTrial
  extends Terms,
    Sums,
    Schema.Schema.Type<typeof Span>,
    Schema.Schema.Type<typeof Progress> {
  readonly id: PlanTrialId;
  readonly customerId: CustomerId;
  /** The expression of the draft; null for the versions that the plan has. */
  readonly expression: Expression | null;
  /** What the draft states of the share of a credit; absent where it follows from its expression. */
  readonly applyShare?: boolean;
  readonly add: ReadonlyArray<AddedSale>;
  /** The principal that started it. */
  readonly startedBy: string;
  /** Partners of one page; it stays as it was at the start, since pages are counted by it. */
  readonly batchSize: number;
  /** Partners by the range of their change; see {@link CHANGE_RANGES}. */
  readonly distribution: ReadonlyArray<number>;
  /** The sales whose amounts change most, the largest difference first. */
  readonly changes: ReadonlyArray<SaleChange>;
  readonly createdAt: Timestamp;
  readonly finishedAt: Timestamp | null;
}

/** What the sales of one month earn. */
export interface MonthResult extends Sums {
  /** The month of the day that the sales count for, `2026-01`. */
  readonly month: string;
}

/** The result of a trial for one partner that has sales in the span. */
export interface PlanTrialResult {
  readonly id: PlanTrialResultId;
  readonly customerId: CustomerId;
  readonly workspaceId: WorkspaceId;
  readonly trialId: PlanTrialId;
  readonly partnerId: PartnerId;
  /** Ascending; months without sales are left out. */
  readonly months: ReadonlyArray<MonthResult>;
  readonly createdAt: Timestamp;
}

/** The id of the result for a partner; a trial has one. */
export const resultId = (trialId: PlanTrialId, partnerId: PartnerId): PlanTrialResultId =>
  PlanTrialResultId.make(namedId("plan trial result", trialId, partnerId));

/** No sales. */
export const NO_SUMS: Sums = { salesCount: 0, notComputableCount: 0, amountNow: "0", amountThen: "0" };

/** A trial that has computed nothing yet. */
export const NOTHING_COMPUTED = {
  ...NO_SUMS,
  state: "running",
  partnersDone: 0,
  distribution: Array.from({ length: GROUPS }, () => 0),
  changes: [],
  finishedAt: null,
} as const satisfies Partial<PlanTrial>;

/** The sums of several together. */
export const addSums = (all: ReadonlyArray<Sums>): Sums => {
  const add = (of: (sums: Sums) => string): string =>
    String(all.reduce((sum, sums) => sum + BigInt(of(sums)), 0n));
  return {
    salesCount: all.reduce((sum, { salesCount }) => sum + salesCount, 0),
    notComputableCount: all.reduce((sum, { notComputableCount }) => sum + notComputableCount, 0),
    amountNow: add(({ amountNow }) => amountNow),
    amountThen: add(({ amountThen }) => amountThen),
    waitingNow: add(({ waitingNow = "0" }) => waitingNow),
    waitingThen: add(({ waitingThen = "0" }) => waitingThen),
  };
};

/** What the draft pays more than what is in force. */
export const differenceOf = ({ amountNow, amountThen }: Pick<Sums, "amountNow" | "amountThen">): bigint =>
  BigInt(amountThen) - BigInt(amountNow);

/** Sums as they are shown, from those of a row. */
export const showSums = (sums: Sums): ShownSums => ({
  salesCount: sums.salesCount,
  notComputableCount: sums.notComputableCount,
  amountNow: BigInt(sums.amountNow),
  amountThen: BigInt(sums.amountThen),
  difference: differenceOf(sums),
  waitingNow: BigInt(sums.waitingNow ?? 0),
  waitingThen: BigInt(sums.waitingThen ?? 0),
});

/** The range of a change; every change from an amount of 0 is in the outermost one. */
const rangeOf = (sums: Sums): number => {
  const difference = differenceOf(sums);
  const size = absolute(BigInt(sums.amountNow));
  const below = CHANGE_BOUNDS.filter((bound) => bound <= 0);
  if (difference < 0n) return below.findIndex((bound) => difference * 100n < BigInt(bound) * size);
  if (difference === 0n) return below.length;
  const above = CHANGE_BOUNDS.filter((bound) => bound > 0);
  const index = above.findIndex((bound) => difference * 100n <= BigInt(bound) * size);
  return below.length + 1 + (index < 0 ? above.length : index);
};

/** The distribution with further partners, each with the sums of all its months. */
export const distribute = (
  distribution: ReadonlyArray<number>,
  partners: ReadonlyArray<Sums>,
): ReadonlyArray<number> => {
  const counts = [...distribution];
  for (const sums of partners) {
    const range = rangeOf(sums);
    counts[range] = (counts[range] ?? 0) + 1;
  }
  return counts;
};

const sizeOf = ({ now, then }: SaleChange): bigint => absolute(BigInt(then.amount) - BigInt(now.amount));

/** The largest of these changes; of equal ones those that stand first. */
export const largestChanges = (changes: ReadonlyArray<SaleChange>): ReadonlyArray<SaleChange> =>
  changes
    .map((change) => ({ change, size: sizeOf(change) }))
    .sort((a, b) => (a.size === b.size ? 0 : a.size < b.size ? 1 : -1))
    .slice(0, TRIAL_CHANGES_MAX)
    .map(({ change }) => change);

/** The totals of a part as rows hold them. */
export const encodeTotals = (totals: ReadonlyArray<RunningTotal>): Part["totals"] =>
  totals.map(({ rows, numerator }) => ({ rows, numerator: numerator === null ? null : String(numerator) }));

/** The totals of a part as formulas read them. */
export const decodeTotals = ({ totals }: Pick<Part, "totals">): ReadonlyArray<RunningTotal> =>
  totals.map(({ rows, numerator }) => ({ rows, numerator: numerator === null ? null : BigInt(numerator) }));

/** The month of a day, `2026-01`. */
export const monthOf = (day: CalendarDate): string => day.slice(0, 7);
