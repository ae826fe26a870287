import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as FetchHttpClient from "@effect/platform/FetchHttpClient";
import * as HttpApiClient from "@effect/platform/HttpApiClient";
import * as HttpClient from "@effect/platform/HttpClient";
import * as HttpClientRequest from "@effect/platform/HttpClientRequest";
import { validate } from "@readme/openapi-parser";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Effect, Layer } from "effect";
import { Ids } from "quittance";
import { api, openApi } from "quittance/http/api";
import { beforeAll, describe, expect, it } from "vitest";
import { operations as described, misfit } from "./Document.ts";
import { type Engine, start } from "./Engine.ts";

type Operation = {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: ReadonlyArray<string>;
  readonly parameters: ReadonlyArray<{ readonly name: string; readonly in: string }>;
  readonly responses: Readonly<Record<string, { readonly content?: object }>>;
};
const document = JSON.parse(JSON.stringify(openApi()));
const operations = Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    ...operation,
  })),
);

const WEBHOOK = "POST /webhooks/payments/{provider}";

const PUBLISHED = [
  "GET /api/v1/attributions",
  "POST /api/v1/attributions",
  "GET /api/v1/attributions/stats",
  "DELETE /api/v1/attributions/{id}",
  "GET /api/v1/attribution-schemas",
  "POST /api/v1/attribution-schemas",
  "GET /api/v1/partners",
  "POST /api/v1/partners",
  "PATCH /api/v1/partners/{id}",
  "GET /api/v1/commission-formulas",
  "POST /api/v1/commission-formulas",
  "PATCH /api/v1/commission-formulas/{id}",
  "GET /api/v1/commissions",
  "GET /api/v1/commissions/stats",
  "GET /api/v1/settlements",
  "POST /api/v1/settlements",
  "POST /api/v1/settlements/{id}/approve",
  "GET /api/v1/settlements/{id}/report",
  "GET /api/v1/settlements/{id}/export",
  "GET /api/v1/settlements/{id}/credit-note",
  "GET /api/v1/settlements/{id}/invoice",
  "POST /api/v1/settlements/{id}/invoice",
  "POST /api/v1/settlements/{id}/review",
  "DELETE /api/v1/settlements/{id}",
  "POST /api/v1/settlements/{id}/write-off",
  "POST /api/v1/settlements/{id}/mark-as-paid",
];

/** Every object of a JSON value, the value included. */
const objects = (value: unknown): ReadonlyArray<Record<string, unknown>> =>
  typeof value !== "object" || value === null
    ? []
    : [value as Record<string, unknown>, ...Object.values(value).flatMap((child) => objects(child))];

