/**
 * The plan builder in a real browser: what a filled-in form shows is what is paid for sales that are recorded through the API, for
 * every template; the code editor; and trials compared with what the API has recorded before and after they are adopted.
 */
import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask } from "../server/running.ts";
import { type Launched, launch } from "./Browser.ts";
import { expectClicks } from "./Budgets.ts";
import { type Demo, startDemo } from "./Demo.ts";
import { arrive, settled, signIn, type Visitor, write } from "./Visitor.ts";
import { money } from "./walk/Figures.ts";

let demo: Demo;
let launched: Launched;
let visitor: Visitor;
let workspaceId: string;

/** Records something, and returns its id. */
const post = async (path: string, body: object): Promise<string> =>
  String((await ask(demo.url, demo.key, "POST", path, body)).id);

beforeAll(async () => {
  [demo, launched] = await Promise.all([startDemo(), launch()]);
  visitor = await arrive(launched.browser, demo.url, "console");
  await signIn(visitor, demo.key);
  [{ workspace_id: workspaceId }] = (await demo.get("attribution-schemas")).attribution_schemas;
});

afterAll(async () => {
  await launched?.close();
  await demo?.stop();
});

const text = async (selector = "main"): Promise<string> =>
  (await visitor.page.locator(selector).first().innerText()).replace(/\s/g, " ");

/** Begins a new plan for a schema; what was written before is discarded. */
const begin = async (schema: string, currency: string): Promise<void> => {
  const { page } = visitor;
  await page.evaluate("sessionStorage.removeItem('quittance.builder')");
  await page.reload();
  await visitor.visit("builder");
  await page.getByLabel("Begin with").selectOption({ label: schema });
  await page.fill("input[name=currency]", currency);
};

/** Every record of a list, over its pages. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into responses of many shapes
const all = async (path: string, name: string): Promise<Array<any>> => {
  const found: Array<unknown> = [];
  for (let page = 1; ; page++) {
    const body = await demo.get(`${path}&per_page=100&page=${page}`);
    found.push(...body[name]);
    if (found.length >= body.total) return found;
  }
};

type Properties = Readonly<Record<string, string | number | boolean>>;

/** Types sales into the rows below the plan. */
const trySales = async (page: Page, sales: ReadonlyArray<Properties>): Promise<void> => {
  for (const [index, sale] of sales.entries()) {
    if (index > 0) await page.click('button:text-is("Add a sale after these")');
    for (const [name, value] of Object.entries(sale)) {
      const field = page.getByLabel(`${name} of sale ${index + 1}`, { exact: true });
      if (typeof value === "boolean") await field.selectOption(String(value));
      else await field.fill(String(value));
    }
  }
};

/** Creates a plan of what the page shows, for a new partner. */
const createPlan = async (page: Page, schemaId: string): Promise<string> => {
  const name = `Plan ${randomUUID()}`;
  await page.click('button:text-is("Create a new plan from it")');
  await page.fill("dialog input[name=name]", name);
  await page.click("dialog button[type=submit]");
  await page.waitForSelector(`h1:has-text("${name}")`);
  await settled(page);
  const [plan] = (await demo.get(`commission-plans?name=${encodeURIComponent(name)}`)).commission_plans;
  expect(plan.schema_id).toBe(schemaId);
  const partnerId = await post("partners", { workspace_id: workspaceId, name: "Somebody" });
  await ask(demo.url, demo.key, "POST", `commission-plans/${plan.id}/partners`, { partner_ids: [partnerId] });
  return partnerId;
};

/** Records sales, and returns what the engine pays for each. */
const record = async (
  partnerId: string,
  schemaId: string,
  sales: ReadonlyArray<Properties>,
): Promise<ReadonlyArray<number>> => {
  const paid: Array<number> = [];
  for (const properties of sales) {
    const id = await post("attributions", {
      ...{ workspace_id: workspaceId, schema_id: schemaId, partner_id: partnerId },
      properties,
    });
    const [{ view }] = (await demo.get(`commissions?attribution_ids=${id}`)).commissions;
    paid.push(view.computed_amount);
  }
  return paid;
};

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });

