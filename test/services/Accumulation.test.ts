/** Accumulating formulas: order of arrival, totals before each attribution, and recomputation after a cancellation. */

import { describe, expect, it } from "@effect/vitest";
import { Effect, Either, Layer } from "effect";
import { Attributions, CommissionFormulas, Commissions, type Ids, Storage } from "quittance";
import type { Aggregate, Expression, Window } from "quittance/formula";
import { checkInvariants, type Ports } from "quittance/testing";
import * as Given from "./Given.ts";

const { rule, NOW, DAY } = Given;

const number = (value: number): Expression => ({ type: "literal", value: { type: "number", value } });
const orderValue: Expression = { type: "property", name: "order_value" };
const lifetime: Window = { type: "lifetime" };

/** The sum of the order values before. */
const before = (window: Window = lifetime, given: Partial<Aggregate> = {}): Expression => ({
  type: "aggregate",
  function: "sum",
  value: orderValue,
  window,
  ...given,
});

/** The sum of the earlier sales in cents: the amount shows the totals that it is based on. */
const echo = (window?: Window) => before(window);

/** 1 % of the first 1,000 of a period, 10 % of what is above. */
const tiers = (window: Window): Expression => ({
  type: "graduated",
  amount: orderValue,
  offset: before(window),
  tiers: [
    {
      up_to: { type: "number", value: 1_000 },
      rate: { type: "literal", value: { type: "percent", value: 1 } },
    },
    { rate: { type: "literal", value: { type: "percent", value: 10 } } },
  ],
});

/** The amounts in order of creation; the invariants hold of what they build on. */
const amounts = (scene: Given.Scene) =>
  Effect.flatMap(checkInvariants(scene.customerId), () =>
    Effect.map(Given.commissions(scene), (all) => all.map(({ computedAmount }) => computedAmount)),
  );

const cancel = (scene: Given.Scene, id: string | undefined) =>
  Effect.flatMap(Attributions.Attributions, (service) =>
    service.cancel(scene.owner, id as Ids.AttributionId, { reason: "refunded" }),
  );

const recomputing = ({ owner }: Given.Scene) =>
  Effect.flatMap(CommissionFormulas.CommissionFormulas, ({ list }) =>
    Effect.map(list(owner, { perPage: 100 }), ({ items }) => items.map((item) => item.recomputing)),
  );

