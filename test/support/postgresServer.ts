/** Starts and stops a PostgreSQL server, also when the tests run as root. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import * as fs from "node:fs";
import * as net from "node:net";
import * as os from "node:os";
import * as path from "node:path";
import pg from "pg";
import { findServer } from "./postgresBinaries.ts";

/** The user id of `nobody`, because PostgreSQL refuses to run as root. */
const NOBODY = 65_534;

const STARTUP_LIMIT_MILLISECONDS = 120_000;

/** A running server that accepts every local connection without a password. */
export interface Server {
  readonly url: string;
  readonly process: ChildProcess;
  /** Starts the server again on the same data and port after it was stopped or killed. */
  readonly restart: () => Promise<void>;
  /** Stops the server and removes its data. */
  readonly stop: () => Promise<void>;
}

/**
 * A port that was free a moment ago. The system hands out none of its range by itself, so that no other server or connection
 * gets it while a server is stopped.
 */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(15_000, 32_000);
    const probe = net.createServer();
    const heard = once(probe, "listening").then(
      () => true,
      () => false,
    );
    probe.listen(port, "127.0.0.1");
    if (!(await heard)) continue;
    probe.close();
    await once(probe, "close");
    return port;
  }
};

const answers = async (url: string): Promise<boolean> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
};

const untilReady = async (url: string, server: ChildProcess, log: string): Promise<void> => {
  const deadline = Date.now() + STARTUP_LIMIT_MILLISECONDS;
  while (!(await answers(url))) {
    if (server.exitCode !== null || Date.now() > deadline) {
      throw new Error(`PostgreSQL did not start:\n${fs.readFileSync(log, "utf8")}`);
    }
    await new Promise((resume) => setTimeout(resume, 25));
  }
};

const stopped = async (server: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exit = once(server, "exit");
  server.kill(signal);
  await exit;
};

const RESTART_TRIES = 10;

const SPEED = ["fsync=off", "synchronous_commit=off", "full_page_writes=off"];

/** Starts a server with a new, empty cluster. Without `durable` it is faster and may lose commits when it is killed. */
export const startServer = async ({
  durable = false,
}: {
  readonly durable?: boolean;
} = {}): Promise<Server> => {
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "quittance-postgres-"));
  fs.chmodSync(scratch, 0o755);
  const data = path.join(scratch, "data");
  fs.mkdirSync(data, { mode: 0o700 });
  const isRoot = os.userInfo().uid === 0;
  if (isRoot) fs.chownSync(data, NOBODY, NOBODY);
  const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
  const folder = findServer(scratch);
  const options = { ...user, cwd: data, env: { PATH: process.env.PATH, LC_ALL: "C", TZ: "UTC" } };
  execFileSync(
    path.join(folder, "initdb"),
    ["-D", data, "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--no-locale", "--no-sync"],
    { ...options, stdio: "pipe" },
  );
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const settings = [
    "listen_addresses=127.0.0.1",
    `port=${port}`,
    "unix_socket_directories=",
    "max_connections=200",
  ];
  const parameters = [...settings, ...(durable ? [] : SPEED)].flatMap((setting) => ["-c", setting]);
  const log = path.join(scratch, "log");
  const start = async (): Promise<ChildProcess> => {
    const output = fs.openSync(log, "a");
    const server = spawn(path.join(folder, "postgres"), ["-D", data, ...parameters], {
      ...options,
      stdio: ["ignore", output, output],
    });
    fs.closeSync(output);
    await untilReady(url, server, log);
    return server;
  };
  let server = await start();
  const kill = (): void => {
    server.kill("SIGQUIT");
  };
  process.once("exit", kill);
  return {
    url,
    get process() {
      return server;
    },
    restart: async () => {
      await stopped(server, "SIGINT");
      // PostgreSQL refuses to start while a killed backend still has the shared memory open.
      for (let tries = 1; ; tries++) {
        try {
          server = await start();
          return;
        } catch (error) {
          if (tries === RESTART_TRIES) throw error;
          await new Promise((resume) => setTimeout(resume, 500));
        }
      }
    },
    stop: async () => {
      process.off("exit", kill);
      await stopped(server, "SIGINT");
      fs.rmSync(scratch, { recursive: true, force: true });
    },
  };
};
