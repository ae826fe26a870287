// Pays a settlement through a server of the installed package: the arguments are the command that starts it.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

const [command, ...args] = process.argv.slice(2);
const server = spawn(command, [...args, "serve", "--port", "0"], {
  stdio: ["ignore", "pipe", "inherit"],
  detached: true,
});
const url = await new Promise((resolve, reject) => {
  let printed = "";
  server.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
  server.stdout.on("data", (chunk) => {
    printed += chunk;
    const found = /listening on (\S+)/.exec(printed);
    if (found !== null) resolve(found[1]);
  });
});

const key = readFileSync(".quittance/dev-key", "utf8").trim();
const call = async (method, path, body) => {
  const form = body instanceof FormData;
  const response = await fetch(`${url}/api/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(form ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: form ? body : JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  const text = await response.text();
  return text.startsWith("{") ? JSON.parse(text) : text;
};

try {
  const workspace_id = crypto.randomUUID();
  const { id: partner_id } = await call("POST", "partners", { workspace_id, name: "Nordlys ApS" });
  const properties = [{ name: "cents", type: "number", required: true }];
  const { id: schema_id } = await call("POST", "attribution-schemas", {
    workspace_id,
    name: "Sale",
    properties,
  });
  const scope = { workspace_id, partner_id, schema_id };
  await call("POST", "commission-formulas", {
    ...scope,
    name: "All of it",
    currency: "EUR",
    start_datetime: "2026-01-01T00:00:00Z",
    expression: { type: "property", name: "cents" },
  });
  await call("POST", "attributions", { ...scope, properties: { cents: 1235 } });
  const { commissions } = await call("GET", "commissions");
  const { partners } = await call("GET", "partners");
  const { id } = await call("POST", "settlements", {
    customer_id: partners[0].customer_id,
    workspace_id,
    partner_id,
    commission_ids: commissions.map((commission) => commission.id),
  });
  await call("POST", `settlements/${id}/approve`);
  const view = async () => (await call("GET", `settlements?ids=${id}`)).settlements[0].view;
  while ((await view()).status.type !== "awaiting_invoice") {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const report = await call("GET", `settlements/${id}/report`);
  const form = new FormData();
  form.set("file", new Blob(["%PDF-1.7"]), "invoice.pdf");
  await call("POST", `settlements/${id}/invoice`, form);
  await call("POST", `settlements/${id}/mark-as-paid`);
  const { status, total } = await view();
  console.log(status.type, total, report.slice(0, 4));
} finally {
  process.kill(-server.pid);
}
