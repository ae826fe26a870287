/** An empty installation in a real browser: from nothing to the first commission, with what exists ticked off. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call, folder, listening, type Run, run } from "../server/running.ts";
import { type Launched, launch } from "./Browser.ts";
import { expectClicks } from "./Budgets.ts";
import { walkByTab } from "./Keyboard.ts";
import { arrive, settled, signIn, unlessCard, type Visitor } from "./Visitor.ts";

let started: Run;
let launched: Launched;
let visitor: Visitor;
let url: string;
let key: string;
const place = folder();

beforeAll(async () => {
  started = run(place.path, ["serve", "--port", "0", "--database-url", "memory:"], { LOG_LEVEL: "off" });
  [launched, url] = await Promise.all([launch(), listening(started)]);
  key = /development key.*: (qk_\S+)/.exec(started.output())?.[1] ?? "";
  visitor = await arrive(launched.browser, url, "console");
  await signIn(visitor, key);
});

afterAll(async () => {
  await launched?.close();
  started.process.kill("SIGTERM");
  await started.ended;
  place.remove();
});

const get = async (path: string) => (await call(url, key, "GET", path)).body;

/** What is done, by the order of the steps. */
const done = async (): Promise<string> =>
  (await visitor.page.locator(".steps .badge").allInnerTexts()).map((word) => word[0]).join("");

let clicks = 0;
const click = async (selector: string): Promise<void> => {
  clicks += 1;
  await visitor.page.click(selector);
};

/** Chooses in a list of the browser, which counts as one click. */
const choose = async (selector: string, option: string | { readonly label: string }): Promise<void> => {
  clicks += 1;
  await visitor.page.locator(selector).last().selectOption(option);
};

/** Sends the form; without the title of the next one, which opens by itself, no other is open then. */
const confirm = async (words: string, next?: string): Promise<void> => {
  const { page } = visitor;
  await click(`dialog button:text-is("${words}")`);
  if (next === undefined) await page.waitForSelector("dialog", { state: "detached" });
  else await page.waitForSelector(`dialog h2:text-is("${next}")`);
  await settled(page);
};

