/** Assigning partners to a plan with parameters, and the values of its partners, in a real browser. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ask } from "../server/running.ts";
import { type Launched, launch } from "./Browser.ts";
import { type Demo, startDemo } from "./Demo.ts";
import { arrive, settled, signIn, type Visitor } from "./Visitor.ts";

let demo: Demo;
let launched: Launched;
let visitor: Visitor;

/** Records something, and returns its id. */
const post = async (path: string, body: object): Promise<string> =>
  String((await ask(demo.url, demo.key, "POST", path, body)).id);

const DAY = 86_400_000;
const daysAgo = (days: number): string => new Date(Date.now() - days * DAY).toISOString();

const text = async (selector: string): Promise<string> =>
  (await visitor.page.locator(selector).first().innerText()).replace(/\s+/g, " ");

let planId: string;
let partnerId: string;
let name: string;

beforeAll(async () => {
  [demo, launched] = await Promise.all([startDemo(), launch()]);
  visitor = await arrive(launched.browser, demo.url, "console");
  await signIn(visitor, demo.key);
  const [{ workspace_id: workspaceId }] = (await demo.get("attribution-schemas")).attribution_schemas;
  name = `Partner ${randomUUID().slice(0, 8)}`;
  partnerId = await post("partners", { name, workspace_id: workspaceId });
  const schemaId = await post("attribution-schemas", {
    ...{ workspace_id: workspaceId, name: "Deal" },
    properties: [{ name: "value", type: "number", required: true, format: "money_minor" }],
  });
  const plan = {
    ...{ workspace_id: workspaceId, schema_id: schemaId, currency: "EUR" },
    start_datetime: daysAgo(60),
  };
  planId = await post("commission-plans", {
    ...{ ...plan, name: "Rates by partner", expression_text: "min(value * plan.rate / 100, plan.cap)" },
    parameters: [
      { name: "rate", type: "number", format: "percent" },
      { name: "cap", type: "number", format: "money_minor", default: 50_000 },
    ],
  });
  const other = await post("commission-plans", {
    ...{ ...plan, name: "One per cent", expression_text: "value * 1 %" },
  });
  await ask(demo.url, demo.key, "POST", `commission-plans/${other}/partners`, { partner_ids: [partnerId] });
  for (const days of [30, 10])
    await post("attributions", {
      ...{ workspace_id: workspaceId, partner_id: partnerId, schema_id: schemaId },
      ...{ occurred_at: daysAgo(days), properties: { value: 100_000 } },
    });
});

afterAll(async () => {
  await launched?.close();
  await demo?.stop();
});

it("says before partners are assigned what changes, and which values they need", async () => {
  const { page } = visitor;
  await visitor.visit(`plans/${planId}`);
  await page.click('button:text-is("Assign partners")');
  await page.fill("dialog input[type=search]", name);
  await page.getByLabel(name).check();
  await page.waitForSelector("dialog .notice:has-text('A value is missing')");
  expect(await text("dialog .prospect")).toContain(`${name} needs rate.`);
  await page.getByRole("textbox", { name: /^rate/ }).fill("seven");
  expect(await text("dialog p.problem")).toContain("rate must be a number");
  await page.getByRole("textbox", { name: /^rate/ }).fill("7");
  await page.waitForSelector("dialog .prospect:has-text('2 commissions')");
  const prospect = await text("dialog .prospect");
  expect(prospect).toContain("2 commissions for past sales, €140.00 together, become due.");
  expect(prospect).toMatch(new RegExp(`sales of ${name} also pay under “One per cent”`));
  expect(await visitor.axe()).toEqual([]);
  await page.click("dialog button[type=submit]");
  await page.waitForSelector("dialog", { state: "detached" });
  await settled(page);
  const [row] = (await demo.get(`commission-formulas?plan_ids=${planId}`)).commission_formulas;
  expect(row.view.parameters[0].values).toEqual([{ number: 1, value: 7, effective_datetime: null }]);
});

