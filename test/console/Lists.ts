/** Times the pages of a store with 100,000 sales, and the preview of a run with 10,000 lines, on the embedded store. */
import { call, developmentKey, folder, listening, run } from "../server/running.ts";
import { launch } from "./Browser.ts";
import { arrive, settled, signIn, type Visitor } from "./Visitor.ts";

const ROWS = 100_000;
/** The most lines that a run of the month has here: a hundred partners with a hundred sales each. */
const PARTNERS = 100;
const SALES_EACH = 100;
const BATCH = 1_000;

const FIRST_MILLISECONDS = 500;
const NEXT_MILLISECONDS = 200;
const PREVIEW_MILLISECONDS = 3_000;
const TASK_MILLISECONDS = 100;

const TENTH = {
  type: "multiply",
  operands: [
    { type: "property", name: "amount" },
    { type: "literal", value: { type: "percent", value: 10 } },
  ],
};

type Post = (path: string, body: object) => Promise<{ readonly id: string }>;

/** Creates a workspace with partners and their sales; returns the ids of both. */
const fill = async (post: Post, partners: number, salesEach: number) => {
  const workspace_id = crypto.randomUUID();
  const schema = await post("attribution-schemas", {
    name: "Sale",
    workspace_id,
    properties: [{ name: "amount", type: "number", required: true, format: "money_minor" }],
  });
  const partnerIds: Array<string> = [];
  for (let index = 1; index <= partners; index++) {
    const { id } = await post("partners", { name: `Partner ${index}`, workspace_id });
    partnerIds.push(id);
    await post("commission-formulas", {
      ...{ workspace_id, partner_id: id, schema_id: schema.id, name: "A tenth", currency: "EUR" },
      ...{ start_datetime: "2020-01-01T00:00:00Z", expression: TENTH },
    });
  }
  const sales = partners * salesEach;
  for (let from = 0; from < sales; from += BATCH)
    await post("attributions/batch", {
      attributions: Array.from({ length: BATCH }, (_, index) => ({
        workspace_id,
        ...{ partner_id: partnerIds[(from + index) % partners], schema_id: schema.id },
        ...{
          external_reference: `ORDER-${from + index}-${partners}`,
          properties: { amount: from + index + 10 },
        },
      })),
    });
  return { workspaceId: workspace_id, partnerId: partnerIds[0] ?? "" };
};

const LONG_TASKS =
  "window.longest = 0; new PerformanceObserver((list) => { for (const one of list.getEntries()) window.longest = Math.max(window.longest, one.duration); }).observe({ type: 'longtask', buffered: true });";

/** True once the page with this heading shows so many rows, and reads nothing any more. */
const shows = (heading: string, rows: number): string =>
  `document.querySelector('h1')?.textContent.includes(${JSON.stringify(heading)}) && document.querySelectorAll('tbody tr').length >= ${rows} && document.querySelector('.skeleton, .stale') === null`;

interface Timing {
  readonly limit: number;
  readonly act: string;
  readonly isShown: string;
  readonly times?: number;
}

/**
 * Measures in the page from an action until the frame in which an expression is true: the browser's driver waits for two
 * frames before it clicks, and looks at the page from outside.
 */
const measure = async ({ page }: Visitor, act: string, isShown: string): Promise<number> => {
  const milliseconds = Number(
    await page.evaluate(`new Promise((resolve, reject) => {
      const began = performance.now();
      const look = () => {
        if (${isShown}) resolve(performance.now() - began);
        else if (performance.now() - began > 60_000) reject(new Error(document.body.innerText));
        else requestAnimationFrame(look);
      };
      ${act};
      requestAnimationFrame(look);
    })`),
  );
  await settled(page);
  return Math.round(milliseconds);
};

/**
 * Prints what was measured; returns a problem if the median is above the limit. A single slow answer is none: now and then
 * the embedded store vacuums its tables first.
 */
const within = (limit: number, name: string, measured: ReadonlyArray<number>): ReadonlyArray<string> => {
  console.log(`${name}: ${measured.join(", ")} ms, at most ${limit}`);
  const median = measured.toSorted((a, b) => a - b)[Math.floor(measured.length / 2)] ?? 0;
  return median > limit ? [`${name}: ${median} ms`] : [];
};

/** Measures as often as is said, from the list of sales after the first time. */
const timed = async (
  visitor: Visitor,
  name: string,
  { limit, act, isShown, times = 1 }: Timing,
): Promise<ReadonlyArray<string>> => {
  const measured: Array<number> = [];
  while (measured.length < times) {
    if (measured.length > 0) await visitor.visit("sales");
    measured.push(await measure(visitor, act, isShown));
  }
  return within(limit, name, measured);
};

