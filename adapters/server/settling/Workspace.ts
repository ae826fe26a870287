/** The work of `quittance workspace`. */
import type { Command } from "commander";
import { Effect } from "effect";
import { usageError } from "../CommandFailed.ts";
import { print, printTable } from "../Output.ts";
import type { Shell, Task } from "../Shell.ts";
import { expectStatus, onTarget, type Target } from "../Target.ts";

/** The fields that the command line names. */
export interface Change {
  readonly name?: string;
  readonly timeZone?: string;
}

interface Workspace {
  readonly name: string | null;
  readonly time_zone: string;
}

const pathOf = (id: string): string => `workspaces/${encodeURIComponent(id)}`;

const read = (target: Target, id: string) =>
  Effect.flatMap(target.request("GET", pathOf(id)), (reply) =>
    expectStatus<Workspace>(reply, 200, "the workspace cannot be shown"),
  );

/** `quittance workspace show`. */
export const show = (command: Command, shell: Shell, id: string, json: boolean): Task =>
  onTarget(command, shell, (target) =>
    Effect.flatMap(read(target, id), (workspace) =>
      json
        ? print(JSON.stringify(workspace))
        : printTable(
            ["field", "value"],
            Object.entries(workspace).map(([name, value]) => [name, value === null ? "" : String(value)]),
          ),
    ),
  );

/** `quittance workspace set`. */
export const set = (command: Command, shell: Shell, id: string, { name, timeZone }: Change): Task =>
  onTarget(command, shell, (target) =>
    Effect.gen(function* () {
      if (name === undefined && timeZone === undefined)
        return yield* usageError("workspace set takes --name or --time-zone; see --help");
      const before = yield* read(target, id);
      const reply = yield* target.request("PUT", pathOf(id), {
        name: name === undefined ? before.name : name || null,
        time_zone: timeZone ?? before.time_zone,
      });
      yield* expectStatus(reply, 200, "nothing was changed");
      yield* print("changed");
    }),
  );
