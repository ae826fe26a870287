import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Effect, Redacted } from "effect";
import pg from "pg";
import {
  ConflictError,
  ForbiddenError,
  InvalidError,
  NotFoundError,
  type Options,
  open,
  type PaymentOrder,
  PayoutRefused,
  type Quittance,
  QuittanceError,
  TimeoutError,
  UnavailableError,
} from "quittance/promise";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { METHODS } from "../../adapters/promise/Methods.ts";
import { problemsOf } from "../payouts/Definition.ts";
import { database } from "../support/postgres.ts";

const workspaceId = crypto.randomUUID();
const percent = {
  type: "multiply",
  operands: [
    { type: "property", name: "cents" },
    { type: "literal", value: { type: "percent", value: 10 } },
  ],
} as const;

/** Services that are not for callers but for the host and its operators. */
const OPERATOR: ReadonlySet<string> = new Set(["DeadLetters", "Erasures", "Payments", "Sessions"]);

/** Services with another name here. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ["SettlementDocuments", "documents"],
  ["BillingProfiles", "billingProfile"],
]);

let quittance: Quittance;

beforeAll(async () => {
  quittance = await open({ database: "memory:", worker: false });
});

afterAll(() => quittance.close());

/** A customer of its own with a partner, a schema and a formula. */
const furnished = async (startDatetime: number | string | Date = "2026-01-01T00:00:00Z") => {
  const me = quittance.as({ customerId: crypto.randomUUID(), actor: "user:42" });
  const { id: partnerId } = await me.partners.create({ name: "Nordlys ApS", workspaceId });
  const { id: schemaId } = await me.attributionSchemas.create({
    workspaceId,
    name: "Sale",
    properties: [{ name: "cents", type: "number", required: true }],
  });
  const scope = { partnerId, schemaId, workspaceId };
  const formula = { ...scope, name: "10 %", currency: "EUR", startDatetime, expression: percent };
  const { id: formulaId } = await me.commissionFormulas.create(formula);
  const sell = (cents: number, options = {}) =>
    me.attributions.create({ ...scope, properties: { cents } }, options);
  const draft = async () => {
    const commissionIds: Array<string> = [];
    for await (const { id } of me.commissions.all({ settlementStatus: "unsettled" })) commissionIds.push(id);
    return me.settlements.create({ workspaceId, partnerId, commissionIds });
  };
  return { me, scope, formulaId, sell, draft };
};

/** The error that a call rejects with. */
const errorOf = async (call: () => Promise<unknown>): Promise<unknown> => {
  try {
    await call();
  } catch (error) {
    return error;
  }
  throw new Error("the call succeeded");
};

describe("the event feed", () => {
  it("is read page by page, by a loop over all pages, and from a cursor", async () => {
    const me = quittance.as({ customerId: crypto.randomUUID(), actor: "user:42" });
    const { id: schemaId } = await me.attributionSchemas.create({
      workspaceId,
      name: "Sale",
      properties: [],
    });
    const { id: partnerId } = await me.partners.create({ name: "Nordlys ApS", workspaceId });
    const sell = () => me.attributions.create({ partnerId, schemaId, workspaceId, properties: {} });
    const sales = [(await sell()).id, (await sell()).id, (await sell()).id];
    const first = await me.events.list({ limit: 2 });
    expect(first.items.map(({ recordId }) => recordId)).toEqual([partnerId, ...sales.slice(0, 1)]);
    const rest: Array<string> = [];
    for await (const { recordId } of me.events.all({ after: first.nextCursor, limit: 1 }))
      rest.push(recordId);
    expect(rest).toEqual(sales.slice(1));
    expect(await me.events.verify()).toMatchObject({ entries: 4, broken: null });
  });
});

