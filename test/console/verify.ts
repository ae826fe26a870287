/**
 * Looks at every page of the console and the portal in both widths and both colour schemes: axe, the policy, no sideways
 * scrolling, every control reached by Tab. Does every action by the keyboard alone. Compares every figure of three companies with the interface. Then times lists of 100,000 rows. With `--screenshots` writes the pictures of the documentation.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { call, developmentKey, folder, listening, run } from "../server/running.ts";
import { everyAction } from "./actions.ts";
import { launch } from "./Browser.ts";
import { startDemo } from "./Demo.ts";
import { walkByTab } from "./Keyboard.ts";
import { arrive, settled, signIn, until, VIEWS, type View, type Visitor } from "./Visitor.ts";
import { walkEverything } from "./walk/Everything.ts";

const PICTURES = new URL("../../docs/finance/console", import.meta.url).pathname;
const ROWS = 100_000;
const FIRST_MILLISECONDS = 500;
const NEXT_MILLISECONDS = 200;
const TASK_MILLISECONDS = 100;

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

const TENTH = {
  type: "multiply",
  operands: [
    { type: "property", name: "amount" },
    { type: "literal", value: { type: "percent", value: 10 } },
  ],
};

/** Creates one partner with 100,000 commissions; returns its id. */
const fill = async (url: string, key: string): Promise<string> => {
  const workspace_id = crypto.randomUUID();
  const post = async (path: string, body: object) => (await call(url, key, "POST", path, body)).body;
  const partner = await post("partners", { name: "Many Sales", workspace_id });
  const schema = await post("attribution-schemas", {
    name: "Sale",
    workspace_id,
    properties: [{ name: "amount", type: "number", required: true }],
  });
  const terms = {
    workspace_id,
    partner_id: partner.id,
    schema_id: schema.id,
    currency: "EUR",
    start_datetime: "2020-01-01T00:00:00Z",
  };
  await post("commission-formulas", { ...terms, name: "A tenth", expression: TENTH });
  for (let from = 0; from < ROWS; from += 1_000) {
    const attributions = Array.from({ length: 1_000 }, (_, index) => ({
      workspace_id,
      partner_id: partner.id,
      schema_id: schema.id,
      properties: { amount: from + index },
    }));
    await post("attributions/batch", { attributions });
  }
  return partner.id;
};

const LONG_TASKS =
  "window.longest = 0; new PerformanceObserver((list) => { for (const one of list.getEntries()) window.longest = Math.max(window.longest, one.duration); }).observe({ type: 'longtask', buffered: true });";

/**
 * Measures in the page from an action until the frame in which an expression is true: the browser's driver waits for two
 * frames before it clicks, and looks at the page from outside.
 */
const timed = async (
  { page }: Visitor,
  name: string,
  limit: number,
  act: string,
  isShown: string,
): Promise<void> => {
  const milliseconds = Number(
    await page.evaluate(`new Promise((resolve) => {
      const began = performance.now();
      const look = () => (${isShown}) ? resolve(performance.now() - began) : requestAnimationFrame(look);
      ${act};
      requestAnimationFrame(look);
    })`),
  );
  console.log(`${name}: ${Math.round(milliseconds)} ms, at most ${limit}`);
  if (milliseconds > limit) problems.push(`${name} took ${milliseconds} ms`);
};

/** The first and the next page of a list of 100,000 commissions on the embedded store. */
const timeLists = async (): Promise<void> => {
  const place = folder();
  const server = run(place.path, ["serve", "--port", "0"], { LOG_LEVEL: "off" });
  const url = await listening(server);
  const key = developmentKey(place.path);
  const partnerId = await fill(url, key);
  const made = await call(url, key, "POST", "api-keys", { kind: "partner", partner_ids: [partnerId] });
  const launched = await launch();
  const visitor = await arrive(launched.browser, url, "portal");
  await signIn(visitor, made.body.key);
  await visitor.page.evaluate(LONG_TASKS);
  await timed(
    visitor,
    "first page of 100,000 commissions",
    FIRST_MILLISECONDS,
    "location.hash = '#/commissions'",
    "document.querySelectorAll('tbody tr').length === 50",
  );
  for (let page = 2; page <= 4; page++)
    await timed(
      visitor,
      `page ${page}`,
      NEXT_MILLISECONDS,
      "[...document.querySelectorAll('.pager button')].find((one) => one.textContent === 'Next').click()",
      `document.querySelector('.pager').textContent.startsWith('${(page - 1) * 50 + 1}–') && document.querySelector('.stale') === null`,
    );
  const longest = Number(await visitor.page.evaluate("window.longest"));
  // The browser reports tasks from 50 ms on.
  console.log(
    `longest task: ${longest === 0 ? "under 50" : Math.round(longest)} ms, at most ${TASK_MILLISECONDS}`,
  );
  if (longest > TASK_MILLISECONDS) problems.push(`a task took ${longest} ms`);
  await settled(visitor.page);
  await launched.close();
  server.process.kill("SIGTERM");
  await server.ended;
  place.remove();
};

if (!process.argv.includes("--lists")) await look();
if (!process.argv.includes("--lists") && !process.argv.includes("--screenshots"))
  problems.push(...(await walkEverything()));
if (!process.argv.includes("--screenshots")) await timeLists();
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
