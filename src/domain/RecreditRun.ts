/** Recredit runs: the uplines of all sales of a span derived again, one sale after the other. */
import { Either, Schema } from "effect";
import { type EarningChange, EarningChanges } from "./EarningChange.ts";
import { distinct, field, key, means, optionalKey, Reason, required } from "./Field.ts";
import {
  type AttributionId,
  type CustomerId,
  PartnerId,
  type RecreditRunId,
  RecreditRunResultId,
  WorkspaceId,
} from "./Ids.ts";
import { RUN_PARTNERS_MAX } from "./Limits.ts";
import { type Amount, Count, type CurrencySum } from "./Money.ts";
import { namedId } from "./NamedId.ts";
import type { Position } from "./Recomputation.ts";
import { CreditChanges } from "./Recredit.ts";
import { type Invalid, invalid, type Refusal } from "./Refusal.ts";
import { DateTime, type Timestamp } from "./Timestamp.ts";

/** What starting a run takes: a span of a workspace. `from` is inclusive and `to` exclusive. */
export const Start = Schema.Struct({
  workspaceId: key(WorkspaceId, "workspace_id", "The workspace whose sales are recredited."),
  partnerIds: optionalKey(
    Schema.NullOr(distinct(PartnerId, RUN_PARTNERS_MAX, "ids")),
    "partner_ids",
    "Only sales in which one of these partners has a credit; 1 to 1,000 of the workspace. By default every sale.",
  ),
  from: DateTime.pipe(means("Inclusive: the sales that occurred at this moment or later.")),
  to: DateTime.pipe(means("Exclusive: the sales that occurred before this moment.")),
  reason: Reason,
  dryRun: optionalKey(
    Schema.Boolean,
    "dry_run",
    "true computes what the run would change of each sale, and changes none; false by default.",
  ),
});
export type Start = typeof Start.Type;

/** Accepts a span that holds some time. */
export const checkStart = ({ from, to }: Pick<Start, "from" | "to">): Either.Either<void, Invalid> =>
  from < to ? Either.void : Either.left(invalid("to", "must be after from"));

/** What became of a sale; one whose uplines are those that it has is not named. */
export const OUTCOMES = ["changed", "attribution_cancelled", "too_many_credits", "failed"] as const;

/** What the commissions of one currency are together, as decimal digits, because rows are JSON. {@link totalsOf} reads them. */
interface Digits {
  readonly before: string;
  readonly after: string;
}

/** What a run recredits. */
export const Criteria = Schema.Struct({
  ...required({
    partnerIds: field(Schema.NullOr(Schema.Array(PartnerId)), "partner_ids", "Null: every sale."),
  }),
  from: DateTime.pipe(means("Inclusive.")),
  to: DateTime.pipe(means("Exclusive.")),
  reason: Schema.String,
  dryRun: key(Schema.Boolean, "dry_run", "True if the run only computes what it would change."),
});
type Criteria = typeof Criteria.Type;

/** How far a run is, and how much it has changed. */
export const Progress = Schema.Struct({
  state: Schema.Literal("running", "done"),
  ...required({
    salesDone: field(
      Count,
      "sales_done",
      "Sales that the run has reached, also those that have the uplines that they should have.",
    ),
  }),
  changedCount: key(Count, "changed_count", "Sales that have changed."),
  ...required({
    cancelledCount: field(Count, "cancelled_count", "Cancelled sales, which are left as they are."),
    tooManyCreditsCount: field(
      Count,
      "too_many_credits_count",
      "Sales that would have more than 100 credits, which are left as they are.",
    ),
    failedCount: field(Count, "failed_count", "Sales that are left as they are for another problem."),
  }),
  creditsAdded: key(Count, "credits_added", "Credits of uplines that are new."),
  creditsCancelled: key(Count, "credits_cancelled", "Credits of uplines that were cancelled."),
});
type Progress = typeof Progress.Type;

/** How much a run has changed. */
export interface Counts extends Omit<Progress, "state"> {
  readonly totals: Readonly<Record<string, Digits>>;
}

/** A run and its progress. */
export interface RecreditRun extends Criteria, Progress, Counts {
  readonly id: RecreditRunId;
  readonly customerId: CustomerId;
  readonly workspaceId: WorkspaceId;
  /** The principal that started it, and so the actor of what it changes. */
  readonly startedBy: string;
  readonly startedByPerson: string;
  /** The last sale that is done, in the order of (occurredAt, id); null before the first. */
  readonly after: Position | null;
  readonly createdAt: Timestamp;
  readonly finishedAt: Timestamp | null;
}

