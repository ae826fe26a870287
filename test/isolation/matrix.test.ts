import { Effect, Layer } from "effect";
import { layer as memory } from "quittance/memory";
import * as Postgres from "quittance/postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Operation, operations, resolved, type Schema } from "../http/Document.ts";
import {
  ADMIN_TOKEN,
  type Call,
  caller,
  type Engine,
  type Reply,
  SCOPES,
  type Store,
} from "../http/Engine.ts";
import {
  type Ask,
  attachedTo,
  endpointOf,
  paymentFileOf,
  requests,
  send,
  startPaying,
} from "../http/Requests.ts";
import { maker, scene } from "../http/Scene.ts";
import { guarded as guardedDatabase, PATIENT } from "../support/postgres.ts";

/** Where a request holds an id: in its path, in a parameter, or in its body under these steps. */
type Position =
  | { readonly in: "path" }
  | { readonly in: "partner" }
  | { readonly in: "delivery" }
  | { readonly in: "account" }
  | { readonly in: "attachment" }
  | { readonly in: "query"; readonly name: string }
  | { readonly in: "body"; readonly steps: ReadonlyArray<string> };

const isUuid = ({ format, items }: Schema): boolean =>
  format === "uuid" || (items !== undefined && resolved(items).format === "uuid");

/** The steps to every id in a body; of a list, to its first item. */
const idsIn = (given: Schema, steps: ReadonlyArray<string> = []): ReadonlyArray<ReadonlyArray<string>> => {
  const schema = resolved(given);
  if (schema.format === "uuid") return [steps];
  const members = schema.anyOf ?? schema.allOf ?? [];
  const nested = [
    ...members.flatMap((member) => idsIn(member, steps)),
    ...(schema.items === undefined ? [] : idsIn(schema.items, [...steps, "0"])),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, child]) => idsIn(child, [...steps, name])),
  ];
  return nested;
};

/** The operations that a credential asks for; payment providers have none. */
const guarded = operations.filter(({ path }) => path.startsWith("/api/v1/"));

/** Expressions hold no ids, and would be walked for ever. */
const bodySchema = (operation: Operation): Schema => {
  const schema: Schema = operation.request?.schema ?? {};
  const { expression: _, ...properties } = schema.properties ?? {};
  return operation.body === "json" ? { ...schema, properties } : {};
};

const positionsOf = (operation: Operation): ReadonlyArray<Position> => [
  ...(operation.path.includes("{id}") ? [{ in: "path" } as const] : []),
  ...(operation.path.includes("{partner_id}") ? [{ in: "partner" } as const] : []),
  ...(operation.path.includes("{delivery_id}") ? [{ in: "delivery" } as const] : []),
  ...(operation.path.includes("{account_id}") ? [{ in: "account" } as const] : []),
  ...(operation.path.includes("{attachment_id}") ? [{ in: "attachment" } as const] : []),
  ...operation.parameters
    .filter((parameter) => parameter.in === "query" && isUuid(parameter.schema))
    .map(({ name }) => ({ in: "query", name }) as const),
  ...idsIn(bodySchema(operation)).map((steps) => ({ in: "body", steps }) as const),
];

const nameOf = (position: Position): string => {
  switch (position.in) {
    case "body":
      return position.steps.join(".");
    case "query":
      return position.name;
    case "partner":
      return "{partner_id}";
    case "delivery":
      return "{delivery_id}";
    case "account":
      return "{account_id}";
    case "attachment":
      return "{attachment_id}";
    case "path":
      return "{id}";
  }
};

interface Reader {
  readonly call: Call;
  /** Creates a request of the reader that would succeed; null when the reader may not create the records for it. */
  readonly own: Engine | null;
  /** True if the victim's customer is its own. */
  readonly isColleague: boolean;
}

const WORKSPACE_NAME = "the victim's";

let victim: Engine;
let readers: Readonly<Record<string, Reader>>;
let known: Readonly<Record<string, string>>;
let otherCustomerId: Engine["customerId"];

