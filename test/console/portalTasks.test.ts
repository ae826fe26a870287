/**
 * What a partner sends in the portal, each within its budget of clicks, on a phone: an invoice, an objection to one line, and another
 * account.
 */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Launched, launch } from "./Browser.ts";
import { createPortalKey, type Demo, startDemo } from "./Demo.ts";
import { approveNew } from "./NewPartner.ts";
import { arrive, settled, signIn, type Visitor } from "./Visitor.ts";

let demo: Demo;
let launched: Launched;
let visitor: Visitor;
let page: Page;
let partnerId: string;
let settlementId: string;

const readSettlement = async () => (await demo.get(`settlements?ids=${settlementId}`)).settlements[0];

/** Waits until the worker has brought the settlement to a state. */
const reach = async (state: string): Promise<void> => {
  const end = Date.now() + 60_000;
  while ((await readSettlement()).view.status.type !== state) {
    if (Date.now() > end) throw new Error(`the settlement does not reach ${state}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};

beforeAll(async () => {
  [demo, launched] = await Promise.all([startDemo(), launch()]);
  ({ id: settlementId, partnerId } = await approveNew(demo, {
    ...{ name: "Bo Busch", currency: "EUR" },
    sales: ["BO-1", "BO-2"].map((order) => ({ cents: 500, order })),
  }));
  await reach("awaiting_invoice");
  visitor = await arrive(launched.browser, demo.url, "portal", { width: 390, scheme: "light" });
  page = visitor.page;
  await signIn(visitor, await createPortalKey(demo, partnerId));
});

afterAll(async () => {
  await launched?.close();
  await demo?.stop();
});

/** Clicks on the selectors in turn, from the overview; returns how many clicks that took. */
const clickThrough = async (
  ...steps: ReadonlyArray<readonly [selector: string, then?: () => Promise<void>]>
): Promise<number> => {
  await visitor.visit("");
  for (const [selector, then] of steps) {
    await page.locator(selector).first().click();
    await then?.();
    await settled(page);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    expect(await visitor.axe()).toEqual([]);
  }
  return steps.length;
};

it("objects to one line in four clicks, and takes the objection back", async () => {
  const clicks = await clickThrough(
    [`table a[href="#/settlements/${settlementId}"]`],
    ['input[aria-label="Line of BO-2"]'],
    [
      '.actions button:text-is("Object")',
      async () => {
        expect(await page.locator("dialog .consequences").innerText()).toContain(
          "It names 1 line of €5.00 net.",
        );
        await page.getByLabel("Reason").fill("it was returned by the buyer twice");
      },
    ],
    ['dialog button:text-is("Object")', () => page.waitForSelector("dialog", { state: "detached" }).then()],
  );
  expect(clicks).toBe(4);
  await page.waitForSelector('.badge:has-text("Objection open")');
  const { events } = await readSettlement();
  const [, , , { event }] = events.slice(-4);
  const { commissions } = await demo
    .get("attributions?external_references=BO-2")
    .then(async (found) => demo.get(`commissions?attribution_ids=${found.attributions[0].id}`));
  expect(event).toMatchObject({
    type: "dispute_settlement",
    raised_by: "partner",
    commission_ids: [commissions[0].id],
  });
  expect(await page.locator("main tbody").innerText()).toMatch(/BO-2[\s\S]*in the objection/);
  await page.click('.actions button:text-is("Take the objection back")');
  await page.click('dialog button:text-is("Take the objection back")');
  await page.waitForSelector('.badge:has-text("Send your invoice")');
});

it("uploads its invoice in four clicks", async () => {
  const invoice = {
    name: "invoice.pdf",
    mimeType: "application/pdf",
    buffer: Buffer.from("%PDF-1.4\n%%EOF\n"),
  };
  const clicks = await clickThrough(
    ['.tasks a:has-text("Send your invoice for €10.00 net")'],
    ['.actions button:text-is("Upload your invoice")'],
    ["dialog input[name=file]", () => page.setInputFiles("dialog input[name=file]", invoice)],
    [
      'dialog button:text-is("Upload your invoice")',
      () => page.waitForSelector("dialog", { state: "detached" }).then(),
    ],
  );
  expect(clicks).toBe(4);
  await reach("awaiting_payment");
  expect(visitor.complaints).toEqual([]);
});

it("proposes another account in three clicks, which waits for a person of the company", async () => {
  await visitor.visit("account");
  expect(await page.locator("main .empty").innerText()).toContain("We have no account of yours");
  const clicks = await clickThrough(
    ['nav a[href="#/account"]'],
    [
      'main button:text-is("Propose another account")',
      async () => {
        expect(await page.locator("dialog .consequences").innerText()).toContain(
          "We check the account before anything is paid to it.",
        );
        await page.fill("dialog input[name=iban]", "DK50 0040 0440 1162 44");
        await page.fill("dialog input[name=holder]", "Bo Busch");
        expect(await page.locator("dialog .field.wrong").innerText()).toContain(
          "The check digits do not fit: compare every digit.",
        );
        await page.fill("dialog input[name=iban]", "DK50 0040 0440 1162 43");
        expect(await page.locator("dialog .field.wrong").count()).toBe(0);
      },
    ],
    [
      'dialog button:text-is("Propose another account")',
      () => page.waitForSelector("dialog", { state: "detached" }).then(),
    ],
  );
  expect(clicks).toBe(3);
  await page.waitForSelector('.badge:has-text("We check it")');
  const { payout_accounts } = await demo.get(`partners/${partnerId}/payout-accounts`);
  expect(payout_accounts).toMatchObject([
    { status: "proposed", proposed_by_partner: true, proposed_by: `partner:${partnerId}` },
  ]);

  const team = await arrive(launched.browser, demo.url, "console");
  await signIn(team, demo.key);
  await team.visit(`partners/${partnerId}`);
  const row = team.page.locator("main section:has(h2:text-is('Payout accounts')) tbody tr");
  expect((await row.innerText()).replace(/\s+/g, " ")).toMatch(
    /DK5000400440116243 .* Proposed By somebody of the team Proposed [\w ]+ by the partner Confirm Refuse$/,
  );
  await row.locator('button:text-is("Confirm")').click();
  await team.page.click('dialog button:text-is("Confirm")');
  await row.locator('.badge:has-text("Confirmed")').waitFor();
  await visitor.visit("");
  await visitor.visit("account");
  await page.waitForSelector('.badge:has-text("We pay to it")');
  expect([...visitor.complaints, ...team.complaints]).toEqual([]);
  await team.leave();
});
