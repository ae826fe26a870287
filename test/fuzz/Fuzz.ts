/**
 * Random requests generated from the OpenAPI document, against an engine on the memory store. Ids in responses are used again,
 * so that the requests reach deep into the life of records.
 */
import { fault, type Operation, operations, type Schema } from "../http/Document.ts";
import { type Asked, type Call, caller, type Engine, type Reply, SCOPES } from "../http/Engine.ts";
import { BANK_ACCOUNT, signed, startPaying } from "../http/Requests.ts";
import { form, SELF_BILLING, TENTH } from "../http/Scene.ts";
import * as Random from "../support/Random.ts";
import { checkJournal, chooseRules, chooseTaxCurrency } from "./Books.ts";
import { bodyOf, type Hint, parameterOf } from "./Values.ts";

/** The results of a run: the number of responses by operation and status, of entries of the journal, and the problems. */
export interface Outcome {
  readonly entries: number;
  readonly statuses: ReadonlyMap<string, ReadonlyMap<number, number>>;
  readonly faults: ReadonlyArray<string>;
  readonly requests: number;
}

/** A billing profile: the document cannot express which countries and accounts there are. */
const PROFILE = {
  legal_name: "Shop GmbH",
  address: SELF_BILLING.address,
  vat_number: "DE123456789",
  bank_account: BANK_ACCOUNT,
};

/** How often a body or parameter is spoilt. */
const SPOILT = 0.25;

/** Ids by the kind of record, as collections are called in paths. */
type Pool = Map<string, Array<string>>;

const POOL_OF: Readonly<Record<string, string>> = {
  partner_id: "partners",
  partner_ids: "partners",
  schema_id: "attribution-schemas",
  workspace_id: "workspaces",
  workspace_ids: "workspaces",
  customer_id: "customers",
  customer_ids: "customers",
  commission_ids: "commissions",
  attribution_ids: "attributions",
  attribution_id: "attributions",
  payment_reference: "payments",
  delivery_id: "deliveries",
};

/** Ids are kept up to this number each, the latest ones: they are the ones still able to move. */
const KEPT = 12;

const keep = (pool: Pool, kind: string, id: unknown): void => {
  if (typeof id !== "string") return;
  const ids = pool.get(kind) ?? [];
  if (ids.includes(id)) return;
  ids.push(id);
  if (ids.length > KEPT) ids.splice(1, 1);
  pool.set(kind, ids);
};

const learn = (pool: Pool, { path }: Operation, reply: Reply): void => {
  const collection = path.split("/").at(-1) ?? "";
  if (reply.status === 201) keep(pool, collection, reply.body.id);
  // Keys that a list shows are those that the run itself works with; revoking them would end it.
  if (collection === "api-keys") return;
  if (reply.status !== 200 || typeof reply.body !== "object") return;
  for (const rows of Object.values<unknown>(reply.body)) {
    if (!Array.isArray(rows)) continue;
    for (const row of rows) {
      keep(pool, collection, row?.id);
      keep(pool, "payments", row?.view?.payment_reference);
    }
  }
};

const collectionOf = (field: string, { path }: Operation): string =>
  field === "id" || field === "ids" ? (path.split("/")[3] ?? "") : (POOL_OF[field] ?? "");

/** Mostly the id of a known record; none for a field that contains no id. */
const idFor = (
  random: Random.Random,
  pool: Pool,
  operation: Operation,
  field: string,
): string | undefined => {
  const ids = pool.get(collectionOf(field, operation)) ?? [];
  if (ids.length === 0 || random.chance(0.1)) return undefined;
  const latest = ids.at(-1);
  return field === "id" && operation.id in STATE_OF && random.chance(0.5) ? latest : random.pick(ids);
};

