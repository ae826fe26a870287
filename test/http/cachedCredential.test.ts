/** Commands with a cached credential: no response contains anything that the present credential may not read. */
import { Context, Effect, Layer } from "effect";
import { Directory, Storage } from "quittance";
import { layer as memory } from "quittance/memory";
import { beforeEach, describe, expect, it } from "vitest";
import { make as drivenClock } from "../../src/testing/session/DrivenClock.ts";
import { caller, type Engine, start } from "./Engine.ts";
import { maker } from "./Scene.ts";

const START = Date.parse("2026-11-20T12:00:10Z");
const MINUTE = 60_000;

const clock = drivenClock(START);
const seen = { lookUps: 0, commits: 0 };

/** The memory store, with counts of key look-ups and commits. */
const counting = Layer.map(memory, (context) => {
  const directory = Context.get(context, Directory.Directory);
  const apiKey: Directory.DirectoryService["apiKey"] = (keyId) =>
    Effect.suspend(() => {
      seen.lookUps++;
      return directory.apiKey(keyId);
    });
  const storage = Context.get(context, Storage.Storage);
  const commit: Storage.StorageService["commit"] = (customerId, changeSet) =>
    Effect.suspend(() => {
      seen.commits++;
      return storage.commit(customerId, changeSet);
    });
  return Context.add(context, Directory.Directory, { ...directory, apiKey }).pipe(
    Context.add(Storage.Storage, { ...storage, commit }),
  );
});

const lookUpsOf = async (run: () => Promise<unknown>): Promise<number> => {
  const before = seen.lookUps;
  await run();
  return seen.lookUps - before;
};

let engine: Engine;
let sale: Readonly<Record<string, unknown>>;
beforeEach(async () => {
  clock.now = START;
  engine = await start({}, [], { store: Layer.merge(counting, Layer.setClock(clock)) });
  const make = maker(engine.call, engine.workspaceId);
  const [partner_id, schema_id] = [await make.partner(), await make.schema()];
  await make.formula(partner_id, schema_id);
  sale = { workspace_id: engine.workspaceId, partner_id, schema_id, properties: { order_value: 100 } };
});

const PATH = "/api/v1/attributions";
const create = (fields: object = {}, headers: Readonly<Record<string, string>> = {}) =>
  engine.call("POST", PATH, { json: { ...sale, ...fields }, headers });

const SETTLEMENTS = "/api/v1/settlements";

/** Some commissions, each of which `draft` puts into a settlement of its own. */
const earned = async (count: number) => {
  for (let made = 0; made < count; made++) expect((await create()).status).toBe(201);
  const { commissions } = (await engine.call("GET", "/api/v1/commissions")).body;
  const left: Array<string> = commissions.map(({ id }: { id: string }) => id);
  const { workspace_id, partner_id } = sale;
  const draft = () => {
    const json = {
      ...{ customer_id: engine.customerId, workspace_id, partner_id },
      commission_ids: [left.pop()],
    };
    return engine.call("POST", SETTLEMENTS, { json });
  };
  return { draft };
};

/** Revokes the key of the test; returns the records afterwards. */
const revoke = async (): Promise<() => Promise<number>> => {
  const other = caller(engine.handler, await engine.keyOf({ customer_id: engine.customerId }));
  const { api_keys } = (await engine.call("GET", "/api/v1/api-keys")).body;
  const id = api_keys.find(({ scopes }: { scopes: ReadonlyArray<string> }) =>
    scopes.includes("keys:admin"),
  )?.id;
  expect((await engine.admin("DELETE", `/api/v1/api-keys/${id}`)).status).toBe(200);
  return async () => (await other("GET", PATH)).body.total;
};

