/** Signatures after the Standard Webhooks scheme: HMAC-SHA256 over `id.timestamp.body`. */
import { createHmac } from "node:crypto";

const PREFIX = "whsec_";

/** The bytes of a secret, which is base64 with or without `whsec_` before it. */
const keyOf = (secret: string): Buffer =>
  Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, "base64");

/** What a request signs. */
export interface Signed {
  /** The same at every retry: receivers recognise repetitions by it. */
  readonly id: string;
  /** When the request is made, in milliseconds since 1970. */
  readonly at: number;
  readonly body: string;
}

/** The headers `webhook-id`, `webhook-timestamp` and `webhook-signature`; the last has one signature for each secret. */
export const signatureHeaders = (
  secrets: ReadonlyArray<string>,
  { id, at, body }: Signed,
): Readonly<Record<string, string>> => {
  const timestamp = String(Math.floor(at / 1000));
  const signatures = secrets.map((secret) => {
    const digest = createHmac("sha256", keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest("base64");
    return `v1,${digest}`;
  });
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
};
