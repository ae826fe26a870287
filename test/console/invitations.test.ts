/** Inviting a partner in a real browser: the link in console and mail, its acceptance in the portal, and what ends it. */
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, call, folder } from "../server/running.ts";
import { listenAnywhere } from "../server/signIn/IdentityProvider.ts";
import { type Launched, launch } from "./Browser.ts";
import { createPortalKey, type Demo, startDemo } from "./Demo.ts";
import { handsOn } from "./Hands.ts";
import { arrive, settled, signIn, type View, type Visitor, WIDE } from "./Visitor.ts";

let demo: Demo;
let launched: Launched;
let visitor: Visitor;
let partner: { readonly id: string; readonly name: string };
const place = folder();
const mails = join(place.path, "mails");

beforeAll(async () => {
  mkdirSync(mails);
  const free = createServer();
  const port = await listenAnywhere(free);
  await new Promise((resolve) => free.close(resolve));
  [demo, launched] = await Promise.all([
    startDemo("memory:", {
      HOST: "localhost",
      PORT: String(port),
      QUITTANCE_PUBLIC_URL: `http://localhost:${port}`,
      QUITTANCE_MAIL: `file:${mails}`,
      QUITTANCE_MAIL_FROM: "Payouts <payouts@quittance.example>",
      LOG_LEVEL: "info",
    }),
    launch(),
  ]);
  [partner] = (await demo.get("partners?per_page=1")).partners;
  await ask(demo.url, demo.key, "PATCH", `partners/${partner.id}`, { email: "anna@nordlys.example" });
  visitor = await arrive(launched.browser, demo.url, "console");
  await signIn(visitor, demo.key);
  visitor.complaints.length = 0;
});

afterAll(async () => {
  await launched?.close();
  await demo?.stop();
  place.remove();
});

/** Presses the button, confirms, and returns the link that is shown once. */
const invite = async (button = "Invite to portal"): Promise<string> => {
  const { page } = visitor;
  await visitor.visit(`partners/${partner.id}`);
  await page.reload();
  await settled(page);
  await page.click(`main button:text-is("${button}")`);
  await page.waitForSelector("dialog .consequences");
  expect(await visitor.axe()).toEqual([]);
  await page.click(`dialog button:text-is("${button}")`);
  await page.waitForSelector("dialog .secret");
  return page.locator("dialog .secret").innerText();
};

const states = (): Promise<ReadonlyArray<string>> =>
  visitor.page
    .locator('table:has(caption:text("Who may open the portal")) tbody tr')
    .evaluateAll((rows) => rows.map((row) => (row.querySelector(".badge") as HTMLElement).innerText));

/** Opens a link in a browser of its own. */
const guest = async (link: string, view: View = WIDE): Promise<Visitor> => {
  const opened = await arrive(launched.browser, demo.url, "portal", view);
  await opened.page.goto(link);
  await opened.page.reload();
  await opened.page.waitForSelector(".sign-in section p");
  opened.complaints.length = 0;
  return opened;
};

const words = (page: Page): Promise<string> => page.locator("main").innerText();

