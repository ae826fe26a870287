/** Passes requests on to a server behind a socket: heads and bodies as they are, without cookies. */
import * as Http from "node:http";
import { pipeline } from "node:stream";
import { type Listener, linger } from "../../http/transport/Node.ts";

/** Requests that are passed on at once; further ones wait. */
const SOCKETS_MAX = 32;

/** Headers that are about one connection (RFC 9110, section 7.6.1), and the cookies of the server that passes on. */
const NOT_PASSED: ReadonlySet<string> = new Set([
  ...["connection", "keep-alive", "proxy-connection", "te", "trailer", "upgrade"],
  ...["cookie", "set-cookie"],
]);

/** Names and values in turn, without those that are not passed. */
const passed = (rawHeaders: ReadonlyArray<string>): Array<string> => {
  const headers: Array<string> = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    if (!NOT_PASSED.has(name.toLowerCase())) headers.push(name, rawHeaders[index + 1] ?? "");
  }
  return headers;
};

/** Passes requests on to the server on a socket, with the path that `pathOf` returns; `lost` responds where there is none. */
export const passOn = (socket: string, pathOf: (target: string) => string, lost: Listener) => {
  const agent = new Http.Agent({ keepAlive: true, maxSockets: SOCKETS_MAX });
  const listener: Listener = (incoming, outgoing) => {
    const request = Http.request({
      agent,
      socketPath: socket,
      method: incoming.method,
      path: pathOf(incoming.url ?? "/"),
      headers: passed(incoming.rawHeaders) as unknown as Http.OutgoingHttpHeaders,
    });
    request.on("continue", () => outgoing.writeContinue());
    request.on("response", (response) => {
      const isEarly = !incoming.complete;
      const head = [...passed(response.rawHeaders), ...(isEarly ? ["connection", "close"] : [])];
      outgoing.writeHead(response.statusCode ?? 502, head);
      if (!isEarly) return pipeline(response, outgoing, () => {});
      incoming.unpipe(request);
      response.on("end", () => linger(incoming, outgoing)).pipe(outgoing, { end: false });
    });
    // After the head of the response, it is too late for another one.
    request.on("error", () => {
      incoming.unpipe(request);
      incoming.resume();
      if (outgoing.headersSent) outgoing.destroy();
      else if (!outgoing.destroyed) lost(incoming, outgoing);
    });
    outgoing.on("close", () => request.destroy());
    // A sender that waits for `100 Continue` sends nothing before the head has arrived.
    request.flushHeaders();
    incoming.pipe(request);
  };
  return { listener, close: () => agent.destroy() };
};
