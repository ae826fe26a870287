import { createConfig, lintFromString } from "@redocly/openapi-core";
import spectral from "@stoplight/spectral-core";
import rulesets from "@stoplight/spectral-rulesets";
import { beforeAll, describe, expect, it } from "vitest";
import { document, misfit, type Operation, operations, resolved, type Schema } from "./Document.ts";
import { type Engine, start } from "./Engine.ts";
import { refused } from "./Refused.ts";
import { credentialFor, lastMonth, requests, send, startPaying } from "./Requests.ts";
import { SELF_BILLING } from "./Scene.ts";

const bySpectral = async (described: object): Promise<ReadonlyArray<string>> => {
  const linter = new spectral.Spectral();
  // The published type of the rules is wider than what is asked for here.
  linter.setRuleset({ extends: [rulesets.oas] } as unknown as Parameters<typeof linter.setRuleset>[0]);
  const found = await linter.run(structuredClone(described) as Record<string, unknown>);
  return found.map(({ code, path, message }) => `${code} ${path.join(".")}: ${message}`);
};

const byRedocly = async (described: object): Promise<ReadonlyArray<string>> => {
  const config = await createConfig({ extends: ["recommended"] });
  const source = JSON.stringify(described);
  const found = await lintFromString({ source, absoluteRef: "openapi.json", config });
  return found.map(({ ruleId, location, message }) => `${ruleId} ${location[0]?.pointer}: ${message}`);
};

/** The document with one path only, and the components that it refers to. */
const part = (path: string) => {
  const kept = structuredClone(document);
  kept.paths = { [path]: kept.paths[path] };
  const found = new Set<string>();
  const visit = (from: unknown): void => {
    for (const [, kind = "", name = ""] of JSON.stringify(from).matchAll(/"#\/components\/(\w+)\/(\w+)"/g)) {
      if (found.has(`${kind}/${name}`)) continue;
      found.add(`${kind}/${name}`);
      visit(kept.components[kind][name]);
    }
  };
  visit(kept.paths);
  for (const kind of ["schemas", "responses", "headers"]) {
    const all = Object.entries(kept.components[kind]);
    kept.components[kind] = Object.fromEntries(all.filter(([name]) => found.has(`${kind}/${name}`)));
  }
  return kept;
};

describe("two public linters", () => {
  it("find neither errors nor warnings", async () => {
    expect(await bySpectral(document)).toEqual([]);
    expect(await byRedocly(document)).toEqual([]);
  });

  it("find a planted error", async () => {
    // Linting one operation and what it refers to takes a tenth of the time that the document takes.
    const broken = part("/api/v1/commissions/{id}/explanation");
    expect([await bySpectral(broken), await byRedocly(broken)]).toEqual([[], []]);
    broken.components.schemas.TraceStep.properties.detail = { nullable: true };
    expect((await bySpectral(broken)).join()).toContain('"nullable" cannot be used without "type"');
    expect((await byRedocly(broken)).join()).toContain("nullable-type-sibling");
  });
});

/** The schemas of a discriminated union, by the value that chooses them. */
const variantsOf = (name: string): ReadonlyArray<readonly [string, Schema]> => {
  const { oneOf, discriminator } = document.components.schemas[name];
  const mapped = Object.entries<string>(discriminator.mapping);
  expect(mapped.map(([, $ref]) => $ref)).toEqual(oneOf.map(({ $ref }: { $ref: string }) => $ref));
  return mapped.map(([value, $ref]) => [value, resolved<Schema>({ $ref })]);
};

