/**
 * Settlement policies: which due amounts runs settle, and what happens to the drafts. A workspace has one policy; a partner
 * of it may have fields of its own, which take the place of the workspace's.
 */

import { Schema } from "effect";
import { absolute } from "../formula/Rational.ts";
import { type Cadence, nextPeriod, type Period, Stated } from "./Cadence.ts";
import { Currency } from "./Currency.ts";
import { type Actor, type Entry, personOf, type ShownActor, shownActor } from "./Event.ts";
import { optional, optionalKey } from "./Field.ts";
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
import type { InvoiceTax } from "./TaxReview.ts";
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

/** The terms of a policy. */
export interface Terms {
  /** Days of 24 hours after its date before a commission may be settled for the first time. */
  readonly holdDays: number;
  /** The least amount of a draft; a currency that it does not name has none. */
  readonly minimum: AmountByCurrency;
  readonly cadence: Cadence;
  /** The largest amount of a draft that a run approves; a currency that it does not name is never approved by a run. */
  readonly autoApprove: "never" | AmountByCurrency;
  /** Above this amount, the creator of a settlement may not approve it, and a run does not approve it either. */
  readonly fourEyesAbove: AmountByCurrency;
  /** What becomes of a negative total: a draft for the review, or none, so that it is netted by a later run. */
  readonly negative: "review" | "carry_forward";
  /**
   * The rate of tax that documents of partners who bill themselves state, in basis points. A tax that differs needs an
   * approver; without a known rate any tax does.
   */
  readonly invoiceTaxBps: InvoiceTax;
  /** True if runs leave out what was earned under terms of a plan that its partner has not accepted. */
  readonly requireAcceptance: boolean;
}

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

const MEANINGS: { readonly [Field in keyof Terms]: string } = {
  holdDays:
    "Days of 24 hours after occurred_at before a commission is settled for the first time; 0 by default for a workspace.",
  minimum:
    "By currency, the least total of a draft of a run, in the smallest unit. A smaller total waits for a later run.",
  cadence: "When runs start automatically: manual (never), or weekly, monthly or quarterly.",
  autoApprove:
    "never, or by currency the largest total that a run approves without a person, in the smallest unit. Currencies that are not named are never approved automatically.",
  fourEyesAbove:
    "By currency, in the smallest unit: above this the creator of a draft may not approve it, and no run does. The drafts of one partner and day are added up.",
  negative: "What a run does with a negative total: review creates a draft, carry_forward none.",
  invoiceTaxBps:
    "The rate of tax in hundredths of a percent that documents of partners who bill themselves state, or unknown (the default). A stated tax that differs by more than one unit, or that is not 0 while the rate is unknown, is paid only after an approver has accepted it.",
  requireAcceptance:
    "Whether runs leave out what a partner earned under terms of a plan that it has not accepted; false by default.",
};

/** What writing the policy of a workspace takes; an absent field gets its default. */
export const Write = Schema.Struct({
  holdDays: optionalKey(HoldDays, "hold_days", MEANINGS.holdDays),
  minimum: optional(AmountByCurrency, MEANINGS.minimum),
  cadence: optional(Stated, MEANINGS.cadence),
  autoApprove: optionalKey(AutoApprove, "auto_approve", MEANINGS.autoApprove),
  fourEyesAbove: optionalKey(AmountByCurrency, "four_eyes_above", MEANINGS.fourEyesAbove),
  negative: optional(Negative, MEANINGS.negative),
  invoiceTaxBps: optionalKey(InvoiceTaxBps, "invoice_tax_bps", MEANINGS.invoiceTaxBps),
  requireAcceptance: optionalKey(Schema.Boolean, "require_acceptance", MEANINGS.requireAcceptance),
});
export type Write = typeof Write.Type;

