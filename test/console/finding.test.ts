/** Finding records in a real browser: by name, by the number of an order or a document, and by id, with the keyboard alone. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call } from "../server/running.ts";
import { type Launched, launch } from "./Browser.ts";
import { countClicks, expectClicks } from "./Budgets.ts";
import { type Demo, startDemo } from "./Demo.ts";
import { walkByTab } from "./Keyboard.ts";
import { arrive, IS_PHONE, settled, signIn, until, type Visitor } from "./Visitor.ts";

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

/** Types into the search and returns the results, as soon as there are any. */
const find = async (words: string): Promise<ReadonlyArray<string>> => {
  const { page } = visitor;
  // The keys do nothing while the dialog of the search before is open.
  await page.waitForSelector("dialog", { state: "detached" });
  await page.keyboard.press("Control+k");
  await page.fill("dialog input[type=search]", words);
  // The text that was searched for last is that of the input.
  await until(page, `document.querySelector("ul.hits")?.dataset.of === ${JSON.stringify(words)}`);
  await settled(page);
  return page.locator(".hits a").allInnerTexts();
};

const heading = (): Promise<string> => visitor.page.locator("main h1").innerText();

describe("the search", () => {
  it("opens an order with its number and Enter, from any page, without a click", async () => {
    const { page } = visitor;
    const { attributions } = await demo.get("attributions?per_page=20&order=desc");
    // A part of a sale has no number of its own.
    const sale = attributions.find(
      ({ metadata }: { readonly metadata: { readonly external_reference?: string } }) =>
        metadata.external_reference !== undefined,
    );
    const clicks = await countClicks(page);
    expect(await find(sale.metadata.external_reference)).toEqual([expect.stringMatching(/Sale of/)]);
    expect(await visitor.axe()).toEqual([]);
    await page.keyboard.press("Enter");
    await page.waitForSelector(`h1:has-text("${sale.metadata.external_reference}")`);
    expect(page.url()).toContain(`#/sales/${sale.id}`);
    expectClicks("find an order", await clicks());
  });

  it("opens a settlement with the number of its invoice, and a partner with a part of its name", async () => {
    const { page } = visitor;
    const [settlement] = (await demo.get("settlements?statuses=paid&per_page=1")).settlements;
    const number: string = settlement.view.invoice_number ?? settlement.view.report_number;
    const hits = await find(number);
    expect(hits).toEqual([expect.stringContaining(number)]);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await settled(page);
    expect(page.url()).toContain(`#/settlements/${settlement.id}`);
    expect(await find("montagne")).toEqual([expect.stringContaining("Montagne Service")]);
    await page.keyboard.press("Enter");
    await page.waitForSelector('h1:has-text("Montagne Service")');
    expect(await find(settlement.id)).toHaveLength(1);
    await page.keyboard.press("Escape");
    expect(await find("webho")).toEqual([expect.stringContaining("Webhooks")]);
    await page.keyboard.press("Escape");
    expect(await find("no such thing")).toEqual([]);
    expect(await page.locator("dialog").innerText()).toContain("Nothing is found");
    await page.keyboard.press("Escape");
    expect(await heading()).toContain("Montagne Service");
    expect(visitor.complaints).toEqual([]);
  });

  it("searches only what the key may read", async () => {
    const { body } = await call(demo.url, demo.key, "POST", "api-keys", {
      kind: "customer",
      scopes: ["partners:read"],
    });
    const [sale] = (await demo.get("attributions?per_page=1")).attributions;
    const other = await arrive(launched.browser, demo.url, "console");
    await signIn(other, body.key);
    const everyone = visitor;
    visitor = other;
    expect(await find(sale.metadata.external_reference)).toEqual([]);
    expect(other.complaints).toEqual([]);
    visitor = everyone;
    await other.leave();
  });
});

