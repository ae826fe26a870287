/** What a suspended partner is kept from: drafts of runs and initiated payments, also where both happen at the same time. */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { Attributions, Limits, type Partner, Partners, SettlementRuns, Settlements } from "quittance";
import * as Given from "./Given.ts";

const { rule, EUR } = Given;

const state = ({ owner, partnerId }: Given.Scene, status: Partner.Status) =>
  Effect.flatMap(Partners.Partners, ({ update }) => update(owner, partnerId, { status }));

/** The results of a run of the scene's workspace. */
const settle = ({ owner, workspaceId }: Given.Scene) =>
  Effect.gen(function* () {
    const runs = yield* SettlementRuns.SettlementRuns;
    const { id } = yield* runs.start(owner, { workspaceId });
    yield* Given.drain;
    const { results } = yield* runs.read(owner, id);
    return results.map(({ reason, total, drafts }) => ({ reason, total, drafts: drafts.length }));
  });

const initiate = ({ owner, settlementId }: Effect.Effect.Success<ReturnType<typeof Given.approved>>) =>
  Effect.flatMap(Settlements.Settlements, ({ initiatePayment }) => initiatePayment(owner, settlementId));

/** A store that performs something once, before the next commit or after some more. */
const meanwhile = () => {
  let next: Effect.Effect<unknown, unknown> = Effect.void;
  let passing = 0;
  const host: Given.Host = {
    send: () => Effect.void,
    storage: ({ commit }) => ({
      commit: (customerId, changeSet) =>
        Effect.suspend(() => {
          if (passing-- > 0) return commit(customerId, changeSet);
          const first = next;
          next = Effect.void;
          return Effect.zipRight(Effect.orDie(first), commit(customerId, changeSet));
        }),
    }),
  };
  return {
    host,
    before: (effect: Effect.Effect<unknown, unknown>, passed = 0) =>
      Effect.sync(() => {
        next = effect;
        passing = passed;
      }),
  };
};

/** A partner with 10 % of one sale of 1,000. */
const selling = Effect.gen(function* () {
  const scene = yield* Given.scene();
  yield* Given.formula(scene);
  yield* Given.sell(scene, 1_000);
  return scene;
});

const SUSPENDED = "partner_suspended: the partner is suspended; no payment to it is initiated";

describe("a run", () => {
  it.effect("drafts nothing for a suspended partner and says so, until the partner is active again", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* selling;
        yield* state(scene, "suspended");
        expect(yield* settle(scene)).toEqual([{ reason: "partner_suspended", total: 100, drafts: 0 }]);
        yield* state(scene, "active");
        expect(yield* settle(scene)).toEqual([{ reason: null, total: 100, drafts: 1 }]);
      }),
    ),
  );

  it.effect("would draft nothing for it either", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* selling;
        yield* state(scene, "suspended");
        const { dryRun } = yield* SettlementRuns.SettlementRuns;
        const { owner, workspaceId, partnerId } = scene;
        expect(yield* dryRun(owner, { workspaceId })).toMatchObject({
          draftCount: 0,
          results: [{ partnerId, currency: EUR, reason: "partner_suspended", draftCount: 0, total: 100 }],
        });
      }),
    ),
  );

  it.effect("has nothing to say of a suspended partner that has nothing due", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* state(scene, "suspended");
        expect(yield* settle(scene)).toEqual([{ reason: "nothing_due", total: 0, drafts: 0 }]);
      }),
    ),
  );

  it.effect("decides again when the partner is suspended before its draft is stored", () => {
    const { host, before } = meanwhile();
    return rule(
      Effect.gen(function* () {
        const scene = yield* selling;
        const runs = yield* SettlementRuns.SettlementRuns;
        const { id } = yield* runs.start(scene.owner, { workspaceId: scene.workspaceId });
        const { update } = yield* Partners.Partners;
        yield* before(update(scene.owner, scene.partnerId, { status: "suspended" }));
        yield* Given.drain;
        const { results } = yield* runs.read(scene.owner, id);
        expect(results).toMatchObject([{ reason: "partner_suspended", drafts: [] }]);
      }),
      host,
    );
  });
});

