/** `quittance verify` on recredit runs: silent on sound ones, and each kind of damage is named. */
import { randomUUID } from "node:crypto";
import { Effect, Stream } from "effect";
import pg from "pg";
import type { Ids } from "quittance";
import { open } from "quittance/promise";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { forEachCustomer } from "../../../adapters/server/Snapshot.ts";
import { statements } from "../../../adapters/server/verification/Statements.ts";
import type {} from "../../support/postgresSetup.ts";

const admin = inject("postgres").url;
const NAME = `quittance_verify_recredits_${process.pid}`;
const urlOf = (name: string): string => Object.assign(new URL(admin), { pathname: `/${name}` }).href;
const customerId = randomUUID() as Ids.CustomerId;

const DATES = ["2026-01-05T10:00:00Z", "2026-01-10T10:00:00Z", "2026-01-15T10:00:00Z"] as const;
const SPAN = { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" };

const query = async (at: string, ...texts: ReadonlyArray<string>): Promise<ReadonlyArray<pg.QueryResult>> => {
  const client = new pg.Client({ connectionString: at });
  await client.connect();
  try {
    const results: Array<pg.QueryResult> = [];
    for (const text of texts) results.push(await client.query(text));
    return results;
  } finally {
    await client.end();
  }
};

/** What the check finds in a database. */
const found = async (name: string): Promise<ReadonlyArray<string>> => {
  const check = statements.find((one) => one.name === "recredit runs");
  if (check === undefined) throw new Error("no such check");
  const problems: Array<string> = [];
  await Effect.runPromise(
    forEachCustomer({ type: "postgres", url: urlOf(name) }, customerId, (reader) =>
      Stream.runForEach(
        check.find(reader, () => {}),
        ({ problem }) => Effect.sync(() => problems.push(problem)),
      ),
    ),
  );
  return problems;
};

/** A run that has changed two of three sales, the third of which is cancelled; one that is dry, one of a partner, one that waits. */
let [done, dry, ofPartner, waiting] = ["", "", "", ""];
let sales: ReadonlyArray<string> = [];

beforeAll(async () => {
  await query(admin, `create database ${NAME} template ${inject("postgres").template}`);
  const quittance = await open({ database: urlOf(NAME), worker: false });
  const me = quittance.as({ customerId });
  const workspaceId = randomUUID();
  const partner = async (name: string) => (await me.partners.create({ name, workspaceId })).id;
  const [seller, manager] = [await partner("Nordlys ApS"), await partner("Solveig")];
  const { id: schemaId } = await me.attributionSchemas.create({
    ...{ workspaceId, name: "Sale", properties: [{ name: "cents", type: "number", required: true }] },
  });
  await me.commissionFormulas.create({
    ...{ workspaceId, schemaId, partnerId: manager, roles: ["manager"], name: "override", currency: "EUR" },
    ...{ startDatetime: "2000-01-01T00:00:00Z", expression: { type: "property", name: "cents" } },
  });
  const made: Array<string> = [];
  for (const occurredAt of DATES)
    made.push(
      (
        await me.attributions.create({
          ...{ partnerId: seller, schemaId, workspaceId, occurredAt, properties: { cents: 100 } },
        })
      ).id,
    );
  sales = made;
  await me.attributions.cancel(made[2] ?? "", { reason: "returned" });
  const link = { partnerId: seller, uplinePartnerId: manager, role: "manager" };
  await me.partnerLinks.create({ ...link, startDatetime: "2025-01-01T00:00:00Z" });
  const start = async (more: object): Promise<string> => {
    const { id } = await me.recreditRuns.start({ workspaceId, ...SPAN, reason: "entered late", ...more });
    return id;
  };
  dry = await start({ dryRun: true });
  await quittance.drain();
  done = await start({});
  await quittance.drain();
  ofPartner = await start({ partnerIds: [manager] });
  await quittance.drain();
  waiting = await start({});
  await quittance.close();
  // The runs began long after the sales were recorded.
  await query(urlOf(NAME), "update quittance.recredit_runs set created_at = created_at + 2592000001");
});

afterAll(() => query(admin, `drop database if exists ${NAME} with (force)`));

const set = (id: string, path: string, value: string): string =>
  `update quittance.recredit_runs set view = jsonb_set(view, '{${path}}', '${value}') where id = '${id}'`;

/** A value of the result of the run for the first sale. */
const setResult = (path: string, value: string): string =>
  `update quittance.recredit_run_results set view = jsonb_set(view, '{${path}}', '${value}')
   where run_id = '${done}' and attribution_id = '${sales[0]}'`;

/** What is damaged, the statement, and what must be found. */
const DAMAGES: ReadonlyArray<
  readonly [what: string, text: () => string, found: () => ReadonlyArray<RegExp>]
> = [
  [
    "a count of outcomes",
    () => set(done, "changedCount", "3"),
    () => [RegExp(`run ${done}: it counts .*"changed": 3`)],
  ],
  [
    "a count of cancelled sales",
    () => set(done, "cancelledCount", "0"),
    () => [RegExp(`run ${done}: it counts`)],
  ],
  [
    "a count of credits",
    () => set(dry, "creditsAdded", "1"),
    () => [RegExp(`run ${dry}: it counts .*"added": 1`)],
  ],
  ["a sum", () => set(done, "totals,EUR,after", '"201"'), () => [RegExp(`run ${done}: it counts`)]],
  [
    "a sale that is left out",
    () => set(done, "salesDone", "2"),
    () => [
      RegExp(
        `run ${done}: it has done 2 sales; its results name 3, and its span has 3, 3 of them from long before`,
      ),
    ],
  ],
  [
    "a sale of a partner that is left out",
    () => set(ofPartner, "salesDone", "1"),
    () => [
      RegExp(`run ${ofPartner}: it has done 1 sales; its results name 0, and its span has 2, 2 of them`),
    ],
  ],
  [
    "a sale that is done twice",
    () => set(dry, "salesDone", "4"),
    () => [RegExp(`run ${dry}: it has done 4 sales`)],
  ],
  [
    "the outcome of a result",
    () =>
      `update quittance.recredit_run_results set outcome = 'failed' where run_id = '${done}' and attribution_id = '${sales[0]}'`,
    () => [RegExp(`run ${done}: it counts`)],
  ],
  [
    "the amount of a result",
    () => setResult("commissions,0,amountAfter", "99"),
    () => [RegExp(`run ${done}: it counts`)],
  ],
  [
    "the share of a result",
    () => setResult("credits,0,shareBefore", '"0.5"'),
    () => [RegExp(`run ${done}: it counts .* have .*"cancelled": 1`)],
  ],
  [
    "a second result of a sale",
    () => `insert into quittance.recredit_run_results (customer_id, id, workspace_id, run_id, attribution_id, outcome, view, created_at, version, last_at)
        select r.customer_id, 'ffffffff-ffff-4fff-bfff-ffffffffffff', r.workspace_id, r.run_id, r.attribution_id, r.outcome, r.view, r.created_at, 1, r.last_at
        from quittance.recredit_run_results r where r.run_id = '${dry}' and r.attribution_id = '${sales[0]}'`,
    () => [
      /result ffffffff.* is of the same run and sale/,
      RegExp(`run ${dry}: it counts`),
      RegExp(`run ${dry}: it has done 3`),
    ],
  ],
  [
    "a sale outside the span",
    () => set(dry, "from", String(Date.parse("2026-01-06T00:00:00Z"))),
    () => [RegExp(`${sales[0]} is none of the span of run ${dry}`), RegExp(`run ${dry}: it has done 3`)],
  ],
  [
    "a sale beyond the place that the run has reached",
    () => set(dry, "after,occurredAt", String(Date.parse(DATES[1]))),
    () => [RegExp(`is later than the last one that run ${dry} has done`)],
  ],
  [
    "a sale that the run did not change",
    () =>
      `delete from quittance.events where record_id = '${sales[1]}' and event->>'type' = 'recredit_attribution'`,
    () => [RegExp(`its sale ${sales[1]} was not recredited by run ${done}`)],
  ],
  [
    "the end of a run",
    () => set(done, "finishedAt", "null"),
    () => [RegExp(`run ${done}: it is done, and has not ended`)],
  ],
  [
    "the message of a run",
    () => `delete from quittance.outbox where record_id = '${waiting}'`,
    () => [RegExp(`run ${waiting}: it is not done, and no message`)],
  ],
];

describe("verify, recredit runs", () => {
  it("finds nothing in a sound store", async () => {
    const [counts] = await query(
      urlOf(NAME),
      "select view->>'state' as state, view->>'salesDone' as done, view->>'changedCount' as changed from quittance.recredit_runs order by created_at",
    );
    expect(counts?.rows.map(({ state, done, changed }) => `${state} ${done} ${changed}`)).toEqual([
      "done 3 2",
      "done 3 2",
      "done 2 0",
      "running 0 0",
    ]);
    expect(await found(NAME)).toEqual([]);
  });

  it.each(DAMAGES)("names %s", async (_, text, expected) => {
    const copy = `${NAME}_damaged`;
    await query(admin, `create database ${copy} template ${NAME}`);
    try {
      const [, changed] = await query(urlOf(copy), "set session_replication_role = replica", text());
      expect(changed?.rowCount).toBeGreaterThan(0);
      const problems = await found(copy);
      expect(problems.toSorted()).toEqual(expected().map((one) => expect.stringMatching(one)));
    } finally {
      await query(admin, `drop database ${copy} with (force)`);
    }
  });
});
