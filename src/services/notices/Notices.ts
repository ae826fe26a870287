/**
 * Sends mail to partners when somebody proposes another payout account for them, or takes their address away, before that; and to the
 * customer when a partner proposes one for itself.
 */
import { Effect, Schema } from "effect";
import type { CustomerId, PartnerId } from "../../domain/Ids.ts";
import type { Partner } from "../../domain/Partner.ts";
import { accountsOf } from "../../domain/PartnerAccounts.ts";
import { type Payee, PayoutType } from "../../domain/PayoutDetails.ts";
import { accountNotice, proposalNotice, shownAccount } from "../../domain/sentences/AccountNotice.ts";
import { Mailer, MailFailed } from "../../ports/Mailer.ts";
import type { Claimed } from "../../ports/Outbox.ts";
import { type Records, Storage, type StorageError, type Versioned } from "../../ports/Storage.ts";
import type { Execution, Work } from "../commands/Pipeline.ts";
import { WorkerSettings } from "../process/WorkerSettings.ts";
import { isFirstAccount } from "./FirstAccount.ts";

/**
 * The content of a notice's message: the mail address before the command, and the masked account; without one, the command took the
 * address away. One to the customer says so.
 */
const Notice = Schema.parseJson(
  Schema.Struct({
    to: Schema.String,
    type: Schema.optional(PayoutType),
    details: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.String })),
    at: Schema.Number,
    reader: Schema.optional(Schema.Literal("customer")),
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

  /**
   * Returns the message that tells the customer of an account that a partner proposes for itself; none if one that it has proposed
   * waits already, so that no partner can send many, or the customer has no address for it, or the host no mailer.
   */
  const ofProposal = (
    partner: Versioned<Partner>,
    account: Payee,
    { at }: Execution,
  ): Effect.Effect<ReadonlyArray<Work>, StorageError> =>
    Effect.gen(function* () {
      const isTold = accountsOf(partner).some(
        ({ status, byPartner }) => status === "proposed" && byPartner !== undefined,
      );
      if (mailer === null || isTold) return [];
      const [profile] = yield* storage.find(partner.customerId, "billingProfile", [partner.customerId]);
      if (profile?.noticeEmail === undefined) return [];
      const notice = { to: profile.noticeEmail, at, reader: "customer", ...shownAccount(account) } as const;
      return [{ topic: "send_mail", recordId: partner.id, reference: Schema.encodeSync(Notice)(notice) }];
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
      const { to, at, type, details = {}, reader } = notice;
      const account = type === undefined ? null : { type, details };
      const subject = { partnerName: partner.name, customerName: profile?.legalName ?? null, account, at };
      const write = reader === "customer" ? proposalNotice : accountNotice;
      const mail = write(subject, profile?.language ?? "en");
      yield* mailer.send({ id, to, ...mail }).pipe(
        Effect.timeoutFail({
          duration: webhookTimeoutMilliseconds,
          onTimeout: () => new MailFailed({ message: "the mail service did not respond in time" }),
        }),
      );
    });

  return { ofChange, ofProposal, send };
});

/** The notices to partners and customers: commands create the messages, and the worker sends the mail. */
export class Notices extends Effect.Service<Notices>()("quittance/services/Notices", { effect: make }) {}
