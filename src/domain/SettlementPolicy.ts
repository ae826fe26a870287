/**
 * Settlement policies: which due amounts runs settle, and what happens to the drafts. A workspace has one policy; a partner
 * of it may have fields of its own, which take the place of the workspace's.
 */

import { Record, Schema } from "effect";
import { absolute } from "../formula/Rational.ts";
import { Cadence, newestPeriod, nextPeriod, type Period, type Scheduled, Stated } from "./Cadence.ts";
import { Currency } from "./Currency.ts";
import { type Actor, type Entry, personOf, type ShownActor, shownActor } from "./Event.ts";
import { field, nullable, omittable, required } from "./Field.ts";
import {
  type CustomerId,
  type PartnerId,
  SettlementPolicyId,
  type SettlementRunId,
  type WorkspaceId,
} from "./Ids.ts";
import { sameJson } from "./Json.ts";
import { HOLD_DAYS_MAX, MAX_AMOUNT, RATE_BPS_MAX } from "./Limits.ts";
import type { Amount } from "./Money.ts";
import { namedId } from "./NamedId.ts";
import type { Timestamp } from "./Timestamp.ts";

const isCurrency = Schema.is(Currency);

/** Amounts by currency, in the smallest unit; they are compared with the amount of a total without its sign. */
const AmountByCurrency = Schema.Record({
  key: Schema.String,
  value: Schema.Int.pipe(Schema.between(0, MAX_AMOUNT)).annotations({
    jsonSchema: { type: "integer", format: "int64", minimum: 0, maximum: MAX_AMOUNT },
  }),
}).pipe(
  Schema.filter(
    (amounts) => {
      const wrong = Object.keys(amounts).find((code) => !isCurrency(code));
      return wrong === undefined
        ? true
        : { path: [wrong], message: "must be an ISO 4217 currency code, such as EUR" };
    },
    { arbitrary: () => (fc) => fc.dictionary(fc.constantFrom("EUR", "USD"), fc.nat()) },
  ),
);
export type AmountByCurrency = typeof AmountByCurrency.Type;

const HoldDays = Schema.Int.pipe(Schema.between(0, HOLD_DAYS_MAX)).annotations({
  jsonSchema: { type: "integer", minimum: 0, maximum: HOLD_DAYS_MAX },
});
const AutoApprove = Schema.Union(Schema.Literal("never"), AmountByCurrency);
const Negative = Schema.Literal("review", "carry_forward");
const InvoiceTaxBps = Schema.Union(
  Schema.Literal("unknown"),
  Schema.Int.pipe(Schema.between(0, RATE_BPS_MAX)).annotations({
    jsonSchema: { type: "integer", minimum: 0, maximum: RATE_BPS_MAX },
  }),
);

/** The terms of a policy, with what each means to callers; all their other forms follow from it. */
const TERMS = {
  holdDays: field(
    HoldDays,
    "hold_days",
    "Days of 24 hours after occurred_at before a commission is settled for the first time; 0 by default for a workspace.",
  ),
  minimum: field(
    AmountByCurrency,
    "minimum",
    "By currency, the least total of a draft of a run, in the smallest unit. A smaller total waits for a later run.",
  ),
  cadence: field(
    Cadence,
    "cadence",
    "When runs start automatically: manual (never), or weekly, monthly or quarterly.",
  ),
  autoApprove: field(
    AutoApprove,
    "auto_approve",
    "never, or by currency the largest total that a run approves without a person, in the smallest unit. Currencies that are not named are never approved automatically.",
  ),
  fourEyesAbove: field(
    AmountByCurrency,
    "four_eyes_above",
    "By currency, in the smallest unit: above this the creator of a draft may not approve it, and no run does. The drafts of one partner and day are added up.",
  ),
  negative: field(
    Negative,
    "negative",
    "What a run does with a negative total: review creates a draft, carry_forward none.",
  ),
  invoiceTaxBps: field(
    InvoiceTaxBps,
    "invoice_tax_bps",
    "The rate of tax in hundredths of a percent that documents of partners who bill themselves state, or unknown (the default). A stated tax that differs by more than one unit, or that is not 0 while the rate is unknown, is paid only after an approver has accepted it.",
  ),
  requireAcceptance: field(
    Schema.Boolean,
    "require_acceptance",
    "Whether runs leave out what a partner earned under terms of a plan that it has not accepted; false by default.",
  ),
};

