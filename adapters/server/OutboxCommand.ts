/** `quittance outbox`: lists failed, set-aside and parked messages, and retries them. */
import { Effect, Layer, Stream } from "effect";
import { DeadLetters, type Outbox, type Storage, Timestamp } from "quittance";
import type { OutboxAsk } from "./CommandLine.ts";
import * as Store from "./Store.ts";
import type { Database } from "./Value.ts";

/** The exit code when a message that was to be retried is not among those in trouble. */
const NOT_FOUND = 1;

const print = (line: string): Effect.Effect<void> => Effect.sync(() => process.stdout.write(`${line}\n`));

/** One message on a line; of its problem the first line. */
const shown = ({ id, state, topic, failures, customerId, recordId, availableAt, problem }: Outbox.Listed) =>
  [
    id,
    state,
    topic,
    `failures=${failures}`,
    `customer=${customerId}`,
    `record=${recordId}`,
    `available=${Timestamp.format(availableAt)}`,
    (problem ?? "").split("\n")[0],
  ].join("  ");

/** Performs the command and sets the exit code: 0, or 1 when an id names no message in trouble. */
export const outbox = (database: Database, ask: OutboxAsk): Effect.Effect<void, Storage.StorageError> =>
  Effect.gen(function* () {
    const letters = yield* DeadLetters.DeadLetters;
    if (ask.type === "list") {
      const line = ask.json ? (message: Outbox.Listed) => JSON.stringify(message) : shown;
      return yield* Stream.runForEach(letters.list, (message) => print(line(message)));
    }
    if (ask.ids === "all") return yield* print(`retried ${yield* letters.retryAll}`);
    const retried = yield* letters.retry(ask.ids);
    yield* print(`retried ${retried}`);
    if (retried < new Set(ask.ids).size) process.exitCode = NOT_FOUND;
  }).pipe(Effect.provide(Layer.provide(DeadLetters.DeadLetters.Default, Store.layerAsItIs(database))));
