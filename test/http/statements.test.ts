/** Balances and statements over HTTP. The statement of all histories is compared with the ledger by invariant M14. */
import { Effect } from "effect";
import { beforeAll, describe, expect, it } from "vitest";
import { type Call, caller, type Engine, start } from "./Engine.ts";
import { scene } from "./Scene.ts";

let engine: Engine;
let made: Awaited<ReturnType<typeof scene>>;
let settlementId: string;
const FROM = "from=2020-01-01T00:00:00Z";

const read = (query: string, headers: Record<string, string> = {}, call: Call = engine.call) =>
  call("GET", `/api/v1/partners/${made.partnerId}/statement?${query}`, { headers });

beforeAll(async () => {
  engine = await start({}, [], {
    renderer: {
      render: () => Effect.succeed({ bytes: new Uint8Array(), extension: "pdf" }),
      renderStatement: ({ lines, closingBalance }) =>
        Effect.succeed({
          bytes: new TextEncoder().encode(`%PDF ${lines.length} ${closingBalance}`),
          extension: "pdf",
        }),
    },
  });
  made = await scene(engine);
  await made.attribution(made.partnerId, made.schemaId, 5_000, { external_reference: '=cmd|"x",1' });
  settlementId = await made.draft();
  await made.act(settlementId, "approve");
  await engine.settle();
  await made.act(settlementId, "write-off");
});

describe("GET /partners/{id}/balance", () => {
  it("returns what was earned, settled, pending and due in each currency", async () => {
    const { status, body } = await engine.call("GET", `/api/v1/partners/${made.partnerId}/balance`);
    expect([status, body]).toEqual([
      200,
      {
        at: expect.stringMatching(/Z$/),
        final: false,
        balances: [{ currency: "EUR", earned: 1_700, settled: 1_200, pending: 0, due: 500, waiting: 0 }],
      },
    ]);
    const past = await engine.call(
      "GET",
      `/api/v1/partners/${made.partnerId}/balance?at=2021-01-01T00:00:00Z`,
    );
    expect(past.body).toEqual({ at: "2021-01-01T00:00:00.000Z", final: true, balances: [] });
  });
});

