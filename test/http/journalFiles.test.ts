/** Files of the journal for accounting programs, read by independent readers, and by the programs themselves where they are. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Chunk, Effect, Stream } from "effect";
import {
  array,
  assert,
  bigInt,
  constantFrom,
  oneof,
  option,
  property,
  record,
  string,
  tuple,
} from "fast-check";
import { type Books, Currency, Journal, type JournalFile, type Journals } from "quittance";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FORMS, file } from "../../adapters/http/wire/journal/Forms.ts";
import { type Engine, start } from "./Engine.ts";
import * as Readers from "./JournalReaders.ts";
import { paidAndCancelled, type scene } from "./Scene.ts";

const ACCOUNTS = Object.keys(Journal.ACCOUNTS) as ReadonlyArray<Journal.Account>;

/** Texts that end cells, rows, comments, strings and account names, or that begin formulas. */
const HOSTILE = [
  ...['=cmd|"x"', "+1", "-1", "@SUM(1)", "a;b", "a;=1", 'a"b', "a,b", "a\r\nb", "a\nb", "a\tb", "\u2028"],
  ...["(code) name", "* name", "! name", "name | note", "a: b, c", "; comment", "\\", '\\"', "{x}", "\u0085"],
  ...[
    "Łódź 日本 ＝1",
    "é",
    "’–€",
    "  two  spaces ",
    "Ω",
    "\u{1f600}",
    "e\u0301",
    "#tag",
    "^link",
    "[2020-01-01]",
  ],
];

const text = oneof(
  constantFrom(...HOSTILE),
  tuple(constantFrom(...HOSTILE), constantFrom(...HOSTILE)).map((parts) => parts.join("")),
  string({ minLength: 1, maxLength: 80, unit: "binary" }).filter(
    (one) => one.trim() !== "" && one.isWellFormed(),
  ),
);

const NUMBERS: { readonly [Name in JournalFile.Format]: ReadonlyArray<string> } = {
  ...{ csv: HOSTILE, spreadsheet: HOSTILE, beancount: HOSTILE, quickbooks: HOSTILE },
  // Those that no account of `hledger` can have are written alike.
  hledger: HOSTILE.filter((number) => !/[\t\n;\u0085\u2028]/.test(number)),
  ...{ datev: ["6770", "70001", "0027", "3300"], xero: ["200", "A-1", "=1+1", 'a"b', "a,b"] },
  ...{ quickbooks_bills: HOSTILE, xero_bills: ["200", "A-1", "=1+1", 'a"b', "a,b"] },
};

/** More than ten digits have room in a field. */
const BILLION = 1_000_000_000n;

const linesOf = (numbers: ReadonlyArray<string>, isNumbered: boolean) =>
  array(
    record({
      amount: oneof(
        bigInt({ min: -500_000n, max: 500_000n }),
        bigInt({ min: -30n * BILLION, max: 30n * BILLION }),
      ),
      number: isNumbered ? constantFrom(...numbers) : option(constantFrom(...numbers), { nil: null }),
      costCentre: option(constantFrom("sales north", "7"), { nil: null }),
      text: option(text, { nil: null }),
    }),
    { minLength: 1, maxLength: ACCOUNTS.length - 1 },
  ).map((given): ReadonlyArray<Books.Posting> => {
    const lines = given
      .filter(({ amount }) => amount !== 0n)
      .map(({ amount, number, costCentre, text: words }, index) => ({
        ...{ account: ACCOUNTS[index] as Journal.Account, amount },
        ...(number === null ? {} : { number }),
        ...(costCentre === null ? {} : { costCentre }),
        ...(words === null ? {} : { text: words }),
      }));
    const rest = lines.reduce((sum, { amount }) => sum - amount, 0n);
    const last = { account: ACCOUNTS.at(-1) as Journal.Account, amount: rest, number: numbers[0] as string };
    return rest === 0n ? lines : [...lines, last];
  });

const FROM = Date.UTC(2026, 1, 1);
const TO = Date.UTC(2026, 2, 1);
const ID = "5f0c0000-0000-4000-8000-000000000001";

const entryOf = (currency: string, numbers: ReadonlyArray<string>, isNumbered: boolean) =>
  record({
    at: constantFrom(FROM, TO - 1, Date.UTC(2026, 1, 14, 12)),
    partnerName: text,
    document: option(text, { nil: null }),
    concerns: constantFrom(null, "2026-01"),
    reference: option(text, { nil: null }),
    text,
    lines: linesOf(numbers, isNumbered),
  }).map(
    (given): Journals.JournalEntry =>
      ({
        ...given,
        ...{ kind: "earned", partnerId: ID, commissionId: ID, settlementId: null, currency },
      }) as unknown as Journals.JournalEntry,
  );

