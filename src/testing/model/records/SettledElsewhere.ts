/** The model of sales that were settled elsewhere before they were recorded. */
import type { Create as AttributionRequest } from "../../../domain/Attribution.ts";
import { conflict, type Decision, refuse } from "../prediction/Prediction.ts";
import type { Part } from "../world/Credits.ts";
import { isBeingBuilt } from "../world/Earnings.ts";
import { isInWindow } from "../world/Joins.ts";
import { appendEntry } from "../world/Log.ts";
import { type Attribution, type Formula, mapWhere, type World } from "../world/World.ts";

/** What events state of what was settled elsewhere. */
export const statedElsewhere = ({ at, reference }: NonNullable<AttributionRequest["settledElsewhere"]>) => ({
  at: new Date(at).toISOString(),
  ...(reference === undefined ? {} : { reference }),
});

/** The commissions that new attributions have earned at once, settled elsewhere as far as their amounts are known. */
export const settleElsewhere = (
  world: World,
  created: ReadonlyArray<Attribution>,
  elsewhere: AttributionRequest["settledElsewhere"],
): World => ({
  ...world,
  commissions: mapWhere(
    world.commissions,
    ({ attributionId, amount }) =>
      elsewhere !== undefined && amount !== null && created.some(({ id }) => id === attributionId),
    (commission) => ({
      ...commission,
      elsewhere: commission.amount,
      log: appendEntry(commission.log, world.now, "settle_elsewhere", {
        amount: commission.amount,
        ...(elsewhere === undefined ? {} : statedElsewhere(elsewhere)),
      }),
    }),
  ),
});

/** The formulas under which parts of a sale of a date earn at once. */
const earningFormulas = (
  { formulas }: World,
  { schemaId, workspaceId }: Pick<AttributionRequest, "schemaId" | "workspaceId">,
  parts: ReadonlyArray<Part>,
  occurredAt: number,
): ReadonlyArray<Formula> =>
  formulas.filter(
    (formula) =>
      formula.schemaId === schemaId &&
      formula.workspaceId === workspaceId &&
      formula.cancelReason === null &&
      isInWindow(formula, occurredAt) &&
      parts.some(
        ({ partnerId, role }) =>
          partnerId === formula.partnerId && (formula.roles ?? ["seller"]).includes(role),
      ),
  );

/** True if a request states that a sale was settled before it occurred, ahead of the clock, or without a date of its own. */
export const isElsewhereRefused = (
  { now }: World,
  { settledElsewhere, occurredAt }: AttributionRequest,
): boolean =>
  settledElsewhere !== undefined &&
  (occurredAt === undefined || settledElsewhere.at < occurredAt || settledElsewhere.at > now);

/** Why parts of a sale of a date cannot be settled elsewhere; null where they can. */
export const elsewhereProblem = (
  world: World,
  input: Pick<AttributionRequest, "schemaId" | "workspaceId">,
  parts: ReadonlyArray<Part>,
  occurredAt: number,
): Decision | null => {
  const earning = earningFormulas(world, input, parts, occurredAt);
  if (earning.some(({ release }) => release !== null)) return refuse("Invalid");
  return earning.some((formula) => isBeingBuilt(world, formula)) ? conflict("busy") : null;
};
