/** An OpenTelemetry collector that stores the received spans. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A span as it arrived, its attributes by name. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly kind: number;
  readonly status: { readonly code: number; readonly message?: string };
  readonly attributes: Readonly<Record<string, string | number>>;
}

type Value = { readonly stringValue?: string; readonly intValue?: number | string };

const spansOf = (body: string): ReadonlyArray<Span> =>
  JSON.parse(body).resourceSpans.flatMap((resource: { scopeSpans: Array<{ spans: Array<object> }> }) =>
    resource.scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        ...span,
        attributes: Object.fromEntries(
          (span as { attributes: Array<{ key: string; value: Value }> }).attributes.map(({ key, value }) => [
            key,
            value.stringValue ?? Number(value.intValue),
          ]),
        ),
      })),
    ),
  );

/** Listens on a free port of this machine. */
export const collector = async () => {
  const paths = new Set<string>();
  const bodies: Array<string> = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      paths.add(request.url ?? "");
      bodies.push(body);
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    paths,
    text: () => bodies.join("\n"),
    spans: () => bodies.flatMap(spansOf),
    close: () => server.close(),
  };
};