describe("a credential that was verified within the minute", () => {
  it("creates attributions without another look-up, which every other operation makes", async () => {
    await create();
    expect(await lookUpsOf(create)).toBe(0);
    expect(
      await lookUpsOf(() => engine.call("POST", `${PATH}/batch`, { json: { attributions: [sale] } })),
    ).toBe(0);
    expect(await lookUpsOf(() => engine.call("GET", PATH))).toBe(1);
    expect(await lookUpsOf(() => create({}, { "idempotency-key": "k" }))).toBe(1);
  });

  it("creates and approves settlements without another look-up, but does not list them", async () => {
    const { draft } = await earned(1);
    let id = "";
    expect(
      await lookUpsOf(async () => {
        id = (await draft()).body.id;
      }),
    ).toBe(0);
    expect(await lookUpsOf(() => engine.call("POST", `${SETTLEMENTS}/${id}/approve`))).toBe(0);
    // A second approval is a conflict, which is only returned after a look-up of the credential.
    const again = () => engine.call("POST", `${SETTLEMENTS}/${id}/approve`);
    expect(await lookUpsOf(async () => expect((await again()).status).toBe(409))).toBe(1);
    expect(await lookUpsOf(() => engine.call("GET", SETTLEMENTS))).toBe(1);
  });

  it("is looked up in the next minute, so that its use is recorded", async () => {
    await create();
    clock.now += MINUTE;
    expect(await lookUpsOf(create)).toBe(1);
    const { api_keys } = (await engine.call("GET", "/api/v1/api-keys")).body;
    expect(api_keys.map((key: { last_used_at: string | null }) => key.last_used_at)).toContain(
      "2026-11-20T12:01:00.000Z",
    );
  });

  it("is looked up when the secret differs, and refused", async () => {
    await create();
    const token = `${engine.token.slice(0, -1)}${engine.token.endsWith("A") ? "B" : "A"}`;
    const asked = () => engine.call("POST", PATH, { json: sale, token });
    expect(await lookUpsOf(asked)).toBe(1);
    expect((await asked()).status).toBe(401);
  });

  it("gets the error of its request after it is verified", async () => {
    await create();
    const wrong = () => create({ properties: {} });
    expect((await wrong()).body).toMatchObject({
      error_code: "BAD_REQUEST",
      message: expect.stringContaining("order_value"),
    });
    expect(await lookUpsOf(wrong)).toBe(1);
  });
});

describe("a credential that has become invalid", () => {
  const ways: ReadonlyArray<
    readonly [string, () => Promise<{ readonly status: number; readonly text: string }>]
  > = [
    ["a good creation", () => create()],
    ["one that was made before", () => create({ external_reference: "made" })],
    [
      "one that conflicts with it",
      () => create({ external_reference: "made", properties: { order_value: 1 } }),
    ],
    ["one that was answered before under its key", () => create({}, { "idempotency-key": "answered" })],
    ["a batch", () => engine.call("POST", `${PATH}/batch`, { json: { attributions: [sale] } })],
    [
      "a batch in which all are refused",
      () => {
        const attributions = [{ ...sale, partner_id: crypto.randomUUID() }];
        return engine.call("POST", `${PATH}/batch`, { json: { mode: "independent", attributions } });
      },
    ],
    [
      "a batch in which all were made before",
      () =>
        engine.call("POST", `${PATH}/batch`, {
          json: { attributions: [{ ...sale, external_reference: "made" }] },
        }),
    ],
    ["an invalid one", () => create({ properties: { order_value: "much" } })],
    ["one for an unknown partner", () => create({ partner_id: crypto.randomUUID() })],
    [
      "one that is no JSON",
      () => engine.call("POST", PATH, { body: "{", headers: { "content-type": "application/json" } }),
    ],
  ];

  it("by revocation is refused for every operation, and stores nothing", async () => {
    expect((await create({ external_reference: "made" })).status).toBe(201);
    expect((await create({}, { "idempotency-key": "answered" })).status).toBe(201);
    const total = await revoke();
    const before = await total();
    const unknown = await engine.call("POST", PATH, { json: sale, token: "unknown" });
    for (const [way, ask] of ways) {
      const { status, text } = await ask();
      expect([way, status, text]).toEqual([way, 401, unknown.text]);
    }
    expect(await total()).toBe(before);
  });

  it("by revocation neither creates nor approves settlements", async () => {
    const { draft } = await earned(2);
    const made = await draft();
    expect(made.status).toBe(201);
    const other = caller(engine.handler, await engine.keyOf({ customer_id: engine.customerId }));
    await revoke();
    const before = seen.commits;
    expect((await draft()).status).toBe(401);
    expect((await engine.call("POST", `${SETTLEMENTS}/${made.body.id}/approve`)).status).toBe(401);
    expect(seen.commits).toBe(before + 2);
    const { settlements } = (await other("GET", SETTLEMENTS)).body;
    expect(
      settlements.map((settlement: { view: { status: { type: string } } }) => settlement.view.status.type),
    ).toEqual(["draft"]);
  });

  it("is detected by one commit, which is not retried", async () => {
    await create();
    await revoke();
    const before = seen.commits;
    expect((await create()).status).toBe(401);
    expect(seen.commits).toBe(before + 1);
  });

  it("by expiry is refused in the same minute", async () => {
    const token = await engine.keyOf({
      customer_id: engine.customerId,
      expires_at: new Date(START + 1000).toISOString(),
    });
    const ask = () => engine.call("POST", PATH, { json: sale, token });
    expect((await ask()).status).toBe(201);
    clock.now = START + 999;
    expect((await ask()).status).toBe(201);
    clock.now = START + 1000;
    expect((await ask()).status).toBe(401);
  });
});