const hints =
  (random: Random.Random, pool: Pool, operation: Operation): Hint =>
  (field, schema: Schema) => {
    if (field === "" && operation.id === "createPartner" && random.chance(0.6)) {
      const workspace_id = pool.get("workspaces")?.[0];
      return { name: "N", workspace_id, billing_mode: "self_billing", self_billing_data: SELF_BILLING };
    }
    if (field === "" && operation.id === "writeBillingProfile" && random.chance(0.6))
      return { ...PROFILE, ...chooseTaxCurrency(random) };
    if (field === "" && operation.id === "writePostingRules" && random.chance(0.8))
      return chooseRules(random, pool.get("partners")?.at(-1));
    if (field === "decision" && random.chance(0.6)) return "issue_credit_note";
    if (field === "type" && operation.id === "reportPayment" && random.chance(0.5)) return "confirmed";
    if (schema.format === "uuid") return idFor(random, pool, operation, field);
    if (schema.$ref?.endsWith("/Expression") === true) return random.chance(0.7) ? TENTH : undefined;
    if (field === "expression_text") return random.chance(0.7) ? "10 % of order_value" : undefined;
    if (field === "properties" && schema.type === "object") {
      const order_value = random.pick([0, 1, 12_345, 700, -50_000, -500, 0.1, 1e15, 99.995]);
      return random.chance(0.9) ? { order_value } : { order_value, plan: "pro" };
    }
    if (field === "properties" && schema.type === "array" && random.chance(0.7)) {
      return [{ name: "order_value", type: "number", required: true }];
    }
    if (field === "self_billing_data") return random.chance(0.8) ? SELF_BILLING : undefined;
    if (field === "customer_id" && operation.id === "createApiKey") return pool.get("customers")?.[0];
    if (field === "bank_account") return random.chance(0.8) ? BANK_ACCOUNT : undefined;
    if (field === "url") return random.chance(0.8) ? "https://receiver.example/events" : undefined;
    if (field === "execution_date") return random.chance(0.8) ? "2026-06-01" : undefined;
    if (field === "time_zone") return random.chance(0.8) ? "Europe/Copenhagen" : undefined;
    // Without parameters, so that every assignment has the values that it needs.
    if (field === "parameters" && random.chance(0.8)) return schema.type === "array" ? [] : {};
    if (field === "values" && random.chance(0.8)) return {};
    if (field === "" && operation.id === "startPlanTrial" && random.chance(0.6)) {
      const plan_id = pool.get("commission-plans")?.at(-1);
      return { plan_id, from: "2020-01-01T00:00:00Z", to: "2021-01-01T00:00:00Z" };
    }
    if (field === "start_datetime") return "2020-01-01T00:00:00Z";
    if (field === "end_datetime" && random.chance(0.8)) return null;
    if (field === "effective_datetime") return random.chance(0.5) ? null : "2021-06-01T00:00:00Z";
    return undefined;
  };

const targetOf = (random: Random.Random, operation: Operation, hint: Hint): string => {
  const parts: Array<string> = [];
  for (const { in: where, name, required, schema } of operation.parameters) {
    if (where !== "query" || !(required || random.chance(0.3))) continue;
    const values =
      name === "from" || name === "to"
        ? [name === "from" ? "2025-12-29T00:00:00Z" : "2026-12-31T00:00:00+01:00"]
        : parameterOf(random, schema, hint, name, SPOILT / 4);
    parts.push(...values.map((value) => `${name}=${encodeURIComponent(value)}`));
  }
  if (random.chance(0.02))
    parts.push(random.pick(["unknown=1", "%zz", "page=1&page=2", "__proto__=1", "&&"]));
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (name === "provider") return "bank";
    return random.chance(0.03)
      ? random.pick(["x", "%00", "..%2f", "00000000-0000-0000-0000-000000000000"])
      : String(hint(name, { format: "uuid" }) ?? random.uuid());
  });
  return parts.length === 0 ? path : `${path}?${parts.join("&")}`;
};

const TYPES = ["text/plain", "application/json; charset=utf-8", "application/xml", "multipart/form-data"];

