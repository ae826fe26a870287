import { describe, expect, it } from "vitest";
import { document, fault, operations } from "../http/Document.ts";
import { start } from "../http/Engine.ts";
import { fuzz } from "./Fuzz.ts";

const SEED = 20_260_133;

describe("random requests from the served OpenAPI document", () => {
  it("the tested document is the served one", async () => {
    const { handler } = await start();
    const served = await handler(new Request("http://engine.test/openapi.json"));
    expect(await served.json()).toEqual(document);
  });

  it("8,000 requests cause no failure and only documented responses with valid bodies", async () => {
    const { statuses, faults, entries } = await fuzz(SEED, 8_000);
    expect(faults).toEqual([]);
    expect(entries).toBeGreaterThan(50);
    const of = (id: string): ReadonlyArray<number> => [...(statuses.get(id)?.keys() ?? [])];
    const succeeded = operations.filter(({ id }) => of(id).some((status) => status < 300));
    // Some need a settlement brought through every step by chance, or the hash of terms; conformance reaches those for certain.
    expect(succeeded.length).toBeGreaterThan(0.75 * operations.length);
    const told = new Set([...statuses.values()].flatMap((counts) => [...counts.keys()]));
    for (const status of [200, 201, 400, 401, 403, 404, 409, 415]) expect(told).toContain(status);
  });

  it("a response that is not documented is found", () => {
    const [operation] = operations;
    if (operation === undefined) throw new Error("the document is empty");
    const headers = new Headers({ "x-request-id": "x", "content-type": "application/json" });
    const answer = { status: 200, headers, text: '{"attributions":[],"total":"0","page":1,"per_page":10}' };
    expect(fault(operation, answer)).toMatch(/total/);
    expect(fault(operation, { ...answer, status: 418 })).toMatch(/undocumented 418/);
    expect(fault(operation, { ...answer, text: answer.text.replace('"0"', "0") })).toBeNull();
  });
});
