/** Changes ahead of time: versions with a date in the future, which nothing applies early and nothing undoes silently. */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import {
  Attributions,
  CommissionFormulas,
  CommissionPlans,
  Commissions,
  type Formula,
  PlanTerms,
  PlanTrials,
  Workspaces,
} from "quittance";
import * as Given from "./Given.ts";
import { another, assign, listed, partners, plan } from "./PlanScene.ts";

const { rule, NOW, DAY } = Given;
const formulas = CommissionFormulas.CommissionFormulas;
const plans = CommissionPlans.CommissionPlans;

const rate = (value: number, effectiveDatetime?: number): Formula.Update => ({
  expression: Given.percent(value),
  ...(effectiveDatetime === undefined ? {} : { effectiveDatetime }),
});

/** The numbers, dates in days from now, and states of the versions that a formula or plan shows. */
const shown = ({ versions }: { readonly versions: ReadonlyArray<Formula.ShownVersion> }) =>
  versions.map(({ number, effectiveDatetime, status }) => [
    number,
    effectiveDatetime === null ? null : (effectiveDatetime - NOW) / DAY,
    status,
  ]);

/** A formula of 10 %, and its commands. */
const own = Effect.gen(function* () {
  const scene = yield* Given.scene();
  const id = yield* Given.formula(scene);
  const service = yield* formulas;
  const read = Effect.map(listed(scene), ([first]) => {
    if (first === undefined) throw new Error("the formula is missing");
    return first;
  });
  return {
    scene,
    read,
    update: (input: Formula.Update) => service.update(scene.owner, id, input),
    withdraw: (number: number) => service.withdrawVersion(scene.owner, id, number),
  };
});

