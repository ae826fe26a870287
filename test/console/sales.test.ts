/** The page of a sale in a real browser: who earns from it, how it is corrected, and what a partner sees of it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, call } from "../server/running.ts";
import { type Launched, launch } from "./Browser.ts";
import { createPortalKey, type Demo, startDemo } from "./Demo.ts";
import { handsOn } from "./Hands.ts";
import { arrive, settled, signIn, type Visitor } from "./Visitor.ts";
import { sale as amountsOf } from "./walk/Expected.ts";
import { amountsIn } from "./walk/Figures.ts";
import { companyOf } from "./walk/Walk.ts";

interface Partner {
  readonly id: string;
  readonly name: string;
  readonly workspace_id: string;
}

let demo: Demo;
let launched: Launched;
let visitor: Visitor;
let [anna, ben, eva] = [] as unknown as readonly [Partner, Partner, Partner];
let schemaId: string;

const post = (path: string, body: object) => ask(demo.url, demo.key, "POST", path, body);

const sell = async (body: object): Promise<string> =>
  String(
    (
      await post("attributions", {
        ...{ workspace_id: anna.workspace_id, schema_id: schemaId, partner_id: anna.id },
        ...body,
      })
    ).id,
  );

beforeAll(async () => {
  [demo, launched] = await Promise.all([startDemo(), launch()]);
  visitor = await arrive(launched.browser, demo.url, "console");
  await signIn(visitor, demo.key);
  const { commission_plans: plans } = await demo.get("commission-plans?name=Affiliates");
  const [{ id, schema_id }] = plans;
  schemaId = schema_id;
  const { commission_formulas: formulas } = await demo.get("commission-formulas?per_page=100");
  const ids: ReadonlyArray<string> = formulas
    .filter(({ plan_id }: { readonly plan_id?: string }) => plan_id === id)
    .map(({ partner_id }: { readonly partner_id: string }) => partner_id);
  const { partners } = await demo.get(
    `partners?${ids
      .slice(0, 3)
      .map((one) => `ids=${one}`)
      .join("&")}`,
  );
  [anna, ben, eva] = partners;
  const engineers = await post("commission-plans", {
    ...{ workspace_id: anna.workspace_id, schema_id, name: "Sales engineers", roles: ["sales_engineer"] },
    ...{ currency: "EUR", start_datetime: "2026-01-01T00:00:00Z" },
    expression_text: "1 % of order_value * 100",
  });
  await post(`commission-plans/${engineers.id}/partners`, { partner_ids: [eva.id] });
});

afterAll(async () => {
  await launched?.close();
  await demo?.stop();
});

const text = (selector = "main"): Promise<string> => visitor.page.locator(selector).first().innerText();

const rows = async ({ page }: Visitor = visitor): Promise<ReadonlyArray<string>> =>
  (await page.locator("main tbody tr").allInnerTexts()).map((row) => row.replace(/\s+/g, " ").trim());

const creditOf = async (origin: string, { id }: Partner): Promise<string> =>
  (await demo.get(`attributions?origin_ids=${origin}&partner_ids=${id}`)).attributions[0].id;

describe("a sale that several people earn from", () => {
  let deal: string;

  beforeAll(async () => {
    deal = await sell({
      ...{ external_reference: "deal-77", properties: { order_value: 1_250 } },
      credits: [
        { partner_id: eva.id, role: "sales_engineer", share: "1/3" },
        { partner_id: ben.id, share: "0.4" },
        { partner_id: anna.id, share: "0.6" },
      ],
    });
  });

  it("shows each partner with its part of the sale and what it earns, and explains each amount", async () => {
    const { page } = visitor;
    await visitor.visit(`sales/${deal}`);
    expect(await rows()).toEqual([
      expect.stringMatching(
        `^${anna.name} seller, 60 % of the sale Affiliates.* In no settlement €60.00 why\\? €60.00$`,
      ),
      expect.stringMatching(`^${ben.name} seller, 40 % of the sale .* €40.00 why\\? €40.00$`),
      `${eva.name} sales engineer, 1/3 of the sale Sales engineers In no settlement €4.17 why? €4.17`,
    ]);
    expect(await text(".facts")).toMatch(/Order value\s+€1,250.00/);
    // The sale does not state it, and it decides what the plan pays.
    expect(await text(".facts")).toMatch(/Category\s+not stated, counts as equipment/);
    expect((await page.locator("main .actions button").allInnerTexts())[0]).toBe("Correct this sale");
    expect(await page.locator("button:text-is('State what the buyer has paid')").count()).toBe(0);
    const { api } = companyOf(demo.url, demo.key);
    const { attributions } = await demo.get(`attributions?ids=${deal}`);
    expect(amountsIn(await text("main table"))).toEqual(await amountsOf(api, attributions[0]));
    expect(await visitor.axe()).toEqual([]);
    await page.locator("button.why").last().click();
    await page.waitForSelector("dialog .facts");
    expect(await text("dialog")).toContain("€4.17");
    expect(await text("dialog")).toMatch(/Order value\s+€1,250.00/);
    await page.keyboard.press("Escape");
    await page.locator("button.why").first().click();
    await page.waitForSelector("dialog .facts");
    expect(await text("dialog")).toMatch(/First order\s+not stated, counts as no/);
    await page.keyboard.press("Escape");
    await visitor.visit(`sales?partnerIds=${eva.id}`);
    expect(await page.locator('td[data-name="Order"]').allInnerTexts()).toContain("deal-77");
    await visitor.visit("sales?externalReferences=deal-77");
    // A card leaves the properties out.
    expect(await page.locator('td[data-name="Properties"]').first().textContent()).toBe(
      "order value €1,250.00",
    );
  });

  it("is the same page for each part, which names the origin and is not changed by itself", async () => {
    const { page } = visitor;
    await visitor.visit(`sales/${await creditOf(deal, ben)}`);
    expect(await text("h1")).toContain("Sale deal-77");
    expect(await text()).toContain("The sale is corrected or cancelled as a whole.");
    expect(await rows()).toHaveLength(3);
    expect(await page.locator("main button:text-is('Cancel this sale')").count()).toBe(0);
    await page.click(`.facts a[href$="${deal}"]`);
    await page.waitForSelector("main button:text-is('Cancel this sale')");
  });

  it("shows a partner nothing of the others", async () => {
    const portal = await arrive(launched.browser, demo.url, "portal");
    await signIn(portal, await createPortalKey(demo, ben.id));
    await portal.visit(`sales/${await creditOf(deal, ben)}`);
    expect(await rows(portal)).toEqual([
      expect.stringMatching(`^${ben.name} seller, 40 % of the sale .* €40.00 why\\? €40.00$`),
    ]);
    const shown = await portal.page.locator("body").innerText();
    for (const hidden of [anna.name, eva.name, "60 %", "€60.00", "deal-77", "Correct this sale"])
      expect(shown).not.toContain(hidden);
    expect(shown).toMatch(/Order value\s+€1,250.00/);
    await portal.page.locator("button.why").first().click();
    await portal.page.waitForSelector("dialog .facts");
    expect(await portal.page.locator("dialog").innerText()).toMatch(/Order value\s+€1,250.00/);
    expect(await portal.page.locator("dialog").innerText()).toMatch(
      /Category\s+not stated, counts as equipment/,
    );
    await portal.page.keyboard.press("Escape");
    await portal.page.goto(`${demo.url}/portal/#/sales/${deal}`);
    await portal.page.waitForSelector("text=This sale does not exist, or you have no access to it.");
    expect(portal.complaints).toEqual([]);
    await portal.leave();
  });

  it("is corrected as a whole, with what changes for everybody, also for a manager", async () => {
    const { page } = visitor;
    const { partners } = await demo.get("partners?per_page=100");
    const [rowan, fellside, harriet] = ["Rowan & Pike", "Fellside Trading", "Harriet Moorland"].map((name) =>
      partners.find((partner: Partner) => partner.name === name),
    );
    const id = await sell({
      ...{ partner_id: rowan.id, external_reference: "deal-78", properties: { order_value: 1_000 } },
      credits: [
        { partner_id: rowan.id, share: "0.6" },
        { partner_id: fellside.id, share: "0.4" },
      ],
    });
    await visitor.visit(`sales/${id}`);
    expect(await rows()).toContainEqual(
      expect.stringMatching(`^${harriet.name} manager, level 1, the whole sale .* £10.00 why\\? £10.00$`),
    );
    await page.click("button:text-is('Correct this sale')");
    await page.getByLabel("order value").fill("500");
    await page.fill("dialog textarea", "half of it came back");
    await page.waitForSelector("dialog .prospect table");
    const changes = await page.locator("dialog tbody tr").allInnerTexts();
    expect(changes.map((row) => row.replace(/\s+/g, " ").trim()).toSorted()).toEqual([
      expect.stringMatching("^Fellside Trading .* £16.00 → £8.00 −£8.00 £8.00$"),
      expect.stringMatching("^Harriet Moorland manager, level 1 .* £10.00 → £5.00 −£5.00 £5.00$"),
      expect.stringMatching("^Rowan & Pike .* £24.00 → £12.00 −£12.00 £12.00$"),
    ]);
    await page.click("dialog button[type=submit]");
    await page.waitForSelector("dialog", { state: "detached" });
    await page.waitForSelector("main >> text=half of it came back");
    await settled(page);
    expect(await rows()).toHaveLength(3);
  });

  it("gets other partners, roles and shares, which have to be the whole sale before anything is sent", async () => {
    const { page } = visitor;
    const id = await sell({
      properties: { order_value: 1_000 },
      credits: [
        { partner_id: anna.id, share: "0.6" },
        { partner_id: ben.id, share: "0.4" },
      ],
    });
    await visitor.visit(`sales/${id}`);
    const before = (await rows()).length;
    await page.click("button:text-is('Correct this sale')");
    await page.click("button:text-is('Change who earns from it')");
    await page.getByLabel(`Share of ${anna.name}`).fill("1/3");
    const problem = page.locator("dialog p.problem");
    expect(await problem.innerText()).toBe("The shares of the sellers add up to 73.3333 %, not to 100 %.");
    await page.getByLabel(`Share of ${ben.name}`).fill("many");
    expect(await problem.innerText()).toBe(
      "A share is a number up to 1 such as 0.6, or a fraction such as 1/3.",
    );
    await page.fill("dialog textarea", "Ben did most of it, with Eva");
    await page.click("dialog button[type=submit]");
    await page.waitForSelector("dialog >> text=The form is not complete");
    await page.getByLabel(`Share of ${ben.name}`).fill("2/3");
    await page.click("dialog summary:text-is('Add a partner')");
    await page.getByLabel(eva.name, { exact: true }).click();
    await page.getByLabel(`Role of ${eva.name}`).fill("sales_engineer");
    await page.getByLabel(`Share of ${eva.name}`).fill("1");
    expect(await problem.count()).toBe(0);
    await page.waitForSelector("dialog .prospect table");
    expect(await page.locator("dialog .prospect").innerText()).toContain(eva.name);
    await page.click("dialog button[type=submit]");
    await page.waitForSelector("dialog", { state: "detached" });
    await page.waitForSelector("main >> text=Ben did most of it, with Eva");
    await settled(page);
    expect(await rows()).toHaveLength(before + 1);
    const newer = page.url().split("/").at(-1) ?? "";
    const { attributions } = await demo.get(`attributions?origin_ids=${newer}`);
    const credits = attributions.map(
      ({ partner_id, metadata: { credit } }: { partner_id: string; metadata: { credit: object } }) => [
        partner_id,
        credit,
      ],
    );
    expect(new Map(credits)).toEqual(
      new Map([
        [anna.id, { role: "seller", share: "1/3", depth: 0 }],
        [ben.id, { role: "seller", share: "2/3", depth: 0 }],
        [eva.id, { role: "sales_engineer", share: "1", depth: 0 }],
      ]),
    );
  });

  it("that nobody knows is not found", async () => {
    await visitor.visit("sales/00000000-0000-7000-8000-00000000dead");
    const words = await visitor.page.locator("main").innerText();
    expect(words).toContain("Not found");
    expect(words).toContain("This sale does not exist, or you have no access to it.");
    expect(words).not.toContain("This page has an error");
    expect(await visitor.page.locator("main .above a").getAttribute("href")).toBe("#/sales");
  });

  it("is cancelled for everybody, with the amounts shown before", async () => {
    const { page } = visitor;
    await visitor.visit(`sales/${deal}`);
    await page.click("button:text-is('Cancel this sale')");
    const preview = await text("dialog table");
    expect(amountsIn(preview)).toEqual(
      ["60.00", "40.00", "4.17"].flatMap((amount) => [`€${amount}`, "€0.00", `−€${amount}`, "€0.00"]),
    );
    expect(await visitor.axe()).toEqual([]);
    await page.fill("dialog textarea", "order returned");
    await page.click("dialog button.danger");
    await page.waitForSelector("dialog", { state: "detached" });
    await settled(page);
    await page.waitForSelector("main >> text=/Cancelled on .+: order returned/");
    await settled(page);
    expect(await rows()).toEqual(
      Array.from({ length: 3 }, () => expect.stringMatching(/€0.00 why\? €0.00$/)),
    );
  });
});

describe("correcting a sale", () => {
  it("marks what is wrong beside its field, and sends nothing", async () => {
    const { page } = visitor;
    const id = await sell({ properties: { order_value: 800.5, first_order: true } });
    await visitor.visit(`sales/${id}`);
    await page.click("button:text-is('Correct this sale')");
    const value = page.getByLabel("order value");
    expect(await value.inputValue()).toBe("800.5");
    await page.fill("dialog textarea", "a test");
    await page.click("dialog button[type=submit]");
    await page.waitForSelector("dialog >> text=Nothing is changed yet.");
    await value.fill("5oo");
    expect(await text("dialog .field.wrong")).toContain("must be a number");
    await page.getByLabel("Date of the sale").fill("2999-01-01");
    expect(await page.locator("dialog .field.wrong").count()).toBe(2);
    expect(await page.locator("dialog .prospect").count()).toBe(0);
    await page.click("dialog button[type=submit]");
    await page.waitForSelector("dialog >> text=Correct the marked fields first.");
    expect(await visitor.axe()).toEqual([]);
    await page.keyboard.press("Escape");
    expect((await demo.get(`attributions?ids=${id}`)).attributions[0].view.status).toBe("confirmed");
  });

  it("shows what changes in money for each partner before it, and links both sales after it", async () => {
    const { page } = visitor;
    const id = await sell({
      ...{ external_reference: "order-301", properties: { order_value: 800, category: "footwear" } },
      occurred_at: "2026-10-05T09:30:00Z",
    });
    await visitor.visit(`sales/${id}`);
    await page.click("button:text-is('Correct this sale')");
    await page.getByLabel("order value").fill("500");
    await page.getByLabel("Date of the sale").fill("2026-10-06");
    await page.click("dialog summary");
    await page.getByLabel("Search").fill(ben.name);
    await page.getByLabel(ben.name, { exact: true }).check();
    await page.fill("dialog textarea", "a part was refunded");
    await page.waitForSelector(`dialog .prospect:has-text(${JSON.stringify(ben.name)})`);
    expect(
      (await page.locator("dialog tbody tr").allInnerTexts()).map((row) => row.replace(/\s+/g, " ").trim()),
    ).toEqual([
      expect.stringMatching(`^${anna.name} Affiliates.* €64.00 → – −€64.00 €0.00$`),
      expect.stringMatching(`^${ben.name} Affiliates.* – → €40.00 \\+€40.00 €40.00$`),
    ]);
    expect(await visitor.axe()).toEqual([]);
    await page.click("dialog button[type=submit]");
    await page.waitForSelector("dialog", { state: "detached" });
    await page.waitForSelector("main >> text=a part was refunded");
    await settled(page);
    const newer = page.url().split("/").at(-1);
    const { attributions } = await demo.get(`attributions?ids=${newer}`);
    expect(attributions).toMatchObject([
      {
        partner_id: ben.id,
        metadata: { replaces: id, occurred_at: "2026-10-06T09:30:00.000Z", occurred_on: "2026-10-06" },
        view: { properties: { order_value: 500, category: "footwear" } },
      },
    ]);
    expect(await text("main .lead")).toMatch(
      new RegExp(
        `Corrects an earlier recording of this sale: a part was refunded\\s+partner: ${anna.name} → ${ben.name}\\s+date: 5 Oct 2026 → 6 Oct 2026\\s+order value: €800.00 → €500.00`,
      ),
    );
    await page.click("a:text-is('an earlier recording of this sale')");
    await page.waitForSelector("main >> text=Replaced by the corrected sale: a part was refunded");
    expect(await text("h1")).toContain("Replaced");
    await page.click("a:text-is('the corrected sale')");
    await page.waitForSelector("h1:has-text('Sale order-301')");
  });

  it("is possible by keyboard alone", async () => {
    const { page } = visitor;
    const hands = handsOn(page);
    await visitor.visit(`sales/${await sell({ properties: { order_value: 300 } })}`);
    await hands.use("Correct this sale", "main button");
    await hands.isOn("dialog input");
    await hands.press("Control+a");
    await hands.type("200");
    await hands.reach("dialog textarea");
    await hands.type("price was wrong");
    await hands.see("€24.00 → €16.00", "dialog .prospect");
    await hands.confirm();
    await hands.see("order value: €300.00 → €200.00");
  });

  it("is refused in words where the sale was cancelled meanwhile", async () => {
    const { page } = visitor;
    const id = await sell({ properties: { order_value: 300 } });
    await visitor.visit(`sales/${id}`);
    await page.click("button:text-is('Correct this sale')");
    await call(demo.url, demo.key, "DELETE", `attributions/${id}`, { reason: "returned" });
    await page.getByLabel("order value").fill("200");
    await page.waitForSelector("dialog .prospect >> text=cancelled or replaced already");
    await page.keyboard.press("Escape");
    // The browser logs the refused preview.
    visitor.complaints.splice(0);
  });
});

describe("recording a sale", () => {
  const PLANS = [
    { name: "Flat", expression_text: "10 % of order_value * 100" },
    {
      name: "Tiered by month",
      expression_text:
        "tiers(order_value, after sum of order_value earlier this month) { up to 1000: 5 %; else: 20 % } * 100",
    },
    {
      name: "Not begun",
      expression_text: "50 % of order_value * 100",
      start_datetime: "2999-01-01T00:00:00Z",
    },
    { name: "Of engineers", expression_text: "1 % of order_value * 100", roles: ["sales_engineer"] },
  ];
  let ida: Partner;
  let per: Partner;

  const planIds = new Map<string, string>();

  const partnerWith = async (name: string, plans: ReadonlyArray<string>): Promise<Partner> => {
    const { workspace_id } = anna;
    const { id } = await post("partners", { name, workspace_id });
    for (const plan of plans)
      await post(`commission-plans/${planIds.get(plan)}/partners`, { partner_ids: [id] });
    return { id: String(id), name, workspace_id };
  };

  beforeAll(async () => {
    for (const plan of PLANS) {
      const { id } = await post("commission-plans", {
        ...{ workspace_id: anna.workspace_id, schema_id: schemaId, currency: "EUR" },
        ...{ start_datetime: "2026-01-01T00:00:00Z", ...plan },
      });
      planIds.set(plan.name, String(id));
    }
    ida = await partnerWith("Ida Preview", ["Flat", "Tiered by month", "Not begun", "Of engineers"]);
    per = await partnerWith("Per Preview", ["Tiered by month"]);
    await partnerWith("Nils Planless", []);
    // The tier counts it.
    await sell({ partner_id: per.id, properties: { order_value: 900 } });
  });

  const choose = async ({ name }: Pick<Partner, "name">, value: string): Promise<void> => {
    const { page } = visitor;
    await visitor.visit("sales");
    await page.click("main button:text-is('Record a sale')");
    const dialog = page.locator("dialog");
    await dialog.getByLabel("Search").fill(name);
    await dialog.getByLabel(name, { exact: true }).check();
    await dialog.getByLabel("order value").fill(value);
  };

  /** What the dialog says that each partner would earn, and what it earns once the sale is recorded. */
  const record = async (): Promise<
    readonly [previewed: ReadonlyArray<string>, earned: ReadonlyArray<string>]
  > => {
    const { page } = visitor;
    const previewed = amountsIn(await text("dialog .prospect table"));
    await page.click("dialog button[type=submit]");
    await page.waitForSelector("dialog", { state: "detached" });
    await page.waitForSelector("h1:has-text('Sale')");
    await settled(page);
    const id = page.url().split("/").at(-1) ?? "";
    const { attributions } = await demo.get(`attributions?origin_ids=${id}`);
    const ids = attributions.map((one: Partner) => `attribution_ids=${one.id}`).join("&");
    const { commissions } = await demo.get(`commissions?per_page=100&${ids}`);
    const earned = commissions.map(
      ({ view }: { readonly view: { readonly computed_amount: number } }) =>
        `€${(view.computed_amount / 100).toFixed(2)}`,
    );
    return [previewed.toSorted(), earned.toSorted()];
  };

  it("shows before it what each plan would pay, which is what it pays then, and why another does not", async () => {
    await choose(ida, "1200");
    const { page } = visitor;
    await page.waitForSelector("dialog .prospect table");
    const shown = await text("dialog .prospect");
    expect(shown).toContain("Together €210.00, net, before tax.");
    expect(shown).toContain("“Not begun” does not apply to Ida Preview: it begins on 1 Jan 2999.");
    expect(shown).toContain("“Of engineers” does not apply to Ida Preview: it pays the role sales engineer.");
    expect(shown).toContain(
      "“Tiered by month” counts earlier sales of Ida Preview: those that are recorded now are counted here.",
    );
    expect(await visitor.axe()).toEqual([]);
    const [previewed, earned] = await record();
    expect(previewed).toEqual(["€120.00", "€90.00"]);
    expect(earned).toEqual(previewed);
  });

  it("shows it for each of several partners who share the sale, after their earlier sales", async () => {
    await choose(ida, "500");
    const { page } = visitor;
    await page.click("dialog button:text-is('Share it with other partners')");
    await page.getByLabel(`Share of ${ida.name}`).fill("1/3");
    expect(await page.locator("dialog .prospect").count()).toBe(0);
    await page.click("dialog summary:text-is('Add a partner')");
    await page.locator("dialog").getByLabel("Search").fill(per.name);
    await page.getByLabel(per.name, { exact: true }).click();
    await page.getByLabel(`Share of ${per.name}`).fill("2/3");
    await page.waitForSelector("dialog .prospect tr:has-text('Per Preview')");
    expect(await text("dialog .prospect")).toContain("seller, 2/3 of the sale");
    expect(await visitor.axe()).toEqual([]);
    const [previewed, earned] = await record();
    expect(previewed).toEqual(["€16.67", "€33.33", "€56.67"]);
    expect(earned).toEqual(previewed);
  });

  it("shows it for the day that is stated", async () => {
    await choose(per, "300");
    await visitor.page.locator("dialog").getByLabel("Date of the sale").fill("2026-10-15");
    await visitor.page.waitForSelector("dialog .prospect table");
    const [previewed, earned] = await record();
    expect(previewed).toEqual(["€15.00"]);
    expect(earned).toEqual(previewed);
  });

  it("says that a partner has no plan, and records the sale also where the preview fails", async () => {
    const { page } = visitor;
    await choose({ name: "Nils Planless" }, "300");
    await page.waitForSelector(
      "dialog .prospect >> text=Nils Planless has no plan for such sales, and earns nothing from this one.",
    );
    await page.route("**/commission-formulas*", (route) => route.abort());
    await page.locator("dialog").getByLabel("order value").fill("301");
    await page.waitForSelector("dialog .prospect >> text=What the sale would earn cannot be shown.");
    await page.click("dialog button[type=submit]");
    await page.waitForSelector("dialog", { state: "detached" });
    await page.unroute("**/commission-formulas*");
    await page.waitForSelector("h1:has-text('Sale')");
    await settled(page);
    // The browser logs what the test has cut off.
    visitor.complaints.splice(0);
  });
});

