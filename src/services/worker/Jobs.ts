/** Performs single messages of the outbox: the rules of failures, lost leases, delays and dead letters. */

import { Cause, Effect, LogLevel, Option, Random, Schedule } from "effect";
import {
  PartnerId,
  PlanId,
  PlanTrialId,
  RecomputationId,
  RecreditRunId,
  SettlementId,
  SettlementRunId,
  WebhookEndpointId,
} from "../../domain/Ids.ts";
import { Conflict } from "../../domain/Refusal.ts";
import { HOUR } from "../../domain/Timestamp.ts";
import { type RenderingFailed, RenderingRefused } from "../../ports/Documents.ts";
import type { MailFailed } from "../../ports/Mailer.ts";
import { type Claimed, Outbox } from "../../ports/Outbox.ts";
import type { PaymentRefused } from "../../ports/Payments.ts";
import type { StorageError, Topic } from "../../ports/Storage.ts";
import type { Failure } from "../commands/Access.ts";
import { Tracing, withSpan } from "../commands/Tracing.ts";
import { DocumentCreation, KIND_OF } from "../documents/DocumentCreation.ts";
import { Recomputations } from "../formulas/Recomputations.ts";
import { RollOuts } from "../formulas/RollOuts.ts";
import { Notices } from "../notices/Notices.ts";
import { Payments } from "../Payments.ts";
import { PeriodSeals } from "../periods/PeriodSeals.ts";
import { logFailure } from "../process/FailureLog.ts";
import { WorkerSettings } from "../process/WorkerSettings.ts";
import { RecreditSteps } from "../recredits/RecreditSteps.ts";
import { RunSteps } from "../runs/RunSteps.ts";
import { TrialSteps } from "../trials/TrialSteps.ts";
import { WebhookRounds } from "../webhooks/WebhookRounds.ts";

/** Work that is never dead-lettered: amounts would stay wrong, or an endpoint would miss events. */
const NEVER_DEAD_LETTERED: ReadonlySet<Topic> = new Set(["recompute", "roll_out", "deliver_webhooks"]);
/** Failures in a row after which a message is dead-lettered; a recomputation, a roll-out or a webhook endpoint never is. */
const FAILURES_MAX = 20;
/** Lost leases in a row after which a message is dead-lettered without another attempt; the same work never is. */
const LOST_LEASES_MAX = 10;
/** Batches of a recomputation, a roll-out, a run or a trial before others of its lane have their turn. */
const BATCHES_PER_TURN = 5;
/** How soon a message is tried again that others were faster than. */
const BUSY_MILLISECONDS = 250;
/** How often, and after which pauses, giving a message back to the store is tried. */
const RETURN_RETRIES = Schedule.intersect(
  Schedule.jittered(Schedule.exponential("50 millis")),
  Schedule.recurs(3),
);

/** Doubles to an hour, with jitter, so that workers do not return together. */
const backoff = (first: number, times: number): Effect.Effect<number> =>
  Effect.map(Random.nextRange(0.5, 1), (jitter) => Math.ceil(Math.min(HOUR, first * 2 ** times) * jitter));

type Problem = Failure | MailFailed | RenderingFailed | RenderingRefused | PaymentRefused;

const holds = (cause: Cause.Cause<Problem>, predicate: (problem: Problem) => boolean): boolean =>
  Option.exists(Cause.failureOption(cause), predicate);

/** The text for operators: the reason, then further facts. */
const describeFailure = (cause: Cause.Cause<Problem>): string => {
  const pretty = Cause.pretty(cause);
  const failure = Option.getOrNull(Cause.failureOption(cause));
  switch (failure?._tag) {
    case "PaymentRefused":
      return `the payment provider: ${failure.reason}\n${pretty}`;
    case "MailFailed":
      return `the mail service: ${failure.message}\n${pretty}`;
    case "StorageError":
    case "RenderingFailed":
      return `${failure.message}\n${pretty}`;
    default:
      return pretty;
  }
};

/** After how many milliseconds a message is to be performed again; null when nothing of it is left to do. */
type Pause = number | null;

const pauseOf = ({ pending }: { readonly pending: boolean }): Pause => (pending ? 0 : null);

