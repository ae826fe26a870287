/** Visits every page of a company in a browser, and compares what it shows with the interface. */
import type { Browser, Page } from "playwright-core";
import { createPortalKey } from "../Demo.ts";
import { arrive, settled, signIn, type View, type Visitor, WIDE } from "../Visitor.ts";
import { type Api, apiOf, type Json } from "./Api.ts";
import * as Expected from "./Expected.ts";
import { amountsIn } from "./Figures.ts";

/** A company on a running server. */
export interface Company {
  readonly url: string;
  /** A key of the team. */
  readonly key: string;
  readonly api: Api;
}

export const companyOf = (url: string, key: string): Company => ({ url, key, api: apiOf(url, key) });

/** What a page must never show: values that were not formatted. */
const UNFORMATTED = /\bundefined\b|\bNaN\b|\bnull\b|Invalid Date|\[object|\bInfinity\b/;

/** Characters that hide or reorder the text around them. */
const REORDERING = /(?![\n\r\t])[\p{Cc}\u202a-\u202e\u2066\u2067]/u;

/** What the team does: words that are not said to the partner who reads. */
const OF_THE_TEAM =
  /\b(approve|approval|confirm|decide|reconcil\w+|initiat\w+|draft\w*|write off|the partner|colleague|administrator)\b/i;

/** How a walk looks at pages. */
export interface Look {
  readonly view: View;
  /** How many partners have their pages visited; all of a small company by default. */
  readonly partnersMax?: number;
  /** True if each page is looked at once more in a narrow window. */
  readonly isNarrowed?: boolean;
  /** The pages that are visited; all of them by default. */
  readonly places?: ReadonlyArray<string>;
  /** Called before the key is entered. */
  readonly arrived?: (visitor: Visitor) => Promise<void>;
  /** Called with each page after it was checked, for pictures. */
  readonly seen?: (visitor: Visitor, name: string) => Promise<void>;
}

export const WIDE_LOOK: Look = { view: WIDE, isNarrowed: true };

interface Walk {
  readonly name: string;
  readonly visitor: Visitor;
  readonly api: Api;
  readonly reader: Expected.Reader;
  readonly look: Look;
  /** Names and descriptions that people gave, the longest first; amounts in them are not of the page. */
  readonly given: ReadonlyArray<string>;
  readonly problems: Array<string>;
}

const givenTexts = async (api: Api): Promise<ReadonlyArray<string>> =>
  [...(await api.all("commission-plans", "commission_plans")), ...(await api.all("partners", "partners"))]
    .flatMap(({ name, description = null }): ReadonlyArray<string | null> => [name, description])
    .filter((text) => text !== null)
    .toSorted((a, b) => b.length - a.length);

const textOf = (page: Page, selector: string): Promise<string> => page.locator(selector).last().innerText();

/**
 * Amounts and dates that are broken into lines, amounts outside of what can be seen, states wider than their cell, numbers without
 * separators, and filters that stand crooked.
 */
const MISPLACED = `(() => {
  const found = [];
  const top = document.querySelector("dialog[open]") ?? document.querySelector("main");
  for (const one of top.querySelectorAll(".amount")) {
    const { left, right, width } = one.getBoundingClientRect();
    if (width === 0) continue;
    const frame = (one.closest(".table-frame, dialog") ?? document.documentElement).getBoundingClientRect();
    if (one.getClientRects().length > 1) found.push("breaks " + one.textContent);
    if (left < frame.left - 1 || right > Math.min(frame.right, innerWidth) + 1) found.push("hides " + one.textContent);
  }
  for (const one of top.querySelectorAll("td time"))
    if (one.getClientRects().length > 2) found.push("breaks " + one.textContent);
  for (const one of top.querySelectorAll("td > .badge"))
    if (one.getBoundingClientRect().right > one.parentElement.getBoundingClientRect().right + 1)
      found.push("does not fit " + one.textContent);
  for (const one of top.querySelectorAll("td.number"))
    if (/(^|[^\\d.,])\\d{4,}/.test(one.innerText)) found.push("does not group " + one.innerText);
  const filters = [...top.querySelectorAll(".filters > :is(.search, .chips)")].flatMap((one) => {
    const control = one.querySelector("input, select, .chip");
    return control === null ? [] : [{ control: control.getBoundingClientRect(), words: one.innerText.split("\\n")[0] }];
  });
  for (const [index, { control, words }] of filters.entries()) {
    const next = filters[index + 1];
    const isBeside = next !== undefined && next.control.top < control.bottom && next.control.bottom > control.top;
    if (isBeside && Math.abs(next.control.top - control.top) + Math.abs(next.control.bottom - control.bottom) > 1)
      found.push("does not align " + words + " and " + next.words);
  }
  return [...new Set(found)];
})()`;

/** What lies beside a phone's screen: how far the page is wider, and what one reads or presses that no frame scrolls to. */
const BESIDE = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
  const excess = document.documentElement.scrollWidth - innerWidth;
  const found = excess > 0 ? ["is " + excess + " px wider than the window"] : [];
  const isScrolled = (one) => /auto|scroll/.test(getComputedStyle(one).overflowX);
  for (const one of document.querySelectorAll("main :is(a, button, input, select, textarea, h1, h2, .badge)")) {
    const { left, right, width } = one.getBoundingClientRect();
    if (width === 0 || (left > -2 && right < innerWidth + 2)) continue;
    let frame = one.parentElement;
    while (frame !== null && !isScrolled(frame)) frame = frame.parentElement;
    if (frame === null) found.push("has beside it " + (one.textContent || one.name).trim().slice(0, 40));
  }
  done([...new Set(found)]);
})))`;

const PHONE = { width: 390, height: 844 };

/** What is wrong with the open page as soon as its window is as narrow as a phone. */
const narrowProblems = async (page: Page): Promise<ReadonlyArray<string>> => {
  const before = page.viewportSize();
  await page.setViewportSize(PHONE);
  const found = [
    ...((await page.evaluate(BESIDE)) as ReadonlyArray<string>),
    ...((await page.evaluate(MISPLACED)) as ReadonlyArray<string>),
  ];
  if (before !== null) await page.setViewportSize(before);
  return found;
};

/** Compares the amounts in order; on a narrow screen, where columns are left out, those that are shown must be expected. */
const differenceOf = (
  shown: ReadonlyArray<string>,
  expected: ReadonlyArray<string>,
  isNarrow: boolean,
): string | null => {
  if (isNarrow) {
    const left = [...expected];
    for (const one of shown) {
      const at = left.indexOf(one);
      if (at < 0) return `shows ${one}, which is not expected`;
      left.splice(at, 1);
    }
    return null;
  }
  const at = Array.from({ length: Math.max(shown.length, expected.length) }, (_, index) => index).find(
    (index) => shown[index] !== expected[index],
  );
  if (at === undefined) return null;
  const around = (amounts: ReadonlyArray<string>): string =>
    amounts.slice(Math.max(0, at - 2), at + 3).join(" ");
  return `amount ${at + 1} of ${shown.length}, expected ${expected.length}: ${around(shown)} | expected ${around(expected)}`;
};

/** Checks what is open now; the expected amounts are read from the interface. */
const check = async (
  { name, visitor, look, reader, given, problems }: Walk,
  place: string,
  selector: string,
  expected: () => Promise<ReadonlyArray<string>>,
): Promise<void> => {
  const { page, complaints } = visitor;
  const report = (problem: string, width: number = look.view.width): void => {
    problems.push(`${name}, ${place}, ${width} px: ${problem}`);
  };
  const compare = async (): Promise<string | null> => {
    const [text, amounts] = [await textOf(page, selector), await expected()];
    const own = given.reduce((rest, item) => rest.replaceAll(item, ""), text);
    return differenceOf(amountsIn(own), amounts, look.view.width === 390);
  };
  let difference = await compare();
  const reload = page.getByRole("button", { name: "Reload" });
  if (difference !== null && selector === "main" && (await reload.count()) > 0) {
    // The service works on: what was read a moment ago may have moved.
    await reload.first().click();
    await settled(page);
    difference = await compare();
  }
  if (difference !== null) report(difference);
  const text = await textOf(page, "body");
  const unformatted = UNFORMATTED.exec(text);
  if (unformatted !== null)
    report(
      `shows ${JSON.stringify(text.slice(Math.max(0, unformatted.index - 30), unformatted.index + 30))}`,
    );
  const reordering = REORDERING.exec(text);
  if (reordering !== null) report(`shows U+${reordering[0].charCodeAt(0).toString(16).padStart(4, "0")}`);
  const said = reader === "payee" ? OF_THE_TEAM.exec(await textOf(page, "main")) : null;
  if (said !== null) report(`tells the partner "${said[0]}"`);
  for (const misplaced of (await page.evaluate(MISPLACED)) as Array<string>) report(misplaced);
  const excess = Number(await page.evaluate("document.documentElement.scrollWidth - innerWidth"));
  if (excess > 0) report(`is ${excess} px wider than the window`);
  // The page of the company asks for the billing profile, which is not found before it is written.
  const isExpected = (complaint: string): boolean => place === "company" && complaint.includes("404");
  for (const complaint of complaints.splice(0)) if (!isExpected(complaint)) report(complaint);
  await look.seen?.(visitor, place);
  if (look.isNarrowed === true && selector === "main")
    for (const problem of await narrowProblems(page)) report(problem, PHONE.width);
};

/** Opens a page and checks it. */
const visit = async (
  walk: Walk,
  place: string,
  route: string,
  expected: () => Promise<ReadonlyArray<string>> = async () => [],
  prepare: (page: Page) => Promise<unknown> = async () => {},
): Promise<void> => {
  if (walk.look.places?.includes(place) === false) return;
  await walk.visitor.visit(route);
  await prepare(walk.visitor.page);
  await check(walk, place, "main", expected);
};

/** Shows the chart as a table, where there is one. */
const showTable = async (page: Page): Promise<void> => {
  const button = page.locator('figure.chart button:text-is("As a table")');
  if ((await button.count()) > 0) await button.first().click();
};

/** Opens the panel of the first amount of the page that has one. */
const visitWhy = async (walk: Walk, commissionId: string): Promise<void> => {
  const { page } = walk.visitor;
  await page.locator("button.why").first().click();
  await page.waitForSelector("dialog .facts");
  await check(walk, "why", "dialog", () => Expected.why(walk.api, walk.reader, commissionId));
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog", { state: "detached" });
};

/** Settlements that differ: one of each state, sign, currency and file. */
const varied = (settlements: ReadonlyArray<Json>): ReadonlyArray<Json> => [
  ...new Map(
    settlements.map((settlement) => {
      const { status, total, payment_file_status, stale } = settlement.view;
      return [
        JSON.stringify([status, total < 0, settlement.currency, payment_file_status, stale]),
        settlement,
      ] as const;
    }),
  ).values(),
];

const walkSettlements = async (walk: Walk): Promise<void> => {
  const { api, reader } = walk;
  const settlements = await api.all("settlements?order=asc", "settlements");
  await visit(walk, "settlements", "settlements", () => Expected.settlements(api, reader));
  for (const { id, view } of varied(settlements))
    await visit(walk, `settlement in ${view.status.type}`, `settlements/${id}`, () =>
      Expected.settlement(api, id, reader),
    );
  const last = varied(settlements).at(-1)?.view.lines[0];
  if (last !== undefined && walk.look.places === undefined) await visitWhy(walk, last.commission_id);
};

const walkMoney = async (walk: Walk, workspaceId: string | undefined): Promise<void> => {
  const { api } = walk;
  await visit(walk, "overview", "", () => Expected.overview(api), showTable);
  await walkSettlements(walk);
  await visit(walk, "payments", "payments", () => Expected.payments(api));
  await visit(walk, "books", "books", () => Expected.books(api));
  await visit(walk, "posting rules", "books/rules");
  if (workspaceId === undefined) await visit(walk, "runs", "runs");
  else {
    await visit(walk, "runs", `runs?workspace=${workspaceId}`, () => Expected.runs(api, workspaceId));
    await visit(walk, "preview of a run", `runs/new?workspace=${workspaceId}`, () =>
      Expected.preview(api, workspaceId),
    );
  }
  for (const { id } of (await api.get("settlement-runs?order=desc&per_page=1")).settlement_runs)
    await visit(walk, "run", `runs/${id}`, () => Expected.run(api, id));
};

const walkPartners = async (walk: Walk): Promise<void> => {
  const { api } = walk;
  const partners = (await api.all("partners", "partners")).slice(0, walk.look.partnersMax ?? 8);
  await visit(
    walk,
    "partners",
    "partners",
    () => Expected.partners(api),
    async (page) => {
      while ((await page.locator("td.number:text-is('…')").count()) > 0) await page.waitForTimeout(25);
    },
  );
  await visit(walk, "import of partners", "partners/import");
  await visit(walk, "sales", "sales", () => Expected.sales(api));
  await visit(walk, "import of sales", "sales/import");
  for (const { id } of partners) {
    await visit(walk, "partner", `partners/${id}`, () => Expected.partner(api, id));
    await visit(walk, "statement", `partners/${id}/statement`, () => Expected.statement(api, id));
    const [sale] = (await api.get(`attributions?partner_ids=${id}&order=desc&per_page=1`)).attributions;
    if (sale !== undefined)
      await visit(walk, "sale", `sales/${sale.id}`, async () => [
        ...(await Expected.propertiesOf(api, "team", sale)),
        ...(await Expected.sale(api, sale)),
      ]);
  }
};

/** Waits until the feed, which is filled in the background, has its last events. */
const feedAtRest = async (api: Api): Promise<void> => {
  let last = "";
  for (;;) {
    const { next_cursor: cursor } = await api.get("events?order=desc&limit=1");
    if (cursor === last) return;
    last = cursor;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
};

const walkPrograms = async (walk: Walk): Promise<void> => {
  const { api } = walk;
  await visit(walk, "plans", "plans");
  for (const plan of (await api.get("commission-plans?per_page=5")).commission_plans)
    await visit(walk, "plan", `plans/${plan.id}`, () => Expected.plan(api, plan));
  const [plan] = (await api.get("commission-plans?per_page=1")).commission_plans;
  await walk.visitor.visit(plan === undefined ? "builder" : `builder?plan=${plan.id}`);
  await walk.visitor.page.waitForSelector(
    plan === undefined ? ".grid" : 'button:text-is("Change the plan to this")',
  );
  await check(walk, "plan builder", plan === undefined ? "h1" : ".grid", () =>
    plan === undefined ? Promise.resolve([]) : Expected.trial(api, plan.id),
  );
  if (plan !== undefined) {
    const id = await Expected.tryTwice(api, plan.id);
    await visit(walk, "trial", `trials/${id}`, () => Expected.trialResults(api, id));
  }
  await feedAtRest(api);
  await visit(walk, "events", "events", () => Expected.events(api));
  await visit(walk, "webhooks", "webhooks");
  for (const { id } of (await api.get("webhook-endpoints?per_page=1")).webhook_endpoints)
    await visit(walk, "endpoint", `webhooks/${id}`);
  await visit(walk, "company", "company");
  await visit(walk, "keys", "keys");
};

const enter = async (
  browser: Browser,
  { url }: Company,
  at: "console" | "portal",
  key: string,
  look: Look,
): Promise<Visitor> => {
  const visitor = await arrive(browser, url, at, look.view);
  await look.arrived?.(visitor);
  await signIn(visitor, key);
  return visitor;
};

/** Visits every page of the console; returns what is wrong, each on a line. */
export const walkConsole = async (
  browser: Browser,
  name: string,
  company: Company,
  look: Look = WIDE_LOOK,
): Promise<ReadonlyArray<string>> => {
  const visitor = await enter(browser, company, "console", company.key, look);
  const problems: Array<string> = [];
  const { api } = company;
  const given = await givenTexts(api);
  const walk: Walk = { name, visitor, api, reader: "team", look, given, problems };
  const [partner] = (await api.get("partners?per_page=1")).partners;
  await walkMoney(walk, partner?.workspace_id);
  await walkPartners(walk);
  await walkPrograms(walk);
  await visitor.leave();
  return problems;
};

/** Visits every page of a partner's portal; returns what is wrong, each on a line. */
export const walkPortal = async (
  browser: Browser,
  name: string,
  company: Company,
  partnerId: string,
  look: Look = WIDE_LOOK,
): Promise<ReadonlyArray<string>> => {
  const key = await createPortalKey(company, partnerId);
  const visitor = await enter(browser, company, "portal", key, look);
  const problems: Array<string> = [];
  const api = apiOf(company.url, key);
  const given = await givenTexts(company.api);
  const walk: Walk = { name: `portal of ${name}`, visitor, api, reader: "payee", look, given, problems };
  await visit(walk, "summary", "", () => Expected.summary(api), showTable);
  await visit(walk, "what comes when", "coming", () => Expected.coming(api, partnerId));
  await visit(walk, "commissions", "commissions", () => Expected.commissions(api, "order=desc"));
  await walkSettlements(walk);
  await visit(walk, "statement", "statement", () => Expected.statement(api, partnerId));
  await visit(walk, "account", "account");
  const [sale] = (await api.get("attributions?order=desc&per_page=1")).attributions;
  if (sale !== undefined)
    await visit(walk, "sale", `sales/${sale.id}`, async () => [
      ...(await Expected.propertiesOf(api, "payee", sale)),
      ...(await Expected.sale(api, sale)),
    ]);
  await visitor.leave();
  return problems;
};