describe("the services of a caller", () => {
  it("are the engine's services whose methods take a principal", () => {
    const folder = new URL("../../src/services/", import.meta.url);
    const files = readdirSync(folder).filter((file) => file.endsWith(".ts"));
    const services = files.map((file) => file.replace(".ts", "")).filter((name) => !OPERATOR.has(name));
    const names = services.map((name) => NAMES.get(name) ?? `${name[0]?.toLowerCase()}${name.slice(1)}`);
    const me = quittance.as({ customerId: crypto.randomUUID() });
    expect(Object.keys(me).sort()).toEqual(names.sort());
  });
});

it("methods for hosts with Effect are left out", () => {
  const { commissionFormulas, attributions } = quittance.as({ customerId: crypto.randomUUID() });
  expect(Object.keys(commissionFormulas)).toContain("simulate");
  expect(Object.keys(commissionFormulas)).not.toContain("simulateAs");
  expect(Object.keys(attributions)).not.toContain("listInParts");
});

it("a list that cannot be filtered by ids has no get, which would return another record", () => {
  const me = quittance.as({ customerId: crypto.randomUUID() });
  const without = Object.entries(me).flatMap(([name, service]) =>
    "list" in service && !("get" in service) ? [name] : [],
  );
  expect(without).toEqual(["apiKeys", "events"]);
});

it("settlement runs start once their period has started", async () => {
  const { me, sell } = await furnished();
  await sell(12_345);
  await me.settlementPolicies.write(workspaceId, {
    holdDays: 0,
    minimum: {},
    cadence: { type: "weekly", day: 1, timeZone: "UTC" },
    autoApprove: {},
    fourEyesAbove: {},
    negative: "review",
  });
  const draftCounts = async () => {
    await quittance.startDueRuns();
    await quittance.drain();
    return (await me.settlementRuns.list()).items.map(({ draftCount }) => draftCount);
  };
  expect(await draftCounts()).toEqual([]);
  vi.useFakeTimers({ now: Date.now() + 8 * 24 * 60 * 60 * 1_000, toFake: ["Date"] });
  try {
    expect(await draftCounts()).toEqual([1]);
  } finally {
    vi.useRealTimers();
  }
});

describe("inputs", () => {
  it.each([
    ["text", "2026-02-01T00:00:00+02:00"],
    ["a number", Date.UTC(2026, 0, 31, 22)],
    ["a date", new Date(Date.UTC(2026, 0, 31, 22))],
  ])("accept a moment as %s", async (_, start) => {
    const { me, formulaId } = await furnished(start);
    expect((await me.commissionFormulas.get(formulaId)).startDatetime).toBe(Date.UTC(2026, 0, 31, 22));
  });

  it("accept the moment of a balance as text and as a date", async () => {
    const { me, sell } = await furnished();
    const { id } = await sell(100);
    const { partnerId } = await me.attributions.get(id);
    const at = Date.UTC(2026, 0, 31, 22);
    for (const moment of [new Date(at).toISOString(), new Date(at)]) {
      expect((await me.partnerStatements.balance(partnerId, { at: moment })).at).toBe(at);
    }
  });

  it("with an invalid moment are refused with its field", async () => {
    const error = await errorOf(() => furnished("last week"));
    expect(error).toMatchObject({ code: "BAD_REQUEST", field: "startDatetime", status: 400 });
  });

  it("with undefined fields are those without the fields", async () => {
    const { me } = await furnished();
    const input = { name: "Sol", workspaceId, billingMode: undefined, selfBillingData: undefined };
    const { id } = await me.partners.create(input as never);
    expect(await me.partners.get(id)).toMatchObject({ name: "Sol", billingMode: "partner_billing" });
  });

  it("leave the properties of attributions unchanged", async () => {
    const { me } = await furnished();
    const { id: schemaId } = await me.attributionSchemas.create({
      workspaceId,
      name: "Contract",
      properties: [{ name: "signedAt", type: "string", required: true }],
    });
    const { id: partnerId } = await me.partners.create({ name: "Sol", workspaceId });
    const properties = { signedAt: "yesterday" };
    const { id } = await me.attributions.create({ partnerId, schemaId, workspaceId, properties });
    expect((await me.attributions.get(id)).properties).toEqual(properties);
  });
});

