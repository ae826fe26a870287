/** Performs the messages of the outbox: documents, payments, webhooks, settlement runs, trials, and the rest of long recomputations. */
import { Cause, Duration, Effect, Layer, LogLevel, Queue, Schedule, type Scope } from "effect";
import { HOUR } from "../../domain/Durations.ts";
import type { CustomerId, MessageId } from "../../domain/Ids.ts";
import { TRIAL_KEPT_MILLISECONDS } from "../../domain/Limits.ts";
import { type Claimed, type Depth, Outbox } from "../../ports/Outbox.ts";
import { Storage, type StorageError, type Topic, type Upkeep } from "../../ports/Storage.ts";
import { Pipeline } from "../commands/Pipeline.ts";
import { Policies } from "../commands/Policies.ts";
import { Relay } from "../feed/Relay.ts";
import { Payments } from "../Payments.ts";
import * as EngineMetrics from "../process/EngineMetrics.ts";
import { logAndContinue, logFailure } from "../process/FailureLog.ts";
import { DEFAULT, LANES, type Lane, TOPICS, WorkerSettings } from "../process/WorkerSettings.ts";
import { Schedules } from "../runs/Schedules.ts";
import { Jobs } from "./Jobs.ts";

/** Messages that one step of {@link Worker} claims. */
const STEP = 16;
/** Renewals of a lease while it lasts. */
const RENEWALS = 3;
/** How long a worker that stops tries to free what it has claimed. */
const RELEASE_LIMIT = Duration.seconds(2);
/** How long a measurement of the outbox is reused, so that frequent requests do not reach the store. */
const MEASURE_REUSED = Duration.seconds(1);
/** How long a measure may wait for the store. */
const MEASURE_LIMIT = Duration.seconds(2);
/** Records that {@link Worker} removes at once, and how long it leaves the store to others in between. */
const PRUNED = 500;
const PRUNE_PAUSE = Duration.millis(50);
/** How long ended deliveries are kept at least, in milliseconds. */
const DELIVERY_KEPT_MIN = HOUR;
/** How often it looks for such records; jittered, so that several processes do not do it at once. */
const PRUNE_EVERY = Schedule.jittered(Schedule.spaced("1 minute"));
/** How often events are appended to feeds that are not read; jittered, so that several processes do not do it at once. */
const RELAY_EVERY = Schedule.jittered(Schedule.spaced("1 second"));
/** How often due settlement runs are looked for; jittered, so that several processes do not do it at once. */
const SCHEDULES_EVERY = Schedule.jittered(Schedule.spaced("15 seconds"));
/** The pauses before a store that could not be reached is tried again: from half a second up to 10 s, with jitter. */
const RECONNECT = Schedule.exponential("500 millis").pipe(
  Schedule.union(Schedule.spaced("10 seconds")),
  Schedule.jittered,
  Schedule.resetAfter("1 minute"),
);
const ALL_TOPICS: ReadonlyArray<Topic> = LANES.flatMap((lane) => TOPICS[lane]);

/** The depth of a lane: that of its topics together. */
const total = (lane: Lane, depths: ReadonlyArray<Depth>): EngineMetrics.LaneDepth =>
  depths
    .filter(({ topic }) => TOPICS[lane].includes(topic))
    .reduce(
      (sum, { waiting, deadLettered, overdueMilliseconds }) => ({
        waiting: sum.waiting + waiting,
        deadLettered: sum.deadLettered + deadLettered,
        oldestSeconds: Math.max(sum.oldestSeconds, overdueMilliseconds / 1000),
      }),
      { waiting: 0, deadLettered: 0, oldestSeconds: 0 },
    );

/** Logs a failure as an error, and fails with it. */
const reportFailure = (problem: string) =>
  Effect.tapErrorCause((cause) =>
    Cause.isInterruptedOnly(cause) ? Effect.void : logFailure(LogLevel.Error, problem, cause),
  );

/** Repeats a round; a failure is logged and waits for the next one, because nothing else depends on it. */
const repeatRound =
  (schedule: Schedule.Schedule<unknown>, problem: string) =>
  <A, E>(round: Effect.Effect<A, E>): Effect.Effect<void> =>
    Effect.asVoid(Effect.repeat(logAndContinue(problem)(round), schedule));

