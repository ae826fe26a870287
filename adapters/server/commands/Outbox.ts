/** `quittance outbox`: lists failed, dead-lettered and parked messages, and retries them. */
import { Effect } from "effect";
import { type Declare, databaseOf, load, withDatabase, withJson } from "../Shell.ts";

const messages = () => import("../FailedMessages.ts");

export const declare: Declare = (program, shell) => {
  const outbox = program
    .command("outbox")
    .summary("show failed messages of the worker, and retry them")
    .description("Shows messages of the worker that failed, are dead-lettered or parked, and retries them.");
  const listing = withJson(withDatabase(outbox.command("list")))
    .summary("list the messages that failed")
    .description("Lists messages that have failed, are dead-lettered or parked, oldest first.");
  listing.action(({ json }: { readonly json?: true }) =>
    shell.run(
      Effect.flatMap(databaseOf(listing, shell), (database) =>
        load(messages, ({ list }) => list(database, json === true)),
      ),
    ),
  );
  const retrying = withDatabase(outbox.command("retry"))
    .summary("retry messages at once")
    .description("Makes messages available at once, with their failures counted from 0.")
    .argument("[ids...]", "ids of messages, as `quittance outbox list` shows them")
    .option("--all", "every message that `quittance outbox list` shows");
  retrying.action((words: ReadonlyArray<string>, { all }: { readonly all?: true }) =>
    shell.run(
      Effect.flatMap(databaseOf(retrying, shell), (database) =>
        load(messages, ({ retry }) => retry(database, words, all === true)),
      ),
    ),
  );
};
