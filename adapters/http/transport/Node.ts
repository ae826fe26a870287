/** Requests and responses of Node's own HTTP server. */
import * as Http from "node:http";
import type { Duplex } from "node:stream";
import { Effect, Exit, Runtime, Stream } from "effect";
import * as Limit from "../api/shared/Limit.ts";
import * as Failure from "./Failure.ts";
import type { Handle, Request, Response } from "./HttpMessage.ts";

/** A body of at most this length is read to its end after an early response, so that the connection can be kept. */
const DRAIN_BYTES_MAX = Limit.JSON_BYTES_MAX;

/** How long what follows an early response is read and dropped, so that its sender can read the response. */
const LINGER_MILLISECONDS = 1_000;

/** The whole head may be twice what the application accepts, so that the application refuses it. */
const PARSER_HEAD_BYTES_MAX = 2 * Limit.HEAD_LENGTH_MAX;

const AUTHORIZATION = "authorization";

/** Node keeps the first of several credentials; here several count as none. */
const credentialOf = (incoming: Http.IncomingMessage): string | undefined => {
  const { rawHeaders } = incoming;
  let found: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length !== AUTHORIZATION.length || name.toLowerCase() !== AUTHORIZATION) continue;
    if (found !== undefined) return undefined;
    found = rawHeaders[index + 1];
  }
  return found;
};

const lengthOf = (rawHeaders: ReadonlyArray<string>): number => {
  let length = 0;
  for (const text of rawHeaders) length += text.length;
  return length;
};

/** Every operation has a path below this one. */
const BASE = "/api/v1";

/** The path and query of a target, which a proxy's request may precede by scheme and host. */
const pathOf = (url: string): string => {
  if (url.startsWith("/") || !URL.canParse(url)) return url;
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
};

/** The target without a prefix: a framework may have cut a prefix from it, which `originalUrl` still has. */
const targetOf = (incoming: Http.IncomingMessage): string => {
  const target = pathOf(incoming.url ?? "/");
  if (target.startsWith(BASE) || !("originalUrl" in incoming)) return target;
  const { originalUrl } = incoming;
  if (typeof originalUrl !== "string") return target;
  const start = originalUrl.split("?", 1)[0]?.indexOf(`${BASE}/`) ?? -1;
  return start < 0 ? target : originalUrl.slice(start);
};

/** The bytes of a body that a framework has read and parsed before; null when the stream still has it. */
const parsedBody = (incoming: Http.IncomingMessage): Uint8Array | null => {
  if (!incoming.readableEnded || !("body" in incoming) || incoming.body === undefined) return null;
  const { body } = incoming;
  if (body instanceof Uint8Array) return body;
  return Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
};

/** A request; `sendContinue` sends `100 Continue` if the sender waits for it. */
const requestOf = (incoming: Http.IncomingMessage, sendContinue: () => void): Request => ({
  method: incoming.method ?? "GET",
  target: targetOf(incoming),
  header: (name) => {
    if (name === AUTHORIZATION) return credentialOf(incoming);
    const value = incoming.headers[name];
    return typeof value === "object" ? value.join(", ") : value;
  },
  headerLength: lengthOf(incoming.rawHeaders),
  hasArrived: incoming.complete,
  body: (sink) => {
    sendContinue();
    let over = false;
    const end = (outcome: "complete" | "aborted") => {
      if (over) return;
      over = true;
      sink.end(outcome);
    };
    const parsed = parsedBody(incoming);
    if (parsed !== null) {
      if (sink.chunk(parsed)) end("complete");
      return;
    }
    // The sender may have closed the connection before the request's turn, or a framework may have read the body without
    // keeping it in `body`; no event reports that.
    if (incoming.destroyed || incoming.readableEnded) {
      end("aborted");
      return;
    }
    incoming.on("data", (chunk: Uint8Array) => {
      if (!over) over = !sink.chunk(chunk);
    });
    incoming.on("end", () => end("complete"));
    incoming.on("close", () => end("aborted"));
  },
});

/** True if the rest of the body is longer than what is read and dropped. */
const hasLongRemainder = (incoming: Http.IncomingMessage): boolean => {
  if (incoming.complete) return false;
  const declared = incoming.headers["content-length"];
  return declared === undefined
    ? incoming.headers["transfer-encoding"] !== undefined
    : Number(declared) > DRAIN_BYTES_MAX;
};