const fill = async (page: Page, values: Readonly<Record<string, string>>): Promise<void> => {
  for (const [label, value] of Object.entries(values)) await field(page, label).first().fill(value);
};

const pick = async (page: Page, values: Readonly<Record<string, string>>): Promise<void> => {
  for (const [label, words] of Object.entries(values))
    await field(page, label).first().selectOption({ label: words });
};

const SALE = { cents: 0, total: 0, quantity: 0, category: "other", renewal: false };

type Case = readonly [
  name: string,
  fillIn: (page: Page) => Promise<void>,
  sales: ReadonlyArray<Partial<typeof SALE>>,
  /** By hand. */
  paid: ReadonlyArray<number>,
];

const CASES: ReadonlyArray<Case> = [
  [
    "a percentage of whole euros",
    async (page) => {
      await pick(page, { Of: "total" });
      await fill(page, { Rate: "12.5" });
    },
    [{ total: 99.99 }],
    [1250],
  ],
  [
    "a percentage of cents",
    async (page) => {
      await pick(page, { Of: "cents" });
      await fill(page, { Rate: "12.5" });
    },
    [{ cents: 9999 }],
    [1250],
  ],
  [
    "an amount per unit",
    async (page) => {
      await pick(page, { Pays: "An amount per unit", "For each unit of": "quantity" });
      await fill(page, { Amount: "2.75" });
    },
    [{ quantity: 3 }],
    [825],
  ],
  [
    "tiers of one sale",
    async (page) => {
      await pick(page, { Pays: "Tiers", Of: "total" });
      await fill(page, { "Up to (step 1)": "100", "Rate (step 1)": "5", "Rate (step 2)": "10" });
    },
    [{ total: 150 }, { total: 50 }],
    [1000, 250],
  ],
  [
    "tiers of a month",
    async (page) => {
      await pick(page, { Pays: "Tiers", Of: "cents", "Counted in": "a month" });
      await fill(page, { "Up to (step 1)": "100", "Rate (step 1)": "5", "Rate (step 2)": "10" });
    },
    [{ cents: 8000 }, { cents: 8000 }],
    [400, 700],
  ],
  [
    "the rate of a whole quarter",
    async (page) => {
      await pick(page, { Pays: "Rate of a whole period", Of: "cents", "Counted in": "a quarter" });
      await fill(page, { "Up to (step 1)": "100", "Rate (step 1)": "5", "Rate (step 2)": "10" });
    },
    [{ cents: 8000 }, { cents: 8000 }],
    [400, 1200],
  ],
  [
    "a rate by category",
    async (page) => {
      await pick(page, { Of: "total", "The rate is": "by category" });
      await fill(page, { "Category 1": "books", "Rate 1": "3", "All others": "8" });
    },
    [{ total: 100, category: "books" }, { total: 100 }],
    [300, 800],
  ],
  [
    "a quota of a year with an accelerator",
    async (page) => {
      await pick(page, { Pays: "Quota with accelerator", Of: "total", "Counted in": "a year" });
      await fill(page, { Quota: "100", "Up to the quota": "10", "Beyond it": "15" });
    },
    [{ total: 80 }, { total: 40 }],
    [800, 500],
  ],
  [
    "a cap and a floor",
    async (page) => {
      await pick(page, { Of: "total" });
      await page.click('button:text-is("Set a cap or a floor")');
      await fill(page, { "At least (optional)": "5", "At most (optional)": "20" });
    },
    [{ total: 10 }, { total: 100 }, { total: 1000 }],
    [500, 1000, 2000],
  ],
  [
    "a cap of a month",
    async (page) => {
      await pick(page, { Of: "total" });
      await page.click('button:text-is("Set a cap or a floor")');
      await pick(page, { "Of what is paid for": "a month" });
      await fill(page, { "At most": "12.50" });
    },
    [{ total: 100 }, { total: 100 }],
    [1000, 250],
  ],
  [
    "a bonus at a number of sales",
    async (page) => {
      await pick(page, { Pays: "Bonus at a threshold", "Counted is": "the number of sales" });
      await fill(page, { Bonus: "50", "Paid when it reaches": "2" });
    },
    [{}, {}, {}],
    [0, 5000, 0],
  ],
  [
    "the first two sales, on a condition",
    async (page) => {
      await pick(page, { Pays: "A fixed amount per sale" });
      await fill(page, { "Amount for each sale": "20" });
      await page.click('button:text-is("Pay on a condition")');
      await pick(page, { If: "one of the first sales" });
      await fill(page, { "First sales": "2" });
    },
    [{}, {}, {}],
    [2000, 2000, 0],
  ],
  [
    "a percentage and an amount, together",
    async (page) => {
      await pick(page, { Of: "total" });
      await page.click('button:text-is("Add another amount")');
      await fill(page, { "Amount for each sale": "0.30" });
    },
    [{ total: 10 }],
    [130],
  ],
  [
    "an amount by product",
    async (page) => {
      await pick(page, { Of: "total" });
      await page.click('button:text-is("Pay by product")');
      await pick(page, { Pays: "A fixed amount per sale" });
      await fill(page, { "Category 1": "gift", "Amount for each sale": "1" });
    },
    [{ total: 100, category: "gift" }, { total: 100 }],
    [100, 1000],
  ],
];

