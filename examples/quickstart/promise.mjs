import { open } from "quittance/promise";

const quittance = await open({ database: "memory:" });
const me = quittance.as({ customerId: crypto.randomUUID(), actor: "user:42" });
const workspaceId = crypto.randomUUID();

const { id: partnerId } = await me.partners.create({ name: "Nordlys ApS", workspaceId });
const properties = [{ name: "cents", type: "number", required: true }];
const { id: schemaId } = await me.attributionSchemas.create({ workspaceId, name: "Sale", properties });
const scope = { partnerId, schemaId, workspaceId };
await me.commissionFormulas.create({
  ...scope,
  name: "10 % of each sale",
  currency: "EUR",
  startDatetime: "2026-01-01T00:00:00Z",
  expression: {
    type: "multiply",
    operands: [
      { type: "property", name: "cents" },
      { type: "literal", value: { type: "percent", value: 10 } },
    ],
  },
});
await me.attributions.create({ ...scope, properties: { cents: 12345 } });

const commissionIds = [];
for await (const commission of me.commissions.all({ settlementStatus: "unsettled" })) {
  commissionIds.push(commission.id);
}
const { id } = await me.settlements.create({ workspaceId, partnerId, commissionIds });
await me.settlements.approve(id);
await quittance.drain(); // makes the report
await me.settlements.waitFor(id, ["awaiting_invoice"], { timeout: 10_000 });
const bytes = new TextEncoder().encode("%PDF-1.7 stands for invoice 17");
await me.documents.upload(id, "invoice", { fileName: "invoice-17.pdf", bytes });
await me.settlements.markAsPaid(id);

const settlement = await me.settlements.get(id);
const report = await me.documents.download(id, "report");
console.log(`${settlement.status.type}: ${settlement.total} cents, in ${settlement.lines.length} line`);
console.log(`${report.document.fileName}: ${report.bytes.length} bytes`);
await quittance.close();