/** The terms as requests state them: a cadence without a time zone has that of the workspace. */
const STATED = { ...TERMS, cadence: { ...TERMS.cadence, schema: Stated } };

/** The terms of a policy. */
export const Terms = Schema.Struct(required(TERMS));
export type Terms = typeof Terms.Type;

/** What writing the policy of a workspace takes; an absent field gets its default. */
export const Write = Schema.Struct(omittable(STATED));
export type Write = typeof Write.Type;

/** What writing the fields of a partner takes; an absent or null field follows the workspace. */
export const WriteOverride = Schema.Struct(omittable(nullable(STATED)));
export type WriteOverride = typeof WriteOverride.Type;

/** Terms of which any may be null: the field follows the workspace. */
export const OwnTerms = Schema.Struct(required(nullable(TERMS)));
export type OwnTerms = typeof OwnTerms.Type;

const shownTerms = Schema.encodeSync(OwnTerms);

/** The terms of a workspace that has no policy. */
export const DEFAULT: Terms = {
  holdDays: 0,
  minimum: {},
  cadence: "manual",
  autoApprove: "never",
  fourEyesAbove: {},
  negative: "review",
  invoiceTaxBps: "unknown",
  requireAcceptance: false,
};

/** The fields of a partner that has none of its own. */
export const NO_OVERRIDE = Record.map(DEFAULT, () => null);

/** What can happen to a policy. */
export type PolicyEvent =
  /** The terms, each null where a partner follows its workspace. */
  | (typeof OwnTerms.Encoded & {
      readonly type: "write_settlement_policy";
      readonly actor: ShownActor;
      readonly workspace_id: WorkspaceId;
      /** Null: the policy of the workspace. */
      readonly partner_id: PartnerId | null;
      readonly stored: { readonly terms: OwnTerms; readonly next: Period | null };
    })
  /** A period of the cadence has begun; it has this run. */
  | {
      readonly type: "begin_settlement_period";
      readonly actor: ShownActor;
      readonly workspace_id: WorkspaceId;
      readonly partner_id: PartnerId | null;
      readonly period: string;
      readonly settlement_run_id: SettlementRunId;
      readonly stored: { readonly next: Period };
    };

/** The stored policy of a workspace, all of whose terms are set, or of a partner. */
export interface SettlementPolicy {
  readonly id: SettlementPolicyId;
  readonly customerId: CustomerId;
  readonly workspaceId: WorkspaceId;
  /** Null: the policy of the workspace. */
  readonly partnerId: PartnerId | null;
  readonly terms: OwnTerms;
  /** The principal that last wrote the cadence; the runs of the cadence count as started by it. */
  readonly scheduledBy: string;
  /** The person that last wrote the cadence. */
  readonly scheduledByPerson: string;
  /** The next period that starts a run; null without a cadence. */
  readonly next: Period | null;
  /** When the next period begins; a column of its own, since workers look for it. */
  readonly nextRunAt: Timestamp | null;
  /** The label of the last period that started a run. */
  readonly lastPeriod: string | null;
}

/** The present state: the fold of the events. */
export type View = Omit<SettlementPolicy, keyof Identity>;

/**
 * The id of the policy of a workspace, or of a partner of it. The customer is part of it, because two customers may choose
 * the same id for a workspace; the ids of the policy's runs and of their drafts are derived from it.
 */
export const policyId = (
  customerId: CustomerId,
  workspaceId: WorkspaceId,
  partnerId: PartnerId | null,
): SettlementPolicyId =>
  SettlementPolicyId.make(namedId("settlement policy", customerId, workspaceId, partnerId ?? ""));

/** The terms in force: the partner's own where it has any, then the workspace's, then the defaults. */
export const inForce = (
  workspace: Pick<SettlementPolicy, "terms"> | null,
  partner: Pick<SettlementPolicy, "terms"> | null,
): Terms => {
  const [own, general] = [partner?.terms ?? NO_OVERRIDE, workspace?.terms ?? NO_OVERRIDE];
  return Record.map(DEFAULT, (value, field) => own[field] ?? general[field] ?? value) as Terms;
};

/** True if a partner has a cadence of its own, so that the runs of its workspace's cadence leave it out. */
export const hasOwnCadence = ({ terms }: Pick<SettlementPolicy, "terms">): boolean => terms.cadence !== null;

