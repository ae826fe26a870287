/** The playground in a real browser: the units of a new formula, and simulations compared with what the API has recorded. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { money } from "../../adapters/console/format/Money.ts";
import { ask } from "../server/running.ts";
import { type Launched, launch } from "./Browser.ts";
import { type Demo, startDemo } from "./Demo.ts";
import { arrive, signIn, type Visitor } from "./Visitor.ts";

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

const text = (selector = "main"): Promise<string> => visitor.page.locator(selector).first().innerText();

/** Begins a new formula for a schema; without a unit none may be asked for. */
const begin = async (schema: string, currency: string, unit: "smallest" | "whole" | null): Promise<void> => {
  const { page } = visitor;
  await visitor.visit("playground");
  await page.getByLabel("Begin with").selectOption({ label: schema });
  await page.fill("input[name=currency]", currency);
  if (unit === null) expect(await page.locator("input[name=unit]").count()).toBe(0);
  else await page.check(`input[name=unit][value=${unit}]`);
  expect(await visitor.axe()).toEqual([]);
  await page.click('button:text-is("Begin")');
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

const monthStart = (ago: number): string => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago, 1)).toISOString();
};

/** What the formulas have paid for last month's sales. */
const recordedOf = async (formulas: ReadonlyArray<{ readonly id: string }>): Promise<number> => {
  const ids = formulas.map(({ id }) => `formula_ids=${id}`).join("&");
  const found = await all(
    `commissions?${ids}&occurred_from=${monthStart(1)}&occurred_to=${monthStart(0)}`,
    "commissions",
  );
  return found.reduce((sum, { view }) => sum + (view.computed_amount ?? 0), 0);
};

const simulate = async (): Promise<string> => {
  await visitor.page.click('button:text-is("Compute")');
  await visitor.page.waitForSelector("text=would have cost");
  return text('.sentence:has-text("would have cost")');
};

describe("a new formula for a schema", () => {
  it.each([
    ["EUR", "whole", "€10.00"],
    ["EUR", "smallest", "€0.10"],
    ["JPY", null, "JP¥10"],
    ["KWD", "whole", "KWD 10.000"],
  ] as const)("pays ten percent in %s of a property in the %s unit", async (currency, unit, paid) => {
    const [{ workspace_id }] = (await demo.get("attribution-schemas")).attribution_schemas;
    const name = `Ticket ${currency} ${unit}`;
    await ask(demo.url, demo.key, "POST", "attribution-schemas", {
      ...{ workspace_id, name },
      properties: [{ name: "price", type: "number", required: true }],
    });
    await visitor.page.reload();
    await begin(name, currency, unit);
    await visitor.page.getByLabel("price of sale 1").fill("100");
    expect((await text("td[data-name=Commission]")).replace(/\s/g, " ")).toBe(paid);
  });

  it("cannot become a plan in a currency with another smallest unit", async () => {
    const { page } = visitor;
    await begin("Ticket EUR whole", "EUR", "whole");
    await page.click('button:text-is("Create a new plan from it")');
    await page.fill("input[name=name]", "Tickets");
    await page.fill("dialog input[name=currency]", "jpy");
    await page.click("dialog button[type=submit]");
    expect(await text("dialog [role=alert]")).toContain("Begin a new formula for the schema, in JPY");
    await page.keyboard.press("Escape");
  });
});

describe("a simulation of last month", () => {
  it("finds no difference between a plan in force and what is recorded for its partners", async () => {
    const plans = await all("commission-plans?order=asc", "commission_plans");
    let earning = 0;
    for (const { id, currency } of plans) {
      const recorded = await recordedOf(
        await all(`commission-formulas?plan_ids=${id}`, "commission_formulas"),
      );
      if (recorded === 0) continue;
      earning += 1;
      await visitor.visit(`playground?plan=${id}`);
      await visitor.page.waitForSelector('button:text-is("Change the plan to this")');
      const amount = money(recorded, currency);
      expect(await simulate()).toContain(`cost ${amount} instead of ${amount} (${money(0, currency)})`);
    }
    expect(earning).toBeGreaterThan(0);
  });

  it("compares a new formula with what the schema's partners earn in its currency", async () => {
    const formulas = await all("commission-formulas?order=asc", "commission_formulas");
    for (const currency of ["EUR", "SEK"]) {
      const [schema] = (await demo.get("attribution-schemas?name=Order")).attribution_schemas;
      const paying = formulas.filter((one) => one.currency === currency && one.schema_id === schema.id);
      await begin("Order", currency, "smallest");
      expect(await simulate()).toContain(`instead of ${money(await recordedOf(paying), currency)} (`);
    }
  });

  it("counts earlier sales of the whole window, also those before the month", async () => {
    const [{ workspace_id }] = (await demo.get("attribution-schemas")).attribution_schemas;
    const post = async (path: string, body: object): Promise<string> =>
      String((await ask(demo.url, demo.key, "POST", path, body)).id);
    const schema_id = await post("attribution-schemas", {
      ...{ workspace_id, name: "Ranked" },
      properties: [{ name: "price", type: "number", required: true }],
    });
    const plan = await post("commission-plans", {
      ...{ workspace_id, schema_id, name: "The number of sales in a life", currency: "EUR" },
      start_datetime: monthStart(30),
      expression: { type: "aggregate", function: "count", window: { type: "lifetime" } },
    });
    const partner_id = await post("partners", { workspace_id, name: "An old friend" });
    await ask(demo.url, demo.key, "POST", `commission-plans/${plan}/partners`, { partner_ids: [partner_id] });
    for (const occurred_at of [monthStart(20), monthStart(15), monthStart(0), monthStart(1), monthStart(1)])
      await post("attributions", {
        workspace_id,
        schema_id,
        partner_id,
        occurred_at,
        properties: { price: 1 },
      });
    await visitor.page.reload();
    await visitor.visit(`playground?plan=${plan}`);
    await visitor.page.waitForSelector('button:text-is("Change the plan to this")');
    expect(await simulate()).toContain("cost €0.07 instead of €0.07");
  });
});

describe("a browser", () => {
  it("reports no exception and no violation of the content security policy", () => {
    expect(visitor.complaints).toEqual([]);
  });
});
