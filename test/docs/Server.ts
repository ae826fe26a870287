/** Starts a bundled server for the commands on the pages, in a folder that has what they mention. */
import { spawn } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { Principal } from "quittance";
import { ask, call, folder, listening, MAIN, SHORT_LIVED, run as start } from "../server/running.ts";
import { root } from "./Fence.ts";

const ADMIN_TOKEN = "admin-token-of-the-tests-0123456789";

/** The address of the server in the pages. */
const WRITTEN = "http://127.0.0.1:3000";

/** The output of the pages' commands. */
export interface Outcome {
  /** The exit code of bash, which ends at the first command that fails. */
  readonly status: number | null;
  /** What each block printed on both outputs, in order, up to the one that failed. */
  readonly outputs: ReadonlyArray<string>;
}

/** A running server. */
export interface Server {
  /** Runs blocks of commands in one bash, in a folder with the examples and the installed package. */
  readonly run: (blocks: ReadonlyArray<string>) => Promise<Outcome>;
  readonly stop: () => Promise<void>;
}

/** A store in the memory of the server: most pages say nothing about where records are, and it starts in the least time. */
const IN_MEMORY = { DATABASE_URL: "memory:" };

/** Printed before each block; no command prints it. */
const SEPARATOR = "\u001e";

const bash = (blocks: ReadonlyArray<string>, cwd: string, env: NodeJS.ProcessEnv): Promise<Outcome> =>
  new Promise((resolve, reject) => {
    const script = ["exec 2>&1", ...blocks.map((block) => `printf '\\036'\n${block}`)].join("\n");
    const child = spawn("bash", ["-euo", "pipefail", "-c", script], { cwd, env });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk;
    });
    child.on("error", reject);
    child.on("close", (status) => resolve({ status, outputs: output.split(SEPARATOR).slice(1) }));
  });

/** Commands of the reader's folder, in front of those of the machine. */
const BIN = "node_modules/.bin";

/**
 * Puts the examples and the package, as npm installs it, into a reader's folder. `npx` only starts the command that is
 * installed there: the tests of the installation run the real one, which takes longer than the commands of the pages.
 */
const furnish = (path: string): void => {
  symlinkSync(join(root, "examples"), join(path, "examples"));
  mkdirSync(join(path, BIN), { recursive: true });
  symlinkSync(root, join(path, "node_modules/quittance"));
  const command = (name: string, line: string): void =>
    writeFileSync(join(path, BIN, name), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  const node = [process.execPath, ...SHORT_LIVED].join(" ");
  command("node", `exec ${node} "$@"`);
  command("quittance", `exec ${node} ${MAIN} "$@"`);
  command("npx", `name=$1; shift; exec "${BIN}/$name" "$@"`);
  writeFileSync(join(path, "package.json"), JSON.stringify({ private: true }));
};

/** Bash in a reader's folder, whose commands call the server at `url`. */
const runner =
  (path: string, url: string, known: Record<string, string>): Server["run"] =>
  (blocks) =>
    bash(
      blocks.map((block) => block.replaceAll(WRITTEN, url)),
      path,
      { ...process.env, PATH: [join(path, BIN), process.env.PATH ?? ""].join(delimiter), ...known, URL: url },
    );

/** A process that serves from a folder of its own. */
const startIn = async (path: string, settings: Record<string, string>) => {
  const server = start(path, ["serve"], { PORT: "0", ...settings });
  const stop = async (): Promise<void> => {
    server.process.kill("SIGTERM");
    await server.ended;
  };
  return { url: await listening(server), stop };
};

/** A server of the page's own. */
const serve = async (settings: Record<string, string>): Promise<Server> => {
  const here = folder();
  furnish(here.path);
  const server = await startIn(here.path, settings);
  const stop = (): Promise<void> => server.stop().then(here.remove);
  return { run: runner(here.path, server.url, settings), stop };
};

/** The server that most pages share, each as a customer of its own: starting one takes longer than the commands of a page. */
let shared: Promise<{ readonly url: string; readonly stop: () => Promise<void> }> | null = null;

const startShared = async () => {
  const here = folder();
  const server = await startIn(here.path, { ...IN_MEMORY, QUITTANCE_ADMIN_TOKEN: ADMIN_TOKEN });
  return { url: server.url, stop: () => server.stop().then(here.remove) };
};

/** Stops the server that pages share. */
export const stopShared = async (): Promise<void> => {
  await (await shared)?.stop();
};

/** A customer of its own on the shared server, whose key is where the first start of a server leaves it. */
const customer = async (
  prepare: (url: string, path: string, key: string) => Promise<Record<string, string>>,
): Promise<Server> => {
  shared ??= startShared();
  const { url } = await shared;
  const here = folder();
  furnish(here.path);
  const request = { name: "development", customer_id: crypto.randomUUID(), scopes: Principal.ALL_SCOPES };
  const { key } = await ask(url, ADMIN_TOKEN, "POST", "api-keys", request);
  mkdirSync(join(here.path, ".quittance"));
  writeFileSync(join(here.path, ".quittance/dev-key"), String(key));
  const known = await prepare(url, here.path, String(key));
  return { run: runner(here.path, url, known), stop: async () => here.remove() };
};

/** Creates a settlement that awaits its invoice and returns its id. */
const awaitingInvoice = async (url: string, key: string): Promise<string> => {
  const create = async (path: string, body: object): Promise<string> =>
    (await call(url, key, "POST", path, body)).body.id;
  const workspace_id = crypto.randomUUID();
  const partner_id = await create("partners", { name: "Nordlys ApS", workspace_id });
  const schema_id = await create("attribution-schemas", { name: "Sale", workspace_id, properties: [] });
  const scope = { workspace_id, partner_id, schema_id };
  await create("commission-formulas", {
    ...scope,
    name: "5 euros each",
    currency: "EUR",
    start_datetime: "2020-01-01T00:00:00Z",
    expression: { type: "literal", value: { type: "number", value: 500 } },
  });
  await create("attributions", { ...scope, properties: {} });
  const [commission] = (await call(url, key, "GET", "commissions")).body.commissions;
  const { customer_id } = commission;
  const commission_ids = [commission.id];
  const id = await create("settlements", { customer_id, workspace_id, partner_id, commission_ids });
  await call(url, key, "POST", `settlements/${id}/approve`);
  for (let tries = 0; tries < 2_000; tries++) {
    const [settlement] = (await call(url, key, "GET", `settlements?ids=${id}`)).body.settlements;
    if (settlement.view.status.type === "awaiting_invoice") return id;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("the worker did not make the report");
};

/** A server with its default store, in a folder that is empty: its first start. */
export const first = (): Promise<Server> => serve({});

/** A server whose key is in the folder, where the commands of a page read it; one of the page's own where it has settings. */
export const withKey = (settings: Record<string, string> = {}): Promise<Server> =>
  Object.keys(settings).length === 0 ? customer(async () => ({})) : serve({ ...IN_MEMORY, ...settings });

/** A server for commands that are no story of their own: `$KEY` is set, and `$SETTLEMENT` awaits an invoice. */
export const withSettlement = (): Promise<Server> =>
  customer(async (url, path, KEY) => {
    writeFileSync(join(path, "invoice.pdf"), "%PDF-1.7");
    return { KEY, SETTLEMENT: await awaitingInvoice(url, KEY) };
  });

/** A server with an admin token. */
export const withAdminToken = (): Promise<Server> =>
  serve({ ...IN_MEMORY, QUITTANCE_ADMIN_TOKEN: ADMIN_TOKEN });
