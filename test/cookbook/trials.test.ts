import { describe, it } from "@effect/vitest";
import { Effect, Either } from "effect";
import {
  type AttributionSchema,
  AttributionSchemas,
  Attributions,
  CommissionPlans,
  Commissions,
  Currency,
  PlanTrials,
} from "quittance";
import { decode } from "quittance/formula";
import { expect } from "vitest";
import {
  type AccumulatingPlan,
  defaultCreatedAt,
  type Plan,
  readAccumulating,
  readAll,
} from "../../examples/formulas/Plan.ts";
import { drain, rule, scene, wait } from "../services/Given.ts";

const DAY = 86_400_000;

type Properties = Record<string, string | number | boolean>;

/** The sales of a plan's cases or of its first sequence, as dates and properties, in order of arrival. */
const salesOf = (
  plan: Plan | AccumulatingPlan,
): ReadonlyArray<{ readonly occurredAt: number; readonly properties: Properties }> =>
  "cases" in plan
    ? plan.cases.map(({ created_at, properties }) => ({
        occurredAt: Date.parse(created_at ?? defaultCreatedAt),
        properties,
      }))
    : plan.sequences.slice(0, 1).flatMap(({ steps }) =>
        steps.flatMap(({ occurred_at, properties }) => ({
          occurredAt: Date.parse(occurred_at),
          properties,
        })),
      );

/** The partner's values of the plan's first case or sequence. */
const valuesOf = (plan: Plan | AccumulatingPlan) =>
  ("cases" in plan ? plan.cases : plan.sequences)[0]?.parameters;

describe("a plan of the cookbook, in force and tried against itself, differs by 0", () => {
  it.effect.each([...readAll(), ...readAccumulating()])("%s", ([, plan]) =>
    rule(
      Effect.gen(function* () {
        // After the sales of every plan.
        yield* wait(10 * 366 * DAY);
        const { owner, workspaceId, partnerId } = yield* scene();
        const { id: schemaId } = yield* (yield* AttributionSchemas.AttributionSchemas).create(owner, {
          name: plan.title,
          workspaceId,
          properties: plan.schema.properties as AttributionSchema.Create["properties"],
        });
        const plans = yield* CommissionPlans.CommissionPlans;
        const expression = Either.getOrThrow(decode(plan.expression));
        const { id: planId } = yield* plans.create(owner, {
          ...{ workspaceId, schemaId, name: plan.title, expression },
          currency: Currency.Currency.make(plan.currency),
          startDatetime: 0,
          ...(plan.parameters === undefined ? {} : { parameters: plan.parameters }),
        });
        const values = valuesOf(plan);
        yield* plans.assign(owner, planId, {
          partnerIds: [partnerId],
          ...(values === undefined ? {} : { parameters: values }),
        });
        const sales = salesOf(plan);
        const attributions = yield* Attributions.Attributions;
        for (const sale of sales)
          yield* attributions.create(owner, { partnerId, workspaceId, schemaId, ...sale });
        const dates = sales.map(({ occurredAt }) => occurredAt);
        const [from, to] = [Math.min(...dates), Math.max(...dates) + 1];
        const trials = yield* PlanTrials.PlanTrials;
        const commissions = yield* Commissions.Commissions;
        const { summary } = yield* commissions.statistics(owner, { from, to, granularity: "month" });
        const booked = summary.unsettled.amounts.reduce((sum, { amount }) => sum + amount, 0n);
        // The plan as it is; the plan with its own expression; and the later half, whose totals begin before it.
        const half = from + Math.floor((to - from) / 2);
        for (const input of [{ from }, { from, expression }, { from: half, expression }]) {
          const { id } = yield* trials.start(owner, { planId, to: to + DAY, ...input });
          yield* drain;
          const { trial, changes } = yield* trials.read(owner, id);
          expect(trial.state).toBe("done");
          expect(changes).toEqual([]);
          expect(trial.difference).toBe(0n);
          expect(trial.amountThen).toBe(trial.amountNow);
          if (input.from === from)
            expect([trial.salesCount, trial.amountNow]).toEqual([sales.length, booked]);
        }
      }),
    ),
  );
});
