/** Sends spans to a collector of OpenTelemetry (OTLP over HTTP, as JSON), in the background and without failing anything. */
import * as OtlpSerialization from "@effect/opentelemetry/OtlpSerialization";
import * as OtlpTracer from "@effect/opentelemetry/OtlpTracer";
import * as FetchHttpClient from "@effect/platform/FetchHttpClient";
import * as HttpBody from "@effect/platform/HttpBody";
import { Layer } from "effect";
import type { Tracing } from "./Value.ts";

/** Everything a span may say of itself. What is not listed is not sent: a later span cannot give a secret away. */
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

interface Happening {
  readonly name: string;
  readonly attributes: ReadonlyArray<Attribute>;
}

/** What is looked at of a span in the protocol's JSON. */
interface Span {
  readonly kind: number;
  readonly parentSpanId?: string | undefined;
  readonly attributes: ReadonlyArray<Attribute>;
  readonly events: ReadonlyArray<Happening>;
  readonly status: { readonly code: number };
}

interface Traces {
  readonly resourceSpans: ReadonlyArray<{
    readonly scopeSpans: ReadonlyArray<{ readonly spans: ReadonlyArray<Span> }>;
  }>;
}

const CLIENT = 3;

/** Statements outside of any request, command or job: a worker that looks for work every half second. */
const isIdle = ({ kind, parentSpanId }: Span): boolean => kind === CLIENT && parentSpanId === undefined;

/** The name of what a span failed with. Its message and its stack may quote anything, and stay here. */
const errorOf = ({ attributes, events }: Span): ReadonlyArray<Attribute> => {
  if (attributes.some(({ key }) => key === "error.type")) return [];
  const exception = events.find(({ name }) => name === "exception");
  const type = exception?.attributes.find(({ key }) => key === "exception.type");
  return type === undefined ? [] : [{ key: "error.type", value: type.value }];
};

const discreet = (span: Span): Span => ({
  ...span,
  attributes: [...span.attributes, ...errorOf(span)].filter(({ key }) => ATTRIBUTES.has(key)),
  events: [],
  status: { code: span.status.code },
});

/** The traces without what is nobody's business outside. */
const cleaned = ({ resourceSpans }: Traces): Traces => ({
  resourceSpans: resourceSpans.map((resource) => ({
    ...resource,
    scopeSpans: resource.scopeSpans.map((scope) => ({
      ...scope,
      spans: scope.spans.filter((span) => !isIdle(span)).map(discreet),
    })),
  })),
});

const serialization = Layer.succeed(OtlpSerialization.OtlpSerialization, {
  // The tracer hands over the protocol's own JSON, of which `Traces` names the parts that are looked at.
  traces: (data) => HttpBody.unsafeJson(cleaned(data as Traces)),
  metrics: HttpBody.unsafeJson,
  logs: HttpBody.unsafeJson,
});

/** Sets the tracer of whatever runs in this layer; what is still unsent when it ends is sent then, for up to 3 s. */
export const layer = ({ endpoint, serviceName }: Tracing): Layer.Layer<never> =>
  OtlpTracer.layer({
    url: `${endpoint.replace(/\/+$/, "")}/v1/traces`,
    resource: { serviceName },
  }).pipe(Layer.provide([serialization, FetchHttpClient.layer]));