describe("a version ahead", () => {
  it.effect("is shown and used from its date on, not before", () =>
    rule(
      Effect.gen(function* () {
        const { scene, read, update } = yield* own;
        yield* update(rate(20, NOW + 10 * DAY));
        yield* Given.sell(scene, 10_000);
        const before = yield* read;
        expect([before.expression, shown(before)]).toEqual([
          Given.percent(10),
          [
            [1, null, "reached"],
            [2, 10, "ahead"],
          ],
        ]);
        yield* Given.wait(10 * DAY);
        yield* Given.sell(scene, 10_000);
        yield* Effect.flatMap(Attributions.Attributions, ({ create }) =>
          create(scene.owner, { ...Given.sale(scene, 10_000), occurredAt: NOW + 10 * DAY - 1 }),
        );
        expect(yield* Given.amounts(scene)).toEqual([1_000, 2_000, 1_000]);
        const after = yield* read;
        expect([after.expression, shown(after)[1]]).toEqual([Given.percent(20), [2, 10, "reached"]]);
        // What is shown follows from the clock: nothing was stored.
        expect(after.version).toBe(before.version);
      }),
    ),
  );

  it.effect("is not one whose date is the default", () =>
    rule(
      Effect.gen(function* () {
        const { scene, read, update, withdraw } = yield* own;
        yield* Effect.flatMap(Attributions.Attributions, ({ create }) =>
          create(scene.owner, { ...Given.sale(scene, 10_000), occurredAt: NOW }),
        );
        yield* update(rate(20));
        const found = yield* read;
        expect([found.expression, found.versions[1]?.status]).toEqual([Given.percent(20), "reached"]);
        expect(found.versions[1]?.effectiveDatetime).toBeGreaterThan(NOW);
        expect(yield* Given.refusal(withdraw(2))).toMatch("version_not_ahead: ");
      }),
    ),
  );

  it.effect("is undone by an earlier date only where the request says so", () =>
    rule(
      Effect.gen(function* () {
        const { scene, read, update } = yield* own;
        yield* update(rate(20, NOW + 10 * DAY));
        yield* update(rate(20, NOW + 10 * DAY));
        yield* update(rate(30, NOW + 20 * DAY));
        expect(yield* Given.refusal(update(rate(15)))).toBe(
          "versions_ahead: the expression would replace version 2 from 2026-01-11T00:00:00.000Z and version 3 from 2026-01-21T00:00:00.000Z on; state versions_ahead: keep to state them again after it, or withdraw",
        );
        expect(yield* Given.refusal(update(rate(15, NOW + 15 * DAY)))).toMatch(
          /^versions_ahead: the expression would replace version 3 from 2026-01-21/,
        );
        expect((yield* read).version).toBe(3);
        yield* update({ ...rate(15, NOW + 5 * DAY), versionsAhead: "keep" });
        expect(shown(yield* read)).toEqual([
          [1, null, "reached"],
          [2, 10, "withdrawn"],
          [3, 20, "withdrawn"],
          [4, 5, "ahead"],
          [5, 10, "ahead"],
          [6, 20, "ahead"],
        ]);
        expect((yield* read).version).toBe(4);
        // The same again changes nothing.
        yield* update({ ...rate(15, NOW + 5 * DAY), versionsAhead: "keep" });
        expect((yield* read).version).toBe(4);
        expect(yield* Given.refusal(update({ ...rate(12, NOW + 10 * DAY), versionsAhead: "keep" }))).toBe(
          "versions_ahead: version 5 from 2026-01-11T00:00:00.000Z on would leave the expression without effect; withdraw that version first, or state versions_ahead: withdraw",
        );
        yield* update({ ...rate(12, NOW + 10 * DAY), versionsAhead: "withdraw" });
        for (const _ of [1, 2, 3, 4]) {
          yield* Given.wait(5 * DAY);
          yield* Given.sell(scene, 10_000);
        }
        expect(yield* Given.amounts(scene)).toEqual([1_500, 1_200, 1_200, 1_200]);
      }),
    ),
  );

  it.effect("leaves a statement of the expression in force without effect where it is kept", () =>
    rule(
      Effect.gen(function* () {
        const { read, update } = yield* own;
        yield* update(rate(20, NOW + 10 * DAY));
        yield* update({ ...rate(10), name: "Ten", versionsAhead: "keep" });
        const kept = yield* read;
        expect([kept.name, kept.versions.length]).toEqual(["Ten", 2]);
        yield* update({ ...rate(10), versionsAhead: "withdraw" });
        expect(shown(yield* read)).toEqual([
          [1, null, "reached"],
          [2, 10, "withdrawn"],
        ]);
      }),
    ),
  );

  it.effect("is withdrawn until its date, once", () =>
    rule(
      Effect.gen(function* () {
        const { scene, read, update, withdraw } = yield* own;
        yield* update(rate(20, NOW + 10 * DAY));
        yield* update(rate(30, NOW + 20 * DAY));
        yield* withdraw(2);
        yield* withdraw(2);
        expect((yield* read).version).toBe(4);
        expect(yield* Given.refusal(withdraw(4))).toBe("version not found");
        expect(yield* Given.refusal(withdraw(1))).toMatch("version_not_ahead: version 1 ");
        yield* Given.wait(15 * DAY);
        yield* Given.sell(scene, 10_000);
        yield* Given.wait(5 * DAY);
        yield* Given.sell(scene, 10_000);
        expect(yield* Given.refusal(withdraw(3))).toMatch(
          "version_not_ahead: version 3 holds since 2026-01-21T00:00:00.000Z; ",
        );
        expect(yield* Given.amounts(scene)).toEqual([1_000, 3_000]);
      }),
    ),
  );

  it.effect("of a cancelled formula cannot be withdrawn", () =>
    rule(
      Effect.gen(function* () {
        const { scene, read, update, withdraw } = yield* own;
        yield* update(rate(20, NOW + 10 * DAY));
        const { id } = yield* read;
        yield* Effect.flatMap(formulas, ({ cancel }) => cancel(scene.owner, id, { reason: "wrong" }));
        expect(yield* Given.refusal(withdraw(2))).toMatch("formula_cancelled: ");
        expect(yield* Given.refusal(update(rate(15)))).toMatch("formula_cancelled: ");
      }),
    ),
  );
});

