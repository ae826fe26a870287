/** A proxy before the server that loses requests, or responses after the server has stored what was sent. */
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

/** Where a command is lost. */
export type Loss = "request" | "response";

export interface LossyProxy {
  readonly url: string;
  /** Loses every command from now on; null loses none. Reads are never lost. */
  readonly lose: (loss: Loss | null) => void;
  /** The idempotency keys of the commands since it was asked last, in order. */
  readonly keys: () => ReadonlyArray<string>;
  readonly close: () => Promise<void>;
}

/** Starts a proxy before a server. */
export const startLossyProxy = async (target: string): Promise<LossyProxy> => {
  let loss: Loss | null = null;
  let keys: ReadonlyArray<string> = [];
  const server = createServer((incoming, outgoing) => {
    const isCommand = incoming.method !== "GET";
    const lost = isCommand ? loss : null;
    if (isCommand) keys = [...keys, String(incoming.headers["idempotency-key"])];
    const chunks: Array<Buffer> = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      if (lost === "request") {
        incoming.socket.destroy();
        return;
      }
      const { method = "GET", headers, url = "/" } = incoming;
      request(new URL(url, target), { method, headers }, (response) => {
        if (lost === "response") {
          response.resume().on("end", () => incoming.socket.destroy());
          return;
        }
        outgoing.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(outgoing);
      })
        // The server is gone.
        .on("error", () => incoming.socket.destroy())
        .end(Buffer.concat(chunks));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lose: (kind) => {
      loss = kind;
    },
    keys: () => {
      const seen = keys;
      keys = [];
      return seen;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
