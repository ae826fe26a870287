/** Which URLs requests may be sent to, as far as the text of the URL decides. */
import { isIP } from "node:net";
import { isPublic } from "./PublicAddress.ts";

/** What is wrong with a host that is not public. */
export const NOT_PUBLIC = "must lead to public addresses only";

/** The host of a URL, as it is connected to: without the brackets of an IPv6 address. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, "");

/**
 * Why no request is sent to a URL, before its name is resolved; null when one may be. `allowPrivate` allows plain http and
 * addresses that are not public.
 */
export const refusalOf = (
  text: string,
  { allowPrivate }: { readonly allowPrivate: boolean },
): string | null => {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return "must be an absolute URL";
  }
  if (url.protocol !== "https:" && !(allowPrivate && url.protocol === "http:"))
    return "must begin with https://";
  if (url.username !== "" || url.password !== "") return "must not contain a user name or a password";
  if (url.hash !== "") return "must not contain a fragment";
  const host = hostOf(url);
  if (allowPrivate) return null;
  if (isIP(host) !== 0) return isPublic(host) ? null : NOT_PUBLIC;
  const name = host.replace(/\.$/, "");
  return name === "localhost" || name.endsWith(".localhost") || !name.includes(".") ? NOT_PUBLIC : null;
};
