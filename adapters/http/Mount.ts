/** The application on a server: a listener for a Node server, a whole Node server, or a function of web standards. */
import type { Server } from "node:http";
import type { Runtime } from "effect";
import * as HttpApp from "./server/HttpApp.ts";
import * as Node from "./transport/Node.ts";
import * as Web from "./transport/Web.ts";

/**
 * A request listener for a Node server of the host. Requests run in the given runtime, whose services, logger and log
 * level they use. Limits that only a server can hold (sizes of heads, time to arrive, number of connections) are the
 * host's; see {@link nodeServer}.
 */
export const nodeHandler = (
  runtime: Runtime.Runtime<HttpApp.Services>,
  options: HttpApp.Options,
): Node.Listener =>
  Node.listeners(HttpApp.make(runtime, options), runtime, options.answerMillisecondsMax).request;

/** What a host decides of a server made here. */
export interface ServerOptions extends HttpApp.Options {
  /** How many connections may be open at once; a further one is closed at once. `Limit.CONNECTIONS_MAX` by default. */
  readonly connectionsMax?: number;
}

/** A Node server with the application on it and every limit set; not listening yet. */
export const nodeServer = (runtime: Runtime.Runtime<HttpApp.Services>, options: ServerOptions): Server =>
  Node.server(
    Node.listeners(HttpApp.make(runtime, options), runtime, options.answerMillisecondsMax),
    options.connectionsMax,
  );

/**
 * A function from request to response. Requests run in the given runtime, whose services, logger and log level they
 * use. The time that a request may take to arrive is up to the server.
 */
export const webHandler = (
  runtime: Runtime.Runtime<HttpApp.Services>,
  options: HttpApp.Options,
): ((request: Request) => Promise<Response>) =>
  Web.handler(HttpApp.make(runtime, options), runtime, options.answerMillisecondsMax);
