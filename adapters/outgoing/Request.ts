/**
 * One outgoing POST request to an address that a user of the engine chose. The name is resolved once, every address of it
 * must be public, and the connection is made to the addresses that were checked. Redirects are not followed. Time and the
 * size of the response are bounded.
 */
import { type LookupAddress, lookup as lookupName } from "node:dns";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest, type RequestOptions } from "node:https";
import type { LookupFunction } from "node:net";
import { Data, Effect } from "effect";
import { isPublic } from "./PublicAddress.ts";
import { NOT_PUBLIC, refusalOf } from "./UrlCheck.ts";

/** Where requests may go, and what they may cost. */
export interface Limits {
  /** Allows plain http and addresses that are not public: for tests, and for receivers in the operator's own network. */
  readonly allowPrivate: boolean;
  /** From the resolution of the name to the last byte that is read of the response. */
  readonly timeoutMilliseconds: number;
  /** What is read of a response body; the connection is closed at the first byte beyond it. */
  readonly responseBytesMax: number;
  /** More certificate authorities, in PEM, added to those of Node; none by default. */
  readonly certificateAuthorities?: ReadonlyArray<string>;
}

/** What holds unless a host chooses otherwise. */
export const DEFAULT_LIMITS: Limits = {
  allowPrivate: false,
  timeoutMilliseconds: 15_000,
  responseBytesMax: 65_536,
};

export interface Outgoing {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Response {
  readonly status: number;
  /** The body as UTF-8; its beginning when it is truncated. */
  readonly body: string;
  readonly isTruncated: boolean;
}

/** No response was received. `refused` requests were not sent and never will be while the URL and the limits are the same. */
export class RequestFailed extends Data.TaggedError("RequestFailed")<{
  readonly reason: "refused" | "unreachable" | "timeout";
  /** Names the host or the problem, never a resolved address. */
  readonly message: string;
}> {}

/** Resolves a name to its addresses, in the order of the resolver. */
export type Resolve = (
  host: string,
  done: (error: Error | null, addresses: ReadonlyArray<LookupAddress>) => void,
) => void;

const resolveName: Resolve = (host, done) => lookupName(host, { all: true, verbatim: true }, done);

class NotPublic extends Error {}

/** The look-up of a connection: fails unless every address is public, and returns the addresses that were checked. */
const checkedLookup =
  (resolve: Resolve, allowPrivate: boolean): LookupFunction =>
  (host, options, done) => {
    resolve(host, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error !== null) return done(error, "", 4);
      if (first === undefined) return done(new Error(`no address of ${host} was found`), "", 4);
      if (!allowPrivate && !addresses.every(({ address }) => isPublic(address)))
        return done(new NotPublic(NOT_PUBLIC), "", 4);
      if (options.all === true) return done(null, [...addresses]);
      return done(null, first.address, first.family);
    });
  };

/** Reads a body up to a number of bytes; stops reading at the first byte beyond. */
const readBody = (
  message: IncomingMessage,
  bytesMax: number,
  done: (error: Error | null, response: Response | null) => void,
): void => {
  const chunks: Array<Buffer> = [];
  let size = 0;
  const finish = (isTruncated: boolean): void =>
    done(null, {
      status: message.statusCode ?? 0,
      body: Buffer.concat(chunks).subarray(0, bytesMax).toString("utf8"),
      isTruncated,
    });
  message.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size <= bytesMax) return;
    finish(true);
    message.destroy();
  });
  message.on("end", () => finish(false));
  message.on("error", (error) => done(error, null));
};

const failureOf = (error: Error): RequestFailed =>
  error instanceof NotPublic
    ? new RequestFailed({ reason: "refused", message: `the host ${error.message}` })
    : new RequestFailed({
        reason: "unreachable",
        message: "code" in error && typeof error.code === "string" ? error.code : error.message,
      });

/** Sends requests within the limits. `resolve` replaces the resolver of the system. */
export const sender =
  (limits: Limits, resolve: Resolve = resolveName) =>
  ({ url, headers, body }: Outgoing): Effect.Effect<Response, RequestFailed> =>
    Effect.async((resume) => {
      const refusal = refusalOf(url, limits);
      if (refusal !== null)
        return resume(Effect.fail(new RequestFailed({ reason: "refused", message: `the URL ${refusal}` })));
      const target = new URL(url);
      const options: RequestOptions = {
        method: "POST",
        headers: { ...headers, "content-length": Buffer.byteLength(body) },
        lookup: checkedLookup(resolve, limits.allowPrivate),
        // A connection of its own for each request, so that the addresses are checked each time.
        agent: false,
        ...(limits.certificateAuthorities === undefined ? {} : { ca: [...limits.certificateAuthorities] }),
      };
      const request = (target.protocol === "https:" ? httpsRequest : httpRequest)(target, options);
      const conclude = (outcome: Effect.Effect<Response, RequestFailed>): void => {
        clearTimeout(timer);
        resume(outcome);
        request.destroy();
      };
      const timer = setTimeout(() => {
        const message = `no complete response within ${limits.timeoutMilliseconds} ms`;
        conclude(Effect.fail(new RequestFailed({ reason: "timeout", message })));
      }, limits.timeoutMilliseconds);
      request.on("error", (error) => conclude(Effect.fail(failureOf(error))));
      request.on("response", (message) =>
        readBody(message, limits.responseBytesMax, (error, response) =>
          conclude(
            response === null
              ? Effect.fail(failureOf(error ?? new Error("no response")))
              : Effect.succeed(response),
          ),
        ),
      );
      request.end(body);
      return Effect.sync(() => {
        clearTimeout(timer);
        request.destroy();
      });
    });
