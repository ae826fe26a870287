/** Checks the options of a payment service. A module of its own, because every command of the command line loads it. */
import { Redacted } from "effect";
import { refusalOf } from "../../outgoing/UrlCheck.ts";

/** Where a payment service is reached, and the secret that it shares with the server. */
export interface PaymentServiceTarget {
  /** Where orders are sent: `https://`. */
  readonly url: string;
  /** Signs requests by the Standard Webhooks scheme, and verifies reports: base64 of 24 to 64 bytes, `whsec_` before it or not. */
  readonly secret: Redacted.Redacted<string>;
  /** Allows `http://` and addresses that are not public; false by default. */
  readonly allowPrivate?: boolean;
}

const SECRET = /^(whsec_)?[A-Za-z0-9+/]{32,88}={0,2}$/;

/** Why a payment service cannot be used as stated, or null. */
export const paymentServiceProblem = ({
  url,
  secret,
  allowPrivate = false,
}: PaymentServiceTarget): string | null => {
  const problem = refusalOf(url, { allowPrivate });
  if (problem !== null) return `the URL ${problem}`;
  return SECRET.test(Redacted.value(secret)) ? null : "the secret must be base64 of 24 to 64 bytes";
};
