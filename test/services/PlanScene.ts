import { Effect } from "effect";
import { CommissionFormulas, type CommissionPlan, CommissionPlans, type Ids } from "quittance";
import * as Given from "./Given.ts";

const { NOW, DAY, EUR } = Given;
const formulas = CommissionFormulas.CommissionFormulas;
const plans = CommissionPlans.CommissionPlans;

type Terms = Partial<Omit<CommissionPlan.Create, "workspaceId" | "schemaId">>;

/** Creates a plan of the scene's workspace and schema, 10 % from a month ago on unless stated otherwise; returns its id. */
export const plan = ({ owner, workspaceId, schemaId }: Given.Scene, terms: Terms = {}) =>
  Effect.flatMap(plans, ({ create }) =>
    Effect.map(
      create(owner, {
        ...{ workspaceId, schemaId, name: "Affiliates", currency: EUR, expression: Given.percent(10) },
        startDatetime: NOW - 30 * DAY,
        ...terms,
      }),
      ({ id }) => id,
    ),
  );

/** Another partner of the scene's workspace, as a scene of its own. */
export const another = (scene: Given.Scene) =>
  Effect.map(Given.partner(scene), (partnerId): Given.Scene => ({ ...scene, partnerId }));

/** That many partners of the scene's workspace. */
export const partners = (scene: Given.Scene, count: number) =>
  Effect.forEach(Array.from({ length: count }), () => Given.partner(scene));

/** Assigns partners to a plan; the scene's partner unless stated otherwise. */
export const assign = (
  scene: Given.Scene,
  planId: Ids.PlanId,
  bounds: { readonly from?: number; readonly to?: number } = {},
  partnerIds: ReadonlyArray<Ids.PartnerId> = [scene.partnerId],
) =>
  Effect.flatMap(plans, (service) =>
    service.assign(scene.owner, planId, {
      partnerIds,
      ...(bounds.from === undefined ? {} : { startDatetime: bounds.from }),
      ...(bounds.to === undefined ? {} : { endDatetime: bounds.to }),
    }),
  );

/** The formulas of the scene's partner. */
export const listed = (scene: Given.Scene) =>
  Effect.flatMap(formulas, ({ list }) =>
    Effect.map(list(scene.owner, { perPage: 100, partnerIds: [scene.partnerId] }), ({ items }) => items),
  );

/** The windows of the scene's partner. */
export const windows = (scene: Given.Scene) =>
  Effect.map(listed(scene), (found) =>
    found.map(({ startDatetime, endDatetime }) => [startDatetime, endDatetime]),
  );

/** How many partners a plan has, and how far its roll-out is. */
export const progress = (scene: Given.Scene, planId: Ids.PlanId) =>
  Effect.flatMap(plans, ({ list }) =>
    Effect.map(list(scene.owner, { ids: [planId] }), ({ items: [found] }) => ({
      partnerCount: found?.partnerCount,
      ...found?.rollingOut,
    })),
  );