it.effect("a run whose partner is suspended between two drafts keeps the first and makes no second", () => {
  const { host, before } = meanwhile();
  return rule(
    Effect.gen(function* () {
      const scene = yield* Given.scene();
      yield* Given.formula(scene);
      const { createBatch } = yield* Attributions.Attributions;
      const count = Limits.SETTLEMENT_LINES_MAX + 1;
      for (let made = 0; made < count; made += Limits.BATCH_MAX) {
        const attributions = Array.from({ length: Math.min(Limits.BATCH_MAX, count - made) }, () =>
          Given.sale(scene, 100),
        );
        yield* createBatch(scene.owner, { mode: "atomic", attributions });
      }
      const { owner, workspaceId, partnerId } = scene;
      const runs = yield* SettlementRuns.SettlementRuns;
      const { id } = yield* runs.start(owner, { workspaceId });
      const { update } = yield* Partners.Partners;
      yield* before(update(owner, partnerId, { status: "suspended" }), 1);
      yield* Given.drain;
      const { run, results } = yield* runs.read(owner, id);
      expect(run).toMatchObject({ state: "done", draftCount: 1 });
      expect(results).toMatchObject([{ reason: null, drafts: [{ lineCount: count - 1 }], after: null }]);
    }),
    host,
  );
});

describe("initiating a payment", () => {
  it.effect("is refused while the partner is suspended, also since the approval", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.approved([10_000], { selfBilled: true });
        yield* state(scene, "suspended");
        expect(yield* Given.refusal(initiate(scene))).toBe(SUSPENDED);
        expect((yield* Given.statusOf(scene)).type).toBe("awaiting_payment");
        yield* state(scene, "active");
        yield* initiate(scene);
        expect((yield* Given.statusOf(scene)).type).toBe("payment_initiated");
      }),
      { send: () => Effect.void },
    ),
  );

  it.effect("is refused when the partner is suspended before it is stored", () => {
    const { host, before } = meanwhile();
    return rule(
      Effect.gen(function* () {
        const scene = yield* Given.approved([10_000], { selfBilled: true });
        const { update } = yield* Partners.Partners;
        yield* before(update(scene.owner, scene.partnerId, { status: "suspended" }));
        expect(yield* Given.refusal(initiate(scene))).toBe(SUSPENDED);
        expect((yield* Given.statusOf(scene)).type).toBe("awaiting_payment");
      }),
      host,
    );
  });
});

it.effect("a suspended partner still earns, and is settled and paid by hand", () =>
  rule(
    Effect.gen(function* () {
      const scene = yield* Given.scene({ selfBilled: true });
      yield* state(scene, "suspended");
      yield* Given.formula(scene);
      yield* Given.sell(scene, 1_000);
      const settled = { ...scene, settlementId: yield* Given.draft(scene) };
      yield* Given.approveAndDrain(settled);
      yield* Given.payByHand(settled);
      expect((yield* Given.statusOf(settled)).type).toBe("paid");
    }),
  ),
);

it.effect("of two updates at once, the second is decided again after the first", () => {
  const { host, before } = meanwhile();
  return rule(
    Effect.gen(function* () {
      const scene = yield* Given.scene();
      const { owner, partnerId } = scene;
      const { update, events, list } = yield* Partners.Partners;
      yield* before(update(owner, partnerId, { status: "suspended" }));
      yield* update(owner, partnerId, { name: "Nordlys A/S" });
      expect((yield* list(owner, { ids: [partnerId] })).items).toMatchObject([
        { name: "Nordlys A/S", status: "suspended", version: 3 },
      ]);
      const { items } = yield* events(owner, partnerId);
      expect(items.map(({ event }) => ("fields" in event ? event.fields : event.type))).toEqual([
        "create_partner",
        ["status"],
        ["name"],
      ]);
    }),
    host,
  );
});
