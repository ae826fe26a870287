/** Sales that several people earn from on PostgreSQL: two engines create and cancel them at the same time. */

import { it } from "@effect/vitest";
import { Context, Effect } from "effect";
import { Attributions, type Ids } from "quittance";
import type { Expression } from "quittance/formula";
import { Build } from "quittance/testing";
import { describe, expect } from "vitest";
import { twoEngines } from "./twoEngines.ts";

const SUM: Expression = {
  type: "aggregate",
  function: "sum",
  value: { type: "property", name: "order_value" },
  window: { type: "lifetime" },
};

describe("concurrent sales with several credits", () => {
  it.scopedLive(
    "leave the shares, totals and amounts that a recount confirms, whichever engine they come from",
    () =>
      Effect.gen(function* () {
        const { first, engineOf, owner, partner, formula, request, drain, check } = yield* twoEngines;
        const partners = yield* Effect.replicateEffect(partner, 3);
        // The third partner has no formula that accumulates.
        for (const [index, partnerId] of partners.entries())
          yield* formula(partnerId, index === 2 ? { type: "property", name: "order_value" } : SUM, [
            "seller",
            "engineer",
          ]);
        const at = (index: number): Ids.PartnerId => partners[index % 3] as Ids.PartnerId;
        const created: Array<Ids.AttributionId> = [];
        const sell = (index: number) =>
          Effect.map(
            Context.get(engineOf(index), Attributions.Attributions).create(owner, {
              ...request(at(index), 1 + (index % 17)),
              credits: [
                { partnerId: at(index + 1), share: "0.25" },
                { partnerId: at(index), share: "0.75" },
                { partnerId: at(index), role: "engineer" },
                { partnerId: at(index + 2), role: "engineer" },
              ],
            }),
            ({ id }) => created.push(id),
          );
        const cancel = (index: number) =>
          Effect.suspend(() => {
            const id = created[(index * 7) % Math.max(1, created.length)];
            return id === undefined
              ? Effect.void
              : Context.get(engineOf(index), Attributions.Attributions).cancel(owner, id, {
                  reason: "refunded",
                });
          });
        yield* Effect.forEach(
          Array.from({ length: 48 }, (_, index) => index),
          (index) => (index % 6 === 5 ? cancel(index) : sell(index)),
          { concurrency: 8 },
        );
        yield* drain;
        yield* check;
        const { summary } = yield* Context.get(first, Attributions.Attributions).statistics(owner, {
          ...{ from: Date.now() - Build.DAY, to: Date.now() + Build.DAY, granularity: "day" },
        });
        expect(summary.total).toBe(created.length);
        expect(summary.cancelled).toBeGreaterThan(0);
      }),
  );
});
