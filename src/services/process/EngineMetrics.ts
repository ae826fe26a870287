/** The metrics of the engine. They belong to the process; any reader of Effect's metrics finds them. */
import { Metric, MetricLabel } from "effect";
import type { StatusType } from "../../domain/Settlement.ts";
import type { Lane } from "./WorkerSettings.ts";

const transitions = Metric.counter("quittance_settlement_transitions_total", {
  description:
    "Stored changes of settlements' states, by the previous state (none for a new one) and the new one.",
  incremental: true,
});

const evaluationErrors = Metric.counter("quittance_evaluation_errors_total", {
  description: "Evaluations of a formula on an attribution without an amount as result, by error code.",
  incremental: true,
});

const retries = Metric.counter("quittance_commit_retries_total", {
  description:
    "Commits that stored nothing, after which their command is retried, by reason: version_conflict or idempotency_key_used.",
  incremental: true,
});

const busy = Metric.counter("quittance_commands_busy_total", {
  description: "Commands refused as busy: after their last attempt.",
  incremental: true,
});

const webhookAttempts = Metric.counter("quittance_webhook_attempts_total", {
  description: "Requests to webhook endpoints, by outcome: delivered or failed.",
  incremental: true,
});

const webhooksGivenUp = Metric.counter("quittance_webhook_deliveries_failed_total", {
  description: "Webhook deliveries that were abandoned after too many failed attempts.",
  incremental: true,
});

const webhooksDisabled = Metric.counter("quittance_webhook_endpoints_disabled_total", {
  description:
    "Webhook endpoints that were disabled because their receivers failed for days or refused all further events.",
  incremental: true,
});

const waiting = Metric.gauge("quittance_outbox_waiting", {
  description:
    "Messages in the outbox that wait for a worker, by lane; claimed, postponed and parked ones included. Each enabled webhook endpoint has one.",
});

const deadLettered = Metric.gauge("quittance_outbox_dead_lettered", {
  description: "Dead letters: messages in the outbox that are not retried after too many failures, by lane.",
});

const overdue = Metric.gauge("quittance_outbox_oldest_seconds", {
  description: "The time since the oldest due message of the lane became due; 0 without one.",
});

/** Counts a stored change of a settlement's state; a command that leaves the state as it is does not count. */
export const countTransition = (from: StatusType | "none", to: StatusType): void => {
  if (from !== to) transitions.unsafeUpdate(1, [MetricLabel.make("from", from), MetricLabel.make("to", to)]);
};

/** Counts an evaluation that failed. */
export const countEvaluationError = (code: string): void =>
  evaluationErrors.unsafeUpdate(1, [MetricLabel.make("code", code)]);

/** Counts a commit that stored nothing, so that its command starts again. */
export const countRetry = (reason: "version_conflict" | "idempotency_key_used"): void =>
  retries.unsafeUpdate(1, [MetricLabel.make("reason", reason)]);

/** Counts a command that was refused as busy because others kept changing what it read. */
export const countBusy = (): void => busy.unsafeUpdate(1, []);

/** Counts a request to a webhook endpoint. */
export const countWebhookAttempt = (outcome: "delivered" | "failed"): void =>
  webhookAttempts.unsafeUpdate(1, [MetricLabel.make("outcome", outcome)]);

/** Counts webhook deliveries that were given up. */
export const countWebhooksGivenUp = (count: number): void => webhooksGivenUp.unsafeUpdate(count, []);

/** Counts a webhook endpoint that the engine disabled. */
export const countWebhookDisabled = (): void => webhooksDisabled.unsafeUpdate(1, []);

/** The work of one lane. */
export interface LaneDepth {
  readonly waiting: number;
  readonly deadLettered: number;
  readonly oldestSeconds: number;
}

/** Sets the gauges of a lane; null, where the outbox could not be read, sets them to NaN. */
export const recordOutbox = (lane: Lane, depth: LaneDepth | null): void => {
  const labels = [MetricLabel.make("lane", lane)];
  waiting.unsafeUpdate(depth?.waiting ?? Number.NaN, labels);
  deadLettered.unsafeUpdate(depth?.deadLettered ?? Number.NaN, labels);
  overdue.unsafeUpdate(depth?.oldestSeconds ?? Number.NaN, labels);
};
