/** The amount of a commission, its settled and due parts, and its explanation. */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { Attributions, CommissionFormulas, Commissions, type Principal } from "quittance";
import { Build } from "quittance/testing";
import * as Given from "./Given.ts";

const { rule, NOW, DAY } = Given;

/** A scene with one commission of 1,200, and that commission. */
const earned = Effect.gen(function* () {
  const scene = yield* Given.scene();
  const formulaId = yield* Given.formula(scene);
  const attributionId = yield* Given.sell(scene, 12_000);
  const [commission] = yield* Given.commissions(scene);
  if (commission === undefined) throw new Error("no commission");
  return { ...scene, formulaId, attributionId, commission };
});

const explain = (scene: Given.Scene, id: Effect.Effect.Success<typeof earned>["commission"]["id"]) =>
  Effect.flatMap(Commissions.Commissions, (commissions) => commissions.explain(scene.owner, id));

describe("explaining a commission", () => {
  it.effect("returns the derivation of the amount, and the version of the formula that applies", () =>
    rule(
      Effect.gen(function* () {
        const { commission, ...scene } = yield* earned;
        expect(yield* explain(scene, commission.id)).toMatchObject({
          amount: 1_200,
          basis: "evaluated",
          formulaVersion: 1,
          explanation: { result: { right: 1_200 } },
        });
      }),
    ),
  );

  it.effect("names the rule that sets the amount to 0, without a derivation", () =>
    rule(
      Effect.gen(function* () {
        const { commission, attributionId, formulaId, ...scene } = yield* earned;
        const formulas = yield* CommissionFormulas.CommissionFormulas;
        yield* formulas.update(scene.owner, formulaId, { endDatetime: NOW - DAY });
        expect(yield* explain(scene, commission.id)).toMatchObject({ basis: "outside_window", amount: 0 });
        yield* formulas.cancel(scene.owner, formulaId, { reason: "mistake" });
        expect(yield* explain(scene, commission.id)).toMatchObject({ basis: "formula_cancelled" });
        const attributions = yield* Attributions.Attributions;
        yield* attributions.cancel(scene.owner, attributionId, { reason: "returned" });
        expect(yield* explain(scene, commission.id)).toMatchObject({
          basis: "attribution_cancelled",
          explanation: null,
        });
      }),
    ),
  );

  it.effect("has its sentences in the language that is asked for, and refuses any other", () =>
    rule(
      Effect.gen(function* () {
        const { commission, ...scene } = yield* earned;
        const commissions = yield* Commissions.Commissions;
        const { sentences } = yield* commissions.explain(scene.owner, commission.id, "de");
        expect(sentences).toContain("das sind 12,00 EUR.");
        const italian = commissions.explain(scene.owner, commission.id, "it" as never);
        expect(yield* Given.refusal(italian)).toBe("language: must be one of en, de, fr, es");
      }),
    ),
  );

  it.effect("states why a formula cannot be computed", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.formula(scene, { expression: Given.percent(1_000) });
        yield* Given.sell(scene, Given.LARGEST_ORDER);
        const [commission] = yield* Given.commissions(scene);
        if (commission === undefined) throw new Error("no commission");
        expect(yield* explain(scene, commission.id)).toMatchObject({
          amount: null,
          basis: "failed",
          explanation: { result: { left: { code: "OVERFLOW" } } },
        });
      }),
    ),
  );

  it.effect("refuses a commission of a partner outside the credential's grant as not found", () =>
    rule(
      Effect.gen(function* () {
        const { commission, ...scene } = yield* earned;
        const owner = { ...scene.owner, partnerIds: [Build.fresh.partner()] };
        expect(yield* Given.refusal(explain({ ...scene, owner }, commission.id))).toBe(
          "commission not found",
        );
      }),
    ),
  );
});

describe("a list of commissions", () => {
  it.effect("can be filtered by settled and by due", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.approved([10_000]);
        yield* Given.payByHand(scene);
        yield* Given.sell(scene, 20_000);
        const { list } = yield* Commissions.Commissions;
        const found = (settlementStatus: "settled" | "unsettled") =>
          Effect.map(list(scene.owner, { settlementStatus }), ({ items }) =>
            items.map((item) => item.computedAmount),
          );
        expect([yield* found("settled"), yield* found("unsettled")]).toEqual([[1_000], [2_000]]);
      }),
    ),
  );

  it.effect("can be filtered by the sign of the amount due", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.formula(scene);
        for (const value of [100, -100, 0]) yield* Given.sell(scene, value);
        const { list } = yield* Commissions.Commissions;
        const found = (due: Commissions.ListCommissions["due"]) =>
          Effect.map(list(scene.owner, { due }), ({ items }) => items.map((item) => item.computedAmount));
        expect([
          yield* found("positive"),
          yield* found("negative"),
          yield* found("nonzero"),
          yield* found("any"),
        ]).toEqual([[10], [-10], [10, -10], [10, -10, 0]]);
      }),
    ),
  );

  it.effect("refuses a partner outside the credential's grant", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const { list } = yield* Commissions.Commissions;
        const bound: Principal.Principal = { ...scene.owner, partnerIds: [scene.partnerId] };
        const foreign = { partnerIds: [Build.fresh.partner()] };
        expect(yield* Given.refusal(list(bound, foreign))).toBe(
          "partner_ids: outside the credential's grant",
        );
      }),
    ),
  );

  it.effect("is allowed to a partner's credential, creating an attribution is not", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.formula(scene);
        yield* Given.sell(scene, 100);
        const partner: Principal.Principal = {
          ...scene.owner,
          kind: "partner",
          partnerIds: [scene.partnerId],
        };
        expect((yield* (yield* Commissions.Commissions).list(partner)).total).toBe(1);
        expect(yield* Given.refusal(Given.sell({ ...scene, owner: partner }, 100))).toBe(
          "A partner credential may not create attribution",
        );
      }),
    ),
  );
});

describe("commission statistics", () => {
  it.effect("split earnings into settled and due amounts by currency", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.approved([10_000]);
        yield* Given.payByHand(scene);
        yield* Given.sell(scene, 20_000);
        const { statistics } = yield* Commissions.Commissions;
        const span = { from: NOW, to: NOW + DAY, granularity: "day" } as const;
        const { summary } = yield* statistics(scene.owner, span);
        expect(summary).toEqual({
          count: 2,
          settled: { count: 1, amounts: [{ currency: "EUR", amount: 1_000n }] },
          unsettled: { count: 1, amounts: [{ currency: "EUR", amount: 2_000n }] },
        });
      }),
    ),
  );
});
