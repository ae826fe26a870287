/** Posting rules over HTTP, and the journal under them. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Engine, start } from "./Engine.ts";
import { delimited } from "./JournalReaders.ts";
import { paidAndCancelled, scene } from "./Scene.ts";

let engine: Engine;
let made: Awaited<ReturnType<typeof scene>>;

interface Entry {
  readonly kind: string;
  readonly lines: ReadonlyArray<{ number?: string; debit?: number; credit?: number }>;
}

const RULES = [
  { account: "commission_expense", kind: "adjusted", number: "6771" },
  { account: "commission_expense", number: "6770", cost_centre: "sales, north", text: "For {partner}" },
  { account: "partner_payables", tax_treatment: "standard", number: "3300" },
  { account: "partner_payables", number: "3310" },
];

const journal = (query = "") => engine.call("GET", `/api/v1/journal?from=2020-01-01T00:00:00Z${query}`);
const write = (rules: ReadonlyArray<object>, token?: string) =>
  engine.call("PUT", "/api/v1/posting-rules", { json: { rules }, ...(token === undefined ? {} : { token }) });

beforeAll(async () => {
  engine = await start();
  made = await paidAndCancelled(engine);
});

describe("posting rules", () => {
  it("are none before they are written", async () => {
    const { status, body } = await engine.call("GET", "/api/v1/posting-rules");
    expect([status, body]).toEqual([200, { rules: [], updated_at: null }]);
  });

  it("give the postings of the whole journal their numbers, and change no amount", async () => {
    const before = (await journal()).body.entries;
    expect((await write(RULES)).status).toBe(200);
    expect((await engine.call("GET", "/api/v1/posting-rules")).body.rules).toEqual(RULES);
    const after = (await journal()).body.entries;
    const withoutRules = (entries: ReadonlyArray<{ lines: ReadonlyArray<object> }>) =>
      entries.map((entry) => ({
        ...entry,
        lines: entry.lines.map((line) => ({
          ...line,
          ...{ number: undefined, cost_centre: undefined, text: undefined },
        })),
      }));
    expect(withoutRules(after)).toEqual(withoutRules(before));
    const numbered = after.flatMap(({ kind, lines }: Entry) =>
      lines
        .filter(({ number }) => number !== undefined)
        .map(({ number, debit = 0, credit = 0 }) => [kind, number, debit - credit]),
    );
    expect(numbered).toEqual([
      ["earned", "6770", 1_200],
      ["billed", "3300", -1_500],
      ["paid", "3300", 1_500],
      ["adjusted", "6771", -1_200],
    ]);
    expect(after[0].lines[0]).toEqual({
      ...{ account: "commission_expense", number: "6770", cost_centre: "sales, north" },
      ...{ text: "For Nordlys ApS", debit: 1_200 },
    });
  });

  it("are in the files: columns of CSV, accounts and comments of plain text accounting", async () => {
    const csv = (await journal("&format=csv")).text.split("\r\n");
    expect(csv[0]).toMatch(/,debit_minor,credit_minor,kind,number,cost_centre,line_text,concerns$/);
    expect(csv[1]).toMatch(/,1200,,earned,6770,"sales, north",For Nordlys ApS,$/);
    const { text } = await journal("&format=hledger");
    expect(text).toContain(
      "    expenses:commissions:6770  EUR 12.00  ; cost-centre: sales north, text: For Nordlys ApS\n",
    );
    expect(text).toContain("    liabilities:partner payables:3300  EUR -15.00\n");
  });

  it("are logged with who wrote them", async () => {
    expect((await write(RULES)).status).toBe(200);
    await engine.settle();
    const { body } = await engine.call("GET", "/api/v1/events?types=write_posting_rules");
    expect(body.events).toHaveLength(1);
    expect(body.events[0]).toMatchObject({ record_type: "books", event: { rules: RULES } });
  });

  it("are refused with the field that is wrong, which changes nothing", async () => {
    const wrong = await write([{ account: "accrued_commissions", kind: "paid", number: "1" }]);
    expect([wrong.status, wrong.body.field]).toEqual([400, "rules.0.kind"]);
    expect(wrong.body.message).toMatch(/must be absent for accrued_commissions/);
    const grant = { customer_id: engine.customerId, partner_ids: [made.partnerId] };
    const token = await engine.keyOf({ ...grant, scopes: ["settlements:read", "settlements:approve"] });
    expect((await write([], token)).status).toBe(403);
    expect((await engine.call("GET", "/api/v1/posting-rules")).body.rules).toEqual(RULES);
  });
});

describe("posting rules of any content", () => {
  const HOSTILE = [
    '=cmd|"x"',
    "a\r\nb",
    "a;b,c:d|e",
    '"',
    "\\",
    "  x  ",
    "Łódź 日本",
    "{text",
    "$&",
    "\u2028",
    "<b>",
    "\u{1f600}",
  ];
  const amounts = (entries: ReadonlyArray<Entry>) =>
    entries.map(({ lines }) => lines.map(({ debit = 0, credit = 0 }) => debit - credit));

  it("are stored as they are, change no amount, and stay in their cells in every file", async () => {
    const before = amounts((await journal()).body.entries);
    for (const text of HOSTILE) {
      const rules = [
        { account: "commission_expense", number: text, cost_centre: text, text: `${text} {partner}` },
        { account: "input_tax", number: text },
      ];
      const { status } = await write(rules);
      if (text.trim() === "") {
        expect(status).toBe(400);
        continue;
      }
      expect([text, status]).toEqual([text, 200]);
      expect((await engine.call("GET", "/api/v1/posting-rules")).body.rules).toEqual(rules);
      expect(amounts((await journal()).body.entries)).toEqual(before);
      const rows = delimited((await journal("&format=csv")).text, ",");
      expect(rows.slice(1)).toHaveLength(before.flat().length);
      for (const cell of rows.slice(1).flat()) expect(cell).not.toMatch(/^[=+@]|^-(?!\d)/);
    }
    const unknown = await write([{ account: "input_tax", number: "1", text: "{secret}" }]);
    expect([unknown.status, unknown.body.field]).toEqual([400, "rules.0.text"]);
  });

  it("of plans, partners and workspaces that there are not, or of another customer, apply to nothing and tell nothing", async () => {
    const other = await start();
    const theirs = await scene(other);
    const foreign = { partner_id: theirs.partnerId, workspace_id: other.workspaceId };
    const nobody = { partner_id: crypto.randomUUID(), plan_id: crypto.randomUUID() };
    const own = { account: "commission_expense", number: "own" };
    for (const ids of [foreign, nobody]) {
      expect((await write([{ ...own, number: "foreign", ...ids }, own])).status).toBe(200);
      const numbers = (await journal()).body.entries.flatMap(({ lines }: Entry) =>
        lines.map(({ number }) => number),
      );
      expect(new Set(numbers)).toEqual(new Set(["own", undefined]));
    }
    expect((await other.call("GET", "/api/v1/posting-rules")).body.rules).toEqual([]);
    const { text } = await other.call("GET", "/api/v1/journal?from=2020-01-01T00:00:00Z&format=beancount");
    expect(text).not.toContain(made.partnerId);
  });

  it("are at most 1 000, of bounded texts, and a refusal changes nothing", async () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ account: "input_tax", number: `${index}` }));
    expect((await write(many(1_000))).status).toBe(200);
    for (const [rules, field] of [
      [many(1_001), "rules"],
      [[{ account: "input_tax", number: "1".repeat(51) }], "rules.0.number"],
      [[{ account: "input_tax", number: "1", cost_centre: "1".repeat(51) }], "rules.0.cost_centre"],
      [[{ account: "input_tax", number: "1", text: "1".repeat(201) }], "rules.0.text"],
      [[{ account: "input_tax", number: "a\u0000" }], "rules.0.number"],
      [[{ account: "input_tax", number: "1", partner_id: "x" }], "rules.0.partner_id"],
      [[{ account: "cash", number: "1" }], "rules.0.account"],
    ] as const) {
      const { status, body } = await write(rules);
      expect([status, body.field]).toEqual([400, field]);
    }
    expect((await engine.call("GET", "/api/v1/posting-rules")).body.rules).toHaveLength(1_000);
  });
});
