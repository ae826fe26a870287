/** PostgreSQL inside this process: in memory, or in a folder with `fsync`. */
import * as fs from "node:fs";
import * as path from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { Effect, type Scope } from "effect";
import { archive, unpack } from "./EmptyDatabase.ts";
import { DurableFolder } from "./Folder.ts";
import { lockFolder } from "./Lock.ts";

/**
 * The start parameters of PGlite without `-F`, which switches `fsync` off, and with a quarter of its buffers: PostgreSQL
 * touches all of them at the start, and other pages are still in the cache of the file system.
 */
const PARAMETERS = [
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
    "shared_buffers=32MB",
  ].flatMap((setting) => ["-c", setting]),
];

const DURABLE = [
  ...PARAMETERS,
  "-c",
  "fsync=on",
  // The only method that PGlite passes on to the file system.
  "-c",
  "wal_sync_method=fsync",
];

const startIn = (folder: string): Promise<PGlite> =>
  PGlite.create({ fs: new DurableFolder(folder), startParams: DURABLE });

const sync = (target: string): void => {
  const descriptor = fs.openSync(target, "r");
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
};

/** Calls `fsync` for a whole tree, files before the folders that contain them. */
export const syncTree = (folder: string): void => {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const target = path.join(folder, entry.name);
    if (entry.isDirectory()) syncTree(target);
    else if (entry.isFile()) sync(target);
  }
  sync(folder);
};

/** Creates a database in a draft folder and renames it when it is complete, so that an aborted start leaves no partial one. */
const initialise = async (folder: string, data: string): Promise<void> => {
  const draft = path.join(folder, "data.new");
  fs.rmSync(draft, { recursive: true, force: true });
  unpack(await archive(), draft);
  syncTree(draft);
  fs.renameSync(draft, data);
  sync(folder);
};

const openFolder = async (folder: string): Promise<PGlite> => {
  const data = path.join(folder, "data");
  if (!fs.existsSync(data)) await initialise(folder, data);
  return startIn(data);
};

const openScoped = (open: () => Promise<PGlite>): Effect.Effect<PGlite, unknown, Scope.Scope> =>
  Effect.acquireRelease(Effect.tryPromise({ try: open, catch: (error) => error }), (database) =>
    Effect.promise(() => database.close().catch(() => undefined)),
  );

/** A database that is deleted when the scope closes. */
export const inMemory: Effect.Effect<PGlite, unknown, Scope.Scope> = openScoped(async () =>
  PGlite.create({ startParams: [...PARAMETERS, "-F"], loadDataDir: new Blob([await archive()]) }),
);

/** A database in a folder that only this process has open; created when it is absent. */
export const inFolder = (folder: string): Effect.Effect<PGlite, unknown, Scope.Scope> =>
  Effect.flatMap(lockFolder(path.resolve(folder)), (locked) => openScoped(() => openFolder(locked)));
