/** The same two operations, hand-written with fastify: ajv validates the body, an array is the store. */
import type { AddressInfo } from "node:net";
import Fastify from "fastify";
import { announce, type Sale, STORED, sale, shown } from "./Setting.ts";

const token = crypto.randomUUID();
const customerId = crypto.randomUUID();
const posted = sale();
const stored = Array.from({ length: STORED }, () =>
  shown(crypto.randomUUID(), customerId, posted, new Date().toISOString()),
);

const uuid = { type: "string", format: "uuid" };
const app = Fastify();

app.addHook("onRequest", async (request, reply) => {
  if (request.headers.authorization !== `Bearer ${token}`) {
    await reply.code(401).send({ error_code: "UNAUTHORIZED", message: "no credential" });
  }
});

app.post<{ Body: Sale }>(
  "/api/v1/attributions",
  {
    schema: {
      body: {
        type: "object",
        required: ["partner_id", "schema_id", "workspace_id", "properties"],
        properties: {
          partner_id: uuid,
          schema_id: uuid,
          workspace_id: uuid,
          properties: {
            type: "object",
            additionalProperties: { anyOf: [{ type: "string" }, { type: "number" }, { type: "boolean" }] },
          },
        },
      },
    },
  },
  async ({ body }, reply) => {
    const id = crypto.randomUUID();
    stored.push(shown(id, customerId, body, new Date().toISOString()));
    return reply.code(201).send({ id });
  },
);

app.get<{ Querystring: { readonly page: number; readonly per_page: number } }>(
  "/api/v1/attributions",
  {
    schema: {
      querystring: {
        type: "object",
        additionalProperties: false,
        properties: {
          page: { type: "integer", minimum: 1, default: 1 },
          per_page: { type: "integer", minimum: 1, maximum: 100, default: 10 },
        },
      },
    },
  },
  async ({ query: { page, per_page } }) => ({
    attributions: stored.slice((page - 1) * per_page, page * per_page),
    total: stored.length,
    page,
    per_page,
  }),
);

await app.listen({ port: 0, host: "127.0.0.1" });
announce({ port: (app.server.address() as AddressInfo).port, token, sales: { "no formula": posted } });
