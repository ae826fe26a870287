/** Books in a real browser: the journal of a month for the accountant, and the rules and settings that its programs need. */
import { readFileSync, writeFileSync } from "node:fs";
import { Journal } from "quittance";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as Readers from "../http/JournalReaders.ts";
import { call } from "../server/running.ts";
import { type Launched, launch } from "./Browser.ts";
import { expectClicks } from "./Budgets.ts";
import { createPortalKey, type Demo, startDemo } from "./Demo.ts";
import { arrive, IS_PHONE, settled, signIn, VIEWS, type Visitor } from "./Visitor.ts";

const ADMIN_TOKEN = "admin-token-of-the-pages-of-books";

let demo: Demo;
let launched: Launched;
let visitor: Visitor;

beforeAll(async () => {
  const settings = { QUITTANCE_ADMIN_TOKEN: ADMIN_TOKEN };
  [demo, launched] = await Promise.all([startDemo("memory:", settings), launch()]);
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
    expectClicks("export the books of a month", clicks);
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

  it("are exported as bills, and as the rest beside them", async () => {
    const { name, bytes } = await download("Bills for QuickBooks");
    expect(name).toMatch(new RegExp(`^bills-${month(1).label}-01-.*\\.csv$`));
    const [bills, rest] = [
      Readers.readQuickBooksBills(bytes.toString("utf8"), 2),
      Readers.readQuickBooks((await download("Rest for QuickBooks")).bytes.toString("utf8"), 2),
    ];
    expect(bills.length).toBeGreaterThan(0);
    expect(rest.map(({ account }) => account)).not.toContain("partner_payables");
    const whole = await posted(({ account }) => account, bills[0]?.currency ?? "EUR");
    expect(sums(rest).get("commission_expense")).toBe(whole.get("commission_expense"));
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
    await click('button:text-is("DATEV and Xero settings")');
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
});

/** The words of a month. */
const named = (label: string): string =>
  new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" }).format(
    new Date(`${label}-01T00:00:00Z`),
  );

/** Confirms what an open dialog asks. */
const confirm = async ({ page }: Visitor): Promise<void> => {
  await page.click("dialog button[type=submit]");
  await page.waitForSelector("dialog", { state: "detached" });
  await settled(page);
};

describe("a month", () => {
  const last = month(1).label;
  const row = ({ page }: Visitor) => page.locator(`tbody tr:has(a:text-is("${named(last)}"))`);

  it("has the postings of each entry in the columns of debit and credit, as the journal has them", async () => {
    const { page } = visitor;
    await visitor.visit(`books/months/${month(1).label}`);
    const { entries } = await demo.get(`journal?from=${month(1).start}&to=${month(0).start}&limit=50`);
    const written = (cents: number | undefined, currency: string): string =>
      cents === undefined
        ? ""
        : new Intl.NumberFormat("en-GB", { style: "currency", currency }).format(cents / 100);
    const postings: Array<ReadonlyArray<string>> = [];
    for (const { lines, currency } of entries)
      for (const { debit, credit } of lines)
        postings.push([written(debit, currency), written(credit, currency)]);
    const rows = page.locator('section[aria-label="Journal"] tbody tr');
    const shown = await rows.evaluateAll((all) =>
      all.map((row) => [...row.children].slice(-2).map((cell) => (cell as HTMLElement).innerText.trim())),
    );
    expect(shown).toEqual(postings);
    // What an entry is about stands once; each card has it.
    const times = await rows.locator("td:first-child time:visible").count();
    expect(times).toBe(IS_PHONE ? postings.length : entries.length);
  });

  it("is closed once it is said what that does, and shows who closed it and the hash of its journal", async () => {
    const { page } = visitor;
    await visitor.visit("books");
    await page.click('a:text-is("Months")');
    await settled(page);
    expect(await page.locator("main .sentence").innerText()).toContain("No month is closed");
    // The list offers to close one month, not each that has ended.
    expect(await page.locator("tbody button").count()).toBe(1);
    await row(visitor).locator("button").click();
    const asked = await page.locator("dialog").innerText();
    expect(asked).toContain("everything before");
    expect(asked).toContain("Its journal never changes again");
    expect(asked).toContain("another person than you");
    expect(await visitor.axe()).toEqual([]);
    await confirm(visitor);
    await row(visitor).locator('.badge:text-is("Closed")').waitFor();
    const { periods } = await demo.get("periods");
    const [{ journal }] = periods;
    const shown = await row(visitor).innerText();
    // A card leaves the hash out, which the page of the month has.
    expect(shown.includes(journal.sha256.slice(0, 12))).toBe(!IS_PHONE);
    expect(shown).toContain("You closed it. Only another person with settlements:approve can reopen it.");
    expect(await page.locator("main .sentence").innerText()).toContain(
      `${named(month(0).label)} can be closed when it has ended`,
    );
    await row(visitor).locator("a").click();
    await settled(page);
    const main = await page.locator("main").innerText();
    expect(main).toContain(journal.sha256);
    expect(main).toContain("This month and everything before it");
    const rows = page.locator("section[aria-label='Totals at the closing'] tbody tr");
    expect(await rows.count()).toBe(journal.totals.length);
  });

  it("has files only where it has entries", async () => {
    const link = visitor.page.locator('a:text-is("Files of this month")');
    await visitor.visit(`books/months/${last}`);
    expect(await link.count()).toBe(1);
    await visitor.visit("books/months/2001-01");
    await visitor.page.waitForSelector("text=Nothing is posted");
    expect(await link.count()).toBe(0);
  });

  it("is reopened by another person, with a reason", async () => {
    const { customer_id } = await demo.get("principal");
    const auditor = { customer_id, name: "Auditor", person: "auditor@example.com" };
    const { body } = await call(demo.url, ADMIN_TOKEN, "POST", "api-keys", auditor);
    const other = await arrive(launched.browser, demo.url, "console");
    await signIn(other, body.key);
    await other.visit("books/months");
    await row(other)
      .locator(`button:text-is("Reopen ${named(last)}")`)
      .click();
    expect(await other.page.locator("dialog").innerText()).toContain("present posting rules again");
    await other.page.fill("dialog textarea[name=reason]", "An invoice was missing");
    await confirm(other);
    await row(other).locator('.badge:text-is("Open again")').waitFor();
    expect(await row(other).innerText()).toContain("An invoice was missing");
    await row(other).locator("button").click();
    await confirm(other);
    expect(other.complaints).toEqual([]);
    await other.leave();
    await visitor.visit("books/months");
    await row(visitor)
      .locator(`button:text-is("Reopen ${named(last)}")`)
      .waitFor();
  });

  it("has the entries about sales of earlier months, with the month that they concern", async () => {
    const { attributions } = await demo.get("attributions?order=desc&per_page=1");
    const [{ partner_id, schema_id, metadata, view }] = attributions;
    const sale = {
      ...{ partner_id, schema_id, workspace_id: metadata.workspace_id, properties: view.properties },
      occurred_at: month(1).start,
    };
    const { status, body } = await call(demo.url, demo.key, "POST", "attributions", sale);
    expect([status, body.message]).toEqual([201, undefined]);
    await visitor.visit(`books/months/${month(0).label}`);
    const found = visitor.page.locator(`.under:text-is("Concerns ${named(last)}")`);
    while ((await found.count()) === 0) {
      await click('button:text-is("Show more entries")');
      await settled(visitor.page);
    }
  });
});

/** The text width of A4 with the margins of the pages, in pixels of the browser. */
const PAPER_WIDTH = Math.floor(((210 - 2 * 14) / 25.4) * 96);

/** A folder for the printed pages; without it none are kept. */
const { PICTURES } = process.env;

/** What is wrong with a page as it is printed, by line: controls, text cut at the right, broken amounts, pale text. */
const ON_PAPER = `(() => {
  const shown = (element) => element.checkVisibility({ visibilityProperty: true }) && element.closest(".visually-hidden") === null;
  const named = (element) => element.outerHTML.replace(/\\s+/g, " ").slice(0, 100);
  const luminance = (color) => {
    const parts = color.match(/[\\d.]+/g).slice(0, 3).map((part) => {
      const value = part / 255;
      return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
  };
  const found = [];
  const controls = "nav, input, select, textarea, summary, button:not(.why, .left), a.button";
  for (const element of document.querySelectorAll(controls)) if (shown(element)) found.push("control: " + named(element));
  const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (texts.currentNode.data.trim() === "" || !shown(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(texts.currentNode);
    const { right } = range.getBoundingClientRect();
    if (right > innerWidth + 0.5) found.push("cut off: " + named(element));
    if (1.05 / (luminance(getComputedStyle(element).color) + 0.05) < 4.5) found.push("pale: " + named(element));
  }
  for (const element of document.querySelectorAll("main .amount"))
    if (shown(element) && new Set([...element.getClientRects()].map(({ top }) => top)).size > 1)
      found.push("broken: " + named(element));
  return found;
})()`;

describe("on paper", () => {
  it("settlements, statements and books have no control, nothing is cut off, and text is dark in a dark theme as well", async () => {
    const [{ id, partner_id }] = (await demo.get("settlements?statuses=paid&order=desc&per_page=1"))
      .settlements;
    const pages = [
      ["console", `settlements/${id}`],
      ["console", `partners/${partner_id}/statement`],
      ["console", "books"],
      ["console", `books/months/${month(1).label}`],
      ["portal", `settlements/${id}`],
      ["portal", "statement"],
    ] as const;
    const opened = {
      console: await arrive(launched.browser, demo.url, "console", { width: 1280, scheme: "dark" }),
      portal: await arrive(launched.browser, demo.url, "portal", { width: 1280, scheme: "dark" }),
    };
    await signIn(opened.console, demo.key);
    await signIn(opened.portal, await createPortalKey(demo, partner_id));
    for (const [at, route] of pages) {
      const { page, visit } = opened[at];
      await page.setViewportSize({ width: PAPER_WIDTH, height: 900 });
      await visit(route);
      await page.emulateMedia({ media: "print", colorScheme: "dark" });
      expect([at, route, await page.evaluate("document.body.innerText.length > 200")]).toEqual([
        at,
        route,
        true,
      ]);
      expect([at, route, await page.evaluate(ON_PAPER)]).toEqual([at, route, []]);
      const pdf = await page.pdf({ format: "A4", preferCSSPageSize: true });
      expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
      if (PICTURES !== undefined) writeFileSync(`${PICTURES}/${at}-${route.replaceAll("/", "-")}.pdf`, pdf);
      await page.emulateMedia({ media: "screen" });
    }
    for (const at of ["console", "portal"] as const) {
      expect(opened[at].complaints).toEqual([]);
      await opened[at].leave();
    }
  });
});

describe("the pages of the books", () => {
  it.each(VIEWS)("have no fault of accessibility at %o, and nothing is cut off", async (view) => {
    const other = await arrive(launched.browser, demo.url, "console", view);
    await signIn(other, demo.key);
    for (const route of ["books", "books/rules", "books/months", `books/months/${month(1).label}`]) {
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
