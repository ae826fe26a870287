/** Requests over kept connections: those of a measurement, and those of the load in its own process. */
import * as Http from "node:http";

/** A response, and the milliseconds until it was complete. */
export interface Answered {
  readonly status: number;
  readonly text: string;
  readonly milliseconds: number;
}

export type Ask = (
  method: string,
  path: string,
  token: string | null,
  body?: string | object,
) => Promise<Answered>;

/** Asks a server. The text of an answer beyond a mebibyte is read and dropped. */
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
      // The server may have closed a kept connection just as it was taken again: the documented case for a second try.
      request.on("error", (error) => {
        if (request.reusedSocket) resolve(ask(method, path, token, body));
        else reject(error);
      });
      request.end(text);
    });
  return ask;
};

/** An answer of a status that is expected. */
export const expected = async (
  answered: Promise<Answered>,
  ...statuses: ReadonlyArray<number>
): Promise<Answered> => {
  const found = await answered;
  if (!statuses.includes(found.status)) throw new Error(`${found.status} ${found.text.slice(0, 500)}`);
  return found;
};
