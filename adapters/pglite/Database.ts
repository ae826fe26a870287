/** PostgreSQL inside this process: in memory, or in a folder written through to the disk. */
import * as fs from "node:fs";
import * as path from "node:path";
import { PGlite, type PGliteOptions } from "@electric-sql/pglite";
import { Effect, type Scope } from "effect";
import { DurableFolder } from "./Folder.ts";
import { hold } from "./Lock.ts";

/** PGlite's own start parameters but for `-F`, which switches writing through off. */
const DURABLE = [
  "--single",
  "-O",
  "-j",
  ...[
    "search_path=public",
    "exit_on_error=false",
    "log_checkpoints=false",
    "max_worker_processes=0",
    "max_parallel_workers=0",
    "max_parallel_workers_per_gather=0",
    "max_parallel_maintenance_workers=0",
    "io_method=sync",
    "fsync=on",
    // The only method that PGlite hands on to the file system.
    "wal_sync_method=fsync",
  ].flatMap((setting) => ["-c", setting]),
];

const start = (options: PGliteOptions): Promise<PGlite> => PGlite.create(options);

const startIn = (folder: string): Promise<PGlite> =>
  start({ fs: new DurableFolder(folder), startParams: DURABLE });

const sync = (target: string): void => {
  const descriptor = fs.openSync(target, "r");
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
};

/** Writes a whole tree through to the disk, files before the folders that name them. */
const syncTree = (folder: string): void => {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const target = path.join(folder, entry.name);
    if (entry.isDirectory()) syncTree(target);
    else if (entry.isFile()) sync(target);
  }
  sync(folder);
};

/**
 * Makes a database beside its place and moves it there when it is whole, so that a start that is cut off leaves nothing
 * half made.
 */
const initialise = async (folder: string, data: string): Promise<void> => {
  const draft = path.join(folder, "data.new");
  fs.rmSync(draft, { recursive: true, force: true });
  const database = await startIn(draft);
  await database.close();
  syncTree(draft);
  fs.renameSync(draft, data);
  sync(folder);
};

const openFolder = async (folder: string): Promise<PGlite> => {
  const data = path.join(folder, "data");
  if (!fs.existsSync(data)) await initialise(folder, data);
  return startIn(data);
};

const whileOpen = (opening: () => Promise<PGlite>): Effect.Effect<PGlite, unknown, Scope.Scope> =>
  Effect.acquireRelease(Effect.tryPromise({ try: opening, catch: (error) => error }), (database) =>
    Effect.promise(() => database.close().catch(() => undefined)),
  );

/** A database that is gone with the scope. */
export const inMemory: Effect.Effect<PGlite, unknown, Scope.Scope> = whileOpen(() => start({}));

/** A database in a folder that this process holds alone; made when it is not there. */
export const inFolder = (folder: string): Effect.Effect<PGlite, unknown, Scope.Scope> =>
  Effect.flatMap(hold(path.resolve(folder)), (held) => whileOpen(() => openFolder(held)));
