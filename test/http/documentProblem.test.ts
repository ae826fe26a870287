import { Effect } from "effect";
import { Documents, Ids, Outbox, Principal, Settlements, Worker } from "quittance";
import { beforeEach, describe, expect, it } from "vitest";
import { type Engine, start } from "./Engine.ts";
import { SELF_BILLING, scene } from "./Scene.ts";

const MESSAGE = 'No installed font has 光 (U+5149). Run "npm install fonts" and start again.';

/** The renderer's error; null when it has every font. */
let refusal: string | null;
let engine: Engine;

beforeEach(async () => {
  refusal = MESSAGE;
  engine = await start({}, [], {
    renderer: {
      render: ({ kind }) =>
        refusal === null
          ? Effect.succeed({ bytes: new TextEncoder().encode(kind), extension: "pdf" })
          : Effect.fail(new Documents.RenderingRefused({ code: "missing_font", message: refusal })),
    },
  });
});

const SELF = { billing_mode: "self_billing", self_billing_data: SELF_BILLING };

/** What a worker does that has just been started: it takes up what waits for another configuration. */
const attempt = (): Promise<unknown> =>
  engine.runtime.runPromise(
    Effect.gen(function* () {
      const outbox = yield* Outbox.Outbox;
      yield* outbox.unpark(["make_report", "make_invoice", "make_credit_note"]);
      yield* Effect.flatMap(Worker.Worker, (worker) => worker.drain);
    }),
  );

/** An approved settlement. */
const approved = async () => {
  const { draft, act, settlement } = await scene(engine, SELF);
  const id = await draft();
  await act(id, "approve");
  const typesOf = async (): Promise<ReadonlyArray<string>> =>
    (await settlement(id)).events.map(({ event }: { event: { type: string } }) => event.type);
  return { id, act, settlement: () => settlement(id), typesOf };
};

describe("the problem of a document that the renderer refuses", () => {
  it("is shown on the settlement, whose state does not change", async () => {
    const { id, settlement } = await approved();
    await engine.settle();
    const { view, events } = await settlement();
    const problem = { kind: "report", code: "missing_font", message: MESSAGE };
    expect(view.status.type).toBe("awaiting_report");
    expect(view.document_problem).toEqual(problem);
    expect(events.at(-1).event).toEqual({ type: "fail_document", ...problem });
    expect((await engine.call("GET", `/api/v1/settlements/${id}/report`)).status).toBe(404);
    const me = Principal.customer(Ids.CustomerId.make(engine.customerId));
    const listed = await engine.runtime.runPromise(
      Effect.flatMap(Settlements.Settlements, (settlements) => settlements.list(me, { ids: [id] } as never)),
    );
    expect(JSON.stringify(listed)).toContain(JSON.stringify(problem));
  });

  it("is recorded once, and again if the problem changes", async () => {
    const { typesOf, settlement } = await approved();
    await attempt();
    await attempt();
    expect(await typesOf()).toEqual(["create_settlement", "approve_settlement", "fail_document"]);
    refusal = "No installed font has 明 (U+660E).";
    await attempt();
    expect((await typesOf()).filter((type) => type === "fail_document")).toHaveLength(2);
    expect((await settlement()).view.document_problem.message).toBe(refusal);
  });

  it("ends with the document", async () => {
    const { settlement } = await approved();
    await attempt();
    refusal = null;
    await attempt();
    expect((await settlement()).view).toMatchObject({
      status: { type: "awaiting_payment" },
      document_problem: null,
    });
  });

  it("stays through a dispute that is rejected, and ends with one that is upheld", async () => {
    const { id, act, settlement, typesOf } = await approved();
    await attempt();
    expect((await act(id, "dispute", { reason: "too low" })).status).toBe(200);
    refusal = "another";
    await attempt();
    expect((await typesOf()).filter((type) => type === "fail_document")).toHaveLength(1);
    expect((await act(id, "resolve-dispute", { resolution: "rejected" })).status).toBe(200);
    expect((await settlement()).view).toMatchObject({
      status: { type: "awaiting_report" },
      document_problem: { message: MESSAGE },
    });
    await act(id, "dispute", { reason: "still too low" });
    await act(id, "resolve-dispute", { resolution: "upheld" });
    expect((await settlement()).view).toMatchObject({
      status: { type: "cancelled" },
      document_problem: null,
    });
  });

  it("ends with a write-off", async () => {
    const { id, act, settlement, typesOf } = await approved();
    await attempt();
    expect((await act(id, "write-off")).status).toBe(200);
    await attempt();
    expect((await settlement()).view).toMatchObject({
      status: { type: "written_off" },
      document_problem: null,
    });
    expect((await typesOf()).at(-1)).toBe("write_off_settlement");
  });
});
