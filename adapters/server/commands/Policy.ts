/** `quittance policy`: shows and changes settlement policies. */
import { type Declare, load, withJson, withTarget } from "../Shell.ts";
import type { Change, PolicyOwner } from "../settling/Policy.ts";

export const declare: Declare = (program, shell) => {
  const module = () => import("../settling/Policy.ts");
  const policy = program
    .command("policy")
    .summary("show and change settlement policies")
    .description(
      "Shows and changes the settlement policy of a workspace, or of one partner of it, on a store directly or on a server.",
    );
  const showing = withJson(withTarget(policy.command("show")))
    .summary("show a policy")
    .description("Shows the settlement policy of a workspace, or the terms that a partner has of its own.")
    .requiredOption("--workspace <id>", "the workspace")
    .option("--partner <id>", "a partner of it");
  showing.action((owner: PolicyOwner & { readonly json?: true }) =>
    shell.run(load(module, ({ show }) => show(showing, shell, owner, owner.json === true))),
  );
  const setting = withTarget(policy.command("set"))
    .summary("change fields of a policy")
    .description(
      "Changes the fields that options name, and no others. For a partner, the value `workspace` makes the field follow the workspace again.",
    )
    .requiredOption("--workspace <id>", "the workspace")
    .option("--partner <id>", "a partner of it")
    .option("--hold-days <days>", "days before a commission is settled for the first time")
    .option(
      "--minimum <amounts>",
      "the least amount of a draft, in smallest units: EUR=5000,USD=5000; or none",
    )
    .option("--cadence <cadence>", "manual, or type, day and time zone: monthly,1,Europe/Copenhagen")
    .option("--auto-approve <amounts>", "the largest amount that a run approves: EUR=100000; or never")
    .option("--four-eyes-above <amounts>", "above it a second person has to approve: EUR=1000000; or none")
    .option("--negative <what>", "for a negative total: review or carry_forward")
    .option(
      "--invoice-tax-bps <rate>",
      "the rate of tax on invoices that partners write, in hundredths of a percent: 2500; or unknown",
    )
    .option(
      "--require-acceptance <answer>",
      "yes: runs leave out what was earned under a plan that the partner has not accepted; or no",
    )
    .addHelpText(
      "after",
      "\nExample:\n  quittance policy set --workspace 6f1c2d4e-0000-4000-8000-000000000002 --hold-days 14 --cadence monthly,1,Europe/Copenhagen",
    );
  setting.action((options: PolicyOwner & Change) =>
    shell.run(load(module, ({ set }) => set(setting, shell, options, options))),
  );
};
