/** Builders of trials of plans and their results. */
import type { PartnerId } from "../../domain/Ids.ts";
import * as PlanTrial from "../../domain/PlanTrial.ts";
import type { SaveFlat } from "../../ports/Storage.ts";
import { ACTOR, DAY, EPOCH, EUR, flat, fresh, type Owner } from "./Basics.ts";

/** A trial of a draft that has just begun. */
export const planTrial = (
  { customerId, workspaceId, schemaId }: Owner & Pick<PlanTrial.PlanTrial, "schemaId">,
  overrides: Partial<PlanTrial.PlanTrial> = {},
): SaveFlat<"planTrial"> =>
  flat("planTrial", {
    ...{ id: fresh.planTrial(), customerId, workspaceId, schemaId, planId: null, currency: EUR },
    expression: { type: "property", name: "order_value" },
    ...{ partnerIds: null, from: EPOCH, to: EPOCH + DAY, parameters: {}, add: [], startedBy: ACTOR },
    ...PlanTrial.NOTHING_COMPUTED,
    ...{ partnerCount: 1, batchSize: 20, createdAt: EPOCH },
    ...overrides,
  });

/** The result of a trial for a partner with one sale. */
export const planTrialResult = (
  { id: trialId, customerId, workspaceId }: PlanTrial.PlanTrial,
  partnerId: PartnerId,
): SaveFlat<"planTrialResult"> =>
  flat("planTrialResult", {
    ...{ id: PlanTrial.resultId(trialId, partnerId), customerId, workspaceId, trialId, partnerId },
    months: [
      { ...PlanTrial.NO_SUMS, month: "2026-01", salesCount: 1, amountNow: "1200", amountThen: "1100" },
    ],
    createdAt: EPOCH,
  });
