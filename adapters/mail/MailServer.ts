/** The URL of a mail server. A module of its own, because every command of the command line reads the settings. */
import { Either } from "effect";

/** How a mail server is reached. */
export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** `direct`: from the first byte; `starttls`: before anything is sent; `off`: not at all. */
  readonly tls: "direct" | "starttls" | "off";
  /** Null: without signing in. */
  readonly auth: { readonly user: string; readonly pass: string } | null;
}

const PORTS = { "smtps:": 465, "smtp:": 587 } as const;

const decoded = (text: string): string | null => {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
};

/** The server that `smtp://[user:password@]host[:port][?tls=off]` or `smtps://…` names, or what is wrong; that repeats no password. */
export const mailServerOf = (text: string): Either.Either<MailServer, string> => {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== "smtp:" && url.protocol !== "smtps:") || url.hostname === "")
    return Either.left("must be smtp://<host>, smtps://<host> or file:<folder>");
  if (!["", "/"].includes(url.pathname) || url.hash !== "" || !["", "?tls=off"].includes(url.search))
    return Either.left("must have nothing but ?tls=off after host and port");
  const [user, pass] = [decoded(url.username), decoded(url.password)];
  if (user === null || pass === null || (user === "") !== (pass === ""))
    return Either.left("must have both a user and a password or neither, percent-encoded");
  const isOff = url.search !== "";
  if (isOff && (user !== "" || url.protocol === "smtps:"))
    return Either.left("must not have tls=off beside a password or smtps://");
  return Either.right({
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? PORTS[url.protocol] : Number(url.port),
    tls: isOff ? "off" : url.protocol === "smtps:" ? "direct" : "starttls",
    auth: user === "" ? null : { user, pass },
  });
};
