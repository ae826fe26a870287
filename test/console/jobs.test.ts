/**
 * Jobs of the team in the browser, from the overview, each within its budget of clicks; typing is not counted. Other files
 * count theirs where they have the scene for it: first steps, imports, onboarding, approval, bank files and books.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Launched, launch } from "./Browser.ts";
import { type Demo, startDemo } from "./Demo.ts";
import { arrive, settled, signIn, type Visitor } from "./Visitor.ts";

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
  await page.locator("button.why").first().click();
  await page.waitForSelector("dialog .facts");
  await page.keyboard.press("Escape");
});

it("refunds a part of a sale in five clicks", async () => {
  const { page } = visitor;
  const [sale] = (await demo.get("attributions?statuses=confirmed&order=desc&per_page=1")).attributions;
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
  expect(clicks).toBeLessThanOrEqual(5);
});

it("writes off a claim with its reason in four clicks", async () => {
  const { page } = visitor;
  const clicks = await clickThrough(
    '.tasks a:has-text("to decide on")',
    '.actions button:text-is("Write off")',
    () => page.fill("dialog textarea", "the partner has closed"),
    SUBMIT,
  );
  await see("Written off: the partner has closed");
  expect(clicks).toBeLessThanOrEqual(4);
});

it("answers a dispute in four clicks where one waits", async () => {
  const disputed = (await demo.get("settlements?statuses=disputed")).settlements;
  for (const { id } of disputed.slice(1)) {
    const headers = { authorization: `Bearer ${demo.key}`, "content-type": "application/json" };
    const body = JSON.stringify({ resolution: "rejected" });
    const url = `${demo.url}/api/v1/settlements/${id}/resolve-dispute`;
    expect((await fetch(url, { method: "POST", headers, body })).status).toBeLessThan(300);
  }
  const clicks = await clickThrough(
    '.tasks a:has-text("to resolve")',
    '.actions button:text-is("Resolve the dispute")',
    "dialog input[value=rejected]",
    SUBMIT,
  );
  await visitor.page.waitForSelector("dialog", { state: "detached" });
  expect((await demo.get("settlements?statuses=disputed")).total).toBe(0);
  expect(clicks).toBeLessThanOrEqual(4);
});

it("opens the statement of a partner in three clicks", async () => {
  const clicks = await clickThrough(
    'nav a:text-is("Partners")',
    "main tbody a",
    'main a:text-is("Statement")',
  );
  await visitor.page.waitForSelector('h1:has-text("Statement")');
  expect(clicks).toBeLessThanOrEqual(3);
});

it("reports no exception and no violation of the content security policy", () => {
  expect(visitor.complaints).toEqual([]);
});
