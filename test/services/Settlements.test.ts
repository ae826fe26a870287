/** The steps of a settlement from a draft to its end, and their effects on its commissions. */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { CommissionFormulas, Principal, type Quittance, Settlements } from "quittance";
import { Build } from "quittance/testing";
import * as Given from "./Given.ts";

const { rule, NOW, DAY } = Given;
const settlements = Settlements.Settlements;

const type = (given: Parameters<typeof Given.statusOf>[0]) =>
  Effect.map(Given.statusOf(given), (status) => status.type);

/** The open settlement of each commission of the customer; null when there is none. */
const holders = (scene: Given.Scene) =>
  Effect.map(Given.commissions(scene), (found) => found.map(({ openSettlementId }) => openSettlementId));

/** A new rate for everything that was earned since {@link NOW}. */
const changeRate = (scene: Given.Scene, rate: number) =>
  Effect.gen(function* () {
    const { list, update } = yield* CommissionFormulas.CommissionFormulas;
    const [formula] = (yield* list(scene.owner)).items;
    if (formula === undefined) throw new Error("no formula");
    const expression = Given.percent(rate);
    yield* update(scene.owner, formula.id, { expression, effectiveDatetime: NOW });
  });

describe("creating a settlement", () => {
  it.effect("refuses a commission that cannot be computed", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.formula(scene, { expression: Given.percent(1_000) });
        yield* Given.sell(scene, Given.LARGEST_ORDER);
        expect(yield* Given.refusal(Given.draft(scene))).toMatch(/^commission_not_computable: /);
      }),
    ),
  );

  it.effect("refuses a total beyond the largest amount", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.formula(scene, { expression: Given.percent(900) });
        yield* Given.sell(scene, Given.LARGEST_ORDER);
        yield* Given.sell(scene, Given.LARGEST_ORDER);
        expect(yield* Given.amounts(scene)).toEqual([9 * Given.LARGEST_ORDER, 9 * Given.LARGEST_ORDER]);
        expect(yield* Given.refusal(Given.draft(scene))).toMatch(
          /^commission_ids: add up to more than the largest amount/,
        );
      }),
    ),
  );

  it.effect("refuses a commission of another partner and one that does not exist with the same error", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.formula(scene);
        yield* Given.sell(scene, 100);
        const [own] = yield* Given.commissions(scene);
        const other = yield* Given.partner(scene);
        const { create } = yield* settlements;
        const { owner, customerId, workspaceId, partnerId } = scene;
        const of = (asked: { partnerId: typeof partnerId; commissionIds: ReadonlyArray<typeof ownId> }) =>
          Given.refusal(create(owner, { customerId, workspaceId, ...asked }));
        const ownId = own?.id ?? Build.fresh.commission();
        const message =
          "commission_ids: must name commissions of the partner and workspace, all of one currency";
        expect(yield* of({ partnerId: other, commissionIds: [ownId] })).toBe(message);
        expect(yield* of({ partnerId, commissionIds: [ownId, Build.fresh.commission()] })).toBe(message);
      }),
    ),
  );
});

describe("approving a draft", () => {
  const approving = (
    prepare: (scene: Given.Scene) => ReturnType<typeof changeRate>,
    policy: Quittance.ChosenPolicy,
  ) =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.drafted([10_000]);
        yield* prepare(scene);
        return yield* Effect.either((yield* settlements).approve(scene.owner, scene.settlementId));
      }),
      { policy },
    );
  const nothing = () => Effect.void;

  it.effect("by the creator is refused if the policy requires four eyes", () =>
    Effect.gen(function* () {
      expect(yield* approving(nothing, { fourEyes: true })).toMatchObject({ left: { token: "four_eyes" } });
      expect(yield* approving(nothing, { fourEyes: false })).toMatchObject({ _tag: "Right" });
    }),
  );

  it.effect("of a stale draft is refused if the policy refuses stale drafts", () =>
    Effect.gen(function* () {
      const stale = (scene: Given.Scene) => changeRate(scene, 12);
      expect(yield* approving(stale, { staleDrafts: "refuse" })).toMatchObject({
        left: { token: "settlement_stale" },
      });
      expect(yield* approving(nothing, { staleDrafts: "refuse" })).toMatchObject({ _tag: "Right" });
      expect(yield* approving(stale, { staleDrafts: "allow" })).toMatchObject({ _tag: "Right" });
    }),
  );

  it.effect("of a total of 0 ends it as paid", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.approved([10_000, -10_000]);
        expect(yield* Given.statusOf(scene)).toEqual({ type: "paid", method: "nothing_due" });
      }),
    ),
  );

  it.effect("needs the scope settlements:approve", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.drafted([10_000]);
        const scopes = Principal.ALL_SCOPES.filter((scope) => scope !== "settlements:approve");
        const { approve } = yield* settlements;
        expect(yield* Given.refusal(approve({ ...scene.owner, scopes }, scene.settlementId))).toBe(
          "The credential lacks the scope settlements:approve",
        );
      }),
    ),
  );
});

