/** `quittance export commissions` from a server: the part of the sale comes from another list. */
import { randomUUID } from "node:crypto";
import { open } from "quittance/promise";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Served, serve } from "./served.ts";

const workspaceId = randomUUID();
let served: Served;
let poor: Served;
const partners = { seller: "", manager: "" };

beforeAll(async () => {
  const quittance = await open({ database: "memory:" });
  const me = quittance.as({ customerId: randomUUID() });
  for (const name of ["seller", "manager"] as const)
    ({ id: partners[name] } = await me.partners.create({ name, workspaceId }));
  const properties = [{ name: "cents", type: "number", required: true }] as const;
  const { id: schemaId } = await me.attributionSchemas.create({ workspaceId, name: "Sale", properties });
  const sale = { partnerId: partners.seller, workspaceId, schemaId, properties: { cents: 1_000 } };
  for (const [role, partnerId] of Object.entries(partners))
    await me.commissionFormulas.create({
      ...{ workspaceId, schemaId, partnerId, name: role, currency: "USD", roles: [role] },
      ...{ expressionText: "10 % of cents", startDatetime: "2020-01-01T00:00:00Z" },
    });
  await me.attributions.create({
    ...sale,
    credits: [
      { partnerId: partners.seller },
      { partnerId: partners.manager, role: "manager", share: "0.25" },
    ],
  });
  // More than a page of attributions.
  await me.attributions.createBatch({
    mode: "atomic",
    attributions: Array.from({ length: 120 }, () => sale),
  });
  const { key } = await me.apiKeys.create({ name: "operator" });
  const { key: ofCommissions } = await me.apiKeys.create({ name: "reader", scopes: ["commissions:read"] });
  served = await serve(quittance, key);
  poor = await serve(quittance, ofCommissions);
});
afterAll(() => Promise.all([served.close(), poor.close()]));

const exported = async (server: Served) => {
  const { code, text } = await server.call("export", "commissions", "--format", "ndjson");
  expect(code).toBe(0);
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
};

it("has role, share and level of each commission, page by page", async () => {
  const rows = await exported(served);
  expect(rows).toHaveLength(122);
  const [found] = rows.filter(({ partner_id }) => partner_id === partners.manager);
  expect(found).toMatchObject({ role: "manager", share: "0.25", depth: 0, computed_amount: 25 });
  const others = rows.filter((row) => row !== found);
  expect(others.every(({ role, share, depth }) => role === "seller" && share === "1" && depth === 0)).toBe(
    true,
  );
  const [origin] = others.filter(({ attribution_id }) => attribution_id === found.origin_id);
  expect(origin).toMatchObject({ partner_id: partners.seller, origin_id: null });
});

it("leaves these columns empty for a key that may not list attributions", async () => {
  const rows = await exported(poor);
  expect(rows).toHaveLength(122);
  expect(rows.every(({ role, computed_amount }) => role === null && computed_amount !== null)).toBe(true);
});