describe("the parameters of methods", () => {
  it("have names", () => {
    const texts = Object.values(METHODS).flatMap((methods) => Object.values(methods));
    expect(texts.length).toBeGreaterThan(80);
    expect(texts.filter((text) => /\b(?:arg|args|rest|_)_?\d*\b/.test(text))).toEqual([]);
  });
});

describe("unknown fields", () => {
  const id = crypto.randomUUID();
  type Me = ReturnType<Quittance["as"]>;
  const selfBillingData = { address: { stret: "Havnegade 1" } };
  it.each<[string, (me: Me) => Promise<unknown>, string, string?]>([
    [
      "of a command",
      (me) => me.settlementRuns.start({ workspaceId, partnerId: id } as never),
      "partnerId",
      "partnerId: is not a known field; did you mean partnerIds?",
    ],
    [
      "that would change what a command does",
      (me) => me.settlementRuns.start({ workspaceId, dryrun: true } as never),
      "dryrun",
      "dryrun: is not a known field; did you mean dryRun?",
    ],
    ["of a filter", (me) => me.commissions.list({ partnerId: id } as never), "partnerId"],
    ["without a value", (me) => me.commissions.list({ partnerId: undefined } as never), "partnerId"],
    ["of a loop", (me) => me.commissions.all({ partnerId: id } as never).next(), "partnerId"],
    ["of a loop over events", (me) => me.events.all({ types: [], afte: "" } as never).next(), "afte"],
    ["that a loop chooses itself", (me) => me.partners.all({ order: "desc" } as never).next(), "order"],
    [
      "within a field",
      (me) => me.partners.update(id, { selfBillingData } as never),
      "selfBillingData.address.stret",
    ],
    [
      "within a list",
      (me) => me.attributions.createBatch({ mode: "atomic", attributions: [{ partner: id }] } as never),
      "attributions.0.partner",
    ],
    ["of statistics", (me) => me.attributions.statistics({ form: 0 } as never), "form"],
    ["in place of options", (me) => me.settlements.approve(id, { timeout: 5 } as never), "timeout"],
    [
      "beyond the parameters",
      (me) => me.settlements.approve(id, {}, ...([{ note: "" }] as unknown as [])),
      "note",
    ],
  ])("%s are refused with their name", async (_, call, field, message) => {
    const error = await errorOf(() => call(quittance.as({ customerId: crypto.randomUUID() })));
    expect(error).toMatchObject({ name: "InvalidError", field });
    if (message !== undefined) expect(error).toMatchObject({ message });
  });

  it("are none among the properties of an attribution", async () => {
    const { me, scope } = await furnished();
    await me.attributions.create({ ...scope, properties: { cents: 1, colour: "red" } }).then(
      () => expect.fail("colour is in no schema"),
      (error) => expect(error).toMatchObject({ field: "properties.colour" }),
    );
  });

  it("are refused among the options of the HTTP interface and of payouts", async () => {
    expect(await errorOf(() => quittance.handler({ ratelimit: {} } as never))).toMatchObject({
      message: "ratelimit: is not a known option; did you mean rateLimit?",
    });
    const payouts = { url: "https://pay.example", secret: "", allowprivate: true };
    expect(await errorOf(() => open({ database: "memory:", payouts } as never))).toMatchObject({
      field: "payouts.allowprivate",
    });
    const files = { sepa: "pain.001.001.03", format: "xml" };
    expect(await errorOf(() => open({ database: "memory:", payouts: files } as never))).toMatchObject({
      field: "payouts.format",
    });
  });
});

