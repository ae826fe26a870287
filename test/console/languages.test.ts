/** The portal in other languages: every sentence has its texts, and no page shows one that has none. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page, Response } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ORDER } from "../../adapters/server/demo/Company.ts";
import { ask } from "../server/running.ts";
import { type Launched, launch } from "./Browser.ts";
import { type Demo, startDemo } from "./Demo.ts";
import { arrive, settled, signIn, type View, type Visitor, WIDE } from "./Visitor.ts";

const SOURCES = new URL("../../adapters/console", import.meta.url).pathname;

const textsOf = (code: string): Readonly<Record<string, string>> =>
  JSON.parse(readFileSync(join(SOURCES, `languages/${code}.json`), "utf8"));

const german = textsOf("de");

const placesIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).toSorted();

describe("the texts of a language", () => {
  it.each(["de", "fr", "es"])("%s are complete, and have the same places for values", (code) => {
    const texts = textsOf(code);
    expect(Object.keys(texts).toSorted()).toEqual(Object.keys(german).toSorted());
    for (const [sentence, text] of Object.entries(texts)) {
      expect([sentence, placesIn(text)]).toEqual([sentence, placesIn(sentence)]);
      expect(text.trim()).not.toBe("");
    }
  });

  it("are of sentences that the pages say", () => {
    const code = readdirSync(SOURCES, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => readFileSync(join(SOURCES, name), "utf8"))
      .join("\n");
    const isSaid = (sentence: string): boolean =>
      code.includes(JSON.stringify(sentence)) || code.includes(`'${sentence}'`);
    expect(Object.keys(german).filter((sentence) => !isSaid(sentence))).toEqual([]);
  });
});

let demo: Demo;
let launched: Launched;
let key: string;

beforeAll(async () => {
  [demo, launched] = await Promise.all([startDemo(), launch()]);
  const { partners } = await demo.get("partners?per_page=100");
  const created = await ask(demo.url, demo.key, "POST", "api-keys", {
    kind: "partner",
    partner_ids: partners.map(({ id }: { readonly id: string }) => id),
    scopes: [
      ...["partners:read", "commissions:read", "attributions:read", "formulas:read", "settlements:read"],
      ...["settlements:write", "partners:write"],
    ],
  });
  key = String(created.key);
});

afterAll(async () => {
  await launched?.close();
  await demo?.stop();
});

/** Opens the portal in a language that was chosen before. */
const arriveIn = async (code: string, view: View = WIDE, isPseudo = false): Promise<Visitor> => {
  const visitor = await arrive(launched.browser, demo.url, "portal", view);
  const { page } = visitor;
  if (isPseudo)
    await page.route(/\/de-\w+\.js$/, (route) =>
      route.fulfill({
        contentType: "text/javascript",
        body: `export default ${JSON.stringify(
          Object.fromEntries(Object.keys(german).map((sentence) => [sentence, `⟦${sentence}⟧`])),
        )};`,
      }),
    );
  await page.evaluate(`localStorage.setItem("quittance.language", ${JSON.stringify(code)})`);
  await page.reload();
  await page.waitForSelector("h1");
  return visitor;
};

const wordsIn = (text: string): ReadonlyArray<string> => text.match(/\p{L}{2,}/gu) ?? [];

/** Words that are not the portal's: months, what formats are called, currencies, and the languages to choose from. */
const ELSEWHERE: ReadonlySet<string> = new Set(
  wordsIn(
    [
      ...Array.from({ length: 12 }, (_, month) => {
        const at = new Date(Date.UTC(2026, month, 3));
        return ["de", "en-GB"]
          .flatMap((tag) =>
            (["medium", "long"] as const).map((dateStyle) =>
              new Intl.DateTimeFormat(tag, { dateStyle }).format(at),
            ),
          )
          .concat(new Intl.DateTimeFormat("de", { month: "short", year: "numeric" }).format(at))
          .join(" ");
      }),
      // The properties of sales, as labels.
      ...ORDER.properties.map(
        ({ name }) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " "),
      ),
      "UTC PDF CSV EUR GBP SEK Mio Tsd English Deutsch Français Español",
    ].join(" "),
  ),
);

const valuesOf = (json: unknown): ReadonlyArray<string> => {
  if (typeof json === "string") return [json];
  if (json === null || typeof json !== "object") return [];
  return Object.entries(json).flatMap(([name, value]) => [
    ...(name === "properties" && value !== null ? Object.keys(value) : []),
    ...valuesOf(value),
  ]);
};

/** Collects the words of everything that the server responds with. */
const collectData = (page: Page): ReadonlySet<string> => {
  const words = new Set<string>();
  page.on("response", async (response: Response) => {
    const type = response.headers()["content-type"] ?? "";
    if (!/json|text\/plain/.test(type)) return;
    const text = await response.text().catch(() => "");
    const values = type.includes("json") && text !== "" ? valuesOf(JSON.parse(text)) : [text];
    for (const word of values.flatMap((value) => wordsIn(value.replaceAll("_", " ")))) words.add(word);
  });
  return words;
};

/** What a page says outside the marks of the texts, by text node and attribute. */
const OUTSIDE = `(() => {
  const found = [];
  let depth = 0;
  const outside = (text) => {
    let said = "";
    for (const letter of text) {
      if (letter === "⟦") depth += 1;
      else if (letter === "⟧") depth -= 1;
      else if (depth === 0) said += letter;
    }
    return said;
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode())
    if (!walker.currentNode.parentElement.matches("noscript, code.id")) found.push(outside(walker.currentNode.data));
  if (depth !== 0) found.push("marks without an end");
  depth = 0;
  for (const element of document.querySelectorAll("[aria-label], [title], [placeholder], [data-name], [aria-valuetext]"))
    for (const name of ["aria-label", "title", "placeholder", "data-name", "aria-valuetext"])
      found.push(outside(element.getAttribute(name) ?? ""));
  return found;
})()`;

