/** The customer of a campaign: partners of both billing modes, a schema, formulas. */

import { randomUUID } from "node:crypto";
import { Ids, Principal } from "quittance";
import type { Expression } from "quittance/formula";
import { field, type Request, send } from "./Wire.ts";

/** The platform token of every server that these tests start. */
export const ADMIN_TOKEN = "platform-token-of-the-crash-tests-0001";

/** A partner and its commission formulas. */
export interface Earner {
  readonly id: string;
  readonly selfBilling: boolean;
  readonly formulaIds: ReadonlyArray<string>;
}

/** A customer with everything that commissions need. */
export interface World {
  readonly customerId: Ids.CustomerId;
  readonly workspaceId: Ids.WorkspaceId;
  readonly token: string;
  readonly schemaId: string;
  /** The partners that sell. */
  readonly earners: ReadonlyArray<Earner>;
  /** Partners that earn from what others sell; none before `addUplines`. */
  readonly uplines: ReadonlyArray<Earner>;
  /** The first links between partners, which began years ago. */
  readonly linkIds: ReadonlyArray<string>;
  /** The plan of every partner; null before `addPlans`. */
  readonly planId: string | null;
  /** The plan by which every partner with sales has a rate of its own; null before `addPlans`. */
  readonly ratedPlanId: string | null;
}

const SELF_BILLING_DATA = {
  legal_name: "Nordlys ApS",
  address: {
    street: "Havnegade 1",
    city: "Aarhus",
    region: "Midtjylland",
    postal_code: "8000",
    country: "DK",
  },
  vat_number: "DK12345678",
  payment_terms_days: 30,
  bank_account: { beneficiary_name: "Nordlys ApS", iban: "DK5000400440116243", bic: "NDEADKKK" },
  tax_config: { treatment: "standard", label: "VAT", rate_bps: 2_500 },
};

/** The expression for a percentage of the order's value. */
export const percentOf = (percent: number): Expression => ({
  type: "multiply",
  operands: [
    { type: "property", name: "order_value" },
    { type: "literal", value: { type: "percent", value: percent } },
  ],
});

/** The expression for a percentage of what the sellers below earn. */
export const percentOfSellers = (percent: number): Expression => ({
  type: "multiply",
  operands: [
    { type: "attribute", name: "sellers_commission" },
    { type: "literal", value: { type: "percent", value: percent } },
  ],
});

/** The expression for a percentage of the partner's earlier order values in the calendar month of the sale. */
export const percentOfMonth = (percent: number): Expression => ({
  type: "multiply",
  operands: [
    {
      type: "aggregate",
      function: "sum",
      value: { type: "property", name: "order_value" },
      window: { type: "calendar", unit: "month" },
    },
    { type: "literal", value: { type: "percent", value: percent } },
  ],
});

const make = async (url: string, token: string, path: string, json: object): Promise<unknown> => {
  const response = await send(url, token, { method: "POST", path, json } satisfies Request);
  if (response.type !== "response" || response.status >= 300) {
    throw new Error(`POST ${path}: ${response.type === "response" ? response.text : "no response"}`);
  }
  return response.body;
};

/** The initial fields of every formula and plan. */
const TERMS = { name: "at the start", currency: "EUR", start_datetime: "2020-01-01T00:00:00Z" };

const idFrom = (body: unknown): string => String(field(body, "id"));

/** Creates a customer over HTTP, with self-billing partners and partners who upload their invoices, in turn. */
export const createCustomer = async (url: string, partners = 4): Promise<World> => {
  const customerId = Ids.CustomerId.make(randomUUID());
  const workspaceId = Ids.WorkspaceId.make(randomUUID());
  const made = await make(url, ADMIN_TOKEN, "api-keys", {
    customer_id: customerId,
    scopes: Principal.ALL_SCOPES,
  });
  const token = String(field(made, "key"));
  const create = async (path: string, json: object): Promise<string> =>
    idFrom(await make(url, token, path, { workspace_id: workspaceId, ...json }));
  const schemaId = await create("attribution-schemas", {
    name: "Sale",
    properties: [{ name: "order_value", type: "number", required: true }],
  });
  const earners: Array<Earner> = [];
  for (let place = 0; place < partners; place++) {
    const selfBilling = place % 2 === 0;
    const id = await create("partners", {
      name: `Partner ${place}`,
      ...(selfBilling ? { billing_mode: "self_billing", self_billing_data: SELF_BILLING_DATA } : {}),
    });
    const formulaId = await create("commission-formulas", {
      ...TERMS,
      partner_id: id,
      schema_id: schemaId,
      expression: percentOf(10),
      // Of either billing mode, one earner is paid as buyers pay.
      ...(place % 4 < 2 ? {} : { release: "on_receipt" }),
    });
    earners.push({ id, selfBilling, formulaIds: [formulaId] });
  }
  const none = { uplines: [], linkIds: [], planId: null, ratedPlanId: null };
  return { customerId, workspaceId, token, schemaId, earners, ...none };
};

