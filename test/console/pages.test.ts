/** The console in a real browser where something is refused or missing, and the plan builder, plans and keys. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, call } from "../server/running.ts";
import { type Launched, launch } from "./Browser.ts";
import { createPortalKey, type Demo, startDemo } from "./Demo.ts";
import { startReceiver } from "./Receiver.ts";
import { arrive, settled, signIn, type Visitor, write } from "./Visitor.ts";

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

const planId = async (name: string): Promise<string> =>
  (await demo.get(`commission-plans?name=${encodeURIComponent(name)}`)).commission_plans[0].id;

describe("the plan builder", () => {
  it("shows amounts, derivation and curve of a plan of the cookbook, and marks mistakes while the user types", async () => {
    await visitor.visit("builder");
    const { page } = visitor;
    await page.getByLabel("Begin with").selectOption({ label: "Graduated tiers on one deal" });
    expect(await text("td[data-name=Commission]")).toBe("US$500.00");
    expect(await text(".derivation:has-text('US$')")).toContain("US$500.00");
    await page.waitForSelector(".drawing canvas");
    await page.getByLabel("amount of sale 1").fill("60000");
    expect(await text("td[data-name=Commission]")).toBe("US$4,300.00");
    await page.click('.views button:text-is("JSON")');
    await write(
      page,
      '{\n  "type": "multiply",\n  "operands": [\n    { "type": "property", "name": "amuont" }\n  ]\n}',
    );
    expect(await text(".editor .problem")).toContain("line 4: $.operands.0");
    await page.waitForSelector(".cm-lintRange-error");
    expect(await visitor.axe()).toEqual([]);
  });

  it("asks before changes are discarded, and computes aggregates over earlier rows", async () => {
    const { page } = visitor;
    await page.getByLabel("Begin with").selectOption({ label: "Bonus for growth over the month before" });
    await page.click('dialog button:text-is("Discard the changes")');
    await page.waitForSelector("text=Bonus for growth over the month before.");
    expect(await page.locator(".grid tbody tr").count()).toBe(12);
  });
});

describe("the team of a partner", () => {
  it("is shown as a tree that opens by keyboard, and links are added and ended", async () => {
    const { partners } = await demo.get("partners?per_page=100");
    const [one] = partners;
    const [own, mira, dan, low] = partners.filter(
      ({ workspace_id }: { readonly workspace_id: string }) => workspace_id === one.workspace_id,
    );
    const post = (partner_id: string, upline_partner_id: string) =>
      call(demo.url, demo.key, "POST", "partner-links", {
        ...{ partner_id, upline_partner_id, role: "manager", start_datetime: "2026-01-01T00:00:00Z" },
      });
    for (const [below, above] of [
      [mira, dan],
      [low, mira],
    ] as const)
      expect((await post(below.id, above.id)).status).toBe(201);
    const { page } = visitor;
    await visitor.visit(`partners/${own.id}`);
    const team = page.locator('section[aria-label="Team"]');
    await team.locator("text=Nobody is above this partner").waitFor();
    await team.locator('button:text-is("Add an upline")').click();
    await page.getByLabel("Search").fill(mira.name);
    await page.getByLabel(mira.name, { exact: true }).check();
    await page.fill("dialog input[name=start]", "2026-01-05");
    expect(await visitor.axe()).toEqual([]);
    await page.click("dialog button[type=submit]");
    await page.waitForSelector("dialog", { state: "detached" });
    const chain = team.locator(`ul[aria-label="Above ${own.name}"]`);
    await chain.waitFor();
    expect(await chain.innerText()).toMatch(
      new RegExp(`${mira.name}[^]*manager, from .*Jan.*[^]*${dan.name}`),
    );
    expect(await visitor.axe()).toEqual([]);
    await visitor.visit(`partners/${dan.id}`);
    const below = team.locator(`ul[aria-label="Below ${dan.name}"]`);
    await below.locator("summary").focus();
    await page.keyboard.press("Enter");
    await below.locator(`ul[aria-label="Below ${mira.name}"]`).waitFor();
    expect(await below.locator("li li").count()).toBe(2);
    expect(await visitor.axe()).toEqual([]);
    await visitor.visit(`partners/${own.id}`);
    await team.locator('button:text-is("End")').click();
    await page.fill("dialog input[name=end]", "2026-01-05");
    await page.click("dialog button[type=submit]");
    await page.waitForSelector("dialog", { state: "detached" });
    await team.locator("text=Nobody is above this partner").waitFor();
    const { partner_links } = await demo.get(`partner-links?partner_ids=${own.id}`);
    expect(partner_links).toMatchObject([
      { upline_partner_id: mira.id, start_datetime: partner_links[0].end_datetime },
    ]);
    expect(visitor.complaints).toEqual([]);
  });
});

describe("plans", () => {
  it("are created and assigned, and end", async () => {
    const { page } = visitor;
    await visitor.visit("builder");
    await page.getByLabel("Begin with").selectOption({ label: "Order" });
    await page.fill("input[name=currency]", "EUR");
    await page.click('button:text-is("Create a new plan from it")');
    await page.fill("input[name=name]", "Tenth of everything");
    await page.click("dialog button[type=submit]");
    await page.waitForSelector("h1:has-text('Tenth of everything')");
    await settled(page);
    await page.click('button:text-is("Assign partners")');
    await page.getByLabel("Polderpad").check();
    await page.fill("input[name=start]", new Date().toISOString().slice(0, 10));
    await page.click("dialog button[type=submit]");
    await page.waitForSelector("td:has-text('Polderpad')");
    await settled(page);
    // Who is on the plan already cannot be chosen again.
    await page.click('button:text-is("Assign partners")');
    expect(await page.getByLabel("Polderpad already on this plan").isDisabled()).toBe(true);
    expect(await page.getByLabel("Bergpfad Magazin").isDisabled()).toBe(false);
    expect(await visitor.axe()).toEqual([]);
    await page.keyboard.press("Escape");
    await page.waitForSelector("dialog", { state: "detached" });
    await page.click('button:text-is("End")');
    expect(await text("dialog .consequences")).toContain("earn nothing under this plan");
    await page.click("dialog button[type=submit]");
    await page.waitForSelector("dialog", { state: "detached" });
    await settled(page);
    const { commission_formulas: formulas } = await demo.get(
      `commission-formulas?plan_ids=${await planId("Tenth")}`,
    );
    expect(formulas[0].end_datetime).not.toBeNull();
  });
});

describe("a plan that was changed", () => {
  const monthsAgo = (months: number): string => {
    const now = new Date();
    return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1)).toISOString();
  };
  const dateOf = (moment: string): string =>
    new Date(moment).toLocaleDateString("en-GB", { dateStyle: "medium", timeZone: "UTC" });
  const amount = (value: number) => ({ type: "literal", value: { type: "number", value } });

  it("shows since when the version in force applies, and so does the amount of a partner who was assigned later", async () => {
    const [{ workspace_id, id: schema_id }] = (await demo.get("attribution-schemas?name=Order"))
      .attribution_schemas;
    const [{ id: partner_id }] = (await demo.get("partners?name=Montagne")).partners;
    const post = (path: string, body: object) => ask(demo.url, demo.key, "POST", path, body);
    const { id } = await post("commission-plans", {
      ...{ workspace_id, schema_id, name: "A fixed amount", currency: "EUR" },
      ...{ start_datetime: monthsAgo(5), expression: amount(100) },
    });
    for (const [months, value] of [
      [3, 200],
      [2, 300],
      [-2, 400],
    ] as const)
      await ask(demo.url, demo.key, "PATCH", `commission-plans/${id}`, {
        effective_datetime: monthsAgo(months),
        expression: amount(value),
      });
    await post(`commission-plans/${id}/partners`, { partner_ids: [partner_id] });
    await visitor.visit(`plans/${id}`);
    expect(await text(".fact:has-text('In force since')")).toContain(
      `${dateOf(monthsAgo(2))}, version\u00a03`,
    );
    expect(await text(".panel:has-text('Planned')")).toContain(
      `Version 4, for sales from ${dateOf(monthsAgo(-2))}`,
    );
    await visitor.page.click('button:text-is("Withdraw")');
    await visitor.page.click("dialog button[type=submit]");
    await visitor.page.waitForSelector("h3:text-is('Planned')", { state: "detached" });
    const [{ view }] = (await demo.get(`commission-plans?ids=${id}`)).commission_plans;
    expect(view.versions[3].status).toBe("withdrawn");
    const { id: attributionId } = await post("attributions", {
      ...{ workspace_id, schema_id, partner_id, properties: { order_value: 1 } },
      occurred_at: monthsAgo(1),
    });
    await visitor.visit(`sales/${attributionId}`);
    await visitor.page.click("button.why:has-text('€3.00')");
    await visitor.page.waitForSelector("dialog .facts");
    expect(await text("dialog")).toContain(`version 3, in force since ${dateOf(monthsAgo(2))}`);
    await visitor.page.keyboard.press("Escape");
    // The partner has another plan as well: each row names its own.
    const plans = await visitor.page.locator("td .under").allInnerTexts();
    expect(plans).toHaveLength(2);
    expect(new Set(plans).size).toBe(2);
    expect(plans).toContain("A fixed amount");
  });

  it("shows the versions of a formula without a plan, and withdraws one that is ahead", async () => {
    const [{ id: schema_id, workspace_id }] = (await demo.get("attribution-schemas")).attribution_schemas;
    const [partner] = (await demo.get("partners?per_page=1")).partners;
    const { id } = await ask(demo.url, demo.key, "POST", "commission-formulas", {
      ...{ workspace_id, schema_id, partner_id: partner.id, currency: "EUR", name: "By handshake" },
      ...{ start_datetime: "2026-01-01T00:00:00Z", expression_text: "100" },
    });
    await ask(demo.url, demo.key, "PATCH", `commission-formulas/${id}`, {
      ...{ expression_text: "200", effective_on: "2099-01-31" },
    });
    await visitor.visit(`partners/${partner.id}`);
    const versions = visitor.page.locator('details:has-text("Versions of By handshake")');
    await versions.locator("summary").click();
    expect((await versions.innerText()).replace(/\s+/g, " ")).toMatch(
      /Version 2, for sales from 31 Jan 2099, planned 200 Withdraw Version 1, for sales from 1 Jan 2026 100/,
    );
    await versions.locator('button:text-is("Withdraw")').click();
    await visitor.page.click("dialog button[type=submit]");
    await visitor.page.waitForSelector("text=, withdrawn");
    const [{ view }] = (await demo.get(`commission-formulas?ids=${id}`)).commission_formulas;
    expect(view.versions.map(({ status }: { readonly status: string }) => status)).toEqual([
      "reached",
      "withdrawn",
    ]);
    await ask(demo.url, demo.key, "DELETE", `commission-formulas/${id}`, { reason: "of a test" });
  });
});

describe("events", () => {
  it("are listed newest first, filtered by type, each with its record and its JSON", async () => {
    const { page } = visitor;
    await visitor.visit("events");
    const newest = (await demo.get("events?order=desc&limit=1")).events[0];
    expect(await page.locator("tbody tr").count()).toBe(50);
    await page.click('button:text-is("Older")');
    await page.waitForSelector("text=Older events");
    await settled(page);
    await page.click('button:text-is("Newest")');
    await page.waitForSelector("text=The newest events");
    await settled(page);
    // A filter keeps those that the page shows, so the first one must be shown before the second is chosen.
    await page.click('.chip:text-is("Payments")');
    await page.waitForSelector('.chip[aria-pressed="true"]:text-is("Payments")');
    await settled(page);
    await page.getByLabel("Type").selectOption({ label: "Payment confirmed by hand" });
    await page.waitForURL(/#\/events\?about=payments&type=mark_as_paid$/);
    await settled(page);
    await page.locator("tbody tr").first().press("Enter");
    expect(await text("dialog")).toContain("Confirmed as paid");
    expect(await text("dialog pre")).toContain('"type": "mark_as_paid"');
    expect(await text("dialog")).not.toContain(newest.hash);
    expect(await visitor.axe()).toEqual([]);
    await page.click('dialog a:text-is("Settlement")');
    await page.waitForSelector(".badge:has-text('Paid')");
  });

  it("are exported to the end where a page of a type is not full and others follow", async () => {
    const { page } = visitor;
    const { events } = await demo.get("events?order=desc&limit=100&types=mark_as_paid");
    expect(events.length).toBeGreaterThan(1);
    // The server ends a page early where it finds few events of the types among many.
    const pages = /\/api\/v1\/events\?/;
    await page.route(pages, (route) =>
      route.continue({
        url: route
          .request()
          .url()
          .replace(/limit=\d+/, `limit=${events.length - 1}`),
      }),
    );
    await visitor.visit("events?type=mark_as_paid");
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.click('button:text-is("Export as CSV")'),
    ]);
    await page.unroute(pages);
    const exported = readFileSync(await file.path(), "utf8");
    expect(events.filter(({ id }: { readonly id: string }) => !exported.includes(id))).toEqual([]);
  });

  it("have no older ones where they all fit on the page", async () => {
    const { page } = visitor;
    const { next_cursor: after } = await demo.get("events?limit=3");
    await visitor.visit(`events?after=${after}`);
    expect(await page.locator("tbody tr").count()).toBeLessThan(4);
    expect(await page.locator('button:text-is("Older")').getAttribute("aria-disabled")).toBe("true");
  });

  it("have no older ones behind the last one of a type", async () => {
    const { page } = visitor;
    // One request reads a part of the feed, so that the last page is the one after which the cursor repeats without events.
    let after = "";
    let last = { after, count: 0 };
    for (let isOver = false; !isOver; ) {
      const found = await demo.get(`events?order=desc&limit=50&types=create_commission_plan${after}`);
      const next = `&after=${found.next_cursor}`;
      isOver = next === after;
      if (found.events.length > 0) last = { after, count: found.events.length };
      after = next;
    }
    await visitor.visit(`events?type=create_commission_plan${last.after}`);
    expect(await page.locator("tbody tr").count()).toBe(last.count);
    expect(await page.locator('button:text-is("Older")').getAttribute("aria-disabled")).toBe("true");
  });
});

describe("the preview of a run", () => {
  it("leads to the page of the runs where no workspace is named", async () => {
    await visitor.page.goto(`${demo.url}/console/#/runs/new`);
    await visitor.page.waitForURL(/#\/runs$/);
    await settled(visitor.page);
    expect(await visitor.page.locator("h1").innerText()).toBe("Runs");
  });
});

describe("a sale shortly before midnight in UTC", () => {
  it.each([
    ["midnight", 0],
    ["past midnight", 1],
  ])("has the day that it counts for on every page, %s", async (reference, daysLater) => {
    const [{ id: partnerId, workspace_id }] = (await demo.get("partners?name=Montagne")).partners;
    const [{ schema_id }] = (await demo.get(`attributions?partner_ids=${partnerId}&per_page=1`)).attributions;
    const midnight = new Date().setUTCHours(0, 0, 0, 0) - 7 * 86_400_000;
    const day = midnight - 1 + daysLater * 86_400_000;
    const made = await call(demo.url, demo.key, "POST", "attributions", {
      ...{ workspace_id, schema_id, partner_id: partnerId },
      properties: { order_value: 1_234_567_890 },
      occurred_at: new Date(midnight - 30 * 60_000).toISOString(),
      ...(daysLater === 0 ? {} : { occurred_on: new Date(day).toISOString().slice(0, 10) }),
      external_reference: reference,
    });
    const dateOf = (at: number, month: "short" | "long") =>
      new Intl.DateTimeFormat("en-GB", { day: "numeric", month, year: "numeric", timeZone: "UTC" }).format(
        at,
      );
    const [sold, said] = [dateOf(day, "short"), dateOf(day, "long")];
    await visitor.visit(`sales/${made.body.id}`);
    expect(await text(".facts")).toContain(`Date of the sale\n${sold}`);
    const title = await visitor.page.getAttribute(".facts time", "title");
    expect(title).toContain(`${dateOf(midnight - 1, "short")}, 23:30 UTC`);
    expect(await text(".facts time")).toBe(sold);
    await visitor.visit(`partners/${partnerId}`);
    expect(await text(`tbody tr:has-text('${reference}')`)).toContain(sold);
    const wide = "[...document.querySelectorAll('.card')].some((one) => one.scrollWidth > one.clientWidth)";
    expect(await visitor.page.evaluate(wide)).toBe(false);
    await visitor.visit(`partners/${partnerId}/statement`);
    expect(await text(`tbody tr:has-text('${reference}')`)).toContain(`Order of ${said}`);
  });
});

describe("the statement of a partner", () => {
  it("lists the movements between two balances, and can be downloaded", async () => {
    const { page } = visitor;
    const [{ id }] = (await demo.get("partners?name=Montagne")).partners;
    await visitor.visit(`partners/${id}`);
    const { balances } = await demo.get(`partners/${id}/balance`);
    expect(await text(".main-figure")).toContain(
      ((balances[0].due - balances[0].pending) / 100).toLocaleString("en-GB", { minimumFractionDigits: 2 }),
    );
    await page.click('a:text-is("Statement")');
    await page.waitForSelector("h1:has-text('Statement of Montagne Service')");
    await settled(page);
    await page.click('.chip:text-is("Last 12 months")');
    await settled(page);
    await page.waitForURL(/statement\?from=\d{4}-\d\d-01$/);
    expect(await text()).toContain("is due now");
    expect(await text("tbody tr")).toContain("Due at the beginning");
    await page.click("tbody button.why >> nth=0");
    await page.waitForSelector("dialog .facts");
    await page.keyboard.press("Escape");
    expect(await visitor.axe()).toEqual([]);
    for (const [words, end] of [
      ["CSV", ".csv"],
      ["PDF", ".pdf"],
    ] as const) {
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        page.click(`button:text-is("${words}")`),
      ]);
      expect(file.suggestedFilename()).toContain(end);
    }
  });
});

describe("webhook endpoints", () => {
  it("are added, show and retry deliveries, and are rotated, disabled and deleted", async () => {
    const { page } = visitor;
    const receiver = await startReceiver();
    await visitor.visit("webhooks");
    await page.click('button:text-is("Add an endpoint")');
    await page.fill("input[name=url]", receiver.url);
    await page.check("input[value=some]");
    await page.click("dialog button[type=submit]");
    expect(await text("dialog [role=alert]")).toContain("No event is chosen");
    await page.click('summary:has-text("Sales")');
    await page.check("input[value=cancel_attribution]");
    expect(await visitor.axe()).toEqual([]);
    await page.click("dialog button[type=submit]");
    expect(await page.locator(".secret").innerText()).toMatch(/^whsec_/);
    await page.click('button:text-is("I have stored it")');
    await settled(page);
    await page.click("tbody a");
    await page.waitForSelector("text=Nothing was sent yet");
    const [{ id }] = (await demo.get("attributions?statuses=confirmed&order=desc&per_page=1")).attributions;
    await call(demo.url, demo.key, "DELETE", `attributions/${id}`, { reason: "order returned" });
    await receiver.until(1);
    await page.locator('section:has-text("Deliveries") button:text-is("Reload")').click();
    await page.waitForSelector("tbody .badge:has-text('Delivered')");
    expect(await visitor.axe()).toEqual([]);
    const act = async (words: string): Promise<void> => {
      await page.click(`button:text-is("${words}")`);
      await page.waitForSelector("dialog .consequences");
      await page.click("dialog button[type=submit]");
    };
    await act("Send again");
    await receiver.until(2);
    await act("New secret");
    await page.click('button:text-is("I have stored it")');
    await act("Switch off");
    await page.waitForSelector("h1 .badge:has-text('Switched off')");
    await act("Switch on");
    await page.waitForSelector("h1 .badge:has-text('On')");
    await act("Delete");
    await page.waitForSelector("h1:has-text('Webhooks')");
    await settled(page);
    expect(await page.locator("tbody tr").count()).toBe(1);
    await receiver.close();
  });
});

describe("runs", () => {
  it("are previewed under a changed policy, started, and shown again after a reload", async () => {
    const { page } = visitor;
    await visitor.visit("runs");
    await page.click('button:text-is("Change the policy")');
    expect(await text("dialog .consequences")).toContain("Existing drafts do not change");
    await page.locator("input[name='minimum.currency']").first().fill("eur");
    await page.fill("input[name=holdDays]", "0");
    await page.locator("dialog select[name=cadence]").selectOption("weekly");
    await page.locator("input[name='minimum.amount']").first().fill("100.50");
    expect(await visitor.axe()).toEqual([]);
    await page.click("dialog button[type=submit]");
    await page.waitForSelector("dialog", { state: "detached" });
    await page.waitForSelector("text=Amounts below €100.50");
    await page.waitForSelector("text=every Monday, at the beginning of the day in Europe/Berlin");
    await page.click('a:text-is("Settle what is due")');
    await page.waitForSelector("text=Nothing has been created yet");
    await page.click('.chip:text-is("Without a draft")');
    expect(await text("table:has(caption:text-matches('would find')) tbody")).toContain("Below the minimum");
    expect(await visitor.axe()).toEqual([]);
    await page.click('button:text-is("Start the run")');
    expect(await text("dialog .consequences")).toContain("The run continues when you leave this page");
    await page.click("dialog button[type=submit]");
    await page.waitForSelector("h1:has-text('Run of')");
    await page.reload();
    await page.waitForSelector(".badge:has-text('Done')");
    await settled(page);
    expect(await text(".facts")).toMatch(/Started by\s+the key “development”/);
    expect(await visitor.axe()).toEqual([]);
    await page.locator("tbody a:has-text('To approve')").first().click();
    await page.waitForSelector('.actions button:text-is("Approve")');
  });
});

describe("keys", () => {
  it("are created, shown once and revoked; a revoked key is signed out", async () => {
    const { page } = visitor;
    await visitor.visit("keys");
    await page.click('button:text-is("Create a key")');
    await page.fill("input[name=name]", "reader");
    await page.fill("input[name=expiresAt]", "2098-12-31");
    await page.click("dialog button[type=submit]");
    const secret = await page.locator(".secret").innerText();
    expect(secret).toMatch(/^qk_/);
    await page.click('button:text-is("I have stored it")');
    await settled(page);
    // It works on the whole day that is named.
    const [created] = (await demo.get("api-keys?order=desc&per_page=1")).api_keys;
    expect([created.name, created.expires_at]).toEqual(["reader", "2099-01-01T00:00:00.000Z"]);

    const reader = await arrive(launched.browser, demo.url, "console");
    await signIn(reader, secret);
    expect(await reader.page.locator("nav[aria-label]").innerText()).not.toContain("Keys");
    await reader.page.goto(`${demo.url}/console/#/keys`);
    await reader.page.waitForSelector("text=You lack keys:admin");
    const { settlements } = await demo.get("settlements?statuses=draft&per_page=1");
    await reader.visit(`settlements/${settlements[0].id}`);
    expect(await reader.page.locator(".actions").innerText()).toBe(
      "You may not do everything that is possible here: you lack settlements:approve and settlements:write.",
    );

    await page.locator("tr:has-text('reader') button").click();
    await page.click("dialog button[type=submit]");
    await page.waitForSelector("tr:has-text('reader') .badge:has-text('Revoked')");
    await reader.page.goto(`${demo.url}/console/#/partners`);
    await reader.page.waitForSelector("[role=alert]");
    expect(await reader.page.locator("[role=alert]").innerText()).toContain("This key is not accepted");
    await reader.page.click('button:text-is("Use another key")');
    await reader.page.waitForSelector("input[name=key]");
    await reader.leave();
  });
});

describe("a key without the right to read commissions", () => {
  it("sees the first page that it may see, only those in the navigation, and what to do", async () => {
    const made = await call(demo.url, demo.key, "POST", "api-keys", { scopes: ["settlements:read"] });
    const reader = await arrive(launched.browser, demo.url, "console");
    await signIn(reader, made.body.key);
    expect(await reader.page.locator("h1").innerText()).toBe("Settlements");
    expect(await reader.page.locator(".notice").innerText()).toContain(
      "You lack commissions:read. Ask an administrator for that right",
    );
    expect(await reader.page.locator("nav[aria-label] a").allInnerTexts()).toEqual([
      "Settlements",
      "Runs",
      "Payments",
      "Books",
      "Plan builder",
      "Company",
    ]);
    expect(await reader.page.locator("nav [aria-current]").innerText()).toBe("Settlements");
    expect(await reader.page.locator("tbody tr").count()).toBeGreaterThan(10);
    expect(await reader.axe()).toEqual([]);
    // The names of partners are refused to it; the list shows ids instead.
    expect(reader.complaints.filter((complaint) => !complaint.includes("403"))).toEqual([]);
    await reader.leave();
  });
});

describe("a page without a connection", () => {
  it("reports it, keeps what was loaded, and reads again when the connection is back", async () => {
    const { page } = visitor;
    await visitor.visit("partners");
    await page.context().setOffline(true);
    await page.waitForSelector("text=You are offline");
    await page.click('button:text-is("Reload")');
    await page.waitForSelector("[role=alert]");
    expect(await text("[role=alert]")).toContain("The server cannot be reached");
    expect(await page.locator("tbody tr").count()).toBeGreaterThan(10);
    expect(await page.locator('button:text-is("Try again")').count()).toBeGreaterThan(0);
    await page.context().setOffline(false);
    await page.waitForFunction(() => document.querySelector("[role=alert]") === null);
    visitor.complaints.splice(0);
  });
});

describe("a store without records", () => {
  it("shows how to create the first one", async () => {
    const made = await call(demo.url, demo.key, "POST", "api-keys", { workspace_ids: [crypto.randomUUID()] });
    const stranger = await arrive(launched.browser, demo.url, "console");
    await signIn(stranger, made.body.key);
    expect(await stranger.page.locator("main").innerText()).toContain("First steps");
    for (const route of ["settlements", "partners", "plans"]) {
      await stranger.visit(route);
      expect(await stranger.page.locator(".empty").innerText()).toMatch(/^No \w+ yet/);
    }
    expect(stranger.complaints).toEqual([]);
    await stranger.leave();
  });
});

describe("the portal", () => {
  it("accepts a partner's invoice and dispute", async () => {
    const { settlements } = await demo.get("settlements?statuses=awaiting_invoice&per_page=1");
    const [{ id, partner_id }] = settlements;
    const partner = await arrive(launched.browser, demo.url, "portal", { width: 390, scheme: "dark" });
    await signIn(partner, await createPortalKey(demo, partner_id));
    await partner.page.click('.tasks a:has-text("Send your invoice")');
    await partner.page.waitForSelector('button:text-is("Upload your invoice")');
    await partner.page.click('button:text-is("Upload your invoice")');
    await partner.page.setInputFiles("input[name=file]", {
      name: "invoice 7.pdf",
      mimeType: "application/pdf",
      buffer: Buffer.from("%PDF-1.4"),
    });
    await partner.page.fill("input[name=number]", "2026-7");
    expect(await partner.axe()).toEqual([]);
    await partner.page.click("dialog button[type=submit]");
    await partner.page.waitForSelector(".badge:has-text('To be paid')");
    expect((await demo.get(`settlements?ids=${id}`)).settlements[0].view.invoice_number).toBe("2026-7");
    const object = async (reason: string) => {
      await partner.page.click('button:text-is("Object")');
      await partner.page.fill("textarea[name=reason]", reason);
      await partner.page.click("dialog button[type=submit]");
      await partner.page.waitForSelector(".badge:has-text('Objection open')");
    };
    await object("an order is missing");
    await call(demo.url, demo.key, "POST", `settlements/${id}/comment`, {
      text: "it is in the next settlement",
    });
    await partner.page.click('.comments button:text-is("Comment")');
    await partner.page.fill("textarea[name=text]", "which month?");
    await partner.page.click("dialog button[type=submit]");
    await partner.page.waitForSelector('.comments li:has-text("which month?"):has-text("By you")');
    expect(await partner.page.locator(".comments li").first().innerText()).toMatch(
      /^it is in the next settlement\s+By the company, [^,]*, \d\d:\d\d/,
    );
    expect(await partner.axe()).toEqual([]);
    await partner.page.click('button:text-is("Take the objection back")');
    await partner.page.click("dialog button[type=submit]");
    await partner.page.waitForSelector(".badge:has-text('To be paid')");
    await partner.page.locator("table tbody input[type=checkbox]").first().check();
    await object("this order is wrong");
    await partner.page.waitForSelector('td .under:text-is("in the objection")');
    const [{ view, events }] = (await demo.get(`settlements?ids=${id}`)).settlements;
    expect(events.at(-1).event).toEqual({
      ...{ type: "dispute_settlement", reason: "this order is wrong", raised_by: "partner" },
      commission_ids: [view.lines[0].commission_id],
    });
    expect(await partner.axe()).toEqual([]);
    expect(partner.complaints).toEqual([]);
    await partner.leave();
  });

  it("shows a partner its plan, and records that it accepts the terms", async () => {
    const [formula] = (await demo.get("commission-formulas?per_page=100")).commission_formulas.filter(
      ({ plan_id, view }: { readonly plan_id: string | null; readonly view: { readonly status: string } }) =>
        plan_id !== null && view.status === "active",
    );
    const { plan_id, partner_id } = formula;
    const partner = await arrive(launched.browser, demo.url, "portal", { width: 390, scheme: "light" });
    await signIn(partner, await createPortalKey(demo, partner_id));
    await partner.page.click('.tasks a:has-text("Accept the terms of")');
    await partner.page.waitForSelector("h1:has-text('My plan')");
    const { page } = partner;
    const terms = await demo.get(`commission-plans/${plan_id}/terms?partner_id=${partner_id}`);
    expect(await page.locator("main").innerText()).toContain(terms.paragraphs[0].text);
    expect(await partner.axe()).toEqual([]);
    const plan = page.locator(`.my-plan[aria-label="${terms.name}"]`);
    await plan.locator("input[name=name]").fill("Ida Nord");
    await plan.locator('button:text-is("I accept")').click();
    await plan.locator(".accepted").waitFor();
    expect(await plan.locator(".accepted").innerText()).toContain("Accepted by Ida Nord on");
    const { plan_acceptances } = await demo.get(`commission-plans/${plan_id}/acceptances`);
    expect(plan_acceptances).toMatchObject([
      { partner_id, hash: terms.hash, name: "Ida Nord", on_behalf: false, reference: null },
    ]);
    expect(
      Number(await page.evaluate("document.documentElement.scrollWidth - innerWidth")),
    ).toBeLessThanOrEqual(0);
    expect(partner.complaints).toEqual([]);
    await partner.leave();
  });

  it("shows the partner's own statement", async () => {
    const partner = await arrive(launched.browser, demo.url, "portal", { width: 390, scheme: "light" });
    await signIn(partner, demo.partnerKey);
    await partner.visit("statement");
    expect(await partner.page.locator("main").innerText()).toContain("is due now");
    expect(await partner.axe()).toEqual([]);
    expect(partner.complaints).toEqual([]);
    await partner.leave();
  });

  it("sends the team to the console", async () => {
    const colleague = await arrive(launched.browser, demo.url, "portal");
    await signIn(colleague, demo.key);
    await colleague.page.click('a:text-is("Open the console")');
    await colleague.page.waitForSelector("h1:has-text('Overview')");
    await colleague.leave();
  });

  it("sends a partner who opens the console to the portal", async () => {
    const partner = await arrive(launched.browser, demo.url, "console");
    await signIn(partner, demo.partnerKey);
    await partner.page.click('a:text-is("Open the partner portal")');
    await partner.page.waitForSelector("h1:has-text('Montagne Service')");
    await partner.leave();
  });
});

describe("a page that cannot be shown as it should", () => {
  it("says so when its data break it, keeps the navigation, and the next page works", async () => {
    const other = await arrive(launched.browser, demo.url, "console");
    await signIn(other, demo.key);
    const { page } = other;
    const broken = { id: "x", partner_id: crypto.randomUUID(), currency: "EUR", events: [], view: {} };
    await page.route(/settlements\?order/, (route) =>
      route.fulfill({ json: { settlements: [broken], total: 1, page: 1, per_page: 50 } }),
    );
    await page.click('nav a:text-is("Settlements")');
    await page.waitForSelector('h1:has-text("This page has an error")');
    expect(await page.locator("main").innerText()).toContain("Nothing was changed by it");
    expect(await other.axe()).toEqual([]);
    await page.click('nav a:text-is("Plans")');
    await page.waitForSelector('h1:has-text("Plans")');
    await other.leave();
  });

  it("does not guess the figures of the overview that were not read or may not be seen", async () => {
    const other = await arrive(launched.browser, demo.url, "console");
    await other.page.route(/settlements\?statuses=draft&statuses/, (route) =>
      route.fulfill({ status: 500, json: { error: "internal", code: "INTERNAL_ERROR" } }),
    );
    await signIn(other, demo.key);
    await other.page.waitForSelector('.card dd:text-is("not read")');
    expect(await other.page.locator("main [role=alert]").innerText()).toContain("Try again");
    await other.page.unroute(/settlements\?statuses=draft&statuses/);
    await other.page.click('main [role=alert] button:text-is("Try again")');
    await other.page.waitForSelector('.card dd:text-is("not read")', { state: "detached" });
    await other.leave();
    const { body } = await call(demo.url, demo.key, "POST", "api-keys", {
      kind: "customer",
      scopes: ["commissions:read"],
    });
    const reader = await arrive(launched.browser, demo.url, "console");
    await signIn(reader, body.key);
    expect(await reader.page.locator(".card").first().innerText()).toMatch(
      /In settlements under way\s+not shown/,
    );
    expect(await reader.page.locator("main").innerText()).toContain("you lack settlements:read");
    expect(reader.complaints).toEqual([]);
    await reader.leave();
  });
});

describe("a browser", () => {
  it("reports no exception and no violation of the content security policy", () => {
    expect(visitor.complaints).toEqual([]);
  });
});
