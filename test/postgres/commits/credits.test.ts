/** Sales that several people earn from on PostgreSQL: two engines create and cancel them at the same time. */

import { it } from "@effect/vitest";
import { Context, Effect, Layer } from "effect";
import {
  AttributionSchemas,
  Attributions,
  CommissionFormulas,
  Currency,
  type Ids,
  Partners,
  Principal,
  Storage,
  Worker,
} from "quittance";
import type { Expression } from "quittance/formula";
import { Build, checkInvariants } from "quittance/testing";
import { describe, expect } from "vitest";
import { database } from "../../support/postgres.ts";
import { engine } from "./engine.ts";

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
        const url = yield* database();
        const engines = yield* Effect.all([Layer.build(engine(url)), Layer.build(engine(url))]);
        const [first] = engines;
        const customerId = Build.fresh.customer();
        const workspaceId = Build.fresh.workspace();
        const owner = Principal.customer(customerId);
        const schema = yield* Context.get(first, AttributionSchemas.AttributionSchemas).create(owner, {
          ...{ name: "Sale", workspaceId },
          properties: [{ name: "order_value", type: "number", required: true }],
        });
        const partners = yield* Effect.forEach(["Anna", "Ben", "Eva"], (name) =>
          Context.get(first, Partners.Partners).create(owner, { name, workspaceId }),
        );
        // The third partner has no formula that accumulates.
        for (const [index, { id: partnerId }] of partners.entries())
          yield* Context.get(first, CommissionFormulas.CommissionFormulas).create(owner, {
            ...{ partnerId, workspaceId, schemaId: schema.id, name: "Formula" },
            currency: Currency.Currency.make("EUR"),
            startDatetime: Date.now() - Build.DAY,
            expression: index === 2 ? { type: "property", name: "order_value" } : SUM,
            roles: ["seller", "engineer"],
          });
        const at = (index: number): Ids.PartnerId => (partners[index % 3] as (typeof partners)[number]).id;
        const created: Array<Ids.AttributionId> = [];
        const sell = (index: number) =>
          Effect.map(
            Context.get(engines[index % 2] as typeof first, Attributions.Attributions).create(owner, {
              ...{ partnerId: at(index), schemaId: schema.id, workspaceId },
              properties: { order_value: 1 + (index % 17) },
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
              : Context.get(engines[index % 2] as typeof first, Attributions.Attributions).cancel(owner, id, {
                  reason: "refunded",
                });
          });
        yield* Effect.forEach(
          Array.from({ length: 48 }, (_, index) => index),
          (index) => (index % 6 === 5 ? cancel(index) : sell(index)),
          { concurrency: 8 },
        );
        yield* Context.get(first, Worker.Worker).drain;
        yield* Effect.provide(
          checkInvariants(customerId),
          Layer.succeed(Storage.Storage, Context.get(first, Storage.Storage)),
        );
        const { summary } = yield* Context.get(first, Attributions.Attributions).statistics(owner, {
          ...{ from: Date.now() - Build.DAY, to: Date.now() + Build.DAY, granularity: "day" },
        });
        expect(summary.total).toBe(created.length);
        expect(summary.cancelled).toBeGreaterThan(0);
      }),
  );
});
