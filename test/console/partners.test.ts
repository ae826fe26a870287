/** Partners in a real browser: the list with its money, adding and changing one with checks as one types, and importing a file. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask } from "../server/running.ts";
import { type Launched, launch } from "./Browser.ts";
import { expectClicks } from "./Budgets.ts";
import { type Demo, startDemo } from "./Demo.ts";
import { handsOn } from "./Hands.ts";
import { walkByTab } from "./Keyboard.ts";
import { arrive, settled, signIn, unlessCard, type Visitor } from "./Visitor.ts";
import { companyOf } from "./walk/Walk.ts";

let demo: Demo;
let launched: Launched;
let visitor: Visitor;

beforeAll(async () => {
  [demo, launched] = await Promise.all([
    startDemo("memory:", { QUITTANCE_PUBLIC_URL: "http://localhost:3000" }),
    launch(),
  ]);
  visitor = await arrive(launched.browser, demo.url, "console");
  await signIn(visitor, demo.key);
  // The browser logs that it has no session.
  visitor.complaints.length = 0;
});

afterAll(async () => {
  await launched?.close();
  await demo?.stop();
});

const problemAt = (name: string): Promise<string> =>
  visitor.page.locator(`.field:has([name=${name}]) .problem`).innerText();

/** Clicks and counts. */
const clicker = () => {
  let count = 0;
  return {
    click: async (selector: string): Promise<void> => {
      await visitor.page.click(selector);
      count += 1;
    },
    count: () => count,
  };
};

const partnerNamed = async (name: string) =>
  (await demo.get(`partners?name=${encodeURIComponent(name)}`)).partners[0];

const LEGAL = {
  legalName: "Fjord & Søn ApS",
  street: "Havnegade 1",
  postalCode: "1058",
  city: "København",
  vatNumber: "DK12345678",
  rate: "25",
  iban: "DK5000400440116243",
  bic: "NDEADKKK",
};

describe("a partner", () => {
  it("is added with checks as one types, assigned to a plan and given the portal, in at most 12 clicks", async () => {
    const { page } = visitor;
    const hand = clicker();
    // A check of the half-filled form, which a slow machine sends, is refused.
    let refusedChecks = 0;
    page.on("response", (response) => {
      const isCheck = response.request().postData()?.includes('"dry_run":true') === true;
      if (response.status() === 400 && isCheck) refusedChecks += 1;
    });
    await visitor.visit("");
    await hand.click('nav a:text-is("Partners")');
    await hand.click('button:text-is("Add a partner")');
    await page.waitForSelector("dialog");
    await page.fill("[name=name]", "Fjord");
    await page.fill("[name=notes]", "Met in Aarhus");
    await hand.click("[name=billingMode][value=self_billing]");
    for (const [name, value] of Object.entries({ ...LEGAL, iban: "DK5000400440116244", vatNumber: "12345" }))
      await page.fill(`[name=${name}]`, value);
    await page.selectOption("[name=country]", "DK");
    await page.waitForSelector(".field:has([name=iban]) .problem");
    expect(await problemAt("iban")).toBe("The IBAN is not valid: its form or its check digits are wrong.");
    expect(await problemAt("vatNumber")).toBe(
      "Must begin with a country code, such as DK12345678, unless it is a national tax number.",
    );
    expect(await visitor.axe()).toEqual([]);
    await page.fill("[name=vatNumber]", LEGAL.vatNumber);
    await page.fill("[name=iban]", LEGAL.iban);
    await page.fill("[name=bic]", "DNBANOKK");
    await page.waitForSelector(".field:has([name=bic]) .problem");
    expect(await problemAt("bic")).toBe("The BIC belongs to NO, the IBAN to DK.");
    await page.fill("[name=bic]", LEGAL.bic);
    await page.waitForSelector("dialog .problem", { state: "detached" });
    await hand.click('dialog button:text-is("Add the partner")');
    await page.waitForSelector('h1:has-text("Fjord")');
    await settled(page);
    const fjord = await partnerNamed("Fjord");
    expect(fjord).toMatchObject({
      billing_mode: "self_billing",
      payout_problem: null,
      notes: "Met in Aarhus",
      self_billing_data: {
        legal_name: LEGAL.legalName,
        address: { country: "DK", postal_code: "1058" },
        bank_account: { iban: LEGAL.iban, bic: LEGAL.bic, beneficiary_name: LEGAL.legalName },
        tax_config: { treatment: "standard", label: "VAT", rate_bps: 2_500 },
      },
    });
    const [plan] = (await demo.get("commission-plans?name=Affiliates")).commission_plans;
    await hand.click(".field:has-text('Assign a plan') select");
    await page.selectOption(".field:has-text('Assign a plan') select", plan.id);
    await page.waitForSelector("dialog h3");
    await page.waitForSelector('dialog button:text-is("Assign 1 partner")');
    expect(await visitor.axe()).toEqual([]);
    await hand.click('dialog button:text-is("Assign 1 partner")');
    await page.waitForSelector("dialog", { state: "detached" });
    await settled(page);
    expect((await demo.get(`commission-formulas?partner_ids=${fjord.id}`)).commission_formulas).toHaveLength(
      1,
    );
    await hand.click('button:text-is("Invite to portal")');
    await hand.click('dialog button:text-is("Invite to portal")');
    await page.waitForSelector("dialog .secret");
    const link = await page.locator("dialog .secret").innerText();
    expect(await visitor.axe()).toEqual([]);
    await hand.click('dialog button:text-is("I have stored it")');
    expectClicks("onboard a partner", hand.count());
    const portal = await arrive(launched.browser, demo.url, "portal");
    await portal.page.goto(link.replace("http://localhost:3000", demo.url));
    await portal.page.waitForSelector("text=Open my portal");
    expect(await portal.page.locator("main").innerText()).toContain("Fjord");
    await portal.leave();
    // The browser logs each refusal.
    expect(visitor.complaints.splice(0)).toEqual(
      Array.from({ length: refusedChecks }, () => expect.stringContaining("status of 400")),
    );
  });

  it("is changed, keeps what is typed when the server refuses it, and says why at the field", async () => {
    const { page } = visitor;
    const [other] = (await demo.get("partners?per_page=1")).partners;
    await ask(demo.url, demo.key, "PATCH", `partners/${other.id}`, { external_reference: "taken" });
    await visitor.visit(`partners/${(await partnerNamed("Fjord")).id}`);
    await page.click('main button:text-is("Change")');
    await page.fill("[name=tags]", "gold\nnorth");
    await page.fill("[name=reference]", "taken");
    await page.click('dialog button:text-is("Save the changes")');
    await page.waitForSelector("dialog .notice.stop");
    expect(await page.locator("dialog .notice.stop").innerText()).toContain(
      "Another partner of the workspace has this reference",
    );
    expect(await page.inputValue("[name=tags]")).toBe("gold\nnorth");
    expect(await page.inputValue("[name=iban]")).toBe(LEGAL.iban);
    await page.fill("[name=reference]", "F-1");
    await page.click('dialog button:text-is("Save the changes")');
    await page.waitForSelector("dialog", { state: "detached" });
    expect(await partnerNamed("Fjord")).toMatchObject({ external_reference: "F-1", tags: ["gold", "north"] });
    // The browser itself logs the refused command.
    expect(visitor.complaints.splice(0)).toEqual([expect.stringContaining("409")]);
  });

  it("is added by keyboard alone, on a phone", async () => {
    const phone = await arrive(launched.browser, demo.url, "console", { width: 390, scheme: "dark" });
    await signIn(phone, demo.key);
    const hands = handsOn(phone.page);
    await phone.visit("partners");
    await hands.use("Add a partner");
    await hands.isOn("[name=name]");
    await hands.type("Solvej");
    expect(await walkByTab(phone.page)).toEqual([]);
    await hands.confirm();
    await hands.see("Solvej", "h1");
    await phone.leave();
  });
});

