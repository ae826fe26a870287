/**
 * Every page of the console and of the portal in a real browser, for the example company, an empty and a hostile one: each amount
 * that is shown is the one of the interface, and nothing lies beside a narrow window. `npm run verify` compares the amounts on a narrow
 * screen as well, and walks through every portal.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Launched, launch } from "./Browser.ts";
import { type Demo, startDemo } from "./Demo.ts";
import { type Companies, startCompanies } from "./walk/Companies.ts";
import { amountsIn, change, money } from "./walk/Figures.ts";
import { companyOf, WIDE_LOOK, walkConsole, walkPortal } from "./walk/Walk.ts";

const MINUTES = 60_000;

let demo: Demo;
/** They are made while the example company is walked through. */
let companies: Promise<Companies>;
let launched: Launched;

beforeAll(async () => {
  companies = startCompanies();
  // A failure is that of the tests that wait for them.
  companies.catch(() => {});
  [demo, launched] = await Promise.all([startDemo(), launch()]);
}, 5 * MINUTES);

afterAll(async () => {
  await launched?.close();
  await Promise.all([demo?.stop(), companies?.then(({ stop }) => stop())]);
});

describe("every page", () => {
  it("shows the figures of the interface for the example company", { timeout: 5 * MINUTES }, async () => {
    const company = companyOf(demo.url, demo.key);
    const look = { ...WIDE_LOOK, partnersMax: 2 };
    const [{ id }] = (await company.api.get("partners?name=Montagne")).partners;
    const problems = await Promise.all([
      walkConsole(launched.browser, "example", company, look),
      walkPortal(launched.browser, "Montagne Service", company, id),
    ]);
    expect(problems.flat()).toEqual([]);
  });

  it("shows them for a company that is unkind to pages", { timeout: 5 * MINUTES }, async () => {
    const { hostile } = await companies;
    expect(await walkConsole(launched.browser, "hostile", hostile)).toEqual([]);
    const problems = await Promise.all(
      (["reversed", "markup", "twice", "nothing"] as const).map((name) =>
        walkPortal(launched.browser, name, hostile, hostile.partners[name]),
      ),
    );
    expect(problems.flat()).toEqual([]);
  });

  it("is shown for a company without records", async () => {
    const { empty } = await companies;
    expect(await walkConsole(launched.browser, "empty", empty)).toEqual([]);
  });
});

describe("the walk", () => {
  it("reports an amount that is not that of the interface, what is not formatted, and what a phone does not show", async () => {
    const { hostile } = await companies;
    const look = {
      ...WIDE_LOOK,
      places: ["settlements", "summary"],
      arrived: async ({ page }: { readonly page: import("playwright-core").Page }) => {
        await page.route(/\/api\/v1\/(settlements|partners)\?/, async (route) => {
          const response = await route.fetch();
          const text = (await response.text()).replace(/"total":(\d+),"lines"/g, '"total":$19,"lines"');
          await route.fulfill({ response, body: text.replace(/"name":"[^"]*"/g, '"name":"undefined"') });
        });
        await page.route(/\.css$/, async (route) => {
          const response = await route.fetch();
          const wide = "@media (max-width: 400px) { main h1 { position: relative; left: 400px } }";
          await route.fulfill({ response, body: `${await response.text()}\n${wide}` });
        });
        await page.reload();
      },
    };
    const problems = await walkPortal(launched.browser, "altered", hostile, hostile.partners.markup, look);
    expect(problems).toContainEqual(expect.stringMatching(/settlements, 1280 px: amount 1 of \d+/));
    expect(problems).toContainEqual(expect.stringMatching(/summary, 1280 px: shows .*undefined/));
    expect(problems).toContainEqual(
      expect.stringMatching(/summary, 390 px: is \d+ px wider than the window/),
    );
    expect(problems).toContainEqual(expect.stringMatching(/summary, 390 px: has beside it /));
  });
});

describe("an amount", () => {
  it.each([
    [0, "EUR", "€0.00", "€0.00"],
    [-5, "EUR", "−€0.05", "−€0.05"],
    [123_456_789, "JPY", "JP¥123,456,789", "+JP¥123,456,789"],
    [-1_234_567, "KWD", "−KWD\u00a01,234.567", "−KWD\u00a01,234.567"],
    [26_999_999_999_999_973n, "USD", "US$269,999,999,999,999.73", "+US$269,999,999,999,999.73"],
  ])("%d %s is written without the pages' code", (units, currency, text, changed) => {
    expect([money(units, currency), change(units, currency)]).toEqual([text, changed]);
    expect(amountsIn(`it is ${text} and ${changed}, net`)).toEqual([text, changed]);
  });
});
