/** The states of webhook endpoints and their deliveries, in words. */
import type { WebhookDelivery, WebhookEndpoint } from "../api/Records.ts";
import type { Family } from "../words/Words.ts";

export const DELIVERY_STATES: Readonly<
  Record<WebhookDelivery["status"], readonly [words: string, family: Family]>
> = {
  pending: ["Waits for an attempt", "open"],
  held: ["Waits for an earlier event", "open"],
  delivered: ["Delivered", "done"],
  failed: ["Given up", "stopped"],
};

/** The state of an endpoint. */
export const endpointState = ({
  enabled,
  disabledReason,
  failingSince,
}: WebhookEndpoint): readonly [words: string, family: Family] => {
  if (!enabled) return [disabledReason === null ? "Switched off" : "Switched off automatically", "stopped"];
  return failingSince === null ? ["On", "done"] : ["Failing", "waiting"];
};
