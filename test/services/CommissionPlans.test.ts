/** What assigning, changing and cancelling a plan does to the formulas of its partners and to what they have earned. */
import { describe, expect, it } from "@effect/vitest";
import { Effect, Either } from "effect";
import {
  CommissionFormulas,
  CommissionPlans,
  type Ids,
  type Principal,
  Settlements,
  type Storage,
} from "quittance";
import { Build } from "quittance/testing";
import * as Given from "./Given.ts";
import { another, assign, listed, partners, plan, progress, windows } from "./PlanScene.ts";

const { rule, NOW, DAY, EUR } = Given;
const formulas = CommissionFormulas.CommissionFormulas;
const plans = CommissionPlans.CommissionPlans;

describe("assigning partners to a plan", () => {
  it.effect(
    "creates a formula with the plan's terms for each, and commissions for their existing sales",
    () =>
      rule(
        Effect.gen(function* () {
          const scene = yield* Given.scene();
          const other = yield* another(scene);
          yield* Given.sell(scene, 10_000);
          yield* Given.sell(other, 20_000);
          const planId = yield* plan(scene, { description: "All of 2026" });
          yield* assign(scene, planId, {}, [scene.partnerId, other.partnerId]);
          expect((yield* Given.amounts(scene)).toSorted()).toEqual([1_000, 2_000]);
          const [formula] = yield* listed(scene);
          expect(formula).toMatchObject({
            name: "Affiliates",
            description: "All of 2026",
            currency: "EUR",
            startDatetime: NOW - 30 * DAY,
            endDatetime: null,
            assignment: { planId, planRevision: 1, startDatetime: null, endDatetime: null },
          });
          expect(yield* progress(scene, planId)).toEqual({ partnerCount: 2, pending: 0, done: 2 });
        }),
      ),
  );

  it.effect("creates commissions within the plan's window and the assignment's bounds", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const planId = yield* plan(scene, { startDatetime: NOW, endDatetime: NOW + 10 * DAY });
        yield* assign(scene, planId, { from: NOW - DAY, to: NOW + 2 * DAY });
        yield* assign(scene, planId, { from: NOW + 5 * DAY, to: NOW + 20 * DAY });
        expect(yield* windows(scene)).toEqual([
          [NOW, NOW + 2 * DAY],
          [NOW + 5 * DAY, NOW + 10 * DAY],
        ]);
      }),
    ),
  );

  it.effect(
    "creates no commission for an assignment outside the plan's window until the window includes it",
    () =>
      rule(
        Effect.gen(function* () {
          const scene = yield* Given.scene();
          const planId = yield* plan(scene, { startDatetime: NOW - 10 * DAY, endDatetime: NOW - 5 * DAY });
          yield* assign(scene, planId, { from: NOW - DAY });
          yield* Given.sell(scene, 10_000);
          expect(yield* windows(scene)).toEqual([[NOW - DAY, NOW - DAY]]);
          expect(yield* Given.amounts(scene)).toEqual([]);
          yield* (yield* plans).update(scene.owner, planId, { endDatetime: null });
          expect(yield* windows(scene)).toEqual([[NOW - DAY, null]]);
          expect(yield* Given.amounts(scene)).toEqual([1_000]);
        }),
      ),
  );

  it.effect("copies every version of the plan, with its number and date", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const other = yield* another(scene);
        const planId = yield* plan(scene);
        yield* assign(scene, planId);
        yield* (yield* plans).update(scene.owner, planId, {
          expression: Given.percent(20),
          effectiveDatetime: NOW - DAY,
        });
        yield* Given.wait(DAY);
        yield* (yield* plans).update(scene.owner, planId, { expression: Given.percent(30) });
        yield* assign(other, planId);
        const [[first], [second]] = [yield* listed(scene), yield* listed(other)];
        expect(second?.versions).toEqual(first?.versions);
        expect(second?.versions.map(({ effectiveDatetime }) => effectiveDatetime)).toEqual([
          null,
          NOW - DAY,
          NOW + DAY,
        ]);
        yield* Given.sell(other, 10_000);
        const [commission] = yield* Given.commissions(other);
        expect([commission?.computedAmount, commission?.formulaVersion]).toEqual([3_000, 3]);
      }),
    ),
  );

  it.effect("changes nothing when the partner is assigned again with the same bounds", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const planId = yield* plan(scene);
        yield* assign(scene, planId, { from: NOW });
        const before = yield* listed(scene);
        yield* assign(scene, planId, { from: NOW }, [scene.partnerId, scene.partnerId]);
        expect(yield* listed(scene)).toEqual(before);
      }),
    ),
  );

  it.effect(
    "refuses an overlap with an assignment of the same plan, whatever the plan's window is, and stores nothing",
    () =>
      rule(
        Effect.gen(function* () {
          const scene = yield* Given.scene();
          const other = yield* another(scene);
          const planId = yield* plan(scene, { endDatetime: NOW });
          yield* assign(scene, planId, { from: NOW, to: NOW + DAY });
          expect(
            yield* Given.refusal(
              assign(scene, planId, { from: NOW + DAY - 1 }, [other.partnerId, scene.partnerId]),
            ),
          ).toBe(
            `plan_assignment: partner ${scene.partnerId} is assigned to the plan from 2026-01-01T00:00:00.000Z to 2026-01-02T00:00:00.000Z already; assignments must not overlap`,
          );
          expect(yield* listed(other)).toEqual([]);
          yield* assign(scene, planId, { from: NOW + DAY });
          const second = yield* plan(scene);
          yield* assign(scene, second);
          expect((yield* listed(scene)).length).toBe(3);
        }),
      ),
  );

  it.effect(
    "refuses partners of another workspace or customer, names their place in the request, and stores nothing",
    () =>
      rule(
        Effect.gen(function* () {
          const scene = yield* Given.scene();
          const planId = yield* plan(scene);
          const elsewhere = { ...scene, workspaceId: Build.fresh.workspace() };
          const foreign = yield* Given.scene();
          for (const partnerId of [
            yield* Given.partner(elsewhere),
            foreign.partnerId,
            Build.fresh.partner(),
          ]) {
            expect(yield* Given.refusal(assign(scene, planId, {}, [scene.partnerId, partnerId]))).toBe(
              "partner_ids.1: must be the id of a partner of the plan's workspace",
            );
          }
          expect(yield* listed(scene)).toEqual([]);
        }),
      ),
  );

  it.effect("refuses an empty list, more than 1,000 partners, and bounds that contradict each other", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const planId = yield* plan(scene);
        const many = Array.from({ length: 1_001 }, () => scene.partnerId);
        for (const partnerIds of [[], many])
          expect(yield* Given.refusal(assign(scene, planId, {}, partnerIds))).toBe(
            "partnerIds: must have 1 to 1000 partners",
          );
        expect(yield* Given.refusal(assign(scene, planId, { from: NOW, to: NOW }))).toBe(
          "end_datetime: must be after start_datetime",
        );
      }),
    ),
  );

  it.effect("creates the formulas of 1,000 partners at once, and computes them in the background", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const many = yield* partners(scene, 999);
        yield* Given.sell(scene, 10_000);
        const planId = yield* plan(scene);
        yield* assign(scene, planId, {}, [...many, scene.partnerId]);
        expect(yield* progress(scene, planId)).toEqual({ partnerCount: 1_000, pending: 1_000, done: 0 });
        expect(yield* Given.amounts(scene)).toEqual([]);
        yield* Given.drain;
        expect(yield* progress(scene, planId)).toEqual({ partnerCount: 1_000, pending: 0, done: 1_000 });
        expect(yield* Given.amounts(scene)).toEqual([1_000]);
      }),
    ),
  );
});

