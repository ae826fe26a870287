/** Accepting the terms of a plan, and runs that wait for it. */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import {
  Attributions,
  CommissionPlans,
  type Ids,
  PlanTerms,
  type Principal,
  SettlementPolicies,
  SettlementRuns,
  Worker,
} from "quittance";
import * as Given from "./Given.ts";
import { another, assign, plan } from "./PlanScene.ts";

const { rule, NOW, DAY } = Given;

const asPartner = ({ owner, partnerId }: Given.Scene): Principal.Principal => ({
  ...owner,
  principalId: `key of ${partnerId}`,
  kind: "partner",
  partnerIds: [partnerId],
});

const hashOf = (scene: Given.Scene, planId: Ids.PlanId, at?: number) =>
  Effect.flatMap(PlanTerms.PlanTerms, ({ read }) =>
    Effect.map(
      read(scene.owner, planId, { partnerId: scene.partnerId, ...(at === undefined ? {} : { at }) }),
      ({ hash }) => hash,
    ),
  );

/** The partner accepts the terms of a moment. */
const accept = (scene: Given.Scene, planId: Ids.PlanId, at?: number) =>
  Effect.gen(function* () {
    const { accept } = yield* PlanTerms.PlanTerms;
    const hash = yield* hashOf(scene, planId, at);
    const moment = at === undefined ? {} : { at };
    return yield* accept(asPartner(scene), planId, {
      ...{ partnerId: scene.partnerId, hash, name: "Ida Nord", language: "de" },
      ...moment,
    });
  });

const listed = (scene: Given.Scene, planId: Ids.PlanId, principal = scene.owner) =>
  Effect.flatMap(PlanTerms.PlanTerms, ({ acceptances }) =>
    Effect.map(acceptances(principal, planId), ({ items }) => items),
  );

const requireAcceptance = ({ owner, workspaceId }: Given.Scene) =>
  Effect.flatMap(SettlementPolicies.SettlementPolicies, ({ write }) =>
    write(owner, workspaceId, { requireAcceptance: true }),
  );

/** What a dry run finds for the scene's partner, and for others in the same run. */
const found = ({ owner, workspaceId, partnerId }: Given.Scene, ...others: ReadonlyArray<Given.Scene>) =>
  Effect.gen(function* () {
    const { dryRun } = yield* SettlementRuns.SettlementRuns;
    const partnerIds = [partnerId, ...others.map((other) => other.partnerId)];
    const { results } = yield* dryRun(owner, { workspaceId, partnerIds });
    return results.map(({ reason, total, lineCount, notAcceptedCount, notAcceptedAmount }) => ({
      ...{ reason, total, lineCount, notAcceptedCount, notAcceptedAmount },
    }));
  });

const nothing = { notAcceptedCount: 0, notAcceptedAmount: 0 };