describe("recrediting", () => {
  const link = async (): Promise<void> => {
    const { partner_links: links } = await demo.get(`partner-links?partner_ids=${anna.id}`);
    if (links.length > 0) return;
    const { total } = await demo.get(`commission-formulas?partner_ids=${ben.id}&per_page=1`);
    expect(total).toBeGreaterThan(0);
    const managers = await post("commission-plans", {
      ...{ workspace_id: anna.workspace_id, schema_id: schemaId, name: "Managers", roles: ["manager"] },
      ...{
        currency: "EUR",
        start_datetime: "2020-01-01T00:00:00Z",
        expression_text: "5 % of order_value * 100",
      },
    });
    await post(`commission-plans/${managers.id}/partners`, {
      ...{ partner_ids: [ben.id], start_datetime: "2020-01-01T00:00:00Z" },
    });
    await post("partner-links", {
      ...{ partner_id: anna.id, upline_partner_id: ben.id, role: "manager" },
      start_datetime: "2020-01-01T00:00:00Z",
    });
  };

  it("one sale shows what changes of credits and money before it, by keyboard alone", async () => {
    const { page } = visitor;
    const hands = handsOn(page);
    const id = await sell({ properties: { order_value: 300 } });
    await link();
    await visitor.visit(`sales/${id}`);
    await hands.use("Apply team changes", "main button");
    await hands.isOn("dialog textarea");
    await hands.see("– → 100 %", "dialog .prospect");
    await hands.see("– → €15.00", "dialog .prospect");
    expect((await text("dialog .prospect")).replace(/\s+/g, " ")).toContain(`${ben.name} manager, level 1`);
    expect(await visitor.axe()).toEqual([]);
    await hands.type("the manager was entered late");
    await hands.confirm();
    await hands.see("Who earns from it");
    expect((await rows()).join("\n")).toContain("manager, level 1");
    await hands.use("Apply team changes", "main button");
    await hands.see("The uplines are those that the sale has already. Nothing changes.", "dialog .prospect");
    await hands.press("Escape");
  });

  it("the sales of a span is tried first, shows its progress, and is carried out from the preview", async () => {
    const { page } = visitor;
    const hands = handsOn(page);
    await link();
    await visitor.visit(`partners/${anna.id}`);
    await hands.use("Find sales to recredit", "main button");
    await hands.isOn("dialog input[name=from]");
    await hands.reach("dialog textarea");
    await hands.type("the manager was entered late");
    await hands.confirm();
    await hands.see("Preview of recredited sales", "h1");
    await hands.see("would change", ".next");
    const previewed = page.url().split("/").at(-1) ?? "";
    const { run: dry } = await demo.get(`recredits/${previewed}`);
    expect([dry.dry_run, dry.state, dry.changed_count > 0]).toEqual([true, "done", true]);
    expect(await visitor.axe()).toEqual([]);
    await hands.use("Recredit", "main button.primary");
    await hands.confirm();
    await hands.see("Recredited sales", "h1");
    await hands.see(" changed: ", ".next");
    const { run } = await demo.get(`recredits/${page.url().split("/").at(-1)}`);
    expect([run.dry_run, run.changed_count, run.totals]).toEqual([false, dry.changed_count, dry.totals]);
    expect(run.reason).toBe("the manager was entered late");
    const shown = (await text(".facts")).replace(/\s+/g, " ");
    expect(shown).toContain("Left as they are");
    expect(await visitor.axe()).toEqual([]);
    await hands.reach("main tbody a");
    await hands.press("Enter");
    await hands.see("Who earns from it");
  });
});

