/** The single write path: replays, or loads, decides and commits once, and starts again when another commit was faster. */
import { Clock, Context, Data, Effect, Layer, Queue, Schedule } from "effect";
import type { Actor } from "../../domain/Event.ts";
import { CommandId, type CustomerId, MessageId } from "../../domain/Ids.ts";
import { COMMAND_ATTEMPTS_MAX, ORDERED_ATTEMPTS_MAX } from "../../domain/Limits.ts";
import type { Principal } from "../../domain/Principal.ts";
import { Conflict, conflict, type Refusal } from "../../domain/Refusal.ts";
import type { Timestamp } from "../../domain/Timestamp.ts";
import { IdSource, type IdSourceService } from "../../ports/IdSource.ts";
import {
  type Change,
  type ChangeSet,
  type IdempotencyRecord,
  type Message,
  type RecordRequirement,
  type Records,
  type Requirement,
  Storage,
  type StorageError,
  type Topic,
} from "../../ports/Storage.ts";
import * as EngineMetrics from "../process/EngineMetrics.ts";
import * as Serialized from "../process/Serialized.ts";
import { Policies } from "./Policies.ts";

export interface CommandOptions {
  /** Makes a repeated command return the first result, without a second effect. */
  readonly idempotency?: {
    /** 1 to 255 visible ASCII characters. */
    readonly key: string;
    /** Of the whole request; another request with the same key is refused. */
    readonly requestSha256: string;
  };
  /**
   * The record of the cached credential with which the command begins. The commit confirms its version, also where the
   * command stores nothing else; where it has changed, the command is refused as `busy:` at once. A replay does not check it.
   */
  readonly credential?: RecordRequirement;
}

/** True if a result is that of an earlier command with the same idempotency key. */
export interface Replayed {
  readonly replayed: boolean;
}

/** One execution of a command. */
export interface Execution extends Actor {
  readonly id: CommandId;
  readonly at: Timestamp;
  /** From 1; a higher one follows a conflict with another commit. */
  readonly attempt: number;
  /** What the attempt before conflicted with, as the store names it; null at the first one. */
  readonly conflict: string | null;
}

/**
 * The execution of a command that is decided and not stored, by the clock of now. It reads what the process remembers anew, as
 * after a conflict: no commit compares it.
 */
export const unstored = (ids: IdSourceService, principal: Caller): Effect.Effect<Execution> =>
  Effect.gen(function* () {
    const at = yield* Clock.currentTimeMillis;
    return { id: yield* ids.next(CommandId), actor: principal.principalId, at, attempt: 2, conflict: null };
  });

/** Which attempt of a command it is, and why the one before it failed. */
type AttemptNumber = Pick<Execution, "attempt" | "conflict">;

const FIRST: AttemptNumber = { attempt: 1, conflict: null };

/** A message without the fields that the pipeline adds. */
export type Work = Omit<Message, "id" | "customerId" | "delayMilliseconds"> & {
  /** A new one by default. */
  readonly id?: MessageId;
  /** The shortest time that it waits; 0 by default. */
  readonly delayMilliseconds?: number;
};

/** The decision of a command: its result and its whole effect. Without any effect nothing is committed. */
export interface Decision<Result> {
  readonly result: Result;
  readonly requires: ReadonlyArray<Requirement>;
  readonly changes: ReadonlyArray<Change>;
  readonly outbox?: ReadonlyArray<Work>;
  /** The result stored for replays, if the result itself contains a secret. */
  readonly replayResult?: object;
  /** Called once the effect is stored, to count it. */
  readonly onStored?: () => void;
  /** When the command takes effect, if that follows from its place in an order; the moment of the execution by default. */
  readonly at?: Timestamp;
}

/** A command that is decided in its turn in an order: it waits for the turn, decides, and ends the turn after `store`. */
export interface InTurn<Result> {
  readonly inTurn: <Problem>(
    store: (decision: Decision<Result>) => Effect.Effect<Result & Replayed, Problem>,
  ) => Effect.Effect<Result & Replayed, Problem | Refusal | StorageError>;
}

/** A result without effect. */
export const noEffect = <Result>(result: Result): Decision<Result> => ({ result, requires: [], changes: [] });

/** Loads and decides; runs again from the start when another commit has changed what it read. */
export type Attempt<Result, Problem = never> = (
  execution: Execution,
) => Effect.Effect<Decision<Result> | InTurn<Result>, Refusal | StorageError | Problem>;

/** On whose behalf a command runs. */
export type Caller = Pick<Principal, "principalId" | "person">;