describe("a version ahead of a plan", () => {
  it.effect("reaches every formula, also of partners that are assigned later", () =>
    rule(
      Effect.gen(function* () {
        const service = yield* plans;
        const scene = yield* Given.scene();
        const later = yield* another(scene);
        const planId = yield* plan(scene);
        yield* assign(scene, planId);
        yield* service.update(scene.owner, planId, rate(20, NOW + 10 * DAY));
        yield* service.update(scene.owner, planId, rate(30, NOW + 20 * DAY));
        yield* service.withdrawVersion(scene.owner, planId, 2);
        yield* assign(later, planId);
        const {
          items: [found],
        } = yield* service.list(scene.owner, { ids: [planId] });
        for (const one of [found, ...(yield* listed(scene)), ...(yield* listed(later))])
          expect(one && shown(one)).toEqual([
            [1, null, "reached"],
            [2, 10, "withdrawn"],
            [3, 20, "ahead"],
          ]);
        const [formula] = yield* listed(scene);
        const withdrawn = Effect.flatMap(formulas, (own) =>
          formula === undefined ? Effect.die("no formula") : own.withdrawVersion(scene.owner, formula.id, 3),
        );
        expect(yield* Given.refusal(withdrawn)).toMatch("formula_of_plan: ");
        yield* Given.wait(15 * DAY);
        for (const one of [scene, later]) yield* Given.sell(one, 10_000);
        yield* Given.wait(5 * DAY);
        for (const one of [scene, later]) yield* Given.sell(one, 10_000);
        expect(yield* Given.amounts(scene)).toEqual([1_000, 1_000, 3_000, 3_000]);
      }),
    ),
  );

  it.effect(
    "that was withdrawn pays nothing, also where the withdrawal reaches a formula after its date",
    () =>
      rule(
        Effect.gen(function* () {
          const service = yield* plans;
          const scene = yield* Given.scene();
          const planId = yield* plan(scene);
          const others = yield* partners(scene, 100);
          yield* assign(scene, planId, {}, [...others, scene.partnerId]);
          yield* service.update(scene.owner, planId, rate(20, NOW + 10 * DAY));
          yield* Given.drain;
          yield* service.withdrawVersion(scene.owner, planId, 2);
          yield* Given.wait(10 * DAY);
          yield* Given.sell(scene, 10_000);
          expect(yield* Given.amounts(scene)).toEqual([2_000]);
          yield* Given.drain;
          expect(yield* Given.amounts(scene)).toEqual([1_000]);
        }),
      ),
  );

  it.effect("is in the terms of its date, and its withdrawal leaves them as they were", () =>
    rule(
      Effect.gen(function* () {
        const service = yield* plans;
        const scene = yield* Given.scene();
        const planId = yield* plan(scene);
        yield* assign(scene, planId);
        const read = (at: number) =>
          Effect.flatMap(PlanTerms.PlanTerms, (terms) =>
            terms.read(scene.owner, planId, { partnerId: scene.partnerId, at }),
          );
        const agreed = yield* read(NOW);
        yield* service.update(scene.owner, planId, rate(20, NOW + 10 * DAY));
        expect((yield* read(NOW)).hash).toBe(agreed.hash);
        const next = yield* read(NOW + 10 * DAY);
        expect([next.formulaVersion, next.fromDatetime]).toEqual([2, NOW + 10 * DAY]);
        yield* service.withdrawVersion(scene.owner, planId, 2);
        const withdrawn = yield* read(NOW + 10 * DAY);
        expect([withdrawn.hash, withdrawn.spans.length]).toEqual([agreed.hash, 1]);
      }),
    ),
  );
});

describe("before and after the date of a version ahead", () => {
  it.effect("the books, dry runs, trials and explanations agree", () =>
    rule(
      Effect.gen(function* () {
        const service = yield* plans;
        const trials = yield* PlanTrials.PlanTrials;
        const scene = yield* Given.scene();
        const later = yield* another(scene);
        const planId = yield* plan(scene);
        yield* assign(scene, planId);
        for (const one of [scene, later]) yield* Given.sell(one, 10_000);
        const span = { planId, from: NOW, to: NOW + 20 * DAY };
        const draft = yield* trials.start(scene.owner, { ...span, expressionText: "order_value * 20 %" });
        yield* Given.drain;
        yield* trials.adopt(scene.owner, draft.id, { effectiveDatetime: NOW + 10 * DAY });
        const prospect = yield* service.dryRun(scene.owner, planId, { partnerIds: [later.partnerId] });
        expect(prospect.commissions).toEqual([{ currency: "EUR", count: 1, amount: 1_000n, waiting: 0n }]);
        yield* Given.wait(10 * DAY);
        for (const one of [scene, later]) yield* Given.sell(one, 10_000);
        const reached = yield* service.dryRun(scene.owner, planId, { partnerIds: [later.partnerId] });
        expect(reached.commissions).toEqual([{ currency: "EUR", count: 2, amount: 3_000n, waiting: 0n }]);
        yield* assign(later, planId);
        expect(yield* Given.amounts(scene)).toEqual([1_000, 2_000, 1_000, 2_000]);
        const itself = yield* trials.start(scene.owner, span);
        yield* Given.drain;
        const { trial } = yield* trials.read(scene.owner, itself.id);
        expect([trial.amountNow, trial.amountThen]).toEqual([6_000n, 6_000n]);
        const explained = yield* Effect.forEach(yield* Given.commissions(scene), ({ id }) =>
          Effect.flatMap(Commissions.Commissions, ({ explain }) => explain(scene.owner, id)),
        );
        expect(explained.map(({ amount, formulaVersion }) => [amount, formulaVersion])).toEqual([
          ...[
            [1_000, 1],
            [2_000, 2],
          ],
          ...[
            [1_000, 1],
            [2_000, 2],
          ],
        ]);
      }),
    ),
  );
});

