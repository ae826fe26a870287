/** Who pays. */
import { Either } from "effect";
import { CurrencyCodes, Iban, Limits } from "quittance";
import type { PaymentWebhookSecrets } from "quittance/http";
import type { PaymentServiceOptions } from "quittance/payouts";
import {
  DEFAULT_FORMAT,
  type FileSettings,
  FORMAT_NAMES,
  type FormatName,
  settingsProblem,
} from "../../payouts/files/FormatName.ts";
import { paymentServiceProblem } from "../../payouts/http/PaymentServiceProblem.ts";
import { isSepaFormat, SEPA_FORMATS, type SepaFormat } from "../../payouts/sepa/Format.ts";
import * as Value from "../Value.ts";
import { type Parsed, setting } from "./Setting.ts";

/** How payments are made: outside of the service, by files for a bank, by a simulation, or by a service at a URL. */
export type Payouts =
  | { readonly type: "manual" | "simulated" }
  | { readonly type: "sepa"; readonly format: SepaFormat }
  | ({ readonly type: "files"; readonly formats: ReadonlyArray<FormatName> } & FileSettings)
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
    placeholder: "manual|files|sepa|simulated|url",
    fallback: "manual",
    meaning:
      "who pays: manual (outside), files or sepa (files for a bank), https://… (your own service), simulated",
    details:
      "who pays. `manual`: settlements are paid outside and marked as paid. `files`: [files for a bank](how-to/pay-by-files.md) in the formats of `QUITTANCE_PAYOUTS_FORMAT`. `sepa`: [files for a bank of the SEPA area](how-to/pay-by-sepa.md). A URL: [your own payment service](how-to/pay-by-your-own-service.md). `simulated`: nobody, for trying out",
    kind: Value.payouts,
  }),
  payoutsFormat: setting({
    name: "QUITTANCE_PAYOUTS_FORMAT",
    option: "payouts-format",
    placeholder: "format,…",
    fallback: DEFAULT_FORMAT,
    meaning:
      "the formats of new payment files, the preferred first: a payment goes into the first that can pay it",
    details:
      "the [formats](how-to/pay-by-files.md#formats) of new payment files, separated by commas, the preferred first: a payment goes into a file of the first that can pay it; with `sepa` [one version of `pain.001`](how-to/pay-by-sepa.md#the-version-that-the-bank-takes). Each file keeps its own",
    kind: Value.someOf(FORMAT_NAMES),
  }),
  nachaCompanyId: setting({
    name: "QUITTANCE_NACHA_COMPANY_ID",
    option: "nacha-company-id",
    placeholder: "id",
    fallback: "",
    meaning: "the company id that your bank has assigned for NACHA files",
    details: "the company id that your bank has assigned for [NACHA files](how-to/pay-by-nacha.md)",
    kind: Value.formed((text) => /^[A-Z0-9][A-Z0-9 ]{0,9}$/.test(text), "1 to 10 capital letters and digits"),
  }),
  nachaBank: setting({
    name: "QUITTANCE_NACHA_BANK",
    option: "nacha-bank",
    placeholder: "routing-number",
    fallback: "",
    meaning: "the routing number of the bank that receives your NACHA files",
    details: "the routing number of the bank that receives your [NACHA files](how-to/pay-by-nacha.md)",
    kind: Value.formed(Iban.isRoutingNumber, "nine digits with a valid check digit"),
  }),
  wiseCurrency: setting({
    name: "QUITTANCE_WISE_CURRENCY",
    option: "wise-currency",
    placeholder: "code",
    fallback: "",
    meaning: "the currency of the Wise balance that pays; unless set, that of the payments",
    details:
      "the currency of the balance that pays by [Wise](how-to/pay-by-wise.md); unless set, that of the payments",
    kind: Value.formed((code) => CurrencyCodes.DECIMALS.has(code), "a currency code such as EUR"),
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

/** The formats of files, with what they need to know. */
const joinFiles = ({
  payouts: type,
  payoutsFormat: formats,
  nachaCompanyId: companyId,
  nachaBank: bank,
  wiseCurrency,
}: Parsed<typeof PAYOUTS>): Value.Value<Payouts> => {
  const { payouts, payoutsFormat, nachaCompanyId, nachaBank } = PAYOUTS;
  if (type === "sepa") {
    const [format] = formats;
    return formats.length === 1 && isSepaFormat(format)
      ? Either.right({ type, format })
      : Either.left(
          `${payoutsFormat.name} must be one of ${SEPA_FORMATS.join(", ")} with ${payouts.name}=sepa; for other formats set ${payouts.name}=files`,
        );
  }
  const settings: FileSettings = {
    ...(companyId === null || bank === null ? {} : { nacha: { companyId, bank } }),
    ...(wiseCurrency === null ? {} : { wiseCurrency }),
  };
  return settingsProblem(formats, settings) === null
    ? Either.right({ type: "files", formats, ...settings })
    : Either.left(`the format nacha needs ${nachaCompanyId.name} and ${nachaBank.name}`);
};

/** The secret that is shared with a payment service; null where there is none. */
const secretOf = ({ payoutsSecret, payoutsSecretFile }: Parsed<typeof PAYOUTS>) =>
  payoutsSecret !== null && payoutsSecretFile !== null
    ? Either.left(`${PAYOUTS.payoutsSecret.name} and ${PAYOUTS.payoutsSecretFile.name} must not both be set`)
    : Either.right(payoutsSecret ?? payoutsSecretFile);

/** Who pays without a payment service, which alone has a secret. */
const withoutSecret = (parsed: Parsed<typeof PAYOUTS>, payouts: Value.Value<Payouts>): Value.Value<Payouts> =>
  Either.flatMap(secretOf(parsed), (secret) =>
    secret === null
      ? payouts
      : Either.left(
          `${PAYOUTS.payoutsSecret.name} is for the URL of a payment service in ${PAYOUTS.payouts.name}, which is ${parsed.payouts}`,
        ),
  );

/** A payment service at a URL. */
const joinService = (parsed: Parsed<typeof PAYOUTS>): Value.Value<Payouts> =>
  Either.flatMap(secretOf(parsed), (secret) => {
    const { payouts: url, payoutsPrivate: allowPrivate, paymentSecrets, paymentSecretsFile } = parsed;
    const { payouts, payoutsSecret } = PAYOUTS;
    if (secret === null) return Either.left(`${payouts.name} needs ${payoutsSecret.name} beside its URL`);
    if (SERVICE_NAME in paymentSecrets || SERVICE_NAME in paymentSecretsFile)
      return Either.left(
        `${PAYOUTS.paymentSecrets.name} must not name the provider "${SERVICE_NAME}", which is that of ${payouts.name}`,
      );
    const problem = paymentServiceProblem({ url, secret, allowPrivate });
    return problem === null
      ? Either.right({ type: "service", url, secret, allowPrivate })
      : Either.left(`${problem.includes("secret") ? payoutsSecret.name : payouts.name}: ${problem}`);
  });

/** Who pays, with what each needs. */
export const joinPayouts = (parsed: Parsed<typeof PAYOUTS>): Value.Value<Payouts> => {
  const { payouts: type } = parsed;
  if (type === "files" || type === "sepa") return withoutSecret(parsed, joinFiles(parsed));
  return type === "manual" || type === "simulated"
    ? withoutSecret(parsed, Either.right({ type }))
    : joinService(parsed);
};
