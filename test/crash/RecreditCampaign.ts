/** Kills a worker while it performs a recredit run, several times: every sale of the span is recredited once, and no result is missing. */
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { Effect } from "effect";
import { checkInvariants, findRecreditViolations, LedgerSnapshot } from "quittance/testing";
import { random } from "../support/Random.ts";
import type { Cluster } from "./Database.ts";
import { drain } from "./Engine.ts";
import { host, NEVER } from "./PaymentCampaign.ts";
import type { Running } from "./Process.ts";
import { field, type Request, send } from "./Wire.ts";
import { addUplines, createCustomer, type World } from "./World.ts";

/** The counts and problems of a campaign. */
export interface RecreditReport {
  /** How many sales the run had done when each worker was killed. */
  readonly kills: ReadonlyArray<number>;
  readonly changed: number;
  readonly cancelled: number;
  readonly problems: ReadonlyArray<string>;
  readonly milliseconds: number;
}

const WAIT_LIMIT_MILLISECONDS = 60_000;
const SALES_PER_PARTNER = 60;
const CANCELLED = 7;
const REASON = "the team was entered late";
const SPAN = { from: "2026-01-01T00:00:00Z", to: "2026-03-01T00:00:00Z" };

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resume) => setTimeout(resume, milliseconds));

const sendOrFail = async (url: string, token: string, request: Request): Promise<unknown> => {
  const response = await send(url, token, request);
  if (response.type === "lost" || response.status >= 300)
    throw new Error(`${request.path}: ${JSON.stringify(response)}`);
  return response.body;
};

/** Records sales of every partner on the days of a span, before anybody has an upline, and cancels some. */
const recordSales = async (url: string, { token, schemaId, workspaceId, earners }: World): Promise<void> => {
  const created: Array<string> = [];
  for (const { id } of earners) {
    const attributions = Array.from({ length: SALES_PER_PARTNER }, (_, place) => ({
      ...{ partner_id: id, schema_id: schemaId, workspace_id: workspaceId },
      properties: { order_value: 1_000 + place },
      occurred_at: new Date(Date.parse(SPAN.from) + place * 86_400_000 * 0.98).toISOString(),
    }));
    const body = await sendOrFail(url, token, {
      ...{ method: "POST", path: "attributions/batch", json: { attributions } },
    });
    const results = field(body, "results");
    for (const result of Array.isArray(results) ? results : []) created.push(String(field(result, "id")));
  }
  for (let place = 0; place < CANCELLED; place++)
    await sendOrFail(url, token, {
      ...{ method: "DELETE", path: `attributions/${created[place * 31]}`, json: { reason: "returned" } },
    });
};

/** How many sales the run has done; null without a response. */
const readDone = async (url: string, token: string, id: string): Promise<number | null> => {
  const response = await send(url, token, { method: "GET", path: `recredits/${id}?per_page=1` });
  const run = response.type === "response" ? field(response.body, "run") : undefined;
  return run === undefined ? null : Number(field(run, "sales_done"));
};

/** Kills the host once its run has done so many sales; returns how many it had done by the last response. */
const killAt = async (one: Running, token: string, id: string, target: number): Promise<number> => {
  const deadline = Date.now() + WAIT_LIMIT_MILLISECONDS;
  for (;;) {
    const done = await readDone(one.url, token, id);
    if (done !== null && done >= target) {
      await one.kill();
      return done;
    }
    if (Date.now() > deadline) throw new Error(`the run did not reach ${target} sales\n${one.errors()}`);
    await pause(2);
  }
};

/** What is wrong with the sales, once the rest of the run is performed. */
const examine = (world: World, id: string) =>
  Effect.gen(function* () {
    yield* drain;
    yield* checkInvariants(world.customerId);
    const books = yield* LedgerSnapshot.readSnapshot(world.customerId);
    const { runs, results, violations } = yield* findRecreditViolations(world.customerId, books);
    const problems = [...violations];
    const [run, ...others] = runs;
    if (run === undefined || run.id !== id || others.length > 0) return yield* Effect.die("no single run");
    const origins = books.attributions.filter(({ row }) => row.originId === null);
    if (run.state !== "done") problems.push(`the run is ${run.state}`);
    if (run.salesDone !== origins.length)
      problems.push(`the run has done ${run.salesDone} of ${origins.length} sales`);
    for (const { row, log } of origins) {
      const found = results
        .filter(({ attributionId }) => attributionId === row.id)
        .map(({ outcome }) => outcome);
      const events = log.filter(({ event }) => event.type === "recredit_attribution").length;
      const above = books.attributions.filter((one) => one.row.originId === row.id).length;
      const place = world.earners.findIndex((earner) => earner.id === row.partnerId);
      // Two sellers have a manager and a director, one a manager, and one nobody.
      const uplines = row.status === "cancelled" ? 0 : ([2, 2, 1, 0][place] ?? 0);
      const outcome = row.status === "cancelled" ? "attribution_cancelled" : uplines > 0 ? "changed" : "";
      if (found.join() !== outcome || events !== Math.min(uplines, 1) || above !== uplines)
        problems.push(
          `sale ${row.id} of earner ${place}: ${found.join()}, ${events} recredits, ${above} uplines`,
        );
    }
    return { problems, changed: run.changedCount, cancelled: run.cancelledCount };
  });

/** Performs a recredit run whose worker is killed so many times. */
export const recredits = async (cluster: Cluster, kills: number, seed: number): Promise<RecreditReport> => {
  const startedAt = Date.now();
  const decide = random(seed);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "quittance-recredits-"));
  const running = new Set<Running>();
  const started = async (): Promise<Running> => {
    const one = await host(cluster, folder, NEVER);
    running.add(one);
    return one;
  };
  try {
    let one = await started();
    const unmanaged = await createCustomer(one.url);
    await recordSales(one.url, unmanaged);
    const world = await addUplines(one.url, unmanaged);
    const { token, workspaceId } = world;
    const json = { workspace_id: workspaceId, ...SPAN, reason: REASON };
    const made = await sendOrFail(one.url, token, { method: "POST", path: "recredits", json });
    const id = String(field(made, "id"));
    const part = Math.floor((world.earners.length * SALES_PER_PARTNER) / (kills + 1));
    const done: Array<number> = [];
    for (let kill = 0; kill < kills; kill++) {
      done.push(await killAt(one, token, id, kill * part + decide.integer(1, part)));
      await cluster.atRest();
      one = await started();
    }
    await one.kill();
    await cluster.atRest();
    const end = await Effect.runPromise(Effect.provide(examine(world, id), cluster.layer));
    return { ...end, kills: done, milliseconds: Date.now() - startedAt };
  } finally {
    await Promise.all([...running].map(({ kill }) => kill()));
    fs.rmSync(folder, { recursive: true, force: true });
  }
};
