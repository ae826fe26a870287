/**
 * Payout accounts in a real browser, by keyboard: proposed, confirmed by another person, retired, and chosen for a settlement; and the
 * payments to them that a provider makes, with attempts and reasons.
 */
import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask } from "../server/running.ts";
import { type Launched, launch } from "./Browser.ts";
import { createPortalKey, type Demo, startDemo } from "./Demo.ts";
import { type Hands, handsOn } from "./Hands.ts";
import { walkByTab } from "./Keyboard.ts";
import { approveNew, selfBilling } from "./NewPartner.ts";
import { arrive, signIn, VIEWS, type Visitor } from "./Visitor.ts";

const ADMIN_TOKEN = "admin-token-of-the-pages-of-accounts";
/** A folder for pictures of what the tests show; without it none are made. */
const PICTURES = process.env.PICTURES;

/** What hangs is ended by the limit of the test. */
const UNTIL_THE_END = { timeout: 600_000 };

let demo: Demo;
let launched: Launched;
let bo: Visitor;
let keyOfBo: string;
let mallory: Visitor;
let hands: { readonly bo: Hands; readonly mallory: Hands };
let draft: { readonly id: string; readonly partner_id: string };

const keyOf = async (customer_id: string, person: string, without: ReadonlyArray<string> = []) => {
  const { scopes } = await demo.get("principal");
  const wanted = scopes.filter((scope: string) => !without.includes(scope));
  const body = { customer_id, person, name: person, scopes: wanted };
  return String((await ask(demo.url, ADMIN_TOKEN, "POST", "api-keys", body)).key);
};

beforeAll(async () => {
  const settings = {
    ...{ QUITTANCE_ADMIN_TOKEN: ADMIN_TOKEN, QUITTANCE_PAYOUT_ACCOUNTS: "second_person" },
    QUITTANCE_PAYOUTS: "simulated",
  };
  [demo, launched] = await Promise.all([startDemo("memory:", settings), launch()]);
  const { settlements } = await demo.get("settlements?statuses=draft&currencies=EUR");
  // Of a partner that has an account: those that write their invoices have none.
  for (const one of settlements) {
    const accounts = await demo.get(`partners/${one.partner_id}/payout-accounts`);
    if (one.view.total > 0 && /"DE(…|\d)/.test(JSON.stringify(accounts))) draft = one;
  }
  const { customer_id } = settlements[0];
  [bo, mallory] = [
    await arrive(launched.browser, demo.url, "console"),
    await arrive(launched.browser, demo.url, "console"),
  ];
  keyOfBo = await keyOf(customer_id, "bo@example.com");
  await signIn(bo, keyOfBo);
  await signIn(mallory, await keyOf(customer_id, "mallory@example.com", ["payouts:read"]));
  hands = { bo: handsOn(bo.page), mallory: handsOn(mallory.page) };
});

afterAll(async () => {
  await launched?.close();
  await demo?.stop();
});

const partnerPage = (): string => `partners/${draft.partner_id}`;
const settlementPage = (): string => `settlements/${draft.id}`;

/** The rows of the table of accounts. */
const rows = async ({ page }: Visitor): Promise<ReadonlyArray<string>> =>
  (await page.locator("main section:has(h2:text-is('Payout accounts')) tbody tr").allInnerTexts()).map(
    (row) => row.replace(/\s+/g, " ").trim(),
  );

const chosen = async (): Promise<Record<string, unknown> | undefined> =>
  (await demo.get(`settlements?ids=${draft.id}`)).settlements[0].view.payout_account;

/** Pictures of a part of a page at both widths in both schemes. */
const picture = async ({ page }: Visitor, name: string, part: string): Promise<void> => {
  if (PICTURES === undefined) return;
  for (const { width, scheme } of VIEWS) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: scheme });
    writeFileSync(
      `${PICTURES}/${name}-${width}-${scheme}.png`,
      await page.locator(part).first().screenshot(),
    );
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: "light" });
};

