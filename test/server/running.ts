/** Starts the bundled server as a process of its own, as an operator would. */
import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = new URL("../..", import.meta.url).pathname;
/** The bundled command line. */
export const MAIN = join(root, "dist/adapters/server/main.js");

/**
 * Flags of Node for a process that ends soon. Without the optimized compilation of PGlite, opening a store takes half the
 * computing; with less of that of JavaScript, a server with the example company takes a fifth less.
 */
export const SHORT_LIVED: ReadonlyArray<string> = ["--liftoff-only", "--interrupt-budget=1000000"];

/** A process of the command line, and its output. */
export interface Run {
  readonly process: ChildProcess;
  readonly output: () => string;
  readonly errors: () => string;
  /** The exit code, or the signal. */
  readonly ended: Promise<number | string>;
}

/** A folder for one test; the server's working folder. */
export const folder = (): { readonly path: string; readonly remove: () => void } => {
  const path = mkdtempSync(join(tmpdir(), "quittance-server-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
};

/** Runs the command line; with no flags as an operator does, which a measurement needs. */
export const run = (
  cwd: string,
  args: ReadonlyArray<string>,
  environment: Record<string, string> = {},
  flags = SHORT_LIVED,
): Run => {
  const child = spawn(process.execPath, [...flags, MAIN, ...args], {
    cwd,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let errors = "";
  child.stdout?.on("data", (chunk) => {
    output += chunk;
  });
  child.stderr?.on("data", (chunk) => {
    errors += chunk;
  });
  const ended = new Promise<number | string>((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code, signal) => resolve(code ?? signal ?? ""));
  });
  return { process: child, output: () => output, errors: () => errors, ended };
};

/** Waits until the server prints its address; returns the address. */
export const listening = async ({ process: child, output, errors }: Run): Promise<string> => {
  for (;;) {
    const url = /^listening on (\S+)$/m.exec(output())?.[1];
    if (url !== undefined) return url;
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`the server has ended: ${errors()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

/** The development key that the first start left in the folder. */
export const developmentKey = (cwd: string): string =>
  readFileSync(join(cwd, ".quittance/dev-key"), "utf8").trim();

/** The setting of a server on the store that a template leaves in its folder. */
export const COPIED = { DATABASE_URL: "pglite://copied", PORT: "0" };

/** An embedded store after its first start, with its development key. */
export interface Template {
  readonly customerId: string;
  /** Copies the store into a working folder; opening it takes a tenth of the computing of a first start. */
  readonly copyTo: (cwd: string) => void;
  readonly remove: () => void;
}

/** Starts a server on a new embedded store, and stops it. */
export const template = async (): Promise<Template> => {
  const here = folder();
  const server = run(here.path, ["serve"], COPIED);
  await listening(server);
  server.process.kill("SIGTERM");
  await server.ended;
  return {
    customerId: /customer_id: (\S+)/.exec(server.output())?.[1] ?? "",
    copyTo: (cwd) => cpSync(join(here.path, "copied"), join(cwd, "copied"), { recursive: true }),
    remove: here.remove,
  };
};

/** Sends a request to the server; returns status and body. */
export const call = async (url: string, key: string, method: string, path: string, body?: unknown) => {
  const response = await fetch(`${url}/api/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? null : JSON.parse(text) };
};

/** Sends a request to the server; returns the body, and rejects on an error. */
export const ask = async (...given: Parameters<typeof call>): Promise<Record<string, unknown>> => {
  const { status, body } = await call(...given);
  const [, , method, path] = given;
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`);
  return body ?? {};
};
