/**
 * Verifies the webhook requests of Quittance, which are signed after the Standard Webhooks scheme. It needs Web Crypto
 * alone, so that it runs on every server platform.
 */

/** Types of events, of every record. */
export type WebhookEventType =
  | "create_attribution"
  | "cancel_attribution"
  | "create_commission_formula"
  | "update_commission_formula"
  | "cancel_commission_formula"
  | (string & {});

/** The body of a webhook request: the fact of an event. The record is read over the interface. */
export interface WebhookEvent {
  /** The same at every delivery of this event: a receiver that has seen it ignores the repetition. */
  readonly id: string;
  readonly type: WebhookEventType;
  /** When it happened, as `2026-01-31T10:00:00.000Z`. */
  readonly datetime: string;
  readonly customer_id: string;
  readonly record_id: string;
  /** The place of the event in the log of its record, from 1. */
  readonly sequence: number;
}

/** The request is not from the holder of the secret, or is too old; the message names the check that failed. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
}

/** The headers of a request: a `Headers` object, or a record as Node has it. */
export type WebhookHeaders =
  | { readonly get: (name: string) => string | null }
  | Readonly<Record<string, string | ReadonlyArray<string> | undefined>>;

/** How a verifier decides. */
export interface WebhookVerifierOptions {
  /** The secret that creating or rotating the endpoint returned, `whsec_…`; during a rotation both. */
  readonly secret: string | ReadonlyArray<string>;
  /** How far the timestamp of a request may be from the clock, in seconds; 300 by default. */
  readonly toleranceSeconds?: number;
  /** The clock, in milliseconds since 1970; `Date.now` by default. */
  readonly now?: () => number;
}

const PREFIX = "whsec_";
const TOLERANCE_SECONDS = 300;
/** Signatures of one request that are compared. */
const SIGNATURES_MAX = 16;

const bytesOfBase64 = (text: string): Uint8Array<ArrayBuffer> | null => {
  try {
    const binary = atob(text);
    const bytes = new Uint8Array(new ArrayBuffer(binary.length));
    for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
    return bytes;
  } catch {
    return null;
  }
};

const importKey = (bytes: Uint8Array<ArrayBuffer>) =>
  crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);

const keyOf = (secret: string): ReturnType<typeof importKey> => {
  const bytes = bytesOfBase64(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret);
  if (bytes === null || bytes.length < 16)
    throw new TypeError("secret: must be the text that begins with whsec_");
  return importKey(bytes);
};

const header = (headers: WebhookHeaders, name: string): string => {
  const found =
    "get" in headers && typeof headers.get === "function"
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  if (typeof found !== "string" || found === "")
    throw new WebhookVerificationError(`the header ${name} is missing`);
  return found;
};

/** Fails when a request is too old, which a replayed one is, or from the future. */
const checkTime = (timestamp: string, now: number, toleranceSeconds: number): void => {
  const at = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
  if (!(Math.abs(now / 1000 - at) <= toleranceSeconds))
    throw new WebhookVerificationError("the header webhook-timestamp is too far from the present time");
};

const isText = (value: unknown): value is string => typeof value === "string";

const eventOf = (body: string): WebhookEvent => {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    throw new WebhookVerificationError("the body is not JSON");
  }
  const { id, type, datetime, customer_id, record_id, sequence } = Object(value) as Record<string, unknown>;
  if (
    isText(id) &&
    isText(type) &&
    isText(datetime) &&
    isText(customer_id) &&
    isText(record_id) &&
    typeof sequence === "number"
  )
    return { id, type, datetime, customer_id, record_id, sequence };
  throw new WebhookVerificationError("the body is not an event");
};

/**
 * A function that verifies one request: its headers and its body exactly as received, before any JSON parser. It returns
 * the event, or rejects with a {@link WebhookVerificationError}. Signatures are compared in constant time.
 */
export const webhookVerifier = ({
  secret,
  toleranceSeconds = TOLERANCE_SECONDS,
  now = Date.now,
}: WebhookVerifierOptions): ((request: {
  readonly headers: WebhookHeaders;
  readonly body: string | Uint8Array;
}) => Promise<WebhookEvent>) => {
  const keys = (typeof secret === "string" ? [secret] : secret).map(keyOf);
  if (keys.length === 0) throw new TypeError("secret: must name at least one secret");
  return async ({ headers, body }) => {
    const id = header(headers, "webhook-id");
    const timestamp = header(headers, "webhook-timestamp");
    const signatures = header(headers, "webhook-signature")
      .split(" ")
      .slice(0, SIGNATURES_MAX)
      .flatMap((text) => {
        const bytes = text.startsWith("v1,") ? bytesOfBase64(text.slice(3)) : null;
        return bytes === null ? [] : [bytes];
      });
    checkTime(timestamp, now(), toleranceSeconds);
    const text = typeof body === "string" ? body : new TextDecoder().decode(body);
    const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
    for (const key of await Promise.all(keys)) {
      for (const signature of signatures) {
        if (await crypto.subtle.verify("HMAC", key, signature, signed)) {
          const event = eventOf(text);
          if (event.id !== id)
            throw new WebhookVerificationError("the header webhook-id is not the id of the event");
          return event;
        }
      }
    }
    throw new WebhookVerificationError("no signature matches the body and the secret");
  };
};