/** What runs every command. */
export interface PipelineService {
  /**
   * Runs a command of a customer. With a known idempotency key it returns the stored result without running; after eight
   * attempts with conflicts it fails as `busy:`. Refusals store nothing.
   */
  readonly run: <Result extends object, Problem = never>(
    customerId: CustomerId,
    principal: Caller,
    options: CommandOptions,
    attempt: Attempt<Result, Problem>,
  ) => Effect.Effect<Result & Replayed, Refusal | StorageError | Problem>;
  /** Waits until this process has stored messages in the outbox; returns the topics of all messages since the last call. */
  readonly work: Effect.Effect<ReadonlySet<Topic>>;
  /** Signals that the outbox has messages of these topics; commits do so themselves. */
  readonly wake: (topics: ReadonlyArray<Topic>) => Effect.Effect<void>;
}

/** The single write path. */
export class Pipeline extends Context.Tag("quittance/services/Pipeline")<Pipeline, PipelineService>() {}

/** The commit conflicted with another one, or the idempotency key was used: nothing is stored. */
class CommitConflict extends Data.TaggedError("CommitConflict")<{
  readonly what: string;
  /** True if the command had its turn in an order of this process, so that only another process can have been faster. */
  readonly inTurn: boolean;
}> {}

const isCommitConflict = (problem: unknown): problem is CommitConflict => problem instanceof CommitConflict;
const isConflictInTurn = (problem: unknown): boolean => isCommitConflict(problem) && problem.inTurn;

const failWithConflict = (what: string, inTurn: boolean) => Effect.fail(new CommitConflict({ what, inTurn }));

/**
 * The attempts after the second one, which starts at once: after a formula change, every creation has one conflict.
 * Each waits for a random part of 8 ms, and of twice as long as the one before.
 */
const PAUSES = Schedule.jitteredWith(Schedule.exponential("8 millis"), { min: 0, max: 1 }).pipe(
  Schedule.intersect(Schedule.recurs(COMMAND_ATTEMPTS_MAX - 2)),
  Schedule.whileInput((problem) => isCommitConflict(problem) && !problem.inTurn),
);

/**
 * Two processes that put the same order in turns each win about every second time, so eight attempts would refuse one
 * command of 256. They do not pause here: the queue of the order lets other orders go first, and decides
 * together the commands that return to it at the same time.
 */
const IN_TURN = Schedule.recurs(ORDERED_ATTEMPTS_MAX - 2).pipe(Schedule.whileInput(isConflictInTurn));

const BUSY = Effect.suspend(() => {
  EngineMetrics.countBusy();
  return Effect.fail(conflict("busy", "other commands keep changing the same records; try again"));
});

/** How long a command waits for an earlier one with its idempotency key in this process; then the store decides. */
const SAME_KEY_MILLISECONDS = 10_000;

