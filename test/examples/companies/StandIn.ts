/** What local stand-ins of payment companies share: a server of JSON that can lose responses. */
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as a stand-in reads it. */
export interface Asked {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A status, and a body of JSON; null loses the response after everything was done. */
export type Answer = readonly [status: number, body: object] | null;

/** A server, by its URL. */
export interface Served {
  readonly url: string;
  readonly close: () => void;
}

export const listen = async (server: Server): Promise<Served> => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};

/** Serves requests by a function. */
export const serve = (answer: (asked: Asked) => Answer): Promise<Served> =>
  listen(
    createServer((request, response) => {
      const chunks: Array<Buffer> = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const { method = "GET", headers } = request;
        const url = new URL(request.url ?? "/", "http://stand-in");
        const answered = answer({ method, url, headers, body: Buffer.concat(chunks).toString("utf8") });
        if (answered === null) return void response.destroy();
        const [status, body] = answered;
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
      });
    }),
  );

/** The rules of fields: required ones, and what their values must be. */
export type Rules = Readonly<Record<string, { readonly isRequired: boolean; readonly form: RegExp }>>;

/** Why fields are not as the schema has them; null if they are. */
export const fieldProblem = (fields: Readonly<Record<string, unknown>>, rules: Rules): string | null => {
  for (const [name, value] of Object.entries(fields)) {
    const rule = rules[name];
    if (rule === undefined) return `unknown parameter: ${name}`;
    if (typeof value !== "string" || !rule.form.test(value)) return `invalid ${name}: ${String(value)}`;
  }
  const missing = Object.keys(rules).find((name) => rules[name]?.isRequired && !(name in fields));
  return missing === undefined ? null : `missing required param: ${missing}`;
};