const HEAD = {
  ...{ from: FROM, to: TO, final: true, createdAt: TO },
  datev: { consultant: 29_098, client: 55_003, accountLength: 4, fiscalYearStart: "07-01" },
  xero: { taxRate: "No VAT", trackingCategory: "Department" },
};

const written = async (
  format: JournalFile.Format,
  currency: string,
  entries: ReadonlyArray<Journals.JournalEntry>,
): Promise<Uint8Array> => {
  const head = { ...HEAD, currency: Currency.Currency.make(currency) };
  const chunks = Stream.runCollect(file(FORMS[format], head, Stream.fromIterable(entries)));
  return Buffer.concat(Chunk.toReadonlyArray(await Effect.runPromise(chunks)));
};

const read = (
  format: JournalFile.Format,
  bytes: Uint8Array,
  decimals: number,
): ReadonlyArray<Readers.Read> => {
  const utf8 = () => new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  switch (format) {
    case "datev":
      return Readers.readDatev(bytes, decimals);
    case "quickbooks":
      return Readers.readQuickBooks(utf8(), decimals);
    case "xero":
      return Readers.readXero(utf8(), decimals);
    case "hledger":
      return Readers.readHledger(utf8(), decimals);
    case "beancount":
      return Readers.readBeancount(utf8(), decimals);
    default:
      return [];
  }
};

/** Sums of what is posted, by the parts of a posting that `keyOf` names. */
const sums = <One extends { readonly amount: bigint }>(
  postings: ReadonlyArray<One>,
  keyOf: (posting: One) => string,
): Readonly<Record<string, string>> => {
  const found = new Map<string, bigint>();
  for (const posting of postings)
    found.set(keyOf(posting), (found.get(keyOf(posting)) ?? 0n) + posting.amount);
  return Object.fromEntries(
    [...found].filter(([, sum]) => sum !== 0n).map(([key, sum]) => [key, String(sum)]),
  );
};

const PROGRAMS = ["datev", "quickbooks", "xero", "hledger", "beancount"] as const;

/** How a file names the account of a posting: by the number alone, or below the account of the journal. */
const keyOf = (format: JournalFile.Format, { account, number }: Books.Posting): string =>
  format === "hledger" || format === "beancount" ? `${account} ${number ?? ""}` : (number ?? account);

/** Lists of random entries. */
const sampled = (format: JournalFile.Format, currency: string, count: number) => {
  const isNumbered = format === "datev" || format === "xero" || format === "xero_bills";
  const found: Array<ReadonlyArray<Journals.JournalEntry>> = [];
  const entries = array(entryOf(currency, NUMBERS[format], isNumbered), { maxLength: 6 });
  assert(
    property(entries, (one) => void found.push(one)),
    { numRuns: count },
  );
  return found;
};

describe.each(PROGRAMS)("a file for %s", (format) => {
  it.each(["EUR", "JPY"])("posts what the journal posts in %s, whatever texts it has", async (currency) => {
    const decimals = Currency.decimals(Currency.Currency.make(currency));
    for (const entries of sampled(format, currency, 150)) {
      const found = read(format, await written(format, currency, entries), decimals);
      expect(sums(found, ({ entry }) => entry)).toEqual({});
      const posted = entries.flatMap(({ at, lines }) =>
        lines.map((line) => ({
          amount: line.amount,
          key: `${new Date(at).toISOString().slice(0, 10)} ${keyOf(format, line)}`,
        })),
      );
      // The names of accounts differ between formats: what is posted to them does not.
      const values = (all: Readonly<Record<string, string>>) => Object.values(all).sort();
      expect(values(sums(found, ({ day, account }) => `${day} ${account}`))).toEqual(
        values(sums(posted, ({ key }) => key)),
      );
      const debits = (all: ReadonlyArray<{ readonly amount: bigint }>) =>
        all.reduce((sum, { amount }) => (amount > 0n ? sum + amount : sum), 0n);
      expect(debits(found)).toBe(debits(posted));
    }
  });
});

const BILLS = { quickbooks_bills: Readers.readQuickBooksBills, xero_bills: Readers.readXeroBills } as const;
type Bills = keyof typeof BILLS;

const billRows = (format: Bills, bytes: Uint8Array, decimals: number) =>
  BILLS[format](new TextDecoder("utf-8", { fatal: true }).decode(bytes), decimals);