describe("a filled-in form", () => {
  let schemaId: string;

  beforeAll(async () => {
    schemaId = await post("attribution-schemas", {
      ...{ workspace_id: workspaceId, name: "Sold by form" },
      properties: [
        { name: "cents", type: "number", required: true, format: "money_minor" },
        { name: "total", type: "number", required: true, format: "money_major" },
        { name: "quantity", type: "number", required: true, format: "count" },
        { name: "category", type: "string", required: true },
        { name: "renewal", type: "boolean", required: true },
      ],
    });
  });

  it.each(CASES)("pays %s as it says", async (_, fillIn, given, paid) => {
    const { page } = visitor;
    const sales = given.map((sale) => ({ ...SALE, ...sale }));
    await begin("Sold by form", "EUR");
    await fillIn(page);
    expect(await page.locator(".entry.wrong").count()).toBe(0);
    await trySales(page, sales);
    const shown = await page.locator("td[data-name=Commission]").allInnerTexts();
    expect(shown.map((item) => item.trim())).toEqual(paid.map((amount) => money(amount, "EUR")));
    expect(await visitor.axe()).toEqual([]);
    const partnerId = await createPlan(page, schemaId);
    expect(await record(partnerId, schemaId, sales)).toEqual(paid);
  });

  it("computes nothing and names the field while something is missing", async () => {
    const { page } = visitor;
    await begin("Sold by form", "EUR");
    await fill(page, { Rate: "ten" });
    expect(await text(".entry.wrong .problem")).toBe("Rate must be a number, such as 12.5");
    expect(await page.locator('button:text-is("Create a new plan from it")').count()).toBe(0);
    await fill(page, { Rate: "10" });
    expect(await text(".formula")).toBe("cents * 10 %");
  });

  it("is the same expression as the text and the JSON", async () => {
    const { page } = visitor;
    await page.click('.views button:text-is("Text")');
    await write(page, "min(cents * 7 %, 5000)");
    await page.click('.views button:text-is("Form")');
    expect(await field(page, "Rate").inputValue()).toBe("7");
    expect(await field(page, "At most (optional)").inputValue()).toBe("50");
    await page.click('.views button:text-is("JSON")');
    await write(page, (await page.getByLabel("Formula as JSON").innerText()).replace("7", "8"));
    await page.click('.views button:text-is("Text")');
    expect(await text(".cm-content")).toBe("min(cents * 8 %, 5000)");
    await write(page, "cents * 8 % / 3");
    await page.click('.views button:text-is("Form")');
    expect(await text(".notice.wait")).toContain("The form cannot show this plan");
  });

  it("is warned of where a text takes cents for whole euros, and whole euros for cents", async () => {
    const { page } = visitor;
    await begin("Sold by form", "EUR");
    await page.click('.views button:text-is("Text")');
    await write(page, "cents * 8 % * 100");
    await page.waitForSelector("text=takes cents for another unit than the schema declares");
    await write(page, "total * 10 %");
    await page.waitForSelector("text=takes total for another unit than the schema declares");
    await write(page, "total * 10 % * 100");
    await page.waitForSelector("text=takes total for another unit", { state: "detached" });
  });
});

