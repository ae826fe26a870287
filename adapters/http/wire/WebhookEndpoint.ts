/** Webhook endpoints and deliveries on the wire. */
import { EventFeed, type Storage, type WebhookEndpoints } from "quittance";
import * as Contract from "../api/WebhookEndpoints.ts";
import { recordWriter } from "./Encoding.ts";
import { createdAt, formatOrNull } from "./Entry.ts";

/** An endpoint, without its secrets. */
export const webhookEndpoint = recordWriter<WebhookEndpoints.ShownEndpoint>()(Contract.WebhookEndpoint, {
  enabled: (row) => row.status === "enabled",
  last_delivered_at: (row) => formatOrNull(row.lastDeliveredAt),
  failing_since: (row) => formatOrNull(row.failingSince),
  created_at: createdAt,
});

/** A delivery. */
export const webhookDelivery = recordWriter<Storage.Listed["webhookDelivery"]>()(Contract.WebhookDelivery, {
  record_type: (row) => EventFeed.RECORD_TYPES[row.kind],
  datetime: (row) => formatOrNull(row.happenedAt) ?? "",
  last_attempt_at: (row) => formatOrNull(row.lastAttemptAt),
  next_attempt_at: (row) => formatOrNull(row.nextAttemptAt),
  ended_at: (row) => formatOrNull(row.endedAt),
  created_at: createdAt,
});

/** A new endpoint with its secret. */
export const createdWebhookEndpoint = recordWriter<{ readonly id: string; readonly secret: string }>()(
  Contract.CreatedWebhookEndpoint,
  {},
);

/** A new secret. */
export const rotatedWebhookSecret = recordWriter<WebhookEndpoints.RotatedSecret>()(
  Contract.RotatedWebhookSecret,
  { previous_secret_until: (row) => formatOrNull(row.previousSecretUntil) ?? "" },
);
