/** `quittance values`: states values of a plan's parameters for the partners of a file. */
import { Effect } from "effect";
import { type Declare, type Task, withJson, withTarget } from "../Shell.ts";
import { formatOf } from "./Simulate.ts";

interface Options {
  readonly plan: string;
  readonly format?: string;
  readonly dryRun?: true;
  readonly json?: true;
}

const HELP = `
The file has a column partner_id, or partner with the names of partners, perhaps a column effective_on (a day in the time zone of the
workspace) or effective_datetime, and a column for each parameter that it states. An empty cell states nothing:

  partner,effective_on,rate,quota
  Nordlys ApS,2026-03-01,0.07,
  Bo Marsh,2026-03-01,0.08,250000`;

export const declare: Declare = (program, shell) => {
  const command = withJson(program.command("values"))
    .summary("state values per partner from a CSV or NDJSON file")
    .description(
      "States values of the parameters of a commission plan, such as rates and quotas, for the partners of a file, on a store directly or on a server. First every row is checked; if one is wrong, nothing is stated. The values of up to 1,000 rows are stated all or none. What is stated already does not change, so the same file can be sent again.",
    )
    .argument("<file>", "a .csv file with a line of column names, or .ndjson with one object a line")
    .requiredOption("--plan <id>", "the commission plan")
    .option("--format <format>", "csv or ndjson, if the name of the file does not show it")
    .option("--dry-run", "check every row and state nothing")
    .addHelpText("after", HELP);
  const work = (file: string, options: Options): Task =>
    Effect.gen(function* () {
      const format = yield* formatOf(file, options.format);
      const { stateValues } = yield* Effect.promise(() => import("../importing/PlanValues.ts"));
      const { targetOf } = yield* Effect.promise(() => import("../Target.ts"));
      const { plan } = options;
      const request = { file, format, plan, dryRun: options.dryRun === true, json: options.json === true };
      yield* Effect.scoped(stateValues(request, targetOf(command, shell)));
    });
  withTarget(command).action((file: string, options: Options) => shell.run(work(file, options)));
};
