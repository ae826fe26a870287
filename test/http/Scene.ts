/** Initial records, created over HTTP. */
import type { Call, Engine, Reply } from "./Engine.ts";

export const SELF_BILLING = {
  legal_name: "Nordlys ApS",
  address: {
    street: "Havnegade 1",
    city: "København",
    region: "Hovedstaden",
    postal_code: "1058",
    country: "DK",
  },
  vat_number: "DK12345678",
  payment_terms_days: 30,
  bank_account: { beneficiary_name: "Nordlys ApS", iban: "DK5000400440116243", bic: "NDEADKKK" },
  tax_config: { treatment: "standard", label: "VAT", rate_bps: 2500 },
};

/** A tenth of the order value. */
export const TENTH = {
  type: "multiply",
  operands: [
    { type: "property", name: "order_value" },
    { type: "literal", value: { type: "percent", value: 10 } },
  ],
};

const idOf = (reply: Reply): string => {
  if (reply.status !== 201) throw new Error(`expected 201, got ${reply.status} ${reply.text}`);
  return reply.body.id;
};

/** Creates records of one workspace; each function returns the new id. */
export const maker = (call: Call, workspaceId: string) => ({
  partner: async (fields: object = {}) =>
    idOf(
      await call("POST", "/api/v1/partners", {
        json: { name: "Nordlys ApS", workspace_id: workspaceId, ...fields },
      }),
    ),
  schema: async (fields: object = {}) =>
    idOf(
      await call("POST", "/api/v1/attribution-schemas", {
        json: {
          name: "Sale",
          workspace_id: workspaceId,
          properties: [
            { name: "order_value", type: "number", required: true },
            { name: "plan", type: "string", required: false, default: "basic" },
          ],
          ...fields,
        },
      }),
    ),
  formula: async (partner_id: string, schema_id: string, fields: object = {}) =>
    idOf(
      await call("POST", "/api/v1/commission-formulas", {
        json: {
          name: "10 %",
          workspace_id: workspaceId,
          partner_id,
          schema_id,
          currency: "EUR",
          start_datetime: "2020-01-01T00:00:00Z",
          expression: TENTH,
          ...fields,
        },
      }),
    ),
  attribution: async (partner_id: string, schema_id: string, order_value: number, fields: object = {}) =>
    idOf(
      await call("POST", "/api/v1/attributions", {
        json: { workspace_id: workspaceId, partner_id, schema_id, properties: { order_value }, ...fields },
      }),
    ),
});

/** A partner with a formula and one attribution worth `orderValue / 10`, and what to do with its commission. */
export const scene = async (engine: Engine, partnerFields: object = {}, orderValue = 12_000) => {
  const { call, workspaceId, customerId } = engine;
  const make = maker(call, workspaceId);
  const partnerId = await make.partner(partnerFields);
  const schemaId = await make.schema();
  const formulaId = await make.formula(partnerId, schemaId);
  const attributionId = await make.attribution(partnerId, schemaId, orderValue);
  const listed = await call("GET", `/api/v1/commissions?partner_ids=${partnerId}`);
  const commissionId: string = listed.body.commissions[0].id;
  const draftOf = async (commissionIds: ReadonlyArray<string>) =>
    idOf(
      await call("POST", "/api/v1/settlements", {
        json: {
          customer_id: customerId,
          workspace_id: workspaceId,
          partner_id: partnerId,
          commission_ids: commissionIds,
        },
      }),
    );
  return {
    ...make,
    partnerId,
    schemaId,
    formulaId,
    attributionId,
    commissionId,
    draftOf,
    draft: () => draftOf([commissionId]),
    settlement: async (id: string) =>
      (await call("GET", `/api/v1/settlements?ids=${id}`)).body.settlements[0],
    commission: async (id: string) =>
      (await call("GET", `/api/v1/commissions?ids=${id}`)).body.commissions[0],
    act: (id: string, action: string, json?: unknown) =>
      call("POST", `/api/v1/settlements/${id}/${action}`, json === undefined ? {} : { json }),
    statusOf: async (id: string) =>
      (await call("GET", `/api/v1/settlements?ids=${id}`)).body.settlements[0].view.status.type,
  };
};

/** A scene whose commission was paid on an invoice of ours, and whose sale was cancelled after that. */
export const paidAndCancelled = async (engine: Engine) => {
  const made = await scene(engine, { billing_mode: "self_billing", self_billing_data: SELF_BILLING });
  const id = await made.draft();
  await made.act(id, "approve");
  await engine.settle();
  await made.act(id, "mark-as-paid");
  await engine.call("DELETE", `/api/v1/attributions/${made.attributionId}`, { json: { reason: "back" } });
  return made;
};

/** A form with a PDF that has a text. */
export const pdf = (text: string): FormData => form(`%PDF-1.7 ${text}`);

/** A form with one file. */
export const form = (text: string, fileName = "invoice.pdf"): FormData => {
  const data = new FormData();
  data.append("file", new Blob([text]), fileName);
  return data;
};
