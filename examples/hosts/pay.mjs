import { connect } from "quittance/client";

export const pay = async (options) => {
  const me = connect(options);
  const workspaceId = crypto.randomUUID();
  const { id: partnerId } = await me.partners.create({ name: "Nordlys ApS", workspaceId });
  const properties = [{ name: "cents", type: "number", required: true }];
  const { id: schemaId } = await me.attributionSchemas.create({ workspaceId, name: "Sale", properties });
  const scope = { partnerId, schemaId, workspaceId };
  const terms = { currency: "EUR", startDatetime: 0, expression: { type: "property", name: "cents" } };
  await me.commissionFormulas.create({ ...scope, name: "All of it", ...terms });
  await me.attributions.create({ ...scope, properties: { cents: 1235 } });
  const [{ id: commissionId, customerId }] = (await me.commissions.list()).items;
  const commissionIds = [commissionId];
  const { id } = await me.settlements.create({ customerId, workspaceId, partnerId, commissionIds });
  await me.settlements.approve(id);
  await me.settlements.waitFor(id, ["awaiting_invoice"], { timeout: 120_000 });
  await me.documents.upload(id, "invoice", { fileName: "17.pdf", bytes: new Blob(["%PDF-1.7"]) });
  await me.settlements.markAsPaid(id);
  const { status, total } = await me.settlements.get(id);
  console.log(`${status.type}: ${total} cents`);
};
