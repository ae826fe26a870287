/** `quittance backup` and `quittance restore`: an embedded store as one file. */
import { Effect } from "effect";
import { type CommandFailed, usageError } from "../CommandFailed.ts";
import { print } from "../Output.ts";
import { type Declare, databaseOf, type Task, withDatabase } from "../Shell.ts";
import type { Database } from "../Value.ts";

const folderOf = (database: Database): Effect.Effect<string, CommandFailed> =>
  database.type === "pglite"
    ? Effect.succeed(database.folder)
    : usageError(
        database.type === "memory"
          ? "a store in memory cannot be backed up: name a folder with --database-url pglite://<folder>"
          : "a database on a server is backed up with pg_dump: see docs/how-to/backup-and-restore.md",
      );

const MEBIBYTE = 1024 * 1024;

const backup = (database: Database, file: string, force: boolean): Task =>
  Effect.gen(function* () {
    const folder = yield* folderOf(database);
    const Embedded = yield* Effect.promise(() => import("../Embedded.ts"));
    const bytes = yield* Embedded.backup(folder, file, force);
    yield* print(
      `${folder} is backed up in ${file} (${(bytes / MEBIBYTE).toFixed(1)} MiB); it holds every record and the digests of all keys: keep it secret`,
    );
  });

const restore = (database: Database, file: string): Task =>
  Effect.gen(function* () {
    const folder = yield* folderOf(database);
    const Embedded = yield* Effect.promise(() => import("../Embedded.ts"));
    yield* Embedded.restore(file, folder);
    yield* print(
      `${file} is restored into ${folder}; check it with: quittance verify --database-url pglite://${folder}`,
    );
  });

const declareBackup: Declare = (program, shell) => {
  const command = withDatabase(program.command("backup"))
    .summary("back up an embedded store into one file")
    .description("Writes an embedded store into one compressed file. Stop its server first.")
    .argument("<file>", "the file, such as quittance.tar.gz")
    .option("--force", "replace the file");
  command.action((file: string, { force }: { readonly force?: true }) =>
    shell.run(
      Effect.flatMap(databaseOf(command, shell), (database) => backup(database, file, force === true)),
    ),
  );
};

const declareRestore: Declare = (program, shell) => {
  const command = withDatabase(program.command("restore"))
    .summary("restore an embedded store from a backup")
    .description("Restores a backup into a folder that has no store yet. A failed restore leaves no store.")
    .argument("<file>", "the file that `quittance backup` wrote");
  command.action((file: string) =>
    shell.run(Effect.flatMap(databaseOf(command, shell), (database) => restore(database, file))),
  );
};

export const declarations: ReadonlyArray<Declare> = [declareBackup, declareRestore];
