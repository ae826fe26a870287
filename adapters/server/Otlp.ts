/** Sends spans to an OpenTelemetry collector (OTLP over HTTP, as JSON) in the background; a failure has no other effect. */
import * as OtlpSerialization from "@effect/opentelemetry/OtlpSerialization";
import * as OtlpTracer from "@effect/opentelemetry/OtlpTracer";
import * as FetchHttpClient from "@effect/platform/FetchHttpClient";
import * as HttpBody from "@effect/platform/HttpBody";
import { Layer } from "effect";
import type { Tracing } from "./Value.ts";

/** The attributes of spans that are sent. Others are not, so that a future span cannot leak a secret. */
const ATTRIBUTES: ReadonlySet<string> = new Set([
  "http.request.method",
  "http.route",
  "http.response.status_code",
  "quittance.request_id",
  "quittance.attempts",
  "quittance.changes",
  "quittance.messages",
  "quittance.topic",
  "quittance.attempt",
  "db.system.name",
  "db.operation.name",
  "error.type",
]);

interface Attribute {
  readonly key: string;
  readonly value: unknown;
}

interface SpanEvent {
  readonly name: string;
  readonly attributes: ReadonlyArray<Attribute>;
}

/** The parts of a span in the protocol's JSON that this module reads. */
interface Span {
  readonly kind: number;
  readonly parentSpanId?: string | undefined;
  readonly attributes: ReadonlyArray<Attribute>;
  readonly events: ReadonlyArray<SpanEvent>;
  readonly status: { readonly code: number };
}

interface Traces {
  readonly resourceSpans: ReadonlyArray<{
    readonly scopeSpans: ReadonlyArray<{ readonly spans: ReadonlyArray<Span> }>;
  }>;
}

const CLIENT = 3;

/** True if a span is a statement outside any request, command or job: a worker polls every half second. */
const isIdle = ({ kind, parentSpanId }: Span): boolean => kind === CLIENT && parentSpanId === undefined;

/** The type of a span's error. The message and the stack may contain secrets and are not sent. */
const errorOf = ({ attributes, events }: Span): ReadonlyArray<Attribute> => {
  if (attributes.some(({ key }) => key === "error.type")) return [];
  const exception = events.find(({ name }) => name === "exception");
  const type = exception?.attributes.find(({ key }) => key === "exception.type");
  return type === undefined ? [] : [{ key: "error.type", value: type.value }];
};

const redactSpan = (span: Span): Span => ({
  ...span,
  attributes: [...span.attributes, ...errorOf(span)].filter(({ key }) => ATTRIBUTES.has(key)),
  events: [],
  status: { code: span.status.code },
});

/** The traces without attributes that may contain secrets, and without idle spans. */
const redactTraces = ({ resourceSpans }: Traces): Traces => ({
  resourceSpans: resourceSpans.map((resource) => ({
    ...resource,
    scopeSpans: resource.scopeSpans.map((scope) => ({
      ...scope,
      spans: scope.spans.filter((span) => !isIdle(span)).map(redactSpan),
    })),
  })),
});

const serialization = Layer.succeed(OtlpSerialization.OtlpSerialization, {
  // The tracer passes the protocol's own JSON; `Traces` declares the parts that this module reads.
  traces: (data) => HttpBody.unsafeJson(redactTraces(data as Traces)),
  metrics: HttpBody.unsafeJson,
  logs: HttpBody.unsafeJson,
});

/** Sets the tracer of everything in this layer; when it ends, unsent spans are sent, for up to 3 s. */
export const layer = ({ endpoint, serviceName }: Tracing): Layer.Layer<never> =>
  OtlpTracer.layer({
    url: `${endpoint.replace(/\/+$/, "")}/v1/traces`,
    resource: { serviceName },
  }).pipe(Layer.provide([serialization, FetchHttpClient.layer]));