describe("a day from which something holds", () => {
  const BERLIN = "Europe/Berlin";
  const inBerlin = (scene: Given.Scene) =>
    Effect.flatMap(Workspaces.Workspaces, ({ write }) =>
      write(scene.owner, scene.workspaceId, { timeZone: BERLIN }),
    );

  it.effect("begins at its first instant in the workspace's time zone of the command", () =>
    rule(
      Effect.gen(function* () {
        const { scene, read, update } = yield* own;
        yield* inBerlin(scene);
        yield* update({ ...rate(20), effectiveOn: "2026-07-01" });
        yield* Effect.flatMap(Workspaces.Workspaces, ({ write }) =>
          write(scene.owner, scene.workspaceId, {}),
        );
        expect((yield* read).versions[1]).toMatchObject({
          effectiveDatetime: Date.parse("2026-06-30T22:00:00Z"),
          status: "ahead",
        });
      }),
    ),
  );

  it.effect("is accepted for plans, values and adopted drafts", () =>
    rule(
      Effect.gen(function* () {
        const service = yield* plans;
        const trials = yield* PlanTrials.PlanTrials;
        const scene = yield* Given.scene();
        yield* inBerlin(scene);
        const planId = yield* plan(scene, { parameters: [{ name: "quota", type: "number", default: 1 }] });
        yield* assign(scene, planId);
        const { partnerId } = scene;
        const first = { values: { quota: 2 }, effectiveOn: "2026-02-01" };
        const second = { values: { quota: 3 }, effectiveOn: "2026-08-01" };
        yield* service.setPartnerParameters(scene.owner, planId, partnerId, first);
        yield* service.setParameters(scene.owner, planId, { partners: [{ partnerId, ...second }] });
        const { id } = yield* trials.start(scene.owner, {
          ...{ planId, expressionText: "order_value * 15 %" },
          ...{ from: NOW - DAY, to: NOW },
        });
        yield* trials.adopt(scene.owner, id, { effectiveOn: "2026-03-01" });
        yield* service.update(scene.owner, planId, {
          expressionText: "order_value * 16 %",
          effectiveOn: "2026-02-15",
          versionsAhead: "keep",
        });
        const [formula] = yield* listed(scene);
        expect(formula?.parameterValues.map(({ effectiveDatetime }) => effectiveDatetime)).toEqual([
          Date.parse("2026-01-31T23:00:00Z"),
          Date.parse("2026-07-31T22:00:00Z"),
        ]);
        expect(formula?.versions.map(({ effectiveDatetime, status }) => [effectiveDatetime, status])).toEqual(
          [
            [null, "reached"],
            [Date.parse("2026-02-28T23:00:00Z"), "withdrawn"],
            [Date.parse("2026-02-14T23:00:00Z"), "ahead"],
            [Date.parse("2026-02-28T23:00:00Z"), "ahead"],
          ],
        );
        const both = { ...first, effectiveDatetime: NOW };
        expect(yield* Given.refusal(service.setPartnerParameters(scene.owner, planId, partnerId, both))).toBe(
          "effective_on: must not be given together with effective_datetime",
        );
        expect(
          yield* Given.refusal(
            service.setParameters(scene.owner, planId, { partners: [{ partnerId, ...both }] }),
          ),
        ).toBe("partners.0.effective_on: must not be given together with effective_datetime");
        expect(
          yield* Given.refusal(
            trials.adopt(scene.owner, id, { effectiveOn: "2026-03-01", effectiveDatetime: 5 }),
          ),
        ).toBe("effective_on: must not be given together with effective_datetime");
      }),
    ),
  );
});
