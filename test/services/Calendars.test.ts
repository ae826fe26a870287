/** Days, months and years as the customer counts them. */

import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { Attributions, CommissionFormulas } from "quittance";
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

/** The amounts of sales of 100, in order of arrival; the invariants hold of what they build on. */
const amountsOf = (scene: Given.Scene, dates: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { create } = yield* Attributions.Attributions;
    for (const date of dates)
      yield* create(scene.owner, { ...Given.sale(scene, 100), occurredAt: Date.parse(date) });
    yield* checkInvariants(scene.customerId);
    return (yield* Given.commissions(scene)).map(({ computedAmount }) => computedAmount);
  });

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