describe("the portal of a manager", () => {
  it("shows what the team's sales earn for it, and names no seller", async () => {
    const { partners } = await demo.get("partners?name=Harriet");
    const portal = await arrive(launched.browser, demo.url, "portal");
    await signIn(portal, await createPortalKey(demo, partners[0].id));
    const shown = () => portal.page.locator("body").innerText();
    await portal.visit("commissions");
    const pages = [await shown()];
    expect(await rows(portal)).toContainEqual(
      expect.stringMatching(/Sales managers: 1 % of the team's orders manager, level 1, the whole sale/),
    );
    await portal.page.locator("tr:has-text('manager, level 1') a").first().click();
    await portal.page.waitForSelector("h1:has-text('Sale')");
    await settled(portal.page);
    pages.push(await shown());
    expect(await rows(portal)).toEqual([expect.stringMatching(/^Harriet Moorland manager, level 1/)]);
    await portal.page.locator("button.why").first().click();
    await portal.page.waitForSelector("dialog >> text=As manager of a seller below you");
    pages.push(await shown());
    for (const hidden of ["Rowan & Pike", "Fellside Trading"]) expect(pages.join(" ")).not.toContain(hidden);
    expect(await portal.axe()).toEqual([]);
    expect(portal.complaints).toEqual([]);
    await portal.leave();
  });
});

describe("a sale whose commission waits for the buyer", () => {
  let id: string;
  let paid: Partner;

  beforeAll(async () => {
    paid = {
      ...(await post("partners", { name: "Hollis & Wren", workspace_id: anna.workspace_id })),
      ...{ name: "Hollis & Wren", workspace_id: anna.workspace_id },
    } as unknown as Partner;
    const plan = await post("commission-plans", {
      ...{ workspace_id: anna.workspace_id, schema_id: schemaId, name: "When paid", currency: "EUR" },
      ...{ start_datetime: "2026-01-01T00:00:00Z", release: "on_receipt" },
      expression_text: "10 % of order_value * 100",
    });
    await post(`commission-plans/${plan.id}/partners`, { partner_ids: [paid.id] });
    id = await sell({ partner_id: paid.id, properties: { order_value: 1_000 } });
    await visitor.visit(`commission-plans/${plan.id}`.replace("commission-plans", "plans"));
    expect(await text(".facts")).toContain("As the buyer pays");
  });

  it("shows what waits, and what becomes payable before a payment is stated", async () => {
    const { page } = visitor;
    await visitor.visit(`sales/${id}`);
    expect(await rows()).toEqual([
      expect.stringMatching(
        /When paid.* Waits for the buyer €100.00 why\? €0.00 €100.00 waits for the buyer$/,
      ),
    ]);
    await page.click("button:text-is('State what the buyer has paid')");
    await page.getByLabel("Paid so far").fill("5oo");
    expect(await text("dialog .field.wrong")).toContain("must be a number");
    await page.getByLabel("Paid so far").fill("500");
    await page.getByLabel("Of", { exact: true }).fill("1000");
    await page.waitForSelector("dialog table");
    expect(amountsIn(await text("dialog table"))).toEqual(["€0.00", "€50.00", "+€50.00", "€50.00"]);
    expect(await visitor.axe()).toEqual([]);
    await page.click("dialog button[type=submit]");
    await page.waitForSelector("dialog", { state: "detached" });
    await settled(page);
    await page.waitForSelector("main >> text=€50.00 waits for the buyer");
    expect(await text(".facts")).toMatch(/The buyer has paid\s+500 of 1,000, as of/);
    expect(await rows()).toEqual([
      expect.stringMatching(/In no settlement €100.00 why\? €50.00 €50.00 waits for the buyer$/),
    ]);
    await page.locator("button.why").first().click();
    await page.waitForSelector(
      "dialog >> text=Half of it is payable (€50.00): the buyer has paid 500 of 1,000.",
    );
    await page.keyboard.press("Escape");
  });

  it("says that a statement of an earlier day changes nothing", async () => {
    const { page } = visitor;
    await visitor.visit(`sales/${id}`);
    await page.click("button:text-is('State what the buyer has paid')");
    await page.getByLabel("Paid so far").fill("800");
    await page.getByLabel("Paid by the end of").fill("2026-01-05");
    await page.waitForSelector("dialog >> text=A later statement is recorded already");
    await page.waitForSelector("dialog table");
    expect(amountsIn(await text("dialog table"))).toEqual(["€50.00", "€50.00", "€0.00", "€50.00"]);
    await page.keyboard.press("Escape");
  });

  it("is on the page of the partner, in the overview and in the portal", async () => {
    await visitor.visit(`partners/${paid.id}`);
    expect(await text(".card")).toMatch(/Waiting for buyers\s+€50.00/);
    await visitor.page.click('.chip:text-is("Waiting for buyers")');
    await settled(visitor.page);
    expect((await rows(visitor))[0]).toContain("€50.00");
    await visitor.visit("");
    await visitor.page.waitForSelector("main >> text=Waiting for buyers");
    const portal = await arrive(launched.browser, demo.url, "portal");
    await signIn(portal, await createPortalKey(demo, paid.id));
    await portal.page.waitForSelector("main >> text=Payable when buyers have paid");
    const card = await portal.page.locator(".card").first().innerText();
    expect(card).toMatch(/Earned, not paid yet\s+€50.00\s+Payable when buyers have paid\s+€50.00/);
    await portal.visit("commissions");
    expect(await rows(portal)).toEqual([expect.stringMatching(/€50.00 more when the buyer has paid$/)]);
    expect(await portal.axe()).toEqual([]);
    expect(portal.complaints).toEqual([]);
    await portal.leave();
  });
});

describe("a browser", () => {
  it("reports no exception and no violation of the content security policy", () => {
    expect(visitor.complaints).toEqual([]);
  });
});
