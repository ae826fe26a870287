/** Sends one request repeatedly on several connections and counts the responses per second. */
import { Agent, request } from "node:http";

/** The request and its expected status. */
export interface Target {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The status that every response must have. */
  readonly status: number;
}

const send = (agent: Agent, { url, headers, body, status }: Target): Promise<void> =>
  new Promise((resolve, reject) => {
    const outgoing = request(url, { method: "POST", agent, headers }, (incoming) => {
      const refused = incoming.statusCode !== status;
      let text = "";
      if (refused) incoming.setEncoding("utf8").on("data", (chunk) => (text += chunk));
      else incoming.resume();
      incoming.on("end", () =>
        refused ? reject(new Error(`${url} responded ${incoming.statusCode} ${text}`)) : resolve(),
      );
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });

/** Responses per second; each connection sends its next request after the response to the last. Fails at another status. */
export const perSecond = async (
  target: Target,
  connections: number,
  milliseconds: number,
): Promise<number> => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const started = performance.now();
  let responses = 0;
  const connection = async (): Promise<void> => {
    while (performance.now() - started < milliseconds) {
      await send(agent, target);
      responses += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  const elapsed = performance.now() - started;
  agent.destroy();
  return (responses * 1000) / elapsed;
};
