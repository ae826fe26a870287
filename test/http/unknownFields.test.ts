import { UnknownField } from "quittance";
import { beforeAll, describe, expect, it } from "vitest";
import { type Operation, operations } from "./Document.ts";
import type { Engine } from "./Engine.ts";
import { requests, send, startPaying } from "./Requests.ts";

let engine: Engine;
beforeAll(async () => {
  engine = await startPaying();
});

const withBody = operations.filter(({ id, body }) => body === "json" && id !== "reportPayment");
const published = withBody.filter(({ tags }) => !tags.includes("extension"));
const own = withBody.filter(({ tags }) => tags.includes("extension"));

/** The succeeding request of an operation with one field more in its body. */
const sendWith = async (operation: Operation, field: string, headers = {}) => {
  const ask = await requests[operation.id]?.(engine);
  if (ask === undefined) throw new Error(`no request of ${operation.id} is known`);
  return send(engine.call, operation, {
    ...ask,
    json: { ...(ask.json as object), [field]: true },
    headers: { ...ask.headers, ...headers },
  });
};

const post = (path: string, json: unknown) => engine.call("POST", `/api/v1${path}`, { json });

describe("an unknown field", () => {
  it("is known of operations of both kinds", () => {
    expect([published.length, own.length].map((count) => count >= 8)).toEqual([true, true]);
  });

  it.each(own.map((operation) => [operation.id, operation] as const))(
    "is refused in a body beyond the published interface: %s",
    async (_, operation) => {
      const { status, body } = await sendWith(operation, "surprise");
      expect([status, body.message]).toEqual([400, expect.stringMatching(/^surprise: is not a known field/)]);
    },
  );

  it.each(published.map((operation) => [operation.id, operation] as const))(
    "is ignored in a published body, and refused where the request asks for it: %s",
    async (_, operation) => {
      expect((await sendWith(operation, "surprise")).status).toBeLessThan(300);
      const strict = await sendWith(operation, "surprise", { prefer: "respond-async, handling=strict" });
      expect([strict.status, strict.body.message]).toEqual([400, expect.stringMatching(/^surprise: is not/)]);
    },
  );

  it("is named with the nearest known one, and starts no run", async () => {
    const run = { workspace_id: engine.workspaceId, partner_id: crypto.randomUUID() };
    expect((await post("/settlement-runs", run)).body.message).toBe(
      "partner_id: is not a known field; did you mean partner_ids?",
    );
    const dry = { workspace_id: engine.workspaceId, dryrun: true };
    expect((await post("/settlement-runs", dry)).body.message).toBe(
      "dryrun: is not a known field; did you mean dry_run?",
    );
    expect((await engine.call("GET", "/api/v1/settlement-runs")).body.total).toBe(0);
  });

  it("is found inside lists and in the chosen member of a union", async () => {
    const item = { partner_id: crypto.randomUUID(), extra: 1 };
    expect((await post("/attributions/batch", { attributions: [item] })).body.message).toMatch(
      /^attributions\.0\.extra: is not a known field; known are .*partner_id/,
    );
    const { body } = await engine.call("PUT", `/api/v1/settlement-policies/${engine.workspaceId}`, {
      json: { cadence: { type: "monthly", day: 1, timeZone: "UTC" } },
    });
    expect(body.message).toBe("cadence.timeZone: is not a known field; did you mean time_zone?");
  });
});

describe("the nearest name", () => {
  it.each([
    ["partnerId", ["workspace_id", "partner_ids", "currencies"], "partner_ids"],
    ["Dry-Run", ["until", "dry_run"], "dry_run"],
    ["nmae", ["name", "customer_ids"], "name"],
    ["x", ["name", "customer_ids"], null],
    ["anything", [], null],
  ])("of %s among %j is %s", (name, known, near) => {
    expect(UnknownField.nearest(name, known)).toBe(near);
  });
});
