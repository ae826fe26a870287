import { beforeAll, describe, expect, it } from "vitest";
import { type Engine, start } from "./Engine.ts";
import { maker, scene } from "./Scene.ts";

let engine: Engine;
beforeAll(async () => {
  engine = await start();
});

const get = (path: string) => engine.call("GET", `/api/v1${path}`);
const refusal = async (path: string): Promise<string> => {
  const reply = await get(path);
  expect(reply.status, reply.text).toBe(400);
  return reply.body.message;
};
const UUID = "01a1f8a5-14d8-7359-ae42-e82a18235d33";

describe("query parameters", () => {
  it.each([
    ["/partners?page=0", "page: must be 1 to 2147483647"],
    ["/partners?page=2147483648", "page: must be 1 to 2147483647"],
    ["/partners?page=1.0", "page: must be a whole number, 1 to 2147483647"],
    ["/partners?page=", "page: must be a whole number, 1 to 2147483647"],
    ["/partners?page=-1", "page: must be a whole number, 1 to 2147483647"],
    ["/partners?page=0x10", "page: must be a whole number, 1 to 2147483647"],
    ["/partners?per_page=0", "per_page: must be 1 to 100"],
    ["/partners?per_page=101", "per_page: must be 1 to 100"],
    ["/partners?page=1&page=1", "page: must not be repeated"],
    ["/partners?order=up", "order: must be one of asc, desc"],
    ["/partners?ids=x", "ids.0: must be a UUID"],
    ["/partners?ids[]=x", "ids[]: is not a known parameter; did you mean ids?"],
    ["/partners?Page=1", "Page: is not a known parameter; did you mean page?"],
    ["/partners?name=%00", "name: must not contain U+0000"],
    ["/partners?name=%E0%A4%A", "query: is not validly escaped"],
    [
      "/partners?__proto__=1",
      "__proto__: is not a known parameter; known are ids, customer_ids, workspace_ids, name, billing_mode, external_references, tags, statuses, payout_account_proposed, page, per_page, order",
    ],
    ["/settlements?workspaces=x", "workspaces: is not a known parameter; did you mean workspace_ids?"],
    [
      "/commissions?settlement_status=paid",
      "settlement_status: must be one of unsettled, pending_settlement, settled",
    ],
    [
      "/commission-formulas?active_at=2026-01-01",
      "active_at: must be an RFC 3339 date-time with an offset or Z",
    ],
    ["/attributions/stats?to=2026-01-01T00:00:00Z&granularity=day", "from: is required"],
    [
      "/attributions/stats?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z&granularity=day",
      "to: must be after from",
    ],
    [
      "/commissions/stats?from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z&granularity=hour",
      "granularity: must be one of day, week, month",
    ],
    [
      "/commissions/stats?from=2020-01-01T00:00:00Z&to=2026-02-01T00:00:00Z&granularity=day",
      "granularity: from and to span more than 1000 buckets",
    ],
  ])("%s → %s", async (path, message) => {
    expect(await refusal(path)).toBe(message);
  });

  it("accepts 100 values of a filter and no more", async () => {
    const values = (count: number) => Array(count).fill(`ids=${UUID}`).join("&");
    expect((await get(`/partners?${values(100)}`)).status).toBe(200);
    expect(await refusal(`/partners?${values(101)}`)).toBe("ids: must have at most 100 values");
  });

  it("accepts the largest page number, which is empty", async () => {
    expect((await get("/partners?page=2147483647&per_page=100")).body).toEqual({
      partners: [],
      total: 0,
      page: 2147483647,
      per_page: 100,
    });
  });

  it("accepts an unescaped plus in an offset", async () => {
    const path =
      "/attributions/stats?from=2026-01-05T00:00:00+01:00&to=2026-01-06T00:00:00%2B01:00&granularity=day";
    const { status, body } = await get(path);
    expect(status).toBe(200);
    expect(body.buckets.map(({ timestamp }: { timestamp: string }) => timestamp)).toEqual([
      "2026-01-04T00:00:00.000Z",
      "2026-01-05T00:00:00.000Z",
    ]);
  });
});

