/** A TCP proxy to PostgreSQL that parses the protocol and cuts connections at exact points of a commit. */
import { once } from "node:events";
import * as net from "node:net";

/** Where the connection of a commit is cut. */
export type Point =
  /** The statement never reaches the database. */
  | "before it is sent"
  /** The statement has been sent to the database; it may or may not have been committed. */
  | "right after it is sent"
  /** The database has committed, and its reply is lost. */
  | "before the reply arrives"
  /** The database has committed, and the connection stays open without any further data. */
  | "by silence";

/** A proxy for every connection of a server. */
export interface Proxy {
  /** The database's URL with the proxy's port. */
  readonly url: string;
  /**
   * Cuts the next commit at a point, then refuses every connection for some time; resolves after the cut.
   */
  readonly cut: (point: Point, downMilliseconds: number) => Promise<void>;
  /** Closes every connection now. */
  readonly sever: () => void;
  readonly close: () => Promise<void>;
}

/** A requested cut that no commit has reached yet. */
interface Armed {
  readonly point: Point;
  readonly downMilliseconds: number;
  readonly happened: () => void;
}

const HEADER_BYTES = 5;
const STARTUP_HEADER_BYTES = 4;
/** The SQL functions that commit a command. */
const COMMITS = [
  "quittance.commit_command(",
  "quittance.create_attributions(",
  "quittance.create_ordered_attributions(",
];

/** Splits a client's data into protocol messages; the first message of a connection has no type byte. */
const messages = (): ((chunk: Buffer) => ReadonlyArray<Buffer>) => {
  let pending = Buffer.alloc(0);
  let started = false;
  return (chunk) => {
    pending = Buffer.concat([pending, chunk]);
    const found: Array<Buffer> = [];
    for (;;) {
      const header = started ? HEADER_BYTES : STARTUP_HEADER_BYTES;
      if (pending.length < header) return found;
      const length = started ? 1 + pending.readInt32BE(1) : pending.readInt32BE(0);
      if (pending.length < length) return found;
      found.push(pending.subarray(0, length));
      pending = pending.subarray(length);
      started = true;
    }
  };
};

const typeOf = (message: Buffer): string => String.fromCharCode(message[0] ?? 0);

/** The text from an offset up to a zero byte, and the offset after that byte. */
const textAt = (message: Buffer, start: number): readonly [string, number] => {
  const end = message.indexOf(0, start);
  return [message.toString("utf8", start, end), end + 1];
};

/** Returns a function that decides whether a message of one connection runs a commit, by the name of its prepared statement. */
const commits = (): ((message: Buffer) => boolean) => {
  const named = new Map<string, boolean>();
  return (message) => {
    if (typeOf(message) === "P") {
      const [name, next] = textAt(message, HEADER_BYTES);
      const [text] = textAt(message, next);
      named.set(
        name,
        COMMITS.some((call) => text.includes(call)),
      );
    }
    if (typeOf(message) !== "B") return false;
    const [, next] = textAt(message, HEADER_BYTES);
    return named.get(textAt(message, next)[0]) === true;
  };
};

/** Starts a proxy on 127.0.0.1 for the database of a URL. */
export const open = async (databaseUrl: string): Promise<Proxy> => {
  const target = new URL(databaseUrl);
  const pairs = new Set<{ readonly client: net.Socket; readonly database: net.Socket }>();
  let armed: Armed | null = null;
  let down = false;

  const sever = (): void => {
    for (const { client, database } of pairs) {
      client.destroy();
      database.destroy();
    }
  };

  const strike = (client: net.Socket, { downMilliseconds, happened }: Armed): void => {
    client.destroy();
    if (downMilliseconds > 0) {
      down = true;
      sever();
      setTimeout(() => {
        down = false;
      }, downMilliseconds);
    }
    happened();
  };

  const connect = (client: net.Socket): void => {
    if (down) {
      client.destroy();
      return;
    }
    const database = net.connect(Number(target.port), target.hostname);
    const pair = { client, database };
    pairs.add(pair);
    const split = messages();
    const isCommit = commits();
    // The cut that applies to the commit now running on this connection.
    let due: Armed | null = null;
    client.on("data", (chunk) => {
      for (const message of split(chunk)) {
        if (isCommit(message) && armed !== null) {
          due = armed;
          armed = null;
          if (due.point === "before it is sent") {
            database.destroy();
            strike(client, due);
            return;
          }
        }
        database.write(message);
        if (due?.point === "right after it is sent" && typeOf(message) === "S") {
          const cut = due;
          database.end(() => strike(client, cut));
          return;
        }
      }
    });
    database.on("data", (chunk: Buffer) => {
      // The whole reply of one statement ends with ReadyForQuery, which the server sends after the commit.
      const isReady = chunk.length >= 6 && chunk.readUInt8(chunk.length - 6) === 0x5a;
      if (due !== null) {
        if (isReady && due.point === "by silence") due.happened();
        else if (isReady) strike(client, due);
        return;
      }
      client.write(chunk);
    });
    const end = (): void => {
      pairs.delete(pair);
      client.destroy();
      database.destroy();
    };
    for (const socket of [client, database]) socket.on("error", end).on("close", end);
  };

  const server = net.createServer(connect).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const url = new URL(databaseUrl);
  url.port = String(typeof address === "object" ? address?.port : "");
  return {
    url: url.href,
    cut: (point, downMilliseconds) =>
      new Promise((happened) => {
        armed = { point, downMilliseconds, happened };
      }),
    sever,
    close: async () => {
      if (!server.listening) return;
      server.close();
      sever();
      await once(server, "close");
    },
  };
};