const askedOf = (random: Random.Random, operation: Operation, hint: Hint): Asked => {
  const headers: Record<string, string> = {};
  if (operation.method !== "GET" && random.chance(0.05)) {
    headers["idempotency-key"] = random.pick(["one", "two", "three", "", "é", "x".repeat(256)]);
  }
  if (operation.body === "multipart") {
    const name = random.pick(["invoice.pdf", "../../x", 'a"b.pdf', "名.pdf"]);
    return random.chance(0.1)
      ? { body: "--x--", headers }
      : { body: form(random.chance(0.1) ? "" : random.chance(0.1) ? "PDF" : "%PDF-1.7", name), headers };
  }
  if (operation.body === "none") return { headers };
  const body = bodyOf(random, operation.request?.schema ?? {}, hint, SPOILT);
  headers["content-type"] = random.chance(0.02) ? random.pick(TYPES) : "application/json";
  if (operation.path.startsWith("/webhooks") && random.chance(0.9)) Object.assign(headers, signed(body));
  return { body, headers };
};

/** Callers of every kind; most requests are from one with every scope. */
const callersOf = async (engine: Engine): Promise<ReadonlyArray<readonly [share: number, call: Call]>> => {
  const as = async (grant: object): Promise<Call> =>
    caller(engine.handler, await engine.keyOf({ customer_id: engine.customerId, ...grant }));
  const partner_ids = [crypto.randomUUID()];
  return [
    [0.85, engine.call],
    [0.05, engine.admin],
    [0.02, await as({ kind: "partner", partner_ids })],
    [0.02, await as({ workspace_ids: [crypto.randomUUID()] })],
    [0.02, await as({ kind: "agent", agent_id: crypto.randomUUID(), scopes: SCOPES })],
    [0.02, await as({ customer_id: crypto.randomUUID() })],
    [0.02, caller(engine.handler, "qk_0123456789abcdef_unknown")],
  ];
};

const callerOf = (
  random: Random.Random,
  callers: ReadonlyArray<readonly [share: number, call: Call]>,
): Call => {
  let left = random.fraction();
  for (const [share, call] of callers) {
    left -= share;
    if (left < 0) return call;
  }
  return random.pick(callers)[1];
};

/** Lists add ids to the pool; creations of records that later steps need are more frequent. */
const WEIGHTS: Readonly<Record<string, number>> = {
  createPartner: 2,
  createAttribution: 6,
  createCommissionFormula: 3,
  createSettlement: 2.5,
  markSettlementAsPaid: 0.2,
  listCommissions: 4,
  listSettlements: 2,
  approveSettlement: 4,
  uploadSettlementReport: 4,
  uploadSettlementInvoice: 4,
  reviewSettlement: 4,
  initiateSettlementPayment: 5,
  reportPayment: 5,
  uploadSettlementCreditNote: 3,
  previewSettlement: 2,
  failSettlementPayment: 3,
  returnSettlementPayment: 3,
  revokeApiKey: 0.2,
  cancelSettlement: 0.2,
  writeOffSettlement: 0.2,
  disputeSettlement: 0.5,
  resolveSettlementDispute: 3,
  cancelCommissionFormula: 0.2,
};

const weighted = (random: Random.Random): Operation => {
  const total = operations.reduce((sum, { id }) => sum + (WEIGHTS[id] ?? 1), 0);
  let left = random.fraction() * total;
  for (const operation of operations) {
    left -= WEIGHTS[operation.id] ?? 1;
    if (left < 0) return operation;
  }
  return random.pick(operations);
};

/** A sale has a commission only when its partner and schema have a formula, which the document cannot express. */
const saleThatEarns = async (random: Random.Random, engine: Engine): Promise<string | null> => {
  const { body } = await engine.call("GET", "/api/v1/commission-formulas?order=desc&per_page=10");
  if (body.commission_formulas.length === 0) return null;
  const { partner_id, schema_id, workspace_id } = random.pick<Readonly<Record<string, string>>>(
    body.commission_formulas,
  );
  const properties = { order_value: random.pick([12_345, 700, -50_000, 99.995]) };
  return JSON.stringify({ partner_id, schema_id, workspace_id, properties });
};

