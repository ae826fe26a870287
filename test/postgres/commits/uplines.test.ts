/** Sales and links of partners on PostgreSQL: two engines record and change them at the same time. */

import { it } from "@effect/vitest";
import { Context, Effect } from "effect";
import { Attributions, type Ids } from "quittance";
import type { Expression } from "quittance/formula";
import { describe, expect } from "vitest";
import { twoEngines } from "./twoEngines.ts";

const SUM: Expression = {
  ...{ type: "aggregate", function: "sum", value: { type: "property", name: "order_value" } },
  window: { type: "lifetime" },
};

/** Two engines that record and link the partners of one customer. */
const recording = Effect.gen(function* () {
  const { first, engineOf, owner, partner, formula, link, request, check } = yield* twoEngines;
  const sell = (index: number, partnerId: Ids.PartnerId) =>
    Context.get(engineOf(index), Attributions.Attributions).create(owner, request(partnerId));
  const sellMany = (index: number, partnerId: Ids.PartnerId) =>
    Context.get(engineOf(index), Attributions.Attributions).createBatch(owner, {
      ...{ mode: "atomic", attributions: [request(partnerId), request(partnerId)] },
    });
  /** The uplines of a sale, in the order of their depths. */
  const uplines = (id: Ids.AttributionId) =>
    Effect.map(
      Context.get(first, Attributions.Attributions).list(owner, { originIds: [id], perPage: 100 }),
      ({ items }) =>
        items
          .filter(({ credit }) => (credit?.depth ?? 0) > 0)
          .toSorted((a, b) => (a.credit?.depth ?? 0) - (b.credit?.depth ?? 0))
          .map(({ partnerId }) => partnerId),
    );
  return { partner, sell, sellMany, link, uplines, formula, check };
});

describe("sales and links of two engines", () => {
  it.scopedLive("follow each other: a sale has the uplines that another engine has linked before it", () =>
    Effect.gen(function* () {
      const { partner, sell, sellMany, link, uplines, check } = yield* recording;
      const [seller, manager, director] = [yield* partner, yield* partner, yield* partner];
      // Each engine remembers that there are no links.
      for (const index of [0, 1]) yield* sell(index, seller);
      yield* link(0, seller, manager);
      const one = yield* sell(1, seller);
      expect(yield* uplines(one.id)).toEqual([manager]);
      yield* link(1, manager, director);
      const { results } = yield* sellMany(0, seller);
      for (const result of results)
        expect("id" in result ? yield* uplines(result.id) : result).toEqual([manager, director]);
      yield* check;
    }),
  );

  it.scopedLive("are decided one after the other where they happen at the same time", () =>
    Effect.gen(function* () {
      const { partner, sell, link, uplines, formula, check } = yield* recording;
      const partners = yield* Effect.replicateEffect(partner, 9);
      const [seller, ...chain] = partners;
      if (seller === undefined) return yield* Effect.die("a seller");
      for (const partnerId of chain.slice(0, 2)) yield* formula(partnerId, SUM, ["manager"]);
      /** How many links were stored when it began, and had been begun when it ended. */
      let [stored, begun] = [0, 0];
      const sales: Array<{ readonly id: Ids.AttributionId; readonly least: number; readonly most: number }> =
        [];
      // Until every link is stored, however slow the machine is.
      const selling = (lane: number) =>
        Effect.gen(function* () {
          for (let sold = 0; sold < 16 || stored < chain.length; sold++) {
            const least = stored;
            const { id } = yield* sell(lane, seller);
            sales.push({ id, least, most: begun });
          }
        });
      const linking = Effect.forEach(
        chain,
        (upline, index) =>
          Effect.gen(function* () {
            begun++;
            yield* link(index, partners[index] ?? seller, upline);
            stored++;
            yield* Effect.sleep("20 millis");
          }),
        { discard: true },
      );
      yield* Effect.all([selling(0), selling(1), selling(0), linking], { concurrency: "unbounded" });
      for (const { id, least, most } of sales) {
        const found = yield* uplines(id);
        expect(found).toEqual(chain.slice(0, found.length));
        expect(found.length).toBeGreaterThanOrEqual(least);
        expect(found.length).toBeLessThanOrEqual(most);
      }
      expect(new Set(sales.map(({ least }) => least)).size).toBeGreaterThan(1);
      yield* check;
    }),
  );
});