describe("unions in the OpenAPI document", () => {
  it.each([
    ["PropertyDefinition", 3],
    ["AttributionEvent", 2],
    ["CommissionFormulaEvent", 3],
    ["CommissionEvent", 7],
    ["SettlementEvent", 18],
    ["SettlementStatus", 11],
    ["Expression", 27],
  ])("%s has a discriminator, and a mapping to one schema for each value", (name, atLeast) => {
    const variants = variantsOf(name);
    expect(variants.length).toBeGreaterThanOrEqual(atLeast);
    expect(document.components.schemas[name].discriminator.propertyName).toBe("type");
    for (const [value, schema] of variants) {
      expect(schema.properties?.type, value).toEqual({ type: "string", enum: [value] });
      expect(schema.required, value).toContain("type");
    }
  });

  it("bind a property's default to its type, in requests and responses", () => {
    const { items } =
      document.paths["/api/v1/attribution-schemas"].post.requestBody.content["application/json"].schema
        .properties.properties;
    expect(Object.keys(items.discriminator.mapping)).toEqual(["string", "number", "boolean"]);
    const shown: Schema = { $ref: "#/components/schemas/PropertyDefinition" };
    for (const schema of [items, shown]) {
      const definition = { name: "plan", required: false };
      expect(misfit(schema, { ...definition, type: "string", default: "basic" })).toBeNull();
      expect(misfit(schema, { ...definition, type: "boolean", default: false })).toBeNull();
      expect(misfit(schema, { ...definition, type: "number", default: "basic" })).not.toBeNull();
      expect(misfit(schema, { ...definition, type: "string", default: 1 })).not.toBeNull();
    }
  });
});

/** An object in a body, and whether its schema refuses keys that it does not name; bags of any key are left out. */
interface Place {
  readonly path: ReadonlyArray<string | number>;
  readonly isClosed: boolean;
}

const places = (given: Schema, value: unknown, path: Place["path"] = []): ReadonlyArray<Place> => {
  // A described reference is an allOf of one member.
  const [only = given] = given.allOf ?? [];
  const schema = resolved(only);
  const choices = schema.properties === undefined ? (schema.oneOf ?? schema.anyOf) : undefined;
  const chosen = choices?.find((choice) => misfit(choice, value) === null);
  if (chosen !== undefined) return places(chosen, value, path);
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => places(schema.items ?? {}, item, [...path, index]));
  }
  if (typeof value !== "object" || value === null) return [];
  const here =
    typeof schema.additionalProperties === "object"
      ? []
      : [{ path, isClosed: schema.additionalProperties === false }];
  const below = Object.entries(value).flatMap(([key, child]) =>
    places(schema.properties?.[key] ?? {}, child, [...path, key]),
  );
  return [...here, ...below];
};

const withKey = (value: unknown, [step, ...rest]: Place["path"]): unknown => {
  if (step === undefined) return { ...(value as object), surprise: 1 };
  const child = withKey((value as Record<string | number, unknown>)[step], rest);
  return Array.isArray(value) ? value.with(Number(step), child) : { ...(value as object), [step]: child };
};

const SELF_BILLED = { billing_mode: "self_billing", self_billing_data: SELF_BILLING };

/** A body of an operation; the document's example, unless that says too little or names a schema that must exist. */
const bodyFor = async ({ id, request }: Operation, engine: Engine): Promise<unknown> =>
  id === "updatePartner"
    ? SELF_BILLED
    : id === "simulateCommissionFormula"
      ? (await requests.simulateCommissionFormula?.(engine))?.json
      : request?.example;

const jsonOperations = operations.filter(({ body, path }) => body === "json" && path.startsWith("/api/v1/"));

