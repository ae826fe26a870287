/** What a host chooses when it opens the engine. */
import { Either, Schema } from "effect";
import {
  FileType,
  Limits,
  type Mailer,
  type PaymentProvider,
  PayoutAccount,
  type PayoutDetails,
  type Quittance,
  Refusal,
  UnknownField,
} from "quittance";
import type { MountOptions } from "quittance/http";
import type { FileOptions, SepaFormat } from "quittance/payouts";
import type { Pool } from "quittance/postgres";
import type { WebhookOptions } from "quittance/webhooks";
import { errorFromInput } from "./Failure.ts";

/** An order to pay a settlement, sent at least once under one reference and paid at most once by it. */
export interface PaymentOrder {
  /** The provider's idempotency key: the same at every retry. */
  readonly reference: string;
  readonly customerId: string;
  readonly settlementId: string;
  readonly partnerId: string;
  /** In the smallest unit of the currency. */
  readonly amount: number;
  readonly currency: string;
  /** Where it goes: `iban` has the details `iban`, `holder` and mostly `bic`; the others as the partner's account has them. */
  readonly account: {
    readonly type: PayoutDetails.PayoutType;
    readonly details: Readonly<Record<string, string>>;
  };
}

/** Thrown by {@link Payouts.send} when the order will never be paid; any other error means: try again. */
export class PayoutRefused extends Error {
  override readonly name = "PayoutRefused";
}

/** Who sends payments. */
export interface Payouts {
  readonly send: (order: PaymentOrder, options: { readonly signal: AbortSignal }) => Promise<void>;
  /** The accounts that it pays to; those with an IBAN in every currency by default. */
  readonly takes?: ReadonlyArray<PaymentProvider.Takes>;
}

/** A payment service of the operator's own, which is sent signed requests. */
export interface PaymentServiceUrl {
  /** `https://`, at a public address. */
  readonly url: string;
  /** Base64 of 24 to 64 bytes, `whsec_` before it or not. */
  readonly secret: string;
  /** Allows `http://` and addresses that are not public; false by default. */
  readonly allowPrivate?: boolean;
}

/** Who sends mail. A rejected notice is sent again later, with the same `id`; a rejected invitation is not. */
export interface MailSender {
  readonly send: (mail: Mailer.Mail, options: { readonly signal: AbortSignal }) => Promise<unknown>;
}

/** Payment by files for a bank. */
export interface SepaFiles {
  /** The version of pain.001 that the bank takes, for new files: `"sepa"` alone means `pain.001.001.09`. */
  readonly sepa: SepaFormat;
}

/** Payment by files in other formats than those of SEPA. */
export interface BankFiles {
  readonly files: FileOptions;
}

/** How the engine is opened. */
export interface Options {
  /** `memory:`, `pglite://<folder>`, `postgres://…` or a pool of the host; the schema is created or migrated. */
  readonly database: string | { readonly pool: Pool };
  /** `auto` makes reports, invoices and credit notes; with `manual` they are uploaded. `auto` by default. */
  readonly documents?: "auto" | "manual";
  /** True if this process performs documents, payments, webhooks and recomputations in the background; true by default. */
  readonly worker?: boolean;
  /**
   * How payments are made: by a function of the host, files for a bank (`sepa`, `{ sepa }` with their version, or `{ files }` with their formats), a payment service at a URL, or not at all, for trials
   * (`simulated`). Without it, settlements are paid outside and marked as paid.
   */
  readonly payouts?: Payouts | "sepa" | SepaFiles | BankFiles | "simulated" | PaymentServiceUrl;
  /** Who may be sent webhooks: `https://` at public addresses, or with `allowPrivate` any URL. `false` sends none. */
  readonly webhooks?: false | Pick<WebhookOptions, "allowPrivate" | "timeoutMilliseconds">;
  /** Who sends notices to partners: that another account was stated for payments to them. Without it, none are sent. */
  readonly mailer?: MailSender;
  /** What precedes the key of an invitation in links of mails: `https://partners.example/welcome#`. Without it, no invitation is mailed. */
  readonly invitationLink?: string;
  readonly policy?: Omit<Quittance.ChosenPolicy, "documents">;
  /** The token of the operator for the HTTP interface, which creates a customer's first API key; at least 32 characters. */
  readonly adminToken?: string;
}