const lengthOfBody = ({ status, body }: Response): number | null => {
  if (body === null) return status === 204 ? null : 0;
  if (typeof body === "string") return Buffer.byteLength(body);
  return body instanceof Uint8Array ? body.length : null;
};

/** True if the server has stopped listening: a response then ends its connection, so that no further request uses it. */
const isStopping = ({ socket }: Http.IncomingMessage): boolean =>
  "server" in socket && socket.server instanceof Http.Server && !socket.server.listening;

/** Names and values alternately. */
const headOf = (response: Response, closing: boolean): Array<string> => {
  const head: Array<string> = [];
  for (const [name, value] of Object.entries(response.headers)) head.push(name, value);
  for (const cookie of response.cookies ?? []) head.push("set-cookie", cookie);
  if (closing) head.push("connection", "close");
  const length = lengthOfBody(response);
  if (length !== null) head.push("content-length", String(length));
  return head;
};

/** Ends the response when the sender has stopped sending, or after the time limit: closing at once may discard the response. */
export const linger = (incoming: Http.IncomingMessage, outgoing: Http.ServerResponse): void => {
  const end = (): void => {
    outgoing.end();
  };
  const timer = setTimeout(end, LINGER_MILLISECONDS);
  incoming.once("close", () => clearTimeout(timer));
  incoming.once("end", end);
  incoming.resume();
};

/** Resolves when the connection accepts more data, or is closed. */
const awaitDrain = (outgoing: Http.ServerResponse): Effect.Effect<void> =>
  Effect.async((resume) => {
    const settle = (): void => {
      outgoing.off("drain", settle);
      outgoing.off("close", settle);
      resume(Effect.void);
    };
    outgoing.on("drain", settle);
    outgoing.on("close", settle);
  });

const pump = (
  runtime: Runtime.Runtime<never>,
  body: Stream.Stream<Uint8Array, unknown>,
  outgoing: Http.ServerResponse,
): void => {
  const writeAll = Stream.runForEach(body, (chunk) =>
    Effect.suspend(() => (outgoing.write(chunk) || outgoing.destroyed ? Effect.void : awaitDrain(outgoing))),
  );
  const cancel = Runtime.runCallback(runtime)(writeAll, {
    onExit: (exit) => {
      if (Exit.isSuccess(exit)) outgoing.end();
      else outgoing.destroy();
    },
  });
  outgoing.once("close", () => cancel());
};

const write = (
  runtime: Runtime.Runtime<never>,
  incoming: Http.IncomingMessage,
  outgoing: Http.ServerResponse,
  response: Response,
): void => {
  if (outgoing.destroyed) return;
  const closing = hasLongRemainder(incoming);
  const { body } = response;
  outgoing.writeHead(response.status, headOf(response, closing || isStopping(incoming)));
  if (
    body !== null &&
    incoming.method !== "HEAD" &&
    typeof body !== "string" &&
    !(body instanceof Uint8Array)
  ) {
    pump(runtime, body, outgoing);
    return;
  }
  const bytes = incoming.method === "HEAD" || Stream.StreamTypeId in Object(body) ? null : body;
  if (!closing) outgoing.end(bytes);
  else {
    if (typeof bytes === "string" || bytes instanceof Uint8Array) outgoing.write(bytes);
    else outgoing.flushHeaders();
    linger(incoming, outgoing);
  }
};

/**
 * Collects tasks until `later` calls back, and runs them one after the other. When several requests take the same step together, its
 * code is in the processor's caches: one at a time, between the system calls of their sockets, each costs about twice as
 * much.
 */
const batchTasks = (later: (run: () => void) => void): ((task: () => void) => void) => {
  let waiting: Array<() => void> = [];
  const run = (): void => {
    const tasks = waiting;
    waiting = [];
    for (const task of tasks) task();
  };
  return (task) => {
    if (waiting.push(task) === 1) later(run);
  };
};

const NOTHING = (): void => {};

/** Handles a request of a Node server. */
export type Listener = (incoming: Http.IncomingMessage, outgoing: Http.ServerResponse) => void;

/** The listeners for requests, and for requests whose sender waits for `100 Continue`. */
interface Listeners {
  readonly request: Listener;
  readonly checkContinue: Listener;
}