const make = Effect.gen(function* () {
  const outbox = yield* Outbox;
  const storage: Upkeep = yield* Storage;
  const pipeline = yield* Pipeline;
  const jobs = yield* Jobs;
  const payments = yield* Payments;
  const relay = yield* Relay;
  const schedules = yield* Schedules;
  const { feed } = yield* Policies;
  const settings = yield* WorkerSettings;
  const { leaseMilliseconds } = settings;
  const pruning = {
    idempotencyMilliseconds: Math.max(settings.idempotencyMilliseconds, DEFAULT.idempotencyMilliseconds),
    trialMilliseconds: TRIAL_KEPT_MILLISECONDS,
    deliveryMilliseconds: Math.max(settings.deliveryMilliseconds, DELIVERY_KEPT_MIN),
    limit: PRUNED,
  };

  /** The messages that this process has claimed and not released or completed. */
  const claimedMessages = new Map<MessageId, Claimed>();

  const claim = (topics: ReadonlyArray<Topic>, limit: number, exceptCustomers: ReadonlyArray<CustomerId>) =>
    Effect.tap(outbox.claim({ topics, limit, leaseMilliseconds, exceptCustomers }), (claimed) =>
      Effect.sync(() => {
        for (const message of claimed) claimedMessages.set(message.id, message);
      }),
    );

  /** Drops a claim; returns whether this process held it. */
  const dropClaim = (message: Claimed): boolean =>
    claimedMessages.get(message.id) === message && claimedMessages.delete(message.id);

  /** Releases claimed messages that are not finished, so that they do not wait for the end of their leases. */
  const release = (message: Claimed): Effect.Effect<void> =>
    Effect.suspend(() =>
      dropClaim(message)
        ? outbox
            .release(message)
            .pipe(Effect.interruptible, Effect.timeoutOption(RELEASE_LIMIT), Effect.ignore)
        : Effect.void,
    );

  const handle = (message: Claimed): Effect.Effect<void, StorageError> =>
    Effect.tap(jobs.handle(message), () => Effect.sync(() => dropClaim(message)));

  /** Renews the leases of this process while it lives. Those of a killed process end within one lease. */
  const renew: Effect.Effect<never> = Effect.suspend(() =>
    claimedMessages.size === 0 ? Effect.void : outbox.renew([...claimedMessages.values()], leaseMilliseconds),
  ).pipe(
    reportFailure("leases could not be renewed"),
    Effect.ignore,
    Effect.delay(leaseMilliseconds / RENEWALS),
    Effect.forever,
  );

  /**
   * Claims one message of a lane and performs it in the background; returns whether there was one. It waits for a
   * permit of the lane first, and skips customers that use their share of the permits; `freed` runs when one gets below it.
   */
  const dispatcher = (lane: Lane, scope: Scope.Scope, freed: Effect.Effect<unknown>) => {
    const permits = Effect.unsafeMakeSemaphore(settings.concurrency[lane]);
    const share = Math.max(1, Math.floor(settings.concurrency[lane] / 2));
    const working = new Map<CustomerId, number>();
    const countWorking = (customerId: CustomerId, by: number): number => {
      const now = (working.get(customerId) ?? 0) + by;
      if (now === 0) working.delete(customerId);
      else working.set(customerId, now);
      return now;
    };
    const freePermit = ({ customerId }: Claimed) =>
      Effect.suspend(() =>
        Effect.zipRight(permits.release(1), countWorking(customerId, -1) === share - 1 ? freed : Effect.void),
      );
    const performAndRelease = (message: Claimed): Effect.Effect<void> =>
      handle(message).pipe(
        reportFailure("a message could not be released"),
        Effect.ignore,
        Effect.interruptible,
        Effect.ensuring(Effect.zipRight(release(message), freePermit(message))),
      );
    return Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        yield* restore(permits.take(1));
        const full = [...working].filter(([, number]) => number >= share).map(([customerId]) => customerId);
        const [message] = yield* Effect.tapErrorCause(claim(TOPICS[lane], 1, full), () => permits.release(1));
        if (message === undefined) {
          yield* permits.release(1);
          return false;
        }
        countWorking(message.customerId, 1);
        yield* Effect.forkIn(performAndRelease(message), scope);
        return true;
      }),
    );
  };

  /** Performs the messages of one lane as they arrive: when a commit of this process wakes it, and at intervals for those of other processes. */
  const runLane = (lane: Lane, wakeUp: Queue.Queue<void>, scope: Scope.Scope): Effect.Effect<never> =>
    dispatcher(lane, scope, Queue.offer(wakeUp, undefined)).pipe(
      Effect.repeat({ while: (found) => found }),
      Effect.zipRight(Effect.raceFirst(Queue.take(wakeUp), Effect.sleep(settings.pollMilliseconds))),
      Effect.forever,
      reportFailure("the worker could not reach the store"),
      Effect.retry(RECONNECT),
      Effect.orDie,
    );

  /** Removes records whose retention has ended, batch by batch. */
  const prune = storage
    .prune(pruning)
    .pipe(
      Effect.repeat({ while: (count) => count >= PRUNED, schedule: Schedule.spaced(PRUNE_PAUSE) }),
      repeatRound(PRUNE_EVERY, "old records could not be pruned"),
    );

  /** Puts events into the feeds. */
  const feedEvents = relay.round.pipe(repeatRound(RELAY_EVERY, "events could not be appended to the feed"));

  /** Starts the settlement runs of cadences. */
  const startRuns = schedules.round.pipe(
    repeatRound(SCHEDULES_EVERY, "due settlement runs could not be started"),
  );

  const run: Effect.Effect<never> = Effect.scopedWith((scope) =>
    Effect.gen(function* () {
      const wakeUps = yield* Effect.forEach(LANES, () => Queue.sliding<void>(1));
      const wakeLanes = (topics: ReadonlySet<Topic>) =>
        Effect.forEach(
          LANES,
          (lane, index) => {
            const wakeUp = wakeUps[index];
            const isConcerned = TOPICS[lane].some((topic) => topics.has(topic));
            return wakeUp !== undefined && isConcerned ? Queue.offer(wakeUp, undefined) : Effect.void;
          },
          { discard: true },
        );
      const lanes = LANES.map((lane, index) => {
        const wakeUp = wakeUps[index];
        return wakeUp === undefined ? Effect.never : runLane(lane, wakeUp, scope);
      });
      // Outside the lanes: while a part of the store cannot be reached, the rest of the work continues.
      const unpark = outbox
        .unpark(ALL_TOPICS)
        .pipe(
          reportFailure("parked messages could not be released"),
          Effect.retry(RECONNECT),
          Effect.orDie,
          Effect.zipRight(wakeLanes(new Set(ALL_TOPICS))),
        );
      const background = [
        unpark,
        Effect.forever(Effect.flatMap(pipeline.work, wakeLanes)),
        renew,
        prune,
        payments.followProvider,
        startRuns,
        feed ? feedEvents : Effect.void,
      ];
      return yield* Effect.zipRight(
        Effect.all([...lanes, ...background], { concurrency: "unbounded", discard: true }),
        Effect.never,
      );
    }),
  );

  const step: Effect.Effect<number, StorageError> = Effect.acquireUseRelease(
    claim(ALL_TOPICS, STEP, []),
    (claimed) => Effect.as(Effect.forEach(claimed, handle, { discard: true }), claimed.length),
    (claimed) => Effect.forEach(claimed, release, { concurrency: "unbounded", discard: true }),
  ).pipe(Effect.raceFirst(renew));

  const drain: Effect.Effect<number, StorageError> = Effect.suspend(() => {
    let handled = 0;
    return step.pipe(
      Effect.repeat({
        until: (count) => {
          handled += count;
          return count === 0;
        },
      }),
      Effect.map(() => handled),
    );
  });

  const measure: Effect.Effect<void> = yield* outbox.depth.pipe(
    Effect.timeout(MEASURE_LIMIT),
    Effect.catchAll((problem) =>
      Effect.as(
        logFailure(LogLevel.Warning, "the depth of the outbox could not be measured", Cause.fail(problem)),
        null,
      ),
    ),
    Effect.tap((depths) =>
      Effect.sync(() => {
        for (const lane of LANES)
          EngineMetrics.recordOutbox(lane, depths === null ? null : total(lane, depths));
      }),
    ),
    Effect.asVoid,
    Effect.cachedWithTTL(MEASURE_REUSED),
  );

  return {
    /** Claims and performs one handful of messages of every lane, one after the other; returns how many. */
    step,
    /**
     * Performs messages until none is available; returns how many. For tests and scripts. It appends no events to the feed: a
     * read of the feed, and a round of a webhook endpoint that is due, append those that wait.
     */
    drain,
    /**
     * Performs messages as they arrive, for as long as it is not interrupted: each lane by itself, several of a lane at the
     * same time. First it makes parked messages available. When it is interrupted, it releases the messages that it has not finished.
     */
    run,
    /** Starts the settlement runs whose period has started; `run` does so by itself. For tests and scripts. */
    startDueRuns: schedules.round,
    /** Updates the gauges of the outbox, at most once a second; they are NaN when it cannot be read. */
    measure,
  };
});

/** The worker; any number of them may share one store. */
export class Worker extends Effect.Service<Worker>()("quittance/services/Worker", {
  effect: make,
  dependencies: [Jobs.Default],
}) {}

/** Runs the worker in the background while the layer lives. */
export const layerBackground: Layer.Layer<never, never, Worker> = Layer.scopedDiscard(
  Effect.flatMap(Worker, (worker) => Effect.forkScoped(worker.run)),
);
