/** The journal over HTTP. That of all histories is compared with the records by invariant M16. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Engine, start } from "./Engine.ts";
import { SELF_BILLING, scene } from "./Scene.ts";

let engine: Engine;
let made: Awaited<ReturnType<typeof scene>>;
let settlementId: string;
const FROM = "from=2020-01-01T00:00:00Z";

const read = (query: string) => engine.call("GET", `/api/v1/journal?${query}&partner_ids=${made.partnerId}`);

beforeAll(async () => {
  engine = await start();
  made = await scene(engine, { billing_mode: "self_billing", self_billing_data: SELF_BILLING });
  await made.attribution(made.partnerId, made.schemaId, 5_000, { external_reference: '=cmd|"x",1;' });
  settlementId = await made.draft();
  await made.act(settlementId, "approve");
  await engine.settle();
  await made.act(settlementId, "mark-as-paid");
});

/** What entries do to each account: debits less credits. */
const balancesOf = (
  entries: ReadonlyArray<{ lines: ReadonlyArray<{ account: string; debit?: number; credit?: number }> }>,
) => {
  const balances: Record<string, number> = {};
  for (const { account, debit = 0, credit = 0 } of entries.flatMap(({ lines }) => lines))
    balances[account] = (balances[account] ?? 0) + debit - credit;
  return balances;
};

describe("GET /journal", () => {
  it("returns what was earned, billed and paid, as double entries", async () => {
    const { status, body } = await read(FROM);
    expect(status).toBe(200);
    const [sale, refused, invoice, payment] = body.entries;
    expect(sale).toEqual({
      ...{
        kind: "earned",
        datetime: expect.stringMatching(/Z$/),
        partner_id: made.partnerId,
        partner_name: "Nordlys ApS",
      },
      ...{ currency: "EUR", commission_id: expect.any(String), text: expect.stringMatching(/^Sale of /) },
      lines: [
        { account: "commission_expense", debit: 1_200 },
        { account: "accrued_commissions", credit: 1_200 },
      ],
    });
    expect(refused.reference).toBe('=cmd|"x",1;');
    expect(invoice).toMatchObject({
      ...{ settlement_id: settlementId, document: "INV-000001", text: "Invoice INV-000001" },
      lines: [
        { account: "accrued_commissions", debit: 1_200 },
        { account: "input_tax", debit: 300 },
        { account: "partner_payables", credit: 1_500 },
      ],
    });
    expect(payment).toMatchObject({
      text: "Payment of INV-000001",
      lines: [
        { account: "partner_payables", debit: 1_500 },
        { account: "payments", credit: 1_500 },
      ],
    });
    expect(body.entries).toHaveLength(4);
    expect(body.next_cursor).toBeNull();
    expect(balancesOf(body.entries)).toEqual({
      ...{ commission_expense: 1_700, accrued_commissions: -500 },
      ...{ input_tax: 300, partner_payables: 0, payments: -1_500 },
    });
  });

  it("is read page by page, and a cursor belongs to its parameters", async () => {
    const whole = (await read(FROM)).body;
    const entries: Array<unknown> = [];
    let after = "";
    for (let page = 0; page < 10; page++) {
      const { body } = await read(`${FROM}&to=${whole.to}&limit=1${after}`);
      entries.push(...body.entries);
      if (body.next_cursor === null) break;
      after = `&after=${body.next_cursor}`;
    }
    expect(entries).toEqual(whole.entries);
    expect(after).not.toBe("");
    const { status, body } = await read(`from=2021-01-01T00:00:00Z&to=${whole.to}&limit=1${after}`);
    expect([status, body.field]).toEqual([400, "after"]);
  });

  it("is a file of comma-separated values, of which no cell is a formula", async () => {
    const { text, headers } = await read(`${FROM}&format=csv`);
    expect(headers.get("content-type")).toMatch(/^text\/csv/);
    const [header, ...rows] = text.trimEnd().split("\r\n");
    expect(header).toMatch(/^datetime,entry,account,debit,credit,currency,/);
    expect(rows).toHaveLength(9);
    expect(rows[0]).toMatch(/,1,commission_expense,12\.00,,EUR,/);
    expect(rows[1]).toMatch(/,1,accrued_commissions,,12\.00,EUR,/);
    expect(text).not.toMatch(/(^|,|")=cmd/m);
  });

  it("is a file of plain text accounting, whose transactions balance", async () => {
    const { text, headers } = await read(`${FROM}&format=hledger`);
    expect(headers.get("content-disposition")).toMatch(/filename="journal-2020-01-01-.*\.journal"/);
    const transactions = text.split("\n\n").slice(1);
    expect(transactions).toHaveLength(4);
    for (const transaction of transactions) {
      const [head = "", ...postings] = transaction.trimEnd().split("\n");
      expect(head).toMatch(/^\d{4}-\d\d-\d\d (\(INV-000001\) )?Nordlys ApS \| [^;|]+ {2}; partner: /);
      const cents = postings.map((posting) => {
        const amount = /^ {4}[a-z- :]+ {2}EUR (-?)(\d+)\.(\d\d)$/.exec(posting);
        return Number(`${amount?.[1]}${amount?.[2]}${amount?.[3]}`);
      });
      expect(cents.length).toBeGreaterThan(1);
      expect(cents.reduce((sum, amount) => sum + amount, 0)).toBe(0);
    }
  });

  it("shows nothing of partners outside the grant", async () => {
    const grant = { customer_id: engine.customerId, scopes: ["settlements:read"] };
    const token = await engine.keyOf({ ...grant, partner_ids: [crypto.randomUUID()] });
    const read = (query: string) => engine.call("GET", `/api/v1/journal?${FROM}${query}`, { token });
    const refused = await read(`&partner_ids=${made.partnerId}`);
    expect([refused.status, refused.body.field]).toEqual([403, "partner_ids"]);
    const empty = await read("");
    expect([empty.status, empty.body.entries]).toEqual([200, []]);
  });
});
