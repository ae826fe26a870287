/** `quittance copy`: copies a store into another one. */
import { Effect } from "effect";
import { usageError } from "../CommandFailed.ts";
import { type Declare, databaseOf, load, orUsage, withDatabase } from "../Shell.ts";
import * as Value from "../Value.ts";

export const declare: Declare = (program, shell) => {
  const command = withDatabase(program.command("copy"))
    .summary("copy a store into another, empty one")
    .description(
      "Copies every record, document, key and the event feed of a store into an empty one, of PostgreSQL or embedded, then compares each table and verifies the copy. A database on a server is read on one snapshot, and its servers may keep running; stop the server of an embedded store first. When it was interrupted, run it again: it continues if the source has not changed. Exit code 1: the copy is not complete, or problems were found.",
    )
    .argument("<target>", "the URL of the store to fill: pglite://<folder> or postgres://…");
  command.action((url: string) =>
    shell.run(
      Effect.gen(function* () {
        const source = yield* databaseOf(command, shell);
        const target = yield* Effect.mapError(orUsage(Value.databaseOf(url)), ({ message }) =>
          usageError(message.replace("DATABASE_URL", "the target")),
        );
        yield* load(
          () => import("../copying/CopyStore.ts"),
          ({ copyStore }) => copyStore(source, target),
        );
      }),
    ),
  );
};
