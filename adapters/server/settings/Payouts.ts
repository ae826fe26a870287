/** Who pays. */
import { Either } from "effect";
import { Limits } from "quittance";
import type { PaymentWebhookSecrets } from "quittance/http";
import type { PaymentServiceOptions } from "quittance/payouts";
import { paymentServiceProblem } from "../../payouts/http/PaymentServiceProblem.ts";
import { DEFAULT, FORMATS, type Format } from "../../payouts/sepa/Format.ts";
import * as Value from "../Value.ts";
import { type Parsed, setting } from "./Setting.ts";

/** How payments are made: outside of the service, by files for a bank, by a simulation, or by a service at a URL. */
export type Payouts =
  | { readonly type: "manual" | "simulated" }
  | { readonly type: "sepa"; readonly format: Format }
  | ({ readonly type: "service" } & Pick<PaymentServiceOptions, "url" | "secret"> & {
        readonly allowPrivate: boolean;
      });

/** The name under which the payment service reports. */
const SERVICE_NAME = "payouts";

/** Settings of payments. */
export const PAYOUTS = {
  payouts: setting({
    name: "QUITTANCE_PAYOUTS",
    option: "payouts",
    placeholder: "manual|sepa|simulated|url",
    fallback: "manual",
    meaning: "who pays: manual (outside), sepa (files for a bank), https://… (your own service), simulated",
    details:
      "who pays. `manual`: settlements are paid outside and marked as paid. `sepa`: [files for a bank](how-to/pay-by-sepa.md). A URL: [your own payment service](how-to/pay-by-your-own-service.md). `simulated`: nobody, for trying out",
    kind: Value.payouts,
  }),
  payoutsFormat: setting({
    name: "QUITTANCE_PAYOUTS_FORMAT",
    option: "payouts-format",
    placeholder: FORMATS.join("|"),
    fallback: DEFAULT,
    meaning: "the version of pain.001 that your bank takes, for new files of QUITTANCE_PAYOUTS=sepa",
    details:
      "the version of `pain.001` that your bank takes, for new files of `QUITTANCE_PAYOUTS=sepa`; [each file keeps its own](how-to/pay-by-sepa.md#the-version-that-the-bank-takes)",
    kind: Value.oneOf(FORMATS),
  }),
  payoutsSecret: setting({
    name: "QUITTANCE_PAYOUTS_SECRET",
    option: null,
    fallback: "",
    meaning: "signs orders to your payment service, and verifies its reports",
    details:
      "signs orders to your payment service, and verifies its reports; base64 of 24 to 64 bytes, `whsec_` before it or not",
    kind: Value.secret,
  }),
  payoutsSecretFile: setting({
    name: "QUITTANCE_PAYOUTS_SECRET_FILE",
    option: "payouts-secret-file",
    placeholder: "file",
    fallback: "",
    meaning: "a file whose first line is the secret of QUITTANCE_PAYOUTS_SECRET",
    details: "a file whose first line is the secret of `QUITTANCE_PAYOUTS_SECRET`",
    kind: Value.secretFile,
  }),
  payoutsPrivate: setting({
    name: "QUITTANCE_PAYOUTS_PRIVATE",
    option: "payouts-private",
    placeholder: "on|off",
    fallback: "off",
    meaning: "on: your payment service may be at a private address and without https",
    details: "`on`: your payment service may be at an address that is not public, and at `http://`",
    kind: Value.onOff,
  }),
  payoutAccounts: setting({
    name: "QUITTANCE_PAYOUT_ACCOUNTS",
    option: "payout-accounts",
    placeholder: "at_once|second_person|48h",
    fallback: "at_once",
    meaning: "what confirms a new payout account: nothing more, another person, or hours that pass first",
    details:
      "what confirms a [payout account](how-to/payout-accounts.md) that replaces another one. `at_once`: nothing more. `second_person`: another person than the one who proposed it. `48h`: anybody, once so many hours have passed",
    kind: Value.payoutConfirmation,
  }),
  paymentOverdueDays: setting({
    name: "QUITTANCE_PAYMENT_OVERDUE_DAYS",
    option: "payment-overdue-days",
    placeholder: "days",
    fallback: "5",
    meaning: "business days after which a payment that a bank was handed and has not booked is overdue",
    details:
      "business days (TARGET) after its execution date from which a payment that was handed over to a bank and is not booked is [overdue](how-to/pay-by-sepa.md#payments-that-are-not-booked)",
    kind: Value.wholeNumber(1, Limits.PAYMENT_OVERDUE_DAYS_MAX),
  }),
  sendTimeoutMilliseconds: setting({
    name: "QUITTANCE_SEND_TIMEOUT_SECONDS",
    option: "send-timeout-seconds",
    placeholder: "seconds",
    fallback: "30",
    meaning: "time limit for the payment provider's response to one order",
    kind: Value.timeout,
  }),
  paymentSecrets: setting({
    name: "QUITTANCE_PAYMENT_SECRETS",
    option: null,
    fallback: "",
    meaning: "<provider>=<secret> of payment providers that report payments, separated by commas",
    details:
      "secrets of payment providers that report to `/webhooks/payments/<provider>`, separated by commas, each of 16 characters or more",
    kind: Value.paymentSecrets,
  }),
  paymentSecretsFile: setting({
    name: "QUITTANCE_PAYMENT_SECRETS_FILE",
    option: "payment-secrets-file",
    placeholder: "file",
    fallback: "",
    meaning: "a file with one <provider>=<secret> per line",
    details: "a file with one `<provider>=<secret>` per line",
    kind: Value.paymentSecretsFile,
  }),
};

