/**
 * Month-end in a real browser: many drafts approved from one dialog, by mouse and by keyboard, each with its result; and paying by
 * bank, from what is to be paid over the bank file to the bank's statement and returns. The clicks are counted.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readAch } from "../payouts/AchReader.ts";
import { returnFile } from "../payouts/AchReturns.ts";
import { ask, call, folder } from "../server/running.ts";
import { type Launched, launch } from "./Browser.ts";
import { expectClicks } from "./Budgets.ts";
import { type Demo, startDemo } from "./Demo.ts";
import { walkByTab } from "./Keyboard.ts";
import { approveNew, selfBilling } from "./NewPartner.ts";
import { arrive, settled, signIn, type Visitor } from "./Visitor.ts";

const IBAN = "DE02120300000000202051";

const BY_FILES = {
  ...{ QUITTANCE_PAYOUTS: "files", QUITTANCE_PAYOUTS_FORMAT: "pain.001.001.09,nacha" },
  ...{ QUITTANCE_NACHA_COMPANY_ID: "1234567890", QUITTANCE_NACHA_BANK: "021000021" },
};

let demo: Demo;
let launched: Launched;
let visitor: Visitor;

let clicks = 0;
const click = async (selector: string): Promise<void> => {
  await visitor.page.click(selector);
  clicks += 1;
};

/** Goes to the overview, from where the clicks of a job are counted. */
const begin = async (): Promise<void> => {
  await visitor.visit("");
  clicks = 0;
};

/** Reads a statement of the bank, from the overview; choosing the file counts as a click. */
const readStatement = async (file: string): Promise<void> => {
  const { page } = visitor;
  await begin();
  await click('nav a:text-is("Payments")');
  await click('button:text-is("Import a statement")');
  await page.setInputFiles("dialog input[type=file]", file);
  clicks += 1;
  await click("dialog button[type=submit]");
  await page.waitForSelector("dialog", { state: "detached" });
  await settled(page);
};

const place = folder();

beforeAll(async () => {
  [demo, launched] = await Promise.all([startDemo("memory:", BY_FILES), launch()]);
  const { body: profile } = await call(demo.url, demo.key, "GET", "billing-profile");
  const { customer_id: _, ...terms } = profile;
  const bank_account = { beneficiary_name: "Nordhang GmbH", iban: IBAN, bic: "BYLADEM1001" };
  const written = await call(demo.url, demo.key, "PUT", "billing-profile", { ...terms, bank_account });
  expect(written.status).toBe(200);
  visitor = await arrive(launched.browser, demo.url, "console");
  await signIn(visitor, demo.key);
});

afterAll(async () => {
  await launched?.close();
  await demo?.stop();
  place.remove();
});

interface Row {
  readonly id: string;
  readonly currency: string;
  readonly view: {
    readonly total: number;
    readonly payable_amount: number;
    readonly computed_amount: number;
    readonly billing_mode: string;
    readonly payout_account?: object | null;
    readonly status: { readonly type: string };
    readonly reconciliation_status: string;
    readonly payment_file_status: string | null;
  };
}

const listed = async (query: string): Promise<ReadonlyArray<Row>> =>
  (await demo.get(`settlements?per_page=100&${query}`)).settlements;