describe("changing a plan", () => {
  it.effect("appends one event to every formula, dated like the plan's", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const other = yield* another(scene);
        const planId = yield* plan(scene);
        yield* assign(scene, planId, {}, [scene.partnerId, other.partnerId]);
        yield* Given.wait(DAY);
        yield* Given.sell(scene, 10_000);
        yield* (yield* plans).update(scene.owner, planId, {
          name: "Partners",
          expression: Given.percent(20),
          effectiveDatetime: NOW,
        });
        expect(yield* Given.amounts(scene)).toEqual([2_000]);
        for (const one of [scene, other]) {
          const [formula] = yield* listed(one);
          expect(formula?.assignment?.planRevision).toBe(2);
          expect(formula?.events.slice(1)).toEqual([
            {
              at: NOW + DAY,
              actor: scene.owner.principalId,
              event: expect.objectContaining({
                type: "update_commission_formula",
                name: "Partners",
                effective_datetime: "2026-01-01T00:00:00.000Z",
              }),
            },
          ]);
        }
      }),
    ),
  );

  it.effect("changes more than 100 formulas in the background", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const many = yield* partners(scene, 100);
        const planId = yield* plan(scene);
        yield* assign(scene, planId, {}, [scene.partnerId, ...many]);
        yield* Given.drain;
        yield* Given.sell(scene, 10_000);
        yield* (yield* plans).update(scene.owner, planId, {
          expression: Given.percent(20),
          effectiveDatetime: NOW - DAY,
        });
        expect(yield* progress(scene, planId)).toEqual({ partnerCount: 101, pending: 101, done: 0 });
        expect(yield* Given.amounts(scene)).toEqual([1_000]);
        yield* Given.drain;
        expect(yield* progress(scene, planId)).toEqual({ partnerCount: 101, pending: 0, done: 101 });
        expect(yield* Given.amounts(scene)).toEqual([2_000]);
      }),
    ),
  );

  it.effect("applies changes to a formula in their order, each once", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const many = yield* partners(scene, 100);
        const planId = yield* plan(scene);
        yield* assign(scene, planId, {}, [scene.partnerId, ...many]);
        yield* Given.drain;
        const { update } = yield* plans;
        for (const value of [20, 30, 40])
          yield* update(scene.owner, planId, { expression: Given.percent(value), effectiveDatetime: NOW });
        yield* Given.drain;
        const [formula] = yield* listed(scene);
        expect(formula?.versions.map(({ expression }) => expression)).toEqual(
          [10, 20, 30, 40].map((value) => Given.percent(value)),
        );
        expect(formula?.assignment?.planRevision).toBe(4);
        expect(formula?.events.length).toBe(4);
      }),
    ),
  );

  it.effect("cancels every formula with the plan; a second time nothing changes", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const planId = yield* plan(scene);
        yield* assign(scene, planId);
        yield* Given.sell(scene, 10_000);
        const { cancel, update, list } = yield* plans;
        yield* cancel(scene.owner, planId, { reason: "wrong schema" });
        expect(yield* Given.amounts(scene)).toEqual([0]);
        const [formula] = yield* listed(scene);
        expect([formula?.status, formula?.cancelReason]).toEqual(["cancelled", "wrong schema"]);
        yield* cancel(scene.owner, planId, { reason: "again" });
        const { items } = yield* list(scene.owner);
        expect([items[0]?.cancelReason, items[0]?.version]).toEqual(["wrong schema", 2]);
        const refused = "plan_cancelled: a cancelled plan cannot be changed";
        expect(yield* Given.refusal(update(scene.owner, planId, { name: "New" }))).toBe(refused);
        expect(yield* Given.refusal(assign(yield* another(scene), planId))).toBe(refused);
      }),
    ),
  );

  it.effect("refuses an expression that does not fit the schema, and an empty window", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const planId = yield* plan(scene);
        const { update, list } = yield* plans;
        const unknown = { type: "property", name: "profit" } as const;
        expect(yield* Given.refusal(plan(scene, { expression: unknown }))).toMatch(/^expression: \$.*profit/);
        expect(yield* Given.refusal(update(scene.owner, planId, { expression: unknown }))).toMatch(
          /^expression: \$.*profit/,
        );
        const empty = "end_datetime: must be after start_datetime";
        expect(yield* Given.refusal(plan(scene, { endDatetime: NOW - 30 * DAY }))).toBe(empty);
        expect(yield* Given.refusal(update(scene.owner, planId, { endDatetime: NOW - 30 * DAY }))).toBe(
          empty,
        );
        const { items, total } = yield* list(scene.owner);
        expect([total, items[0]?.version]).toEqual([1, 1]);
      }),
    ),
  );
});

