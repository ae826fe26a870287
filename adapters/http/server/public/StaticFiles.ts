/** Files that the server sends to browsers without a credential, such as the pages of a user interface. */
import { Effect, LogLevel } from "effect";
import type { Request, Response } from "../../transport/HttpMessage.ts";
import type { PublicRoute } from "./PublicRoutes.ts";

/** One file. */
export interface StaticFile {
  /** Where it is served, beginning with a slash: `/console/` or `/console/app-1A2B.js`. */
  readonly path: string;
  /** Headers of its responses, its media type among them; names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** The same bytes compressed with gzip, for clients that accept it. */
  readonly gzip?: Uint8Array;
}

const GZIP = /(?:^|,)\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[\d.]+\s*)?(?:,|$)/i;

/** True if the client accepts gzip (RFC 9110, section 12.5.3). */
const acceptsGzip = (request: Request): boolean => GZIP.test(request.header("accept-encoding") ?? "");

const respond = ({ headers, body, gzip }: StaticFile, request: Request): Response => {
  const varied = gzip === undefined ? headers : { ...headers, vary: "accept-encoding" };
  return gzip !== undefined && acceptsGzip(request)
    ? { status: 200, headers: { ...varied, "content-encoding": "gzip" }, body: gzip }
    : { status: 200, headers: varied, body };
};

const publicRoute = (template: string, respond: (request: Request) => Response): PublicRoute => ({
  method: "GET",
  template,
  respond: (request) => Effect.succeed(respond(request)),
  level: LogLevel.Debug,
});

/** Redirects a folder without its slash; the target is relative, for hosts that mount the application under another path. */
const slashRedirect = (folder: string): PublicRoute =>
  publicRoute(folder, () => ({
    status: 302,
    headers: {
      location: `.${folder.slice(folder.lastIndexOf("/"))}/`,
      "content-type": "text/plain; charset=utf-8",
    },
    body: "",
  }));

/** A route for each file, and a redirect to each file whose path ends with a slash. */
export const routes = (files: ReadonlyArray<StaticFile>): ReadonlyArray<PublicRoute> =>
  files.flatMap((file) => [
    publicRoute(file.path, (request) => respond(file, request)),
    ...(file.path.endsWith("/") && file.path !== "/" ? [slashRedirect(file.path.slice(0, -1))] : []),
  ]);
