/** The application on a server: a listener for a Node server, a whole Node server, or a function of web standards. */
import type { IncomingMessage, Server } from "node:http";
import type { Runtime } from "effect";
import * as HttpApp from "./server/HttpApp.ts";
import type { Handle } from "./transport/HttpMessage.ts";
import * as Node from "./transport/Node.ts";
import * as Web from "./transport/Web.ts";

/** What a host decides of an application that it mounts. */
export interface MountOptions extends HttpApp.Options {
  /**
   * The path below which the host mounts the application, such as `/billing`: the operations are then below
   * `/billing/api/v1/`. None by default. Express needs none, because it passes on what it cuts off.
   */
  readonly prefix?: string;
}

/** Cuts the prefix off the targets of requests; other targets pass unchanged. */
const stripPrefix = (prefix: string | undefined, handle: Handle): Handle => {
  if (prefix === undefined) return handle;
  if (!/^(\/[^/?#]+)+$/.test(prefix)) {
    throw new Error(`prefix: must be a path such as /billing, without a slash at its end, and not ${prefix}`);
  }
  return (request, respond) => {
    const { target } = request;
    const isBelow = target.startsWith(`${prefix}/`);
    return handle(isBelow ? { ...request, target: target.slice(prefix.length) } : request, respond);
  };
};

/**
 * A request listener for a Node server of the host. Requests run in the given runtime, whose services, logger and log
 * level they use. Limits that only a server can hold (sizes of heads, time to arrive, number of connections) are the
 * host's; see {@link nodeServer}.
 */
export const nodeHandler = (
  runtime: Runtime.Runtime<HttpApp.Services>,
  options: MountOptions,
): Node.Listener =>
  Node.listeners(
    stripPrefix(options.prefix, HttpApp.make(runtime, options)),
    runtime,
    options.responseMillisecondsMax,
  ).request;

/** What a host decides of a server made here. */
export interface ServerOptions extends HttpApp.Options {
  /** How many connections may be open at once; a further one is closed at once. `Limit.CONNECTIONS_MAX` by default. */
  readonly connectionsMax?: number;
  /** Who handles a request that is not for this application, by its head; null for a request that is, as all are by default. */
  readonly elsewhere?: (incoming: IncomingMessage) => Node.Listener | null;
}

/** A listener that leaves to others what is not for this application. */
const withElsewhere =
  (own: Node.Listener, elsewhere: NonNullable<ServerOptions["elsewhere"]>): Node.Listener =>
  (incoming, outgoing) =>
    (elsewhere(incoming) ?? own)(incoming, outgoing);

/** A Node server with the application on it and every limit set; not listening yet. */
export const nodeServer = (runtime: Runtime.Runtime<HttpApp.Services>, options: ServerOptions): Server => {
  const { elsewhere, connectionsMax } = options;
  const own = Node.listeners(HttpApp.make(runtime, options), runtime, options.responseMillisecondsMax);
  return Node.server(
    elsewhere === undefined
      ? own
      : {
          request: withElsewhere(own.request, elsewhere),
          checkContinue: withElsewhere(own.checkContinue, elsewhere),
        },
    connectionsMax,
  );
};

/**
 * A function from request to response. Requests run in the given runtime, whose services, logger and log level they
 * use. The time that a request may take to arrive is up to the server.
 */
export const webHandler = (
  runtime: Runtime.Runtime<HttpApp.Services>,
  options: MountOptions,
): ((request: Request) => Promise<Response>) =>
  Web.handler(
    stripPrefix(options.prefix, HttpApp.make(runtime, options)),
    runtime,
    options.responseMillisecondsMax,
  );
