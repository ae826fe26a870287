/** PostgreSQL inside this process: in memory, or in a folder written through to the disk. */
import * as fs from "node:fs";
import { createRequire } from "node:module";
import * as path from "node:path";
import { Worker } from "node:worker_threads";
import { PGlite } from "@electric-sql/pglite";
import { Effect, type Scope } from "effect";
import { DurableFolder } from "./Folder.ts";
import { hold } from "./Lock.ts";

/**
 * PGlite's own start parameters, but for `-F`, which switches writing through off, and with a quarter of the buffers that
 * it would take: all of them are touched at the start, and pages outside are still in the file system's cache.
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
  // The only method that PGlite hands on to the file system.
  "-c",
  "wal_sync_method=fsync",
];

const startIn = (folder: string): Promise<PGlite> =>
  PGlite.create({ fs: new DurableFolder(folder), startParams: DURABLE });

/** CommonJS, since it is started from its text: a file would have to be found beside the sources and beside the build. */
const MAKE = `
const { workerData } = require("node:worker_threads");
const { PGlite } = require(workerData.source);
PGlite.create({ dataDir: workerData.folder }).then((database) => database.close());`;

/**
 * Makes the files of a database. PGlite keeps the 600 MB that this takes for as long as its thread, so it has one of its
 * own. Nothing is written through to the disk here.
 */
const makeFiles = (folder: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const library = createRequire(import.meta.url).resolve("@electric-sql/pglite");
    const worker = new Worker(MAKE, { eval: true, execArgv: [], workerData: { source: library, folder } });
    worker.once("error", reject);
    worker.once("exit", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`the thread that makes the database ended with ${code}`));
    });
  });

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
  await makeFiles(draft);
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
export const inMemory: Effect.Effect<PGlite, unknown, Scope.Scope> = whileOpen(() =>
  PGlite.create({ startParams: [...PARAMETERS, "-F"] }),
);

/** A database in a folder that this process holds alone; made when it is not there. */
export const inFolder = (folder: string): Effect.Effect<PGlite, unknown, Scope.Scope> =>
  Effect.flatMap(hold(path.resolve(folder)), (held) => whileOpen(() => openFolder(held)));