const make = Effect.gen(function* () {
  const storage: Records = yield* Storage;
  const ids = yield* IdSource;
  const oneByOne = Serialized.make(SAME_KEY_MILLISECONDS);
  const { feed } = yield* Policies;
  const signal = yield* Queue.sliding<void>(1);
  let pendingTopics = new Set<Topic>();
  const wake = (topics: ReadonlyArray<Topic>) =>
    Effect.suspend(() => {
      for (const topic of topics) pendingTopics.add(topic);
      return Effect.asVoid(Queue.offer(signal, undefined));
    });
  const work = Effect.map(Queue.take(signal), () => {
    const topics = pendingTopics;
    pendingTopics = new Set();
    return topics;
  });

  const replay = <Result extends object>(
    stored: IdempotencyRecord | null,
    requestSha256: string,
  ): Effect.Effect<(Result & Replayed) | null, Refusal> =>
    stored === null
      ? Effect.succeed(null)
      : stored.requestSha256 === requestSha256
        ? // The same request stored the result, so it has that command's shape.
          Effect.succeed({ ...(stored.result as Result), replayed: true })
        : Effect.fail(conflict("idempotency_key_reuse", "the key was used for another request"));

  const messagesOf = (
    customerId: CustomerId,
    at: Timestamp,
    outbox: ReadonlyArray<Work>,
  ): ReadonlyArray<Message> =>
    outbox.map(({ id, delayMilliseconds = 0, ...work }) => ({
      ...work,
      id: id ?? ids.nextAt(MessageId, at),
      customerId,
      delayMilliseconds,
    }));

  /** Commits what was decided. */
  const store = <Result extends object>(
    customerId: CustomerId,
    command: ChangeSet["command"],
    { idempotency, credential }: CommandOptions,
    { result, requires: own, changes, outbox = [], replayResult = result, onStored }: Decision<Result>,
  ): Effect.Effect<Result & Replayed, StorageError | Refusal | CommitConflict> => {
    const fresh = Object.assign({ replayed: false }, result);
    const { actor, at } = command;
    const idempotencyRecord: IdempotencyRecord | null =
      idempotency === undefined ? null : { ...idempotency, principalId: actor, result: replayResult, at };
    const isVoid = changes.length === 0 && outbox.length === 0 && idempotencyRecord === null;
    if (isVoid && credential === undefined) return Effect.succeed(fresh);
    const requires = credential === undefined ? own : [...own, credential];
    const work = messagesOf(customerId, at, outbox);
    const committed = storage.commit(customerId, {
      command,
      requires,
      changes,
      outbox: work,
      idempotencyRecord,
      feed,
    });
    return Effect.matchEffect(committed, {
      onFailure: (problem): Effect.Effect<never, StorageError | Refusal | CommitConflict> => {
        if (problem._tag === "StorageError") return Effect.fail(problem);
        const isConflict = problem._tag === "VersionConflict";
        if (isConflict && problem.what === credential?.kind) return BUSY;
        EngineMetrics.countRetry(isConflict ? "version_conflict" : "idempotency_key_used");
        return failWithConflict(isConflict ? problem.what : "idempotency_key", false);
      },
      onSuccess: () => {
        onStored?.();
        return work.length > 0
          ? Effect.as(wake(work.map(({ topic }) => topic)), fresh)
          : Effect.succeed(fresh);
      },
    });
  };

  /** Runs the attempt of a number: loads, decides and commits. */
  const runAttempt =
    <Result extends object, Problem>(
      customerId: CustomerId,
      by: Actor,
      options: CommandOptions,
      attempt: Attempt<Result, Problem>,
    ) =>
    (
      number: AttemptNumber,
    ): Effect.Effect<Result & Replayed, Refusal | StorageError | Problem | CommitConflict> =>
      Effect.clockWith((clock) => {
        const at = clock.unsafeCurrentTimeMillis();
        const id = ids.nextAt(CommandId, at);
        const storeDecision = (decision: Decision<Result>) =>
          store(customerId, { ...by, id, at: decision.at ?? at }, options, decision);
        return Effect.flatMap(
          attempt({ ...by, id, at, ...number }),
          (decided): Effect.Effect<Result & Replayed, Refusal | StorageError | CommitConflict> =>
            "inTurn" in decided
              ? Effect.catchIf(decided.inTurn(storeDecision), isCommitConflict, ({ what }) =>
                  failWithConflict(what, true),
                )
              : storeDecision(decided),
        );
      });

  /**
   * Attempts until a commit does not conflict, or all attempts are used. A schedule costs as much as the rest of a small
   * command, so only a command that had a conflict has one.
   */
  const retryConflicts = <Result, Problem>(
    attempt: (number: AttemptNumber) => Effect.Effect<Result, Problem | CommitConflict>,
  ): Effect.Effect<Result, Problem | Refusal> =>
    Effect.catchIf(attempt(FIRST), isCommitConflict, (first) => {
      let number: AttemptNumber = { attempt: 2, conflict: first.what };
      return Effect.suspend(() => attempt(number)).pipe(
        Effect.tapError((problem) =>
          Effect.sync(() => {
            if (isCommitConflict(problem)) number = { attempt: number.attempt + 1, conflict: problem.what };
          }),
        ),
        Effect.retry(IN_TURN),
        Effect.retry(PAUSES),
        Effect.catchIf(isCommitConflict, () => BUSY),
      );
    }) as Effect.Effect<Result, Problem | Refusal>;

  const run = <Result extends object, Problem = never>(
    customerId: CustomerId,
    { principalId, person }: Caller,
    options: CommandOptions,
    attempt: Attempt<Result, Problem>,
  ): Effect.Effect<Result & Replayed, Refusal | StorageError | Problem> => {
    const { idempotency } = options;
    const by: Actor =
      person === undefined || person === principalId
        ? { actor: principalId }
        : { actor: principalId, person };
    const tryOnce = runAttempt(customerId, by, options, attempt);
    if (idempotency === undefined) return retryConflicts(tryOnce);
    const earlierResult = Effect.flatMap(
      storage.findIdempotencyRecord(customerId, principalId, idempotency.key),
      (stored) => replay<Result>(stored, idempotency.requestSha256),
    );
    const orElse = <Problem>(other: Effect.Effect<Result & Replayed, Problem>) =>
      Effect.flatMap(earlierResult, (first) => (first === null ? other : Effect.succeed(first)));
    const attempts = retryConflicts((number) =>
      orElse(
        Effect.catchIf(
          tryOnce(number),
          (problem) => problem instanceof Conflict,
          // The conflict may be with the same request, sent twice at the same time.
          (conflict) => orElse(Effect.fail(conflict)),
        ),
      ),
    );
    return oneByOne(JSON.stringify([customerId, principalId, idempotency.key]), attempts);
  };

  return Pipeline.of({ run, work, wake });
});

/** The write path over a host's store. */
export const layer: Layer.Layer<Pipeline, never, Storage | IdSource> = Layer.effect(Pipeline, make);
