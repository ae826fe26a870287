/** Replacing an attribution: it is cancelled and recorded anew, with the facts as they were given and those that change. */
import { Either, Schema } from "effect";
import {
  type Attribution,
  type AttributionEvent,
  type Create,
  type CreateEvent,
  dayOf,
  requireOrigin,
  type View,
} from "./Attribution.ts";
import { CalendarDate } from "./CalendarDate.ts";
import * as Credit from "./Credit.ts";
import { optional, optionalKey, Reason } from "./Field.ts";
import { type AttributionId, PartnerId } from "./Ids.ts";
import { PropertyBag, sameProperties } from "./Properties.ts";
import * as Receipt from "./Receipt.ts";
import { type Conflict, conflict, type Invalid, invalid } from "./Refusal.ts";
import { DateTimeSince1970, format } from "./Timestamp.ts";

/** What replacing an attribution takes: what changes, and why. What is absent stays as it was given. */
export const Replace = Schema.Struct({
  properties: optional(
    PropertyBag,
    "All properties of the sale as it is now; by default as they were given.",
  ),
  occurredAt: optionalKey(
    DateTimeSince1970,
    "occurred_at",
    "When the event occurred, at most 5 minutes ahead of the clock; by default the date that the sale counts for.",
  ),
  occurredOn: optionalKey(
    CalendarDate,
    "occurred_on",
    "The calendar day that the event counts for, at most one day from the UTC day of occurred_at; by default as it was given, or where occurred_at changes its day in the time zone of the workspace.",
  ),
  partnerId: optionalKey(
    PartnerId,
    "partner_id",
    "The partner, of the same workspace; by default as it was given. In a sale with several credits it takes the place of its partner.",
  ),
  credits: Schema.optionalWith(Credit.GivenCredits, { exact: true }),
  received: optional(
    Receipt.State,
    "What the buyer has paid of the new sale, and of how much; by default as it was stated of the replaced one.",
  ),
  reason: Reason,
  dryRun: optionalKey(
    Schema.Boolean,
    "dry_run",
    "true returns what replacing would change, and stores nothing; false by default.",
  ),
});
export type Replace = typeof Replace.Type;

/** The other attribution of a replacement, as documents and statements of their common partner name it. */
export interface OtherSale {
  readonly attributionId: AttributionId;
  readonly occurredOn: CalendarDate;
}

/** What an attribution replaces and what replaces it; null where nothing does, or one of another partner. */
export interface Pairing {
  readonly replaces: OtherSale | null;
  readonly replacedBy: OtherSale | null;
}

/** How an attribution names the other one of a replacement: not at all where that is another partner's. */
export const otherSale = (
  { partnerId }: Pick<Attribution, "partnerId">,
  other: Attribution | undefined,
): OtherSale | null =>
  other === undefined || other.partnerId !== partnerId
    ? null
    : { attributionId: other.id, occurredOn: dayOf(other) };

/** The ids of the attributions that some replaced, and of those that replaced them, each once. */
export const otherIds = (
  attributions: ReadonlyArray<Pick<Attribution, "replaces" | "replacedBy">>,
): ReadonlyArray<AttributionId> => [
  ...new Set(
    attributions.flatMap(({ replaces, replacedBy }) => [replaces, replacedBy]).filter((id) => id !== null),
  ),
];

/** A sale that is replaced: its origin, and its other attributions that are confirmed. */
export interface Sale {
  readonly origin: Attribution;
  readonly credited: ReadonlyArray<Attribution>;
}

/** The credits of a sale that a caller gave; none where its partner alone has one. */
const givenCredits = ({ origin, credited }: Sale): ReadonlyArray<Credit.Given> | undefined => {
  const given = [origin, ...credited].flatMap(({ partnerId, credit }) =>
    credit?.depth === 0 ? [{ partnerId, role: credit.role, share: credit.share }] : [],
  );
  return given.length < 2 ? undefined : given;
};

/** The facts of a sale as they were given: the request that records it. */
export const factsOf = (sale: Sale): Create => {
  const { partnerId, schemaId, workspaceId, properties, externalReference } = sale.origin;
  const { occurredAtGiven, occurredOnGiven } = sale.origin;
  const credits = givenCredits(sale);
  return {
    ...{ partnerId, schemaId, workspaceId, properties },
    ...(credits === undefined ? {} : { credits }),
    ...(externalReference === null ? {} : { externalReference }),
    ...(occurredAtGiven === null ? {} : { occurredAt: occurredAtGiven }),
    ...(occurredOnGiven === null ? {} : { occurredOn: occurredOnGiven }),
  };
};

