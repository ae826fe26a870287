/** Checks the options of a payment service. A module of its own, because every command of the command line loads it. */
import { Redacted } from "effect";
import { refusalOf } from "../../outgoing/UrlCheck.ts";
import type { PaymentServiceOptions } from "./PaymentService.ts";

const SECRET = /^(whsec_)?[A-Za-z0-9+/]{32,88}={0,2}$/;

/** Why a payment service cannot be used as stated, or null. */
export const paymentServiceProblem = ({
  url,
  secret,
  allowPrivate = false,
}: Pick<PaymentServiceOptions, "url" | "secret" | "allowPrivate">): string | null => {
  const problem = refusalOf(url, { allowPrivate });
  if (problem !== null) return `the URL ${problem}`;
  return SECRET.test(Redacted.value(secret)) ? null : "the secret must be base64 of 24 to 64 bytes";
};
