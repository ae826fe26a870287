/**
 * What a partner sends in the portal, each within its budget of clicks, on a phone: an invoice, an objection to one line, with files
 * that the team answers with another, and another account.
 */
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Launched, launch } from "./Browser.ts";
import { expectClicks } from "./Budgets.ts";
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
    [
      'dialog button:text-is("Send the objection")',
      () => page.waitForSelector("dialog", { state: "detached" }).then(),
    ],
  );
  expectClicks("portal: object to one line", clicks);
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

const fileOf = (name: string, content: string | Buffer) => ({
  ...{ name, mimeType: "application/octet-stream", buffer: Buffer.from(content) },
});

/** Clicks on a file in a thread; returns its name and content as they are saved. */
const saved = async (reader: Page, name: string): Promise<readonly [name: string, content: string]> => {
  const [download] = await Promise.all([
    reader.waitForEvent("download"),
    reader.click(`.files button:has-text("${name}")`),
  ]);
  return [download.suggestedFilename(), readFileSync(await download.path(), "utf8")];
};

it("objects with files, reads the answer with a file, and answers in a comment", async () => {
  const dialog = page.locator("dialog");
  const send = dialog.locator('button:text-is("Send the objection")');
  const files = dialog.locator("input[name=files]");
  await visitor.visit(`settlements/${settlementId}`);
  await page.check('input[aria-label="Line of BO-1"]');
  await page.click('.actions button:text-is("Object")');
  await page.getByLabel("Reason").fill("here is the order");
  const refused = [
    [[fileOf("empty.pdf", "")], "empty.pdf is empty."],
    [
      [fileOf("order.pdf", "%PDF-1.7 order"), fileOf("notes.gif", "GIF89a")],
      "notes.gif is not a PDF, PNG or JPEG file.",
    ],
    [[fileOf("scan.pdf", "%PDF-".padEnd(10 * 1024 * 1024 + 1, "x"))], "scan.pdf is too large."],
    [Array.from({ length: 6 }, (_, n) => fileOf(`${n}.pdf`, "%PDF-1.7")), "Choose at most 5 files."],
  ] as const;
  for (const [chosen, problem] of refused) {
    await files.setInputFiles([...chosen]);
    await send.click();
    await dialog.locator(`.field.wrong:has-text("${problem}")`).waitFor();
    expect(await dialog.locator("[role=alert]").innerText()).toContain(problem);
    expect(await page.getByLabel("Reason").inputValue()).toBe("here is the order");
    expect(await page.evaluate("document.querySelector('[name=files]').files.length")).toBe(chosen.length);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    expect(await visitor.axe()).toEqual([]);
  }
  // What the browser logs of the three requests that were refused.
  expect(visitor.complaints.splice(0).length).toBe(3);
  expect((await readSettlement()).view.status.type).toBe("awaiting_invoice");
  const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  await files.setInputFiles([fileOf("order.pdf", "%PDF-1.7 order"), fileOf("the parcel, opened.png", png)]);
  await send.click();
  await dialog.waitFor({ state: "detached" });
  await page.waitForSelector('.files button:has-text("the parcel, opened.png (8 byte)")');
  expect(await visitor.axe()).toEqual([]);
  expect((await readSettlement()).events.at(-1).event.attachments).toMatchObject([
    { file_name: "order.pdf", byte_length: 14 },
    { file_name: "the parcel, opened.png", byte_length: 8 },
  ]);

  const team = await arrive(launched.browser, demo.url, "console");
  await signIn(team, demo.key);
  await team.visit(`settlements/${settlementId}`);
  expect(await saved(team.page, "order.pdf")).toEqual(["order.pdf", "%PDF-1.7 order"]);
  await team.page.click('.actions button:text-is("Resolve the dispute")');
  await team.page.check("dialog input[value=rejected]");
  await team.page.getByLabel("Note (optional)").fill("it is in the report");
  await team.page.setInputFiles("dialog input[name=files]", fileOf("report.pdf", "%PDF-1.7 report"));
  expect(await team.axe()).toEqual([]);
  await team.page.click('dialog button:text-is("Resolve the dispute")');
  await team.page.waitForSelector('.files button:has-text("report.pdf (15 byte)")');
  expect(await team.axe()).toEqual([]);

  await visitor.visit("");
  await visitor.visit(`settlements/${settlementId}`);
  expect(await saved(page, "report.pdf")).toEqual(["report.pdf", "%PDF-1.7 report"]);
  await page.click('.comments button:text-is("Comment")');
  await page.getByLabel("Your comment").fill("then I see it");
  await page.setInputFiles("dialog input[name=files]", fileOf("signed.pdf", "%PDF-1.7 signed"));
  expect(await visitor.axe()).toEqual([]);
  await page.click('dialog button:text-is("Send the comment")');
  await page.waitForSelector('.comments .files button:has-text("signed.pdf (15 byte)")');
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
  await team.visit("");
  await team.visit(`settlements/${settlementId}`);
  expect(await saved(team.page, "signed.pdf")).toEqual(["signed.pdf", "%PDF-1.7 signed"]);
  expect([...visitor.complaints, ...team.complaints]).toEqual([]);
  await team.leave();
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
  expectClicks("portal: upload an invoice", clicks);
  await reach("awaiting_payment");
  expect(visitor.complaints).toEqual([]);
});

it("proposes another account in three clicks, which a person of the company confirms in three", async () => {
  await visitor.visit("account");
  expect(await page.locator("main .empty").innerText()).toContain("We have no account of yours");
  const clicks = await clickThrough(
    ['nav a[href="#/account"]'],
    [
      'main button:text-is("Propose an account")',
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
      'dialog button:text-is("Propose an account")',
      () => page.waitForSelector("dialog", { state: "detached" }).then(),
    ],
  );
  expectClicks("portal: propose another account", clicks);
  await page.waitForSelector('.badge:has-text("We check it")');
  const { payout_accounts } = await demo.get(`partners/${partnerId}/payout-accounts`);
  expect(payout_accounts).toMatchObject([
    { status: "proposed", proposed_by_partner: true, proposed_by: `partner:${partnerId}` },
  ]);

  const team = await arrive(launched.browser, demo.url, "console");
  await signIn(team, demo.key);
  let confirming = 0;
  const click = async (selector: string): Promise<void> => {
    await team.page.click(selector);
    confirming += 1;
  };
  await click('.tasks a:has-text("Payout account to confirm: Bo Busch")');
  await settled(team.page);
  const row = team.page.locator("main section:has(h2:text-is('Payout accounts')) tbody tr");
  expect((await row.innerText()).replace(/\s+/g, " ")).toMatch(
    /DK50 0040 0440 1162 43 .* Proposed By somebody of the team Proposed [\w ]+ by the partner Confirm Refuse$/,
  );
  await click('main section:has(h2:text-is("Payout accounts")) button:text-is("Confirm")');
  await click('dialog button:text-is("Confirm")');
  await row.locator('.badge:has-text("Confirmed")').waitFor();
  expectClicks("confirm an account", confirming);
  await visitor.visit("");
  await visitor.visit("account");
  await page.waitForSelector('.badge:has-text("We pay to it")');
  expect([...visitor.complaints, ...team.complaints]).toEqual([]);
  await team.leave();
});
