/**
 * Webhook deliveries: each sends one event to one endpoint. The deliveries of a record are sent in the order of its events: while
 * one has not ended, the later ones wait.
 */
import { Schema } from "effect";
import type { Kind as RecordKind } from "./EventFeed.ts";
import { field, required } from "./Field.ts";
import type { CustomerId, WebhookDeliveryId, WebhookEndpointId } from "./Ids.ts";
import { WEBHOOK_PROBLEM_MAX } from "./Limits.ts";
import { Count } from "./Money.ts";
import { DAY, DateTime, format, HOUR, SECOND, type Timestamp } from "./Timestamp.ts";

/** The states of a delivery; {@link Progress} says what they mean. */
export const STATUSES = ["pending", "held", "delivered", "failed"] as const;
export type Status = (typeof STATUSES)[number];

/** The states of a delivery that has not ended. */
export const OPEN: ReadonlyArray<Status> = ["pending", "held"];

/** The event of a delivery. */
export interface Announced {
  /** The id of the event in the feed, and the `webhook-id` of every request that announces it. */
  readonly eventId: string;
  /** The place of the event in the feed. */
  readonly position: number;
  /** The event's type; `erased` when the event was erased before it was announced. */
  readonly type: string;
  readonly kind: RecordKind;
  readonly recordId: string;
  /** The place of the event in the log of its record, from 1. */
  readonly sequence: number;
  readonly happenedAt: Timestamp;
}

const HttpStatus = Schema.Number.annotations({ jsonSchema: { type: "integer", minimum: 100, maximum: 999 } });

/** How far a delivery is, as stored and as responses show it. */
export const Progress = Schema.Struct(
  required({
    status: field(
      Schema.Literal(...STATUSES),
      "status",
      "pending: waits for the next attempt; held: waits until an earlier event of the record is delivered; delivered; failed: no further attempts.",
    ),
    attempts: field(
      Count,
      "attempts",
      "The number of attempts since the delivery was created or redelivered.",
    ),
    lastAttemptAt: field(
      Schema.NullOr(DateTime),
      "last_attempt_at",
      "When the last attempt ended; null before the first.",
    ),
    lastStatus: field(
      Schema.NullOr(HttpStatus),
      "last_status",
      "The HTTP status of the last response; null when the last attempt had none.",
    ),
    lastError: field(
      Schema.NullOr(Schema.String),
      "last_error",
      "Why the last attempt failed, in words; null when it succeeded.",
    ),
    nextAttemptAt: field(
      Schema.NullOr(DateTime),
      "next_attempt_at",
      "The latest time of the next attempt; null when none is planned.",
    ),
    endedAt: field(
      Schema.NullOr(DateTime),
      "ended_at",
      "When the delivery ended in delivered or failed; null before.",
    ),
  }),
);

/** The delivery of an event to an endpoint. It holds no data of the event beyond its type. */
export interface WebhookDelivery extends Announced, Schema.Schema.Type<typeof Progress> {
  readonly id: WebhookDeliveryId;
  readonly customerId: CustomerId;
  readonly endpointId: WebhookEndpointId;
  /** When the first attempt ended; null before the first attempt. */
  readonly firstAttemptAt: Timestamp | null;
  readonly createdAt: Timestamp;
}

/** The result of one request. */
export interface Attempt {
  readonly at: Timestamp;
  /** Null when no response was received. */
  readonly status: number | null;
  /** Null when the receiver accepted the event. */
  readonly error: string | null;
}

/** The HTTP status by which a receiver ends its subscription. */
export const GONE = 410;

/** The type that announces an event whose content was erased. */
export const ERASED = "erased";

const FIRST_PAUSE = 5 * SECOND;
const LONGEST_PAUSE = HOUR;
/** How long a delivery is attempted while other deliveries to the endpoint succeed. */
export const TRIED_MILLISECONDS = DAY;

/** Returns the text whose SHA-256 digest is the id of a delivery. An event has the same id for an endpoint however often it is sent. */
export const idInput = (endpointId: WebhookEndpointId, eventId: string): string =>
  `quittance delivery ${endpointId} ${eventId}`;

