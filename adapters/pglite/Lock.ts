/** A lock on a folder: one process at a time, freed by the end of the process however it ends. */
import * as fs from "node:fs";
import * as path from "node:path";
import { Data, Effect, type Scope } from "effect";

/** Another process has the folder open. */
export class FolderInUse extends Data.TaggedError("FolderInUse")<{ readonly message: string }> {}

/** Who holds a lock: a process, and on Linux the moment it started, since process ids are used again. */
interface Holder {
  readonly pid: number;
  readonly started: string | null;
}

/** Folders that this process has open. */
const open = new Set<string>();

/** When a process started, in ticks since boot with the boot's id; null where the system does not tell. */
const startOf = (pid: number): string | null => {
  try {
    const boot = fs.readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    // The second field is a name in parentheses that may hold spaces; the start is the 20th after it.
    const fields = fs.readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").pop()?.split(" ");
    return `${boot} ${fields?.[19] ?? ""}`;
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

/** Whether the process that wrote a lock still runs. What cannot be read as a lock was never finished. */
const lives = (text: string): number | null => {
  try {
    const { pid, started }: Holder = JSON.parse(text);
    return pid !== process.pid && exists(pid) && (started === null || started === startOf(pid)) ? pid : null;
  } catch {
    return null;
  }
};

const inUse = (folder: string, by: string): FolderInUse =>
  new FolderInUse({
    message: `the folder ${folder} is open in ${by}: only one process at a time can use it`,
  });

const write = (file: string): boolean => {
  const holder: Holder = { pid: process.pid, started: startOf(process.pid) };
  try {
    fs.writeFileSync(file, JSON.stringify(holder), { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
};

const take = (folder: string, file: string): void => {
  if (open.has(folder)) throw inUse(folder, "this process");
  if (!write(file)) {
    const pid = lives(fs.readFileSync(file, "utf8"));
    if (pid !== null) throw inUse(folder, `process ${pid}`);
    fs.rmSync(file, { force: true });
    if (!write(file)) throw inUse(folder, "another process");
  }
  open.add(folder);
};

const free = (folder: string, file: string): void => {
  open.delete(folder);
  fs.rmSync(file, { force: true });
};

/**
 * Holds a folder, made if absent, for as long as the scope. The lock of a process that is gone is taken over.
 * Processes that do not see each other, in containers on one volume, are not kept apart.
 */
export const hold = (folder: string): Effect.Effect<string, unknown, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.try({
      try: () => {
        fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
        const real = fs.realpathSync(folder);
        take(real, path.join(real, "lock"));
        return real;
      },
      catch: (error) => error,
    }),
    (real) => Effect.sync(() => free(real, path.join(real, "lock"))),
  );
