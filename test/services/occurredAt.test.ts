/** What follows the date that an attribution counts for, and what follows the moment of its creation. */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { Attributions, CommissionFormulas, Commissions, type Ids } from "quittance";
import * as Given from "./Given.ts";

const { rule, NOW, DAY } = Given;
const MINUTE = 60_000;

/** Credits a sale that occurred at a moment. */
const sellAt = (scene: Given.Scene, orderValue: number, occurredAt: number, externalReference?: string) =>
  Effect.flatMap(Attributions.Attributions, ({ create }) =>
    create(scene.owner, {
      ...Given.sale(scene, orderValue),
      occurredAt,
      ...(externalReference === undefined ? {} : { externalReference }),
    }),
  );

const change = (scene: Given.Scene, id: Ids.FormulaId, rate: number, effectiveDatetime?: number) =>
  Effect.flatMap(CommissionFormulas.CommissionFormulas, ({ update }) =>
    update(scene.owner, id, {
      expression: Given.percent(rate),
      ...(effectiveDatetime === undefined ? {} : { effectiveDatetime }),
    }),
  );

const attributionCount = (scene: Given.Scene) =>
  Effect.flatMap(Attributions.Attributions, ({ list }) =>
    Effect.map(list(scene.owner), ({ total }) => total),
  );

describe("the window of a formula", () => {
  it.effect("covers sales by the date on which they occurred, from its start to before its end", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.formula(scene, { from: NOW - 10 * DAY, to: NOW - 5 * DAY });
        yield* Given.sell(scene, 100);
        yield* sellAt(scene, 200, NOW - 10 * DAY - 1);
        yield* sellAt(scene, 300, NOW - 10 * DAY);
        yield* sellAt(scene, 400, NOW - 5 * DAY - 1);
        yield* sellAt(scene, 500, NOW - 5 * DAY);
        expect(yield* Given.amounts(scene)).toEqual([30, 40]);
      }),
    ),
  );

  it.effect("covers the same sales when it is created after them", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* sellAt(scene, 200, NOW - 10 * DAY - 1);
        yield* sellAt(scene, 300, NOW - 10 * DAY);
        yield* Given.sell(scene, 100);
        yield* Given.wait(DAY);
        yield* Given.formula(scene, { from: NOW - 10 * DAY, to: NOW - 5 * DAY });
        expect(yield* Given.amounts(scene)).toEqual([30]);
      }),
    ),
  );
});

describe("the versions of a formula", () => {
  it.effect("apply to sales by their dates, however late they are recorded", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const id = yield* Given.formula(scene, { from: NOW - 400 * DAY });
        yield* change(scene, id, 20, NOW - 20 * DAY);
        yield* sellAt(scene, 1_000, NOW - 20 * DAY - 1);
        yield* sellAt(scene, 1_000, NOW - 20 * DAY);
        expect(yield* Given.amounts(scene)).toEqual([100, 200]);
        yield* change(scene, id, 30, NOW - 20 * DAY);
        expect(yield* Given.amounts(scene)).toEqual([100, 300]);
        const [first, second] = yield* Given.commissions(scene);
        const { explain } = yield* Commissions.Commissions;
        expect(first && (yield* explain(scene.owner, first.id)).formulaVersion).toBe(1);
        expect(second && (yield* explain(scene.owner, second.id)).formulaVersion).toBe(3);
      }),
    ),
  );

  it.effect("begin after the newest sale if no date is stated, so that no amount changes", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const id = yield* Given.formula(scene);
        yield* Given.sell(scene, 1_000);
        yield* change(scene, id, 20);
        expect(yield* Given.amounts(scene)).toEqual([100]);
        yield* Given.wait(1);
        yield* Given.sell(scene, 1_000);
        // A process whose clock is an hour behind changes the rate.
        yield* Given.wait(-60 * MINUTE);
        yield* change(scene, id, 50);
        expect(yield* Given.amounts(scene)).toEqual([100, 200]);
        yield* Given.wait(60 * MINUTE + 1);
        yield* Given.sell(scene, 1_000);
        expect(yield* Given.amounts(scene)).toEqual([100, 200, 500]);
      }),
    ),
  );
});

describe("statistics", () => {
  it.effect("count a late sale and its commission in the month in which it occurred", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.formula(scene, { from: NOW - 400 * DAY });
        yield* sellAt(scene, 1_000, NOW - 1);
        yield* Given.sell(scene, 3_000);
        const span = { from: NOW - 31 * DAY, to: NOW + 31 * DAY, granularity: "month" } as const;
        const attributions = yield* (yield* Attributions.Attributions).statistics(scene.owner, span);
        expect(attributions.buckets.map(({ total }) => total)).toEqual([1, 1]);
        const commissions = yield* (yield* Commissions.Commissions).statistics(scene.owner, span);
        expect(commissions.buckets.map(({ unsettled }) => unsettled.amounts[0]?.amount)).toEqual([
          100n,
          300n,
        ]);
      }),
    ),
  );
});

describe("a date ahead of the clock", () => {
  it.effect("counts as the time of creation, and a repetition of its external reference is accepted", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const first = yield* sellAt(scene, 10, NOW + 5 * MINUTE, "order-1");
        yield* Given.wait(4 * MINUTE);
        const again = yield* sellAt(scene, 10, NOW + 5 * MINUTE, "order-1");
        expect(again.id).toBe(first.id);
        const { list } = yield* Attributions.Attributions;
        const { items } = yield* list(scene.owner);
        expect(items.map(({ occurredAt, occurredAtGiven }) => [occurredAt, occurredAtGiven])).toEqual([
          [NOW, NOW + 5 * MINUTE],
        ]);
        expect(yield* Given.refusal(sellAt(scene, 10, NOW, "order-1"))).toMatch(
          /^external_reference_reuse: /,
        );
      }),
    ),
  );

  it.effect("of more than five minutes is refused, in a batch with its place, and nothing is stored", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const message = "occurred_at: must not be more than 5 minutes in the future";
        expect(yield* Given.refusal(sellAt(scene, 10, NOW + 5 * MINUTE + 1))).toBe(message);
        const { createBatch } = yield* Attributions.Attributions;
        const attributions = [
          { ...Given.sale(scene, 1), occurredAt: NOW },
          { ...Given.sale(scene, 2), occurredAt: NOW + 6 * MINUTE },
        ];
        expect(yield* Given.refusal(createBatch(scene.owner, { mode: "atomic", attributions }))).toBe(
          `attributions.1.${message}`,
        );
        expect(yield* attributionCount(scene)).toBe(0);
        const { results } = yield* createBatch(scene.owner, { mode: "independent", attributions });
        expect(results[1]).toEqual({ refusal: "Invalid", message, field: "occurred_at", token: null });
        expect(yield* attributionCount(scene)).toBe(1);
      }),
    ),
  );
});
