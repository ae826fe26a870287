/** People who sign in at a real identity provider, in a real browser: tabs, restarts, sessions that end, signing out. */
import { createServer } from "node:http";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, call, folder, listening, type Run, run } from "../server/running.ts";
import { CUSTOMER, environmentOf } from "../server/signIn/Console.ts";
import { type IdentityProvider, listenAnywhere, startProvider } from "../server/signIn/IdentityProvider.ts";
import { type Launched, launch } from "./Browser.ts";
import { arrive, settled, until, type Visitor } from "./Visitor.ts";

const ADMIN = "an admin token of the tests 0123456789".replaceAll(" ", "-");
const WORKSPACE = "6f1c2d4e-0000-4000-8000-0000000000a1";

let started: Run;
let launched: Launched;
let provider: IdentityProvider;
let url: string;
let adminKey: string;
const place = folder();

beforeAll(async () => {
  const free = createServer();
  const port = await listenAnywhere(free);
  await new Promise((resolve) => free.close(resolve));
  url = `http://localhost:${port}`;
  provider = await startProvider(url);
  provider.people.set("otto", { name: "Otto Operator", roles: ["operator"] });
  provider.people.set("ada", { name: "Ada Admin", roles: ["admin"] });
  provider.people.set("guest", { name: "A Guest", roles: ["guest"] });
  started = run(place.path, ["serve"], {
    ...environmentOf(url, provider.issuer),
    HOST: "localhost",
    PORT: String(port),
    DATABASE_URL: "memory:",
    LOG_LEVEL: "warn",
    QUITTANCE_ADMIN_TOKEN: ADMIN,
  });
  [launched] = await Promise.all([launch(), listening(started)]);
  const scopes = ["keys:admin", "partners:read", "partners:write", "settlements:read", "commissions:read"];
  adminKey = String((await ask(url, ADMIN, "POST", "api-keys", { customer_id: CUSTOMER, scopes })).key);
  await ask(url, adminKey, "POST", "partners", { name: "Nordlys", workspace_id: WORKSPACE });
});

afterAll(async () => {
  await launched?.close();
  started.process.kill("SIGTERM");
  await started.ended;
  await provider.stop();
  place.remove();
});

const AT_PROVIDER = "text=Sign in with your team's account";

/** Fills in the forms of the provider, and waits for the console. */
const throughProvider = async (page: Page, sub: string): Promise<void> => {
  await page.fill("input[name=login]", sub);
  await page.fill("input[name=password]", "any");
  await page.click("button[type=submit]");
  await page.waitForSelector("text=Authorize");
  await page.click("button[type=submit]");
  await page.waitForURL((at) => at.href.startsWith(`${url}/console/`));
};

const signInAs = async (visitor: Visitor, sub: string): Promise<void> => {
  await visitor.page.click(AT_PROVIDER);
  await throughProvider(visitor.page, sub);
  await visitor.page.waitForSelector(".who");
  await settled(visitor.page);
};

const who = (page: Page): Promise<string> => page.locator(".who span").innerText();

const tabOf = async (context: BrowserContext, route: string): Promise<Page> => {
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(`${url}/console/#/${route}`);
  return page;
};

const isSignedOut = (page: Page): Promise<unknown> => page.waitForSelector(AT_PROVIDER);

/** Revokes every session of a person, as an administrator does. */
const endSessionsOf = async (name: string): Promise<void> => {
  const { body } = await call(url, adminKey, "GET", "api-keys?uses=session&per_page=100");
  for (const key of body.api_keys)
    if (key.name === name) await call(url, adminKey, "DELETE", `api-keys/${key.id}`);
};

