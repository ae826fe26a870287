/** Webhooks: who sends the requests that announce events to the endpoints of customers. */
import { Context, Data, type Effect } from "effect";
import type { Timestamp } from "../domain/Timestamp.ts";

/** One request to an endpoint, signed after the Standard Webhooks scheme. */
export interface WebhookRequest {
  readonly url: string;
  /** The header `webhook-id`: the same at every attempt to announce an event. */
  readonly id: string;
  /** The header `webhook-timestamp`, and when the request is made. */
  readonly at: Timestamp;
  /** JSON text; these bytes are signed and sent. */
  readonly body: string;
  /** Each makes one of the signatures in the header `webhook-signature`; `whsec_` and base64. */
  readonly secrets: ReadonlyArray<string>;
}

/** No response was received. The message is for people who own the endpoint; it names no address that a name leads to. */
export class WebhookFailed extends Data.TaggedError("WebhookFailed")<{ readonly message: string }> {}

/** What a host supplies to have events announced. */
export interface WebhookSenderService {
  /** Why no request would ever be sent to a URL, as text for people, or null. Looks up no name. */
  readonly problem: (url: string) => string | null;
  /** Sends a request, follows no redirect, and returns the status of the response. It stops when it is interrupted. */
  readonly send: (request: WebhookRequest) => Effect.Effect<number, WebhookFailed>;
}

/** The sender; null, the default, means that there are no webhooks. */
export class WebhookSender extends Context.Reference<WebhookSender>()("quittance/ports/WebhookSender", {
  defaultValue: (): WebhookSenderService | null => null,
}) {}