describe("a property whose unit is not declared", () => {
  it.each([
    ["EUR", "money_major", 1000],
    ["EUR", "money_minor", 10],
    ["JPY", null, 10],
    ["KWD", "money_major", 10000],
  ] as const)("is asked for before anything is computed: %s, %s", async (currency, unit, paid) => {
    const { page } = visitor;
    const name = `Ticket ${randomUUID()}`;
    const schemaId = await post("attribution-schemas", {
      ...{ workspace_id: workspaceId, name },
      properties: [{ name: "price", type: "number", required: true }],
    });
    await begin(name, currency);
    // A fixed amount asks for no unit.
    const fifty = { EUR: 5_000, JPY: 50, KWD: 50_000 }[currency];
    expect(await text("td[data-name=Commission]")).toBe(money(fifty, currency).replace(/\s/g, " "));
    await pick(page, { Pays: "A percentage of a value" });
    if (unit === null) expect(await text()).not.toContain("In which unit");
    else {
      expect(await text()).toContain("In which unit is price recorded? The schema does not say.");
      expect(await text("td[data-name=Commission]")).toBe("no amount");
      expect(await visitor.axe()).toEqual([]);
      await page.check(`input[value=${unit}]`);
    }
    await trySales(page, [{ price: 100 }]);
    expect(await text("td[data-name=Commission]")).toBe(money(paid, currency).replace(/\s/g, " "));
    const partnerId = await createPlan(page, schemaId);
    expect(await record(partnerId, schemaId, [{ price: 100 }])).toEqual([paid]);
    // The plan says in which unit it takes the property: nothing is asked when it is opened.
    const [{ id }] = (await demo.get(`commission-plans?order=desc&per_page=1`)).commission_plans;
    await visitor.visit(`builder?plan=${id}`);
    await page.waitForSelector('button:text-is("Change the plan to this")');
    expect(await field(page, "Rate").inputValue()).toBe("10");
    if (unit !== null) expect(await page.locator(`input[value=${unit}]`).isChecked()).toBe(true);
  });
});

describe("the code editor", () => {
  it("completes names, underlines mistakes, and explains words", async () => {
    const { page } = visitor;
    await begin("Sold by form", "EUR");
    await page.click('.views button:text-is("Text")');
    await page.waitForSelector(".cm-content");
    await page.click(".cm-content");
    await page.keyboard.press("Control+a");
    await page.keyboard.type("tot");
    await page.waitForSelector("[role=option]");
    expect(await text("[role=option]")).toContain("totalmoney, in whole units of the currency");
    // The editor ignores a key at once after the list has appeared.
    await page.waitForTimeout(200);
    await page.keyboard.press("Enter");
    await page.keyboard.type(" * 10 % * quantitty");
    await page.waitForSelector('.cm-lintRange-error:has-text("quantitty")');
    expect(await text(".editor .problem")).toBe(
      "line 1, column 16: unknown name 'quantitty'; did you mean 'quantity'?",
    );
    expect(await visitor.axe()).toEqual([]);
    await page.hover('.cm-name:text-is("total")');
    await page.waitForSelector(".cm-tooltip-meaning");
    expect(await text(".cm-tooltip-meaning")).toBe("total: money, in whole units of the currency");
  });
});