/** Opens the form, states an account of the United States, and sends it. */
const propose = async (by: Hands, routing: string, number: string): Promise<void> => {
  await by.use("Propose an account", "main button");
  await by.isOn("dialog select[name=type]");
  await by.type("Bank account in the United S");
  await by.reach("input[name=routing_number]");
  await by.type(routing);
  await by.reach("input[name=account_number]");
  await by.type(number);
  await by.reach("input[name=holder]");
  await by.type("Nordlicht Inc");
};

describe("the accounts of a partner", () => {
  it("are shown with what is confirmed, and the form names the field that is wrong", async () => {
    await mallory.visit(partnerPage());
    expect(await rows(mallory)).toEqual([
      expect.stringMatching(/^DE…\d{4} .* Bank account \(IBAN\) Every currency Confirmed .* Retire$/),
    ]);
    await propose(hands.mallory, "021000022", "000123456789");
    await hands.mallory.press("Enter");
    await mallory.page.waitForSelector("dialog .field.wrong");
    expect(await mallory.page.locator("dialog .field.wrong").innerText()).toContain(
      "Must be nine digits with a valid check digit.",
    );
    expect(await mallory.page.locator("input[name=routing_number]").getAttribute("aria-invalid")).toBe(
      "true",
    );
    // What was typed is still there.
    expect(await mallory.page.inputValue("input[name=account_number]")).toBe("000123456789");
    expect(await mallory.axe()).toEqual([]);
    expect(await walkByTab(mallory.page)).toEqual([]);
    await picture(mallory, "account-form", "dialog");
    // The browser itself logs the refused request.
    expect(mallory.complaints.splice(0)).toEqual([expect.stringContaining("400")]);
  });

  it("wait for another person than the one who has proposed one", async () => {
    const { page } = mallory;
    await hands.mallory.reach("input[name=routing_number]");
    await hands.mallory.press("Control+a");
    await hands.mallory.type("021 000 021");
    await hands.mallory.confirm();
    await hands.mallory.see("Not by mallory@example.com");
    expect((await rows(mallory))[0]).toMatch(
      /^021000021 …789 checking Bank account in the United States Every currency Proposed Not by mallory@example\.com Proposed [\w ]+ by mallory@example\.com Confirm Retire$/,
    );
    await hands.mallory.use("Confirm", "main button");
    await hands.mallory.reach("dialog button.primary");
    await hands.mallory.press("Enter");
    await page.waitForSelector("dialog [role=alert]");
    expect(await page.locator("dialog [role=alert]").innerText()).toContain(
      "Who proposed a payout account may not confirm it",
    );
    expect(mallory.complaints.splice(0)).toEqual([expect.stringContaining("409")]);
    await hands.mallory.press("Escape");
    const { name } = (await demo.get(`partners?ids=${draft.partner_id}`)).partners[0];
    await bo.visit("partners?payoutAccountProposed=true");
    expect(await bo.page.locator("main tbody tr").count()).toBe(1);
    await bo.visit("");
    expect((await bo.page.locator(".tasks a").first().innerText()).replace(/\s+/g, " ")).toBe(
      `1 Payout account to confirm: ${name} Check`,
    );
    await bo.page.locator(".tasks a").first().click();
    await bo.page.waitForSelector("h2:text-is('Payout accounts')");
    await hands.bo.use("Confirm", "main button");
    expect(await bo.page.locator("dialog .consequences").innerText()).toMatch(
      /Settlements that are approved from now on are paid to: .* 021000021 000123456789 checking Nordlicht Inc\..* is retired\./s,
    );
    expect(await bo.axe()).toEqual([]);
    await picture(bo, "account-confirm", "dialog");
    await hands.bo.confirm();
    await hands.bo.see("Retired");
    expect(await rows(bo)).toEqual([
      expect.stringMatching(
        / Confirmed Proposed [\w ]+ by mallory@example\.com Confirmed [\w ]+ by bo@example\.com Retire$/,
      ),
      expect.stringMatching(/^DE\d\d( \w{1,4})+ .* Retired /),
    ]);
    await hands.bo.see("by bo@example.com", ".timeline");
    expect(await bo.axe()).toEqual([]);
    expect(await walkByTab(bo.page)).toEqual([]);
    await picture(bo, "accounts", "main section:has(h2:text-is('Payout accounts'))");
  });

  it("may state who holds them", async () => {
    await hands.bo.use("Propose an account", "main button");
    await hands.bo.reach("input[name=iban]");
    await hands.bo.type("CH93 0076 2011 6238 5295 7");
    await hands.bo.reach("input[name=holder]");
    await hands.bo.type("Nordlicht AG");
    await hands.bo.reach("select[name=holder_type]");
    await hands.bo.type("Comp");
    await hands.bo.reach("input[name=currency]");
    await hands.bo.type("chf");
    await hands.bo.confirm();
    await bo.page.waitForSelector("tr:has-text('CHF'):has-text('company')");
    await hands.bo.use("Retire", "main button");
    await hands.bo.confirm();
    await bo.page.waitForSelector("tr:has-text('CHF'):has-text('Retired')");
  });

  it("can be retired", async () => {
    await hands.bo.use("Propose an account", "main button");
    await hands.bo.type("Another kind");
    await hands.bo.reach("input[name=name]");
    await hands.bo.type("wallet_id");
    await hands.bo.reach("input[name=value]");
    await hands.bo.type("W-12345678");
    await hands.bo.use("Add a field", "dialog button");
    await hands.bo.reach("input[name=currency]");
    await hands.bo.type("usd");
    await hands.bo.confirm();
    await hands.bo.see("…78");
    expect((await rows(bo))[0]).toMatch(
      /^W-12345678 Another kind of account USD Proposed Not by bo@example.com /,
    );
    await hands.bo.use("Retire", "main button");
    await hands.bo.confirm();
    await bo.page.waitForSelector("tr:has-text('W-12345678'):has-text('Retired')");
    expect(bo.complaints).toEqual([]);
  });
});

