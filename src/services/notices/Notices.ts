/** Sends mail to partners when somebody proposes another payout account for them. */
import { Effect, Schema } from "effect";
import type { CustomerId, PartnerId } from "../../domain/Ids.ts";
import type { Partner } from "../../domain/Partner.ts";
import { accountsOf } from "../../domain/PartnerAccounts.ts";
import { type Payee, PayoutType } from "../../domain/PayoutDetails.ts";
import { accountNotice, shownAccount } from "../../domain/sentences/AccountNotice.ts";
import { Mailer, MailFailed } from "../../ports/Mailer.ts";
import type { Claimed } from "../../ports/Outbox.ts";
import { type Records, Storage, type StorageError } from "../../ports/Storage.ts";
import type { Execution, Work } from "../commands/Pipeline.ts";
import { WorkerSettings } from "../process/WorkerSettings.ts";

/** The content of a notice's message: the mail address at the time of the proposal, which may have changed since, and the masked account. */
const Notice = Schema.parseJson(
  Schema.Struct({
    to: Schema.String,
    type: PayoutType,
    details: Schema.Record({ key: Schema.String, value: Schema.String }),
    at: Schema.Number,
  }),
);

const make = Effect.gen(function* () {
  const storage: Records = yield* Storage;
  const mailer = yield* Mailer;
  const { webhookTimeoutMilliseconds } = yield* WorkerSettings;

  /** Returns the message that notifies a partner of another account; none if the partner had no account, has no mail address, or the
   * host has no mailer. */
  const ofAccount = (partner: Partner, account: Payee, { at }: Execution): ReadonlyArray<Work> =>
    mailer === null || partner.email === null || accountsOf(partner).length === 0
      ? []
      : [
          {
            topic: "send_mail",
            recordId: partner.id,
            reference: Schema.encodeSync(Notice)({
              ...{ to: partner.email, at },
              ...shownAccount(account),
            }),
          },
        ];

  /** Sends the mail of a message. Sends none to a partner that no longer exists or whose data was erased. */
  const send = (
    customerId: CustomerId,
    partnerId: PartnerId,
    { id, reference }: Pick<Claimed, "id" | "reference">,
  ): Effect.Effect<void, StorageError | MailFailed> =>
    Effect.gen(function* () {
      if (mailer === null) return yield* new MailFailed({ message: "this process sends no mail" });
      const notice = yield* Effect.orDie(Schema.decodeUnknown(Notice)(reference));
      const [partner] = yield* storage.find(customerId, "partner", [partnerId]);
      if (partner === undefined || accountsOf(partner).length === 0) return;
      const [profile] = yield* storage.find(customerId, "billingProfile", [customerId]);
      const { to, at, ...account } = notice;
      const subject = { partnerName: partner.name, customerName: profile?.legalName ?? null, account, at };
      const mail = accountNotice(subject, profile?.language ?? "en");
      yield* mailer.send({ id, to, ...mail }).pipe(
        Effect.timeoutFail({
          duration: webhookTimeoutMilliseconds,
          onTimeout: () => new MailFailed({ message: "the mail service did not respond in time" }),
        }),
      );
    });

  return { ofAccount, send };
});

/** The notices to partners: commands create the messages, and the worker sends the mail. */
export class Notices extends Effect.Service<Notices>()("quittance/services/Notices", { effect: make }) {}
