/** The tax that a partner's own document states: what is paid without an approver, and who accepts or refuses the rest. */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { Principal, type Settlement, SettlementPolicies, Settlements } from "quittance";
import * as Given from "./Given.ts";

const { rule } = Given;

/** A settlement of 10.00 EUR that awaits the partner's invoice, under a policy that knows the rate of 25 %. */
const awaiting = Effect.gen(function* () {
  const scene = yield* Given.drafted([10_000]);
  yield* (yield* SettlementPolicies.SettlementPolicies).write(scene.owner, scene.workspaceId, {
    invoiceTaxBps: 2_500,
    fourEyesAbove: { EUR: 1_249 },
  });
  const ida = Principal.customer(scene.customerId, "user:ida");
  yield* Given.approveAndDrain({ ...scene, owner: ida });
  const partner = {
    ...scene.owner,
    kind: "partner" as const,
    partnerIds: [scene.partnerId],
    principalId: "key:partner",
  };
  const view = Given.settlement(scene, scene.settlementId);
  const bill = (taxAmount: number) => Given.upload({ ...scene, owner: partner }, "invoice", { taxAmount });
  const review = (by: Principal.Principal, decision: Settlement.ReviewDecision) =>
    Effect.flatMap(Settlements.Settlements, (settlements) =>
      settlements.review(by, scene.settlementId, { decision }),
    );
  return { ...scene, ida, partner, view, bill, review };
});

describe("an invoice with another tax than the policy's rate gives", () => {
  it.effect("is not paid before a second person has accepted the tax", () =>
    rule(
      Effect.gen(function* () {
        const { owner, ida, view, bill, review, settlementId, ...scene } = yield* awaiting;
        yield* bill(1_000);
        expect(yield* view).toMatchObject({
          status: { type: "awaiting_payment" },
          payableAmount: 2_000,
          taxReview: { taxAmount: 1_000, expectedTaxAmount: 250, uploadedBy: "key:partner" },
        });
        const pay = Given.payByHand({ ...scene, owner, settlementId });
        expect(yield* Given.refusal(pay)).toBe(
          "tax_review: the document states 10.00 EUR tax; 25 % of the total of 10.00 EUR is 2.50 EUR; an approver has to accept the tax first",
        );
        expect(yield* Given.refusal(review(owner, "accept_tax"))).toBe(
          "four_eyes: who created the draft or uploaded the document may not accept its tax",
        );
        yield* review(ida, "accept_tax");
        yield* pay;
        expect(yield* view).toMatchObject({
          status: { type: "paid" },
          payableAmount: 2_000,
          taxReview: null,
        });
      }),
    ),
  );

  it.effect("is not accepted by who uploaded it, where two people are needed", () =>
    rule(
      Effect.gen(function* () {
        const { owner: _, ida, review, ...scene } = yield* awaiting;
        yield* Given.upload({ ...scene, owner: ida }, "invoice", { taxAmount: 1_000 });
        expect(yield* Given.refusal(review(ida, "accept_tax"))).toMatch(/^four_eyes: who created/);
      }),
    ),
  );

  it.effect(
    "is compared with the limit of four eyes with its tax, together with the other settlements of the day",
    () =>
      rule(
        Effect.gen(function* () {
          const { owner, bill, review, settlementId, ...scene } = yield* awaiting;
          yield* bill(200);
          yield* Given.sell({ ...scene, owner }, 100);
          yield* Given.draft({ ...scene, owner });
          const eva = Principal.customer(scene.customerId, "user:eva");
          yield* Given.wait(1_000);
          // 12.00 EUR with tax and 0.10 EUR of the other draft.
          yield* (yield* SettlementPolicies.SettlementPolicies).write(eva, scene.workspaceId, {
            fourEyesAbove: { EUR: 1_209 },
          });
          expect(yield* Given.refusal(review(owner, "accept_tax"))).toMatch(/^four_eyes: who created/);
          expect(yield* Given.refusal(review(eva, "accept_tax"))).toBe(
            "four_eyes: who has changed four_eyes_above since the draft may not accept its tax",
          );
        }),
      ),
  );

  it.effect("is refused, so that the settlement awaits another one, which is checked again", () =>
    rule(
      Effect.gen(function* () {
        const { ida, view, bill, review } = yield* awaiting;
        yield* bill(1_000);
        yield* review(ida, "refuse_tax");
        expect(yield* view).toMatchObject({
          status: { type: "awaiting_invoice" },
          ...{ payableAmount: null, taxReview: null, invoiceReference: null },
        });
        yield* bill(900);
        expect((yield* view).taxReview).toMatchObject({ taxAmount: 900 });
        yield* bill(250);
        expect(yield* view).toMatchObject({ payableAmount: 1_250, taxReview: null });
      }),
    ),
  );

  it.effect("is followed by another one, also where the number of uploads is limited", () =>
    rule(
      Effect.gen(function* () {
        const { ida, view, bill, review } = yield* awaiting;
        yield* bill(1_000);
        expect(yield* Given.refusal(bill(250))).toMatch(/^upload_limit: /);
        yield* review(ida, "refuse_tax");
        yield* bill(250);
        expect(yield* view).toMatchObject({ payableAmount: 1_250, taxReview: null });
        expect(yield* Given.refusal(bill(250))).toMatch(/^upload_limit: /);
      }),
      { policy: { uploadsMax: 1 } },
    ),
  );

  it.effect("is compared with the rate of the approval, whatever the policy says later", () =>
    rule(
      Effect.gen(function* () {
        const { owner, workspaceId, view, bill } = yield* awaiting;
        yield* (yield* SettlementPolicies.SettlementPolicies).write(owner, workspaceId, {
          invoiceTaxBps: 10_000,
        });
        yield* bill(1_000);
        expect((yield* view).taxReview).toMatchObject({ expectedTaxAmount: 250 });
      }),
    ),
  );

  it.effect("is accepted with the scope settlements:approve, and not by the partner", () =>
    rule(
      Effect.gen(function* () {
        const { owner, partner, bill, review } = yield* awaiting;
        yield* bill(1_000);
        const clerk = { ...owner, scopes: ["settlements:write"] as const };
        for (const by of [clerk, partner])
          expect(yield* Given.refusal(review(by, "accept_tax"))).toMatch(
            /settlements:approve|not allowed|may not/,
          );
      }),
    ),
  );
});
