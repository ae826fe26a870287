/** The date of an event on the wire: refused dates, lists by date, the export, and samples of a simulation. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Engine, start } from "./Engine.ts";
import { scene } from "./Scene.ts";

let engine: Engine;
let made: Awaited<ReturnType<typeof scene>>;
beforeAll(async () => {
  engine = await start();
  made = await scene(engine);
});

const get = async (path: string) => {
  const reply = await engine.call("GET", `/api/v1${path}`);
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
};

const request = (occurred_at: unknown) => ({
  workspace_id: engine.workspaceId,
  partner_id: made.partnerId,
  schema_id: made.schemaId,
  properties: { order_value: 1 },
  occurred_at,
});

const inMinutes = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString();

describe("a date that is refused", () => {
  const NOT_A_DATE = /occurred_at: must be an RFC 3339 date-time with an offset or Z$/;
  it.each([
    ["too far ahead", () => inMinutes(6), /occurred_at: must not be more than 5 minutes in the future$/],
    ["before 1970", () => "1969-12-31T23:59:59.999Z", /occurred_at: .*1970/],
    ["before 1970 in UTC", () => "1970-01-01T00:59:00+01:00", /occurred_at: .*1970/],
    ["a date alone", () => "2024-03-14", NOT_A_DATE],
    ["no offset", () => "2024-03-14T10:00:00", NOT_A_DATE],
    ["no day of the calendar", () => "2023-02-29T10:00:00Z", NOT_A_DATE],
    ["null", () => null, /occurred_at: /],
    ["a number", () => 1_700_000_000_000, /occurred_at: /],
    ["an empty text", () => "", NOT_A_DATE],
  ])(
    "%s: 400 that names the field, alone and in a batch, and nothing is stored",
    async (_name, of, message) => {
      const before = await get(`/attributions?partner_ids=${made.partnerId}`);
      const alone = await engine.call("POST", "/api/v1/attributions", { json: request(of()) });
      expect([alone.status, alone.body.message]).toEqual([400, expect.stringMatching(message)]);
      expect(alone.body.message).toMatch(/^occurred_at: /);
      const batch = await engine.call("POST", "/api/v1/attributions/batch", {
        json: { attributions: [request(inMinutes(-1)), request(of())] },
      });
      expect([batch.status, batch.body.message]).toEqual([400, expect.stringMatching(message)]);
      expect(batch.body.message).toMatch(/^attributions\.1[.:]/);
      expect((await get(`/attributions?partner_ids=${made.partnerId}`)).total).toBe(before.total);
    },
  );
});

describe("lists by date", () => {
  it("find attributions and commissions from a date on and before a date, in the order of their creation", async () => {
    const { attribution, partnerId, schemaId } = await scene(engine);
    const dates = ["2024-05-01T00:00:00Z", "2023-05-01T00:00:00Z", "2024-04-30T23:59:59.999Z"];
    const made: Array<string> = [];
    for (const occurred_at of dates)
      made.push(await attribution(partnerId, schemaId, 1_000, { occurred_at }));
    const [may, year, april] = made;
    const found = async (filter: string) => {
      const { attributions, total } = await get(`/attributions?partner_ids=${partnerId}&${filter}`);
      const { commissions } = await get(`/commissions?partner_ids=${partnerId}&${filter}`);
      const ids = attributions.map(({ id }: { id: string }) => id);
      expect(commissions.map((commission: { attribution_id: string }) => commission.attribution_id)).toEqual(
        ids,
      );
      expect(total).toBe(ids.length);
      return ids;
    };
    expect(await found("occurred_to=2024-05-01T00:00:00Z")).toEqual([year, april]);
    expect(await found("occurred_from=2024-01-01T00:00:00Z&occurred_to=2024-05-01T00:00:00.001Z")).toEqual([
      may,
      april,
    ]);
    expect(await found("occurred_from=2024-05-01T00:00:00Z")).toHaveLength(2);
  });

  it.each(["attributions", "commissions"])("refuse an empty span of %s", async (kind) => {
    const span = "occurred_from=2024-05-01T00:00:00Z&occurred_to=2024-05-01T00:00:00Z";
    const { status, body } = await engine.call("GET", `/api/v1/${kind}?${span}`);
    expect([status, body.message]).toEqual([400, "occurred_to: must be after occurred_from"]);
    const other = await engine.call("GET", `/api/v1/${kind}?occurred_from=yesterday`);
    expect([other.status, other.body.message]).toEqual([
      400,
      "occurred_from: must be an RFC 3339 date-time with an offset or Z",
    ]);
  });
});

it("exports the date of each attribution", async () => {
  const { attribution, partnerId, schemaId, draftOf } = await scene(engine);
  await attribution(partnerId, schemaId, 1_000, { occurred_at: "2024-05-01T06:00:00+02:00" });
  const { commissions } = await get(`/commissions?partner_ids=${partnerId}`);
  const id = await draftOf(commissions.map((commission: { id: string }) => commission.id));
  const { text } = await engine.call("GET", `/api/v1/settlements/${id}/export`);
  const [header, , late] = text.split("\r\n");
  expect(header?.split(",").at(-1)).toBe("attribution_date");
  expect(late?.split(",").at(-1)).toBe("2024-05-01T04:00:00.000Z");
});

it("simulates samples of any date", async () => {
  const year = (name: string) => ({
    type: "date_part",
    part: "year",
    operand: { type: "attribute", name },
  });
  const expression = {
    type: "add",
    operands: [
      {
        type: "multiply",
        operands: [year("occurred_at"), { type: "literal", value: { type: "number", value: 10_000 } }],
      },
      year("created_at"),
    ],
  };
  const sample = (dates: object) => ({ properties: { order_value: 1 }, ...dates });
  const simulate = (samples: ReadonlyArray<object>) =>
    engine.call("POST", "/api/v1/commission-formulas/simulate", {
      json: { schema_id: made.schemaId, currency: "EUR", expression, samples },
    });
  const thisYear = new Date().getUTCFullYear();
  const { status, body } = await simulate([
    sample({}),
    sample({ occurred_at: "2021-06-01T00:00:00Z" }),
    sample({ created_at: "2022-06-01T00:00:00Z" }),
    sample({ created_at: "2022-06-01T00:00:00Z", occurred_at: "2021-06-01T00:00:00Z" }),
    sample({ occurred_at: "2199-06-01T00:00:00Z" }),
  ]);
  expect([status, body.results?.map(({ amount }: { amount: number }) => amount)]).toEqual([
    200,
    [thisYear * 10_001, 20_210_000 + thisYear, 20_222_022, 20_212_022, 21_992_199],
  ]);
  const refused = await simulate([sample({ occurred_at: null })]);
  expect([refused.status, refused.body.message]).toEqual([
    400,
    expect.stringMatching(/^samples\.0\.occurred_at: /),
  ]);
});
