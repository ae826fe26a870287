/**
 * `npm run verify` carries out the Dockerfile's steps in a new folder, starts the server of its last stage as a user without
 * rights, on a PostgreSQL server as the compose file has one, and runs the health check.
 */
import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { startServer } from "../support/postgresServer.ts";
import { build, folderOf, type Stage } from "./Build.ts";

const run = promisify(execFile);
const root = new URL("../..", import.meta.url).pathname;

/** Who runs the server: `nobody`, where these steps are run as root. */
const USER = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** The build context: the files of the checkout without those in .dockerignore. */
const writeContext = (folder: string): void => {
  const ignored = readFileSync(join(root, ".dockerignore"), "utf8")
    .split("\n")
    .filter((line) => line !== "");
  const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "-z"], {
    cwd: root,
    encoding: "utf8",
  });
  for (const file of files.split("\0").filter((name) => name !== "")) {
    if (ignored.some((path) => file === path || file.startsWith(`${path}/`))) continue;
    cpSync(join(root, file), join(folder, file), { recursive: true });
  }
};

/** Starts the server of a stage. */
const start = (stage: Stage, environment: Readonly<Record<string, string>>) => {
  const [program = "", ...args] = [...stage.entrypoint, ...stage.command];
  return spawn(program, args, {
    ...USER,
    cwd: folderOf(stage),
    env: environment,
    stdio: ["ignore", "pipe", "inherit"],
  });
};

/** The port of a server, once it listens. */
const portOf = (server: ReturnType<typeof start>): Promise<string> =>
  new Promise((resolve, reject) => {
    let printed = "";
    server.once("exit", (code) => reject(new Error(`the server has ended with ${code}`)));
    server.stdout.on("data", (chunk) => {
      printed += chunk;
      const port = /^listening on http:\/\/\S+:(\d+)$/m.exec(printed)?.[1];
      if (port !== undefined) resolve(port);
    });
  });

const folder = mkdtempSync(join(tmpdir(), "quittance-image-"));
const database = await startServer({});
try {
  chmodSync(folder, 0o755);
  const context = join(folder, "context");
  mkdirSync(context);
  writeContext(context);
  const { PATH = "", HOME = "" } = process.env;
  const stage = await build(join(context, "docs/operating/Dockerfile"), folder, {
    context,
    environment: { PATH, HOME, npm_config_update_notifier: "false" },
  });
  if (stage.user === "root") throw new Error("the server of the image runs as root");
  const environment = {
    ...{ PATH, ...stage.environment, PORT: "0" },
    DATABASE_URL: database.url,
    QUITTANCE_ADMIN_TOKEN: "a".repeat(40),
  };
  const server = start(stage, environment);
  try {
    const [program = "", ...args] = stage.healthCheck;
    await run(program, args, { ...USER, env: { ...environment, PORT: await portOf(server) } });
  } finally {
    server.kill("SIGTERM");
  }
  const [code] = server.exitCode === null ? await once(server, "exit") : [server.exitCode];
  if (code !== 0) throw new Error(`the server ended with ${code} after SIGTERM`);
  console.log("built, started and healthy: the steps of docs/operating/Dockerfile");
} finally {
  await database.stop();
  rmSync(folder, { recursive: true, force: true });
}
