/** Sends mail to partners when somebody proposes another payout account for them, or takes their address away, before that. */
import { Effect, Schema } from "effect";
import type { CustomerId, PartnerId } from "../../domain/Ids.ts";
import type { Partner } from "../../domain/Partner.ts";
import { type Payee, PayoutType } from "../../domain/PayoutDetails.ts";
import { accountNotice, shownAccount } from "../../domain/sentences/AccountNotice.ts";
import { Mailer, MailFailed } from "../../ports/Mailer.ts";
import type { Claimed } from "../../ports/Outbox.ts";
import { type Records, Storage, type StorageError, type Versioned } from "../../ports/Storage.ts";
import type { Execution, Work } from "../commands/Pipeline.ts";
import { WorkerSettings } from "../process/WorkerSettings.ts";
import { isFirstAccount } from "./FirstAccount.ts";

/**
 * The content of a notice's message: the mail address before the command, and the masked account; without one, the command took the
 * address away.
 */
const Notice = Schema.parseJson(
  Schema.Struct({
    to: Schema.String,
    type: Schema.optional(PayoutType),
    details: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.String })),
    at: Schema.Number,
  }),
);

const make = Effect.gen(function* () {
  const storage: Records = yield* Storage;
  const mailer = yield* Mailer;
  const { webhookTimeoutMilliseconds } = yield* WorkerSettings;

  /** Returns the message that notifies a partner of another account, or, for null, that its address is taken away; none if the partner
   * never had an account, has no mail address, or the host has no mailer. */
  const ofChange = (
    partner: Versioned<Partner>,
    account: Payee | null,
    { at }: Execution,
  ): Effect.Effect<ReadonlyArray<Work>, StorageError> =>
    Effect.gen(function* () {
      if (mailer === null || partner.email === null || (yield* isFirstAccount(storage, partner))) return [];
      const shown = account === null ? {} : shownAccount(account);
      const reference = Schema.encodeSync(Notice)({ to: partner.email, at, ...shown });
      return [{ topic: "send_mail", recordId: partner.id, reference }];
    });

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
      if (partner === undefined) return;
      const log = yield* storage.log(customerId, "partner", partnerId);
      if (log.some(({ event }) => event.type === "erase_personal_data" && event.erased_from === "record"))
        return;
      const [profile] = yield* storage.find(customerId, "billingProfile", [customerId]);
      const { to, at, type, details = {} } = notice;
      const account = type === undefined ? null : { type, details };
      const subject = { partnerName: partner.name, customerName: profile?.legalName ?? null, account, at };
      const mail = accountNotice(subject, profile?.language ?? "en");
      yield* mailer.send({ id, to, ...mail }).pipe(
        Effect.timeoutFail({
          duration: webhookTimeoutMilliseconds,
          onTimeout: () => new MailFailed({ message: "the mail service did not respond in time" }),
        }),
      );
    });

  return { ofChange, send };
});

/** The notices to partners: commands create the messages, and the worker sends the mail. */
export class Notices extends Effect.Service<Notices>()("quittance/services/Notices", { effect: make }) {}
