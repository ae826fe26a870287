/** The server is killed while dialogs are open, and two people act on one settlement at once: nothing typed is lost, nothing is done twice. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call, folder, listening, type Run, run } from "../server/running.ts";
import { type Launched, launch } from "./Browser.ts";
import { createPortalKey } from "./Demo.ts";
import { type LossyProxy, startLossyProxy } from "./LossyProxy.ts";
import { arrive, settled, signIn } from "./Visitor.ts";

const place = folder();
const DATABASE = ["--database-url", "pglite://company"];
let port: string;
let server: Run;
let url: string;
let key: string;
let proxy: LossyProxy;
let launched: Launched;

const start = async (...given: ReadonlyArray<string>): Promise<void> => {
  server = run(place.path, ["serve", "--port", port, ...DATABASE, ...given], {
    LOG_LEVEL: "off",
    QUITTANCE_WEBHOOKS_PRIVATE: "on",
  });
  url = await listening(server);
};

const kill = async (): Promise<void> => {
  server.process.kill("SIGKILL");
  await server.ended;
};

const freePort = (): Promise<string> =>
  new Promise((resolve) => {
    const free = createServer().listen(0, "127.0.0.1", () => {
      const { port: found } = free.address() as AddressInfo;
      free.close(() => resolve(String(found)));
    });
  });

beforeAll(async () => {
  port = await freePort();
  await start("--demo");
  key = /^development key, .*: (qk_\S+)$/m.exec(server.output())?.[1] ?? "";
  [proxy, launched] = await Promise.all([startLossyProxy(url), launch()]);
});

afterAll(async () => {
  await launched?.close();
  await proxy?.close();
  server?.process.kill("SIGTERM");
  await server?.ended;
  place.remove();
});

// biome-ignore lint/suspicious/noExplicitAny: tests look into responses of many shapes
const get = async (path: string): Promise<any> => (await call(url, key, "GET", path)).body;

const totalOf = async (path: string): Promise<number> => (await get(path)).total;

interface Happened {
  readonly type: string;
  readonly attachments?: ReadonlyArray<unknown>;
}

/** The events of a type that a settlement has. */
const eventsOf = async (id: string, type: string): Promise<ReadonlyArray<Happened>> =>
  (await get(`settlements?ids=${id}`)).settlements[0].events
    .map(({ event }: { readonly event: Happened }) => event)
    .filter((event: Happened) => event.type === type);

const countOf = async (id: string, type: string): Promise<number> => (await eventsOf(id, type)).length;

/** The files of these events; each has one. */
const filesOf = async (id: string, type: string): Promise<number> =>
  (await eventsOf(id, type)).flatMap(({ attachments = [] }) => attachments).length;

/** A form that is filled in when the server dies. */
interface Form {
  readonly name: string;
  readonly at?: "portal";
  readonly route: string;
  /** The words of the button that opens it; its own button has the same, unless stated. */
  readonly opens: string;
  readonly sends?: string;
  /** What is typed, by selector. */
  readonly typed: Readonly<Record<string, string>>;
  /** What else is chosen. */
  readonly choose?: (page: Page) => Promise<unknown>;
  /** True if the server has stored it when its answer is lost; else the server is gone before. */
  readonly isStored: boolean;
  /** True if a file is sent before it: then only the answer to the file is lost. */
  readonly hasFile?: true;
  /** True if its answer has a secret, which is shown once. */
  readonly hasSecret?: true;
  /** How often it was done. */
  readonly count: () => Promise<number>;
}

const PDF = { name: "proof.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.7 proof") };

const attachProof = (page: Page): Promise<void> => page.setInputFiles("dialog input[name=files]", PDF);

interface Opened {
  readonly form: Form;
  readonly page: Page;
  /** How often it had been done before. */
  readonly before: number;
}

const open = async (form: Form, page: Page): Promise<Opened> => {
  const before = await form.count();
  await page.goto(`${proxy.url}/${form.at ?? "console"}/#/${form.route}`);
  await page.waitForSelector(".who");
  await settled(page);
  await openForm(page, form.opens);
  for (const [selector, text] of Object.entries(form.typed)) await page.fill(`dialog ${selector}`, text);
  await form.choose?.(page);
  return { form, page, before };
};

