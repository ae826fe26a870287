/** Processes that tests start and kill; they are killed when the test process exits. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { SHORT_LIVED } from "../server/running.ts";

const STARTUP_LIMIT_MILLISECONDS = 180_000;
const ERRORS_KEPT = 20_000;

/** A process that serves HTTP on this machine. */
export interface Running {
  /** `http://127.0.0.1:port`. */
  readonly url: string;
  /** Sends SIGKILL; resolves when the process has ended. */
  readonly kill: () => Promise<void>;
  /** True if the process has ended, for any reason. */
  readonly isGone: () => boolean;
  /** Resolves when the process has ended. */
  readonly gone: Promise<void>;
  /** The last 20,000 characters of its standard error. */
  readonly errors: () => string;
}

const alive = new Set<ChildProcess>();

process.once("exit", () => {
  for (const child of alive) child.kill("SIGKILL");
});

/** Runs a script with Node and waits until it prints `listening on <url>`; fails when it ends before or takes three minutes. */
export const startNode = async (
  script: ReadonlyArray<string>,
  environment: Readonly<Record<string, string>>,
  folder: string,
): Promise<Running> => {
  const child = spawn(process.execPath, [...SHORT_LIVED, ...script], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  alive.add(child);
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors = (errors + text).slice(-ERRORS_KEPT);
  });
  const gone = once(child, "exit").then(() => {
    alive.delete(child);
  });
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await gone;
  };
  const url = await new Promise<string>((resolve, reject) => {
    const fail = (reason: string): void => reject(new Error(`${reason}: ${script.join(" ")}\n${errors}`));
    const timer = setTimeout(() => {
      fail("did not start in time");
      void kill();
    }, STARTUP_LIMIT_MILLISECONDS);
    let said = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      const found = /^listening on (http:\S+)$/m.exec(said)?.[1];
      if (found === undefined) return;
      clearTimeout(timer);
      resolve(found);
    });
    void gone.then(() => {
      clearTimeout(timer);
      fail("ended before it listened");
    });
  });
  const isGone = (): boolean => child.exitCode !== null || child.signalCode !== null;
  return { url, kill, isGone, gone, errors: () => errors };
};