describe("errors", () => {
  it("name the invalid field", async () => {
    const { me } = await furnished();
    const error = await errorOf(() => me.partners.create({ name: "", workspaceId }));
    expect(error).toBeInstanceOf(InvalidError);
    expect(error).toMatchObject({
      name: "InvalidError",
      code: "BAD_REQUEST",
      status: 400,
      field: "name",
      token: null,
    });
  });

  it("name fields in camelCase, and properties as they are", async () => {
    const { me, scope } = await furnished();
    expect(await errorOf(() => me.partners.list({ perPage: 0 }))).toMatchObject({ field: "perPage" });
    const properties = { order_value: 1 };
    expect(await errorOf(() => me.attributions.create({ ...scope, properties }))).toMatchObject({
      field: "properties.order_value",
    });
  });

  it("name the line and column of an expression as text", async () => {
    const { me, scope } = await furnished();
    const formula = { ...scope, name: "X", currency: "EUR", startDatetime: 0 };
    const { id } = await me.commissionFormulas.create({ ...formula, expressionText: "10 % of cents" });
    const { items } = await me.commissionFormulas.list({ ids: [id] });
    expect(items[0]?.versions[0]?.expression).toEqual(percent);
    const refused = (stated: object) =>
      errorOf(() => me.commissionFormulas.create({ ...formula, ...stated }));
    expect(await refused({ expressionText: "10 % of\ncent" })).toMatchObject({
      field: "expressionText",
      message: "expression_text: line 2, column 1: unknown name 'cent'; did you mean 'cents'?",
    });
    expect(await refused({ expression: percent, expressionText: "cents" })).toMatchObject({
      field: "expressionText",
    });
    expect(await refused({})).toMatchObject({ field: "expression" });
  });

  it("name the node of an expression", async () => {
    const { me, scope } = await furnished();
    const expression = { type: "add", operands: [percent, { type: "propperty", name: "cents" }] } as never;
    const formula = { ...scope, name: "X", currency: "EUR", startDatetime: 0, expression };
    expect(await errorOf(() => me.commissionFormulas.create(formula))).toMatchObject({
      field: "expression.operands.1.type",
    });
  });

  it("are not thrown for the rows of a batch that is not atomic, which have the same facts", async () => {
    const { me, scope } = await furnished();
    const attributions = [
      { ...scope, properties: { cents: 1 }, externalReference: "A" },
      { ...scope, properties: {} },
      { ...scope, properties: { cents: 2 }, externalReference: "A" },
    ];
    const { results } = await me.attributions.createBatch({ mode: "independent", attributions });
    expect(results.slice(1)).toMatchObject([
      { refusal: "Invalid", field: "properties.cents", token: null },
      { refusal: "Conflict", field: null, token: "external_reference_reuse" },
    ]);
  });

  it("have the token of a conflict", async () => {
    const { me, sell, draft } = await furnished();
    await sell(100);
    const { id } = await draft();
    await me.settlements.approve(id);
    const error = await errorOf(() => me.settlements.approve(id));
    expect(error).toBeInstanceOf(ConflictError);
    expect(error).toMatchObject({
      code: "CONFLICT",
      status: 409,
      token: "settlement_not_draft",
      field: null,
    });
  });

  it("report a missing record", async () => {
    const { me } = await furnished();
    const calls = [
      () => me.settlements.get(crypto.randomUUID()),
      () => me.settlements.approve(crypto.randomUUID()),
    ];
    for (const call of calls) {
      const error = await errorOf(call);
      expect(error).toBeInstanceOf(NotFoundError);
      expect(error).toMatchObject({ code: "NOT_FOUND", status: 404 });
    }
  });

  it("state what an option of open() must be", async () => {
    expect(await errorOf(() => open({ database: "memory:", adminToken: "secret" }))).toMatchObject({
      code: "BAD_REQUEST",
      message: "adminToken: must have at least 32 characters",
    });
    expect(await errorOf(() => open({ database: "mysql://somewhere" }))).toMatchObject({
      code: "BAD_REQUEST",
      field: "database",
    });
  });

  it.each([
    ["the database", {}, "database"],
    ["a misspelt option", { database: "memory:", worked: false }, "worked"],
    ["a misspelt rule", { database: "memory:", policy: { foureyes: true } }, "policy.foureyes"],
    ["webhooks that are null", { database: "memory:", webhooks: null }, "webhooks"],
    ["webhooks as text", { database: "memory:", webhooks: "off" }, "webhooks"],
    ["a misspelt part of webhooks", { database: "memory:", webhooks: { allowprivate: true } }, "webhooks"],
    [
      "a rule that is neither on nor off",
      { database: "memory:", policy: { fourEyes: "on" } },
      "policy.fourEyes",
    ],
    [
      "a rule of no such value",
      { database: "memory:", policy: { staleDrafts: "refused" } },
      "policy.staleDrafts",
    ],
    ["documents of no such value", { database: "memory:", documents: "none" }, "documents"],
    ["files of no such version", { database: "memory:", payouts: { sepa: "pain.001" } }, "payouts.sepa"],
    ["payouts that are null", { database: "memory:", payouts: null }, "payouts"],
    ["a mailer that is null", { database: "memory:", mailer: null }, "mailer"],
    ["a mailer without a function", { database: "memory:", mailer: { sned: () => {} } }, "mailer"],
    ["payouts without a function", { database: "memory:", payouts: { sned: () => {} } }, "payouts"],
  ])("name %s in the options of open()", async (_, options, field) => {
    expect(await errorOf(() => open(options as never))).toMatchObject({ name: "InvalidError", field });
  });

  it("say that an engine without options needs a database", async () => {
    expect(await errorOf(() => open(undefined as never))).toMatchObject({ field: "database" });
  });

  it("name an input that is not plain data, also under an idempotency key", async () => {
    const { me, scope } = await furnished();
    const cyclic: Record<string, unknown> = {};
    cyclic.within = cyclic;
    for (const properties of [{ cents: 1n }, cyclic]) {
      const input = { ...scope, properties } as never;
      expect(await errorOf(() => me.attributions.create(input))).toBeInstanceOf(InvalidError);
      const options = { idempotencyKey: crypto.randomUUID() };
      expect(await errorOf(() => me.attributions.create(input, options))).toBeInstanceOf(InvalidError);
    }
  });

  it("report a database that cannot be reached", async () => {
    const error = await errorOf(() => open({ database: "postgres://nobody@127.0.0.1:1/none" }));
    expect(error).toBeInstanceOf(QuittanceError);
    expect(error).toMatchObject({ status: 503, message: expect.stringContaining("ECONNREFUSED") });
  });
});

