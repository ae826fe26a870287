/** Amounts near the largest: every store can record every payment that may have happened. */
import { Effect } from "effect";
import { layer as memory } from "quittance/memory";
import * as Postgres from "quittance/postgres";
import { describe, expect, it } from "vitest";
import { database } from "../support/postgres.ts";
import { type Engine, type Store, start } from "./Engine.ts";
import { maker, pdf } from "./Scene.ts";

const times = (value: number) => ({
  type: "multiply",
  operands: [
    { type: "property", name: "order_value" },
    { type: "literal", value: { type: "number", value } },
  ],
});

const LARGE = 9_000_000_000_000_000;

/** A commission of 1e15 × 9, and what becomes of it. */
const earned = async ({ call, workspaceId, customerId, settle }: Engine) => {
  const make = maker(call, workspaceId);
  const [partnerId, schemaId] = [await make.partner(), await make.schema()];
  const formulaId = await make.formula(partnerId, schemaId, { expression: times(9) });
  await make.attribution(partnerId, schemaId, 1e15);
  const view = async () => {
    const { body } = await call("GET", `/api/v1/commissions?partner_ids=${partnerId}`);
    return { id: body.commissions[0].id, ...body.commissions[0].view };
  };
  const patch = async (factor: number) => {
    const json = { expression: times(factor), effective_datetime: "2020-01-01T00:00:00Z" };
    expect((await call("PATCH", `/api/v1/commission-formulas/${formulaId}`, { json })).status).toBe(200);
    return view();
  };
  const awaitingPayment = async () => {
    const { id } = await view();
    const json = {
      customer_id: customerId,
      workspace_id: workspaceId,
      partner_id: partnerId,
      commission_ids: [id],
    };
    const settlementId: string = (await call("POST", "/api/v1/settlements", { json })).body.id;
    expect((await act(settlementId, "approve")).status).toBe(200);
    await settle();
    const negative =
      (await call("GET", `/api/v1/settlements?ids=${settlementId}`)).body.settlements[0].view.total < 0;
    if (negative) await act(settlementId, "review", { decision: "issue_credit_note" });
    const path = `/api/v1/settlements/${settlementId}/${negative ? "credit-note" : "invoice"}`;
    expect((await call("POST", path, { body: pdf("paper") })).status).toBe(200);
    return settlementId;
  };
  const act = (id: string, action: string, json?: unknown) =>
    call("POST", `/api/v1/settlements/${id}/${action}`, json === undefined ? {} : { json });
  return { view, patch, awaitingPayment, act };
};

const OVERFLOW = {
  code: "OVERFLOW",
  message: "the difference to what is settled exceeds the largest amount",
};

const STORES: ReadonlyArray<readonly [string, Effect.Effect<Store, never, import("effect").Scope.Scope>]> = [
  ["in memory", Effect.succeed(memory)],
  [
    "on PostgreSQL",
    Effect.map(
      Effect.suspend(() => database()),
      (url) => Postgres.layer({ url }),
    ),
  ],
];

describe.each(STORES)("amounts near the largest %s", (_, opened) => {
  const test = (story: (engine: Engine) => Promise<void>) => () =>
    Effect.runPromise(
      Effect.scoped(
        Effect.flatMap(opened, (store) =>
          Effect.promise(async () => {
            const engine = await start({}, [], { store });
            await story(engine).finally(() => engine.runtime.dispose());
          }),
        ),
      ),
    );

  it(
    "are not computed if a payment in flight could raise the due amount above the largest",
    test(async (engine) => {
      const { view, patch, awaitingPayment, act } = await earned(engine);
      const id = await awaitingPayment();
      expect(await patch(-9)).toMatchObject({
        computed_amount: LARGE,
        pending_amount: LARGE,
        settled_amount: 0,
        due_amount: LARGE,
        computation_error: OVERFLOW,
      });
      expect((await act(id, "mark-as-paid")).status).toBe(200);
      expect(await view()).toMatchObject({
        settled_amount: LARGE,
        due_amount: 0,
        computation_error: OVERFLOW,
      });
      // The largest that can be claimed back: the difference is exactly 2^53 - 1.
      expect(await patch(0)).toMatchObject({ due_amount: -LARGE, computation_error: null });
    }),
  );

  it(
    "can be written off, or released and recomputed",
    test(async (engine) => {
      const written = await earned(engine);
      const one = await written.awaitingPayment();
      await written.patch(-9);
      expect((await written.act(one, "write-off")).status).toBe(200);
      expect(await written.view()).toMatchObject({ settled_amount: LARGE, due_amount: 0 });
      expect(await written.patch(-8)).toMatchObject({
        settled_amount: 0,
        due_amount: -8e15,
        computation_error: null,
      });

      const released = await earned(engine);
      const other = await released.awaitingPayment();
      await released.patch(-9);
      await released.act(other, "dispute", { reason: "not what we agreed" });
      expect((await released.act(other, "resolve-dispute", { resolution: "upheld" })).status).toBe(200);
      const next = await released.awaitingPayment();
      expect(await released.view()).toMatchObject({ computed_amount: -LARGE, pending_amount: -LARGE });
      expect((await released.act(next, "mark-as-paid")).status).toBe(200);
      expect(await released.view()).toMatchObject({ settled_amount: -LARGE, due_amount: 0 });
    }),
  );

  it(
    "count every payment that the bank may still return",
    test(async (engine) => {
      const { patch, awaitingPayment, act, view } = await earned(engine);
      expect((await act(await awaitingPayment(), "mark-as-paid")).status).toBe(200);
      await patch(0);
      expect((await act(await awaitingPayment(), "mark-as-paid")).status).toBe(200);
      expect(await view()).toMatchObject({ settled_amount: 0, due_amount: 0 });
      expect(await patch(-9)).toMatchObject({ computed_amount: 0, computation_error: OVERFLOW });
      expect(await patch(0.001)).toMatchObject({ due_amount: 1e12, computation_error: null });
    }),
  );
});
