/** A TCP proxy to a database that can break a connection at a chosen message. */
import { once } from "node:events";
import * as net from "node:net";
import { Redacted } from "effect";

/** What the proxy drops, besides the connection, when it sees the text. */
export type Loss =
  /** The message, which never reaches the database. */
  | "request"
  /** The database's reply; the database executes the message. */
  | "reply"
  /** Like `reply`, and every later connection until `heal`. */
  | "reply and connections";

/** A proxy to one database. */
export interface Proxy {
  readonly url: Redacted.Redacted;
  /** Applies a loss to the next message that contains the text. */
  readonly lose: (loss: Loss, text: string) => void;
  /** Accepts connections again. */
  readonly heal: () => void;
  readonly close: () => Promise<void>;
}

/** Starts a proxy that forwards everything until `lose` is called. */
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
