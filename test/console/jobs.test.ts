/**
 * Jobs of the team in the browser, from the overview, each within its budget of clicks; typing is not counted. Other files count
 * theirs where they have the scene for it, as the table of budgets says.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { ask } from "../server/running.ts";
import { type Launched, launch } from "./Browser.ts";
import { countClicks, expectClicks } from "./Budgets.ts";
import { type Demo, startDemo } from "./Demo.ts";
import { approveNew, selfBilling } from "./NewPartner.ts";
import { arrive, settled, signIn, until, type Visitor } from "./Visitor.ts";
import { money } from "./walk/Figures.ts";

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

/** Clicks on the selectors in turn, from the overview, and types what is asked for before a click; returns the clicks. */
const clickThrough = async (...steps: ReadonlyArray<string | (() => Promise<void>)>): Promise<number> => {
  await visitor.visit("");
  let clicks = 0;
  for (const step of steps) {
    if (typeof step === "function") await step();
    else {
      await visitor.page.locator(step).first().click();
      clicks += 1;
    }
    await settled(visitor.page);
  }
  return clicks;
};

const SUBMIT = "dialog button[type=submit]";

const see = (words: string): Promise<unknown> => visitor.page.waitForSelector(`main >> text=${words}`);

it("explains an amount in one click from where it stands", async () => {
  const { page } = visitor;
  const [{ id }] = (await demo.get("settlements?statuses=paid&per_page=1")).settlements;
  await visitor.visit(`settlements/${id}`);
  const clicks = await countClicks(page);
  await page.locator("button.why").first().click();
  await page.waitForSelector("dialog .facts");
  expect(await page.locator("dialog .sentence").innerText()).toContain(" for the sale of ");
  expectClicks("explain an amount", await clicks());
  await page.keyboard.press("Escape");
});

it("refunds a part of a sale in four clicks", async () => {
  const { page } = visitor;
  const { attributions } = await demo.get("attributions?statuses=confirmed&order=desc&per_page=20");
  // A part of a sale is corrected with it.
  const sale = attributions.find(
    ({ metadata }: { readonly metadata: { readonly origin_id?: string } }) =>
      metadata.origin_id === undefined,
  );
  const [name] =
    Object.entries<unknown>(sale.view.properties).find(([, value]) => typeof value === "number") ?? [];
  const clicks = await clickThrough(
    'nav a:text-is("Sales")',
    `main tbody a[href*="${sale.id}"]`,
    'button:text-is("Correct this sale")',
    async () => {
      await page.getByLabel(String(name).replaceAll("_", " "), { exact: false }).first().fill("1");
      await page.fill("dialog textarea", "a part was sent back");
      await page.waitForSelector("dialog .prospect");
    },
    SUBMIT,
  );
  await see("a part was sent back");
  expectClicks("refund a part of a sale", clicks);
});

/** Waits until several settlements are in a state, and returns the oldest of them. */
const oldestOfSeveral = async (state: string): Promise<string> => {
  const read = () => demo.get(`settlements?statuses=${state}&order=asc`);
  await expect.poll(async () => (await read()).total).toBeGreaterThan(1);
  return (await read()).settlements[0].id;
};

/** The settlement whose dispute is answered. */
let answered = "";

const statusOf = async (id: string): Promise<string> =>
  (await demo.get(`settlements?ids=${id}`)).settlements[0].view.status.type;

it("gives a claim up with its reason in four clicks where several wait, with a button that warns", async () => {
  const { page } = visitor;
  await approveNew(demo, { name: "Otso Returns", currency: "EUR", sales: [{ cents: -500 }] });
  const oldest = await oldestOfSeveral("negative_review");
  const clicks = await clickThrough(
    '.tasks a:has-text("to decide on")',
    '.actions button:text-is("Decide")',
    async () => expect(await page.locator(SUBMIT).getAttribute("class")).toBe("primary"),
    "dialog input[value=write_off]",
    async () => {
      expect(await page.locator(SUBMIT).getAttribute("class")).toBe("danger");
      await page.fill("dialog [name=note]", "the partner has closed");
    },
    SUBMIT,
  );
  await see("Decided: give the amount up: the partner has closed");
  expect(await statusOf(oldest)).toBe("written_off");
  await see("Given up for good: the partner is not asked for it again.");
  expectClicks("give a claim up", clicks);
});