const settle = async (store: Store): Promise<void> => {
  victim = await startPaying({ store });
  const made = await scene(victim);
  const settlementId = await made.draft();
  otherCustomerId = crypto.randomUUID();
  known = {
    partner_ids: made.partnerId,
    workspace_ids: victim.workspaceId,
    attribution_ids: made.attributionId,
    commission_ids: made.commissionId,
    formula_ids: made.formulaId,
    schema_ids: made.schemaId,
    plan_ids: (await requests.updateCommissionPlan?.(victim))?.id ?? "",
    settlement_ids: settlementId,
    agent_id: crypto.randomUUID(),
    attributions: made.attributionId,
    partners: made.partnerId,
    commissions: made.commissionId,
    "attribution-schemas": made.schemaId,
    "commission-formulas": made.formulaId,
    settlements: settlementId,
  };
  const paymentFileId = (await paymentFileOf(victim)) ?? "";
  const runId = (await requests.readSettlementRun?.(victim))?.id ?? "";
  const trialId = (await requests.readPlanTrial?.(victim))?.id ?? "";
  await victim.call("PUT", `/api/v1/workspaces/${victim.workspaceId}`, { json: { name: WORKSPACE_NAME } });
  known = {
    ...known,
    workspace_id: victim.workspaceId,
    schema_id: made.schemaId,
    partner_id: made.partnerId,
    plan_id: known.plan_ids ?? "",
    origin_ids: made.attributionId,
    "plan-trials": trialId,
    "commission-plans": known.plan_ids ?? "",
    "partner-links": (await requests.updatePartnerLink?.(victim))?.id ?? "",
    upline_partner_ids: made.partnerId,
    attachment_ids: (await attachedTo(victim)).attachmentId,
    "payment-files": paymentFileId,
    "settlement-runs": runId,
    recredits: (await requests.readRecredit?.(victim))?.id ?? "",
    "webhook-endpoints": await endpointOf(victim),
  };
  await victim.keyOf({ customer_id: victim.customerId, kind: "agent", agent_id: known.agent_id });
  type Id = Engine["customerId"];
  const reader = async (
    customerId: Id,
    grant: object,
    { makes = true, workspaceId = crypto.randomUUID() }: { makes?: boolean; workspaceId?: Id } = {},
  ): Promise<Reader> => {
    const token = await victim.keyOf({ customer_id: customerId, ...grant });
    const call = caller(victim.handler, token);
    return {
      call,
      own: makes ? { ...victim, call, customerId, workspaceId } : null,
      isColleague: customerId === victim.customerId,
    };
  };
  const workspaceId = crypto.randomUUID();
  const elsewhere = { workspace_ids: [workspaceId], scopes: SCOPES };
  const partner = { kind: "partner", partner_ids: [crypto.randomUUID()], scopes: SCOPES };
  const agent = { kind: "agent", agent_id: crypto.randomUUID(), scopes: SCOPES };
  readers = {
    "another customer": await reader(otherCustomerId, { scopes: SCOPES }),
    "another workspace": await reader(victim.customerId, elsewhere, { workspaceId }),
    "another partner": await reader(victim.customerId, partner, { makes: false }),
    "another customer's agent": await reader(otherCustomerId, agent),
    "a credential without the scope": await reader(otherCustomerId, { scopes: [] }, { makes: false }),
    "the platform, where it may not": {
      call: caller(victim.handler, ADMIN_TOKEN),
      own: null,
      isColleague: false,
    },
  };
};

const stepInto = (value: unknown, step: string): unknown =>
  typeof value === "object" && value !== null
    ? (value as Readonly<Record<string, unknown>>)[step]
    : undefined;

/** What the request has at a position; undefined in a query. */
const idAt = (ask: Ask, position: Position): unknown => {
  switch (position.in) {
    case "path":
      return ask.id;
    case "partner":
      return ask.partnerId;
    case "delivery":
      return ask.deliveryId;
    case "account":
      return ask.accountId;
    case "attachment":
      return ask.attachmentId;
    case "body":
      return position.steps.reduce(stepInto, ask.json);
    case "query":
      return new URLSearchParams(ask.query ?? "").get(nameOf(position)) ?? undefined;
  }
};

/** The victim's own id at a position of a request, or one of the same kind. */
const foreignId = (operation: Operation, ask: Ask, position: Position, isColleague: boolean): string => {
  const name =
    nameOf(position)
      .split(".")
      .findLast((step) => !/^\d+$/.test(step)) ?? "";
  if (/^customer_ids?$/.test(name)) return isColleague ? otherCustomerId : victim.customerId;
  const collection = operation.path.split("/")[3] ?? "";
  const found = idAt(ask, position) ?? known[name === "ids" ? collection : name];
  const id = found ?? known[name];
  if (typeof id !== "string") throw new Error(`${operation.name}: no foreign ${name}`);
  return id;
};

const replaced = (value: unknown, [step, ...rest]: ReadonlyArray<string>, id: string): unknown => {
  if (step === undefined) return id;
  const child = replaced(stepInto(value, step), rest, id);
  if (/^\d+$/.test(step)) return Array.isArray(value) ? value.with(Number(step), child) : [child];
  return { ...(value as object), [step]: child };
};

