/** Pays a settlement with `openapi-fetch` and types of `openapi-typescript`, as a user's program does. */
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.ts";

const [baseUrl = "", key = ""] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${key}` } });

/** The data of a response; throws its error. */
const dataOf = <Data,>({ data, error }: { readonly data?: Data; readonly error?: unknown }): Data => {
  if (error !== undefined || data === undefined) throw new Error(JSON.stringify(error));
  return data;
};

const expression: components["schemas"]["Expression"] = { type: "property", name: "cents" };
const workspace_id = crypto.randomUUID();
const partner = dataOf(
  await client.POST("/api/v1/partners", { body: { name: "Nordlys ApS", workspace_id } }),
);
// A dry run has another result; the types of the document tell them apart.
if (!("id" in partner)) throw new Error("the partner was not stored");
const schema = dataOf(
  await client.POST("/api/v1/attribution-schemas", {
    body: { workspace_id, name: "Sale", properties: [{ name: "cents", type: "number", required: true }] },
  }),
);
const scope = { partner_id: partner.id, schema_id: schema.id, workspace_id };
const formula = { name: "All", currency: "EUR", start_datetime: "2026-01-01T00:00:00Z", expression };
dataOf(await client.POST("/api/v1/commission-formulas", { body: { ...scope, ...formula } }));
dataOf(await client.POST("/api/v1/attributions", { body: { ...scope, properties: { cents: 1_235 } } }));
const { commissions } = dataOf(
  await client.GET("/api/v1/commissions", { params: { query: { settlement_status: "unsettled" } } }),
);
const draft = dataOf(
  await client.POST("/api/v1/settlements", {
    body: {
      customer_id: commissions[0]?.customer_id ?? "",
      workspace_id,
      partner_id: partner.id,
      commission_ids: commissions.map(({ id }) => id),
    },
  }),
);
const path = { id: draft.id };

const settlement = async () =>
  dataOf(await client.GET("/api/v1/settlements", { params: { query: { ids: [draft.id] } } })).settlements[0];

/** Waits for a state. */
const reach = async (type: components["schemas"]["SettlementStatus"]["type"]): Promise<void> => {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if ((await settlement())?.view.status.type === type) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`the settlement did not reach ${type}`);
};

const ok = ({ error }: { readonly error?: unknown }): void => {
  if (error !== undefined) throw new Error(JSON.stringify(error));
};

ok(await client.POST("/api/v1/settlements/{id}/approve", { params: { path } }));
await reach("awaiting_invoice");
ok(
  await client.POST("/api/v1/settlements/{id}/invoice", {
    params: { path },
    body: { file: "%PDF-1.7" },
    bodySerializer: ({ file }) => {
      const form = new FormData();
      form.set("file", new Blob([file]), "invoice.txt");
      return form;
    },
  }),
);
ok(
  await client.POST("/api/v1/settlements/{id}/mark-as-paid", { params: { path }, body: { note: "by hand" } }),
);
const { error } = await client.POST("/api/v1/settlements/{id}/approve", { params: { path } });
const report = await client.GET("/api/v1/settlements/{id}/report", { params: { path }, parseAs: "text" });
const paid = await settlement();
console.log(paid?.view.status.type, paid?.view.total, error?.error_code, report.data);

// @ts-expect-error: there is no such path
await client.GET("/api/v1/nothing").catch(() => {});
// @ts-expect-error: a partner has no such field
type Misspelt = components["schemas"]["Partner"]["workspaceId"];

export type { Misspelt };
