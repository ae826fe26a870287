/** Backup and restore of an embedded store: one compressed file, written and restored whole or not at all. */
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { PGlite } from "@electric-sql/pglite";
import { Effect } from "effect";
import { inFolder, syncTree } from "../pglite/Database.ts";
import { lockFolder } from "../pglite/Lock.ts";
import { type CommandFailed, commandFailure, messageOf, unopenedStore, usageError } from "./CommandFailed.ts";
import { isStore } from "./Store.ts";

/** Waits for a promise; a failure of it is a failure of the command. */
const attempt = <A>(what: string, run: () => Promise<A>): Effect.Effect<A, CommandFailed> =>
  Effect.tryPromise({ try: run, catch: (error) => commandFailure(`${what}: ${messageOf(error)}`) });

const writeWhole = (file: string, bytes: Uint8Array): void => {
  const draft = `${file}.partial`;
  try {
    const descriptor = fs.openSync(draft, "w", 0o600);
    try {
      fs.writeSync(descriptor, bytes);
      fs.fsyncSync(descriptor);
    } finally {
      fs.closeSync(descriptor);
    }
    fs.renameSync(draft, file);
  } finally {
    fs.rmSync(draft, { force: true });
  }
};

/** A new name for the database while it is written. */
const draftOf = (folder: string): string => join(folder, `restoring-${process.pid}`);

/** Writes a store that no process has open into a file; returns its size in bytes. */
export const backup = (folder: string, file: string, force: boolean): Effect.Effect<number, CommandFailed> =>
  Effect.scoped(
    Effect.gen(function* () {
      if (!isStore(folder))
        return yield* usageError(`there is no store in ${folder}: name one with --database-url`);
      if (fs.existsSync(file) && !force)
        return yield* usageError(`${file} exists: pass --force to replace it`);
      if (!fs.existsSync(dirname(file))) return yield* usageError(`${file}: there is no such folder`);
      const database = yield* Effect.mapError(inFolder(folder), (error) =>
        unopenedStore(error, "the store cannot be opened, stop its server first"),
      );
      return yield* attempt("the backup failed", async () => {
        const dump = await database.dumpDataDir("gzip");
        const bytes = new Uint8Array(await dump.arrayBuffer());
        writeWhole(file, bytes);
        return bytes.length;
      });
    }),
  );

/**
 * Restores a file into a folder that holds no store. The database is written next to its place, opened, checked for its schema
 * and then renamed, so that a restore that fails leaves nothing.
 */
export const restore = (file: string, folder: string): Effect.Effect<void, CommandFailed> =>
  Effect.scoped(
    Effect.gen(function* () {
      if (isStore(folder) || fs.existsSync(join(folder, "data")))
        return yield* usageError(`${folder} holds a store already: restore into another folder`);
      const bytes = yield* Effect.try({
        try: () => fs.readFileSync(file),
        catch: (error) => usageError(`${file} cannot be read: ${messageOf(error)}`),
      });
      // PGlite does not report a damaged file, so that it is unpacked before.
      const files = yield* Effect.try({
        try: () => gunzipSync(bytes),
        catch: () => usageError(`${file} is not a backup of a store, or is not complete`),
      });
      const isNew = !fs.existsSync(folder);
      const locked = yield* Effect.mapError(lockFolder(folder), (error) =>
        unopenedStore(error, "the folder cannot be used"),
      );
      const draft = draftOf(locked);
      yield* attempt(`${file} cannot be restored`, async () => {
        try {
          const database = await PGlite.create({
            dataDir: draft,
            loadDataDir: new Blob([files], { type: "application/x-tar" }),
          });
          const { rows } = await database.query<{ readonly version: number }>(
            "select coalesce(max(version), 0) as version from quittance.migrations",
          );
          await database.close();
          syncTree(draft);
          if (rows.length !== 1) throw new Error("it has no schema");
          fs.renameSync(draft, join(locked, "data"));
        } catch (error) {
          fs.rmSync(draft, { recursive: true, force: true });
          throw error;
        }
      }).pipe(
        Effect.tapError(() =>
          Effect.sync(() => isNew && fs.rmSync(locked, { recursive: true, force: true })),
        ),
      );
    }),
  );
