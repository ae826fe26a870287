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
import { optional, optionalKey, Reason } from "./Field.ts";
import { type AttributionId, PartnerId } from "./Ids.ts";
import { PropertyBag, sameProperties } from "./Properties.ts";
import { type Conflict, conflict } from "./Refusal.ts";
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
    "The partner, of the same workspace; by default as it was given.",
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

/** The facts of an attribution as they were given: the request that records it. */
export const factsOf = (attribution: Attribution): Create => {
  const { partnerId, schemaId, workspaceId, properties, externalReference } = attribution;
  const { occurredAtGiven, occurredOnGiven } = attribution;
  return {
    ...{ partnerId, schemaId, workspaceId, properties },
    ...(externalReference === null ? {} : { externalReference }),
    ...(occurredAtGiven === null ? {} : { occurredAt: occurredAtGiven }),
    ...(occurredOnGiven === null ? {} : { occurredOn: occurredOnGiven }),
  };
};

/** The request that records an attribution anew, with what changes; null where nothing does. */
export const replacement = (attribution: Attribution, change: Omit<Replace, "reason">): Create | null => {
  const { occurredOn: dayGiven, ...facts } = factsOf(attribution);
  const { partnerId = facts.partnerId, properties = facts.properties, occurredAt } = change;
  const isDateNew =
    occurredAt !== undefined &&
    occurredAt !== attribution.occurredAt &&
    occurredAt !== attribution.occurredAtGiven;
  // A day that was given belongs to the date that it was given with.
  const occurredOn = change.occurredOn ?? (isDateNew ? undefined : dayGiven);
  const isDayNew = change.occurredOn !== undefined && change.occurredOn !== dayOf(attribution);
  if (
    partnerId === facts.partnerId &&
    !isDateNew &&
    !isDayNew &&
    sameProperties(properties, facts.properties)
  )
    return null;
  return {
    ...facts,
    ...{ partnerId, properties },
    ...(isDateNew ? { occurredAt } : {}),
    ...(occurredOn === undefined ? {} : { occurredOn }),
  };
};

/** The dates of the request that records an attribution anew. Without a date of its own it counts for that of the replaced one. */
export const dates = (
  { occurredAt, occurredOn }: Pick<Create, "occurredAt" | "occurredOn">,
  replaced: View,
): Pick<Create, "occurredAt" | "occurredOn"> => ({
  occurredAt: occurredAt ?? replaced.occurredAt,
  ...(occurredOn === undefined ? {} : { occurredOn }),
});

/** The first event of an attribution that replaces another. */
export const replacing = (event: CreateEvent, replaced: Attribution): CreateEvent => ({
  ...event,
  replaces: replaced.id,
  ...(event.occurred_at === undefined ? { recorded_at: format(replaced.occurredAt) } : {}),
});

/** The event of the attribution that is replaced. */
export const replacedBy = (id: AttributionId, reason: string): AttributionEvent => ({
  type: "cancel_attribution",
  reason,
  replaced_by: id,
});

/** The refusal to replace a sale with several credits. */
export const OF_SEVERAL: Conflict = conflict(
  "credit_of_sale",
  "a sale with several credits is not replaced; cancel it and record it anew",
);

/** Refuses to replace an attribution that is cancelled, and one of a sale with several credits. */
export const checkReplaceable = ({ status, originId, credit }: View): Either.Either<void, Conflict> =>
  status === "confirmed"
    ? credit === null
      ? Either.void
      : Either.flatMap(requireOrigin({ originId }), () => Either.left(OF_SEVERAL))
    : Either.left(
        conflict("attribution_cancelled", "a cancelled attribution is not replaced; create a new one"),
      );