it("answers a dispute in four clicks where several wait, the oldest first, with all of them in a list", async () => {
  const { page } = visitor;
  for (const { id } of (await demo.get("settlements?statuses=awaiting_payment&per_page=2")).settlements)
    await ask(demo.url, demo.key, "POST", `settlements/${id}/dispute`, { reason: "an order is missing" });
  const oldest = await oldestOfSeveral("disputed");
  await visitor.visit("");
  const all = page.locator('.tasks li:has-text("to resolve") a.task-all');
  expect(await all.getAttribute("href")).toBe("#/settlements?statuses=disputed");
  expect(await visitor.axe()).toEqual([]);
  const clicks = await clickThrough(
    '.tasks a:has-text("to resolve")',
    '.actions button:text-is("Resolve the dispute")',
    "dialog input[value=rejected]",
    SUBMIT,
  );
  await page.waitForSelector("dialog", { state: "detached" });
  expect(await statusOf(oldest)).not.toBe("disputed");
  answered = oldest;
  expectClicks("answer a dispute", clicks);
});

it("says what a dispute stops as its page does, with tax, also of a claim", async () => {
  const { page } = visitor;
  const { id: claim } = await approveNew(demo, {
    ...{
      name: "Sauk Returns",
      currency: "EUR",
      sales: [{ cents: -10_000 }],
      billing: await selfBilling(demo),
    },
  });
  await expect.poll(() => statusOf(claim)).toBe("negative_review");
  const decision = { decision: "issue_credit_note" };
  await ask(demo.url, demo.key, "POST", `settlements/${claim}/review`, decision);
  await expect.poll(() => statusOf(claim)).toBe("awaiting_payment");
  const [{ view }] = (await demo.get(`settlements?ids=${claim}`)).settlements;
  expect([view.total, view.payable_amount]).toEqual([-10_000, expect.any(Number)]);
  expect(view.payable_amount).toBeLessThan(view.total);
  await visitor.visit(`settlements/${claim}`);
  expect(await page.locator(".facts").innerText()).toContain("We write the credit note");
  await page.click('.actions button:text-is("Dispute")');
  expect(await page.locator("dialog .consequences").innerText()).toContain(
    `The claim of ${money(-view.payable_amount, "EUR")} with tax stops until`,
  );
  await page.click('dialog button:text-is("Go back")');
});

it("learns who has done what, and when, in two clicks", async () => {
  const { page } = visitor;
  // The feed takes a while to number the eighteen months of the example.
  const feed = "events?order=desc&limit=1&types=resolve_dispute";
  await expect.poll(async () => (await demo.get(feed)).events[0]?.record_id).toBe(answered);
  const clicks = await clickThrough(
    'nav a:text-is("Events")',
    'main tbody button:text-is("Dispute resolved")',
  );
  const facts = (await page.locator("dialog .facts").first().innerText()).replace(/\s+/g, " ");
  expect(facts).toMatch(/When \d+ \w+ \d{4}, \d\d:\d\d/);
  expect(facts).toMatch(/By the key /);
  expectClicks("learn who did what and when", clicks);
  await page.keyboard.press("Escape");
});

it("previews what is due and creates its drafts in four clicks", async () => {
  const { page } = visitor;
  const drafts = async (): Promise<number> => (await demo.get("settlements?statuses=draft&per_page=1")).total;
  const before = await drafts();
  // The policy of the example waits for more to be due.
  const [{ workspace_id }] = (await demo.get("partners?per_page=1")).partners;
  const policy = { cadence: "manual", hold_days: 0, minimum: {} };
  await ask(demo.url, demo.key, "PUT", `settlement-policies/${workspace_id}`, policy);
  const clicks = await clickThrough(
    'nav a:text-is("Runs")',
    'a:text-is("Settle what is due")',
    async () => expect(await page.locator(".next").innerText()).toMatch(/A run would create \d+ draft/),
    'button:text-is("Start the run")',
    SUBMIT,
  );
  await expect.poll(drafts).toBeGreaterThan(before);
  expectClicks("preview the month and create its drafts", clicks);
});

it("has the statement of a partner as a file to send in three clicks, by the search", async () => {
  const { page } = visitor;
  const [{ name }] = (await demo.get("partners?per_page=1")).partners;
  let file = "";
  page.once("download", (download) => {
    file = download.suggestedFilename();
  });
  const clicks = await clickThrough(
    "button.find",
    async () => {
      await page.fill("dialog input[type=search]", name);
      await until(page, `document.querySelector("ul.hits")?.dataset.of === ${JSON.stringify(name)}`);
      await settled(page);
      await page.keyboard.press("Enter");
      await page.waitForSelector("dialog", { state: "detached" });
    },
    'main a:text-is("Statement")',
    'main button:text-is("PDF")',
  );
  await expect.poll(() => file).toMatch(/\.pdf$/);
  expectClicks("send a statement", clicks);
});

it("reports no exception and no violation of the content security policy", () => {
  expect(visitor.complaints).toEqual([]);
});