it("shows the values of the partners, changes one from a day on, and withdraws it", async () => {
  const { page } = visitor;
  await visitor.visit(`plans/${planId}`);
  const rows = async (): Promise<ReadonlyArray<string>> =>
    (await page.locator("table:has(caption:text-is('Values of the partners')) tbody tr").allInnerTexts()).map(
      (row) => row.replace(/\s+/g, " "),
    );
  expect(await rows()).toEqual([
    expect.stringContaining(`${name} rate 7 % the start`),
    expect.stringContaining(`${name} cap €500.00 of the plan the start`),
  ]);
  await page.getByRole("button", { name: `Change rate of ${name}` }).click();
  await page.getByRole("textbox", { name: /^rate/ }).fill("8.5");
  await page.fill("dialog input[name=since]", daysAgo(20).slice(0, 10));
  await page.click("dialog button[type=submit]");
  await page.waitForSelector("td:has-text('8.5 %')");
  expect(await rows()).toEqual([
    expect.stringMatching(/rate 7 % the start earlier/),
    expect.stringMatching(/rate 8\.5 %/),
    expect.stringMatching(/cap €500\.00/),
  ]);
  const amounts = async (): Promise<ReadonlyArray<number>> =>
    (await demo.get(`commissions?partner_ids=${partnerId}&per_page=100`)).commissions
      .map(({ view }: { view: { computed_amount: number } }) => view.computed_amount)
      .toSorted((a: number, b: number) => a - b);
  expect(await amounts()).toEqual([1_000, 1_000, 7_000, 8_500]);
  expect(await visitor.axe()).toEqual([]);
  await page.click('button:text-is("Withdraw")');
  await page.click("dialog button[type=submit]");
  await page.waitForSelector("td:has-text('8.5 %')", { state: "detached" });
  expect(await amounts()).toEqual([1_000, 1_000, 7_000, 7_000]);
  expect(visitor.complaints).toEqual([]);
});

it("writes a plan whose rate is a value of each partner, and changes it with the partners' values", async () => {
  const { page } = visitor;
  await visitor.visit("builder");
  await page.getByLabel("Begin with").selectOption({ label: "Deal" });
  await page.fill("input[name=currency]", "EUR");
  await page.click('button:text-is("Add a value that each partner has of its own")');
  await page.getByRole("textbox", { name: "Value in %" }).fill("9");
  const percentage = page.getByLabel("Rate", { exact: true });
  await percentage.fill("plan.rat");
  expect(await text(".part .entry .problem")).toContain("is no value of the partners");
  await percentage.fill("plan.rate");
  await page.waitForSelector("p.sentence:has-text('9 % (your rate) of the value')");
  expect(await text("pre.formula")).toBe("value * (plan.rate / 100)");
  expect(await visitor.axe()).toEqual([]);
  await page.click('button:text-is("Create a new plan from it")');
  await page.fill("dialog input[name=name]", "Rate of each");
  await page.click("dialog button[type=submit]");
  await page.waitForSelector("h1:has-text('Rate of each')");
  await settled(page);
  const [created] = (await demo.get("commission-plans?order=desc&per_page=1")).commission_plans;
  expect(created.view.parameters).toEqual([{ name: "rate", type: "number", default: 9, format: "percent" }]);

  // A plan with parameters opens in the form, and its partners' sales are computed with their own values.
  await visitor.visit(`builder?plan=${planId}`);
  await page.click('.views button:text-is("Text")');
  await page.waitForSelector(".cm-content");
  expect(await text(".editor")).toContain("plan.rate");
  await page.getByRole("textbox", { name: "plan.rate in %" }).fill("50");
  await page.waitForSelector(`tr:has-text("${name}") td:has-text("€70.00")`);
  expect(visitor.complaints).toEqual([]);
});

it("tries other values for some partners, with sales that did not happen", async () => {
  const { page } = visitor;
  await page.evaluate("sessionStorage.removeItem('quittance.builder')");
  await page.reload();
  await visitor.visit(`builder?plan=${planId}`);
  expect(await text(".part .problem, .part ~ .problem, p.problem")).toContain("rate needs a value to try");
  await page.getByRole("textbox", { name: "plan.rate in %" }).fill("8");
  await page.getByLabel("value of sale 1").fill("50000");
  await page.click('button:text-is("Try it on past sales")');
  await page.fill("dialog input[name=from]", daysAgo(60).slice(0, 10));
  await page.fill("dialog input[name=until]", daysAgo(0).slice(0, 10));
  await page.locator("dialog").getByRole("textbox", { name: /^rate/ }).fill("20");
  await page.click("dialog summary");
  await page.fill("dialog input[type=search]", name);
  await page.getByLabel(name).check();
  await page.locator("dialog select[name=added]").selectOption({ label: name });
  expect(await visitor.axe()).toEqual([]);
  await page.click("dialog button[type=submit]");
  await page.waitForSelector("h1:has-text('Trial on past sales')");
  // Two sales of 1,000 and the added one of 500: at 7 %, and at 20 %.
  await page.waitForSelector(".next:has-text('would have cost €500.00 instead of €175.00')");
  const facts = await text(".lead .facts");
  expect(facts).toMatch(/With these values rate 20 %/);
  expect(facts).toMatch(/Of 1 partner/);
  expect(await text(".lead")).toContain("The plan as it is.");
  expect(await page.locator('button:text-is("Make it the plan")').count()).toBe(0);
  expect(facts).toMatch(/Sales that did not happen 1/);
  expect(await visitor.axe()).toEqual([]);
  expect(visitor.complaints).toEqual([]);
});