describe("the OpenAPI document", () => {
  it("is 3.0.3 of version 1.0.0 and holds every operation of the published interface", () => {
    expect([document.openapi, document.info.version]).toEqual(["3.0.3", "1.0.0"]);
    const published = operations.filter(({ tags }) => !tags.includes("extension")).map(({ name }) => name);
    expect([...published].sort()).toEqual([...PUBLISHED].sort());
  });

  it("uses only keywords of 3.0.3", () => {
    for (const value of objects(document)) {
      expect(value.type).not.toBe("null");
      expect(Array.isArray(value.type)).toBe(false);
      for (const keyword of ["const", "$id", "$schema", "$defs", "contentEncoding", "prefixItems"]) {
        expect(Object.hasOwn(value, keyword), keyword).toBe(false);
      }
      if (Object.hasOwn(value, "$ref")) expect(Object.keys(value)).toEqual(["$ref"]);
      if (Array.isArray(value.required)) expect(value.required.length).toBeGreaterThan(0);
    }
  });

  it("has no dangling reference", () => {
    const refs = objects(document).flatMap(({ $ref }) => (typeof $ref === "string" ? [$ref] : []));
    expect(refs.length).toBeGreaterThan(50);
    for (const ref of refs) {
      const [, ...steps] = ref.split("/");
      expect(
        steps.reduce((value, step) => value?.[step], document),
        ref,
      ).toBeDefined();
    }
    expect(JSON.stringify(document)).not.toContain("HttpApiDecodeError");
  });

  it("names each operation once, and describes it and its responses", () => {
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    for (const { name, summary, responses, parameters } of operations) {
      expect(summary, name).toMatch(/\S/);
      if (name === WEBHOOK) continue;
      expect(Object.keys(responses), name).toEqual(expect.arrayContaining(["400", "401", "500", "503"]));
      // Reading one's own principal needs no scope.
      expect("403" in responses, name).toBe(name !== "GET /api/v1/principal");
      if (name.includes("{id}")) expect(Object.keys(responses), name).toContain("404");
      const isCommand = !name.startsWith("GET");
      expect(
        parameters.some((parameter) => parameter.name === "Idempotency-Key"),
        name,
      ).toBe(isCommand);
    }
    expect(document.security).toEqual([{ bearer: [] }]);
  });

  it("is valid under two independent validators", async () => {
    const judged = await new Validator().validate(structuredClone(document));
    expect(judged.errors ?? []).toEqual([]);
    expect(judged.valid).toBe(true);
    expect(await validate(structuredClone(document))).toMatchObject({ valid: true, warnings: [] });
    const broken = structuredClone(document);
    delete broken.paths["/api/v1/partners"].get.responses;
    expect((await new Validator().validate(structuredClone(broken))).valid).toBe(false);
    expect((await validate(broken)).valid).toBe(false);
  });

  it("has a description and valid examples of request and response for every operation", () => {
    for (const { name, summary, description, request, body, responses } of described) {
      expect([summary, description], name).toEqual([
        expect.stringMatching(/\S/),
        expect.stringMatching(/\S/),
      ]);
      if (body === "json") expect(misfit(request?.schema ?? {}, request?.example), name).toBeNull();
      for (const [status, { description: told, content = {} }] of Object.entries(responses)) {
        expect(told, `${name} ${status}`).toMatch(/\S/);
        const media = content["application/json"];
        if (media === undefined) continue;
        expect(media.example, `${name} ${status}`).toBeDefined();
        expect(misfit(media.schema, media.example), `${name} ${status}`).toBeNull();
      }
    }
  });

  it("bounds requests by formats, lengths and ranges", () => {
    const body = (path: string, method = "post") =>
      document.paths[path][method].requestBody.content["application/json"].schema.properties;
    expect(body("/api/v1/partners").name).toEqual({
      type: "string",
      minLength: 1,
      maxLength: 255,
      description: expect.any(String),
    });
    expect(body("/api/v1/attributions").partner_id).toMatchObject({ type: "string", format: "uuid" });
    expect(body("/api/v1/commission-formulas")).toMatchObject({
      currency: { pattern: "^[A-Z]{3}$" },
      start_datetime: { format: "date-time" },
      expression: { allOf: [{ $ref: "#/components/schemas/Expression" }] },
    });
    expect(body("/api/v1/settlements").commission_ids).toMatchObject({ minItems: 1, maxItems: 10_000 });
    const recursive = JSON.stringify(document.components.schemas.AddNode);
    expect(recursive).toContain("#/components/schemas/Expression");
  });

  it("describes numbers, arrays and files as they are on the wire", () => {
    const { parameters } = document.paths["/api/v1/partners"].get;
    const schemaOf = (name: string) =>
      parameters.find((parameter: { name: string }) => parameter.name === name).schema;
    expect(schemaOf("page")).toEqual({ type: "integer", minimum: 1, maximum: 2147483647, default: 1 });
    expect(schemaOf("per_page")).toEqual({ type: "integer", minimum: 1, maximum: 100, default: 10 });
    expect(schemaOf("ids")).toEqual({
      type: "array",
      maxItems: 100,
      items: { type: "string", format: "uuid" },
    });
    const upload = document.paths["/api/v1/settlements/{id}/invoice"].post.requestBody.content;
    expect(upload["multipart/form-data"].schema).toMatchObject({
      required: ["file"],
      properties: { file: { type: "string", format: "binary" } },
    });
  });
});

describe("the contract", () => {
  it("imports only modules that run in a browser", () => {
    const sources: Readonly<Record<string, string>> = {
      quittance: "../../src/index.ts",
      "quittance/formula": "../../src/formula/index.ts",
    };
    const seen = new Set<string>();
    const visit = (url: URL): void => {
      const path = fileURLToPath(url);
      if (seen.has(path)) return;
      seen.add(path);
      for (const [, specifier = ""] of readFileSync(path, "utf8").matchAll(/(?:from|import)\s+"([^"]+)"/g)) {
        const own = sources[specifier];
        if (specifier.startsWith(".")) visit(new URL(specifier, url));
        else if (own !== undefined) visit(new URL(own, import.meta.url));
        else expect(specifier, path).toMatch(/^(effect|@effect\/platform\/(HttpApi\w*|OpenApi))$/);
      }
    };
    visit(new URL("../../adapters/http/api/index.ts", import.meta.url));
    expect(seen.size).toBeGreaterThan(30);
  });
});

describe("a typed client made from the contract", () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await start();
  });

  it("calls the server: input as the engine's own types, output as on the wire", async () => {
    const fetch = Layer.succeed(FetchHttpClient.Fetch, (input, init) =>
      engine.handler(new Request(input, init)),
    );
    const program = Effect.gen(function* () {
      const client = yield* HttpApiClient.make(api, {
        baseUrl: "http://engine.test",
        transformClient: HttpClient.mapRequest(HttpClientRequest.bearerToken(engine.token)),
      });
      const workspaceId = Ids.WorkspaceId.make(engine.workspaceId);
      const created = yield* client.partners.create({ payload: { name: "Ærø", workspaceId } });
      const id = "id" in created ? created.id : "";
      yield* client.partners.update({ path: { id: Ids.PartnerId.make(id) }, payload: { name: "Samsø" } });
      const page = yield* client.partners.list({ urlParams: { ids: [Ids.PartnerId.make(id)], perPage: 5 } });
      const refused = yield* Effect.flip(
        client.partners.update({ path: { id: Ids.PartnerId.make(crypto.randomUUID()) }, payload: {} }),
      );
      return { id, page, refused };
    });
    const { id, page, refused } = await Effect.runPromise(
      program.pipe(Effect.provide(FetchHttpClient.layer.pipe(Layer.provide(fetch)))),
    );
    expect(page).toMatchObject({ total: 1, per_page: 5, partners: [{ id, name: "Samsø" }] });
    expect(refused).toEqual({ error_code: "NOT_FOUND", message: expect.any(String) });
  });
});
