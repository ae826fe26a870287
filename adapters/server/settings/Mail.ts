/** Who sends mail to partners, and in whose name. */
import { statSync } from "node:fs";
import { Either, Redacted } from "effect";
import type { Sender } from "../../mail/index.ts";
import { type MailServer, mailServerOf } from "../../mail/MailServer.ts";
import type * as Value from "../Value.ts";
import { type Parsed, setting } from "./Setting.ts";

/** Where mail goes: to a server, or into files of a folder. */
type Route =
  | { readonly type: "smtp"; readonly server: Redacted.Redacted<MailServer> }
  | { readonly type: "file"; readonly folder: string };

/** How mail is sent, and the address that it is from. */
export type Mail = Route & { readonly from: Sender };

const FILE = "file:";

const route: Value.Kind<Route | null> = {
  values: "`smtp://user:password@host:587`, `smtps://…`, `file:<folder>`",
  parse: (name, text) => {
    if (text === "") return Either.right(null);
    if (!text.startsWith(FILE))
      return Either.mapBoth(mailServerOf(text), {
        onLeft: (problem) => `${name} ${problem}`,
        onRight: (server) => ({ type: "smtp" as const, server: Redacted.make(server) }),
      });
    const folder = text.slice(FILE.length);
    return folder !== "" && statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true
      ? Either.right({ type: "file", folder })
      : Either.left(`${name} must name a folder that exists after ${FILE}, not "${folder}"`);
  },
};

const ADDRESS = /^(?:([^<>@\p{Cc}]*)<)?([^\s<>@,;:"()\p{Cc}]+@[^\s<>@,;:"()\p{Cc}]+?)(>?)$/u;

const sender: Value.Kind<Sender | null> = {
  values: "`payouts@example.com`, `Example <payouts@example.com>`",
  parse: (name, text) => {
    if (text === "") return Either.right(null);
    const [, stated, address, closing] = ADDRESS.exec(text) ?? [];
    return address !== undefined && (stated === undefined) === (closing === "")
      ? Either.right({ name: stated?.trim() ?? "", address })
      : Either.left(`${name} must be one address, or a name and <address>`);
  },
};

/** Settings of mail. */
export const MAIL = {
  mailRoute: setting({
    name: "QUITTANCE_MAIL",
    option: null,
    fallback: "",
    meaning:
      "where mail to partners goes: smtp://user:password@host:587, or file:<folder>; empty: none is sent",
    details:
      "where [mail to partners](#mail) goes: to a mail server over TLS, or into a folder that exists, as files, for development. Empty: none is sent. Set it alike at every process on a store",
    kind: route,
  }),
  mailFrom: setting({
    name: "QUITTANCE_MAIL_FROM",
    option: "mail-from",
    placeholder: "address",
    fallback: "",
    meaning: "the address that mail is from, or a name and <address>; needed with QUITTANCE_MAIL",
    details: "the address that mail is from; needed with `QUITTANCE_MAIL`",
    kind: sender,
  }),
};

/** How mail is sent, or null. */
export const joinMail = ({ mailRoute, mailFrom }: Parsed<typeof MAIL>): Value.Value<Mail | null> => {
  if (mailRoute === null && mailFrom === null) return Either.right(null);
  return mailRoute !== null && mailFrom !== null
    ? Either.right({ ...mailRoute, from: mailFrom })
    : Either.left(`${MAIL.mailRoute.name} and ${MAIL.mailFrom.name} must both be set, or none`);
};
