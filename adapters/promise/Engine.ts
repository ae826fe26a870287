/** The engine of the options, as one layer. What an option needs is loaded when it is chosen. */
import { hash } from "node:crypto";
import { Effect, Layer, Logger, LogLevel, Redacted } from "effect";
import {
  ApiKeys,
  Digest,
  type Directory,
  type Documents,
  IdSource,
  InnermostMessage,
  Mailer,
  type Outbox,
  PaymentProvider,
  Quittance,
  type Storage,
  UnknownField,
  Webhooks,
  Worker,
} from "quittance";
import type { Pool } from "quittance/postgres";
import { InvalidError } from "../client/QuittanceError.ts";
import * as Call from "./Call.ts";
import { errorFromInput } from "./Failure.ts";
import { type BankFiles, type Options, PayoutRefused, type SepaFiles } from "./Options.ts";

type Store = Layer.Layer<
  Storage.Storage | Directory.Directory | Outbox.Outbox | Documents.DocumentStore,
  Storage.StorageError
>;

const FOLDER = "pglite://";
const DATABASE = "database: must be memory:, pglite://<folder>, postgres://… or { pool }";

const invalidDatabase = (): InvalidError => new InvalidError(DATABASE, { field: "database" });

const isPool = (value: unknown): value is { readonly pool: Pool } =>
  typeof value === "object" && value !== null && "pool" in value && typeof value.pool === "object";

