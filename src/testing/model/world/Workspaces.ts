/** Workspaces of the model: the time zone decides the calendar days of what is stored from then on. */
import { aheadOf } from "./Periods.ts";
import { dateOf } from "./Time.ts";
import type { World } from "./World.ts";

/** The owner of a record that has a calendar day. */
interface Owner {
  readonly customerId: string;
  readonly workspaceId: string;
}

/** The name and the time zone of a workspace. */
export const workspaceOf = (
  { workspaces }: World,
  { customerId, workspaceId }: Owner,
): { readonly name: string | null; readonly timeZone: string } =>
  workspaces.find(
    (workspace) => workspace.customerId === customerId && workspace.workspaceId === workspaceId,
  ) ?? {
    name: null,
    timeZone: "UTC",
  };

/** The calendar day of a moment in the time zone that a workspace has now. */
export const dayOf = (world: World, owner: Owner, moment: number): string =>
  dateOf(moment + aheadOf(workspaceOf(world, owner).timeZone, moment));