describe("a creation under an accumulating formula", () => {
  it.effect("counts the confirmed attributions that arrived before it", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.formula(scene, { expression: echo() });
        for (const value of [100, 200, 300]) yield* Given.sell(scene, value);
        expect(yield* amounts(scene)).toEqual([0, 100, 300]);
      }),
    ),
  );

  it.effect("counts by the calendar month of its date, not of its arrival", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.formula(scene, {
          expression: echo({ type: "calendar", unit: "month" }),
          from: NOW - 400 * DAY,
        });
        const { create } = yield* Attributions.Attributions;
        const sellAt = (value: number, occurredAt: number) =>
          create(scene.owner, { ...Given.sale(scene, value), occurredAt });
        yield* sellAt(100, NOW - DAY);
        yield* sellAt(200, NOW);
        yield* sellAt(300, NOW - 2 * DAY);
        yield* sellAt(400, NOW);
        expect(yield* amounts(scene)).toEqual([0, 0, 100, 200]);
      }),
    ),
  );

  it.effect("counts the UTC day and the days before it in a rolling window", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.formula(scene, {
          expression: echo({ type: "rolling", days: 3 }),
          from: NOW - 400 * DAY,
        });
        const { create } = yield* Attributions.Attributions;
        const sellAt = (value: number, day: number) =>
          create(scene.owner, { ...Given.sale(scene, value), occurredAt: NOW - day * DAY });
        for (const [value, day] of [
          [1, 5],
          [2, 4],
          [4, 3],
          [8, 2],
          [16, 1],
          [32, 5],
        ] as const)
          yield* sellAt(value, day);
        expect(yield* amounts(scene)).toEqual([0, 1, 3, 6, 12, 1]);
      }),
    ),
  );

  it.effect("is decided together with others that wait, each one based on the one before it", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.formula(scene, { expression: echo() });
        const values = Array.from({ length: 50 }, (_, index) => 2 ** (index % 20));
        yield* Effect.forEach(values, (value) => Given.sell(scene, value), { concurrency: "unbounded" });
        const found = (yield* amounts(scene)).map(Number);
        const total = values.reduce((sum, value) => sum + value, 0);
        expect(new Set(found).size).toBe(50);
        const sorted = found.toSorted((a, b) => a - b);
        const last = sorted.at(-1) ?? 0;
        expect(values).toContain(total - last);
      }),
    ),
  );

  it.effect(
    "is retried at once while another process commits first, and is refused as busy after 64 attempts",
    () => {
      const createDuringConflicts = (times: number) => {
        let commits = Number.POSITIVE_INFINITY;
        const conflict = Effect.fail(new Storage.VersionConflict({ what: "arrivalOrder" }));
        return rule(
          Effect.gen(function* () {
            const scene = yield* Given.scene();
            yield* Given.formula(scene, { expression: echo() });
            const pauses = yield* Given.recordPauses;
            commits = 0;
            const outcome = yield* Effect.either(Given.sell(scene, 1));
            return { commits, refused: Either.isLeft(outcome) ? outcome.left : null, pauses };
          }),
          {
            storage: ({ commit }) => ({
              commit: (customerId, changeSet) =>
                Effect.suspend(() => (++commits <= times ? conflict : commit(customerId, changeSet))),
            }),
          },
        );
      };
      return Effect.gen(function* () {
        expect(yield* createDuringConflicts(63)).toEqual({ commits: 64, refused: null, pauses: [] });
        expect(yield* createDuringConflicts(64)).toMatchObject({
          ...{ commits: 64, pauses: [] },
          refused: { token: "busy" },
        });
      });
    },
  );

  it.effect(
    "never has a time that the clock has not reached, however many there are in one millisecond",
    () =>
      rule(
        Effect.gen(function* () {
          const scene = yield* Given.scene();
          yield* Given.formula(scene, { expression: echo() });
          for (let count = 0; count < 30; count++) yield* Given.sell(scene, 1);
          const { list } = yield* Attributions.Attributions;
          const { items } = yield* list(scene.owner, { perPage: 100 });
          expect(items.map(({ createdAt }) => createdAt)).toEqual(items.map(() => NOW));
          expect(items.map(({ id }) => id)).toEqual(items.map(({ id }) => id).toSorted());
        }),
      ),
  );

  it.effect("reads the order again after another process was faster, and not the formulas", () => {
    const reads: Array<string> = [];
    let conflicts = 0;
    return rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.formula(scene, { expression: echo() });
        yield* Given.sell(scene, 1);
        reads.length = 0;
        conflicts = 3;
        yield* Given.sell(scene, 2);
        expect(new Set(reads)).toEqual(
          new Set(["find attributionHistory", "find arrivalOrder", "find runningTotal"]),
        );
        expect(yield* amounts(scene)).toEqual([0, 1]);
      }),
      {
        storage: (storage) => ({
          commit: (customerId, changeSet) =>
            Effect.suspend(() =>
              conflicts-- > 0
                ? Effect.fail(new Storage.VersionConflict({ what: "arrivalOrder" }))
                : storage.commit(customerId, changeSet),
            ),
          find: (tenant, kind, ids) => {
            reads.push(`find ${kind}`);
            return storage.find(tenant, kind, ids);
          },
          formulaSets: (...given) => {
            reads.push("formulaSets");
            return storage.formulaSets(...given);
          },
        }),
      },
    );
  });

  it.effect("is refused with the one before it, also where another process was first meanwhile", () => {
    let first: Effect.Effect<unknown> = Effect.void;
    const turn = Effect.unsafeMakeSemaphore(1);
    return rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.formula(scene, { expression: echo() });
        const store = Layer.succeedContext(yield* Effect.context<Ports>());
        first = Effect.orDie(Effect.provide(Given.sell(scene, 4), Layer.fresh(Given.engine({ store }))));
        yield* Effect.all([Given.sell(scene, 1), Given.sell(scene, 2)], { concurrency: "unbounded" });
        expect((yield* amounts(scene)).map(Number).toSorted()).toEqual([0, 4, 5]);
      }),
      {
        storage: ({ commit }) => ({
          commit: (customerId, changeSet) =>
            turn.withPermits(1)(
              Effect.suspend(() => {
                const before = first;
                first = Effect.void;
                return Effect.zipRight(before, commit(customerId, changeSet));
              }),
            ),
        }),
      },
    );
  });

  it.effect("is placed after the last one even if the clock steps back", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.formula(scene, { expression: echo() });
        yield* Given.sell(scene, 100);
        yield* Given.wait(-5_000);
        yield* Given.sell(scene, 200);
        expect(yield* amounts(scene)).toEqual([0, 100]);
      }),
    ),
  );

  it.effect("has its place in the order of a batch", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const other = yield* Given.partner(scene);
        yield* Given.formula(scene, { expression: echo() });
        yield* Given.formula({ ...scene, partnerId: other }, { expression: Given.percent(10) });
        const { createBatch } = yield* Attributions.Attributions;
        yield* Given.sell(scene, 1);
        yield* createBatch(scene.owner, {
          mode: "atomic",
          attributions: [
            Given.sale(scene, 2),
            Given.sale({ ...scene, partnerId: other }, 1_000),
            Given.sale(scene, 4),
          ],
        });
        yield* Given.sell(scene, 8);
        expect((yield* amounts(scene)).toSorted()).toEqual([0, 1, 3, 7, 100].toSorted());
      }),
    ),
  );
});