/** What documents make payable, by currency. */
const liabilities = (entries: ReadonlyArray<Pick<Journals.JournalEntry, "currency" | "kind" | "lines">>) =>
  sums(
    entries.flatMap(({ kind, currency, lines }) =>
      lines
        .filter(({ account }) => kind === "billed" && account === "partner_payables")
        .map(({ amount }) => ({ currency, amount: -amount })),
    ),
    ({ currency }) => currency,
  );

describe.each(["quickbooks_bills", "xero_bills"] as const)("bills as %s", (format) => {
  it.each(["EUR", "JPY"])(
    "add up to what the documents make payable in %s, whatever texts they have",
    async (currency) => {
      const decimals = Currency.decimals(Currency.Currency.make(currency));
      for (const given of sampled(format, currency, 100)) {
        const entries = given.map(
          (entry, index): Journals.JournalEntry => ({
            ...entry,
            ...(index % 3 === 2 ? {} : { kind: "billed", dueOn: "2026-03-14" }),
            settlementId: ID as Journals.JournalEntry["settlementId"],
          }),
        );
        const found = billRows(format, await written(format, currency, entries), decimals);
        expect(sums(found, (row) => row.currency)).toEqual(liabilities(entries));
        const posted = entries
          .filter(({ kind }) => kind === "billed")
          .flatMap(({ at, lines }) =>
            lines
              .filter(({ account }) => account !== "partner_payables")
              .map(({ amount }) => `${new Date(at).toISOString().slice(0, 10)} 2026-03-14 ${amount}`),
          );
        expect(found.map(({ day, due, amount }) => `${day} ${due} ${amount}`)).toEqual(posted);
      }
    },
  );
});

const COMMANDS = {
  hledger: ["hledger", "check", "-f"],
  beancount: ["bean-check"],
} as const;

describe.each(["hledger", "beancount"] as const)("the program %s", (format) => {
  const [program, ...parameters] = COMMANDS[format];
  const isThere = spawnSync(program, ["--version"]).status === 0;
  const directory = mkdtempSync(join(tmpdir(), "journal-"));
  afterAll(() => rmSync(directory, { recursive: true }));

  it.skipIf(!isThere)(
    "accepts files of any texts",
    async () => {
      const path = join(directory, "journal");
      for (const entries of sampled(format, "EUR", 12)) {
        writeFileSync(path, await written(format, "EUR", entries));
        expect(execFileSync(program, [...parameters, path], { encoding: "utf8" })).toBe("");
      }
    },
    60_000,
  );
});

let engine: Engine;
let made: Awaited<ReturnType<typeof scene>>;

const RULES = [
  { account: "commission_expense", number: "6770", cost_centre: "north", text: "Provision {partner}" },
  { account: "accrued_commissions", number: "3070" },
  { account: "commissions_awaiting_receipt", number: "3071" },
  { account: "input_tax", number: "1406" },
  { account: "partner_payables", tax_treatment: "reverse_charge", number: "70001" },
  { account: "partner_payables", number: "70000" },
  { account: "payments", number: "1800" },
  { account: "settled_elsewhere", number: "6771" },
  { account: "written_off_commissions", number: "4830" },
];
const DATEV = { consultant: 29_098, client: 55_003, account_length: 4, fiscal_year_start: "01-01" };
const XERO = { tax_rate: "No VAT", tracking_category: "Department" };

const write = (body: object) => engine.call("PUT", "/api/v1/posting-rules", { json: body });

/** The journal of this year until now. */
const journal = (query: string) =>
  engine.call("GET", `/api/v1/journal?from=${new Date().getUTCFullYear()}-01-01T00:00:00Z&${query}`);

/** The same as postings. */
const postings = async (format: JournalFile.Format) => {
  const { status, bytes, text: problem } = await journal(`format=${format}&currency=EUR`);
  if (status !== 200) throw new Error(problem);
  return read(format, bytes, 2);
};

const refusal = async (query: string) => {
  const { status, body } = await journal(query);
  return [status, body.field, body.message];
};