describe("pages", () => {
  it("go through all records once, oldest first or newest first", async () => {
    const workspaceId = crypto.randomUUID();
    const make = maker(engine.call, workspaceId);
    const made: Array<string> = [];
    for (let index = 0; index < 7; index++) made.push(await make.partner({ name: `P${index}` }));
    const walk = async (order: string) => {
      const seen: Array<string> = [];
      for (let page = 1; page <= 3; page++) {
        const { body } = await get(
          `/partners?workspace_ids=${workspaceId}&per_page=3&page=${page}&order=${order}`,
        );
        expect([body.total, body.page, body.per_page]).toEqual([7, page, 3]);
        seen.push(...body.partners.map(({ id }: { id: string }) => id));
      }
      return seen;
    };
    expect(await walk("asc")).toEqual(made);
    expect(await walk("desc")).toEqual([...made].reverse());
  });

  it("find names in any letter case, with no wildcards", async () => {
    const workspaceId = crypto.randomUUID();
    const make = maker(engine.call, workspaceId);
    await make.partner({ name: "Åse 100% & Co_" });
    await make.partner({ name: "Nordlys" });
    const names = async (name: string) =>
      (
        await get(`/partners?workspace_ids=${workspaceId}&name=${encodeURIComponent(name)}`)
      ).body.partners.map((partner: { name: string }) => partner.name);
    expect(await names("åse 100%")).toEqual(["Åse 100% & Co_"]);
    expect(await names("%")).toEqual(["Åse 100% & Co_"]);
    expect(await names("_")).toEqual(["Åse 100% & Co_"]);
    expect(await names("NORD")).toEqual(["Nordlys"]);
    expect(await names("")).toHaveLength(2);
    expect((await get(`/partners?workspace_ids=${workspaceId}&name=nord+lys`)).body.total).toBe(0);
  });

  it("combine filters", async () => {
    const { partnerId, commissionId, attributionId, formulaId, schemaId, draft } = await scene(engine);
    const other = await scene(engine);
    const settlementId = await draft();
    const total = async (path: string) => (await get(path)).body.total;
    expect(await total(`/commissions?ids=${commissionId}&partner_ids=${partnerId}`)).toBe(1);
    expect(await total(`/commissions?ids=${commissionId}&partner_ids=${other.partnerId}`)).toBe(0);
    expect(
      await total(`/commissions?attribution_ids=${attributionId}&settlement_status=pending_settlement`),
    ).toBe(1);
    expect(await total(`/commissions?attribution_ids=${attributionId}&settlement_status=unsettled`)).toBe(0);
    expect(await total(`/commissions?ids=${commissionId}&ids=${other.commissionId}`)).toBe(2);
    expect(
      await total(`/settlements?commission_ids=${commissionId}&commission_ids=${other.commissionId}`),
    ).toBe(1);
    expect(await total(`/settlements?ids=${settlementId}&partner_ids=${other.partnerId}`)).toBe(0);
    expect(await total(`/commission-formulas?ids=${formulaId}&active_at=2026-01-01T00:00:00Z`)).toBe(1);
    expect(await total(`/commission-formulas?ids=${formulaId}&active_at=2019-01-01T00:00:00Z`)).toBe(0);
    expect(await total(`/attribution-schemas?ids=${schemaId}&name=SALE`)).toBe(1);
    expect(await total(`/attribution-schemas?customer_ids=${UUID}`)).toBe(0);
    expect(await total(`/attributions?partner_ids=${partnerId}&workspace_ids=${engine.workspaceId}`)).toBe(1);
    expect(await total(`/attributions?partner_ids=${partnerId}&workspace_ids=${UUID}`)).toBe(0);
  });
});

describe("statistics", () => {
  const span = () => {
    const day = 86_400_000;
    const today = Math.floor(Date.now() / day) * day;
    return `from=${new Date(today - day).toISOString()}&to=${new Date(today + 2 * day).toISOString()}&granularity=day`;
  };
  const summed = (buckets: ReadonlyArray<Record<string, number>>, name: string) =>
    buckets.reduce((sum, bucket) => sum + (bucket[name] ?? 0), 0);

  it("count attributions by present status, and the buckets add up", async () => {
    const { partnerId, schemaId, attribution, attributionId } = await scene(engine);
    await attribution(partnerId, schemaId, 1);
    await engine.call("DELETE", `/api/v1/attributions/${attributionId}`, { json: { reason: "r" } });
    const { status, body } = await get(`/attributions/stats?${span()}&partner_ids=${partnerId}`);
    expect(status).toBe(200);
    expect(body.summary).toEqual({ total: 2, confirmed: 1, cancelled: 1 });
    expect(body.buckets).toHaveLength(3);
    for (const name of ["total", "confirmed", "cancelled"]) {
      expect(summed(body.buckets, name)).toBe(body.summary[name]);
    }
  });

  it("split the sums of commissions into settled and due", async () => {
    const { partnerId, schemaId, attribution, formula } = await scene(engine);
    await formula(partnerId, schemaId, { currency: "DKK" });
    await attribution(partnerId, schemaId, 55);
    const { body } = await get(`/commissions/stats?${span()}&partner_ids=${partnerId}`);
    expect(body.summary).toEqual({
      count: 4,
      settled: {
        count: 0,
        amounts: [
          { currency: "DKK", amount: 0 },
          { currency: "EUR", amount: 0 },
        ],
      },
      unsettled: {
        count: 4,
        amounts: [
          { currency: "DKK", amount: 1206 },
          { currency: "EUR", amount: 1206 },
        ],
      },
    });
    expect(summed(body.buckets, "count")).toBe(4);
    expect(body.buckets[0]).toMatchObject({ count: 0, settled: { count: 0, amounts: [] } });
  });
});
