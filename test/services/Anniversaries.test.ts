/** Years that begin on an anniversary of a date of the partner. */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import {
  Attributions,
  CommissionFormulas,
  CommissionPlans,
  Commissions,
  Events,
  type Ids,
  type Parameter,
  type PlanTrial,
  PlanTrials,
  Workspaces,
} from "quittance";
import { checkInvariants } from "quittance/testing";
import { random } from "../support/Random.ts";
import * as Given from "./Given.ts";
import { another, plan } from "./PlanScene.ts";

const { rule, EUR } = Given;
const plans = CommissionPlans.CommissionPlans;

const DECLARED = [{ name: "joined_on", type: "date" }] as const;

/** A plan that pays one unit for each sale that the partner made earlier in the same year of its contract. */
const countingPlan = (scene: Given.Scene) =>
  plan(scene, {
    startDatetime: 0,
    expression: { type: "aggregate", function: "count", window: { type: "anniversary", of: "joined_on" } },
    parameters: DECLARED,
  });

const assign = (
  scene: Given.Scene,
  planId: Ids.PlanId,
  joinedOn: string,
  partnerId: Ids.PartnerId = scene.partnerId,
) =>
  Effect.flatMap(plans, (service) =>
    service.assign(scene.owner, planId, { partnerIds: [partnerId], parameters: { joined_on: joinedOn } }),
  );

const set = (
  scene: Given.Scene,
  planId: Ids.PlanId,
  values: Parameter.Values,
  effectiveDatetime?: string,
): Effect.Effect<unknown, { readonly message: string }, CommissionPlans.CommissionPlans> =>
  Effect.flatMap(plans, (service) =>
    service.setPartnerParameters(scene.owner, planId, scene.partnerId, {
      values,
      ...(effectiveDatetime === undefined ? {} : { effectiveDatetime: Date.parse(effectiveDatetime) }),
    }),
  );

/** Records sales of these dates, in this order, and returns their ids. */
const sellAt = (scene: Given.Scene, dates: ReadonlyArray<string>) =>
  Effect.flatMap(Attributions.Attributions, ({ create }) =>
    Effect.forEach(dates, (date) =>
      Effect.map(
        create(scene.owner, { ...Given.sale(scene, 100), occurredAt: Date.parse(date) }),
        ({ id }) => id,
      ),
    ),
  );

/** The amounts of the scene's partner in order of arrival; the invariants hold of what they build on. */
const amounts = (scene: Given.Scene) =>
  Effect.gen(function* () {
    yield* checkInvariants(scene.customerId);
    const all = yield* Given.commissions(scene);
    return all
      .filter(({ partnerId }) => partnerId === scene.partnerId)
      .map(({ computedAmount }) => computedAmount);
  });

const DATES = ["2024-05-14", "2024-05-15", "2025-05-14T23:59:59Z", "2025-05-15", "2024-12-01", "2025-06-01"];

