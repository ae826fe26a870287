/** Webhooks: what sends signed requests to the endpoints of customers. */
export { type WebhookOptions, webhookSender } from "./Sender.ts";
