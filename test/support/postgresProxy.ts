/** A proxy before a database that can lose a connection at a chosen moment. */
import { once } from "node:events";
import * as net from "node:net";
import { Redacted } from "effect";

/** What becomes of the next message that contains the text, and of the connection it came on. */
export type Loss =
  /** The server never sees it. */
  | "request"
  /** The server does as it is told, but its reply is lost. */
  | "reply"
  /** As `reply`, and nobody gets through any more. */
  | "reply and connections";

/** A proxy in front of one database. */
export interface Proxy {
  readonly url: Redacted.Redacted;
  /** Loses the next message that contains a text. */
  readonly lose: (loss: Loss, text: string) => void;
  /** Lets everyone through again. */
  readonly heal: () => void;
  readonly close: () => Promise<void>;
}

/** Starts a proxy that passes everything on until a cut is requested. */
export const startProxy = async (target: Redacted.Redacted): Promise<Proxy> => {
  const { hostname, port } = new URL(Redacted.value(target));
  let armed: { readonly loss: Loss; readonly text: string } | null = null;
  let closed = false;
  const sockets = new Set<net.Socket>();

  const server = net.createServer((client) => {
    if (closed) {
      client.destroy();
      return;
    }
    const upstream = net.connect(Number(port), hostname);
    let loss: Loss | null = null;
    const cut = (): void => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", cut);
      socket.on("close", () => {
        sockets.delete(socket);
        cut();
      });
    }
    client.on("data", (data) => {
      if (armed !== null && data.includes(armed.text)) {
        loss = armed.loss;
        armed = null;
        closed = loss === "reply and connections";
        if (loss === "request") return cut();
      }
      upstream.write(data);
    });
    upstream.on("data", (data) => {
      if (loss === null) client.write(data);
      else cut();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no address");
  const url = new URL(Redacted.value(target));
  url.hostname = "127.0.0.1";
  url.port = String(address.port);
  return {
    url: Redacted.make(url.href),
    lose: (loss, text) => {
      armed = { loss, text };
    },
    heal: () => {
      closed = false;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
};
