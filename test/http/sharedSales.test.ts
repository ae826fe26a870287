/** What partners learn of each other from sales that several earn from, and from sales that moved between them. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Engine, start } from "./Engine.ts";
import { maker } from "./Scene.ts";

type Partner = { readonly id: string; readonly key: string };

const NAMES = ["Anna Andersson", "Ben Berglund", "Mira Moreau", "Dan Duarte"] as const;

let engine: Engine;
let schemaId: string;
let [anna, ben, mira, dan] = [] as unknown as readonly [Partner, Partner, Partner, Partner];

const post = async (path: string, json: object) => {
  const reply = await engine.call("POST", `/api/v1/${path}`, { json });
  if (reply.status >= 300) throw new Error(`${path}: ${reply.status} ${reply.text}`);
  return reply.body;
};

const get = (path: string, token?: string, headers: Record<string, string> = {}) =>
  engine.call("GET", `/api/v1/${path}`, { headers, ...(token === undefined ? {} : { token }) });

beforeAll(async () => {
  engine = await start();
  const make = maker(engine.call, engine.workspaceId);
  schemaId = await make.schema();
  const partners: Array<Partner> = [];
  for (const name of NAMES) {
    const id = await make.partner({ name });
    const { key } = await post("api-keys", {
      ...{ kind: "partner", partner_ids: [id] },
      scopes: ["partners:read", "commissions:read", "attributions:read", "formulas:read", "settlements:read"],
    });
    partners.push({ id, key });
  }
  [anna, ben, mira, dan] = partners as unknown as [Partner, Partner, Partner, Partner];
  for (const { id } of [anna, ben]) await make.formula(id, schemaId);
  for (const { id } of [mira, dan]) await make.formula(id, schemaId, { roles: ["manager"] });
  for (const [partner, upline] of [
    [anna, mira],
    [mira, dan],
    [ben, dan],
  ] as const)
    await post("partner-links", {
      ...{ partner_id: partner.id, upline_partner_id: upline.id, role: "manager" },
      start_datetime: "2020-01-01T00:00:00Z",
    });
});

const sale = (fields: object = {}) => ({
  ...{ workspace_id: engine.workspaceId, schema_id: schemaId, partner_id: anna.id },
  properties: { order_value: 10_000 },
  ...fields,
});

describe("a sale of several partners", () => {
  const partOf = async (origin: string, partner: Partner, role: string, token?: string, language = "en") => {
    const { attributions } = (
      await get(`attributions?origin_ids=${origin}&partner_ids=${partner.id}&roles=${role}`)
    ).body;
    const found = [];
    for (const { id } of attributions) {
      const { commissions } = (await get(`commissions?attribution_ids=${id}`)).body;
      const headers = { accept: "text/plain", "accept-language": language };
      const { text } = await get(`commissions/${commissions[0].id}/explanation`, token, headers);
      found.push(text.replaceAll("\u00a0", " ").split("\n")[1]);
    }
    return found.toSorted();
  };

  it("explains to the team for whom each partner earns, and to a partner without the names of others", async () => {
    const { id } = await post(
      "attributions",
      sale({
        credits: [
          { partner_id: anna.id, share: "0.6" },
          { partner_id: ben.id, share: "0.4" },
        ],
      }),
    );
    expect(await partOf(id, anna, "seller", anna.key)).toEqual(["As seller, 60 % of the sale."]);
    expect(await partOf(id, mira, "manager")).toEqual([
      "As manager of Anna Andersson (60 % of the sale), level 1.",
    ]);
    expect(await partOf(id, dan, "manager")).toEqual([
      "As manager of Anna Andersson (60 % of the sale), level 2.",
      "As manager of Ben Berglund (40 % of the sale), level 1.",
    ]);
    expect(await partOf(id, mira, "manager", mira.key)).toEqual([
      "As manager of a seller below you (60 % of the sale), level 1.",
    ]);
    expect(await partOf(id, dan, "manager", dan.key, "de")).toEqual([
      "Als manager von einem Verkäufer unter Ihnen (40 % des Verkaufs), Stufe 1.",
      "Als manager von einem Verkäufer unter Ihnen (60 % des Verkaufs), Stufe 2.",
    ]);
    // A statement is the same for everybody who reads it, so it names no seller.
    for (const key of [undefined, mira.key]) {
      const { movements } = (await get(`partners/${mira.id}/statement?from=2020-01-01T00:00:00Z`, key)).body;
      expect(movements.map(({ text }: { text: string }) => text.replaceAll("\u00a0", " "))).toEqual([
        expect.stringMatching(/^Sale of .+, as manager of a seller below you \(60 % of the sale\), level 1$/),
      ]);
    }
    // The journal is read by the company, nobody of which is above a seller; a rule writes its text into files.
    const rules = [{ account: "commission_expense", number: "6770", text: "{partner}: {text}" }];
    expect((await engine.call("PUT", "/api/v1/posting-rules", { json: { rules } })).status).toBe(200);
    const { entries } = (await get(`journal?from=2020-01-01T00:00:00Z&partner_ids=${mira.id}`)).body;
    expect(entries).toEqual([
      expect.objectContaining({ text: expect.stringMatching(/^Sale of .+, as manager, level 1$/) }),
    ]);
    const csv = (await get("journal?from=2020-01-01T00:00:00Z&format=csv")).text;
    expect(csv).toMatch(/Mira Moreau: Sale of [^,]+, as manager, level 1/);
    expect(csv).not.toMatch(/\byou\b/);
    for (const partner of [anna, ben, mira, dan]) {
      const own = await get("attributions?per_page=100", partner.key);
      expect(own.body.total).toBe(partner === dan ? 2 : 1);
      const commissions = await get("commissions?per_page=100", partner.key);
      expect(commissions.body.total).toBe(own.body.total);
      for (const other of [anna, ben, mira, dan].filter((one) => one !== partner))
        expect(own.text + commissions.text).not.toContain(other.id);
    }
  });
});

describe("the share that a plan pays by", () => {
  it("is stated with an expression, shown with each version, and repeated by a key only as it was", async () => {
    const plan = {
      ...{ workspace_id: engine.workspaceId, schema_id: schemaId, name: "Bonus", currency: "EUR" },
      ...{ start_datetime: "2020-01-01T00:00:00Z", expression_text: "1 % of order_value" },
    };
    const headers = { "idempotency-key": "plan-of-the-whole-sale" };
    const create = (json: object) => engine.call("POST", "/api/v1/commission-plans", { json, headers });
    const { id } = (await create({ ...plan, apply_share: false })).body;
    expect((await create({ ...plan, apply_share: false })).body.id).toBe(id);
    const differing = await create(plan);
    expect([differing.status, differing.body.message]).toEqual([
      409,
      "idempotency_key_reuse: the key was used for another request",
    ]);
    const change = (json: object) => engine.call("PATCH", `/api/v1/commission-plans/${id}`, { json });
    const text = { expression_text: "2 % of order_value" };
    expect((await change(text)).status).toBe(200);
    expect((await change({ ...text, apply_share: false })).status).toBe(200);
    const [shown] = (await get(`commission-plans?ids=${id}`)).body.commission_plans;
    const pairs = (of: ReadonlyArray<{ readonly apply_share?: boolean }>) =>
      of.map(({ apply_share }) => apply_share);
    expect(pairs(shown.view.versions)).toEqual([false, true, false]);
    expect(pairs(shown.events.map(({ event }: { readonly event: object }) => event))).toEqual([
      false,
      undefined,
      false,
    ]);
    await post(`commission-plans/${id}/partners`, { partner_ids: [ben.id] });
    const terms = (await get(`commission-plans/${id}/terms?partner_id=${ben.id}`)).body;
    expect([terms.roles, terms.apply_share]).toEqual([["seller"], false]);
    for (const [json, message] of [
      [{ apply_share: true }, "apply_share: is allowed only together with an expression"],
      [{ ...text, apply_share: "no" }, "apply_share: must be true or false"],
    ] as const) {
      const reply = await change(json);
      expect([reply.status, reply.body]).toEqual([
        400,
        { error_code: "BAD_REQUEST", field: "apply_share", message },
      ]);
    }
  });
});

describe("a sale that moved to another partner", () => {
  it("names the sale of the other partner to neither of them", async () => {
    // Before anybody was above Anna: the sale has one credit.
    const occurred_at = "2019-06-01T00:00:00Z";
    const { id: old } = await post("attributions", sale({ external_reference: "order-1", occurred_at }));
    const { id: newer } = await post(`attributions/${old}/replace`, {
      ...{ partner_id: ben.id, reason: "Ben brought the customer" },
    });
    const { id: newest } = await post(`attributions/${newer}/replace`, {
      ...{ properties: { order_value: 9_000 }, reason: "a part was refunded" },
    });
    const seen = async (id: string, token?: string) => {
      const { attributions } = (await get(`attributions?ids=${id}`, token)).body;
      const [{ metadata, events, view }] = attributions;
      expect(
        events.map(({ event }: { readonly event: { readonly replaces?: string } }) => event.replaces)[0],
      ).toBe(metadata.replaces);
      expect(events[1]?.event.replaced_by).toBe(metadata.replaced_by);
      return [view.cancel_reason, metadata.replaces, metadata.replaced_by];
    };
    const [moved, refunded] = ["Ben brought the customer", "a part was refunded"];
    expect(await seen(old)).toEqual([moved, undefined, newer]);
    expect(await seen(newer)).toEqual([refunded, old, newest]);
    expect(await seen(old, anna.key)).toEqual([moved, undefined, undefined]);
    expect(await seen(newer, ben.key)).toEqual([refunded, undefined, newest]);
    expect(await seen(newest, ben.key)).toEqual([undefined, newer, undefined]);
    expect((await get("attributions?per_page=100", anna.key)).text).not.toContain(newer);
    expect((await get("attributions?per_page=100", ben.key)).text).not.toContain(old);
  });
});

describe("the key of a manager", () => {
  it("reads nothing of another team, whatever it names", async () => {
    const { id: own } = await post("attributions", sale());
    const { id: foreign } = await post("attributions", sale({ partner_id: ben.id }));
    const { commissions } = (await get(`commissions?attribution_ids=${foreign}`)).body;
    const [{ id: commissionId }] = commissions;
    const { attributions } = (await get(`attributions?origin_ids=${own}&origin_ids=${foreign}`, mira.key))
      .body;
    expect(attributions.map((one: { partner_id: string }) => one.partner_id)).toEqual([mira.id]);
    for (const path of [
      "attributions?per_page=100",
      `attributions?origin_ids=${foreign}`,
      `attributions?ids=${foreign}`,
      `attributions?partner_ids=${ben.id}`,
      "commissions?per_page=100",
      `commissions?attribution_ids=${foreign}`,
      `commissions?ids=${commissionId}`,
      "partners?per_page=100",
      `partners?ids=${ben.id}`,
      "partner-links?per_page=100",
      `partner-links?partner_ids=${ben.id}`,
      "commission-formulas?per_page=100",
      `commission-formulas?partner_ids=${ben.id}`,
      "settlements?per_page=100",
    ]) {
      const { status, text } = await get(path, mira.key);
      expect([path, status]).toEqual([path, 200]);
      for (const hidden of [ben.id, foreign, commissionId]) expect(text, path).not.toContain(hidden);
    }
    for (const [path, status] of [
      [`commissions?partner_ids=${ben.id}`, 403],
      [`settlements?partner_ids=${ben.id}`, 403],
      [`commissions/${commissionId}/explanation`, 404],
      [`partners/${ben.id}/balance`, 404],
      [`partners/${ben.id}/events`, 403],
      ["events", 403],
      ["recredits", 403],
    ] as const)
      expect([path, (await get(path, mira.key)).status]).toEqual([path, status]);
  });
});
