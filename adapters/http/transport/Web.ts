/** Web-standard requests and responses. */
import { type Runtime, Stream } from "effect";
import * as Limit from "../api/shared/Limit.ts";
import type { Handle, Request, Response, Sink } from "./HttpMessage.ts";

const pull = async (body: ReadableStream<Uint8Array>, sink: Sink): Promise<void> => {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return sink.end("complete");
      if (sink.chunk(value)) continue;
      // A form that was made in this process is filled in the same turn; Node 24 ends the process where it is cancelled meanwhile.
      await new Promise((resolve) => setTimeout(resolve, 0));
      return await reader.cancel();
    }
  } catch {
    sink.end("aborted");
  }
};

const requestOf = (request: globalThis.Request): Request => {
  const { pathname, search } = new URL(request.url);
  let headerLength = 0;
  request.headers.forEach((value, name) => {
    headerLength += name.length + value.length;
  });
  return {
    method: request.method,
    target: `${pathname}${search}`,
    header: (name) => request.headers.get(name) ?? undefined,
    headerLength,
    hasArrived: request.body === null,
    body: (sink) => {
      if (request.body === null) sink.end("complete");
      else void pull(request.body, sink);
    },
  };
};

const bodyOf = (
  runtime: Runtime.Runtime<never>,
  method: string,
  body: Response["body"],
): ConstructorParameters<typeof globalThis.Response>[0] => {
  if (body === null || method === "HEAD") return null;
  if (typeof body === "string") return body;
  return body instanceof Uint8Array ? new Uint8Array(body) : Stream.toReadableStreamRuntime(body, runtime);
};

/** Passes web-standard requests to `handle`; bodies of responses are streamed in the runtime. */
export const handler = (
  handle: Handle,
  runtime: Runtime.Runtime<never>,
  responseMillisecondsMax: number = Limit.RESPONSE_MILLISECONDS_MAX,
): ((request: globalThis.Request) => Promise<globalThis.Response>) => {
  return (request) =>
    new Promise((resolve, reject) => {
      if (request.bodyUsed) {
        reject(
          new TypeError("the body of the request has been read before: pass a request that still has it"),
        );
        return;
      }
      const timer = setTimeout(() => cancel(), Limit.REQUEST_MILLISECONDS_MAX + responseMillisecondsMax);
      const cancel = handle(requestOf(request), ({ status, headers, cookies = [], body }) => {
        clearTimeout(timer);
        const response = new Response(bodyOf(runtime, request.method, body), { status, headers });
        for (const cookie of cookies) response.headers.append("set-cookie", cookie);
        resolve(response);
      });
    });
};