describe("a year since a date of the partner", () => {
  it.effect("begins on each anniversary of the date", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const planId = yield* countingPlan(scene);
        yield* assign(scene, planId, "2023-05-15");
        yield* sellAt(scene, DATES);
        expect(yield* amounts(scene)).toEqual([0, 0, 1, 0, 2, 1]);
      }),
    ),
  );

  it.effect("is each partner's own", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const planId = yield* countingPlan(scene);
        const other = yield* another(scene);
        yield* assign(scene, planId, "2023-01-01");
        yield* assign(scene, planId, "2023-07-01", other.partnerId);
        for (const own of [scene, other]) yield* sellAt(own, ["2025-06-30", "2025-01-01", "2025-07-01"]);
        expect(yield* amounts(scene)).toEqual([0, 1, 2]);
        expect(yield* amounts(other)).toEqual([0, 1, 0]);
      }),
    ),
  );

  it.effect("of 29 February begins on 28 February in other years", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const planId = yield* countingPlan(scene);
        yield* assign(scene, planId, "2020-02-29");
        yield* sellAt(scene, [
          "2025-02-27",
          "2025-02-28",
          "2025-03-01",
          "2024-02-28",
          "2024-02-29",
          "2025-02-26",
        ]);
        expect(yield* amounts(scene)).toEqual([0, 0, 1, 0, 1, 2]);
      }),
    ),
  );

  it.effect("is counted over history by a formula that is created later", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* sellAt(scene, DATES);
        const planId = yield* countingPlan(scene);
        yield* assign(scene, planId, "2023-05-15");
        expect(yield* amounts(scene)).toEqual([0, 0, 1, 0, 2, 1]);
      }),
    ),
  );

  it.effect("is counted again without a sale that is cancelled", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const planId = yield* countingPlan(scene);
        yield* assign(scene, planId, "2023-05-15");
        const [, second = ""] = yield* sellAt(scene, DATES);
        const { cancel } = yield* Attributions.Attributions;
        yield* cancel(scene.owner, second as Ids.AttributionId, { reason: "refund" });
        expect(yield* amounts(scene)).toEqual([0, 0, 0, 0, 1, 1]);
        yield* sellAt(scene, ["2025-05-13", "2024-05-16", "2025-12-31"]);
        expect((yield* amounts(scene)).slice(6)).toEqual([2, 3, 2]);
      }),
    ),
  );

  it.effect("changes the amounts from the date on which its date gets another value, and no others", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const planId = yield* countingPlan(scene);
        yield* assign(scene, planId, "2023-05-15");
        yield* sellAt(scene, DATES);
        const { list } = yield* Events.Events;
        const updated = Effect.map(
          list(scene.owner, { types: ["update_commission"], limit: 100 }),
          ({ items }) => items.length,
        );
        yield* set(scene, planId, { joined_on: "2023-01-01" }, "2025-01-01");
        expect(yield* amounts(scene)).toEqual([0, 0, 0, 1, 2, 2]);
        expect(yield* updated).toBe(3);
        yield* sellAt(scene, ["2025-01-01", "2024-12-31"]);
        expect((yield* amounts(scene)).slice(6)).toEqual([3, 4]);
        yield* set(scene, planId, { joined_on: null }, "2025-01-01");
        expect(yield* amounts(scene)).toEqual([0, 0, 1, 0, 2, 1, 3, 4]);
      }),
    ),
  );

  it.effect("is named in the explanation by its first and last day", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const planId = yield* countingPlan(scene);
        yield* assign(scene, planId, "2020-02-29");
        yield* sellAt(scene, ["2025-03-01", "2025-02-28"]);
        const { explain } = yield* Commissions.Commissions;
        const last = (yield* Given.commissions(scene)).at(-1);
        const explained = yield* explain(scene.owner, last?.id as Ids.CommissionId);
        expect(explained).toMatchObject({ amount: 1, parametersVersion: 1 });
        expect(explained.sentences).toMatch("from 28 February 2025 to 27 February 2026");
        const aggregate = explained.explanation?.trace.find(({ type }) => type === "aggregate");
        expect(aggregate?.detail).toMatchObject({
          window: { type: "anniversary", of: "joined_on" },
          first_day: "2025-02-28",
          last_day: "2026-02-27",
        });
      }),
    ),
  );

  it.effect.each([1, 2, 3, 4])("pays what a recount gives after any commands, seed %i", (seed) =>
    rule(
      Effect.gen(function* () {
        const chance = random(seed);
        const scene = yield* Given.scene();
        const planId = yield* countingPlan(scene);
        const day = (years: number) => {
          const at = Given.NOW - chance.integer(1, years * 366) * Given.DAY;
          return new Date(chance.chance(0.2) ? Date.parse("2024-02-29") : at).toISOString().slice(0, 10);
        };
        yield* assign(scene, planId, day(6));
        const { write } = yield* Workspaces.Workspaces;
        const { create, cancel } = yield* Attributions.Attributions;
        const sold: Array<Ids.AttributionId> = [];
        for (let number = 0; number < 40; number++) {
          const occurredAt = Date.parse(`${day(3)}T${chance.pick(["00", "12", "23"])}:30:00Z`) - 1_000;
          const what = chance.pick([
            "sell",
            "sell",
            "sell",
            "sell",
            "sell",
            "cancel",
            "date",
            "zone",
          ] as const);
          if (what === "date") yield* set(scene, planId, { joined_on: day(6) }, day(3));
          else if (what === "zone") {
            const timeZone = chance.pick(["UTC", "Asia/Tokyo", "America/New_York"]);
            yield* write(scene.owner, scene.workspaceId, { timeZone });
          } else if (what === "cancel" && sold.length > 0)
            yield* cancel(scene.owner, chance.pick(sold), { reason: "refund" });
          else sold.push((yield* create(scene.owner, { ...Given.sale(scene, 100), occurredAt })).id);
          if (number % 10 === 9) yield* checkInvariants(scene.customerId);
        }
        expect((yield* amounts(scene)).some((amount) => (amount ?? 0) > 2)).toBe(true);
      }),
    ),
  );

  it.effect("is tried with another date", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const planId = yield* countingPlan(scene);
        yield* assign(scene, planId, "2023-05-15");
        yield* sellAt(scene, DATES);
        const { start, read } = yield* PlanTrials.PlanTrials;
        const sums = (tried: Partial<PlanTrial.Start>) =>
          Effect.gen(function* () {
            const span = { from: Date.parse("2024-01-01"), to: Given.NOW };
            const { id } = yield* start(scene.owner, { ...span, ...tried });
            yield* Given.drain;
            const { trial } = yield* read(scene.owner, id);
            return [trial.amountNow, trial.amountThen];
          });
        expect(yield* sums({ planId })).toEqual([4n, 4n]);
        const parameters = { joined_on: "2023-01-01" };
        expect(yield* sums({ planId, parameters })).toEqual([4n, 6n]);
        const { workspaceId, schemaId } = scene;
        expect(
          yield* sums({
            ...{ workspaceId, schemaId, currency: EUR, parameters },
            expressionText: "count earlier this year since plan.joined_on",
          }),
        ).toEqual([4n, 6n]);
      }),
    ),
  );

  it.effect("needs a parameter that is declared as a date, and stays", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const { create } = yield* CommissionFormulas.CommissionFormulas;
        const refused = (type: "date" | "number", name: string) =>
          Given.refusal(
            create(scene.owner, {
              ...{ workspaceId: scene.workspaceId, partnerId: scene.partnerId, schemaId: scene.schemaId },
              ...{ currency: EUR, name: "By year", startDatetime: 0 },
              parameters: [{ name, type }],
              values: { [name]: type === "date" ? "2024-01-01" : 1 },
              expression: {
                ...{ type: "aggregate", function: "count" },
                window: { type: "anniversary", of: "joined_on" },
              },
            }),
          );
        expect(yield* refused("date", "started_on")).toBe(
          "expression: $.window.of: no parameter `joined_on` is declared",
        );
        expect(yield* refused("number", "joined_on")).toBe(
          "expression: $.window.of: an anniversary needs a date, and the parameter `joined_on` is a number",
        );
        const planId = yield* countingPlan(scene);
        const { update } = yield* plans;
        expect(yield* Given.refusal(update(scene.owner, planId, { parameters: [] }))).toBe(
          "parameters: must contain joined_on, which an expression reads",
        );
        expect(yield* Given.refusal(assign(scene, planId, "soon"))).toBe(
          "parameters.joined_on: must be a date such as 2026-01-31",
        );
      }),
    ),
  );

  it.effect("is the same in simulations", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const { simulate } = yield* CommissionFormulas.CommissionFormulas;
        const results = yield* simulate(scene.owner, {
          ...{ schemaId: scene.schemaId, currency: EUR, parameters: DECLARED },
          expressionText: "count earlier this year since plan.joined_on",
          values: { joined_on: "2023-05-15" },
          samples: DATES.map((date, index) => ({
            ...{ properties: { order_value: 1 }, occurredAt: Date.parse(date) },
            history: DATES.slice(0, index).map((earlier) => ({
              ...{ properties: { order_value: 1 }, occurredAt: Date.parse(earlier) },
            })),
          })),
        });
        expect(results.map(({ result }) => (result._tag === "Right" ? result.right : result.left))).toEqual([
          0, 0, 1, 0, 2, 1,
        ]);
      }),
    ),
  );
});