describe("an empty installation", () => {
  it("is led to its first commission in fifteen clicks, the first plan built, each form after the one before", async () => {
    const { page } = visitor;
    await visitor.visit("");
    await page.waitForSelector(".steps");
    await expect.poll(done, { timeout: 60_000 }).toBe("TTLLTLL");
    expect(await page.locator(".steps :is(button, a)").allInnerTexts()).toEqual([
      "Enter your company",
      "Name the properties",
      "Import a file",
      "Add a partner",
    ]);
    expect(await page.locator(".steps .note").allInnerTexts()).toEqual([
      "After: What a sale has",
      "After: What a sale has",
      "After: A plan, A partner",
      "After: What a sale has, A partner",
    ]);
    expect(await visitor.axe()).toEqual([]);
    expect(await walkByTab(page)).toEqual([]);

    await click('button:text-is("Enter your company")');
    const company = {
      legalName: "Nordhang GmbH",
      street: "Am Markt 1",
      postalCode: "80331",
      city: "München",
    };
    for (const [name, value] of Object.entries({ ...company, vatNumber: "DE123456789" }))
      await page.fill(`[name=${name}]`, value);
    await choose("[name=country]", "DE");
    expect(await visitor.axe()).toEqual([]);
    await confirm("Save", "What a sale has");
    expect(await get("billing-profile")).toMatchObject({
      legal_name: "Nordhang GmbH",
      address: { country: "DE" },
    });

    await click('dialog button:text-is("Add a property")');
    await page.locator("[name=property]").nth(1).fill("category");
    await choose("[name=kind]", { label: "Text" });
    expect(await visitor.axe()).toEqual([]);
    await confirm("Save the properties", "Name and time zone");
    const [schema] = (await get("attribution-schemas")).attribution_schemas;
    expect(schema.properties).toEqual([
      { name: "order_value", type: "number", format: "money_major", required: true },
      { name: "category", type: "string", required: false },
    ]);

    // The zone is that of the browser.
    await page.fill("[name=name]", "Shop");
    expect(await visitor.axe()).toEqual([]);
    await confirm("Save name and time zone");
    expect(await get(`workspaces/${schema.workspace_id}`)).toMatchObject({
      name: "Shop",
      time_zone: "Europe/Berlin",
    });
    await expect.poll(done, { timeout: 60_000 }).toBe("DDDTTLL");

    // The plan is built on another page, which does not open by itself.
    expect(await page.locator("dialog").count()).toBe(0);
    await click('a:text-is("Build a plan")');
    await page.waitForSelector('h1:has-text("Plan builder")');
    // It begins whole, in the currency of the company's country, and shows what it pays.
    expect(await page.inputValue("input[name=currency]")).toBe("EUR");
    expect(await page.locator("td[data-name=Commission]").innerText()).toBe("€10.00");
    await click('button:text-is("Create a new plan from it")');
    await page.fill("dialog input[name=name]", "Ten percent");
    await page.fill("dialog input[name=start]", "2026-01-01");
    await click('dialog button:text-is("Create the plan")');
    await page.waitForSelector('h1:has-text("Ten percent")');
    const [plan] = (await get("commission-plans")).commission_plans;
    expect(plan).toMatchObject({ currency: "EUR", schema_id: schema.id });

    await click('nav a:text-is("Overview")');
    await click('button:text-is("Add a partner")');
    await page.fill("[name=name]", "Mira Kallio");
    await confirm("Add the partner", "Assign Mira Kallio to Ten percent");
    const [partner] = (await get("partners")).partners;
    expect(partner.workspace_id).toBe(schema.workspace_id);
    await page.waitForSelector("dialog >> text=No past sale earns anything under it.");
    expect(await visitor.axe()).toEqual([]);
    await confirm("Assign 1 partner", "The first sale");
    expect(await done()).toBe("DDDDDDT");
    expect(await page.locator("dialog input[type=radio]").isChecked()).toBe(true);
    await page.fill('dialog .field:has-text("order value") input', "19.99");
    await page.click("dialog summary");
    expect(await page.locator("dialog pre").innerText()).toContain('"properties":{"order_value":19.99}');
    expect(await visitor.axe()).toEqual([]);
    await confirm("Record the sale");
    expectClicks("set up a company", clicks);
    await page.waitForSelector('main:has-text("€2.00")');
    await visitor.visit("");
    await page.waitForSelector(".cards");
    expect(await page.locator(".steps").count()).toBe(0);
    // Nothing that does not exist yet is asked for.
    expect(visitor.complaints.splice(0)).toEqual([]);
  });

  it("takes its sales from a file, checked row by row, and none twice", async () => {
    const { page } = visitor;
    const rows = async (): Promise<ReadonlyArray<string>> =>
      (await page.locator("main tbody tr").allInnerTexts()).map((row) => row.replace(/\s+/g, " ").trim());
    const drop = (text: string): Promise<void> =>
      page.setInputFiles("input[type=file]", {
        ...{ name: "sales.csv", mimeType: "text/csv", buffer: Buffer.from(text) },
      });
    const file = [
      "Order number;Partner;Date;Order value;Category",
      "A-1;Mira Kallio;2026-10-31;100.50;north",
      "A-2;Otso;2026-10-31;7;",
      "A-3;Mira Kallio;31.10.2026;7;",
      "A-4;Mira Kallio;2026-11-01;-5;",
    ].join("\n");
    await visitor.visit("sales");
    await page.click('a:text-is("Import")');
    await page.waitForSelector("input[type=file]:not([disabled])");
    expect(await page.locator("main pre").innerText()).toContain(
      "external_reference,partner,date,order_value,category",
    );
    await drop("partner,order_value\nMira Kallio,1");
    await page.waitForSelector(".problem:has-text('The file has no column external_reference.')");
    expect(await visitor.axe()).toEqual([]);
    await drop(file);
    await page.waitForSelector('button:text-is("Import 2 sales")');
    expect(await rows()).toEqual([
      `${unlessCard("3")}Otso partner: there is no partner "Otso" in this workspace ${unlessCard("A-2")}Not possible`,
      expect.stringMatching(
        `^${unlessCard("4")}Mira Kallio date: must be a day such as .* ${unlessCard("A-3")}Not possible$`,
      ),
      `${unlessCard("2")}Mira Kallio ${unlessCard("A-1")}New`,
      `${unlessCard("5")}Mira Kallio ${unlessCard("A-4")}New`,
    ]);
    expect((await get("attributions?external_references=A-1")).total).toBe(0);
    expect(await visitor.axe()).toEqual([]);
    expect(await walkByTab(page)).toEqual([]);
    await page.click('button:text-is("Import 2 sales")');
    await page.waitForSelector('a:text-is("To the sales")');
    expect(await page.locator(".sentence").innerText()).toBe(
      "2 sales imported. 2 rows are wrong and left out.",
    );
    const [sale] = (await get("attributions?external_references=A-1")).attributions;
    expect(sale).toMatchObject({
      events: [{ event: { properties: { order_value: 100.5, category: "north" } } }],
      metadata: { occurred_on: "2026-10-31", occurred_at: "2026-10-31T12:00:00.000Z" },
    });
    await drop(file);
    await page.waitForSelector(".sentence:has-text('2 rows are there already')");
    expect(await page.locator('button:has-text("Import ")').count()).toBe(0);
    await page.click('.above a:text-is("Sales")');
    await page.waitForSelector('tbody tr:has-text("A-4")');
    expect(visitor.complaints.splice(0)).toEqual([]);
  });
});

