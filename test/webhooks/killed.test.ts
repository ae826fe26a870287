/** Servers that are killed while they send: no event is missed, and each record's events arrive in order. */
import { setTimeout as pause } from "node:timers/promises";
import { Effect, Redacted } from "effect";
import { expect, it } from "vitest";
import { type Running, startNode } from "../crash/Process.ts";
import { ask as call, MAIN } from "../server/running.ts";
import { database } from "../support/postgres.ts";
import { type Arrived, receive, until } from "./Receiver.ts";

const ROOT = new URL("../..", import.meta.url).pathname;
const ADMIN_TOKEN = "platform-token-of-the-webhook-tests-01";
const SALES = 160;

const serve = (url: string): Promise<Running> =>
  startNode(
    [MAIN, "serve"],
    {
      DATABASE_URL: url,
      PORT: "0",
      QUITTANCE_ADMIN_TOKEN: ADMIN_TOKEN,
      QUITTANCE_WEBHOOKS_PRIVATE: "on",
      QUITTANCE_LEASE_SECONDS: "3",
      LOG_LEVEL: "error",
    },
    ROOT,
  );

/** The events of each record in the order in which they first arrived. */
const firstSightings = (arrived: ReadonlyArray<Arrived>): ReadonlyMap<string, ReadonlyArray<number>> => {
  const records = new Map<string, Array<number>>();
  for (const { event } of arrived) {
    const seen = records.get(event.record_id) ?? [];
    if (!seen.includes(event.sequence)) records.set(event.record_id, [...seen, event.sequence]);
  }
  return records;
};

it("three servers that are killed one after the other send every event", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const url = yield* database();
      yield* Effect.promise(() => campaign(Redacted.value(url)));
    }),
  ).pipe(Effect.runPromise));

const campaign = async (url: string): Promise<void> => {
  let requests = 0;
  // Each third event of the first time is refused, so that records wait for repetitions when the servers are killed.
  const accepted: Array<Arrived> = [];
  const receiver = await receive((arrived, response) => {
    requests += 1;
    const isRefused = requests % 3 === 0 && requests < 200;
    if (!isRefused) accepted.push(arrived);
    setTimeout(() => response.writeHead(isRefused ? 503 : 200).end(), 5);
  });
  let server = await serve(url);
  try {
    const customerId = crypto.randomUUID();
    const workspace_id = crypto.randomUUID();
    const { key } = await call(server.url, ADMIN_TOKEN, "POST", "api-keys", { customer_id: customerId });
    const ask = (method: string, path: string, json?: unknown) =>
      call(server.url, String(key), method, path, json);
    const partner = await ask("POST", "partners", { name: "Nordlys ApS", workspace_id });
    const schema = await ask("POST", "attribution-schemas", { name: "Sale", workspace_id, properties: [] });
    const endpoint = await ask("POST", "webhook-endpoints", { url: `${receiver.url}/events` });
    const sale = { partner_id: partner.id, schema_id: schema.id, workspace_id, properties: {} };
    const { results } = (await ask("POST", "attributions/batch", {
      attributions: Array.from({ length: SALES }, () => sale),
    })) as { readonly results: ReadonlyArray<{ readonly id: string }> };
    for (const [index, { id }] of results.entries())
      if (index % 4 === 0) await ask("DELETE", `attributions/${id}`, { reason: "returned" });
    const due = SALES + SALES / 4;
    const idsAccepted = () => new Set(accepted.map(({ event }) => event.id));
    for (const milliseconds of [150, 60]) {
      const before = receiver.arrived.length;
      // On a busy machine a server may have sent all of them before it is killed.
      await until(() => receiver.arrived.length > before + 20 || idsAccepted().size === due);
      await pause(milliseconds);
      await server.kill();
      server = await serve(url);
    }
    const delivered = async () => {
      const { total } = await ask("GET", `webhook-endpoints/${endpoint.id}/deliveries?statuses=delivered`);
      return Number(total);
    };
    for (const end = Date.now() + 300_000; Date.now() < end && (await delivered()) < due; ) await pause(200);
    expect(await delivered()).toBe(due);
    const { events } = (await ask("GET", "events?limit=1000")) as {
      readonly events: ReadonlyArray<{ readonly id: string; readonly record_id: string }>;
    };
    const heard = idsAccepted();
    // The key and the partner were there before the endpoint.
    expect(events.slice(2).filter(({ id }) => !heard.has(id))).toEqual([]);
    expect(heard.size).toBe(due);
    const records = firstSightings(accepted);
    expect(records.size).toBe(SALES);
    for (const sequences of records.values()) expect(sequences).toEqual([...sequences].sort());
  } finally {
    await server.kill();
    receiver.close();
  }
};