describe("a settlement", () => {
  it("shows the account of its approval, masked", async () => {
    await bo.visit(settlementPage());
    await hands.bo.use("Approve", ".actions button");
    await hands.bo.confirm();
    await hands.bo.see("021000021 …789 checking", ".facts");
    expect(await bo.page.locator(".notice").count()).toBe(0);
  });

  it("offers another account when that one was retired, but not to the person that has proposed the other", async () => {
    const accounts = await demo.get(`${partnerPage()}/payout-accounts`);
    const retired = accounts.payout_accounts.find(
      ({ status }: { readonly status: string }) => status === "confirmed",
    );
    await mallory.visit(partnerPage());
    await propose(hands.mallory, "021000021", "770000112233");
    await hands.mallory.confirm();
    await hands.mallory.see("Not by mallory@example.com");
    await bo.visit(partnerPage());
    await hands.bo.use("Confirm", "main button");
    await hands.bo.confirm();
    await hands.bo.see("Retired");
    await mallory.visit(settlementPage());
    expect(await mallory.page.locator(".notice").innerText()).toContain(
      "The account of this settlement was retired",
    );
    const take = async (by: Hands): Promise<void> => {
      await by.use("Choose another account", ".actions button");
      await by.reach("dialog button.primary");
      await by.press("Enter");
    };
    await take(hands.mallory);
    await mallory.page.waitForSelector("dialog [role=alert]");
    expect((await chosen())?.id).toBe(retired.id);
    expect(mallory.complaints.splice(0)).toEqual([expect.stringContaining("409")]);
    await picture(mallory, "settlement-choose", "dialog");
    await bo.visit(settlementPage());
    await picture(bo, "settlement-retired", "section.lead");
    expect(await bo.axe()).toEqual([]);
    await take(hands.bo);
    await hands.bo.see("021000021 …233 checking", ".facts");
    expect((await chosen())?.details).toEqual({
      ...{ routing_number: "021000021", account_number: "…233", account_type: "checking" },
    });
    expect(await bo.page.locator(".notice").count()).toBe(0);
    expect(await bo.page.locator(".actions button:has-text('Choose another account')").count()).toBe(0);
    await hands.bo.see("Another account was chosen", ".timeline");
    expect(bo.complaints).toEqual([]);
  });

  it("shows its partner the account, and no action", async () => {
    const portal = await arrive(launched.browser, demo.url, "portal");
    await signIn(portal, await createPortalKey(demo, draft.partner_id));
    await portal.visit(settlementPage());
    const shown = await portal.page.locator("main").innerText();
    expect(shown).toContain("…233");
    for (const hidden of ["Choose another account", "bo@example.com", "770000112233"])
      expect(shown).not.toContain(hidden);
    expect(portal.complaints).toEqual([]);
    await portal.leave();
  });
});

