/** Cross-origin requests from browsers (Fetch Standard, "CORS protocol"). */
import type { Request, Response } from "../transport/HttpMessage.ts";

const ALLOWED_HEADERS = "authorization, content-type, idempotency-key, prefer, x-request-id";
const EXPOSED_HEADERS = "content-disposition, idempotent-replayed, retry-after, x-request-id";
const PREFLIGHT_SECONDS = 600;
const NOTHING: Response["headers"] = {};
const VARIES: Response["headers"] = { vary: "origin" };

/** The CORS headers of a response. */
type Headers = (request: Request, allow: string | null) => Response["headers"];

/**
 * Headers for the listed origins, each written as a browser sends it (`https://app.example`), and for no other. Cookies
 * are never requested: a page sends its bearer credential itself. `allow` are the methods of a preflighted path.
 */
export const make = (origins: ReadonlyArray<string>): Headers => {
  if (origins.length === 0) return () => NOTHING;
  const listed = new Set(origins);
  return (request, allow) => {
    const origin = request.header("origin");
    if (origin === undefined || !listed.has(origin)) return VARIES;
    const granted = { ...VARIES, "access-control-allow-origin": origin };
    return allow === null
      ? { ...granted, "access-control-expose-headers": EXPOSED_HEADERS }
      : {
          ...granted,
          "access-control-allow-methods": allow,
          "access-control-allow-headers": ALLOWED_HEADERS,
          "access-control-max-age": String(PREFLIGHT_SECONDS),
        };
  };
};
