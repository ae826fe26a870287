/** `quittance verify`: checks a live store and names what is wrong. */
import { Effect } from "effect";
import { type Declare, databaseOf, load, withDatabase, withJson } from "../Shell.ts";

interface Options {
  readonly json?: true;
  readonly customer?: string;
}

export const declare: Declare = (program, shell) => {
  const command = withJson(withDatabase(program.command("verify")))
    .summary("check a live store, and report what is wrong")
    .description(
      "Checks on one snapshot that every record is the fold of its log, that books, settlement lines, amounts, running totals, statistics, tax, documents and their numbers, payment files and the hashes of the event feed agree, and reports what does not. Servers may keep running. Memory stays constant. Exit code 1: problems were found.",
    )
    .option("--customer <id>", "only this customer");
  command.action(({ json, customer }: Options) =>
    shell.run(
      Effect.flatMap(databaseOf(command, shell), (database) =>
        load(
          () => import("../verification/VerifyStore.ts"),
          ({ verifyStore }) => verifyStore(database, customer, json === true),
        ),
      ),
    ),
  );
};