describe("a payment that reports its fee and what arrived", () => {
  it("shows both to the team and to the partner, beside what was to be paid", async () => {
    const fee = { amount: 150, currency: "EUR" };
    const received = { amount: 40_117, currency: "USD" };
    await ask(demo.url, demo.key, "POST", `${settlementPage()}/mark-as-paid`, { fee, received });
    const portal = await arrive(launched.browser, demo.url, "portal");
    await signIn(portal, await createPortalKey(demo, draft.partner_id));
    await bo.visit("settlements");
    for (const visitor of [bo, portal]) {
      await visitor.visit(settlementPage());
      const facts = visitor.page.locator(".facts");
      expect(await facts.innerText()).toMatch(/Received\s+US\$401\.17[\s\S]*Fee\s+€1\.50/);
      expect(await visitor.page.locator(".timeline").innerText()).toContain("US$401.17 received, fee €1.50");
      expect(await visitor.axe()).toEqual([]);
      expect(visitor.complaints).toEqual([]);
    }
    await portal.leave();
  });
});

describe("a payment by a provider", () => {
  const post = (path: string, body?: unknown, key = demo.key) => ask(demo.url, key, "POST", path, body);
  const viewOf = async (id: string) => (await demo.get(`settlements?ids=${id}`)).settlements[0].view;
  /** Waits until the log of a settlement has an event. */
  const until = async (id: string, type: string): Promise<void> => {
    const types = async (): Promise<ReadonlyArray<string>> => {
      const [{ events }] = (await demo.get(`settlements?ids=${id}`)).settlements;
      return events.map(({ event }: { readonly event: { readonly type: string } }) => event.type);
    };
    await expect.poll(types, UNTIL_THE_END).toContain(type);
  };

  /** A settlement of 50.00 whose payment to a new partner has the outcome that the holder of its account names. */
  const payTo = async (holder: string) => {
    const self = await selfBilling(demo);
    const bank_account = { beneficiary_name: holder, iban: "DE02120300000000202051", bic: "BYLADEM1001" };
    const { id, partnerId } = await approveNew(demo, {
      ...{ name: holder, currency: "EUR", sales: [{ cents: 5_000 }] },
      billing: { ...self, self_billing_data: { ...self.self_billing_data, bank_account } },
    });
    await until(id, "link_invoice");
    await post(`settlements/${id}/initiate-payment`);
    return { id, partnerId };
  };
  const part = (name: string) => bo.page.locator(`section[aria-label="${name}"]`);
  const wordsOf = async (name: string): Promise<string> =>
    (await part(name).innerText()).replace(/\s+/g, " ");

  it("that has failed says why, is initiated again, and then is with the provider", async () => {
    const { id, partnerId } = await payTo("Otso [failed]");
    const stray = await payTo("Sauk [reordered]");
    await until(id, "fail_payment");
    await until(stray.id, "confirm_payment");
    const silent = { type: "custom", details: { wallet: "w-7 [silent]" } };
    const account = await post(`partners/${partnerId}/payout-accounts`, silent);
    const accountPath = `partners/${partnerId}/payout-accounts/${account.id}`;
    await post(`${accountPath}/confirm`, undefined, keyOfBo);
    const choice = { payout_account_id: account.id };
    await post(`settlements/${id}/payout-account`, choice, keyOfBo);
    const feed = "events?order=desc&types=fail_payment&types=payment_anomaly";
    await expect.poll(async () => (await demo.get(feed)).events.length, UNTIL_THE_END).toBe(2);
    const task = bo.page.locator('.tasks li:has-text("Payment that failed or came back")');
    const count = async (): Promise<string> => {
      await bo.visit("");
      await bo.page.waitForSelector(".tasks");
      return (await task.count()) === 0 ? "0" : task.locator(".task-count").innerText();
    };
    const failures = async (): Promise<number> => (await demo.get("settlements?payment_failed=true")).total;
    expect(await failures()).toBe(1);
    expect(await count()).toBe("1");
    await task.locator("a").click();
    await bo.page.waitForSelector('section[aria-label="Failed and returned payments"] tbody tr');
    const wrong = await wordsOf("Failed and returned payments");
    expect(wrong).toMatch(
      /Otso \[failed\] Failed Attempt 1, failed on [\w ]+: simulated: the account is closed/,
    );
    expect(wrong).toMatch(/Sauk \[reordered\] Report does not fit On [\w ]+ reported as returned while/);
    expect(wrong).toContain((await viewOf(stray.id)).payment_reference);
    expect(await part("To pay").locator("tr:has-text('Otso')").innerText()).toContain("Failed");
    expect(await part("With the payment provider").count()).toBe(0);
    expect(await bo.axe()).toEqual([]);
    expect(await walkByTab(bo.page)).toEqual([]);
    await picture(bo, "payments-failed", "main");

    await hands.bo.use("Initiate again", "main button");
    expect(await bo.page.locator("dialog .consequences").innerText()).toMatch(
      /^€\d+\.\d\d is paid to Otso \[failed\], account …nt\], under a new reference\.\nThe last attempt: simulated: the account is closed/,
    );
    await hands.bo.confirm();
    await bo.page.waitForSelector('section[aria-label="With the payment provider"] tbody tr');
    const waiting = await wordsOf("With the payment provider");
    const { payment_reference } = await viewOf(id);
    expect(waiting).toMatch(/Otso \[failed\] .*Attempt 2, since .*Attempt 1, failed on [\w ]+: simulated/);
    expect(waiting).toContain(payment_reference);
    const failed = part("Failed and returned payments").locator("tr:has-text('Otso')");
    await failed.waitFor({ state: "detached" });
    expect(await bo.axe()).toEqual([]);
    await picture(bo, "payments-provider", "main");
    expect(bo.complaints).toEqual([]);
  });
});

