/** Records the sales of the cookbook's teams in an engine, and compares everything that anybody earns with what was worked out. */
import { describe, expect, it } from "@effect/vitest";
import { Effect, Either } from "effect";
import {
  type AttributionSchema,
  AttributionSchemas,
  Attributions,
  CommissionPlans,
  Credit,
  Currency,
  type Ids,
  PartnerLinks,
  Partners,
} from "quittance";
import { parse } from "quittance/formula";
import { checkInvariants } from "quittance/testing";
import { readTeams, type TeamPlan } from "../../examples/formulas/TeamPlan.ts";
import { commissions, DAY, rule, scene, wait } from "../services/Given.ts";

const teams = [...readTeams()];

/** When links begin and end where a plan does not say so. */
const ALWAYS = Date.parse("2000-01-01T00:00:00Z");

/** Every partner that a plan names. */
const namesOf = ({ links, formulas, sales }: TeamPlan): ReadonlyArray<string> => [
  ...new Set([
    ...(links ?? []).flatMap(({ partner, upline }) => [partner, upline]),
    ...formulas.flatMap(({ partners }) => partners),
    ...sales.flatMap(({ credits }) => credits.map(({ partner }) => partner)),
  ]),
];

/** The partners, links and plans of a team in a workspace of its own. */
const founded = (plan: TeamPlan) =>
  Effect.gen(function* () {
    const given = yield* scene();
    const { owner, workspaceId } = given;
    const { id: schemaId } = yield* (yield* AttributionSchemas.AttributionSchemas).create(owner, {
      name: "Sale",
      workspaceId,
      properties: plan.schema.properties as AttributionSchema.Create["properties"],
    });
    const ids = new Map<string, Ids.PartnerId>();
    for (const name of namesOf(plan))
      ids.set(name, (yield* (yield* Partners.Partners).create(owner, { name, workspaceId })).id);
    const idOf = (name: string) => ids.get(name) as Ids.PartnerId;
    for (const { partner, upline, role, from, until } of plan.links ?? [])
      yield* (yield* PartnerLinks.PartnerLinks).create(owner, {
        partnerId: idOf(partner),
        uplinePartnerId: idOf(upline),
        role,
        startDatetime: from === undefined ? ALWAYS : Date.parse(from),
        ...(until === undefined ? {} : { endDatetime: Date.parse(until) }),
      });
    const plans = yield* CommissionPlans.CommissionPlans;
    for (const { name, roles, partners, parameters, values = {}, text } of plan.formulas) {
      const { id } = yield* plans.create(owner, {
        ...{ workspaceId, schemaId, name, expression: Either.getOrThrow(parse(text)) },
        currency: Currency.Currency.make(plan.currency),
        startDatetime: ALWAYS,
        ...(roles === undefined ? {} : { roles }),
        ...(parameters === undefined ? {} : { parameters }),
      });
      for (const partner of partners) {
        const own = values[partner];
        yield* plans.assign(owner, id, {
          partnerIds: [idOf(partner)],
          ...(own === undefined ? {} : { parameters: own }),
        });
      }
    }
    return { ...given, schemaId, idOf, nameOf: new Map([...ids].map(([name, id]) => [id, name])) };
  });

type Team = Effect.Effect.Success<ReturnType<typeof founded>>;

/** Records a sale; returns the id of its origin. */
const sell = ({ owner, workspaceId, schemaId, idOf }: Team, sale: TeamPlan["sales"][number]) =>
  Effect.flatMap(Attributions.Attributions, ({ create }) =>
    Effect.map(
      create(owner, {
        ...{ workspaceId, schemaId, properties: sale.properties },
        partnerId: idOf(sale.credits[0].partner),
        occurredAt: Date.parse(sale.occurred_at),
        credits: sale.credits.map(({ partner, ...credit }) => ({ ...credit, partnerId: idOf(partner) })),
      }),
      ({ id }) => id,
    ),
  );

/** What people earn from each sale, by the id of its origin, as the cookbook states it. */
const earnedBy = (team: Team) =>
  Effect.gen(function* () {
    const { items } = yield* Effect.flatMap(Attributions.Attributions, ({ list }) =>
      list(team.owner, { perPage: 100 }),
    );
    const sales = new Map(items.map((item) => [item.id, item]));
    const earned = new Map<string, Array<unknown>>();
    for (const { attributionId, partnerId, computedAmount } of yield* commissions(team)) {
      const { id, originId, credit } = sales.get(attributionId) ?? expect.fail("an unknown sale");
      const { role, depth } = credit ?? Credit.WHOLE;
      const shown = {
        partner: team.nameOf.get(partnerId),
        ...(role === Credit.SELLER ? {} : { role }),
        ...(depth === 0 ? {} : { level: depth }),
        amount: computedAmount,
      };
      const origin = originId ?? id;
      earned.set(origin, [...(earned.get(origin) ?? []), shown]);
    }
    return earned;
  });

const inOrder = (earned: ReadonlyArray<unknown>) => earned.map((one) => JSON.stringify(one)).sort();

describe("the cookbook's teams", () => {
  it("are at least 15, each with at least two sales and a summary of two to four sentences", () => {
    expect(teams.length).toBeGreaterThanOrEqual(15);
    for (const [name, { sales, summary }] of teams) {
      expect(sales.length, name).toBeGreaterThanOrEqual(2);
      expect(summary.match(/\.(?= |$)/g)?.length, name).toSatisfy(
        (count: number) => count >= 2 && count <= 4,
      );
    }
  });

  it.effect.each(teams)("%s", ([, plan]) =>
    rule(
      Effect.gen(function* () {
        // After the sales of every plan.
        yield* wait(2 * 366 * DAY);
        const team = yield* founded(plan);
        const origins: Array<string> = [];
        for (const sale of plan.sales) {
          origins.push(yield* sell(team, sale));
          yield* wait(1);
        }
        const earned = yield* earnedBy(team);
        for (const [index, sale] of plan.sales.entries())
          expect(inOrder(earned.get(origins[index] ?? "") ?? []), sale.working).toEqual(inOrder(sale.earned));
        yield* checkInvariants(team.customerId);
      }),
    ),
  );
});
