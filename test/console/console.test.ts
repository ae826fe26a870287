/** The console and the portal in a real browser, on the example company: every page and action, findings of axe, errors of the browser. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call } from "../server/running.ts";
import { type Launched, launch } from "./Browser.ts";
import { createPortalKey, type Demo, startDemo } from "./Demo.ts";
import { walkByTab } from "./Keyboard.ts";
import { type Loss, type LossyProxy, startLossyProxy } from "./LossyProxy.ts";
import { arrive, settled, signIn, until, type Visitor } from "./Visitor.ts";

let demo: Demo;
let launched: Launched;
let visitor: Visitor;

beforeAll(async () => {
  [demo, launched] = await Promise.all([startDemo(), launch()]);
  visitor = await arrive(launched.browser, demo.url, "console");
});

afterAll(async () => {
  await launched?.close();
  await demo?.stop();
});

const idOf = async (query: string): Promise<string> =>
  (await demo.get(`settlements?per_page=1&${query}`)).settlements[0].id;

const statusOf = async (id: string): Promise<string> =>
  (await demo.get(`settlements?ids=${id}`)).settlements[0].view.status.type;

const text = (selector = "main"): Promise<string> => visitor.page.locator(selector).first().innerText();

/** Opens the dialog of an action, returns its sentences, and confirms it. */
const act = async (words: string, fill: () => Promise<void> = async () => {}): Promise<string> => {
  const { page } = visitor;
  await page.click(`.actions button:text-is("${words}")`);
  const consequences = await page.locator("dialog .consequences").innerText();
  await fill();
  await page.click("dialog button[type=submit]");
  await page.waitForSelector("dialog", { state: "detached" });
  await settled(page);
  // On the button, or on the heading when the button is gone.
  await until(page, "document.activeElement.closest('main') !== null");
  return consequences;
};

/** The lines of the file that the export of the page saves. */
const exportedRows = async (): Promise<ReadonlyArray<string>> => {
  const [file] = await Promise.all([
    visitor.page.waitForEvent("download"),
    visitor.page.click('button:has-text("as CSV")'),
  ]);
  return readFileSync(await file.path(), "utf8")
    .replace(/\r\n$/, "")
    .split("\r\n");
};

/** The requests of a list that a page sends while something is done, each with its query. */
const requestsOf = async (list: string, act: () => Promise<unknown>): Promise<ReadonlyArray<string>> => {
  const found: Array<string> = [];
  const note = (request: { readonly url: () => string }): void => {
    const { pathname, search } = new URL(request.url());
    if (pathname.endsWith(`/api/v1/${list}`)) found.push(search);
  };
  visitor.page.on("request", note);
  await act();
  await settled(visitor.page);
  visitor.page.off("request", note);
  return found;
};

/** Presses the head of a column, which changes the order of the list. */
const sortBy = async (column: string): Promise<void> => {
  await visitor.page.getByRole("columnheader").getByRole("button", { name: column, exact: true }).click();
  await settled(visitor.page);
};

/** The ids of the records that the rows of the list lead to. */
const listed = async ({ page } = visitor): Promise<ReadonlyArray<string>> =>
  (await page.evaluate(
    "[...document.querySelectorAll('main tbody tr')].map((row) => row.querySelector('a').hash.split('/').at(-1))",
  )) as Array<string>;

interface Balance {
  readonly partner_id: string;
  readonly currency: string;
  readonly due: number;
  readonly pending: number;
  readonly settled: number;
}

interface Listed {
  readonly id: string;
  readonly currency: string;
  readonly view: { readonly total: number };
}

/** By currency, then by the net amount. */
const byNet =
  (sign: 1 | -1) =>
  (a: Listed, b: Listed): number =>
    a.currency === b.currency ? sign * (a.view.total - b.view.total) : a.currency < b.currency ? -1 : 1;

describe("signing in", () => {
  it("explains API keys, and refuses a key that the server rejects", async () => {
    const { page } = visitor;
    await page.click("button[type=submit]");
    expect(await text()).toContain("Paste a key.");
    await page.fill("input[name=key]", `qk_0123456789abcdef_${"x".repeat(43)}`);
    await page.click("button[type=submit]");
    await page.waitForSelector("[role=alert]");
    expect(await text("[role=alert]")).toContain("This key is not accepted");
    expect(await page.evaluate("sessionStorage.getItem('quittance.key')")).toBeNull();
    expect(await visitor.axe()).toEqual([]);
    // The browser itself logs the refused request.
    expect(visitor.complaints.splice(0)).toEqual([expect.stringContaining("401")]);
  });

  it("stores the key in the tab, never in the address", async () => {
    await signIn(visitor, demo.key);
    expect(await visitor.page.evaluate("sessionStorage.getItem('quittance.key')")).toBe(demo.key);
    expect(visitor.page.url()).not.toContain("qk_");
    expect(await visitor.page.evaluate("localStorage.length")).toBe(0);
    expect(await visitor.page.context().cookies()).toEqual([]);
  });
});

