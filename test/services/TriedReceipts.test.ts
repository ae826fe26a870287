/** What trials and dry runs say of amounts that wait for buyers is what the engine then stores. */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { Attributions, CommissionFormulas, PlanTrials, Receipts } from "quittance";
import { stateDump } from "quittance/testing";
import { random } from "../support/Random.ts";
import * as Given from "./Given.ts";
import * as PlanScene from "./PlanScene.ts";

const { rule, NOW, DAY, EUR } = Given;
const SPAN = { from: NOW - 60 * DAY, to: NOW + DAY };
const ON_RECEIPT = { release: "on_receipt" } as const;

/** Sales of two partners, some of them shared, some corrected to less than nothing, each paid by its buyer in part, in full or not. */
const history = (seed: number) =>
  Effect.gen(function* () {
    const chance = random(seed);
    const scene = yield* Given.scene();
    const second = yield* PlanScene.another(scene);
    const { create } = yield* Attributions.Attributions;
    const { stateReceived } = yield* Receipts.Receipts;
    const credits = [
      { partnerId: scene.partnerId, share: "0.6" },
      { partnerId: second.partnerId, share: "0.4" },
    ];
    for (let number = 0; number < 24; number++) {
      const { id } = yield* create(scene.owner, {
        ...Given.sale(scene, chance.integer(-500, 50_000)),
        occurredAt: NOW - chance.integer(0, 28 * DAY),
        ...(chance.chance(0.5) ? { credits } : {}),
      });
      const of = chance.integer(1, 1_000);
      if (chance.chance(0.7))
        yield* stateReceived(scene.owner, id, { received: chance.integer(0, of + 10), of });
    }
    return { scene, second };
  });

/** The amount of the commissions of each partner, and the part of it that waits. */
const stored = (scene: Given.Scene) =>
  Effect.map(Given.commissions(scene), (commissions) => {
    const sums = new Map<string, { amount: bigint; waiting: bigint }>();
    for (const { partnerId, computedAmount, waitingAmount } of commissions) {
      const { amount, waiting } = sums.get(partnerId) ?? { amount: 0n, waiting: 0n };
      sums.set(partnerId, {
        amount: amount + BigInt(computedAmount ?? 0),
        waiting: waiting + BigInt(waitingAmount ?? 0),
      });
    }
    return [...sums].map(([partnerId, { amount, waiting }]) => [partnerId, amount, waiting]).toSorted();
  });

const compute = (
  scene: Given.Scene,
  criteria: Omit<Parameters<PlanTrials.PlanTrials["start"]>[1], "from" | "to">,
) =>
  Effect.gen(function* () {
    const trials = yield* PlanTrials.PlanTrials;
    const { id } = yield* trials.start(scene.owner, { ...criteria, ...SPAN });
    yield* Given.drain;
    return yield* trials.read(scene.owner, id, { perPage: 100 });
  });

const then = ({ results }: PlanTrials.TrialWithResults) =>
  results.map(({ partnerId, amountThen, waitingThen }) => [partnerId, amountThen, waitingThen]).toSorted();

describe("a trial of a plan that waits for buyers", () => {
  it.effect.each([1, 2, 3])(
    "says what waits, and what is payable: as stored before and after it is adopted (%d)",
    (seed) =>
      rule(
        Effect.gen(function* () {
          const { scene, second } = yield* history(seed);
          const planId = yield* PlanScene.plan(scene, ON_RECEIPT);
          yield* PlanScene.assign(scene, planId, {}, [scene.partnerId, second.partnerId]);
          yield* Given.drain;
          const dump = yield* stateDump(scene.customerId);
          const found = yield* compute(scene, { planId, expressionText: "order_value * 17 %" });
          expect(yield* stateDump(scene.customerId)).toEqual(dump);
          const now = found.results
            .map(({ partnerId, amountNow, waitingNow }) => [partnerId, amountNow, waitingNow])
            .toSorted();
          expect(now).toEqual(yield* stored(scene));
          const { adopt } = yield* PlanTrials.PlanTrials;
          yield* adopt(scene.owner, found.trial.id, { effectiveDatetime: SPAN.from });
          yield* Given.drain;
          const after = yield* stored(scene);
          expect(then(found)).toEqual(after);
          expect(
            after.map(([, amount, waiting]) => Number(waiting) > 0 && Number(waiting) < Number(amount)),
          ).toEqual([true, true]);
          expect(found.trial.waitingThen).toBe(found.results.reduce((sum, one) => sum + one.waitingThen, 0n));
        }),
      ),
  );

  it.effect("says the same of a draft that is no plan yet, and nothing waits where it releases at once", () =>
    rule(
      Effect.gen(function* () {
        const { scene } = yield* history(4);
        const { workspaceId, schemaId, partnerId } = scene;
        const draft = { workspaceId, schemaId, currency: EUR, expressionText: "order_value * 9 %" };
        const partnerIds = [partnerId];
        const waits = yield* compute(scene, { ...draft, ...ON_RECEIPT, partnerIds });
        const atOnce = yield* compute(scene, { ...draft, partnerIds });
        expect([atOnce.trial.amountThen, atOnce.trial.waitingThen]).toEqual([waits.trial.amountThen, 0n]);
        const { create } = yield* CommissionFormulas.CommissionFormulas;
        const { expressionText } = draft;
        yield* create(scene.owner, {
          ...{ workspaceId, schemaId, partnerId, name: "Share", currency: EUR, expressionText },
          ...{ startDatetime: SPAN.from, ...ON_RECEIPT },
        });
        expect(then(waits)).toEqual(yield* stored(scene));
      }),
    ),
  );

  it.effect("refuses to state the release of a plan, which has its own", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const planId = yield* PlanScene.plan(scene);
        const refusal = yield* Effect.flip(compute(scene, { planId, ...ON_RECEIPT }));
        expect(refusal.message).toBe(
          "release: must not be given together with plan_id: it is that of the plan",
        );
      }),
    ),
  );
});

describe("a dry run of a formula that waits for buyers", () => {
  it.effect("says what of the commissions would wait", () =>
    rule(
      Effect.gen(function* () {
        const { scene } = yield* history(5);
        const { workspaceId, schemaId, partnerId } = scene;
        const { create, dryRun } = yield* CommissionFormulas.CommissionFormulas;
        const input = {
          ...{ workspaceId, schemaId, partnerId, name: "Share", currency: EUR },
          ...{ expressionText: "order_value * 9 %", startDatetime: SPAN.from, ...ON_RECEIPT },
        };
        const { commissions } = yield* dryRun(scene.owner, input);
        yield* create(scene.owner, input);
        const [[, amount, waiting] = []] = yield* stored(scene);
        expect(commissions).toMatchObject([{ currency: "EUR", amount, waiting }]);
        expect(Number(waiting)).toBeGreaterThan(0);
      }),
    ),
  );
});
