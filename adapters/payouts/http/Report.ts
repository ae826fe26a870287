/** Reports of a payment service: signed with HMAC-SHA256 over `timestamp.body`, at most five minutes old. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { Clock, Effect, Either, Redacted, Schema } from "effect";
import { Ids, Limits, PaymentProvider, Refusal, Text } from "quittance";

const SKEW_MILLISECONDS_MAX = 5 * 60_000;
const TIMESTAMP = /^\d{1,12}$/;
const SIGNATURE = /^[0-9a-f]{64}$/;

const reason = Text.Text(1, Limits.REASON_MAX);

const own = {
  id: Schema.String.pipe(
    Schema.pattern(/^[\x21-\x7e]{1,255}$/, { message: () => "must be 1 to 255 visible ASCII characters" }),
  ),
  payment_reference: Ids.PaymentReference,
};

const Report = Schema.Union(
  Schema.Struct({
    ...own,
    type: Schema.Literal("confirmed"),
    bank_reference: Schema.optionalWith(Text.Text(1, Limits.BANK_REFERENCE_MAX), { exact: true }),
  }),
  Schema.Struct({ ...own, type: Schema.Literal("failed", "returned"), reason }),
);

const decode = Schema.decodeUnknownEither(Schema.parseJson(Report));

const factOf = (report: typeof Report.Type): PaymentProvider.PaymentFact => {
  const paymentReference = report.payment_reference;
  if (report.type !== "confirmed") return { type: report.type, paymentReference, reason: report.reason };
  const { bank_reference: bankReference } = report;
  return { type: report.type, paymentReference, ...(bankReference === undefined ? {} : { bankReference }) };
};

/** Whether the report is signed with the secret. */
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
      return { provider, eventId: decoded.right.id, fact: factOf(decoded.right) };
    });
