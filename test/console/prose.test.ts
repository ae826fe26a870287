/**
 * Ten plans of the cookbook, filled in from their descriptions in a real browser: what the form pays is what the cookbook worked out
 * by hand. `docs/ten-plans.md` has the same plans as text.
 */
import { Either } from "effect";
import type { Page } from "playwright-core";
import { type ParameterDefinition, parseFor } from "quittance/formula";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findPlan, paysAsWorkedOut } from "../cookbook/WorkedOut.ts";
import { ask } from "../server/running.ts";
import { type Launched, launch } from "./Browser.ts";
import { type Demo, startDemo } from "./Demo.ts";
import { arrive, settled, signIn, type Visitor, write } from "./Visitor.ts";

let demo: Demo;
let launched: Launched;
let visitor: Visitor;
let workspaceId: string;

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

/** Uses the form: fields and choices are found by their labels, of several with the same label by their place. */
const formOn = (page: Page) => {
  const at = (label: string, index: number) => page.getByLabel(label, { exact: true }).nth(index);
  return {
    fill: (label: string, value: string, index = 0) => at(label, index).fill(value),
    pick: async (label: string, words: string, index = 0) => {
      await at(label, index).selectOption({ label: words });
    },
    click: (words: string, index = 0) => page.locator(`button:text-is("${words}")`).nth(index).click(),
    /** Declares a value by partner, with a value to try. */
    declare: async (name: string, kind: string, value: string) => {
      await page.click('button:text-is("Add a value that each partner has of its own")');
      await page.getByLabel(/^Name/).last().fill(name);
      await page
        .getByLabel(/^What it is/)
        .last()
        .selectOption({ label: kind });
      await page
        .getByLabel(/^Value/)
        .last()
        .fill(value);
    },
  };
};

type Form = ReturnType<typeof formOn>;

interface Filled {
  /** The file of the plan in the cookbook. */
  readonly plan: string;
  /** The properties that the form asks the unit of, each with the answer. */
  readonly units: Readonly<Record<string, "money_major" | "count">>;
  readonly fillIn: (form: Form) => Promise<void>;
  /** The parameters as the form declares them, if it does: money in the smallest unit. */
  readonly parameters?: ReadonlyArray<ParameterDefinition>;
}

const FORMS: ReadonlyArray<Filled> = [
  {
    plan: "affiliate-eligible-orders",
    units: { amount: "money_major" },
    fillIn: async ({ fill, pick, click }) => {
      await pick("The rate is", "by condition");
      await pick("If", "any of several conditions");
      await fill("Values, separated by commas", "DE, AT, CH");
      await pick("Property", "buyer domain", 1);
      await pick("Comparison", "ends with", 1);
      await fill("Values, separated by commas", ".eu", 1);
      await click("Add a condition that has to hold as well");
      await pick("and", "a yes or no");
      await pick("Is", "no");
      await fill("the rate is", "7");
      await fill("All others", "0");
    },
  },
  {
    plan: "saas-first-year-then-renewal",
    units: { amount: "money_major" },
    fillIn: async ({ fill, pick }) => {
      await pick("The rate is", "by condition");
      await pick("If", "the time since a date");
      await pick("Comparison", "less than");
      await fill("Number", "12");
      await pick("Complete", "months");
      await fill("the rate is", "30");
      await fill("All others", "10");
    },
  },
  {
    plan: "car-sales-unit-bonus",
    units: { gross: "money_major" },
    fillIn: async ({ fill, pick, click }) => {
      await fill("Rate", "25");
      await click("Set a cap or a floor");
      await fill("At least (optional)", "150");
      await click("Add another amount to all of this");
      await click("Pay on a condition", 1);
      await pick("If", "one of the first sales");
      await fill("First sales", "9");
      await pick("Of", "a month", 1);
      await pick("Pays", "Nothing", 1);
      await click("Add a case");
      await pick("If", "one of the first sales", 1);
      await fill("First sales", "20", 1);
      await pick("Of", "a month", 2);
      await pick("Pays", "A fixed amount per sale", 2);
      await fill("Amount for each sale", "25");
      await pick("Pays", "A fixed amount per sale", 3);
      await fill("Amount for each sale", "40", 1);
    },
  },
  {
    plan: "freelancer-fee-by-client",
    units: { amount: "money_major" },
    fillIn: async ({ fill, pick, click }) => {
      await pick("Pays", "Tiers");
      await pick("Counted in", "all time");
      await pick("Counted for each", "client");
      await click("Add a step");
      await fill("Up to (step 1)", "500");
      await fill("Rate (step 1)", "20");
      await fill("Up to (step 2)", "10000");
      await fill("Rate (step 2)", "10");
      await fill("Rate (step 3)", "5");
    },
  },
  {
    plan: "monthly-quota-of-each-partner",
    units: { amount: "money_major" },
    parameters: [{ name: "quota", type: "number", format: "money_minor" }],
    fillIn: async ({ fill, pick, declare }) => {
      await declare("quota", "money", "10000");
      await pick("Pays", "Quota with accelerator");
      await pick("Counted in", "a month");
      await fill("Quota", "plan.quota");
      await fill("Up to the quota", "5");
      await fill("Beyond it", "10");
    },
  },
  {
    plan: "first-three-sales-free",
    units: { price: "money_major" },
    fillIn: async ({ fill, pick }) => {
      await pick("The rate is", "by condition");
      await pick("If", "one of the first sales");
      await fill("First sales", "3");
      await fill("the rate is", "0");
      await fill("All others", "19");
    },
  },
  {
    plan: "reseller-margin-by-level",
    units: { deal_value: "money_major" },
    fillIn: async ({ fill, pick, click }) => {
      await pick("The rate is", "by category");
      await click("Add a category");
      await click("Add a category");
      for (const [index, [level, rate]] of Object.entries({
        silver: "20",
        gold: "25",
        premier: "30",
      }).entries()) {
        await fill(`Category ${index + 1}`, level);
        await fill(`Rate ${index + 1}`, rate);
      }
      await fill("All others", "0");
      await click("Add another amount");
      await pick("Pays", "A percentage of a value", 1);
      await pick("The rate is", "by condition", 1);
      await pick("If", "the month, quarter or weekday");
      await pick("Looked at is", "its quarter");
      await fill("Quarters from 1 to 4, separated by commas", "4");
      await click("Add a condition that has to hold as well");
      await fill("Values, separated by commas", "gold");
      await fill("the rate is", "5");
      await click("Add a case");
      await pick("If", "the month, quarter or weekday", 1);
      await pick("Looked at is", "its quarter", 1);
      await fill("Quarters from 1 to 4, separated by commas", "4", 1);
      await click("Add a condition that has to hold as well", 1);
      await fill("Values, separated by commas", "premier", 1);
      await fill("the rate is", "10", 1);
      await fill("All others", "0", 1);
    },
  },
  {
    plan: "rate-by-last-ninety-days",
    units: { amount: "money_major", units: "count" },
    fillIn: async ({ fill, pick, click }) => {
      await pick("Of", "amount");
      await pick("The rate is", "by size or total");
      await pick("Decided by", "a total before this sale");
      await pick("Value", "units");
      await pick("In", "the last days");
      await fill("Days, the sale's own included", "90");
      await pick("A limit itself has", "the rate beyond it");
      await click("Add a step");
      await click("Add a step");
      for (const [index, [below, rate]] of [
        ["624", "5"],
        ["1248", "10"],
        ["2496", "15"],
      ].entries()) {
        await fill(`Below (step ${index + 1})`, below ?? "");
        await fill(`Rate (step ${index + 1})`, rate ?? "");
      }
      await fill("Rate (step 4)", "20");
    },
  },
  {
    plan: "referral-milestone-bonus",
    units: { amount: "money_major" },
    fillIn: async ({ fill, pick, click }) => {
      await fill("Rate", "10");
      await click("Add another amount");
      await pick("Pays", "Bonus at a threshold", 1);
      await fill("Bonus", "50");
      await pick("Counted is", "the number of sales");
      await pick("In", "all time");
      await fill("Paid when it reaches", "20");
    },
  },
];

