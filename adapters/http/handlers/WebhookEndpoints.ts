/** The operations on webhook endpoints. */
import { Effect } from "effect";
import type { WebhookEndpoints } from "quittance";
import * as Wire from "../wire/WebhookEndpoint.ts";
import type { Handlers } from "./Handlers.ts";
import * as Responses from "./Responses.ts";

const page = Responses.page("webhook_endpoints", Wire.webhookEndpoint);
const deliveryPage = Responses.page("webhook_deliveries", Wire.webhookDelivery);

/** The handlers of the operations of this group; each calls its service. */
export const webhookEndpoints = (
  service: WebhookEndpoints.WebhookEndpoints,
): Handlers["webhook_endpoints"] => ({
  list: ({ principal, query }) => Effect.flatMap(service.list(principal, query), page),
  create: ({ principal, payload, options }) =>
    Effect.map(service.create(principal, payload, options), (created) =>
      Responses.createdText(Wire.createdWebhookEndpoint(created), created.replayed),
    ),
  read: ({ principal, path }) =>
    Effect.map(service.read(principal, path.id), (endpoint) =>
      Responses.jsonText(Wire.webhookEndpoint(endpoint)),
    ),
  update: ({ principal, path, payload, options }) =>
    Effect.map(service.update(principal, path.id, payload, options), Responses.emptyBody),
  remove: ({ principal, path, options }) =>
    Effect.map(service.remove(principal, path.id, options), Responses.emptyBody),
  rotate: ({ principal, path, options }) =>
    Effect.map(service.rotate(principal, path.id, options), (rotated) =>
      Responses.commandResult(Wire.rotatedWebhookSecret(rotated), rotated.replayed),
    ),
  deliveries: ({ principal, path, query }) =>
    Effect.flatMap(service.deliveries(principal, path.id, query), deliveryPage),
  redeliver: ({ principal, path, options }) =>
    Effect.map(service.redeliver(principal, path.id, path.deliveryId, options), Responses.emptyBody),
});