const withId = (ask: Ask, position: Position, id: string): Ask => {
  switch (position.in) {
    case "path":
      return { ...ask, id };
    case "partner":
      return { ...ask, partnerId: id };
    case "delivery":
      return { ...ask, deliveryId: id };
    case "account":
      return { ...ask, accountId: id };
    case "attachment":
      return { ...ask, attachmentId: id };
    case "query": {
      const query = new URLSearchParams(ask.query ?? "");
      query.set(position.name, id);
      return { ...ask, query: `${query}` };
    }
    case "body":
      return { ...ask, json: replaced(ask.json, position.steps, id) };
  }
};

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** True if an operation exists under every id: a workspace need not be written, and a partner does not learn which plans exist. */
const takesAnyId = ({ id }: Operation, reader?: string): boolean =>
  id.endsWith("Workspace") || (id === "listCommissionPlanAcceptances" && reader === "another partner");

/** The response without the parts that differ between any two: the request id, the moment of a page, new ids and secrets. */
const seen = ({ status, headers, text }: Reply): string => {
  const { "x-request-id": _, date: __, ...rest } = Object.fromEntries(headers);
  const told =
    status === 201
      ? text.replace(UUID, "made").replace(/qk_[\w-]+|whsec_[\w+/=]+/, "secret")
      : text.replace(/"(at|to)":"[^"]+"/, '"$1":"now"');
  return JSON.stringify({ status, rest, told });
};

const example = (operation: Operation): Ask => ({
  id: crypto.randomUUID(),
  partnerId: crypto.randomUUID(),
  deliveryId: crypto.randomUUID(),
  accountId: crypto.randomUUID(),
  attachmentId: crypto.randomUUID(),
  ...(operation.body === "json" ? { json: operation.request?.example } : {}),
  ...(operation.body === "multipart" ? { upload: true } : {}),
  ...(operation.id.endsWith("Statistics")
    ? { query: "from=2020-01-01T00:00:00Z&to=2020-02-01T00:00:00Z&granularity=week" }
    : {}),
  ...(operation.id === "readPartnerStatement" ? { query: "from=2020-01-01T00:00:00Z" } : {}),
  ...(operation.id === "readCommissionPlanTerms" ? { query: `partner_id=${crypto.randomUUID()}` } : {}),
});

/** Requests for a payment file of the caller's own customer. */
const fileRequests: Readonly<Record<string, Ask>> = {
  downloadPaymentFile: {},
  handOverPaymentFile: {},
  discardPaymentFile: { json: { reason: "refused" } },
};

/** One run and one trial of each caller: two would have two ids in their responses. */
const shown: Readonly<Record<string, Map<Engine, Promise<Ask | undefined>>>> = {
  readSettlementRun: new Map(),
  readRecredit: new Map(),
  readPlanTrial: new Map(),
};

/** A trial in which the id at a position decides: of a draft that is no plan yet, or with a sale that is added. */
const trialRequest = async (engine: Engine, position: Position): Promise<Ask> => {
  const terms = (await requests.startPlanTrial?.(engine))?.json as Readonly<Record<string, unknown>>;
  const { plan_id: _, ...draft } = terms;
  const schemaId = await maker(engine.call, engine.workspaceId).schema();
  const sale = { properties: { order_value: 1 }, occurred_at: "2026-01-15T00:00:00Z" };
  return {
    json: ["workspace_id", "schema_id"].includes(nameOf(position))
      ? { ...draft, workspace_id: engine.workspaceId, schema_id: schemaId, currency: "EUR" }
      : nameOf(position).startsWith("add.")
        ? { ...terms, add: [sale] }
        : terms,
  };
};

const requestOf = async (operation: Operation, engine: Engine | null, position?: Position): Promise<Ask> => {
  if (engine === null) return example(operation);
  const once = shown[operation.id];
  if (once !== undefined) {
    const ask = once.get(engine) ?? Promise.resolve(requests[operation.id]?.(engine));
    once.set(engine, ask);
    return (await ask) ?? {};
  }
  if (operation.id === "startPlanTrial" && position !== undefined) return trialRequest(engine, position);
  // The id of another step of payment: what is compared is whether the settlement is found, not whether it may fail.
  if (operation.id === "failSettlementPayment")
    return { ...example(operation), ...(await requests.initiateSettlementPayment?.(engine)) };
  // Of the platform alone: others send it with their own credential.
  if (operation.id.startsWith("erase") && engine !== victim) return example(operation);
  const onFile = fileRequests[operation.id];
  if (onFile === undefined) return (await requests[operation.id]?.(engine)) ?? example(operation);
  return { ...example(operation), ...onFile, id: (await paymentFileOf(engine)) ?? crypto.randomUUID() };
};