describe("accepting the terms of a plan", () => {
  it.effect("records who has accepted what, once", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const planId = yield* plan(scene);
        yield* assign(scene, planId);
        const first = yield* accept(scene, planId);
        expect((yield* accept(scene, planId)).id).toBe(first.id);
        const [acceptance, ...others] = yield* listed(scene, planId);
        expect(others).toEqual([]);
        expect(acceptance).toMatchObject({
          ...{ id: first.id, planId, partnerId: scene.partnerId, name: "Ida Nord", language: "de" },
          ...{ onBehalf: false, reference: null, acceptedBy: `key of ${scene.partnerId}`, version: 1 },
          hash: yield* hashOf(scene, planId),
        });
        const terms = yield* PlanTerms.PlanTerms;
        const read = yield* terms.read(asPartner(scene), planId, { partnerId: scene.partnerId });
        expect(read.acceptance?.id).toBe(first.id);
        expect(read.spans.map(({ acceptedAt }) => acceptedAt)).toEqual([acceptance?.createdAt]);
        expect(read.text).toMatch(/Accepted by Ida Nord on /);
      }),
    ),
  );

  it.effect("is refused for other terms than those in force, and stores nothing", () =>
    rule(
      Effect.gen(function* () {
        const plans = yield* CommissionPlans.CommissionPlans;
        const { accept: acceptTerms } = yield* PlanTerms.PlanTerms;
        const scene = yield* Given.scene();
        const planId = yield* plan(scene);
        yield* assign(scene, planId);
        const hash = yield* hashOf(scene, planId);
        yield* plans.update(scene.owner, planId, { expression: Given.percent(12) });
        const input = { partnerId: scene.partnerId, hash, name: "Ida Nord" };
        const refused = yield* Effect.flip(acceptTerms(asPartner(scene), planId, input));
        expect(refused).toMatchObject({ _tag: "Conflict", token: "terms_changed" });
        expect(yield* listed(scene, planId)).toEqual([]);
      }),
    ),
  );

  it.effect("on behalf of a partner states where its signature is, and another partner may not", () =>
    rule(
      Effect.gen(function* () {
        const { accept: acceptTerms } = yield* PlanTerms.PlanTerms;
        const scene = yield* Given.scene();
        const other = yield* another(scene);
        const planId = yield* plan(scene);
        yield* assign(scene, planId, {}, [scene.partnerId, other.partnerId]);
        const hash = yield* hashOf(scene, planId);
        const input = { partnerId: scene.partnerId, hash, name: "Ida Nord" };
        const bare = yield* Effect.flip(acceptTerms(scene.owner, planId, input));
        expect(bare).toMatchObject({ _tag: "Invalid", field: "reference" });
        const foreign = yield* Effect.flip(acceptTerms(asPartner(other), planId, input));
        expect(foreign._tag).toBe("Forbidden");
        yield* acceptTerms(scene.owner, planId, { ...input, reference: "contract 17" });
        const [acceptance] = yield* listed(scene, planId, asPartner(scene));
        expect(acceptance).toMatchObject({ onBehalf: true, reference: "contract 17" });
        expect(yield* listed(scene, planId, asPartner(other))).toEqual([]);
      }),
    ),
  );
});