describe("a person", () => {
  it("signs in at the provider and comes back to the same page, with name and rights", async () => {
    const visitor = await arrive(launched.browser, url, "console");
    const { page } = visitor;
    await page.goto(`${url}/console/#/partners?name=Nord`);
    await isSignedOut(page);
    expect(await visitor.axe()).toEqual([]);
    await signInAs(visitor, "otto");
    visitor.complaints.length = 0;
    expect(page.url()).toBe(`${url}/console/#/partners?name=Nord`);
    expect(await who(page)).toBe("Otto Operator");
    expect(await page.locator("main").innerText()).toContain("Nordlys");
    expect(await page.locator("nav a[href='#/keys']").count()).toBe(0);
    expect(
      await page.evaluate("document.cookie + JSON.stringify({ ...sessionStorage, ...localStorage })"),
    ).not.toContain("qk_");
    expect(await visitor.axe()).toEqual([]);
    expect(visitor.complaints).toEqual([]);
    await visitor.leave();
  });

  it("is signed in in every tab and after a restart of the browser, until signing out in one", async () => {
    const visitor = await arrive(launched.browser, url, "console");
    await signInAs(visitor, "otto");
    const context = visitor.page.context();
    const second = await tabOf(context, "partners");
    await second.waitForSelector(".who");
    expect(await who(second)).toBe("Otto Operator");
    // What is left of a browser that was closed: cookies that outlive it.
    const restarted = await launched.browser.newContext({ storageState: await context.storageState() });
    const later = await tabOf(restarted, "partners");
    await later.waitForSelector(".who");
    await second.click("text=Sign out");
    await Promise.all([isSignedOut(second), isSignedOut(visitor.page)]);
    await later.reload();
    await isSignedOut(later);
    await restarted.close();
    await visitor.leave();
  });

  it("whose session ends in a form signs in again in another tab, and loses nothing", async () => {
    const visitor = await arrive(launched.browser, url, "console");
    const { page } = visitor;
    await signInAs(visitor, "otto");
    await visitor.visit("partners");
    await page.click("main button:text-matches('^Add a partner|^New partner|^Add')");
    await page.fill("dialog input[name=name]", "Typed before the end");
    await endSessionsOf("Otto Operator");
    const send = page.locator("dialog button.primary");
    await send.click();
    await page.waitForSelector("dialog >> text=Your session has ended");
    expect(await visitor.axe()).toEqual([]);
    const [tab] = await Promise.all([
      page.context().waitForEvent("page"),
      page.click("dialog a:text-is('Sign in again')"),
    ]);
    // The provider still knows the person.
    await tab.waitForSelector(".who");
    expect(tab.url()).toBe(`${url}/console/#/partners`);
    expect(await page.inputValue("dialog input[name=name]")).toBe("Typed before the end");
    await page.locator("dialog button.primary").click();
    await page.waitForSelector("dialog", { state: "detached" });
    const { body } = await call(url, adminKey, "GET", "partners?name=Typed");
    expect(body.total).toBe(1);
    await visitor.leave();
  });

  it("whose session ends on a page sees it again after signing in in another tab", async () => {
    const visitor = await arrive(launched.browser, url, "console");
    const { page } = visitor;
    await signInAs(visitor, "otto");
    await endSessionsOf("Otto Operator");
    await page.goto(`${url}/console/#/partners`);
    await page.waitForSelector("text=Your session has ended");
    await Promise.all([
      page.context().waitForEvent("page"),
      page.locator("a:text-is('Sign in again')").first().click(),
    ]);
    await until(page, "document.body.innerText.includes('Nordlys')");
    await visitor.leave();
  });

  it("without a role sees why nobody is signed in, and keeps the place", async () => {
    const visitor = await arrive(launched.browser, url, "console");
    const { page } = visitor;
    await page.goto(`${url}/console/#/settlements`);
    await isSignedOut(page);
    await page.click(AT_PROVIDER);
    await throughProvider(page, "guest");
    await page.waitForSelector("text=You have no role here");
    expect(page.url()).toBe(`${url}/console/#/settlements`);
    await visitor.leave();
  });

  it("may still use a key", async () => {
    const visitor = await arrive(launched.browser, url, "console");
    const { page } = visitor;
    await isSignedOut(page);
    await page.fill("input[name=key]", "qk_wrong_key");
    await page.click("button[type=submit]");
    await page.waitForSelector("text=This key is not accepted");
    await page.fill("input[name=key]", adminKey);
    await page.click("button[type=submit]");
    await page.waitForSelector(".who");
    expect(await who(page)).toContain("key");
    await visitor.leave();
  });
});

describe("an administrator", () => {
  it("sees sessions apart from the keys of programs, and ends one", async () => {
    const other = await arrive(launched.browser, url, "console");
    await signInAs(other, "otto");
    const visitor = await arrive(launched.browser, url, "console");
    const { page } = visitor;
    await signInAs(visitor, "ada");
    await visitor.visit("keys");
    expect(await page.locator("main").innerText()).not.toContain("Otto Operator");
    await page.click("button:text-is('Sessions')");
    await settled(page);
    expect(page.url()).toBe(`${url}/console/#/keys?uses=session`);
    expect(await visitor.axe()).toEqual([]);
    const row = page.locator("tr", { hasText: "Otto Operator" }).filter({ hasText: "Valid" }).first();
    await row.locator("button", { hasText: "Revoke" }).click();
    await page.click("dialog button:text-is('Revoke the session')");
    await page.waitForSelector("dialog", { state: "detached" });
    await other.page.reload();
    await isSignedOut(other.page);
    await other.leave();
    await visitor.leave();
  });
});
