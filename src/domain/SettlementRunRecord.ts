/** What starting a settlement run takes, and what runs and their results state. */
import { Schema } from "effect";
import { Currency } from "./Currency.ts";
import { distinct, field, key, optional, optionalKey, required } from "./Field.ts";
import {
  type CommissionId,
  type CustomerId,
  PartnerId,
  SettlementId,
  type SettlementPolicyId,
  type SettlementRunId,
  type SettlementRunResultId,
  WorkspaceId,
} from "./Ids.ts";
import { FILTER_VALUES_MAX, RUN_PARTNERS_MAX } from "./Limits.ts";
import { Amount, Count } from "./Money.ts";
import { DateTime, type Timestamp } from "./Timestamp.ts";

/** What starting a run takes: by default every partner of the workspace, every currency, and what occurred until now. */
export const Start = Schema.Struct({
  workspaceId: key(WorkspaceId, "workspace_id", "The workspace whose partners are settled."),
  partnerIds: optionalKey(
    Schema.NullOr(distinct(PartnerId, RUN_PARTNERS_MAX, "ids")),
    "partner_ids",
    "The partners to settle, 1 to 1,000 of the workspace; by default every partner.",
  ),
  until: optional(
    Schema.NullOr(DateTime),
    "Exclusive: the run settles what occurred before this moment, at most 5 minutes ahead of the clock; by default everything up to now.",
  ),
  currencies: optional(
    Schema.NullOr(distinct(Currency, FILTER_VALUES_MAX, "currencies")),
    "The currencies to settle; by default every currency.",
  ),
  dryRun: optionalKey(
    Schema.Boolean,
    "dry_run",
    "true returns what the run would do, for at most 5,000 partners, and stores nothing; false by default.",
  ),
});
export type Start = typeof Start.Type;

/** What a run settles. */
export const Criteria = Schema.Struct(
  required({
    workspaceId: field(WorkspaceId, "workspace_id", "The workspace whose partners are settled."),
    partnerIds: field(
      Schema.NullOr(Schema.Array(PartnerId)),
      "partner_ids",
      "Null: every partner of the workspace.",
    ),
    currencies: field(Schema.NullOr(Schema.Array(Currency)), "currencies", "Null: every currency."),
    until: field(
      DateTime,
      "until",
      "Exclusive: the run settles commissions of attributions that occurred before.",
    ),
  }),
);
export type Criteria = typeof Criteria.Type;

/** How far a run is. */
export const Progress = Schema.Struct(
  required({
    period: field(
      Schema.NullOr(Schema.String),
      "period",
      "The label of the cadence's period, such as 2026-02; null when a request started the run.",
    ),
    state: field(Schema.Literal("running", "done"), "state", "done: every partner has its results."),
    partnerCount: field(Count, "partner_count", "The number of partners in the run, counted at its start."),
    partnersDone: field(Count, "partners_done", "The number of partners whose results are there."),
    draftCount: field(Count, "draft_count", "The number of drafts that the run has created."),
    lineCount: field(Count, "line_count", "The number of commissions in these drafts."),
    approvedCount: field(Count, "approved_count", "The drafts that the run has approved by the policy."),
  }),
);
type Progress = typeof Progress.Type;

/** How much a run has settled. */
export interface Counts extends Pick<Progress, "draftCount" | "lineCount" | "approvedCount"> {
  /** Sums of the drafts by currency, as decimal digits, because rows are JSON. {@link sumsOf} reads them. */
  readonly totals: Readonly<Record<string, string>>;
}

/** A run and its progress. */
export interface SettlementRun extends Criteria, Progress, Counts {
  readonly id: SettlementRunId;
  readonly customerId: CustomerId;
  /** The policy whose cadence started it; null when somebody did. */
  readonly policyId: SettlementPolicyId | null;
  /** The principal that started it. */
  readonly startedBy: string;
  /** The person that started it, who counts as the creator of its drafts. */
  readonly startedByPerson: string;
  /** Partners of one step; it stays as it was at the start, since steps are counted by it. */
  readonly batchSize: number;
  readonly createdAt: Timestamp;
  readonly finishedAt: Timestamp | null;
}

/** Why a run has no draft for a partner and currency. */
export const REASONS = [
  "nothing_due",
  "partner_suspended",
  "below_minimum",
  "not_accepted",
  "on_hold",
  "negative",
  "not_computable",
  "in_open_settlement",
  "waiting",
] as const;
export type Reason = (typeof REASONS)[number];

/** The position of a commission in the order in which runs settle them. */
export interface DuePosition {
  readonly createdAt: Timestamp;
  readonly id: CommissionId;
}

/** One draft of a result. */
export const RunDraft = Schema.Struct(
  required({
    settlementId: field(SettlementId, "settlement_id", "The draft."),
    total: field(Amount, "total", "Its amount, net of tax."),
    lineCount: field(Count, "line_count", "The number of its commissions."),
    approval: field(
      Schema.Literal("manual", "pending", "approved", "refused"),
      "approval",
      "The automatic approval. manual: the policy approves no such draft; pending: not done yet; approved; refused: see approval_problem.",
    ),
    approvalProblem: field(
      Schema.NullOr(Schema.String),
      "approval_problem",
      "Why the approval was refused, else null.",
    ),
  }),
);
export type RunDraft = typeof RunDraft.Type;
export type Approval = RunDraft["approval"];

/** What a run finds for one partner and currency. */
export const Finding = Schema.Struct(
  required({
    partnerId: field(PartnerId, "partner_id", "The partner."),
    currency: field(Schema.NullOr(Currency), "currency", "Null when nothing is due in any currency."),
    reason: field(
      Schema.NullOr(Schema.Literal(...REASONS)),
      "reason",
      "Why there is no draft; null when there is one.",
    ),
    total: field(
      Schema.NullOr(Amount),
      "total",
      "The amount that may be settled, net of tax; null when it exceeds the largest amount.",
    ),
    lineCount: field(Count, "line_count", "The number of commissions that may be settled."),
    onHoldCount: field(Count, "on_hold_count", "The number of commissions that are on hold."),
    onHoldAmount: field(
      Schema.NullOr(Amount),
      "on_hold_amount",
      "Their amount; null when it exceeds the largest amount.",
    ),
    notComputableCount: field(
      Count,
      "not_computable_count",
      "The number of commissions whose amount cannot be computed.",
    ),
    notAcceptedCount: field(
      Count,
      "not_accepted_count",
      "Commissions under terms of a plan that the partner has not accepted; 0 unless the policy requires it.",
    ),
    notAcceptedAmount: field(
      Schema.NullOr(Amount),
      "not_accepted_amount",
      "Their amount; null when it exceeds the largest amount.",
    ),
    inOpenSettlementCount: field(
      Count,
      "in_open_settlement_count",
      "The number of commissions that an open settlement has.",
    ),
  }),
);
export type Finding = typeof Finding.Type;

/** The stored result of a run for one partner and currency. */
export interface SettlementRunResult extends Finding {
  readonly id: SettlementRunResultId;
  readonly customerId: CustomerId;
  readonly workspaceId: WorkspaceId;
  readonly runId: SettlementRunId;
  /** The step of the run that created it, counted from 0. */
  readonly step: number;
  /** One for each part, in their order. */
  readonly drafts: ReadonlyArray<RunDraft>;
  /** The last commission of the last part, while there may be more parts; else null. */
  readonly after: DuePosition | null;
  readonly createdAt: Timestamp;
}
