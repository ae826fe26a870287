/** What creating and cancelling attributions does to commissions, and what refuses it. */
import { describe, expect, it } from "@effect/vitest";
import { Effect, Either } from "effect";
import { Attributions, Ids, Storage } from "quittance";
import { Build } from "quittance/testing";
import * as Given from "./Given.ts";
import { another } from "./PlanScene.ts";

const { rule, NOW, DAY } = Given;
const attributions = Attributions.Attributions;

describe("creating an attribution", () => {
  it.effect("creates a commission under every formula that covers its date", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.formula(scene, { expression: Given.percent(10) });
        yield* Given.formula(scene, { expression: Given.percent(5) });
        yield* Given.formula(scene, { expression: Given.percent(1), to: NOW - DAY });
        yield* Given.formula(scene, { expression: Given.percent(2), from: NOW + DAY });
        yield* Given.sell(scene, 12_000);
        expect((yield* Given.amounts(scene)).toSorted()).toEqual([1_200, 600]);
      }),
    ),
  );

  it.effect("creates no commission for a partner without a formula", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.sell(scene, 12_000);
        expect(yield* Given.commissions(scene)).toEqual([]);
      }),
    ),
  );

  it.effect("rounds half a unit away from zero", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.formula(scene);
        yield* Given.sell(scene, 5);
        yield* Given.sell(scene, -5);
        expect(yield* Given.amounts(scene)).toEqual([1, -1]);
      }),
    ),
  );

  it.effect("stores a commission without an amount if the formula cannot be computed", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.formula(scene, { expression: Given.percent(1_000) });
        yield* Given.sell(scene, Given.LARGEST_ORDER);
        const [commission] = yield* Given.commissions(scene);
        expect(commission).toMatchObject({ computedAmount: null, computationError: { code: "OVERFLOW" } });
      }),
    ),
  );

  it.effect("refuses properties that the schema does not allow, and names the field", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const { create } = yield* attributions;
        const sale = Given.sale(scene, 100);
        expect(yield* Given.refusal(create(scene.owner, { ...sale, properties: {} }))).toMatch(
          /^properties\.order_value: /,
        );
        expect(
          yield* Given.refusal(
            create(scene.owner, { ...sale, properties: { order_value: 1, colour: "red" } }),
          ),
        ).toMatch(/^properties\.colour: /);
        expect((yield* (yield* attributions).list(scene.owner)).total).toBe(0);
      }),
    ),
  );

  it.effect("finds no partner and no schema of another workspace", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const { create } = yield* attributions;
        const elsewhere = { ...Given.sale(scene, 100), workspaceId: Build.fresh.workspace() };
        expect(yield* Given.refusal(create(scene.owner, elsewhere))).toBe("partner_id not found");
        const other = yield* Given.scene();
        const foreignSchema = { ...Given.sale(scene, 100), schemaId: other.schemaId };
        expect(yield* Given.refusal(create(scene.owner, foreignSchema))).toBe("schema_id not found");
      }),
    ),
  );

  it.effect("refuses a workspace outside the credential's grant before it reads anything", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const bound = { ...scene.owner, workspaceIds: [Build.fresh.workspace()] };
        expect(yield* Given.refusal((yield* attributions).create(bound, Given.sale(scene, 100)))).toBe(
          "workspace_id: outside the credential's grant",
        );
      }),
    ),
  );

  it.effect("keeps the agent whose credential created it", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const agentId = Ids.AgentId.make(Build.freshUuid());
        const { create, list } = yield* attributions;
        yield* create({ ...scene.owner, kind: "agent", agentId }, Given.sale(scene, 100));
        expect((yield* list(scene.owner)).items[0]?.agentId).toBe(agentId);
      }),
    ),
  );
});

