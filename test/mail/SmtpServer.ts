/** A mail server of the tests: it takes mail, refuses it, or says nothing. */
import { type AddressInfo, createServer, type Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { CERTIFICATE, KEY } from "../support/postgresTls.ts";

/** A mail as it arrived. */
export interface Received {
  readonly from: string;
  readonly to: ReadonlyArray<string>;
  /** Header and body, as they were sent. */
  readonly data: string;
  /** What the client signed in with: user and password, or null. */
  readonly credentials: string | null;
  readonly isEncrypted: boolean;
}

export interface Behaviour {
  /** Offers to sign in after STARTTLS only. */
  readonly tls?: boolean;
  /** The first word of a command whose only response is this line; an empty line stalls. `CONNECT` is the greeting. */
  readonly replies?: Readonly<Record<string, string>>;
}

const RESPONSES: Readonly<Record<string, string>> = {
  AUTH: "235 welcome",
  MAIL: "250 ok",
  RCPT: "250 ok",
  DATA: "354 go on",
  QUIT: "221 bye",
};

/** Starts a server at a free port of `localhost`. */
export const smtpServer = async ({ tls = false, replies = {} }: Behaviour = {}) => {
  const mails: Array<Received> = [];
  const commands: Array<string> = [];
  const sockets = new Set<Socket>();

  const converse = (socket: Socket, isEncrypted: boolean): void => {
    let [buffer, from, credentials]: [string, string, string | null] = ["", "", null];
    let to: Array<string> = [];
    let isData = false;
    const say = (word: string, line: string): void => {
      const reply = replies[word] ?? line;
      if (reply !== "") socket.write(`${reply}\r\n`);
    };
    const command = (line: string): void => {
      commands.push(line);
      const [word = ""] = line.toUpperCase().split(" ");
      const address = /<(.*?)>/.exec(line)?.[1] ?? "";
      if (word === "AUTH")
        credentials = Buffer.from(line.split(" ")[2] ?? "", "base64")
          .toString()
          .split("\0")
          .slice(1)
          .join(":");
      if (word === "MAIL") [from, to] = [address, []];
      if (word === "RCPT") to.push(address);
      isData = word === "DATA";
      const isClosed = tls && !isEncrypted;
      const upgrades = isClosed && word === "STARTTLS";
      const greeting = `250-localhost\r\n250 ${isClosed ? "STARTTLS" : "AUTH PLAIN"}`;
      const upgrade = upgrades ? { STARTTLS: "220 go ahead" } : {};
      const responses: Behaviour["replies"] = { EHLO: greeting, ...upgrade, ...RESPONSES };
      say(word, responses[word] ?? "502 unknown");
      if (!upgrades) return;
      socket.removeListener("data", read);
      converse(new TLSSocket(socket, { isServer: true, cert: CERTIFICATE, key: KEY }), true);
    };
    const read = (chunk: Buffer): void => {
      buffer += chunk.toString();
      for (;;) {
        const end = isData ? "\r\n.\r\n" : "\r\n";
        const at = buffer.indexOf(end);
        if (at < 0) return;
        const text = buffer.slice(0, at);
        buffer = buffer.slice(at + end.length);
        if (isData) {
          isData = false;
          mails.push({ from, to, data: text, credentials, isEncrypted });
          say("END", "250 accepted");
        } else command(text);
      }
    };
    socket.on("data", read);
    // A client that closes in the middle is what some tests are about.
    socket.on("error", () => {});
    if (!isEncrypted) say("CONNECT", "220 localhost");
  };

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    converse(socket, false);
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    mails,
    commands,
    /** How many connections are open. */
    open: () => sockets.size,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
};