/** The victim's request of each operation: nobody else may perform it, so the records for it stay as they are. */
const theirRequests = new Map<string, Promise<Ask>>();

const theirRequest = (operation: Operation): Promise<Ask> => {
  const known = theirRequests.get(operation.id) ?? requestOf(operation, victim);
  theirRequests.set(operation.id, known);
  return known;
};

/** The responses to an id that is somebody else's, and to one that was never used. */
const answers = async (operation: Operation, position: Position, { call, own, isColleague }: Reader) => {
  const foreign = foreignId(operation, await theirRequest(operation), position, isColleague);
  const first = await requestOf(operation, own, position);
  // A request with another id in its path performs nothing, so the records of one serve for both.
  const second = position.in === "path" ? first : await requestOf(operation, own, position);
  const answer = async (ask: Ask, id: string): Promise<Reply> => {
    const reply = await send(call, operation, withId(ask, position, id));
    return takesAnyId(operation) ? { ...reply, text: reply.text.replaceAll(id, "asked") } : reply;
  };
  return {
    foreign: await answer(first, foreign),
    unused: await answer(second, crypto.randomUUID()),
  };
};

const READERS = [
  "another customer",
  "another workspace",
  "another partner",
  "another customer's agent",
  "a credential without the scope",
  "the platform, where it may not",
] as const;

const cells = guarded.flatMap((operation) =>
  positionsOf(operation).flatMap((position) =>
    READERS.map((reader) => ({ operation, position, reader, name: operation.name, at: nameOf(position) })),
  ),
);

/** Subject to row-level security, so that no statement relies on rows of another customer either. */
const walled = Layer.unwrapScoped(
  Effect.map(guardedDatabase, ({ own }) => Postgres.layer({ url: own, ...PATIENT })),
);

describe.each([
  ["memory", memory],
  ["PostgreSQL behind the policies", walled],
] as const)("another customer's id and an unused id get the same response, in %s", (_, store) => {
  beforeAll(() => {
    theirRequests.clear();
    return settle(store);
  });
  afterAll(() => victim.runtime.dispose());

  it("for every id in the OpenAPI document and every kind of credential", () => {
    expect(cells.length).toBeGreaterThan(400);
    const paths = guarded.filter(({ path }) => path.includes("{id}"));
    expect(paths.length).toBeGreaterThan(20);
    for (const operation of paths) expect(positionsOf(operation)[0]).toEqual({ in: "path" });
    const found = new Set(cells.map(({ at }) => at));
    for (const at of ["{id}", "ids", "attribution_ids", "attributions.0.partner_id", "commission_ids.0"]) {
      expect(found).toContain(at);
    }
  });

  it.each(cells)("$name · $at · $reader", async ({ operation, position, reader }) => {
    const credential = readers[reader];
    if (credential === undefined) throw new Error(`there is no ${reader}`);
    const { foreign, unused } = await answers(operation, position, credential);
    // The platform may read all customers' records, so no id is foreign to it.
    if (reader === "the platform, where it may not" && unused.status !== 403) return;
    expect(seen(foreign)).toBe(seen(unused));
    if (reader === "a credential without the scope") expect(foreign.status).toBe(403);
    if (position.in === "path" && !takesAnyId(operation, reader))
      expect([403, 404]).toContain(foreign.status);
  });

  it("while the owner gets another response, so that the comparison can fail", async () => {
    const byId = guarded.filter(({ id, path }) => path.includes("{id}") && id !== "writeWorkspace");
    for (const operation of byId) {
      theirRequests.clear();
      const owner: Reader = { call: victim.call, own: victim, isColleague: true };
      const { foreign, unused } = await answers(operation, { in: "path" }, owner);
      expect(seen(foreign), operation.name).not.toBe(seen(unused));
    }
  });

  it("and a workspace of the same id is another one for each customer", async () => {
    const path = `/api/v1/workspaces/${victim.workspaceId}`;
    const theirs = await readers["another customer"]?.call("PUT", path, { json: { name: "another" } });
    expect(theirs?.status).toBe(200);
    expect((await victim.call("GET", path)).body.name).toBe(WORKSPACE_NAME);
  });
});