describe("GET /partners/{id}/statement", () => {
  it("returns the movements between two balances", async () => {
    const { status, body } = await read(FROM);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...{ partner_id: made.partnerId, currency: "EUR", from: "2020-01-01T00:00:00.000Z", final: false },
      ...{ opening_balance: 0, closing_balance: 500, next_cursor: null },
    });
    const movement = { datetime: expect.stringMatching(/Z$/), balance: expect.any(Number) };
    expect(body.movements).toEqual([
      {
        ...movement,
        ...{ type: "earned", amount: 1_200, commission_id: made.commissionId },
        text: expect.stringMatching(/^Sale of \d+ \w+ \d{4}$/),
      },
      {
        ...movement,
        ...{ type: "earned", amount: 500, reference: '=cmd|"x",1', commission_id: expect.any(String) },
        text: expect.stringMatching(/^Sale of \d+ \w+ \d{4}$/),
      },
      {
        ...movement,
        ...{
          type: "written_off",
          amount: -1_200,
          settlement_id: settlementId,
          text: "Written off 12.00 EUR",
        },
      },
    ]);
  });

  it("continues with next_cursor, and refuses the cursor of another statement", async () => {
    const first = await read(`${FROM}&limit=2`);
    const rest = `${FROM}&to=${first.body.to}&after=${first.body.next_cursor}`;
    const second = await read(rest);
    expect([first.body.movements.length, second.body.movements.length]).toEqual([2, 1]);
    expect(second.body).toMatchObject({ opening_balance: 0, closing_balance: 500, next_cursor: null });
    const other = await made.partner();
    const foreign = await engine.call("GET", `/api/v1/partners/${other}/statement?currency=EUR&${rest}`);
    expect([foreign.status, foreign.body.message]).toEqual([
      400,
      "after: must be next_cursor of a page of this statement, with the same partner, from, to and currency",
    ]);
  });

  it.each([
    ["to=2021-01-01T00:00:00Z", "from: is required"],
    [`${FROM}&to=2999-01-01T00:00:00Z`, "to: must not be in the future"],
    [`${FROM}&to=2019-01-01T00:00:00Z`, "to: must be after from"],
    [`${FROM}&currency=XYZ`, "currency: must be an ISO 4217 currency code, such as EUR"],
    [`${FROM}&after=1`, /^after: must be next_cursor/],
    [`${FROM}&limit=1001`, "limit: must be 1 to 1000"],
    ["from=2020-01-01", "from: must be an RFC 3339 date-time with an offset or Z"],
    [`${FROM}&page=2`, "page: is not a known parameter"],
  ])("refuses %s", async (query, message) => {
    const { status, body } = await read(query);
    expect([status, body.error_code]).toEqual([400, "BAD_REQUEST"]);
    expect(body.message).toMatch(message);
  });

  it("is CSV with both balances, whose free text no spreadsheet takes for a formula", async () => {
    const { status, text, headers } = await read(FROM, { accept: "text/csv" });
    expect([status, headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8; header=present"]);
    expect(headers.get("content-disposition")).toMatch(
      /^attachment; filename="statement-EUR-2020-01-01-.*\.csv"$/,
    );
    const rows = text.split("\r\n");
    expect(rows[0]).toBe(
      "datetime,type,amount,balance,currency,commission_id,settlement_id,reference,text,amount_minor,balance_minor",
    );
    expect(rows[1]).toBe("2020-01-01T00:00:00.000Z,opening_balance,,0.00,EUR,,,,,,0");
    expect(rows[3]).toContain(`,"'=cmd|""x"",1",`);
    expect(rows[4]).toMatch(/,written_off,-12\.00,5\.00,EUR,,[^,]+,[^,]*,[^,]+,-1200,500$/);
    expect(rows[5]).toMatch(/,closing_balance,,5\.00,EUR,,,,,,500$/);
    expect(rows.slice(6)).toEqual([""]);
    const marked = await read(
      `${FROM}&to=${encodeURIComponent(rows[5]?.split(",")[0] ?? "")}&format=spreadsheet`,
      {
        accept: "text/csv",
      },
    );
    expect(marked.text).toBe(`\ufeff${text}`);
    expect((await read(`${FROM}&format=spreadsheet`)).body.message).toBe(
      "format: spreadsheet is for the header Accept: text/csv",
    );
    const limited = await read(`${FROM}&limit=2`, { accept: "text/csv" });
    expect([limited.status, limited.body.message]).toEqual([
      400,
      "limit: must be absent, because a file contains the whole statement",
    ]);
  });

  it("is a PDF if the header Accept names it", async () => {
    const { status, text, headers } = await read(FROM, { accept: "application/pdf" });
    expect([status, text, headers.get("content-type")]).toEqual([200, "%PDF 3 500", "application/pdf"]);
    expect(headers.get("content-disposition")).toContain("statement-EUR-2020-01-01-");
  });

  it("is read with a key of the partner, and hidden from one of another partner", async () => {
    const keyOf = async (partnerId: string): Promise<Call> =>
      caller(
        engine.handler,
        await engine.keyOf({ customer_id: engine.customerId, kind: "partner", partner_ids: [partnerId] }),
      );
    const own = await keyOf(made.partnerId);
    expect((await read(FROM, {}, own)).body.movements).toHaveLength(3);
    const other = await keyOf(await made.partner());
    for (const path of ["balance", `statement?${FROM}`]) {
      const { status, body } = await other("GET", `/api/v1/partners/${made.partnerId}/${path}`);
      expect([status, body]).toEqual([404, { error_code: "NOT_FOUND", message: "partner not found" }]);
    }
  });
});
