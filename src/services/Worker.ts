/** Performs what commits have asked for: documents, payments, and the rest of long recomputations. */
import { Cause, Clock, Duration, Effect, Layer, Random } from "effect";
import type { RecomputationId, SettlementId } from "../domain/Ids.ts";
import type { RenderingFailed, RenderingRefused } from "../ports/Documents.ts";
import { type Claimed, Outbox } from "../ports/Outbox.ts";
import type { PaymentRefused } from "../ports/Payments.ts";
import type { StorageFailed } from "../ports/Storage.ts";
import type { Failure } from "./Access.ts";
import { DocumentMaking, KIND_OF } from "./DocumentMaking.ts";
import * as Meter from "./Meter.ts";
import { Payments } from "./Payments.ts";
import { Pipeline } from "./Pipeline.ts";
import { Recomputations } from "./Recomputations.ts";
import { spanned, Tracing } from "./Tracing.ts";

/** Messages claimed at a time. */
const BATCH = 16;
/** How long a claim keeps others away. */
const LEASE = Duration.toMillis("2 minutes");
/** How long a worker that stops tries to free what it has claimed. */
const RELEASE = Duration.seconds(2);
/** Tries before a message is set aside. */
const ATTEMPTS_MAX = 20;
/** Batches of a recomputation per claim; the lease outlasts them. */
const RECOMPUTATION_BATCHES = 20;
/** How often an idle worker looks for the work of other processes. */
const POLL = Duration.millis(500);
/** How long a measure of the outbox stands, so that asking often costs the store nothing. */
const MEASURE_KEPT = Duration.seconds(1);
/** How long a measure may wait for the store. */
const MEASURE_LIMIT = Duration.seconds(2);
const UNKNOWN = { waiting: Number.NaN, buried: Number.NaN, oldestSeconds: Number.NaN };

/** Doubles from a second to an hour, with jitter, so that workers do not return together. */
const backoff = (attempt: number): Effect.Effect<number> =>
  Effect.map(Random.nextRange(0.5, 1), (jitter) => Math.min(3_600_000, 1_000 * 2 ** (attempt - 1)) * jitter);

const make = Effect.gen(function* () {
  const outbox = yield* Outbox;
  const pipeline = yield* Pipeline;
  const documents = yield* DocumentMaking;
  const recomputations = yield* Recomputations;
  const payments = yield* Payments;
  const traced = yield* Tracing;

  const work = (
    message: Claimed,
  ): Effect.Effect<"done" | "again", Failure | RenderingFailed | RenderingRefused | PaymentRefused> => {
    switch (message.topic) {
      case "make_report":
      case "make_invoice":
      case "make_credit_note":
        return Effect.as(
          documents.run(message.customerId, message.recordId as SettlementId, KIND_OF[message.topic]),
          "done",
        );
      case "recompute":
        return Effect.map(
          recomputations.run(message.customerId, message.recordId as RecomputationId, RECOMPUTATION_BATCHES),
          (left) => (left ? "again" : "done"),
        );
      case "send_payment":
        return Effect.as(
          payments.send(message.customerId, message.recordId as SettlementId, message.reference),
          "done",
        );
    }
  };

  const perform: typeof work = (message) =>
    traced
      ? spanned(
          work(message),
          `quittance.job ${message.topic}`,
          { "quittance.topic": message.topic, "quittance.attempt": message.attempt },
          true,
        )
      : work(message);

  const giveBack = (message: Claimed, problem: string) =>
    message.attempt >= ATTEMPTS_MAX
      ? outbox.bury(message.id, problem)
      : Effect.gen(function* () {
          const wait = yield* backoff(message.attempt);
          yield* outbox.postpone(message.id, (yield* Clock.currentTimeMillis) + Math.ceil(wait), problem);
        });

  const handle = (message: Claimed): Effect.Effect<void, StorageFailed> =>
    perform(message).pipe(
      Effect.sandbox,
      Effect.matchEffect({
        onSuccess: (outcome) =>
          outcome === "done"
            ? outbox.complete(message.id)
            : Effect.flatMap(Clock.currentTimeMillis, (now) => outbox.postpone(message.id, now, "")),
        onFailure: (cause) =>
          Effect.zipRight(
            Effect.logWarning(`work failed: ${message.topic} of ${message.recordId}`, cause),
            giveBack(message, Cause.pretty(cause)),
          ),
      }),
    );

  /** Frees what was claimed and not finished, so that nobody waits for the end of its lease. */
  const release = (left: ReadonlySet<Claimed>): Effect.Effect<void> =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis;
      yield* Effect.forEach(left, ({ id }) => outbox.postpone(id, now, "given back unfinished"));
    }).pipe(Effect.interruptible, Effect.timeoutOption(RELEASE), Effect.ignore);

  const step: Effect.Effect<number, StorageFailed> = Effect.gen(function* () {
    const claimed = yield* outbox.claim(yield* Clock.currentTimeMillis, BATCH, LEASE);
    const left = new Set(claimed);
    yield* Effect.forEach(claimed, (message) => Effect.map(handle(message), () => left.delete(message)), {
      discard: true,
    }).pipe(Effect.ensuring(Effect.suspend(() => release(left))));
    return claimed.length;
  });

  const settle: Effect.Effect<number, StorageFailed> = Effect.flatMap(step, (handled) =>
    handled === 0 ? Effect.succeed(0) : Effect.map(settle, (more) => handled + more),
  );

  const run: Effect.Effect<never> = Effect.forever(
    Effect.catchAll(settle, (failure) =>
      Effect.logError("the worker could not reach the store", failure),
    ).pipe(Effect.zipRight(Effect.raceFirst(pipeline.work, Effect.sleep(POLL)))),
  );

  const measure: Effect.Effect<void> = yield* Effect.zipWith(
    outbox.depth,
    Clock.currentTimeMillis,
    ({ waiting, buried, oldestAt }, now) => ({
      waiting,
      buried,
      oldestSeconds: Math.max(0, now - (oldestAt ?? now)) / 1000,
    }),
  ).pipe(
    Effect.timeout(MEASURE_LIMIT),
    Effect.catchAll((problem) =>
      Effect.as(Effect.logWarning("the outbox was not measured", problem), UNKNOWN),
    ),
    Effect.map(Meter.outbox),
    Effect.cachedWithTTL(MEASURE_KEPT),
  );

  return {
    /** Claims and performs one handful of messages; answers how many. */
    step,
    /** Performs messages until none is available; answers how many. For tests and scripts. */
    settle,
    /** Performs messages as they come, for as long as it is not interrupted. */
    run,
    /** Brings the figures of the outbox up to date, at most once a second; they are no numbers when it cannot be asked. */
    measure,
  };
});

/** The worker; any number of them may share one store. */
export class Worker extends Effect.Service<Worker>()("quittance/services/Worker", { effect: make }) {}

/** Runs the worker in the background while the layer lives. */
export const layerBackground: Layer.Layer<never, never, Worker> = Layer.scopedDiscard(
  Effect.flatMap(Worker, (worker) => Effect.forkScoped(worker.run)),
);
