/** What webhook endpoints may be, and what is kept of them. */
import * as Value from "../Value.ts";
import { setting } from "./Setting.ts";

/** Settings of webhooks. */
export const WEBHOOKS = {
  webhooksPrivate: setting({
    name: "QUITTANCE_WEBHOOKS_PRIVATE",
    option: "webhooks-private",
    placeholder: "on|off",
    fallback: "off",
    meaning: "on: webhook endpoints may be at private addresses and without https",
    details:
      "`on`: [webhook endpoints](#webhook-endpoints) may be at addresses that are not public, and at `http://`. Whoever may create endpoints can then send requests into your network",
    kind: Value.onOff,
  }),
  webhookTimeoutMilliseconds: setting({
    name: "QUITTANCE_WEBHOOK_TIMEOUT_SECONDS",
    option: "webhook-timeout-seconds",
    placeholder: "seconds",
    fallback: "15",
    meaning: "time limit for a webhook endpoint's response to one request, and for sending a mail",
    kind: Value.wholeNumber(1, 60, 1_000),
  }),
  deliveryMilliseconds: setting({
    name: "QUITTANCE_WEBHOOK_DELIVERY_DAYS",
    option: "webhook-delivery-days",
    placeholder: "days",
    fallback: "7",
    meaning: "how long delivered and abandoned webhook deliveries are kept",
    details:
      "how long delivered and abandoned webhook deliveries are kept. See [What is removed](#what-is-removed)",
    kind: Value.wholeNumber(1, 3_650, 86_400_000),
  }),
};
