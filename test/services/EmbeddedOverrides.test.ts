/** Overrides on the embedded store: every amount of a manager is what it is in memory, whatever changes what the sellers earn. */
import { expect, it } from "@effect/vitest";
import { Effect, Layer } from "effect";
import { Attributions, type Ids, PartnerLinks, Recredits } from "quittance";
import * as Pglite from "quittance/pglite";
import * as Given from "./Given.ts";
import {
  amountsOf,
  change,
  earned,
  earning,
  leaveStale,
  override,
  sell,
  settle,
  times,
} from "./TeamScene.ts";

const { DAY, NOW, percent } = Given;

/** What the manager earns after each command, and the totals of its settlements. */
const life = Effect.gen(function* () {
  const all = yield* earning;
  const { owner, partnerId: sellerId } = all.seller;
  const { cancel, create, list, replace } = yield* Attributions.Attributions;
  const steps: Array<readonly [after: string, amounts: ReadonlyArray<unknown>]> = [];
  const note = (after: string) => Effect.map(amountsOf(all), (amounts) => void steps.push([after, amounts]));
  const settleOf = (attributionId: Ids.AttributionId, after: string) =>
    Effect.gen(function* () {
      const found = yield* Given.commissions(all.manager);
      const { items } = yield* list(owner, { originIds: [attributionId] });
      const own = items.filter(({ partnerId }) => partnerId === all.manager.partnerId).map(({ id }) => id);
      const commissions = found.filter((one) => own.includes(one.attributionId)).map(({ id }) => id);
      const { id } = yield* settle(all.manager, commissions);
      const { total } = yield* Given.settlement(all.manager, id);
      steps.push([`${after}, total`, [total]]);
    });

  const first = yield* sell(all, 1_000);
  // As a recomputation leaves amounts that has not reached them.
  yield* leaveStale(all.seller, (partnerId) => (partnerId === all.manager.partnerId ? 4 : 10));
  yield* settleOf(first, "settled while amounts are stale");
  const second = yield* sell(all, 10_050);
  yield* note("two sales");
  yield* change(all.seller, all.tenth, percent(20));
  yield* note("the seller earns more");
  yield* change(all.manager, all.ofManager, override(50));
  yield* note("the manager earns more");
  const { id: newer } = yield* replace(owner, first, {
    properties: { order_value: 2_000 },
    reason: "another price",
  });
  yield* note("a sale is replaced");
  yield* settleOf(newer, "the new sale is settled");
  yield* cancel(owner, second, { reason: "refunded" });
  yield* note("a sale is cancelled");
  yield* change(all.second, all.ofSecond, times(percent(1_000_000), 1_000_000));
  const largest = yield* sell(all, Given.LARGEST_ORDER / 2);
  yield* note("a seller is not computed");
  yield* cancel(owner, largest, { reason: "a mistake" });
  yield* change(all.second, all.ofSecond, percent(10));
  yield* note("and is computed again");
  const { id: late } = yield* create(owner, Given.sale(all.seller, 5_000));
  yield* note("a sale without a manager");
  yield* Effect.flatMap(PartnerLinks.PartnerLinks, (links) =>
    links.create(owner, {
      ...{ partnerId: sellerId, uplinePartnerId: all.manager.partnerId, role: "manager" },
      startDatetime: NOW - 30 * DAY,
    }),
  );
  yield* Effect.flatMap(Recredits.Recredits, ({ recredit }) =>
    recredit(owner, late, { reason: "the link was late" }),
  );
  steps.push(["and is recredited, where every invariant holds", yield* earned(all)]);
  return steps;
});

it.live("are those in memory", () =>
  Effect.gen(function* () {
    const inMemory = yield* Effect.provide(life, Given.engine());
    expect(inMemory).toEqual([
      ["settled while amounts are stale, total", [20]],
      ["two sales", [20, 201]],
      ["the seller earns more", [32, 322]],
      ["the manager earns more", [80, 804]],
      ["a sale is replaced", [0, 804, 160]],
      ["the new sale is settled, total", [160]],
      ["a sale is cancelled", [0, 0, 160]],
      ["a seller is not computed", [0, 0, 40_000_000_120, "SELLER_NOT_COMPUTED"]],
      ["and is computed again", [0, 0, 160, 0]],
      ["a sale without a manager", [0, 0, 160, 0]],
      ["and is recredited, where every invariant holds", [0, 0, 160, 0, 500]],
    ]);
    const store = Layer.orDie(Pglite.layer("memory"));
    const embedded = yield* Effect.provide(life, Given.engine({ store }));
    expect(embedded).toEqual(inMemory);
  }),
);
