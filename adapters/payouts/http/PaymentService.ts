/** Payouts by a payment service of the operator's own: signed requests, and signed reports. */
import { Clock, Effect, Either, Redacted, Schema } from "effect";
import { Limits, PaymentProvider, PayoutDetails } from "quittance";
import {
  DEFAULT_LIMITS,
  type RequestFailed,
  type Resolve,
  type Response,
  sender,
  signatureHeaders,
} from "../../outgoing/index.ts";
import { type PaymentServiceTarget, paymentServiceProblem } from "./PaymentServiceProblem.ts";
import * as Report from "./Report.ts";

/** The options of a host's payment service. */
export interface PaymentServiceOptions extends PaymentServiceTarget {
  /** The name in the path of reports, `/webhooks/payments/{name}`; `payouts` by default. */
  readonly name?: string;
  /** The time limit of one request; 15 seconds by default. */
  readonly timeoutMilliseconds?: number;
  /** Replaces the resolver of the system. */
  readonly resolve?: Resolve;
}

/** The status of a refusal that is final: this order will never be paid. */
const REFUSED = 422;
const UNKNOWN = 404;

const makeRefusal = (final: boolean, reason: string) =>
  new PaymentProvider.PaymentRefused({ final, reason: reason.slice(0, Limits.REASON_MAX) });

/** The refusal after a request that failed. It is not final, because the order may have been carried out. */
const refusalOfFailedRequest = ({ message }: RequestFailed) =>
  makeRefusal(false, `the payment service: ${message}`);

const Refused = Schema.parseJson(Schema.Struct({ reason: Schema.NonEmptyString }));
const decodeRefusal = Schema.decodeUnknownEither(Refused);

const reasonOf = ({ body, status }: Response): string =>
  Either.getOrElse(
    Either.map(decodeRefusal(body), ({ reason }) => reason),
    () => `the payment service refused the order (${status})`,
  );

const Status = Schema.parseJson(
  Schema.Union(
    Schema.Struct({ status: Schema.Literal("unknown", "pending") }),
    Schema.Struct({
      status: Schema.Literal("confirmed"),
      bank_reference: Schema.optional(Schema.Unknown),
      fee: Schema.optional(Schema.Unknown),
      received: Schema.optional(Schema.Unknown),
    }),
    Schema.Struct({ status: Schema.Literal("failed", "returned"), reason: Schema.NonEmptyString }),
  ),
);
const decodeStatus = Schema.decodeUnknownEither(Status);

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

const statusOf = (
  paymentReference: PaymentProvider.PaymentFact["paymentReference"],
  response: Response,
): Effect.Effect<PaymentProvider.PaymentStatus, PaymentProvider.PaymentRefused> => {
  if (response.status === UNKNOWN) return Effect.succeed({ type: "unknown" });
  const decoded = isSuccess(response.status) ? decodeStatus(response.body) : null;
  if (decoded === null || Either.isLeft(decoded))
    return Effect.fail(makeRefusal(false, `the payment service: no status (${response.status})`));
  const report = decoded.right;
  switch (report.status) {
    case "unknown":
    case "pending":
      return Effect.succeed({ type: report.status });
    case "confirmed": {
      const { bank_reference: given, fee, received } = report;
      const cut = typeof given === "string" ? given.slice(0, Limits.BANK_REFERENCE_MAX) : given;
      const bankReference = cut === "" ? undefined : cut;
      return Effect.map(
        PaymentProvider.confirmation(paymentReference, { bankReference, fee, received }),
        (fact) => ({ type: "ended", fact }),
      );
    }
    default: {
      const reason = report.reason.slice(0, Limits.REASON_MAX);
      return Effect.succeed({ type: "ended", fact: { type: report.status, paymentReference, reason } });
    }
  }
};

/** Where an order is paid: an account with an IBAN under the names of billing data, any other with its type. */
const accountFields = (account: PaymentProvider.PaymentOrder["account"]): object => {
  const bank = PayoutDetails.bankAccountOf(account);
  if (bank === null) return { payout_account: { type: account.type, details: account.details } };
  const { beneficiaryName, iban, bic } = bank;
  return { bank_account: { beneficiary_name: beneficiaryName, iban, ...(bic === "" ? {} : { bic }) } };
};

/**
 * The provider that sends each order to a URL, signed, with the payment reference as its id: the service pays once per
 * reference. A response of 2xx accepts the order, 422 refuses it for good, and after any other response the order is sent again. Redirects are not
 * followed. Throws when the options cannot be used.
 */
export const paymentService = (options: PaymentServiceOptions): PaymentProvider.PaymentProviderService => {
  const problem = paymentServiceProblem(options);
  if (problem !== null) throw new Error(problem);
  const { url, secret, name = "payouts", allowPrivate = false, resolve } = options;
  const { timeoutMilliseconds = DEFAULT_LIMITS.timeoutMilliseconds } = options;
  const request = sender({ ...DEFAULT_LIMITS, allowPrivate, timeoutMilliseconds }, resolve);

  const post = (id: string, message: object): Effect.Effect<Response, PaymentProvider.PaymentRefused> =>
    Effect.gen(function* () {
      const body = JSON.stringify(message);
      const at = yield* Clock.currentTimeMillis;
      const headers = {
        "content-type": "application/json",
        ...signatureHeaders([Redacted.value(secret)], { id, at, body }),
      };
      return yield* Effect.mapError(request({ url, headers, body }), refusalOfFailedRequest);
    });

  return PaymentProvider.provider({
    name,
    takes: PayoutDetails.PayoutType.literals.map((type) => ({ type, currencies: "*" })),
    send: ({ reference, customerId, settlementId, partnerId, amount, currency, account }) =>
      Effect.flatMap(
        post(reference, {
          type: "payment.send",
          reference,
          customer_id: customerId,
          settlement_id: settlementId,
          partner_id: partnerId,
          amount,
          currency,
          ...accountFields(account),
        }),
        (response) => {
          if (isSuccess(response.status)) return Effect.void;
          return response.status === REFUSED
            ? Effect.fail(makeRefusal(true, reasonOf(response)))
            : Effect.fail(makeRefusal(false, `the payment service responded with ${response.status}`));
        },
      ),
    status: (reference) =>
      Effect.flatMap(post(`${reference}/status`, { type: "payment.status", reference }), (response) =>
        statusOf(reference, response),
      ),
    verifyReport: Report.verify(name, secret),
  });
};
