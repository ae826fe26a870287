/** The worker's settings: how much it does at a time, and its time limits. */

import { Context } from "effect";
import { DAY, HOUR, MINUTE } from "../../domain/Durations.ts";
import type { Topic } from "../../ports/Storage.ts";

/** Kinds of work that do not wait for each other. */
export type Lane = "payments" | "documents" | "recomputations" | "webhooks" | "runs" | "trials";

export const LANES: ReadonlyArray<Lane> = [
  "payments",
  "documents",
  "recomputations",
  "webhooks",
  "runs",
  "trials",
];

export const TOPICS: Readonly<Record<Lane, ReadonlyArray<Topic>>> = {
  payments: ["send_payment"],
  documents: ["make_report", "make_invoice", "make_credit_note"],
  recomputations: ["recompute", "roll_out"],
  webhooks: ["deliver_webhooks", "send_mail"],
  runs: ["settlement_run", "recredit_run", "seal_period"],
  trials: ["plan_trial"],
};

/** What a host may choose. */
export interface Settings {
  /**
   * Messages of each lane that are performed at the same time, from 2; half of them, rounded down, may be one customer's,
   * so that work of one customer that hangs leaves room for the others.
   */
  readonly concurrency: Readonly<Record<Lane, number>>;
  /**
   * How long a message stays claimed after its worker was heard of last. Workers renew their leases three times as often,
   * so that this is how long the work of a killed one waits.
   */
  readonly leaseMilliseconds: number;
  /** How often an idle lane looks for work that other processes have left. */
  readonly pollMilliseconds: number;
  /** How long a payment provider may take for one order. */
  readonly sendTimeoutMilliseconds: number;
  /** How long the rendering of one document may take. */
  readonly renderTimeoutMilliseconds: number;
  /** How long the receiver of a webhook may take for one request. */
  readonly webhookTimeoutMilliseconds: number;
  /** How long webhook deliveries are kept that were received or given up, from an hour. */
  readonly deliveryMilliseconds: number;
  /** How long results are kept under their idempotency keys at least; no less than 72 hours. */
  readonly idempotencyMilliseconds: number;
}

/** What holds unless a host chooses otherwise. */
export const DEFAULT: Settings = {
  concurrency: { payments: 8, documents: 4, recomputations: 2, webhooks: 16, runs: 2, trials: 2 },
  leaseMilliseconds: 15_000,
  pollMilliseconds: 500,
  sendTimeoutMilliseconds: 30_000,
  renderTimeoutMilliseconds: MINUTE,
  webhookTimeoutMilliseconds: 15_000,
  deliveryMilliseconds: 7 * DAY,
  idempotencyMilliseconds: 72 * HOUR,
};

/** The settings in force; {@link DEFAULT} unless a host states others. Read once, when the engine is built. */
export class WorkerSettings extends Context.Reference<WorkerSettings>()("quittance/services/WorkerSettings", {
  defaultValue: (): Settings => DEFAULT,
}) {}
