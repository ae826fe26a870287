/** Mail: who sends notices to partners outside of the service. */
import { Context, Data, type Effect } from "effect";

/** One mail, of plain text. */
export interface Mail {
  /** The same at every attempt to send it, so that a mail service can recognise a repetition. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** A mail was not accepted. The message is for operators. */
export class MailFailed extends Data.TaggedError("MailFailed")<{
  readonly message: string;
  /** It was refused for good: it is not sent again unless an operator asks for it. False by default. */
  readonly isPermanent?: boolean;
}> {}

/** What a host supplies to have mail sent. */
export interface MailerService {
  /** Hands a mail over. It may be called again with the same id after a crash or a timeout. */
  readonly send: (mail: Mail) => Effect.Effect<void, MailFailed>;
}

/** What precedes the key of an invitation in the link of its mail, such as `https://pay.example/portal/#/welcome/`. */
export class InvitationLink extends Context.Reference<InvitationLink>()("quittance/ports/InvitationLink", {
  defaultValue: (): string | null => null,
}) {}

/** The mailer; null, the default, means that no mail is sent. */
export class Mailer extends Context.Reference<Mailer>()("quittance/ports/Mailer", {
  defaultValue: (): MailerService | null => null,
}) {}
