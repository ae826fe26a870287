/** A settlement of a new partner of the example company, for what is done with it after its approval. */
import { ask } from "../server/running.ts";
import type { Demo } from "./Demo.ts";

interface Given {
  readonly name: string;
  readonly currency: "EUR" | "USD";
  /** What the partner states of its billing; nothing for a partner that sends invoices. */
  readonly billing?: object;
  /** What the commissions are worth in cents, each of a sale of its own, by the numbers of the orders where they have one. */
  readonly sales: ReadonlyArray<{ readonly cents: number; readonly order?: string }>;
  /** Runs before the settlement is drafted. */
  readonly prepare?: (partnerId: string) => Promise<unknown>;
}

/** The billing data of a self-billed partner of the example company. */
export const selfBilling = async ({ get }: Pick<Demo, "get">) => {
  const [{ self_billing_data }] = (await get("partners?billing_mode=self_billing&per_page=1")).partners;
  return { billing_mode: "self_billing", self_billing_data };
};

/** Creates a partner with sales, drafts a settlement of all that it has earned, and approves it. */
export const approveNew = async (
  { url, key, get }: Pick<Demo, "url" | "key" | "get">,
  { name, currency, billing = {}, sales, prepare = async () => {} }: Given,
): Promise<{ readonly id: string; readonly partnerId: string }> => {
  const post = async (path: string, body: object) => ask(url, key, "POST", path, body);
  const [{ workspace_id, customer_id }] = (await get("partners?per_page=1")).partners;
  const partner_id = String((await post("partners", { name, workspace_id, ...billing })).id);
  const properties = [{ name: "cents", type: "number", required: true }];
  const { id: schema_id } = await post("attribution-schemas", { workspace_id, name, properties });
  await post("commission-formulas", {
    ...{ workspace_id, partner_id, schema_id, name: "Leads", currency, expression_text: "cents" },
    start_datetime: "2020-01-01T00:00:00Z",
  });
  for (const { cents, order } of sales)
    await post("attributions", {
      ...{ workspace_id, partner_id, schema_id, properties: { cents } },
      ...(order === undefined ? {} : { external_reference: order }),
    });
  await prepare(partner_id);
  const { commissions } = await get(`commissions?partner_ids=${partner_id}`);
  const settlement = await post("settlements", {
    ...{ customer_id, workspace_id, partner_id },
    commission_ids: commissions.map(({ id }: { readonly id: string }) => id),
  });
  const id = String(settlement.id);
  await post(`settlements/${id}/approve`, {});
  return { id, partnerId: partner_id };
};