describe("the pages of the console", () => {
  it.each([
    ["", "Overview", "Due, in no settlement yet"],
    ["settlements", "Settlements", "Ready to pay"],
    ["partners", "Partners", "Bergpfad Magazin"],
    ["plans", "Plans", "Resellers: tiers by the order"],
    ["builder", "Plan builder", "Each sale earns"],
    ["company", "Company", "Nordhaven Outdoor GmbH"],
    ["keys", "Keys", "development"],
    ["nowhere", "There is no such page", "To the overview"],
  ])("#/%s", async (route, title, content) => {
    await visitor.visit(route);
    expect(await text("h1")).toContain(title);
    await visitor.page.getByText(content).first().waitFor();
    expect(await visitor.axe()).toEqual([]);
    expect(await walkByTab(visitor.page)).toEqual([]);
  });

  it("are searched for controls that Tab does not reach, or focuses covered or without a mark", async () => {
    const other = await arrive(launched.browser, demo.url, "console");
    await other.page.evaluate(`document.querySelector("h1").insertAdjacentHTML("afterend",
      "<button tabindex=-1>unreachable</button><button class=bare>bare</button><button tabindex=1>early</button>");
      const covering = document.createElement("div");
      covering.className = "covering";
      document.body.append(covering);
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(".bare:focus-visible { outline: none; } .covering { position: fixed; inset: 0; }");
      document.adoptedStyleSheets = [sheet];`);
    expect(await walkByTab(other.page)).toEqual(
      expect.arrayContaining([
        "not reached: button[submit] | unreachable",
        "focus cannot be seen: button[submit] | bare",
        "a tab index above 0: button[submit] | early",
        "focused out of sight: button[submit] | Sign in",
      ]),
    );
    await other.leave();
  });

  it("keeps filters in the address", async () => {
    await visitor.visit("settlements");
    await visitor.page.click('.chip:text-is("Disputed")');
    await until(visitor.page, "location.hash.includes('disputed')");
    await visitor.page.waitForURL(/#\/settlements\?statuses=disputed/);
    const { total } = await demo.get("settlements?statuses=disputed&per_page=1");
    await visitor.page.waitForSelector(`.pager:has-text("of ${total}")`);
  });

  it("restricts a list to a currency, which has a chip also where another page has chosen it", async () => {
    const { page } = visitor;
    await visitor.visit("settlements?currencies=SEK");
    const { total } = await demo.get("settlements?currencies=SEK&per_page=1");
    await page.waitForSelector(`.pager:has-text("of ${total}")`);
    await page.click('.chip[aria-pressed=true]:text-is("SEK")');
    await settled(page);
    await page.click('.chip[aria-pressed=false]:text-is("GBP")');
    await page.waitForURL(/#\/settlements\?currencies=GBP/);
    // Which currencies wait for payment depends on the day of the example.
    const ready = "settlements?statuses=awaiting_payment&tax_review=false&per_page=1";
    const { currency } = (await demo.get(ready)).settlements[0];
    await visitor.visit(`payments?currencies=${currency}`);
    await page.waitForSelector(
      `section[aria-label="To pay"] .pager:has-text("of ${(await demo.get(`${ready}&currencies=${currency}`)).total}")`,
    );
  });

  it("keeps the head of a list in sight", async () => {
    const { page } = visitor;
    for (const route of ["settlements", "sales", "partners"]) {
      await visitor.visit(route);
      const topOf = (selector: string): Promise<unknown> =>
        page.evaluate(
          `Math.round(document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect().top)`,
        );
      const [row = 0, head = 0] = [Number(await topOf("tbody tr")), Number(await topOf("thead th"))];
      expect(row).toBeGreaterThan(head);
      await page.evaluate("document.querySelectorAll('tbody tr')[12].scrollIntoView()");
      expect([route, await topOf("thead th")]).toEqual([route, 0]);
      expect(Number(await topOf("tbody tr"))).toBeLessThan(0);
      await page.evaluate("scrollTo(0, 0)");
    }
  });

  it("sums what the sales of all pages earn", async () => {
    const { page } = visitor;
    const monthAgo = new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10);
    await visitor.visit(`sales?occurredFrom=${monthAgo}`);
    const words = 'button:text-matches("^Earned total of all")';
    await page.click(words);
    await page.waitForSelector("strong:text-matches('^Earned total of all .*€')");
    await page.click(".chip:text-is('Confirmed')");
    await settled(page);
    // Other filters, other sums.
    expect(await page.locator("strong:text-matches('^Earned total')").count()).toBe(0);
  });

  it("chooses rows with the keyboard", async () => {
    await visitor.visit("partners");
    const { page } = visitor;
    await page.locator("tbody tr").first().focus();
    await page.keyboard.press("j");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await until(page, "document.querySelector('h1')?.textContent !== 'Partners'");
    await settled(page);
    expect(await text("h1")).toBe((await demo.get("partners?per_page=3")).partners[2].name);
  });

  it("exports the records that the filters find", async () => {
    await visitor.visit("settlements?statuses=disputed");
    const rows = await exportedRows();
    const { total } = await demo.get("settlements?statuses=disputed&per_page=1");
    expect(rows).toHaveLength(total + 1);
    expect(rows[0]).toBe(
      '\ufeffPartner,State,Drafted,Invoice,Net,With tax,Currency,Settlement,"Net, smallest unit","With tax, smallest unit"',
    );
  });

  it("turns the order of a list, sums all its pages, and hides a column until it is wanted again", async () => {
    const { page } = visitor;
    await visitor.visit("settlements");
    const { total, settlements } = await demo.get("settlements?per_page=100");
    const net = page.getByRole("button", { name: `Net total of all ${total}` });
    await net.click();
    const sums = page.locator("strong:has-text('Net total of all')");
    await sums.waitFor();
    const cents = new Map<string, number>();
    for (const { currency, view } of settlements)
      if (!["cancelled", "written_off"].includes(view.status.type))
        cents.set(currency, (cents.get(currency) ?? 0) + view.total);
    const numbers = (await sums.innerText()).replace(/^.*: /, "").match(/[\d.,]*\d/g) ?? [];
    expect(total).toBeGreaterThan(50);
    expect(numbers.map((number) => number.replace(/[.,]/g, "")).sort()).toEqual(
      [...cents.values()].map((amount) => String(Math.abs(amount))).sort(),
    );
    await page.click("th[aria-sort=descending] button");
    await settled(page);
    expect(await page.locator("th[aria-sort]").getAttribute("aria-sort")).toBe("ascending");
    const [first] = (await demo.get("settlements?per_page=1")).settlements;
    expect(await page.locator("tbody tr a").first().getAttribute("href")).toBe(`#/settlements/${first.id}`);
    await page.click(".column-menu summary");
    await page.getByLabel("Invoice", { exact: true }).uncheck();
    expect(await page.locator("thead th:has-text('Invoice')").count()).toBe(0);
    expect(await visitor.axe()).toEqual([]);
    await visitor.visit("partners");
    await visitor.visit("settlements");
    expect(await page.locator("thead th:has-text('Invoice')").count()).toBe(0);
    await page.click(".column-menu summary");
    await page.getByLabel("Invoice", { exact: true }).check();
    expect(await page.locator("thead th:has-text('Invoice')").count()).toBe(1);
  });

  it("sorts a list by the column that is pressed, on all its pages, and finds the order again on the way back", async () => {
    const { page } = visitor;
    const all: ReadonlyArray<Listed> = (await demo.get("settlements?per_page=100&order=desc")).settlements;
    expect(all.length).toBeGreaterThan(50);
    const descending = all.toSorted(byNet(-1)).map(({ id }) => id);
    await visitor.visit("settlements");
    await sortBy("Net");
    expect(await listed()).toEqual(descending.slice(0, 50));
    expect(await page.locator("th[aria-sort]").allInnerTexts()).toEqual(["Net"]);
    expect(await page.locator("th[aria-sort]").getAttribute("aria-sort")).toBe("descending");
    expect(page.url()).toMatch(/#\/settlements\?sort=Net&order=desc$/);
    // What was read is enough for the other pages, the sums and the file.
    const asked = await requestsOf("settlements", async () => {
      await page.click('.pager button:text-is("Next")');
      await settled(page);
      expect(await listed()).toEqual(descending.slice(50));
      const rows = await exportedRows();
      expect(rows.slice(1).map((row) => descending.findIndex((id) => row.includes(id)))).toEqual(
        descending.map((_, index) => index),
      );
      await page.getByRole("button", { name: /^Net total of all/ }).click();
      await page.waitForSelector("strong:has-text('Net total of all')");
    });
    expect(asked).toEqual([]);
    await page.locator("main tbody tr a").first().click();
    await until(page, "document.querySelector('h1')?.textContent !== 'Settlements'");
    await page.goBack();
    await page.waitForSelector("th[aria-sort=descending]");
    await settled(page);
    expect(await listed()).toEqual(descending.slice(50));
    // By keyboard: the other direction, then the order of the creation.
    await page.getByRole("columnheader").getByRole("button", { name: "Net", exact: true }).focus();
    await page.keyboard.press("Space");
    await page.waitForSelector("th[aria-sort=ascending]");
    await settled(page);
    const ascending = all.toSorted(byNet(1)).map(({ id }) => id);
    expect(await listed()).toEqual(ascending.slice(0, 50));
    expect(await visitor.axe()).toEqual([]);
    await page.keyboard.press("Enter");
    await page.waitForURL(/#\/settlements$/);
    await settled(page);
    expect(await listed()).toEqual(all.slice(0, 50).map(({ id }) => id));
    expect(await page.locator("th[aria-sort]").allInnerTexts()).toEqual(["Drafted"]);
  });

  it("sorts a list of one page without reading it again, and shows its pages no buttons", async () => {
    const { page } = visitor;
    await visitor.visit("settlements?statuses=disputed");
    expect(await page.locator(".pager button").count()).toBe(0);
    const names = page.locator('main tbody td[data-name="Partner"]');
    const before = await names.allInnerTexts();
    expect(new Set(before).size).toBeGreaterThan(1);
    expect(await requestsOf("settlements", () => sortBy("Partner"))).toEqual([]);
    const { compare } = new Intl.Collator("en-GB");
    expect(await names.allInnerTexts()).toEqual(before.toSorted(compare));
    expect(await requestsOf("settlements", () => sortBy("Partner"))).toEqual([]);
    expect(await names.allInnerTexts()).toEqual(before.toSorted((a, b) => compare(b, a)));
  });

  it("sorts a list of cards, which have no head, by a choice above them", async () => {
    const { page } = visitor;
    const { width = 0, height = 0 } = page.viewportSize() ?? {};
    await page.setViewportSize({ width: 390, height: 844 });
    await visitor.visit("partners");
    expect(await page.locator("thead button:visible").count()).toBe(0);
    await page.getByLabel("Sort by").selectOption({ label: "Name, descending" });
    await page.waitForURL(/#\/partners\?sort=Name&order=desc$/);
    await settled(page);
    const names: ReadonlyArray<string> = (await demo.get("partners?per_page=100")).partners.map(
      ({ name }: { readonly name: string }) => name,
    );
    const { compare } = new Intl.Collator("en-GB", { numeric: true });
    expect(await page.locator("main tbody tr td:first-child a").allInnerTexts()).toEqual(
      names.toSorted((a, b) => compare(b, a)).slice(0, 25),
    );
    expect(await visitor.axe()).toEqual([]);
    await page.getByLabel("Sort by").selectOption({ label: "Oldest first" });
    await page.waitForURL(/#\/partners$/);
    await page.setViewportSize({ width, height });
  });

  it("begins on the first screen of a phone, whose chips scroll to the chosen one", async () => {
    const { page } = visitor;
    const { width = 0, height = 0 } = page.viewportSize() ?? {};
    await page.setViewportSize({ width: 390, height: 844 });
    await visitor.visit("settlements");
    expect((await page.locator("main tbody tr").first().boundingBox())?.y).toBeLessThan(844);
    const from = page.getByLabel("Drafted from");
    expect(await from.isVisible()).toBe(false);
    await page.click("button:text-is('More filters')");
    expect(await visitor.axe()).toEqual([]);
    // What restricts the list stays in sight.
    await from.fill("2020-01-01");
    await page.waitForURL(/createdFrom=2020-01-01/);
    await settled(page);
    await page.click("button:text-is('Fewer filters')");
    expect(await from.isVisible()).toBe(true);
    expect(await page.getByLabel("Drafted until").isVisible()).toBe(false);
    await visitor.visit("settlements?statuses=paid");
    const chip = await page.locator(".chip[aria-pressed=true]").boundingBox();
    expect(chip?.x).toBeGreaterThan(0);
    expect((chip?.x ?? 0) + (chip?.width ?? 0)).toBeLessThan(390);
    expect(await page.evaluate("scrollY")).toBe(0);
    // What only a screen reader reads, such as behind the last chip, does not widen the page.
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    await page.setViewportSize({ width, height });
  });

  it("keeps a long dialog inside the window, with its buttons in sight", async () => {
    const { page } = visitor;
    const { width = 0, height = 0 } = page.viewportSize() ?? {};
    await page.setViewportSize({ width: 390, height: 500 });
    await visitor.visit("keys");
    await page.click("button:text-is('Create a key')");
    const dialog = await page.locator("dialog").boundingBox();
    const buttons = await page.locator("dialog .row.end").boundingBox();
    expect(dialog?.height).toBeLessThanOrEqual(500 - 24);
    expect(dialog?.y).toBeGreaterThan(0);
    expect((buttons?.y ?? 0) + (buttons?.height ?? 0)).toBeLessThanOrEqual(
      (dialog?.y ?? 0) + (dialog?.height ?? 0),
    );
    await page.keyboard.press("Escape");
    await page.setViewportSize({ width, height });
  });

  it("has checkboxes only where a row can be chosen", async () => {
    const { page } = visitor;
    await visitor.visit("settlements?statuses=draft");
    expect(await page.locator("th.choice input").count()).toBe(1);
    await visitor.visit("settlements?statuses=paid");
    expect(await page.locator("main tbody tr").count()).toBeGreaterThan(0);
    expect(await page.locator(".choice").count()).toBe(0);
  });

  it("offers no actions while it cannot be read", async () => {
    const { page } = visitor;
    const lists = /\/api\/v1\/(partners|attributions|api-keys|webhook-endpoints)\?/;
    await page.route(lists, (route) =>
      route.fulfill({ status: 500, json: { error: "internal", code: "INTERNAL_ERROR" } }),
    );
    for (const [path, action] of [
      ["partners", "Add a partner"],
      ["sales", "Record a sale"],
      ["keys", "Create a key"],
      ["webhooks", "Add an endpoint"],
    ] as const) {
      await visitor.visit(path);
      await page.waitForSelector(".notice.stop");
      expect(await page.locator(`button:text-is("${action}")`).count(), path).toBe(0);
    }
    await page.unroute(lists);
    await page.click("button:text-is('Try again')");
    await page.waitForSelector("button:text-is('Add an endpoint')");
    // The browser logs each refused request.
    visitor.complaints.splice(0);
  });

  it("does not sort more rows than can be read, and says so", async () => {
    const { page } = visitor;
    await page.route(/\/api\/v1\/settlements\?/, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), total: 20_001 } });
    });
    await visitor.visit("settlements?sort=Net&order=desc");
    await page.waitForSelector("p:has-text('at most 20,000 can be sorted')");
    expect(await page.locator("th[aria-sort]").allInnerTexts()).toEqual(["Drafted"]);
    await page.unroute(/\/api\/v1\/settlements\?/);
    expect(await visitor.axe()).toEqual([]);
  });

  it("stops reading what is to be sorted", async () => {
    const { page } = visitor;
    const second = /\/api\/v1\/attributions\?.*page=2&per_page=100/;
    let isAsked = false;
    await page.route(second, () => {
      isAsked = true;
    });
    await visitor.visit("sales");
    await page.getByRole("columnheader").getByRole("button", { name: "Partner", exact: true }).click();
    await page.getByRole("progressbar", { name: "Rows read" }).waitFor();
    expect(await page.locator(".table-frame.stale").count()).toBe(1);
    await page.getByRole("button", { name: "Stop" }).click();
    await page.waitForURL(/#\/sales$/);
    await settled(page);
    expect(isAsked).toBe(true);
    expect(await page.locator("th[aria-sort]").allInnerTexts()).toEqual(["Recorded"]);
    await page.unroute(second);
  });

  it("sums what all partners are owed as the interface does, and sorts them by it", async () => {
    const { page } = visitor;
    const { partners } = await demo.get("partners?per_page=100");
    const ids = partners.map(({ id }: { readonly id: string }) => `partner_ids=${id}`).join("&");
    const { balances } = await demo.get(`partners/balances?${ids}`);
    const year = `${new Date().getUTCFullYear()}-01-01T00:00:00Z`;
    const before = (await demo.get(`partners/balances?${ids}&at=${year}`)).balances;
    const sumsOf = (amountOf: (balance: Balance) => number): ReadonlyArray<string> => {
      const sums = new Map<string, number>();
      for (const balance of balances as ReadonlyArray<Balance>)
        sums.set(balance.currency, (sums.get(balance.currency) ?? 0) + amountOf(balance));
      return [...sums.values()]
        .filter((sum) => sum !== 0)
        .map((sum) => String(Math.abs(sum)))
        .sort();
    };
    const settledBefore = ({ partner_id, currency }: Balance): number =>
      (before as ReadonlyArray<Balance>).find(
        (one) => one.partner_id === partner_id && one.currency === currency,
      )?.settled ?? 0;
    await visitor.visit("partners");
    await page.getByRole("button", { name: `Totals of all ${partners.length}` }).click();
    const shown = async (name: string): Promise<ReadonlyArray<string>> => {
      const words = await page.locator(`strong:has-text('${name}: ')`).innerText();
      return (words.replace(/^.*: /, "").match(/[\d.,]*\d/g) ?? [])
        .map((number) => number.replace(/[.,]/g, ""))
        .sort();
    };
    expect(await shown("Due, in no settlement")).toEqual(sumsOf(({ due, pending }) => due - pending));
    expect(await shown("In settlements")).toEqual(sumsOf(({ pending }) => pending));
    expect(await shown("Settled this year")).toEqual(
      sumsOf((balance) => balance.settled - settledBefore(balance)),
    );
    expect((await shown("Settled this year")).length).toBeGreaterThan(1);
    // The sums have read what the order needs.
    expect(await requestsOf("partners", () => sortBy("Due, in no settlement"))).toEqual([]);
    const dueOf = (id: string): ReadonlyArray<Balance> =>
      (balances as ReadonlyArray<Balance>).filter(
        (balance) => balance.partner_id === id && balance.due !== balance.pending,
      );
    const due = (await listed()).map(dueOf);
    const euros = due.flatMap(([first]) => (first?.currency === "EUR" ? [first.due - first.pending] : []));
    expect(euros.length).toBeGreaterThan(2);
    expect(euros).toEqual(euros.toSorted((a, b) => b - a));
    const firsts = due.flatMap(([first]) => first?.currency ?? []);
    expect(firsts).toEqual(firsts.toSorted());
    expect(due.findLastIndex((one) => one.length > 0)).toBe(firsts.length - 1);
  });

  it("exports plans, runs, keys, endpoints and events, and no secret", async () => {
    const { id: endpoint, secret } = (
      await call(demo.url, demo.key, "POST", "webhook-endpoints", { url: "https://receiver.example/hook" })
    ).body;
    const countOf = async (path: string): Promise<number> => (await demo.get(`${path}per_page=1`)).total;
    const [{ workspace_id }] = (await demo.get("partners?per_page=1")).partners;
    const FILES = [
      [
        "plans",
        "Name,State,Currency,From,Until,Partners,Description,Earned by,Created,Plan",
        "commission-plans?",
      ],
      [
        `runs?workspace=${workspace_id}`,
        "Started,State,Sales before,Started by,Drafts,Net,Partners,Lines,Approved,Finished,Run",
        `settlement-runs?workspace_ids=${workspace_id}&`,
      ],
      [
        "keys",
        "Name,Kind,Person,State,Rights,Last used,Expires,Created,Revoked,Key id",
        "api-keys?uses=program&",
      ],
      [
        "webhooks",
        "Address,State,Events,What for,Last delivered,Failing since,Created,Endpoint",
        "webhook-endpoints?",
      ],
    ] as const;
    for (const [route, head, path] of FILES) {
      await visitor.visit(route);
      const rows = await exportedRows();
      expect([route, rows[0]]).toEqual([route, `\ufeff${head}`]);
      expect([route, rows.length]).toEqual([route, (await countOf(path)) + 1]);
      const file = rows.join();
      for (const hidden of [demo.key, demo.key.split("_").at(-1) ?? "", secret])
        expect([route, file.includes(hidden)]).toEqual([route, false]);
      if (route === "webhooks") expect(file).toContain(endpoint);
    }
    await visitor.visit("events?about=payments");
    const events = await exportedRows();
    expect(events[0]).toBe(
      "\ufeffWhen,What happened,Details,Partner,Record,By,Type,Record id,Position,Event",
    );
    const shown = await visitor.page.locator("main tbody tr").count();
    expect(shown).toBe(50);
    expect(events.length).toBeGreaterThan(shown);
    await call(demo.url, demo.key, "DELETE", `webhook-endpoints/${endpoint}`);
  });

  it("shows the place of a list from which a page was opened again", async () => {
    const { page } = visitor;
    await visitor.visit("settlements");
    await page.locator("tbody tr").nth(30).locator("a").scrollIntoViewIfNeeded();
    const place = Number(await page.evaluate("scrollY"));
    expect(place).toBeGreaterThan(300);
    await page.locator("tbody tr").nth(30).locator("a").click();
    await until(page, "document.querySelector('h1')?.textContent !== 'Settlements'");
    await settled(page);
    expect(await page.evaluate("scrollY")).toBe(0);
    await page.goBack();
    await until(page, `scrollY === ${place}`);
    await page.goForward();
    await until(page, "document.querySelector('h1')?.textContent !== 'Settlements' && scrollY === 0");
  });

  it("takes what is scrolled while it goes to another page for no place of that page", async () => {
    const { page } = visitor;
    await visitor.visit("settlements");
    // The browser changes the address first, and says so later.
    const named = `history.pushState(null, "", "#/partners"); dispatchEvent(new Event("scroll")); history.state`;
    expect(await page.evaluate(named)).toBeNull();
    await page.goBack();
  });

  it("explains an amount in a panel", async () => {
    await visitor.visit(`settlements/${await idOf("statuses=paid")}`);
    const { page } = visitor;
    await page.locator("button.why").first().click();
    await page.waitForSelector("dialog .facts");
    expect(await text("dialog")).toContain("version 1, in force since");
    expect(await visitor.axe()).toEqual([]);
    await page.keyboard.press("Escape");
    await page.waitForSelector("dialog", { state: "detached" });
  });
});

describe("the actions on a settlement", () => {
  it("create a draft, show what approval does, and approve", async () => {
    const [{ id }] = (await demo.get("partners?name=Bergpfad")).partners;
    await visitor.visit(`partners/${id}`);
    await visitor.page.click('button:text-is("Draft a settlement")');
    await visitor.page.click('button:text-is("Create the draft")');
    await visitor.page.waitForSelector(".badge:has-text('Draft')");
    await settled(visitor.page);
    expect(await act("Approve")).toContain("This cannot be undone");
    await visitor.page.waitForSelector(".badge:has-text('Ready to pay')");
    const settlement = visitor.page.url().split("/").at(-1) ?? "";
    expect(await statusOf(settlement)).toBe("awaiting_payment");
    await visitor.page.waitForSelector('.timeline:has-text("Invoice NHINV")');
    const [file] = await Promise.all([
      visitor.page.waitForEvent("download"),
      visitor.page.click('button:has-text("Invoice NHINV")'),
    ]);
    expect(file.suggestedFilename()).toBe(`invoice-${settlement}.pdf`);
    expect(
      await act("Confirm payment", async () => {
        await visitor.page.fill("input[name=bankReference]", "B-1");
        await visitor.page.fill("input[name=fee]", "1,5 eur");
        await visitor.page.fill("input[name=received]", "270 JPY");
      }),
    ).toContain("has been paid to");
    const [{ view }] = (await demo.get(`settlements?ids=${settlement}`)).settlements;
    expect(view).toMatchObject({
      status: { type: "paid" },
      fee: { amount: 150, currency: "EUR" },
      received: { amount: 270, currency: "JPY" },
    });
    await act("Mark as reconciled");
    await visitor.page.waitForSelector('.timeline:has-text("Reconciled with the bank account")');
  });

  it("cancel a draft", async () => {
    const id = await idOf("statuses=draft");
    await visitor.visit(`settlements/${id}`);
    expect(await act("Cancel draft")).toContain("free for another settlement");
    expect(await statusOf(id)).toBe("cancelled");
  });

  it("open and resolve a dispute", async () => {
    const id = await idOf("statuses=awaiting_payment");
    await visitor.visit(`settlements/${id}`);
    await act("Dispute", () => visitor.page.fill("textarea[name=reason]", "one order is missing"));
    await visitor.page.waitForSelector('.notice:has-text("one order is missing")');
    await act("Comment", () => visitor.page.fill("textarea[name=text]", "it is in the\nnext settlement"));
    await visitor.page.waitForSelector('.comments li:has-text("next settlement"):has-text("By us")');
    expect(await visitor.axe()).toEqual([]);
    await act("Withdraw the dispute");
    expect(await statusOf(id)).toBe("awaiting_payment");
    await visitor.page.locator("table tbody input[type=checkbox]").first().check();
    expect(
      await act("Dispute", () => visitor.page.fill("textarea[name=reason]", "this order is wrong")),
    ).toContain("It names 1 line of ");
    await visitor.page.waitForSelector('.timeline:has-text("Disputed for 1 line: this order is wrong")');
    await visitor.page.waitForSelector('td .under:text-is("disputed")');
    await act("Resolve the dispute", () => visitor.page.check("input[value=rejected]"));
    expect(await statusOf(id)).toBe("awaiting_payment");
  });

  it("write off after a warning", async () => {
    const id = await idOf("statuses=awaiting_payment");
    await visitor.visit(`settlements/${id}`);
    const warning = await act("Write off", () =>
      visitor.page.fill("textarea[name=reason]", "below our costs"),
    );
    expect(warning).toMatch(/^Danger: /);
    expect(await statusOf(id)).toBe("written_off");
    await visitor.page.waitForSelector('.timeline:has-text("Written off: below our costs")');
  });

  it("show why the server refused, and stay on the page", async () => {
    const id = await idOf("statuses=draft");
    await visitor.visit(`settlements/${id}`);
    // Somebody else is faster.
    const response = await fetch(`${demo.url}/api/v1/settlements/${id}`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${demo.key}` },
    });
    expect(response.status).toBe(200);
    await visitor.page.click('.actions button:text-is("Approve")');
    await visitor.page.click("dialog button[type=submit]");
    await visitor.page.waitForSelector("dialog [role=alert]");
    expect(await text("dialog [role=alert]")).toContain("no longer a draft");
    visitor.complaints.splice(0);
  });
});

describe("a response that is lost on its way", () => {
  let proxy: LossyProxy;
  beforeAll(async () => {
    proxy = await startLossyProxy(demo.url);
  });
  afterAll(() => proxy.close());

  /** Confirms the open dialog while responses or requests are lost; returns what the dialog says in between and at the end. */
  const confirmLossy = async ({ page }: Visitor, loss: Loss): Promise<readonly [string, string]> => {
    proxy.keys();
    proxy.lose(loss);
    await page.click("dialog button.primary");
    await page.waitForSelector("dialog [role=alert]:has-text('It is not known whether this was done')");
    const unknown = await page.locator("dialog").innerText();
    proxy.lose(null);
    await page.waitForSelector("dialog [role=alert]:has-text('It is done')");
    const known = await page.locator("dialog").innerText();
    await until(page, "document.activeElement.textContent === 'Continue'");
    await page.keyboard.press("Enter");
    await page.waitForSelector("dialog", { state: "detached" });
    await settled(page);
    // The same command each time.
    const keys = proxy.keys();
    expect(keys.length).toBeGreaterThan(2);
    expect(new Set(keys).size).toBe(1);
    expect(`${unknown} ${known}`).not.toMatch(/nothing (else )?was changed/i);
    return [unknown, known];
  };

  const countOf = async (id: string, type: string): Promise<number> => {
    const { settlements } = await demo.get(`settlements?ids=${id}`);
    return settlements[0].events.filter((entry: { event: { type: string } }) => entry.event.type === type)
      .length;
  };

  it("leaves a draft, its approval and its payment unknown until the server has answered", async () => {
    const team = await arrive(launched.browser, proxy.url, "console");
    await signIn(team, demo.key);
    const { page } = team;
    const [{ id: partner }] = (await demo.get("partners?name=Polderpad")).partners;
    const { total } = await demo.get(`settlements?partner_ids=${partner}&per_page=1`);
    await team.visit(`partners/${partner}`);
    await page.click('button:text-is("Draft a settlement")');
    await page.waitForSelector("dialog .consequences");
    const [unknown, drafted] = await confirmLossy(team, "response");
    expect(unknown).toContain("The server may have stored what you sent.");
    expect(await team.axe()).toEqual([]);
    expect(drafted).toContain("The server had stored it before the answer was lost. Nothing was done twice.");
    await page.waitForSelector(".badge:has-text('Draft')");
    expect((await demo.get(`settlements?partner_ids=${partner}&per_page=1`)).total).toBe(total + 1);
    const id = page.url().split("/").at(-1) ?? "";
    await page.click('.actions button:text-is("Approve")');
    expect((await confirmLossy(team, "response"))[1]).toContain("The server had stored it before");
    expect(await countOf(id, "approve_settlement")).toBe(1);
    await page.waitForSelector(".badge:has-text('Ready to pay')");
    await page.click('.actions button:text-is("Confirm payment")');
    await page.fill("input[name=bankReference]", "B-2");
    expect((await confirmLossy(team, "response"))[1]).toContain("The server had stored it before");
    await page.waitForSelector(".badge:has-text('Paid')");
    expect(await countOf(id, "mark_as_paid")).toBe(1);
    await page.click('.actions button:text-is("Mark as reconciled")');
    expect((await confirmLossy(team, "request"))[1]).toContain(
      "The server had not stored it before. It has now, once.",
    );
    expect(await countOf(id, "reconcile_settlement")).toBe(1);
    await team.leave();
  });

  it("leaves the upload of a partner unknown until then, and the objection can be given up meanwhile", async () => {
    const [{ id, partner_id }] = (await demo.get("settlements?statuses=awaiting_invoice&per_page=1"))
      .settlements;
    const partner = await arrive(launched.browser, proxy.url, "portal");
    await signIn(partner, await createPortalKey(demo, partner_id));
    const { page } = partner;
    await partner.visit(`settlements/${id}`);
    await page.click('button:text-is("Upload your invoice")');
    const file = { name: "invoice.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.4") };
    await page.setInputFiles("input[name=file]", file);
    expect((await confirmLossy(partner, "response"))[1]).toContain("The server had stored it before");
    expect(await countOf(id, "link_invoice")).toBe(1);
    await page.waitForSelector(".badge:has-text('To be paid')");
    await page.click('button:text-is("Object")');
    await page.fill("textarea[name=reason]", "an order is missing");
    proxy.lose("response");
    await page.click("dialog button.primary");
    await page.waitForSelector("dialog [role=alert]:has-text('It is not known')");
    await page.click('dialog button:text-is("Close")');
    // The page is read again, and shows what the server has stored.
    await page.waitForSelector(".badge:has-text('Objection open')");
    await partner.leave();
  });
});

describe("the portal", () => {
  it("shows a partner its own figures, reasons and settlements", async () => {
    const partner = await arrive(launched.browser, demo.url, "portal");
    await signIn(partner, demo.partnerKey);
    expect(await partner.page.locator("h1").innerText()).toBe("Montagne Service");
    expect(await partner.axe()).toEqual([]);
    await partner.visit("commissions");
    await partner.page.locator("button.why").first().click();
    await partner.page.waitForSelector("dialog .facts");
    await partner.page.keyboard.press("Escape");
    expect(await partner.axe()).toEqual([]);
    const [{ id }] = (await demo.get("partners?name=Montagne")).partners;
    const earned = await demo.get(`commissions?partner_ids=${id}&per_page=100`);
    expect(earned.total).toBeLessThanOrEqual(100);
    const cents = earned.commissions.map(
      (one: { readonly view: { readonly computed_amount: number } }) => one.view.computed_amount,
    );
    await partner.page.getByRole("columnheader").getByRole("button", { name: "Worth", exact: true }).click();
    await settled(partner.page);
    const worths = await partner.page.locator("td[data-name=Worth]").allInnerTexts();
    expect(worths.map((worth) => Math.round(Number(worth.replace(/[^\d.]/g, "")) * 100))).toEqual(
      cents.toSorted((a: number, b: number) => b - a).slice(0, 50),
    );
    expect(await partner.axe()).toEqual([]);
    await partner.visit("settlements");
    const own: ReadonlyArray<Listed> = (
      await demo.get(`settlements?partner_ids=${id}&per_page=100&order=desc`)
    ).settlements;
    const ids = own.map((settlement) => settlement.id);
    expect(await listed(partner)).toEqual(ids);
    await partner.page.getByRole("columnheader").getByRole("button", { name: "Net", exact: true }).click();
    await settled(partner.page);
    const descending = own.toSorted(byNet(-1)).map((settlement) => settlement.id);
    expect(descending).not.toEqual(ids);
    expect(await listed(partner)).toEqual(descending);
    expect(await partner.axe()).toEqual([]);
    await partner.page.locator("tbody tr a").first().click();
    await partner.page.waitForSelector(".timeline");
    expect((await partner.page.locator(".actions").allInnerTexts()).join()).not.toContain("Approve");
    expect(partner.complaints).toEqual([]);
    await partner.leave();
  });
});

describe("a browser", () => {
  it("reports no exception and no violation of the content security policy", () => {
    expect(visitor.complaints).toEqual([]);
  });
});
