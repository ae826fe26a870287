/**
 * Servers on a Citus cluster while the database of one node refuses connections; `npm run citus` runs this. Requests and
 * background work of customers on other nodes succeed; background work of the lost node continues when it returns.
 */
import { Effect, Redacted } from "effect";
import pg from "pg";
import { Principal } from "quittance";
import { expect, inject, it } from "vitest";
import { SELF_BILLING } from "../../http/Scene.ts";
import { ask, call } from "../../server/running.ts";
import { database } from "../../support/postgres.ts";
import { receive } from "../../webhooks/Receiver.ts";
import {
  ADMIN_TOKEN,
  BILLING_PROFILE,
  command,
  eventually,
  type Json,
  LIMIT_MILLISECONDS,
  ORDER_VALUE,
  percent,
  SINCE,
  serve,
} from "./Service.ts";

const DAY = 86_400_000;

const query = async (url: string, text: string): Promise<ReadonlyArray<Json>> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Json>(text)).rows;
  } finally {
    await client.end();
  }
};

const portOf = async (url: string, customerId: string): Promise<string> => {
  const [found] = await query(
    url,
    `select p.nodeport from pg_dist_shard_placement p
    where p.shardid = get_shard_id_for_distribution_column('quittance.commands', '${customerId}'::uuid)`,
  );
  return String(found?.nodeport);
};

/** Creates a customer whose rows are on the node, or, with `isThere` false, on another one. */
const customerOn = async (url: string, port: string, isThere: boolean): Promise<string> => {
  for (;;) {
    const customerId = crypto.randomUUID();
    if (((await portOf(url, customerId)) === port) === isThere) return customerId;
  }
};

/** Sets up a customer: two partners, a plan, a webhook endpoint, a weekly cadence that begins today, and one sale. */
const setUp = async (server: string, customerId: string) => {
  const { key } = await ask(server, ADMIN_TOKEN, "POST", "api-keys", {
    customer_id: customerId,
    scopes: Principal.ALL_SCOPES,
  });
  const own = (method: string, path: string, body?: unknown) => ask(server, String(key), method, path, body);
  const list = async (path: string, field: string) =>
    (await own("GET", path))[field] as ReadonlyArray<Json & { readonly id: string }>;
  const receiver = await receive();
  const workspace_id = crypto.randomUUID();
  await own("PUT", "billing-profile", BILLING_PROFILE);
  await own("POST", "webhook-endpoints", { url: `${receiver.url}/events` });
  const properties = [{ name: "order_value", type: "number", required: true }];
  const schema = await own("POST", "attribution-schemas", { workspace_id, name: "Sale", properties });
  const partner = { workspace_id, name: "Nordlys", billing_mode: "self_billing" };
  const { id: partner_id } = await own("POST", "partners", {
    ...partner,
    self_billing_data: SELF_BILLING,
  });
  const terms = { workspace_id, schema_id: schema.id, currency: "EUR", start_datetime: SINCE };
  const plan = await own("POST", "commission-plans", {
    ...terms,
    name: "plan",
    expression: percent(ORDER_VALUE, 10),
  });
  await own("POST", `commission-plans/${plan.id}/partners`, { partner_ids: [partner_id] });
  const day = new Date().getUTCDay() || 7;
  await own("PUT", `settlement-policies/${workspace_id}`, {
    cadence: { type: "weekly", day, time_zone: "UTC" },
  });
  const sell = (order_value: number) =>
    own("POST", "attributions", {
      ...{ workspace_id, schema_id: schema.id, partner_id, properties: { order_value } },
      occurred_at: new Date(Date.now() - 2 * DAY).toISOString(),
    });
  await sell(1_000);
  /** Creates a batch, cancels a sale, and reads the sums of commissions. */
  const sellAndCancel = async () => {
    const sale = { workspace_id, schema_id: schema.id, partner_id, properties: { order_value: 100 } };
    await own("POST", "attributions/batch", { attributions: [sale, sale, sale] });
    const [newest] = await list("attributions?per_page=1", "attributions");
    await own("DELETE", `attributions/${newest?.id}`, { reason: "returned" });
    const { balances } = await own("GET", `partners/${partner_id}/balance`);
    expect(balances).toMatchObject([{ currency: "EUR", settled: 600 }]);
    const to = new Date(Date.now() - 1_000).toISOString();
    await own("GET", `partners/${partner_id}/statement?currency=EUR&from=${SINCE}&to=${to}`);
  };
  const raise = (rate: number) =>
    own("PATCH", `commission-plans/${plan.id}`, {
      ...{ name: "plan", effective_datetime: SINCE, expression: percent(ORDER_VALUE, rate) },
    });
  const sent = () => new Set(receiver.arrived.map(({ event }) => event.id));
  return { key: String(key), own, list, sell, sellAndCancel, raise, sent, close: receiver.close };
};

