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
      "Checks, on one snapshot, that every record follows from its log of events, and that amounts, running totals, settlement lines, statistics, tax, documents and their numbers, payment files, closed months and the hashes of the event feed agree; reports each problem. Servers may keep running. The memory use is constant. Exit code 1: problems were found.",
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