describe("on a running server", () => {
  let engine: Engine;
  let payingEngine: Engine;
  beforeAll(async () => {
    [engine, payingEngine] = await Promise.all([start(), startPaying()]);
  });

  const sendJson = ({ id, method, path }: Operation, json: unknown) =>
    engine.call(
      method,
      path.replace("{month}", lastMonth()).replace(/\{\w+\}/g, () => crypto.randomUUID()),
      { json, ...credentialFor({ id }) },
    );

  it.each(jsonOperations.map((operation) => [operation.name, operation] as const))(
    "%s refuses an unknown key exactly where the document states it",
    async (_name, operation) => {
      const body = await bodyFor(operation, engine);
      const found = places(operation.request?.schema ?? {}, body);
      expect(found.length).toBeGreaterThan(0);
      for (const { path, isClosed } of found) {
        const reply = await sendJson(operation, withKey(body, path));
        const isRefused = reply.status === 400 && reply.text.includes("surprise");
        expect(isRefused, `at ${path.join(".")}: ${reply.text}`).toBe(isClosed);
      }
    },
  );

  it.each(operations.map((operation) => [operation.name, operation] as const))(
    "%s returns 400 and 403 as in its examples",
    async (_name, operation) => {
      const ask = refused[operation.id] ?? {};
      const exampleOf = (status: number) =>
        operation.responses[status]?.content?.["application/json"]?.example;
      const bad = await send(payingEngine.call, operation, ask, credentialFor(operation));
      expect([bad.status, bad.body]).toEqual([400, exampleOf(400)]);
      if (["reportPayment", "readPrincipal"].includes(operation.id)) return;
      if (operation.id === "acceptInvitation") {
        // It needs no scope, and refuses every credential but an invitation.
        const other = await send(payingEngine.call, operation, {}, {});
        expect([other.status, other.body]).toEqual([403, exampleOf(403)]);
        return;
      }
      const scopes = [
        /partners|partner-links|workspaces/.test(operation.path) ? "commissions:read" : "partners:read",
      ];
      const token = await payingEngine.keyOf({ customer_id: payingEngine.customerId, scopes });
      const forbidden = await send(payingEngine.call, operation, ask, { token });
      expect([forbidden.status, forbidden.body]).toEqual([403, exampleOf(403)]);
    },
  );

  it.each([
    ["createPartner", 5],
    ["updatePartner", 4],
    ["createAttributionSchema", 2],
    ["createCommissionFormula", 4],
    ["writeBillingProfile", 3],
  ])("the body of %s has %i closed objects", async (id, closed) => {
    const operation = jsonOperations.find((candidate) => candidate.id === id);
    if (operation === undefined) throw new Error(`no ${id}`);
    const found = places(operation.request?.schema ?? {}, await bodyFor(operation, engine));
    expect(found.filter(({ isClosed }) => isClosed).length).toBe(closed);
  });

  const tax = (tax_config: object) => ({ self_billing_data: { ...SELF_BILLING, tax_config } });
  const standard = { treatment: "standard", label: "VAT" };
  const exempt = { treatment: "exempt", label: "none" };
  it.each([
    ["create", SELF_BILLED, true],
    ["create", { billing_mode: "self_billing" }, false],
    ["create", { billing_mode: "partner_billing" }, true],
    ["create", { ...SELF_BILLED, billing_mode: "partner_billing" }, false],
    ["create", { self_billing_data: SELF_BILLING }, false],
    ["create", {}, true],
    ["create", { ...SELF_BILLED, ...tax({ ...standard, rate_bps: 2500 }) }, true],
    ["create", { ...SELF_BILLED, ...tax(standard) }, false],
    ["create", { ...SELF_BILLED, ...tax({ ...standard, rate_bps: null }) }, false],
    ["create", { ...SELF_BILLED, ...tax({ ...exempt, rate_bps: null }) }, true],
    ["create", { ...SELF_BILLED, ...tax(exempt) }, true],
    ["create", { ...SELF_BILLED, ...tax({ ...exempt, rate_bps: 0 }) }, false],
    ["update", { billing_mode: "self_billing" }, false],
    ["update", { billing_mode: "self_billing", self_billing_data: null }, false],
    ["update", { ...SELF_BILLED, billing_mode: "partner_billing" }, false],
    ["update", { billing_mode: "partner_billing", self_billing_data: null }, true],
    ["update", { billing_mode: null, ...tax(exempt) }, true],
    ["update", { billing_mode: null, ...tax(standard) }, false],
    ["update", SELF_BILLED, true],
  ] as const)("%s partner, fields %#: the server and the document agree", async (what, fields, isTaken) => {
    const { workspaceId, call } = engine;
    const stored = { name: "N", workspace_id: workspaceId, ...SELF_BILLED };
    const id = (await call("POST", "/api/v1/partners", { json: stored })).body.id;
    const path = what === "create" ? "/api/v1/partners" : "/api/v1/partners/{id}";
    const operation = operations.find(
      (candidate) => candidate.path === path && candidate.method === (what === "create" ? "POST" : "PATCH"),
    );
    const json = what === "create" ? { name: "N", workspace_id: workspaceId, ...fields } : fields;
    const reply = await call(operation?.method ?? "", path.replace("{id}", id), { json });
    expect(reply.status < 300, reply.text).toBe(isTaken);
    expect(misfit(operation?.request?.schema ?? {}, json) === null).toBe(isTaken);
  });
});
