/** Attributions: business events credited to a partner. Confirmed when created; cancelled at most once, for good. */
import { Either, Schema } from "effect";
import type { PropertyDefinition } from "../formula/index.ts";
import { CalendarDate, dateOf, withinOneDay } from "./CalendarDate.ts";
import { type Credit, GivenCredits, partnerProblem } from "./Credit.ts";
import type { Entry, ErasureEvent } from "./Event.ts";
import { key, means, optionalKey, Reason } from "./Field.ts";
import {
  type AgentId,
  type AttributionId,
  type CustomerId,
  PartnerId,
  SchemaId,
  WorkspaceId,
} from "./Ids.ts";
import { BATCH_CREDITS_MAX, BATCH_MAX, EXTERNAL_REFERENCE_MAX, OCCURRED_AHEAD_MAX } from "./Limits.ts";
import { conform, type Properties, PropertyBag, sameProperties } from "./Properties.ts";
import { type Receipt, type ReceiptEvent, receiptOf } from "./Receipt.ts";
import { type Conflict, conflict, type Invalid, invalid, type Refusal } from "./Refusal.ts";
import * as SettledElsewhere from "./SettledElsewhere.ts";
import { Text } from "./Text.ts";
import { DateTimeSince1970, format, type Timestamp } from "./Timestamp.ts";
import { UTC } from "./TimeZone.ts";
import { dateIn } from "./Workspace.ts";

export { creditOf } from "../formula/index.ts";

/** What can happen to an attribution, named as in the interface. */
export type AttributionEvent =
  | {
      readonly type: "create_attribution";
      readonly properties: Properties;
      /** ISO text, as the caller gave it; absent when the caller gave none. */
      readonly occurred_at?: string;
      /** The calendar day, as the caller gave it or by `time_zone`; absent for the UTC day of a caller who gave none. */
      readonly occurred_on?: CalendarDate;
      /** The time zone of the workspace at that moment, where the calendar day is by it. */
      readonly time_zone?: string;
      /** The partner's part of the sale; absent where it is the only one. */
      readonly credit?: Credit;
      /** Of a sale with several credits, the attribution that was created for the partner of the request; absent in that one. */
      readonly origin_id?: AttributionId;
      /** The attribution that this one replaces; absent for one that replaces none. */
      readonly replaces?: AttributionId;
      /** ISO text: when the event was recorded first, the date that a replacement counts for if the caller gave none. */
      readonly recorded_at?: string;
      /** When what the sale earned at once was settled elsewhere; absent where it was not. */
      readonly settled_elsewhere?: SettledElsewhere.Stated;
    }
  | {
      readonly type: "cancel_attribution";
      readonly reason: string;
      /** The attribution that replaces this one; absent where none does. */
      readonly replaced_by?: AttributionId;
    }
  | {
      /** In the origin of a sale whose uplines were derived again, and in a credit of it that has become its partner's first. */
      readonly type: "recredit_attribution";
      readonly reason: string;
      /** The partner's part of the sale from then on; absent where it stays as it was. */
      readonly credit?: Credit;
    }
  | ReceiptEvent
  | ErasureEvent;

/** The first event of every attribution. */
export type CreateEvent = Extract<AttributionEvent, { type: "create_attribution" }>;

/** The present state: the fold of the events. */
export interface View {
  readonly status: "confirmed" | "cancelled";
  readonly cancelReason: string | null;
  readonly properties: Properties;
  readonly createdAt: Timestamp;
  /** The date the event counts for: what the caller gave, but never after {@link createdAt}, which is the default. */
  readonly occurredAt: Timestamp;
  /** What the caller gave; null when the caller gave none. */
  readonly occurredAtGiven: Timestamp | null;
  /** The calendar day that the event counts for; null where that is the UTC day of {@link occurredAt}. It never changes. */
  readonly occurredOn: CalendarDate | null;
  /** The calendar day that the caller gave; null when the caller gave none. */
  readonly occurredOnGiven: CalendarDate | null;
  /** The partner's part of the sale; null where it is the only one. */
  readonly credit: Credit | null;
  /** The attribution of the same sale that was created for the partner of the request; null in that one, and without others. */
  readonly originId: AttributionId | null;
  /** The attribution that this one replaces; null for one that replaces none. */
  readonly replaces: AttributionId | null;
  /** The attribution that replaces this one, which is then cancelled; null where none does. */
  readonly replacedBy: AttributionId | null;
  /** What the buyer has paid, as stated last, for every attribution of the sale; null in others than its origin, and before. */
  readonly receipt: Receipt | null;
  /** When what the sale earned at its creation was settled elsewhere; null where it was not. */
  readonly settledElsewhere: SettledElsewhere.SettledElsewhere | null;
}

/** An attribution: identity and present state. */
export interface Attribution extends View {
  readonly id: AttributionId;
  readonly customerId: CustomerId;
  readonly workspaceId: WorkspaceId;
  readonly partnerId: PartnerId;
  readonly schemaId: SchemaId;
  /** The agent that created it; null when no agent did. */
  readonly agentId: AgentId | null;
  /** The caller's own identity of the event, unique per customer and schema; it moves to the attribution that replaces this one. */
  readonly externalReference: string | null;
}

