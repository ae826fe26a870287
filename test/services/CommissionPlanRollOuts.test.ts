/** Roll-outs of plans: a process that ends during one, and commands at the same time. */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { CommissionFormulas, CommissionPlans, type Ids, Storage } from "quittance";
import * as Given from "./Given.ts";
import { assign, listed, partners, plan, progress } from "./PlanScene.ts";

const { rule, NOW, DAY } = Given;
const formulas = CommissionFormulas.CommissionFormulas;
const plans = CommissionPlans.CommissionPlans;

/** Changes the plan of a scene to 20 % from now on. */
const raise = (scene: Given.Scene, planId: Ids.PlanId) =>
  Effect.flatMap(plans, ({ update }) =>
    update(scene.owner, planId, { expression: Given.percent(20), effectiveDatetime: NOW }),
  );

/** A store whose process ends, as far as the engine can tell, at a commit that the rule chooses; later commits fail as well. */
const endingStore = () => {
  let left = Number.POSITIVE_INFINITY;
  const storage = (store: Storage.StorageService): Partial<Storage.StorageService> => ({
    commit: (customerId, changeSet) =>
      Effect.suspend(() =>
        --left < 0
          ? Effect.fail(
              new Storage.StorageError({ reason: "unavailable", cause: new Error("the process ended") }),
            )
          : store.commit(customerId, changeSet),
      ),
  });
  return {
    storage,
    /** The number of commits that succeed from now on. */
    endAfter: (commits: number): void => {
      left = commits;
    },
    /** Another process takes over. */
    takeOver: (): void => {
      left = Number.POSITIVE_INFINITY;
    },
  };
};

describe("a roll-out whose process ends", () => {
  const PARTNERS = 120;

  it.effect("is finished by the next worker, and updates every formula once, wherever it ended", () =>
    Effect.forEach(
      [1, 2, 3, 4, 60, 105, 125],
      (commits) => {
        const ending = endingStore();
        return rule(
          Effect.gen(function* () {
            const scene = yield* Given.scene();
            const many = yield* partners(scene, PARTNERS - 1);
            const planId = yield* plan(scene);
            yield* assign(scene, planId, {}, [scene.partnerId, ...many]);
            yield* Given.drain;
            for (const partnerId of [scene.partnerId, ...many])
              yield* Given.sell({ ...scene, partnerId }, 10_000);
            ending.endAfter(commits);
            yield* raise(scene, planId);
            yield* Effect.ignore(Given.drain);
            ending.takeOver();
            for (let hour = 0; hour < 3; hour++) {
              yield* Given.wait(DAY);
              yield* Given.drain;
            }
            expect(yield* progress(scene, planId)).toEqual({
              partnerCount: PARTNERS,
              pending: 0,
              done: PARTNERS,
            });
            expect(new Set(yield* Given.amounts(scene))).toEqual(new Set([2_000]));
            const { list } = yield* formulas;
            for (const page of [1, 2]) {
              const { items } = yield* list(scene.owner, { perPage: 100, page });
              for (const { versions, events, assignment } of items)
                expect([versions.length, events.length, assignment?.planRevision]).toEqual([2, 2, 2]);
            }
          }),
          { storage: ending.storage },
        );
      },
      { discard: true },
    ),
  );

  it.effect("is finished if the command that changed the plan did not begin it", () => {
    const ending = endingStore();
    return rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const planId = yield* plan(scene);
        yield* assign(scene, planId);
        yield* Given.sell(scene, 10_000);
        ending.endAfter(1);
        yield* raise(scene, planId);
        expect(yield* Given.amounts(scene)).toEqual([1_000]);
        ending.takeOver();
        yield* Given.wait(DAY);
        yield* Given.drain;
        expect(yield* Given.amounts(scene)).toEqual([2_000]);
      }),
      { storage: ending.storage },
    );
  });
});

/** A store that lets another command commit just before the next commit that the rule chooses. */
const racingStore = () => {
  let first: Effect.Effect<unknown> | null = null;
  const storage = (store: Storage.StorageService): Partial<Storage.StorageService> => ({
    commit: (customerId, changeSet) =>
      Effect.suspend(() => {
        const other = first ?? Effect.void;
        first = null;
        return Effect.zipRight(other, store.commit(customerId, changeSet));
      }),
  });
  const overtake = <A, E, R>(other: Effect.Effect<A, E, R>) =>
    Effect.map(Effect.context<R>(), (context) => {
      first = Effect.orDie(Effect.provide(other, context));
    });
  return { storage, overtake };
};

describe("concurrent commands on a plan", () => {
  it.effect("an assignment during which the plan changes has the plan's last version", () => {
    const { storage, overtake } = racingStore();
    return rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const planId = yield* plan(scene);
        yield* Given.sell(scene, 10_000);
        yield* overtake(raise(scene, planId));
        yield* assign(scene, planId);
        expect(yield* Given.amounts(scene)).toEqual([2_000]);
        expect((yield* listed(scene)).map(({ assignment }) => assignment?.planRevision)).toEqual([2]);
      }),
      { storage },
    );
  });

  it.effect("two assignments of one partner at the same time create one formula", () => {
    const { storage, overtake } = racingStore();
    return rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const planId = yield* plan(scene);
        yield* overtake(assign(scene, planId, { from: NOW }));
        expect(yield* Given.refusal(assign(scene, planId))).toMatch(/^plan_assignment: /);
        expect((yield* listed(scene)).length).toBe(1);
      }),
      { storage },
    );
  });

  it.effect("a later end is refused if it overlaps an assignment that was created meanwhile", () => {
    const { storage, overtake } = racingStore();
    return rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const planId = yield* plan(scene);
        yield* assign(scene, planId, { to: NOW });
        const [formula] = yield* listed(scene);
        if (formula === undefined) return yield* Effect.die("the partner is assigned");
        yield* overtake(assign(scene, planId, { from: NOW }));
        const { update } = yield* formulas;
        expect(yield* Given.refusal(update(scene.owner, formula.id, { endDatetime: null }))).toMatch(
          /^plan_assignment: /,
        );
      }),
      { storage },
    );
  });

  it.effect("a settlement during whose creation the plan changes pays by the plan's last version", () => {
    const { storage, overtake } = racingStore();
    return rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const planId = yield* plan(scene);
        yield* assign(scene, planId);
        yield* Given.sell(scene, 10_000);
        yield* overtake(raise(scene, planId));
        const settlementId = yield* Given.draft(scene);
        expect((yield* Given.settlement(scene, settlementId)).total).toBe(2_000);
      }),
      { storage },
    );
  });

  it.effect("a settlement before the roll-out updates its formulas, which the roll-out then skips", () => {
    const { storage, overtake } = racingStore();
    return rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const many = yield* partners(scene, 100);
        const planId = yield* plan(scene);
        yield* assign(scene, planId, {}, [scene.partnerId, ...many]);
        yield* Given.drain;
        yield* Given.sell(scene, 10_000);
        yield* raise(scene, planId);
        yield* overtake(Given.draft(scene));
        yield* Given.drain;
        const [formula] = yield* listed(scene);
        expect([formula?.versions.length, formula?.events.length]).toEqual([2, 2]);
        expect(yield* Given.amounts(scene)).toEqual([2_000]);
        expect((yield* progress(scene, planId)).pending).toBe(0);
      }),
      { storage },
    );
  });
});
