/** One span per request; it continues the caller's trace (W3C Trace Context). */
import { Clock, Effect, Exit, Tracer } from "effect";
import type { Request, Response } from "../../transport/HttpMessage.ts";
import type { RequestInfo } from "./RequestLog.ts";

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/;
const SAMPLED = 1;

/** The caller's span, if the header has one. */
const parentOf = (request: Request): Tracer.ExternalSpan | null => {
  const match = TRACEPARENT.exec(request.header("traceparent") ?? "");
  if (match === null) return null;
  const [, traceId = "", spanId = "", flags = ""] = match;
  const sampled = (Number.parseInt(flags, 16) & SAMPLED) !== 0;
  return Tracer.externalSpan({ traceId, spanId, sampled });
};

/** The attributes are labels of the request, never its content. */
const attributesOf = ({ method, route, requestId }: RequestInfo) => ({
  "http.request.method": method,
  "http.route": route,
  "quittance.request_id": requestId,
});

/** Handles a request in a span of its own, or without one if the caller does not record its trace. */
export const withSpan = <Problem>(
  info: RequestInfo,
  request: Request,
  response: Effect.Effect<Response, Problem>,
  statusOf: (exit: Exit.Exit<Response, Problem>) => number,
): Effect.Effect<Response, Problem> => {
  const parent = parentOf(request);
  if (parent?.sampled === false) return Effect.withTracerEnabled(response, false);
  const endSpan = (span: Tracer.Span, exit: Exit.Exit<Response, Problem>) =>
    Effect.map(Clock.currentTimeNanos, (now) => {
      const status = statusOf(exit);
      span.attribute("http.response.status_code", status);
      if (status < 500) return span.end(now, Exit.void);
      span.attribute("error.type", String(status));
      span.end(now, Exit.fail(status));
    });
  const makeSpan = Effect.makeSpan(`${info.method} ${info.route}`, {
    kind: "server",
    ...(parent === null ? { root: true } : { parent }),
    attributes: attributesOf(info),
    captureStackTrace: false,
  });
  return Effect.flatMap(makeSpan, (span) =>
    Effect.onExit(Effect.withParentSpan(response, span), (exit) => endSpan(span, exit)),
  );
};
