/** Sales that were settled elsewhere: they count for their dates, and only what changes later is due. */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import {
  Attributions,
  CommissionFormulas,
  Commissions,
  type Ids,
  Journals,
  Ledger,
  PartnerStatements,
  Payables,
  Settlements,
} from "quittance";
import type { Expression } from "quittance/formula";
import { checkInvariants } from "quittance/testing";
import * as Given from "./Given.ts";

const { NOW, DAY } = Given;
const SOLD = NOW - 10 * DAY;
const PAID = NOW - 5 * DAY;

/** A sale of ten days ago that was settled elsewhere five days later. */
const settled = (given: Given.Scene, orderValue: number, more: object = {}) => ({
  ...Given.sale(given, orderValue),
  ...{ occurredAt: SOLD, settledElsewhere: { at: PAID, reference: "PO-7" } },
  ...more,
});

const record = (given: Given.Scene, orderValue: number, more: object = {}) =>
  Effect.flatMap(Attributions.Attributions, ({ create }) =>
    Effect.map(create(given.owner, settled(given, orderValue, more)), ({ id }) => id),
  );

/** Amount, settled and due of each commission. */
const figures = (given: Given.Scene, id?: Ids.AttributionId) =>
  Effect.gen(function* () {
    yield* checkInvariants(given.customerId);
    const found = yield* Given.commissions(given, id);
    return found.map((one) => [one.computedAmount, Ledger.settledAmount(one), Ledger.due(one)]);
  });