describe("an external reference", () => {
  it.effect("that is repeated with the same content returns the first attribution", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.formula(scene);
        const { create } = yield* attributions;
        const order = { ...Given.sale(scene, 12_000), externalReference: "order-1" };
        const first = yield* create(scene.owner, order);
        expect((yield* create(scene.owner, order)).id).toBe(first.id);
        expect(yield* Given.amounts(scene)).toEqual([1_200]);
      }),
    ),
  );

  it.effect("that is repeated with other content is refused", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const { create } = yield* attributions;
        const order = { ...Given.sale(scene, 12_000), externalReference: "order-1" };
        yield* create(scene.owner, order);
        const other = { ...order, properties: { order_value: 1 } };
        expect(yield* Given.refusal(create(scene.owner, other))).toMatch(/^external_reference_reuse: /);
      }),
    ),
  );

  it.effect("that is repeated for another partner is refused", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const { create } = yield* attributions;
        const order = { ...Given.sale(scene, 12_000), externalReference: "order-1" };
        yield* create(scene.owner, order);
        const other = { ...order, partnerId: (yield* another(scene)).partnerId };
        expect(yield* Given.refusal(create(scene.owner, other))).toMatch(/^external_reference_reuse: /);
      }),
    ),
  );

  it.effect("still refers to its attribution after the cancellation", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const { create, cancel } = yield* attributions;
        const order = { ...Given.sale(scene, 12_000), externalReference: "order-1" };
        const { id } = yield* create(scene.owner, order);
        yield* cancel(scene.owner, id, { reason: "returned" });
        expect((yield* create(scene.owner, order)).id).toBe(id);
      }),
    ),
  );
});

describe("an idempotency key", () => {
  const key = (requestSha256: string) => ({ idempotency: { key: "k-1", requestSha256 } });

  it.effect("returns the first result of a repeated command without a second effect", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const { create, list } = yield* attributions;
        const first = yield* create(scene.owner, Given.sale(scene, 100), key("aa"));
        const second = yield* create(scene.owner, Given.sale(scene, 100), key("aa"));
        expect([first.replayed, second]).toEqual([false, { id: first.id, replayed: true }]);
        expect((yield* list(scene.owner)).total).toBe(1);
      }),
    ),
  );

  it.effect("refuses another request", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const { create } = yield* attributions;
        yield* create(scene.owner, Given.sale(scene, 100), key("aa"));
        expect(yield* Given.refusal(create(scene.owner, Given.sale(scene, 200), key("bb")))).toMatch(
          /^idempotency_key_reuse: /,
        );
      }),
    ),
  );

  it.effect("belongs to one principal: another may use the same key", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const { create } = yield* attributions;
        const first = yield* create(scene.owner, Given.sale(scene, 100), key("aa"));
        const other = { ...scene.owner, principalId: "other" };
        expect((yield* create(other, Given.sale(scene, 100), key("aa"))).id).not.toBe(first.id);
      }),
    ),
  );

  it.effect("of a refused command may be used again", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const { create } = yield* attributions;
        const wrong = { ...Given.sale(scene, 100), properties: {} };
        yield* Given.refusal(create(scene.owner, wrong, key("aa")));
        expect((yield* create(scene.owner, Given.sale(scene, 100), key("bb"))).replayed).toBe(false);
      }),
    ),
  );
});

