/** What is refused of sales that several partners earn from, and of links: exact responses, after which nothing is stored. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Engine, start } from "./Engine.ts";
import { maker } from "./Scene.ts";

const UNKNOWN = "00000000-0000-7000-8000-00000000dead";
const FROM = "2020-01-01T00:00:00Z";

let engine: Engine;
let [anna, ben, mira, foreign, schemaId] = ["", "", "", "", ""];
/** The ids of partners of whom each stands below the next. */
const chain: Array<string> = [];

const send = (path: string, json: object, method = "POST") =>
  engine.call(method, `/api/v1/${path}`, { json });

const post = async (path: string, json: object): Promise<string> => {
  const reply = await send(path, json);
  if (reply.status >= 300) throw new Error(`${path}: ${reply.status} ${reply.text}`);
  return reply.body.id;
};

/** Everything that was ever stored, by the feed. */
const feed = async (): Promise<string> => {
  const pages: Array<string> = [];
  for (let after = ""; ; ) {
    const { body, text } = await engine.call("GET", `/api/v1/events?limit=1000${after}`);
    pages.push(text);
    if (body.events.length === 0) return pages.join("\n");
    after = `&after=${encodeURIComponent(body.next_cursor)}`;
  }
};

/** The response to a command that changes nothing. */
const refused = async (path: string, json: object, method = "POST") => {
  const before = await feed();
  const { status, body } = await send(path, json, method);
  expect(await feed()).toBe(before);
  const { error_code, message, field } = body;
  return [status, error_code, message, field];
};

const sale = (fields: object = {}) => ({
  ...{ workspace_id: engine.workspaceId, schema_id: schemaId, partner_id: anna },
  properties: { order_value: 10_000 },
  ...fields,
});

const link = (partner_id: string, upline_partner_id: string, role = "manager") => ({
  ...{ partner_id, upline_partner_id, role, start_datetime: FROM },
});

const invalid = (field: string, problem: string) => [400, "BAD_REQUEST", `${field}: ${problem}`, field];
const conflict = (message: string) => [409, "CONFLICT", message, undefined];

const HALVES = () => [
  { partner_id: anna, share: "0.5" },
  { partner_id: ben, share: "0.5" },
];

beforeAll(async () => {
  engine = await start();
  const make = maker(engine.call, engine.workspaceId);
  schemaId = await make.schema();
  [anna, ben, mira] = [await make.partner(), await make.partner(), await make.partner()];
  foreign = await maker(engine.call, crypto.randomUUID()).partner();
  for (let place = 0; place <= 17; place++) chain.push(await make.partner());
  for (let place = 0; place < 16; place++)
    for (let role = 0; role < 7; role++)
      await post("partner-links", link(chain[place] ?? "", chain[place + 1] ?? "", `level ${role}`));
});

describe("credits that are refused", () => {
  const given = (credits: ReadonlyArray<object>) => refused("attributions", sale({ credits }));

  it("name the sum of shares that are not 1, in a batch too", async () => {
    const problem = (sum: string) =>
      `the shares of the sellers must add up to exactly 1; they add up to ${sum}`;
    const shares = (...all: ReadonlyArray<string>) =>
      all.map((share, index) => ({ partner_id: [anna, ben, mira][index] ?? "", share }));
    expect(await given(shares("0.6", "0.5"))).toEqual(invalid("credits", problem("1.1")));
    expect(await given(shares("1/3", "1/3"))).toEqual(invalid("credits", problem("2/3")));
    expect(await given([...HALVES(), { partner_id: mira, share: "0.000001" }])).toEqual(
      invalid("credits", problem("1.000001")),
    );
    const batch = { attributions: [sale(), sale({ credits: shares("0.9") })] };
    expect(await refused("attributions/batch", batch)).toEqual(
      invalid("attributions.1.credits", problem("0.9")),
    );
  });

  it("name the partner that is twice in a role, and that partner_id has to be a seller", async () => {
    const twice = { partner_id: ben, role: "engineer" };
    expect(await given([{ partner_id: anna }, twice, twice])).toEqual(
      invalid("credits", `must not name the partner ${ben} twice in the role "engineer"`),
    );
    expect(await given([{ partner_id: ben }, { partner_id: anna, role: "engineer" }])).toEqual(
      invalid("credits", "must name the partner of partner_id as a seller"),
    );
  });

  it("name the field of too many, of a long role, and of a share that is none", async () => {
    const many = Array.from({ length: 21 }, (_, index) => ({ partner_id: anna, role: `role ${index}` }));
    expect(await given(many)).toEqual(invalid("credits", "must have 1 to 20 credits"));
    expect(await given([])).toEqual(invalid("credits", "must have 1 to 20 credits"));
    const [status, , message, field] = await given([{ partner_id: anna, role: "r".repeat(65) }]);
    expect([status, field]).toEqual([400, "credits.0.role"]);
    expect(message).toMatch(/^credits\.0\.role: must .*64/);
    for (const share of ["0", "1.1", "0.1234567", "21/21", "2/1", "half"]) {
      const reply = await given([{ partner_id: anna, share }]);
      expect([reply[0], reply[3]]).toEqual([400, "credits.0.share"]);
    }
  });

  it("do not find a partner of nobody, or of another workspace", async () => {
    for (const partner_id of [UNKNOWN, foreign])
      expect(await given([{ partner_id: anna }, { partner_id, role: "engineer" }])).toEqual([
        ...[404, "NOT_FOUND", "credits.1.partner_id not found", undefined],
      ]);
  });

  it("are counted with those of uplines", async () => {
    const [bottom] = chain;
    expect(await refused("attributions", sale({ partner_id: bottom }))).toEqual(
      invalid("credits", "must not be more than 100 with those of uplines; the sale would have 113"),
    );
  });
});