/** Waits until the documents of what was approved are made, and it can be paid. */
const documentsMade = async (): Promise<void> => {
  for (;;) {
    const waiting = await listed("statuses=awaiting_report&statuses=awaiting_invoice");
    if (
      waiting.every(
        ({ view }) => view.status.type !== "awaiting_report" && view.billing_mode !== "self_billing",
      )
    )
      return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};

const euros = (cents: number): string =>
  new Intl.NumberFormat("en-GB", { style: "currency", currency: "EUR" }).format(cents / 100);

const dialog = (): Promise<string> => visitor.page.locator("dialog").innerText();

/** A statement of the day that books these payments, and something else. */
const statement = (payments: ReadonlyArray<readonly [endToEndId: string, amount: string]>): string => {
  const entries = [...payments, ["RENT-11", "950.00"]].map(
    ([id, amount]) => `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>
<BookgDt><Dt>2026-12-01</Dt></BookgDt><NtryDtls><TxDtls><Refs><EndToEndId>${id}</EndToEndId></Refs><Amt Ccy="EUR">${amount}</Amt></TxDtls></NtryDtls></Ntry>`,
  );
  return `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt><Acct><Id><IBAN>${IBAN}</IBAN></Id></Acct>${entries.join("")}</Stmt></BkToCstmrStmt></Document>`;
};

const drafts = async (): Promise<ReadonlyArray<Row>> =>
  (await demo.get("settlements?statuses=draft&order=desc&per_page=100")).settlements;

const statusesOf = async (ids: ReadonlyArray<string>): Promise<ReadonlyArray<string>> =>
  (await demo.get(`settlements?${ids.map((id) => `ids=${id}`).join("&")}&per_page=100`)).settlements.map(
    ({ view }: Row) => view.status.type,
  );

const sumIn = (rows: ReadonlyArray<Row>, currency: string): string =>
  new Intl.NumberFormat("en-GB", { style: "currency", currency }).format(
    rows.filter((row) => row.currency === currency).reduce((sum, { view }) => sum + view.total, 0) / 100,
  );

const bar = (): Promise<string> => visitor.page.locator(".chosen-bar").innerText();

describe("what is due", () => {
  /** What the overview has of it, by currency. */
  const onOverview = async (): Promise<Readonly<Record<string, string>>> => {
    const cards = visitor.page.locator("main .card");
    const found = await Promise.all(
      (await cards.all()).map(async (card) => [
        await card.locator("h2").innerText(),
        await card.locator(".main-figure dd").innerText(),
      ]),
    );
    return Object.fromEntries(found);
  };

  const centsOf = (text: string): number => Number(text.replace(/[^\d−]/g, "").replace("−", "-"));

  it("is the same on the overview and in the preview of a run, which states how it adds up", async () => {
    const { page } = visitor;
    await begin();
    const overview = await onOverview();
    const [{ workspace_id }] = (await demo.get("partners?per_page=1")).partners;
    await visitor.visit(`runs/new?workspace=${workspace_id}`);
    const rows = page.locator('section[aria-label="What is due"] tbody tr');
    const preview = await Promise.all((await rows.all()).map((row) => row.locator("td").allInnerTexts()));
    expect(Object.keys(overview).length).toBeGreaterThan(1);
    expect(Object.fromEntries(preview.map(([currency, , , , due]) => [currency, due]))).toEqual(overview);
    for (const [, ...amounts] of preview) {
      const [drafts = 0, leftOut = 0, changes = 0, due = 0] = amounts.map(centsOf);
      expect(drafts + leftOut + changes).toBe(due);
    }
    // Some sales of the example were returned after they went into a draft.
    expect(preview.map(([, , , changes = ""]) => centsOf(changes)).some((changes) => changes !== 0)).toBe(
      true,
    );
    expect(await visitor.axe()).toEqual([]);
  });

  it("of a partner is the sum of its sales in no settlement and of changes to those in one", async () => {
    const { page } = visitor;
    const awaiting = "settlements?statuses=awaiting_invoice&per_page=1";
    const [{ partner_id: id, currency, view }] = (await demo.get(awaiting)).settlements;
    // A line may also be of a sale that was returned before.
    const chosen = view.lines.map((line: { readonly commission_id: string }) => `ids=${line.commission_id}`);
    const { commissions: lines } = await demo.get(
      `commissions?per_page=100&${chosen.slice(0, 100).join("&")}`,
    );
    const sold = lines.find(({ view }: Row) => view.computed_amount > 0);
    await ask(demo.url, demo.key, "DELETE", `attributions/${sold.attribution_id}`, { reason: "returned" });
    const { balances } = await demo.get(`partners/${id}/balance`);
    const { due, pending } = balances.find((one: { readonly currency: string }) => one.currency === currency);
    const query = `commissions?partner_ids=${id}&settlement_status=unsettled&due=nonzero&per_page=50`;
    const { commissions } = await demo.get(query);
    const unsettled = commissions.reduce(
      (sum: number, { view }: { readonly view: { readonly due_amount: number } }) => sum + view.due_amount,
      0,
    );
    const change = due - pending - unsettled;
    expect(change).toBeLessThan(0);
    const words = (cents: number): string =>
      new Intl.NumberFormat("en-GB", { style: "currency", currency }).format(cents / 100);
    await visitor.visit(`partners/${id}`);
    expect(await page.locator("main").innerText()).toContain(
      `What is due includes changes of −${words(-change)} to sales that are in settlements.`,
    );
  });
});

describe("drafts in the list of settlements", () => {
  it("are chosen with Space, and with Shift a range of them, and their sums are shown", async () => {
    const { page } = visitor;
    const all = await drafts();
    await visitor.visit("settlements?statuses=draft");
    await page.locator("main > .table-frame tbody tr").nth(1).focus();
    await page.keyboard.press(" ");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Shift+ ");
    const chosen = all.slice(1, 4);
    expect(await bar()).toContain("3 chosen");
    for (const currency of new Set(chosen.map((row) => row.currency)))
      expect(await bar()).toContain(sumIn(chosen, currency));
    expect(await visitor.axe()).toEqual([]);
    expect(await walkByTab(page)).toEqual([]);
    await page.click('.chosen-bar button:text-is("Choose none")');
    expect(await page.locator(".chosen-bar").count()).toBe(0);
  });

  it("stay as before when the dialog is left, and one that has ended meanwhile says why it was not approved", async () => {
    const { page } = visitor;
    const [first, second] = await drafts();
    if (first === undefined || second === undefined) throw new Error("the example company has two drafts");
    const boxes = page.locator("tbody input[type=checkbox]");
    await boxes.nth(0).click();
    await boxes.nth(1).click();
    await page.click('.chosen-bar button:text-is("Approve 2 drafts")');
    await page.waitForSelector("dialog");
    await page.keyboard.press("Escape");
    await page.waitForSelector("dialog", { state: "detached" });
    expect(await statusesOf([first.id, second.id])).toEqual(["draft", "draft"]);
    await page.click('.chosen-bar button:text-is("Approve 2 drafts")');
    expect((await call(demo.url, demo.key, "DELETE", `settlements/${first.id}`)).status).toBe(200);
    await page.click('dialog button:text-is("Approve 2 drafts")');
    await page.waitForSelector('dialog button:text-is("Back to the list")');
    const results = await page.locator("dialog tbody tr").allInnerTexts();
    expect(results[0]).toMatch(/Not done[\s\S]*cancelled/);
    expect(results[1]).toContain("Approved");
    expect(await page.locator("dialog .sentence").innerText()).toContain(
      "1 draft stays as before and chosen.",
    );
    expect(await visitor.axe()).toEqual([]);
    await page.click('dialog button:text-is("Back to the list")');
    await settled(page);
    expect(await statusesOf([first.id])).toEqual(["cancelled"]);
    expect(await statusesOf([second.id])).not.toEqual(["draft"]);
    expect(await bar()).toContain("1 chosen");
    await page.click('.chosen-bar button:text-is("Choose none")');
    // The browser itself logs the refused command.
    expect(visitor.complaints.splice(0)).toEqual([expect.stringContaining("409")]);
  });

  it("are all approved with four clicks from the overview, after a look at what is unusual", async () => {
    const { page } = visitor;
    const all = await drafts();
    expect(all.length).toBeGreaterThan(15);
    await begin();
    await click('a:has-text("Drafts to approve")');
    await page.waitForSelector('h1:has-text("Settlements")');
    await settled(page);
    const comparison = page.locator('[aria-label="Beside earlier settlements"]');
    expect(await comparison.innerText()).toMatch(/the settlements of these partners came to .*€/);
    expect(await comparison.innerText()).toMatch(/Look twice at \d+ drafts[\s\S]*Cannot be paid yet/);
    await click('input[aria-label="All of this page"]');
    expect(await bar()).toContain(`${all.length} chosen`);
    await click(`.chosen-bar button:text-is("Approve ${all.length} drafts")`);
    await page.waitForSelector('dialog h3:has-text("Look twice")');
    expect(await page.locator("dialog").innerText()).toContain("Cannot be paid yet: the IBAN is not valid");
    for (const currency of new Set(all.map((row) => row.currency)))
      expect(await page.locator("dialog .sentence").innerText()).toContain(sumIn(all, currency));
    await click("dialog button[type=submit]");
    await page.waitForSelector('dialog button:text-is("Back to the list")');
    expectClicks("approve more than 20 drafts", clicks);
    expect(await page.locator('dialog .badge:text-is("Approved")').count()).toBe(all.length);
    await page.click('dialog button:text-is("Back to the list")');
    await settled(page);
    expect(await drafts()).toEqual([]);
    expect(await statusesOf(all.map(({ id }) => id))).not.toContain("draft");
    expect(visitor.complaints).toEqual([]);
  });
});

describe("the drafts of a run", () => {
  it("are approved from the page of the run", async () => {
    const { page } = visitor;
    // What was cancelled above is due again.
    const [{ workspace_id }] = (await demo.get("settlements?statuses=cancelled&per_page=1&order=desc"))
      .settlements;
    const { body } = await call(demo.url, demo.key, "POST", "settlement-runs", { workspace_id });
    let run = await demo.get(`settlement-runs/${body.id}`);
    while (run.run.state === "running") run = await demo.get(`settlement-runs/${body.id}`);
    const count: number = run.run.draft_count - run.run.approved_count;
    expect(count).toBeGreaterThan(0);
    await visitor.visit(`runs/${body.id}`);
    await page.click(`button:text-is("Approve ${count} draft${count === 1 ? "" : "s"}")`);
    await page.click("dialog button[type=submit]");
    await page.click('dialog button:text-is("Back to the list")');
    await settled(page);
    await page.waitForSelector('main button:has-text("Approve")', { state: "detached" });
    expect(await drafts()).toEqual([]);
  });
});

describe("paying by bank file", () => {
  let initiated: ReadonlyArray<Row> = [];
  let xml = "";

  it("initiates what is chosen; what cannot be paid by file says why, and stays", async () => {
    const { page } = visitor;
    await documentsMade();
    const ready = (await listed("statuses=awaiting_payment&tax_review=false")).filter(
      ({ view }) => view.total > 0,
    );
    expect(ready.length).toBeGreaterThan(2);
    await begin();
    await click('a:has-text("Settlements to pay")');
    await page.waitForSelector('h1:has-text("Payments")');
    await settled(page);
    expect(await visitor.axe()).toEqual([]);
    expect(await walkByTab(page)).toEqual([]);
    await click('input[aria-label="All of this page"]');
    await click(".chosen-bar button.primary");
    expect(await dialog()).toContain("in all");
    await click("dialog button[type=submit]");
    await page.waitForSelector('dialog button:text-is("Back to the list")');
    expect(await visitor.axe()).toEqual([]);
    await click('dialog button:text-is("Back to the list")');
    await settled(page);
    initiated = (await listed("statuses=payment_initiated")).filter(
      ({ view }) => view.payment_file_status === "awaited",
    );
    expect(initiated.length).toBeGreaterThan(0);
    // Partners without an account cannot be chosen. Other currencies are refused.
    const payable = ready.filter(
      ({ view }) =>
        view.payout_account != null ||
        (view.payout_account === undefined && view.billing_mode === "self_billing"),
    );
    const refused = payable.filter(({ id }) => !initiated.some((row) => row.id === id));
    expect(refused.length).toBeGreaterThan(0);
    expect(await page.locator('section[aria-label="To pay"] tbody .choice input').count()).toBe(
      refused.length,
    );
    expect(await page.locator(".chosen-bar").innerText()).toContain(`${refused.length} chosen`);
    // The browser itself logs refused commands.
    for (const complaint of visitor.complaints.splice(0)) expect(complaint).toContain("409");
  });

  it("creates the file, hands it over and downloads it", async () => {
    const { page } = visitor;
    const sum = initiated.reduce((total, { view }) => total + view.payable_amount, 0);
    await click('button:text-is("Create a bank file")');
    expect(await dialog()).toContain(euros(sum));
    await click('dialog button:text-is("Create a bank file")');
    await page.waitForSelector('dialog button:text-is("Hand over and download")');
    expect(await dialog()).toContain(`${initiated.length} payment`);
    expect(await dialog()).toContain(euros(sum));
    expect(await visitor.axe()).toEqual([]);
    const downloading = page.waitForEvent("download");
    await click('dialog button:text-is("Hand over and download")');
    xml = readFileSync((await (await downloading).path()) ?? "", "utf8");
    expectClicks("pay by bank file", clicks);
    await page.waitForSelector('section[aria-label="Bank files"] .badge:has-text("Handed over")');
    await settled(page);
    expect(await page.textContent('section[aria-label="Bank files"]')).toContain("pain.001.001.09");
    const again = page.waitForEvent("download");
    await page.click('button:text-is("Download")');
    expect(readFileSync((await (await again).path()) ?? "", "utf8")).toBe(xml);
    expect(xml).toContain(`<NbOfTxs>${initiated.length}</NbOfTxs>`);
    expect(await page.locator('button:text-is("Create a bank file")').count()).toBe(0);
    expect(visitor.complaints).toEqual([]);
  });

  it("reads the statement: all paid and reconciled, and other business is not a finding", async () => {
    const { page } = visitor;
    const payments = [
      ...xml.matchAll(/<EndToEndId>(\w+)<\/EndToEndId>[\s\S]*?<InstdAmt Ccy="EUR">([\d.]+)<\/InstdAmt>/g),
    ].map(([, id = "", amount = ""]) => [id, amount] as const);
    expect(payments).toHaveLength(initiated.length);
    const file = join(place.path, "statement.xml");
    writeFileSync(file, statement(payments));
    await readStatement(file);
    expectClicks("read a bank statement", clicks);
    const result = page.locator('section[aria-label="Bank statement"] [role=status]');
    const words =
      initiated.length === 1
        ? "1 payment confirmed, 1 settlement"
        : `${initiated.length} payments confirmed, ${initiated.length} settlements`;
    expect(await result.innerText()).toContain(`${words} reconciled.`);
    expect(await result.innerText()).toContain("1 movement is other business on the account.");
    const after = await listed(initiated.map(({ id }) => `ids=${id}`).join("&"));
    for (const { view } of after)
      expect([view.status.type, view.reconciliation_status]).toEqual(["paid", "reconciled"]);
    await settled(page);
    expect(await visitor.axe()).toEqual([]);
    expect(visitor.complaints).toEqual([]);
  });

  it("says what a movement is that does not fit, and which settlement has its amount", async () => {
    const { page } = visitor;
    const [, id = ""] = /<EndToEndId>(\w+)<\/EndToEndId>/.exec(xml) ?? [];
    const file = join(place.path, "other.xml");
    const open = await listed("statuses=awaiting_payment&currencies=EUR");
    const [one] = open.filter(({ view }) => Number(view.payable_amount) > 0);
    const amount = (Number(one?.view.payable_amount) / 100).toFixed(2);
    const movements = [
      [id, "0.01"],
      ["PAID-BY-HAND", amount],
    ] as const;
    writeFileSync(file, statement(movements));
    await readStatement(file);
    const result = page.locator('section[aria-label="Bank statement"] [role=status]');
    await settled(page);
    expect(await result.innerText()).toContain("Nothing new");
    expect(await result.innerText()).toContain("The payment has another amount");
    expect(await result.innerText()).toContain("1 movement is other business on the account.");
    const suggested = result.locator("tr:has-text('It names no payment of yours') a");
    expect(await suggested.evaluateAll((links) => links.map((link) => link.getAttribute("href")))).toContain(
      `#/settlements/${one?.id}`,
    );
    await settled(page);
    expect(await visitor.axe()).toEqual([]);
  });
});

const post = (path: string, body?: unknown) => ask(demo.url, demo.key, "POST", path, body);

/** The ACH file of two payments to new partners, which the bank has; and their settlements. */
const achFile = async () => {
  const billing = await selfBilling(demo);
  const ids: Array<string> = [];
  for (const name of ["Otso Inc", "Sauk LLC"]) {
    const account = { account_number: "0012345678", account_type: "checking", holder: name };
    const { id } = await approveNew(demo, {
      ...{ name, currency: "USD", billing, sales: [{ cents: 5_000 }] },
      prepare: (partnerId) =>
        post(`partners/${partnerId}/payout-accounts`, {
          ...{ type: "us_ach", currency: "USD", details: { routing_number: "011000015", ...account } },
        }),
    });
    ids.push(id);
  }
  await documentsMade();
  for (const id of ids) await post(`settlements/${id}/initiate-payment`);
  const { id: fileId } = await post("payment-files");
  await post(`payment-files/${fileId}/hand-over`);
  const headers = { authorization: `Bearer ${demo.key}` };
  const sent = await (await fetch(`${demo.url}/api/v1/payment-files/${fileId}`, { headers })).text();
  return { sent, ids };
};

describe("the e-invoice of an invoice", () => {
  const saved = async (words: string): Promise<string> => {
    const { page } = visitor;
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.click(`details button:text-is("${words}")`),
    ]);
    return readFileSync(await download.path(), "latin1");
  };

  it("is downloaded in every format, and where one is refused the reason leads to the page that states it", async () => {
    const { page } = visitor;
    const { settlements } = await demo.get("settlements?statuses=paid&order=desc&per_page=100");
    const { id, partner_id } = settlements.find(
      ({ view }: { readonly view: Readonly<Record<string, unknown>> }) =>
        view.billing_mode === "self_billing" &&
        view.invoice_reference !== null &&
        (view.e_invoice_problems as ReadonlyArray<unknown>).length === 0,
    );
    await visitor.visit(`settlements/${id}`);
    await page.click('summary:text-is("Invoice as an e-invoice")');
    expect(await visitor.axe()).toEqual([]);
    expect(await walkByTab(page)).toEqual([]);
    expect(await saved("XML for Peppol (UBL)")).toContain("urn:fdc:peppol.eu:2017:poacc:selfbilling:01:1.0");
    expect(await saved("XML after EN 16931 (CII)")).toContain("<rsm:CrossIndustryInvoice");
    await page.check('label:has-text("XML with the PDF inside") input');
    expect(await saved("XML for Peppol (UBL)")).toMatch(/mimeCode="application\/pdf"[^>]*>JVBERi/);
    expect(await saved("PDF with the e-invoice inside (Factur-X)")).toMatch(/^%PDF[\s\S]*factur-x/);
    await page.click('details button:text-is("XML for XRechnung (CII)")');
    await page.waitForSelector("main .notice:has-text('no e-invoice of this format')");
    expect(await page.locator("main .notice li").allInnerTexts()).toEqual([
      "The partner's contact for questions about invoices is required by XRechnung, and was not stated when the document was issued (rule BR-DE-2). Change the partner",
    ]);
    expect(await page.locator("main .notice a").getAttribute("href")).toBe(`#/partners/${partner_id}`);
    expect(await visitor.axe()).toEqual([]);
    // The browser itself logs the refused request.
    expect(visitor.complaints.splice(0)).toEqual([expect.stringContaining("409")]);
  });
});