/** What creating an attribution takes; the properties are checked against the schema, and the partner is one of the sellers. */
export const Create = Schema.Struct({
  partnerId: key(PartnerId, "partner_id", "The partner."),
  schemaId: key(SchemaId, "schema_id", "The attribution schema, of the same workspace."),
  workspaceId: key(WorkspaceId, "workspace_id", "The workspace."),
  properties: PropertyBag,
  externalReference: optionalKey(
    Text(1, EXTERNAL_REFERENCE_MAX),
    "external_reference",
    "The caller's own name of the event, unique in its schema. The same reference with the same content returns the existing id.",
  ),
  occurredAt: optionalKey(
    DateTimeSince1970,
    "occurred_at",
    "When the event occurred, the date that it counts for: at most 5 minutes ahead of the clock, by default the time of the request.",
  ),
  occurredOn: optionalKey(
    CalendarDate,
    "occurred_on",
    "The calendar day that the event counts for, at most one day from the UTC day of occurred_at; by default its day in the time zone of the workspace.",
  ),
  credits: Schema.optionalWith(GivenCredits, { exact: true }),
  settledElsewhere: optionalKey(
    SettledElsewhere.Given,
    "settled_elsewhere",
    "Of a sale of the past: when the commissions that it earns now were settled in another system. They are never due, and later changes of the sale are. Needs occurred_at; not for sales under formulas whose release is on_receipt.",
  ),
}).pipe(
  Schema.filter(
    ({ partnerId, credits }) => {
      const problem = credits === undefined ? null : partnerProblem(partnerId, credits);
      return problem === null || { path: ["credits"], message: problem };
    },
    {
      arbitrary: (from) => (fc) =>
        from(fc).map((creation) => ({
          ...creation,
          partnerId: creation.credits?.[0]?.partnerId ?? creation.partnerId,
        })),
    },
  ),
);
export type Create = typeof Create.Type;

/** What creating many attributions takes: all or none (`atomic`, the default), or each by itself. */
export const CreateBatch = Schema.Struct({
  mode: Schema.optionalWith(
    Schema.Literal("atomic", "independent").pipe(
      means(
        "atomic (the default): one invalid attribution refuses all. independent: the valid ones are stored.",
      ),
    ),
    { default: () => "atomic" as const },
  ),
  attributions: Schema.Array(Create).pipe(
    Schema.filter(
      (attributions) => {
        const { length } = attributions;
        if (length < 1 || length > BATCH_MAX) return `must have 1 to ${BATCH_MAX} attributions`;
        const count = attributions.reduce((sum, { credits = [] }) => sum + Math.max(1, credits.length), 0);
        return count <= BATCH_CREDITS_MAX || `must have at most ${BATCH_CREDITS_MAX} credits in all`;
      },
      { jsonSchema: { minItems: 1, maxItems: BATCH_MAX } },
    ),
    means("The attributions to create, 1 to 1,000, in the order of their results."),
  ),
});
export type CreateBatch = typeof CreateBatch.Type;

/** What cancelling an attribution takes. */
export const Cancel = Schema.Struct({ reason: Reason });
export type Cancel = typeof Cancel.Type;

/** The calendar day that an attribution counts for. */
export const dayOf = ({ occurredAt, occurredOn }: Pick<View, "occurredAt" | "occurredOn">): CalendarDate =>
  occurredOn ?? dateOf(occurredAt);

/**
 * Accepts a creation whose event did not occur later than the clock allows, and on the UTC day of that moment, the day before or
 * the day after, and was settled elsewhere between its date and now, if at all.
 */
export const checkDates = (
  dates: Pick<Create, "occurredAt" | "occurredOn" | "settledElsewhere">,
  now: Timestamp,
): Either.Either<void, Invalid> => {
  const { occurredAt = Number.POSITIVE_INFINITY, occurredOn } = dates;
  if (Number.isFinite(occurredAt) && occurredAt > now + OCCURRED_AHEAD_MAX)
    return Either.left(invalid("occurred_at", "must not be more than 5 minutes in the future"));
  const moment = Math.min(occurredAt, now);
  return occurredOn === undefined || withinOneDay(occurredOn, moment) === occurredOn
    ? SettledElsewhere.check(dates.settledElsewhere, dates.occurredAt, now)
    : Either.left(
        invalid("occurred_on", `must be at most one day from ${dateOf(moment)}, the UTC day of occurred_at`),
      );
};

/** The first event of an attribution whose properties conform to the schema. */
export const create = (
  {
    properties: stated,
    occurredAt,
    occurredOn,
    settledElsewhere,
  }: Pick<Create, "properties" | "occurredAt" | "occurredOn" | "settledElsewhere">,
  definitions: ReadonlyArray<PropertyDefinition>,
): Either.Either<CreateEvent, Refusal> =>
  Either.map(conform(stated, definitions), (properties) => ({
    type: "create_attribution",
    properties,
    ...(occurredAt === undefined ? {} : { occurred_at: format(occurredAt) }),
    ...(occurredOn === undefined ? {} : { occurred_on: occurredOn }),
    ...(settledElsewhere === undefined
      ? {}
      : { settled_elsewhere: SettledElsewhere.stated(settledElsewhere) }),
  }));

