/** `quittance plans`: tries plans on past sales. */
import type { TryOptions } from "../formulas/PlanTrial.ts";
import { type Declare, load, withJson, withTarget } from "../Shell.ts";

const CSV = "print CSV, one row for each partner and month, with amounts in the smallest unit";

export const declare: Declare = (program, shell) => {
  const module = () => import("../formulas/PlanTrial.ts");
  const plans = program
    .command("plans")
    .summary("try plans on past sales")
    .description(
      "Computes what past sales would have earned under another plan, and compares it with what is in force; nothing in the books changes. The worker of a server does it.",
    );
  const trying = withJson(withTarget(plans.command("try")))
    .summary("try a plan, or a change of it, on past sales")
    .description(
      "Starts a trial, shows its progress, and prints for each partner what sales earn now, what they would earn then, and the difference. Without --formula the plan is tried as it is, such as with other --parameters.",
    )
    .option("--plan <id>", "the plan to try")
    .option("--formula <file>", "a file with the formula that it would have: text, or nodes in JSON")
    .requiredOption("--from <date>", "the first day of the sales, or a moment: 2026-01-01")
    .requiredOption("--to <date>", "the day after the last one, or a moment: 2026-04-01")
    .option("--partners <ids>", "only these partners, separated by commas")
    .option("--parameters <json>", 'values in place of those that the partners have: {"rate": 9}')
    .option("--workspace <id>", "of a draft that is no plan yet: its workspace")
    .option("--schema <id>", "of a draft that is no plan yet: the schema of its sales")
    .option("--currency <code>", "of a draft that is no plan yet: its currency")
    .option(
      "--roles <list>",
      "of a draft that is no plan yet: the roles of the credits that it pays, such as manager",
    )
    .option("--no-wait", "print the id of the trial, and do not wait for its result")
    .option("--csv", CSV)
    .addHelpText(
      "after",
      "\nExample:\n  quittance plans try --plan 019b7000-0000-7000-8000-000000000031 --formula draft.txt --from 2026-01-01 --to 2026-04-01",
    );
  trying.action((options: TryOptions) =>
    shell.run(load(module, ({ tryPlan }) => tryPlan(trying, shell, options))),
  );
  const showing = withJson(withTarget(plans.command("trial")))
    .summary("show a trial and its result")
    .description("Shows a trial as `quittance plans try` does, with the partners that are done.")
    .argument("<id>", "the id of the trial")
    .option("--csv", CSV);
  showing.action((id: string, options: { readonly json?: true; readonly csv?: true }) =>
    shell.run(load(module, ({ show }) => show(showing, shell, id, options))),
  );
};