describe("the company", () => {
  const field = (name: string): string => `dialog [name=${name}]`;
  const changes = (): Promise<string> =>
    visitor.page.locator('dialog [aria-label="What this changes"]').innerText();
  const open = async (): Promise<void> => {
    await visitor.visit("company");
    await visitor.page.click('main button:text-is("Change the company")');
  };

  it("is changed later, with what changes said before, and what the form does not have is kept", async () => {
    const { page } = visitor;
    const document_numbers = { prefix: "NH", year: true };
    const rate = { currency: "USD", date: "2026-02-02", rate: "0.9", source: "A  bank" };
    const rates = { tax_currency: "EUR", exchange_rates: [rate] };
    const before = { ...(await get("billing-profile")), document_numbers, ...rates };
    expect((await call(url, key, "PUT", "billing-profile", before)).status).toBe(200);
    await open();
    expect(await page.locator("main .facts").innerText()).toContain("Nordhang GmbH");
    expect(await changes()).toBe("");
    await page.fill(field("legalName"), "Nordhang AG");
    await page.fill(field("iban"), "DE02 1203 0000 0000 2020 52");
    await page.fill(field("bic"), "BYLADEM1001");
    await page.fill(field("buyerReference"), "04011000-1234512345-06");
    await page.fill(field("correctionPrefix"), "NHC");
    await page.fill(field("noticeEmail"), "treasury@nordhang.example");
    const typed = await page.inputValue(field("exchangeRates"));
    expect(typed).toBe("USD 2026-02-02 0.9 A bank");
    await page.fill(field("exchangeRates"), `${typed}\n\nusd 2026-03-01`);
    expect(await changes()).toBe("");
    await page.click('dialog button:text-is("Save the changes")');
    await page.waitForSelector('dialog [role=alert]:has-text("Line 3 of the rates must be a currency")');
    await page.fill(field("exchangeRates"), `${typed}\nusd 2026-03-01 0.91  Another bank`);
    expect(await changes()).toContain("Rates for VAT: nothing becomes USD 2026-03-01 0.91 Another bank.");
    expect(await changes()).toMatch(
      /Legal name: Nordhang GmbH becomes Nordhang AG\.[\s\S]*IBAN: nothing becomes DE/,
    );
    expect(await changes()).toContain("Bank files that are created from now on pay from this account");
    expect(await visitor.axe()).toEqual([]);
    expect(await walkByTab(page)).toEqual([]);
    await page.click('dialog button:text-is("Save the changes")');
    await page.waitForSelector("dialog .field.wrong");
    expect(await page.locator("dialog .field.wrong .name").innerText()).toBe("IBAN");
    expect(visitor.complaints.splice(0)).toEqual([expect.stringContaining("400")]);
    await page.fill(field("iban"), "DE02 1203 0000 0000 2020 51");
    await confirm("Save the changes");
    const bank_account = {
      ...{ beneficiary_name: "Nordhang AG", iban: "DE02120300000000202051", bic: "BYLADEM1001" },
    };
    const added = { currency: "USD", date: "2026-03-01", rate: "0.91", source: "Another bank" };
    const changed = {
      ...{ legal_name: "Nordhang AG", buyer_reference: "04011000-1234512345-06", bank_account },
      ...{ document_numbers: { ...document_numbers, correction_prefix: "NHC" } },
      ...{ exchange_rates: [rate, added], notice_email: "treasury@nordhang.example" },
    };
    expect(await get("billing-profile")).toEqual({ ...before, ...changed });
    await page.waitForSelector('.timeline li:has-text("buyer reference")');
    expect((await page.locator(".timeline li").first().innerText()).replace(/\s+/g, " ")).toMatch(
      /^Changed: bank account, buyer reference, numbers of documents, exchange rates, legal name, notice email\. The account is now .*, by the key “development”/,
    );
    expect(await visitor.axe()).toEqual([]);
  });

  it("is not stored where nothing is changed, or over what somebody else has changed meanwhile", async () => {
    const { page } = visitor;
    await open();
    await page.click('dialog button:text-is("Save the changes")');
    expect(await page.locator("dialog [role=alert]").innerText()).toContain("Nothing is changed.");
    const stored = { ...(await get("billing-profile")), legal_note: "HRB 12345" };
    expect((await call(url, key, "PUT", "billing-profile", stored)).status).toBe(200);
    await page.fill(field("city"), "Augsburg");
    await page.click('dialog button:text-is("Save the changes")');
    await page.waitForSelector('dialog [role=alert]:has-text("Somebody else has changed the company")');
    expect(await get("billing-profile")).toEqual(stored);
    await page.click('dialog button:text-is("Go back")');
    expect(visitor.complaints.splice(0)).toEqual([]);
  });
});
