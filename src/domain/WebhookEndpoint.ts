/**
 * Webhook endpoints: the URLs that a customer has its events sent to. An endpoint reads the event feed in windows. Every
 * event up to its position was received, is not wanted, or has a delivery of its own.
 */
import { Schema } from "effect";
import { type Entry, EVENT_TYPES } from "./EventFeed.ts";
import { field, means, optional, required, SHOWN_MEANING } from "./Field.ts";
import type { CustomerId, MessageId, WebhookEndpointId } from "./Ids.ts";
import {
  CLOCKS_DIFFER_MAX,
  CURSOR_MAX,
  DESCRIPTION_MAX,
  FILTER_VALUES_MAX,
  WEBHOOK_URL_MAX,
} from "./Limits.ts";
import { Text } from "./Text.ts";
import { DAY, DateTime, type Timestamp } from "./Timestamp.ts";
import * as Delivery from "./WebhookDelivery.ts";

/** The states; the record of a deleted endpoint has no URL and no secret. */
export const STATUSES = ["enabled", "disabled", "deleted"] as const;
export type Status = (typeof STATUSES)[number];

/** The states of endpoints that exist for callers. */
export const EXISTING: ReadonlyArray<Status> = ["enabled", "disabled"];

/** A secret that was replaced, and until when it signs together with its successor. */
export interface PreviousSecret {
  readonly secret: string;
  readonly until: Timestamp;
}

const EventType = Schema.String.pipe(
  Schema.filter(
    (type) => EVENT_TYPES.includes(type) || "must be the type of an event, such as create_settlement",
    { arbitrary: () => (fc) => fc.constantFrom(...EVENT_TYPES) },
  ),
).annotations({ jsonSchema: { type: "string", enum: [...EVENT_TYPES] } });

const Types = Schema.Array(EventType).pipe(
  Schema.filter(
    ({ length }) =>
      (length >= 1 && length <= FILTER_VALUES_MAX) || `must have 1 to ${FILTER_VALUES_MAX} types`,
    { jsonSchema: { minItems: 1, maxItems: FILTER_VALUES_MAX } },
  ),
);
const Url = Text(1, WEBHOOK_URL_MAX);
const Description = Text(0, DESCRIPTION_MAX);

/** What responses show of an endpoint as it is stored. */
export const Stated = Schema.Struct({
  url: Url,
  types: Schema.NullOr(Types).annotations({ [SHOWN_MEANING]: "Null: every type of event." }),
  description: Schema.NullOr(Description),
  ...required({
    disabledReason: field(
      Schema.NullOr(Schema.String),
      "disabled_reason",
      "Why the engine disabled the endpoint; null when a caller did, or when it is enabled.",
    ),
    lastDeliveredAt: field(
      Schema.NullOr(DateTime),
      "last_delivered_at",
      "When its receiver took an event last; null before the first.",
    ),
    failingSince: field(
      Schema.NullOr(DateTime),
      "failing_since",
      "Since when every attempt has failed; null when the last one succeeded.",
    ),
  }),
});

/** An endpoint as stored: with its secrets, since a signature needs them. */
export interface WebhookEndpoint extends Schema.Schema.Type<typeof Stated> {
  readonly id: WebhookEndpointId;
  readonly customerId: CustomerId;
  readonly status: Status;
  /** `whsec_` and base64. */
  readonly secret: string;
  readonly previousSecrets: ReadonlyArray<PreviousSecret>;
  /** The place in the feed that it has read up to. */
  readonly position: number;
  /** Events that happened before are not sent; null for an endpoint that began at a cursor. */
  readonly since: Timestamp | null;
  /** Deliveries that were last tried before this moment are due: the endpoint was changed, or works again. */
  readonly retryFrom: Timestamp;
  /** The message of the outbox that delivers; others that name the endpoint are over. */
  readonly run: MessageId;
  readonly createdAt: Timestamp;
}