describe("the return file of a bank in the United States", () => {
  it("brings a payment back with its reason, and shows what the bank only tells, without the account", async () => {
    const { page } = visitor;
    const { sent, ids } = await achFile();
    const [first, second] = readAch(sent).batches.flatMap(({ entries }) => entries);
    if (first === undefined || second === undefined) throw new Error("the file has two payments");
    const file = join(place.path, "returns.ach");
    const told = { entry: second, code: "C01", added: "0099887766" };
    writeFileSync(file, returnFile(sent, [{ entry: first, code: "R02" }, told]));
    await readStatement(file);
    const words = await page.locator('section[aria-label="Bank statement"] [role=status]').innerText();
    expect(words).toContain("1 payment confirmed, 1 payment returned: initiate them again.");
    expect(words).toMatch(/The bank tells something about the payment, and has moved no money: C01/);
    expect(words).not.toContain("0099887766");
    await settled(page);
    expect(await visitor.axe()).toEqual([]);
    expect((await statusesOf(ids)).toSorted()).toEqual(["awaiting_payment", "payment_initiated"]);
    const [back] = await listed(`statuses=awaiting_payment&${ids.map((id) => `ids=${id}`).join("&")}`);
    await visitor.visit(`settlements/${back?.id}`);
    expect(await page.locator("main").innerText()).toContain("R02 the account is closed");

    await begin();
    await click('.tasks a:has-text("Payment that failed or came back")');
    await click('section[aria-label="Failed and returned payments"] button:text-is("Initiate again")');
    await click("dialog button[type=submit]");
    await page.waitForSelector("dialog", { state: "detached" });
    await settled(page);
    expect(await statusesOf([String(back?.id)])).toEqual(["payment_initiated"]);
    expectClicks("make a returned payment good", clicks);
    expect(visitor.complaints).toEqual([]);
  });
});
