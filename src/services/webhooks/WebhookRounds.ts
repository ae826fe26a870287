/**
 * Rounds of a webhook endpoint: reads the next events of the feed, sends what is due, and commits all results at once. A
 * round that ends before its commit is run again with the same ids, so that nothing is missed and receivers recognise
 * repetitions.
 */
import { Clock, Effect, Random } from "effect";
import {
  type CustomerId,
  type MessageId,
  uuidV8,
  WebhookDeliveryId,
  type WebhookEndpointId,
} from "../../domain/Ids.ts";
import type { Refusal } from "../../domain/Refusal.ts";
import * as WebhookDelivery from "../../domain/WebhookDelivery.ts";
import * as WebhookEndpoint from "../../domain/WebhookEndpoint.ts";
import { Digest } from "../../ports/Digest.ts";
import { type Feed, type Records, Storage, type StorageError, type Versioned } from "../../ports/Storage.ts";
import { WebhookSender, type WebhookSenderService } from "../../ports/Webhooks.ts";
import { noEffect, Pipeline } from "../commands/Pipeline.ts";
import { Policies } from "../commands/Policies.ts";
import * as Save from "../commands/Save.ts";
import { idOf } from "../feed/Chain.ts";
import { Relay } from "../feed/Relay.ts";
import * as EngineMetrics from "../process/EngineMetrics.ts";
import { WorkerSettings } from "../process/WorkerSettings.ts";

/** The actor of the commits of rounds. */
const WORKER = { principalId: "system:webhooks" };
/** Entries of the feed that one round reads. */
const WINDOW = 100;
/** Requests to one endpoint at the same time, each about another record. */
const SENT_AT_ONCE = 8;
/** Failures without a success after which a round sends no further requests, and the time after which it begins none. */
const FAILURES_MAX = 8;
const ROUND_MILLISECONDS = 20_000;
/** How long an endpoint waits in a process that has no sender or keeps no feed. */
const IDLE_MILLISECONDS = 30_000;

type Endpoint = Versioned<WebhookEndpoint.WebhookEndpoint>;
/** A delivery that is stored, or one of an event that was read in this round, which has no version yet. */
type Item = WebhookDelivery.WebhookDelivery & Partial<Versioned<unknown>>;
type Attempts = Map<WebhookDeliveryId, WebhookDelivery.Attempt>;