const UNKNOWN = "dialog [role=alert]:has-text('It is not known whether this was done')";

const send = async ({ form, page }: Opened): Promise<void> => {
  await page.click(`dialog button:text-is("${form.sends ?? form.opens}")`);
  await page.waitForSelector(UNKNOWN);
};

/** What is typed in the form, which may be hidden. */
const typedIn = async ({ form, page }: Opened): Promise<Readonly<Record<string, string>>> =>
  Object.fromEntries(
    await Promise.all(
      Object.keys(form.typed).map(
        async (selector) => [selector, await page.inputValue(`dialog ${selector}`)] as const,
      ),
    ),
  );

/** Asks again until the server has answered; returns what the dialog says then. */
const askUntilKnown = async ({ page }: Opened): Promise<string> => {
  while (await page.locator(UNKNOWN).isVisible()) {
    const again = page.locator("dialog button:text-is('Ask again')");
    if (await again.isVisible()) await again.click({ timeout: 1_000 }).catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return page.locator("dialog").innerText();
};

/** Opens the form of an action on the page that is shown. */
const openForm = async (page: Page, words: string): Promise<void> => {
  await page.locator(`main button:text-is("${words}")`).first().click();
  await page.waitForSelector("dialog form");
};

describe("a server that is killed while forms are sent", () => {
  let forms: ReadonlyArray<Form>;
  let context: BrowserContext;
  let portal: BrowserContext;

  const signedIn = async (credential: string): Promise<BrowserContext> => {
    const found = await launched.browser.newContext({ locale: "en-GB" });
    await found.addInitScript(`sessionStorage.setItem("quittance.key", ${JSON.stringify(credential)})`);
    return found;
  };

  beforeAll(async () => {
    const idsOf = async (path: string, name: string): Promise<ReadonlyArray<string>> =>
      (await get(path))[name].map(({ id }: { readonly id: string }) => id);
    const [partner] = await idsOf("partners?name=Bergpfad", "partners");
    const ready = await idsOf("settlements?statuses=awaiting_payment&tax_review=false", "settlements");
    const [toPay, toWriteOff, toComment, toDispute] = ready;
    const [draft] = await idsOf("settlements?statuses=draft", "settlements");
    const invoiced = (await get("settlements?statuses=awaiting_invoice&order=desc&per_page=1"))
      .settlements[0];
    const sales = await idsOf(
      "attributions?statuses=confirmed&roles=seller&order=desc&per_page=3",
      "attributions",
    );
    const cancelled = async (id: string | undefined): Promise<number> =>
      (await get(`attributions?ids=${id}`)).attributions[0].view.status === "confirmed" ? 0 : 1;
    context = await signedIn(key);
    portal = await signedIn(await createPortalKey({ url, key }, invoiced.partner_id));
    forms = [
      {
        name: "a new partner",
        route: "partners",
        opens: "Add a partner",
        sends: "Add the partner",
        typed: { "[name=name]": "Interrupted", "[name=notes]": "typed once" },
        isStored: true,
        count: () => totalOf("partners?name=Interrupted"),
      },
      {
        name: "a sale",
        route: "sales",
        opens: "Record a sale",
        sends: "Record the sale",
        typed: { "input[maxlength='255']": "INT-1", "label:has-text('order value') input": "120" },
        choose: (page) => page.locator("dialog fieldset input[type=radio]").first().check(),
        isStored: true,
        count: () => totalOf("attributions?external_references=INT-1"),
      },
      {
        name: "a cancelled sale",
        route: `sales/${sales[0]}`,
        opens: "Cancel this sale",
        typed: { "[name=reason]": "returned" },
        isStored: false,
        count: () => cancelled(sales[0]),
      },
      {
        name: "an approval",
        route: `settlements/${draft}`,
        opens: "Approve",
        typed: {},
        isStored: false,
        count: () => countOf(draft ?? "", "approve_settlement"),
      },
      {
        name: "a payment",
        route: `settlements/${toPay}`,
        opens: "Confirm payment",
        typed: { "[name=bankReference]": "INT-2" },
        isStored: true,
        count: () => countOf(toPay ?? "", "mark_as_paid"),
      },
      {
        name: "a write-off",
        route: `settlements/${toWriteOff}`,
        opens: "Write off",
        typed: { "[name=reason]": "below our costs" },
        isStored: false,
        count: () => countOf(toWriteOff ?? "", "write_off_settlement"),
      },
      {
        name: "a comment with a file",
        route: `settlements/${toComment}`,
        opens: "Comment",
        sends: "Send the comment",
        typed: { "[name=text]": "here is the proof" },
        choose: attachProof,
        isStored: true,
        hasFile: true,
        count: () => filesOf(toComment ?? "", "comment_settlement"),
      },
      {
        name: "a dispute with a file",
        route: `settlements/${toDispute}`,
        opens: "Dispute",
        sends: "Raise the dispute",
        typed: { "[name=reason]": "one order is missing" },
        choose: attachProof,
        isStored: false,
        count: () => filesOf(toDispute ?? "", "dispute_settlement"),
      },
      {
        name: "a draft",
        route: `partners/${partner}`,
        opens: "Draft a settlement",
        sends: "Create the draft",
        typed: {},
        isStored: true,
        count: () => totalOf(`settlements?partner_ids=${partner}&per_page=1`),
      },
      {
        name: "an endpoint",
        route: "webhooks",
        opens: "Add an endpoint",
        typed: { "[name=url]": "http://127.0.0.1:9/interrupted" },
        isStored: true,
        hasSecret: true,
        count: () => totalOf("webhook-endpoints?per_page=1"),
      },
      {
        name: "a key",
        route: "keys",
        opens: "Create a key",
        sends: "Create the key",
        typed: { "[name=name]": "interrupted" },
        isStored: true,
        hasSecret: true,
        count: () => totalOf("api-keys?per_page=1"),
      },
      {
        name: "an account",
        at: "portal",
        route: "account",
        opens: "Propose an account",
        typed: { "[name=iban]": "DK50 0040 0440 1162 43", "[name=holder]": "Bo Busch" },
        isStored: false,
        count: async () =>
          (await get(`partners/${invoiced.partner_id}/payout-accounts`)).payout_accounts.length,
      },
      {
        name: "an invoice",
        at: "portal",
        route: `settlements/${invoiced.id}`,
        opens: "Upload your invoice",
        typed: { "[name=number]": "INT-3" },
        choose: (page) => page.setInputFiles("dialog input[name=file]", PDF),
        isStored: true,
        count: () => countOf(invoiced.id, "link_invoice"),
      },
    ];
  });

  it("loses nothing that is typed, and does nothing twice", async () => {
    const opened: Array<Opened> = [];
    for (const form of forms)
      opened.push(await open(form, await (form.at === "portal" ? portal : context).newPage()));
    const importing = await context.newPage();
    await importing.goto(`${proxy.url}/console/#/sales/import`);
    await importing.waitForSelector("input[type=file]");
    await settled(importing);
    proxy.lose("response");
    for (const one of opened.filter(({ form }) => form.isStored)) await send(one);
    await kill();
    const file = {
      name: "sales.csv",
      mimeType: "text/csv",
      buffer: Buffer.from("external_reference,partner,order_value\nINT-9,Bergpfad Magazin,100\n"),
    };
    await importing.setInputFiles("input[type=file]", file);
    await importing.waitForSelector(
      ".problem:has-text('Its rows could not be checked, and nothing is stored.')",
    );
    for (const one of opened.filter(({ form }) => !form.isStored)) await send(one);
    for (const one of opened)
      expect([one.form.name, await typedIn(one)]).toEqual([one.form.name, one.form.typed]);
    proxy.lose(null);
    await start();
    for (const one of opened) {
      const { form, page, before } = one;
      const words = await askUntilKnown(one);
      const said = form.hasSecret
        ? "its answer with the secret was lost"
        : form.isStored && form.hasFile === undefined
          ? "The server had stored it before the answer was lost. Nothing was done twice."
          : "The server had not stored it before. It has now, once.";
      expect([form.name, words]).toEqual([form.name, expect.stringContaining(said)]);
      expect([form.name, words.includes("this was not done")]).toEqual([form.name, false]);
      expect([form.name, (await form.count()) - before]).toEqual([form.name, 1]);
      await page.close();
    }
    await importing.setInputFiles("input[type=file]", file);
    await importing.waitForSelector("button:text-is('Import 1 sale')");
    await importing.close();
  });
});

/** Leaves a form, and says that what is typed may be lost. */
const leaveTwice = async (page: Page): Promise<void> => {
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog button.back:text-is('Discard it')");
  await page.keyboard.press("Escape");
};

const isLeft = (page: Page): Promise<void> =>
  page.waitForSelector("dialog", { state: "detached" }).then(() => {});

describe("a form", () => {
  it("is left at once while nothing is typed, and asks before anything that is typed is lost", async () => {
    const visitor = await arrive(launched.browser, url, "console");
    await signIn(visitor, key);
    const { page } = visitor;
    await visitor.visit("partners");
    await openForm(page, "Add a partner");
    await page.keyboard.press("Escape");
    await isLeft(page);
    for (const leave of [
      () => page.keyboard.press("Escape"),
      () => page.click("dialog button.close"),
      () => page.click("dialog button.back"),
    ]) {
      await openForm(page, "Add a partner");
      await page.keyboard.type("Not lost");
      await leave();
      await page.waitForSelector("dialog [role=alert]:has-text('What you have typed is not sent')");
      expect(await visitor.axe()).toEqual([]);
      await page.keyboard.press("Shift+Tab");
      // Who goes on is asked again.
      await page.fill("dialog [name=notes]", "typed on");
      await page.waitForSelector("dialog [role=alert]", { state: "detached" });
      expect(await page.inputValue("dialog [name=name]")).toBe("Not lost");
      await leave();
      await page.waitForSelector("dialog [role=alert]");
      await leave();
      await isLeft(page);
    }
    await openForm(page, "Add a partner");
    await page.keyboard.type("Not lost");
    await leaveTwice(page);
    await isLeft(page);
    expect(visitor.complaints).toEqual([]);
    await visitor.leave();
  });

  it("asks before the history or a link leaves it, and leaves the history as it was", async () => {
    const visitor = await arrive(launched.browser, url, "console");
    await signIn(visitor, key);
    const { page } = visitor;
    const isAt = (hash: string) => expect.poll(() => new URL(page.url()).hash).toBe(hash);
    const back = () => page.evaluate("history.back()");
    const asks = async (): Promise<void> => {
      await page.waitForSelector("dialog [role=alert]:has-text('What you have typed is not sent')");
      await isAt("#/partners?name=berg");
      expect(await page.inputValue("dialog [name=name]")).toBe("Not lost");
    };
    await visitor.visit("sales");
    await visitor.visit("partners");
    await visitor.visit("partners?name=berg");
    await openForm(page, "Add a partner");
    await back();
    await isLeft(page);
    await isAt("#/partners");
    await visitor.visit("partners?name=berg");
    await openForm(page, "Add a partner");
    await page.keyboard.type("Not lost");
    for (const leave of [
      back,
      () => page.evaluate("history.go(-2)"),
      () => page.evaluate("location.hash = '#/'"),
    ]) {
      await leave();
      await asks();
      // Who goes on is asked again.
      await page.fill("dialog [name=notes]", "typed on");
      await page.waitForSelector("dialog [role=alert]", { state: "detached" });
    }
    await back();
    await asks();
    await back();
    await isLeft(page);
    await isAt("#/partners");
    await back();
    await isAt("#/sales");
    await page.waitForSelector("h1:text-is('Sales')");
    await page.goForward();
    await isAt("#/partners");
    expect(visitor.complaints).toEqual([]);
    await visitor.leave();
  });

  it("asks before the window is closed", async () => {
    const visitor = await arrive(launched.browser, url, "console");
    await signIn(visitor, key);
    const { page } = visitor;
    await visitor.visit("partners");
    await openForm(page, "Add a partner");
    const asked: Array<string> = [];
    page.on("dialog", (dialog) => {
      asked.push(dialog.type());
      void dialog.dismiss();
    });
    await page.keyboard.type("Not lost");
    await page.evaluate("void location.reload()");
    await expect.poll(() => asked).toEqual(["beforeunload"]);
    expect(await page.inputValue("dialog [name=name]")).toBe("Not lost");
    await visitor.leave();
  });
});

describe("a secret that is shown once", () => {
  it("stays in spite of Escape until it is copied, or said to be stored", async () => {
    const visitor = await arrive(launched.browser, url, "console");
    await signIn(visitor, key);
    const { page } = visitor;
    await visitor.visit("keys");
    await openForm(page, "Create a key");
    await page.fill("dialog [name=name]", "shown once");
    await page.click("dialog button:text-is('Create the key')");
    await page.waitForSelector("dialog .secret");
    const secret = await page.locator("dialog .secret").innerText();
    const press = () => page.keyboard.press("Escape");
    for (const leave of [press, press, press, () => page.evaluate("history.back()")]) {
      await leave();
      await page.waitForSelector("dialog [role=alert]:has-text('It is lost when you leave')");
      expect(await page.locator("dialog[open] .secret").innerText()).toBe(secret);
    }
    await page.click("dialog button.close");
    await expect.poll(() => new URL(page.url()).hash).toBe("#/keys");
    expect(await page.locator("dialog .secret").innerText()).toBe(secret);
    expect(await visitor.axe()).toEqual([]);
    await page.click("dialog button:text-is('I have stored it')");
    await isLeft(page);
    expect(visitor.complaints).toEqual([]);
    await visitor.leave();
  });
});

describe("two people with one settlement", () => {
  it("approve it once, and the second one reads what has happened meanwhile", async () => {
    const { partners } = await get("partners?billing_mode=self_billing&per_page=100");
    const billed = new Set(partners.map((partner: { readonly id: string }) => partner.id));
    const { settlements } = await get("settlements?statuses=draft&per_page=100");
    const { id } = settlements.find(
      (draft: { readonly partner_id: string; readonly view: { readonly total: number } }) =>
        billed.has(draft.partner_id) && draft.view.total > 0,
    );
    const { body } = await call(url, key, "POST", "api-keys", { name: "Otto" });
    const [one, two] = [
      await arrive(launched.browser, url, "console"),
      await arrive(launched.browser, url, "console"),
    ];
    await signIn(one, key);
    await signIn(two, body.key);
    for (const { page, visit } of [one, two]) {
      await visit(`settlements/${id}`);
      await openForm(page, "Approve");
    }
    await Promise.all([one, two].map(({ page }) => page.click("dialog button:text-is('Approve')")));
    const outcomes = await Promise.all(
      [one, two].map(async ({ page }) => {
        await page.waitForSelector("dialog [role=alert], body:not(:has(dialog)) main");
        const refused = page.locator("dialog [role=alert]");
        return (await refused.count()) === 0 ? "" : refused.innerText();
      }),
    );
    expect(outcomes.filter((words) => words === "")).toHaveLength(1);
    expect(outcomes.join("")).toContain("The present state does not allow this");
    expect(await countOf(id, "approve_settlement")).toBe(1);
    // Whoever was late sees the settlement as it is now.
    for (const { page } of [one, two]) {
      if ((await page.locator("dialog").count()) > 0) await page.keyboard.press("Escape");
      await page.waitForSelector("main .badge:has-text('Ready to pay')");
    }
    for (const { page } of [one, two]) await openForm(page, "Confirm payment");
    await one.page.fill("dialog [name=bankReference]", "from one");
    await two.page.fill("dialog [name=bankReference]", "from two");
    await one.page.click("dialog button:text-is('Confirm payment')");
    await isLeft(one.page);
    await two.page.click("dialog button:text-is('Confirm payment')");
    await two.page.waitForSelector("dialog [role=alert]:has-text('The present state does not allow this')");
    expect(await two.page.inputValue("dialog [name=bankReference]")).toBe("from two");
    await leaveTwice(two.page);
    await isLeft(two.page);
    await two.page.waitForSelector("main .facts:has-text('from one')");
    expect(await countOf(id, "mark_as_paid")).toBe(1);
    await one.leave();
    await two.leave();
  });
});
