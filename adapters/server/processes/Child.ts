/** A further process that serves: reports to the parent process, which joins their metrics. */
import { Effect } from "effect";
import * as Prometheus from "../../http/server/observability/Prometheus.ts";
import * as ProcessMetrics from "../ProcessMetrics.ts";
import type { Host } from "../Serve.ts";
import { type FromParent, type FromServer, METRICS_MILLISECONDS } from "./Message.ts";

const send = (message: FromServer): void => {
  if (process.connected) process.send?.(message);
};

const waiting = new Map<number, (text: string) => void>();
let last = 0;

/** Requests the metrics of all processes from the parent; returns this process's own if the parent does not respond. */
const metrics = (ownText: string): Effect.Effect<string> =>
  Effect.async<string>((resume) => {
    const id = ++last;
    const settle = (text: string): void => {
      clearTimeout(timer);
      waiting.delete(id);
      resume(Effect.succeed(text));
    };
    const timer = setTimeout(() => settle(ownText), 2 * METRICS_MILLISECONDS);
    waiting.set(id, settle);
    send({ type: "join_metrics", id, text: ownText });
  });

/** The host of a server in this process. */
export const host = (): Host => {
  process.on("message", (message: FromParent) => {
    if (message.type === "joined_metrics") waiting.get(message.id)?.(message.text);
    if (message.type !== "send_metrics") return;
    Effect.runSync(ProcessMetrics.measure);
    send({ type: "metrics", id: message.id, text: Prometheus.text() });
  });
  return { announce: (url) => Effect.sync(() => send({ type: "listening", url })), metrics };
};
