/** HTTP requests over kept-alive connections, for the measurement and for the load. */
import * as Http from "node:http";

/** A response, and the milliseconds until it was complete. */
export interface Received {
  readonly status: number;
  readonly text: string;
  readonly milliseconds: number;
}

export type Ask = (
  method: string,
  path: string,
  token: string | null,
  body?: string | object,
) => Promise<Received>;

/** Returns a function that sends requests to a server. Of a body it keeps the first MiB. */
export const client = (url: string): Ask => {
  const agent = new Http.Agent({ keepAlive: true });
  const ask: Ask = (method, path, token, body) =>
    new Promise((resolve, reject) => {
      const startedAt = performance.now();
      const text = typeof body === "object" ? JSON.stringify(body) : body;
      const headers = {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(text === undefined
          ? {}
          : { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
      };
      const request = Http.request(`${url}${path}`, { method, agent, headers }, (response) => {
        const chunks: Array<Buffer> = [];
        let length = 0;
        response.on("data", (chunk: Buffer) => {
          length += chunk.length;
          if (length < 1024 * 1024) chunks.push(chunk);
        });
        response.on("error", reject);
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            text: Buffer.concat(chunks).toString(),
            milliseconds: performance.now() - startedAt,
          }),
        );
      });
      // The server may close an idle connection in the moment of its reuse; Node documents this as the case for a retry.
      request.on("error", (error) => {
        if (request.reusedSocket) resolve(ask(method, path, token, body));
        else reject(error);
      });
      request.end(text);
    });
  return ask;
};

/** The response; fails when it has none of the statuses. */
export const expected = async (
  response: Promise<Received>,
  ...statuses: ReadonlyArray<number>
): Promise<Received> => {
  const found = await response;
  if (!statuses.includes(found.status)) throw new Error(`${found.status} ${found.text.slice(0, 500)}`);
  return found;
};
