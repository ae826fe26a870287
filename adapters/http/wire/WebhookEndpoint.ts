/** Webhook endpoints and deliveries on the wire. */
import { EventFeed, type Storage, type WebhookEndpoints } from "quittance";
import * as Contract from "../api/WebhookEndpoints.ts";
import { recordWriter } from "./Encoding.ts";

/** An endpoint, without its secrets. */
export const webhookEndpoint = recordWriter<WebhookEndpoints.ShownEndpoint>()(Contract.WebhookEndpoint, {
  enabled: (row) => row.status === "enabled",
});

/** A delivery. */
export const webhookDelivery = recordWriter<Storage.Listed["webhookDelivery"]>()(Contract.WebhookDelivery, {
  record_type: (row) => EventFeed.RECORD_TYPES[row.kind],
  datetime: (row) => row.happenedAt,
});

/** A new endpoint with its secret. */
export const createdWebhookEndpoint = recordWriter<{ readonly id: string; readonly secret: string }>()(
  Contract.CreatedWebhookEndpoint,
  {},
);

/** A new secret. */
export const rotatedWebhookSecret = recordWriter<WebhookEndpoints.RotatedSecret>()(
  Contract.RotatedWebhookSecret,
  {},
);
