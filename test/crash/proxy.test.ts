/** A commit whose reply is lost: the server looks up whether it is stored, and responds accordingly, or with 503 when it cannot. */
import { Effect } from "effect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { audit } from "./Audit.ts";
import { type Cluster, postgres } from "./Database.ts";
import { type Intent, Journal, outcome } from "./Journal.ts";
import type { Running } from "./Process.ts";
import * as Cutting from "./Proxy.ts";
import { build, serve } from "./Server.ts";
import { field, idOf, listed, type Request, type RequestResult, send } from "./Wire.ts";
import { createCustomer, type Earner, type World } from "./World.ts";

let cluster: Cluster;
let proxy: Cutting.Proxy;
let server: Running;
let world: World;
let earner: Earner;
const journal = new Journal();

beforeAll(async () => {
  build();
  cluster = await postgres();
  proxy = await Cutting.open(cluster.url);
  server = await serve(proxy.url, { worker: false, documents: "manual" });
  world = await createCustomer(server.url, 2);
  const [, billsItself] = world.earners;
  if (billsItself === undefined) throw new Error("no partner");
  earner = billsItself;
});

afterAll(async () => {
  await server?.kill();
  await proxy?.close();
  await cluster?.remove();
});

const ask = (request: Request): Promise<RequestResult> => send(server.url, world.token, request);

const record = async (intent: Intent, request: Request) => {
  const entry = journal.open(intent, request);
  await journal.send(entry, ask);
  return entry;
};

let issued = 0;

/** A command that no other command depends on. */
interface Prepared {
  readonly intent: Intent;
  readonly request: Request;
}

const attribution = (): Prepared => {
  issued += 1;
  const reference = `cut-${issued}`;
  const json = {
    partner_id: earner.id,
    schema_id: world.schemaId,
    workspace_id: world.workspaceId,
    external_reference: reference,
    properties: { order_value: 100 * issued },
  };
  return {
    intent: { type: "create_attribution", reference, partnerId: earner.id, occurredAt: null },
    request: { method: "POST", path: "attributions", json },
  };
};

const settlement = async (): Promise<Prepared> => {
  const { intent, request } = attribution();
  const id = idOf((await record(intent, request)).results[0] ?? { type: "lost" });
  const path = `commissions?attribution_ids=${id}`;
  const commissions = listed(await ask({ method: "GET", path }), "commissions");
  const commissionIds = commissions.map((commission) => String(field(commission, "id")));
  const json = {
    customer_id: world.customerId,
    workspace_id: world.workspaceId,
    partner_id: earner.id,
    commission_ids: commissionIds,
  };
  return {
    intent: { type: "create_settlement", partnerId: earner.id, commissionIds },
    request: { method: "POST", path: "settlements", json },
  };
};

const event = (id: string, type: string, action: string, more: Partial<Request> = {}): Prepared => ({
  intent: { type: "settlement_event", id, event: type },
  request: { method: "POST", path: `settlements/${id}/${action}`, ...more },
});

const payment = async (): Promise<Prepared> => {
  const { intent, request } = await settlement();
  const id = String(idOf((await record(intent, request)).results[0] ?? { type: "lost" }));
  const file = { name: "document.pdf", content: "%PDF-1.7" };
  const steps = [
    event(id, "approve_settlement", "approve"),
    event(id, "link_report", "report", { file }),
    event(id, "link_invoice", "invoice", { file }),
  ];
  for (const step of steps) await record(step.intent, step.request);
  return event(id, "mark_as_paid", "mark-as-paid");
};

const COMMANDS: Readonly<Record<string, () => Prepared | Promise<Prepared>>> = {
  "create attribution": attribution,
  "create settlement": settlement,
  "mark as paid": payment,
};

const POINTS: ReadonlyArray<Cutting.Point> = [
  "before it is sent",
  "right after it is sent",
  "before the reply arrives",
];

const truth = async (): Promise<ReadonlyArray<string>> => {
  await cluster.settled();
  return (await Effect.runPromise(Effect.provide(audit(world, journal), cluster.layer))).problems;
};

const statusOf = (response: RequestResult | undefined): number =>
  response?.type === "response" ? response.status : 0;

/** Sends a command whose commit is cut, and returns its entry in the journal. */
const cutting = async (name: string, point: Cutting.Point, downMilliseconds: number, keyed: boolean) => {
  const { intent, request } = (await COMMANDS[name]?.()) ?? attribution();
  issued += 1;
  let happened = false;
  void proxy.cut(point, downMilliseconds).then(() => {
    happened = true;
  });
  const entry = await record(intent, keyed ? { ...request, key: `${world.schemaId}/${issued}` } : request);
  expect(happened).toBe(true);
  return entry;
};

const untilReachable = (): Promise<void> =>
  expect
    .poll(async () => statusOf(await ask({ method: "GET", path: "partners" })), { timeout: 60_000 })
    .toBe(200);

describe.each(Object.keys(COMMANDS))("%s", (name) => {
  describe.each([true, false])("with a key: %s", (keyed) => {
    it.each(POINTS)("after a cut %s the response agrees with the store", async (point) => {
      const entry = await cutting(name, point, 0, keyed);
      const status = statusOf(entry.results[0]);
      if (point === "before it is sent") expect(status).toBe(503);
      if (point === "before the reply arrives") expect([200, 201]).toContain(status);
      // The database is reachable, so a 503 means that the command is not stored and never will be: the look-up has blocked it.
      const noEffect = status === 503;
      if (noEffect)
        entry.results.push({ type: "response", status: 409, body: null, text: "", replayed: false });
      expect(await truth()).toEqual([]);
      if (!noEffect) return;
      entry.results.pop();
      await journal.send(entry, ask);
      expect(outcome(entry)).toBe("done");
      expect(await truth()).toEqual([]);
    });

    // Without a key this takes long and only a settlement shows something new: its repetition is a 409 because of the first.
    if (!keyed && name !== "create settlement") return;
    it("a cut before the reply with an unreachable database is a 503, and the effect is stored once", async () => {
      const entry = await cutting(name, "before the reply arrives", 1_800, keyed);
      expect(statusOf(entry.results[0])).toBe(503);
      expect(await truth()).toEqual([]);
      await untilReachable();
      await journal.send(entry, ask);
      const again = entry.results[1];
      if (keyed) expect(again).toMatchObject({ replayed: true });
      else expect([201, 409]).toContain(statusOf(again));
      if (!keyed && statusOf(again) === 409) entry.results.splice(0, 2, { type: "lost" });
      expect(await truth()).toEqual([]);
    });
  });
});
