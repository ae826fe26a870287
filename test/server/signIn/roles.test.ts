import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Call } from "../../http/Engine.ts";
import { maker } from "../../http/Scene.ts";
import type { Agent } from "./Agent.ts";
import { CUSTOMER, call, type Place, start } from "./Console.ts";

const WORKSPACE = "6f1c2d4e-0000-4000-8000-0000000000a1";

let place: Place;
const agents: Record<string, Agent> = {};
let partnerId = "";
let schemaId = "";
beforeAll(async () => {
  place = await start();
  const people: Record<string, unknown> = {
    vera: ["viewer"],
    otto: ["operator"],
    anna: ["approver"],
    ada: ["admin"],
    bea: ["operator", "approver"],
  };
  for (const [sub, roles] of Object.entries(people)) {
    place.provider.people.set(sub, { roles });
    agents[sub] = await place.signedIn(sub);
  }
  const { partner, schema, formula } = maker(as("otto"), WORKSPACE);
  partnerId = await partner();
  schemaId = await schema();
  await formula(partnerId, schemaId);
});
afterAll(() => place.stop());

const agentOf = (sub: string): Agent => {
  const agent = agents[sub];
  if (agent === undefined) throw new Error(`${sub} has not signed in`);
  return agent;
};

/** Calls of a person, in the form of the tests of the HTTP interface. */
const as =
  (sub: string): Call =>
  async (method, path, { json } = {}) => {
    const { status, body } = await call(place, agentOf(sub), method, path.replace(/^\/api\/v1\//, ""), json);
    const text = JSON.stringify(body);
    return { status, body, headers: new Headers(), text, bytes: new TextEncoder().encode(text) };
  };

/** A draft of one new sale by a person. */
const draftBy = async (sub: string): Promise<string> => {
  const attributionId = await maker(as("otto"), WORKSPACE).attribution(partnerId, schemaId, 1_000);
  const { body } = await as("otto")("GET", `/api/v1/commissions?attribution_ids=${attributionId}`);
  const draft = await as(sub)("POST", "/api/v1/settlements", {
    json: {
      customer_id: CUSTOMER,
      workspace_id: WORKSPACE,
      partner_id: partnerId,
      commission_ids: body.commissions.map(({ id }: { id: string }) => id),
    },
  });
  expect(draft.status).toBe(201);
  return draft.body.id;
};

const approve = (sub: string, id: string) => as(sub)("POST", `/api/v1/settlements/${id}/approve`);

describe("people", () => {
  it("who view or draft cannot approve", async () => {
    const id = await draftBy("otto");
    for (const sub of ["vera", "otto"]) {
      const { status, body } = await approve(sub, id);
      expect([status, body.message]).toEqual([403, "The credential lacks the scope settlements:approve"]);
    }
    expect((await approve("anna", id)).status).toBe(200);
  });

  it("who view or approve cannot draft or pay", async () => {
    const id = await draftBy("otto");
    for (const sub of ["vera", "anna"]) {
      expect((await as(sub)("DELETE", `/api/v1/settlements/${id}`)).status).toBe(403);
      expect((await as(sub)("POST", `/api/v1/settlements/${id}/initiate-payment`)).status).toBe(403);
    }
  });

  it("who have both roles do not approve their own draft, in another session either, nor by a key", async () => {
    const id = await draftBy("bea");
    agents.bea = await place.signedIn("bea");
    const refused = await approve("bea", id);
    expect([refused.status, refused.body.message]).toEqual([409, expect.stringMatching(/^four_eyes: /)]);
    const own = await draftBy("ada");
    const made = await as("ada")("POST", "/api/v1/api-keys", { json: { scopes: ["settlements:approve"] } });
    const headers = { authorization: `Bearer ${made.body.key}` };
    const byKey = await call(place, agentOf("ada"), "POST", `settlements/${own}/approve`, undefined, headers);
    expect([byKey.status, byKey.body.message]).toEqual([409, expect.stringMatching(/^four_eyes: /)]);
    expect((await approve("bea", own)).status).toBe(200);
    expect((await approve("anna", id)).status).toBe(200);
  });

  it("who are no administrators cannot list or create keys", async () => {
    for (const sub of ["vera", "otto", "anna"]) {
      expect((await as(sub)("GET", "/api/v1/api-keys")).status).toBe(403);
      expect((await as(sub)("POST", "/api/v1/api-keys", { json: { name: "mine" } })).status).toBe(403);
    }
  });

  it("are signed out by an administrator who revokes their session", async () => {
    const vera = await place.signedIn("vera");
    const { body } = await call(place, vera, "GET", "principal");
    expect((await as("ada")("DELETE", `/api/v1/api-keys/${body.principal_id}`)).status).toBe(200);
    expect((await call(place, vera, "GET", "principal")).status).toBe(401);
  });
});
