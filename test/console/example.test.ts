/** From an empty installation into the example company and back, in a real browser: the real records stay what they were. */
import { mkdirSync, readdirSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, call, developmentKey, folder, listening, type Run, run } from "../server/running.ts";
import { type Launched, launch } from "./Browser.ts";
import { walkByTab } from "./Keyboard.ts";
import { arrive, settled, signIn, type Visitor } from "./Visitor.ts";

let started: Run;
let launched: Launched;
let visitor: Visitor;
let url: string;
let key: string;
const place = folder();
const temporary = join(place.path, "temporary");

beforeAll(async () => {
  mkdirSync(temporary);
  started = run(place.path, ["serve", "--port", "0"], { LOG_LEVEL: "warn", TMPDIR: temporary });
  [launched, url] = await Promise.all([launch(), listening(started)]);
  key = developmentKey(place.path);
  visitor = await arrive(launched.browser, url, "console");
  await signIn(visitor, key);
});

afterAll(async () => {
  await launched?.close();
  started.process.kill("SIGTERM");
  await started.ended;
  place.remove();
});

/** Everything that a real record, its history or its metrics could have been written to. */
const snapshot = async (): Promise<unknown> => {
  const lists = ["events", "partners", "attributions", "commissions", "settlements", "commission-plans"];
  const more = ["attribution-schemas", "settlement-runs", "webhook-endpoints", "payment-files"];
  const bodies = await Promise.all(
    [...lists, ...more].map(async (path) => [path, await call(url, key, "GET", `${path}?per_page=100`)]),
  );
  const { body: keys } = await call(url, key, "GET", "api-keys");
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return {
    bodies,
    keys: keys.api_keys.map(({ id }: { readonly id: string }) => id),
    metrics: metrics
      .split("\n")
      .filter((line) => /^quittance_(?!http|build)/.test(line))
      .filter((line) => !line.includes("oldest_seconds")),
  };
};

const exampleKey = (): Promise<string | null> =>
  visitor.page.evaluate("sessionStorage.getItem('quittance.key.example')");

const OPEN = 'button:text-is("Open the example company")';

const main = (): Promise<string> => visitor.page.locator("main").innerText();