/** Listeners that pass requests to `handle`; bodies of responses are streamed in the runtime. */
export const listeners = (
  handle: Handle,
  runtime: Runtime.Runtime<never>,
  responseMillisecondsMax: number = Limit.RESPONSE_MILLISECONDS_MAX,
): Listeners => {
  const scheduleRequest = batchTasks(setImmediate);
  const scheduleResponse = batchTasks(process.nextTick);
  const accept = (
    incoming: Http.IncomingMessage,
    outgoing: Http.ServerResponse,
    sendContinue: () => void,
  ): void => {
    const expire = (): void => {
      if (incoming.complete) cancel();
      else timer = setTimeout(expire, responseMillisecondsMax);
    };
    let timer = setTimeout(expire, responseMillisecondsMax);
    const cancel = handle(requestOf(incoming, sendContinue), (response) => {
      clearTimeout(timer);
      scheduleResponse(() => write(runtime, incoming, outgoing, response));
    });
  };
  return {
    request: (incoming, outgoing) => scheduleRequest(() => accept(incoming, outgoing, NOTHING)),
    checkContinue: (incoming, outgoing) =>
      scheduleRequest(() => accept(incoming, outgoing, () => outgoing.writeContinue())),
  };
};

/** What Node says when a head or body does not arrive in time. */
const STALLED = "ERR_HTTP_REQUEST_TIMEOUT";

const REASONS: Readonly<Record<string, Response>> = {
  HPE_HEADER_OVERFLOW: Failure.headersTooLarge(Limit.HEAD_LENGTH_MAX),
  [STALLED]: Failure.requestTimeout,
};

/** The parts of a response to data that reaches no handler; the response closes the connection. */
const refusalOf = ({ status, headers, body }: Response) => {
  const text = typeof body === "string" ? body : "";
  return {
    status,
    text,
    headers: {
      ...headers,
      "content-length": Buffer.byteLength(text),
      "x-request-id": crypto.randomUUID(),
      connection: "close",
    },
  };
};

/**
 * Sends the last text of a connection and closes it, also when the sender does not: until then it holds one of the server's places.
 * Closing at once would discard the text where the sender is still sending; a stalled one sends nothing.
 */
const part = (socket: Duplex, text: string, isStalled: boolean): void => {
  const destroy = (): void => {
    socket.destroy();
  };
  const timer = setTimeout(destroy, LINGER_MILLISECONDS);
  socket.once("close", () => clearTimeout(timer));
  socket.end(text, isStalled ? destroy : undefined);
  socket.resume();
};

/** Responds to data that is no request: garbage, an endless head, a stalled sender. */
const refuse = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const refusal = refusalOf(REASONS[error.code ?? ""] ?? Failure.badRequest("The data is not HTTP"));
  const head = Object.entries(refusal.headers).map(([name, value]) => `${name}: ${value}\r\n`);
  part(
    socket,
    `HTTP/1.1 ${refusal.status} ${Http.STATUS_CODES[refusal.status]}\r\n${head.join("")}\r\n${refusal.text}`,
    error.code === STALLED,
  );
};

/** Refuses a request of HTTP/1.1 without a host, as HTTP requires, in the form of every error. */
const withHost =
  (listener: Listener): Listener =>
  (incoming, outgoing) => {
    if (incoming.headers.host !== undefined || incoming.httpVersion !== "1.1") {
      listener(incoming, outgoing);
      return;
    }
    const { status, headers, text } = refusalOf(Failure.badRequest("The header Host is missing"));
    outgoing.writeHead(status, headers).end(text);
  };

/** A Node server with these listeners and every limit; it does not listen yet. */
export const server = (
  { request, checkContinue }: Listeners,
  connectionsMax: number = Limit.CONNECTIONS_MAX,
): Http.Server => {
  const httpServer = Http.createServer(
    {
      maxHeaderSize: PARSER_HEAD_BYTES_MAX,
      headersTimeout: Limit.HEAD_MILLISECONDS_MAX,
      requestTimeout: Limit.REQUEST_MILLISECONDS_MAX,
      connectionsCheckingInterval: 1_000,
      keepAliveTimeout: Limit.KEEP_ALIVE_MILLISECONDS,
      // Node would refuse it with a response of its own form.
      requireHostHeader: false,
    },
    withHost(request),
  );
  httpServer.maxConnections = connectionsMax;
  httpServer.timeout = Limit.UNMOVING_MILLISECONDS_MAX;
  // Node would refuse an expectation that it does not know; HTTP lets a server ignore it.
  return httpServer
    .on("checkContinue", withHost(checkContinue))
    .on("checkExpectation", withHost(request))
    .on("clientError", refuse);
};
