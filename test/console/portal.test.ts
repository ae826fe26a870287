/** The jobs of a partner in the portal in a real browser, each within its budget of clicks. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask } from "../server/running.ts";
import { type Launched, launch } from "./Browser.ts";
import { expectClicks } from "./Budgets.ts";
import { createPortalKey, type Demo, startDemo } from "./Demo.ts";
import { approveNew } from "./NewPartner.ts";
import { arrive, settled, signIn, VIEWS, type Visitor } from "./Visitor.ts";
import { money } from "./walk/Figures.ts";

let demo: Demo;
let launched: Launched;
let visitor: Visitor;
let workspaceId: string;
let anna: string;

const percent = (value: number) => ({ type: "literal", value: { type: "percent", value } });
const value = { type: "property", name: "order_value" };

/** 5 % of the month's first 1,000, 8 % up to 5,000, 10 % above: each sale moves the partner on. */
const BY_THE_MONTH = {
  type: "multiply",
  operands: [
    {
      type: "graduated",
      amount: value,
      offset: { type: "aggregate", function: "sum", value, window: { type: "calendar", unit: "month" } },
      tiers: [
        { up_to: { type: "number", value: 1_000 }, rate: percent(5) },
        { up_to: { type: "number", value: 5_000 }, rate: percent(8) },
        { rate: percent(10) },
      ],
    },
    { type: "literal", value: { type: "number", value: 100 } },
  ],
};

const post = (path: string, body: object) => ask(demo.url, demo.key, "POST", path, body);

beforeAll(async () => {
  [demo, launched] = await Promise.all([startDemo(), launch()]);
  const [schema] = (await demo.get("attribution-schemas")).attribution_schemas;
  workspaceId = schema.workspace_id;
  const place = { workspace_id: workspaceId, schema_id: schema.id };
  anna = String((await post("partners", { name: "Anna Amsel", workspace_id: workspaceId })).id);
  const plan = await post("commission-plans", {
    ...place,
    ...{ name: "By the month", currency: "EUR", start_datetime: "2020-01-01T00:00:00Z" },
    expression: BY_THE_MONTH,
  });
  await post(`commission-plans/${plan.id}/partners`, { partner_ids: [anna] });
  // More than is earned here: it waits.
  const policy = `settlement-policies/${workspaceId}/partners/${anna}`;
  await ask(demo.url, demo.key, "PUT", policy, { minimum: { EUR: 15_000 } });
  for (const order_value of [700, 900])
    await post("attributions", { ...place, partner_id: anna, properties: { order_value } });
  visitor = await arrive(launched.browser, demo.url, "portal");
  await signIn(visitor, await createPortalKey(demo, anna));
});

afterAll(async () => {
  await launched?.close();
  await demo?.stop();
});

/** Counts the clicks of a job that begins on the overview. */
const job = async (): Promise<{
  readonly click: (selector: string) => Promise<void>;
  readonly clicks: () => number;
}> => {
  let clicks = 0;
  await visitor.visit("");
  return {
    click: async (selector) => {
      clicks += 1;
      await visitor.page.click(selector);
    },
    clicks: () => clicks,
  };
};

const text = (selector = "main"): Promise<string> => visitor.page.locator(selector).first().innerText();

/** The day of a run as the page has it. */
const runDay = ({ at }: { readonly at: string }): string =>
  new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "Europe/Berlin" }).format(new Date(at));

const open = (words: string): string => `nav a:text-is("${words}")`;

