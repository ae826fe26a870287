import { once } from "node:events";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { open } from "quittance/promise";
import { pay } from "./pay.mjs";

const quittance = await open({ database: "memory:" });
const handler = await quittance.handler({ prefix: "/billing" });
const app = new Hono();
app.all("/billing/api/v1/*", (context) => handler(context.req.raw));
const server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 });
await once(server, "listening");

const { key } = await quittance.as({ customerId: crypto.randomUUID() }).apiKeys.create({ name: "shop" });
await pay({ url: `http://127.0.0.1:${server.address().port}/billing`, key });
server.close();
await quittance.close();
