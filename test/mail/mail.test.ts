/** Mail over SMTP and into files. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Effect, Either, Redacted } from "effect";
import type { Mailer } from "quittance";
import { afterEach, expect, it } from "vitest";
import { folder, smtp } from "../../adapters/mail/index.ts";
import { type MailServer, mailServerOf } from "../../adapters/mail/MailServer.ts";
import { type Behaviour, smtpServer } from "./SmtpServer.ts";

const FROM = { name: "Nordlys, ApS", address: "payouts@nordlys.example" };
const MAIL: Mailer.Mail = {
  id: "0190a5b0-0000-7000-8000-000000000001",
  to: "ada@example.com",
  subject: "Another account",
  text: "Hello Ådå,\n.\nthe IBAN DK…6789.\n",
};

const cleanups: Array<() => void> = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

const given = async (
  behaviour: Behaviour = {},
  tls: MailServer["tls"] = "off",
  auth: MailServer["auth"] = null,
) => {
  const server = await smtpServer(behaviour);
  cleanups.push(server.close);
  const mailer = smtp(Redacted.make({ host: "localhost", port: server.port, tls, auth }), FROM);
  return { ...server, send: (mail: Partial<Mailer.Mail> = {}) => mailer.send({ ...MAIL, ...mail }) };
};

const failure = (send: Effect.Effect<void, Mailer.MailFailed>) => Effect.runPromise(Effect.flip(send));

it("a mail arrives with its id, sender, recipient, subject and text", async () => {
  const { send, mails } = await given();
  await Effect.runPromise(send());
  expect(mails).toMatchObject([{ from: FROM.address, to: [MAIL.to], isEncrypted: false }]);
  const data = mails[0]?.data ?? "";
  expect(data).toContain(`From: "Nordlys, ApS" <${FROM.address}>\r\n`);
  expect(data).toContain(`To: ${MAIL.to}\r\nSubject: ${MAIL.subject}\r\n`);
  expect(data).toContain(`Message-ID: <${MAIL.id}@nordlys.example>\r\n`);
  expect(data).toContain("Auto-Submitted: auto-generated\r\n");
  expect(data).toContain("Hello =C3=85d=C3=A5,\r\n..\r\n");
});

it.each([
  ["RCPT", "550 no such mailbox", true],
  ["RCPT", "450 greylisted", false],
  ["MAIL", "553 not your address", true],
  ["END", "554 refused as spam", true],
  ["END", "452 the disk is full", false],
  ["CONNECT", "421 too busy", false],
  ["CONNECT", "554 nobody here", false],
])("a response to %s of %s is a failure with the reason, for good: %s", async (word, line, isPermanent) => {
  const { send } = await given({ replies: { [word]: line } });
  const { message, isPermanent: found } = await failure(send());
  expect(message).toContain(line);
  expect(found).toBe(isPermanent);
});

it.each(["CONNECT", "EHLO", "END"])(
  "a server that is silent at %s is left when the time is over",
  async (word) => {
    const { send, open } = await given({ replies: { [word]: "" } });
    const sent = Effect.timeoutFail(send(), { duration: 300, onTimeout: () => "late" });
    expect(await Effect.runPromise(Effect.flip(sent))).toBe("late");
    await expect.poll(open).toBe(0);
  },
);

it("a password that is refused is a failure that repeats no password, and not for good", async () => {
  const auth = { user: "me", pass: "s3cret-pass" };
  const { send, commands } = await given({ replies: { AUTH: "535 not welcome" } }, "off", auth);
  const { message, isPermanent } = await failure(send());
  expect(message).toContain("535 not welcome");
  expect(message).not.toContain(auth.pass);
  expect(isPermanent).toBe(false);
  expect(commands.filter((line) => line.startsWith("MAIL"))).toEqual([]);
});

it("nothing is sent unencrypted, or to a server of an unknown authority, unless TLS is off", async () => {
  const plain = await given({}, "starttls");
  expect(await failure(plain.send())).toMatchObject({
    message: expect.stringContaining("STARTTLS"),
    isPermanent: false,
  });
  const unknown = await given({ tls: true }, "starttls");
  expect(await failure(unknown.send())).toMatchObject({
    message: expect.stringContaining("certificate"),
    isPermanent: false,
  });
  for (const { commands, mails } of [plain, unknown]) {
    expect(commands.filter((line) => /^(MAIL|AUTH)/.test(line))).toEqual([]);
    expect(mails).toEqual([]);
  }
});

it.each([
  { to: "ada@example.com\r\nBcc: mallory@example.com" },
  { to: "ada@example.com>\r\nRCPT TO:<mallory@example.com" },
  { to: "ada@example.com, mallory@example.com" },
  { subject: "Hello\r\nBcc: mallory@example.com\r\n\r\nbody" },
  { id: "1>\r\nBcc: <mallory@example.com" },
])("a line break or a comma in %j adds neither a header nor a recipient", async (mail) => {
  const { send, mails, commands } = await given();
  await Effect.runPromise(Effect.ignore(send(mail)));
  const recipients = commands.filter((line) => line.startsWith("RCPT"));
  expect(recipients.filter((line) => line.includes("<mallory@"))).toEqual([]);
  expect(recipients.length).toBeLessThanOrEqual(1);
  for (const { data } of mails) expect(data.slice(0, data.indexOf("\r\n\r\n"))).not.toMatch(/^Bcc:/im);
});

it("a mailer of a folder writes each mail to a file, once for each id", async () => {
  const path = mkdtempSync(join(tmpdir(), "quittance-mail-"));
  cleanups.push(() => rmSync(path, { recursive: true }));
  const { send } = folder(path, FROM);
  await Effect.runPromise(Effect.zipRight(send(MAIL), send(MAIL)));
  expect(readdirSync(path)).toEqual([`${MAIL.id}.eml`]);
  expect(readFileSync(join(path, `${MAIL.id}.eml`), "utf8")).toContain(`\r\nTo: ${MAIL.to}\r\n`);
  expect((await failure(folder(join(path, "none"), FROM).send(MAIL))).message).toContain("ENOENT");
});

it("the URL of a server names host, port, encryption and credentials", () => {
  expect(Either.getOrThrow(mailServerOf("smtp://me%40x.example:p%3Aw@mail.example"))).toEqual({
    ...{ host: "mail.example", port: 587, tls: "starttls" },
    auth: { user: "me@x.example", pass: "p:w" },
  });
  const other = { port: 465, tls: "direct", auth: null };
  expect(Either.getOrThrow(mailServerOf("smtps://mail.example/"))).toEqual({
    host: "mail.example",
    ...other,
  });
  expect(Either.getOrThrow(mailServerOf("smtp://[::1]:1025?tls=off"))).toEqual({
    ...{ host: "::1", port: 1025, tls: "off", auth: null },
  });
});
