/**
 * The baseline: a hand-written server for this one request. It checks a bearer credential by its digest, validates the body
 * with a JSON schema, knows one partner, one schema and one formula in memory, computes the amount in plain JavaScript, and
 * stores attribution, commission and an event of each with one durable statement.
 */
import { createHash, randomUUID, timingSafeEqual } from "node:crypto";
import fastify from "fastify";
import pg from "pg";

const [, , url = "", key = "", partnerId = "", schemaId = "", workspaceId = "", connections = "8"] =
  process.argv;
const digest = createHash("sha256").update(key).digest();
const formulaId = randomUUID();
const customerId = randomUUID();
const pool = new pg.Pool({ connectionString: url, max: Number(connections) });

await pool.query(`
  create table attributions (customer_id uuid, id uuid, workspace_id uuid, partner_id uuid, schema_id uuid,
    properties jsonb not null, status text not null, created_at bigint not null, primary key (customer_id, id));
  create index on attributions (customer_id, created_at, id);
  create index on attributions (customer_id, partner_id, created_at, id);
  create table commissions (customer_id uuid, id uuid, workspace_id uuid, partner_id uuid, attribution_id uuid,
    formula_id uuid, currency text not null, computed_amount bigint, created_at bigint not null,
    primary key (customer_id, id), unique (customer_id, attribution_id, formula_id));
  create index on commissions (customer_id, created_at, id);
  create index on commissions (customer_id, partner_id, created_at, id);
  create table events (customer_id uuid, record_id uuid, sequence int, at bigint not null, event jsonb not null,
    primary key (customer_id, record_id, sequence));`);

const INSERT = {
  name: "insert",
  text: `with a as (insert into attributions values ($1,$2,$3,$4,$5,$6,'confirmed',$7)),
    e as (insert into events values ($1,$2,1,$7,$8), ($1,$9,1,$7,$10))
    insert into commissions values ($1,$9,$3,$4,$2,$11,'EUR',$12,$7)`,
};

const app = fastify();

app.post<{
  Body: { partner_id: string; schema_id: string; workspace_id: string; properties: { order_value: number } };
}>(
  "/api/v1/attributions",
  {
    schema: {
      body: {
        type: "object",
        required: ["partner_id", "schema_id", "workspace_id", "properties"],
        properties: {
          partner_id: { type: "string", format: "uuid" },
          schema_id: { type: "string", format: "uuid" },
          workspace_id: { type: "string", format: "uuid" },
          properties: {
            type: "object",
            required: ["order_value"],
            properties: { order_value: { type: "number" } },
            additionalProperties: false,
          },
        },
      },
    },
  },
  async (request, reply) => {
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
    if (!timingSafeEqual(createHash("sha256").update(token).digest(), digest)) return reply.code(401).send();
    const { partner_id, schema_id, workspace_id, properties } = request.body;
    if (partner_id !== partnerId || schema_id !== schemaId || workspace_id !== workspaceId)
      return reply.code(404).send();
    const amount = Math.round((properties.order_value * 10) / 100);
    const [id, commissionId, at] = [randomUUID(), randomUUID(), Date.now()];
    await pool.query({
      ...INSERT,
      values: [
        customerId,
        id,
        workspace_id,
        partner_id,
        schema_id,
        properties,
        at,
        { type: "create_attribution", properties },
        commissionId,
        { type: "create_commission", amount, formula_version: 1 },
        formulaId,
        amount,
      ],
    });
    return reply.code(201).send({ id });
  },
);

console.log(`listening on ${await app.listen({ port: 0, host: "127.0.0.1" })}`);