describe("a policy that requires acceptance", () => {
  it.effect("keeps runs from settling what was earned before, in previews too", () =>
    rule(
      Effect.gen(function* () {
        const { start, read } = yield* SettlementRuns.SettlementRuns;
        const worker = yield* Worker.Worker;
        const scene = yield* Given.scene();
        const planId = yield* plan(scene);
        yield* assign(scene, planId);
        yield* Given.sell(scene, 10_000);
        yield* requireAcceptance(scene);
        const waiting = { total: 0, lineCount: 0, notAcceptedCount: 1, notAcceptedAmount: 1_000 };
        expect(yield* found(scene)).toEqual([{ reason: "not_accepted", ...waiting }]);
        const { owner, workspaceId } = scene;
        const first = yield* start(owner, { workspaceId });
        yield* worker.drain;
        const { results } = yield* read(owner, first.id);
        expect(results).toMatchObject([{ reason: "not_accepted", drafts: [], ...waiting }]);
        yield* accept(scene, planId);
        expect(yield* found(scene)).toEqual([{ reason: null, total: 1_000, lineCount: 1, ...nothing }]);
        const second = yield* start(owner, { workspaceId });
        yield* worker.drain;
        const settled = yield* read(owner, second.id);
        expect(settled.results).toMatchObject([{ reason: null, drafts: [{ total: 1_000 }] }]);
      }),
    ),
  );

  it.effect("asks again for a new version, and settles what was earned under the accepted one", () =>
    rule(
      Effect.gen(function* () {
        const plans = yield* CommissionPlans.CommissionPlans;
        const scene = yield* Given.scene();
        const planId = yield* plan(scene);
        yield* assign(scene, planId);
        yield* requireAcceptance(scene);
        yield* accept(scene, planId);
        yield* Given.sell(scene, 10_000);
        const { create } = yield* Attributions.Attributions;
        yield* create(scene.owner, { ...Given.sale(scene, 20_000), occurredAt: NOW - 5 * DAY });
        yield* plans.update(scene.owner, planId, {
          expression: Given.percent(20),
          effectiveDatetime: NOW - DAY,
        });
        expect(yield* found(scene)).toEqual([
          { reason: null, total: 2_000, lineCount: 1, notAcceptedCount: 1, notAcceptedAmount: 2_000 },
        ]);
        yield* accept(scene, planId);
        expect(yield* found(scene)).toEqual([{ reason: null, total: 4_000, lineCount: 2, ...nothing }]);
      }),
    ),
  );

  it.effect(
    "asks again for another value of a parameter, and settles what was earned under the accepted one",
    () =>
      rule(
        Effect.gen(function* () {
          const plans = yield* CommissionPlans.CommissionPlans;
          const scene = yield* Given.scene();
          const planId = yield* plan(scene, {
            expression: {
              type: "multiply",
              operands: [Given.percent(1), { type: "parameter", name: "rate" }],
            },
            parameters: [{ name: "rate", type: "number", default: 10 }],
          });
          yield* assign(scene, planId);
          yield* requireAcceptance(scene);
          yield* accept(scene, planId);
          yield* Given.sell(scene, 10_000);
          expect(yield* found(scene)).toEqual([{ reason: null, total: 1_000, lineCount: 1, ...nothing }]);
          const { create } = yield* Attributions.Attributions;
          yield* create(scene.owner, { ...Given.sale(scene, 20_000), occurredAt: NOW - 5 * DAY });
          yield* plans.setPartnerParameters(scene.owner, planId, scene.partnerId, {
            ...{ values: { rate: 20 }, effectiveDatetime: NOW - DAY },
          });
          expect(yield* found(scene)).toEqual([
            { reason: null, total: 2_000, lineCount: 1, notAcceptedCount: 1, notAcceptedAmount: 2_000 },
          ]);
          yield* accept(scene, planId);
          expect(yield* found(scene)).toEqual([{ reason: null, total: 4_000, lineCount: 2, ...nothing }]);
        }),
      ),
  );

  it.effect("does not count what another partner has accepted", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const other = yield* another(scene);
        const planId = yield* plan(scene);
        yield* assign(scene, planId, {}, [scene.partnerId, other.partnerId]);
        yield* requireAcceptance(scene);
        for (const one of [scene, other]) yield* Given.sell(one, 10_000);
        yield* accept(other, planId);
        expect(yield* found(scene, other)).toMatchObject([{ reason: "not_accepted" }, { reason: null }]);
      }),
    ),
  );

  it.effect("pays a partner that leaves what was agreed before the end was set", () =>
    rule(
      Effect.gen(function* () {
        const plans = yield* CommissionPlans.CommissionPlans;
        const scene = yield* Given.scene();
        const planId = yield* plan(scene);
        yield* assign(scene, planId);
        yield* requireAcceptance(scene);
        const accepted = yield* accept(scene, planId);
        yield* Given.sell(scene, 10_000);
        yield* plans.unassign(scene.owner, planId, scene.partnerId, { endDatetime: NOW + 30 * DAY });
        const { read } = yield* PlanTerms.PlanTerms;
        const terms = yield* read(scene.owner, planId, { partnerId: scene.partnerId });
        expect([terms.acceptance, accepted.replayed]).toEqual([null, false]);
        expect(yield* found(scene)).toEqual([{ reason: null, total: 1_000, lineCount: 1, ...nothing }]);
      }),
    ),
  );

  it.effect("does not hold what was earned without a plan", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.formula(scene);
        yield* Given.sell(scene, 10_000);
        yield* requireAcceptance(scene);
        expect(yield* found(scene)).toMatchObject([{ reason: null, total: 1_000 }]);
      }),
    ),
  );
});
