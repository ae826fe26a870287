/** The work of `quittance outbox`: lists and retries messages that have failed, are dead-lettered or parked. */
import { Effect, Layer, Logger, LogLevel, Schema, Stream } from "effect";
import { DeadLetters, Ids, type Outbox, Timestamp } from "quittance";
import { FAILURE, usageError } from "./CommandFailed.ts";
import { exitWith, print } from "./Output.ts";
import type { Task } from "./Shell.ts";
import { layerWithoutMigration, requireExisting } from "./Store.ts";
import type { Database } from "./Value.ts";

/** One message on one line, with the first line of its problem. */
const formatMessage = ({
  id,
  state,
  topic,
  failures,
  customerId,
  recordId,
  availableAt,
  problem,
}: Outbox.Listed) =>
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

/** Runs with the dead letters of an existing store. */
const withLetters = (database: Database, task: (letters: DeadLetters.DeadLetters) => Task): Task =>
  Effect.gen(function* () {
    const store = layerWithoutMigration(yield* requireExisting(database)).pipe(
      // The last line of the command says that the database is lost.
      Layer.provide(Logger.minimumLogLevel(LogLevel.None)),
    );
    yield* Effect.provide(
      Effect.flatMap(DeadLetters.DeadLetters, task),
      Layer.provide(DeadLetters.DeadLetters.Default, store),
    );
  });

/** Prints the messages that have failed, are dead-lettered or parked. */
export const list = (database: Database, json: boolean): Task =>
  withLetters(database, (letters) =>
    Stream.runForEach(letters.list, (message) =>
      print(json ? JSON.stringify(message) : formatMessage(message)),
    ),
  );

const retryThese = (database: Database, ids: ReadonlyArray<Ids.MessageId> | "all"): Task =>
  withLetters(database, (letters) =>
    Effect.gen(function* () {
      const retried = yield* ids === "all" ? letters.retryAll : letters.retry(ids);
      yield* print(`retried ${retried}`);
      if (ids !== "all" && retried < new Set(ids).size) yield* exitWith(FAILURE);
    }),
  );

const isMessageId = Schema.is(Ids.MessageId);

/** The ids of the command line, or all messages. */
const parseIds = (words: ReadonlyArray<string>, all: boolean) => {
  if (all === words.length > 0)
    return usageError("outbox retry needs the ids of messages, or --all: see quittance outbox list");
  const ids = words.map((word) => word.toLowerCase());
  const invalid = ids.find((id) => !isMessageId(id));
  return invalid === undefined
    ? Effect.succeed(all ? ("all" as const) : ids.filter(isMessageId))
    : usageError(`"${invalid}" is not the id of a message: see quittance outbox list`);
};

/** Makes messages available at once: those of the command line, or all that `list` prints. */
export const retry = (database: Database, words: ReadonlyArray<string>, all: boolean): Task =>
  Effect.flatMap(parseIds(words, all), (ids) => retryThese(database, ids));