describe("a batch", () => {
  it.effect("returns one result for each attribution, in the order of the batch", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.formula(scene);
        const { createBatch } = yield* attributions;
        const orders = [10_000, 20_000, 30_000].map((value) => Given.sale(scene, value));
        const { results } = yield* createBatch(scene.owner, { mode: "atomic", attributions: orders });
        const found = yield* Effect.forEach(results, (result) =>
          "id" in result ? Given.amounts(scene, result.id) : Effect.succeed([]),
        );
        expect(found).toEqual([[1_000], [2_000], [3_000]]);
      }),
    ),
  );

  it.effect("that is atomic stores nothing when one attribution is refused, and names it by its index", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const { createBatch, list } = yield* attributions;
        const orders = [Given.sale(scene, 1), { ...Given.sale(scene, 2), properties: {} }];
        expect(
          yield* Given.refusal(createBatch(scene.owner, { mode: "atomic", attributions: orders })),
        ).toMatch(/^attributions\.1\.properties\.order_value: /);
        expect((yield* list(scene.owner)).total).toBe(0);
      }),
    ),
  );

  it.effect("that is independent stores the others, and returns the refusal in its place", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const { createBatch, list } = yield* attributions;
        const orders = [{ ...Given.sale(scene, 2), properties: {} }, Given.sale(scene, 1)];
        const { results } = yield* createBatch(scene.owner, { mode: "independent", attributions: orders });
        expect(results).toMatchObject([{ refusal: "Invalid" }, { id: expect.any(String) }]);
        expect((yield* list(scene.owner)).total).toBe(1);
      }),
    ),
  );

  it.effect("creates one attribution for an external reference that it holds twice", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const { createBatch } = yield* attributions;
        const order = { ...Given.sale(scene, 1), externalReference: "order-1" };
        const { results } = yield* createBatch(scene.owner, { mode: "atomic", attributions: [order, order] });
        expect(results[0]).toEqual(results[1]);
      }),
    ),
  );

  it.effect("holds 1 to 1,000 attributions", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const { createBatch } = yield* attributions;
        const of = (length: number) =>
          createBatch(scene.owner, {
            mode: "atomic",
            attributions: Array.from({ length }, () => Given.sale(scene, 1)),
          });
        expect(yield* Given.refusal(of(0))).toBe("attributions: must have 1 to 1000 attributions");
        expect(yield* Given.refusal(of(1_001))).toBe("attributions: must have 1 to 1000 attributions");
        expect((yield* of(1_000)).results).toHaveLength(1_000);
      }),
    ),
  );
});

describe("cancelling an attribution", () => {
  it.effect("sets all of its commissions to 0, and keeps the reason", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.formula(scene);
        yield* Given.formula(scene, { expression: Given.percent(5) });
        const id = yield* Given.sell(scene, 12_000);
        const { cancel, list } = yield* attributions;
        yield* cancel(scene.owner, id, { reason: "returned by the buyer" });
        expect(yield* Given.amounts(scene)).toEqual([0, 0]);
        expect((yield* list(scene.owner)).items[0]).toMatchObject({
          status: "cancelled",
          cancelReason: "returned by the buyer",
        });
      }),
    ),
  );

  it.effect("a second time changes nothing and keeps the first reason", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const id = yield* Given.sell(scene, 12_000);
        const { cancel, list } = yield* attributions;
        yield* cancel(scene.owner, id, { reason: "first" });
        yield* cancel(scene.owner, id, { reason: "second" });
        const [found] = (yield* list(scene.owner)).items;
        expect([found?.cancelReason, found?.version]).toEqual(["first", 2]);
      }),
    ),
  );

  it.effect(
    "after its payment makes the paid amount due negatively: the next settlement claims it back",
    () =>
      rule(
        Effect.gen(function* () {
          const scene = yield* Given.approved([12_000]);
          yield* Given.payByHand(scene);
          const [sold] = (yield* (yield* attributions).list(scene.owner)).items;
          if (sold === undefined) throw new Error("no attribution");
          yield* (yield* attributions).cancel(scene.owner, sold.id, { reason: "refund" });
          yield* Given.wait(DAY);
          const clawback = yield* Given.draft(scene);
          expect((yield* Given.settlement(scene, clawback)).total).toBe(-1_200);
        }),
      ),
  );

  it.effect("of another customer is refused as not found", () =>
    rule(
      Effect.gen(function* () {
        const [scene, other] = [yield* Given.scene(), yield* Given.scene()];
        const id = yield* Given.sell(scene, 1);
        expect(yield* Given.refusal((yield* attributions).cancel(other.owner, id, { reason: "x" }))).toBe(
          "attribution not found",
        );
      }),
    ),
  );
});