describe("the example company", () => {
  let before: unknown;

  it("is not there before somebody asks for it", async () => {
    before = await snapshot();
    expect((await call(`${url}/example`, key, "GET", "partners")).body).toMatchObject({
      error_code: "NOT_FOUND",
      message: expect.stringContaining("There is no example company"),
    });
    const page = await fetch(`${url}/example/portal/`, { redirect: "manual" });
    expect([page.status, page.headers.get("location")]).toEqual([302, "../../portal/"]);
    expect((await fetch(`${url}/example/console`)).url).toBe(`${url}/console/`);
    const { page: first } = visitor;
    await first.goto(`${url}/example/console/#/partners`);
    await first.waitForURL(`${url}/console/#/partners`);
    visitor.complaints.length = 0;
  });

  it("is opened with one click, and says on its pages what it is", async () => {
    const { page } = visitor;
    await visitor.visit("");
    await page.waitForSelector(OPEN);
    expect(await visitor.axe()).toEqual([]);
    await page.click(OPEN);
    await page.waitForSelector("progress[max='19']");
    expect(await visitor.axe()).toEqual([]);
    await page.waitForURL(`${url}/example/console/`, { timeout: 600_000 });
    await page.waitForSelector(".cards");
    await settled(page);
    expect(await main()).toContain("nothing here is real, and it is gone when the server stops.");
    expect(await visitor.axe()).toEqual([]);
    expect(await walkByTab(page)).toEqual([]);

    await page.click('nav a:text-is("Runs")');
    await page.click('a:text-is("Settle what is due")');
    await page.waitForSelector("main tbody tr");
    await settled(page);
    expect(await main()).toContain("nothing here is real");
    expect(await visitor.axe()).toEqual([]);
    const { total } = await ask(`${url}/example`, (await exampleKey()) ?? "", "GET", "settlement-runs");
    expect(Number(total)).toBeGreaterThan(0);

    await page.click('nav a:text-is("Payments")');
    // Bank files pay in euro.
    await page
      .locator('section[aria-label="To pay"] tbody tr:has-text("€"):not(:has-text("Problem")) input')
      .first()
      .check();
    await page.click(".chosen-bar button.primary");
    await page.click("dialog button[type=submit]");
    await page.click('dialog button:text-is("Back to the list")');
    await page.click('button:text-is("Create a bank file")');
    await page.click("dialog button[type=submit]");
    await page.click('dialog:has-text("Hand over the file") button:text-is("Go back")');
    await page.waitForSelector('section[aria-label="Bank files"] button:text-is("Download")');
    expect(visitor.complaints).toEqual([]);
  });

  it("has a way back to the empty installation, which is as it was", async () => {
    const { page } = visitor;
    await page.click('a:text-is("Back to your company")');
    await page.waitForURL(`${url}/console/`);
    await page.waitForSelector(".steps");
    await settled(page);
    expect(await page.locator(".notice.example").count()).toBe(0);
    expect(await page.evaluate("sessionStorage.getItem('quittance.key')")).toBe(key);
    expect(await snapshot()).toEqual(before);
  });

  it("is the same one at the second click", async () => {
    const first = (await exampleKey()) ?? "";
    const [workspace] = (await ask(`${url}/example`, first, "GET", "attribution-schemas"))
      .attribution_schemas as ReadonlyArray<{ readonly workspace_id: string }>;
    const partner = { name: "Added in the example", workspace_id: workspace?.workspace_id };
    await ask(`${url}/example`, first, "POST", "partners", partner);
    const { page } = visitor;
    await page.click(OPEN);
    await page.waitForURL(`${url}/example/console/`);
    await page.waitForSelector(".cards");
    expect(await exampleKey()).toBe(first);
    await page.goto(`${url}/example/console/#/partners?name=Added`);
    await page.waitForSelector('main tbody tr:has-text("Added in the example")');
    await page.click('button:text-is("Sign out")');
    await page.waitForSelector('.sign-in :text("opens it again, without a key")');
    expect(await main()).toContain("nothing here is real");
    expect(await visitor.axe()).toEqual([]);
    await page.click('a:text-is("Back to your company")');
    await page.waitForSelector(".steps");
    expect(await snapshot()).toEqual(before);
    expect(visitor.complaints).toEqual([]);
    await page.click(OPEN);
    await page.waitForSelector(".cards");
  });

  it("keeps drafts and keys of the same tab apart", async () => {
    const { page } = visitor;
    const { commission_plans } = await ask(
      `${url}/example`,
      (await exampleKey()) ?? "",
      "GET",
      "commission-plans?per_page=1",
    );
    const [plan] = commission_plans as ReadonlyArray<{ readonly id: string }>;
    const stored = (name: string): Promise<string> =>
      page.evaluate(`sessionStorage.getItem("quittance.builder${name}") ?? ""`);
    await page.goto(`${url}/example/console/#/builder?plan=${plan?.id}`);
    await expect.poll(() => stored(".example")).toContain(plan?.id);
    expect(await stored("")).toBe("");
    await page.goto(`${url}/console/#/builder`);
    await expect.poll(() => stored("")).not.toBe("");
    expect(await stored("")).not.toContain(plan?.id);
  });

  it("has a portal that says the same, one click from a partner's page", async () => {
    const admin = (await exampleKey()) ?? "";
    const { partners } = await ask(`${url}/example`, admin, "GET", "partners?name=Montagne");
    const [partner] = partners as ReadonlyArray<{ readonly id: string; readonly name: string }>;
    const { page } = visitor;
    await page.goto(`${url}/example/console/#/partners/${partner?.id}`);
    const [portal] = await Promise.all([
      page.waitForEvent("popup"),
      page.click('button:text-is("See it as the partner does")'),
    ]);
    await portal.waitForURL(`${url}/example/portal/`);
    await portal.waitForSelector(`main :text("${partner?.name}")`);
    expect(await portal.locator("main").innerText()).toContain("nothing here is real");
    await portal.close();
    expect(await exampleKey()).toBe(admin);
    await page.waitForSelector('section:has(h2:text-is("Portal")) td:has-text("Key of a program")');
    expect(await visitor.axe()).toEqual([]);
    expect(visitor.complaints).toEqual([]);
  });

  it("is apart: neither key is worth anything on the other side, and cookies are not passed on", async () => {
    const there = (await exampleKey()) ?? "";
    expect((await call(url, there, "GET", "partners")).status).toBe(401);
    expect((await call(`${url}/example`, key, "GET", "partners")).status).toBe(401);
    expect((await fetch(`${url}/example`, { headers: { authorization: `Bearer ${there}` } })).status).toBe(
      401,
    );
    for (const path of ["metrics", "healthz", "docs", "openapi.json", "auth/sign-out", "api/v2/partners", ""])
      expect([path, (await fetch(`${url}/example/${path}`)).status]).toEqual([path, 404]);
    const { status } = await fetch(`${url}/example/api/v1/partners`, {
      headers: { cookie: `quittance-session=${there}`, "quittance-session": "1" },
    });
    expect(status).toBe(401);
  });

  it("takes uploads as its own server does, also from a sender that waits", async () => {
    const there = (await exampleKey()) ?? "";
    const form = new FormData();
    form.set("file", new Blob([new Uint8Array(3_000_000)]), "large.pdf");
    const upload = () =>
      fetch(`${url}/example/api/v1/settlements/${crypto.randomUUID()}/documents/report`, {
        method: "POST",
        headers: { authorization: `Bearer ${there}` },
        body: form,
      });
    const early = await upload();
    expect([early.status, early.headers.get("connection")]).toEqual([404, "close"]);
    const waiting = await new Promise<{ readonly status: number; readonly continued: boolean }>(
      (resolve, reject) => {
        let continued = false;
        const sent = request(`${url}/example/api/v1/partners`, {
          method: "POST",
          headers: {
            ...{ authorization: `Bearer ${there}`, "content-type": "application/json" },
            ...{ "content-length": "2", expect: "100-continue" },
          },
        });
        sent.on("continue", () => {
          continued = true;
          sent.end("{}");
        });
        sent.on("response", (response) => {
          response.resume();
          resolve({ status: response.statusCode ?? 0, continued });
        });
        sent.on("error", reject);
        sent.flushHeaders();
      },
    );
    expect(waiting).toEqual({ status: 400, continued: true });
  });

  it("is opened by administrators of the installation alone", async () => {
    const state = (credential: string | null, method = "POST") =>
      fetch(`${url}/example`, {
        method,
        headers: credential === null ? {} : { authorization: `Bearer ${credential}` },
      });
    const made = async (input: object): Promise<string> =>
      String((await ask(url, key, "POST", "api-keys", input)).key);
    const reader = await made({ name: "reader", scopes: ["commissions:read", "settlements:read"] });
    const limited = await made({ scopes: ["keys:admin"], workspace_ids: [crypto.randomUUID()] });
    for (const method of ["GET", "POST"]) {
      expect((await state(null, method)).status).toBe(401);
      expect((await state("qk_of_nobody_0123456789", method)).status).toBe(401);
      for (const credential of [reader, limited]) {
        const refused = await state(credential, method);
        expect([refused.status, (await refused.json()).message]).toEqual([
          403,
          "Opening the example company needs a credential with the scope keys:admin",
        ]);
      }
    }
    const other = await arrive(launched.browser, url, "console");
    await signIn(other, reader);
    await other.visit("");
    await other.page.waitForSelector(".steps");
    expect(await other.page.locator(OPEN).count()).toBe(0);
    await other.leave();
  });

  it("is offered as long as there is no commission", async () => {
    const workspace_id = crypto.randomUUID();
    const properties = [{ name: "value", type: "number", required: true }];
    const schema = await ask(url, key, "POST", "attribution-schemas", {
      workspace_id,
      name: "O",
      properties,
    });
    const partner = await ask(url, key, "POST", "partners", { workspace_id, name: "Nordlys" });
    await ask(url, key, "POST", "commission-formulas", {
      ...{ workspace_id, schema_id: schema.id, partner_id: partner.id, name: "A tenth", currency: "EUR" },
      ...{ start_datetime: "2026-01-01T00:00:00Z", expression_text: "10 % of value * 100" },
    });
    await ask(url, key, "POST", "attributions", {
      ...{ workspace_id, schema_id: schema.id, partner_id: partner.id, properties: { value: 1 } },
    });
    const refused = await fetch(`${url}/example`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}` },
    });
    expect([refused.status, (await refused.json()).message]).toEqual([
      409,
      "There are commissions already; the example company is for an installation without any",
    ]);
    await visitor.visit("");
    await visitor.page.waitForSelector(".cards");
    expect(await visitor.page.locator(OPEN).count()).toBe(0);
  });

  it("ends with the server, which leaves nothing of it", async () => {
    expect(readdirSync(temporary)).toEqual([expect.stringContaining("quittance-example-")]);
    started.process.kill("SIGTERM");
    expect(await started.ended).toBe(0);
    expect(readdirSync(temporary)).toEqual([]);
    expect(started.errors()).toBe("");
  });
});