/** With the earning partners, more than the request that changes a plan updates itself, so that a worker must do the rest. */
export const IDLE_PARTNERS = 100;

/** The rate that every partner has at first. */
const FIRST_RATE = 0.03;

/**
 * Adds an accumulating formula to every partner, a plan that they share with `idlePartners` partners without sales, and a plan
 * with a rate for each partner.
 */
export const addPlans = async (url: string, world: World, idlePartners: number): Promise<World> => {
  const { token, schemaId, workspaceId } = world;
  const create = async (path: string, json: object): Promise<string> =>
    idFrom(await make(url, token, path, { workspace_id: workspaceId, ...json }));
  const terms = { ...TERMS, schema_id: schemaId };
  const earners: Array<Earner> = [];
  for (const earner of world.earners) {
    const expression = percentOfMonth(1);
    const id = await create("commission-formulas", { ...terms, partner_id: earner.id, expression });
    earners.push({ ...earner, formulaIds: [...earner.formulaIds, id] });
  }
  const planId = await create("commission-plans", { ...terms, expression: percentOf(5) });
  const idle = await Promise.all(
    Array.from({ length: idlePartners }, (_, place) => create("partners", { name: `Idle ${place}` })),
  );
  const assigned = [...earners.map(({ id }) => id), ...idle];
  await make(url, token, `commission-plans/${planId}/partners`, { partner_ids: assigned });
  const ratedPlanId = await create("commission-plans", {
    ...terms,
    expression_text: "order_value * plan.rate",
    parameters: [{ name: "rate", type: "number" }],
  });
  await make(url, token, `commission-plans/${ratedPlanId}/partners`, {
    partner_ids: earners.map(({ id }) => id),
    parameters: { rate: FIRST_RATE },
  });
  return { ...world, earners, planId, ratedPlanId };
};

/**
 * Adds two managers and a director above both, who earn from what the sellers earn and, one of them, from what they sold before.
 * Three sellers have a manager.
 */
export const addUplines = async (url: string, world: World): Promise<World> => {
  const { token, schemaId, workspaceId, earners } = world;
  const create = async (path: string, json: object): Promise<string> =>
    idFrom(await make(url, token, path, json));
  const uplines: Array<Earner> = [];
  for (const [place, expression] of [
    percentOfSellers(20),
    percentOfMonth(1),
    percentOfSellers(5),
  ].entries()) {
    const selfBilling = place % 2 === 0;
    const id = await create("partners", {
      ...{ workspace_id: workspaceId, name: `Upline ${place}` },
      ...(selfBilling ? { billing_mode: "self_billing", self_billing_data: SELF_BILLING_DATA } : {}),
    });
    const terms = { ...TERMS, workspace_id: workspaceId, schema_id: schemaId, partner_id: id };
    const formulaId = await create("commission-formulas", { ...terms, roles: ["manager"], expression });
    uplines.push({ id, selfBilling, formulaIds: [formulaId] });
  }
  const linkIds: Array<string> = [];
  const link = async (below: Earner | undefined, above: Earner | undefined): Promise<void> => {
    const ends = { partner_id: below?.id, upline_partner_id: above?.id };
    const json = { ...ends, role: "manager", start_datetime: "2020-01-01T00:00:00Z" };
    linkIds.push(await create("partner-links", json));
  };
  const [manager, other, director] = uplines;
  await link(earners[0], manager);
  await link(earners[1], manager);
  await link(earners[2], other);
  await link(manager, director);
  return { ...world, uplines, linkIds };
};

/** Reads one record of a list by its id; null when it is absent or the response is lost. */
export const one = async (url: string, token: string, list: string, id: string): Promise<unknown> => {
  const response = await send(url, token, { method: "GET", path: `${list}?ids=${id}` });
  const records = response.type === "response" ? field(response.body, list) : null;
  return Array.isArray(records) ? (records[0] ?? null) : null;
};