const monthStart = (ago: number): string => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago, 1)).toISOString();
};

/** What the formulas have paid for the sales of the last three complete months. */
const recordedOf = async (formulas: ReadonlyArray<{ readonly id: string }>): Promise<number> => {
  const ids = formulas.map(({ id }) => `formula_ids=${id}`).join("&");
  const found = await all(
    `commissions?${ids}&occurred_from=${monthStart(3)}&occurred_to=${monthStart(0)}`,
    "commissions",
  );
  return found.reduce((sum, { view }) => sum + (view.computed_amount ?? 0), 0);
};

/** Starts a trial of what the builder shows, and returns its sentence when it is done. */
const tryIt = async (): Promise<string> => {
  const { page } = visitor;
  await page.click('button:text-is("Try it on past sales")');
  await page.click("dialog button[type=submit]");
  await page.waitForSelector("h1:has-text('Trial on past sales')");
  await page.waitForSelector(".next:has-text('would have cost')");
  await settled(page);
  return (await page.locator(".next").innerText()).trim();
};

describe("the latest sales", () => {
  it("earn under a plan in force what is recorded for them", async () => {
    for (const { id, currency } of await all("commission-plans?name=ers&order=asc", "commission_plans")) {
      await visitor.visit(`builder?plan=${id}`);
      await visitor.page.waitForSelector("th:has-text('Would pay')");
      await settled(visitor.page);
      const [now, then] = await Promise.all(
        ["Pays now", "Would pay"].map((name) =>
          visitor.page.locator(`td[data-name="${name}"] .amount`).allInnerTexts(),
        ),
      );
      const formulas = await all(`commission-formulas?plan_ids=${id}`, "commission_formulas");
      const partners = formulas.map(({ partner_id }) => `partner_ids=${partner_id}`).join("&");
      const { attributions } = await demo.get(
        `attributions?${partners}&roles=${formulas[0].roles[0]}&statuses=confirmed&order=desc&per_page=8`,
      );
      const paid: Array<string> = [];
      for (const { id: sale } of attributions) {
        const { commissions } = await demo.get(`commissions?attribution_ids=${sale}`);
        const mine = commissions.find((commission: { commission_formula_id: string }) =>
          formulas.some((formula) => formula.id === commission.commission_formula_id),
        );
        paid.push(money(mine.view.computed_amount, currency));
      }
      expect(paid.length).toBe(8);
      expect(now).toEqual(paid);
      expect(then).toEqual(paid);
    }
  });
});

describe("a trial on past sales", () => {
  it("finds no difference between a plan in force and what is recorded for its partners", async () => {
    const plans = await all("commission-plans?name=ers&order=asc", "commission_plans");
    expect(plans.length).toBeGreaterThan(1);
    for (const { id, currency } of plans) {
      const recorded = await recordedOf(
        await all(`commission-formulas?plan_ids=${id}`, "commission_formulas"),
      );
      await visitor.visit(`builder?plan=${id}`);
      await visitor.page.waitForSelector('button:text-is("Change the plan to this")');
      const amount = money(recorded, currency);
      expect(await tryIt()).toContain(`cost ${amount} instead of ${amount} (${money(0, currency)})`);
      expect(await text()).toContain("No sale earns another amount");
    }
  });

  it("compares a new plan with what the schema's partners earn in its currency", async () => {
    const formulas = await all("commission-formulas?order=asc", "commission_formulas");
    const [schema] = (await demo.get("attribution-schemas?name=Order")).attribution_schemas;
    const paying = formulas.filter(
      (formula) => formula.currency === "SEK" && formula.schema_id === schema.id,
    );
    await begin("Order", "SEK");
    expect(await tryIt()).toContain(`instead of ${money(await recordedOf(paying), "SEK")} (`);
    expect(await visitor.page.locator('button:text-is("Make it the plan")').count()).toBe(0);
  });

  it("says what a change costs when it is adopted from the first day of the trial", async () => {
    const { page } = visitor;
    const [plan] = (await demo.get("commission-plans?name=Resellers")).commission_plans;
    const formulas = await all(`commission-formulas?plan_ids=${plan.id}`, "commission_formulas");
    await visitor.visit(`builder?plan=${plan.id}`);
    await page.waitForSelector('button:text-is("Change the plan to this")');
    await fill(page, { "Rate (step 2)": "6.5" });
    const said = await tryIt();
    const [, then = "", now = ""] = /cost (\S+) instead of (\S+) /.exec(said) ?? [];
    expect(now).toBe(money(await recordedOf(formulas), "EUR"));
    expect(then).not.toBe(now);
    expect(await page.locator(".trial-changes li").count()).toBe(10);
    await page.locator(".trial-changes summary").first().click();
    expect(await text(".trial-changes li")).toMatch(/7\.5 %.*6\.5 %/);
    expect(await visitor.axe()).toEqual([]);
    await page.click('button:text-is("Make it the plan")');
    await page.fill("dialog input[name=effective]", monthStart(3).slice(0, 10));
    await page.click("dialog button[type=submit]");
    await page.waitForSelector("h1:has-text('Resellers')");
    expect(await text()).toContain("up to 5000: 6.5 %");
    expect(
      (await demo.get(`commission-plans?ids=${plan.id}`)).commission_plans[0].view.rolling_out.pending,
    ).toBe(0);
    expect(money(await recordedOf(formulas), "EUR")).toBe(then);
  });
});

