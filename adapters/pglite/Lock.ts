/**
 * A lock on a folder: one process at a time, freed by the end of the process however it ends.
 *
 * The lock is the file `lock.<n>` with the highest number. A released lock stays, marked as free, and whoever takes over
 * creates the next number, which succeeds for one process only. So two processes that see a lock fall free at the same
 * moment cannot both take it, which deleting and creating one file would allow.
 */
import * as fs from "node:fs";
import * as path from "node:path";
import { Data, Effect, Schedule, type Scope } from "effect";

/** Another process has the folder open. */
export class FolderInUse extends Data.TaggedError("FolderInUse")<{
  readonly message: string;
  /** Whether it may be free in a moment: the other process may be ending. */
  readonly mayPass: boolean;
}> {}

/** How long a start waits for a process that holds the folder to end, and how often it looks. */
const WAIT_MILLISECONDS = 5_000;
const LOOK_MILLISECONDS = 50;

/** Who holds a lock: a process, and on Linux the moment it started, since process ids are used again. */
interface Holder {
  readonly pid: number;
  readonly started: string | null;
  /** When it took the lock, as a date-time. */
  readonly since: string;
}

/** What a lock file says: nobody holds it, somebody does, or it is not written yet. */
type Content = "free" | "unfinished" | Holder;

const FREE = '"free"';

/** Folders that this process has open. */
const open = new Set<string>();

interface ProcessState {
  /** When it started, in ticks since boot with the boot's id. */
  readonly started: string;
  /** Whether it has ended and only waits for its parent to notice. */
  readonly isZombie: boolean;
}

/** What Linux tells of a process; null where the system does not tell. */
const stateOf = (pid: number): ProcessState | null => {
  try {
    const boot = fs.readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    // The second field is a name in parentheses that may hold spaces; the start is the 20th after it, the state the first.
    const fields = fs.readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").pop()?.split(" ") ?? [];
    // A main thread that has ended is a zombie too while other threads, with the same open files, go on.
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

/** Whether the process that took a lock still runs: not ended, not a zombie, and no later process with its id. */
const runs = ({ pid, started }: Holder): boolean => {
  const state = stateOf(pid);
  // Where nothing else is known, a lock with our own id is of a process before us, as in a container that began again.
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

/** The numbers of the lock files that are there, in no order; `lock` alone, of earlier versions, counts as 0. */
const numbers = (folder: string): ReadonlyArray<number> =>
  fs.readdirSync(folder).flatMap((name) => {
    const [whole, digits = "0"] = /^lock(?:\.([1-9]\d*))?$/.exec(name) ?? [];
    return whole === undefined ? [] : [Number(digits)];
  });

const inUse = (folder: string, by: string, mayPass: boolean): FolderInUse =>
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

/** Fails when a running process holds the lock file; an unfinished one is only waited for: its writer may be gone. */
const requireFree = (folder: string, file: string, isLastLook: boolean): void => {
  const content = read(file);
  if (content === "free" || (content === "unfinished" && isLastLook)) return;
  if (content === "unfinished") throw inUse(folder, "another process", true);
  if (runs(content)) throw inUse(folder, `process ${content.pid}${sinceOf(content)}`, true);
};

/** Takes the lock, or fails; answers its file. */
const take = (folder: string, isLastLook: boolean): string => {
  if (open.has(folder)) throw inUse(folder, "this process", false);
  const last = Math.max(-1, ...numbers(folder));
  if (last >= 0) requireFree(folder, fileOf(folder, last), isLastLook);
  const next = Math.max(last, 0) + 1;
  const file = fileOf(folder, next);
  if (!create(file)) throw inUse(folder, "another process", true);
  const others = numbers(folder).filter((number) => number !== next);
  // Another process may have gone further since, and have removed the number that we have just made again.
  if (others.some((number) => number > next)) {
    fs.rmSync(file, { force: true });
    throw inUse(folder, "another process", true);
  }
  for (const number of others) fs.rmSync(fileOf(folder, number), { force: true });
  open.add(folder);
  return file;
};

const release = (folder: string, file: string): void => {
  open.delete(folder);
  if (fs.existsSync(file)) fs.writeFileSync(file, FREE);
};

/**
 * Holds a folder, made if absent, for as long as the scope. A folder that another process holds is waited for, five
 * seconds: it may be ending. The lock of a process that is gone, or a zombie, is taken over at once.
 * Processes that do not see each other, in containers on one volume, are not kept apart.
 */
export const hold = (folder: string): Effect.Effect<string, unknown, Scope.Scope> =>
  Effect.suspend(() => {
    let looks = 0;
    const attempt = Effect.try({
      try: () => {
        fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
        const real = fs.realpathSync(folder);
        looks += 1;
        return { real, file: take(real, looks > WAIT_MILLISECONDS / LOOK_MILLISECONDS) };
      },
      catch: (error) => error,
    });
    const held = Effect.acquireRelease(attempt, ({ real, file }) => Effect.sync(() => release(real, file)));
    return Effect.retry(held, {
      while: (error) => error instanceof FolderInUse && error.mayPass,
      times: WAIT_MILLISECONDS / LOOK_MILLISECONDS,
      schedule: Schedule.spaced(LOOK_MILLISECONDS),
    }).pipe(Effect.map(({ real }) => real));
  });
