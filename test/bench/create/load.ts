/** Sends one request repeatedly on a number of connections, and counts the responses in a time. */
import { Agent, request } from "node:http";

/** What is sent. */
export interface Target {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The status every answer must have. */
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
        refused ? reject(new Error(`${url} answered ${incoming.statusCode} ${text}`)) : resolve(),
      );
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });

/** Requests answered per second, each connection sending its next request when the last one is answered. */
export const perSecond = async (
  target: Target,
  connections: number,
  milliseconds: number,
): Promise<number> => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const started = performance.now();
  let answered = 0;
  const connection = async (): Promise<void> => {
    while (performance.now() - started < milliseconds) {
      await send(agent, target);
      answered += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  const elapsed = performance.now() - started;
  agent.destroy();
  return (answered * 1000) / elapsed;
};
