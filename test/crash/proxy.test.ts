/** A commit whose reply is lost: the server finds out what became of it, and answers the truth or that it cannot know. */
import { Effect } from "effect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { audit } from "./Audit.ts";
import { type Cluster, postgres } from "./Database.ts";
import { type Intent, Journal, outcome } from "./Journal.ts";
import type { Running } from "./Process.ts";
import * as Cutting from "./Proxy.ts";
import { build, serve } from "./Server.ts";
import { type Answer, field, idOf, listed, type Request, send } from "./Wire.ts";
import { type Earner, enrol, type World } from "./World.ts";

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
  world = await enrol(server.url, 2);
  const [, billsItself] = world.earners;
  if (billsItself === undefined) throw new Error("no partner");
  earner = billsItself;
});

afterAll(async () => {
  await server?.kill();
  await proxy?.close();
  await cluster?.remove();
});

const ask = (request: Request): Promise<Answer> => send(server.url, world.token, request);

const record = async (intent: Intent, request: Request) => {
  const entry = journal.open(intent, request);
  await journal.send(entry, ask);
  return entry;
};

let issued = 0;

/** A command ready to be sent, on records of its own. */
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
  const id = idOf((await record(intent, request)).answers[0] ?? { type: "lost" });
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
  const id = String(idOf((await record(intent, request)).answers[0] ?? { type: "lost" }));
  const file = { name: "document.txt", content: "handed in" };
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

const statusOf = (answer: Answer | undefined): number => (answer?.type === "answered" ? answer.status : 0);

/** Sends a command whose commit is cut; what came of it is in the journal. */
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
    .poll(async () => statusOf(await ask({ method: "GET", path: "partners" })), { timeout: 10_000 })
    .toBe(200);

describe.each(Object.keys(COMMANDS))("%s", (name) => {
  describe.each([true, false])("with a key: %s", (keyed) => {
    it.each(POINTS)("after a cut %s the response agrees with the store", async (point) => {
      const entry = await cutting(name, point, 0, keyed);
      const status = statusOf(entry.answers[0]);
      if (point === "before it is sent") expect(status).toBe(503);
      if (point === "before the reply arrives") expect([200, 201]).toContain(status);
      // A refusal to say is final as well: what was not stored by then is kept from being stored later.
      const noEffect = status === 503;
      if (noEffect)
        entry.answers.push({ type: "answered", status: 409, body: null, text: "", replayed: false });
      expect(await truth()).toEqual([]);
      if (!noEffect) return;
      entry.answers.pop();
      await journal.send(entry, ask);
      expect(outcome(entry)).toBe("done");
      expect(await truth()).toEqual([]);
    });

    // Without a key only a settlement is worth the wait: its repetition is told what stands in its way.
    if (!keyed && name !== "create settlement") return;
    it("a cut before the reply with an unreachable database is a 503, and the effect is stored once", async () => {
      const entry = await cutting(name, "before the reply arrives", 1_800, keyed);
      expect(statusOf(entry.answers[0])).toBe(503);
      expect(await truth()).toEqual([]);
      await untilReachable();
      await journal.send(entry, ask);
      const again = entry.answers[1];
      if (keyed) expect(again).toMatchObject({ replayed: true });
      else expect([201, 409]).toContain(statusOf(again));
      if (!keyed && statusOf(again) === 409) entry.answers.splice(0, 2, { type: "lost" });
      expect(await truth()).toEqual([]);
    });
  });
});