describe("a sale that was settled elsewhere", () => {
  it.effect("is settled as it is recorded, in one commit, and no draft takes anything of it", () =>
    Given.rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.formula(scene);
        yield* record(scene, 1_000);
        expect(yield* figures(scene)).toEqual([[100, 100, 0]]);
        const [commission] = yield* Given.commissions(scene);
        expect(commission?.events.map(({ event }) => event)).toEqual([
          { type: "create_commission", amount: 100, formula_version: 1 },
          {
            ...{ type: "settle_elsewhere", amount: 100 },
            ...{ at: new Date(PAID).toISOString(), reference: "PO-7" },
          },
        ]);
        expect(new Set(commission?.events.map(({ at }) => at))).toEqual(new Set([NOW]));
        expect(commission && Ledger.settlementStatus(commission)).toBe("settled");
      }),
    ),
  );

  it.effect("is due by what changes later, in either direction", () =>
    Given.rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const formulaId = yield* Given.formula(scene);
        const id = yield* record(scene, 1_000);
        const { update } = yield* CommissionFormulas.CommissionFormulas;
        yield* update(scene.owner, formulaId, {
          expression: Given.percent(12),
          effectiveDatetime: NOW - 20 * DAY,
        });
        expect(yield* figures(scene)).toEqual([[120, 100, 20]]);
        const { replace, cancel } = yield* Attributions.Attributions;
        const { id: newer } = yield* replace(scene.owner, id, {
          ...{ properties: { order_value: 500 }, reason: "half refunded" },
        });
        expect(yield* figures(scene, id)).toEqual([[0, 100, -100]]);
        expect(yield* figures(scene, newer)).toEqual([[60, 0, 60]]);
        yield* cancel(scene.owner, newer, { reason: "refunded" });
        expect(yield* figures(scene, newer)).toEqual([[0, 0, 0]]);
        const settlementId = yield* Given.draft(scene);
        expect((yield* Given.settlement(scene, settlementId)).total).toBe(-100);
        yield* (yield* Settlements.Settlements).cancel(scene.owner, settlementId);
        expect(yield* figures(scene, id)).toEqual([[0, 100, -100]]);
      }),
    ),
  );

  it.effect("counts in tiers for its own month, not for that of the import", () =>
    Given.rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const total: Expression = {
          type: "aggregate",
          ...{ function: "sum", value: { type: "property", name: "order_value" } },
          window: { type: "calendar", unit: "month" },
        } as unknown as Expression;
        yield* Given.formula(scene, { expression: total, from: NOW - 90 * DAY });
        yield* record(scene, 1_000);
        const { create } = yield* Attributions.Attributions;
        const now = yield* create(scene.owner, Given.sale(scene, 1));
        const december = yield* create(scene.owner, { ...Given.sale(scene, 2), occurredAt: SOLD + DAY });
        expect(yield* Given.amounts(scene, now.id)).toEqual([0]);
        expect(yield* Given.amounts(scene, december.id)).toEqual([1_000]);
      }),
    ),
  );

  it.effect("is due in full under a formula that is created later", () =>
    Given.rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* record(scene, 1_000);
        yield* Given.formula(scene);
        expect(yield* figures(scene)).toEqual([[100, 0, 100]]);
      }),
    ),
  );

  it.effect("is refused while the totals of a formula are being built, and settled once they are", () => {
    const between: { run: Effect.Effect<void> } = { run: Effect.void };
    const total: Expression = {
      type: "aggregate",
      ...{ function: "sum", value: { type: "property", name: "order_value" }, window: { type: "lifetime" } },
    };
    return Given.rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.sell(scene, 700);
        const refusals: Array<string> = [];
        const { create } = yield* Attributions.Attributions;
        const refusal = Given.refusal(create(scene.owner, settled(scene, 1_000)));
        between.run = Effect.ignore(Effect.map(refusal, (message) => refusals.push(message)));
        yield* Given.formula(scene, { expression: total });
        expect(refusals).toEqual([
          "busy: the totals of a formula are being built, so what was settled elsewhere is not known yet; try again",
        ]);
        expect(yield* figures(scene)).toEqual([[0, 0, 0]]);
        const id = yield* record(scene, 1_000);
        expect(yield* figures(scene, id)).toEqual([[700, 700, 0]]);
      }),
      {
        storage: ({ arrivalsForFormula }) => ({
          arrivalsForFormula: (...given) =>
            Effect.zipRight(
              Effect.suspend(() => {
                const { run } = between;
                between.run = Effect.void;
                return run;
              }),
              arrivalsForFormula(...given),
            ),
        }),
      },
    );
  });

  it.effect("is one sale: every partner's part is settled, and a new part of it is due", () =>
    Given.rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const other = { ...scene, partnerId: yield* Given.partner(scene) };
        yield* Given.formula(scene);
        yield* Given.formula(other);
        yield* record(scene, 1_000, {
          credits: [
            { partnerId: scene.partnerId, share: "0.6" },
            { partnerId: other.partnerId, share: "0.4" },
          ],
        });
        expect((yield* figures(scene)).sort()).toEqual([
          [40, 40, 0],
          [60, 60, 0],
        ]);
      }),
    ),
  );

  it.effect("is the same by its external reference only with the same settling", () =>
    Given.rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.formula(scene);
        const externalReference = "order-1";
        const id = yield* record(scene, 1_000, { externalReference });
        expect(yield* record(scene, 1_000, { externalReference })).toBe(id);
        const { create } = yield* Attributions.Attributions;
        for (const more of [
          { settledElsewhere: { at: PAID } },
          { settledElsewhere: { at: PAID + 1, reference: "PO-7" } },
        ])
          expect(yield* Given.refusal(record(scene, 1_000, { externalReference, ...more }))).toMatch(
            /^external_reference_reuse:/,
          );
        const plain = { ...Given.sale(scene, 1_000), externalReference, occurredAt: SOLD };
        expect(yield* Given.refusal(create(scene.owner, plain))).toMatch(/^external_reference_reuse:/);
      }),
    ),
  );

  it.effect("is refused with a date that cannot be, and where an amount waits for the buyer", () =>
    Given.rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.formula(scene, { release: "on_receipt" });
        const { create, createBatch } = yield* Attributions.Attributions;
        const refused = (more: object) =>
          Given.refusal(create(scene.owner, { ...settled(scene, 1_000), ...more }));
        expect(yield* refused({ settledElsewhere: { at: NOW + 1 } })).toBe(
          "settled_elsewhere.at: must not be in the future",
        );
        expect(yield* refused({ settledElsewhere: { at: SOLD - 1 } })).toBe(
          "settled_elsewhere.at: must not be before occurred_at",
        );
        const { occurredAt: _, ...undated } = settled(scene, 1_000);
        expect(yield* Given.refusal(create(scene.owner, undated))).toBe(
          "occurred_at: is required with settled_elsewhere",
        );
        const waits =
          "settled_elsewhere: must be absent for a sale that earns under a formula whose release is on_receipt";
        expect(yield* refused({})).toBe(waits);
        const { results } = yield* createBatch(scene.owner, {
          mode: "independent",
          attributions: [settled(scene, 1), { ...settled(scene, 2), settledElsewhere: { at: NOW + 1 } }],
        });
        expect(results).toMatchObject([{ message: waits }, { message: /future/ }]);
        expect(yield* Given.countCommissions(scene)).toBe(0);
        // Before the formula begins, nothing waits.
        yield* create(scene.owner, settled(scene, 3, { occurredAt: NOW - 40 * DAY }));
      }),
    ),
  );

  it.effect("is accepted as soon as the formula that refused it has been cancelled", () =>
    Given.rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const formulaId = yield* Given.formula(scene, { release: "on_receipt" });
        const { create } = yield* Attributions.Attributions;
        expect(yield* Given.refusal(create(scene.owner, settled(scene, 1_000)))).toMatch(/on_receipt$/);
        yield* (yield* CommissionFormulas.CommissionFormulas).cancel(scene.owner, formulaId, {
          reason: "wrong",
        });
        yield* create(scene.owner, settled(scene, 1_000));
        expect(yield* Given.countCommissions(scene)).toBe(0);
      }),
    ),
  );

  it.effect("is stated, explained and posted without a payment", () =>
    Given.rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.formula(scene);
        yield* record(scene, 1_000);
        const [commission] = yield* Given.commissions(scene);
        const { explain } = yield* Commissions.Commissions;
        const { sentences, settledElsewhere } = yield* explain(
          scene.owner,
          commission?.id as Ids.CommissionId,
        );
        expect(settledElsewhere).toEqual({ amount: 100, at: PAID, reference: "PO-7" });
        expect(sentences.split("\n")[1]).toBe(
          "1.00 EUR was settled in another system on 27 December 2025, reference PO-7.",
        );
        yield* Given.wait(DAY);
        const { statement, balance } = yield* PartnerStatements.PartnerStatements;
        const stated = yield* statement(scene.owner, scene.partnerId, {
          ...{ currency: Given.EUR, from: NOW, to: NOW + DAY },
        });
        expect(stated.movements.map(({ amount, balance: sum, text }) => [amount, sum, text])).toEqual([
          [100n, 100n, "Sale of 22 December 2025"],
          [
            -100n,
            0n,
            "Sale of 22 December 2025: settled in another system on 27 December 2025, reference PO-7",
          ],
        ]);
        const { balances } = yield* balance(scene.owner, scene.partnerId);
        expect(balances).toMatchObject([{ earned: 100n, settled: 100n, due: 0n }]);
        const { entries } = yield* (yield* Journals.Journals).journal(scene.owner, { from: NOW });
        expect(entries.map(({ kind, lines }) => [kind, ...lines])).toEqual([
          [
            "earned",
            { account: "commission_expense", amount: 100n },
            { account: "accrued_commissions", amount: -100n },
          ],
          [
            "settled_elsewhere",
            { account: "accrued_commissions", amount: 100n },
            { account: "settled_elsewhere", amount: -100n },
          ],
        ]);
        const { rows } = yield* (yield* Payables.Payables).payables(scene.owner, {});
        expect(rows).toMatchObject([{ earned: 100n, settledElsewhere: 100n, writtenOff: 0n, accrued: 0n }]);
      }),
    ),
  );
});