describe("attribution statistics", () => {
  it.effect("count by the day of their date and by present status, with empty days", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const first = yield* Given.sell(scene, 1);
        yield* Given.sell(scene, 2);
        yield* Given.wait(2 * DAY);
        yield* Given.sell(scene, 3);
        const { cancel, statistics } = yield* attributions;
        yield* cancel(scene.owner, first, { reason: "returned" });
        const span = { from: NOW, to: NOW + 3 * DAY, granularity: "day" } as const;
        const { summary, buckets } = yield* statistics(scene.owner, span);
        expect(summary).toEqual({ total: 3, confirmed: 2, cancelled: 1 });
        expect(buckets.map(({ confirmed, cancelled }) => [confirmed, cancelled])).toEqual([
          [1, 1],
          [0, 0],
          [1, 0],
        ]);
      }),
    ),
  );
});

describe("a list of attributions", () => {
  it.effect("contains only those of partners in the credential's grant", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.sell(scene, 1);
        const { list } = yield* attributions;
        const other = { ...scene.owner, partnerIds: [Build.fresh.partner()] };
        expect([(yield* list(scene.owner)).total, (yield* list(other)).total]).toEqual([1, 0]);
      }),
    ),
  );

  it.effect("holds 1 to 100 records a page, and counts all matches", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        for (const value of [1, 2, 3]) yield* Given.sell(scene, value);
        const { list } = yield* attributions;
        const page = yield* list(scene.owner, { page: 2, perPage: 2 });
        expect([page.items.length, page.total]).toEqual([1, 3]);
        expect(yield* Given.refusal(list(scene.owner, { perPage: 101 }))).toBe(
          "per_page: must be an integer from 1 to 100",
        );
        const partnerIds = Array.from({ length: 101 }, Build.fresh.partner);
        expect(yield* Given.refusal(list(scene.owner, { partnerIds }))).toBe(
          "partner_ids: must have at most 100 values",
        );
      }),
    ),
  );
});

describe("a command whose commit conflicts with another one", () => {
  const conflict = Effect.fail(new Storage.VersionConflict({ what: "formula_set" }));

  /** Creates an attribution while the next commits conflict; returns the outcome, the number of commits and the pauses. */
  const createDuringConflicts = (times: number) => {
    let commits = Number.POSITIVE_INFINITY;
    return rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const pauses = yield* Given.recordPauses;
        commits = 0;
        return { outcome: yield* Effect.either(Given.sell(scene, 1)), commits, pauses };
      }),
      {
        storage: ({ commit }) => ({
          commit: (customerId, changeSet) =>
            Effect.suspend(() => (++commits <= times ? conflict : commit(customerId, changeSet))),
        }),
      },
    );
  };

  it.effect("is retried, and can succeed at its eighth attempt", () =>
    Effect.gen(function* () {
      const { outcome, commits } = yield* createDuringConflicts(7);
      expect([Either.isRight(outcome), commits]).toEqual([true, 8]);
    }),
  );

  it.effect("is retried at once the first time, and after a pause each further time", () =>
    Effect.gen(function* () {
      const { pauses: afterOne } = yield* createDuringConflicts(1);
      const { pauses: afterSeven } = yield* createDuringConflicts(7);
      expect([afterOne, afterSeven.length]).toEqual([[], 6]);
      for (const [index, pause] of afterSeven.entries()) expect(pause).toBeLessThan(8 * 2 ** index);
    }),
  );

  it.effect("is refused as busy after eight attempts", () =>
    Effect.gen(function* () {
      const { outcome, commits } = yield* createDuringConflicts(8);
      expect([Either.flip(outcome).pipe(Either.getOrThrow), commits]).toMatchObject([{ token: "busy" }, 8]);
    }),
  );
});