/** An endpoint as callers see it. */
export type Shown = Omit<
  WebhookEndpoint,
  "secret" | "previousSecrets" | "position" | "since" | "retryFrom" | "run"
>;

const URL_MEANING = "Where requests are sent: https, a public address.";
const DESCRIPTION_MEANING = "A note for people; has no effect.";

/** What creating an endpoint takes. */
export const Create = Schema.Struct({
  url: Url.pipe(means(URL_MEANING)),
  types: optional(Types, "The types of events to send, 1 to 100; by default every type."),
  description: optional(Description, DESCRIPTION_MEANING),
  after: optional(
    Text(1, CURSOR_MAX),
    "A cursor of the event feed: events after it are sent; by default those from now on.",
  ),
});
export type Create = typeof Create.Type;

/** What changing an endpoint takes; absent fields stay. */
export const Update = Schema.Struct({
  url: optional(Url, URL_MEANING),
  types: optional(Schema.NullOr(Types), "The types of events to send, 1 to 100; null sends every type."),
  description: optional(Schema.NullOr(Description), DESCRIPTION_MEANING),
  enabled: optional(
    Schema.Boolean,
    "false: nothing is sent. true: events are sent, beginning with those that were missed.",
  ),
});
export type Update = typeof Update.Type;

/** How long a secret signs together with the one that replaced it. */
export const SECRET_GRACE_MILLISECONDS = DAY;
/** How long an endpoint may fail without a success before it is disabled. */
export const FAILING_MILLISECONDS = 3 * DAY;
/** Open deliveries beyond which an endpoint reads on no further, and the same while all of its attempts fail. */
export const OPEN_MAX = 1_000;
export const OPEN_MAX_FAILING = 100;
/** How long all attempts of an endpoint have failed when a success makes every open delivery due. */
const OUTAGE_MILLISECONDS = 300_000;

/** What the service brings to a new endpoint: its place, and where it begins in the feed. */
export type Beginning = Pick<
  WebhookEndpoint,
  "id" | "customerId" | "secret" | "position" | "since" | "run" | "createdAt"
>;

/** A new endpoint, to which events are sent at once. */
export const create = (request: Create, beginning: Beginning): WebhookEndpoint => ({
  ...beginning,
  url: request.url,
  types: request.types ?? null,
  description: request.description ?? null,
  status: "enabled",
  disabledReason: null,
  previousSecrets: [],
  lastDeliveredAt: null,
  failingSince: null,
  retryFrom: beginning.createdAt,
});

/** The secrets that sign at a moment, the newest first. */
export const secretsAt = (
  { secret, previousSecrets }: WebhookEndpoint,
  now: Timestamp,
): ReadonlyArray<string> => [
  secret,
  ...previousSecrets.filter(({ until }) => now < until).map((previous) => previous.secret),
];

/** The endpoint with a new secret; those before it sign together with it for 24 hours each. */
export const rotateSecret = <Endpoint extends WebhookEndpoint>(
  endpoint: Endpoint,
  secret: string,
  now: Timestamp,
): Endpoint => ({
  ...endpoint,
  secret,
  previousSecrets: [
    { secret: endpoint.secret, until: now + SECRET_GRACE_MILLISECONDS },
    ...endpoint.previousSecrets.filter(({ until }) => now < until),
  ],
});

/** The endpoint after a caller's change. A changed URL, and an endpoint that is enabled again, make all open deliveries due. */
export const update = <Endpoint extends WebhookEndpoint>(
  endpoint: Endpoint,
  { url, types, description, enabled }: Update,
  now: Timestamp,
): Endpoint => {
  const stated = {
    ...endpoint,
    ...(url === undefined ? {} : { url }),
    ...(types === undefined ? {} : { types }),
    ...(description === undefined ? {} : { description }),
  };
  if (enabled === false && endpoint.status === "enabled")
    return { ...stated, status: "disabled", disabledReason: null };
  const isEnabledAgain = enabled === true && endpoint.status === "disabled";
  const opened = isEnabledAgain
    ? { status: "enabled" as const, disabledReason: null, failingSince: null }
    : {};
  const isDue = isEnabledAgain || stated.url !== endpoint.url;
  return { ...stated, ...opened, ...(isDue ? { retryFrom: now } : {}) };
};