describe("a partner", () => {
  it("is invited in two clicks by a link that is shown and mailed, and accepts it", async () => {
    const link = await invite();
    const { page } = visitor;
    expect(link).toMatch(/^http:\/\/localhost:\d+\/portal\/#\/welcome\/qk_[0-9a-f]{16}_[\w-]{43}$/);
    expect(await page.locator("dialog").innerText()).toContain("It was mailed to anna@nordlys.example.");
    expect(await visitor.axe()).toEqual([]);
    const [file] = readdirSync(mails);
    const mail = readFileSync(join(mails, file ?? ""), "utf8")
      .replace(/=\r?\n/g, "")
      .replaceAll("=3D", "=");
    expect(mail).toContain("To: anna@nordlys.example");
    expect(mail).toContain(link);
    await page.click('dialog button:text-is("I have stored it")');
    await settled(page);
    expect(await states()).toEqual(["Sent"]);
    // Opening it twice, as programs that check mails do, uses nothing up.
    await (await guest(link)).leave();
    const anna = await guest(link);
    expect(await words(anna.page)).toContain(partner.name);
    expect(await anna.axe()).toEqual([]);
    await anna.page.click('button:text-is("Open my portal")');
    await anna.page.waitForSelector(".who");
    await settled(anna.page);
    expect(anna.page.url()).toBe(link.slice(0, link.indexOf("welcome")));
    expect(await anna.page.locator(".who span").innerText()).toBe(partner.name);
    expect(
      await anna.page.evaluate("document.cookie + JSON.stringify({ ...sessionStorage, ...localStorage })"),
    ).not.toContain("qk_");
    const [cookie] = await anna.page.context().cookies();
    expect(cookie).toMatchObject({ name: "quittance-session", httpOnly: true, sameSite: "Lax", path: "/" });
    expect(anna.complaints).toEqual([]);
    await page.reload();
    await settled(page);
    expect(await states()).toEqual(["Valid", "Accepted"]);
    await anna.page.click("text=Sign out");
    await anna.page.waitForSelector("input[name=key]");
    await anna.page.goto(link);
    await anna.page.waitForSelector("text=This invitation was used");
    expect(await anna.axe()).toEqual([]);
    await anna.leave();
    await page.reload();
    await settled(page);
    expect(await states()).toEqual(["Ended", "Accepted"]);
    expect(visitor.complaints.splice(0)).toEqual([]);
  });

  it("is invited again and opens it by keyboard on a phone, in the dark", async () => {
    const link = await invite("Invite again");
    await visitor.page.click('dialog button:text-is("I have stored it")');
    const phone = await guest(link, { width: 390, scheme: "dark" });
    expect(await phone.axe()).toEqual([]);
    expect(await phone.page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    await handsOn(phone.page).use("Open my portal");
    await phone.page.waitForSelector(".who");
    await settled(phone.page);
    expect(await phone.axe()).toEqual([]);
    // Its session is ended by the team: the page says what helps.
    const sessions = await demo.get(`api-keys?uses=session&partner_ids=${partner.id}&order=desc`);
    await call(demo.url, demo.key, "DELETE", `api-keys/${sessions.api_keys[0].id}`);
    await phone.page.click("nav >> text=My settlements");
    await phone.page.waitForSelector("text=Your access has ended");
    expect(await words(phone.page)).not.toContain("key");
    await phone.leave();
  });

  it("whose invitation is withdrawn, or whose link is cut, reads why nothing opens", async () => {
    const link = await invite("Invite again");
    const { page } = visitor;
    await page.click('dialog button:text-is("I have stored it")');
    await settled(page);
    await page.locator('button:text-is("Withdraw")').first().click();
    await page.click('dialog button:text-is("Withdraw")');
    await page.waitForSelector("dialog", { state: "detached" });
    await settled(page);
    expect((await states())[0]).toBe("Withdrawn");
    const late = await guest(link);
    expect(await words(late.page)).toContain("This invitation was withdrawn");
    expect(await late.page.locator("text=Open my portal").count()).toBe(0);
    await late.page.goto(link.slice(0, -5));
    await late.page.waitForSelector("text=This link is not valid");
    expect(await late.axe()).toEqual([]);
    await late.leave();
    visitor.complaints.length = 0;
  });
});

it("shows the team who has done what, and partners nobody of the team", async () => {
  const [settlement] = (await demo.get(`settlements?partner_ids=${partner.id}&statuses=paid&per_page=1`))
    .settlements;
  const timeline = 'h2:text-is("What happened") + ol';
  await visitor.visit(`settlements/${settlement.id}`);
  const seen = await visitor.page.locator(timeline).innerText();
  expect(seen).toMatch(/By the server, /);
  expect(seen.match(/By /g)).toHaveLength(await visitor.page.locator(`${timeline} li`).count());
  expect(seen).not.toContain("jwt:");
  expect(await visitor.axe()).toEqual([]);
  const portal = await arrive(launched.browser, demo.url, "portal");
  await signIn(portal, await createPortalKey(demo, partner.id));
  await portal.visit(`settlements/${settlement.id}`);
  expect(await portal.page.locator(timeline).innerText()).not.toContain("By ");
  await portal.leave();
});

it("says how invitations become possible where the server does not know its address", async () => {
  const plain = await startDemo();
  const other = await arrive(launched.browser, plain.url, "console");
  await signIn(other, plain.key);
  const [first] = (await plain.get("partners?per_page=1")).partners;
  await other.visit(`partners/${first.id}`);
  expect(await words(other.page)).toContain("an operator sets QUITTANCE_PUBLIC_URL");
  expect(await other.page.locator('button:text-is("Invite to portal")').count()).toBe(0);
  expect(await other.axe()).toEqual([]);
  await other.leave();
  await plain.stop();
});