describe("a plan that ignores the shares of credits", () => {
  it("still does so after a change of its expression", async () => {
    const { page } = visitor;
    const schema_id = await post("attribution-schemas", {
      ...{ workspace_id: workspaceId, name: "Shared" },
      properties: [{ name: "price", type: "number", required: true, format: "money_minor" }],
    });
    const plan = await post("commission-plans", {
      ...{ workspace_id: workspaceId, schema_id, name: "For all in full", currency: "EUR" },
      ...{ start_datetime: monthStart(3), expression_text: "price * 10 %", apply_share: false },
    });
    await page.reload();
    await visitor.visit(`builder?plan=${plan}`);
    await page.waitForSelector('button:text-is("Change the plan to this")');
    await fill(page, { Rate: "12" });
    await page.click('button:text-is("Change the plan to this")');
    expect(await text("dialog")).toContain("The share of a credit does not change the amount");
    await page.click("dialog button[type=submit]");
    await page.waitForSelector("h1:has-text('For all in full')");
    const [{ view }] = (await demo.get(`commission-plans?ids=${plan}`)).commission_plans;
    expect(view.versions.map((version: Record<string, unknown>) => version.apply_share)).toEqual([
      false,
      false,
    ]);
  });
});

describe("a plan for managers", () => {
  it("asks for its roles and for what the sellers earn, and pays what it shows", async () => {
    const { page } = visitor;
    const schema_id = await post("attribution-schemas", {
      ...{ workspace_id: workspaceId, name: "Sold by a team" },
      properties: [{ name: "price", type: "number", required: true, format: "money_minor" }],
    });
    const partner = (name: string) => post("partners", { workspace_id: workspaceId, name });
    const [seller, manager] = [await partner("Sold below"), await partner("Stands above")];
    await post("commission-formulas", {
      ...{ workspace_id: workspaceId, schema_id, partner_id: seller, name: "Tenth", currency: "EUR" },
      ...{ start_datetime: monthStart(3), expression_text: "price * 10 %" },
    });
    const sale = await post("attributions", {
      ...{ workspace_id: workspaceId, schema_id, partner_id: seller, properties: { price: 12_345 } },
      credits: [{ partner_id: seller }, { partner_id: manager, role: "manager", share: "0.5" }],
    });
    await begin("Sold by a team", "EUR");
    await page.click('.views button:text-is("Text")');
    await write(page, "sale.sellers_commission * 20 %");
    const roles = page.getByLabel("Roles that it pays");
    expect(await text(".shared .problem")).toContain("name other roles, such as manager");
    expect(await page.locator('button:text-is("Create a new plan from it")').count()).toBe(0);
    await roles.fill("manager");
    const share = page.getByLabel("The partner's share of the sale multiplies the amount", { exact: false });
    expect(await share.isChecked()).toBe(false);
    await page.waitForSelector("text=what the sellers earn: is required");
    await page.getByLabel("What the sellers of sale 1 earn").fill("80.40");
    expect(await text("td[data-name=Commission]")).toBe("€16.08");
    // A tenth of 123.45 is 12.35 for the seller, and a fifth of that is for the manager, whatever the share is.
    await page.waitForSelector('td[data-name="Pays"] .amount:text-is("€2.47")');
    expect(await visitor.axe()).toEqual([]);
    await share.check();
    await page.waitForSelector('td[data-name="Pays"] .amount:text-is("€1.24")');
    expect(await text("details.shared")).toContain("60 % of a sale");
    await page.click('button:text-is("Create a new plan from it")');
    expect(await text("dialog")).toContain(
      "It pays these roles: manager. The share of a credit multiplies the amount.",
    );
    expect(await visitor.axe()).toEqual([]);
    await page.fill("dialog input[name=name]", "Managers of teams");
    await page.fill("dialog input[name=start]", monthStart(3).slice(0, 10));
    await page.click("dialog button[type=submit]");
    await page.waitForSelector("h1:has-text('Managers of teams')");
    expect(await text()).toContain("Earned by the manager");
    const [plan] = (await demo.get("commission-plans?name=Managers of teams")).commission_plans;
    expect([plan.roles, plan.view.versions[0].apply_share]).toEqual([["manager"], true]);
    await ask(demo.url, demo.key, "POST", `commission-plans/${plan.id}/partners`, { partner_ids: [manager] });
    const credits = (await demo.get(`attributions?origin_ids=${sale}&roles=manager`)).attributions;
    const [found] = (await demo.get(`commissions?attribution_ids=${credits[0].id}`)).commissions;
    expect(found.view.computed_amount).toBe(124);
  });

  it("changes whether the share counts, and never its roles", async () => {
    const { page } = visitor;
    const [plan] = (await demo.get("commission-plans?name=Managers of teams")).commission_plans;
    await page.reload();
    await visitor.visit(`builder?plan=${plan.id}`);
    await page.waitForSelector('button:text-is("Change the plan to this")');
    const share = page.getByLabel("The partner's share of the sale multiplies the amount", { exact: false });
    expect(await share.isChecked()).toBe(true);
    expect(await text("details.shared")).toContain("It pays these roles: manager. They never change.");
    await share.uncheck();
    await page.click('button:text-is("Change the plan to this")');
    expect(await text("dialog")).toContain("The share of a credit does not change the amount.");
    await page.click("dialog button[type=submit]");
    await page.waitForSelector("h1:has-text('Managers of teams')");
    const [{ view }] = (await demo.get(`commission-plans?ids=${plan.id}`)).commission_plans;
    expect(view.versions.map((version: Record<string, unknown>) => version.apply_share)).toEqual([
      true,
      false,
    ]);
  });
});

