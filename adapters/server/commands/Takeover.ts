/** `quittance takeover`: partners and commissions from the export of another system. */
import { Effect } from "effect";
import { usageError } from "../CommandFailed.ts";
import { printText } from "../Output.ts";
import { type Declare, type Task, withJson, withTarget } from "../Shell.ts";

interface Options {
  readonly workspace?: string;
  readonly mapping?: string;
  readonly totals?: string;
  readonly printMapping?: true;
  readonly dryRun?: true;
  readonly skipBadRows?: true;
  readonly json?: true;
}

const HELP = `
Systems: rewardful, dub, partnerstack, odoo-oca. --print-mapping prints the columns that are read; change them in a file and pass it with
--mapping where your export has others. A file of totals has the columns partner, currency and total.`;

export const declare: Declare = (program, shell) => {
  const command = withJson(program.command("takeover"))
    .summary("take over partners and commissions of another system")
    .description(
      "Creates the partners of an export, and a sale for each of its commissions with the amount that the other system computed, on its true date. What was paid there is settled here and never due; the rest is due. Then compares what both say of each partner and currency, and names each difference. First every row is checked; an interrupted takeover can be run again. Exit code 1: rows are wrong, or totals differ.",
    )
    .argument("<system>", "rewardful, dub, partnerstack or odoo-oca")
    .argument("[file]", "the export: CSV, or NDJSON with one object a line")
    .option("--workspace <id>", "the workspace of partners and sales")
    .option("--mapping <file>", "JSON file with the columns of the export")
    .option("--print-mapping", "print the columns that are read, and end")
    .option("--totals <file>", "CSV file with the totals that the other system states")
    .option("--dry-run", "check every row and store nothing")
    .option("--skip-bad-rows", "store the valid rows even if others are invalid")
    .addHelpText("after", HELP);
  const work = (name: string, file: string | undefined, options: Options): Task =>
    Effect.gen(function* () {
      const System = yield* Effect.promise(() => import("../takeover/System.ts"));
      const known = Object.entries(System.SYSTEMS).find(([each]) => each === name)?.[1];
      if (known === undefined)
        return yield* usageError(
          `the system must be one of ${Object.keys(System.SYSTEMS).join(", ")}, not "${name}"`,
        );
      if (options.printMapping === true) return yield* printText(JSON.stringify(known, null, 2));
      const { workspace, mapping, totals = null } = options;
      if (file === undefined) return yield* usageError("the file of the export is missing");
      if (workspace === undefined)
        return yield* usageError("name the workspace of the partners with --workspace");
      const { takeOver } = yield* Effect.promise(() => import("../takeover/Takeover.ts"));
      const { targetOf } = yield* Effect.promise(() => import("../Target.ts"));
      const request = {
        ...{ file, workspaceId: workspace.toLowerCase(), totals },
        system: mapping === undefined ? known : yield* System.read(mapping),
        dryRun: options.dryRun === true,
        skipBadRows: options.skipBadRows === true,
        json: options.json === true,
      };
      yield* Effect.scoped(takeOver(request, targetOf(command, shell)));
    });
  withTarget(command).action((name: string, file: string | undefined, options: Options) =>
    shell.run(work(name, file, options)),
  );
};