describe("a formula created over history", () => {
  it.effect("is computed in order of arrival, and new attributions continue from there", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        for (const value of [100, 200, 300]) yield* Given.sell(scene, value);
        yield* Given.formula(scene, { expression: echo() });
        expect(yield* recomputing(scene)).toEqual([false]);
        yield* Given.sell(scene, 400);
        expect(yield* amounts(scene)).toEqual([0, 100, 300, 600]);
      }),
    ),
  );

  it.effect("is completed in the background, which also computes attributions that arrive meanwhile", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const { createBatch } = yield* Attributions.Attributions;
        const thousand = Array.from({ length: 1_000 }, () => Given.sale(scene, 1));
        for (let count = 0; count < 11; count++)
          yield* createBatch(scene.owner, { mode: "atomic", attributions: thousand });
        yield* Given.formula(scene, { expression: echo() });
        expect(yield* recomputing(scene)).toEqual([true]);
        const id = yield* Given.sell(scene, 5);
        expect(yield* Given.commissions(scene, id)).toEqual([]);
        yield* Given.drain;
        expect(yield* recomputing(scene)).toEqual([false]);
        const next = yield* Given.sell(scene, 7);
        const of = (item: typeof id) =>
          Effect.map(Given.commissions(scene, item), ([commission]) => commission?.computedAmount);
        expect([yield* of(id), yield* of(next)]).toEqual([11_000, 11_005]);
      }),
    ),
  );

  it.effect("is counted again under a new version, which keeps what was earned before its date", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const id = yield* Given.formula(scene, { expression: echo() });
        for (const value of [100, 200]) yield* Given.sell(scene, value);
        yield* Given.wait(DAY);
        const { update } = yield* CommissionFormulas.CommissionFormulas;
        yield* update(scene.owner, id, {
          expression: {
            type: "coalesce",
            operands: [before(lifetime, { function: "max" }), number(7)],
          },
        });
        yield* Given.wait(DAY);
        for (const value of [50, 300, 1]) yield* Given.sell(scene, value);
        expect(yield* amounts(scene)).toEqual([0, 100, 200, 200, 300]);
      }),
    ),
  );
});

describe("a cancelled attribution", () => {
  it.effect("is removed from the totals of later ones, and from nothing else", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.formula(scene, { expression: echo() });
        const ids: Array<string> = [];
        for (const value of [100, 200, 300, 400]) ids.push(yield* Given.sell(scene, value));
        yield* cancel(scene, ids[1]);
        expect(yield* recomputing(scene)).toEqual([false]);
        expect(yield* amounts(scene)).toEqual([0, 0, 100, 400]);
        const events = (yield* Given.commissions(scene)).map((item) => item.events.map(({ event }) => event));
        expect(events.map((own) => own.length)).toEqual([1, 2, 2, 2]);
        expect(events[2]?.[1]).toMatchObject({ type: "update_commission", cause: "recomputed", amount: 100 });
        yield* Given.sell(scene, 1);
        expect(yield* amounts(scene)).toEqual([0, 0, 100, 400, 800]);
      }),
    ),
  );

  it.effect("leaves the minimum and the maximum of the others", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.formula(scene, {
          expression: { type: "coalesce", operands: [before(lifetime, { function: "max" }), number(0)] },
        });
        const ids: Array<string> = [];
        for (const value of [100, 900, 300, 1]) ids.push(yield* Given.sell(scene, value));
        yield* cancel(scene, ids[1]);
        yield* Given.sell(scene, 1);
        expect(yield* amounts(scene)).toEqual([0, 0, 100, 300, 300]);
      }),
    ),
  );

  it.effect("has later ones recomputed in the background beyond the first thousand", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.formula(scene, { expression: tiers(lifetime) });
        const first = yield* Given.sell(scene, 1_000);
        const { createBatch } = yield* Attributions.Attributions;
        for (let count = 0; count < 3; count++)
          yield* createBatch(scene.owner, {
            mode: "atomic",
            attributions: Array.from({ length: 1_000 }, () => Given.sale(scene, 1)),
          });
        yield* cancel(scene, first);
        expect(yield* recomputing(scene)).toEqual([true]);
        yield* Given.drain;
        expect(yield* recomputing(scene)).toEqual([false]);
        const found = yield* amounts(scene);
        const sum = found.reduce<number>((total, amount) => total + (amount ?? 0), 0);
        expect([found.length, sum]).toEqual([3_001, 0]);
      }),
    ),
  );
});