describe("a settlement whose total is negative", () => {
  it.effect("that is carried forward releases its commissions: the next settlement includes the debt", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.approved([-10_000]);
        yield* (yield* settlements).review(scene.owner, scene.settlementId, { decision: "carry_forward" });
        yield* Given.sell(scene, 30_000);
        expect(yield* Given.statusOf(scene)).toEqual({ type: "cancelled", cause: "carried_forward" });
        expect((yield* Given.settlement(scene, yield* Given.draft(scene))).total).toBe(2_000);
      }),
    ),
  );

  it.effect("that is written off is never claimed later", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.approved([-10_000]);
        yield* (yield* settlements).review(scene.owner, scene.settlementId, { decision: "write_off" });
        expect([
          yield* type(scene),
          (yield* Given.settlement(scene, yield* Given.draft(scene))).total,
        ]).toEqual(["written_off", 0]);
      }),
    ),
  );
});

describe("marking a settlement as paid", () => {
  it.effect("accepts a time from 24 hours before the approval to 5 minutes from now", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.approved([10_000]);
        yield* Given.upload(scene, "invoice");
        const { markAsPaid } = yield* settlements;
        const at = (paidAt: number) => markAsPaid(scene.owner, scene.settlementId, { paidAt });
        expect(yield* Given.refusal(at(NOW - DAY - 1))).toMatch(/^paid_at: must not be before /);
        expect(yield* Given.refusal(at(NOW + 5 * 60_000 + 1))).toBe(
          "paid_at: must not be more than 5 minutes in the future",
        );
        yield* at(NOW - DAY);
        expect((yield* Given.settlement(scene, scene.settlementId)).paidAt).toBe(NOW - DAY);
      }),
    ),
  );
});

describe("writing off a settlement", () => {
  it.effect("gives up its unpaid lines: a later settlement does not pay them", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.approved([10_000]);
        yield* (yield* settlements).writeOff(scene.owner, scene.settlementId);
        expect([
          yield* type(scene),
          (yield* Given.settlement(scene, yield* Given.draft(scene))).total,
        ]).toEqual(["written_off", 0]);
      }),
    ),
  );

  it.effect("does not give up what a later correction adds", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.approved([10_000]);
        yield* (yield* settlements).writeOff(scene.owner, scene.settlementId);
        yield* changeRate(scene, 12);
        expect((yield* Given.settlement(scene, yield* Given.draft(scene))).total).toBe(200);
      }),
    ),
  );

  it.effect("is refused for a draft, and for a settlement that has ended", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.drafted([10_000]);
        const { writeOff, cancel } = yield* settlements;
        const refused = Given.refusal(writeOff(scene.owner, scene.settlementId));
        expect(yield* refused).toBe("settlement_state: a settlement in draft cannot be written off");
        yield* cancel(scene.owner, scene.settlementId);
        expect(yield* refused).toBe("settlement_terminal: the settlement has ended in cancelled");
      }),
    ),
  );
});

