/** `quittance outbox`: lists failed, dead-lettered and parked messages, and retries them. */
import { Effect, Layer, Schema, Stream } from "effect";
import { DeadLetters, Ids, type Outbox, Timestamp } from "quittance";
import { FAILURE, usage } from "../CommandFailed.ts";
import { exitWith, print } from "../Output.ts";
import { type Declare, databaseOf, type Task, withDatabase, withJson } from "../Shell.ts";
import type { Database } from "../Value.ts";

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

/** Runs with the dead letters of an existing store. */
const withLetters = (database: Database, task: (letters: DeadLetters.DeadLetters) => Task): Task =>
  Effect.gen(function* () {
    const { existing, layerAsItIs } = yield* Effect.promise(() => import("../Store.ts"));
    const store = layerAsItIs(yield* existing(database));
    yield* Effect.provide(
      Effect.flatMap(DeadLetters.DeadLetters, task),
      Layer.provide(DeadLetters.DeadLetters.Default, store),
    );
  });

const list = (database: Database, json: boolean): Task =>
  withLetters(database, (letters) =>
    Stream.runForEach(letters.list, (message) => print(json ? JSON.stringify(message) : shown(message))),
  );

const retry = (database: Database, ids: ReadonlyArray<Ids.MessageId> | "all"): Task =>
  withLetters(database, (letters) =>
    Effect.gen(function* () {
      const retried = yield* ids === "all" ? letters.retryAll : letters.retry(ids);
      yield* print(`retried ${retried}`);
      if (ids !== "all" && retried < new Set(ids).size) yield* exitWith(FAILURE);
    }),
  );

const isMessageId = Schema.is(Ids.MessageId);

/** The ids of the command line, or all messages. */
const chosen = (words: ReadonlyArray<string>, all: boolean) => {
  if (all === words.length > 0)
    return usage("outbox retry takes the ids of messages, or --all: see quittance outbox list");
  const ids = words.map((word) => word.toLowerCase());
  const wrong = ids.find((id) => !isMessageId(id));
  return wrong === undefined
    ? Effect.succeed(all ? ("all" as const) : ids.filter(isMessageId))
    : usage(`"${wrong}" is not the id of a message: see quittance outbox list`);
};

export const declare: Declare = (program, shell) => {
  const outbox = program
    .command("outbox")
    .summary("show work that failed, and retry it")
    .description("Shows the work of the worker that failed, is set aside or parked, and retries it.");
  const listing = withJson(withDatabase(outbox.command("list")))
    .summary("list the messages that are in trouble")
    .description("Lists messages that have failed, are dead-lettered or parked, oldest first.");
  listing.action(({ json }: { readonly json?: true }) =>
    shell.run(Effect.flatMap(databaseOf(listing, shell), (database) => list(database, json === true))),
  );
  const retrying = withDatabase(outbox.command("retry"))
    .summary("retry messages at once")
    .description("Makes messages available at once, with their failures counted from 0.")
    .argument("[ids...]", "ids of messages, as `quittance outbox list` shows them")
    .option("--all", "every message that `quittance outbox list` shows");
  retrying.action((words: ReadonlyArray<string>, { all }: { readonly all?: true }) =>
    shell.run(
      Effect.gen(function* () {
        const ids = yield* chosen(words, all === true);
        yield* retry(yield* databaseOf(retrying, shell), ids);
      }),
    ),
  );
};
