/** A bundled server for the commands of the pages, in a folder that has what they mention. */
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { call, developmentKey, folder, listening, run as start } from "../server/running.ts";

const ADMIN_TOKEN = "admin-token-of-the-tests-0123456789";

/** Where the pages say that the server listens. */
const WRITTEN = "http://127.0.0.1:3000";

/** A running server. */
export interface Server {
  /** Runs commands in bash as a reader would, after those of the pages that name a key; what both outputs say. */
  readonly run: (commands: string) => Promise<{ readonly status: number | null; readonly output: string }>;
  readonly stop: () => Promise<void>;
}

const bash = (commands: string, cwd: string, env: NodeJS.ProcessEnv): ReturnType<Server["run"]> =>
  new Promise((resolve, reject) => {
    const child = spawn("bash", ["-euo", "pipefail", "-c", commands], { cwd, env });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        output += chunk;
      });
    }
    child.on("error", reject);
    child.on("close", (status) => resolve({ status, output }));
  });

const serve = async (
  environment: Record<string, string>,
  prepare: (url: string, path: string) => Promise<Record<string, string>>,
): Promise<Server> => {
  const here = folder();
  const server = start(here.path, ["serve"], { DATABASE_URL: "memory:", PORT: "0", ...environment });
  const url = await listening(server);
  const known = { ...environment, ...(await prepare(url, here.path)) };
  return {
    run: (commands) => bash(commands.replaceAll(WRITTEN, url), here.path, { ...process.env, ...known }),
    stop: async () => {
      server.process.kill("SIGTERM");
      await server.ended;
      here.remove();
    },
  };
};

/** Makes a settlement that awaits its invoice; answers its id. */
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
  for (let tries = 0; tries < 200; tries++) {
    const [settlement] = (await call(url, key, "GET", `settlements?ids=${id}`)).body.settlements;
    if (settlement.view.status.type === "awaiting_invoice") return id;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("the report was not made");
};

/** A server at its first start: its key is in the folder, and a settlement awaits an invoice. */
export const withKey = (): Promise<Server> =>
  serve({}, async (url, path) => {
    const KEY = developmentKey(path);
    writeFileSync(join(path, "invoice.pdf"), "an invoice");
    return { KEY, SETTLEMENT: await awaitingInvoice(url, KEY) };
  });

/** A server that knows an admin token. */
export const withAdminToken = (): Promise<Server> =>
  serve({ QUITTANCE_ADMIN_TOKEN: ADMIN_TOKEN }, async () => ({}));