/** What the HTTP interface is served with. */
export type HandlerOptions = Omit<
  MountOptions,
  "ready" | "measure" | "metrics" | "tracing" | "routes" | "sessionCookie"
>;

const HANDLER_OPTIONS = {
  prefix: true,
  responseMillisecondsMax: true,
  paymentWebhookSecrets: true,
  rateLimit: true,
  corsOrigins: true,
  sizes: true,
  bodyMemoryBytesMax: true,
  files: true,
} satisfies Record<keyof HandlerOptions, true>;

/** Throws where one of the options of the HTTP interface is misspelt: a limit must not be none. */
export const checkHandlerOptions = (options: HandlerOptions): void => {
  const known = Object.keys(HANDLER_OPTIONS);
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined) throw errorFromInput(UnknownField.unknownField([], unknown, known, "option"));
};

const oneOf = <Values extends readonly [string, ...Array<string>]>(...values: Values) =>
  Schema.Literal(...values).annotations({
    message: () => ({ message: `must be ${values.join(" or ")}`, override: true }),
  });

const WebhooksChosen = Schema.Union(
  Schema.Literal(false),
  Schema.Struct({
    allowPrivate: Schema.optional(Schema.Boolean),
    timeoutMilliseconds: Schema.optional(Schema.Int.pipe(Schema.positive())),
  } satisfies Record<keyof Exclude<Options["webhooks"], false | undefined>, unknown>),
).annotations({
  message: () => ({ message: "must be false or { allowPrivate, timeoutMilliseconds }", override: true }),
});

/** The names of all options, and the values of those that are not checked where they are used. */
const Checked = Schema.Struct({
  database: Schema.Unknown,
  documents: Schema.optional(oneOf("auto", "manual")),
  worker: Schema.optional(Schema.Boolean),
  payouts: Schema.optional(Schema.Unknown),
  webhooks: Schema.optional(WebhooksChosen),
  mailer: Schema.optional(Schema.Unknown),
  invitationLink: Schema.optional(Schema.String),
  policy: Schema.optional(
    Schema.Struct({
      fourEyes: Schema.optional(Schema.Boolean),
      staleDrafts: Schema.optional(oneOf("allow", "refuse")),
      retentionYears: Schema.optional(
        Schema.Int.pipe(Schema.between(Limits.RETENTION_YEARS_MIN, Limits.RETENTION_YEARS_MAX)),
      ),
      payoutAccounts: Schema.optional(
        PayoutAccount.Confirmation.annotations({
          message: () => ({
            message: 'must be "at_once", "second_person" or { afterHours } of 1 to 2160',
            override: true,
          }),
        }),
      ),
      paymentOverdueDays: Schema.optional(
        Schema.Int.pipe(Schema.between(1, Limits.PAYMENT_OVERDUE_DAYS_MAX)),
      ),
      uploadBytesMax: Schema.optional(Schema.Int.pipe(Schema.positive())),
      uploadTypes: Schema.optional(Schema.Array(oneOf(...FileType.FILE_TYPES))),
      uploadsMax: Schema.optional(Schema.Int.pipe(Schema.positive())),
      uploadsBytesMax: Schema.optional(Schema.Int.pipe(Schema.positive())),
      feed: Schema.optional(Schema.Boolean),
    } satisfies Record<keyof Omit<Quittance.ChosenPolicy, "documents">, unknown>),
  ),
  adminToken: Schema.optional(
    Schema.String.pipe(
      Schema.minLength(Limits.ADMIN_TOKEN_MIN, {
        message: () => `must have at least ${Limits.ADMIN_TOKEN_MIN} characters`,
      }),
    ),
  ),
} satisfies Record<keyof Options, unknown>);

// A misspelt rule must not be no rule.
const decode = Schema.decodeUnknownEither(Checked, { onExcessProperty: "error" });

/** The options, whose names are known and whose rules are rules; throws the error of the first that is wrong. */
export const checkOptions = (options: Options): Options => {
  if (typeof options !== "object" || options === null)
    throw errorFromInput(Refusal.invalid("database", "is missing"));
  const checked = decode(options);
  if (Either.isLeft(checked)) throw errorFromInput(Refusal.fromParseError(checked.left));
  return options;
};