/** Returns a new delivery, which is due immediately. */
export const create = (
  identity: Pick<WebhookDelivery, "id" | "customerId" | "endpointId">,
  event: Announced,
  now: Timestamp,
): WebhookDelivery => ({
  ...identity,
  ...event,
  status: "pending",
  attempts: 0,
  firstAttemptAt: null,
  lastAttemptAt: null,
  lastStatus: null,
  lastError: null,
  nextAttemptAt: now,
  endedAt: null,
  createdAt: now,
});

/** Returns the JSON text that the requests of a delivery have as their body. */
export const bodyOf = (delivery: Announced & Pick<WebhookDelivery, "customerId">): string =>
  JSON.stringify({
    id: delivery.eventId,
    type: delivery.type,
    datetime: format(delivery.happenedAt),
    customer_id: delivery.customerId,
    record_id: delivery.recordId,
    sequence: delivery.sequence,
  });

/** Returns the problem that a response with a status reports; null when the receiver accepted the event. */
export const problemOf = (status: number): string | null => {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400)
    return `the receiver returned ${status}: redirects are not followed, the endpoint must name the final URL`;
  return status === GONE
    ? `the receiver returned ${GONE}: it refuses all further events`
    : `the receiver returned ${status}`;
};

/**
 * Returns the pause in milliseconds after a number of failed attempts: 5 seconds after the first, three times as long after each
 * further one, at most an hour. `jitter`, from 0 to 1, shortens the pause by up to a half.
 */
export const pauseAfter = (attempts: number, jitter: number): number =>
  Math.ceil(Math.min(LONGEST_PAUSE, FIRST_PAUSE * 3 ** Math.max(0, attempts - 1)) * (1 - jitter / 2));

/**
 * True if a delivery that failed again gets no further attempt: its attempts span a day, and another delivery to the endpoint succeeded
 * in that time. While no delivery succeeds, the endpoint is at fault, and the engine disables it in the end.
 */
const isGivenUp = (firstAttemptAt: Timestamp, now: Timestamp, lastDeliveredAt: Timestamp | null): boolean =>
  now - firstAttemptAt >= TRIED_MILLISECONDS && lastDeliveredAt !== null && lastDeliveredAt >= firstAttemptAt;

/** Returns the delivery after an attempt. `lastDeliveredAt` is when the endpoint last accepted an event. */
export const recordAttempt = <Delivery extends WebhookDelivery>(
  delivery: Delivery,
  { at, status, error }: Attempt,
  lastDeliveredAt: Timestamp | null,
  jitter: number,
): Delivery => {
  const attempts = delivery.attempts + 1;
  const firstAttemptAt = delivery.firstAttemptAt ?? at;
  const lastError = error?.slice(0, WEBHOOK_PROBLEM_MAX) ?? null;
  const tried = { ...delivery, attempts, firstAttemptAt, lastAttemptAt: at, lastStatus: status, lastError };
  if (error === null) return { ...tried, status: "delivered", nextAttemptAt: null, endedAt: at };
  if (isGivenUp(firstAttemptAt, at, lastDeliveredAt))
    return { ...tried, status: "failed", nextAttemptAt: null, endedAt: at };
  return { ...tried, status: "pending", nextAttemptAt: at + pauseAfter(attempts, jitter), endedAt: null };
};

/** Returns the delivery after a caller has requested to send it again: due immediately, with the attempts of a new delivery. */
export const redeliver = <Delivery extends WebhookDelivery>(
  delivery: Delivery,
  now: Timestamp,
): Delivery => ({
  ...delivery,
  status: "pending",
  attempts: 0,
  firstAttemptAt: null,
  nextAttemptAt: now,
  endedAt: null,
});

/** Returns the delivery after it was given up. */
export const abandon = <Delivery extends WebhookDelivery>(
  delivery: Delivery,
  reason: string,
  now: Timestamp,
): Delivery => ({ ...delivery, status: "failed", lastError: reason, nextAttemptAt: null, endedAt: now });

/** Groups deliveries by record, each group in the order of the record's events. The groups are in the order of their first events. */
export const byRecord = <Delivery extends WebhookDelivery>(
  deliveries: ReadonlyArray<Delivery>,
): ReadonlyArray<ReadonlyArray<Delivery>> => {
  const records = new Map<string, Array<Delivery>>();
  for (const delivery of deliveries.toSorted((a, b) => a.position - b.position)) {
    const queue = records.get(delivery.recordId);
    if (queue === undefined) records.set(delivery.recordId, [delivery]);
    else queue.push(delivery);
  }
  return [...records.values()];
};
