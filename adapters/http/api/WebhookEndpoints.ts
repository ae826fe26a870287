/** Webhook endpoints and their deliveries. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint";
import * as HttpApiGroup from "@effect/platform/HttpApiGroup";
import * as HttpApiSchema from "@effect/platform/HttpApiSchema";
import * as PlatformOpenApi from "@effect/platform/OpenApi";
import { Schema } from "effect";
import { WebhookEndpoint as Domain, EventFeed, Field, Ids, WebhookDelivery as Sent } from "quittance";
import * as Example from "./openapi/examples/Story.ts";
import { extension } from "./shared/Annotation.ts";
import { BodyFailure, NotFound, RecordBodyFailure, RecordFailure } from "./shared/Failure.ts";
import { DateTime, Id, pageOf } from "./shared/Field.ts";
import { filters } from "./shared/Filters.ts";
import { paging, recordPath } from "./shared/Query.ts";
import { shownFields } from "./shared/Record.ts";

const { url, types, description, ...health } = shownFields(Domain.Stated);

/** An endpoint, without its secrets. `types` is null for every type of event. */
export const WebhookEndpoint = Schema.Struct({
  id: Id,
  customer_id: Id,
  url,
  types,
  description,
  enabled: Schema.Boolean,
  ...health,
  created_at: DateTime,
}).annotations({ identifier: "WebhookEndpoint" });

/** The delivery of one event to one endpoint. */
export const WebhookDelivery = Schema.Struct({
  id: Id,
  endpoint_id: Id,
  event_id: Id.annotations({ description: "The id of the event in the feed, and the header webhook-id." }),
  type: Schema.String,
  record_type: Schema.Literal(...Object.values(EventFeed.RECORD_TYPES)),
  record_id: Id,
  sequence: Schema.Int,
  datetime: DateTime,
  ...shownFields(Sent.Progress),
  created_at: DateTime,
}).annotations({ identifier: "WebhookDelivery" });

/** A new endpoint; no other response shows the secret. */
export const CreatedWebhookEndpoint = Schema.Struct({ id: Id, secret: Schema.String }).annotations({
  identifier: "CreatedWebhookEndpoint",
});

/** A new secret; no other response shows it. */
export const RotatedWebhookSecret = Schema.Struct({
  secret: Schema.String,
  previous_secret_until: DateTime,
}).annotations({ identifier: "RotatedWebhookSecret" });

const path = recordPath(Ids.WebhookEndpointId);
const deliveryPath = Schema.Struct({
  id: Ids.WebhookEndpointId,
  deliveryId: Field.key(Ids.WebhookDeliveryId, "delivery_id", "The delivery to send again."),
});

const list = HttpApiEndpoint.get("list", "/webhook-endpoints")
  .setUrlParams(Schema.Struct({ ...filters("webhookEndpoint"), ...paging }))
  .addSuccess(pageOf("webhook_endpoints", WebhookEndpoint))
  .pipe(
    extension({
      operation: "list webhook endpoints",
      id: "listWebhookEndpoints",
      summary: "List webhook endpoints",
      description:
        "Returns the endpoints without their secrets, oldest first by default. Every operation on webhook endpoints needs the grant * of workspaces and partners.",
      response: { webhook_endpoints: [Example.webhookEndpoint], ...Example.paged },
      refused: Example.PAGE,
    }),
  );

const create = HttpApiEndpoint.post("create", "/webhook-endpoints")
  .setPayload(Domain.Create)
  .addSuccess(CreatedWebhookEndpoint, { status: 201 })
  .addError(BodyFailure)
  .pipe(
    extension({
      operation: "create webhook endpoint",
      id: "createWebhookEndpoint",
      summary: "Create a webhook endpoint",
      description:
        "The server sends events of the given types, or of every type, to the URL: events from now on, or those after a cursor of the event feed. The receiver verifies requests with the secret, which is shown only here.",
      request: {
        url: "https://shop.example.com/quittance-events",
        types: ["create_settlement", "confirm_payment"],
        description: "Settlements for the shop",
      },
      response: { id: Example.ENDPOINT, secret: Example.SECRET },
      refused: "url: must lead to public addresses only",
    }),
  );