type Customer = Awaited<ReturnType<typeof setUp>>;

/** Makes today's scheduled run due now. */
const makeDue = (url: string): Promise<unknown> =>
  query(
    url,
    `update quittance.settlement_policies set next_run_at = 1,
      view = jsonb_set(view, '{next}', '{"label": "1970-W01", "at": 1}')`,
  );

/** Waits for the draft of the scheduled run, then approves and pays it. */
const expectSettled = async ({ own, list }: Customer): Promise<void> => {
  const drafts = await eventually(
    () => list("settlements?statuses=draft", "settlements"),
    (found) => found.length === 1,
  );
  for (const { id } of drafts) {
    await own("POST", `settlements/${id}/approve`);
    await eventually(
      () => list("settlements?statuses=awaiting_payment", "settlements"),
      (found) => found.length === 1,
    );
    await own("POST", `settlements/${id}/initiate-payment`);
    await own("POST", `settlements/${id}/mark-as-paid`, {});
  }
};

/** Waits until the plan's change has recomputed both commissions, whose sum was 300. */
const expectRaised = ({ list }: Customer, amounts: ReadonlyArray<number>): Promise<unknown> =>
  eventually(
    () => list("commissions", "commissions"),
    (found) => {
      const computed = found.map(({ view }) => Number((view as Json).computed_amount));
      return JSON.stringify(computed.sort((a, b) => a - b)) === JSON.stringify(amounts);
    },
  );

/** Waits until the webhook receiver has every event of the feed. */
const expectSent = ({ list, sent }: Customer, count: number): Promise<unknown> =>
  eventually(
    () => list("events?limit=1000", "events"),
    (found) => found.length >= count && found.every(({ id }) => sent().has(id)),
  );

it(
  "serves the customers of the other nodes while one node is lost, and those of the node when it is back",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const url = Redacted.value(yield* database());
        const [node = ""] = inject("postgres").nodes ?? [];
        const name = new URL(url).pathname.slice(1);
        yield* Effect.promise(async () => {
          const port = new URL(node).port;
          const servers = [await serve(url, "off"), await serve(url, "on")] as const;
          const healthy = await setUp(servers[0].url, await customerOn(url, port, false));
          const lost = await setUp(servers[1].url, await customerOn(url, port, true));
          try {
            await makeDue(url);
            await query(node, `alter database ${name} with allow_connections false`);
            await query(
              node,
              `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
            );
            const refused = await call(servers[0].url, lost.key, "GET", "attributions");
            expect(refused.status).toBe(503);
            await healthy.sell(2_000);
            await healthy.raise(20);
            await expectRaised(healthy, [200, 400]);
            await expectSettled(healthy);
            await healthy.sellAndCancel();
            await expectSent(healthy, 20);
            expect((await call(servers[1].url, lost.key, "GET", "attributions")).status).toBe(503);

            await query(node, `alter database ${name} with allow_connections true`);
            await eventually(
              () => call(servers[1].url, lost.key, "GET", "attributions"),
              ({ status }) => status === 200,
            );
            await lost.sell(2_000);
            await lost.raise(30);
            await expectRaised(lost, [300, 600]);
            await expectSettled(lost);
            await expectSent(lost, 12);
          } finally {
            await query(node, `alter database ${name} with allow_connections true`);
            for (const server of servers) await server.kill();
            for (const { close } of [healthy, lost]) close();
          }
          expect(await command(url, "verify")).toContain("no problem found in 2 customers");
        });
      }),
    ).pipe(Effect.runPromise),
  LIMIT_MILLISECONDS,
);