const to = (route: string): string => `location.hash = ${JSON.stringify(`#/${route}`)}`;

const NEXT =
  "[...document.querySelectorAll('.pager button')].find((one) => one.textContent === 'Next').click()";

/** The first page of a list, then five more. */
const timeList = async (
  visitor: Visitor,
  name: string,
  { route, heading, rows }: { readonly route: string; readonly heading: string; readonly rows: number },
): Promise<ReadonlyArray<string>> => {
  const first = await measure(visitor, to(route), shows(heading, rows));
  const next: Array<number> = [];
  for (let page = 2; page <= 6; page++)
    next.push(
      await measure(
        visitor,
        NEXT,
        `document.querySelector('.pager').textContent.startsWith('${(page - 1) * rows + 1}–') && document.querySelector('.stale') === null`,
      ),
    );
  return [
    ...within(FIRST_MILLISECONDS, `first page of ${name}`, [first]),
    ...within(NEXT_MILLISECONDS, `next pages of ${name}`, next),
  ];
};

/** The longest task of the page since its observer was installed. */
const longestTask = async ({ page }: Visitor): Promise<ReadonlyArray<string>> => {
  const longest = Number(await page.evaluate("window.longest"));
  // The browser reports tasks from 50 ms on.
  console.log(
    `longest task: ${longest === 0 ? "under 50" : Math.round(longest)} ms, at most ${TASK_MILLISECONDS}`,
  );
  return longest > TASK_MILLISECONDS ? [`a task took ${longest} ms`] : [];
};

/** Times every page; returns what missed its limit. */
export const timeLists = async (): Promise<ReadonlyArray<string>> => {
  const place = folder();
  const server = run(place.path, ["serve", "--port", "0"], { LOG_LEVEL: "off" }, []);
  const url = await listening(server);
  const key = developmentKey(place.path);
  const post: Post = async (path, request) => {
    const { status, body } = await call(url, key, "POST", path, request);
    if (status >= 400) throw new Error(`${path}: ${JSON.stringify(body)}`);
    return body;
  };
  const { partnerId } = await fill(post, 1, ROWS);
  // Last, so that the statistics of the store are from when there was one partner.
  const month = await fill(post, PARTNERS, SALES_EACH);
  const made = await call(url, key, "POST", "api-keys", { kind: "partner", partner_ids: [partnerId] });
  const launched = await launch();
  const problems: Array<string> = [];

  const partner = await arrive(launched.browser, url, "portal");
  await signIn(partner, made.body.key);
  await partner.page.evaluate(LONG_TASKS);
  problems.push(
    ...(await timeList(partner, "100,000 commissions of the portal", {
      ...{ route: "commissions", heading: "ommissions", rows: 50 },
    })),
    ...(await longestTask(partner)),
  );
  await partner.leave();

  const team = await arrive(launched.browser, url, "console");
  await signIn(team, key);
  await team.page.evaluate(LONG_TASKS);
  problems.push(
    ...(await timeList(team, "110,000 sales", { route: "sales", heading: "Sales", rows: 50 })),
    ...(await timed(team, "a sale by its number", {
      ...{ limit: FIRST_MILLISECONDS, act: to("sales?externalReferences=ORDER-1234-1") },
      isShown: `${shows("Sales", 1)} && document.querySelectorAll('tbody tr').length === 1`,
    })),
    ...(await timed(team, "the partner with 100,000 sales", {
      ...{ limit: FIRST_MILLISECONDS, act: to(`partners/${partnerId}`), isShown: shows("Partner 1", 1) },
      times: 9,
    })),
    ...(await timed(team, "the overview", {
      ...{ limit: FIRST_MILLISECONDS, act: to(""), isShown: shows("Overview", 0) },
    })),
  );
  let previews = 0;
  team.page.on("request", (request) => {
    if (request.method() === "POST" && request.url().includes("settlement-runs")) previews++;
  });
  problems.push(
    ...(await timed(team, `the preview of a run with ${PARTNERS * SALES_EACH} lines`, {
      ...{ limit: PREVIEW_MILLISECONDS, act: to(`runs/new?workspace=${month.workspaceId}`) },
      isShown: `${shows("Settle", 50)} && document.body.innerText.includes('${PARTNERS} drafts')`,
    })),
    ...(previews === 1 ? [] : [`the preview took ${previews} requests`]),
    ...(await longestTask(team)),
  );
  await team.leave();

  await launched.close();
  server.process.kill("SIGTERM");
  await server.ended;
  place.remove();
  return problems;
};