const read = HttpApiEndpoint.get("read", "/webhook-endpoints/:id")
  .setPath(path)
  .addSuccess(WebhookEndpoint)
  .addError(NotFound)
  .pipe(
    extension({
      operation: "list webhook endpoints",
      id: "readWebhookEndpoint",
      summary: "Read a webhook endpoint",
      description: "Returns the endpoint without its secrets.",
      response: Example.webhookEndpoint,
    }),
  );

const update = HttpApiEndpoint.patch("update", "/webhook-endpoints/:id")
  .setPath(path)
  .setPayload(Domain.Update)
  .addSuccess(HttpApiSchema.Empty(200))
  .addError(RecordBodyFailure)
  .pipe(
    extension({
      operation: "update webhook endpoint",
      id: "updateWebhookEndpoint",
      summary: "Change a webhook endpoint",
      description:
        "Absent fields do not change. A disabled endpoint keeps its position in the feed: when it is enabled again, it receives the events since then. After a new URL, or after enabling, all waiting events are due at once.",
      request: { enabled: true, types: null },
      refused: "types.0: must be the type of an event, such as create_settlement",
    }),
  );

const remove = HttpApiEndpoint.del("remove", "/webhook-endpoints/:id")
  .setPath(path)
  .addSuccess(HttpApiSchema.Empty(200))
  .addError(RecordFailure)
  .pipe(
    extension({
      operation: "delete webhook endpoint",
      id: "deleteWebhookEndpoint",
      summary: "Delete a webhook endpoint",
      description:
        "Deletes the endpoint with its secrets and deliveries; the server sends nothing more to it.",
    }),
  );

const rotate = HttpApiEndpoint.post("rotate", "/webhook-endpoints/:id/rotate")
  .setPath(path)
  .addSuccess(RotatedWebhookSecret)
  .addError(RecordFailure)
  .pipe(
    extension({
      operation: "rotate webhook secret",
      id: "rotateWebhookSecret",
      summary: "Replace the secret of a webhook endpoint",
      description:
        "The new secret is shown only here. For 24 hours the server also signs with the previous secret: each request then has several signatures, of which a receiver needs to verify one.",
      response: { secret: Example.SECRET, previous_secret_until: Example.LATER },
    }),
  );

const deliveries = HttpApiEndpoint.get("deliveries", "/webhook-endpoints/:id/deliveries")
  .setPath(path)
  .setUrlParams(Schema.Struct({ ...filters("webhookDelivery"), ...paging }))
  .addSuccess(pageOf("webhook_deliveries", WebhookDelivery))
  .addError(NotFound)
  .pipe(
    extension({
      operation: "list webhook deliveries",
      id: "listWebhookDeliveries",
      summary: "List the deliveries of a webhook endpoint",
      description:
        "Oldest first by default. The server removes delivered and failed deliveries after a number of days that the operator sets.",
      response: { webhook_deliveries: [Example.webhookDelivery], ...Example.paged },
      refused: "statuses.0: must be one of pending, held, delivered, failed",
    }),
  );

const redeliver = HttpApiEndpoint.post(
  "redeliver",
  "/webhook-endpoints/:id/deliveries/:delivery_id/redeliver",
)
  .setPath(deliveryPath)
  .addSuccess(HttpApiSchema.Empty(200))
  .addError(RecordFailure)
  .pipe(
    extension({
      operation: "redeliver webhook",
      id: "redeliverWebhook",
      summary: "Send an event to a webhook endpoint again",
      description:
        "Sends it at once with the same webhook-id, whatever the status of the delivery, and retries it like a new one. A conflict when the endpoint is disabled.",
    }),
  );

/** The operations on webhook endpoints. */
export const WebhookEndpoints = HttpApiGroup.make("webhook_endpoints")
  .add(list)
  .add(create)
  .add(read)
  .add(update)
  .add(remove)
  .add(rotate)
  .add(deliveries)
  .add(redeliver)
  .annotate(PlatformOpenApi.Title, "Webhook endpoints")
  .annotate(
    PlatformOpenApi.Description,
    "URLs to which the server sends each event at least once, in the order of each record.",
  );