/** What a run found of a sale: credits that were lost come first, and commissions of both the lost and the new credits. */
export const Found = Schema.Struct({
  ...required({
    outcome: field(
      Schema.Literal(...OUTCOMES),
      "outcome",
      "changed; or left as it is: attribution_cancelled, too_many_credits (more than 100 with those of uplines) or failed.",
    ),
    problem: field(Schema.NullOr(Schema.String), "problem", "Why the sale was left as it is, else null."),
  }),
  ...CreditChanges.fields,
  ...EarningChanges.fields,
});
export type Found = typeof Found.Type;

/** The stored result of a run for a sale, named by its origin. */
export interface RecreditRunResult extends Found {
  readonly id: RecreditRunResultId;
  readonly customerId: CustomerId;
  readonly workspaceId: WorkspaceId;
  readonly runId: RecreditRunId;
  readonly attributionId: AttributionId;
  readonly createdAt: Timestamp;
}

/** The id of the result for a sale; a run has one. */
export const resultId = (runId: RecreditRunId, attributionId: AttributionId): RecreditRunResultId =>
  RecreditRunResultId.make(namedId("recredit run result", runId, attributionId));

/** A run that has reached no sale yet. */
export const NOTHING_DONE = {
  ...{ salesDone: 0, changedCount: 0, cancelledCount: 0, tooManyCreditsCount: 0, failedCount: 0 },
  ...{ creditsAdded: 0, creditsCancelled: 0, totals: {} },
  ...{ state: "running", after: null, finishedAt: null },
} as const satisfies Partial<RecreditRun>;

/** The result of a sale that is left as it is, for the reason of a refusal. */
export const leftAsItIs = (refusal: Refusal): Found => ({
  outcome:
    refusal._tag === "Conflict" && refusal.token === "attribution_cancelled"
      ? "attribution_cancelled"
      : refusal._tag === "Invalid" && refusal.field === "credits"
        ? "too_many_credits"
        : "failed",
  problem: refusal.message,
  credits: [],
  commissions: [],
  changesLaterSales: false,
});

const addAmount = (digits: string, amount: Amount | null): string =>
  String(BigInt(digits) + BigInt(amount ?? 0));

const addTotals = (
  totals: Counts["totals"],
  commissions: ReadonlyArray<EarningChange>,
): Readonly<Record<string, Digits>> => {
  const sums = new Map(Object.entries(totals));
  for (const { currency, amountBefore, amountAfter } of commissions) {
    const { before, after } = sums.get(currency) ?? { before: "0", after: "0" };
    sums.set(currency, { before: addAmount(before, amountBefore), after: addAmount(after, amountAfter) });
  }
  return Object.fromEntries([...sums].sort(([one], [other]) => (one < other ? -1 : 1)));
};

/** The counts with a further sale; null is one that has the uplines that it should have. */
export const countSale = (counts: Counts, found: Found | null): Counts => {
  const salesDone = counts.salesDone + 1;
  if (found === null) return { ...counts, salesDone };
  switch (found.outcome) {
    case "attribution_cancelled":
      return { ...counts, salesDone, cancelledCount: counts.cancelledCount + 1 };
    case "too_many_credits":
      return { ...counts, salesDone, tooManyCreditsCount: counts.tooManyCreditsCount + 1 };
    case "failed":
      return { ...counts, salesDone, failedCount: counts.failedCount + 1 };
    case "changed": {
      const { credits, commissions } = found;
      const has = (share: "shareBefore" | "shareAfter") =>
        credits.filter((credit) => credit[share] !== null).length;
      return {
        ...counts,
        salesDone,
        changedCount: counts.changedCount + 1,
        creditsAdded: counts.creditsAdded + has("shareAfter"),
        creditsCancelled: counts.creditsCancelled + has("shareBefore"),
        totals: addTotals(counts.totals, commissions),
      };
    }
  }
};

/** What the changed credits earn in one currency; an amount that cannot be computed counts as 0. */
export interface Total extends Pick<CurrencySum, "currency"> {
  readonly amountBefore: bigint;
  readonly amountAfter: bigint;
}

/** The sums of a run, in the order of the currencies. */
export const totalsOf = ({ totals }: Pick<Counts, "totals">): ReadonlyArray<Total> =>
  Object.entries(totals).map(([currency, { before, after }]) => ({
    currency,
    amountBefore: BigInt(before),
    amountAfter: BigInt(after),
  }));

/** Every sale of the span that occurred before this moment is done. */
export const reached = ({
  from,
  to,
  state,
  after,
}: Pick<RecreditRun, "from" | "to" | "state" | "after">): Timestamp =>
  state === "done" ? to : (after?.occurredAt ?? from);