describe("a partner", () => {
  it("learns what it earned and why in two clicks", async () => {
    const { click, clicks } = await job();
    await click(open("My commissions"));
    await settled(visitor.page);
    await click("main tbody .why");
    await visitor.page.waitForSelector("dialog .sentence");
    const [newest] = (await demo.get(`commissions?partner_ids=${anna}&order=desc&per_page=1`)).commissions;
    expect(await text("dialog .big")).toBe(money(newest.view.computed_amount, "EUR"));
    expect(await text("dialog .sentence")).toContain(
      `${money(newest.view.computed_amount, "EUR")} for the sale`,
    );
    expect(await text("dialog .sentence")).toContain("8 %");
    expect(await text("dialog .sentence")).not.toContain("EUR");
    expectClicks("portal: learn what is earned and why", clicks());
  });

  it("sees whose portal it is, and as whom it is signed in", async () => {
    const { legal_name } = await demo.get("billing-profile");
    expect(await text(".brand .company")).toBe(legal_name);
    expect(await text(".who .clip")).toBe("Anna Amsel");
  });

  it("is asked for an account to be paid to, until it has proposed one", async () => {
    const { click } = await job();
    await click('.tasks a:has-text("Tell us where to pay you")');
    await visitor.page.waitForSelector('main button:text-is("Propose an account")');
    const account = {
      type: "iban",
      details: { iban: "DK5000400440116243", holder: "Anna Amsel" },
    };
    await post(`partners/${anna}/payout-accounts`, account);
    await visitor.visit("");
    expect(await text()).not.toContain("Tell us where to pay you");
  });

  it("learns what comes when in one click, as the policy in force has it", async () => {
    const { click, clicks } = await job();
    await click(open("What comes when"));
    await settled(visitor.page);
    expectClicks("portal: learn what comes when", clicks());
    const { next_run, hold_days } = await demo.get(`partners/${anna}/settlement-schedule`);
    const shown = await text();
    // 98.00 is less than the minimum, and the sales of now are too recent for a run within a week.
    expect(shown).toContain(`As things stand, there is no settlement for you on ${runDay(next_run)}.`);
    expect(shown).not.toContain("Your next settlement is put together");
    expect(shown).toContain(`A sale is settled ${hold_days} days after it, at the earliest.`);
    expect(shown).toContain("We pay when we have your invoice. No due date is agreed for that.");
    expect(shown).toContain("€98.00");
    const isRecent = Date.now() > Date.parse(next_run.at) - hold_days * 86_400_000;
    expect(shown.includes("Its sales are less than 7 days old then.")).toBe(isRecent);
    expect(shown.includes("It waits: a settlement needs at least €150.00, so €52.00 more.")).toBe(!isRecent);
  });

  it("is promised a settlement for what reaches the minimum in time", async () => {
    const path = `settlement-policies/${workspaceId}/partners/${anna}`;
    const cadence = { type: "weekly", day: 1, time_zone: "Europe/Berlin" };
    await ask(demo.url, demo.key, "PUT", path, { cadence, hold_days: 0, minimum: { EUR: 9_800 } });
    await visitor.visit("");
    await visitor.visit("coming");
    const { next_run } = await demo.get(`partners/${anna}/settlement-schedule`);
    const shown = (await text()).replace(/\s+/g, " ");
    expect(shown).toContain(`Your next settlement is put together on ${runDay(next_run)}.`);
    expect(shown).toContain(`In EUR, for the settlement of ${runDay(next_run)} €98.00 so far`);
    await ask(demo.url, demo.key, "DELETE", path);
  });

  it("reads what has changed in a settlement under way apart from what comes into the next", async () => {
    const { id, partnerId } = await approveNew(demo, {
      ...{ name: "Cleo Changed", currency: "EUR" },
      sales: [{ cents: 20_000, order: "CC-1" }, { cents: 300 }],
    });
    const [sale] = (await demo.get("attributions?external_references=CC-1")).attributions;
    await ask(demo.url, demo.key, "DELETE", `attributions/${sale.id}`, { reason: "the order was returned" });
    const path = `settlement-policies/${workspaceId}/partners/${partnerId}`;
    await ask(demo.url, demo.key, "PUT", path, { hold_days: 0 });
    const newer = { workspace_id: workspaceId, schema_id: sale.schema_id, partner_id: partnerId };
    await post("attributions", { ...newer, properties: { cents: 16_000 } });
    const other = await arrive(launched.browser, demo.url, "portal");
    await signIn(other, await createPortalKey(demo, partnerId));
    await other.visit("coming");
    const { next_run } = await demo.get(`partners/${partnerId}/settlement-schedule`);
    const shown = (await other.page.locator("main").innerText()).replace(/\s+/g, " ");
    expect(shown).toContain(`In EUR, for the settlement of ${runDay(next_run)} €160.00 so far`);
    expect(shown).toContain("In EUR, changes of sales in a settlement −€200.00");
    expect(shown).not.toContain("−€40.00");
    // Nobody has stated a tax of the settlement, whose invoice is awaited.
    const [{ view }] = (await demo.get(`settlements?ids=${id}`)).settlements;
    expect(view.tax_amount).toBe(null);
    expect(shown).not.toContain("with tax");
    expect(other.complaints).toEqual([]);
    await other.leave();
  });

  it("learns that no day is set where nobody has set one", async () => {
    const path = `settlement-policies/${workspaceId}/partners/${anna}`;
    await ask(demo.url, demo.key, "PUT", path, { cadence: "manual", hold_days: 0, minimum: {} });
    await visitor.visit("");
    await visitor.visit("coming");
    const shown = await text();
    expect(shown).toContain("No day is set for your next settlement: we start it by hand.");
    expect(shown).not.toMatch(/at the earliest|It waits:|then\./);
    await ask(demo.url, demo.key, "DELETE", path);
  });

  it("learns its plan and what is missing to the next step in one click", async () => {
    const { click, clicks } = await job();
    await click(open("My plan"));
    await settled(visitor.page);
    expectClicks("portal: learn what is missing to the next step", clicks());
    const shown = await text('section[aria-label="Where I am"]');
    // 1,600.00 of the month were sold; the last sale ended in the second tier, which ends at 5,000.00.
    expect(shown).toMatch(/My rate\s+8 %/);
    expect(shown).toMatch(/Reached\s+1,600\.00 EUR of 5,000\.00 EUR/);
    expect(shown).toMatch(/Missing to the next step\s+3,400\.00 EUR/);
    expect(shown).toMatch(/counted as the plan says, from 1 \w+ \d{4} to \d+ \w+ \d{4}\./);
  });

  it("accepts a plan in two clicks", async () => {
    const { click, clicks } = await job();
    await click('.tasks a:has-text("Accept the terms of By the month")');
    await settled(visitor.page);
    await visitor.page.getByLabel("Your name").fill("Anna Amsel");
    await click('button:text-is("I accept")');
    await visitor.page.waitForSelector(".accepted");
    expect(await text(".accepted")).toMatch(/^Accepted by Anna Amsel on /);
    expectClicks("portal: accept a plan", clicks());
  });

  it("sees no steps in a plan whose tiers are of a single sale", async () => {
    const [{ id }] = (await demo.get("partners?name=Montagne")).partners;
    const other = await arrive(launched.browser, demo.url, "portal");
    await signIn(other, await createPortalKey(demo, id));
    await other.visit("plans");
    expect(await other.page.locator("main").innerText()).toContain("7.5 % of the part above 1,000.00 EUR");
    expect(await other.page.locator('section[aria-label="Where I am"]').count()).toBe(0);
    await other.leave();
  });

  it("downloads its e-invoices in four formats, and reads in its language why there is none in another", async () => {
    const { settlements } = await demo.get("settlements?statuses=paid&order=desc&per_page=100");
    const { id, partner_id } = settlements.find(
      ({ view }: { readonly view: Readonly<Record<string, unknown>> }) =>
        view.billing_mode === "self_billing" &&
        view.invoice_reference !== null &&
        (view.e_invoice_problems as ReadonlyArray<unknown>).length === 0,
    );
    const other = await arrive(launched.browser, demo.url, "portal");
    const { page } = other;
    await page.locator("select.language").selectOption("de");
    await page.waitForSelector("button:text-is('Anmelden')");
    await signIn(other, await createPortalKey(demo, partner_id));
    await other.visit(`settlements/${id}`);
    await page.click('summary:text-is("Rechnung als E-Rechnung")');
    expect(await other.axe()).toEqual([]);
    const saved = async (words: string): Promise<string> => {
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.click(`details button:text-is("${words}")`),
      ]);
      return readFileSync(await download.path(), "latin1");
    };
    expect(await saved("XML für Peppol (UBL)")).toContain("urn:fdc:peppol.eu:2017:poacc:selfbilling:01:1.0");
    expect(await saved("XML nach EN 16931 (CII)")).toContain("<rsm:CrossIndustryInvoice");
    expect(await saved("PDF mit der E-Rechnung darin (Factur-X, ZUGFeRD)")).toMatch(/^%PDF[\s\S]*factur-x/);
    await page.check('label:has-text("XML mit dem PDF darin") input');
    expect(await saved("XML für Peppol (UBL)")).toMatch(/mimeCode="application\/pdf"[^>]*>JVBERi/);
    await page.click('details button:text-is("XML für XRechnung (UBL)")');
    await page.waitForSelector("main .notice:has-text('keine E-Rechnung')");
    expect(await page.locator("main .notice li").allInnerTexts()).toEqual([
      "Ansprechpartner für Fragen zu Rechnungen: fehlt uns von Ihnen; die Regel BR-DE-2 verlangt die Angabe. Teilen Sie sie uns mit, dann steht sie auf Ihren nächsten Dokumenten.",
    ]);
    expect(await page.locator("main .notice a").count()).toBe(0);
    expect(await other.axe()).toEqual([]);
    // The browser itself logs the refused request.
    expect(other.complaints.splice(0)).toEqual([expect.stringContaining("409")]);
    await other.leave();
  });

  it("reads why a document was issued without an e-invoice, and uploads its own where it writes them", async () => {
    const { settlements } = await demo.get("settlements?order=desc&per_page=100");
    const found = (isMeant: (view: Readonly<Record<string, unknown>>) => boolean) =>
      settlements.find(({ view }: { readonly view: Readonly<Record<string, unknown>> }) => isMeant(view));
    const without = found(
      ({ e_invoice_problems }) => (e_invoice_problems as ReadonlyArray<unknown>).length > 0,
    );
    const own = found(
      ({ billing_mode, invoice_reference }) =>
        billing_mode === "partner_billing" && invoice_reference !== null,
    );
    for (const [{ id, partner_id }, words] of [
      [without, "The invoice was issued without an e-invoice"],
      [own, null],
    ]) {
      const other = await arrive(launched.browser, demo.url, "portal");
      await signIn(other, await createPortalKey(demo, partner_id));
      await other.visit(`settlements/${id}`);
      await other.page.waitForSelector('main button:text-is("Lines as CSV")');
      expect(await other.page.locator("details.formats").count()).toBe(0);
      const notices = await other.page.locator("main .notice").allInnerTexts();
      if (words !== null) {
        expect(notices.join("\n")).toContain(words);
        expect(notices.join("\n")).toMatch(/ours, which rule|yours, which rule|as rule .* requires/);
      } else expect(notices.join("\n")).not.toContain("e-invoice");
      expect(other.complaints).toEqual([]);
      await other.leave();
    }
  });

  it("sees it on every screen without an error, and with nothing beside the screen", {
    timeout: 90_000,
  }, async () => {
    for (const view of VIEWS) {
      const other = await arrive(launched.browser, demo.url, "portal", view);
      await signIn(other, await createPortalKey(demo, anna));
      for (const route of ["coming", "plans"]) {
        await other.visit(route);
        expect(await other.axe()).toEqual([]);
        expect(await other.page.evaluate("document.documentElement.scrollWidth")).toBe(view.width);
      }
      expect(other.complaints).toEqual([]);
      await other.leave();
    }
  });
});