/** The secrets of both settings, by provider. */
export const joinSecrets = ({
  paymentSecrets,
  paymentSecretsFile,
}: Parsed<typeof PAYOUTS>): Value.Value<PaymentWebhookSecrets> => {
  const twice = Object.keys(paymentSecretsFile).find((provider) => provider in paymentSecrets);
  return twice === undefined
    ? Either.right({ ...paymentSecrets, ...paymentSecretsFile })
    : Either.left(
        `${PAYOUTS.paymentSecrets.name} and ${PAYOUTS.paymentSecretsFile.name} must not both name the provider "${twice}"`,
      );
};

/** Who pays, with what a payment service needs. */
export const joinPayouts = ({
  payouts: type,
  payoutsFormat: format,
  payoutsSecret,
  payoutsSecretFile,
  payoutsPrivate: allowPrivate,
  paymentSecrets,
  paymentSecretsFile,
}: Parsed<typeof PAYOUTS>): Value.Value<Payouts> => {
  const { payouts, payoutsSecret: secretSetting, payoutsSecretFile: fileSetting } = PAYOUTS;
  const secret = payoutsSecret ?? payoutsSecretFile;
  if (payoutsSecret !== null && payoutsSecretFile !== null)
    return Either.left(`${secretSetting.name} and ${fileSetting.name} must not both be set`);
  if (type === "manual" || type === "sepa" || type === "simulated")
    return secret === null
      ? Either.right(type === "sepa" ? { type, format } : { type })
      : Either.left(
          `${secretSetting.name} is for the URL of a payment service in ${payouts.name}, which is ${type}`,
        );
  if (secret === null) return Either.left(`${payouts.name} needs ${secretSetting.name} beside its URL`);
  if (SERVICE_NAME in paymentSecrets || SERVICE_NAME in paymentSecretsFile)
    return Either.left(
      `${PAYOUTS.paymentSecrets.name} must not name the provider "${SERVICE_NAME}", which is that of ${payouts.name}`,
    );
  const problem = paymentServiceProblem({ url: type, secret, allowPrivate });
  return problem === null
    ? Either.right({ type: "service", url: type, secret, allowPrivate })
    : Either.left(`${problem.includes("secret") ? secretSetting.name : payouts.name}: ${problem}`);
};