describe("a caller", () => {
  it("has the scopes that are stated", async () => {
    const clerk = quittance.as({ customerId: crypto.randomUUID(), scopes: ["partners:read"] });
    expect((await clerk.partners.list()).total).toBe(0);
    const error = await errorOf(() => clerk.partners.create({ name: "Sol", workspaceId }));
    expect(error).toBeInstanceOf(ForbiddenError);
  });

  it("reaches the workspaces and partners that are stated", async () => {
    const customerId = crypto.randomUUID();
    const everywhere = quittance.as({ customerId });
    const { id } = await everywhere.partners.create({ name: "Sol", workspaceId });
    const elsewhere = quittance.as({ customerId, workspaceIds: [crypto.randomUUID()] });
    expect((await elsewhere.partners.list()).total).toBe(0);
    expect((await quittance.as({ customerId, partnerIds: [id] }).partners.list()).total).toBe(1);
  });

  it.each([
    ["an id that is none", { customerId: "me" }, "customerId"],
    ["a scope that is none", { customerId: crypto.randomUUID(), scopes: ["partners:all"] }, "scopes.0"],
    ["a misspelt limit", { customerId: crypto.randomUUID(), workspaceId: [] }, "workspaceId"],
  ])("is refused with %s", (_, caller, field) => {
    expect(() => quittance.as(caller as Parameters<Quittance["as"]>[0])).toThrow(
      expect.objectContaining({ code: "BAD_REQUEST", field }),
    );
  });
});