describe("the list of partners", () => {
  it("reads the money of all partners of a page in two requests", async () => {
    const asked: Array<string> = [];
    const note = (request: { readonly url: () => string }): void => {
      if (request.url().includes("/balance")) asked.push(new URL(request.url()).pathname);
    };
    visitor.page.on("request", note);
    await visitor.visit("partners");
    await visitor.page.waitForSelector("td.number:text-is('…')", { state: "detached" });
    visitor.page.off("request", note);
    expect(await visitor.page.locator("main tbody tr").count()).toBeGreaterThan(10);
    expect(asked).toEqual(["/api/v1/partners/balances", "/api/v1/partners/balances"]);
  });

  it("finds a partner by name, tag and reference, and shows what each is owed", async () => {
    const { page } = visitor;
    for (const query of ["name=Fjord", "tags=gold", "externalReferences=F-1"]) {
      await visitor.visit(`partners?${query}`);
      expect(await page.locator("tbody tr").allInnerTexts()).toEqual([expect.stringContaining("Fjord")]);
    }
    expect(await visitor.axe()).toEqual([]);
    expect(await walkByTab(page)).toEqual([]);
  });
});

const FILE = `Name;Reference;E-mail;Tags;Legal name;Street;City;Postcode;Country;VAT ID;IBAN;BIC;Tax rate
Nordlys ApS;N-1;a@nordlys.example;gold|north;Nordlys ApS;Havnegade 1;København;1058;DK;DK12345678;DK5000400440116243;NDEADKKK;25,5
"Otso; Oy";N-2;;;;;;;;;;;
Wrong;N-3;;;Wrong Ltd;Street 1;City;1000;XX;DK1;DK50;NDEA;25
Doubtful;N-4;;;Doubtful Ltd;Street 1;City;1000;DK;DK12345678;DK5000400440116244;NDEADKKK;25
Twice;N-2;;;;;;;;;;;
`;

const SHOPS = Array.from({ length: 197 }, (_, index) => [`Shop ${index + 1}`, `S-${index + 1}`] as const);

