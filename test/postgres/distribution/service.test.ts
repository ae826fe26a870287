/** Servers on a Citus cluster through HTTP and the command line; `npm run citus` runs this. */
import { Effect, Redacted } from "effect";
import { Principal } from "quittance";
import { distribute } from "quittance/postgres";
import { expect, it } from "vitest";
import { client } from "../../../adapters/postgres/Connection.ts";
import type { Running } from "../../crash/Process.ts";
import { SELF_BILLING } from "../../http/Scene.ts";
import { ask as call } from "../../server/running.ts";
import { connected, database } from "../../support/postgres.ts";
import { receive } from "../../webhooks/Receiver.ts";
import { CUSTOMER, makeVersion1 } from "../schema/version1.ts";
import {
  ADMIN_TOKEN,
  BILLING_PROFILE,
  command,
  eventually,
  type Json,
  LIMIT_MILLISECONDS,
  OF_MONTH,
  ORDER_VALUE,
  percent,
  SINCE,
  serve,
} from "./Service.ts";

/** Creates sales, settles by a run, approves, pays by a file, reads balance, statement and events; alternates two servers. */
const story = async (servers: ReadonlyArray<Running>): Promise<void> => {
  let turn = 0;
  const next = (): string => servers[turn++ % servers.length]?.url ?? "";
  const { key } = await call(next(), ADMIN_TOKEN, "POST", "api-keys", {
    customer_id: crypto.randomUUID(),
    scopes: Principal.ALL_SCOPES,
  });
  const ask = (method: string, path: string, body?: unknown) => call(next(), String(key), method, path, body);
  const list = async (path: string, field: string) =>
    (await ask("GET", path))[field] as ReadonlyArray<Json & { readonly id: string }>;
  const workspace_id = crypto.randomUUID();
  const receiver = await receive();
  try {
    await ask("PUT", "billing-profile", BILLING_PROFILE);
    await ask("POST", "webhook-endpoints", { url: `${receiver.url}/events` });
    const properties = [{ name: "order_value", type: "number", required: true }];
    const schema = await ask("POST", "attribution-schemas", { workspace_id, name: "Sale", properties });
    const terms = {
      workspace_id,
      schema_id: schema.id,
      name: "terms",
      currency: "EUR",
      start_datetime: SINCE,
    };
    const partners: Array<unknown> = [];
    for (const name of ["Nordlys", "Vestlys"]) {
      const body = { workspace_id, name, billing_mode: "self_billing", self_billing_data: SELF_BILLING };
      const { id: partner_id } = await ask("POST", "partners", body);
      const expression = percent(OF_MONTH, 1);
      await ask("POST", "commission-formulas", { ...terms, partner_id, expression });
      partners.push(partner_id);
    }
    const plan = await ask("POST", "commission-plans", { ...terms, expression: percent(ORDER_VALUE, 10) });
    await ask("POST", `commission-plans/${plan.id}/partners`, { partner_ids: partners });
    const sale = (place: number) => ({
      ...{ workspace_id, schema_id: schema.id, partner_id: partners[place % 2] },
      properties: { order_value: 1_000 + place },
    });
    await ask("POST", "attributions/batch", {
      attributions: Array.from({ length: 20 }, (_, place) => sale(place)),
    });
    const singles = Array.from({ length: 20 }, (_, place) => ask("POST", "attributions", sale(place)));
    const [first] = await Promise.all(singles);
    await ask("DELETE", `attributions/${first?.id}`, { reason: "returned" });
    const change = { name: "terms", effective_datetime: SINCE, expression: percent(ORDER_VALUE, 7) };
    await ask("PATCH", `commission-plans/${plan.id}`, change);

    await ask("PUT", `settlement-policies/${workspace_id}`, {
      minimum: { EUR: 100 },
    });
    const started = await ask("POST", "settlement-runs", { workspace_id });
    const isDone = ({ run }: Json) => (run as Json).state === "done";
    const { run: done } = await eventually(() => ask("GET", `settlement-runs/${started.id}`), isDone);
    expect(done).toMatchObject({ partners_done: 2, draft_count: 2 });
    const drafts = await list("settlements?statuses=draft", "settlements");
    for (const { id } of drafts) await ask("POST", `settlements/${id}/approve`);
    const payable = () => list("settlements?statuses=awaiting_payment", "settlements");
    await eventually(payable, (found) => found.length === 2);
    for (const { id } of drafts) await ask("POST", `settlements/${id}/initiate-payment`);
    const file = await ask("POST", "payment-files", {});
    await ask("POST", `payment-files/${file.id}/hand-over`);
    for (const { id } of drafts) await ask("POST", `settlements/${id}/mark-as-paid`, {});

    const { balances } = await ask("GET", `partners/${partners[0]}/balance`);
    const [balance] = balances as ReadonlyArray<Json>;
    expect(balance).toMatchObject({ currency: "EUR", due: 0, pending: 0, settled: balance?.earned });
    const to = new Date(Date.now() - 1_000).toISOString();
    const span = `currency=EUR&from=${new Date(Date.now() - 3_600_000).toISOString()}&to=${to}`;
    expect(await ask("GET", `partners/${partners[0]}/statement?${span}`)).toHaveProperty("movements");

    const sent = () => new Set(receiver.arrived.map(({ event }) => event.id));
    const events = () => list("events?limit=1000", "events");
    const feed = await eventually(events, (found) => found.length > 40 && sent().size >= found.length);
    expect(feed.filter(({ id }) => !sent().has(id))).toEqual([]);
  } finally {
    receiver.close();
  }
};

it(
  "two servers settle by runs, pay by files and send every event, and verify finds no problem",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const url = Redacted.value(yield* database({ migrated: false }));
        yield* Effect.promise(async () => {
          await command(url, "migrate", "--distribute", "citus");
          await command(url, "migrate", "--distribute", "citus");
          await command(url, "migrate");
          const servers = await Promise.all([serve(url, "off"), serve(url, "on")]);
          try {
            await story(servers);
            expect(servers.map(({ errors }) => errors())).toEqual(["", ""]);
          } finally {
            for (const server of servers) await server.kill();
          }
          expect(await command(url, "verify")).toContain("no problem found in 1 customer");
          expect((await command(url, "export", "lines")).split("\n").length).toBeGreaterThan(40);
        });
      }),
    ).pipe(Effect.runPromise),
  LIMIT_MILLISECONDS,
);

const LOCAL_TABLES = `select c.relname from pg_class c
where c.relnamespace = 'quittance'::regnamespace and c.relkind = 'r'
  and not exists (select from pg_dist_partition p where p.logicalrelid = c.oid)`;

it(
  "distributes a database of version 1 with its records",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const url = yield* database({ migrated: false });
        yield* Effect.provide(makeVersion1, client({ url }));
        yield* distribute({ url });
        const direct = yield* connected(url);
        const { rows } = yield* Effect.promise(() => direct.query(LOCAL_TABLES));
        expect(rows).toEqual([]);
        const verified = yield* Effect.promise(() =>
          command(Redacted.value(url), "verify", "--customer", CUSTOMER),
        );
        expect(verified).toContain("no problem found in 1 customer");
      }),
    ).pipe(Effect.runPromise),
  LIMIT_MILLISECONDS,
);
