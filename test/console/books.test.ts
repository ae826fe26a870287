/** Books in a real browser: the journal of a month for the accountant, and the rules and settings that its programs need. */
import { readFileSync } from "node:fs";
import { Journal } from "quittance";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as Readers from "../http/JournalReaders.ts";
import { call } from "../server/running.ts";
import { type Launched, launch } from "./Browser.ts";
import { type Demo, startDemo } from "./Demo.ts";
import { arrive, settled, signIn, VIEWS, type Visitor } from "./Visitor.ts";

let demo: Demo;
let launched: Launched;
let visitor: Visitor;

beforeAll(async () => {
  [demo, launched] = await Promise.all([startDemo(), launch()]);
  visitor = await arrive(launched.browser, demo.url, "console");
  await signIn(visitor, demo.key);
});

afterAll(async () => {
  await launched?.close();
  await demo?.stop();
});

let clicks = 0;
const click = async (selector: string): Promise<void> => {
  clicks += 1;
  await visitor.page.click(selector);
};

/** Clicks a button and returns the bytes and the name of the file that it saves. */
const download = async (words: string) => {
  const [file] = await Promise.all([
    visitor.page.waitForEvent("download"),
    click(`button:text-is("${words}")`),
  ]);
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
};

/** The first moment of the month so many months ago, and its name. */
const month = (back: number) => {
  const now = new Date();
  const start = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1));
  return { start: start.toISOString(), label: start.toISOString().slice(0, 7) };
};

/** What the interface says that the journal of the month before this one posts, by account, as 2026-01-31 and an amount. */
const posted = async (nameOf: (line: { account: string; number?: string }) => string, currency: string) => {
  const [from, to] = [month(1).start, month(0).start];
  const found = new Map<string, bigint>();
  for (let after = ""; ; ) {
    const page = await demo.get(`journal?from=${from}&to=${to}&currency=${currency}${after}`);
    for (const { lines } of page.entries)
      for (const line of lines) {
        const name = nameOf(line);
        found.set(name, (found.get(name) ?? 0n) + BigInt(line.debit ?? -line.credit));
      }
    if (page.next_cursor === null) return found;
    after = `&after=${page.next_cursor}`;
  }
};

const sums = (read: ReadonlyArray<Readers.Read>): ReadonlyMap<string, bigint> => {
  const found = new Map<string, bigint>();
  for (const { account, amount } of read) found.set(account, (found.get(account) ?? 0n) + amount);
  return found;
};

const alert = () => visitor.page.locator("main [role=alert]").innerText();

/** The number of each account in the tests, and of the account of one plan. */
const numberOf = (account: string): string => String(4_000 + Object.keys(Journal.ACCOUNTS).indexOf(account));

describe("the books of a month", () => {
  it("are exported in at most four clicks, as the interface has them", async () => {
    clicks = 0;
    await visitor.visit("");
    await click('nav a:text-is("Books")');
    await settled(visitor.page);
    const { name, bytes } = await download("For QuickBooks");
    expect(clicks).toBeLessThanOrEqual(4);
    expect(name).toBe(
      `journal-${month(1).label}-01-${new Date(Date.parse(month(0).start) - 1).toISOString().slice(0, 10)}.csv`,
    );
    const read = sums(Readers.readQuickBooks(bytes.toString("utf8"), 2));
    const currency = (await visitor.page.locator("select:has(optgroup[label=Currencies])").count())
      ? await visitor.page.locator("select:has(optgroup[label=Currencies])").inputValue()
      : "EUR";
    expect(read).toEqual(await posted(({ account }) => account, currency));
    expect(read.size).toBeGreaterThan(3);
  });

  it("are exported for plain text accounting and spreadsheets, and payables as CSV", async () => {
    for (const [words, end] of [
      ["Journal as CSV", ".csv"],
      ["For hledger", ".journal"],
      ["For beancount", ".beancount"],
      ["Payables as CSV", ".csv"],
    ] as const)
      expect((await download(words)).name).toMatch(new RegExp(`${end}$`));
  });

  it("are of the month and the currency that are chosen", async () => {
    const { page } = visitor;
    await page.locator("select:has(optgroup[label=Months])").selectOption(month(2).label);
    await settled(page);
    expect((await download("Journal as CSV")).name).toContain(`journal-${month(2).label}-01`);
    await page.locator("select:has(optgroup[label=Months])").selectOption(month(0).label);
    await settled(page);
    expect(await page.locator("section:has(h2:text-is('Journal of a month')) .note").innerText()).toContain(
      "This month has not ended",
    );
    expect((await download("Journal as CSV")).name).toContain(`journal-${month(0).label}-01`);
    await page.locator("select:has(optgroup[label=Months])").selectOption(month(1).label);
    await settled(page);
  });

  it("say what a program needs that is missing", async () => {
    await click('button:text-is("For DATEV")');
    await visitor.page.waitForSelector("main [role=alert]");
    expect(await alert()).toContain("datev needs the settings datev");
  });
});

