/** The service on a Citus cluster, by its HTTP interface and its command line; `npm run citus` runs this. */
import { Effect, Redacted } from "effect";
import { Principal } from "quittance";
import { distribute } from "quittance/postgres";
import { expect, it } from "vitest";
import { client } from "../../../adapters/postgres/Connection.ts";
import { type Running, startNode } from "../../crash/Process.ts";
import { ask as call, MAIN, run } from "../../server/running.ts";
import { connected, database } from "../../support/postgres.ts";
import { receive } from "../../webhooks/Receiver.ts";
import { CUSTOMER, makeVersion1 } from "../schema/version1.ts";

const ROOT = new URL("../../..", import.meta.url).pathname;
const ADMIN_TOKEN = "platform-token-of-the-cluster-tests-01";
const WAIT_MILLISECONDS = 60_000;
const LIMIT_MILLISECONDS = 180_000;

const ADDRESS = {
  street: "Havnegade 1",
  city: "København",
  region: "Hovedstaden",
  postal_code: "1058",
  country: "DK",
};
const SELF_BILLING_DATA = {
  legal_name: "Nordlys ApS",
  address: ADDRESS,
  vat_number: "DK12345678",
  payment_terms_days: 30,
  bank_account: { beneficiary_name: "Nordlys ApS", iban: "DK5000400440116243", bic: "NDEADKKK" },
  tax_config: { treatment: "standard", label: "VAT", rate_bps: 2_500 },
};
const BILLING_PROFILE = {
  legal_name: "Havn & Mark GmbH",
  address: ADDRESS,
  vat_number: "DE123456789",
  bank_account: { beneficiary_name: "Havn & Mark GmbH", iban: "DE02120300000000202051", bic: "BYLADEM1001" },
};
const ORDER_VALUE = { type: "property", name: "order_value" };
const percent = (amount: object, value: number) => ({
  type: "multiply",
  operands: [amount, { type: "literal", value: { type: "percent", value } }],
});
const OF_MONTH = {
  type: "aggregate",
  function: "sum",
  value: ORDER_VALUE,
  window: { type: "calendar", unit: "month" },
};
const SINCE = "2020-01-01T00:00:00Z";

type Json = Readonly<Record<string, unknown>>;

const serve = (url: string, worker: "on" | "off"): Promise<Running> =>
  startNode(
    [MAIN, "serve"],
    {
      DATABASE_URL: url,
      PORT: "0",
      QUITTANCE_ADMIN_TOKEN: ADMIN_TOKEN,
      QUITTANCE_WORKER: worker,
      QUITTANCE_WEBHOOKS_PRIVATE: "on",
      QUITTANCE_PAYOUTS: "sepa",
      LOG_LEVEL: "error",
    },
    ROOT,
  );

/** Runs the command line; returns what it prints when it succeeds. */
const command = async (url: string, ...args: ReadonlyArray<string>): Promise<string> => {
  const { ended, output, errors } = run(ROOT, args, { DATABASE_URL: url });
  expect([await ended, errors()]).toEqual([0, ""]);
  return output();
};

/** Reads again until something holds. */
const eventually = async <A>(read: () => Promise<A>, holds: (found: A) => boolean): Promise<A> => {
  for (const end = Date.now() + WAIT_MILLISECONDS; ; ) {
    const found = await read();
    if (holds(found)) return found;
    if (Date.now() > end) throw new Error(`waited too long: ${JSON.stringify(found)}`);
    await new Promise((resume) => setTimeout(resume, 100));
  }
};

/** Sells, settles by a run, approves, pays by a file, and reads balance, statement and events; on two servers in turn. */
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
      const body = { workspace_id, name, billing_mode: "self_billing", self_billing_data: SELF_BILLING_DATA };
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
      minimum_amounts: [{ currency: "EUR", amount: 100 }],
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
          expect(await command(url, "verify")).toContain("no problem found in 1 customers");
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
        expect(verified).toContain("no problem found in 1 customers");
      }),
    ).pipe(Effect.runPromise),
  LIMIT_MILLISECONDS,
);