describe("GET /journal as a file for a program", () => {
  beforeAll(async () => {
    engine = await start();
    made = await paidAndCancelled(engine);
    expect((await write({ rules: RULES, datev: DATEV, xero: XERO })).status).toBe(200);
  });

  it.each(["datev", "xero", "quickbooks"] as const)(
    "has the balances of the accounts for %s",
    async (format) => {
      expect(sums(await postings(format), ({ account }) => account)).toEqual({
        ...{ "3070": "1200", "1406": "300", "1800": "-1500" },
      });
    },
  );

  it.each([
    [
      "hledger",
      "assets:input tax:1406",
      "liabilities:accrued commissions:3070",
      "assets:payments to partners:1800",
    ],
    [
      "beancount",
      "Assets:InputTax:1406",
      "Liabilities:AccruedCommissions:3070",
      "Assets:PaymentsToPartners:1800",
    ],
  ] as const)("has them below the accounts of the journal for %s", async (format, tax, accrued, paid) => {
    const found = sums(await postings(format), ({ account }) => account);
    expect(found).toEqual({ [accrued]: "1200", [tax]: "300", [paid]: "-1500" });
  });

  it("is named and typed as the program expects it", async () => {
    const headers = async (format: string) => {
      const found = (await journal(`format=${format}&currency=EUR`)).headers;
      return [found.get("content-type"), found.get("content-disposition")];
    };
    expect(await headers("datev")).toEqual([
      "text/csv; charset=windows-1252; header=present",
      expect.stringMatching(/^attachment; filename="EXTF_journal-\d{4}-01-01-.*\.csv"$/),
    ]);
    expect(await headers("beancount")).toEqual([
      "text/plain; charset=utf-8",
      expect.stringMatching(/\.beancount"$/),
    ]);
  });

  it("has for DATEV a row for each pair of accounts, with the document as the key of open items", async () => {
    const { header, columns, rows } = Readers.readDatevLines(
      (await journal("format=datev&currency=EUR")).bytes,
    );
    const year = new Date().getUTCFullYear();
    expect(header.slice(10, 15)).toEqual(["29098", "55003", `${year}0101`, "4", `${year}0101`]);
    expect(columns[124]).toBe("Abw. Skontokonto");
    const shown = rows.map((cells) => [0, 1, 6, 7, 10, 13, 36].map((index) => cells[index]).join(" "));
    const billed = "INV-000001";
    expect(shown).toEqual([
      '12,00 "S" 6770 3070 "" "Provision Nordlys ApS" "north"',
      `12,00 "S" 3070 70000 "${billed}" "Invoice ${billed}" ""`,
      `3,00 "S" 1406 70000 "${billed}" "Invoice ${billed}" ""`,
      `15,00 "S" 70000 1800 "${billed}" "Payment of ${billed}" ""`,
      expect.stringMatching(/^12,00 "H" 6770 3070 "" /),
    ]);
  });

  it.each(["quickbooks_bills", "xero_bills"] as const)(
    "has the documents as bills for %s, which with the other kinds post the whole journal",
    async (format) => {
      const file = await journal(`format=${format}`);
      expect(file.headers.get("content-disposition")).toMatch(/filename="bills-\d{4}-01-01-.*\.csv"$/);
      const rows = billRows(format, file.bytes, 2);
      const billed = "INV-000001";
      expect(rows.map(({ entry, supplier, account, amount }) => [entry, supplier, account, amount])).toEqual([
        [billed, "Nordlys ApS", "3070", 1200n],
        [billed, "Nordlys ApS", "1406", 300n],
      ]);
      const { due_date, payable_amount } = (
        await engine.call("GET", `/api/v1/settlements?partner_ids=${made.partnerId}`)
      ).body.settlements[0].view;
      expect(new Set(rows.map(({ due }) => due))).toEqual(new Set([due_date]));
      expect(sums(rows, ({ currency }) => currency)).toEqual({ EUR: String(payable_amount) });
      const others = Journal.Kind.literals.filter((kind) => kind !== "billed");
      const query = `currency=EUR&${others.map((kind) => `kinds=${kind}`).join("&")}`;
      const rest = Readers.readQuickBooks((await journal(`format=quickbooks&${query}`)).text, 2);
      const payable = { ...rows[0], account: "70000", amount: -BigInt(payable_amount) } as Readers.BillRow;
      const whole = Readers.readQuickBooks((await journal("format=quickbooks&currency=EUR")).text, 2);
      const byAccount = ({ account }: Readers.Read) => account;
      expect(sums([...rest, ...rows, payable], byAccount)).toEqual(sums(whole, byAccount));
      expect((await journal(query)).body.entries).toHaveLength(3);
    },
  );

  it("contains entries of the stated kinds alone, page by page", async () => {
    const kinds = "kinds=billed&kinds=paid";
    const page = (await journal(`${kinds}&limit=1`)).body;
    const next = (await journal(`${kinds}&limit=1&to=${page.to}&after=${page.next_cursor}`)).body;
    const all = (await journal(kinds)).body.entries;
    expect(all.map(({ kind }: { kind: string }) => kind)).toEqual(["billed", "paid"]);
    expect([...page.entries, ...next.entries].slice(0, 2).length).toBeGreaterThan(0);
    expect(await refusal(`limit=1&to=${page.to}&after=${page.next_cursor}`)).toEqual([
      ...[400, "after", expect.any(String)],
    ]);
    expect((await journal("kinds=sold")).status).toBe(400);
  });

  it("contains entries of the stated currency alone", async () => {
    expect((await journal("currency=USD")).body.entries).toEqual([]);
    expect((await journal("currency=EUR")).body.entries).toHaveLength(4);
    expect(await refusal("currency=XXX")).toEqual([400, "currency", expect.any(String)]);
    for (const format of ["datev", "quickbooks", "xero"])
      expect(await refusal(`format=${format}`)).toEqual([
        ...[400, "currency"],
        `currency: is required for ${format}, whose files have one currency`,
      ]);
    const page = (await journal("currency=EUR&limit=1")).body;
    expect(await refusal(`limit=1&to=${page.to}&after=${page.next_cursor}`)).toEqual([
      ...[400, "after", expect.any(String)],
    ]);
  });

  it("is refused where the books lack what its format needs, in words that say what", async () => {
    const [first = {}, ...others] = RULES;
    const cases = [
      ["datev", { rules: RULES }, /^format: datev needs the settings datev: consultant, client/],
      ["xero", { rules: RULES }, /^format: xero needs the settings xero: tax_rate/],
      [
        "datev",
        { rules: others, datev: DATEV },
        /without conditions for each account, and commission_expense has none/,
      ],
      [
        "datev",
        { rules: [{ ...first, plan_id: made.partnerId }, ...others], datev: DATEV },
        /without conditions for each account, and commission_expense has none/,
      ],
      [
        "datev",
        { rules: [{ ...first, number: "67A" }, ...others], datev: DATEV },
        /a rule for commission_expense has 67A/,
      ],
      ["datev", { rules: [{ ...first, number: "677000" }, ...others], datev: DATEV }, /at most 5 digits/],
      [
        "datev",
        { rules: [{ ...first, cost_centre: "a-b" }, ...others], datev: DATEV },
        /cost centres of at most 36/,
      ],
      [
        "xero",
        { rules: [{ ...first, number: "12345678901" }, ...others], xero: XERO },
        /at most 10 characters/,
      ],
    ] as const;
    for (const [format, body, words] of cases) {
      expect((await write(body)).status).toBe(200);
      expect(await refusal(`format=${format}&currency=EUR`)).toEqual([
        ...[400, "format", expect.stringMatching(words)],
      ]);
    }
    expect((await write({ rules: RULES, datev: DATEV, xero: XERO })).status).toBe(200);
    expect(await refusal("format=datev&currency=KWD")).toEqual([
      ...[400, "currency", "currency: has 3 decimals, and amounts for datev have two"],
    ]);
    const { status, body } = await engine.call(
      "GET",
      "/api/v1/journal?from=2024-05-01T00:00:00Z&to=2025-02-01T00:00:00Z&format=datev&currency=EUR",
    );
    expect([status, body.message]).toEqual([
      400,
      "to: must be in the fiscal year of from for datev, which ends on 2024-12-31",
    ]);
  });

  it("has settings that are read, logged and taken away again, and refused where they are wrong", async () => {
    expect((await engine.call("GET", "/api/v1/posting-rules")).body).toMatchObject({
      datev: DATEV,
      xero: XERO,
    });
    await engine.settle();
    const events = async () =>
      (await engine.call("GET", "/api/v1/events?types=write_posting_rules")).body.events;
    expect((await events()).at(-1).event).toMatchObject({ datev: DATEV, xero: XERO });
    const before = (await events()).length;
    for (const [datev, field] of [
      [{ ...DATEV, consultant: 1 }, "datev.consultant"],
      [{ ...DATEV, client: 100_000 }, "datev.client"],
      [{ ...DATEV, account_length: 9 }, "datev.account_length"],
      [{ ...DATEV, fiscal_year_start: "02-29" }, "datev.fiscal_year_start"],
      [{ ...DATEV, fiscal_year_start: "1-1" }, "datev.fiscal_year_start"],
      [{ consultant: 29_098 }, "datev.client"],
    ] as const) {
      const { status, body } = await write({ rules: RULES, datev });
      expect([status, body.field]).toEqual([400, field]);
    }
    expect((await write({ rules: RULES, xero: { tax_rate: " " } })).body.field).toBe("xero.tax_rate");
    await engine.settle();
    expect(await events()).toHaveLength(before);
    expect((await write({ rules: RULES })).status).toBe(200);
    const { body } = await engine.call("GET", "/api/v1/posting-rules");
    expect([body.datev, body.xero]).toEqual([undefined, undefined]);
  });
});
