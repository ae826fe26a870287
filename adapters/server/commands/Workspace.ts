/** `quittance workspace`: shows and changes the name and the time zone of a workspace. */
import { type Declare, load, withJson, withTarget } from "../Shell.ts";
import type { Change } from "../settling/Workspace.ts";

export const declare: Declare = (program, shell) => {
  const module = () => import("../settling/Workspace.ts");
  const workspace = program
    .command("workspace")
    .summary("show and change workspaces")
    .description(
      "Shows and changes the name and the time zone of a workspace, on a store directly or on a server. The time zone decides the calendar days of attributions that are created from then on.",
    );
  const showing = withJson(withTarget(workspace.command("show")))
    .summary("show a workspace")
    .description("Shows the name and the time zone of a workspace; before it is written: none, and UTC.")
    .requiredOption("--workspace <id>", "the workspace");
  showing.action((options: { readonly workspace: string; readonly json?: true }) =>
    shell.run(load(module, ({ show }) => show(showing, shell, options.workspace, options.json === true))),
  );
  const setting = withTarget(workspace.command("set"))
    .summary("change fields of a workspace")
    .description("Changes the fields that options name, and no others.")
    .requiredOption("--workspace <id>", "the workspace")
    .option("--name <name>", "a name for people; an empty one takes it away")
    .option("--time-zone <zone>", "a name of the IANA database, such as Europe/Copenhagen")
    .addHelpText(
      "after",
      "\nExample:\n  quittance workspace set --workspace 6f1c2d4e-0000-4000-8000-000000000002 --time-zone Europe/Copenhagen",
    );
  setting.action((options: Change & { readonly workspace: string }) =>
    shell.run(load(module, ({ set }) => set(setting, shell, options.workspace, options))),
  );
};