describe("ending an assignment", () => {
  it.effect("ends it now unless a date is stated, and never moves an end to a later date", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const planId = yield* plan(scene);
        yield* assign(scene, planId);
        const { unassign } = yield* plans;
        yield* unassign(scene.owner, planId, scene.partnerId);
        expect(yield* windows(scene)).toEqual([[NOW - 30 * DAY, NOW]]);
        yield* unassign(scene.owner, planId, scene.partnerId, { endDatetime: NOW + DAY });
        expect(yield* windows(scene)).toEqual([[NOW - 30 * DAY, NOW]]);
        yield* unassign(scene.owner, planId, scene.partnerId, { endDatetime: NOW - DAY });
        expect(yield* windows(scene)).toEqual([[NOW - 30 * DAY, NOW - DAY]]);
        yield* assign(scene, planId, { from: NOW - DAY });
        expect((yield* listed(scene)).length).toBe(2);
      }),
    ),
  );

  it.effect(
    "at or before its start withdraws it: its commissions become 0, also if the plan's start is moved back afterwards",
    () =>
      rule(
        Effect.gen(function* () {
          const scene = yield* Given.scene();
          const planId = yield* plan(scene);
          yield* assign(scene, planId);
          yield* Given.sell(scene, 10_000);
          const { unassign, update } = yield* plans;
          yield* unassign(scene.owner, planId, scene.partnerId, { endDatetime: NOW - 30 * DAY });
          expect(yield* windows(scene)).toEqual([[NOW - 30 * DAY, NOW - 30 * DAY]]);
          expect(yield* Given.amounts(scene)).toEqual([0]);
          expect(yield* progress(scene, planId)).toEqual({ partnerCount: 0, pending: 0, done: 1 });
          yield* update(scene.owner, planId, { startDatetime: NOW - 60 * DAY });
          expect(yield* Given.amounts(scene)).toEqual([0]);
          yield* assign(scene, planId);
          expect((yield* Given.amounts(scene)).toSorted()).toEqual([0, 1_000]);
        }),
      ),
  );

  it.effect("is decided by the plan's present window, whether or not the formula has been updated", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const many = yield* partners(scene, 100);
        const planId = yield* plan(scene, { startDatetime: NOW });
        yield* assign(scene, planId, {}, [scene.partnerId, ...many]);
        const { unassign, update } = yield* plans;
        yield* update(scene.owner, planId, { startDatetime: NOW - 10 * DAY });
        expect(yield* windows(scene)).toEqual([[NOW, null]]);
        yield* unassign(scene.owner, planId, scene.partnerId, { endDatetime: NOW - DAY });
        expect(yield* windows(scene)).toEqual([[NOW - 10 * DAY, NOW - DAY]]);
        yield* Given.drain;
        const [formula] = yield* listed(scene);
        expect([formula?.assignment?.planRevision, formula?.events.length]).toEqual([2, 3]);
      }),
    ),
  );

  it.effect("refuses a partner that was never assigned, like one that does not exist", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const planId = yield* plan(scene);
        const foreign = yield* Given.scene();
        const { unassign } = yield* plans;
        for (const partnerId of [scene.partnerId, foreign.partnerId, Build.fresh.partner()])
          expect(yield* Given.refusal(unassign(scene.owner, planId, partnerId))).toBe("assignment not found");
        expect(yield* Given.refusal(unassign(foreign.owner, planId, foreign.partnerId))).toBe(
          "plan not found",
        );
      }),
    ),
  );
});