describe("idempotency keys", () => {
  it("return the first result", async () => {
    const { me, sell } = await furnished();
    const first = await sell(100, { idempotencyKey: "sale-1" });
    const second = await sell(100, { idempotencyKey: "sale-1" });
    expect(second).toEqual({ ...first, replayed: true });
    expect((await me.attributions.list()).total).toBe(1);
  });

  it("refuse another request", async () => {
    const { sell } = await furnished();
    await sell(100, { idempotencyKey: "sale-1" });
    const error = await errorOf(() => sell(200, { idempotencyKey: "sale-1" }));
    expect(error).toMatchObject({ token: "idempotency_key_reuse" });
  });

  it("must be printable text", async () => {
    const { sell } = await furnished();
    expect(await errorOf(() => sell(100, { idempotencyKey: "" }))).toMatchObject({ field: "idempotencyKey" });
  });

  it.each([
    [{ idempotencykey: "sale-1" }, "idempotencykey"],
    [{ idempotency_key: "sale-1" }, "idempotency_key"],
    [{ idempotencyKey: "sale-1", timeout: 5 }, "timeout"],
  ])("are refused when they are misspelt or beside an unknown option: %j", async (options, field) => {
    const { me, sell } = await furnished();
    expect(await errorOf(() => sell(100, options))).toMatchObject({ code: "BAD_REQUEST", field });
    expect((await me.attributions.list()).total).toBe(0);
  });
});