describe("posting rules", () => {
  it("are written by the names of plans, workspaces and partners", async () => {
    const { page } = visitor;
    const rules = Object.keys(Journal.ACCOUNTS).map((account) => ({ account, number: numberOf(account) }));
    expect((await call(demo.url, demo.key, "PUT", "posting-rules", { rules })).status).toBe(200);
    await visitor.visit("books/rules");
    await click('button:text-is("Add a rule")');
    await page.fill("input[name=number]", "4900");
    const plan = page.locator("select[name=planId] option").nth(1);
    const planName = await plan.innerText();
    await page.locator("select[name=planId]").selectOption({ label: planName });
    const workspace = page.locator("dialog select[name=workspaceId]");
    const workspaceName = await workspace.locator("option").nth(1).innerText();
    await workspace.selectOption({ label: workspaceName });
    const partner = page.locator("dialog fieldset.choices label").first();
    const partnerName = await partner.innerText();
    await partner.click();
    expect(await visitor.axe()).toEqual([]);
    await page.click("dialog button[type=submit]");
    await page.waitForSelector("dialog", { state: "detached" });
    await settled(page);
    const first = page.locator("tbody tr").first();
    expect(await first.innerText()).toContain(`Plan: ${planName}; Partner: ${partnerName}`);
    const written = (await demo.get("posting-rules")).rules;
    expect(written).toHaveLength(rules.length + 1);
    expect(written[0]).toEqual({
      ...{ account: "commission_expense", number: "4900" },
      ...{ plan_id: expect.any(String), partner_id: expect.any(String) },
    });
  });

  it("keep the settings of files, which are filled in on the same page", async () => {
    const { page } = visitor;
    await click('button:text-is("Settings of files")');
    await page.fill("input[name=consultant]", "29098");
    await page.click("dialog button[type=submit]");
    await page.waitForSelector("dialog [role=alert]");
    expect(await page.locator("dialog [role=alert]").innerText()).toContain("Fill in all fields of DATEV");
    await page.fill("input[name=client]", "55003");
    await page.fill("input[name=accountLength]", "4");
    await page.fill("input[name=taxRate]", "No VAT");
    expect(await visitor.axe()).toEqual([]);
    await page.click("dialog button[type=submit]");
    await page.waitForSelector("dialog", { state: "detached" });
    await settled(page);
    expect(await page.locator("main").innerText()).toContain("DATEV: consultant 29098, client 55003");
    await page.click('tbody tr >> nth=0 >> button:text-is("Remove")');
    await page.click("dialog button[type=submit]");
    await page.waitForSelector("dialog", { state: "detached" });
    await settled(page);
    const { rules, datev, xero } = await demo.get("posting-rules");
    expect([rules.length, datev.client, xero]).toEqual([
      Object.keys(Journal.ACCOUNTS).length,
      55_003,
      { tax_rate: "No VAT" },
    ]);
  });

  it("give DATEV and Xero the numbers of the accounts", async () => {
    await visitor.visit("books");
    const currency = (await visitor.page.locator("select:has(optgroup[label=Currencies])").count())
      ? await visitor.page.locator("select:has(optgroup[label=Currencies])").inputValue()
      : "EUR";
    const expected = await posted(({ number }) => number ?? "", currency);
    const datev = await download("For DATEV");
    expect(datev.name).toMatch(/^EXTF_journal-/);
    const nonzero = (all: ReadonlyMap<string, bigint>) =>
      Object.fromEntries([...all].filter(([, sum]) => sum !== 0n).map(([name, sum]) => [name, String(sum)]));
    expect(nonzero(sums(Readers.readDatev(datev.bytes, 2)))).toEqual(nonzero(expected));
    const xero = await download("For Xero");
    expect(nonzero(sums(Readers.readXero(xero.bytes.toString("utf8"), 2)))).toEqual(nonzero(expected));
  });

  it.each(VIEWS)("and books have no fault of accessibility at %o, and nothing is cut off", async (view) => {
    const other = await arrive(launched.browser, demo.url, "console", view);
    await signIn(other, demo.key);
    for (const route of ["books", "books/rules"]) {
      await other.visit(route);
      expect(await other.axe()).toEqual([]);
      expect(
        await other.page.evaluate(
          "document.documentElement.scrollWidth <= document.documentElement.clientWidth",
        ),
      ).toBe(true);
    }
    expect(other.complaints).toEqual([]);
    await other.leave();
  });
});