describe("a formula of a plan", () => {
  it.effect("accepts its own end, or null for the plan's, and refuses every other change", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const planId = yield* plan(scene, { endDatetime: NOW + 10 * DAY });
        yield* assign(scene, planId);
        const [formula] = yield* listed(scene);
        if (formula === undefined) return yield* Effect.die("the partner is assigned");
        const { update, cancel } = yield* formulas;
        yield* update(scene.owner, formula.id, { endDatetime: NOW });
        expect(yield* windows(scene)).toEqual([[NOW - 30 * DAY, NOW]]);
        yield* update(scene.owner, formula.id, { endDatetime: NOW + 99 * DAY });
        expect(yield* windows(scene)).toEqual([[NOW - 30 * DAY, NOW + 10 * DAY]]);
        yield* update(scene.owner, formula.id, { endDatetime: null });
        yield* (yield* plans).update(scene.owner, planId, { endDatetime: null });
        expect(yield* windows(scene)).toEqual([[NOW - 30 * DAY, null]]);
        const before = yield* listed(scene);
        for (const asked of [
          { name: "Own" },
          { description: null },
          { startDatetime: NOW },
          { expression: Given.percent(99) },
          { endDatetime: NOW, name: formula.name },
        ])
          expect(yield* Given.refusal(update(scene.owner, formula.id, asked))).toBe(
            "formula_of_plan: a formula of a plan is changed with its plan; only end_datetime may be set here",
          );
        expect(yield* Given.refusal(cancel(scene.owner, formula.id, { reason: "mistake" }))).toMatch(
          /^formula_of_plan: /,
        );
        expect(yield* Given.refusal(update(scene.owner, formula.id, { endDatetime: NOW - 30 * DAY }))).toBe(
          "end_datetime: must be after start_datetime",
        );
        expect(yield* listed(scene)).toEqual(before);
      }),
    ),
  );

  it.effect("is not extended over the next assignment of the partner", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const planId = yield* plan(scene);
        yield* assign(scene, planId, { to: NOW });
        yield* assign(scene, planId, { from: NOW + DAY });
        const [formula] = yield* listed(scene);
        if (formula === undefined) return yield* Effect.die("the partner is assigned");
        const { update } = yield* formulas;
        yield* update(scene.owner, formula.id, { endDatetime: NOW + DAY });
        for (const endDatetime of [NOW + DAY + 1, null])
          expect(yield* Given.refusal(update(scene.owner, formula.id, { endDatetime }))).toMatch(
            /^plan_assignment: /,
          );
      }),
    ),
  );
});

