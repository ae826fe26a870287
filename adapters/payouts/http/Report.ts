/** Reports of a payment service: signed with HMAC-SHA256 over `timestamp.body`, at most five minutes old. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { Clock, Effect, Either, Redacted, Schema } from "effect";
import { Ids, Limits, PaidAmounts, PaymentProvider, Refusal, Text } from "quittance";

const SKEW_MILLISECONDS_MAX = 5 * 60_000;
const TIMESTAMP = /^\d{1,12}$/;
const SIGNATURE = /^[0-9a-f]{64}$/;

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true });

const Report = Schema.parseJson(
  Schema.Struct({
    id: Schema.String.pipe(
      Schema.pattern(/^[\x21-\x7e]{1,255}$/, { message: () => "must be 1 to 255 visible ASCII characters" }),
    ),
    type: Schema.Literal("confirmed", "failed", "returned"),
    payment_reference: Ids.PaymentReference,
    bank_reference: optional(Text.Text(1, Limits.BANK_REFERENCE_MAX)),
    ...PaidAmounts.paidAmounts,
    reason: optional(Text.Text(1, Limits.REASON_MAX)),
  }),
);

const decode = Schema.decodeUnknownEither(Report);

const factOf = ({
  type,
  payment_reference: paymentReference,
  bank_reference: bankReference,
  reason,
  ...reported
}: typeof Report.Type): Either.Either<PaymentProvider.PaymentFact, Refusal.Invalid> => {
  if (type === "confirmed")
    return Either.right({
      type,
      paymentReference,
      ...(bankReference === undefined ? {} : { bankReference }),
      ...PaidAmounts.amountsOf(reported),
    });
  return reason === undefined
    ? Either.left(Refusal.invalid("reason", "is required"))
    : Either.right({ type, paymentReference, reason });
};

/** True if the report is signed with the secret. */
const isGenuine = (
  { body }: PaymentProvider.SignedReport,
  timestamp: string,
  signature: string,
  secret: Redacted.Redacted<string>,
): boolean => {
  const expected = createHmac("sha256", Redacted.value(secret)).update(`${timestamp}.`).update(body).digest();
  return timingSafeEqual(expected, Buffer.from(signature, "hex"));
};

/** The event of a report that is genuine and recent. */
export const verify =
  (
    provider: string,
    secret: Redacted.Redacted<string>,
  ): NonNullable<PaymentProvider.PaymentProviderService["verifyReport"]> =>
  (report) =>
    Effect.gen(function* () {
      const timestamp = report.header("webhook-timestamp") ?? "";
      const signature = report.header("webhook-signature") ?? "";
      if (!TIMESTAMP.test(timestamp) || !SIGNATURE.test(signature))
        return yield* new PaymentProvider.ReportRejected();
      const age = Math.abs((yield* Clock.currentTimeMillis) - Number(timestamp) * 1000);
      if (!isGenuine(report, timestamp, signature, secret) || age > SKEW_MILLISECONDS_MAX)
        return yield* new PaymentProvider.ReportRejected();
      const decoded = decode(new TextDecoder().decode(report.body));
      if (Either.isLeft(decoded)) return yield* Refusal.fromParseError(decoded.left);
      return { provider, eventId: decoded.right.id, fact: yield* factOf(decoded.right) };
    });
