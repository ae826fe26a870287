/** `quittance serve`: runs the server. */
import { Effect } from "effect";
import { usageError } from "../CommandFailed.ts";
import { SETTINGS, type Setting } from "../Settings.ts";
import { type Declare, orUsage, settingsOf, withSettings } from "../Shell.ts";
import { wholeNumber } from "../Value.ts";

const PROCESSES_MAX = 256;
const PROCESSES = wholeNumber(1, PROCESSES_MAX);

export const declare: Declare = (program, shell) => {
  const command = program
    .command("serve")
    .summary("run the server (the default)")
    .description(
      "Serves the HTTP interface and runs the background worker until it is stopped. Each setting is an option and an environment variable; the option takes precedence. Secrets of payments have no option.",
    )
    .option(
      "--processes <number>",
      "processes that share the port, for more cores; a process that ends is replaced (PostgreSQL only)",
      "1",
    );
  command.option(
    "--demo",
    "fill an empty embedded store with an example company, to look around in the console",
  );
  withSettings(command);
  const secrets = Object.values<Setting<unknown>>(SETTINGS).filter(({ option }) => option === null);
  command.addHelpText(
    "after",
    `\nSettings without an option:\n${secrets.map(({ name, meaning }) => `  ${name}  ${meaning}`).join("\n")}`,
  );
  command.action(({ processes, demo = false }: { readonly processes: string; readonly demo?: boolean }) =>
    shell.run(
      Effect.gen(function* () {
        const count = yield* orUsage(PROCESSES.parse("--processes", processes));
        const settings = yield* orUsage(settingsOf(command, shell));
        if (count > 1 && settings.database.type !== "postgres")
          return yield* usageError(
            "--processes needs a database on a server: one process at a time can use an embedded store",
          );
        if (count > 1 && settings.example)
          return yield* usageError(
            "--example needs one process: each would have an example company of its own; set --processes 1 or --example off",
          );
        if (demo && settings.database.type === "postgres")
          return yield* usageError(
            "--demo fills an embedded store; leave DATABASE_URL out, or use memory: or pglite://<folder>",
          );
        const { serve } = yield* Effect.promise(() => import("../Processes.ts"));
        yield* serve(settings, count, demo);
      }),
    ),
  );
};
