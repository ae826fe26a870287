/** A receiver of webhooks on this machine: it notes what arrives, and responds by path. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as it arrived. */
export interface Arrived {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly event: {
    readonly id: string;
    readonly type: string;
    readonly record_id: string;
    readonly sequence: number;
  };
}

const RESPONSES: Readonly<Record<string, (response: ServerResponse) => void>> = {
  "/redirect": (response) => response.writeHead(307, { location: "/ok" }).end(),
  "/hangs": () => undefined,
  "/slow": (response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write("x"), 50);
    response.on("close", () => clearInterval(timer));
  },
  "/huge": (response) => {
    response.writeHead(200);
    const more = (): void => {
      while (!response.destroyed && response.write("x".repeat(65_536)));
      if (!response.destroyed) response.once("drain", more);
    };
    more();
  },
  "/error": (response) => response.writeHead(500).end("no"),
};

const headersOf = ({ headers }: IncomingMessage): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

/** Listens on a free port; `respond` responds on paths that have no behaviour of their own, by default with 200. */
export const receive = async (
  respond: (arrived: Arrived, response: ServerResponse) => void = (_, response) =>
    response.writeHead(200).end(),
) => {
  const arrived: Array<Arrived> = [];
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      const path = request.url ?? "";
      const one = { path, headers: headersOf(request), body, event: JSON.parse(body) as Arrived["event"] };
      arrived.push(one);
      const own = RESPONSES[path];
      if (own === undefined) respond(one, response);
      else own(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrived,
    at: (path: string): ReadonlyArray<Arrived> => arrived.filter((candidate) => candidate.path === path),
    close: (): void => {
      server.closeAllConnections();
      server.close();
    },
  };
};

/** Waits until a predicate holds; the limit of two minutes only ends what hangs. */
export const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  for (const end = Date.now() + 120_000; Date.now() < end; ) {
    if (await holds()) return;
    await new Promise((resume) => setTimeout(resume, 25));
  }
  throw new Error("it did not come to hold within two minutes");
};
