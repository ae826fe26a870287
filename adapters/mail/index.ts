/** Mail: over SMTP, or into the files of a folder. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Effect, Redacted } from "effect";
import { createTransport } from "nodemailer";
import { Mailer } from "quittance";
import type { MailServer } from "./MailServer.ts";

/** Who sends. */
export interface Sender {
  readonly name: string;
  readonly address: string;
}

/** The message of a mail. Addresses are objects, so that no text of one is read as several. */
const messageOf = (from: Sender, { id, to, subject, text }: Mailer.Mail) => ({
  from: { ...from },
  to: { name: "", address: to },
  subject,
  text,
  messageId: `<${id}@${from.address.slice(from.address.lastIndexOf("@") + 1)}>`,
  // Programs that answer mail do not answer this one.
  headers: { "Auto-Submitted": "auto-generated" },
});

/** True if a server has refused addresses or content for good; a refused connection or password is not a judgement of the mail. */
const isPermanent = (cause: unknown): boolean => {
  const { responseCode, code } = cause as { readonly responseCode?: number; readonly code?: string };
  return responseCode !== undefined && responseCode >= 500 && (code === "EENVELOPE" || code === "EMESSAGE");
};

const failed = (cause: unknown): Mailer.MailFailed =>
  new Mailer.MailFailed({
    message: cause instanceof Error ? cause.message : String(cause),
    isPermanent: isPermanent(cause),
  });

/** A mailer over SMTP, one connection for each mail; interrupting it closes the connection. */
export const smtp = (server: Redacted.Redacted<MailServer>, from: Sender): Mailer.MailerService => {
  const { host, port, tls, auth } = Redacted.value(server);
  const transport = createTransport({
    ...{ host, port, secure: tls === "direct", requireTLS: tls === "starttls", ignoreTLS: tls === "off" },
    ...(auth === null ? {} : { auth, forceAuth: true }),
  });
  return {
    send: (mail) =>
      Effect.tryPromise({
        try: (signal) => transport.sendMail({ ...messageOf(from, mail), signal }),
        catch: failed,
      }),
  };
};

/** A mailer for development: it writes each mail to `<id>.eml` in a folder that exists. */
export const folder = (path: string, from: Sender): Mailer.MailerService => {
  const transport = createTransport({ streamTransport: true, buffer: true });
  return {
    send: (mail) =>
      Effect.tryPromise({
        try: async () => {
          const { message } = await transport.sendMail(messageOf(from, mail));
          await writeFile(join(path, `${mail.id}.eml`), message as Buffer);
        },
        catch: failed,
      }),
  };
};