/** A file of which 200 rows can be stored, and two are wrong. */
const TWO_HUNDRED = [
  FILE.trimEnd(),
  ...SHOPS.map(([name, reference]) => `${name};${reference};;;;;;;;;;;`),
].join("\n");

/** How often the rows were drawn, and in which time. */
interface Drawings {
  readonly drawings: number;
  readonly milliseconds: number;
}

/** Counts how often the rows of the page are drawn from now on. */
const WATCH_DRAWINGS = `{
  const begun = performance.now();
  let drawings = 0;
  new MutationObserver(() => drawings++).observe(document.querySelector("main tbody"), { childList: true, subtree: true });
  window.drawn = () => ({ drawings, milliseconds: performance.now() - begun });
}`;

describe("a file of partners", () => {
  const rows = async (): Promise<ReadonlyArray<string>> =>
    (await visitor.page.locator("main tbody tr").allInnerTexts()).map((row) =>
      row.replace(/\s+/g, " ").trim(),
    );

  const drop = (text: string | Buffer): Promise<void> =>
    visitor.page.setInputFiles("input[type=file]", {
      name: "partners.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(text),
    });

  it("is checked line by line, imported in at most 6 clicks, and stores nothing twice", async () => {
    const { page } = visitor;
    const hand = clicker();
    const before = (await demo.get("partners?per_page=1")).total;
    await visitor.visit("");
    await hand.click('nav a:text-is("Partners")');
    await hand.click('a:text-is("Import")');
    await page.waitForSelector("input[type=file]:not([disabled])");
    await hand.click("summary");
    await drop(TWO_HUNDRED);
    await page.waitForSelector('button:text-is("Import 200 partners")');
    const shown = await rows();
    // Those that need attention come first.
    expect(shown).toHaveLength(200);
    expect(shown.slice(0, 6)).toEqual([
      `${unlessCard("4")}Wrong country: must be an ISO 3166-1 alpha-2 country code, such as DK. ${unlessCard("N-3")}Not possible`,
      `${unlessCard("6")}Line 6 external_reference: is that of line 3 Not possible`,
      expect.stringMatching(
        `^${unlessCard("5")}Doubtful The IBAN is not valid: .*\\. ${unlessCard("N-4")}Can be stored$`,
      ),
      `${unlessCard("2")}Nordlys ApS ${unlessCard("N-1")}New`,
      `${unlessCard("3")}Otso; Oy ${unlessCard("N-2")}New`,
      `${unlessCard("7")}Shop 1 ${unlessCard("S-1")}New`,
    ]);
    expect((await demo.get("partners?per_page=1")).total).toBe(before);
    expect(await visitor.axe()).toEqual([]);
    expect(await walkByTab(page)).toEqual([]);
    await page.evaluate(WATCH_DRAWINGS);
    await hand.click('button:text-is("Import 200 partners")');
    await page.waitForSelector('a:text-is("To the partners")');
    const { drawings, milliseconds } = await page.evaluate<Drawings>("window.drawn()");
    expect(drawings).toBeGreaterThan(0);
    expect(drawings).toBeLessThanOrEqual(milliseconds / 500 + 2);
    expect(await page.locator(".sentence").innerText()).toBe(
      "200 partners imported. 2 rows are wrong and left out.",
    );
    expectClicks("import 200 partners", hand.count());
    expect((await demo.get("partners?per_page=1")).total).toBe(before + 200);
    const { api } = companyOf(demo.url, demo.key);
    const references = (await api.all("partners", "partners")).map((one) => one.external_reference);
    expect(references).toEqual(expect.arrayContaining(["N-1", "N-2", "N-4", ...SHOPS.map(([, own]) => own)]));
    expect((await demo.get("partners?external_references=N-1")).partners[0]).toMatchObject({
      name: "Nordlys ApS",
      tags: ["gold", "north"],
      self_billing_data: { tax_config: { rate_bps: 2_550 }, payment_terms_days: 30 },
    });
    await drop(FILE);
    await page.waitForSelector(".sentence:has-text('3 rows are there already')");
    expect(await page.locator('button:has-text("Import ")').count()).toBe(0);
    expect((await demo.get("partners?per_page=1")).total).toBe(before + 200);
    // The browser logs each refused row.
    visitor.complaints.splice(0);
  });

  it("that is no CSV file, or lacks a column, is refused in words", async () => {
    const { page } = visitor;
    await visitor.visit("partners/import");
    await page.waitForSelector("input[type=file]:not([disabled])");
    for (const [text, words] of [
      ["name\nNordlys\n", "The file has no column external_reference."],
      ["", "The file is empty: a CSV file begins with a line of column names."],
      [Buffer.from([0x6e, 0xff, 0xfe]), "The file is not UTF-8 text: save it as CSV UTF-8."],
    ] as const) {
      await drop(text);
      await page.waitForSelector(`.problem:has-text(${JSON.stringify(words)})`);
    }
    expect(await visitor.axe()).toEqual([]);
  });
});
