/**
 * Looks at every page of the console and the portal in both widths and both colour schemes: axe, the policy, no sideways
 * scrolling, every control reached by Tab. Does every action by the keyboard alone. Compares every figure of three companies with the interface. Then times lists of 100,000 rows.
 * With `--screenshots` writes the pictures of the documentation.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { everyAction } from "./actions.ts";
import { launch } from "./Browser.ts";
import { startDemo } from "./Demo.ts";
import { walkByTab } from "./Keyboard.ts";
import { timeLists } from "./Lists.ts";
import { arrive, signIn, until, VIEWS, type View, type Visitor } from "./Visitor.ts";
import { walkEverything } from "./walk/Everything.ts";

const PICTURES = new URL("../../docs/finance/console", import.meta.url).pathname;

/** The pictures of the documentation: name, page, and how it is looked at. */
const PICTURED: Readonly<Record<string, View>> = {
  overview: { width: 1280, scheme: "light" },
  settlement: { width: 1280, scheme: "light" },
  runs: { width: 1280, scheme: "light" },
  run: { width: 1280, scheme: "light" },
  why: { width: 1280, scheme: "dark" },
  builder: { width: 1280, scheme: "light" },
  partner: { width: 1280, scheme: "dark" },
  events: { width: 1280, scheme: "dark" },
  statement: { width: 1280, scheme: "light" },
  settlements: { width: 390, scheme: "light" },
  portal: { width: 390, scheme: "dark" },
};

const problems: Array<string> = [];

const inspect = async (visitor: Visitor, name: string, view: View): Promise<void> => {
  const place = `${name} at ${view.width} px, ${view.scheme}`;
  for (const violation of await visitor.axe()) problems.push(`${place}: ${violation}`);
  const excess = await visitor.page.evaluate("document.documentElement.scrollWidth - innerWidth");
  if (Number(excess) > 0) problems.push(`${place}: the page is ${excess} px wider than the window`);
  for (const fault of await walkByTab(visitor.page)) problems.push(`${place}: ${fault}`);
  for (const complaint of visitor.complaints.splice(0)) problems.push(`${place}: ${complaint}`);
};

const picture = async ({ page }: Visitor, name: string, view: View): Promise<void> => {
  const wanted = PICTURED[name];
  if (
    !process.argv.includes("--screenshots") ||
    wanted?.width !== view.width ||
    wanted.scheme !== view.scheme
  )
    return;
  mkdirSync(PICTURES, { recursive: true });
  await page.evaluate("scrollTo(0, 0)");
  await page.screenshot({ path: join(PICTURES, `${name}.png`) });
};

const walkConsole = async (
  visitor: Visitor,
  view: View,
  ids: Readonly<Record<string, string>>,
): Promise<void> => {
  const routes: Readonly<Record<string, string>> = {
    overview: "",
    settlements: "settlements",
    settlement: `settlements/${ids.settlement}`,
    draft: `settlements/${ids.draft}`,
    payments: "payments",
    runs: "runs",
    preview: `runs/new?workspace=${ids.workspace}`,
    run: `runs/${ids.run}`,
    partners: "partners",
    partner: `partners/${ids.partner}`,
    statement: `partners/${ids.partner}/statement?from=${ids.yearAgo}`,
    sales: "sales",
    sale: `sales/${ids.sale}`,
    plans: "plans",
    plan: `plans/${ids.plan}`,
    builder: `builder?plan=${ids.plan}`,
    events: "events",
    webhooks: "webhooks",
    endpoint: `webhooks/${ids.endpoint}`,
    keys: "keys",
  };
  for (const [name, route] of Object.entries(routes)) {
    await visitor.visit(route);
    if (["overview", "builder"].includes(name))
      await until(visitor.page, "document.querySelector('.drawing canvas') !== null");
    await picture(visitor, name, view);
    await inspect(visitor, name, view);
  }
  await visitor.visit(routes.settlement ?? "");
  await visitor.page.locator("button.why").first().click();
  await visitor.page.waitForSelector("dialog .facts");
  await picture(visitor, "why", view);
  await inspect(visitor, "why", view);
  await visitor.page.keyboard.press("Escape");
  await visitor.page.locator(".actions button").first().click();
  await visitor.page.waitForSelector("dialog");
  await inspect(visitor, "an action", view);
};

const walkPortal = async (visitor: Visitor, view: View): Promise<void> => {
  for (const [name, route] of Object.entries({
    portal: "",
    commissions: "commissions",
    "my settlements": "settlements",
    "my statement": "statement",
  })) {
    await visitor.visit(route);
    await picture(visitor, name, view);
    await inspect(visitor, name, view);
  }
};

const look = async (): Promise<void> => {
  const [demo, launched] = await Promise.all([startDemo(), launch()]);
  console.log(`the example company was there after ${Math.round(demo.milliseconds)} ms`);
  const first = async (path: string, name: string): Promise<string> =>
    (await demo.get(`${path}per_page=1`))[name][0].id;
  const settlement = (await demo.get("settlements?statuses=awaiting_payment&per_page=1")).settlements[0];
  const ids = {
    settlement: settlement.id,
    partner: settlement.partner_id,
    yearAgo: new Date(Date.now() - 365 * 86_400_000).toISOString().slice(0, 10),
    endpoint: await first("webhook-endpoints?", "webhook_endpoints"),
    workspace: settlement.workspace_id,
    run: await first("settlement-runs?", "settlement_runs"),
    draft: await first("settlements?statuses=draft&", "settlements"),
    sale: await first("attributions?statuses=cancelled&", "attributions"),
    plan: await first("commission-plans?", "commission_plans"),
  };
  for (const view of VIEWS) {
    const visitor = await arrive(launched.browser, demo.url, "console", view);
    await inspect(visitor, "sign-in", view);
    await signIn(visitor, demo.key);
    await walkConsole(visitor, view, ids);
    await visitor.leave();
    const partner = await arrive(launched.browser, demo.url, "portal", view);
    await signIn(partner, demo.partnerKey);
    await walkPortal(partner, view);
    await partner.leave();
  }
  for (const problem of await everyAction(launched.browser, demo)) problems.push(problem);
  await launched.close();
  await demo.stop();
};

if (!process.argv.includes("--lists")) await look();
if (!process.argv.includes("--lists") && !process.argv.includes("--screenshots"))
  problems.push(...(await walkEverything()));
if (!process.argv.includes("--screenshots")) problems.push(...(await timeLists()));
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