describe("the record of a partner", () => {
  it("takes a tag with a comma, and keeps it when something else changes", async () => {
    await bo.visit(partnerPage());
    await hands.bo.use("Change", "main button");
    await hands.bo.reach("input[name=reference]");
    await hands.bo.type("CRM-7");
    await hands.bo.reach("textarea[name=tags]");
    await hands.bo.press("Control+a");
    await hands.bo.type("Bremen, north\ngold");
    await hands.bo.reach("input[name=email]");
    await hands.bo.type("pay@nordlicht.example");
    await hands.bo.confirm();
    await hands.bo.see("Bremen, north", ".tag");
    const read = async () => (await demo.get(`partners?ids=${draft.partner_id}`)).partners[0];
    const stated = {
      external_reference: "CRM-7",
      tags: ["Bremen, north", "gold"],
      email: "pay@nordlicht.example",
    };
    expect(await read()).toMatchObject(stated);
    await hands.bo.use("Change", "main button");
    await hands.bo.reach("input[name=reference]");
    await hands.bo.press("Control+a");
    await hands.bo.type("CRM-8");
    await picture(bo, "record-form", "dialog");
    await hands.bo.confirm();
    await hands.bo.see("CRM-8", ".facts");
    expect(await read()).toMatchObject({ ...stated, external_reference: "CRM-8" });
    await hands.bo.use("Suspend", "main button");
    await hands.bo.confirm();
    await hands.bo.see("Suspended", ".badge");
    await bo.visit(`partners?tags=${encodeURIComponent("Bremen, north")}`);
    expect(await bo.page.locator("tbody tr").allInnerTexts()).toEqual([expect.stringContaining("Suspended")]);
    expect(await bo.axe()).toEqual([]);
    expect(bo.complaints).toEqual([]);
  });
});