/** The state after one more entry. Who writes another cadence counts as the starter of its runs. */
export const evolve = (state: View | null, entry: Entry<PolicyEvent>): View => {
  const { event } = entry;
  const { next } = event.stored;
  const times = { next, nextRunAt: next?.at ?? null };
  if (event.type === "begin_settlement_period") {
    if (state === null) throw new Error("a policy's log begins with write_settlement_policy");
    return { ...state, ...times, lastPeriod: event.period };
  }
  const { terms } = event.stored;
  const isScheduled = state !== null && sameJson(state.terms.cadence, terms.cadence);
  const by = isScheduled
    ? { scheduledBy: state.scheduledBy, scheduledByPerson: state.scheduledByPerson }
    : { scheduledBy: entry.actor, scheduledByPerson: personOf(entry) };
  return { terms, ...by, ...times, lastPeriod: state?.lastPeriod ?? null };
};

/** A policy by its place. */
export type Identity = Pick<SettlementPolicy, "id" | "customerId" | "workspaceId" | "partnerId">;

/**
 * The events of written terms; none when they are as they were. A cadence that does not change keeps its next period; a new one
 * begins with its next period, and never with one that was run before.
 */
export const write = (
  { workspaceId, partnerId }: Identity,
  before: View | null,
  terms: OwnTerms,
  by: Actor & { readonly at: Timestamp },
): ReadonlyArray<PolicyEvent> => {
  const present = before?.terms ?? (partnerId === null ? null : NO_OVERRIDE);
  if (sameJson(present, terms)) return [];
  const { cadence } = terms;
  const isScheduled = before !== null && sameJson(before.terms.cadence, cadence);
  const next = isScheduled
    ? before.next
    : cadence === null || cadence === "manual"
      ? null
      : nextPeriod(cadence, by.at, before?.lastPeriod ?? null);
  return [
    {
      type: "write_settlement_policy",
      actor: shownActor(by),
      workspace_id: workspaceId,
      partner_id: partnerId,
      ...shownTerms(terms),
      stored: { terms, next },
    },
  ];
};

/**
 * The period that a policy runs now, and the one after it: the newest that has started, so that missed periods are not run
 * one by one. Null when none has started since the last.
 */
export const duePeriod = (
  policy: Pick<SettlementPolicy, "next">,
  cadence: Scheduled,
  now: Timestamp,
): { readonly period: Period; readonly next: Period } | null => {
  if (policy.next === null || policy.next.at > now) return null;
  const period = newestPeriod(cadence, now);
  return { period, next: nextPeriod(cadence, now, period.label) };
};

/** The event of a period that has begun; the next one follows it. */
export const beginPeriod = (
  { workspaceId, partnerId }: Identity,
  {
    period,
    next,
    runId,
  }: { readonly period: Period; readonly next: Period; readonly runId: SettlementRunId },
  by: Actor,
): PolicyEvent => ({
  type: "begin_settlement_period",
  actor: shownActor(by),
  workspace_id: workspaceId,
  partner_id: partnerId,
  period: period.label,
  settlement_run_id: runId,
  stored: { next },
});

/** The amount of a total without its sign. */
export const magnitude = (total: Amount | bigint): bigint => absolute(BigInt(total));

/** The amount of a currency, if the policy names the currency. */
export const limitOf = (amounts: AmountByCurrency, currency: Currency): Amount | undefined =>
  Object.hasOwn(amounts, currency) ? amounts[currency] : undefined;

/** True if a total is below the least amount of its currency. */
export const isBelowMinimum = (
  { minimum }: Pick<Terms, "minimum">,
  currency: Currency,
  total: Amount | bigint,
): boolean => magnitude(total) < BigInt(limitOf(minimum, currency) ?? 0);

/** True if a settlement must be approved by somebody else than its creator. */
export const needsFourEyes = (
  { fourEyesAbove }: Pick<Terms, "fourEyesAbove">,
  currency: Currency,
  total: Amount | bigint,
): boolean => {
  const limit = limitOf(fourEyesAbove, currency);
  return limit !== undefined && magnitude(total) > BigInt(limit);
};

/** True if a run approves a draft of this total by itself. It never does where four eyes are needed. */
export const approvesItself = (
  terms: Pick<Terms, "autoApprove" | "fourEyesAbove">,
  currency: Currency,
  total: Amount | bigint,
): boolean => {
  const limit = terms.autoApprove === "never" ? undefined : limitOf(terms.autoApprove, currency);
  return limit !== undefined && magnitude(total) <= BigInt(limit) && !needsFourEyes(terms, currency, total);
};
