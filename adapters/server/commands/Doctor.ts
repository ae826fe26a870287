/** `quittance doctor`: checks everything that a server needs, and prints the result. */
import { Effect } from "effect";
import { FAILURE } from "../CommandFailed.ts";
import { exitWith, print, printTable } from "../Output.ts";
import { SETTINGS } from "../Settings.ts";
import { type Declare, settingOf, settingsOf, withJson, withSettings } from "../Shell.ts";

export const declare: Declare = (program, shell) => {
  const command = withJson(program.command("doctor"))
    .summary("check settings, database, versions, roles and clock")
    .description(
      "Checks settings, database, durability, roles, versions, clock, fonts and outbox, and changes nothing. Accepts the options of serve. Exit code 1: a check failed.",
    );
  withSettings(command);
  command.action(({ json }: { readonly json?: true }) =>
    shell.run(
      Effect.gen(function* () {
        const { diagnose } = yield* Effect.promise(() => import("../Diagnosis.ts"));
        const found = yield* diagnose(
          settingsOf(command, shell),
          settingOf(command, shell, SETTINGS.database),
        );
        if (json === true)
          yield* Effect.forEach(found, (each) => print(JSON.stringify(each)), { discard: true });
        else
          yield* printTable(
            ["state", "about", ""],
            found.map(({ state, about, text }) => [state, about, text]),
          );
        if (found.some(({ state }) => state === "problem")) yield* exitWith(FAILURE);
      }),
    ),
  );
};