describe("a dispute", () => {
  const disputed = Effect.gen(function* () {
    const scene = yield* Given.approved([10_000]);
    yield* (yield* settlements).dispute(scene.owner, scene.settlementId, { reason: "one sale is missing" });
    return scene;
  });

  it.effect("interrupts the settlement until it is resolved", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* disputed;
        expect(yield* Given.statusOf(scene)).toEqual({ type: "disputed", resume: "awaiting_invoice" });
        expect(yield* Given.refusal(Given.upload(scene, "invoice"))).toMatch(/^settlement_state: /);
        const paid = (yield* settlements).markAsPaid(scene.owner, scene.settlementId);
        expect(yield* Given.refusal(paid)).toMatch(/^settlement_state: /);
      }),
    ),
  );

  it.effect("that is rejected restores the state before the dispute", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* disputed;
        const { resolveDispute } = yield* settlements;
        yield* resolveDispute(scene.owner, scene.settlementId, { resolution: "rejected" });
        expect(yield* type(scene)).toBe("awaiting_invoice");
      }),
    ),
  );

  it.effect("that is upheld cancels it, and releases its commissions", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* disputed;
        const { resolveDispute } = yield* settlements;
        yield* resolveDispute(scene.owner, scene.settlementId, { resolution: "upheld" });
        expect(yield* Given.statusOf(scene)).toEqual({ type: "cancelled", cause: "dispute_upheld" });
        expect(yield* holders(scene)).toEqual([null]);
      }),
    ),
  );

  it.effect("is discussed by both sides, and the partner reads no person", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* disputed;
        const { comment, list } = yield* settlements;
        const partner = {
          ...{ ...scene.owner, kind: "partner" as const, partnerIds: [scene.partnerId] },
          ...{ principalId: "portal", person: "pia" },
        };
        const dana = { ...scene.owner, person: "dana" };
        yield* comment(partner, scene.settlementId, { text: "one sale is missing" });
        yield* comment(dana, scene.settlementId, { text: "it is of next month" });
        expect(yield* Given.refusal(comment(partner, scene.settlementId, { text: " " }))).toBe(
          "text: must not be empty",
        );
        const commentsFor = (reader: typeof dana | typeof partner) =>
          Effect.map(list(reader, { ids: [scene.settlementId] }), ({ items: [settlement] }) =>
            settlement?.events.slice(-2).map(({ event }) => event),
          );
        const asked = { type: "comment_settlement", text: "one sale is missing", side: "partner" };
        const answered = { type: "comment_settlement", text: "it is of next month", side: "customer" };
        expect(yield* commentsFor(dana)).toEqual([asked, { ...answered, person: "dana" }]);
        expect(yield* commentsFor(partner)).toEqual([asked, answered]);
        expect(yield* type(scene)).toBe("disputed");
      }),
    ),
  );

  it.effect("takes 50 comments of each side", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* disputed;
        const { comment } = yield* settlements;
        const partner = { ...scene.owner, kind: "partner" as const, partnerIds: [scene.partnerId] };
        for (const side of [scene.owner, partner])
          for (let count = 0; count < 50; count++)
            yield* comment(side, scene.settlementId, { text: "again" });
        for (const [side, name] of [
          [scene.owner, "customer"],
          [partner, "partner"],
        ] as const)
          expect(yield* Given.refusal(comment(side, scene.settlementId, { text: "once more" }))).toBe(
            `comment_limit: the ${name} has made 50 comments and withdrawals of disputes, and no more are allowed`,
          );
      }),
    ),
  );

  it.effect("is withdrawn by the side that raised it alone", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.approved([10_000]);
        const { dispute, withdrawDispute } = yield* settlements;
        const partner = { ...scene.owner, kind: "partner" as const, partnerIds: [scene.partnerId] };
        const sides = [
          ["partner", partner, scene.owner],
          ["customer", scene.owner, partner],
        ] as const;
        for (const [side, raiser, other] of sides) {
          yield* dispute(raiser, scene.settlementId, { reason: "one sale is missing" });
          expect(yield* Given.refusal(withdrawDispute(other, scene.settlementId))).toBe(
            `settlement_state: only the ${side} can withdraw this dispute`,
          );
          yield* withdrawDispute({ ...raiser, principalId: "a colleague" }, scene.settlementId);
          expect(yield* type(scene)).toBe("awaiting_invoice");
        }
        expect(yield* holders(scene)).toEqual([scene.settlementId]);
      }),
    ),
  );

  it.effect("may be raised by the partner, and resolved by the customer alone", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.approved([10_000]);
        const { dispute, resolveDispute } = yield* settlements;
        const partner = { ...scene.owner, kind: "partner" as const, partnerIds: [scene.partnerId] };
        yield* dispute(partner, scene.settlementId, { reason: "one sale is missing" });
        expect(
          yield* Given.refusal(resolveDispute(partner, scene.settlementId, { resolution: "upheld" })),
        ).toBe("A partner credential may not resolve dispute");
      }),
    ),
  );
});

describe("a list of settlements in parts", () => {
  it.effect("has at most 100 lines of a settlement, and reads the lines of a larger one on demand", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.drafted(Array.from({ length: 101 }, () => 10));
        const { listInParts } = yield* settlements;
        const [found] = (yield* listInParts(scene.owner)).items;
        expect(Array.isArray(found?.lines)).toBe(false);
        const small = yield* Given.drafted(Array.from({ length: 100 }, () => 10));
        expect((yield* listInParts(small.owner)).items[0]?.lines).toHaveLength(100);
      }),
    ),
  );
});
