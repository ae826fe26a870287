/** `quittance migrate`: updates the schema of a database, or prints its version. */
import { Effect } from "effect";
import { usageError } from "../CommandFailed.ts";
import { exitWith, print } from "../Output.ts";
import { type Declare, databaseOf, load, type Task, withDatabase, withJson } from "../Shell.ts";
import type { Database } from "../Value.ts";

/** Exit code of `migrate status` when the database needs a migration, or a newer program. */
const DIFFERS = 1;

const status = (database: Database, json: boolean): Task =>
  load(
    () => import("../Migration.ts"),
    (migration) =>
      Effect.gen(function* () {
        const found = yield* migration.status(database);
        const isCurrent = found.present === found.needed;
        yield* print(json ? JSON.stringify({ ...found, up_to_date: isCurrent }) : migration.describe(found));
        if (!isCurrent) yield* exitWith(DIFFERS);
      }),
  );

const rehearse = (database: Database): Task =>
  load(
    () => import("../Migration.ts"),
    (migration) =>
      Effect.gen(function* () {
        const { present, needed } = yield* migration.status(database);
        yield* migration.rehearse(database);
        yield* print(
          present === needed
            ? `nothing to do: version ${present}`
            : `the migration from version ${present} to ${needed} works; it was rolled back`,
        );
      }),
  );

interface Options {
  readonly dryRun?: true;
  readonly distribute?: string;
  readonly grant?: string;
}

const migrate = (database: Database, { distribute, grant }: Options): Task =>
  load(
    () => import("../Migration.ts"),
    (migration) =>
      Effect.zipRight(
        distribute === undefined ? migration.migrate(database) : migration.distribute(database),
        grant === undefined ? Effect.void : migration.grant(database, grant),
      ),
  );

export const declare: Declare = (program, shell) => {
  const command = program
    .command("migrate")
    .summary("bring the schema of the database up to date")
    .description(
      "Brings the schema of the database up to date and ends. A server does the same when it starts. All or nothing: a migration that fails changes nothing.",
    )
    .option("--dry-run", "try the whole migration, with its locks, and roll it back")
    .option("--distribute <extension>", "spread the tables over the machines of a cluster afterwards: citus")
    .option("--grant <role>", "grant a role that does not own the tables what a server needs, afterwards");
  withDatabase(command).action((options: Options) =>
    shell.run(
      Effect.gen(function* () {
        const { dryRun, distribute, grant } = options;
        if (distribute !== undefined && distribute !== "citus")
          return yield* usageError(`--distribute can only be citus, not "${distribute}"`);
        if (dryRun === true && (distribute !== undefined || grant !== undefined))
          return yield* usageError("--dry-run excludes --distribute and --grant");
        const database = yield* databaseOf(command, shell);
        yield* dryRun === true ? rehearse(database) : migrate(database, options);
      }),
    ),
  );
  const state = withJson(withDatabase(command.command("status")))
    .summary("print the version of the schema")
    .description("Prints the version of the schema. Exit code 0: up to date; 1: not.");
  state.action(() =>
    shell.run(
      Effect.gen(function* () {
        const { json } = state.opts<{ readonly json?: true }>();
        yield* status(yield* databaseOf(state, shell), json === true);
      }),
    ),
  );
};
