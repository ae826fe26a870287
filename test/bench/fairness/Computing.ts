/** How long processes have computed, as Linux counts it; nothing is known elsewhere. */
import { readdirSync, readFileSync } from "node:fs";

/** Seconds of computing by whom. */
export type Computing = ReadonlyMap<string, number>;

const TICKS_PER_SECOND = 100;

/** Seconds that one thread has computed. */
const ofThread = (pid: number, thread: string): number => {
  const [nanoseconds] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "latin1").split(" ");
  return Number(nanoseconds) / 1e9;
};

const threadsOf = (pid: number): ReadonlyArray<string> => readdirSync(`/proc/${pid}/task`);

/** The fields after the command's name, which may hold spaces: the parent's id is the second, times are 12th to 15th. */
const statOf = (pid: string): ReadonlyArray<number> => {
  const text = readFileSync(`/proc/${pid}/stat`, "latin1");
  return text
    .slice(text.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
};

/** Seconds of a process and its children; those of children that have ended are counted by their parent. */
const ofFamily = (pid: number): number => {
  let ticks = 0;
  for (const one of readdirSync("/proc")) {
    if (!/^\d+$/.test(one)) continue;
    try {
      const fields = statOf(one);
      const [user = 0, system = 0, childrenUser = 0, childrenSystem = 0] = fields.slice(11, 15);
      if (Number(one) === pid) ticks += user + system + childrenUser + childrenSystem;
      else if (fields[1] === pid) ticks += user + system;
    } catch {
      // It has ended since the folder was read.
    }
  }
  return ticks / TICKS_PER_SECOND;
};

/** What the server, by its threads, the database and the load have computed so far. */
export const of = (server = 0, database = 0, load = 0): Computing => {
  try {
    const own = (thread: string) => ofThread(server, thread);
    const others = threadsOf(server).filter((thread) => thread !== String(server));
    return new Map([
      ["the server's event loop", own(String(server))],
      ["its other threads", others.reduce((sum, thread) => sum + own(thread), 0)],
      ["PostgreSQL", ofFamily(database)],
      ["the load", threadsOf(load).reduce((sum, thread) => sum + ofThread(load, thread), 0)],
    ]);
  } catch {
    return new Map();
  }
};

/** The difference of two readings. */
export const show = (before: Computing, after: Computing): string =>
  [...after].map(([name, seconds]) => `${name} ${(seconds - (before.get(name) ?? 0)).toFixed(1)}`).join(", ");
