/** Webhooks of payment providers, outside `/api/v1`: signed with a shared secret instead of a bearer credential. */
import * as HttpApi from "@effect/platform/HttpApi";
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint";
import * as HttpApiGroup from "@effect/platform/HttpApiGroup";
import * as HttpApiSchema from "@effect/platform/HttpApiSchema";
import * as PlatformOpenApi from "@effect/platform/OpenApi";
import { Schema } from "effect";
import { Field, Ids, Limits, PaidAmounts, Text } from "quittance";
import { PAYMENT } from "./openapi/examples/Ids.ts";
import { downgrade } from "./openapi/OpenApi.ts";
import { EXAMPLES_KEY, type Examples } from "./shared/Annotation.ts";
import {
  BadRequest,
  HeadersTooLarge,
  InternalError,
  RecordBodyFailure,
  RequestTimeout,
  Unauthorized,
  Unavailable,
  UriTooLong,
} from "./shared/Failure.ts";
import { MEANINGS_KEY, meaningsIn } from "./shared/Meaning.ts";

const EVENT_ID = /^[!-~]{1,255}$/;

const TYPE = "What happened to the payment: confirmed, failed or returned.";

const report = {
  id: Schema.String.pipe(
    Schema.filter((id) => EVENT_ID.test(id) || "must be 1 to 255 visible ASCII characters", {
      jsonSchema: { minLength: 1, maxLength: 255, pattern: "^[!-~]+$" },
    }),
    Field.means("The provider's own id of the report; the same id again changes nothing."),
  ),
  payment_reference: Ids.PaymentReference.pipe(
    Field.means("The reference under which the payment was ordered."),
  ),
};

/** A provider's report on a payment reference; the same `id` marks a repeated delivery. */
export const PaymentReport = Schema.Union(
  Schema.Struct({
    type: Schema.Literal("confirmed").pipe(Field.means(TYPE)),
    ...report,
    bank_reference: Field.optional(
      Text.Text(1, Limits.BANK_REFERENCE_MAX),
      "The bank's reference of the payment.",
    ),
    ...PaidAmounts.paidAmounts,
  }),
  Schema.Struct({
    type: Schema.Literal("failed", "returned").pipe(Field.means(TYPE)),
    ...report,
    reason: Text.Text(1, Limits.REASON_MAX).pipe(Field.means("Why the payment failed or was returned.")),
  }),
);

const receive = HttpApiEndpoint.post("receive", "/webhooks/payments/:provider")
  .setPath(
    Schema.Struct({
      provider: Schema.String.annotations({
        description: "The provider's name in the server's settings.",
      }),
    }),
  )
  .setHeaders(
    Schema.Struct({
      "webhook-timestamp": Schema.String.annotations({
        jsonSchema: {
          type: "string",
          pattern: "^[0-9]{1,12}$",
          description:
            "The time of the signature in seconds since 1970, at most five minutes before or after the server's clock.",
        },
      }),
      "webhook-signature": Schema.String.annotations({
        jsonSchema: {
          type: "string",
          pattern: "^[0-9a-f]{64}$",
          description:
            "HMAC-SHA256, in hexadecimal, of the timestamp, a full stop and the exact body, with the shared secret.",
        },
      }),
    }),
  )
  .setPayload(PaymentReport)
  .addSuccess(HttpApiSchema.Empty(200))
  .addError(BadRequest)
  .addError(Unauthorized)
  .addError(RequestTimeout)
  .addError(UriTooLong)
  .addError(HeadersTooLarge)
  .addError(RecordBodyFailure)
  .addError(InternalError)
  .addError(Unavailable)
  .annotateContext(
    PlatformOpenApi.annotations({
      identifier: "reportPayment",
      summary: "Report a payment",
      description:
        "For payment providers, which sign the request instead of sending a credential. A repeated id changes nothing. A report that the settlement's state does not allow is recorded as a payment_anomaly event and changes nothing else. 404 when the provider is not configured or the reference is unknown.",
      transform: (endpoint) => ({
        ...endpoint,
        tags: ["Payment webhooks", "extension"],
        [MEANINGS_KEY]: meaningsIn(PaymentReport),
        [EXAMPLES_KEY]: {
          request: {
            id: "evt_1027",
            type: "confirmed",
            payment_reference: PAYMENT,
            bank_reference: "AB1027",
            fee: { amount: 150, currency: "EUR" },
            received: { amount: 26_940, currency: "USD" },
          },
          refused: "payment_reference: must be a UUID",
        } satisfies Examples,
      }),
    }),
  );

/** The operation that payment providers call; it is in the OpenAPI document, but not in the typed client's contract. */
export const paymentWebhooks = HttpApi.make("quittance")
  .add(
    HttpApiGroup.make("payment_webhooks")
      .add(receive)
      .annotate(PlatformOpenApi.Title, "Payment webhooks")
      .annotate(PlatformOpenApi.Description, "Called by payment providers."),
  )
  .annotateContext(PlatformOpenApi.annotations({ version: "1.0.0", transform: downgrade }));
