/** Sales and links of partners on PostgreSQL: two engines record and change them at the same time. */

import { it } from "@effect/vitest";
import { Context, Effect, Layer } from "effect";
import {
  AttributionSchemas,
  Attributions,
  CommissionFormulas,
  Currency,
  type Ids,
  PartnerLinks,
  Partners,
  Principal,
  Storage,
} from "quittance";
import { Build, checkInvariants } from "quittance/testing";
import { describe, expect } from "vitest";
import { database } from "../../support/postgres.ts";
import { engine } from "./engine.ts";

/** Two engines over one database, and what both do for a customer of their own. */
const twoEngines = Effect.gen(function* () {
  const url = yield* database();
  const engines = yield* Effect.all([Layer.build(engine(url)), Layer.build(engine(url))]);
  const [first] = engines;
  const engineOf = (index: number) => engines[index % 2] as typeof first;
  const customerId = Build.fresh.customer();
  const workspaceId = Build.fresh.workspace();
  const owner = Principal.customer(customerId);
  const schema = yield* Context.get(first, AttributionSchemas.AttributionSchemas).create(owner, {
    ...{ name: "Sale", workspaceId },
    properties: [{ name: "order_value", type: "number", required: true }],
  });
  const partner = Effect.map(
    Context.get(first, Partners.Partners).create(owner, { name: "Partner", workspaceId }),
    ({ id }) => id,
  );
  const request = (partnerId: Ids.PartnerId) => ({
    ...{ partnerId, schemaId: schema.id, workspaceId },
    properties: { order_value: 10 },
  });
  const sell = (index: number, partnerId: Ids.PartnerId) =>
    Context.get(engineOf(index), Attributions.Attributions).create(owner, request(partnerId));
  const sellMany = (index: number, partnerId: Ids.PartnerId) =>
    Context.get(engineOf(index), Attributions.Attributions).createBatch(owner, {
      ...{ mode: "atomic", attributions: [request(partnerId), request(partnerId)] },
    });
  const link = (index: number, partnerId: Ids.PartnerId, uplinePartnerId: Ids.PartnerId) =>
    Context.get(engineOf(index), PartnerLinks.PartnerLinks).create(owner, {
      ...{ partnerId, uplinePartnerId, role: "manager", startDatetime: Date.now() - Build.DAY },
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
  const formula = (partnerId: Ids.PartnerId) =>
    Context.get(first, CommissionFormulas.CommissionFormulas).create(owner, {
      ...{ partnerId, workspaceId, schemaId: schema.id, name: "Sum of the team", roles: ["manager"] },
      ...{ currency: Currency.Currency.make("EUR"), startDatetime: Date.now() - Build.DAY },
      expression: {
        ...{ type: "aggregate", function: "sum", value: { type: "property", name: "order_value" } },
        window: { type: "lifetime" },
      },
    });
  const check = Effect.provide(
    checkInvariants(customerId),
    Layer.succeed(Storage.Storage, Context.get(first, Storage.Storage)),
  );
  return { partner, sell, sellMany, link, uplines, formula, check };
});

describe("sales and links of two engines", () => {
  it.scopedLive("follow each other: a sale has the uplines that another engine has linked before it", () =>
    Effect.gen(function* () {
      const { partner, sell, sellMany, link, uplines, check } = yield* twoEngines;
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
      const { partner, sell, link, uplines, formula, check } = yield* twoEngines;
      const partners = yield* Effect.replicateEffect(partner, 9);
      const [seller, ...chain] = partners;
      if (seller === undefined) return yield* Effect.die("a seller");
      for (const partnerId of chain.slice(0, 2)) yield* formula(partnerId);
      /** How many links were stored when it began, and had been begun when it ended. */
      let [stored, begun] = [0, 0];
      const sales: Array<{ readonly id: Ids.AttributionId; readonly least: number; readonly most: number }> =
        [];
      const selling = (lane: number) =>
        Effect.forEach(
          Array.from({ length: 16 }, (_, index) => index),
          () =>
            Effect.gen(function* () {
              const least = stored;
              const { id } = yield* sell(lane, seller);
              sales.push({ id, least, most: begun });
            }),
          { discard: true },
        );
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