const make = Effect.gen(function* () {
  const outbox = yield* Outbox;
  const documents = yield* DocumentCreation;
  const recomputations = yield* Recomputations;
  const rollOuts = yield* RollOuts;
  const payments = yield* Payments;
  const runSteps = yield* RunSteps;
  const trialSteps = yield* TrialSteps;
  const recreditSteps = yield* RecreditSteps;
  const periodSeals = yield* PeriodSeals;
  const webhooks = yield* WebhookRounds;
  const notices = yield* Notices;
  const { leaseMilliseconds } = yield* WorkerSettings;
  const traced = yield* Tracing;

  /** Runs batches of work until one returns a pause that is not 0; returns that pause. `progress` is called after each. */
  const inBatches = <Problem>(
    batch: Effect.Effect<Pause, Problem>,
    progress: () => void,
  ): Effect.Effect<Pause, Problem> =>
    batch.pipe(
      Effect.tap(() => Effect.zipRight(Effect.sync(progress), Effect.yieldNow())),
      Effect.repeat({ while: (pause) => pause === 0, times: BATCHES_PER_TURN - 1 }),
    );

  /** Performs a message; returns after which pause it is to be performed again. */
  const work = (message: Claimed, progress: () => void): Effect.Effect<Pause, Problem> => {
    switch (message.topic) {
      case "make_report":
      case "make_invoice":
      case "make_credit_note":
        return Effect.as(
          documents.run(message.customerId, SettlementId.make(message.recordId), KIND_OF[message.topic]),
          null,
        );
      case "recompute":
        return inBatches(
          Effect.suspend(() =>
            Effect.map(
              recomputations.run(message.customerId, RecomputationId.make(message.recordId), 1),
              pauseOf,
            ),
          ),
          progress,
        );
      case "roll_out":
        return inBatches(
          Effect.suspend(() =>
            Effect.map(rollOuts.run(message.customerId, PlanId.make(message.recordId)), pauseOf),
          ),
          progress,
        );
      case "settlement_run":
        return inBatches(
          Effect.suspend(() =>
            Effect.map(runSteps.run(message.customerId, SettlementRunId.make(message.recordId)), pauseOf),
          ),
          progress,
        );
      case "plan_trial":
        return inBatches(
          Effect.suspend(() =>
            Effect.map(trialSteps.run(message.customerId, PlanTrialId.make(message.recordId)), pauseOf),
          ),
          progress,
        );
      case "recredit_run":
        return inBatches(
          Effect.suspend(() =>
            Effect.map(recreditSteps.run(message.customerId, RecreditRunId.make(message.recordId)), pauseOf),
          ),
          progress,
        );
      case "seal_period":
        return Effect.as(periodSeals.run(message.customerId), null);
      case "send_payment":
        return Effect.as(
          payments.send(
            message.customerId,
            SettlementId.make(message.recordId),
            message.reference,
            message.claim > 1,
          ),
          null,
        );
      case "send_mail":
        return Effect.as(notices.send(message.customerId, PartnerId.make(message.recordId), message), null);
      case "deliver_webhooks":
        return inBatches(
          Effect.suspend(() =>
            webhooks.run(message.customerId, WebhookEndpointId.make(message.recordId), message.id),
          ),
          progress,
        );
    }
  };

  const perform: typeof work = (message, progress) =>
    traced
      ? withSpan(
          work(message, progress),
          `quittance.job ${message.topic}`,
          { "quittance.topic": message.topic, "quittance.attempt": message.failures + 1 },
          true,
        )
      : work(message, progress);

  /** Postpones, parks or dead-letters a message that failed. `before` counts the failures in a row before this one. */
  const handleFailure = (message: Claimed, before: number, cause: Cause.Cause<Problem>) =>
    Effect.gen(function* () {
      const problem = describeFailure(cause);
      // Others were faster; nothing is wrong with the message.
      if (holds(cause, (failure) => failure instanceof Conflict && failure.token === "busy")) {
        const delayMilliseconds = yield* backoff(BUSY_MILLISECONDS, 1);
        return yield* outbox.postpone(message, { delayMilliseconds, failures: before, problem });
      }
      if (holds(cause, (failure) => failure instanceof RenderingRefused)) {
        const parked = { delayMilliseconds: HOUR, failures: before, problem, parked: true };
        return yield* outbox.postpone(message, parked);
      }
      const failures = before + 1;
      const isPermanent = holds(
        cause,
        (failure) => failure._tag === "MailFailed" && failure.isPermanent === true,
      );
      if (isPermanent || (failures >= FAILURES_MAX && !NEVER_DEAD_LETTERED.has(message.topic)))
        return yield* outbox.deadLetter(message, problem);
      const delayMilliseconds = yield* backoff(1_000, failures - 1);
      return yield* outbox.postpone(message, { delayMilliseconds, failures, problem });
    });

  const attempt = (message: Claimed): Effect.Effect<void, StorageError> =>
    Effect.suspend(() => {
      let before = message.failures;
      const progress = (): void => {
        before = 0;
      };
      return perform(message, progress).pipe(
        Effect.sandbox,
        Effect.matchEffect({
          onSuccess: (delayMilliseconds) =>
            Effect.retry(
              delayMilliseconds === null
                ? outbox.complete(message)
                : outbox.postpone(message, { delayMilliseconds, failures: 0, problem: null }),
              RETURN_RETRIES,
            ),
          onFailure: (cause) =>
            Effect.zipRight(
              logFailure(LogLevel.Warning, `work failed: ${message.topic} of ${message.recordId}`, cause),
              Effect.retry(handleFailure(message, before, cause), RETURN_RETRIES),
            ),
        }),
      );
    });

  /** A message whose leases were lost may crash the process: each further attempt waits longer, up to the last one. */
  const suspect = (message: Claimed): Effect.Effect<boolean, StorageError> =>
    Effect.gen(function* () {
      const { lostLeases } = message;
      if (lostLeases >= LOST_LEASES_MAX && !NEVER_DEAD_LETTERED.has(message.topic)) {
        yield* outbox.deadLetter(message, `${lostLeases} processes in a row ended while they worked on it`);
        return true;
      }
      if (lostLeases > 1)
        yield* outbox.renew([message], yield* backoff(leaseMilliseconds, Math.min(lostLeases, 20)));
      return false;
    });

  return {
    /**
     * Performs a claimed message and gives it back: completed, postponed, parked or dead-lettered. Fails when the store does
     * not take it back, and leaves it claimed when it is interrupted.
     */
    handle: (message: Claimed): Effect.Effect<void, StorageError> =>
      Effect.flatMap(suspect(message), (isDeadLettered) => (isDeadLettered ? Effect.void : attempt(message))),
  };
});

/** What performs messages; the worker calls it. */
export class Jobs extends Effect.Service<Jobs>()("quittance/services/Jobs", { effect: make }) {}