/** The partner and the credits of the new sale: those that change, or the given ones with the new partner in place of the old one. */
const creditsOf = (
  facts: Pick<Create, "partnerId" | "credits">,
  change: Pick<Replace, "partnerId" | "credits">,
): Either.Either<Pick<Create, "partnerId" | "credits">, Invalid> => {
  const { partnerId = facts.partnerId } = change;
  if (change.credits !== undefined) {
    const problem = Credit.partnerProblem(partnerId, change.credits);
    return problem === null
      ? Either.right({ partnerId, credits: change.credits })
      : Either.left(invalid("credits", problem));
  }
  if (facts.credits === undefined) return Either.right({ partnerId });
  if (partnerId === facts.partnerId) return Either.right({ partnerId, credits: facts.credits });
  const [, ...others] = facts.credits;
  return Credit.partnerProblem(partnerId, others) === null
    ? Either.left(
        invalid("partner_id", "has a credit of the sale as a seller already; state the credits anew"),
      )
    : Either.right({ partnerId, credits: facts.credits.with(0, { ...facts.credits[0], partnerId }) });
};

/** One text for each partner with the credits of its sale. */
const creditsText = ({ partnerId, credits }: Pick<Create, "partnerId" | "credits">): string =>
  `${partnerId} ${Credit.textOf(Credit.givenTo(partnerId, credits))}`;

const changedRequest = (
  attribution: Attribution,
  facts: Create,
  change: Omit<Replace, "reason" | "partnerId" | "credits">,
  credits: Pick<Create, "partnerId" | "credits">,
): Create | null => {
  const { occurredOn: dayGiven, ...others } = facts;
  const { properties = facts.properties, occurredAt } = change;
  const isDateNew =
    occurredAt !== undefined &&
    occurredAt !== attribution.occurredAt &&
    occurredAt !== attribution.occurredAtGiven;
  // A day that was given belongs to the date that it was given with.
  const occurredOn = change.occurredOn ?? (isDateNew ? undefined : dayGiven);
  const isDayNew = change.occurredOn !== undefined && change.occurredOn !== dayOf(attribution);
  const isReceiptNew =
    change.received !== undefined && !Receipt.isSame(Receipt.paidOf(attribution.receipt), change.received);
  if (
    creditsText(credits) === creditsText(facts) &&
    !isDateNew &&
    !isDayNew &&
    !isReceiptNew &&
    sameProperties(properties, facts.properties)
  )
    return null;
  return {
    ...others,
    ...credits,
    properties,
    ...(isDateNew ? { occurredAt } : {}),
    ...(occurredOn === undefined ? {} : { occurredOn }),
  };
};

/** The request that records a sale anew, with what changes; null where nothing does. */
export const replacement = (
  sale: Sale,
  change: Omit<Replace, "reason">,
): Either.Either<Create | null, Invalid> => {
  const facts = factsOf(sale);
  return Either.map(creditsOf(facts, change), (credits) =>
    changedRequest(sale.origin, facts, change, credits),
  );
};

/** The dates of the request that records an attribution anew. Without a date of its own it counts for that of the replaced one. */
export const dates = (
  { occurredAt, occurredOn }: Pick<Create, "occurredAt" | "occurredOn">,
  replaced: View,
): Pick<Create, "occurredAt" | "occurredOn"> => ({
  occurredAt: occurredAt ?? replaced.occurredAt,
  ...(occurredOn === undefined ? {} : { occurredOn }),
});

/**
 * The attribution of a replaced sale that a credit of the new sale replaces: the origin that of its partner, another one that of
 * the same partner, role and depth. Null where the old sale has none.
 */
const replacedFor = ({ origin, credited }: Sale, credit: Credit.OfPartner | null): Attribution | null =>
  credit === null
    ? origin
    : (credited.find(
        (one) =>
          one.partnerId === credit.partnerId &&
          one.credit?.role === credit.role &&
          one.credit.depth === credit.depth,
      ) ?? null);

/** What is stated of the new sale's buyer: what the caller states, or what was stated of the replaced sale; null for nothing. */
export const receiptOf = (
  { origin }: Pick<Sale, "origin">,
  { received }: Pick<Replace, "received">,
): Receipt.State | null => received ?? origin.receipt;

/** The first event of an attribution of a sale that replaces another; `credit` is null for its origin. */
export const replacing = (event: CreateEvent, sale: Sale, credit: Credit.OfPartner | null): CreateEvent => {
  const replaced = replacedFor(sale, credit);
  return {
    ...event,
    ...(replaced === null ? {} : { replaces: replaced.id }),
    ...(event.occurred_at === undefined ? { recorded_at: format(sale.origin.occurredAt) } : {}),
  };
};

/** The event of the attribution that is replaced. */
export const replacedBy = (id: AttributionId, reason: string): AttributionEvent => ({
  type: "cancel_attribution",
  reason,
  replaced_by: id,
});

/** Refuses to replace an attribution that is cancelled, and one of the other credits of a sale. */
export const checkReplaceable = ({ status, originId }: View): Either.Either<void, Conflict> =>
  status === "confirmed"
    ? requireOrigin({ originId })
    : Either.left(
        conflict("attribution_cancelled", "a cancelled attribution is not replaced; create a new one"),
      );
