import { beforeAll, describe, expect, it } from "vitest";
import { type Engine, start } from "./Engine.ts";
import { maker, TENTH } from "./Scene.ts";

let engine: Engine;
let schemaId: string;
let partnerId: string;

beforeAll(async () => {
  engine = await start();
  const make = maker(engine.call, engine.workspaceId);
  schemaId = await make.schema();
  partnerId = await make.partner();
});

type Json = Readonly<Record<string, unknown>>;

const call = (method: string, path: string, json?: Json) => engine.call(method, `/api/v1${path}`, { json });

const terms = (fields: Json): Json => ({
  schema_id: schemaId,
  workspace_id: engine.workspaceId,
  name: "by text",
  currency: "EUR",
  start_datetime: "2026-01-01T00:00:00Z",
  ...fields,
});

/** The operations that take an expression of a new formula or plan, or try one. */
const CREATIONS = [
  [
    "POST /commission-formulas",
    (fields: Json) => call("POST", "/commission-formulas", { partner_id: partnerId, ...terms(fields) }),
  ],
  ["POST /commission-plans", (fields: Json) => call("POST", "/commission-plans", terms(fields))],
  [
    "POST /commission-formulas/simulate",
    (fields: Json) =>
      call("POST", "/commission-formulas/simulate", {
        schema_id: schemaId,
        currency: "EUR",
        samples: [{ properties: { order_value: 12_345 } }],
        ...fields,
      }),
  ],
] as const;

const createdId = async (path: string, json: Json): Promise<string> =>
  (await call("POST", path, json)).body.id;

/** The operations that change one. */
const CHANGES = [
  [
    "PATCH /commission-formulas/{id}",
    async (fields: Json) => {
      const id = await createdId("/commission-formulas", {
        partner_id: partnerId,
        ...terms({ expression: TENTH }),
      });
      return {
        list: `/commission-formulas?ids=${id}`,
        reply: await call("PATCH", `/commission-formulas/${id}`, fields),
      };
    },
  ],
  [
    "PATCH /commission-plans/{id}",
    async (fields: Json) => {
      const id = await createdId("/commission-plans", terms({ expression: TENTH }));
      return {
        list: `/commission-plans?ids=${id}`,
        reply: await call("PATCH", `/commission-plans/${id}`, fields),
      };
    },
  ],
] as const;

/** Statements that are refused in every operation, with the message. */
const REFUSED: ReadonlyArray<readonly [why: string, fields: Json, message: string]> = [
  [
    "both forms",
    { expression: TENTH, expression_text: "1" },
    "expression_text: must not be given together with expression",
  ],
  ["no text", { expression_text: null }, "expression_text: must be a string"],
  [
    "an empty text",
    { expression_text: "" },
    "expression_text: line 1, column 1: expected a formula such as amount * 10 %, found the end of the text",
  ],
  [
    "a misspelt name",
    { expression_text: "rate = 10 %\nordervalue * rate" },
    "expression_text: line 2, column 1: unknown name 'ordervalue'; did you mean 'order_value'?",
  ],
  [
    "a wrong type",
    { expression_text: "order_value *\n  plan" },
    "expression_text: line 2, column 3: must be a number, found a text",
  ],
  [
    "a wrong sign",
    { expression_text: "order_value × 10 %\n1 +* 2" },
    "expression_text: line 1, column 13: expected * instead of × (and 1 more)",
  ],
  [
    "a text over 128 KiB",
    { expression_text: `1 #${"x".repeat(131_072)}` },
    "expression_text: line 1, column 1: the text is larger than 128 KiB",
  ],
  [
    "a formula over the limits",
    { expression_text: `max(${"1, ".repeat(100)}1)` },
    "expression_text: line 1, column 1: must have at most 100 items",
  ],
];

const totals = async () => ({
  formulas: (await call("GET", "/commission-formulas")).body.total,
  plans: (await call("GET", "/commission-plans")).body.total,
});

describe("expression_text", () => {
  it.each(CREATIONS)("is accepted by %s instead of expression", async (_, create) => {
    const byText = await create({ expression_text: "# a tenth\n10 % of order_value" });
    expect(byText.status, byText.text).toBeLessThan(300);
    if (byText.status === 200) {
      expect(byText.body.results[0].amount).toBe(1235);
      return;
    }
    const path = `/commission-plans?ids=${byText.body.id}`;
    const plans = await call("GET", path);
    const found =
      plans.body.commission_plans[0] ??
      (await call("GET", `/commission-formulas?ids=${byText.body.id}`)).body.commission_formulas[0];
    expect(found).toMatchObject({
      expression: TENTH,
      events: [{ event: { formula: TENTH } }],
      view: { formula: TENTH, formula_text: "order_value * 10 %" },
    });
    expect(found.events[0].event).not.toHaveProperty("expression_text");
  });

  it.each(CHANGES)("is accepted by %s, with a date too", async (_, change) => {
    const { list, reply } = await change({
      expression_text: "(if plan is present then 15 % else 10 %) * order_value",
      effective_datetime: "2026-02-01T00:00:00Z",
    });
    expect(reply.status, reply.text).toBe(200);
    const [found] = Object.values((await call("GET", list)).body)[0] as ReadonlyArray<Json>;
    expect(found).toMatchObject({
      view: { formula_text: "(if plan is present then 15 % else 10 %) * order_value" },
      events: [{}, { event: { effective_datetime: "2026-02-01T00:00:00.000Z" } }],
    });
  });

  describe.each(REFUSED)("with %s", (_, fields, message) => {
    it.each(CREATIONS)("is refused by %s, and nothing is stored", async (_, create) => {
      const before = await totals();
      const reply = await create(fields);
      expect([reply.status, reply.body.message]).toEqual([400, message]);
      expect(await totals()).toEqual(before);
    });

    it.each(CHANGES)("is refused by %s, and changes nothing", async (_, change) => {
      const { list, reply } = await change(fields);
      expect([reply.status, reply.body.message]).toEqual([400, message]);
      const [found] = Object.values((await call("GET", list)).body)[0] as ReadonlyArray<Json>;
      expect(found).toMatchObject({ expression: TENTH, events: { length: 1 } });
    });
  });

  it.each(CREATIONS)("or expression has to be given to %s", async (_, create) => {
    const before = await totals();
    const reply = await create({});
    expect([reply.status, reply.body.message]).toEqual([
      400,
      "expression: is missing; state it as nodes, or as text in expression_text",
    ]);
    expect(await totals()).toEqual(before);
  });

  it("names its field in the error", async () => {
    const reply = await call("POST", "/commission-plans", terms({ expression_text: "x" }));
    expect(reply.body).toMatchObject({ error_code: "BAD_REQUEST", field: "expression_text" });
  });
});