describe("a page of the portal", () => {
  const problems: Array<string> = [];
  let visitor: Visitor;
  let data: ReadonlySet<string>;

  const look = async (name: string): Promise<void> => {
    const said = (await visitor.page.evaluate(OUTSIDE)) as ReadonlyArray<string>;
    const words = said.flatMap(wordsIn).filter((word) => !ELSEWHERE.has(word) && !data.has(word));
    if (words.length > 0) problems.push(`${name}: ${[...new Set(words)].join(" ")}`);
  };

  it("says nothing that other languages have no text for", async () => {
    visitor = await arriveIn("de", WIDE, true);
    data = collectData(visitor.page);
    await look("signing in");
    await visitor.page.click("button[type=submit]");
    await look("signing in without a key");
    await signIn(visitor, key);
    const settlements = (await demo.get("settlements?per_page=100&order=desc")).settlements;
    const byState = new Map<string, string>();
    for (const { id, view } of settlements)
      byState.set(`${view.status.type} ${view.billing_mode} ${view.total < 0}`, id);
    const sales = await Promise.all(
      ["NH-RETURN-3", "NH-DEAL-7"].map(async (reference) => {
        const found = await demo.get(`attributions?external_references=${reference}&per_page=5`);
        return found.attributions.map(({ id }: { readonly id: string }) => `sales/${id}`);
      }),
    );
    const routes = [
      ...[
        "",
        "coming",
        "commissions",
        "commissions?sort=Worth&order=desc",
        "plans",
        "settlements",
        "settlements?sort=Net&order=asc",
        "statement",
        "account",
        "nowhere",
        `settlements/${crypto.randomUUID()}`,
      ],
      ...[...byState.values()].map((id) => `settlements/${id}`),
      ...sales.flat(),
    ];
    for (const route of routes) {
      await visitor.visit(route);
      await look(route);
      for (const button of await visitor.page.locator("main .actions > button").all()) {
        await button.click();
        await visitor.page.waitForSelector("dialog");
        await look(`${route}, a dialog`);
        await visitor.page.keyboard.press("Escape");
      }
    }
    await visitor.visit("commissions");
    await visitor.page.click("main tbody .why");
    await visitor.page.waitForSelector("dialog .sentence");
    await look("why this amount");
    await visitor.page.keyboard.press("Escape");
    await visitor.page.goto(`${demo.url}/portal/#/welcome/qk_0123456789abcdef_${"x".repeat(43)}`);
    await visitor.page.waitForSelector(".sign-in .notice");
    await look("an invitation");
    expect(problems).toEqual([]);
    await visitor.leave();
  });

  it("is in the language of the browser, or that which the reader has chosen, with its dates and amounts", async () => {
    const other = await arrive(launched.browser, demo.url, "portal");
    const { page } = other;
    expect(await page.evaluate("document.documentElement.lang")).toBe("en");
    await page.locator("select.language").selectOption("fr");
    await page.waitForSelector('h1:has-text("Portail partenaire")');
    await signIn(other, key);
    expect(await page.evaluate("document.documentElement.lang")).toBe("fr");
    await other.visit("coming");
    expect(await page.locator("h1").innerText()).toBe("Échéancier");
    expect(await page.title()).toBe("Échéancier · Portail partenaire");
    const { next_run } = await demo.get(
      `partners/${(await demo.get("partners?per_page=1")).partners[0].id}/settlement-schedule`,
    );
    const day = new Intl.DateTimeFormat("fr", { dateStyle: "medium", timeZone: "Europe/Berlin" });
    const runDay = day.format(new Date(next_run.at));
    expect(await page.locator("main").innerText()).toMatch(new RegExp(`décompte.* le ${runDay}\\.`));
    await other.visit("commissions");
    await page.click("main tbody .why");
    await page.waitForSelector("dialog .sentence");
    const sentence = await page.locator("dialog .sentence").innerText();
    const big = await page.locator("dialog .big").innerText();
    expect(sentence).toMatch(/ pour la vente du .* selon /);
    expect(big).toMatch(/\d,\d\d\s(€|£GB|SEK|kr)/);
    expect(sentence.startsWith(`${big} pour la vente`)).toBe(true);
    expect(sentence).not.toMatch(/\d (EUR|GBP)/);
    await page.keyboard.press("Escape");
    await page.locator("select.language").selectOption("en");
    await page.waitForSelector('h1:has-text("My commissions")');
    expect(other.complaints).toEqual([]);
    await other.leave();
  });

  it.each([
    ["de", "ltr"],
    ["es", "ltr"],
    ["fr", "rtl"],
  ])("fits a phone in %s, written %s", async (code, direction) => {
    const phone = await arriveIn(code, { width: 390, scheme: "dark" });
    await signIn(phone, key);
    for (const route of ["", "coming", "plans", "commissions", "statement", "account"]) {
      await phone.visit(route);
      await phone.page.evaluate(`document.documentElement.dir = "${direction}"`);
      expect([route, await phone.page.evaluate("document.documentElement.scrollWidth")]).toEqual([
        route,
        390,
      ]);
      // The pages are the same in each language but for their direction; a walk has their findings in English.
      if (direction === "rtl") expect(await phone.axe()).toEqual([]);
    }
    await settled(phone.page);
    expect(phone.complaints).toEqual([]);
    await phone.leave();
  });
});
