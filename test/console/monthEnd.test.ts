/** Month-end in a real browser: many drafts approved from one dialog, by mouse and by keyboard, each with its result. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call } from "../server/running.ts";
import { type Launched, launch } from "./Browser.ts";
import { type Demo, startDemo } from "./Demo.ts";
import { walkByTab } from "./Keyboard.ts";
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

interface Row {
  readonly id: string;
  readonly currency: string;
  readonly view: { readonly total: number; readonly status: { readonly type: string } };
}

const drafts = async (): Promise<ReadonlyArray<Row>> =>
  (await demo.get("settlements?statuses=draft&order=desc&per_page=100")).settlements;

const statusesOf = async (ids: ReadonlyArray<string>): Promise<ReadonlyArray<string>> =>
  (await demo.get(`settlements?${ids.map((id) => `ids=${id}`).join("&")}&per_page=100`)).settlements.map(
    ({ view }: Row) => view.status.type,
  );

const sumIn = (rows: ReadonlyArray<Row>, currency: string): string =>
  new Intl.NumberFormat("en-GB", { style: "currency", currency }).format(
    rows.filter((row) => row.currency === currency).reduce((sum, { view }) => sum + view.total, 0) / 100,
  );

const bar = (): Promise<string> => visitor.page.locator(".chosen").innerText();

describe("drafts in the list of settlements", () => {
  it("are chosen with Space, and with Shift a range of them, and their sums are shown", async () => {
    const { page } = visitor;
    const all = await drafts();
    await visitor.visit("settlements?statuses=draft");
    await page.locator("tbody tr").nth(1).focus();
    await page.keyboard.press(" ");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Shift+ ");
    const chosen = all.slice(1, 4);
    expect(await bar()).toContain("3 chosen");
    for (const currency of new Set(chosen.map((row) => row.currency)))
      expect(await bar()).toContain(sumIn(chosen, currency));
    expect(await visitor.axe()).toEqual([]);
    expect(await walkByTab(page)).toEqual([]);
    await page.click('.chosen button:text-is("Choose none")');
    expect(await page.locator(".chosen").count()).toBe(0);
  });

  it("stay as before when the dialog is left, and one that has ended meanwhile says why it was not approved", async () => {
    const { page } = visitor;
    const [first, second] = await drafts();
    if (first === undefined || second === undefined) throw new Error("the example company has two drafts");
    const boxes = page.locator("tbody input[type=checkbox]");
    await boxes.nth(0).click();
    await boxes.nth(1).click();
    await page.click('.chosen button:text-is("Approve 2 drafts")');
    await page.keyboard.press("Escape");
    expect(await statusesOf([first.id, second.id])).toEqual(["draft", "draft"]);
    await page.click('.chosen button:text-is("Approve 2 drafts")');
    expect((await call(demo.url, demo.key, "DELETE", `settlements/${first.id}`)).status).toBe(200);
    await page.click('dialog button:text-is("Approve 2 drafts")');
    await page.waitForSelector('dialog button:text-is("Back to the list")');
    const results = await page.locator("dialog tbody tr").allInnerTexts();
    expect(results[0]).toMatch(/Not done[\s\S]*cancelled/);
    expect(results[1]).toContain("Approved");
    expect(await page.locator("dialog .sentence").innerText()).toContain(
      "1 draft stays as before and chosen.",
    );
    expect(await visitor.axe()).toEqual([]);
    await page.click('dialog button:text-is("Back to the list")');
    await settled(page);
    expect(await statusesOf([first.id])).toEqual(["cancelled"]);
    expect(await statusesOf([second.id])).not.toEqual(["draft"]);
    expect(await bar()).toContain("1 chosen");
    await page.click('.chosen button:text-is("Choose none")');
    // The browser itself logs the refused command.
    expect(visitor.complaints.splice(0)).toEqual([expect.stringContaining("409")]);
  });

  it("are all approved with four clicks from the overview, after a look at what is unusual", async () => {
    const { page } = visitor;
    const all = await drafts();
    expect(all.length).toBeGreaterThan(20);
    await visitor.visit("");
    await page.click('a:has-text("Drafts to approve")');
    await settled(page);
    await page.click('input[aria-label="All of this page"]');
    expect(await bar()).toContain(`${all.length} chosen`);
    await page.click(`.chosen button:text-is("Approve ${all.length} drafts")`);
    await page.waitForSelector('dialog h3:has-text("Look twice")');
    expect(await page.locator("dialog").innerText()).toContain("Cannot be paid yet: the IBAN is not valid");
    for (const currency of new Set(all.map((row) => row.currency)))
      expect(await page.locator("dialog .sentence").innerText()).toContain(
        sumIn(all, currency).replace("SEK", "SEK"),
      );
    await page.click("dialog button[type=submit]");
    await page.waitForSelector('dialog button:text-is("Back to the list")');
    expect(await page.locator('dialog .badge:text-is("Approved")').count()).toBe(all.length);
    await page.click('dialog button:text-is("Back to the list")');
    await settled(page);
    expect(await drafts()).toEqual([]);
    expect(await statusesOf(all.map(({ id }) => id))).not.toContain("draft");
    expect(visitor.complaints).toEqual([]);
  });
});

describe("the drafts of a run", () => {
  it("are approved from the page of the run", async () => {
    const { page } = visitor;
    // What was cancelled above is due again.
    const [{ workspace_id }] = (await demo.get("settlements?statuses=cancelled&per_page=1&order=desc"))
      .settlements;
    const { body } = await call(demo.url, demo.key, "POST", "settlement-runs", { workspace_id });
    let run = await demo.get(`settlement-runs/${body.id}`);
    while (run.run.state === "running") run = await demo.get(`settlement-runs/${body.id}`);
    const count: number = run.run.draft_count - run.run.approved_count;
    expect(count).toBeGreaterThan(0);
    await visitor.visit(`runs/${body.id}`);
    await page.click(`button:text-is("Approve ${count} draft${count === 1 ? "" : "s"}")`);
    await page.click("dialog button[type=submit]");
    await page.click('dialog button:text-is("Back to the list")');
    await settled(page);
    await page.waitForSelector('main button:has-text("Approve")', { state: "detached" });
    expect(await drafts()).toEqual([]);
  });
});