/** What writing the fields of a partner takes; an absent or null field follows the workspace. */
export const WriteOverride = Schema.Struct({
  holdDays: optionalKey(Schema.NullOr(HoldDays), "hold_days", MEANINGS.holdDays),
  minimum: optional(Schema.NullOr(AmountByCurrency), MEANINGS.minimum),
  cadence: optional(Schema.NullOr(Stated), MEANINGS.cadence),
  autoApprove: optionalKey(Schema.NullOr(AutoApprove), "auto_approve", MEANINGS.autoApprove),
  fourEyesAbove: optionalKey(Schema.NullOr(AmountByCurrency), "four_eyes_above", MEANINGS.fourEyesAbove),
  negative: optional(Schema.NullOr(Negative), MEANINGS.negative),
  invoiceTaxBps: optionalKey(Schema.NullOr(InvoiceTaxBps), "invoice_tax_bps", MEANINGS.invoiceTaxBps),
  requireAcceptance: optionalKey(
    Schema.NullOr(Schema.Boolean),
    "require_acceptance",
    MEANINGS.requireAcceptance,
  ),
});
export type WriteOverride = typeof WriteOverride.Type;

/** Terms of which any may be null: the field follows the workspace. */
export type OwnTerms = { readonly [Field in keyof Terms]: Terms[Field] | null };

/** The fields of a partner that has none of its own. */
export const NO_OVERRIDE: OwnTerms = {
  holdDays: null,
  minimum: null,
  cadence: null,
  autoApprove: null,
  fourEyesAbove: null,
  negative: null,
  invoiceTaxBps: null,
  requireAcceptance: null,
};

/** Terms as events show them, under their wire names. */
export interface ShownTerms {
  readonly hold_days: number | null;
  readonly minimum: AmountByCurrency | null;
  readonly cadence:
    | "manual"
    | { readonly type: string; readonly day: number; readonly time_zone: string }
    | null;
  readonly auto_approve: "never" | AmountByCurrency | null;
  readonly four_eyes_above: AmountByCurrency | null;
  readonly negative: Terms["negative"] | null;
  readonly invoice_tax_bps: InvoiceTax | null;
  readonly require_acceptance: boolean | null;
}

const shownTerms = (terms: OwnTerms): ShownTerms => {
  const { cadence } = terms;
  return {
    hold_days: terms.holdDays,
    minimum: terms.minimum,
    cadence:
      cadence === null || cadence === "manual"
        ? cadence
        : { type: cadence.type, day: cadence.day, time_zone: cadence.timeZone },
    auto_approve: terms.autoApprove,
    four_eyes_above: terms.fourEyesAbove,
    negative: terms.negative,
    invoice_tax_bps: terms.invoiceTaxBps,
    require_acceptance: terms.requireAcceptance,
  };
};

/** What can happen to a policy. */
export type PolicyEvent =
  /** The terms, each null where a partner follows its workspace. */
  | (ShownTerms & {
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
  return {
    holdDays: own.holdDays ?? general.holdDays ?? DEFAULT.holdDays,
    minimum: own.minimum ?? general.minimum ?? DEFAULT.minimum,
    cadence: own.cadence ?? general.cadence ?? DEFAULT.cadence,
    autoApprove: own.autoApprove ?? general.autoApprove ?? DEFAULT.autoApprove,
    fourEyesAbove: own.fourEyesAbove ?? general.fourEyesAbove ?? DEFAULT.fourEyesAbove,
    negative: own.negative ?? general.negative ?? DEFAULT.negative,
    invoiceTaxBps: own.invoiceTaxBps ?? general.invoiceTaxBps ?? DEFAULT.invoiceTaxBps,
    requireAcceptance: own.requireAcceptance ?? general.requireAcceptance ?? DEFAULT.requireAcceptance,
  };
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
  now: Timestamp,
  by: Actor,
): ReadonlyArray<PolicyEvent> => {
  const present = before?.terms ?? (partnerId === null ? null : NO_OVERRIDE);
  if (sameJson(present, terms)) return [];
  const { cadence } = terms;
  const isScheduled = before !== null && sameJson(before.terms.cadence, cadence);
  const next = isScheduled
    ? before.next
    : cadence === null || cadence === "manual"
      ? null
      : nextPeriod(cadence, now, before?.lastPeriod ?? null);
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

/** The event of a period that has begun; the next one follows it. */
export const beginPeriod = (
  { workspaceId, partnerId }: Identity,
  period: Period,
  next: Period,
  runId: SettlementRunId,
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
