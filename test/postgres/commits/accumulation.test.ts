/** Plans that accumulate on PostgreSQL: several engines create, cancel and change formulas of one partner at the same time. */

import { it } from "@effect/vitest";
import { Context, Effect, Layer } from "effect";
import {
  AttributionSchemas,
  Attributions,
  CommissionFormulas,
  Commissions,
  Currency,
  type Ids,
  Partners,
  Principal,
  Storage,
  Worker,
} from "quittance";
import type { Aggregate, Expression, Window } from "quittance/formula";
import { Build, checkInvariants } from "quittance/testing";
import { describe, expect } from "vitest";
import { database } from "../../support/postgres.ts";
import { engine } from "./engine.ts";

const orderValue: Expression = { type: "property", name: "order_value" };

const sumBefore = (window: Window, given: Partial<Aggregate> = {}): Expression => ({
  type: "aggregate",
  function: "sum",
  value: orderValue,
  window,
  ...given,
});

const EXPRESSIONS: readonly [Expression, Expression, Expression] = [
  sumBefore({ type: "lifetime" }),
  {
    type: "graduated",
    amount: orderValue,
    offset: sumBefore({ type: "calendar", unit: "month" }),
    tiers: [
      {
        up_to: { type: "number", value: 500 },
        rate: { type: "literal", value: { type: "percent", value: 1 } },
      },
      { rate: { type: "literal", value: { type: "percent", value: 10 } } },
    ],
  },
  {
    type: "coalesce",
    operands: [
      sumBefore({ type: "rolling", days: 10 }, { function: "max" }),
      { type: "literal", value: { type: "number", value: 7 } },
    ],
  },
];

const RELEASES = ["at_once", "on_receipt"] as const;

describe.each(RELEASES)("concurrent commands under accumulating formulas that release %s", (release) => {
  it.scopedLive("leave totals and amounts that a recount confirms, whichever engine they come from", () =>
    Effect.gen(function* () {
      const url = yield* database();
      const [first, second] = yield* Effect.all([Layer.build(engine(url)), Layer.build(engine(url))]);
      const customerId = Build.fresh.customer();
      const workspaceId = Build.fresh.workspace();
      const owner = Principal.customer(customerId);
      const partner = yield* Context.get(first, Partners.Partners).create(owner, {
        name: "Nordlys",
        workspaceId,
      });
      const schema = yield* Context.get(first, AttributionSchemas.AttributionSchemas).create(owner, {
        name: "Sale",
        workspaceId,
        properties: [{ name: "order_value", type: "number", required: true }],
      });
      const place = { partnerId: partner.id, schemaId: schema.id, workspaceId };
      const now = Date.now();
      const formula = (expression: Expression) =>
        Context.get(first, CommissionFormulas.CommissionFormulas).create(owner, {
          ...place,
          name: "Accumulates",
          currency: Currency.Currency.make("EUR"),
          startDatetime: now - 100 * Build.DAY,
          expression,
          release,
        });
      const created: Array<Ids.AttributionId> = [];
      const sell = (index: number) =>
        Effect.map(
          Context.get(index % 2 === 0 ? first : second, Attributions.Attributions).create(owner, {
            ...place,
            properties: { order_value: 1 + (index % 17) },
            ...(index % 3 === 0 ? { occurredAt: now - (index % 40) * Build.DAY } : {}),
          }),
          ({ id }) => created.push(id),
        );
      const cancel = (index: number) =>
        Effect.suspend(() => {
          const id = created[(index * 7) % Math.max(1, created.length)];
          return id === undefined
            ? Effect.void
            : Context.get(index % 2 === 0 ? second : first, Attributions.Attributions).cancel(owner, id, {
                reason: "refunded",
              });
        });
      for (const expression of EXPRESSIONS.slice(0, 2)) yield* formula(expression);
      const busy = { count: 0 };
      const outcome = <A, E extends { readonly message: string }>(command: Effect.Effect<A, E>) =>
        Effect.catchAll(command, (problem) =>
          problem.message.startsWith("busy:") ? Effect.sync(() => void busy.count++) : Effect.fail(problem),
        );
      yield* Effect.forEach(
        Array.from({ length: 120 }, (_, index) => index),
        (index) => outcome(index % 6 === 5 ? cancel(index) : sell(index)),
        { concurrency: 24, discard: true },
      );
      yield* outcome(formula(EXPRESSIONS[2]));
      yield* Effect.forEach(
        Array.from({ length: 60 }, (_, index) => index),
        (index) => outcome(index % 4 === 3 ? cancel(index) : sell(index)),
        { concurrency: 12, discard: true },
      );
      yield* Context.get(first, Worker.Worker).drain;
      expect(busy.count).toBeLessThan(20);
      const { total } = yield* Context.get(first, Commissions.Commissions).list(owner);
      expect(total).toBeGreaterThan(300);
      const storage = Context.get(first, Storage.Storage);
      yield* Effect.provideService(checkInvariants(customerId), Storage.Storage, storage);
    }),
  );
});
