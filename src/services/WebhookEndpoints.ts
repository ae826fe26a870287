/** Webhook endpoints: creates, changes and deletes them, and shows what they were sent. */
import { Effect, Encoding } from "effect";
import { type CustomerId, MessageId, type WebhookDeliveryId, WebhookEndpointId } from "../domain/Ids.ts";
import { sameJson } from "../domain/Json.ts";
import { WEBHOOK_ENDPOINTS_MAX, WEBHOOK_SECRETS_MAX } from "../domain/Limits.ts";
import type { Principal } from "../domain/Principal.ts";
import { conflict, invalid, missing } from "../domain/Refusal.ts";
import type { Timestamp } from "../domain/Timestamp.ts";
import * as WebhookDelivery from "../domain/WebhookDelivery.ts";
import * as WebhookEndpoint from "../domain/WebhookEndpoint.ts";
import { Digest } from "../ports/Digest.ts";
import { IdSource } from "../ports/IdSource.ts";
import { type Feed, type Listed, type Records, Storage, type Versioned } from "../ports/Storage.ts";
import { WebhookSender } from "../ports/Webhooks.ts";
import { authorizeCustomer, type Failure, validate } from "./commands/Access.ts";
import { countOf, type ListInput, type Listing, listOf } from "./commands/Listing.ts";
import { type CommandOptions, noEffect, Pipeline, type Replayed, type Work } from "./commands/Pipeline.ts";
import { Policies } from "./commands/Policies.ts";
import * as Save from "./commands/Save.ts";
import { FEED_OFF, positionOf } from "./feed/Cursor.ts";
import { Relay } from "./feed/Relay.ts";

/** An endpoint as callers see it, without its secrets. */
export type ShownEndpoint = Versioned<WebhookEndpoint.Shown>;

/** A new secret; no later result holds it. */
export interface NewSecret {
  readonly secret: string;
}

/** A new secret that replaces another one. */
export interface RotatedSecret extends NewSecret {
  /** Until when the secret before signs as well. */
  readonly previousSecretUntil: Timestamp;
}

type Endpoint = Versioned<WebhookEndpoint.WebhookEndpoint>;

/** Which deliveries a list shows. */
export type DeliveryFilters = ListInput<"webhookDelivery">;

const SECRET_BYTES = 32;
const WEBHOOKS_OFF = conflict("webhooks_off", "the operator has switched webhooks off");
const SHOWN_ONCE = conflict(
  "idempotency_key_reuse",
  "the endpoint exists, and its secret was shown once; rotate the secret to get another",
);
const MISSING = missing("webhook endpoint");
const DELETED = "the endpoint was deleted";

/** The message that delivers from now on to an endpoint. */
const runOf = ({ id, run }: Endpoint | WebhookEndpoint.WebhookEndpoint): Work => ({
  id: run,
  topic: "deliver_webhooks",
  recordId: id,
  reference: null,
});

