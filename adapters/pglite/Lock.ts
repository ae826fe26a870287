/**
 * A lock on a folder for one process at a time; it ends with the process, however that ends.
 *
 * The lock is the file `lock.<n>` with the highest number. A released lock stays, marked as free. The next
 * process creates the next number, which succeeds for one process only. So two processes that see a lock released at the same
 * moment cannot both take it. Deleting and creating one file would allow that.
 */
import * as fs from "node:fs";
import * as path from "node:path";
import { Data, Effect, Schedule, type Scope } from "effect";
import { createFolder } from "./StoreFolder.ts";

/** Another process has the folder open. */
export class FolderInUse extends Data.TaggedError("FolderInUse")<{
  readonly message: string;
  /** True if a retry may succeed, because the other process may be ending. */
  readonly mayPass: boolean;
}> {}

/** How long a start waits for the process that has the folder open, and how often it checks. */
const WAIT_MILLISECONDS = 5_000;
const LOOK_MILLISECONDS = 50;

/** The process that holds a lock, with its start time on Linux, because process ids are reused. */
interface Holder {
  readonly pid: number;
  readonly started: string | null;
  /** When it took the lock, as a date-time. */
  readonly since: string;
}

/** The content of a lock file: free, not written yet, or its holder. */
type Content = "free" | "unfinished" | Holder;

const FREE = '"free"';

/** Folders that this process has open. */
const lockedFolders = new Set<string>();

interface ProcessState {
  /** When it started, in ticks since boot with the boot's id. */
  readonly started: string;
  /** True if it has ended and its parent has not read its exit status yet. */
  readonly isZombie: boolean;
}

/** The state of a process on Linux; null on other systems and for a process that does not exist. */
const stateOf = (pid: number): ProcessState | null => {
  try {
    const boot = fs.readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    // The second field is a name in parentheses that may hold spaces; the start is the 20th after it, the state the first.
    const fields = fs.readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").pop()?.split(" ") ?? [];
    // A main thread that has ended is also a zombie while other threads with the same open files run on.
    const isAlone = fs.readdirSync(`/proc/${pid}/task`).length <= 1;
    return {
      started: `${boot} ${fields[19] ?? ""}`,
      isZombie: isAlone && ["Z", "X"].includes(fields[0] ?? ""),
    };
  } catch {
    return null;
  }
};

const exists = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
};

/** True if the process that took a lock still runs: not ended, not a zombie, and no later process with its id. */
const isRunning = ({ pid, started }: Holder): boolean => {
  const state = stateOf(pid);
  // Without a state, a lock with our own id belongs to an earlier process, as in a container that was restarted.
  if (state === null) return pid !== process.pid && exists(pid);
  return !state.isZombie && (started === null ? pid !== process.pid : started === state.started);
};

const isHolder = (content: unknown): content is Holder =>
  typeof content === "object" && content !== null && "pid" in content && Number.isSafeInteger(content.pid);

const read = (file: string): Content => {
  try {
    const content: unknown = JSON.parse(fs.readFileSync(file, "utf8"));
    return isHolder(content) ? content : "free";
  } catch {
    return "unfinished";
  }
};

const fileOf = (folder: string, number: number): string =>
  path.join(folder, number === 0 ? "lock" : `lock.${number}`);

/** The numbers of the existing lock files, in no order; `lock`, of earlier versions, counts as 0. */
const numbers = (folder: string): ReadonlyArray<number> =>
  fs.readdirSync(folder).flatMap((name) => {
    const [whole, digits = "0"] = /^lock(?:\.([1-9]\d*))?$/.exec(name) ?? [];
    return whole === undefined ? [] : [Number(digits)];
  });

const folderInUse = (folder: string, by: string, mayPass: boolean): FolderInUse =>
  new FolderInUse({
    message: `the folder ${folder} is open in ${by}: only one process at a time can use it`,
    mayPass,
  });

const create = (file: string): boolean => {
  const started = stateOf(process.pid)?.started ?? null;
  const holder: Holder = { pid: process.pid, started, since: new Date().toISOString() };
  try {
    fs.writeFileSync(file, JSON.stringify(holder), { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
};

const sinceOf = ({ since }: Partial<Holder>): string => (since === undefined ? "" : ` since ${since}`);

/** Fails when a running process holds the lock file, or when it is unfinished and this is not the last check. */
const requireFree = (folder: string, file: string, isLastLook: boolean): void => {
  const content = read(file);
  if (content === "free" || (content === "unfinished" && isLastLook)) return;
  if (content === "unfinished") throw folderInUse(folder, "another process", true);
  if (isRunning(content)) throw folderInUse(folder, `process ${content.pid}${sinceOf(content)}`, true);
};

/** Takes the lock and returns its file, or fails. */
const take = (folder: string, isLastLook: boolean): string => {
  if (lockedFolders.has(folder)) throw folderInUse(folder, "this process", false);
  const last = Math.max(-1, ...numbers(folder));
  if (last >= 0) requireFree(folder, fileOf(folder, last), isLastLook);
  const next = Math.max(last, 0) + 1;
  const file = fileOf(folder, next);
  if (!create(file)) throw folderInUse(folder, "another process", true);
  const others = numbers(folder).filter((number) => number !== next);
  // Another process may have created a later number meanwhile, and removed the number that we have just created again.
  if (others.some((number) => number > next)) {
    fs.rmSync(file, { force: true });
    throw folderInUse(folder, "another process", true);
  }
  for (const number of others) fs.rmSync(fileOf(folder, number), { force: true });
  lockedFolders.add(folder);
  return file;
};

const release = (folder: string, file: string): void => {
  lockedFolders.delete(folder);
  if (fs.existsSync(file)) fs.writeFileSync(file, FREE);
};

/**
 * Locks a folder, created if absent, until the scope closes. It waits five seconds for a folder that another process has
 * open, because that process may be ending. It takes over the lock of a process that has ended, or is a zombie, at once.
 * The lock does not work between processes that do not see each other, as in containers on one volume.
 */
export const lockFolder = (folder: string): Effect.Effect<string, unknown, Scope.Scope> =>
  Effect.suspend(() => {
    let attempts = 0;
    const attempt = Effect.try({
      try: () => {
        const real = fs.realpathSync(folder);
        attempts += 1;
        return { real, file: take(real, attempts > WAIT_MILLISECONDS / LOOK_MILLISECONDS) };
      },
      catch: (error) => error,
    });
    const acquired = Effect.acquireRelease(attempt, ({ real, file }) =>
      Effect.sync(() => release(real, file)),
    );
    const locked = Effect.retry(acquired, {
      while: (error) => error instanceof FolderInUse && error.mayPass,
      times: WAIT_MILLISECONDS / LOOK_MILLISECONDS,
      schedule: Schedule.spaced(LOOK_MILLISECONDS),
    });
    return Effect.zipRight(
      Effect.try({ try: () => createFolder(folder), catch: (error) => error }),
      Effect.map(locked, ({ real }) => real),
    );
  });