describe("a settlement of commissions under a plan", () => {
  it.effect("first updates its formulas to the plan; a preview shows the same and stores nothing", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const many = yield* partners(scene, 100);
        const planId = yield* plan(scene);
        yield* assign(scene, planId, {}, [scene.partnerId, ...many]);
        yield* Given.drain;
        yield* Given.sell(scene, 10_000);
        yield* (yield* plans).update(scene.owner, planId, {
          expression: Given.percent(20),
          effectiveDatetime: NOW,
        });
        const { customerId, workspaceId, partnerId } = scene;
        const [commission] = yield* Given.commissions(scene);
        if (commission === undefined) return yield* Effect.die("the sale earned a commission");
        const asked = { customerId, workspaceId, partnerId, commissionIds: [commission.id] };
        const { preview } = yield* Settlements.Settlements;
        expect((yield* preview(scene.owner, asked)).total).toBe(2_000);
        expect((yield* listed(scene))[0]?.assignment?.planRevision).toBe(1);
        const settlementId = yield* Given.draft(scene);
        expect((yield* Given.settlement(scene, settlementId)).total).toBe(2_000);
        expect((yield* listed(scene))[0]?.assignment?.planRevision).toBe(2);
        expect((yield* progress(scene, planId)).done).toBe(0);
        yield* Given.drain;
        expect(yield* progress(scene, planId)).toEqual({ partnerCount: 101, pending: 0, done: 101 });
        expect((yield* listed(scene))[0]?.events.length).toBe(2);
      }),
    ),
  );
});

