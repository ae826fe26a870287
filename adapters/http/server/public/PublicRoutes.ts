/** Routes that need no credential: health, readiness, metrics, and the description of the interface. */
import { Effect, Fiber, LogLevel } from "effect";

import * as Responses from "../../handlers/Responses.ts";
import type { Reservation } from "../../transport/BodyMemory.ts";
import { type Failure, unavailable } from "../../transport/Failure.ts";
import type { Request, Response } from "../../transport/HttpMessage.ts";
import * as Prometheus from "../observability/Prometheus.ts";
import * as Docs from "./Docs.ts";
import { openApiInSteps } from "./OpenApiInSteps.ts";

/** An endpoint that takes no bearer credential. */
export interface PublicRoute {
  readonly method: "GET" | "POST";
  readonly template: string;
  readonly respond: (
    request: Request,
    parameter: string,
    reservation: Reservation,
  ) => Effect.Effect<Response, Failure>;
  /** The level of its log lines; low for probes, which are frequent. */
  readonly level: LogLevel.LogLevel;
}

const route = (template: string, response: Effect.Effect<Response>): PublicRoute => ({
  method: "GET",
  template,
  respond: () => response,
  level: LogLevel.Debug,
});

const ok = Responses.json({ status: "ok" });

/** Redirects to the documentation; the target is relative, for hosts that mount the application under another path. */
const docsRedirect: Response = {
  status: 302,
  headers: { location: "./docs", "content-type": "text/plain; charset=utf-8" },
  body: "The documentation is at ./docs, the OpenAPI document at ./openapi.json, the API under ./api/v1.\n",
};

const htmlResponse = (page: string): Response => ({
  status: 200,
  headers: {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": Docs.CONTENT_SECURITY_POLICY,
  },
  body: page,
});

const metricsResponse = (body: string): Response => ({
  status: 200,
  headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" },
  body,
});

/** Computes a value at the first request, to the end also where its client leaves: the others wait for the same value. */
const once = <A>(compute: Effect.Effect<A>): Effect.Effect<A> =>
  Effect.flatMap(Effect.runSync(Effect.cached(Effect.forkDaemon(compute))), Fiber.join);

/**
 * The public routes. `ready` succeeds when the service is ready; `measure` runs before metrics are read; `metrics` turns
 * the metrics of this process into the response.
 */
export const routes = (
  ready: Effect.Effect<void, unknown>,
  measure: Effect.Effect<void>,
  metrics: (processMetrics: string) => Effect.Effect<string>,
): ReadonlyArray<PublicRoute> => {
  const processMetrics = Effect.zipRight(measure, Effect.sync(Prometheus.text));
  const contract = once(openApiInSteps);
  const document = once(Effect.map(contract, Responses.json));
  const page = once(Effect.flatMap(contract, Docs.page));
  return [
    route("/", Effect.succeed(docsRedirect)),
    route("/healthz", Effect.succeed(ok)),
    route("/readyz", Effect.match(ready, { onSuccess: () => ok, onFailure: () => unavailable })),
    route("/openapi.json", document),
    route("/docs", Effect.map(page, htmlResponse)),
    route("/metrics", Effect.map(Effect.flatMap(processMetrics, metrics), metricsResponse)),
  ];
};
