/** Days, months and years as the customer counts them. */

import { describe, expect, it } from "@effect/vitest";
import { Effect, Either } from "effect";
import { Attribution, Attributions, CommissionFormulas } from "quittance";
import { checkInvariants } from "quittance/testing";
import * as Given from "./Given.ts";

const { rule } = Given;

/** A formula that pays 1 % of what the partner sold earlier in the window, from 1970 on. */
const countEarlier = ({ owner, workspaceId, partnerId, schemaId }: Given.Scene, window: string) =>
  Effect.flatMap(CommissionFormulas.CommissionFormulas, ({ create }) =>
    create(owner, {
      ...{ workspaceId, partnerId, schemaId, currency: Given.EUR, name: "Earlier sales" },
      startDatetime: 0,
      expressionText: `1 % of (sum of order_value earlier ${window})`,
    }),
  );

/** Records a sale of 100 that occurred at a moment, and on a day if one is stated. */
const sellAt = (scene: Given.Scene, date: string, occurredOn?: string, externalReference?: string) =>
  Effect.flatMap(Attributions.Attributions, ({ create }) =>
    create(scene.owner, {
      ...Given.sale(scene, 100),
      occurredAt: Date.parse(date),
      ...(occurredOn === undefined ? {} : { occurredOn }),
      ...(externalReference === undefined ? {} : { externalReference }),
    }),
  );

/** The amounts of all sales, in order of arrival; the invariants hold of what they build on. */
const amounts = (scene: Given.Scene) =>
  Effect.gen(function* () {
    yield* checkInvariants(scene.customerId);
    return (yield* Given.commissions(scene)).map(({ computedAmount }) => computedAmount);
  });

/** The amounts of sales of 100, in order of arrival. */
const amountsOf = (scene: Given.Scene, dates: ReadonlyArray<string>) =>
  Effect.zipRight(
    Effect.forEach(dates, (date) => sellAt(scene, date)),
    amounts(scene),
  );

describe("a window", () => {
  it.effect("of a year from April counts the sales of that year", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* countEarlier(scene, "this year from April");
        const dates = ["2024-04-01", "2024-12-31", "2025-01-01", "2025-03-31T23:59:59Z", "2025-04-01"];
        expect(yield* amountsOf(scene, dates)).toEqual([0, 1, 2, 3, 0]);
      }),
    ),
  );

  it.effect("of a quarter from February counts the sales of that quarter", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* countEarlier(scene, "this quarter from February");
        const dates = ["2024-11-01", "2025-01-31", "2025-02-01", "2025-04-30", "2025-05-01", "2024-12-24"];
        expect(yield* amountsOf(scene, dates)).toEqual([0, 1, 0, 1, 0, 2]);
      }),
    ),
  );
});

describe("a calendar day that is stated", () => {
  const LAST = "2025-03-31T23:00:00Z";

  it.effect("decides the month that the sale counts for", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* countEarlier(scene, "this month");
        yield* sellAt(scene, LAST);
        yield* sellAt(scene, LAST, "2025-04-01");
        yield* sellAt(scene, "2025-04-30T12:00:00Z", "2025-05-01");
        yield* sellAt(scene, "2025-04-01T00:30:00Z");
        yield* sellAt(scene, "2025-04-01T00:30:00Z", "2025-03-31");
        expect(yield* amounts(scene)).toEqual([0, 0, 0, 1, 1]);
      }),
    ),
  );

  it.effect("decides what the cancellation of a sale changes", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* countEarlier(scene, "in the last 2 days");
        const { id } = yield* sellAt(scene, LAST, "2025-04-01");
        yield* sellAt(scene, "2025-04-02T23:00:00Z", "2025-04-03");
        yield* sellAt(scene, "2025-04-02T23:00:00Z");
        yield* sellAt(scene, "2025-04-03T00:00:00Z", "2025-04-02");
        yield* sellAt(scene, LAST);
        expect(yield* amounts(scene)).toEqual([0, 0, 1, 2, 0]);
        const { cancel } = yield* Attributions.Attributions;
        yield* cancel(scene.owner, id, { reason: "refund" });
        expect(yield* amounts(scene)).toEqual([0, 0, 0, 1, 0]);
      }),
    ),
  );

  it.effect("is counted by a formula that is created later", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* sellAt(scene, LAST, "2025-04-01");
        yield* sellAt(scene, "2025-04-15");
        yield* countEarlier(scene, "this month");
        expect(yield* amounts(scene)).toEqual([0, 1]);
      }),
    ),
  );

  it.effect("is what formulas read, and lists and repetitions show", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const { create } = yield* CommissionFormulas.CommissionFormulas;
        const { workspaceId, partnerId, schemaId } = scene;
        yield* create(scene.owner, {
          ...{ workspaceId, partnerId, schemaId, currency: Given.EUR, name: "By the day of the month" },
          ...{ startDatetime: 0, expressionText: "day of sale.occurred_on" },
        });
        const first = yield* sellAt(scene, LAST, "2025-04-01", "order-1");
        yield* sellAt(scene, LAST, undefined, "order-2");
        expect(yield* amounts(scene)).toEqual([1, 31]);
        const { list } = yield* Attributions.Attributions;
        const { items } = yield* list(scene.owner);
        expect(items.map(Attribution.dayOf)).toEqual(["2025-04-01", "2025-03-31"]);

        expect((yield* sellAt(scene, LAST, "2025-04-01", "order-1")).id).toBe(first.id);
        const reuse = /^external_reference_reuse: /;
        for (const [day, reference] of [
          [undefined, "order-1"],
          ["2025-03-31", "order-1"],
          ["2025-03-31", "order-2"],
        ] as const)
          expect(yield* Given.refusal(sellAt(scene, LAST, day, reference))).toMatch(reuse);
      }),
    ),
  );

  it.effect("is refused more than one day from the UTC day, also of a sample", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const message = "occurred_on: must be at most one day from 2025-03-31, the UTC day of occurred_at";
        expect(yield* Given.refusal(sellAt(scene, LAST, "2025-04-02"))).toBe(message);
        expect(yield* Given.refusal(sellAt(scene, LAST, "2025-03-32"))).toBe(
          "occurredOn: must be a date as YYYY-MM-DD",
        );
        const { simulate } = yield* CommissionFormulas.CommissionFormulas;
        const tried = (occurredOn: string) =>
          simulate(scene.owner, {
            ...{ schemaId: scene.schemaId, currency: Given.EUR },
            expressionText: "count earlier this month",
            samples: [
              {
                ...{ properties: { order_value: 1 }, occurredAt: Date.parse("2025-03-30") },
                history: [{ properties: { order_value: 1 }, occurredAt: Date.parse(LAST), occurredOn }],
              },
            ],
          });
        const [march] = yield* tried("2025-03-31");
        const [april] = yield* tried("2025-04-01");
        expect([march?.result, april?.result]).toEqual([Either.right(1), Either.right(0)]);
        expect(yield* Given.refusal(tried("2025-04-02"))).toBe(`samples.0.history.0.${message}`);
      }),
    ),
  );
});
