/** What buyers have paid, and what of a commission is then settled, due and waits. */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { type Ids, Ledger, Receipts, Settlements } from "quittance";
import { checkInvariants } from "quittance/testing";
import * as Given from "./Given.ts";

const state = ({ owner }: Given.Scene, id: Ids.AttributionId, received: number) =>
  Effect.flatMap(Receipts.Receipts, ({ stateReceived }) => stateReceived(owner, id, { received, of: 100 }));

/** Settled, due and waiting of each commission of a scene. */
const figures = (scene: Given.Scene) =>
  Effect.gen(function* () {
    yield* checkInvariants(scene.customerId);
    const found = yield* Given.commissions(scene);
    return found.map((one) => [Ledger.settledAmount(one), Ledger.due(one), one.waitingAmount]);
  });

describe("a write-off", () => {
  it.effect("covers what was released, and nothing that waits", () =>
    Given.rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.formula(scene, { release: "on_receipt" });
        const id = yield* Given.sell(scene, 1_000);
        yield* state(scene, id, 50);
        const settlementId = yield* Given.draft(scene);
        yield* Given.approve({ ...scene, settlementId });
        yield* (yield* Settlements.Settlements).writeOff(scene.owner, settlementId);
        expect(yield* figures(scene)).toEqual([[50, 0, 50]]);
        yield* state(scene, id, 0);
        expect(yield* figures(scene)).toEqual([[0, 0, 100]]);
        yield* state(scene, id, 75);
        expect(yield* figures(scene)).toEqual([[50, 25, 25]]);
      }),
    ),
  );
});

describe("a preview of a statement", () => {
  it.effect("says what is released and due before it and after it, and stores nothing", () =>
    Given.rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.formula(scene, { release: "on_receipt" });
        const id = yield* Given.sell(scene, 1_000);
        yield* state(scene, id, 25);
        yield* Given.draft(scene);
        const { previewReceived } = yield* Receipts.Receipts;
        const { commissions } = yield* previewReceived(scene.owner, id, { received: 75, of: 100 });
        expect(commissions).toMatchObject([
          { computedAmount: 100, releasedBefore: 25, releasedAfter: 75, dueBefore: 25, dueAfter: 75 },
        ]);
        expect(yield* figures(scene)).toEqual([[0, 25, 75]]);
        yield* state(scene, id, 75);
        expect(yield* figures(scene)).toEqual([[0, 75, 25]]);
      }),
    ),
  );
});