/** The record that remains of a deleted endpoint. */
export const remove = <Endpoint extends WebhookEndpoint>(endpoint: Endpoint): Endpoint => ({
  ...endpoint,
  status: "deleted",
  url: "",
  description: null,
  disabledReason: null,
  secret: "",
  previousSecrets: [],
});

/** True if an endpoint receives an event. An erased event has no type and is sent to endpoints for every type. */
export const isSubscribedTo = (
  { types, since }: Pick<WebhookEndpoint, "types" | "since">,
  { event, at }: Pick<Entry, "event" | "at">,
): boolean =>
  (since === null || at >= since - CLOCKS_DIFFER_MAX) &&
  (types === null || (event !== null && types.includes(event.type)));

/** True if an endpoint reads on in the feed, given the number of its deliveries that have not ended. */
export const mayReadFeed = ({ failingSince }: Pick<WebhookEndpoint, "failingSince">, open: number): boolean =>
  open < (failingSince === null ? OPEN_MAX : OPEN_MAX_FAILING);

/** True if the next attempt of a delivery is due, when no earlier event of its record holds it back. */
export const isDue = (
  { retryFrom }: Pick<WebhookEndpoint, "retryFrom">,
  { nextAttemptAt, lastAttemptAt }: Delivery.WebhookDelivery,
  now: Timestamp,
): boolean =>
  nextAttemptAt === null || nextAttemptAt <= now || (lastAttemptAt !== null && lastAttemptAt < retryFrom);

/** The deliveries to attempt, by record, each record's in order: those of every record whose first one is due. */
export const due = <Item extends Delivery.WebhookDelivery>(
  endpoint: Pick<WebhookEndpoint, "retryFrom">,
  deliveries: ReadonlyArray<Item>,
  now: Timestamp,
): ReadonlyArray<ReadonlyArray<Item>> =>
  Delivery.byRecord(deliveries).filter(([first]) => first !== undefined && isDue(endpoint, first, now));

const disabledBecause = (
  { failingSince }: Pick<WebhookEndpoint, "failingSince">,
  last: Delivery.Attempt,
  now: Timestamp,
): string | null => {
  if (last.status === Delivery.GONE) return Delivery.problemOf(Delivery.GONE);
  return failingSince !== null && now - failingSince >= FAILING_MILLISECONDS
    ? `every attempt has failed for ${FAILING_MILLISECONDS / DAY} days; the last one: ${last.error}`
    : null;
};

/** The endpoint after the attempts of a round, in the order in which they ended. */
const afterAttempts = <Endpoint extends WebhookEndpoint>(
  endpoint: Endpoint,
  attempts: ReadonlyArray<Delivery.Attempt>,
  now: Timestamp,
): Endpoint => {
  const last = attempts.find(({ status }) => status === Delivery.GONE) ?? attempts.at(-1);
  if (last === undefined) return endpoint;
  const success = attempts.findLast(({ error }) => error === null);
  const { failingSince } = endpoint;
  const was = success === undefined ? endpoint.lastDeliveredAt : success.at;
  const isOver =
    success !== undefined && failingSince !== null && success.at - failingSince >= OUTAGE_MILLISECONDS;
  const attempted = {
    ...endpoint,
    lastDeliveredAt: was,
    failingSince: success === undefined ? (failingSince ?? last.at) : null,
    ...(isOver ? { retryFrom: success.at } : {}),
  };
  const disabledReason = disabledBecause(attempted, last, now);
  return disabledReason === null || endpoint.status !== "enabled"
    ? attempted
    : { ...attempted, status: "disabled", disabledReason };
};

