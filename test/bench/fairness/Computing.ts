/** CPU time of processes and threads, from `/proc` of Linux; empty on other systems. */
import { readdirSync, readFileSync } from "node:fs";

/** CPU seconds by name of process or thread. */
export type Computing = ReadonlyMap<string, number>;

const TICKS_PER_SECOND = 100;

/** CPU seconds of one thread. */
const threadSeconds = (pid: number, thread: string): number => {
  const [nanoseconds] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "latin1").split(" ");
  return Number(nanoseconds) / 1e9;
};

const threadsOf = (pid: number): ReadonlyArray<string> => readdirSync(`/proc/${pid}/task`);

/** The fields after the command's name, which may contain spaces: the second is the parent's id, 12 to 15 are times in ticks. */
const statOf = (pid: string): ReadonlyArray<number> => {
  const text = readFileSync(`/proc/${pid}/stat`, "latin1");
  return text
    .slice(text.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
};

/** CPU seconds of a process and its children; Linux adds those of ended children to their parent. */
const familySeconds = (pid: number): number => {
  let ticks = 0;
  for (const one of readdirSync("/proc")) {
    if (!/^\d+$/.test(one)) continue;
    try {
      const fields = statOf(one);
      const [user = 0, system = 0, childrenUser = 0, childrenSystem = 0] = fields.slice(11, 15);
      if (Number(one) === pid) ticks += user + system + childrenUser + childrenSystem;
      else if (fields[1] === pid) ticks += user + system;
    } catch {
      // The process has ended since the folder was read.
    }
  }
  return ticks / TICKS_PER_SECOND;
};

/** CPU seconds so far of the server's event loop and other threads, the database and the load. */
export const of = (server = 0, database = 0, load = 0): Computing => {
  try {
    const own = (thread: string) => threadSeconds(server, thread);
    const others = threadsOf(server).filter((thread) => thread !== String(server));
    return new Map([
      ["the server's event loop", own(String(server))],
      ["its other threads", others.reduce((sum, thread) => sum + own(thread), 0)],
      ["PostgreSQL", familySeconds(database)],
      ["the load", threadsOf(load).reduce((sum, thread) => sum + threadSeconds(load, thread), 0)],
    ]);
  } catch {
    return new Map();
  }
};

/** The difference of two readings. */
export const show = (before: Computing, after: Computing): string =>
  [...after].map(([name, seconds]) => `${name} ${(seconds - (before.get(name) ?? 0)).toFixed(1)}`).join(", ");
