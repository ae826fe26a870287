/** Notices to partners by mail: that somebody has proposed another account for their money. */
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

/** What a message has of a notice: the address at the proposal, which may be another one now, and the masked account. */
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

  /** The work of a notice to a partner that another account is stated for it; none where it has no account or address, or nobody sends mail. */
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

  /** Sends the mail of a message. Of a partner that is gone or was erased nothing is sent. */
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

/** What tells partners of changes; commands request it, and the worker does it. */
export class Notices extends Effect.Service<Notices>()("quittance/services/Notices", { effect: make }) {}
