import { Console, Effect, Layer } from "effect";
import * as Q from "quittance";
import * as Memory from "quittance/memory";
import * as Pdf from "quittance/pdf";

const customerId = Q.Ids.CustomerId.make("6f1c2d4e-0000-4000-8000-000000000001");
const me = Q.Principal.customer(customerId);
const workspaceId = Q.Ids.WorkspaceId.make("6f1c2d4e-0000-4000-8000-000000000002");

const program = Effect.gen(function* () {
  const partners = yield* Q.Partners.Partners;
  const schemas = yield* Q.AttributionSchemas.AttributionSchemas;
  const formulas = yield* Q.CommissionFormulas.CommissionFormulas;
  const attributions = yield* Q.Attributions.Attributions;
  const commissions = yield* Q.Commissions.Commissions;
  const settlements = yield* Q.Settlements.Settlements;
  const documents = yield* Q.SettlementDocuments.SettlementDocuments;
  const worker = yield* Q.Worker.Worker;

  const { id: partnerId } = yield* partners.create(me, { name: "Nordlys ApS", workspaceId });
  const { id: schemaId } = yield* schemas.create(me, {
    workspaceId,
    name: "Sale",
    properties: [{ name: "cents", type: "number", required: true }],
  });
  const scope = { partnerId, schemaId, workspaceId };
  yield* formulas.create(me, {
    ...scope,
    name: "10 % of each sale",
    currency: Q.Currency.Currency.make("EUR"),
    startDatetime: Date.parse("2026-01-01T00:00:00Z"),
    expression: {
      type: "multiply",
      operands: [
        { type: "property", name: "cents" },
        { type: "literal", value: { type: "percent", value: 10 } },
      ],
    },
  });
  yield* attributions.create(me, { ...scope, properties: { cents: 12_345 } });

  const earned = yield* commissions.list(me, { settlementStatus: "unsettled" });
  const commissionIds = earned.items.map((commission) => commission.id);
  const { id } = yield* settlements.create(me, { customerId, workspaceId, partnerId, commissionIds });
  yield* settlements.approve(me, id);
  yield* worker.drain; // makes the report
  const invoice = { fileName: "invoice.pdf", bytes: new TextEncoder().encode("%PDF-1.7 invoice 17") };
  yield* documents.upload(me, id, "invoice", invoice);
  yield* settlements.markAsPaid(me, id);

  const [settlement] = (yield* settlements.list(me)).items;
  const report = yield* documents.download(me, id, "report");
  yield* Console.log(
    `${settlement?.status.type}: ${settlement?.total} cents, in ${settlement?.lines.length} line`,
  );
  yield* Console.log(`${report.document.fileName}: ${report.bytes.length} bytes`);
});
const engine = Q.Quittance.layer().pipe(Layer.provide(Pdf.layer), Layer.provideMerge(Memory.layer));
await Effect.runPromise(Effect.provide(program, engine));