/** The attempts of a round, and the reads that they are based on. */
export interface Round<Item> {
  /** Deliveries that were stored before, and those of events that were read in this round. */
  readonly open: ReadonlyArray<Item>;
  readonly read: ReadonlyArray<Item>;
  /** The position of the endpoint after the events that were read. */
  readonly position: number;
  /** The result of each attempt, by delivery. */
  readonly attempts: ReadonlyMap<Delivery.WebhookDelivery["id"], Delivery.Attempt>;
}

/** What a round changes. */
export interface RoundOutcome<Endpoint, Item> {
  readonly endpoint: Endpoint;
  /** The deliveries that changed or are new. */
  readonly deliveries: ReadonlyArray<Item>;
}

/**
 * What a round changes: every delivery that was attempted, and one for each event that was read. One that was not attempted
 * is held back by an earlier one of its record, or due after a pause.
 */
export const applyRound = <Endpoint extends WebhookEndpoint, Item extends Delivery.WebhookDelivery>(
  before: Endpoint,
  { open, read, position, attempts }: Round<Item>,
  now: Timestamp,
  jitter: number,
): RoundOutcome<Endpoint, Item> => {
  const inOrder = [...attempts.values()].toSorted((a, b) => a.at - b.at);
  const endpoint = { ...afterAttempts(before, inOrder, now), position };
  const fresh = new Set(read.map(({ id }) => id));
  const deliveries: Array<Item> = [];
  for (const queue of Delivery.byRecord([...open, ...read])) {
    let isHeld = false;
    for (const delivery of queue) {
      const attempt = attempts.get(delivery.id);
      const after: Item =
        attempt === undefined
          ? deferDelivery(
              delivery,
              isHeld,
              fresh.has(delivery.id) ? now + Delivery.pauseAfter(1, jitter) : null,
            )
          : Delivery.recordAttempt(delivery, attempt, endpoint.lastDeliveredAt, jitter);
      if (after !== delivery || fresh.has(delivery.id)) deliveries.push(after);
      isHeld ||= after.endedAt === null;
    }
  }
  return { endpoint, deliveries };
};

/** A delivery that was not attempted in a round; `nextAttemptAt` is null for one that was stored before and stays as it is. */
const deferDelivery = <Item extends Delivery.WebhookDelivery>(
  delivery: Item,
  isHeld: boolean,
  nextAttemptAt: Timestamp | null,
): Item => {
  if (nextAttemptAt === null) return delivery;
  return isHeld ? { ...delivery, status: "held", nextAttemptAt: null } : { ...delivery, nextAttemptAt };
};

const SHORTEST_WAIT = 1_000;
const LONGEST_WAIT = 30_000;

/**
 * How long an endpoint that has read the whole feed waits, in milliseconds: until the first open delivery is due, and a
 * tenth of the time since it changed last, from 1 to 30 seconds. New events end the wait.
 */
export const pauseOf = (
  endpoint: Pick<WebhookEndpoint, "retryFrom">,
  lastAt: Timestamp,
  open: ReadonlyArray<Delivery.WebhookDelivery>,
  now: Timestamp,
): number => {
  const idle = Math.min(LONGEST_WAIT, Math.max(SHORTEST_WAIT, (now - lastAt) / 10));
  const moments = Delivery.byRecord(open).map(([first]) =>
    first === undefined || isDue(endpoint, first, now) ? now : (first.nextAttemptAt ?? now),
  );
  return Math.ceil(Math.max(0, Math.min(idle, ...moments.map((moment) => moment - now))));
};

/** An endpoint without what callers do not see. */
export const publicFields = <Endpoint extends WebhookEndpoint>(
  endpoint: Endpoint,
): Omit<Endpoint, Exclude<keyof WebhookEndpoint, keyof Shown>> => {
  const {
    secret: _secret,
    previousSecrets: _previous,
    position: _position,
    since: _since,
    retryFrom: _retry,
    run: _run,
    ...rest
  } = endpoint;
  return rest;
};
