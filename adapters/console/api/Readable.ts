/** Texts of others as the pages show them: nothing in them hides or reorders the text around them. */
import { language } from "../words/Language.ts";

/**
 * In the text of a JSON response: controls but tabs and line ends, and the characters that embed, override or isolate a direction,
 * as they are or escaped. Other escapes are matched too, and kept: a backslash may itself be escaped.
 */
const HIDDEN =
  /\\(?:u00(?:0[0-8bcef]|1[\da-f]|7f|[89][\da-f])|u20(?:2[89a-e]|6[6-9])|[bf])|(\\.)|[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/gi;

/** A JSON text with a visible mark in place of each such character. */
export const readable = (json: string): string =>
  json.replace(HIDDEN, (_, kept: string | undefined) => kept ?? "\ufffd");

/** Requests in the session of the browser, which adds its cookie to them. */
export const fetchInSession: typeof fetch = (url, request = {}) => {
  const headers = new Headers(request.headers);
  headers.delete("authorization");
  headers.set("quittance-session", "1");
  return fetchReadable(url, { ...request, headers });
};

/** Requests whose sentences are in the reader's language, and whose JSON responses are readable. */
export const fetchReadable: typeof fetch = async (url, request = {}) => {
  const asked = new Headers(request.headers);
  const tag = language();
  if (tag !== null) asked.set("accept-language", tag);
  const response = await fetch(url, { ...request, headers: asked });
  if (!(response.headers.get("content-type") ?? "").startsWith("application/json")) return response;
  const { status, statusText, headers } = response;
  return new Response(readable(await response.text()), { status, statusText, headers });
};