/** A settlement needs commissions of one partner, which the document cannot express. */
const commissionsTogether = async (random: Random.Random, engine: Engine): Promise<string | null> => {
  const { body } = await engine.call(
    "GET",
    `/api/v1/commissions?settlement_status=unsettled&order=desc&per_page=${random.integer(1, 20)}`,
  );
  const [first] = body.commissions;
  if (first === undefined) return null;
  const { partner_id, workspace_id, currency, customer_id } = first;
  const together = body.commissions.filter(
    (row: typeof first) =>
      row.partner_id === partner_id && row.workspace_id === workspace_id && row.currency === currency,
  );
  const commission_ids = together.slice(0, random.integer(1, 5)).map(({ id }: { readonly id: string }) => id);
  return JSON.stringify({ customer_id, workspace_id, partner_id, commission_ids });
};

const COHERENT: Readonly<Record<string, (random: Random.Random, engine: Engine) => Promise<string | null>>> =
  {
    createAttribution: saleThatEarns,
    createSettlement: commissionsTogether,
    previewSettlement: commissionsTogether,
  };

/** The state in which an operation on a settlement can succeed; few settlements are in it by chance. */
const STATE_OF: Readonly<Record<string, string>> = {
  reviewSettlement: "draft",
  initiateSettlementPayment: "awaiting_payment",
  markSettlementAsPaid: "awaiting_payment",
  uploadSettlementCreditNote: "awaiting_credit_note",
  failSettlementPayment: "payment_initiated",
  returnSettlementPayment: "paid",
  reconcileSettlement: "paid",
};

/** Puts a settlement into the pool, last, that is in the state that an operation needs. */
const findSettlement = async (engine: Engine, pool: Pool, operation: Operation): Promise<void> => {
  const state = STATE_OF[operation.id];
  if (state === undefined) return;
  const { body } = await engine.call("GET", `/api/v1/settlements?statuses=${state}&order=desc&per_page=1`);
  const id: unknown = body.settlements[0]?.id;
  const known = pool.get("settlements") ?? [];
  if (typeof id === "string") pool.set("settlements", [...known.filter((candidate) => candidate !== id), id]);
};

/** Runs requests of a seed; stops early after many faults. */
export const fuzz = async (seed: number, requests: number): Promise<Outcome> => {
  const random = Random.random(seed);
  const engine = await startPaying();
  const callers = await callersOf(engine);
  const pool: Pool = new Map([
    ["customers", [engine.customerId]],
    ["workspaces", [engine.workspaceId]],
  ]);
  const statuses = new Map<string, Map<number, number>>();
  const faults: Array<string> = [];
  for (let step = 0; step < requests && faults.length < 20; step++) {
    const operation = weighted(random);
    await findSettlement(engine, pool, operation);
    const hint = hints(random, pool, operation);
    const target = targetOf(random, operation, hint);
    const asked = askedOf(random, operation, hint);
    const body = random.chance(0.75) ? ((await COHERENT[operation.id]?.(random, engine)) ?? null) : null;
    const call = callerOf(random, callers);
    const reply = await call(operation.method, target, body === null ? asked : { ...asked, body });
    const wrong =
      reply.status >= 500 ? `${operation.name} answered ${reply.status}` : fault(operation, reply);
    if (wrong !== null) {
      faults.push(`seed ${seed} step ${step}: ${wrong}\n  ${target}\n  ${String(asked.body).slice(0, 2000)}`);
    }
    learn(pool, operation, reply);
    const counts = statuses.get(operation.id) ?? new Map<number, number>();
    counts.set(reply.status, (counts.get(reply.status) ?? 0) + 1);
    statuses.set(operation.id, counts);
  }
  const journal = await checkJournal(engine);
  faults.push(...journal.faults);
  await engine.runtime.dispose();
  return { statuses, faults, requests, entries: journal.entries };
};
