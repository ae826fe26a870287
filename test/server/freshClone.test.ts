/** `npm start` in a copy of the repository in which nothing has been built. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { listening } from "./running.ts";

const root = new URL("../..", import.meta.url).pathname;
const clone = mkdtempSync(join(tmpdir(), "quittance-clone-"));
let child: ChildProcess | null = null;

afterAll(async () => {
  if (child !== null && child.exitCode === null) {
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
  }
  rmSync(clone, { recursive: true, force: true });
});

it("npm start bundles only what a server runs, and says that it creates the database", async () => {
  for (const name of ["src", "adapters", "examples", "package.json", "LICENSE"])
    cpSync(join(root, name), join(clone, name), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(clone, "node_modules"));
  const { PATH, HOME } = process.env;
  const started = spawn("npm", ["run", "--silent", "start", "--", "--port", "0"], {
    cwd: clone,
    env: { PATH, HOME },
    stdio: ["ignore", "pipe", "pipe"],
  });
  child = started;
  let output = "";
  let errors = "";
  started.stdout.on("data", (chunk) => {
    output += chunk;
  });
  started.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  const url = await listening({
    process: started,
    output: () => output,
    errors: () => errors,
    ended: new Promise(() => {}),
  });
  expect(output).toMatch(/^creating the database in \.quittance\/data; this takes some seconds$/m);
  expect(output.indexOf("creating the database")).toBeLessThan(output.indexOf("development key"));
  for (const path of ["/healthz", "/console", "/docs"])
    expect((await fetch(`${url}${path}`)).status, path).toBe(200);
  for (const file of ["dist/src/index.js", "dist/src/index.d.ts", "dist/adapters/promise/index.js"])
    expect(existsSync(join(clone, file)), file).toBe(false);
});
