/** The mail of invitations, and what a page shows to whoever opens the link of one. */
import { Clock, Effect } from "effect";
import * as ApiKey from "../../domain/ApiKey.ts";
import type { CustomerId, PartnerId } from "../../domain/Ids.ts";
import { canSee, type Principal } from "../../domain/Principal.ts";
import { type Invalid, invalid } from "../../domain/Refusal.ts";
import { invitationMail } from "../../domain/sentences/InvitationMail.ts";
import type { Timestamp } from "../../domain/Timestamp.ts";
import type { Directory } from "../../ports/Directory.ts";
import { InvitationLink, Mailer, MailFailed } from "../../ports/Mailer.ts";
import { type Records, Storage, type StorageError } from "../../ports/Storage.ts";
import { Unauthorized } from "../../ports/TokenVerifier.ts";
import { WorkerSettings } from "../process/WorkerSettings.ts";
import { findKey } from "./FindKey.ts";

/** To whom an invitation is mailed. */
interface Addressee {
  readonly email: string;
  readonly partnerName: string;
  readonly expiresAt: Timestamp;
}

const NO_PARTNER = invalid("mail", "needs an invitation of one partner");
const NO_MAIL = invalid(
  "mail",
  "no invitation is mailed here, because no mail or no address of the portal is set",
);
const NO_ADDRESS = invalid("mail", "the partner has no e-mail address");

/** What sends invitations. It is not work of the outbox, whose messages are stored: only the digest of the key in the link is. */
export const makeInvitationMail = Effect.gen(function* () {
  const storage: Records = yield* Storage;
  const mailer = yield* Mailer;
  const link = yield* InvitationLink;
  const { webhookTimeoutMilliseconds } = yield* WorkerSettings;

  /** Whom the mail of a new invitation goes to; refused where nobody can be sent one. */
  const addresseeOf = (
    principal: Principal,
    { customerId, use, partnerIds, expiresAt }: ApiKey.Grant,
  ): Effect.Effect<Addressee, Invalid | StorageError> =>
    Effect.gen(function* () {
      const [partnerId, another] = partnerIds === "*" ? [] : partnerIds;
      if (use !== "invitation" || partnerId === undefined || another !== undefined || expiresAt === null)
        return yield* NO_PARTNER;
      if (mailer === null || link === null) return yield* NO_MAIL;
      const [partner] = yield* storage.find(customerId, "partner", [partnerId]);
      if (partner === undefined || !canSee(principal, { ...partner, partnerId: partner.id }))
        return yield* NO_PARTNER;
      return partner.email === null
        ? yield* NO_ADDRESS
        : { email: partner.email, partnerName: partner.name, expiresAt };
    });

  /** Sends the link of an invitation; false where the mail service has not taken it, which the log says. */
  const send = (
    customerId: CustomerId,
    { email, ...subject }: Addressee,
    { id, key }: { readonly id: string; readonly key: string },
  ): Effect.Effect<boolean, StorageError> =>
    Effect.gen(function* () {
      if (mailer === null || link === null) return false;
      const [profile] = yield* storage.find(customerId, "billingProfile", [customerId]);
      const said = { ...subject, customerName: profile?.legalName ?? null, link: `${link}${key}` };
      const mail = invitationMail(said, profile?.language ?? "en");
      return yield* mailer.send({ id, to: email, ...mail }).pipe(
        Effect.timeoutFail({
          duration: webhookTimeoutMilliseconds,
          onTimeout: () => new MailFailed({ message: "the mail service did not respond in time" }),
        }),
        Effect.as(true),
        Effect.catchAll(({ message }) =>
          Effect.as(
            Effect.annotateLogs(Effect.logWarning("an invitation was not mailed"), {
              invitation: id,
              message,
            }),
            false,
          ),
        ),
      );
    });

  return { addresseeOf, send };
});

/** What the page shows to whoever opens the link of an invitation. */
export interface Invitation {
  readonly state: ReturnType<typeof ApiKey.invitationState>;
  readonly expiresAt: Timestamp | null;
  /** The names of the partners that it is for. */
  readonly partnerNames: ReadonlyArray<string>;
  /** The name of the customer; null when it is not known. */
  readonly customerName: string | null;
}

/** Reads an invitation by its key, also one that was accepted or withdrawn or has ended; it stays as it is. */
export const readInvitation = (
  token: string,
): Effect.Effect<Invitation, Unauthorized | StorageError, Directory | Storage> =>
  Effect.gen(function* () {
    const key = yield* findKey(token);
    if (key?.use !== "invitation") return yield* new Unauthorized();
    const storage: Records = yield* Storage;
    const { customerId } = key;
    const ids: ReadonlyArray<PartnerId> = key.partnerIds === "*" ? [] : key.partnerIds;
    const partners = yield* storage.find(customerId, "partner", ids);
    const [profile] = yield* storage.find(customerId, "billingProfile", [customerId]);
    return {
      state: ApiKey.invitationState(key, yield* Clock.currentTimeMillis),
      expiresAt: key.expiresAt,
      partnerNames: partners.map(({ name }) => name),
      customerName: profile?.legalName ?? null,
    };
  });