describe("a customer without plans", () => {
  it.effect("has no further read or write of the store for an attribution, a formula or a settlement", () => {
    const calls: Array<string> = [];
    const counting = (store: Storage.StorageService): Partial<Storage.StorageService> =>
      Object.fromEntries(
        Object.entries(store).map(([name, method]) => [
          name,
          typeof method !== "function"
            ? method
            : (...given: ReadonlyArray<unknown>) => {
                calls.push(name === "find" ? `find ${String(given[1])}` : name);
                return Reflect.apply(method, store, given);
              },
        ]),
      );
    const callsOf = <A, E, R>(command: Effect.Effect<A, E, R>) =>
      Effect.map(
        Effect.zipRight(
          Effect.sync(() => calls.splice(0)),
          command,
        ),
        () => calls.splice(0).toSorted(),
      );
    return rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const { update } = yield* formulas;
        const formulaId = yield* Given.formula(scene);
        yield* Given.sell(scene, 10_000);
        expect(yield* callsOf(Given.sell(scene, 20_000))).toEqual(["commit"]);
        expect(yield* callsOf(update(scene.owner, formulaId, { name: "Other" }))).toEqual([
          "commit",
          "find formula",
        ]);
        const { customerId, workspaceId, partnerId } = scene;
        const commissionIds = (yield* Given.commissions(scene)).map(({ id }) => id);
        const { create } = yield* Settlements.Settlements;
        const settle = create(scene.owner, { customerId, workspaceId, partnerId, commissionIds });
        expect(yield* callsOf(settle)).toEqual([
          "commissionsWithAttributions",
          "commit",
          "find formula",
          "find partner",
          "find schema",
        ]);
      }),
      { storage: counting },
    );
  });
});

describe("access to plans", () => {
  const limited = (owner: Principal.Principal, partnerIds: ReadonlyArray<Ids.PartnerId>) => ({
    ...owner,
    partnerIds,
  });

  it.effect("writing needs a grant of every partner, reading does not", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const planId = yield* plan(scene);
        const narrow = limited(scene.owner, [scene.partnerId]);
        const { create, update, cancel, assign, unassign, list } = yield* plans;
        const { workspaceId, schemaId, partnerId } = scene;
        const refused = "The credential is limited to some partners; a plan needs one for all of them";
        const commands = [
          create(narrow, {
            ...{ workspaceId, schemaId, name: "Plan", currency: EUR, expression: Given.percent(1) },
            startDatetime: NOW,
          }),
          update(narrow, planId, { name: "Plan" }),
          cancel(narrow, planId, { reason: "mine" }),
          assign(narrow, planId, { partnerIds: [partnerId] }),
          unassign(narrow, planId, partnerId),
        ];
        for (const command of commands) expect(yield* Given.refusal(command)).toBe(refused);
        expect((yield* list(narrow)).total).toBe(1);
        expect((yield* list({ ...narrow, workspaceIds: [Build.fresh.workspace()] })).total).toBe(0);
        expect(yield* Effect.map(Effect.either(list({ ...narrow, kind: "partner" })), Either.isLeft)).toBe(
          true,
        );
      }),
    ),
  );

  it.effect("a plan of another workspace or customer is refused as not found", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const planId = yield* plan(scene);
        const foreign = yield* Given.scene();
        const { update, cancel, assign } = yield* plans;
        const elsewhere = { ...scene.owner, workspaceIds: [Build.fresh.workspace()] };
        for (const principal of [foreign.owner, elsewhere]) {
          expect(yield* Given.refusal(update(principal, planId, { name: "Plan" }))).toBe("plan not found");
          expect(yield* Given.refusal(cancel(principal, planId, { reason: "mine" }))).toBe("plan not found");
          expect(yield* Given.refusal(assign(principal, planId, { partnerIds: [foreign.partnerId] }))).toBe(
            "plan not found",
          );
        }
        expect(yield* Given.refusal(plan({ ...scene, schemaId: foreign.schemaId }))).toBe(
          "schema_id: must be the id of a schema of the workspace",
        );
      }),
    ),
  );

  it.effect("lists find plans by id, workspace and part of the name", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const first = yield* plan(scene, { name: "Affiliates Nord" });
        yield* plan(scene, { name: "Resellers" });
        const { list } = yield* plans;
        const names = (input: CommissionPlans.ListPlans) =>
          Effect.map(list(scene.owner, input), ({ items }) => items.map(({ name }) => name));
        expect(yield* names({ name: "NORD" })).toEqual(["Affiliates Nord"]);
        expect(yield* names({ ids: [first] })).toEqual(["Affiliates Nord"]);
        expect(yield* names({ workspaceIds: [Build.fresh.workspace()] })).toEqual([]);
        expect(yield* names({ order: "desc" })).toEqual(["Resellers", "Affiliates Nord"]);
      }),
    ),
  );
});
