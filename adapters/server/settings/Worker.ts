/** What the worker does, and how much at once. */
import * as Value from "../Value.ts";
import { setting } from "./Setting.ts";

/** Settings of the worker. */
export const WORKER = {
  worker: setting({
    name: "QUITTANCE_WORKER",
    option: "worker",
    placeholder: "on|off",
    fallback: "on",
    meaning: "off: this server handles requests only; another process must process the outbox",
    details:
      "`off`: this server handles requests only, and another process must do the [work in the outbox](#work-that-fails)",
    kind: Value.onOff,
  }),
  concurrency: setting({
    name: "QUITTANCE_WORKER_CONCURRENCY",
    option: "worker-concurrency",
    placeholder: "lanes",
    fallback: "payments=8,documents=4,recomputations=2,webhooks=16,runs=2",
    meaning: "messages of each kind that this process handles at once, 2 or more",
    details:
      "messages of each kind that this process handles at once, 2 to 64; half of them may be one customer's. A kind that is not named keeps its default",
    kind: Value.concurrency,
  }),
  leaseMilliseconds: setting({
    name: "QUITTANCE_LEASE_SECONDS",
    option: "lease-seconds",
    placeholder: "seconds",
    fallback: "15",
    meaning: "how long work of a killed process waits before another process takes it over",
    kind: Value.wholeNumber(3, 600, 1_000),
  }),
  pollMilliseconds: setting({
    name: "QUITTANCE_POLL_MILLISECONDS",
    option: "poll-milliseconds",
    placeholder: "milliseconds",
    fallback: "500",
    meaning: "how often an idle worker polls for work of other processes",
    kind: Value.wholeNumber(50, 60_000),
  }),
};