describe("signals", () => {
  it("cancel a call that has not started", async () => {
    const { me, sell } = await furnished();
    const reason = new Error("no longer wanted");
    expect(await errorOf(() => sell(100, { signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect((await me.attributions.list()).total).toBe(0);
  });

  it("stop waiting", async () => {
    const { me, sell, draft } = await furnished();
    await sell(100);
    const { id } = await draft();
    const signal = AbortSignal.timeout(50);
    const error = await errorOf(() => me.settlements.waitFor(id, ["paid"], { signal }));
    expect(error).toMatchObject({ name: "TimeoutError" });
    expect(error).toBe(signal.reason);
  });
});

describe("waiting for a settlement", () => {
  it("ends in one of the states, or after its time limit, and states the settlement's state", async () => {
    const { me, sell, draft } = await furnished();
    await sell(100);
    const { id } = await draft();
    expect((await me.settlements.waitFor(id, ["draft"])).status.type).toBe("draft");
    const error = await errorOf(() => me.settlements.waitFor(id, ["paid"], { timeout: 30 }));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(String(error)).toContain("the settlement is draft");
  });
});

describe("all of a list", () => {
  const sold = async (count: number) => {
    const customer = await furnished();
    const attributions = Array.from({ length: count }, (_, cents) => ({
      ...customer.scope,
      properties: { cents },
    }));
    await customer.me.attributions.createBatch({ mode: "atomic", attributions });
    return customer;
  };

  it("has every record once, in order", async () => {
    const { me } = await sold(250);
    const cents: Array<unknown> = [];
    for await (const { properties } of me.attributions.all()) cents.push(properties.cents);
    expect(cents).toEqual(Array.from({ length: 250 }, (_, index) => index));
  });

  it("misses none while the loop changes records so that they no longer match", async () => {
    const { me, scope } = await sold(250);
    const ids = new Set<string>();
    let batch: Array<string> = [];
    const settle = async (): Promise<void> => {
      await me.settlements.create({ workspaceId, partnerId: scope.partnerId, commissionIds: batch });
      batch = [];
    };
    for await (const { id } of me.commissions.all({ settlementStatus: "unsettled" })) {
      ids.add(id);
      if (batch.push(id) === 50) await settle();
    }
    expect(ids.size).toBe(250);
  });

  it("shows records that appear before the last page is read, and none twice", async () => {
    const { me, sell } = await sold(150);
    const ids: Array<string> = [];
    for await (const { id } of me.attributions.all())
      if (ids.push(id) % 50 === 0 && ids.length < 200) await sell(1);
    expect(ids.length).toBe(new Set(ids).size);
    expect(ids.length).toBe(152);
  });
});

describe("the HTTP interface", () => {
  it("is a function from request to response on the same store", async () => {
    const { me } = await furnished();
    const { key } = await me.apiKeys.create({ name: "shop" });
    const handle = await quittance.handler();
    const headers = { authorization: `Bearer ${key}` };
    const response = await handle(new Request("http://host/api/v1/partners", { headers }));
    expect(await response.json()).toMatchObject({ total: 1, partners: [{ name: "Nordlys ApS" }] });
  });
});

describe("payouts", () => {
  const address = {
    street: "Havnegade 1",
    city: "Aarhus",
    region: "Midtjylland",
    postalCode: "8000",
    country: "DK",
  };
  const selfBillingData = {
    legalName: "Nordlys ApS",
    address,
    vatNumber: "DK12345678",
    paymentTermsDays: 14,
    bankAccount: { beneficiaryName: "Nordlys ApS", iban: "DK5000400440116243", bic: "NDEADKKK" },
    taxConfig: { treatment: "exempt", label: "Exempt", rateBps: null },
  } as const;

  /** An engine with a settlement of 1,235 cents whose payment was initiated. */
  const initiated = async (payouts: NonNullable<Options["payouts"]>) => {
    const paying = await open({ database: "memory:", worker: false, payouts });
    const me = paying.as({ customerId: crypto.randomUUID() });
    const { bankAccount } = selfBillingData;
    await me.billingProfile.write({ legalName: "Shop A/S", address, vatNumber: "DK87654321", bankAccount });
    const partner = {
      name: "Nordlys ApS",
      workspaceId,
      billingMode: "self_billing",
      selfBillingData,
    } as const;
    const { id: partnerId } = await me.partners.create(partner);
    const properties = [{ name: "cents", type: "number", required: true }] as const;
    const { id: schemaId } = await me.attributionSchemas.create({ workspaceId, name: "Sale", properties });
    const scope = { partnerId, schemaId, workspaceId };
    const formula = { ...scope, name: "10 %", currency: "EUR", startDatetime: 0, expression: percent };
    await me.commissionFormulas.create(formula);
    await me.attributions.create({ ...scope, properties: { cents: 12_345 } });
    const commissionIds = (await me.commissions.list()).items.map(({ id }) => id);
    const { id } = await me.settlements.create({ workspaceId, partnerId, commissionIds });
    await me.settlements.approve(id);
    await paying.drain();
    await me.settlements.initiatePayment(id);
    return { paying, me, id };
  };

  it("are sent by the host's function, whose refusal ends the attempt", async () => {
    const amounts: Array<number> = [];
    const send = async ({ amount }: PaymentOrder): Promise<void> => {
      amounts.push(amount);
      throw new PayoutRefused("the account is closed");
    };
    const { paying, me, id } = await initiated({ send });
    await paying.drain();
    const { status, events } = await me.settlements.get(id);
    expect(amounts).toEqual([1235]);
    expect(status.type).toBe("awaiting_payment");
    expect(JSON.stringify(events)).toContain("the account is closed");
    await paying.close();
  });

  it.each([
    ["sepa", "pain.001.001.09"],
    [{ sepa: "pain.001.001.09" }, "pain.001.001.09"],
    [{ sepa: "pain.001.001.03" }, "pain.001.001.03"],
    [
      { files: { formats: ["pain.001.001.03", "nacha"], nacha: { companyId: "1", bank: "021000021" } } },
      "pain.001.001.03",
    ],
  ] as const)("by files for a bank, as %j, are in %s", async (payouts, format) => {
    const { paying, me } = await initiated(payouts);
    const { id } = await me.paymentFiles.create();
    const { bytes } = await me.paymentFiles.read(id);
    expect(problemsOf(new TextDecoder().decode(bytes), format)).toEqual([]);
    await paying.close();
  });
});

describe("payouts by files", () => {
  it.each([
    [{ formats: [] }, "payouts.files.formats: must be one or more of pain.001.001.03, "],
    [{ formats: ["swift"] }, "payouts.files.formats: must be one or more of pain.001.001.03, "],
    [{}, "payouts.files.formats: must be one or more of pain.001.001.03, "],
    [{ formats: ["nacha"] }, "payouts.files.nacha: needs the company id and the routing number of the bank"],
    [{ formats: ["nacha"], nachos: {} }, "payouts.files.nachos: is not a known option; did you mean nacha?"],
  ])("of %j are refused with the field", async (files, message) => {
    const error = await errorOf(() => open({ database: "memory:", payouts: { files } as never }));
    expect(error).toMatchObject({ message: expect.stringContaining(message) });
  });
});

describe("closing", () => {
  it("ends the calls of its callers", async () => {
    const closed = await open({ database: "memory:", worker: false });
    const me = closed.as({ customerId: crypto.randomUUID() });
    await closed.close();
    await closed.close();
    expect(await errorOf(() => me.partners.list())).toMatchObject({ message: "the engine is closed" });
  });

  it("releases a folder for the next one to open", async () => {
    const folder = mkdtempSync(join(tmpdir(), "quittance-promise-"));
    const options = { database: `pglite://${folder}` };
    const customerId = crypto.randomUUID();
    const first = await open(options);
    await first.as({ customerId }).partners.create({ name: "Nordlys ApS", workspaceId });
    await first[Symbol.asyncDispose]();
    const second = await open(options);
    expect((await second.as({ customerId }).partners.list()).items[0]?.name).toBe("Nordlys ApS");
    await second.close();
    rmSync(folder, { recursive: true });
  });
});

describe("a pool of the host", () => {
  /** Runs a function with an engine over a pool, and with the pool. */
  const withPool = (use: (engine: Quittance, pool: pg.Pool) => Promise<void>): Promise<void> => {
    const run = async (url: string): Promise<void> => {
      const pool = new pg.Pool({ connectionString: url });
      // The pool does not wait until its sockets are closed, and the database is dropped with what is left of them.
      pool.on("connect", (client) => client.on("error", () => {}));
      // A client that is idle tells the pool.
      pool.on("error", () => {});
      await use(await open({ database: { pool }, worker: false }), pool);
    };
    const inDatabase = Effect.flatMap(database({ migrated: false }), (url) =>
      Effect.promise(() => run(Redacted.value(url))),
    );
    return Effect.runPromise(Effect.scoped(inDatabase));
  };

  it("is used, and stays open", () =>
    withPool(async (engine, pool) => {
      const me = engine.as({ customerId: crypto.randomUUID() });
      await me.partners.create({ name: "Nordlys ApS", workspaceId });
      expect((await me.partners.list()).total).toBe(1);
      await engine.close();
      expect((await pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
      await pool.end();
    }));

  it("that has ended makes calls and loops reject with an error of this package", () =>
    withPool(async (engine, pool) => {
      await pool.end();
      const loop = async (): Promise<void> => {
        for await (const one of engine.deadLetters.list()) expect(one).toBe(null);
      };
      await expect(loop()).rejects.toBeInstanceOf(UnavailableError);
      await expect(engine.drain()).rejects.toBeInstanceOf(UnavailableError);
      await engine.close();
    }));
});

describe("the mailer of a host", () => {
  it("is sent a mail about another account, again under the same id after it has failed", async () => {
    const mails: Array<Parameters<NonNullable<Options["mailer"]>["send"]>[0]> = [];
    const own = await open({
      database: "memory:",
      mailer: {
        send: async (mail) => {
          if (mails.push(mail) === 1) throw new Error("the mailbox is full");
        },
      },
    });
    try {
      const me = own.as({ customerId: crypto.randomUUID() });
      const { id } = await me.partners.create({ name: "Ada", workspaceId, email: "ada@example.com" });
      for (const address of ["one@wallet.example", "two@wallet.example"])
        await me.payoutAccounts.propose(id, { type: "email", details: { address, service: "Wallet" } });
      await vi.waitFor(() => expect(mails).toHaveLength(2), { timeout: 60_000, interval: 50 });
      expect(mails[1]).toEqual(mails[0]);
      expect(mails[1]).toMatchObject({
        to: "ada@example.com",
        text: expect.stringContaining("t…@wallet.example"),
      });
    } finally {
      await own.close();
    }
  });
});