describe("a plan that looks at earlier sales", () => {
  it("reads those of the whole window", async () => {
    const schema_id = await post("attribution-schemas", {
      ...{ workspace_id: workspaceId, name: "Ranked" },
      properties: [{ name: "price", type: "number", required: true }],
    });
    const plan = await post("commission-plans", {
      ...{ workspace_id: workspaceId, schema_id, name: "The number of sales in a life", currency: "EUR" },
      start_datetime: monthStart(30),
      expression: { type: "aggregate", function: "count", window: { type: "lifetime" } },
    });
    const partner_id = await post("partners", { workspace_id: workspaceId, name: "An old friend" });
    await ask(demo.url, demo.key, "POST", `commission-plans/${plan}/partners`, { partner_ids: [partner_id] });
    for (const occurred_at of [monthStart(20), monthStart(15), monthStart(0), monthStart(1), monthStart(1)])
      await post("attributions", {
        ...{ workspace_id: workspaceId, schema_id, partner_id, occurred_at },
        properties: { price: 1 },
      });
    await visitor.page.reload();
    await visitor.visit(`builder?plan=${plan}`);
    await visitor.page.waitForSelector('button:text-is("Change the plan to this")');
    const [now, then] = await Promise.all(
      ["Pays now", "Would pay"].map((name) =>
        visitor.page.locator(`td[data-name="${name}"] .amount`).allInnerTexts(),
      ),
    );
    expect(now).toEqual(["€0.04", "€0.03", "€0.02", "€0.01", "€0.00"]);
    expect(then).toEqual(now);
  });
});

