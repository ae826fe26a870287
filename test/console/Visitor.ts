/** A simulated user: signs in, opens pages, and records the browser's errors. */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, Page, Request } from "playwright-core";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** How a page is looked at. */
export interface View {
  readonly width: 1280 | 390;
  readonly scheme: "light" | "dark";
}

export const WIDE: View = { width: 1280, scheme: "light" };
export const VIEWS: ReadonlyArray<View> = [
  WIDE,
  { width: 1280, scheme: "dark" },
  { width: 390, scheme: "light" },
  { width: 390, scheme: "dark" },
];

/** True if journeys look at pages as on a phone, where each row of a table is a card. */
export const IS_PHONE = process.env.TEST_VIEW === "phone";

/** How journeys look at pages that state no view. */
const USUAL: View = IS_PHONE ? { width: 390, scheme: "light" } : WIDE;

/** The words of a column that cards leave out, with a space behind them: none on a phone. */
export const unlessCard = (words: string): string => (IS_PHONE ? "" : `${words} `);

export interface Visitor {
  readonly page: Page;
  /** The errors that the browser logged: exceptions, violations of the content security policy, failed requests. */
  readonly complaints: Array<string>;
  /** Opens an address behind the `#` and waits until nothing is being read any more. */
  readonly visit: (route: string) => Promise<void>;
  /** Violations of accessibility that axe finds on the present page, each on a line. */
  readonly axe: () => Promise<ReadonlyArray<string>>;
  readonly leave: () => Promise<void>;
}

interface AxeResult {
  readonly violations: ReadonlyArray<{
    readonly id: string;
    readonly nodes: ReadonlyArray<{
      readonly target: ReadonlyArray<unknown>;
      readonly failureSummary?: string;
    }>;
  }>;
}

const PATIENCE_MILLISECONDS = 60_000;

/**
 * Waits until an expression is true in the page. The page's own policy forbids `waitForFunction`, which evaluates text
 * inside the page.
 */
export const until = async (page: Page, expression: string): Promise<void> => {
  const end = Date.now() + PATIENCE_MILLISECONDS;
  while (!(await page.evaluate(expression))) {
    if (Date.now() > end)
      throw new Error(`not true in time: ${expression}\n${await page.locator("body").innerText()}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
};

/** The reads of each page that wait for their answer. */
const reads = new WeakMap<Page, Set<Request>>();

/** What a click or an address asks for is drawn a frame later, and read after that. */
const DRAWN =
  "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))";

/** Waits until the page shows no skeleton, and reads nothing, not even behind figures that stay while they are read again. */
export const settled = async (page: Page): Promise<void> => {
  const end = Date.now() + PATIENCE_MILLISECONDS;
  do {
    await page.evaluate(DRAWN);
    await until(
      page,
      "document.querySelector('main h1') !== null && document.querySelector('.skeleton, .stale') === null && [...document.querySelectorAll('button')].every((one) => one.textContent !== 'Reading…')",
    );
  } while ((reads.get(page)?.size ?? 0) > 0 && Date.now() < end);
};

/** Opens one of the two pages, `console` or `portal`, with nobody signed in. */
export const arrive = async (
  browser: Browser,
  url: string,
  at: "console" | "portal",
  { width, scheme }: View = USUAL,
): Promise<Visitor> => {
  const context = await browser.newContext({
    locale: "en-GB",
    timezoneId: "Europe/Berlin",
    viewport: { width, height: width === 390 ? 844 : 860 },
    colorScheme: scheme,
    reducedMotion: "reduce",
    acceptDownloads: true,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MILLISECONDS);
  const complaints: Array<string> = [];
  page.on("console", (message) => {
    if (message.type() === "error" || /content security policy/i.test(message.text()))
      complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  const waiting = new Set<Request>();
  reads.set(page, waiting);
  page.on("request", (request) => request.resourceType() === "fetch" && waiting.add(request));
  page.on("requestfinished", (request) => waiting.delete(request));
  page.on("requestfailed", (request) => waiting.delete(request));
  await page.goto(`${url}/${at}/`);
  await page.waitForSelector("h1");
  return {
    page,
    complaints,
    visit: async (route) => {
      await page.goto(`${url}/${at}/#/${route}`);
      await settled(page);
    },
    axe: async () => {
      if ((await page.evaluate("typeof window.axe")) === "undefined") await page.evaluate(axeSource);
      const { violations } = (await page.evaluate("axe.run(document)")) as AxeResult;
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(
          ({ target, failureSummary = "" }) =>
            `${id} at ${target.join(" ")}: ${failureSummary.replace(/\s+/g, " ")}`,
        ),
      );
    },
    leave: () => context.close(),
  };
};

/** Pastes a key and waits for the first page behind it. */
export const signIn = async ({ page }: Visitor, key: string): Promise<void> => {
  await page.fill("input[name=key]", key);
  await page.click("button[type=submit]");
  await page.waitForSelector(".who");
  await settled(page);
};

/** Replaces the text of the code editor as a person does: `fill` has the browser write inline styles, which the policy forbids. */
export const write = async (page: Page, text: string): Promise<void> => {
  await page.click(".cm-content");
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  await page.keyboard.insertText(text);
};
