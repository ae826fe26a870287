/** The engine of a server, wired from its settings: services, credentials, documents, payments, mail and webhooks. */
import { Effect, Layer, Redacted, Struct } from "effect";
import {
  ApiKeys,
  IdSource,
  Mailer,
  PaymentProvider,
  Quittance,
  type Storage,
  Tracing,
  Webhooks,
  WorkerSettings,
} from "quittance";
import { files, paymentService, sepaWith, simulated } from "quittance/payouts";
import * as Pdf from "quittance/pdf";
import { webhookSender } from "quittance/webhooks";
import * as NodeDigest from "./NodeDigest.ts";
import type { Settings } from "./Settings.ts";
import type * as Store from "./Store.ts";

/** The renderer of documents; it prefers the operator's own fonts. */
const renderer = ({ fonts }: Settings) => (fonts === null ? Pdf.layer : Pdf.layerWith(fonts));

/** API keys and the admin token, and the tokens of an identity provider where one is set. */
const verifier = ({ adminToken, jwt }: Settings) => {
  const admin = adminToken === null ? null : Redacted.make(adminToken);
  const keys = Layer.provide(ApiKeys.layerVerifier, Layer.succeed(ApiKeys.AdminToken, admin));
  return jwt === null
    ? keys
    : Layer.unwrapEffect(
        Effect.map(
          Effect.promise(() => import("quittance/jwt")),
          (Jwt) => Layer.provide(Jwt.layer(jwt), keys),
        ),
      );
};

/** The payment provider; null when settlements are paid outside the service. */
const payer = ({
  payouts,
  sendTimeoutMilliseconds,
}: Settings): PaymentProvider.PaymentProviderService | null => {
  switch (payouts.type) {
    case "manual":
      return null;
    case "files":
      return files(payouts);
    case "sepa":
      return sepaWith(payouts);
    case "simulated":
      return simulated();
    case "service":
      return paymentService({ ...payouts, timeoutMilliseconds: sendTimeoutMilliseconds });
  }
};

/** What sends mail; the library for that is loaded only where mail is set. */
const mailer = ({ mail }: Settings): Layer.Layer<never> =>
  mail === null
    ? Layer.empty
    : Layer.effect(
        Mailer.Mailer,
        Effect.map(
          Effect.promise(() => import("../mail/index.ts")),
          ({ folder, smtp }) =>
            mail.type === "smtp" ? smtp(mail.server, mail.from) : folder(mail.folder, mail.from),
        ),
      );

/** What precedes the key of an invitation in its link; null where the portal is not served or its address is not known. */
const invitationLink = ({ console: hasPages, publicUrl }: Settings): string | null =>
  hasPages && publicUrl !== null ? `${publicUrl}/portal/#/welcome/` : null;

const workerSettings = (settings: Settings): WorkerSettings.Settings =>
  Struct.pick(
    settings,
    "concurrency",
    "leaseMilliseconds",
    "pollMilliseconds",
    "sendTimeoutMilliseconds",
    "renderTimeoutMilliseconds",
    "webhookTimeoutMilliseconds",
    "deliveryMilliseconds",
    "idempotencyMilliseconds",
  );

/** Sends the requests of webhooks. */
export const webhooks = (settings: Settings): Webhooks.WebhookSenderService =>
  webhookSender({
    allowPrivate: settings.webhooksPrivate,
    timeoutMilliseconds: settings.webhookTimeoutMilliseconds,
  });

/** The engine of the settings over a store, with what sends its webhooks. */
export const engine = (
  settings: Settings,
  store: Layer.Layer<Store.Ports, Storage.StorageError>,
  sender: (settings: Settings) => Webhooks.WebhookSenderService,
) => {
  const { documents, fourEyes, staleDrafts, payoutAccounts, paymentOverdueDays, retentionYears, feed } =
    settings;
  const { uploadBytesMax, uploadTypes, uploadsMax, uploadsBytesMax } = settings;
  const uploads = { uploadBytesMax, uploadTypes, uploadsMax, uploadsBytesMax };
  const approvals = { fourEyes, staleDrafts, payoutAccounts };
  const policy = { documents, ...approvals, paymentOverdueDays, retentionYears, feed, ...uploads };
  const services = Layer.mergeAll(Quittance.layer(policy), IdSource.layer);
  return Layer.mergeAll(services, verifier(settings), NodeDigest.layer).pipe(
    Layer.provide([
      renderer(settings),
      mailer(settings),
      Layer.succeed(Mailer.InvitationLink, invitationLink(settings)),
      NodeDigest.layer,
      Layer.sync(PaymentProvider.PaymentProvider, () => payer(settings)),
      Layer.sync(Webhooks.WebhookSender, () => sender(settings)),
      Layer.succeed(Tracing.Tracing, settings.tracing !== null),
      Layer.succeed(WorkerSettings.WorkerSettings, workerSettings(settings)),
    ]),
    Layer.provideMerge(store),
  );
};