describe("a tiered plan", () => {
  let clicks = 0;
  const click = async (selector: string): Promise<void> => {
    clicks += 1;
    await visitor.page.click(selector);
  };
  /** Chooses in a list of the browser, which counts as one click. */
  const choose = async (label: string, words: string): Promise<void> => {
    clicks += 1;
    await pick(visitor.page, { [label]: words });
  };

  it("is written without JSON, its effect on the last quarter seen, in two clicks, before it is created", async () => {
    const { page } = visitor;
    await page.evaluate("sessionStorage.removeItem('quittance.builder')");
    await page.reload();
    await visitor.visit("");
    clicks = 0;
    await click('nav a:text-is("Plan builder")');
    clicks += 1;
    await page.getByLabel("Begin with").selectOption({ label: "Order" });
    await page.fill("input[name=currency]", "EUR");
    await choose("Pays", "Tiers");
    await choose("Counted in", "a month");
    await fill(page, { "Up to (step 1)": "2000", "Rate (step 1)": "4", "Rate (step 2)": "6" });

    const written = clicks;
    clicks = 0;
    const since = new Date().getUTCMonth() % 3;
    const lastDay = new Date(Date.parse(monthStart(since)) - 1).toISOString().slice(0, 10);
    await click('button:text-is("Try it on past sales")');
    await page.fill("dialog input[name=from]", monthStart(since + 3).slice(0, 10));
    await page.fill("dialog input[name=until]", lastDay);
    await click("dialog button[type=submit]");
    await page.waitForSelector(".next:has-text('would have cost')");
    await settled(page);
    expect(await text(".next")).toMatch(/would have cost €[\d,.]+ instead of €[\d,.]+ /);
    expectClicks("see the effect of a plan on the last quarter", clicks);

    clicks = written;
    await click('nav a:text-is("Plan builder")');
    await click('button:text-is("Create a new plan from it")');
    await page.fill("dialog input[name=name]", "Steps by the month");
    await click("dialog button[type=submit]");
    await page.waitForSelector('h1:has-text("Steps by the month")');
    await settled(page);
    expectClicks("write a tiered plan", clicks);
    expect(await text(".formula")).toMatch(/up to 2000: 4 %/);
  });

  it("is assigned to 20 partners in three clicks, with a warning that their sales would be paid twice", async () => {
    const { page } = visitor;
    clicks = 0;
    await click('button:text-is("Assign partners")');
    await click('dialog button:text-is("Choose the 20 partners shown")');
    await page.waitForSelector('dialog .notice.wait:has-text("Sales would be paid twice")');
    expect(await visitor.axe()).toEqual([]);
    await click('dialog button:text-is("Assign 20 partners")');
    await page.waitForSelector("dialog", { state: "detached" });
    await settled(page);
    expectClicks("assign a plan to 20 partners", clicks);
    const [plan] = (await demo.get("commission-plans?name=Steps by the month")).commission_plans;
    expect((await demo.get(`commission-formulas?plan_ids=${plan.id}&per_page=1`)).total).toBe(20);
  });
});

describe("a browser", () => {
  it("reports no exception and no violation of the content security policy", () => {
    expect(visitor.complaints).toEqual([]);
  });
});