/** A plan whose examples have the values of its parameters, which are money, in the smallest unit. */
const inSmallestUnits = (plan: ReturnType<typeof findPlan>): ReturnType<typeof findPlan> =>
  JSON.parse(JSON.stringify(plan), (key, value) =>
    key === "parameters" && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).map(([name, amount]) => [name, Number(amount) * 100]))
      : value,
  );

/** Begins a new plan for the sales of a plan of the cookbook. */
const begin = async (name: string): Promise<void> => {
  const { page } = visitor;
  const { schema, currency } = findPlan(name);
  await ask(demo.url, demo.key, "POST", "attribution-schemas", {
    workspace_id: workspaceId,
    name,
    ...schema,
  });
  await page.evaluate("sessionStorage.removeItem('quittance.builder')");
  await page.reload();
  await visitor.visit("builder");
  await page.getByLabel("Begin with").selectOption({ label: name });
  await page.fill("input[name=currency]", currency);
  await page.getByLabel("Pays", { exact: true }).selectOption({ label: "A percentage of a value" });
};

describe("a form that is filled in from a description", () => {
  it.each(FORMS.map((filled) => [filled.plan, filled] as const))(
    "%s pays what the cookbook worked out",
    async (name, { units, fillIn, parameters }) => {
      const { page } = visitor;
      await begin(name);
      await fillIn(formOn(page));
      for (const [property, unit] of Object.entries(units))
        await page.check(`input[name="unit of ${property}"][value=${unit}]`);
      await settled(page);
      expect(await page.locator(".entry.wrong").allInnerTexts()).toEqual([]);
      const text = await page.locator(".formula").innerText();
      const plan = findPlan(name);
      const checked = Either.getOrThrow(
        parseFor(text, plan.schema.properties, parameters ?? plan.parameters),
      );
      paysAsWorkedOut(parameters === undefined ? plan : inSmallestUnits(plan), checked);
      expect(await visitor.axe()).toEqual([]);
    },
  );
});

describe("a plan that the form cannot show", () => {
  it("is written as text, and stays in the text editor", async () => {
    const { page } = visitor;
    await begin("real-estate-two-caps");
    await formOn(page).declare("joined_on", "a date", "2025-03-15");
    await page.click('.views button:text-is("Text")');
    await write(
      page,
      "before = sum of commission earlier this year since plan.joined_on\n(commission - before) * 100",
    );
    await page.waitForSelector("text=The formula fits the sales.");
    await page.click('.views button:text-is("Form")');
    await page.waitForSelector("text=The form cannot show this plan");
    expect(visitor.complaints).toEqual([]);
  });
});