describe("the sales", () => {
  it("of a partner are listed from its page, filtered, and opened by keyboard", async () => {
    const { page } = visitor;
    const [partner] = (await demo.get("partners?name=Montagne")).partners;
    await visitor.visit(`partners/${partner.id}`);
    await page.click('.heading a:text-is("Sales")');
    await page.waitForSelector('h1:text-is("Sales")');
    await settled(page);
    const { total, attributions } = await demo.get(
      `attributions?partner_ids=${partner.id}&order=desc&per_page=50`,
    );
    expect(await page.locator(".pager").innerText()).toContain(`of ${total}`);
    expect(await page.locator("tbody tr").count()).toBe(attributions.length);
    expect(await page.locator(".chip[aria-pressed=true]").allInnerTexts()).toEqual(["Montagne Service"]);
    expect(await visitor.axe()).toEqual([]);
    expect(await walkByTab(page)).toEqual([]);
    const cancelledChip = '.chip:text-is("Cancelled or replaced")';
    // Beside the chosen partner there is room for one filter.
    if (IS_PHONE) await page.click('button:text-is("More filters")');
    await page.click(cancelledChip);
    await page.waitForSelector(`${cancelledChip}[aria-pressed=true]`);
    await settled(page);
    const cancelled = await demo.get(`attributions?partner_ids=${partner.id}&statuses=cancelled`);
    if (cancelled.total > 0) expect(await page.locator("tbody tr").count()).toBe(cancelled.total);
    else expect(await page.locator("main").innerText()).toContain("No sale matches these filters");
    await page.click(cancelledChip);
    await page.waitForSelector(`${cancelledChip}[aria-pressed=false]`);
    await settled(page);
    await page.locator("tbody tr").first().focus();
    await page.keyboard.press("Enter");
    await page.waitForSelector(`h1:has-text("${attributions[0].metadata.external_reference}")`);
    await visitor.visit("sales");
    await page.getByLabel("Order number, exactly").fill(attributions[3].metadata.external_reference);
    await until(page, "location.hash.includes('externalReferences')");
    await until(page, "document.querySelectorAll('tbody tr').length === 1");
    expect(visitor.complaints).toEqual([]);
  });

  it("are found again by a saved view, which each person has of its own and removes", async () => {
    const { page } = visitor;
    const views = page.locator(".saved-views");
    await visitor.visit("sales?statuses=cancelled&occurredFrom=2026-01-01");
    await page.click('button:text-is("Save these filters")');
    await page.fill("dialog input[name=name]", "Lost this year");
    expect(await visitor.axe()).toEqual([]);
    await page.click("dialog button[type=submit]");
    await page.waitForSelector('.chip:text-is("Lost this year")[aria-pressed=true]');
    expect(await visitor.axe()).toEqual([]);
    expect(await walkByTab(page)).toEqual([]);
    // Each list has views of its own, and each person.
    await visitor.visit("settlements");
    expect(await views.count()).toBe(0);
    const stored = "quittance.views.sales.";
    const keys: ReadonlyArray<string> = await page.evaluate("Object.keys(localStorage)");
    const { customer_id, person } = await demo.get("principal");
    expect(keys.filter((key) => key.startsWith(stored))).toEqual([`${stored}${customer_id}.${person}`]);
    const others = JSON.stringify([{ name: "Mine", query: "statuses=confirmed" }]);
    await page.evaluate(`localStorage.setItem("${stored}${customer_id}.bo@example.com", '${others}')`);
    await visitor.visit("sales");
    expect(await views.locator(".chip").allInnerTexts()).toEqual(["Lost this year"]);
    await page.click('.chip:text-is("Lost this year")');
    await until(page, "location.hash.includes('statuses=cancelled')");
    await settled(page);
    const { total } = await demo.get("attributions?statuses=cancelled&occurred_from=2026-01-01T00:00:00Z");
    expect(await page.locator(".pager").innerText()).toContain(`of ${total}`);
    await page.click('button:text-is("Remove this view")');
    await page.waitForSelector('.chip:text-is("Lost this year")', { state: "detached" });
    await visitor.visit("sales");
    expect(await views.count()).toBe(0);
    expect(visitor.complaints).toEqual([]);
  });
});
