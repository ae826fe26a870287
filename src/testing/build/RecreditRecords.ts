/** Builders of recredit runs and their results. */
import type { AttributionId } from "../../domain/Ids.ts";
import * as RecreditRun from "../../domain/RecreditRun.ts";
import type { SaveFlat } from "../../ports/Storage.ts";
import { ACTOR, DAY, EPOCH, flat, fresh, type Owner } from "./Basics.ts";

/** A run that has reached no sale yet. */
export const recreditRun = (
  { customerId, workspaceId }: Pick<Owner, "customerId" | "workspaceId">,
  overrides: Partial<RecreditRun.RecreditRun> = {},
): SaveFlat<"recreditRun"> =>
  flat("recreditRun", {
    ...{ id: fresh.recreditRun(), customerId, workspaceId, partnerIds: null, from: EPOCH, to: EPOCH + DAY },
    ...{ reason: "late links", dryRun: false, startedBy: ACTOR, startedByPerson: ACTOR },
    ...RecreditRun.NOTHING_DONE,
    createdAt: EPOCH,
    ...overrides,
  });

/** The result of a run for a sale that it has changed. */
export const recreditRunResult = (
  { id: runId, customerId, workspaceId }: RecreditRun.RecreditRun,
  attributionId: AttributionId,
  overrides: Partial<RecreditRun.Found> = {},
): SaveFlat<"recreditRunResult"> =>
  flat("recreditRunResult", {
    ...{ id: RecreditRun.resultId(runId, attributionId), customerId, workspaceId, runId, attributionId },
    ...{ outcome: "changed", problem: null, credits: [], commissions: [], changesLaterSales: false },
    createdAt: EPOCH,
    ...overrides,
  });
