/** Webhooks of payment providers: verifies signature and age of a delivery, then records the payment event. */
import { Clock, Effect, Either, Encoding, LogLevel, Redacted, Schema } from "effect";
import { PaidAmounts, type Payments } from "quittance";
import { PaymentReport } from "../../api/PaymentWebhooks.ts";
import { JSON_BYTES_MAX } from "../../api/shared/Limit.ts";
import * as Responses from "../../handlers/Responses.ts";
import * as Failure from "../../transport/Failure.ts";
import type { Request, Response } from "../../transport/HttpMessage.ts";
import { refusal } from "../../wire/DecodingProblem.ts";
import * as Json from "../../wire/JsonBody.ts";
import { bodyProblem, readPendingJson } from "../checks/RequestBody.ts";
import type { PublicRoute } from "./PublicRoutes.ts";

/** The secrets shared with payment providers, by the name in the path. */
export type Secrets = Readonly<Record<string, Redacted.Redacted<string>>>;

/** Largest age of a signature, so that a recorded delivery cannot be replayed later. */
const SKEW_MILLISECONDS_MAX = 5 * 60_000;

const TIMESTAMP = /^\d{1,12}$/;
const SIGNATURE = /^[0-9a-f]{64}$/;

type CryptoKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

const encoder = new TextEncoder();

/** The key that verifies signatures with a secret. */
const keyOf = (secret: Redacted.Redacted<string>): Effect.Effect<CryptoKey> =>
  Effect.promise(() =>
    crypto.subtle.importKey(
      "raw",
      encoder.encode(Redacted.value(secret)),
      { name: "HMAC", hash: "SHA-256" },
      false,
      ["verify"],
    ),
  );

const signedBytes = (timestamp: string, body: Uint8Array): Uint8Array<ArrayBuffer> => {
  const head = encoder.encode(`${timestamp}.`);
  const bytes = new Uint8Array(head.length + body.length);
  bytes.set(head);
  bytes.set(body, head.length);
  return bytes;
};

/** The signature headers of a delivery. */
interface Signature {
  readonly timestamp: string;
  readonly signature: string;
}

/** The signature of a delivery, not yet verified, or null where the headers are missing or malformed. */
const signatureOf = (request: Request): Signature | null => {
  const timestamp = request.header("webhook-timestamp") ?? "";
  const signature = request.header("webhook-signature") ?? "";
  return TIMESTAMP.test(timestamp) && SIGNATURE.test(signature) ? { timestamp, signature } : null;
};

const unsigned = new Failure.Rejected({ response: Failure.unsigned });

/** Succeeds when the body was signed under the key within the allowed age. Web Crypto compares in constant time. */
const verify = (
  key: CryptoKey,
  { timestamp, signature }: Signature,
  body: Uint8Array,
): Effect.Effect<void, Failure.Rejected> =>
  Effect.gen(function* () {
    const isGenuine = yield* Effect.promise(() =>
      crypto.subtle.verify(
        "HMAC",
        key,
        new Uint8Array(Either.getOrThrow(Encoding.decodeHex(signature))),
        signedBytes(timestamp, body),
      ),
    );
    const age = Math.abs((yield* Clock.currentTimeMillis) - Number(timestamp) * 1000);
    if (!isGenuine || age > SKEW_MILLISECONDS_MAX) return yield* unsigned;
  });

const decode = Schema.decodeUnknownEither(PaymentReport);

const factOf = (report: typeof PaymentReport.Type): Payments.PaymentFact => {
  const paymentReference = report.payment_reference;
  return report.type === "confirmed"
    ? {
        type: report.type,
        paymentReference,
        ...(report.bank_reference === undefined ? {} : { bankReference: report.bank_reference }),
        ...PaidAmounts.amountsOf(report),
      }
    : { type: report.type, paymentReference, reason: report.reason };
};

/** Handles a delivery of a provider; `transport` fails if the body must not be read. */
type Receive = (
  provider: string,
  request: Request,
  transport: Effect.Effect<void, Failure.Failure>,
  body: Effect.Effect<Uint8Array, Failure.Failure>,
) => Effect.Effect<Response, Failure.Failure>;

/**
 * Handles deliveries of the providers that have a secret, and of the payout provider if it sends reports, which verifies
 * them itself. For any other name the path does not exist.
 */
const make = (payments: Payments.Payments, secrets: Secrets): Receive => {
  const keys = new Map(
    Object.entries(secrets).map(([provider, secret]) => [
      provider,
      Effect.runSync(Effect.cached(keyOf(secret))),
    ]),
  );
  return (provider, request, transport, body) =>
    Effect.gen(function* () {
      const key = keys.get(provider);
      if (key === undefined) {
        if (provider !== payments.reportingProvider)
          return yield* new Failure.Rejected({ response: Failure.unknownRoute });
        const delivery = { header: (name: string) => request.header(name), body: yield* body };
        return Responses.emptyBody(
          yield* Effect.catchTag(payments.receiveReport(delivery), "ReportRejected", () => unsigned),
        );
      }
      const signature = signatureOf(request);
      // "Too large" is reported before a missing signature.
      if (signature === null && request.header("content-length") !== undefined) {
        yield* transport;
        return yield* unsigned;
      }
      const bytes = yield* body;
      if (signature === null) return yield* unsigned;
      yield* verify(yield* key, signature, bytes);
      const value = yield* Json.parse(bytes);
      const report = yield* Either.mapLeft(decode(value), ({ issue }) => refusal(issue, "body"));
      return Responses.emptyBody(
        yield* payments.recordPaymentEvent({ provider, eventId: report.id, fact: factOf(report) }),
      );
    });
};

const WEBHOOK = { body: "json", bodyBytesMax: JSON_BYTES_MAX } as const;

export const webhookRoute = (payments: Payments.Payments, secrets: Secrets): PublicRoute => {
  const receive = make(payments, secrets);
  return {
    method: "POST",
    template: "/webhooks/payments/{provider}",
    level: LogLevel.Info,
    respond: (request, provider, reservation) => {
      const problem = bodyProblem(WEBHOOK, request);
      const transport = problem === null ? Effect.void : Failure.reject(problem);
      const body = Effect.zipRight(transport, readPendingJson(request, WEBHOOK.bodyBytesMax, reservation));
      return receive(provider, request, transport, body);
    },
  };
};