describe("two cancelled attributions", () => {
  it.effect(
    "result in the amounts without both, also if the second is cancelled between reading and computing of the first",
    () => {
      const between: { run: Effect.Effect<void> } = { run: Effect.void };
      return rule(
        Effect.gen(function* () {
          const scene = yield* Given.scene();
          yield* Given.formula(scene, { expression: echo() });
          const ids: Array<string> = [];
          for (const value of [100, 200, 300, 400]) ids.push(yield* Given.sell(scene, value));
          const service = yield* Attributions.Attributions;
          between.run = Effect.ignore(
            service.cancel(scene.owner, ids[1] as Ids.AttributionId, { reason: "refunded" }),
          );
          yield* cancel(scene, ids[0]);
          yield* Given.drain;
          expect(yield* amounts(scene)).toEqual([0, 0, 0, 300]);
        }),
        {
          storage: ({ arrivalsForFormula }) => ({
            arrivalsForFormula: (...given) =>
              Effect.tap(arrivalsForFormula(...given), () =>
                Effect.suspend(() => {
                  const { run } = between;
                  between.run = Effect.void;
                  return run;
                }),
              ),
          }),
        },
      );
    },
  );
});

describe("a commission under an accumulating formula", () => {
  it.effect("is explained by the totals that it is computed from", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.formula(scene, { expression: echo() });
        for (const value of [100, 200, 300]) yield* Given.sell(scene, value);
        const [, , last] = yield* Given.commissions(scene);
        const { explain } = yield* Commissions.Commissions;
        const explained = yield* explain(scene.owner, last?.id as Ids.CommissionId);
        expect(explained).toMatchObject({ amount: 300, basis: "evaluated" });
      }),
    ),
  );
});

describe("formulas without aggregates", () => {
  it.effect("cause no read, and require the formula set, the workspace and its links alone", () => {
    const reads: Array<string> = [];
    const commits: Array<Storage.ChangeSet> = [];
    const required = (requirement: Storage.Requirement): string =>
      requirement.type === "record" ? requirement.kind : requirement.type;
    return rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.formula(scene);
        const first = yield* Given.sell(scene, 1_000);
        reads.length = 0;
        commits.length = 0;
        yield* Given.sell(scene, 1_000);
        expect(reads).toEqual([]);
        yield* cancel(scene, first);
        expect(reads).toEqual(["find attribution", "commissionsOf"]);
        expect(commits.map(({ requires }) => requires.map(required))).toEqual([
          ["formula_set", "workspace", "linkSet"],
          ["formula_set", "attribution", "commissions", "commission"],
        ]);
        expect(commits.flatMap(({ changes }) => changes.map(({ type }) => type))).toEqual([
          "save",
          "save",
          "revise",
          "save",
        ]);
      }),
      {
        storage: (storage) => ({
          commit: (customerId, changeSet) => {
            commits.push(changeSet);
            return storage.commit(customerId, changeSet);
          },
          find: (tenant, kind, ids) => {
            reads.push(`find ${kind}`);
            return storage.find(tenant, kind, ids);
          },
          formulaSet: (...given) => {
            reads.push("formulaSet");
            return storage.formulaSet(...given);
          },
          commissionsOf: (...given) => {
            reads.push("commissionsOf");
            return storage.commissionsOf(...given);
          },
        }),
      },
    );
  });
});