/** True if a request has the content of an attribution. */
const isRepetition = (existing: Attribution, request: Create, properties: Properties): boolean =>
  existing.partnerId === request.partnerId &&
  existing.workspaceId === request.workspaceId &&
  existing.occurredAtGiven === (request.occurredAt ?? null) &&
  existing.occurredOnGiven === (request.occurredOn ?? null) &&
  SettledElsewhere.isSame(existing.settledElsewhere, request.settledElsewhere ?? null) &&
  sameProperties(existing.properties, properties);

/**
 * Accepts a repeated external reference whose whole attribution is the same as the one that has it or as one that this
 * replaced, and refuses one with other content. The dates are compared as they were given, so that a repetition of one
 * slightly ahead of the clock is no conflict.
 */
export const checkRepetition = (
  chain: ReadonlyArray<Attribution>,
  request: Create,
  properties: Properties,
  hasSameCredits: (existing: Attribution) => boolean = () => true,
): Either.Either<void, Refusal> =>
  chain.some((existing) => hasSameCredits(existing) && isRepetition(existing, request, properties))
    ? Either.void
    : Either.left(
        conflict(
          "external_reference_reuse",
          "an attribution with this reference and other content exists; send the same content or another reference",
        ),
      );

/** The id of the sale that an attribution is of: that of the sale's origin. */
export const saleIdOf = ({ id, originId }: Pick<Attribution, "id" | "originId">): AttributionId =>
  originId ?? id;

/** Accepts an attribution that is not one of the other credits of a sale: these change with their origin. */
export const requireOrigin = ({ originId }: Pick<View, "originId">): Either.Either<void, Conflict> =>
  originId === null
    ? Either.void
    : Either.left(
        conflict("credit_of_sale", `is a credit of the sale ${originId}, which is changed as a whole`),
      );

/** The cancellation. An attribution that is already cancelled keeps its first reason: no event follows. */
export const cancel = (state: View, reason: string): ReadonlyArray<AttributionEvent> =>
  state.status === "cancelled" ? [] : [{ type: "cancel_attribution", reason }];

/** The date that an attribution counts for, from its first event and the moment of that. */
export const occurredAtOf = ({ occurred_at, recorded_at }: CreateEvent, createdAt: Timestamp): Timestamp => {
  const date = occurred_at ?? recorded_at;
  return date === undefined ? createdAt : Math.min(Date.parse(date), createdAt);
};

/** The first event of an attribution with the calendar day of its date in a time zone, unless the caller gave one. */
export const withDayIn = (event: CreateEvent, timeZone: string, createdAt: Timestamp): CreateEvent => {
  if (timeZone === UTC || event.occurred_on !== undefined) return event;
  const occurredAt = occurredAtOf(event, createdAt);
  const day = dateIn(timeZone, occurredAt);
  return day === dateOf(occurredAt) ? event : { ...event, occurred_on: day, time_zone: timeZone };
};

/** The calendar day to store: null where it is the UTC day. Where a clock was set back, the nearest day that is possible. */
const storedDay = (day: CalendarDate, occurredAt: Timestamp): CalendarDate | null => {
  const nearest = withinOneDay(day, occurredAt);
  return nearest === dateOf(occurredAt) ? null : nearest;
};

/** The state after one more entry. */
export const evolve = (state: View | null, { at, event }: Entry<AttributionEvent>): View => {
  if (event.type === "create_attribution") {
    const { properties, occurred_at, occurred_on } = event;
    const occurredAt = occurredAtOf(event, at);
    return {
      status: "confirmed",
      cancelReason: null,
      properties,
      createdAt: at,
      occurredAt,
      occurredAtGiven: occurred_at === undefined ? null : Date.parse(occurred_at),
      occurredOn: occurred_on === undefined ? null : storedDay(occurred_on, occurredAt),
      occurredOnGiven: event.time_zone === undefined ? (occurred_on ?? null) : null,
      credit: event.credit ?? null,
      originId: event.origin_id ?? null,
      replaces: event.replaces ?? null,
      replacedBy: null,
      receipt: null,
      settledElsewhere:
        event.settled_elsewhere === undefined ? null : SettledElsewhere.settledOf(event.settled_elsewhere),
    };
  }
  if (state === null) throw new Error("an attribution's log begins with create_attribution");
  switch (event.type) {
    case "erase_personal_data":
      return state;
    case "recredit_attribution":
      return { ...state, credit: event.credit ?? state.credit };
    case "state_received":
      return { ...state, receipt: receiptOf(event, at) };
    case "cancel_attribution":
      return {
        ...state,
        status: "cancelled",
        cancelReason: event.reason,
        replacedBy: event.replaced_by ?? null,
      };
  }
};