describe("changes of a sale that are refused", () => {
  it("name the origin of a credit, and the sale that is cancelled", async () => {
    const id = await post("attributions", sale({ credits: HALVES() }));
    const listed = await engine.call("GET", `/api/v1/attributions?origin_ids=${id}`);
    const credited: string = listed.body.attributions.find((one: { id: string }) => one.id !== id).id;
    const reason = { reason: "refunded" };
    const ofSale = conflict(`credit_of_sale: is a credit of the sale ${id}, which is changed as a whole`);
    expect(await refused(`attributions/${credited}`, reason, "DELETE")).toEqual(ofSale);
    expect(await refused(`attributions/${credited}/replace`, reason)).toEqual(ofSale);
    const twice = invalid("partner_id", "");
    const moved = await refused(`attributions/${id}/replace`, { ...reason, partner_id: ben });
    expect([moved[0], moved[3]]).toEqual([twice[0], twice[3]]);
    expect((await send(`attributions/${id}`, reason, "DELETE")).status).toBe(200);
    const [status, code, message] = await refused(`attributions/${id}/replace`, {
      ...reason,
      properties: { order_value: 1 },
    });
    expect([status, code]).toEqual([409, "CONFLICT"]);
    expect(message).toMatch(/^attribution_cancelled: /);
    // Cancelled already: nothing changes, as for any attribution.
    expect((await refused(`attributions/${credited}`, reason, "DELETE"))[0]).toBe(200);
  });
});

describe("links that are refused", () => {
  it("name the chain that would meet itself, and one of more than 16 links", async () => {
    const role = "level 0";
    const [below = "", top = ""] = chain.slice(15);
    expect(await refused("partner-links", link(top, below, role))).toEqual(
      conflict(`link_loop: the chain of the role ${role} would meet itself: ${top} → ${below} → ${top}`),
    );
    const [status, , message] = await refused("partner-links", link(chain[16] ?? "", chain[17] ?? "", role));
    expect(status).toBe(409);
    expect(message).toBe(
      `link_depth: the chain of the role ${role} would have 17 links, more than 16: ${chain.join(" → ")}`,
    );
  });

  it("name the role of a seller, a long one, and partners that are not found", async () => {
    expect(await refused("partner-links", link(anna, ben, "seller"))).toEqual(
      invalid("role", "must not be seller: sellers have no upline in this role"),
    );
    expect(await refused("partner-links", link(anna, ben, "r".repeat(65)))).toEqual(
      invalid("role", "must have 1 to 64 characters"),
    );
    for (const other of [UNKNOWN, foreign])
      expect(await refused("partner-links", link(anna, other))).toEqual(
        invalid("upline_partner_id", "must be the id of a partner of the same workspace"),
      );
  });
});

describe("an override that pays sellers", () => {
  const problem =
    "must not read sellers_commission where the roles include seller: state roles without it, such as manager";
  const nodes = { expression: { type: "attribute", name: "sellers_commission" } };
  const text = { expression_text: "sale.sellers_commission" };

  it("is refused with the field in which the request states its expression", async () => {
    const terms = {
      ...{ workspace_id: engine.workspaceId, schema_id: schemaId, name: "Override", currency: "EUR" },
      start_datetime: FROM,
    };
    for (const [stated, field] of [
      [nodes, "expression"],
      [text, "expression_text"],
    ] as const) {
      expect(await refused("commission-plans", { ...terms, ...stated })).toEqual(invalid(field, problem));
      expect(await refused("commission-formulas", { ...terms, partner_id: anna, ...stated })).toEqual(
        invalid(field, problem),
      );
      const roles = { roles: ["manager", "seller"] };
      expect(await refused("commission-plans", { ...terms, ...roles, ...stated })).toEqual(
        invalid(field, problem),
      );
    }
    const plan = await post("commission-plans", { ...terms, expression_text: "order_value" });
    const formula = await post("commission-formulas", {
      ...{ ...terms, partner_id: anna, expression_text: "order_value" },
    });
    for (const path of [`commission-plans/${plan}`, `commission-formulas/${formula}`]) {
      expect(await refused(path, nodes, "PATCH")).toEqual(invalid("expression", problem));
      expect(await refused(path, text, "PATCH")).toEqual(invalid("expression_text", problem));
    }
  });
});