const make = Effect.gen(function* () {
  const storage: Records & Feed = yield* Storage;
  const digest = yield* Digest;
  const pipeline = yield* Pipeline;
  const relay = yield* Relay;
  const sender = yield* WebhookSender;
  const { feed } = yield* Policies;
  const { webhookTimeoutMilliseconds } = yield* WorkerSettings;

  const find = (customerId: CustomerId, id: WebhookEndpointId) =>
    Effect.map(storage.find(customerId, "webhookEndpoint", [id]), ([endpoint]) => endpoint ?? null);

  /** The deliveries of the next events of the feed that an endpoint is subscribed to. */
  const readWindow = (endpoint: Endpoint, now: number) =>
    Effect.gen(function* () {
      const { customerId, id: endpointId } = endpoint;
      const { entries } = yield* storage.feedPage(customerId, endpoint.position, WINDOW);
      const read: Array<Item> = [];
      for (const entry of entries) {
        if (!WebhookEndpoint.isSubscribedTo(endpoint, entry)) continue;
        const { position, kind, recordId, sequence, at: happenedAt, event } = entry;
        const eventId = yield* idOf(digest, customerId, entry);
        const sha256 = yield* digest.sha256Hex(WebhookDelivery.idInput(endpointId, eventId));
        const type = event?.type ?? WebhookDelivery.ERASED;
        const announced = { eventId, position, type, kind, recordId, sequence, happenedAt };
        const identity = { id: WebhookDeliveryId.make(uuidV8(sha256)), customerId, endpointId };
        read.push(WebhookDelivery.create(identity, announced, now));
      }
      const position = entries.at(-1)?.position ?? endpoint.position;
      return { read, position, isAtEnd: entries.length < WINDOW };
    });

  const sendDelivery = ({ send }: WebhookSenderService, endpoint: Endpoint, delivery: Item) =>
    Effect.gen(function* () {
      const at = yield* Clock.currentTimeMillis;
      const { status, error } = yield* send({
        url: endpoint.url,
        id: delivery.eventId,
        at,
        body: WebhookDelivery.bodyOf(delivery),
        secrets: WebhookEndpoint.secretsAt(endpoint, at),
      }).pipe(
        Effect.disconnect,
        Effect.timeoutFail({
          duration: webhookTimeoutMilliseconds + 1_000,
          onTimeout: () => ({ message: `no complete response within ${webhookTimeoutMilliseconds} ms` }),
        }),
        Effect.match({
          onFailure: ({ message }) => ({ status: null, error: message }),
          onSuccess: (status) => ({ status, error: WebhookDelivery.problemOf(status) }),
        }),
      );
      EngineMetrics.countWebhookAttempt(error === null ? "delivered" : "failed");
      return { at: yield* Clock.currentTimeMillis, status, error };
    });

  /** Sends what is due, the events of each record one after the other, until the first that fails. */
  const sendDue = (
    through: WebhookSenderService,
    endpoint: Endpoint,
    queues: ReadonlyArray<ReadonlyArray<Item>>,
    began: number,
  ): Effect.Effect<Attempts> =>
    Effect.gen(function* () {
      const attempts: Attempts = new Map();
      let failures = 0;
      const isOver = Effect.map(
        Clock.currentTimeMillis,
        (now) => failures >= FAILURES_MAX || now - began >= ROUND_MILLISECONDS,
      );
      /** Sends one delivery; false when those after it have to wait. */
      const sendOne = (delivery: Item) =>
        Effect.gen(function* () {
          if (yield* isOver) return false;
          if (!WebhookEndpoint.isDue(endpoint, delivery, yield* Clock.currentTimeMillis)) return false;
          const attempt = yield* sendDelivery(through, endpoint, delivery);
          attempts.set(delivery.id, attempt);
          failures = attempt.error === null ? 0 : failures + 1;
          return attempt.error === null;
        });
      const sendQueue = (queue: ReadonlyArray<Item>) =>
        Effect.gen(function* () {
          for (const delivery of queue) if (!(yield* sendOne(delivery))) return;
        });
      yield* Effect.forEach(queues, sendQueue, { concurrency: SENT_AT_ONCE, discard: true });
      return attempts;
    });

  /** The part of a round whose endpoint and deliveries no other process has changed meanwhile. */
  const unchangedPart = (
    { customerId, position: readFrom }: Endpoint,
    endpoint: Endpoint,
    round: WebhookEndpoint.Round<Item>,
  ) =>
    Effect.gen(function* () {
      const { attempts, read, position } = round;
      const stored = round.open.filter(({ id }) => attempts.has(id));
      const found =
        stored.length === 0
          ? []
          : yield* storage.find(
              customerId,
              "webhookDelivery",
              stored.map(({ id }) => id),
            );
      const versions = new Map<string, number>(found.map(({ id, version }) => [id, version]));
      const isAsRead = ({ id, version }: Item) => versions.get(id) === version;
      const others = new Map(
        [...attempts].filter(([id]) => stored.every((item) => item.id !== id || isAsRead(item))),
      );
      const isReadHere = endpoint.position === readFrom;
      return {
        open: round.open,
        attempts: others,
        read: isReadHere ? read : [],
        position: isReadHere ? position : endpoint.position,
      };
    });

  const store = (before: Endpoint, round: WebhookEndpoint.Round<Item>, jitter: number) =>
    pipeline.run(before.customerId, WORKER, {}, (execution) =>
      Effect.gen(function* () {
        const nothing = { endpoint: null as Endpoint | null, failed: 0, open: round.open };
        const endpoint = yield* find(before.customerId, before.id);
        if (endpoint === null || endpoint.status === "deleted") return noEffect(nothing);
        const unchanged = yield* unchangedPart(before, endpoint, round);
        if (unchanged.attempts.size === 0 && unchanged.position === endpoint.position)
          return noEffect({ ...nothing, endpoint });
        const applied = WebhookEndpoint.applyRound(endpoint, unchanged, execution.at, jitter);
        const saved = Save.flat("webhookEndpoint", execution, applied.endpoint);
        const changed = new Map<string, Item>(applied.deliveries.map((delivery) => [delivery.id, delivery]));
        return {
          result: {
            endpoint: saved.row,
            open: [...unchanged.open, ...unchanged.read]
              .map((delivery) => changed.get(delivery.id) ?? delivery)
              .filter(({ endedAt }) => endedAt === null),
            failed: applied.deliveries.filter(({ status }) => status === "failed").length,
          },
          requires: [],
          changes: [
            saved,
            ...applied.deliveries.map((delivery) => Save.flat("webhookDelivery", execution, delivery)),
          ],
        };
      }),
    );

  const reportRound = (before: Endpoint, after: Endpoint | null, failed: number) =>
    Effect.suspend(() => {
      if (failed > 0) EngineMetrics.countWebhooksGivenUp(failed);
      if (before.status !== "enabled" || after?.status !== "disabled" || after.disabledReason === null)
        return Effect.void;
      EngineMetrics.countWebhookDisabled();
      return Effect.logWarning(`webhook endpoint ${after.id} was disabled: ${after.disabledReason}`);
    });

  const performRound = (
    through: WebhookSenderService,
    endpoint: Endpoint,
  ): Effect.Effect<number | null, Refusal | StorageError> =>
    Effect.gen(function* () {
      const { customerId, id, run } = endpoint;
      yield* relay.advance(customerId);
      const open = yield* storage.openDeliveries(customerId, id, WebhookEndpoint.OPEN_MAX + WINDOW);
      const now = yield* Clock.currentTimeMillis;
      const mayRead = WebhookEndpoint.mayReadFeed(endpoint, open.length);
      const { read, position, isAtEnd } = mayRead
        ? yield* readWindow(endpoint, now)
        : { read: [], position: endpoint.position, isAtEnd: true };
      const attempts = yield* sendDue(
        through,
        endpoint,
        WebhookEndpoint.due(endpoint, [...open, ...read], now),
        now,
      );
      const jitter = yield* Random.next;
      const stored = yield* store(endpoint, { open, read, position, attempts }, jitter);
      yield* reportRound(endpoint, stored.endpoint, stored.failed);
      const after = stored.endpoint ?? endpoint;
      if (after.status !== "enabled" || after.run !== run) return null;
      if (!isAtEnd) return 0;
      return WebhookEndpoint.pauseOf(after, after.lastAt, stored.open, yield* Clock.currentTimeMillis);
    });

  const run = (
    customerId: CustomerId,
    id: WebhookEndpointId,
    messageId: MessageId,
  ): Effect.Effect<number | null, Refusal | StorageError> =>
    Effect.gen(function* () {
      const endpoint = yield* find(customerId, id);
      if (endpoint === null || endpoint.status !== "enabled" || endpoint.run !== messageId) return null;
      return sender === null || !feed ? IDLE_MILLISECONDS : yield* performRound(sender, endpoint);
    });

  return {
    /**
     * Runs one round of an endpoint: about 100 events, and the deliveries that are due. Returns the pause before the next
     * round, in milliseconds; null when the message is not the one that delivers to the endpoint, or nothing is delivered.
     */
    run,
  };
});

/** The service of rounds; the worker runs them. */
export class WebhookRounds extends Effect.Service<WebhookRounds>()("quittance/services/WebhookRounds", {
  effect: make,
}) {}
