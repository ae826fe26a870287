/**
 * The application around the operations. It checks a request in a fixed order: path and method; size and media type of the
 * body; the credential (401); its scope (403); the form of the request (400). The service then checks its content.
 */
import { Context, Effect, FiberRef, FiberRefs, LogLevel, Runtime } from "effect";
import { Payments, TokenVerifier } from "quittance";
import * as Limit from "../api/shared/Limit.ts";
import * as ServiceHandlers from "../handlers/ServiceHandlers.ts";
import * as BodyMemory from "../transport/BodyMemory.ts";
import type { Handle, Request } from "../transport/HttpMessage.ts";
import * as Cors from "./Cors.ts";
import { UNLIMITED } from "./checks/Guards.ts";
import * as RateLimit from "./checks/RateLimit.ts";
import { readJson } from "./checks/RequestBody.ts";
import type { SessionCookie } from "./checks/SessionCookie.ts";
import { makeLocator, type ResponseEffect } from "./Dispatch.ts";
import { outcomeOf, statusOf } from "./Outcome.ts";
import * as RequestLog from "./observability/RequestLog.ts";
import * as Trace from "./observability/Trace.ts";
import * as PaymentWebhook from "./public/PaymentWebhook.ts";
import { routes as openRoutes, type PublicRoute } from "./public/PublicRoutes.ts";
import * as StaticFiles from "./public/StaticFiles.ts";
import { compile } from "./routing/Route.ts";

/** The services that the runtime of a host must provide. */
export type Services = ServiceHandlers.Services | Payments.Payments | TokenVerifier.TokenVerifier;

/** The options of a host. */
export interface Options {
  /** Succeeds when the store is reachable and migrated. `/readyz` reports it. */
  readonly ready: Effect.Effect<void, unknown>;
  /** Updates gauges that are read on demand; runs before each response of `/metrics`. */
  readonly measure?: Effect.Effect<void>;
  /** Turns the metrics of this process into the response of `/metrics`, as where several processes share a port. */
  readonly metrics?: (text: string) => Effect.Effect<string>;
  /** Time limit for a response to begin once the request has arrived; 30 seconds by default. */
  readonly responseMillisecondsMax?: number;
  /** The secrets with which payment providers sign, by the provider's name in the path; none by default. */
  readonly paymentWebhookSecrets?: PaymentWebhook.Secrets;
  /** The rate limit of each principal; none by default. Each process counts for itself. */
  readonly rateLimit?: RateLimit.RateLimit;
  /** Origins whose pages may call from a browser, each as in `https://app.example`; none by default. */
  readonly corsOrigins?: ReadonlyArray<string>;
  /** The limits of bodies; {@link Limit.SIZES} by default. */
  readonly sizes?: Limit.Sizes;
  /** The largest number of bytes of request bodies in memory; {@link Limit.BODY_MEMORY_BYTES_MAX} by default. */
  readonly bodyMemoryBytesMax?: number;
  /** Files that are sent without a credential, such as the pages of a user interface; none by default. */
  readonly files?: ReadonlyArray<StaticFiles.StaticFile>;
  /** Routes of the host's own, which need no bearer credential; none by default. */
  readonly routes?: ReadonlyArray<PublicRoute>;
  /** The cookie of people who have signed in with a browser; by default no cookie is a credential. */
  readonly sessionCookie?: SessionCookie;
  /** True if each request creates a span of the runtime's tracer; by default it does not. */
  readonly tracing?: boolean;
}

/** Headers of every response that does not set them itself. */
const COMMON_HEADERS = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

const requestIdOf = (request: Request): string => {
  const requested = request.header("x-request-id");
  return requested !== undefined && REQUEST_ID.test(requested) ? requested : crypto.randomUUID();
};

/** The application in the runtime of a host. Routes, decoders and meters are built once, here. */
export const make = (
  runtime: Runtime.Runtime<Services>,
  {
    ready,
    measure = Effect.void,
    metrics = Effect.succeed,
    paymentWebhookSecrets = {},
    rateLimit,
    corsOrigins = [],
    sizes = Limit.SIZES,
    bodyMemoryBytesMax = Limit.BODY_MEMORY_BYTES_MAX,
    files = [],
    routes = [],
    sessionCookie,
    tracing = false,
  }: Options,
): Handle => {
  const { context } = runtime;
  const verifier = Context.get(context, TokenVerifier.TokenVerifier);
  const take = rateLimit === undefined ? UNLIMITED : RateLimit.make(rateLimit);
  const cors = Cors.make(corsOrigins);
  const payments = Context.get(context, Payments.Payments);
  const locate = makeLocator(
    {
      sizes,
      bodyMemory: BodyMemory.make(bodyMemoryBytesMax),
      verifier,
      take,
      sessionCookie: sessionCookie ?? null,
    },
    [
      ...compile(ServiceHandlers.make(context), sizes),
      ...openRoutes(ready, measure, metrics),
      ...StaticFiles.routes(files),
      ...routes,
      PaymentWebhook.webhookRoute(payments, paymentWebhookSecrets),
    ],
  );
  const run = Runtime.runCallback(runtime);
  const minimum = FiberRefs.getOrDefault(runtime.fiberRefs, FiberRef.currentMinimumLogLevel);
  return (request, respond) => {
    const startedAt = performance.now();
    const info: RequestLog.RequestInfo = {
      method: request.method,
      route: RequestLog.UNMATCHED,
      requestId: requestIdOf(request),
      principalId: null,
      level: LogLevel.Info,
    };
    const located = locate(request, info);
    const begin = (response: ResponseEffect) =>
      run(tracing ? Trace.withSpan(info, request, response, statusOf) : response, {
        onExit: (exit) => {
          located.reservation.release();
          const { response, unforeseen } = outcomeOf(exit);
          const milliseconds = performance.now() - startedAt;
          located.record(response.status, milliseconds);
          if (unforeseen === "timed out") run(RequestLog.logTimeout(info));
          else if (unforeseen !== undefined) run(RequestLog.logFailure(info, unforeseen));
          if (LogLevel.lessThanEqual(minimum, info.level)) {
            run(RequestLog.logResponse(info, response.status, milliseconds));
          }
          respond({
            status: response.status,
            headers: Object.assign(
              {},
              COMMON_HEADERS,
              response.headers,
              cors(request, located.allow ?? null),
              {
                "x-request-id": info.requestId,
              },
            ),
            ...(response.cookies === undefined ? {} : { cookies: response.cookies }),
            body: response.body,
          });
        },
      });
    const { response } = located;
    if (Effect.isEffect(response)) return begin(response);
    let isGivenUp = false;
    let cancel = (): void => {
      isGivenUp = true;
      begin(Effect.interrupt);
    };
    readJson(request, response.bytesMax, located.reservation, (bytes) => {
      if (!isGivenUp) cancel = begin(response.onBody(bytes));
    });
    return () => cancel();
  };
};
