/** Acceptances of the terms of plans: who has accepted which hash for which partner, when, and what this covers. */
import { Schema } from "effect";
import { type Actor, type Entry, type ErasureEvent, personOf, type ShownActor, shownActor } from "./Event.ts";
import { key, means, optional } from "./Field.ts";
import { type CustomerId, PartnerId, PlanAcceptanceId, PlanId, type WorkspaceId } from "./Ids.ts";
import { NAME_MAX } from "./Limits.ts";
import { Count } from "./Money.ts";
import { namedId } from "./NamedId.ts";
import { hashOf, ruleHash, type Sales, type Span } from "./PlanTerms.ts";
import { type Conflict, conflict, type Invalid, invalid } from "./Refusal.ts";
import { Text } from "./Text.ts";
import { DateTime, format, type Timestamp } from "./Timestamp.ts";

/** The languages in which terms can be read. */
export const ReadLanguage = Schema.Literal("en", "de", "fr", "es");

/**
 * What accepting terms takes: whose, the hash that was read, and the name of the person who accepts. `at` chooses the terms, now
 * unless stated. Somebody else than the partner states by `reference` where the partner's own signature is.
 */
export const Accept = Schema.Struct({
  partnerId: key(PartnerId, "partner_id", "The partner that accepts."),
  hash: Schema.String.pipe(
    Schema.pattern(/^[0-9a-f]{64}$/, {
      message: () => "must be the hash of the terms, 64 hexadecimal digits",
    }),
    means("The hash of the terms that were read."),
  ),
  name: Text(1, NAME_MAX).pipe(means("The name of the person who accepts, as the person writes it.")),
  at: optional(DateTime, "The moment whose terms are accepted; now by default."),
  language: optional(ReadLanguage, "The language in which the terms were read."),
  reference: optional(
    Text(1, NAME_MAX),
    "On behalf of a partner: where the partner's own signature is, such as the number of a contract.",
  ),
});
export type Accept = typeof Accept.Type;

/** What an acceptance states: its event, its record and its responses have these fields. */
export const Stated = Schema.Struct({
  planId: key(PlanId, "plan_id", "The plan."),
  partnerId: key(PartnerId, "partner_id", "The partner whose terms were accepted."),
  hash: Schema.String,
  formulaVersion: key(Count, "formula_version", "The version of the formula whose rule was accepted."),
  fromDatetime: key(DateTime, "from_datetime", "Inclusive: from when the rule held."),
  endDatetime: key(
    Schema.NullOr(DateTime),
    "end_datetime",
    "Exclusive: the end of the partner's assignment as it was then; null without an end.",
  ),
  name: Schema.String.pipe(means("The person who has accepted, as the person wrote it.")),
  language: Schema.NullOr(ReadLanguage),
  onBehalf: key(Schema.Boolean, "on_behalf", "True if somebody else than the partner recorded it."),
  reference: Schema.NullOr(Schema.String).pipe(
    means("Where the partner's own signature is; null unless it was recorded on behalf."),
  ),
});
type Stated = typeof Stated.Type;

/** What can happen to an acceptance; it is never taken back. */
export type AcceptanceEvent =
  | (typeof Stated.Encoded & {
      readonly type: "accept_commission_plan";
      readonly actor: ShownActor;
      readonly stored: { readonly rule: string };
    })
  | ErasureEvent;

/** The present state: the fold of the events. */
export interface View extends Omit<Stated, "planId" | "partnerId"> {
  /** The hash of the rule alone. */
  readonly rule: string;
  /** The principal that recorded it, and the person behind it. */
  readonly acceptedBy: string;
  readonly acceptedByPerson: string;
  readonly createdAt: Timestamp;
}

/** An acceptance: identity and present state. */
export interface PlanAcceptance extends View, Pick<Stated, "planId" | "partnerId"> {
  readonly id: PlanAcceptanceId;
  readonly customerId: CustomerId;
  readonly workspaceId: WorkspaceId;
}

/** The id of the acceptance of a hash by a partner; there is one. */
export const acceptanceId = (planId: PlanId, partnerId: PartnerId, hash: string): PlanAcceptanceId =>
  PlanAcceptanceId.make(namedId("plan acceptance", planId, partnerId, hash));

/** Succeeds when these are the terms that were read. */
export const checkHash = (hash: string, read: string): Conflict | null =>
  hash === read
    ? null
    : conflict("terms_changed", "the terms have another hash; read them again and accept what they say now");

/** The partner states no reference, and everybody else does. */
export const checkReference = ({ reference }: Accept, onBehalf: boolean): Invalid | null => {
  if (onBehalf && reference === undefined)
    return invalid("reference", "is required on behalf of a partner: where the partner's own signature is");
  return !onBehalf && reference !== undefined
    ? invalid("reference", "is allowed only on behalf of a partner")
    : null;
};

/** The event of an acceptance of the terms of a span. */
export const accept = (
  span: Span,
  sales: Sales,
  request: Accept,
  { onBehalf, ...by }: Actor & { readonly onBehalf: boolean },
): AcceptanceEvent => ({
  type: "accept_commission_plan",
  actor: shownActor(by),
  plan_id: span.planId,
  partner_id: span.partnerId,
  hash: hashOf(span, sales),
  formula_version: span.formulaVersion,
  from_datetime: format(span.fromDatetime),
  end_datetime: span.endDatetime === null ? null : format(span.endDatetime),
  name: request.name,
  language: request.language ?? null,
  on_behalf: onBehalf,
  reference: request.reference ?? null,
  stored: { rule: ruleHash(span, sales) },
});

/** The state after one more entry. */
export const evolve = (state: View | null, entry: Entry<AcceptanceEvent>): View => {
  const { event } = entry;
  if (event.type === "erase_personal_data") {
    if (state === null) throw new Error("the log of an acceptance begins with accept_commission_plan");
    return state;
  }
  return {
    hash: event.hash,
    rule: event.stored.rule,
    formulaVersion: event.formula_version,
    fromDatetime: Date.parse(event.from_datetime),
    endDatetime: event.end_datetime === null ? null : Date.parse(event.end_datetime),
    name: event.name,
    language: event.language,
    onBehalf: event.on_behalf,
    reference: event.reference,
    acceptedBy: entry.actor,
    acceptedByPerson: personOf(entry),
    createdAt: entry.at,
  };
};

/** A sale under a plan: whose, by which rule, and the date that it counts for. */
export interface CoveredSale {
  readonly planId: PlanId;
  readonly partnerId: PartnerId;
  readonly rule: string;
  readonly occurredAt: Timestamp;
}

/**
 * True if an acceptance covers a sale: the same plan, partner and rule, within the dates that were accepted. An end that was set
 * later takes nothing back, so that a partner who leaves is paid what was agreed.
 */
export const covers = (
  acceptance: Pick<PlanAcceptance, "planId" | "partnerId" | "rule" | "fromDatetime" | "endDatetime">,
  { planId, partnerId, rule, occurredAt }: CoveredSale,
): boolean =>
  acceptance.planId === planId &&
  acceptance.partnerId === partnerId &&
  acceptance.rule === rule &&
  acceptance.fromDatetime <= occurredAt &&
  (acceptance.endDatetime === null || occurredAt < acceptance.endDatetime);
