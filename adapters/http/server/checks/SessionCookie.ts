/**
 * The credential of a person who has signed in with a browser: a cookie that no script can read. Other sites cannot use it: a
 * request needs a header that only scripts of this origin may send, and one that changes something also this origin.
 */
import { Refusal } from "quittance";
import type { Request } from "../../transport/HttpMessage.ts";
import { BEARER_TOKEN } from "./BearerToken.ts";

/** The cookie of sessions. */
export interface SessionCookie {
  readonly name: string;
  /** The origin of the pages that use it, as browsers send it: `https://pay.example`. */
  readonly origin: string;
}

/** The header of every request that uses the cookie; its value has no meaning. */
export const SESSION_HEADER = "quittance-session";

/** The value of a cookie of a request (RFC 6265, section 4.2.1), or undefined; so it is also where the name occurs twice. */
export const cookieOf = (request: Request, name: string): string | undefined => {
  const values = (request.header("cookie") ?? "")
    .split(/[;,]/)
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return values.length === 1 ? values[0] : undefined;
};

const CREDENTIAL = new RegExp(`^${BEARER_TOKEN}$`);

/** The credential in the cookie of a request that has the header, or undefined. */
export const sessionTokenOf = ({ name }: SessionCookie, request: Request): string | undefined => {
  const stated = request.header(SESSION_HEADER) === undefined ? undefined : cookieOf(request, name);
  return stated !== undefined && CREDENTIAL.test(stated) ? stated : undefined;
};

/** True if a request changes something and does not come from a page of the origin. */
export const isForeign = ({ origin }: SessionCookie, request: Request): boolean =>
  request.method !== "GET" && request.method !== "HEAD" && request.header("origin") !== origin;

/** The refusal of such a request. */
export const FOREIGN = Refusal.forbidden("The request does not come from a page of this server");
