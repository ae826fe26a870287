/** The terms of a plan for a partner, and what their hash covers. */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { CommissionPlans, Ids, PlanTerms, type Principal } from "quittance";
import * as Given from "./Given.ts";
import { another, assign, plan } from "./PlanScene.ts";

const { rule, NOW, DAY } = Given;

const read = (scene: Given.Scene, planId: Ids.PlanId, at?: number, principal = scene.owner) =>
  Effect.flatMap(PlanTerms.PlanTerms, (service) =>
    service.read(principal, planId, { partnerId: scene.partnerId, ...(at === undefined ? {} : { at }) }),
  );

describe("the terms of a plan for a partner", () => {
  it.effect("are the version in force, and before the assignment its first one", () =>
    rule(
      Effect.gen(function* () {
        const plans = yield* CommissionPlans.CommissionPlans;
        const scene = yield* Given.scene();
        const planId = yield* plan(scene, { startDatetime: NOW - 30 * DAY });
        yield* assign(scene, planId, { from: NOW - 20 * DAY, to: NOW + 20 * DAY });
        yield* plans.update(scene.owner, planId, {
          expression: Given.percent(12),
          effectiveDatetime: NOW - 10 * DAY,
        });
        const before = yield* read(scene, planId, NOW - 25 * DAY);
        const now = yield* read(scene, planId);
        expect([before.formulaVersion, now.formulaVersion]).toEqual([1, 2]);
        expect(now.paragraphs[0]?.text).toMatch(/^For each sale, 12 % of /);
        expect([now.fromDatetime, now.untilDatetime]).toEqual([NOW - 10 * DAY, NOW + 20 * DAY]);
        expect(now.spans.map(({ fromDatetime, hash }) => [fromDatetime, hash])).toEqual([
          [NOW - 20 * DAY, before.hash],
          [NOW - 10 * DAY, now.hash],
        ]);
        const { message } = yield* Effect.flip(read(scene, planId, NOW + 20 * DAY));
        expect(message).toBe("plan terms not found");
      }),
    ),
  );

  it.effect("have a hash that changes with rule and dates, and with nothing else", () =>
    rule(
      Effect.gen(function* () {
        const plans = yield* CommissionPlans.CommissionPlans;
        const service = yield* PlanTerms.PlanTerms;
        const scene = yield* Given.scene();
        const other = yield* another(scene);
        const planId = yield* plan(scene);
        yield* assign(scene, planId, {}, [scene.partnerId, other.partnerId]);
        const first = yield* read(scene, planId);
        expect(first.hash).toMatch(/^[0-9a-f]{64}$/);
        expect((yield* read(other, planId)).hash).toBe(first.hash);
        yield* plans.update(scene.owner, planId, { name: "Another name", description: "in other words" });
        const french = yield* service.read(scene.owner, planId, { partnerId: scene.partnerId }, "fr");
        expect([french.hash, french.name, french.title]).toEqual([
          first.hash,
          "Another name",
          "Conditions de commission",
        ]);
        yield* plans.update(scene.owner, planId, { endDatetime: NOW + 30 * DAY });
        const ended = yield* read(scene, planId);
        expect(ended.hash).not.toBe(first.hash);
        yield* plans.update(scene.owner, planId, { expression: Given.percent(11), effectiveDatetime: NOW });
        // The next version does not change what was agreed before it.
        expect((yield* read(scene, planId, NOW - DAY)).hash).toBe(ended.hash);
        expect((yield* read(scene, planId)).hash).not.toBe(ended.hash);
      }),
    ),
  );

  it.effect("say the partner's values of parameters, by what is declared of them", () =>
    rule(
      Effect.gen(function* () {
        const plans = yield* CommissionPlans.CommissionPlans;
        const scene = yield* Given.scene();
        const other = yield* another(scene);
        const planId = yield* plan(scene, {
          startDatetime: NOW - 30 * DAY,
          expression: { type: "parameter", name: "fee" },
          parameters: [{ name: "fee", type: "number", default: 500, format: "money_minor" }],
        });
        yield* assign(scene, planId, {}, [scene.partnerId, other.partnerId]);
        yield* plans.setPartnerParameters(scene.owner, planId, scene.partnerId, {
          values: { fee: 700 },
          effectiveDatetime: NOW - 10 * DAY,
        });
        const firstOf = (terms: PlanTerms.Terms) => [terms.paragraphs[0]?.text, terms.hash] as const;
        const [own, ownHash] = firstOf(yield* read(scene, planId));
        const [before, beforeHash] = firstOf(yield* read(scene, planId, NOW - 20 * DAY));
        const [others, othersHash] = firstOf(yield* read(other, planId));
        expect(own).toMatch(/7\.00 EUR \(your fee since \d+ \w+ \d{4}\)/);
        expect(before).toContain("5.00 EUR (your fee)");
        expect(others).toBe(before);
        expect([othersHash, ownHash === beforeHash]).toEqual([beforeHash, false]);
      }),
    ),
  );

  it.effect("are shown to their partner, and not to another one", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const other = yield* another(scene);
        const planId = yield* plan(scene);
        yield* assign(scene, planId);
        const partner = (partnerId: Ids.PartnerId): Principal.Principal => ({
          ...scene.owner,
          kind: "partner",
          partnerIds: [partnerId],
        });
        expect((yield* read(scene, planId, NOW, partner(scene.partnerId))).partnerId).toBe(scene.partnerId);
        const refused = yield* Effect.flip(read(scene, planId, NOW, partner(other.partnerId)));
        expect(refused._tag).toBe("Forbidden");
        const unassigned = yield* Effect.flip(read(other, planId, NOW, partner(other.partnerId)));
        expect(unassigned).toMatchObject({ _tag: "Missing", message: "plan terms not found" });
        const unknown = yield* Effect.flip(read(scene, Ids.PlanId.make(crypto.randomUUID())));
        expect(unknown).toMatchObject({ _tag: "Missing", message: "plan not found" });
      }),
    ),
  );
});
