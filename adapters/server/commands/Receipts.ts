/** `quittance receipts`: states what the buyers of sales have paid, from a CSV or NDJSON file. */
import { Effect } from "effect";
import { type Declare, orUsage, type Task, withJson, withTarget } from "../Shell.ts";
import { ROW } from "./Import.ts";
import { formatOf } from "./Simulate.ts";

interface Options {
  readonly format?: string;
  readonly dryRun?: true;
  readonly skipBadRows?: true;
  readonly fromRow: string;
  readonly json?: true;
}

const HELP = `
The file has a column external_reference, or attribution_id, and the columns received and of: what the buyer has paid so far, of how
much, in any unit. Perhaps received_at, a moment or the beginning of a day in UTC, and schema_id where several schemas have the same
reference:

  external_reference,received,of,received_at
  order-501,500,1000,2026-03-01
  order-502,80,80,2026-03-02`;

export const declare: Declare = (program, shell) => {
  const command = withJson(program.command("receipts"))
    .summary("state what buyers have paid from a CSV or NDJSON file")
    .description(
      "States what the buyers of sales have paid so far, from a file, on a store directly or on a server. First every row is checked; if one is wrong, nothing is stated. What is stated already does not change, and neither does anything by a row of an earlier moment, so an interrupted run can be repeated.",
    )
    .argument("<file>", "a .csv file with a line of column names, or .ndjson with one object a line")
    .option("--format <format>", "csv or ndjson, if the name of the file does not show it")
    .option("--dry-run", "check every row and state nothing")
    .option("--skip-bad-rows", "state the valid rows even if others are invalid")
    .option("--from-row <number>", "start at this row", "1")
    .addHelpText("after", HELP);
  const work = (file: string, options: Options): Task =>
    Effect.gen(function* () {
      const format = yield* formatOf(file, options.format);
      const fromRow = yield* orUsage(ROW.parse("--from-row", options.fromRow));
      const { stateReceipts } = yield* Effect.promise(() => import("../importing/Receipts.ts"));
      const { targetOf } = yield* Effect.promise(() => import("../Target.ts"));
      const { dryRun = false, skipBadRows = false, json = false } = options;
      const request = { file, format, fromRow, dryRun, skipBadRows, json };
      yield* Effect.scoped(stateReceipts(request, targetOf(command, shell)));
    });
  withTarget(command).action((file: string, options: Options) => shell.run(work(file, options)));
};
