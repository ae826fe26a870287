/** `quittance runs`: starts, lists and shows settlement runs. */
import { type Declare, load, withJson, withTarget } from "../Shell.ts";
import type { StartOptions } from "../settling/Runs.ts";

interface ListOptions {
  readonly workspace?: string;
  readonly json?: true;
}

export const declare: Declare = (program, shell) => {
  const module = () => import("../settling/Runs.ts");
  const runs = program
    .command("runs")
    .summary("start, list and show settlement runs")
    .description(
      "Starts, lists and shows settlement runs, on a store directly or on a server. A run creates one draft for each partner and currency of everything due, by the settlement policy of the workspace; the worker of a server performs it.",
    );
  const starting = withJson(withTarget(runs.command("start")))
    .summary("start a run, or show what it would do")
    .description("Starts a run and prints its id; with --dry-run it prints what the run would do.")
    .requiredOption("--workspace <id>", "the workspace whose partners are settled")
    .option("--partners <ids>", "only these partners, separated by commas")
    .option("--currencies <codes>", "only these currencies, separated by commas")
    .option("--until <datetime>", "only what occurred before: 2026-03-01T00:00:00Z; now by default")
    .option("--dry-run", "show what the run would do, and store nothing")
    .addHelpText(
      "after",
      "\nExample:\n  quittance runs start --workspace 6f1c2d4e-0000-4000-8000-000000000002 --dry-run",
    );
  starting.action((options: StartOptions) =>
    shell.run(load(module, ({ start }) => start(starting, shell, options))),
  );
  const listing = withJson(withTarget(runs.command("list")))
    .summary("list runs, the newest first")
    .description("Lists runs with their progress, the newest first.")
    .option("--workspace <id>", "only those of this workspace");
  listing.action((options: ListOptions) =>
    shell.run(load(module, ({ list }) => list(listing, shell, options))),
  );
  const showing = withJson(withTarget(runs.command("show")))
    .summary("show a run and its results")
    .description("Shows a run and, for each partner and currency, the drafts or the reason for none.")
    .argument("<id>", "the id of the run, as `quittance runs list` shows it");
  showing.action((id: string, { json }: { readonly json?: true }) =>
    shell.run(load(module, ({ show }) => show(showing, shell, id, json === true))),
  );
};