const storeOf = async (database: Options["database"]): Promise<Store> => {
  if (isPool(database)) {
    const { layer } = await import("quittance/postgres");
    return layer({ pool: database.pool });
  }
  if (typeof database !== "string") throw invalidDatabase();
  if (database === "memory:") return (await import("quittance/memory")).layer;
  if (database.startsWith(FOLDER) && database.length > FOLDER.length) {
    return (await import("quittance/pglite")).layer({ folder: database.slice(FOLDER.length) });
  }
  if (!/^postgres(ql)?:\/\//.test(database)) throw invalidDatabase();
  const { addressProblem, layer } = await import("quittance/postgres");
  const problem = addressProblem(database);
  if (problem !== null) throw new InvalidError(`database: ${problem}`, { field: "database" });
  return layer({ url: Redacted.make(database) });
};

const refusal = (cause: unknown): PaymentProvider.PaymentRefused =>
  new PaymentProvider.PaymentRefused({
    final: cause instanceof PayoutRefused,
    reason: cause instanceof Error ? cause.message : String(cause),
  });

const PAYOUTS = 'payouts: must be { send }, "sepa", { sepa }, { files }, "simulated" or { url, secret }';

const checkNames = (given: object, known: ReadonlyArray<string>, ...path: ReadonlyArray<string>): void => {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw errorFromInput(UnknownField.unknownField(["payouts", ...path], unknown, known, "option"));
};

const filesOf = async ({ files: given }: BankFiles): Promise<PaymentProvider.PaymentProviderService> => {
  const { FORMAT_NAMES, files, isFormatName, settingsProblem } = await import("quittance/payouts");
  const invalid = (problem: string) =>
    new InvalidError(`payouts.files.${problem}`, { field: "payouts.files" });
  const { formats, ...settings } = given;
  checkNames(given, ["formats", "nacha", "wiseCurrency"], "files");
  if (!Array.isArray(formats) || formats.length === 0 || !formats.every(isFormatName))
    throw invalid(`formats: must be one or more of ${FORMAT_NAMES.join(", ")}`);
  const problem = settingsProblem(formats, settings);
  if (problem !== null) throw invalid(problem.replace(/^nacha/, "nacha:"));
  return files(given);
};

const sepaOf = async (given: SepaFiles): Promise<PaymentProvider.PaymentProviderService> => {
  const { isSepaFormat, SEPA_FORMATS, sepaWith } = await import("quittance/payouts");
  checkNames(given, ["sepa"]);
  if (!isSepaFormat(given.sepa))
    throw new InvalidError(`payouts.sepa: must be ${SEPA_FORMATS.join(" or ")}`, { field: "payouts.sepa" });
  return sepaWith({ format: given.sepa });
};

const providerOf = async (
  payouts: NonNullable<Options["payouts"]>,
): Promise<PaymentProvider.PaymentProviderService> => {
  if (payouts === null) throw new InvalidError(PAYOUTS, { field: "payouts" });
  if (typeof payouts === "object" && "send" in payouts) {
    if (typeof payouts.send !== "function") throw new InvalidError(PAYOUTS, { field: "payouts" });
    const send: PaymentProvider.PaymentProviderService["send"] = (order) =>
      Effect.tryPromise({ try: (signal) => payouts.send(order, { signal }), catch: refusal });
    return PaymentProvider.provider(payouts.takes === undefined ? { send } : { send, takes: payouts.takes });
  }
  if (typeof payouts === "object" && "sepa" in payouts) return await sepaOf(payouts);
  if (typeof payouts === "object" && "files" in payouts) return await filesOf(payouts);
  const { paymentService, paymentServiceProblem, sepa, simulated } = await import("quittance/payouts");
  if (payouts === "sepa") return sepa;
  if (payouts === "simulated") return simulated();
  const invalidPayouts = (problem: string) => new InvalidError(problem, { field: "payouts" });
  if (typeof payouts !== "object" || typeof payouts.url !== "string") throw invalidPayouts(PAYOUTS);
  checkNames(payouts, ["url", "secret", "allowPrivate"]);
  const { url, secret, allowPrivate = false } = payouts;
  const options = { url, secret: Redacted.make(secret), allowPrivate };
  const problem = paymentServiceProblem(options);
  if (problem !== null) throw invalidPayouts(`payouts: ${problem}`);
  return paymentService(options);
};

const provider = async (payouts: Options["payouts"]): Promise<Layer.Layer<never>> =>
  payouts === undefined
    ? Layer.empty
    : Layer.succeed(PaymentProvider.PaymentProvider, await providerOf(payouts));

const webhookSender = async (webhooks: Options["webhooks"]): Promise<Layer.Layer<never>> => {
  if (webhooks === false) return Layer.empty;
  const { webhookSender: make } = await import("quittance/webhooks");
  return Layer.succeed(Webhooks.WebhookSender, make(webhooks));
};

const mailerOf = (mailer: Options["mailer"]): Layer.Layer<never> => {
  if (mailer === undefined) return Layer.empty;
  if (typeof mailer?.send !== "function")
    throw new InvalidError("mailer: must be { send }", { field: "mailer" });
  const send: Mailer.MailerService["send"] = (mail) =>
    Effect.tryPromise({
      try: (signal) => mailer.send(mail, { signal }),
      catch: (cause) => new Mailer.MailFailed({ message: InnermostMessage.innermostMessage(cause) }),
    });
  return Layer.succeed(Mailer.Mailer, { send });
};

const digest = Layer.succeed(Digest.Digest, {
  sha256Hex: (input) => Effect.sync(() => hash("sha256", input, "hex")),
});

/** Warnings and errors of background work, a line each, on standard error. */
const log = Layer.merge(
  Logger.replace(Logger.defaultLogger, Logger.withConsoleError(Logger.logfmtLogger)),
  Logger.minimumLogLevel(LogLevel.Warning),
);

/** The services over the store, with what serving HTTP needs. Rejects when an option cannot be used. */
export const make = async ({
  database,
  documents,
  payouts,
  webhooks,
  mailer,
  invitationLink,
  policy,
  worker,
  adminToken,
}: Options) => {
  const store = await storeOf(database);
  const pdf = await import("quittance/pdf");
  const admin = adminToken === undefined ? null : Redacted.make(adminToken);
  const chosen = { ...policy, documents: documents ?? "auto" };
  const services = Layer.mergeAll(Quittance.layerWith(IdSource.layer, chosen, Call.pipeline), IdSource.layer);
  const verifier = Layer.provide(ApiKeys.layerVerifier, Layer.succeed(ApiKeys.AdminToken, admin));
  const background = worker === false ? Layer.empty : Worker.layerBackground;
  return background.pipe(
    Layer.provideMerge(Layer.mergeAll(services, verifier, digest)),
    Layer.provide([
      pdf.layer,
      await provider(payouts),
      await webhookSender(webhooks),
      mailerOf(mailer),
      Layer.succeed(Mailer.InvitationLink, invitationLink ?? null),
      digest,
    ]),
    Layer.provideMerge(store),
    Layer.provideMerge(log),
  );
};