const make = Effect.gen(function* () {
  const storage: Records & Feed = yield* Storage;
  const ids = yield* IdSource;
  const digest = yield* Digest;
  const pipeline = yield* Pipeline;
  const relay = yield* Relay;
  const sender = yield* WebhookSender;
  const { feed } = yield* Policies;

  const newSecret = Effect.map(
    ids.randomBytes(SECRET_BYTES),
    (bytes) => `whsec_${Encoding.encodeBase64(bytes)}`,
  );

  /** Fails unless events can be sent to the URL. */
  const checkUrl = (url: string | undefined): Effect.Effect<void, Failure> => {
    const problem = url === undefined ? null : (sender?.problem(url) ?? null);
    if (problem !== null) return Effect.fail(invalid("url", problem));
    if (!feed) return Effect.fail(FEED_OFF);
    return sender === null ? Effect.fail(WEBHOOKS_OFF) : Effect.void;
  };

  const endpointOf = (customerId: CustomerId, id: WebhookEndpointId): Effect.Effect<Endpoint, Failure> =>
    Effect.flatMap(storage.find(customerId, "webhookEndpoint", [id]), ([endpoint]) =>
      endpoint === undefined || endpoint.status === "deleted"
        ? Effect.fail(MISSING)
        : Effect.succeed(endpoint),
    );

  /** Where a new endpoint begins in the feed. */
  const beginningOf = (customerId: CustomerId, after: string | undefined, now: Timestamp) =>
    Effect.gen(function* () {
      if (after !== undefined)
        return { position: yield* positionOf(storage, digest, customerId, after), since: null };
      yield* relay.advance(customerId);
      const { head } = yield* storage.feedPage(customerId, 0, 1);
      return { position: head.position, since: now };
    });

  const create = (
    principal: Principal,
    input: WebhookEndpoint.Create,
    options: CommandOptions = {},
  ): Effect.Effect<{ readonly id: WebhookEndpointId } & NewSecret & Replayed, Failure> =>
    Effect.gen(function* () {
      const customerId = yield* authorizeCustomer(principal, "create webhook endpoint");
      const request = yield* validate(WebhookEndpoint.Create)(input);
      yield* checkUrl(request.url);
      const created = yield* pipeline.run(customerId, principal, options, (execution) =>
        Effect.gen(function* () {
          const where = { statuses: WebhookEndpoint.EXISTING };
          if ((yield* countOf(storage, customerId, "webhookEndpoint", where)) >= WEBHOOK_ENDPOINTS_MAX)
            return yield* conflict(
              "webhook_limit",
              `a customer has at most ${WEBHOOK_ENDPOINTS_MAX} endpoints`,
            );
          const id = yield* ids.next(WebhookEndpointId);
          const secret = yield* newSecret;
          const endpoint = WebhookEndpoint.create(request, {
            ...{ id, customerId, secret },
            ...(yield* beginningOf(customerId, request.after, execution.at)),
            ...{ run: yield* ids.next(MessageId), createdAt: execution.at },
          });
          return {
            result: { id, secret },
            replayResult: { id },
            requires: [],
            changes: [Save.flat("webhookEndpoint", execution, endpoint)],
            outbox: [runOf(endpoint)],
          };
        }),
      );
      return created.replayed ? yield* SHOWN_ONCE : created;
    });

  const update = (
    principal: Principal,
    id: WebhookEndpointId,
    input: WebhookEndpoint.Update,
    options: CommandOptions = {},
  ): Effect.Effect<Replayed, Failure> =>
    Effect.gen(function* () {
      const customerId = yield* authorizeCustomer(principal, "update webhook endpoint");
      const request = yield* validate(WebhookEndpoint.Update)(input);
      if (request.url !== undefined || request.enabled === true) yield* checkUrl(request.url);
      return yield* pipeline.run(customerId, principal, options, (execution) =>
        Effect.gen(function* () {
          const before = yield* endpointOf(customerId, id);
          const after = WebhookEndpoint.update(before, request, execution.at);
          if (sameJson(before, after)) return noEffect({});
          if (after.status !== "enabled" || after.retryFrom === before.retryFrom)
            return { result: {}, requires: [], changes: [Save.flat("webhookEndpoint", execution, after)] };
          const running = { ...after, run: yield* ids.next(MessageId) };
          return {
            result: {},
            requires: [],
            changes: [Save.flat("webhookEndpoint", execution, running)],
            outbox: [runOf(running)],
          };
        }),
      );
    });

  const remove = (
    principal: Principal,
    id: WebhookEndpointId,
    options: CommandOptions = {},
  ): Effect.Effect<Replayed, Failure> =>
    Effect.gen(function* () {
      const customerId = yield* authorizeCustomer(principal, "delete webhook endpoint");
      return yield* pipeline.run(customerId, principal, options, (execution) =>
        Effect.gen(function* () {
          const endpoint = yield* endpointOf(customerId, id);
          const open = yield* storage.openDeliveries(customerId, id, Number.MAX_SAFE_INTEGER);
          const ended = open.map((delivery) =>
            Save.flat("webhookDelivery", execution, WebhookDelivery.abandon(delivery, DELETED, execution.at)),
          );
          const gone = Save.flat("webhookEndpoint", execution, WebhookEndpoint.remove(endpoint));
          return { result: {}, requires: [], changes: [gone, ...ended] };
        }),
      );
    });

  const rotate = (
    principal: Principal,
    id: WebhookEndpointId,
    options: CommandOptions = {},
  ): Effect.Effect<RotatedSecret & Replayed, Failure> =>
    Effect.gen(function* () {
      const customerId = yield* authorizeCustomer(principal, "rotate webhook secret");
      const rotated = yield* pipeline.run(customerId, principal, options, (execution) =>
        Effect.gen(function* () {
          const endpoint = yield* endpointOf(customerId, id);
          if (WebhookEndpoint.secretsAt(endpoint, execution.at).length >= WEBHOOK_SECRETS_MAX)
            return yield* conflict(
              "webhook_limit",
              `${WEBHOOK_SECRETS_MAX} secrets sign at the same time; wait until the first of them has ended`,
            );
          const secret = yield* newSecret;
          const after = WebhookEndpoint.rotateSecret(endpoint, secret, execution.at);
          const previousSecretUntil = execution.at + WebhookEndpoint.SECRET_GRACE_MILLISECONDS;
          return {
            result: { secret, previousSecretUntil },
            replayResult: { id },
            requires: [],
            changes: [Save.flat("webhookEndpoint", execution, after)],
          };
        }),
      );
      return rotated.replayed ? yield* SHOWN_ONCE : rotated;
    });

  const list = (
    principal: Principal,
    input: ListInput<"webhookEndpoint"> = {},
  ): Effect.Effect<Listing<ShownEndpoint>, Failure> =>
    Effect.map(
      listOf(storage, principal, "webhookEndpoint", {
        ...input,
        statuses: WebhookEndpoint.EXISTING,
      }),
      ({ items, ...page }) => ({ ...page, items: items.map(WebhookEndpoint.publicFields) }),
    );

  const read = (principal: Principal, id: WebhookEndpointId): Effect.Effect<ShownEndpoint, Failure> =>
    Effect.flatMap(authorizeCustomer(principal, "list webhook endpoints"), (customerId) =>
      Effect.map(endpointOf(customerId, id), WebhookEndpoint.publicFields),
    );

  const deliveries = (
    principal: Principal,
    id: WebhookEndpointId,
    input: DeliveryFilters = {},
  ): Effect.Effect<Listing<Listed["webhookDelivery"]>, Failure> =>
    Effect.gen(function* () {
      const customerId = yield* authorizeCustomer(principal, "list webhook deliveries");
      yield* endpointOf(customerId, id);
      return yield* listOf(storage, principal, "webhookDelivery", {
        ...input,
        endpointIds: [id],
      });
    });

  const redeliver = (
    principal: Principal,
    id: WebhookEndpointId,
    deliveryId: WebhookDeliveryId,
    options: CommandOptions = {},
  ): Effect.Effect<Replayed, Failure> =>
    Effect.gen(function* () {
      const customerId = yield* authorizeCustomer(principal, "redeliver webhook");
      return yield* pipeline.run(customerId, principal, options, (execution) =>
        Effect.gen(function* () {
          const endpoint = yield* endpointOf(customerId, id);
          const [delivery] = yield* storage.find(customerId, "webhookDelivery", [deliveryId]);
          if (delivery === undefined || delivery.endpointId !== id) return yield* missing("webhook delivery");
          if (endpoint.status !== "enabled")
            return yield* conflict("webhook_disabled", "enable the endpoint before events are sent again");
          const running = { ...endpoint, run: yield* ids.next(MessageId) };
          const again = WebhookDelivery.redeliver(delivery, execution.at);
          return {
            result: {},
            requires: [],
            changes: [
              Save.flat("webhookEndpoint", execution, running),
              Save.flat("webhookDelivery", execution, again),
            ],
            outbox: [runOf(running)],
          };
        }),
      );
    });

  return {
    /**
     * Creates an endpoint, which is sent the events from now on, or those after a cursor of the feed. Only this result holds
     * the secret.
     */
    create,
    /** Changes an endpoint. If it is enabled again or has another URL, all waiting deliveries are sent at once. */
    update,
    /** Deletes an endpoint with its secrets; nothing more is sent to it. */
    remove,
    /** Replaces the secret, which signs together with the new one for 24 hours. Only this result holds the new one. */
    rotate,
    /** One page of the customer's endpoints, without their secrets. */
    list,
    /** An endpoint, without its secrets. */
    read,
    /** One page of the deliveries to an endpoint; those that ended some days ago have been removed. */
    deliveries,
    /** Sends an event again, under the same id, and tries it for as long as a new one. */
    redeliver,
  };
});

export class WebhookEndpoints extends Effect.Service<WebhookEndpoints>()(
  "quittance/services/WebhookEndpoints",
  {
    effect: make,
  },
) {}
